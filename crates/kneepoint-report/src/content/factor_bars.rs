//! What each setting does as bars: its levels side by side, compared with the first.

use kneepoint_core::result::{EffectOn, Effects, FactorEffect, LevelEffect, Significance};

use super::words;
use crate::figure::{Axis, Bar, BarGroup, Bars, Drawing, PointStyle, Scale};
use crate::language::Language;
use crate::language::texts;
use crate::page::Figure;

/// More series than this would not be looked at; the table has them all.
const SERIES_MAX: usize = 8;
/// More levels than this would make the groups too high.
const LEVELS_MAX: usize = 8;

/// A figure for every factor, in the order of the plan.
pub(super) fn figures(effects: &[Effects], (source, language): (&str, Language)) -> Vec<Figure> {
    let Some(measure) = measure(effects) else { return Vec::new() };
    let alike: Vec<&Effects> = effects.iter().filter(|effect| effect.measure == *measure).collect();
    let mut names: Vec<&str> = Vec::new();
    for factor in alike.iter().flat_map(|effect| &effect.factors) {
        if !names.contains(&factor.factor.as_str()) {
            names.push(&factor.factor);
        }
    }
    let writer = Writer { measure, source, language };
    names.into_iter().filter_map(|name| writer.figure(name, &alike)).collect()
}

/// The number that most series have; of equals the first.
fn measure(effects: &[Effects]) -> Option<&EffectOn> {
    let count = |measure: &EffectOn| effects.iter().filter(|one| one.measure == *measure).count();
    // Of equals, max_by_key gives the last.
    effects.iter().rev().map(|effect| &effect.measure).max_by_key(|measure| count(measure))
}

/// A number as it is in a report.
pub(super) fn measure_name(measure: &EffectOn, language: Language) -> String {
    match measure {
        EffectOn::Sustained(rule) => words::rule(language, rule),
        EffectOn::Peak => texts::factors::peak(language).to_owned(),
    }
}

/// Draws the effects on one number.
struct Writer<'a> {
    measure: &'a EffectOn,
    source: &'a str,
    language: Language,
}

impl Writer<'_> {
    fn figure(&self, name: &str, effects: &[&Effects]) -> Option<Figure> {
        let of_factor = |effect: &&'_ Effects| {
            let factor = effect.factors.iter().find(|factor| factor.factor == name);
            factor.filter(|factor| is_comparable(factor)).cloned()
        };
        let found: Vec<(&str, FactorEffect)> = effects
            .iter()
            .filter_map(|effect| Some((effect.series.as_str(), of_factor(effect)?)))
            .take(SERIES_MAX)
            .collect();
        let levels = levels(&found);
        if !(2..=LEVELS_MAX).contains(&levels.len()) {
            return None;
        }
        let groups: Vec<BarGroup> =
            found.iter().map(|(series, factor)| self.group(series, factor, &levels)).collect();
        let bars = || groups.iter().flat_map(|group| &group.bars);
        let title =
            texts::factors::bars(self.language, name, &measure_name(self.measure, self.language));
        let mut caption =
            format!("{title}. {}", texts::factors::bars_note(self.language, &levels[0]));
        if bars().any(|bar| bar.margin.is_some()) {
            caption += texts::factors::bars_margins(self.language);
        }
        if bars().any(|bar| bar.style == PointStyle::Hollow) {
            caption += texts::factors::bars_hollow(self.language);
        }
        let drawing = Bars {
            language: self.language,
            title,
            source: self.source.to_owned(),
            value: Axis::new(texts::grids::throughput_in(self.language, "IO/s"), Scale::Linear),
            series: levels.iter().map(|level| format!("{name} = {level}")).collect(),
            reference: Some(0),
            groups,
        };
        Some(Figure::new(caption, Drawing::Bars(drawing)))
    }

    fn group(&self, series: &str, factor: &FactorEffect, levels: &[String]) -> BarGroup {
        let before = factor.levels.first().map_or(0.0, |level| level.before);
        let base = Bar {
            series: 0,
            value: before,
            margin: None,
            label: self.language.rate(before),
            note: String::new(),
            style: PointStyle::Filled,
            tooltip: self.tooltip((&factor.factor, &factor.base), before),
        };
        let others = factor.levels.iter().filter_map(|level| {
            let place = levels.iter().position(|name| *name == level.level)?;
            Some(self.bar(place, (&factor.factor, level)))
        });
        BarGroup { name: series.to_owned(), bars: [base].into_iter().chain(others).collect() }
    }

    fn bar(&self, series: usize, (factor, level): (&str, &LevelEffect)) -> Bar {
        Bar {
            series,
            value: level.after,
            margin: level.ci95_percent.map(|percent| level.before * percent / 100.0),
            label: self.language.rate(level.after),
            note: self.language.change(level.change_percent),
            style: match level.significance {
                Significance::Significant => PointStyle::Filled,
                Significance::NotSignificant | Significance::Disturbed | Significance::Unknown => {
                    PointStyle::Hollow
                }
            },
            tooltip: self.tooltip((factor, &level.level), level.after),
        }
    }

    fn tooltip(&self, (factor, level): (&str, &str), value: f64) -> String {
        format!("{factor} = {level}: {}", self.language.iops(value))
    }
}

/// Levels that were compared with different pairs have no base in common.
fn is_comparable(factor: &FactorEffect) -> bool {
    factor.levels.windows(2).all(|pair| pair[0].before == pair[1].before)
}

/// Every level that some series has, the base first.
fn levels(found: &[(&str, FactorEffect)]) -> Vec<String> {
    let mut levels: Vec<String> = Vec::new();
    for (_, factor) in found {
        let all = [&factor.base].into_iter().chain(factor.levels.iter().map(|level| &level.level));
        for level in all {
            if !levels.contains(level) {
                levels.push(level.clone());
            }
        }
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;
    use kneepoint_core::result::{Estimate, Optimum};

    fn level(name: &str, after: f64) -> LevelEffect {
        LevelEffect {
            level: name.to_owned(),
            before: 100.0,
            after,
            change_percent: after - 100.0,
            ci95_percent: Some(5.0),
            pairs: 1,
            significance: match (after - 100.0).abs() > 5.0 {
                true => Significance::Significant,
                false => Significance::NotSignificant,
            },
        }
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
                ties: Vec::new(),
                significance: Significance::Unknown,
            },
        }
    }

    #[test]
    fn levels_stand_beside_the_first_with_their_difference() {
        let rule = EffectOn::Sustained("mean<=20ms".to_owned());
        let levels = vec![level("read", 102.0), level("all", 150.0)];
        let effects = [effect(rule, levels.clone()), effect(EffectOn::Peak, levels)];
        let figures = figures(&effects, ("run", Language::English));
        assert_eq!(figures.len(), 1);
        let caption = figures[0].caption.words();
        assert!(caption.starts_with("What cache does, judged by mean\u{a0}≤\u{a0}20\u{a0}ms."));
        let Drawing::Bars(bars) = &figures[0].drawing else { panic!("no bars") };
        assert_eq!(bars.series, ["cache = off", "cache = read", "cache = all"]);
        let notes: Vec<&str> = bars.groups[0].bars.iter().map(|bar| bar.note.as_str()).collect();
        assert_eq!(notes, ["", "+2\u{a0}%", "+50\u{a0}%"]);
        let style = |index: usize| bars.groups[0].bars[index].style;
        assert_eq!([style(1), style(2)], [PointStyle::Hollow, PointStyle::Filled]);
        assert_eq!(bars.groups[0].bars[2].margin, Some(5.0));
    }

    #[test]
    fn levels_without_a_common_base_are_left_to_the_table() {
        let other_base = LevelEffect { before: 90.0, ..level("all", 150.0) };
        let effects = [effect(EffectOn::Peak, vec![level("read", 102.0), other_base])];
        assert!(figures(&effects, ("run", Language::English)).is_empty());
    }
}
