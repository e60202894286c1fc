//! How many completions one wait asks for.
//!
//! A thread that is woken for every completion pays a change of context for every I/O. Where the
//! device answers on the same processor (a kernel thread that decompresses, a software RAID, a file
//! system) that cost is paid instead of I/O. Asking for several completions saves it, but leaves
//! their places empty until the last of them is there, which a device of its own would notice.
//!
//! So nothing is assumed: the first tenths of a second of a point try one completion against
//! several, in turns, and a larger number is kept only where it raises the throughput. A target
//! that needs its queue full is asked for one at a time.

use kneepoint_core::units::Nanos;

/// How long each number is tried at a time.
const TURN: Nanos = Nanos::from_millis(10);

/// How often each number is tried.
const ROUNDS: u32 = 3;

/// A larger number must raise the throughput by at least this factor to be kept.
const GAIN_MIN: f64 = 1.05;

/// Below this rate, in I/Os per second, wakings cost less than a twentieth of a processor (at 1 us
/// each) and nothing is tried.
const RATE_MIN: f64 = 50_000.0;

/// Shares of the I/Os in flight that are tried.
const DIVISORS: [u32; 3] = [8, 4, 2];

/// The number of completions to ask for, and what it is learned from.
#[derive(Debug)]
pub(crate) struct Gather {
    trials: Vec<Trial>,
    /// Which trial is under way; `None` once a number is chosen.
    turn: Option<u32>,
    turn_began: Nanos,
    turn_completions: u64,
    chosen: u32,
}

/// What asking for `count` completions came to.
#[derive(Debug, Clone, Copy)]
struct Trial {
    count: u32,
    completions: u64,
    time: Nanos,
}

impl Gather {
    /// For a queue of `slots` I/Os; a short one is never gathered.
    pub(crate) fn new(slots: u32) -> Self {
        let mut counts = vec![1];
        counts.extend(DIVISORS.map(|divisor| slots / divisor).into_iter().filter(|n| *n > 1));
        let trial = |count| Trial { count, completions: 0, time: Nanos::ZERO };
        let turn = (counts.len() > 1).then_some(0);
        let trials = counts.into_iter().map(trial).collect();
        Self { trials, turn, turn_began: Nanos::ZERO, turn_completions: 0, chosen: 1 }
    }

    /// How many completions to wait for while `in_flight` I/Os are under way.
    #[inline]
    pub(crate) fn wanted(&self, in_flight: u32) -> u32 {
        // At least half of the queue stays with the device, whatever is left of it.
        self.chosen.min(in_flight / 2).max(1)
    }

    /// Learns from `completions` that were there at `now`.
    #[inline]
    pub(crate) fn count(&mut self, completions: usize, now: Nanos) {
        if self.turn.is_some() {
            self.learn(completions as u64, now);
        }
    }

    fn learn(&mut self, completions: u64, now: Nanos) {
        let Some(turn) = self.turn else { return };
        if self.turn_began == Nanos::ZERO {
            self.turn_began = now;
            return;
        }
        self.turn_completions += completions;
        let time = now.since(self.turn_began);
        if time < TURN {
            return;
        }
        let number = turn as usize % self.trials.len();
        let trial = &mut self.trials[number];
        trial.completions += std::mem::take(&mut self.turn_completions);
        trial.time = trial.time + time;
        self.turn_began = now;
        self.begin(turn + 1);
    }

    /// Begins a turn, or chooses after the last one, or at once where the target is slow.
    fn begin(&mut self, turn: u32) {
        let is_slow = self.trials[0].rate() < RATE_MIN;
        if is_slow || turn >= ROUNDS * self.trials.len() as u32 {
            self.turn = None;
            self.chosen = if is_slow { 1 } else { self.best() };
        } else {
            self.turn = Some(turn);
            self.chosen = self.trials[turn as usize % self.trials.len()].count;
        }
    }

    /// The number of highest throughput, or one where it is hardly better.
    fn best(&self) -> u32 {
        let [one, rest @ ..] = self.trials.as_slice() else { return 1 };
        let best = rest.iter().max_by(|a, b| a.rate().total_cmp(&b.rate()));
        best.filter(|best| best.rate() > GAIN_MIN * one.rate()).map_or(1, |best| best.count)
    }
}

impl Trial {
    /// Completions per second.
    fn rate(&self) -> f64 {
        match self.time {
            Nanos::ZERO => 0.0,
            time => self.completions as f64 / time.as_secs_f64(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets a queue of `slots` learn from a target that completes `rate(count)` I/Os per second
    /// where it is asked for `count`.
    fn learned(slots: u32, rate: impl Fn(u32) -> f64) -> u32 {
        let mut gather = Gather::new(slots);
        let mut now = Nanos::from_secs(1);
        for _ in 0..100_000 {
            let wanted = gather.wanted(slots);
            now = now + Nanos((f64::from(wanted) / rate(wanted) * 1e9) as u64);
            gather.count(wanted as usize, now);
        }
        assert!(gather.turn.is_none(), "it comes to an end");
        gather.wanted(slots)
    }

    #[test]
    fn what_raises_the_throughput_is_kept() {
        assert_eq!(learned(32, |wanted| 200_000.0 + 10_000.0 * f64::from(wanted)), 16);
        assert_eq!(learned(128, |wanted| if wanted == 32 { 400_000.0 } else { 200_000.0 }), 32);
    }

    #[test]
    fn a_target_that_needs_its_queue_full_is_asked_for_one() {
        assert_eq!(learned(32, |wanted| 400_000.0 - 1_000.0 * f64::from(wanted)), 1);
        assert_eq!(learned(32, |_| 400_000.0), 1);
    }

    #[test]
    fn slow_targets_and_short_queues_are_asked_for_one() {
        assert_eq!(learned(32, |wanted| 1_000.0 * f64::from(wanted)), 1);
        assert_eq!(learned(2, |wanted| 400_000.0 * f64::from(wanted)), 1);
    }

    #[test]
    fn a_draining_queue_is_never_waited_for_in_vain() {
        let mut gather = Gather::new(32);
        gather.chosen = 16;
        assert_eq!([32, 16, 3, 1].map(|in_flight| gather.wanted(in_flight)), [16, 8, 1, 1]);
    }
}
