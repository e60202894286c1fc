//! Settings that were varied on purpose: the matrix, the effect of each as table and dots, and the
//! best of them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use kneepoint_core::analysis::findings::of_points;
use kneepoint_core::plan::Plan;
use kneepoint_core::result::series_key::SeriesKey;
use kneepoint_core::result::{
    Bound, EffectOn, Effects, Estimate, FactorEffect, LevelEffect, Optimum, PRACTICAL_PERCENT,
    RunDocument, Significance,
};
use kneepoint_core::spec::factor::{Factor, Factors};
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::number::{Change, Measured};
use serde_json::Value;

use super::advice;
use super::scaling;
use super::summary::is_single_load;
use super::view::{PrimaryMetric, RunView};
use crate::figure::{Axis, Dot, DotRow, Dots, Drawing, Lanes, PointStyle, Reach, RowWeight, Scale};
use crate::language::Language;
use crate::language::texts::{
    advice as advice_text, common, comparison, factors, figures as figure_text, findings,
};
use crate::page::{
    Block, Column, ColumnGroup, Figure, Section, Table, TableCell, Text, numbered_id,
};

/// The run with the levels of the factors in the names of its series, so that everything that
/// tells series apart by their names keeps combinations apart as well.
pub(super) fn separated(document: &RunDocument) -> Cow<'_, RunDocument> {
    if document.points.iter().all(|point| point.factors.is_empty()) {
        return Cow::Borrowed(document);
    }
    let mut separated = document.clone();
    for point in &mut separated.points {
        point.series = point.key().to_string();
    }
    for summary in &mut separated.analysis.summaries {
        summary.series = summary.key().to_string();
    }
    let series = separated.plan.get_mut("series").and_then(Value::as_array_mut);
    for planned in series.into_iter().flatten() {
        let factors = planned.get("factors").cloned().unwrap_or_default();
        let factors = serde_json::from_value(factors).unwrap_or_default();
        if let Some(name) = planned.get("name").and_then(Value::as_str) {
            let key = SeriesKey { name, factors: &factors }.to_string();
            planned["name"] = Value::String(key);
        }
    }
    // In the plan's order: the points stand in that of the run, which may be random.
    let planned = separated.plan.get("series").and_then(Value::as_array);
    let names =
        planned.into_iter().flatten().map(|series| series.get("name").and_then(Value::as_str));
    let mut places = BTreeMap::new();
    for (place, name) in names.enumerate() {
        places.entry(name).or_insert(place);
    }
    separated.points.sort_by_key(|point| places.get(&Some(point.series.as_str())).copied());
    separated.analysis.findings = of_points(&separated.points);
    Cow::Owned(separated)
}

/// The blocks on what was varied, which stand before the advice.
const ALWAYS: usize = 2;

/// The chapter on factors; nothing for a run that varies none.
pub(super) fn section(document: &RunDocument, survey: &RunView<'_>) -> Option<Section> {
    let plan: Plan = serde_json::from_value(document.plan.clone()).ok()?;
    let factors = plan.factors.as_ref().filter(|factors| factors.are_varied())?;
    let language = survey.language;
    let effects = told_effects(survey);
    let effects = &effects;
    let mut blocks = vec![
        Block::paragraph(factors::introduction(language, &plan, factors)),
        Block::Table(matrix(language, factors)),
    ];
    let numeric = scaling::numeric_factors(factors);
    let only = numeric.first().filter(|_| factors.factors.len() == 1);
    let judged = only.map(|only| scaling::judged(survey, only, effects)).unwrap_or_default();
    let is_told = only.is_some_and(|only| !only.has_multipliers());
    let over_levels =
        numeric.iter().map(|factor| (factor, scaling::blocks(survey, factor, &judged)));
    let over_levels: Vec<_> = over_levels.filter(|(_, blocks)| !blocks.is_empty()).collect();
    let is_an_axis = |name: &str| over_levels.iter().any(|(factor, _)| factor.name == name);
    let others = |effect: &Effects| {
        let mut others = effect.clone();
        others.factors.retain(|factor| !is_an_axis(&factor.factor));
        others
    };
    let others: Vec<Effects> = effects.iter().map(|(_, effect)| others(effect)).collect();
    if effects.is_empty() && over_levels.is_empty() {
        blocks.push(Block::paragraph(factors::nothing(language)));
    }
    blocks.extend(over_levels.into_iter().flat_map(|(_, blocks)| blocks));
    if !effects.is_empty() {
        blocks.push(Block::Table(optima(survey, effects)));
        blocks.extend(Block::figures(figures(survey, &others)));
        let rest = match is_told {
            true => not_told(effects, &judged),
            false => effects.clone(),
        };
        let tables = written(document, &rest);
        blocks.extend(tables.iter().map(|told| Block::Table(main_effects(survey, told))));
        let mut reading = factors::reading(language, &findings::practical(language));
        if effects.iter().any(|(_, effect)| has_bounds(effect)) {
            reading += factors::reading_bounds(language);
        }
        blocks.push(Block::remark(reading));
        let notes = effects.iter().flat_map(|(_, effect)| {
            let subject = format!("{}, {}", effect.series, measure_name(survey, &effect.measure));
            let note = move |found| factors::interaction(language, &subject, found).into();
            effect.interactions.iter().map(note)
        });
        let notes: Vec<Text> = notes.collect();
        if !notes.is_empty() {
            blocks.push(Block::List(notes));
        }
    }
    let mut section = Section::new("factors", factors::heading(language), blocks);
    section.sections = advice::sections(survey);
    let tables = section.blocks.split_off(ALWAYS.min(section.blocks.len()));
    if !section.sections.is_empty() {
        section.sections.push(Section::new("effects", factors::numbers(language), tables));
    } else {
        section.blocks.extend(tables);
    }
    Some(section)
}

/// Whether of some of the numbers only a bound is known.
fn has_bounds(effects: &Effects) -> bool {
    let levels = effects.factors.iter().flat_map(|factor| &factor.levels);
    let mut bounds = levels.flat_map(|level| [level.before_bound, level.after_bound]);
    bounds.any(|bound| bound != Bound::Exact) || effects.optimum.bound != Bound::Exact
}

/// The effects but for those of the series that the table over levels judges; of these it leaves the ones that
/// sentences on the series lead to, if they are on another number.
fn not_told<'a>(
    effects: &[(usize, &'a Effects)],
    judged: &[scaling::JudgedSeries<'_>],
) -> Vec<(usize, &'a Effects)> {
    let all: Vec<Effects> = effects.iter().map(|(_, effect)| (*effect).clone()).collect();
    let digests = advice::digests(&all);
    let is_led_to = |effect: &Effects| {
        let mut led = digests.iter().flatten().flat_map(|digest| &digest.effects);
        led.any(|one| one.series == effect.series && *one.on == effect.measure)
    };
    let is_left = |(index, effect): &&(usize, &Effects)| match judged
        .iter()
        .find(|one| one.series == effect.series)
    {
        None => true,
        Some(own) => own.index != *index && is_led_to(effect),
    };
    effects.iter().filter(is_left).copied().collect()
}

/// The factors of the plan.
pub(super) fn of_plan(document: &RunDocument) -> Option<Factors> {
    serde_json::from_value(document.plan.get("factors")?.clone()).ok()
}

/// Id of the row of a level of a factor, for the effects at `index`.
pub(super) fn row_id(index: usize, factor: &str, level: &str) -> String {
    numbered_id("effect", index, &format!("{factor} {level}"))
}

/// The factors and their levels.
fn matrix(language: Language, factors: &Factors) -> Table {
    let columns =
        [factors::setting(language), factors::levels(language), factors::changed_by(language)]
            .map(Column::words);
    Table::plain(factors::matrix(language), columns).filled(factors.factors.iter().map(|factor| {
        let means = match &factor.commands {
            None => Text::from("Kneepoint"),
            Some(commands) => Text::new().code(commands.set.join(" ")),
        };
        let known = advice_text::setting(language, &factor.name);
        let name = Text::new().plain(format!("{known} (")).code(&factor.name).plain(")");
        vec![
            TableCell::new(name),
            TableCell::new(written_levels(language, factor)),
            TableCell::new(means),
        ]
    }))
}

/// The levels as people write them, with the words that stand in brackets behind the names of series where
/// these are others.
fn written_levels(language: Language, factor: &Factor) -> String {
    let level = |typed: &String| {
        let written = advice_text::level(language, &factor.name, typed);
        let plain: String = written.chars().filter(|letter| !letter.is_whitespace()).collect();
        match plain == *typed || plain.replace(',', ".") == *typed {
            true => written,
            false => format!("{written} ({typed})"),
        }
    };
    factor.levels.iter().map(level).collect::<Vec<_>>().join(", ")
}

/// Effects on series that are judged by the same throughput.
struct Written<'a> {
    metric: PrimaryMetric,
    effects: Vec<WrittenEffects<'a>>,
}

/// The effects on a series, and how many units of its throughput an operation is.
struct WrittenEffects<'a> {
    /// The number of the effects in the analysis.
    index: usize,
    effect: &'a Effects,
    per_operation: f64,
}

/// The effects by what their series are judged by: sequential access by the bytes that it moves.
fn written<'a>(document: &RunDocument, effects: &[(usize, &'a Effects)]) -> Vec<Written<'a>> {
    let of_metric = |metric: PrimaryMetric| {
        let told = effects.iter().filter_map(|(index, effect)| {
            let mut points = document.points.iter().filter(|point| point.series == effect.series);
            let point = points.clone().next();
            // What every operation of the series moves is the same.
            let moved = points.find_map(|point| {
                Some(point.volume.as_ref()?.mean / point.rate.mean)
                    .filter(|moved| moved.is_finite())
            });
            let is_own = PrimaryMetric::of(point) == metric;
            let per_operation = metric.choose(1.0, moved)?;
            is_own.then_some(WrittenEffects { index: *index, effect, per_operation })
        });
        Written { metric, effects: told.collect() }
    };
    let all = PrimaryMetric::ALL.map(of_metric).into_iter();
    all.filter(|told| !told.effects.is_empty()).collect()
}

impl WrittenEffects<'_> {
    /// A number of operations per second in the unit of the series, which may be a bound.
    fn print(&self, language: Language, (bound, rate): (Bound, Estimate)) -> String {
        let rate = Measured::from(rate).scaled(self.per_operation);
        bounded(bound, &language.rate(rate.rounded(bound.rounding())))
    }
}

/// The best setting of every series, or all those of which none is clearly the best. Their numbers are among
/// the key figures.
fn optima(survey: &RunView<'_>, effects: &[(usize, &Effects)]) -> Table {
    let language = survey.language;
    let columns = [
        common::series(language),
        factors::judged_by(language),
        factors::best(language),
        factors::clearly(language),
    ]
    .map(Column::words);
    Table::plain(factors::optima(language), columns).filled(effects.iter().map(|(_, effect)| {
        let best = &effect.optimum;
        vec![
            TableCell::new(effect.series.clone()),
            TableCell::new(measure_name(survey, &effect.measure)),
            TableCell::new(best_settings(language, best)),
            TableCell::new(match best.significance {
                _ if best.is_indifferent => common::NOTHING,
                Significance::Significant => common::yes(language),
                Significance::NotSignificant => factors::no(language),
                Significance::Disturbed => factors::disturbed(language),
                Significance::Unknown => factors::confidence_unknown(language),
            }),
        ]
    }))
}

/// As many settings that may be the best are named.
const BEST_MAX: usize = 3;

/// The highest setting and those that may be as good; none where it matters to no one.
fn best_settings(language: Language, best: &Optimum) -> String {
    if best.is_indifferent {
        return factors::no_best(language, &findings::practical(language));
    }
    let all = [&best.combination].into_iter().chain(&best.ties);
    let named = all.take(BEST_MAX).map(|one| advice_text::combination(language, one));
    let named = named.collect::<Vec<_>>().join("; ");
    match (best.ties.len() + 1).saturating_sub(BEST_MAX) {
        0 => named,
        more => named + &advice_text::more_series(language, &language.count(more)),
    }
}

/// The effect of each level, compared with the first one of its factor.
fn main_effects(survey: &RunView<'_>, told: &Written<'_>) -> Table {
    let language = survey.language;
    let unit = told.metric.unit();
    let named = [
        common::series(language),
        factors::judged_by(language),
        factors::setting(language),
        factors::from(language),
        factors::to(language),
    ];
    let numbers = [factors::before(language), factors::after(language), common::change(language)];
    let groups = vec![
        ColumnGroup::new("", named.map(Column::words)),
        ColumnGroup::new(unit, numbers.map(Column::numbers)),
        Column::words(common::significant(language)).into(),
    ];
    let mut table = Table::new(factors::effects(language, unit), groups);
    for own in &told.effects {
        for factor in &own.effect.factors {
            for level in &factor.levels {
                let mut row = effect_row(survey, own, (factor, level));
                row[0].anchor = row_id(own.index, &factor.factor, &level.level);
                table.push(row);
            }
        }
    }
    table
}

fn effect_row(
    survey: &RunView<'_>,
    own: &WrittenEffects<'_>,
    (factor, level): (&FactorEffect, &LevelEffect),
) -> Vec<TableCell> {
    let (language, effect) = (survey.language, own.effect);
    let margin = level.ci95_percent.filter(|_| level.change_bound() == Some(Bound::Exact));
    let margin = margin.map(|width| format!("±{}", language.percent(width)));
    let [before, after] = level.iops();
    vec![
        TableCell::new(effect.series.clone()),
        TableCell::new(measure_name(survey, &effect.measure)),
        TableCell::new(advice_text::setting(language, &factor.factor)),
        TableCell::new(advice_text::level(language, &factor.factor, &factor.base)),
        TableCell::new(advice_text::level(language, &factor.factor, &level.level)),
        TableCell::new(own.print(language, (level.before_bound, before))),
        TableCell::new(own.print(language, (level.after_bound, after))),
        match level.change_bound() {
            Some(bound) => TableCell::new(bounded_change(language, bound, level.change_percent))
                .detail(margin.unwrap_or_default()),
            None => common::nothing(),
        },
        TableCell::new(significance(language, level)),
    ]
}

/// If a change is significant, and matters.
pub(super) fn significance(language: Language, level: &LevelEffect) -> String {
    match level.significance {
        Significance::Significant if !level.is_practical() => {
            factors::below(language, &findings::practical(language))
        }
        Significance::Significant => common::yes(language).to_owned(),
        Significance::NotSignificant => factors::no(language).to_owned(),
        Significance::Disturbed => comparison::disturbed(language).to_owned(),
        Significance::Unknown => common::unknown(language).to_owned(),
    }
}

/// A number, with the sign of a bound.
fn bounded(bound: Bound, number: &str) -> String {
    match bound {
        Bound::Exact => number.to_owned(),
        Bound::AtLeast => format!("≥\u{a0}{number}"),
        Bound::AtMost => format!("≤\u{a0}{number}"),
    }
}

/// A change in percent, which may be a bound.
fn bounded_change(language: Language, bound: Bound, percent: f64) -> String {
    bounded(bound, &language.change(Change(percent).rounded(bound.rounding()).0))
}

/// More series than this would not be looked at; the table has them all.
const SERIES_MAX: usize = 12;
/// More levels than this would make the rows too high.
const LEVELS_MAX: usize = 8;

/// The figure of one factor: over its levels if they are numbers, else the change at each of them.
pub(super) fn figure(survey: &RunView<'_>, name: &str) -> Option<Figure> {
    if let Some(figure) = over_levels(survey, name) {
        return Some(figure);
    }
    let effects = &survey.document.analysis.effects;
    let measure = measure(effects)?;
    let alike: Vec<&Effects> = effects.iter().filter(|effect| effect.measure == *measure).collect();
    EffectDots { survey, language: survey.language }.figure(name, &alike)
}

fn over_levels(survey: &RunView<'_>, name: &str) -> Option<Figure> {
    let factors = of_plan(survey.document)?;
    let numeric = scaling::numeric_factors(&factors);
    scaling::figure(survey, numeric.iter().find(|factor| factor.name == name)?)
}

/// A figure for every factor, in the order of the plan.
fn figures(survey: &RunView<'_>, effects: &[Effects]) -> Vec<Figure> {
    let Some(measure) = measure(effects) else { return Vec::new() };
    let alike: Vec<&Effects> = effects.iter().filter(|effect| effect.measure == *measure).collect();
    let factors = alike.iter().flat_map(|effect| &effect.factors);
    let names = distinct(factors.map(|factor| factor.factor.as_str()));
    let writer = EffectDots { survey, language: survey.language };
    names.into_iter().filter_map(|name| writer.figure(name, &alike)).collect()
}

/// The number whose changes are known for the most levels; of equals the first.
fn measure(effects: &[Effects]) -> Option<&EffectOn> {
    let count = |measure: &EffectOn| {
        let alike = effects.iter().filter(|one| one.measure == *measure);
        alike.flat_map(|one| &one.factors).map(advice::told).sum::<usize>()
    };
    // Of equals, max_by_key gives the last.
    effects.iter().rev().map(|effect| &effect.measure).max_by_key(|measure| count(measure))
}

/// What the chapter tells, with the number of each. Of series of one load that is the throughput there:
/// their rules give bounds alone.
fn told_effects<'a>(survey: &RunView<'a>) -> Vec<(usize, &'a Effects)> {
    let is_single = is_single_load(survey);
    let all = survey.document.analysis.effects.iter().enumerate();
    all.filter(|(_, effect)| !is_single || effect.measure == EffectOn::Peak).collect()
}

/// A number as it is in a report.
fn measure_name(survey: &RunView<'_>, measure: &EffectOn) -> String {
    let language = survey.language;
    match measure {
        EffectOn::Sustained(rule) => factors::throughput(language, &common::within(language, rule)),
        EffectOn::Peak if is_single_load(survey) => factors::at_set_load(language).to_owned(),
        EffectOn::Peak => factors::peak(language).to_owned(),
    }
}

/// Draws effects on one number as changes against the first level, so that series of all units can
/// stand under one axis.
struct EffectDots<'w, 'a> {
    survey: &'w RunView<'a>,
    language: Language,
}

impl EffectDots<'_, '_> {
    fn figure<'e>(&self, name: &str, effects: &[&'e Effects]) -> Option<Figure> {
        let of_factor = |effect: &&'e Effects| {
            let factor = effect.factors.iter().find(|factor| factor.factor == name)?;
            is_comparable(factor).then_some((effect.series.as_str(), factor))
        };
        let found: Vec<(&str, &FactorEffect)> =
            effects.iter().filter_map(of_factor).take(SERIES_MAX).collect();
        let levels = levels(&found);
        if !(2..=LEVELS_MAX).contains(&levels.len()) {
            return None;
        }
        let (base, others) = levels.split_first()?;
        let rows: Vec<DotRow> =
            found.iter().map(|(series, factor)| self.row(series, factor, others)).collect();
        let dots = || rows.iter().flat_map(|row| &row.dots);
        let measure = measure_name(self.survey, &effects.first()?.measure);
        let title =
            factors::dots(self.language, &advice_text::setting(self.language, name), &measure);
        let against = advice_text::at_level_within(self.language, name, base);
        let mut caption = format!("{title}. {}", factors::dots_note(self.language, &against));
        if dots().any(|dot| dot.interval.is_some()) {
            caption += factors::dots_margins(self.language);
        }
        if dots().any(|dot| dot.reach != Reach::Exact) {
            caption += factors::dots_bounds(self.language);
        } else if dots().any(|dot| dot.style == PointStyle::Hollow) {
            caption += factors::dots_hollow(self.language);
        }
        let drawing = Dots {
            language: self.language,
            title,
            source: self.survey.source(),
            value: Axis::new(factors::change_in_percent(self.language), Scale::Linear),
            series: others
                .iter()
                .map(|level| advice_text::at_level(self.language, name, level))
                .collect(),
            reference: Some(0.0),
            band: Some([-PRACTICAL_PERCENT, PRACTICAL_PERCENT]),
            lanes: Lanes::Own,
            rows,
        };
        let drawing = drawing.cut();
        if drawing.is_cut() {
            caption += figure_text::dots_beyond(self.language);
        }
        Some(Figure::new(caption, Drawing::Dots(drawing)))
    }

    fn row(&self, series: &str, factor: &FactorEffect, levels: &[String]) -> DotRow {
        let dots = factor.levels.iter().filter_map(|level| {
            let place = levels.iter().position(|name| *name == level.level)?;
            let bound = level.change_bound()?;
            Some(self.dot(place, (&factor.factor, level), bound))
        });
        DotRow { name: series.to_owned(), weight: RowWeight::One, dots: dots.collect() }
    }

    fn dot(&self, series: usize, (factor, level): (&str, &LevelEffect), bound: Bound) -> Dot {
        let (change, half) = (level.change_percent, level.ci95_percent);
        let label = bounded_change(self.language, bound, change);
        Dot {
            series,
            value: change,
            interval: half.filter(|_| bound.is_exact()).map(|half| [change - half, change + half]),
            reach: match bound {
                Bound::Exact => Reach::Exact,
                Bound::AtLeast => Reach::AtLeast,
                Bound::AtMost => Reach::AtMost,
            },
            style: match level.significance {
                Significance::Significant => PointStyle::Filled,
                Significance::NotSignificant | Significance::Disturbed | Significance::Unknown => {
                    PointStyle::Hollow
                }
            },
            tooltip: format!(
                "{}: {label}",
                advice_text::at_level(self.language, factor, &level.level)
            ),
            label,
        }
    }
}

/// Levels that were compared with different pairs have no base in common.
fn is_comparable(factor: &FactorEffect) -> bool {
    factor.levels.windows(2).all(|pair| pair[0].before == pair[1].before)
}

/// Every level that some series has, the base first.
fn levels(found: &[(&str, &FactorEffect)]) -> Vec<String> {
    let of_factor = |(_, factor): &(&str, &FactorEffect)| {
        let others = factor.levels.iter().map(|level| level.level.clone());
        [factor.base.clone()].into_iter().chain(others).collect::<Vec<_>>()
    };
    distinct(found.iter().flat_map(of_factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(name: &str, after: f64) -> LevelEffect {
        LevelEffect {
            ci95: [None; 2],
            level: name.to_owned(),
            before: 100.0,
            after,
            before_bound: Bound::Exact,
            after_bound: Bound::Exact,
            change_percent: after - 100.0,
            ci95_percent: Some(5.0),
            pairs: 1,
            significance: match (after - 100.0).abs() > 5.0 {
                true => Significance::Significant,
                false => Significance::NotSignificant,
            },
        }
    }

    /// A run of nothing.
    fn empty() -> RunDocument {
        let document = serde_json::json!({
            "schema": "kneepoint.run/2",
            "run": {"id": "r", "label": "", "work": "w", "state": "complete", "started_at": "",
                    "finished_at": "", "plan_hash": "", "seed": 1, "version": "", "command": ""},
            "environment": {"hosts": [], "targets": []}, "plan": null, "points": [],
            "analysis": {"summaries": []}, "copies": [], "warnings": []
        });
        serde_json::from_value(document).unwrap()
    }

    fn effect(measure: EffectOn, levels: Vec<LevelEffect>) -> Effects {
        let factor = FactorEffect { factor: "cache".to_owned(), base: "off".to_owned(), levels };
        let iops = Estimate { mean: 100.0, ci95: None };
        Effects {
            series: "database/8KiB".to_owned(),
            measure,
            factors: vec![factor],
            interactions: Vec::new(),
            optimum: Optimum {
                combination: Default::default(),
                iops,
                bound: Bound::Exact,
                ties: Vec::new(),
                is_indifferent: false,
                significance: Significance::Unknown,
            },
        }
    }

    #[test]
    fn dots_of_bounds_say_that_they_are_bounds() {
        let caption = |after_bound: Bound| {
            let levels = vec![LevelEffect { after_bound, ..level("all", 150.0) }];
            let run = empty();
            let effects = [effect(EffectOn::Peak, levels)];
            let figures = figures(&RunView::new(&run, Language::English), &effects);
            figures[0].caption.words()
        };
        let bounds = factors::dots_bounds(Language::English);
        assert!(caption(Bound::AtLeast).ends_with(bounds), "{}", caption(Bound::AtLeast));
        assert!(!caption(Bound::Exact).contains("Hollow"), "{}", caption(Bound::Exact));
    }

    #[test]
    fn levels_stand_beside_the_first_with_their_difference() {
        let rule = EffectOn::Sustained("mean<=20ms".to_owned());
        let levels = vec![level("read", 102.0), level("all", 150.0)];
        let effects = [effect(rule, levels.clone()), effect(EffectOn::Peak, levels)];
        let run = empty();
        let figures = figures(&RunView::new(&run, Language::English), &effects);
        assert_eq!(figures.len(), 1);
        let caption = figures[0].caption.words();
        assert!(caption.starts_with("Cache: effect on throughput within 20\u{a0}ms."));
        let Drawing::Dots(dots) = &figures[0].drawing else { panic!("no dots") };
        assert_eq!(dots.series, ["Cache read", "Cache all"]);
        assert_eq!((dots.reference, dots.band), (Some(0.0), Some([-5.0, 5.0])));
        let row = &dots.rows[0].dots;
        let labels: Vec<&str> = row.iter().map(|dot| dot.label.as_str()).collect();
        assert_eq!(labels, ["+2\u{a0}%", "+50\u{a0}%"]);
        assert_eq!([row[0].style, row[1].style], [PointStyle::Hollow, PointStyle::Filled]);
        assert_eq!(row[1].interval, Some([45.0, 55.0]));
    }

    #[test]
    fn of_equal_settings_all_are_named_and_none_is_the_best() {
        let combination = |level: &str| [("cache".to_owned(), level.to_owned())].into();
        let mut best = effect(EffectOn::Peak, Vec::new()).optimum;
        best.combination = combination("off");
        let named = |best: &Optimum| best_settings(Language::English, best);
        assert_eq!(named(&best), "Cache off");
        best.ties = vec![combination("on"), combination("read")];
        assert_eq!(named(&best), "Cache off; Cache on; Cache read");
        best.is_indifferent = true;
        assert!(named(&best).starts_with("no practical difference"));
    }

    #[test]
    fn levels_without_a_common_base_are_left_to_the_table() {
        let other_base = LevelEffect { before: 90.0, ..level("all", 150.0) };
        let effects = [effect(EffectOn::Peak, vec![level("read", 102.0), other_base])];
        let run = empty();
        assert!(figures(&RunView::new(&run, Language::English), &effects).is_empty());
    }
}
