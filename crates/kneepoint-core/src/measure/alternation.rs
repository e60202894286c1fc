//! Two places measured by turns until their difference is decided.
//!
//! Each load is visited in pairs, one visit on each side, in an order drawn from the seed: what
//! changes slowly meets both sides of a pair alike. After each pair a sequential test says whether
//! they differ, or differ by so little that it does not matter ([`PairedRatio`]); then the next load
//! follows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::confidence::{PAIRS_MAX, PairedRatio};
use super::keeper::KeptPlace;
use super::observer::{Beginning, Observer, Purpose, Stop};
use super::run::Venue;
use super::search::{Asked, NextPoint, Seen, Visit, VisitStart};
use crate::plan::{Plan, SeriesPlan, StopRule};
use crate::result::{AGAIN_FROM, PointResult, Verdict};
use crate::words::load::LoadLevel;
use crate::words::seed;
use crate::words::units::{Nanos, Percent};

/// Pairs that a difference usually takes.
const PAIRS_USUAL: usize = 9;

/// The place of a side among the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// The first, which the second is compared with.
    First,
    /// The second.
    Second,
}

impl Turn {
    const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// As it is called in texts.
    pub const fn label(self) -> &'static str {
        match self {
            Self::First => "A",
            Self::Second => "B",
        }
    }
}

/// The number that both sides are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ComparedBy {
    /// Operations per second: in a closed loop response time is its reciprocal.
    Rate,
    /// The mean response time: in an open loop the rate is given.
    ResponseTime,
}

/// The difference of both sides at one load.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LoadDifference {
    /// The series.
    pub series: String,
    /// The load.
    pub load: LoadLevel,
    /// What is compared.
    pub number: ComparedBy,
    /// Means over the pairs, first and second side: operations per second, or milliseconds.
    pub means: [f64; 2],
    /// How many times the first the second is; `None` if too few pairs were measured to say.
    pub ratio: Option<PairedRatio>,
    /// Pairs that count.
    pub pairs: usize,
    /// Pairs that were left out because something disturbed one of their visits.
    pub disturbed_pairs: usize,
}

impl LoadDifference {
    /// The difference at `load` from the points of both sides.
    fn of(
        (series, load): (&SeriesPlan, LoadLevel),
        [first, second]: [&[PointResult]; 2],
        band: Percent,
    ) -> Self {
        let number = match load.unit.is_offered() {
            true => ComparedBy::ResponseTime,
            false => ComparedBy::Rate,
        };
        let is_here = |point: &&PointResult| point.key() == series.key() && point.load == load;
        let here = |points| <[PointResult]>::iter(points).filter(is_here);
        let all: Vec<(&PointResult, &PointResult)> = here(first).zip(here(second)).collect();
        let is_sound = |(first, second): &&(&PointResult, &PointResult)| {
            [first, second].iter().all(|point| point.verdict != Verdict::Disturbed)
        };
        let mut counted: Vec<_> = all.iter().filter(is_sound).copied().collect();
        if 2 * counted.len() < all.len() {
            counted.clone_from(&all);
        }
        let value = |point: &PointResult| match number {
            ComparedBy::Rate => point.rate.mean,
            ComparedBy::ResponseTime => point.latency_ms.mean,
        };
        let pairs: Vec<(f64, f64)> =
            counted.iter().map(|(first, second)| (value(first), value(second))).collect();
        let count = pairs.len().max(1) as f64;
        let sums = pairs.iter().fold([0.0, 0.0], |[a, b], (x, y)| [a + x, b + y]);
        Self {
            series: series.key().to_string(),
            load,
            number,
            means: sums.map(|sum| sum / count),
            ratio: PairedRatio::of(&pairs, band),
            pairs: pairs.len(),
            disturbed_pairs: all.len() - counted.len(),
        }
    }

    fn is_decided(&self) -> bool {
        self.ratio.is_some_and(|ratio| ratio.is_decided())
    }
}

/// How a comparison by turns ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternated {
    /// The differences of the loads that were measured; the last one may be cut short.
    pub differences: Vec<LoadDifference>,
    /// What ended it before its end, if anything did.
    pub end: Result<(), Stop>,
}

/// Measures every load of both plans by turns until each difference is decided, or as many pairs were
/// measured as may be. A difference of up to `band` does not matter. It ends early when the observer
/// asks to stop, a point fails, or the run cannot go on; what was measured until then is kept on both
/// sides.
pub fn alternate(
    mut sides: [Venue<'_>; 2],
    band: Percent,
    observer: &mut dyn Observer,
) -> Alternated {
    let plan = sides[0].plan;
    let loads: Vec<(usize, LoadLevel)> = (0..plan.series.len())
        .flat_map(|series| plan.series[series].loads.levels().map(move |load| (series, load)))
        .collect();
    let mut differences = Vec::new();
    let begun = begin(&mut sides, loads[0], observer);
    let points = 2 * PAIRS_USUAL * loads.len();
    observer.begin(&Beginning { plan, points, purpose: Purpose::Result });
    let end = begun.and_then(|()| {
        loads.iter().try_for_each(|at| {
            let measured = measure_load(&mut sides, *at, band, observer);
            let found = difference(&sides, *at, band);
            differences.extend((found.pairs > 0).then_some(found));
            measured
        })
    });
    observer.end();
    Alternated { differences, end }
}

/// Makes both sides ready for the first load, before either is kept.
fn begin(
    sides: &mut [Venue<'_>; 2],
    (series, load): (usize, LoadLevel),
    observer: &mut dyn Observer,
) -> Result<(), Stop> {
    for side in sides.iter_mut() {
        side.testbed.prepare(side.plan, &next_of(side.plan, (series, load)), observer)?;
    }
    for side in sides.iter_mut() {
        let first = next_of(side.plan, (series, load));
        side.begin(Some(&first), observer)?;
    }
    Ok(())
}

/// The first visit of a load.
fn next_of(plan: &Plan, (series, load): (usize, LoadLevel)) -> NextPoint<'_> {
    NextPoint { series: &plan.series[series], load, repetition: 0, visit: None }
}

/// What both sides say so far of the difference at a load.
fn difference(
    sides: &[Venue<'_>; 2],
    (series, load): (usize, LoadLevel),
    band: Percent,
) -> LoadDifference {
    let points = [sides[0].keeper.points(), sides[1].keeper.points()];
    LoadDifference::of((&sides[0].plan.series[series], load), points, band)
}

/// How the next visit of `load` of `series` goes, from the `last` one.
fn visit(
    plan: &Plan,
    (series, load): (&SeriesPlan, LoadLevel),
    last: Option<&PointResult>,
) -> Visit {
    let timing = &plan.timing;
    let shortest = Visit::shortest(series);
    if let StopRule::FixedTime { measure } = timing.stop {
        let ramp = timing.ramp.min(shortest.ramp);
        let ramp_from_rest = timing.ramp.min(shortest.ramp_from_rest);
        return Visit { ramp, ramp_from_rest, measure, ..shortest };
    }
    let target_count = plan.targets.len().max(1) as f64;
    Asked { timing, rules: &[], target_count, shortest }.visit(load, last.map(Seen::of))
}

/// Measures one load until its difference is decided.
fn measure_load(
    sides: &mut [Venue<'_>; 2],
    at: (usize, LoadLevel),
    band: Percent,
    observer: &mut dyn Observer,
) -> Result<(), Stop> {
    let (series, load) = at;
    let mut last: [Option<PointResult>; 2] = [None, None];
    for pair in 0..PAIRS_MAX as u32 {
        let visits = [0, 1].map(|side: usize| {
            let plan = sides[side].plan;
            visit(plan, (&plan.series[series], load), last[side].as_ref())
        });
        let most = |time: fn(&Visit) -> Nanos| time(&visits[0]).max(time(&visits[1]));
        let visit = Visit {
            start: VisitStart::InFlight,
            ramp: most(|visit| visit.ramp),
            ramp_from_rest: most(|visit| visit.ramp_from_rest),
            measure: most(|visit| visit.measure),
        };
        let mut turns = Turn::BOTH;
        if seed::derive(sides[0].plan.seed, "turn", u64::from(pair)) & 1 == 1 {
            turns.reverse();
        }
        for turn in turns {
            observer.turn(turn, &difference(sides, at, band));
            let side = &mut sides[turn as usize];
            let series = &side.plan.series[series];
            let repetition = pair * AGAIN_FROM;
            let next = NextPoint { series, load, repetition, visit: Some(visit) };
            last[turn as usize] = Some(side.measure(&next, KeptPlace::After, observer)?);
            side.testbed.rest(observer);
        }
        if difference(sides, at, band).is_decided() {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rand_core::Rng as _;

    use super::*;
    use crate::measure::confidence::PairDecision;
    use crate::plan::tests::plan_of;
    use crate::result::{Estimate, Throughput};

    /// Where about half of the pairs are disturbed, now the sound ones count and now all of them.
    #[test]
    fn equals_are_told_apart_in_less_than_5_of_100_whichever_pairs_count() {
        let plan = plan_of("null:", 1);
        let (series, load) = (&plan.series[0], LoadLevel::outstanding(4));
        let band = Percent::new(5.0).expect("a share");
        let is_apart = |number: u64| {
            let mut rng = seed::rng(seed::derive(3, "pairs", number));
            let mut uniform = || ((rng.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
            let mut sides = [Vec::new(), Vec::new()];
            let mut flips = 0;
            let mut is_all = false;
            for _ in 0..PAIRS_MAX {
                let is_disturbed = uniform() < 0.5;
                for side in &mut sides {
                    let scatter = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
                    let rate = 1000.0 * libm::exp(0.05 * scatter);
                    let verdict = if is_disturbed { Verdict::Disturbed } else { Verdict::Fixed };
                    side.push(PointResult {
                        series: series.name.clone(),
                        load,
                        verdict,
                        rate: Throughput::iops(Estimate { mean: rate, ci95: None }),
                        ..PointResult::default()
                    });
                }
                let [first, second] = &sides;
                let found = LoadDifference::of((series, load), [first, second], band);
                let counts_all = found.pairs == first.len();
                flips += u32::from(counts_all != is_all);
                is_all = counts_all;
                if found.is_decided() {
                    let decision = found.ratio.expect("decided").decision;
                    return (flips, decision != PairDecision::Same);
                }
            }
            (flips, false)
        };
        let found: Vec<(u32, bool)> = (0..400).map(is_apart).collect();
        let flipped = found.iter().filter(|(flips, _)| *flips > 1).count();
        let apart = found.iter().filter(|(_, is_apart)| *is_apart).count();
        assert!(flipped > 100, "{flipped} sequences changed what counts");
        assert!(apart < 20, "{apart} of 400");
    }
}
