//! Texts of figures over several block sizes, and of series side by side.

use crate::language::catalog::GridTexts;

pub(super) const TEXTS: GridTexts = GridTexts {
    block_size: "Blockgröße",
    outstanding: "Ausstehende I/Os",
    offered: "Angebotene IO/s",
    throughput_in: |unit| format!("Durchsatz in {unit}"),
    sustained_in: |unit| format!("Dauerhafter und höchster Durchsatz in {unit}"),
    heat: |profile| format!("Durchsatz von {profile} nach Blockgröße und Last"),
    heat_note: "Je dunkler, desto mehr; auf dunklen Bildschirmen je heller. Leer: nicht gemessen.",
    heat_reservation: "Gestrichelte Rahmen: driftend oder gestört.",
    over_block_size: |profile| format!("Durchsatz von {profile} über der Blockgröße"),
    over_block_size_note: "Jede Kurve ist eine Last.",
    at: |size, load| format!("{size}, {load}"),
    load_outstanding: |count| format!("{count} ausstehend"),
    load_offered: |rate| format!("{rate} angebotene IO/s"),
    bars_random: "Dauerhafter und höchster Durchsatz der Messreihen mit wahlfreiem Zugriff",
    bars_other: "Dauerhafter und höchster Durchsatz der Messreihen",
    bars_sequential: "Dauerhafter und höchster Durchsatz der Messreihen mit sequenziellem Zugriff",
    bars_note: "Eine Regel ohne Balken war nicht zu beurteilen.",
    bars_bounds: "Hohle Balken sind Schranken: Bei ≥ hielt jede Last die Regel ein, bei < keine.",
    at_rule: |rule| format!("dauerhaft bei {rule}"),
    peak: "Spitze",
};
