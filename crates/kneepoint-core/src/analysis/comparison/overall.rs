//! All series together: the geometric mean of their ratios to the reference.
//!
//! A mean of ratios must not depend on which run is the reference, nor let the fastest series
//! outweigh the others: that is the geometric mean (P. J. Fleming and J. J. Wallace, "How not to lie
//! with statistics: the correct way to summarize benchmark results", Communications of the ACM 29,
//! 1986). Its interval is that of these series; it says nothing of others.

use std::collections::BTreeMap;

use super::figure::PendingFigure;
use super::{ComparedFigure, Overall, OverallDifference, Ratio};
use crate::analysis::mark::Bound;
use crate::result::{Place, Significance, is_practical};
use crate::words::distinct::distinct;

/// A number that series can have in common: sustained at a rule, or the peak.
type Number<'a> = (Place, Option<&'a str>);

/// Means over fewer series than this would be those series.
const SERIES_MIN: usize = 2;

/// The changes of each run at a number, known ones only.
type Changes = Vec<Vec<KnownChange>>;

/// A change, and what something else can have changed of it at the most, as the logarithm of a ratio.
#[derive(Debug, Clone, Copy)]
pub(super) struct KnownChange {
    ratio: Ratio,
    shift: f64,
}

/// The ratios of all series, by number and by run, before their tests are compared with one another.
pub(super) fn ratios(drafts: &[Vec<PendingFigure>], runs: usize) -> BTreeMap<String, Changes> {
    let mut found: BTreeMap<String, Changes> = BTreeMap::new();
    for draft in drafts.iter().flatten() {
        let Some(key) = key(draft.number()) else { continue };
        let by_run = found.entry(key).or_insert_with(|| vec![Vec::new(); runs]);
        for (of_run, change) in by_run.iter_mut().zip(&draft.changes) {
            let known = change.filter(|change| change.bound == Bound::Exact);
            of_run.extend(
                known.map(|change| KnownChange { ratio: change.ratio, shift: change.shift }),
            );
        }
    }
    found
}

/// A number by which all series can be compared.
fn key((place, rule): Number<'_>) -> Option<String> {
    match place {
        Place::Sustained => Some(format!("sustained {}", rule?)),
        Place::Peak => Some("peak".to_owned()),
        Place::EqualLoad => None,
    }
}

/// What holds for all series together, for every number that some of them share, in the order of
/// the rules.
pub(super) fn of_series(
    ratios: &BTreeMap<String, Changes>,
    figures: &[Vec<ComparedFigure>],
) -> Vec<Overall> {
    let numbers = distinct(figures.iter().flatten().map(number));
    // Of the rules of all series; the peak, which is that of all, comes behind them.
    let (rules, rest): (Vec<Number<'_>>, Vec<Number<'_>>) =
        numbers.into_iter().partition(|(place, _)| *place == Place::Sustained);
    let numbers = rules.into_iter().chain(rest);
    numbers.filter_map(|number| overall(number, ratios, figures)).collect()
}

fn number(figure: &ComparedFigure) -> Number<'_> {
    (figure.measure.place, figure.rule.as_deref())
}

fn overall(
    wanted: Number<'_>,
    ratios: &BTreeMap<String, Changes>,
    figures: &[Vec<ComparedFigure>],
) -> Option<Overall> {
    let by_run = ratios.get(&key(wanted)?)?;
    let alike: Vec<&ComparedFigure> =
        figures.iter().flatten().filter(|figure| number(figure) == wanted).collect();
    let difference = |(run, changes): (usize, &Vec<KnownChange>)| {
        let ratios: Vec<Ratio> = changes.iter().map(|change| change.ratio).collect();
        let mean = Ratio::mean(&ratios).filter(|_| ratios.len() >= SERIES_MIN)?;
        let mut found = OverallDifference {
            percent: mean.percent(),
            interval_percent: mean.interval_percent().and_then(|ends| widened(ends, changes)),
            series: ratios.len() as u32,
            wins: 0,
            ties: 0,
            losses: 0,
            undecided: 0,
        };
        alike.iter().for_each(|figure| count(&mut found, figure, run));
        Some(found)
    };
    let differences: Vec<Option<OverallDifference>> =
        by_run.iter().enumerate().map(difference).collect();
    let is_known = differences.iter().any(Option::is_some);
    is_known.then(|| Overall { rule: wanted.1.map(str::to_owned), differences })
}

/// The interval of a mean with what something else can have changed of it; `None` where nothing bounds
/// that.
fn widened([low, high]: [f64; 2], changes: &[KnownChange]) -> Option<[f64; 2]> {
    let shift = changes.iter().map(|change| change.shift).sum::<f64>() / changes.len() as f64;
    let moved = |percent: f64, by: f64| (100.0 + percent) * libm::exp(by) - 100.0;
    if shift == 0.0 {
        return Some([low, high]);
    }
    shift.is_finite().then(|| [moved(low, -shift), moved(high, shift)])
}

impl OverallDifference {
    /// Series that the mean leaves out although they were judged: of their changes only a bound is known.
    pub const fn bounded(&self) -> u32 {
        let judged = self.wins + self.ties + self.losses + self.undecided;
        judged.saturating_sub(self.series)
    }
}

/// Counts a series for a run.
fn count(found: &mut OverallDifference, figure: &ComparedFigure, run: usize) {
    let Some(difference) = figure.differences.get(run).and_then(Option::as_ref) else { return };
    let is_large = is_practical(difference.percent);
    let place = match difference.significance {
        Significance::Unknown | Significance::Disturbed => &mut found.undecided,
        Significance::Significant if is_large && difference.percent > 0.0 => &mut found.wins,
        Significance::Significant if is_large => &mut found.losses,
        Significance::Significant | Significance::NotSignificant => &mut found.ties,
    };
    *place += 1;
}
