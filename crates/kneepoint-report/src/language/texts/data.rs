//! Complete data.

use kneepoint_core::result::{READ, WRITE};

use crate::language::Language::{self, English, German};

texts! {
    heading: "Appendix: complete data" | "Anhang: vollständige Daten";
    intro:
        "Every measured point as it was measured. The columns headed ± hold half of the 95\u{a0}% \
         confidence interval in percent of the mean before them."
        | "Jeder Messpunkt, wie er gemessen wurde. Die Spalten mit ± enthalten die halbe Breite \
           des 95-%-Konfidenzintervalls in Prozent des Mittelwerts davor.";
    /// The series.
    all_points(series: &str): "All points of {series}" | "Alle Messpunkte von {series}";
    reads_and_writes(series: &str):
        "Reads and writes of {series}"
        | "Lesen und Schreiben von {series}";
    classes(series: &str): "Response classes of {series}" | "Antwortklassen von {series}";
    outstanding: "Outstanding I/Os" | "Ausstehende I/Os";
    set: "Set" | "Gesetzt";
    achieved: "Achieved" | "Erreicht";
    grey:
        "Grey percentiles rest on fewer than ten I/Os beyond them."
        | "Graue Perzentile beruhen auf weniger als zehn I/Os jenseits von ihnen.";
    grey_of_operations:
        "Grey percentiles rest on fewer than ten operations beyond them."
        | "Graue Perzentile beruhen auf weniger als zehn Vorgängen jenseits von ihnen.";
    /// Title of the column of lateness.
    late: "Late" | "Verspätung";
    /// What that column says.
    lateness:
        "Late: how long after they were due I/Os were submitted, on average. This is part of the \
         response time; it is the load generator that was late, or a target that could not keep \
         up."
        | "Verspätung: um wie viel später als fällig die I/Os im Mittel abgeschickt wurden. Sie \
           ist Teil der Antwortzeit; verspätet war der Lastgenerator, oder das Ziel hielt nicht \
           mit.";
    cpu: "CPU" | "CPU";
    targets_heading: "Appendix: results of each target" | "Anhang: Ergebnisse jedes Ziels";
    targets_peaks:
        "Each target's part in the point of highest throughput of each series; the other points \
         are in the exported result."
        | "Der Anteil jedes Ziels am Messpunkt des höchsten Durchsatzes jeder Messreihe; die \
           übrigen Messpunkte stehen im exportierten Ergebnis.";
    targets_all:
        "Each target's part in every point. The load is that of one target."
        | "Der Anteil jedes Ziels an jedem Messpunkt. Die Last ist die eines Ziels.";
    /// The series.
    targets_of(series: &str): "Targets of {series}" | "Ziele von {series}";
}

/// The unit of response times.
/// A response class by name, and the unit of its response times.
pub(crate) fn class(language: Language, name: &str, unit: &str) -> String {
    match language {
        English => {
            let name = match name {
                READ => "Reads",
                WRITE => "Writes",
                other => other,
            };
            format!("{name}, response time in {unit}")
        }
        German => {
            let name = match name {
                READ => "Lesen",
                WRITE => "Schreiben",
                other => other,
            };
            format!("{name}, Antwortzeit in {unit}")
        }
    }
}
