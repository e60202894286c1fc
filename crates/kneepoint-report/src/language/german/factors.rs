//! Settings that were varied on purpose.

use kneepoint_core::spec::factor::{Design, Order};

use super::words::counted;
use crate::language::Language::German;
use crate::language::catalog::{FactorPlan, FactorTexts};

pub(super) const TEXTS: FactorTexts = FactorTexts {
    heading: "Einstellungen",
    introduction,
    nothing: "Es wurde zu wenig gemessen, um die Einstellungen zu vergleichen.",
    matrix: "Was verändert wurde",
    setting: "Einstellung",
    levels: "Stufen",
    changed_by: "Verändert durch",
    peak: "Spitze",
    optima: "Die beste Einstellung je Messreihe",
    judged_by: "Beurteilt nach",
    best: "Beste Einstellung",
    ties: "Nicht signifikant schlechter",
    no_tie: "keine",
    confidence_unknown: "Konfidenz unbekannt",
    effects: "Haupteffekte der Einstellungen",
    from: "Von",
    to: "Nach",
    before: "vorher",
    after: "nachher",
    change: "Änderung",
    significant: "Signifikant",
    yes: "ja",
    no: "nein",
    unknown: "unbekannt",
    bars: |setting, judged_by| format!("Was {setting} bewirkt, beurteilt nach: {judged_by}"),
    bars_note: |base| format!("Gestrichelte Linie und Prozente: verglichen mit {base}."),
    bars_margins: " Fehlerbalken, wo sie lang genug sind, zeigen 95-%-Konfidenzintervalle der \
                   Änderung.",
    bars_hollow: " Hohle Balken: Die Änderung ist nicht signifikant, oder ihre Konfidenz ist \
                  unbekannt.",
    reading: "Jede Stufe wird mit der ersten Stufe ihrer Einstellung verglichen, über alle Paare von \
              Einstellungen, die sich in nichts anderem unterscheiden. Was \
              signifikant heißt, ist es mit 95-%-Konfidenz für alle Stufen aller Faktoren zusammen \
              (Holm 1979).",
    interaction: |words| {
        let [(first, first_at), (second, second_at)] = &words.changes;
        format!(
            "{}: Was {} bewirkt, hängt von {} ab: {first} bei {first_at}, {second} bei {second_at}.",
            words.subject, words.setting, words.other,
        )
    },
};

fn introduction(plan: &FactorPlan) -> String {
    let design = match plan.design {
        Design::Full => "jede Kombination ihrer Stufen wurde gemessen",
        Design::OneAtATime => {
            "jede wurde für sich verändert, die anderen blieben auf ihrer ersten Stufe"
        }
    };
    let order = match (plan.order, plan.repetitions) {
        (Order::AsWritten, _) => "in der Reihenfolge der Tabelle",
        (Order::Blocked, 2..) => "jede Wiederholung in einer eigenen zufälligen Reihenfolge",
        _ => "in zufälliger Reihenfolge",
    };
    let repeated = match plan.repetitions {
        0 | 1 => String::new(),
        count => format!(", je {}-mal", German.count(count as usize)),
    };
    format!(
        "{} absichtlich verändert; {design}, {order}: {}{repeated}. Was für eine von ihnen gilt, \
         steht in Klammern hinter dem Namen der Messreihe.",
        counted(plan.count, "Einstellung wurde", "Einstellungen wurden"),
        counted(plan.combinations, "Kombination", "Kombinationen"),
    )
}
