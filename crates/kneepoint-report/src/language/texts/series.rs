//! The results of a series.

use super::words::counted;
use crate::language::Language::{self, English, German};
use crate::page::Text;

texts! {
    heading: "Results" | "Ergebnisse";
    nothing_measured: "No point was measured." | "Kein Messpunkt wurde gemessen.";
    /// The series.
    caption(series: &str): "Results of {series}" | "Ergebnisse von {series}";
    /// The series whose knee was searched.
    knee(series: &str): "Search for the knee of {series}" | "Suche nach dem Knie von {series}";
    at_the_rule: "At the rule" | "An der Regel";
    bracket: "Bracket" | "Eingrenzung";
    stopped_because: "Stopped because" | "Ende, weil";
    /// The loads as they were probed.
    probes(loads: &str):
        "Loads in the order in which they were measured: {loads}. The load at the rule is \
         interpolated between the two sides of the bracket."
        | "Lasten in der Reihenfolge der Messung: {loads}. Die Last an der Regel ist zwischen \
           beiden Seiten der Eingrenzung interpoliert.";
}

/// Where every number of the series is: words and id.
pub(crate) fn more(language: Language, id: &str) -> Text {
    match language {
        English => Text::new()
            .plain("Further percentiles, reads and writes apart, and processor time are in the ")
            .link("appendix", id)
            .plain("."),
        German => Text::new()
            .plain(
                "Weitere Perzentile, Lesen und Schreiben getrennt und die Prozessorzeit stehen im ",
            )
            .link("Anhang", id)
            .plain("."),
    }
}

/// How often each load was measured.
pub(crate) fn repeated(language: Language, count: usize) -> String {
    match language {
        English => format!(
            "Every load was measured up to {}: the figures and this table show means of the \
             repetitions, the appendix every measurement.",
            counted(English, count, "time", "times")
        ),
        German => format!(
            "Jede Last wurde bis zu {count}-mal gemessen: Abbildungen und diese Tabelle zeigen \
             Mittelwerte der Wiederholungen, der Anhang jede Messung."
        ),
    }
}

/// Spread between repetitions, of how many.
pub(crate) fn variation(language: Language, percent: &str, count: usize) -> String {
    match language {
        English => format!(
            " At the peak, the {} differ by {percent} (standard deviation of IO/s).",
            counted(English, count, "repetition", "repetitions")
        ),
        German => format!(
            " An der Spitze unterscheiden sich die {} um {percent} (Standardabweichung der IO/s).",
            counted(German, count, "Wiederholung", "Wiederholungen")
        ),
    }
}

/// Why a search ended, where this language has words for it.
pub(crate) fn reason(language: Language, english: &str) -> Option<&'static str> {
    match language {
        English => None,
        German => Some(match english {
            "it was interrupted" => "sie unterbrochen wurde",
            "the smallest load already breaks the rule" => {
                "schon die kleinste Last die Regel verletzt"
            }
            "the largest load still meets the rule" => "noch die größte Last die Regel einhält",
            "the throughputs on both sides of the rule are the same within the tolerance" => {
                "der Durchsatz beiderseits der Regel innerhalb der Toleranz gleich ist"
            }
            "the confidence intervals on both sides of the rule overlap" => {
                "die Konfidenzintervalle beiderseits der Regel überlappen"
            }
            "enough loads were probed" => "genug Lasten erprobt sind",
            "there is no load between the two sides of the rule" => {
                "zwischen beiden Seiten der Regel keine Last liegt"
            }
            _ => return None,
        }),
    }
}
