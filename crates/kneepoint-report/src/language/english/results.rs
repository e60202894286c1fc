//! Key figures, and the results of each series.

use super::words::counted;
use crate::language::catalog::{KeyFigureTexts, ProfileTexts, SeriesTexts, StandingTexts};
use crate::page::Text;

pub(super) const KEY_FIGURES: KeyFigureTexts = KeyFigureTexts {
    heading: "Key figures",
    none: "There are none: no series has a point.",
    no_rule: "The run has no rule, so no throughput is called sustained.",
    remark: || {
        Text::new()
            .plain(
                "Sustained throughput is interpolated between two measured points on either side \
                 of the rule. With ≥ every load met the rule, with < none did, the lowest \
                 included. At the saturation knee throughput stops rising. What the words mean is \
                 told under ",
            )
            .link("Measurement tool and method", "method")
            .plain(".")
    },
    caption: "Sustained throughput, saturation knee and peak",
    sustained_at: "Sustained throughput at",
    saturation: "Saturation knee",
    peak: "Peak",
    mean_response: "Mean response time",
};

pub(super) const STANDING: StandingTexts = StandingTexts {
    still: |response| format!("still {response}"),
    rising: "still rising at the highest load",
    at: |load| format!("at {load}"),
    response_at: |response, load| format!("{response} at {load}"),
    unknown: "unknown: no usable point",
    doubt: |load, verdict| format!("the point at {load} is {verdict}"),
    collapse: |percent, load| format!(" (falls by {percent} at {load})"),
};

pub(super) const PROFILE: ProfileTexts = ProfileTexts {
    heading: "Load profiles",
    intro: "What each series of this run asks of the target.",
    caption: "Load profiles of the series",
    profile: "Profile",
    loads: "Loads",
    block_size: "Block size",
    share: "Share",
    read: "Read",
    random: "Random",
    points: "Points",
    mix: |series| format!("The mix of {series}"),
    blocks_short: |size| format!("{size} blocks"),
    blocks: |size| format!("blocks of {size}"),
    blocks_on_average: |size| format!("blocks of {size} on average"),
    writes_only: "writes only",
    reads_only: "reads only",
    reads_short: |percent| format!("{percent} read"),
    reads: |percent| format!("{percent} reads and the rest writes"),
    sequential_short: "sequential",
    random_short: "random",
    partly_random_short: |percent| format!("{percent} random"),
    sequential: "all sequential",
    all_random: "all at random positions",
    partly_random: |percent| format!("{percent} at random positions and the rest sequential"),
    from_to: |low, high| format!("from {low} to {high}"),
    at: |load| format!("at {load}"),
    each_target: " per target",
    factors: |factors| format!(" Set on purpose: {factors}."),
    part: |start, end| format!(" Only the part from {start} to {end} of each target is used."),
    not_measured: "No point of this series was measured.",
};

pub(super) const SERIES: SeriesTexts = SeriesTexts {
    heading: "Results",
    nothing_measured: "No point was measured.",
    caption: |series| format!("Results of {series}"),
    more: |id| {
        Text::new()
            .plain("Further percentiles, reads and writes apart, and processor time are in the ")
            .link("appendix", id)
            .plain(".")
    },
    repeated: |count| {
        format!(
            "Every load was measured up to {}: the figures and this table show means of the \
             repetitions, the appendix every measurement.",
            counted(count, "time", "times")
        )
    },
    variation: |percent, count| {
        format!(
            " At the peak, the {} differ by {percent} (standard deviation of IO/s).",
            counted(count, "repetition", "repetitions")
        )
    },
    knee: |series| format!("Search for the knee of {series}"),
    at_the_rule: "At the rule",
    bracket: "Bracket",
    stopped_because: "Stopped because",
    reason: |_| None,
    probes: |loads| {
        format!(
            "Loads in the order in which they were measured: {loads}. The load at the rule is \
             interpolated between the two sides of the bracket."
        )
    },
};
