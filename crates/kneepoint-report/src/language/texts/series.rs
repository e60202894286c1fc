//! The results of a series, and the appendix of complete data.

use super::classes;
use super::common::counted;
use crate::language::Language::{self, English, German};
use crate::page::Text;
use kneepoint_core::result::{READ, WRITE};

texts! {
    heading: "Results" | "Ergebnisse";
    caption(series: &str): "Results of {series}" | "Ergebnisse von {series}";
    knee(series: &str):
        "Search for the load at the rule of {series}"
        | "Suche nach der Last an der Regel: {series}";
    at_the_rule: "At the rule" | "An der Regel";
    bracket: "Bracket" | "Eingrenzung";
    stopped_because: "Stopped because" | "Ende, weil";
    probes(loads: &str):
        "Loads in the order in which they were measured: {loads}."
        | "Lasten in der Reihenfolge der Messung: {loads}.";
    /// After it, where a rule was met between two loads.
    interpolated:
        " The load at the rule is interpolated between the two sides of the bracket."
        | " Die Last an der Regel ist zwischen beiden Seiten der Eingrenzung interpoliert.";
    data_heading: "Appendix: every series in detail" | "Anhang: jede Messreihe im Einzelnen";
    data_intro:
        "Every measured point as it was measured. The columns headed ± hold half of the 95\u{a0}% \
         confidence interval in percent of the mean before them."
        | "Jeder Messpunkt, wie er gemessen wurde. Die Spalten mit ± enthalten die halbe Breite \
           des 95-%-Konfidenzintervalls in Prozent des Mittelwerts davor.";
    tables_heading:
        "Appendix: long tables and lists"
        | "Anhang: lange Tabellen und Listen";
    tables_name: "Long tables and lists" | "Lange Tabellen und Listen";
    all_points(series: &str): "All points of {series}" | "Alle Messpunkte von {series}";
    reads_and_writes(series: &str):
        "Reads and writes of {series}"
        | "Lesen und Schreiben von {series}";
    classes(series: &str): "Response classes of {series}" | "Antwortklassen von {series}";
    response_class: "Response class" | "Antwortklasse";
    class_of(name: &str, unit: &str):
        "{name}, response time in {unit}"
        | "{name}, Antwortzeit in {unit}";
    variation(percent: &str, repetitions: &str):
        " At the peak, the {repetitions} differ by {percent} (standard deviation of IO/s)."
        | " An der Spitze unterscheiden sich die {repetitions} um {percent} (Standardabweichung der \
           IO/s).";
    variation_of_ratios(percent: &str, repetitions: &str):
        " At the peak, the {repetitions} differ by {percent} (standard deviation of the ratio)."
        | " An der Spitze unterscheiden sich die {repetitions} um {percent} (Standardabweichung des \
           Verhältnisses).";
    /// The same where there is no load but one.
    differ(percent: &str, repetitions: &str):
        " The {repetitions} differ by {percent} (standard deviation of IO/s)."
        | " Die {repetitions} unterscheiden sich um {percent} (Standardabweichung der IO/s).";
    ratios_differ(percent: &str, repetitions: &str):
        " The {repetitions} differ by {percent} (standard deviation of the ratio)."
        | " Die {repetitions} unterscheiden sich um {percent} (Standardabweichung des Verhältnisses).";
    /// Behind the means of repetitions whose response times are all known.
    percentiles_of_all:
        " Percentiles are no means, but those of all repetitions of a load together."
        | " Perzentile sind keine Mittelwerte, sondern die aller Wiederholungen einer Last zusammen.";
    /// The same where only the percentiles of each are known.
    percentiles_of_slowest:
        " Percentiles are no means, but the longest among the repetitions of a load."
        | " Perzentile sind keine Mittelwerte, sondern die längsten unter den Wiederholungen einer Last.";
    /// Behind the means of loads that a search visited.
    weighted:
        " Means of throughput are weighted with the measured times of the visits; mean response times are, where the \
         queue was always full, outstanding I/Os over throughput."
        | " Mittelwerte des Durchsatzes sind mit den gemessenen Zeiten der Besuche gewichtet; mittlere Antwortzeiten \
           sind, wo die Warteschlange immer voll war, die ausstehenden I/Os geteilt durch den Durchsatz.";
    /// Behind the table of all visits of a search.
    times_of_visits:
        "Mean response times of visits are those of the I/Os that completed in them. Where the queue was always full, \
         curves, key figures and means have the number of outstanding I/Os over the throughput in their place."
        | "Mittlere Antwortzeiten von Besuchen sind die der I/Os, die darin fertig wurden. War die Warteschlange \
           immer voll, steht in Kurven, Kennzahlen und Mittelwerten dafür die Zahl der ausstehenden I/Os geteilt \
           durch den Durchsatz.";
    set: "Set" | "Gesetzt";
    achieved: "Achieved" | "Erreicht";
    grey:
        "Grey percentiles rest on fewer than ten I/Os above them."
        | "Graue Perzentile beruhen auf weniger als zehn I/Os über ihnen.";
    grey_of_operations:
        "Grey percentiles rest on fewer than ten operations above them."
        | "Graue Perzentile beruhen auf weniger als zehn Vorgängen über ihnen.";
    late: "Late" | "Verspätung";
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
    targets_of(series: &str): "Targets of {series}" | "Ziele von {series}";
    hosts_heading: "Appendix: results of each host" | "Anhang: Ergebnisse jedes Rechners";
    hosts_peaks:
        "Each host's part in the point of highest throughput of each series; the other points are \
         in the exported result."
        | "Der Anteil jedes Rechners am Messpunkt des höchsten Durchsatzes jeder Messreihe; die \
           anderen Messpunkte stehen im exportierten Ergebnis.";
    hosts_all:
        "Each host's part in every point. The load is that of one target; the rates of the hosts \
         add up to the total."
        | "Der Anteil jedes Rechners an jedem Messpunkt. Die Last ist die eines Ziels; die Raten der \
           Rechner ergeben zusammen die gesamte.";
    hosts_of(series: &str): "Hosts of {series}" | "Rechner von {series}";
    share_of_total: "Share of the total" | "Anteil am Ganzen";
}

/// How often each number of copies of a program was measured, at least and at most.
pub(crate) fn passed(language: Language, [least, most]: [usize; 2]) -> String {
    let (from, to) = (language.count(least), language.count(most));
    match (language, least == most) {
        (English, true) => format!(
            "Every load was measured once in each of {}: the figures and this table show the median throughput, \
             the next table every measurement.",
            counted(English, most, "pass", "passes"),
        ),
        (English, false) => format!(
            "The loads were measured once in each of {from} to {to} passes: the figures show the median \
             throughput, as does this table of the loads that were measured more than once; the next table has \
             every measurement."
        ),
        (German, true) => format!(
            "Jede Last wurde in jedem von {} einmal gemessen: Abbildungen und diese Tabelle zeigen den mittleren \
             Durchsatz (Median), die nächste Tabelle jede Messung.",
            counted(German, most, "Durchgang", "Durchgängen"),
        ),
        (German, false) => format!(
            "Die Lasten wurden in jedem von {from} bis {to} Durchgängen einmal gemessen: Abbildungen zeigen den \
             mittleren Durchsatz (Median), ebenso diese Tabelle für die mehrfach gemessenen Lasten; die nächste \
             Tabelle zeigt jede Messung."
        ),
    }
}

/// How often each load was measured, at least and at most.
pub(crate) fn repeated(language: Language, [least, count]: [usize; 2]) -> String {
    let up_to = if least == count { "" } else { language.choose(["up to ", "bis zu "]) };
    let shown = language.choose(match least == count {
        true => [
            "the figures and this table show means of the repetitions, the next table every \
             measurement.",
            "Abbildungen und diese Tabelle zeigen Mittelwerte der Wiederholungen, die nächste Tabelle \
             jede Messung.",
        ],
        false => [
            "the figures show means of the repetitions, as does this table of the loads that were \
             measured more than once; the next table has every measurement.",
            "Abbildungen zeigen Mittelwerte der Wiederholungen, ebenso diese Tabelle für die mehrfach \
             gemessenen Lasten; die nächste Tabelle zeigt jede Messung.",
        ],
    });
    match language {
        English => {
            let times = counted(English, count, "time", "times");
            format!("Every load was measured {up_to}{times}: {shown}")
        }
        German => format!("Jede Last wurde {up_to}{count}-mal gemessen: {shown}"),
    }
}

/// In place of a table: its caption and how many rows it has, and the id of the appendix that it is in.
pub(crate) fn long_table(language: Language, (caption, rows): (&str, &str), id: &str) -> Text {
    let caption = caption.trim_end_matches('.');
    let word = match language {
        English => format!("{caption}: a table of {rows} rows, in the appendix "),
        German => format!("{caption}: eine Tabelle mit {rows} Zeilen, im Anhang "),
    };
    Text::new().plain(word).link(tables_name(language), id).plain(".")
}

/// Behind a list: how many more items there are, and the id of the appendix that they are in.
pub(crate) fn long_list(language: Language, more: &str, id: &str) -> Text {
    let word = match language {
        English => format!("{more} more are in the appendix "),
        German => format!("{more} weitere stehen im Anhang "),
    };
    Text::new().plain(word).link(tables_name(language), id).plain(".")
}

/// Why a search ended, where this language has words for it.
pub(crate) fn reason(language: Language, english: &str) -> Option<&'static str> {
    let ends: &[(&str, &str)] = language.choose([&[], GERMAN_ENDS]);
    ends.iter().find(|(known, _)| *known == english).map(|(_, german)| *german)
}

const GERMAN_ENDS: &[(&str, &str)] = &[
    ("it was interrupted", "sie unterbrochen wurde"),
    ("the smallest load already breaks the rule", "schon die kleinste Last die Regel verletzt"),
    ("the largest load still meets the rule", "noch die größte Last die Regel einhält"),
    (
        "the throughputs on both sides of the rule are the same within the tolerance",
        "der Durchsatz beiderseits der Regel innerhalb der Toleranz gleich ist",
    ),
    (
        "the confidence intervals on both sides of the rule overlap",
        "die Konfidenzintervalle beiderseits der Regel überlappen",
    ),
    ("enough loads were probed", "genug Lasten erprobt sind"),
    (
        "the interval of the answer is as narrow as asked for",
        "das Intervall des Ergebnisses so schmal ist wie verlangt",
    ),
    ("something else disturbs most of its visits", "anderes die meisten ihrer Besuche stört"),
    ("no operation says anything about the rule", "kein Vorgang etwas über die Regel sagt"),
    (
        "its time was over (a longer --max-time gives it more)",
        "die Zeit der Suche um war (ein längeres --max-time gibt ihr mehr)",
    ),
    (
        "there is no load between the two sides of the rule",
        "zwischen beiden Seiten der Regel keine Last liegt",
    ),
];

/// A response class by name, and the unit of its response times.
pub(crate) fn class(language: Language, name: &str, unit: &str) -> String {
    let name = match (language, name) {
        (English, READ) => "Reads",
        (English, WRITE) => "Writes",
        (_, other) => classes::name(language, other),
    };
    class_of(language, name, unit)
}

#[cfg(test)]
mod tests {
    use kneepoint_core::measure::search::SearchEnd;

    use super::*;

    #[test]
    fn loads_that_were_measured_equally_often_are_not_measured_up_to_so_often() {
        let said = |counts| [English, German].map(|language| repeated(language, counts));
        let [english, german] = said([3, 3]);
        assert!(english.starts_with("Every load was measured 3 times: "), "{english}");
        assert!(german.starts_with("Jede Last wurde 3-mal gemessen: "), "{german}");
        let [english, german] = said([1, 3]);
        assert!(english.starts_with("Every load was measured up to 3 times: "), "{english}");
        assert!(german.starts_with("Jede Last wurde bis zu 3-mal gemessen: "), "{german}");
    }

    #[test]
    fn every_end_of_a_search_has_german_words() {
        for end in SearchEnd::ALL {
            assert!(reason(German, end.reason()).is_some(), "{}", end.reason());
            assert_eq!(reason(English, end.reason()), None);
        }
        assert_eq!(reason(German, "anything else"), None);
    }
}
