//! The sizing of systems.

use kneepoint_core::words::rule::Metric;

use super::findings;
use super::words::TEXTS as WORDS;
use crate::language::catalog::{SizingHeads, SizingTexts};

pub(super) const TEXTS: SizingTexts = SizingTexts {
    kind: "Auslegung von Speichersystemen",
    title: |iops, rule| format!("{iops} bei {rule}"),
    load: "Last",
    sequential: "sequentiell",
    random: "wahlfrei",
    load_of: |block, read, order| format!("{block}, {read} Lesen, {order}"),
    asked_for: "Gefordert",
    rule: "Regel",
    capacity: "Nutzbare Kapazität",
    simulated_by: "Simuliert mit",
    uncalibrated_title: |some, all| format!("{some} von {all} Kandidaten sind nicht kalibriert"),
    uncalibrated: "Ihre Parameter stammen aus Datenblättern und von ähnlichen Laufwerken. Messen Sie \
                   ein solches System, bevor etwas davon abhängt.",
    abstract_title: "Zusammenfassung",
    nothing: "Nichts von dem, was versucht wurde, hält diese Last aus.",
    fewest: "Die Last halten aus, mit den wenigsten Laufwerken: ",
    winner: |first| {
        format!(
            "{} ({}) als {} in {}, Schreibcache {}",
            first.drives, first.drive, first.raid, first.system, first.write_cache
        )
    },
    outcome: |first| {
        format!(
            ". {} bei der geforderten Last: {}. An der Regel hält das System dauerhaft {} ({}); am \
             stärksten beschäftigt sind dort: {}. Die Last wurde mit einem Zuschlag von {} versucht.",
            (WORDS.response_of)(first.metric),
            first.response,
            first.sustained,
            first.headroom,
            first.limit,
            first.margin
        )
    },
    own_drive: "die des Systems",
    candidates: "Kandidaten",
    candidates_remark: "Bereich: Anteil jedes Laufwerks, auf dem die Daten liegen. Reserve: was an der \
                        Regel über das Geforderte hinaus dauerhaft gehalten wird. Zuschlag: der \
                        mittlere Fehler des Modells bei den veröffentlichten Zahlen, an die es \
                        angepasst wurde, oder 20 %, wo es keine gab; der Kandidat hält die Last mit \
                        diesem Zuschlag aus.",
    as_targets: "Die Kandidaten als Ziele von kneepoint run",
    strokes: "Andere Bereiche der Laufwerke",
    method: "Methode",
    method_text: "Für jede Art von Laufwerk, jede RAID-Stufe und jede Einstellung des Schreibcaches \
                  wurde die kleinste Zahl von Laufwerken gesucht, die die Kapazität fasst und die \
                  Regel einhält. Jeder Versuch bietet die Last in zufälligen Abständen an, mit dem \
                  Zuschlag. Was ein Kandidat dauerhaft hält, ist an einer geschlossenen Schleife mit \
                  steigender Last abgelesen, ohne den Zuschlag. Alles ist simuliert: Preise, \
                  Stromverbrauch und die Zeit eines Wiederaufbaus sind nicht darin.",
    command: "Der Befehl, wie er eingegeben wurde",
    candidates_caption: |iops, profile, rule| {
        format!("Was {iops} von {profile} bei {rule} aushält, die wenigsten Laufwerke zuerst.")
    },
    heads: SizingHeads {
        number: "Nr.",
        system: "System",
        drives: "Laufwerke",
        count: "Anzahl",
        drive: "Laufwerk",
        write_cache: "Schreibcache",
        usable: "nutzbar",
        stroke: "Bereich",
        at_load: "Bei der geforderten Last",
        at_rule: "An der Regel",
        sustained: "dauerhaft",
        headroom: "Reserve",
        saturates: "zuerst ausgelastet",
        model: "Modell",
        margin: "Zuschlag",
        data: "Daten",
        multiplier: "Faktor",
    },
    response: |metric| match metric {
        Metric::Mean => "mittlere Antwortzeit".to_owned(),
        Metric::Max => "größte Antwortzeit".to_owned(),
        other => (WORDS.response_of)(other),
    },
    uncalibrated_cell: "nicht kalibriert",
    enclosures: "Gehäuse",
    and_more: |names, more| format!("{names} und {more} weitere"),
    part: findings::part,
    strokes_caption: [
        "Was ",
        " dauerhaft hielte, wenn die Daten auf einem größeren oder kleineren Teil jedes Laufwerks \
         lägen. Der Faktor ist das Verhältnis zur ersten Zeile.",
    ],
    growth_title: "Dauerhafter Durchsatz über der Zahl der Laufwerke",
    growth_caption: "Was Kandidaten mit weniger und mit mehr Laufwerken dauerhaft halten, die Daten \
                     über alle verteilt. Ringe sind die Kandidaten der Tabelle; die Linie ist die \
                     geforderte Last.",
    drives_axis: "Laufwerke",
    sustained_axis: "Dauerhafter Durchsatz in IO/s",
    growth_point: |name, drives, iops| format!("{name}: {drives} Laufwerke, {iops}"),
    growth_mark: |name| format!("{name}: der Kandidat"),
    stroke_title: "Dauerhafter Durchsatz über dem genutzten Bereich der Laufwerke",
    stroke_axis: "Anteil an der Kapazität jedes Laufwerks in %",
    stroke_point: |stroke, iops| format!("{stroke} Bereich: {iops}"),
    stroke_caption: |stroke, bytes| {
        format!(
            "Der erste Kandidat mit seinen Daten auf einem größeren oder kleineren Teil jedes \
             Laufwerks; bei {stroke} fasst er {bytes}."
        )
    },
    asked_line: |iops| format!("gefordert: {iops}"),
    source: |profile, rule| format!("Simuliert: {profile} bei {rule}"),
};
