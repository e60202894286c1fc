//! Several runs side by side.

use crate::language::catalog::ComparisonTexts;

pub(super) const TEXTS: ComparisonTexts = ComparisonTexts {
    kind: "Storage performance comparison",
    title: |runs, reference| format!("{runs} against {reference}"),
    reference: "Reference",
    run: "Run",
    on: |work, targets| format!("{work} on {targets}"),
    factors: "What differs",
    factors_caption: "What differs between the runs",
    factor: "Factor",
    no_factor: "Plans, environments and targets show no difference: the same was measured again.",
    heading: "Comparison",
    method: "How to read this",
    method_texts,
    figures_caption: |series| format!("{series}: the runs side by side"),
    points_caption: |series| format!("{series}: load by load"),
    curves_caption: |series| {
        format!(
            "Mean response time of {series} over throughput; each point is one load, rising along the curve."
        )
    },
    bars_title: |what| format!("{what}: the runs side by side"),
    bars_note: |reference| {
        format!(
            "Dashed line and percentages: compared with {reference}; the tables say which \
             differences are significant."
        )
    },
    bars_hollow: " Hollow bars are bounds, or rest on drifting or disturbed points.",
    number: "Number",
    change: "Change",
    significant: "Significant",
    yes: "yes",
    no: |detectable| format!("no; it would be from {detectable} on"),
    disturbed: "disturbed: no claim",
    unknown: "unknown",
    sustained: |rule| format!("Sustained at {rule}"),
    peak: "Peak",
    throughput: "Throughput",
    mean: "Mean response time",
    percentile: |name| format!("Response time {name}"),
    at_load: |what, load| format!("{what} at {load}"),
    over_loads: |what, count| match count {
        1 => format!("{what} at 1 equal load"),
        _ => format!("{what}, mean of {count} equal loads"),
    },
    axis: |quantity, unit| format!("{quantity} in {unit}"),
    interval: |low, high| format!("{low} to {high}"),
    at_most: |number| format!("at most {number}"),
    at_least: |number| format!("at least {number}"),
    profiles_differ: "The load profiles differ",
    unpaired: |series, runs| format!("{series} was not measured in {runs}."),
    reservation: |run, load, verdict| {
        format!("{run} rests on the point at {load}, which is {verdict}")
    },
};

fn method_texts(figures: u32, points: u32) -> Vec<String> {
    vec![
        "A change is the ratio to the reference, less one. Its 95\u{a0}% confidence interval comes from \
         those of both measurements and holds for that number alone."
            .to_owned(),
        format!(
            "Of many intervals some miss by chance. What is called significant is therefore held \
             against all {} tests of this comparison together ({figures} of series, {points} of \
             single loads; Holm 1979): with 95\u{a0}% confidence none of them is chance. Where a \
             difference is not significant, the table says how large it would have had to be to be \
             found in 80 of 100 comparisons.",
            figures + points
        ),
        "An average over equal loads is the geometric mean over the loads that all runs measured."
            .to_owned(),
    ]
}
