//! Texts of figures over several block sizes, and of series side by side.

use crate::language::catalog::GridTexts;

pub(super) const TEXTS: GridTexts = GridTexts {
    block_size: "Block size",
    outstanding: "Outstanding I/Os",
    offered: "Offered IO/s",
    throughput_in: |unit| format!("Throughput in {unit}"),
    sustained_in: |unit| format!("Sustained and peak throughput in {unit}"),
    heat: |profile| format!("Throughput of {profile} by block size and load"),
    heat_note: "The darker, the more; on dark screens the lighter. Empty: not measured.",
    heat_reservation: "Dashed frames: drifting or disturbed.",
    over_block_size: |profile| format!("Throughput of {profile} over block size"),
    over_block_size_note: "Each curve is one load.",
    at: |size, load| format!("{size}, {load}"),
    load_outstanding: |count| format!("{count} outstanding"),
    load_offered: |rate| format!("{rate} offered IO/s"),
    bars_random: "Sustained and peak throughput of the series with random access",
    bars_other: "Sustained and peak throughput of the series",
    bars_sequential: "Sustained and peak throughput of the series with sequential access",
    bars_note: "A rule without a bar could not be judged.",
    bars_bounds: "Hollow bars are bounds: with ≥ every load met the rule, with < none did.",
    at_rule: |rule| format!("sustained at {rule}"),
    peak: "peak",
};
