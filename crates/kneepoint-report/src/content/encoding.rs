//! How the curves of several series are told apart: by colour, by dashes and by panels.
//!
//! The settings that were varied decide: the first one is the colour, the second one the dashes and
//! the shape of the points, and for whatever else differs there are separate panels. No panel has more
//! curves than can be told apart at a glance.

use std::collections::BTreeMap;

use kneepoint_core::words::distinct::distinct;

use super::grid::common_profile;
use super::view::{RunView, SeriesView, list, text};
use crate::figure::{Chart, Drawing, Multiples, PanelPlace, SeriesLook};
use crate::language::Language;
use crate::language::texts::{advice, figures};

/// At most this many curves in a frame.
pub(super) const CURVES_MAX: usize = 5;

/// Where each of several series stands, and what that means.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Encoding {
    places: Vec<PanelPlace>,
    /// The settings that decide on colour and on dashes.
    settings: Vec<String>,
}

/// A series before it has its place: its name without settings, and its settings.
type Named<'a> = (&'a str, Option<&'a BTreeMap<String, String>>);

impl Encoding {
    /// The encoding of `series` of a run.
    pub(super) fn of(survey: &RunView<'_>, series: &[&SeriesView<'_>]) -> Self {
        let planned = list(&survey.document.plan, "/factors/factors");
        let names: Vec<&str> = planned.filter_map(|factor| text(factor, "/name")).collect();
        let named = series.iter().map(|series| {
            let factors = series.points.first().map(|point| &point.factors);
            let has_factors = factors.is_some_and(|factors| !factors.is_empty());
            let end = series.name.find(" [").filter(|_| has_factors);
            (&series.name[..end.unwrap_or(series.name.len())], factors)
        });
        Self::of_named(&named.collect::<Vec<_>>(), &names, survey.language)
    }

    /// As many settings as curves as a frame can take; the others are panels.
    fn of_named(series: &[Named<'_>], planned: &[&str], language: Language) -> Self {
        let value = |(_, factors): &Named<'_>, name: &str| {
            factors.and_then(|factors| factors.get(name)).cloned().unwrap_or_default()
        };
        let is_varied =
            |name: &&&str| distinct(series.iter().map(|one| value(one, name))).len() > 1;
        let varied: Vec<&str> = planned.iter().filter(is_varied).copied().collect();
        let most = (0..=varied.len().min(2)).rev().map(|count| &varied[..count]);
        let fits = |curves: &&[&str]| {
            let headings = series
                .iter()
                .map(|one| heading(language, one, (curves, &varied)))
                .collect::<Vec<_>>();
            let count = |heading: &String| headings.iter().filter(|one| *one == heading).count();
            headings.iter().all(|heading| count(heading) <= CURVES_MAX)
        };
        let curves = most.clone().find(fits).unwrap_or_default();
        let names: Vec<&str> = series.iter().map(|(name, _)| *name).collect();
        let levels = |name: &str| distinct(series.iter().map(|one| value(one, name)));
        let level = |one: &Named<'_>, name: &str| {
            levels(name).iter().position(|level| *level == value(one, name)).unwrap_or_default()
        };
        let shared = match distinct(names.iter().copied()).len() {
            1 => 0,
            _ => common_profile(&names),
        };
        let place = |one: &Named<'_>| PanelPlace {
            heading: heading(language, &(&one.0[shared..], one.1), (curves, &varied)),
            name: curves
                .iter()
                .map(|name| advice::level(language, name, &value(one, name)))
                .collect::<Vec<_>>()
                .join(", "),
            look: match *curves {
                [] => SeriesLook::InOrder,
                [colour] => {
                    let level = level(one, colour);
                    SeriesLook::Levels { colour: level, pattern: level }
                }
                [colour, pattern, ..] => {
                    SeriesLook::Levels { colour: level(one, colour), pattern: level(one, pattern) }
                }
            },
        };
        let settings = curves.iter().map(|name| (*name).to_owned()).collect();
        Self { places: series.iter().map(place).collect(), settings }
    }

    /// The chart with its curves in their places: in one frame, or in panels.
    pub(super) fn drawing(&self, mut chart: Chart) -> Drawing {
        let panels = distinct(self.places.iter().map(|place| place.heading.as_str())).len();
        let is_one = panels <= 1 || (self.settings.is_empty() && self.places.len() <= CURVES_MAX);
        if !is_one {
            self.leave_names_to_headings(&mut chart);
            return Drawing::Multiples(Multiples::grouped(chart, &self.places));
        }
        if !self.settings.is_empty() {
            for (series, place) in chart.series.iter_mut().zip(&self.places) {
                (series.name, series.look) = (place.name.clone(), place.look);
            }
        }
        Drawing::Chart(chart)
    }

    /// Points of a curve that is alone in its panel do not say its name.
    fn leave_names_to_headings(&self, chart: &mut Chart) {
        for (series, place) in chart.series.iter_mut().zip(&self.places) {
            if self.places.iter().filter(|other| other.heading == place.heading).count() > 1 {
                continue;
            }
            let name = format!("{}, ", series.name);
            for point in &mut series.points {
                if let Some(rest) = point.tooltip.strip_prefix(&name) {
                    point.tooltip = rest.to_owned();
                }
            }
        }
    }

    /// What colour and dashes mean; nothing where they only tell the series apart.
    pub(super) fn note(&self, language: Language) -> String {
        match self.settings.as_slice() {
            [] => String::new(),
            [colour] => figures::coloured(language, &advice::noun(language, colour)),
            [colour, pattern, ..] => {
                let [colour, pattern] = [colour, pattern].map(|name| advice::noun(language, name));
                figures::coloured_and_dashed(language, &colour, &pattern)
            }
        }
    }
}

/// What stands above the panel of a series: its name, and the settings that are no curves.
fn heading(
    language: Language,
    (name, factors): &Named<'_>,
    (curves, varied): (&[&str], &[&str]),
) -> String {
    let others = varied.iter().filter(|varied| !curves.contains(varied)).filter_map(|varied| {
        let level = factors.and_then(|factors| factors.get(*varied))?;
        Some(advice::at_level(language, varied, level))
    });
    [(*name).to_owned()].into_iter().chain(others).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoding(bases: &[&str], factors: &[(&str, &[&str])]) -> Encoding {
        let mut combinations = vec![BTreeMap::new()];
        for (name, levels) in factors {
            combinations = combinations
                .into_iter()
                .flat_map(|known| {
                    levels.iter().map(move |level| {
                        let mut combination: BTreeMap<String, String> = known.clone();
                        combination.insert((*name).to_owned(), (*level).to_owned());
                        combination
                    })
                })
                .collect();
        }
        let series: Vec<Named<'_>> = bases
            .iter()
            .flat_map(|base| combinations.iter().map(move |factors| (*base, Some(factors))))
            .collect();
        let names: Vec<&str> = factors.iter().map(|(name, _)| *name).collect();
        Encoding::of_named(&series, &names, Language::English)
    }

    fn headings(encoding: &Encoding) -> Vec<&str> {
        distinct(encoding.places.iter().map(|place| place.heading.as_str()))
    }

    const CACHE: (&str, &[&str]) = ("cache", &["off", "on"]);

    #[test]
    fn the_first_setting_is_the_colour_and_the_second_the_dashes() {
        let raid: (&str, &[&str]) = ("raid", &["raid5", "raid10"]);
        let found = encoding(&["oltp/4KiB", "oltp/8KiB"], &[raid, CACHE]);
        assert_eq!(headings(&found), ["4KiB", "8KiB"]);
        let looks: Vec<(&str, SeriesLook)> =
            found.places[..4].iter().map(|place| (place.name.as_str(), place.look)).collect();
        let look = |colour, pattern| SeriesLook::Levels { colour, pattern };
        assert_eq!(
            looks,
            [
                ("RAID-5, off", look(0, 0)),
                ("RAID-5, on", look(0, 1)),
                ("RAID-10, off", look(1, 0)),
                ("RAID-10, on", look(1, 1)),
            ]
        );
        assert_eq!(found.note(Language::English), " Colour: RAID level; dashes and shape: cache.");
    }

    #[test]
    fn no_panel_has_more_than_five_curves() {
        let raid: (&str, &[&str]) = ("raid", &["raid0", "raid5", "raid10"]);
        let found = encoding(&["oltp/4KiB"], &[raid, CACHE]);
        assert_eq!(headings(&found), ["oltp/4KiB, Cache off", "oltp/4KiB, Cache on"]);
        let many: (&str, &[&str]) = ("drives", &["1", "2", "3", "4", "5", "6"]);
        let found = encoding(&["oltp/4KiB"], &[many]);
        assert_eq!(headings(&found).len(), 6);
        assert_eq!(found.note(Language::English), "");
    }

    #[test]
    fn series_without_settings_are_told_apart_by_their_order() {
        let found = encoding(&["a/4KiB", "a/8KiB"], &[]);
        assert!(found.places.iter().all(|place| place.look == SeriesLook::InOrder));
        assert_eq!(headings(&found), ["4KiB", "8KiB"]);
        assert_eq!(found.note(Language::English), "");
    }
}
