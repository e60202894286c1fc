//! Several runs side by side.

use crate::language::catalog::ComparisonTexts;

pub(super) const TEXTS: ComparisonTexts = ComparisonTexts {
    kind: "Vergleich von Speicherleistung",
    title: |runs, reference| format!("{runs} gegen {reference}"),
    reference: "Referenz",
    run: "Lauf",
    on: |work, targets| format!("{work} auf {targets}"),
    factors: "Was sich unterscheidet",
    factors_caption: "Was sich zwischen den Läufen unterscheidet",
    factor: "Faktor",
    no_factor: "Pläne, Umgebungen und Ziele nennen keinen Unterschied: Dasselbe wurde noch einmal gemessen.",
    heading: "Vergleich",
    method: "Wie dies zu lesen ist",
    method_texts,
    figures_caption: |series| format!("{series}: die Läufe nebeneinander"),
    points_caption: |series| format!("{series}: Last für Last"),
    curves_caption: |series| {
        format!(
            "Mittlere Antwortzeit von {series} über dem Durchsatz; jeder Punkt ist eine Last, steigend entlang der Kurve."
        )
    },
    bars_title: |what| format!("{what}: die Läufe nebeneinander"),
    bars_note: |reference| {
        format!(
            "Gestrichelte Linie und Prozente: verglichen mit {reference}; welche Unterschiede \
             signifikant sind, steht in den Tabellen."
        )
    },
    bars_hollow: " Hohle Balken sind Schranken oder beruhen auf driftenden oder gestörten Punkten.",
    number: "Größe",
    change: "Änderung",
    significant: "Signifikant",
    yes: "ja",
    no: |detectable| format!("nein; ab {detectable} wäre sie es"),
    disturbed: "gestört: keine Aussage",
    unknown: "unbekannt",
    sustained: |rule| format!("Dauerhaft bei {rule}"),
    peak: "Spitze",
    throughput: "Durchsatz",
    mean: "Mittlere Antwortzeit",
    percentile: |name| format!("Antwortzeit {name}"),
    at_load: |what, load| format!("{what} bei {load}"),
    over_loads: |what, count| match count {
        1 => format!("{what} bei 1 gleichen Last"),
        _ => format!("{what}, Mittel über {count} gleiche Lasten"),
    },
    axis: |quantity, unit| format!("{quantity} in {unit}"),
    interval: |low, high| format!("{low} bis {high}"),
    at_most: |number| format!("höchstens {number}"),
    at_least: |number| format!("mindestens {number}"),
    profiles_differ: "Die Lastprofile unterscheiden sich",
    unpaired: |series, runs| format!("{series} wurde in {runs} nicht gemessen."),
    reservation,
};

fn method_texts(figures: u32, points: u32) -> Vec<String> {
    vec![
        "Eine Änderung ist das Verhältnis zur Referenz, weniger eins. Ihr 95-%-Vertrauensbereich \
         folgt aus denen beider Messungen und gilt für diese Größe allein."
            .to_owned(),
        format!(
            "Von vielen Vertrauensbereichen verfehlen einige die Wahrheit durch Zufall. Was \
             signifikant heißt, ist darum gegen alle {} Tests dieses Vergleichs zusammen gehalten \
             ({figures} von Messreihen, {points} von einzelnen Lasten; Holm 1979): Mit 95\u{a0}% \
             Sicherheit ist keiner davon Zufall. Wo ein Unterschied nicht signifikant ist, nennt die \
             Tabelle, wie groß er hätte sein müssen, um in 80 von 100 Vergleichen gefunden zu werden.",
            figures + points
        ),
        "Ein Mittel über gleiche Lasten ist das geometrische Mittel über die Lasten, die alle Läufe \
         gemessen haben."
            .to_owned(),
    ]
}

fn reservation(run: &str, load: &str, verdict: &str) -> String {
    let verdict = match verdict {
        "drifting" => "nicht stabil ist",
        "disturbed" => "gestört wurde",
        other => other,
    };
    format!("{run} beruht auf dem Punkt bei {load}, der {verdict}")
}
