//! The appendix: complete data, and what it takes to do the same again.

use kneepoint_core::result::{READ, WRITE};

use crate::language::catalog::{DataTexts, ReproductionTexts};

pub(super) const DATA: DataTexts = DataTexts {
    heading: "Appendix: complete data",
    intro: "Every measured point as it was measured. The columns headed ± hold half of the \
            95\u{a0}% confidence interval in percent of the mean before them.",
    all_points: |series| format!("All points of {series}"),
    reads_and_writes: |series| format!("Reads and writes of {series}"),
    classes: |series| format!("Response classes of {series}"),
    class: |name, unit| {
        let name = match name {
            READ => "Reads",
            WRITE => "Writes",
            other => other,
        };
        format!("{name}, response time in {unit}")
    },
    outstanding: "Outstanding I/Os",
    set: "Set",
    achieved: "Achieved",
    grey: "Grey percentiles rest on fewer than ten I/Os beyond them.",
    late: "Late",
    lateness: "Late: how long after they were due I/Os were submitted, on average. This is part of the \
               response time; it is the load generator that was late, or a target that could not keep up.",
    cpu: "CPU",
    targets_heading: "Appendix: results of each target",
    targets_peaks: "Each target's part in the point of highest throughput of each series; the \
                    other points are in the exported result.",
    targets_all: "Each target's part in every point. The load is that of one target.",
    targets_of: |series| format!("Targets of {series}"),
};

pub(super) const REPRODUCTION: ReproductionTexts = ReproductionTexts {
    heading: "Appendix: reproduction",
    intro: "The plan holds everything that influences the measurement, the seed of all randomness \
            included; its hash names the experiment. Two runs with the same hash did the same.",
    command: "The command as it was typed",
    label: "Label",
    state: "State",
    complete: "complete",
    interrupted: "interrupted",
    failed: "failed",
    started: "Started",
    finished: "Finished",
    seed: "Seed",
    plan_hash: "Plan hash (SHA-256)",
    version: "Version",
    format: "Result format",
    plan: "The plan",
};
