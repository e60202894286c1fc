//! How I/Os are handed to the kernel and waited for: learned from the target, not assumed.
//!
//! Two choices leave the number of outstanding I/Os as it is and yet decide how fast they go:
//!
//! - **Submission.** What is submitted by one call reaches a device together, after the last of it
//!   was prepared; that costs the least CPU time. Submitted one by one, the first is on its way
//!   while the next is prepared, which can be faster on a disk with an interrupt and a queue of its
//!   own.
//! - **Waiting.** A thread that is woken for every completion pays a change of context for every
//!   I/O. Where the device answers on the same processor (a kernel thread that decompresses, a
//!   software RAID, a file system) that cost is paid instead of I/O. Asking for several completions
//!   saves it, but leaves their places empty until the last of them is there, which a device of its
//!   own would notice.
//!
//! So the first tenths of a second of a point try the ways in turns, and another way than the plain
//! one (together, wait for one) is kept only where it raises the throughput.
//!
//! One thing is not left to trying: I/Os that may continue where the one before ended are always submitted one by
//! one. Of several that one call submits, the kernel merges those that are adjacent into one larger request before
//! the device sees them (its plug), which is faster, but no longer the block size and the number of outstanding
//! I/Os that the profile asks for.
//!
//! Both are for a closed loop, whose queue is full whenever it waits. A queue that is not full (an
//! offered rate, pauses between bursts, the end of a point) has a throughput that says nothing of
//! the way, and its completions must be seen when they come: it is treated plainly.

use kneepoint_core::spec::profile::ResolvedProfile;
use kneepoint_core::words::units::{Nanos, Percent};

/// How long each way is tried at a time.
const TURN: Nanos = Nanos::from_millis(10);

/// How often each way is tried; the middle one of its turns counts, so that what else happens on
/// the machine in one or two of them decides nothing.
const ROUNDS: usize = 5;

/// Turns of the plain way before the others are tried; the best of them says which are worth it.
const PLAIN_TURNS: u32 = 3;

/// Another way must raise the throughput by at least this factor to be kept.
const GAIN_MIN: f64 = 1.04;

/// From this rate on, in I/Os per second, batches are common enough for submission to matter.
const SUBMISSION_RATE_MIN: f64 = 10_000.0;

/// From this rate on, in I/Os per second, wakings (about 1 us each) cost a tenth of a processor.
const WAITING_RATE_MIN: f64 = 100_000.0;

/// Shares of the I/Os in flight that are waited for together, in quarters: one of them at least
/// stays with the device while the others are taken and submitted again.
const QUARTERS: [u32; 3] = [1, 2, 3];

/// Never more than this many: a waking that this many share costs some 30 ns for each, and the
/// fuller the queue stays, the better. A tick of a ring counts as one completion, so this is also
/// the number of ticks after which a wait on a device that stalls is over.
const WANTED_MAX: u32 = 32;

/// How what is queued reaches the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Submission {
    /// All by one call.
    Together,
    /// Each by its own call.
    OneByOne,
}

impl Submission {
    /// What leaves the I/Os of `profile` as they are.
    pub(crate) fn plain_for(profile: &ResolvedProfile) -> Self {
        let is_random = |random: Percent| random == Percent::FULL;
        match profile.lines.iter().all(|line| is_random(line.random)) {
            true => Self::Together,
            false => Self::OneByOne,
        }
    }
}

/// A way to submit and to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SubmitPolicy {
    /// How what is queued is submitted.
    pub(crate) submission: Submission,
    /// Completions to wait for.
    pub(crate) wanted: u32,
}

/// Chooses a way by trying.
#[derive(Debug)]
pub(crate) struct PolicyTuner {
    /// I/Os in flight when the queue is full.
    slots: u32,
    /// The plain way first.
    trials: Vec<Trial>,
    /// Which trial is under way; `None` once a way is chosen.
    turn: Option<u32>,
    turn_began: Nanos,
    turn_completions: u64,
    /// The best of the plain way's first turns, in completions per second.
    plain_rate: f64,
    /// The way that nothing speaks against.
    plain: SubmitPolicy,
    chosen: SubmitPolicy,
}

/// The trial of one way.
#[derive(Debug, Clone, Copy)]
struct Trial {
    tactic: SubmitPolicy,
    /// It is not tried at lower rates, in I/Os per second.
    rate_min: f64,
    /// Completions per second of its turns.
    rates: [f64; ROUNDS],
}

impl PolicyTuner {
    /// For a queue of `slots` I/Os whose plain way to submit is this; a single one leaves nothing to choose.
    pub(crate) fn new(slots: u32, submission: Submission) -> Self {
        let plain = SubmitPolicy { submission, wanted: 1 };
        let trial = |tactic, rate_min| Trial { tactic, rate_min, rates: [0.0; ROUNDS] };
        let mut trials = vec![trial(plain, 0.0)];
        if slots > 1 && submission == Submission::Together {
            let single = SubmitPolicy { submission: Submission::OneByOne, ..plain };
            trials.push(trial(single, SUBMISSION_RATE_MIN));
        }
        let mut counts = QUARTERS.map(|share| (slots * share / 4).min(WANTED_MAX)).to_vec();
        counts.dedup();
        let counts = counts.into_iter().filter(|count| *count > 1);
        let gathering = counts.map(|wanted| SubmitPolicy { wanted, ..plain });
        trials.extend(gathering.map(|tactic| trial(tactic, WAITING_RATE_MIN)));
        let turn = (trials.len() > 1).then_some(0);
        Self {
            slots,
            trials,
            turn,
            turn_began: Nanos::ZERO,
            turn_completions: 0,
            plain_rate: 0.0,
            plain,
            chosen: plain,
        }
    }

    /// The same for another number of I/Os in flight, with nothing learned.
    pub(crate) fn resized(&self, slots: u32) -> Self {
        Self::new(slots, self.plain.submission)
    }

    /// How to submit and to wait for `in_flight` I/Os.
    #[inline]
    pub(crate) fn tactic(&self, in_flight: u32) -> SubmitPolicy {
        if in_flight < self.slots { self.plain } else { self.chosen }
    }

    /// Learns from `completions` out of `in_flight` I/Os, seen at `now`.
    #[inline]
    pub(crate) fn count(&mut self, completions: usize, in_flight: u32, now: Nanos) {
        let Some(turn) = self.turn else { return };
        if in_flight < self.slots {
            // The turn begins again once the queue is full.
            (self.turn_began, self.turn_completions) = (Nanos::ZERO, 0);
        } else {
            self.learn(turn, completions as u64, now);
        }
    }

    fn learn(&mut self, turn: u32, completions: u64, now: Nanos) {
        if self.turn_began == Nanos::ZERO {
            self.turn_began = now;
            return;
        }
        self.turn_completions += completions;
        let time = now.since(self.turn_began);
        if time < TURN {
            return;
        }
        let rate = std::mem::take(&mut self.turn_completions) as f64 / time.as_secs_f64();
        self.turn_began = now;
        self.note(turn, rate);
        self.begin(turn + 1);
    }

    /// Keeps the rate of a turn: first those of the plain way alone, then those of all in turns.
    fn note(&mut self, turn: u32, rate: f64) {
        if turn < PLAIN_TURNS {
            self.plain_rate = self.plain_rate.max(rate);
            if turn + 1 == PLAIN_TURNS {
                let plain_rate = self.plain_rate;
                self.trials.retain(|trial| trial.rate_min <= plain_rate);
            }
        } else {
            let turn = (turn - PLAIN_TURNS) as usize;
            let count = self.trials.len();
            self.trials[turn % count].rates[turn / count] = rate;
        }
    }

    /// Begins a turn, or chooses after the last one.
    fn begin(&mut self, turn: u32) {
        let Some(turn_of_all) = turn.checked_sub(PLAIN_TURNS) else {
            self.turn = Some(turn);
            return;
        };
        let count = self.trials.len();
        if count == 1 || turn_of_all as usize >= ROUNDS * count {
            self.turn = None;
            self.chosen = self.best();
        } else {
            self.turn = Some(turn);
            self.chosen = self.trials[turn_of_all as usize % count].tactic;
        }
    }

    /// The way of highest throughput, or the plain one where it is hardly better.
    fn best(&self) -> SubmitPolicy {
        let plain = self.trials[0].rate();
        let best = self.trials.iter().max_by(|a, b| a.rate().total_cmp(&b.rate()));
        best.filter(|best| best.rate() > GAIN_MIN * plain).map_or(self.plain, |best| best.tactic)
    }
}

impl Trial {
    /// Completions per second: the median of its turns.
    fn rate(&self) -> f64 {
        let mut rates = self.rates;
        rates.sort_by(f64::total_cmp);
        rates[ROUNDS / 2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: SubmitPolicy = SubmitPolicy { submission: Submission::Together, wanted: 1 };

    /// Lets a queue of `slots` learn from a target of this many I/Os per second.
    fn learned(slots: u32, rate: impl Fn(SubmitPolicy) -> f64) -> SubmitPolicy {
        taught(PolicyTuner::new(slots, Submission::Together), slots, rate)
    }

    fn taught(
        mut tactician: PolicyTuner,
        slots: u32,
        rate: impl Fn(SubmitPolicy) -> f64,
    ) -> SubmitPolicy {
        let mut now = Nanos::from_secs(1);
        for _ in 0..1_000_000 {
            let tactic = tactician.tactic(slots);
            now = now + Nanos((f64::from(tactic.wanted) / rate(tactic) * 1e9) as u64);
            tactician.count(tactic.wanted as usize, slots, now);
        }
        assert!(tactician.turn.is_none(), "it comes to an end");
        tactician.tactic(slots)
    }

    #[test]
    fn what_raises_the_throughput_is_kept() {
        let rising = learned(32, |tactic| 200_000.0 + 10_000.0 * f64::from(tactic.wanted));
        assert_eq!(rising, SubmitPolicy { wanted: 24, ..PLAIN });
        let deep = learned(512, |tactic| 200_000.0 + 10_000.0 * f64::from(tactic.wanted));
        assert_eq!(deep, SubmitPolicy { wanted: 32, ..PLAIN }, "and never more than this many");
        let single = SubmitPolicy { submission: Submission::OneByOne, wanted: 1 };
        assert_eq!(learned(32, |tactic| if tactic == single { 6e4 } else { 5e4 }), single);
    }

    #[test]
    fn a_target_that_needs_its_queue_full_is_asked_for_one() {
        assert_eq!(learned(32, |tactic| 400_000.0 - 1_000.0 * f64::from(tactic.wanted)), PLAIN);
        assert_eq!(learned(32, |_| 400_000.0), PLAIN);
    }

    #[test]
    fn slow_targets_and_short_queues_are_treated_plainly() {
        assert_eq!(learned(32, |tactic| 1_000.0 * f64::from(tactic.wanted)), PLAIN);
        assert_eq!(learned(1, |_| 400_000.0), PLAIN);
    }

    #[test]
    fn adjacent_ios_are_submitted_one_by_one_whatever_is_faster() {
        let single = SubmitPolicy { submission: Submission::OneByOne, wanted: 1 };
        let merging = |tactic: SubmitPolicy| match tactic.submission {
            Submission::Together => 9e5,
            Submission::OneByOne => 2e5 + 1e4 * f64::from(tactic.wanted),
        };
        let tuner = PolicyTuner::new(32, Submission::OneByOne);
        assert_eq!(tuner.tactic(1), single);
        assert_eq!(taught(tuner.resized(16), 16, merging), SubmitPolicy { wanted: 12, ..single });
        assert_eq!(taught(tuner, 32, merging), SubmitPolicy { wanted: 24, ..single });
    }

    #[test]
    fn disturbed_turns_decide_nothing() {
        let turns = std::cell::Cell::new(0_u64);
        let rising = learned(32, |tactic| {
            turns.set(turns.get() + 1);
            let undisturbed = 200_000.0 + 10_000.0 * f64::from(tactic.wanted);
            // The first two turns and some.
            if turns.get() < 110 { 5_000.0 } else { undisturbed }
        });
        assert_eq!(rising, SubmitPolicy { wanted: 24, ..PLAIN });
    }

    #[test]
    fn a_queue_that_is_not_full_is_treated_plainly_and_teaches_nothing() {
        let mut tactician = PolicyTuner::new(32, Submission::Together);
        tactician.chosen = SubmitPolicy { submission: Submission::OneByOne, wanted: 16 };
        assert_eq!(tactician.tactic(32), tactician.chosen);
        assert_eq!([31, 16, 1].map(|in_flight| tactician.tactic(in_flight)), [PLAIN; 3]);
        for millis in 1..1_000 {
            tactician.count(1_000, 31, Nanos::from_millis(millis));
        }
        assert_eq!(tactician.turn, Some(0));
    }
}
