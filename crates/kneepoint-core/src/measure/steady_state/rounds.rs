//! Rounds as they end.

use super::convergence::Convergence;
use super::determination::Determination;
use crate::load::drive::Flow;
use crate::load::record::tally::Tally;
use crate::plan::{SteadyState, Timing};
use crate::words::units::Nanos;

/// Joins intervals to rounds and says when the last of them are steady.
#[derive(Debug, Clone)]
pub struct Rounds {
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

impl Rounds {
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

    /// What the rounds came to.
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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::plan::StopRule;
    use crate::words::units::Percent;

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
    fn rounds(per_round: u64, ramp: u64) -> Rounds {
        let interval = Nanos(1_000_000_000 / per_round);
        let timing = Timing {
            ramp: Nanos(interval.0 * ramp),
            interval,
            stop: StopRule::SteadyState(rule()),
            drain_max: Nanos::ZERO,
        };
        Rounds::new(&rule(), &timing)
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
