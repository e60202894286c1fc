//! Steady state for flash: rounds of fixed length until the last of them agree.
//!
//! A flash drive that was just erased is fast; under writes it slows down over minutes or hours
//! until its garbage collection keeps pace. The test for the end of that is the one of the SNIA
//! Solid State Storage Performance Test Specification, version 2.0.2 (2020), section 2.1.24: over
//! a window of rounds the tracked variable (here the IO/s of each round) stays within a range and
//! its least-squares line changes by little, both as shares of the window's mean.
//!
//! [`Determination`] is the test, [`RoundTest`] applies it while a point runs, [`Convergence`] is
//! what is left of it in the measurement.

use super::confidence::Stability;
use crate::load::drive::Flow;
use crate::load::record::interval::Tally;
use crate::plan::{SteadyState, Timing};
use crate::result::warning::Spread;
use crate::result::{RoundResult, SteadyStateResult, SteadyWindow, Warning};
use crate::words::units::{Bytes, Nanos};

/// How the values of a window of rounds lie around their mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Determination {
    /// Mean of the values.
    pub mean: f64,
    /// Largest less smallest value, in percent of the mean.
    pub range_percent: f64,
    /// Change of the least-squares line from the first round of the window to the last, in percent
    /// of the mean; negative where it falls.
    pub slope_percent: f64,
}

impl Determination {
    /// The determination of a window; `None` where it has fewer than two values, or a mean that is
    /// not above zero.
    pub fn of(values: &[f64]) -> Option<Self> {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        if values.len() < 2 || mean.is_nan() || mean <= 0.0 {
            return None;
        }
        let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let smallest = values.iter().copied().fold(f64::INFINITY, f64::min);
        let change = slope(values, mean) * (count - 1.0);
        Some(Self {
            mean,
            range_percent: 100.0 * (largest - smallest) / mean,
            slope_percent: 100.0 * change / mean,
        })
    }

    /// Whether both limits of `rule` are met.
    pub fn is_within(&self, rule: &SteadyState) -> bool {
        self.range_percent <= rule.range.get() && self.slope_percent.abs() <= rule.slope.get()
    }
}

/// Slope of the least-squares line through `values` at 0, 1, 2, ...
fn slope(values: &[f64], mean: f64) -> f64 {
    let middle = (values.len() as f64 - 1.0) / 2.0;
    let mut covariance = 0.0;
    let mut variance = 0.0;
    for (index, value) in values.iter().enumerate() {
        let at = index as f64 - middle;
        covariance += at * (value - mean);
        variance += at * at;
    }
    covariance / variance
}

/// Joins intervals to rounds and says when the last of them are steady.
#[derive(Debug, Clone)]
pub struct RoundTest {
    rule: SteadyState,
    /// Intervals of a round.
    length: usize,
    /// Intervals before the first round.
    ramp: usize,
    /// Intervals so far.
    seen: usize,
    current: Tally,
    ended: Vec<Tally>,
}

impl RoundTest {
    /// Rounds of `rule` after the ramp of `timing`.
    ///
    /// # Panics
    /// When the round is shorter than an interval.
    pub fn new(rule: &SteadyState, timing: &Timing) -> Self {
        let count = |time: Nanos| (time.0 / timing.interval.0) as usize;
        let length = count(rule.round);
        assert!(length > 0, "a round is at least as long as an interval");
        Self {
            rule: rule.clone(),
            length,
            ramp: count(timing.ramp),
            seen: 0,
            current: Tally::EMPTY,
            ended: Vec::new(),
        }
    }

    /// Adds the next interval; `Stop` once the window is steady or there are enough rounds.
    pub fn push(&mut self, interval: &Tally) -> Flow {
        self.seen += 1;
        if self.seen <= self.ramp {
            return Flow::Continue;
        }
        self.current.merge(interval);
        if !(self.seen - self.ramp).is_multiple_of(self.length) {
            return Flow::Continue;
        }
        self.ended.push(std::mem::replace(&mut self.current, Tally::EMPTY));
        let is_last = self.ended.len() >= self.rule.rounds_max as usize;
        match is_last || self.is_steady() {
            true => Flow::Stop,
            false => Flow::Continue,
        }
    }

    /// Intervals before the window of the last rounds.
    pub fn window_start(&self) -> usize {
        let before = self.ended.len().saturating_sub(self.rule.window as usize);
        (self.ramp + before * self.length).min(self.seen)
    }

    /// The result of the rounds.
    pub fn finish(self, interval: Nanos) -> Convergence {
        Convergence {
            start: Nanos(interval.0 * self.ramp as u64),
            round: Nanos(interval.0 * self.length as u64),
            window: self.rule.window as usize,
            determination: self.determination(),
            is_attained: self.is_steady(),
            rounds: self.ended,
        }
    }

    fn is_steady(&self) -> bool {
        self.determination().is_some_and(|determination| determination.is_within(&self.rule))
    }

    /// The test over the last rounds; `None` where there are fewer than a window.
    fn determination(&self) -> Option<Determination> {
        let start = self.ended.len().checked_sub(self.rule.window as usize)?;
        let seconds = self.rule.round.as_secs_f64();
        let rate = |round: &Tally| round.operations as f64 / seconds;
        let rates: Vec<f64> = self.ended[start..].iter().map(rate).collect();
        Determination::of(&rates)
    }
}

/// The rounds of a point, and whether its last ones were steady.
#[derive(Debug, Clone, PartialEq)]
pub struct Convergence {
    /// When the first round began, after the point's start.
    pub start: Nanos,
    /// Length of a round.
    pub round: Nanos,
    /// Rounds that the test looks at.
    pub window: usize,
    /// Reads and writes of every round that ended.
    pub rounds: Vec<Tally>,
    /// The test over the last window; `None` where there were too few rounds, or no I/O.
    pub determination: Option<Determination>,
    /// Whether the last window is within the limits.
    pub is_attained: bool,
}

impl Convergence {
    /// The verdict: a point of rounds is judged by them alone.
    pub const fn stability(&self) -> Stability {
        if self.is_attained { Stability::Steady } else { Stability::TimeLimit }
    }
}

/// The convergence as it is in the result.
pub(crate) fn convergence_result(convergence: &Convergence) -> SteadyStateResult {
    let first_round = convergence.rounds.len().saturating_sub(convergence.window);
    let window = convergence.determination.map(|found| SteadyWindow {
        first_round: first_round as u32,
        rate_mean: found.mean,
        range_percent: found.range_percent,
        slope_percent: found.slope_percent,
    });
    let rounds = convergence.rounds.iter().enumerate();
    SteadyStateResult {
        attained: convergence.is_attained,
        round_s: convergence.round.as_secs_f64(),
        rounds: rounds.map(|(index, round)| round_result(convergence, index, round)).collect(),
        window,
    }
}

fn round_result(convergence: &Convergence, index: usize, round: &Tally) -> RoundResult {
    let seconds = convergence.round.as_secs_f64();
    RoundResult {
        start_s: convergence.start.as_secs_f64() + seconds * index as f64,
        rate: round.operations as f64 / seconds,
        volume: Some(Bytes(round.bytes).as_mib_f64() / seconds),
        latency_mean_ms: round.latency_ns_mean() / 1e6,
    }
}

/// What is to be said of rounds that never became steady.
pub(crate) fn convergence_warning(result: &SteadyStateResult) -> Option<Warning> {
    let rounds = result.rounds.len() as u64;
    let window = result.window.map(|window| window.spread());
    (!result.attained).then_some(Warning::SteadyStateNotAttained { rounds, window })
}

impl SteadyWindow {
    /// How its rounds differ.
    pub(crate) const fn spread(&self) -> Spread {
        Spread { range_percent: self.range_percent, slope_percent: self.slope_percent }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::plan::StopRule;
    use crate::words::units::Percent;

    /// Checks range and slope in percent, and whether the window is steady.
    #[track_caller]
    fn check(values: &[f64], (range, slope): (f64, f64), is_steady: bool) {
        let found = Determination::of(values).unwrap();
        assert!((found.range_percent - range).abs() < 1e-9, "{found:?}");
        assert!((found.slope_percent - slope).abs() < 1e-9, "{found:?}");
        assert_eq!(found.is_within(&rule()), is_steady, "{found:?}");
    }

    #[test]
    fn limits_belong_to_the_steady_side() {
        check(&[100.0; 5], (0.0, 0.0), true);
        // The range at its limit, and just beyond.
        check(&[100.0, 110.0, 100.0, 90.0, 100.0], (20.0, -8.0), true);
        check(&[100.0, 100.0, 90.0, 100.0, 110.0], (20.0, 8.0), true);
        check(&[100.0, 89.0, 111.0, 100.0, 100.0], (22.0, 4.4), false);
        // The slope at its limit, up and down, and just beyond.
        check(&[95.0, 97.5, 100.0, 102.5, 105.0], (10.0, 10.0), true);
        check(&[105.0, 102.5, 100.0, 97.5, 95.0], (10.0, -10.0), true);
        check(&[94.0, 97.0, 100.0, 103.0, 106.0], (12.0, 12.0), false);
        check(&[106.0, 103.0, 100.0, 97.0, 94.0], (12.0, -12.0), false);
    }

    #[test]
    fn nothing_is_determined_of_nothing() {
        for values in [&[][..], &[1.0], &[0.0; 5], &[f64::NAN; 5]] {
            assert_eq!(Determination::of(values), None, "{values:?}");
        }
    }

    /// The limits of the specification, with rounds of one second.
    pub(crate) fn rule() -> SteadyState {
        SteadyState {
            round: Nanos::from_secs(1),
            window: 5,
            range: Percent::new(20.0).unwrap(),
            slope: Percent::new(10.0).unwrap(),
            rounds_max: 25,
        }
    }

    /// Rounds of `per_round` intervals after `ramp` of them.
    fn rounds(per_round: u64, ramp: u64) -> RoundTest {
        let interval = Nanos(1_000_000_000 / per_round);
        let timing = Timing {
            ramp: Nanos(interval.0 * ramp),
            interval,
            stop: StopRule::SteadyState(rule()),
            drain_max: Nanos::ZERO,
        };
        RoundTest::new(&rule(), &timing)
    }

    fn tally(operations: u64) -> Tally {
        Tally { operations, ..Tally::EMPTY }
    }

    /// Pushes rounds of one interval until they end the point; how many there were, and whether
    /// steady state was attained.
    fn run(iops_of_round: impl Fn(u32) -> f64) -> (usize, bool) {
        let mut rounds = rounds(1, 0);
        for number in 1.. {
            if rounds.push(&tally(iops_of_round(number).round() as u64)) == Flow::Stop {
                break;
            }
        }
        let found = rounds.finish(Nanos::from_secs(1));
        (found.rounds.len(), found.is_attained)
    }

    #[test]
    fn a_level_series_is_steady_after_the_first_window() {
        assert_eq!(run(|_| 5000.0), (5, true));
    }

    #[test]
    fn a_decay_is_steady_once_its_rest_is_small() {
        // 100,000 (1 + 4 e^(-n/3)): over rounds k to k+4 the range is the change of the decay,
        // 4 e^(-k/3) (1 - e^(-4/3)) = 2.9456 e^(-k/3), over 1 + 2.0 e^(-k/3). The range is within
        // 20 % from k = 8 on (19.6 % there); the line's change is then still above 10 %, and
        // falls below it at k = 10 (9.5 %).
        let decay = |n: u32| 1e5 * (1.0 + 4.0 * libm::exp(-f64::from(n) / 3.0));
        assert_eq!(run(decay), (14, true));
    }

    #[test]
    fn a_saw_tooth_is_never_steady() {
        assert_eq!(run(|n| if n % 2 == 0 { 1000.0 } else { 1300.0 }), (25, false));
    }

    #[test]
    fn a_target_that_does_nothing_is_never_steady() {
        assert_eq!(run(|_| 0.0), (25, false));
    }

    #[test]
    fn a_series_that_settles_in_the_last_window_attains_it() {
        assert_eq!(run(|n| if n <= 20 { f64::from(n % 2) } else { 7000.0 }), (25, true));
    }

    #[test]
    fn intervals_are_joined_after_the_ramp() {
        let mut rounds = rounds(4, 3);
        let flows: Vec<Flow> = (0..23).map(|_| rounds.push(&tally(10))).collect();
        assert!(flows[..22].iter().all(|flow| *flow == Flow::Continue));
        assert_eq!((flows[22], rounds.window_start()), (Flow::Stop, 3));
        let found = rounds.finish(Nanos::from_millis(250));
        assert_eq!((found.start, found.round), (Nanos::from_millis(750), Nanos::from_secs(1)));
        assert_eq!(found.rounds, [tally(40); 5]);
        assert_eq!(found.determination.unwrap().mean, 40.0);
    }
}
