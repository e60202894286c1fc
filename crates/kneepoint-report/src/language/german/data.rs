//! The appendix: complete data, and what it takes to do the same again.

use kneepoint_core::result::{READ, WRITE};

use crate::language::catalog::{DataTexts, ReproductionTexts};

pub(super) const DATA: DataTexts = DataTexts {
    heading: "Anhang: vollständige Daten",
    intro: "Jeder Messpunkt, wie er gemessen wurde. Die Spalten mit ± enthalten die halbe Breite \
            des 95-%-Konfidenzintervalls in Prozent des Mittelwerts davor.",
    all_points: |series| format!("Alle Messpunkte von {series}"),
    reads_and_writes: |series| format!("Lesen und Schreiben von {series}"),
    classes: |series| format!("Antwortklassen von {series}"),
    class: |name, unit| {
        let name = match name {
            READ => "Lesen",
            WRITE => "Schreiben",
            other => other,
        };
        format!("{name}, Antwortzeit in {unit}")
    },
    outstanding: "Ausstehende I/Os",
    set: "Gesetzt",
    achieved: "Erreicht",
    grey: "Graue Perzentile beruhen auf weniger als zehn I/Os jenseits von ihnen.",
    late: "Verspätung",
    lateness: "Verspätung: um wie viel später als fällig die I/Os im Mittel abgeschickt wurden. Sie ist Teil \
               der Antwortzeit; verspätet war der Lastgenerator, oder das Ziel hielt nicht mit.",
    cpu: "CPU",
    targets_heading: "Anhang: Ergebnisse jedes Ziels",
    targets_peaks: "Der Anteil jedes Ziels am Messpunkt des höchsten Durchsatzes jeder Messreihe; \
                    die übrigen Messpunkte stehen im exportierten Ergebnis.",
    targets_all: "Der Anteil jedes Ziels an jedem Messpunkt. Die Last ist die eines Ziels.",
    targets_of: |series| format!("Ziele von {series}"),
};

pub(super) const REPRODUCTION: ReproductionTexts = ReproductionTexts {
    heading: "Anhang: Wiederholung der Messung",
    intro: "Der Plan enthält alles, was die Messung beeinflusst, auch den Startwert allen Zufalls; \
            sein Hashwert benennt das Experiment. Zwei Läufe mit gleichem Hashwert taten dasselbe.",
    command: "Der Befehl, wie er eingegeben wurde",
    label: "Name",
    state: "Zustand",
    complete: "vollständig",
    interrupted: "unterbrochen",
    failed: "fehlgeschlagen",
    started: "Begonnen",
    finished: "Beendet",
    seed: "Startwert des Zufalls",
    plan_hash: "Hashwert des Plans (SHA-256)",
    version: "Version",
    format: "Format des Ergebnisses",
    plan: "Der Plan",
};
