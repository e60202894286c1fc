//! The first page: what was measured, what was found, one figure, one table, and how far it goes.

use kneepoint_core::plan::{Plan, TargetKind};
use kneepoint_core::result::{
    Between, Contrast, Estimate, Finding, PRACTICAL_PERCENT, Peak, SustainedStatus, Verdict,
    Warning,
};
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::number::{Measured, Rounding};
use kneepoint_core::words::rule::Metric;

use super::advice::{self, LevelDigest};
use super::curves::CurveSet;
use super::view::{Group, PrimaryMetric, RunView, SeriesView, line_ms, sign};
use super::{factors, key_figures, processor, scaling, setup, statements, users, waits};
use crate::language::Language;
use crate::language::texts::{advice as advice_text, common, summary};
use crate::page::{Block, Column, Figure, Section, TRUST, Table, TableCell, Text, Tone};

/// Id of the first chapter.
pub(crate) const ID: &str = "summary";

/// The first chapter.
pub(super) fn section(survey: &RunView<'_>) -> Section {
    let language = survey.language;
    let mut blocks = Vec::new();
    if survey.document.points.is_empty() {
        blocks.push(Block::paragraph(common::nothing_measured(language)));
    }
    let findings = findings(survey);
    if !findings.is_empty() {
        blocks.push(Block::List(findings));
    }
    blocks.extend(figure(survey).map(|figure| Block::Figures(vec![figure])));
    match processor::has_scores(survey) {
        true => blocks.extend(processor::scores(survey)),
        false => blocks.extend(table(survey).map(Block::Table)),
    }
    blocks.push(Block::Remark(caveats(survey)));
    Section::new(ID, summary::heading(language), blocks)
}

/// More findings than these are for the chapters behind.
const FINDINGS_MAX: usize = 5;
/// More series than these are not named in a finding.
const NAMES_MAX: usize = 3;

/// What was found, the most important first: before all else, that nothing can be told of a run that was
/// disturbed throughout.
pub(super) fn findings(survey: &RunView<'_>) -> Vec<Text> {
    let disturbed = survey.is_disturbed().then(|| summary::all_disturbed(survey.language));
    let mut found: Vec<Text> = disturbed.map(|text| Text::new().strong(text)).into_iter().collect();
    found.extend(of_factors(survey));
    found.extend(processor::findings(survey));
    found.extend(users::findings(survey));
    found.extend(sustained(survey));
    found.extend(waits::sentence(survey));
    found.extend(collapse(survey));
    found.extend(saturation(survey));
    found.extend(contrasts(survey));
    found.extend(statements::rising(survey));
    found.truncate(FINDINGS_MAX);
    found
}

/// With more levels than these, of each factor only the one with the largest effect.
const LEVELS_MAX: usize = 4;

/// A number of parts whose scaling takes more sentences than these is told level by level.
const SCALINGS_MAX: usize = 2;

/// How far more parts help, by the names of the settings.
fn of_scaling(survey: &RunView<'_>) -> Vec<(String, Vec<String>)> {
    let plan: Option<Plan> = serde_json::from_value(survey.document.plan.clone()).ok();
    let Some(factors) = plan.and_then(|plan| plan.factors) else { return Vec::new() };
    let told = scaling::numeric_factors(&factors).into_iter().map(|factor| {
        let sentences = scaling::sentences(survey, &factor);
        (factor.name.to_owned(), sentences)
    });
    told.filter(|(_, sentences)| (1..=SCALINGS_MAX).contains(&sentences.len())).collect()
}

/// What the factors do: how far more parts help, then the largest effect first.
fn of_factors(survey: &RunView<'_>) -> Vec<Text> {
    let scaling = of_scaling(survey);
    let mut all = advice::digests(&survey.document.analysis.effects);
    for levels in &mut all {
        levels.retain(|level| scaling.iter().all(|(name, _)| name != level.factor));
    }
    let sentences = scaling.into_iter().flat_map(|(_, sentences)| sentences).map(Text::from);
    sentences.chain(of_levels(survey, &all)).collect()
}

/// What levels do, the largest effect first.
fn of_levels(survey: &RunView<'_>, all: &[Vec<LevelDigest<'_>>]) -> Vec<Text> {
    let mut chosen: Vec<&LevelDigest<'_>> = all.iter().flatten().collect();
    if chosen.len() > LEVELS_MAX {
        chosen = all.iter().filter_map(|levels| largest(levels)).collect();
    }
    chosen.sort_by(|a, b| b.size().total_cmp(&a.size()));
    chosen.into_iter().map(|digest| advice::finding(survey, digest, NAMES_MAX)).collect()
}

/// The level with the largest effect; of equals the first.
fn largest<'d, 'a>(levels: &'d [LevelDigest<'a>]) -> Option<&'d LevelDigest<'a>> {
    levels.iter().rev().max_by(|a, b| a.size().total_cmp(&b.size()))
}

/// What is sustained at the first rule of each series.
fn sustained(survey: &RunView<'_>) -> Option<Text> {
    if is_single_load(survey) {
        return None;
    }
    let standings = standings(survey);
    let rules = distinct(standings.iter().filter_map(|standing| standing.series.first_rule()));
    let told = rules.into_iter().filter_map(|rule| {
        let of_rule = |standing: &&Standing<'_, '_>| standing.series.first_rule() == Some(rule);
        sustained_at(survey, (rule, standings.iter().filter(of_rule).collect()))
    });
    told.reduce(|all, next| all.plain(" ").join(next))
}

/// The range of what is sustained at a rule, of series that are judged alike, without those whose points
/// were disturbed.
fn sustained_at(
    survey: &RunView<'_>,
    (rule, standings): (&str, Vec<&Standing<'_, '_>>),
) -> Option<Text> {
    let (disturbed, known): (Vec<_>, Vec<_>) =
        standings.into_iter().partition(|standing| standing.is_disturbed());
    let ranges = PrimaryMetric::ALL.iter().filter_map(|judge| {
        let alike = known.iter().copied().filter(|standing| standing.series.judge == *judge);
        range(survey.language, alike.collect())
    });
    let ranges: Vec<Text> = ranges.collect();
    let mut text = Text::new()
        .strong(summary::sustained_range(survey.language, &common::within(survey.language, rule)));
    for (index, range) in ranges.iter().enumerate() {
        text = text.plain(if index == 0 { ": " } else { "; " }).join(range.clone());
    }
    let left_out = match disturbed.len() {
        0 => String::new(),
        count => {
            common::without_disturbed(survey.language, &common::all_series(survey.language, count))
        }
    };
    (!ranges.is_empty()).then(|| text.plain(".").plain(left_out))
}

/// The lowest and the highest of several numbers; nothing if either is not known because the lowest
/// is a bound from below, or the highest one from above, or a bound from below lies between.
fn range(language: Language, mut alike: Vec<&Standing<'_, '_>>) -> Option<Text> {
    // Of equals the first is the highest.
    alike.reverse();
    alike.sort_by(|a, b| a.value.total_cmp(&b.value));
    let told = |standing: &Standing<'_, '_>| {
        let name = Text::new().plain(" (").join(standing.series.link()).plain(")");
        Text::new().strong(standing.headline(language)).join(name)
    };
    match alike.as_slice() {
        [] => None,
        [only] => Some(told(only)),
        [low, between @ .., high]
            if low.sign != "≥"
                && high.sign != "<"
                && (high.sign == "≥" || between.iter().all(|other| other.sign != "≥")) =>
        {
            Some(told(low).plain(summary::to(language)).join(told(high)))
        }
        _ => None,
    }
}

/// The series whose throughput falls the most beyond its peak, with those that fall as far at the same load:
/// of settings that change nothing none is to be blamed.
fn collapse(survey: &RunView<'_>) -> Option<Text> {
    let language = survey.language;
    let falls: Vec<_> = survey
        .series
        .iter()
        .filter_map(|series| Some((series, series.peak()?.collapse()?)))
        .map(|(series, fall)| {
            let percent = language.percent(fall.percent.round());
            (series, fall, (percent, series.at_load_of_each(fall.load)))
        })
        .collect();
    let worst = falls.iter().max_by(|a, b| a.1.percent.total_cmp(&b.1.percent))?;
    let alike: Vec<_> = falls.iter().filter(|(.., words)| *words == worst.2).collect();
    let named = alike.iter().take(NAMES_MAX).enumerate();
    let mut text = named.fold(Text::new(), |text, (index, (series, ..))| {
        text.plain(if index == 0 { "" } else { ", " }).join(series.link())
    });
    if alike.len() > NAMES_MAX {
        let more = language.count(alike.len() - NAMES_MAX);
        text = text.plain(advice_text::more_series(language, &more));
    }
    let (percent, load) = &worst.2;
    Some(text.plain(summary::collapse(language, percent, load)))
}

/// How many series are saturated, and which parts of a simulated system limit them.
pub(super) fn saturation(survey: &RunView<'_>) -> Option<Text> {
    let language = survey.language;
    let findings = survey.document.analysis.findings.iter();
    let plateaus: Vec<_> = findings
        .filter_map(|finding| match finding {
            Finding::Saturation(found) => Some(found),
            _ => None,
        })
        .collect();
    if plateaus.len() < 2 {
        return None;
    }
    let part = |at: &kneepoint_core::result::Bottleneck| at.part.clone();
    let limits = plateaus.iter().filter_map(|found| found.bottleneck.as_ref().map(part));
    let limits: Vec<String> = limits.collect();
    let counted: Vec<(String, usize)> = distinct(limits.iter().cloned())
        .into_iter()
        .map(|name| {
            let count = limits.iter().filter(|limit| **limit == name).count();
            (name, count)
        })
        .collect();
    Some(summary::saturated(language, plateaus.len(), survey.series.len(), &counted).into())
}

/// The largest contrast of each kind that matters.
fn contrasts(survey: &RunView<'_>) -> Vec<Text> {
    let all = survey.document.analysis.findings.iter().filter_map(|finding| match finding {
        Finding::Contrast(found) => Some(found),
        _ => None,
    });
    let mut all: Vec<&Contrast> =
        all.filter(|found| found.interval[0] >= 1.0 + PRACTICAL_PERCENT / 100.0).collect();
    all.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
    let kind = |found: &Contrast| match found.between {
        Between::Direction { .. } => 0,
        Between::Order { .. } => 1,
        Between::BlockSize { .. } => 2,
    };
    let firsts = (0..3).filter_map(|of| all.iter().find(|found| kind(found) == of));
    firsts.map(|found| statements::contrast(survey, found)).collect()
}

/// True if every series was measured at one load only: there is no curve, and no rule to meet unless a series
/// has its own.
pub(super) fn is_single_load(survey: &RunView<'_>) -> bool {
    let mut series = survey.series.iter().filter(|series| !series.curve.is_empty()).peekable();
    series.peek().is_some()
        && series.all(|series| series.curve.len() == 1)
        && !survey.has_own_rules()
}

/// More curves than these in the first figure would be a tangle.
const CURVES_MAX: usize = 5;

/// More bars than these are too high for the first page.
const BARS_MAX: usize = 16;

/// The most telling figure: the factor with the largest effect, curves, or bars.
fn figure(survey: &RunView<'_>) -> Option<Figure> {
    let digests = advice::digests(&survey.document.analysis.effects);
    let largest = digests.iter().filter_map(|levels| largest(levels));
    let largest = largest.max_by(|a, b| a.size().total_cmp(&b.size()));
    if let Some(figure) = largest.and_then(|digest| factors::figure(survey, digest.factor)) {
        return Some(figure);
    }
    if let Some(figure) = processor::by_member(survey) {
        return Some(figure);
    }
    let judge = judge_of_figure(survey)?;
    let alike: Vec<&SeriesView<'_>> = survey
        .series
        .iter()
        .filter(|series| series.judge == judge && series.curve.len() > 1)
        .collect();
    if alike.len() <= CURVES_MAX {
        return curves(survey, alike);
    }
    let bars = Some(survey).filter(|_| alike.len() * (survey.rules.len() + 1) <= BARS_MAX);
    let bars = bars.and_then(|survey| key_figures::figure(survey, judge));
    bars.or_else(|| curves(survey, representatives(&alike)))
}

/// The first series of each of the first profiles.
fn representatives<'s, 'a>(alike: &[&'s SeriesView<'a>]) -> Vec<&'s SeriesView<'a>> {
    let profiles = distinct(alike.iter().map(|series| series.profile));
    let first = |profile: &str| alike.iter().copied().find(|series| series.profile == profile);
    profiles.into_iter().take(CURVES_MAX).filter_map(first).collect()
}

fn curves(survey: &RunView<'_>, series: Vec<&SeriesView<'_>>) -> Option<Figure> {
    let names: Vec<String> = series.iter().map(|series| series.name.to_owned()).collect();
    let subject = common::listed(survey.language, &names);
    let rule = survey.rules.first().and_then(|rule| line_ms(rule));
    let metric = rule.map_or(Metric::Mean, |(metric, _)| metric);
    CurveSet::new(survey, series, &subject).response(metric)
}

/// What the series of the figure are judged by: IO/s if that compares any.
fn judge_of_figure(survey: &RunView<'_>) -> Option<PrimaryMetric> {
    let count = |judge: PrimaryMetric| {
        survey
            .series
            .iter()
            .filter(|series| series.judge == judge && series.curve.len() > 1)
            .count()
    };
    let has = |least: usize| PrimaryMetric::ALL.into_iter().find(|judge| count(*judge) >= least);
    has(2).or_else(|| has(1))
}

/// With more series than this the table has the best of each profile.
const ROWS_MAX: usize = 12;

/// What a series reaches: a number that may be a bound.
pub(super) struct Standing<'s, 'a> {
    pub(super) series: &'s SeriesView<'a>,
    pub(super) value: f64,
    pub(super) sign: &'static str,
    pub(super) margin: Option<f64>,
    /// Half-width of the interval of the number or of the bound.
    ci95: Option<f64>,
    /// Why the number is to be read with a reservation, if it is.
    reservation: Option<Verdict>,
}

impl Standing<'_, '_> {
    /// The number with its sign and unit.
    fn headline(&self, language: Language) -> String {
        let number = self.series.judge.print(language, self.printed());
        format!("{} {number}", self.sign).trim_start().to_owned()
    }

    /// The number with its sign.
    pub(super) fn number(&self, language: Language) -> String {
        let number = language.rate(self.printed());
        format!("{} {number}", self.sign).trim_start().to_owned()
    }

    /// The number as it is printed: a bound on its own side.
    fn printed(&self) -> Measured {
        let rounding = match self.sign {
            "≥" => Rounding::Down,
            "<" => Rounding::Up,
            _ => Rounding::Nearest,
        };
        Measured { value: self.value, ci95: self.ci95 }.rounded(rounding)
    }

    /// Whether the number rests on a point that something disturbed.
    pub(super) fn is_disturbed(&self) -> bool {
        self.reservation == Some(Verdict::Disturbed)
    }

    /// How its cell looks.
    pub(super) const fn tone(&self) -> Tone {
        if self.reservation.is_some() { Tone::Caution } else { Tone::Plain }
    }
}

/// What the series sustain at their first rules, or reach at their only load, or else at their peak.
fn table(survey: &RunView<'_>) -> Option<Table> {
    let language = survey.language;
    let standings = standings(survey);
    let is_short = standings.len() <= ROWS_MAX;
    let chosen: Vec<&Standing<'_, '_>> = match is_short {
        true => standings.iter().collect(),
        false => survey.groups().iter().filter_map(|group| best(&standings, group)).collect(),
    };
    if chosen.is_empty() {
        return None;
    }
    let mut caption = place(survey);
    if !is_short {
        caption += summary::best_of_profile(language);
    }
    if chosen.len() > ROWS_MAX {
        let [shown, all] = [ROWS_MAX, chosen.len()].map(|count| language.count(count));
        caption += &summary::first_rows(language, &shown, &all);
    }
    let judges = PrimaryMetric::ALL.into_iter();
    let judges = judges.filter(|judge| chosen.iter().any(|one| one.series.judge == *judge));
    let judges: Vec<PrimaryMetric> = judges.collect();
    let units = judges.iter().map(|judge| Column::numbers(judge.unit()));
    let alike = |one: &SeriesView<'_>| -> Vec<f64> {
        let is_alike = |other: &&&Standing<'_, '_>| {
            other.series.base_name() == one.base_name()
                && other.series.first_rule() == one.first_rule()
        };
        chosen.iter().filter(is_alike).map(|other| other.value).collect()
    };
    // Series of different profiles or block sizes have nothing to be a share of.
    let has_shares = chosen.iter().any(|standing| alike(standing.series).len() > 1);
    let share = has_shares.then(|| Column::numbers(summary::of_best(language)));
    let rest = [Some(Column::numbers("±")), share].into_iter().flatten();
    let columns = [Column::words(common::series(language))].into_iter().chain(units).chain(rest);
    let row = |standing: &&Standing<'_, '_>| {
        let most = alike(standing.series).into_iter().fold(0.0, f64::max);
        let mut cells = row(language, standing, (&judges, has_shares.then_some(most)));
        if let Some(rule) = rule_of(survey, standing.series)
            && let Some(name) = cells.first_mut()
        {
            *name = name.clone().detail(common::within(language, rule));
        }
        cells
    };
    Some(Table::plain(caption, columns).filled(chosen.iter().take(ROWS_MAX).map(row)))
}

/// Where the numbers of the table are read.
pub(super) fn place(survey: &RunView<'_>) -> String {
    let language = survey.language;
    match survey.common_rule() {
        _ if is_single_load(survey) => summary::at_set_load(language).to_owned(),
        Some(rule) => summary::sustained(language, &common::within(language, rule)),
        None if survey.rules.is_empty() => summary::at_peak(language).to_owned(),
        None => summary::sustained_by_own(language).to_owned(),
    }
}

/// The rule that the number of a series is read at, if it is not that of all.
fn rule_of<'a>(survey: &RunView<'_>, series: &SeriesView<'a>) -> Option<&'a str> {
    let differ = survey.common_rule().is_none() && !is_single_load(survey);
    series.first_rule().filter(|_| differ)
}

/// What the series reach, those of a profile and block size side by side.
pub(super) fn standings<'s, 'a>(survey: &'s RunView<'a>) -> Vec<Standing<'s, 'a>> {
    let names = distinct(survey.series.iter().map(SeriesView::base_name));
    let of_name = |name| survey.series.iter().filter(move |series| series.base_name() == name);
    let series = names.into_iter().flat_map(of_name);
    series.filter_map(|series| standing(survey, series)).collect()
}

fn standing<'s, 'a>(survey: &RunView<'_>, series: &'s SeriesView<'a>) -> Option<Standing<'s, 'a>> {
    let has_rules = !survey.rules.is_empty() && !is_single_load(survey);
    let rule = series.first_rule().filter(|_| has_rules);
    let of = |estimate: Estimate| Standing {
        series,
        value: estimate.mean,
        sign: "",
        margin: estimate.ci95,
        ci95: estimate.ci95,
        reservation: series.reservation(rule),
    };
    let known = |peak: Peak| Some(of(series.judge.choose(peak.rate, peak.volume)?));
    if is_single_load(survey) {
        return Some(of(series.at_only_load()?));
    }
    if !has_rules {
        return known(series.peak()?);
    }
    let summary = series.summaries.first()?;
    let found = &summary.sustained;
    match found.status {
        SustainedStatus::Met | SustainedStatus::AllMeet => {
            let estimate = series.judge.choose(found.rate?, found.volume)?;
            Some(Standing { sign: sign(found.status), ..of(estimate) })
        }
        SustainedStatus::NoneMeets => {
            let bound = series.judge.bound(found)?;
            Some(Standing { sign: sign(found.status), margin: None, ..of(bound) })
        }
        SustainedStatus::Unknown => None,
    }
}

/// The best series of a profile; of equals the first. What is less than a bound is the best of none
/// that is known.
fn best<'s, 'l, 'a>(
    standings: &'l [Standing<'s, 'a>],
    group: &Group<'_, '_>,
) -> Option<&'l Standing<'s, 'a>> {
    let of_group = standings.iter().filter(|standing| standing.series.profile == group.profile);
    let rank = |standing: &Standing<'_, '_>| (standing.sign != "<", standing.value);
    of_group.rev().max_by(|a, b| {
        let (a, b) = (rank(a), rank(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    })
}

/// A series: its throughput in the column of its unit, and its share of the largest.
fn row(
    language: Language,
    standing: &Standing<'_, '_>,
    (judges, most): (&[PrimaryMetric], Option<f64>),
) -> Vec<TableCell> {
    let Standing { series, value, sign, margin, .. } = standing;
    let margin = margin.filter(|_| *value > 0.0).map(|half| language.percent(100.0 * half / value));
    let share = |most: f64| Some(value / most).filter(|share| *sign != "<" && share.is_finite());
    let throughput = |judge: &PrimaryMetric| match *judge == series.judge {
        true => TableCell::new(Text::new().strong(standing.number(language))).tone(standing.tone()),
        false => TableCell::default(),
    };
    let mut cells = vec![TableCell::new(series.link())];
    cells.extend(judges.iter().map(throughput));
    cells.push(TableCell::new(common::known(margin)));
    cells.extend(most.map(|most| match share(most) {
        Some(share) => {
            let percent = language.written(&format!("{:.0}%", 100.0 * share));
            TableCell::new(percent).bar(share)
        }
        None => common::nothing(),
    }));
    cells
}

/// How far the numbers can be trusted, in two lines.
fn caveats(survey: &RunView<'_>) -> Text {
    let language = survey.language;
    let trust = statements::trust_in_short(survey);
    if survey.document.points.is_empty() {
        return trust;
    }
    let counts = || survey.series.iter().flat_map(SeriesView::repetitions);
    let (least, most) = (counts().min().unwrap_or(1), counts().max().unwrap_or(1));
    let scatter = match setup::targets_are(survey, TargetKind::Sim) {
        true => summary::scatter_of_model(language).to_owned(),
        false if most > 1 => {
            let count = language.count(most);
            let count = if least == most { count } else { summary::up_to(language, &count) };
            summary::repeated(language, &count)
        }
        false => summary::once(language).to_owned(),
    };
    let loads = survey.loads_of_each().map(|loads| format!(" {loads}"));
    let caveats = trust.plain(" ").plain(scatter).plain(loads.unwrap_or_default());
    match survey.document.analysis.implausible.is_empty() {
        true => caveats,
        false => caveats
            .plain(" ")
            .strong(summary::implausible(language))
            .join(implausible(survey))
            .plain("."),
    }
}

/// The series whose results can hardly be true, which lead to the reasons.
fn implausible(survey: &RunView<'_>) -> Text {
    let series = survey.document.analysis.implausible.iter();
    let series = series.filter_map(|warning| match warning.bare() {
        Warning::ReadsBelowWrites { reads: series, .. }
        | Warning::SequentialBelowRandom { sequential: series, .. }
        | Warning::ArrayBelowDrive { series, .. } => Some(series.clone()),
        _ => None,
    });
    let series: Vec<String> = distinct(series);
    Text::new().link(common::listed(survey.language, &series), TRUST)
}
