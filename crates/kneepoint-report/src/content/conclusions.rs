//! What follows from the results, as far as the numbers alone say it.

use kneepoint_core::result::{Sustained, SustainedStatus, Verdict};
use kneepoint_core::words::rule::{Metric, Rule};

use super::judge::PrimaryMetric;
use super::survey::{RunView, SeriesView};
use super::words;
use crate::language::texts;
use crate::page::{Block, Section, Text};

pub(super) fn section(survey: &RunView<'_>) -> Section {
    let mut items: Vec<Text> = Vec::new();
    for rule in &survey.rules {
        items.extend(PrimaryMetric::ALL.iter().filter_map(|judge| at(survey, rule, *judge)));
        items.extend(missed(survey, rule, SustainedStatus::AllMeet));
        items.extend(missed(survey, rule, SustainedStatus::NoneMeets));
    }
    items.extend(beyond_the_rule(survey));
    items.extend(trust(survey));
    let block = match items.is_empty() {
        true => Block::paragraph(texts::conclusions::nothing(survey.language)),
        false => Block::List(items),
    };
    Section::new("conclusions", texts::conclusions::heading(survey.language), vec![block])
}

/// What the series that are judged alike sustain at a rule: the lowest and the highest. Bounds rank
/// with them; nothing is said if the lowest is a bound from below, or the highest one from above.
fn at(survey: &RunView<'_>, rule: &str, judge: PrimaryMetric) -> Option<Text> {
    let alike = survey.series.iter().filter(|series| series.judge == judge);
    let mut found: Vec<(f64, &Sustained, &SeriesView<'_>)> = alike
        .filter_map(|series| {
            let summary = series.summaries.iter().find(|summary| summary.rule == rule)?;
            let sustained = &summary.sustained;
            let value = judge.sustained(sustained).or_else(|| judge.bound(sustained))?;
            Some((value, sustained, series))
        })
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let rule = words::rule(survey.language, rule);
    let print = |(value, sustained, _): &(f64, &Sustained, &SeriesView<'_>)| {
        let bound = judge.bounded(survey.language, sustained);
        bound.unwrap_or_else(|| judge.print(survey.language, *value))
    };
    match found.as_slice() {
        [] => None,
        [one] => Some(texts::conclusions::one(survey.language, &rule, &print(one), name(one.2))),
        [low, .., high] => {
            let is_known = low.1.status != SustainedStatus::AllMeet
                && high.1.status != SustainedStatus::NoneMeets;
            let ends = ((print(low), name(low.2)), (print(high), name(high.2)));
            is_known.then(|| {
                texts::conclusions::between(
                    survey.language,
                    &rule,
                    (&ends.0.0, ends.0.1),
                    (&ends.1.0, ends.1.1),
                )
            })
        }
    }
}

fn name<'s>(series: &'s SeriesView<'_>) -> (&'s str, &'s str) {
    (series.name, &series.id)
}

/// Series at which a rule gives only a bound, in one way.
fn missed(survey: &RunView<'_>, rule: &str, status: SustainedStatus) -> Option<Text> {
    let summaries = survey.document.analysis.summaries.iter();
    let count = summaries
        .filter(|summary| summary.rule == rule && summary.sustained.status == status)
        .count();
    let sentence = match status {
        SustainedStatus::NoneMeets => texts::conclusions::below_first,
        _ => texts::conclusions::beyond_last,
    };
    let rule = words::rule(survey.language, rule);
    (count > 0).then(|| sentence(survey.language, count, &rule).into())
}

/// The series whose peak costs the most response time beyond a rule on the mean.
fn beyond_the_rule(survey: &RunView<'_>) -> Option<Text> {
    let language = survey.language;
    let mut worst: Option<(f64, Text)> = None;
    for series in &survey.series {
        for summary in &series.summaries {
            let line = summary.rule.parse::<Rule>().ok().and_then(|rule| rule.line_ms());
            let Some((metric, limit)) = line else { continue };
            let (Some(peak), Some(sustained)) =
                (summary.peak, series.judge.sustained(&summary.sustained))
            else {
                continue;
            };
            let ratio = peak.latency_ms / limit;
            let is_worse = worst.as_ref().is_none_or(|(known, _)| ratio > *known);
            let more = series.judge.peak(&peak) / sustained - 1.0;
            let is_told = metric == Metric::Mean && ratio > 1.0 && sustained > 0.0;
            if !is_told || more <= 0.0 || !is_worse {
                continue;
            }
            let more = language.percent(100.0 * more);
            let rule = words::rule(language, &summary.rule);
            let response = language.response_time(peak.latency_ms);
            worst = Some((
                ratio,
                texts::conclusions::beyond_the_rule(
                    language,
                    name(series),
                    [&more, &rule, &response],
                ),
            ));
        }
    }
    worst.map(|(_, text)| text)
}

/// Whether anything should be measured again.
fn trust(survey: &RunView<'_>) -> Option<Text> {
    let language = survey.language;
    let points = survey.document.points.len();
    let suspect: usize = [Verdict::Drifting, Verdict::Failed, Verdict::Disturbed]
        .iter()
        .map(|verdict| survey.count(*verdict))
        .sum();
    match (suspect, survey.warning_count()) {
        _ if points == 0 => None,
        (0, 0) => {
            let points = texts::words::points(language, points);
            Some(texts::conclusions::nothing_doubtful(language, &points).into())
        }
        (0, _) => None,
        (some, _) => Some(texts::conclusions::again(language, some, "trust")),
    }
}
