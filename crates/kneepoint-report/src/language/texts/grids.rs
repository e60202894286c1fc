//! Texts of figures over several block sizes, and of series side by side.

texts! {
    /// The axis of block sizes.
    block_size: "Block size" | "Blockgröße";
    /// The axis of loads, given the unit of the load.
    outstanding: "Outstanding I/Os" | "Ausstehende I/Os";
    offered: "Offered IO/s" | "Angebotene IO/s";
    /// An axis of throughput, given its unit.
    throughput_in(unit: &str): "Throughput in {unit}" | "Durchsatz in {unit}";
    /// An axis of sustained and peak throughput, given its unit.
    sustained_in(unit: &str):
        "Sustained and peak throughput in {unit}"
        | "Dauerhafter und höchster Durchsatz in {unit}";
    /// Title of the heat map, given the profile.
    heat(profile: &str):
        "Throughput of {profile} by block size and load"
        | "Durchsatz von {profile} nach Blockgröße und Last";
    /// Small print of the heat map.
    heat_note:
        "The darker, the more; on dark screens the lighter. Empty: not measured."
        | "Je dunkler, desto mehr; auf dunklen Bildschirmen je heller. Leer: nicht gemessen.";
    /// Where cells have a reservation.
    heat_reservation:
        "Dashed frames: drifting or disturbed."
        | "Gestrichelte Rahmen: driftend oder gestört.";
    /// Title of throughput over block size, given the profile.
    over_block_size(profile: &str):
        "Throughput of {profile} over block size"
        | "Durchsatz von {profile} über der Blockgröße";
    /// Small print of throughput over block size.
    over_block_size_note: "Each curve is one load." | "Jede Kurve ist eine Last.";
    /// A block size and a load.
    at(size: &str, load: &str): "{size}, {load}" | "{size}, {load}";
    /// A load: this many outstanding I/Os, this many offered I/Os per second.
    load_outstanding(count: &str): "{count} outstanding" | "{count} ausstehend";
    load_offered(rate: &str): "{rate} offered IO/s" | "{rate} angebotene IO/s";
    /// Title of the bars of series with random, and with sequential access.
    bars_random:
        "Sustained and peak throughput of the series with random access"
        | "Dauerhafter und höchster Durchsatz der Messreihen mit wahlfreiem Zugriff";
    bars_other:
        "Sustained and peak throughput of the series"
        | "Dauerhafter und höchster Durchsatz der Messreihen";
    bars_sequential:
        "Sustained and peak throughput of the series with sequential access"
        | "Dauerhafter und höchster Durchsatz der Messreihen mit sequenziellem Zugriff";
    /// Small print of the bars.
    bars_note:
        "A rule without a bar could not be judged."
        | "Eine Regel ohne Balken war nicht zu beurteilen.";
    /// If there are hollow bars.
    bars_bounds:
        "Hollow bars are bounds: with ≥ every load met the rule, with < none did."
        | "Hohle Balken sind Schranken: Bei ≥ hielt jede Last die Regel ein, bei < keine.";
    /// Sustained at a rule, and the peak.
    at_rule(rule: &str): "sustained at {rule}" | "dauerhaft bei {rule}";
    peak: "peak" | "Spitze";
}
