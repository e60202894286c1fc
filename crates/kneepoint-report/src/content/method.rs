//! How it was measured, and what the words mean.

use kneepoint_core::load::LoadUnit;
use kneepoint_core::number::Rate;

use super::survey::Survey;
use super::words;
use crate::page::{Block, Section, Text};

pub(super) fn section(survey: &Survey<'_>) -> Section {
    let uses = |unit| survey.series.iter().any(|series| series.load_unit() == unit);
    let mut terms: Vec<(&str, String)> = Vec::new();
    if uses(LoadUnit::OutstandingIos) || survey.series.is_empty() {
        terms.push(("Outstanding I/Os", OUTSTANDING.to_owned()));
    }
    if uses(LoadUnit::OfferedIops) {
        terms.push(("Offered IO/s", OFFERED.to_owned()));
    }
    terms.push(("Throughput", THROUGHPUT.to_owned()));
    terms.push(("Mean response time", RESPONSE.to_owned()));
    terms.push(("Percentiles", PERCENTILES.to_owned()));
    terms.push(("Sustained throughput", sustained(survey)));
    terms.push(("Peak throughput", PEAK.to_owned()));
    terms.push(("Warm-up and measured time", timing(survey)));
    terms.push(("Confidence intervals", CONFIDENCE.to_owned()));
    terms.push(("CPU", CPU.to_owned()));
    let blocks = terms
        .into_iter()
        .map(|(term, text)| Block::Paragraph(Text::new().strong(format!("{term}. ")).plain(text)));
    Section::new("method", "Method", blocks.collect())
}

const OUTSTANDING: &str = "The load is set by the number of requests that each target has in hand \
    at any moment. As soon as one completes, the next is issued, so the number stays the same \
    however fast or slow the target answers. The achieved number is what the results themselves \
    imply: throughput times mean response time (Little's law). Where it is well below the number \
    set, the load generator or the kernel held requests back.";

const OFFERED: &str = "The load is set by the number of requests per second that arrive at each \
    target, whatever the target answers. The response time of a request counts from the moment at \
    which it should have been issued, so a target that falls behind cannot hide the wait.";

const THROUGHPUT: &str = "IO/s counts I/Os that completed within the measured time; MiB/s is 2^20 \
    bytes per second. Profiles that are mostly random are judged by IO/s, those that are mostly \
    sequential by MiB/s. With several targets the numbers are those of all targets together.";

const RESPONSE: &str = "The time from issuing an I/O until its completion is seen, averaged over \
    every I/O that completed within the measured time. The mean comes from exact sums, not from a \
    histogram.";

const PERCENTILES: &str = "A response time of p99 means that 99% of the I/Os were at least as \
    fast. Percentiles are read from histograms that keep three significant digits over the whole \
    range and into which every single I/O is counted; percentiles of several intervals are never \
    averaged, their histograms are added.";

const PEAK: &str = "The highest throughput among the measured points of a series, whatever the \
    response time. It says what can be squeezed out, not what can be worked with.";

const CONFIDENCE: &str = "The columns headed ± hold the half-width of the 95% confidence interval \
    in percent of the mean before them. It is given only where the measurement was long enough to tell.";

const CPU: &str = "CPU time that the load generator itself used, in percent of one processor.";

fn sustained(survey: &Survey<'_>) -> String {
    let rules: Vec<String> = survey.rules.iter().map(|rule| words::rule(rule)).collect();
    let rules = match rules.as_slice() {
        [] => "This run has no rule.".to_owned(),
        [only] => format!("The rule of this run is {only}."),
        several => format!("The rules of this run are {}.", words::listed(several)),
    };
    format!(
        "The throughput at which the response time of a series reaches a rule. {rules} Load rises \
         from point to point; between the last point that meets the rule and the first that breaks \
         it, throughput and load are interpolated on a straight line. If the lowest load already \
         breaks the rule, or the highest still meets it, this report says so and gives no number."
    )
}

/// The times as they were, from the shortest to the longest.
fn timing(survey: &Survey<'_>) -> String {
    let points = &survey.document.points;
    let ramp = range(points.iter().map(|point| point.ramp_s));
    let measured = range(points.iter().map(|point| point.measured_s));
    let fact = match (ramp, measured) {
        (Some(ramp), Some(measured)) => {
            format!("In this run the warm-up took {ramp} and measuring {measured} per point. ")
        }
        _ => String::new(),
    };
    format!(
        "Every point starts with a warm-up that counts for nothing. {fact}The verdict tells how \
         the measured time ended, and whether the numbers of its intervals held still."
    )
}

/// `2 s`, or `2 s to 30 s`.
fn range(seconds: impl Iterator<Item = f64>) -> Option<String> {
    let (low, high) =
        seconds.fold((f64::INFINITY, 0.0_f64), |(low, high), s| (low.min(s), high.max(s)));
    let text = |seconds: f64| {
        let text = Rate(seconds).to_string();
        let text = if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.')
        } else {
            &text
        };
        format!("{text} s")
    };
    match (text(low), text(high)) {
        _ if low > high => None,
        (low, high) if low == high => Some(low),
        (low, high) => Some(format!("{low} to {high}")),
    }
}
