//! Key figures, and the results of each series.

use super::words::counted;
use crate::language::catalog::{KeyFigureTexts, ProfileTexts, SeriesTexts, StandingTexts};
use crate::page::Text;

pub(super) const KEY_FIGURES: KeyFigureTexts = KeyFigureTexts {
    heading: "Kennzahlen",
    none: "Es gibt keine: Keine Messreihe hat einen Messpunkt.",
    no_rule: "Der Lauf hat keine Regel, daher heißt kein Durchsatz dauerhaft.",
    remark: || {
        Text::new()
            .plain(
                "Der dauerhafte Durchsatz ist zwischen zwei Messpunkten beiderseits der Regel \
                 interpoliert. Bei ≥ hielt jede Last die Regel ein, bei < keine, auch die kleinste \
                 nicht. Am Sättigungspunkt hört der Durchsatz auf zu steigen. Was die Wörter \
                 bedeuten, steht unter ",
            )
            .link("Messwerkzeug und Methode", "method")
            .plain(".")
    },
    caption: "Dauerhafter Durchsatz, Sättigungspunkt und Spitze",
    sustained_at: "Dauerhafter Durchsatz bei",
    saturation: "Sättigungspunkt",
    peak: "Spitze",
    mean_response: "Mittlere Antwortzeit",
};

pub(super) const STANDING: StandingTexts = StandingTexts {
    still: |response| format!("noch {response}"),
    rising: "steigt bei der größten Last noch",
    at: |load| format!("bei {load}"),
    response_at: |response, load| format!("{response} bei {load}"),
    unknown: "unbekannt: kein brauchbarer Messpunkt",
    doubt: |load, verdict| format!("der Messpunkt bei {load} ist {verdict}"),
    collapse: |percent, load| format!(" (fällt um {percent} bei {load})"),
};

pub(super) const PROFILE: ProfileTexts = ProfileTexts {
    heading: "Lastprofile",
    intro: "Was jede Messreihe dieses Laufs vom Ziel verlangt.",
    caption: "Lastprofile der Messreihen",
    profile: "Lastprofil",
    loads: "Lasten",
    block_size: "Blockgröße",
    share: "Anteil",
    read: "Lesen",
    random: "Wahlfrei",
    points: "Messpunkte",
    mix: |series| format!("Die Mischung von {series}"),
    blocks_short: |size| format!("Blöcke von {size}"),
    blocks: |size| format!("Blöcke von {size}"),
    blocks_on_average: |size| format!("Blöcke von im Mittel {size}"),
    writes_only: "nur Schreiben",
    reads_only: "nur Lesen",
    reads_short: |percent| format!("{percent} Lesen"),
    reads: |percent| format!("{percent} Lesen, der Rest Schreiben"),
    sequential_short: "sequenziell",
    random_short: "wahlfrei",
    partly_random_short: |percent| format!("{percent} wahlfrei"),
    sequential: "alle sequenziell",
    all_random: "alle an zufälligen Stellen",
    partly_random: |percent| format!("{percent} an zufälligen Stellen, der Rest sequenziell"),
    from_to: |low, high| format!("von {low} bis {high}"),
    at: |load| format!("bei {load}"),
    each_target: " je Ziel",
    factors: |factors| format!(" Absichtlich eingestellt: {factors}."),
    part: |start, end| format!(" Nur der Teil von {start} bis {end} jedes Ziels wird benutzt."),
    not_measured: "Kein Messpunkt dieser Messreihe wurde gemessen.",
};

pub(super) const SERIES: SeriesTexts = SeriesTexts {
    heading: "Ergebnisse",
    nothing_measured: "Kein Messpunkt wurde gemessen.",
    caption: |series| format!("Ergebnisse von {series}"),
    more: |id| {
        Text::new()
            .plain(
                "Weitere Perzentile, Lesen und Schreiben getrennt und die Prozessorzeit stehen im ",
            )
            .link("Anhang", id)
            .plain(".")
    },
    repeated: |count| {
        format!(
            "Jede Last wurde bis zu {count}-mal gemessen: Abbildungen und diese Tabelle zeigen \
             Mittelwerte der Wiederholungen, der Anhang jede Messung."
        )
    },
    variation: |percent, count| {
        format!(
            " An der Spitze unterscheiden sich die {} um {percent} (Standardabweichung der IO/s).",
            counted(count, "Wiederholung", "Wiederholungen")
        )
    },
    knee: |series| format!("Suche nach dem Knie von {series}"),
    at_the_rule: "An der Regel",
    bracket: "Eingrenzung",
    stopped_because: "Ende, weil",
    reason,
    probes: |loads| {
        format!(
            "Lasten in der Reihenfolge der Messung: {loads}. Die Last an der Regel ist zwischen \
             beiden Seiten der Eingrenzung interpoliert."
        )
    },
};

/// Why a search ended.
fn reason(english: &str) -> Option<&'static str> {
    Some(match english {
        "it was interrupted" => "sie unterbrochen wurde",
        "the smallest load already breaks the rule" => "schon die kleinste Last die Regel verletzt",
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
    })
}
