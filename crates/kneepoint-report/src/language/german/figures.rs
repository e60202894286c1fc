//! Captions, titles and labels of figures.

use super::words::counted;
use crate::language::Language::German;
use crate::language::catalog::FigureTexts;

pub(super) const TEXTS: FigureTexts = FigureTexts {
    source: |run| format!("Kneepoint, Lauf {run}"),
    random_series: "Messreihen mit wahlfreiem Zugriff",
    other_series: "Messreihen",
    sequential_series: "Messreihen mit sequenziellem Zugriff",
    series_between: |count, first, last| {
        format!("{} Messreihen von {first} bis {last}", German.count(count))
    },
    throughput_over_load: |subject| format!("Durchsatz über der Last: {subject}"),
    response_over_throughput: |response, subject| {
        format!("{response} über dem Durchsatz: {subject}")
    },
    margins: " Fehlerbalken, wo sie lang genug sind, zeigen 95-%-Konfidenzintervalle.",
    each_point: "; jeder Punkt ist eine Last, entlang der Kurve steigend.",
    outside: |rules| format!(" Außerhalb der Abbildung: {rules}."),
    ring_and_star: " Ring: dauerhaft; Stern: Spitze.",
    ring: " Ring: dauerhaft.",
    star: " Stern: Spitze.",
    hollow: " Hohle Punkte sind driftend oder gestört.",
    repeated: " Die Punkte sind Mittel der Wiederholungen.",
    sustained_at: |throughput, rule| format!("{throughput} bei {rule}"),
    peak: |throughput| format!("Spitze {throughput}"),
    mean: |response| format!("Mittel {response}"),
    percentiles_over_load: |series| format!("Perzentile der Antwortzeit über der Last: {series}"),
    percentile: "Perzentil",
    distribution: |series| format!("Verteilung der Antwortzeit: {series}"),
    distribution_at: |load| format!(" bei {load}"),
    distribution_at_some: " bei einigen ihrer Lasten",
    distribution_at_each: " bei jeder ihrer Lasten",
    ten_times_rarer: ". Nach rechts ist jeder Schritt zehnmal seltener.",
    strips_of_all: "Durchsatz über die Messzeit für die Messpunkte dieser Messreihe, die weder \
                    stabil sind noch an der Zeitgrenze endeten; die gestrichelte Linie ist der \
                    Mittelwert.",
    strips_of_some: |shown, all| {
        format!(
            "Durchsatz über die Messzeit für die ersten {shown} von {all} Messpunkten dieser \
             Messreihe, die weder stabil sind noch an der Zeitgrenze endeten; die gestrichelte \
             Linie ist der Mittelwert."
        )
    },
    strip: |series, load| format!("Durchsatz über der Zeit: {series}, {load}"),
    strip_heading: |load, verdict, mean| format!("{load}: {verdict}, Mittel {mean}"),
    rounds: "IO/s jeder Runde, von der ersten an; die gestrichelte Linie ist der Mittelwert der \
             letzten Runden, die allein als Messung zählen. Spannweite und Steigung sind die des \
             Tests auf eingeschwungenen Zustand, in Prozent dieses Mittelwerts.",
    rounds_strip: |series, load| format!("Runden von {series}, {load}"),
    few_rounds: |count| format!("{}, zu wenige für ein Urteil", counted(count, "Runde", "Runden")),
    steady: |range, slope| format!("Spannweite {range}, Steigung {slope}"),
    round: |number, iops, response| format!("Runde {number}: {iops}, Mittel {response}"),
};
