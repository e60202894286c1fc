//! What each application gets from each configuration: a table with the best of each row, and which
//! cache settings suit which application, in words.

use kneepoint_core::measure::confidence::two_sided_quantile;
use kneepoint_core::plan::Plan;
use kneepoint_core::result::series_key::SeriesKey;
use kneepoint_core::result::{Bound, PRACTICAL_PERCENT, RunDocument};
use kneepoint_core::spec::factor::Combination;
use kneepoint_core::words::distinct::distinct;

use super::summary::{Standing, place, standings};
use super::view::RunView;
use crate::language::texts::advice::Knob;
use crate::language::texts::applications::{self, Application};
use crate::language::texts::{advice as advice_text, common};
use crate::page::{Block, Column, Section, Table, TableCell, Text};

/// More columns than these are no table that is read.
const CONFIGURATIONS_MAX: usize = 8;

/// Degrees of freedom that are taken for those of every interval when many comparisons widen it; the
/// fewer, the wider.
const DEGREES_MIN: u32 = 10;

/// The chapter; nothing unless several applications were measured at a few configurations.
pub(super) fn section(document: &RunDocument, survey: &RunView<'_>) -> Option<Section> {
    let plan: Plan = serde_json::from_value(document.plan.clone()).ok()?;
    let factors = plan.factors?;
    let configurations = factors.combinations().ok()?;
    if !(2..=CONFIGURATIONS_MAX).contains(&configurations.len()) {
        return None;
    }
    let standings = standings(survey);
    let table = ApplicationTable { survey, standings: &standings, configurations: &configurations };
    let rows = table.rows();
    if distinct(rows.iter().map(|row| row.profile)).len() < 2 {
        return None;
    }
    let language = survey.language;
    let mut blocks = vec![Block::Table(table.block(&rows))];
    blocks.extend(Block::titled_list(applications::caches(language), table.caches(&rows)));
    Some(Section::new("applications", applications::heading(language), blocks))
}

/// Whether a setting is one of a cache.
fn is_cache(name: &str) -> bool {
    Knob::of(name).is_switch() || name == "io_policy"
}

/// An application: a series of a profile that stands for one.
struct ApplicationRow<'s> {
    profile: Application,
    /// The name of the series, without levels.
    series: &'s str,
    name: String,
}

struct ApplicationTable<'t, 'a> {
    survey: &'t RunView<'a>,
    standings: &'t [Standing<'t, 'a>],
    configurations: &'t [Combination],
}

impl<'t> ApplicationTable<'t, '_> {
    /// The applications among the series.
    fn rows(&self) -> Vec<ApplicationRow<'t>> {
        let language = self.survey.language;
        let bases = self.survey.series.iter().map(|series| {
            let base = series.name.split(" [").next().unwrap_or(series.name);
            (base, series.profile)
        });
        let rows = distinct(bases).into_iter().filter_map(|(series, profile)| {
            let profile = Application::of(profile)?;
            let name = profile.title(language);
            let name = match series.split_once('/') {
                Some((_, block)) => format!("{name}, {}", applications::block(language, block)),
                None => name.to_owned(),
            };
            Some(ApplicationRow { profile, series, name })
        });
        rows.collect()
    }

    /// What a series reaches at a configuration.
    fn standing(&self, series: &str, factors: &Combination) -> Option<&'t Standing<'t, '_>> {
        let key = SeriesKey { name: series, factors }.to_string();
        self.standings.iter().find(|standing| standing.series.name == key)
    }

    fn block(&self, rows: &[ApplicationRow<'_>]) -> Table {
        let language = self.survey.language;
        let names = self.configurations.iter().map(|one| advice_text::combination(language, one));
        let columns = [Column::words(applications::application(language))];
        let columns = columns.into_iter().chain(names.map(Column::numbers));
        let caption = place(self.survey) + applications::bars(language);
        Table::plain(caption, columns).filled(rows.iter().map(|row| self.row(row)))
    }

    fn row(&self, row: &ApplicationRow<'_>) -> Vec<TableCell> {
        let all: Vec<Option<&Standing<'_, '_>>> =
            self.configurations.iter().map(|one| self.standing(row.series, one)).collect();
        let most = all.iter().flatten().map(|standing| standing.value).fold(0.0, f64::max);
        let judge = all.iter().flatten().map(|standing| standing.series.judge).next();
        let unit = judge.map_or(String::new(), |judge| format!(", {}", judge.unit()));
        let cell = |standing: &Option<&Standing<'_, '_>>| match standing {
            None => common::nothing(),
            Some(standing) => {
                let number = standing.number(self.survey.language);
                let is_best = standing.value >= most;
                let text = if is_best { Text::new().strong(number) } else { number.into() };
                let cell = TableCell::new(text).tone(standing.tone());
                match standing.sign != "<" && most > 0.0 {
                    true => cell.bar(standing.value / most),
                    false => cell,
                }
            }
        };
        let head = TableCell::new(format!("{}{unit}", row.name));
        [head].into_iter().chain(all.iter().map(cell)).collect()
    }

    /// Which cache settings suit which application, where that is known.
    fn caches(&self, rows: &[ApplicationRow<'_>]) -> Vec<Text> {
        let groups = self.groups();
        if groups.iter().all(|(_, of_cache)| of_cache.len() < 2) {
            return Vec::new();
        }
        // As many as the table of the best settings has for each series.
        let tests = self.configurations.len() - 1;
        let quantile = |tests: usize| two_sided_quantile(0.05 / tests.max(1) as f64, DEGREES_MIN);
        // Intervals of this many comparisons hold together.
        let widening = quantile(tests) / quantile(1);
        let sentence = |row: &ApplicationRow<'_>| self.sentence(row, &groups, widening);
        rows.iter().filter_map(sentence).collect()
    }

    /// The configurations that differ in cache settings alone, by what they share.
    fn groups(&self) -> Vec<(Combination, Vec<&'t Combination>)> {
        let mut groups: Vec<(Combination, Vec<&Combination>)> = Vec::new();
        for configuration in self.configurations {
            let shared = part(configuration, |name| !is_cache(name));
            match groups.iter_mut().find(|(known, _)| *known == shared) {
                Some((_, members)) => members.push(configuration),
                None => groups.push((shared, vec![configuration])),
            }
        }
        groups
    }

    fn sentence(
        &self,
        row: &ApplicationRow<'_>,
        groups: &[(Combination, Vec<&Combination>)],
        widening: f64,
    ) -> Option<Text> {
        let language = self.survey.language;
        let mut told: Vec<(String, Vec<String>)> = Vec::new();
        let mut open: Vec<String> = Vec::new();
        for (shared, members) in groups.iter().filter(|(_, members)| members.len() > 1) {
            let shared = advice_text::combination(language, shared);
            let Some(outcome) = self.outcome(row, members, widening) else {
                open.push(shared);
                continue;
            };
            match told.iter_mut().find(|(known, _)| *known == outcome) {
                Some((_, places)) => places.push(shared),
                None => told.push((outcome, vec![shared])),
            }
        }
        if !told.is_empty() && !open.is_empty() {
            told.push((applications::not_shown(language).to_owned(), open));
        }
        let place = |(outcome, places): &(String, Vec<String>)| match places.as_slice() {
            [only] if only.is_empty() => outcome.clone(),
            places => format!("{outcome} ({})", places.join("; ")),
        };
        let parts: Vec<String> = told.iter().map(place).collect();
        let head = Text::new().strong(row.name.clone());
        (!parts.is_empty()).then(|| head.plain(format!(": {}.", parts.join("; "))))
    }

    /// What cache settings do for an application; nothing where it is not known.
    fn outcome(
        &self,
        row: &ApplicationRow<'_>,
        members: &[&Combination],
        widening: f64,
    ) -> Option<String> {
        let language = self.survey.language;
        let (base, others) = members.split_first()?;
        let known = self.standing(row.series, base)?;
        let name = |one: &Combination| advice_text::combination(language, &part(one, is_cache));
        let mut gains: Vec<(&Combination, Gain)> = Vec::new();
        for other in others {
            gains.push((*other, Gain::of(known, self.standing(row.series, other)?, widening)?));
        }
        let best = gains.iter().map(|(_, gain)| gain.percent).reduce(f64::max)?;
        let changes = |one: &Combination| {
            base.iter().filter(|(key, level)| one.get(*key) != Some(*level)).count()
        };
        // As good as the best for any practical purpose, with as few changes as possible.
        let enough = |gain: &Gain| {
            100.0 * ((100.0 + best) / (100.0 + gain.percent) - 1.0) < PRACTICAL_PERCENT
        };
        let chosen = gains.iter().filter(|(_, gain)| enough(gain));
        let (chosen, gain) = chosen.min_by_key(|(one, _)| changes(one))?;
        if gain.is_more() {
            return Some(applications::better(
                language,
                &name(chosen),
                (gain.percent, gain.bound),
                &name(base),
            ));
        }
        if gains.iter().all(|(_, gain)| gain.is_less()) {
            return Some(applications::first_is_best(language, &name(base)));
        }
        let is_same = gains.iter().all(|(_, gain)| gain.is_none());
        is_same.then(|| applications::no_difference(language).to_owned())
    }
}

/// How much more a configuration reaches than another.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Gain {
    percent: f64,
    /// Its interval, widened for all comparisons together.
    interval: [f64; 2],
    bound: Bound,
}

impl Gain {
    /// Nothing where the bounds leave it open, an interval is not known, or points were disturbed.
    fn of(base: &Standing<'_, '_>, other: &Standing<'_, '_>, widening: f64) -> Option<Self> {
        if base.is_disturbed() || other.is_disturbed() {
            return None;
        }
        let bound = match (base.sign, other.sign) {
            ("", "") => Bound::Exact,
            ("", "≥") | ("<", "" | "≥") => Bound::AtLeast,
            ("", "<") | ("≥", "" | "<") => Bound::AtMost,
            _ => return None,
        };
        let relative = |standing: &Standing<'_, '_>| match standing.margin {
            Some(margin) => Some(margin / standing.value),
            None => (standing.sign == "<").then_some(0.0),
        };
        let half = widening * relative(base)?.hypot(relative(other)?);
        let ratio = other.value / base.value;
        let percent = |ratio: f64| 100.0 * (ratio - 1.0);
        let interval = [ratio * (1.0 - half), ratio * (1.0 + half)].map(percent);
        (ratio.is_finite() && ratio > 0.0).then(|| Self {
            percent: percent(ratio),
            interval,
            bound,
        })
    }

    /// More, significantly and by a difference that matters.
    fn is_more(&self) -> bool {
        self.bound != Bound::AtMost && self.interval[0] > 0.0 && self.percent >= PRACTICAL_PERCENT
    }

    /// The same the other way round.
    fn is_less(&self) -> bool {
        self.bound != Bound::AtLeast && self.interval[1] < 0.0 && self.percent <= -PRACTICAL_PERCENT
    }

    /// The whole interval is too small to matter.
    fn is_none(&self) -> bool {
        self.bound == Bound::Exact && self.interval.iter().all(|end| end.abs() < PRACTICAL_PERCENT)
    }
}

/// The levels of those factors that are wanted.
fn part(combination: &Combination, is_wanted: impl Fn(&str) -> bool) -> Combination {
    let wanted = combination.iter().filter(|(name, _)| is_wanted(name));
    wanted.map(|(name, level)| (name.clone(), level.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gain(percent: f64, half: f64, bound: Bound) -> Gain {
        Gain { percent, interval: [percent - half, percent + half], bound }
    }

    /// More, less, the same, or none of these can be told.
    #[test]
    fn a_gain_is_told_only_where_it_is_significant_and_matters() {
        let told = |gain: Gain| [gain.is_more(), gain.is_less(), gain.is_none()];
        assert_eq!(told(gain(20.0, 5.0, Bound::Exact)), [true, false, false]);
        assert_eq!(told(gain(20.0, 25.0, Bound::Exact)), [false; 3]);
        assert_eq!(told(gain(4.0, 0.5, Bound::Exact)), [false, false, true]);
        assert_eq!(told(gain(-20.0, 5.0, Bound::Exact)), [false, true, false]);
        assert_eq!(told(gain(20.0, 5.0, Bound::AtMost)), [false; 3]);
        assert_eq!(told(gain(20.0, 5.0, Bound::AtLeast)), [true, false, false]);
        assert_eq!(told(gain(-20.0, 5.0, Bound::AtLeast)), [false; 3]);
        assert_eq!(told(gain(0.0, 0.5, Bound::AtLeast)), [false; 3]);
    }
}
