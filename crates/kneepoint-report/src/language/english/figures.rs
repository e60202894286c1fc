//! Captions, titles and labels of figures.

use super::words::counted;
use crate::language::Language::English;
use crate::language::catalog::FigureTexts;

pub(super) const TEXTS: FigureTexts = FigureTexts {
    source: |run| format!("Kneepoint run {run}"),
    random_series: "the series with random access",
    other_series: "the series",
    sequential_series: "the series with sequential access",
    series_between: |count, first, last| {
        format!("{} series from {first} to {last}", English.count(count))
    },
    throughput_over_load: |subject| format!("Throughput of {subject} over load"),
    response_over_throughput: |response, subject| {
        format!("{response} of {subject} over throughput")
    },
    margins: " Error bars, where long enough to be seen, are 95\u{a0}% confidence intervals.",
    each_point: "; each point is one load, rising along the curve.",
    outside: |rules| format!(" Outside the figure: {rules}."),
    ring_and_star: " Ring: sustained; star: peak.",
    ring: " Ring: sustained.",
    star: " Star: peak.",
    hollow: " Hollow points are drifting or disturbed.",
    repeated: " Points are means of repetitions.",
    sustained_at: |throughput, rule| format!("{throughput} at {rule}"),
    peak: |throughput| format!("peak {throughput}"),
    mean: |response| format!("mean {response}"),
    percentiles_over_load: |series| format!("Response-time percentiles of {series} over load"),
    percentile: "Percentile",
    distribution: |series| format!("Response-time distribution of {series}"),
    distribution_at: |load| format!(" at {load}"),
    distribution_at_some: " at some of its loads",
    distribution_at_each: " at each of its loads",
    ten_times_rarer: ". To the right, each step is ten times rarer.",
    strips_of_all: "Throughput over the measured time of the points of this series that are \
                    neither steady nor at their time limit; the dashed line is the mean.",
    strips_of_some: |shown, all| {
        format!(
            "Throughput over the measured time of the first {shown} of {all} points of this \
             series that are neither steady nor at their time limit; the dashed line is the mean."
        )
    },
    strip: |series, load| format!("Throughput over time of {series} at {load}"),
    strip_heading: |load, verdict, mean| format!("{load}: {verdict}, mean {mean}"),
    rounds: "IO/s of every round, from the first one on; the dashed line is the mean of the last \
             rounds, which are the ones measured. Range and slope are those of the test for \
             steady state, in percent of that mean.",
    rounds_strip: |series, load| format!("Rounds of {series} at {load}"),
    few_rounds: |count| format!("{}, too few to tell", counted(count, "round", "rounds")),
    steady: |range, slope| format!("range {range}, slope {slope}"),
    round: |number, iops, response| format!("round {number}: {iops}, mean {response}"),
};
