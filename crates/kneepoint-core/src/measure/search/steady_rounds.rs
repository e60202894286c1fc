//! The test for steady state over rounds of a whole plan: the samples of each tracked series, and whether all of
//! them are steady over the same rounds.

use std::collections::BTreeMap;

use super::undisturbed;
use crate::measure::steady_state::Determination;
use crate::plan::RoundPlan;
use crate::result::{PointResult, Verdict};
use crate::spec::suite::TrackedQuantity;

/// The test over the last window of rounds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RoundTrial<'a> {
    /// Rounds that have all of the tracked series.
    pub(crate) rounds: u32,
    /// The rounds of the window, from 0; empty if there are too few.
    pub(crate) window: Vec<u32>,
    /// What was found of each tracked series; nothing without a window.
    pub(crate) tracked: Vec<TrackedTest<'a>>,
}

/// The test of one series.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TrackedTest<'a> {
    /// Its name.
    pub(crate) series: &'a str,
    /// Its samples in the window.
    pub(crate) determination: Determination,
    /// Whether both limits are met.
    pub(crate) is_steady: bool,
}

impl<'a> RoundTrial<'a> {
    /// The test of `plan` on what was `measured`.
    pub(crate) fn of(plan: &'a RoundPlan, measured: &[PointResult]) -> Self {
        let samples = |name: &'a String| (name.as_str(), samples(plan.quantity, name, measured));
        let samples: Vec<(&str, BTreeMap<u32, f64>)> = plan.tracked.iter().map(samples).collect();
        // A round counts once all of its tracked series are there.
        let whole = |(_, samples): &(&str, BTreeMap<u32, f64>)| {
            (0..).take_while(|round| samples.contains_key(round)).count() as u32
        };
        let rounds = samples.iter().map(whole).min().unwrap_or(0);
        let window = plan.window_after(rounds).unwrap_or_default();
        let test = |(series, samples): &(&'a str, BTreeMap<u32, f64>)| {
            let values: Vec<f64> =
                window.iter().filter_map(|round| samples.get(round)).copied().collect();
            let determination = Determination::of(&values)?;
            let is_steady = determination.is_within(&plan.steady_state);
            Some(TrackedTest { series, determination, is_steady })
        };
        let tracked = samples.iter().filter_map(test).collect();
        Self { rounds, window, tracked }
    }

    /// Whether all tracked series of `plan` are steady over the window.
    pub(crate) fn is_attained(&self, plan: &RoundPlan) -> bool {
        self.tracked.len() == plan.tracked.len() && self.tracked.iter().all(|one| one.is_steady)
    }
}

/// Whether the last rounds of `measured` are steady.
pub(super) fn is_steady(plan: &RoundPlan, measured: &[PointResult]) -> bool {
    RoundTrial::of(plan, measured).is_attained(plan)
}

/// The number of a series in each round; of several measurements of a round that of the one that counts.
fn samples(quantity: TrackedQuantity, name: &str, measured: &[PointResult]) -> BTreeMap<u32, f64> {
    let own = measured.iter().filter(|point| point.series == name);
    let own: Vec<&PointResult> = own.filter(|point| point.verdict != Verdict::Failed).collect();
    let sample = |point: &PointResult| {
        let value = match quantity {
            TrackedQuantity::Rate => point.rate.mean,
            TrackedQuantity::Mean => point.latency_ms.mean,
        };
        (point.repetition_of_plan(), value)
    };
    undisturbed(&own).into_iter().map(sample).collect()
}

#[cfg(test)]
mod tests {
    use super::super::next_point;
    use super::*;
    use crate::measure::steady_state::tests::rule;
    use crate::plan::Plan;
    use crate::plan::tests::plan_of;
    use crate::result::{Estimate, Latency, Throughput};

    /// A plan of two series, of which the second is tracked.
    fn plan(every: u32, rounds_max: u32) -> Plan {
        let mut plan = plan_of("null:", 1);
        let mut other = plan.series[0].clone();
        other.name = "other/4KiB".to_owned();
        plan.series.push(other);
        plan.repetitions = rounds_max;
        let quantity = TrackedQuantity::Rate;
        let tracked = vec!["other/4KiB".to_owned()];
        plan.rounds = Some(RoundPlan { tracked, quantity, every, steady_state: rule() });
        plan
    }

    /// Goes on from `measured` until the plan ends; the second series does `rate` in a round from 0, the first
    /// one falls all the time.
    fn measured(
        plan: &Plan,
        mut measured: Vec<PointResult>,
        rate: impl Fn(u32) -> f64,
    ) -> Vec<PointResult> {
        while let Some(next) = next_point(plan, &measured) {
            let round = next.repetition;
            let mean = match next.series.name.starts_with("other") {
                true => rate(round),
                false => 1e6 / f64::from(round + 1),
            };
            measured.push(PointResult {
                series: next.series.name.clone(),
                profile: "test".to_owned(),
                load: next.load,
                repetition: round,
                rate: Throughput::iops(Estimate { mean, ci95: None }),
                latency_ms: Latency { mean: 1e3 / mean, ..Latency::default() },
                verdict: Verdict::Fixed,
                ..PointResult::default()
            });
            assert!(measured.len() <= 2000, "the rounds end");
        }
        measured
    }

    fn decay(round: u32) -> f64 {
        1e5 * (1.0 + 4.0 * libm::exp(-f64::from(round + 1) / 3.0))
    }

    #[test]
    fn rounds_run_in_order_until_what_is_tracked_is_steady() {
        let plan = plan(1, 25);
        let points = measured(&plan, Vec::new(), |_| 5000.0);
        let order: Vec<(u32, &str)> =
            points.iter().map(|point| (point.repetition, point.series.as_str())).collect();
        assert_eq!(order[..3], [(0, "test/4KiB"), (0, "other/4KiB"), (1, "test/4KiB")]);
        assert_eq!(points.len(), 10, "five rounds of two");
        // The decay of the tests of a single point: 14 rounds.
        assert_eq!(measured(&plan, Vec::new(), decay).len(), 28);
    }

    #[test]
    fn what_never_becomes_steady_ends_after_the_last_round() {
        let plan = plan(1, 25);
        let points = measured(&plan, Vec::new(), |round| 1e6 / f64::from(round % 2 + 1));
        assert_eq!(points.len(), 50);
        let rounds = plan.rounds.as_ref().unwrap();
        let trial = RoundTrial::of(rounds, &points);
        assert_eq!((trial.rounds, trial.window.clone()), (25, vec![20, 21, 22, 23, 24]));
        assert!(!trial.is_attained(rounds));
        assert_eq!(trial.tracked.len(), 1);
    }

    #[test]
    fn the_mean_response_time_can_be_tracked() {
        let mut plan = plan(1, 25);
        plan.rounds.as_mut().unwrap().quantity = TrackedQuantity::Mean;
        let points = measured(&plan, Vec::new(), |_| 5000.0);
        let trial = RoundTrial::of(plan.rounds.as_ref().unwrap(), &points);
        assert!((trial.tracked[0].determination.mean - 0.2).abs() < 1e-12);
    }

    #[test]
    fn samples_can_be_rounds_apart() {
        let plan = plan(30, 1000);
        let points = measured(&plan, Vec::new(), |_| 5000.0);
        assert_eq!(points.len(), 2 * 121);
        // A drift that neighbours do not show: 0.5 % in each round, 74 % over a window of 120 rounds.
        let drift = |round: u32| 5000.0 * libm::pow(0.995, f64::from(round.min(400)));
        let points = measured(&plan, Vec::new(), drift);
        let trial = RoundTrial::of(plan.rounds.as_ref().unwrap(), &points);
        assert!(trial.rounds > 440, "{}", trial.rounds);
        assert!(trial.is_attained(plan.rounds.as_ref().unwrap()));
    }

    #[test]
    fn rounds_continue_where_they_stopped() {
        let plan = plan(1, 25);
        let whole = measured(&plan, Vec::new(), decay);
        for stopped in 0..=whole.len() {
            assert_eq!(measured(&plan, whole[..stopped].to_vec(), decay), whole);
        }
    }

    #[test]
    fn too_few_rounds_are_no_window() {
        let plan = plan(1, 25);
        let points = measured(&plan, Vec::new(), decay);
        let rounds = plan.rounds.as_ref().unwrap();
        let trial = RoundTrial::of(rounds, &points[..9]);
        assert_eq!((trial.rounds, trial.window.len(), trial.tracked.len()), (4, 0, 0));
        assert!(!trial.is_attained(rounds));
    }
}
