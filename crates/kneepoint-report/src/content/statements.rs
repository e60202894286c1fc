//! The results in sentences: the findings and the conclusions.

use std::collections::BTreeMap;

use kneepoint_core::result::{
    Contrast, Estimate, Finding, NamedFactor, Plateau, PointResult, Step, Summary, Sustained,
    SustainedStatus,
};
use kneepoint_core::words::number::{Percentage, Rounding};
use kneepoint_core::words::rule::Metric;

use super::summary::is_single_load;
use super::view::{PrimaryMetric, RunView, SeriesView, is_suspect, line_ms};
use super::{advice as settings, plateaus, waits};
use crate::language::Language;
use crate::language::texts::findings::LoadOf;
use crate::language::texts::{abstract_text, advice, common, conclusions, findings};
use crate::page::{Block, Section, Text};

/// How far the results can be trusted, in one sentence.
pub(super) fn trust_in_short(survey: &RunView<'_>) -> Text {
    let language = survey.language;
    let points = survey.document.points.len();
    let errors: u64 = survey.document.points.iter().map(|point| point.errors).sum();
    let parts = [
        abstract_text::suspect(language, survey.suspect_count(), points, &survey.suspicions()),
        match survey.is_io() {
            true => abstract_text::errors(language, errors),
            false => abstract_text::operation_errors(language, errors),
        },
        abstract_text::warnings(language, survey.warning_count()),
    ];
    abstract_text::trust(language, [&parts[0], &parts[1], &parts[2]], "trust")
}

/// What the sentences on findings need beside them.
pub(super) struct Writer<'w> {
    pub(super) language: Language,
    /// The runs of a comparison; none for a single run.
    pub(super) runs: &'w [&'w str],
    /// Id of the section on a series.
    pub(super) id_of: &'w dyn Fn(&str) -> String,
    /// Whether the loads of a series are those of each of several targets.
    pub(super) load_of: &'w dyn Fn(&str) -> LoadOf,
    /// Whether a series drifts at a load.
    pub(super) drifts: &'w dyn Fn(&str, f64) -> bool,
}

/// The findings of a single run; `None` if there are none.
pub(super) fn findings(survey: &RunView<'_>) -> Option<Section> {
    let views: BTreeMap<&str, &SeriesView<'_>> =
        survey.series.iter().map(|view| (view.name, view)).collect();
    let id_of = |series: &str| views.get(series).map_or("results", |view| &view.id).to_owned();
    let load_of = |series: &str| views.get(series).map_or(LoadOf::All, |view| view.load_of());
    let drifts = |series: &str, load| views.get(series).is_some_and(|view| view.drifts_at(load));
    let language = survey.language;
    let writer = Writer { language, runs: &[], id_of: &id_of, load_of: &load_of, drifts: &drifts };
    let (rising, findings) = without_rising(survey);
    let plateaus: Vec<&Plateau> = findings.iter().filter_map(plateau).collect();
    let mut tested: Vec<Block> = rising.map(Block::Paragraph).into_iter().collect();
    if plateaus.len() < plateaus::TABLE_FROM {
        tested.extend(listed(&findings, &writer));
    } else {
        let others: Vec<Finding> =
            findings.iter().filter(|finding| plateau(finding).is_none()).cloned().collect();
        tested.extend(plateaus::blocks(survey, &plateaus, &id_of));
        tested.extend(listed(&others, &writer));
    }
    if !tested.is_empty() {
        tested.push(how_certain(language));
    }
    let waits = waits::sentence(survey)
        .map(|text| [Block::List(vec![text]), Block::remark(findings::waits_untested(language))]);
    let blocks: Vec<Block> = tested.into_iter().chain(waits.into_iter().flatten()).collect();
    let section = Section::new("findings", findings::heading(language), blocks);
    (!section.blocks.is_empty()).then_some(section)
}

/// How certain findings are.
fn how_certain(language: Language) -> Block {
    Block::remark(findings::confidence(language, &findings::practical(language)))
}

/// The findings of series that still rise at their highest load.
fn gains<'a>(survey: &RunView<'a>) -> Vec<&'a Step> {
    let gain = |finding: &'a Finding| match finding {
        Finding::Gain(found) => Some(found),
        _ => None,
    };
    survey.document.analysis.findings.iter().filter_map(gain).collect()
}

/// Series that still rise at their highest load, for the first page: each in a sentence if they are few.
pub(super) fn rising(survey: &RunView<'_>) -> Vec<Text> {
    if let Some(many) = many_rising(survey) {
        return vec![many];
    }
    let sentence = |found: &Step| {
        let series = survey.series.iter().find(|series| series.name == found.series)?;
        let said = findings::gain(survey.language, found, series.load_of());
        Some(series.link().plain(format!(": {said}")))
    };
    gains(survey).into_iter().filter_map(sentence).collect()
}

/// Series that still rise at their highest load in one sentence, if they are many.
fn many_rising(survey: &RunView<'_>) -> Option<Text> {
    let gains: Vec<f64> = gains(survey).into_iter().map(|found| found.percent).collect();
    if gains.len() < plateaus::TABLE_FROM {
        return None;
    }
    let language = survey.language;
    let [low, high] = [
        gains.iter().copied().fold(f64::INFINITY, f64::min),
        gains.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    ];
    let range = common::range(language, &language.change(low), &language.change(high));
    let series = common::all_series(language, survey.series.len());
    Some(findings::still_rising(language, &language.count(gains.len()), &series, &range).into())
}

/// Findings of series that still rise at their highest load as one sentence, if they are many; and the
/// others.
fn without_rising(survey: &RunView<'_>) -> (Option<Text>, Vec<Finding>) {
    let all = &survey.document.analysis.findings;
    let many = many_rising(survey);
    let is_told = |finding: &&Finding| many.is_none() || !matches!(finding, Finding::Gain(_));
    let others = all.iter().filter(is_told).cloned().collect();
    (many, others)
}

/// The plateau that a finding is about, if it is.
fn plateau(finding: &Finding) -> Option<&Plateau> {
    match finding {
        Finding::Saturation(found) => Some(found),
        _ => None,
    }
}

/// One contrast of a single run.
pub(super) fn contrast(survey: &RunView<'_>, found: &Contrast) -> Text {
    let id_of = |series: &str| {
        let view = survey.series.iter().find(|view| view.name == series);
        view.map_or("results", |view| &view.id).to_owned()
    };
    let load_of = |_: &str| LoadOf::All;
    let drifts = |_: &str, _| false;
    let language = survey.language;
    let writer = Writer { language, runs: &[], id_of: &id_of, load_of: &load_of, drifts: &drifts };
    sentence(&writer, &Finding::Contrast(found.clone()))
}

/// The findings as a chapter; an empty one if there are none.
pub(super) fn between(findings: &[Finding], writer: &Writer<'_>) -> Section {
    let language = writer.language;
    let list = listed(findings, writer).map(|list| [list, how_certain(language)]);
    let blocks = list.into_iter().flatten().collect();
    Section::new("findings", findings::heading(language), blocks)
}

/// A sentence for each finding; nothing if there are none.
fn listed(findings: &[Finding], writer: &Writer<'_>) -> Option<Block> {
    let sentence = |finding: &Finding| sentence(writer, finding);
    (!findings.is_empty()).then(|| Block::List(findings.iter().map(sentence).collect()))
}

/// One finding; the names of series lead to their sections.
fn sentence(writer: &Writer<'_>, finding: &Finding) -> Text {
    let Writer { language, runs, id_of, load_of, drifts } = *writer;
    let link = |text: Text, series: &str| text.link(series, id_of(series));
    let of_series = |series: &str, said: &dyn Fn(LoadOf) -> String| {
        link(Text::new(), series).plain(format!(": {}", said(load_of(series))))
    };
    match finding {
        Finding::Saturation(found) => {
            of_series(&found.series, &|of| findings::saturation(language, found, of))
        }
        Finding::Gain(found) => of_series(&found.series, &|of| findings::gain(language, found, of)),
        Finding::Collapse(found) => {
            let said = of_series(&found.series, &|of| findings::collapse(language, found, of));
            match drifts(&found.series, found.to_load) {
                true => said.plain(findings::drifting_there(language)),
                false => said,
            }
        }
        Finding::Contrast(found) => {
            let names = link(link(Text::new(), &found.faster).plain(" / "), &found.slower);
            names.plain(format!(": {}", findings::contrast(language, found)))
        }
        Finding::Change(found) => {
            let change = findings::change(language, found, runs);
            // The names of the runs say which targets they had.
            let factor = found.factor.as_ref().filter(|factor| factor.name != "target");
            let factor = factor.map(|NamedFactor { name, from, to }| {
                let [from, to] = [from, to].map(|level| advice::level(language, name, level));
                let name = advice::setting(language, name);
                findings::factor(language, &name, &from, &to) + ": "
            });
            let factor = factor.unwrap_or_default();
            link(Text::new(), &found.series).plain(format!(": {factor}{change}"))
        }
    }
}

/// The conclusions: what to do about each setting, then what is sustained; of series of one load, which no
/// rule judges, the first alone, if there is any.
pub(super) fn conclusions(survey: &RunView<'_>) -> Option<Section> {
    let mut items: Vec<Text> = settings::conclusions(survey);
    let is_single = is_single_load(survey);
    if is_single && items.is_empty() {
        return None;
    }
    let rules = if is_single { &[] } else { survey.rules.as_slice() };
    for rule in rules {
        items.extend(PrimaryMetric::ALL.iter().filter_map(|judge| at(survey, rule, *judge)));
        items.extend(missed(survey, rule, SustainedStatus::AllMeet));
        items.extend(missed(survey, rule, SustainedStatus::NoneMeets));
        items.extend(left_out(survey, rule));
    }
    items.extend((!is_single).then(|| beyond_the_rule(survey)).flatten());
    items.extend(trust(survey));
    let block = match items.is_empty() {
        true => Block::paragraph(conclusions::nothing(survey.language)),
        false => Block::List(items),
    };
    Some(Section::new("conclusions", conclusions::heading(survey.language), vec![block]))
}

/// The lowest and the highest throughput at a rule among series that are judged alike, without those
/// whose points were disturbed. Bounds rank
/// with them, by what is known to be sustained; where a bound from below is not the highest, only
/// what is known to be sustained is told.
pub(super) fn at(survey: &RunView<'_>, rule: &str, judge: PrimaryMetric) -> Option<Text> {
    let alike = survey.series.iter().filter(|series| series.judge == judge);
    let alike = alike.filter(|series| !series.is_disturbed(Some(rule)));
    let mut found: Vec<(Estimate, &Sustained, &SeriesView<'_>)> = alike
        .filter_map(|series| {
            let summary = series.summaries.iter().find(|summary| summary.rule == rule)?;
            let sustained = &summary.sustained;
            let value = series.printed_sustained(sustained).or_else(|| judge.bound(sustained))?;
            Some((value, sustained, series))
        })
        .collect();
    // Of equals the first is the highest.
    found.reverse();
    found.sort_by(|a, b| a.0.mean.total_cmp(&b.0.mean));
    let rule = common::within_title(survey.language, rule);
    let rated = |(value, sustained, series): &(Estimate, &Sustained, &SeriesView<'_>)| {
        let bound = judge.bounded(survey.language, sustained);
        (bound.unwrap_or_else(|| judge.print(survey.language, *value)), series.link())
    };
    if let [one] = found.as_slice() {
        return Some(conclusions::one(survey.language, &rule, rated(one)));
    }
    let is = |status, (_, sustained, _): &(Estimate, &Sustained, &SeriesView<'_>)| {
        sustained.status == status
    };
    let reached = found.iter().rposition(|one| !is(SustainedStatus::NoneMeets, one))?;
    let (low, high) = (found.first()?, &found[reached]);
    let is_open = found[..reached].iter().any(|one| is(SustainedStatus::AllMeet, one))
        || found[reached + 1..].iter().any(|one| is(SustainedStatus::NoneMeets, one));
    let is_lowest_known = is(SustainedStatus::Met, low)
        && !found.iter().any(|one| is(SustainedStatus::NoneMeets, one));
    let lowest = is_lowest_known.then(|| rated(low));
    Some(match is_open || reached == 0 {
        true => conclusions::most(survey.language, &rule, rated(high), lowest),
        false => conclusions::between(survey.language, &rule, rated(low), rated(high)),
    })
}

/// The series that the ranges at a rule leave out.
fn left_out(survey: &RunView<'_>, rule: &str) -> Option<Text> {
    let language = survey.language;
    let disturbed = survey.series.iter().filter(|series| series.is_disturbed(Some(rule))).count();
    let series = common::all_series(language, disturbed);
    let rule = common::within_title(language, rule);
    (disturbed > 0).then(|| conclusions::left_out(language, &rule, &series).into())
}

/// Series at which a rule gives only a bound, in one way, without those whose points were disturbed.
fn missed(survey: &RunView<'_>, rule: &str, status: SustainedStatus) -> Option<Text> {
    let is_it = |series: &&SeriesView<'_>| {
        let mut summaries = series.summaries.iter();
        let is_bound =
            |summary: &&Summary| summary.rule == rule && summary.sustained.status == status;
        summaries.any(is_bound) && !series.is_disturbed(Some(rule))
    };
    let count = survey.series.iter().filter(is_it).count();
    if count == 0 {
        return None;
    }
    let language = survey.language;
    let typed = rule;
    let (series, rule) = (common::all_series(language, count), common::rule(language, rule));
    let text = match status {
        SustainedStatus::NoneMeets => {
            let verbs = if count == 1 { ["breaks", "verletzt"] } else { ["break", "verletzen"] };
            let said = conclusions::below_first(language, language.choose(verbs), &rule, &series);
            match survey.series.iter().filter(|one| is_it(one) && may_meet(one, typed)).count() {
                0 => said,
                some => {
                    let some = common::all_series(language, some);
                    said + &conclusions::perhaps_met(language, &some)
                }
            }
        }
        _ => {
            let verbs = if count == 1 { ["meets", "hält"] } else { ["meet", "halten"] };
            conclusions::beyond_last(language, language.choose(verbs), &rule, &series)
        }
    };
    Some(text.into())
}

/// Whether the confidence interval of the lowest load's response time reaches the limit of a rule that
/// it breaks.
fn may_meet(series: &SeriesView<'_>, rule: &str) -> bool {
    let Some((metric, limit)) = line_ms(rule) else { return false };
    let Some(lowest) = series.curve.first() else { return false };
    let times = &lowest.latency_ms;
    let low = match metric {
        Metric::Mean => times.ci95.map(|half| times.mean - half),
        other => times.percentiles_ci95.and_then(|known| known.get(other)).map(|[low, _]| low),
    };
    low.is_some_and(|low| low <= limit)
}

/// The series whose peak costs the most response time beyond a rule on the mean.
fn beyond_the_rule(survey: &RunView<'_>) -> Option<Text> {
    let language = survey.language;
    let mut worst: Option<(f64, Text)> = None;
    for series in &survey.series {
        for summary in &series.summaries {
            let Some((metric, limit)) = line_ms(&summary.rule) else { continue };
            if [Some(summary.rule.as_str()), None].iter().any(|number| series.is_disturbed(*number))
            {
                continue;
            }
            let (Some(peak), Some(sustained)) =
                (summary.peak, series.judge.sustained(&summary.sustained))
            else {
                continue;
            };
            let ratio = peak.latency_ms / limit;
            let is_worse = worst.as_ref().is_none_or(|(known, _)| ratio > *known);
            let more = series.judge.peak(&peak).mean / sustained.mean - 1.0;
            let is_told = metric == Metric::Mean && ratio > 1.0 && sustained.mean > 0.0;
            if !is_told || more <= 0.0 || !is_worse {
                continue;
            }
            let is_gaining = gains(survey).iter().any(|found| found.series == series.name);
            let is_rising = is_gaining || series.is_rising();
            let more = match (is_rising, Percentage(100.0 * more)) {
                (true, more) => {
                    let least = language.percent(more.rounded(Rounding::Down).0);
                    conclusions::at_least(language, &least)
                }
                (false, Percentage(more)) => language.percent(more),
            };
            let rule = common::within(language, &summary.rule);
            let response = language.response_time(peak.latency());
            let said =
                conclusions::beyond_the_rule(language, series.link(), [&more, &rule, &response]);
            let end = if is_rising { conclusions::still_rising(language) } else { "" };
            worst = Some((ratio, said.plain(end)));
        }
    }
    worst.map(|(_, text)| text)
}

/// Advice on points to measure again.
fn trust(survey: &RunView<'_>) -> Option<Text> {
    let language = survey.language;
    let points = survey.document.points.len();
    match (survey.suspect_count(), survey.warning_count()) {
        _ if points == 0 => None,
        (0, 0) => {
            let valid = abstract_text::suspect(language, 0, points, "");
            Some(conclusions::nothing_doubtful(language, &valid).into())
        }
        (0, _) => None,
        (some, _) => Some(conclusions::again(language, (some, &doubtful(survey)), "trust")),
    }
}

/// More points than these are not named one by one.
const POINTS_MAX: usize = 3;

/// The points to measure again: `oltp/8KiB at 16 outstanding I/Os (drifting)`; nothing if they are many.
fn doubtful(survey: &RunView<'_>) -> String {
    let language = survey.language;
    let of_series = |series: &SeriesView<'_>| {
        let points = series.points.iter().filter(|point| is_suspect(point.verdict));
        let name = |point: &&PointResult| {
            let load = series.at_load_of_each(point.load.value);
            let verdict = common::verdict(language, point.verdict);
            format!("{} ({verdict})", common::what_at(language, series.name, &load))
        };
        points.map(name).collect::<Vec<_>>()
    };
    let all: Vec<String> = survey.series.iter().flat_map(of_series).collect();
    match all.len() <= POINTS_MAX {
        true => all.join("; "),
        false => String::new(),
    }
}
