//! The rounds of a point: one in which something else had the processor of a copy is measured again, a few times.

use kneepoint_core::measure::rounds::{Round, accuracy};
use kneepoint_core::measure::trust::Observation;
use kneepoint_core::result::Warning;

use super::waits::Waits;

/// When a point has enough rounds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Enough {
    /// The error that is small enough, as a share.
    pub(super) accuracy: f64,
    /// Rounds that there are at least.
    pub(super) rounds_min: u32,
    /// Rounds that count at most.
    pub(super) rounds_max: u32,
}

/// A round with what was seen of it.
#[derive(Debug, Clone)]
pub(super) struct Attempt {
    pub(super) round: Round,
    pub(super) waits: Waits,
    /// The machine meanwhile, and the processor time of this process in percent; `None` for a short round.
    pub(super) seen: Option<(Observation, f64)>,
}

impl Attempt {
    fn is_disturbed(&self) -> bool {
        self.waits.warning().is_some()
    }
}

/// The rounds of a point so far.
///
/// As many disturbed ones as there are rounds at least are measured again; those do not count once there are
/// enough others. Where more are disturbed the machine is busy, and all count: the point is disturbed.
#[derive(Debug)]
pub(super) struct Attempts {
    enough: Enough,
    all: Vec<Attempt>,
}

impl Attempts {
    pub(super) const fn new(enough: Enough) -> Self {
        Self { enough, all: Vec::new() }
    }

    pub(super) fn push(&mut self, attempt: Attempt) {
        self.all.push(attempt);
    }

    /// How many were begun and ended.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// How many were disturbed.
    fn disturbed(&self) -> u32 {
        self.all.iter().filter(|attempt| attempt.is_disturbed()).count() as u32
    }

    /// Whether those that were not disturbed are as many as there must be.
    fn has_sound(&self) -> bool {
        self.all.len() as u32 - self.disturbed() >= self.enough.rounds_min
    }

    /// Whether disturbed rounds are measured again.
    fn has_spare(&self) -> bool {
        self.disturbed() <= self.enough.rounds_min
    }

    /// Those that count.
    pub(super) fn counted(&self) -> impl Iterator<Item = &Attempt> {
        let is_choosy = self.has_sound();
        self.all.iter().filter(move |attempt| !is_choosy || !attempt.is_disturbed())
    }

    /// The rounds that count.
    pub(super) fn rounds(&self) -> Vec<Round> {
        self.counted().map(|attempt| attempt.round.clone()).collect()
    }

    /// Whether the point has rounds enough.
    pub(super) fn are_enough(&self) -> bool {
        let Enough { accuracy: wanted, rounds_min, rounds_max } = self.enough;
        if !self.has_sound() && self.has_spare() {
            return false;
        }
        let rounds = self.rounds();
        let is_accurate = || accuracy(&rounds).is_some_and(|error| error <= wanted);
        rounds.len() as u32 >= rounds_max
            || self.all.len() as u32 >= rounds_max + rounds_min
            || is_accurate()
    }

    /// That rounds do not count, if some do not.
    pub(super) fn left_out(&self) -> Option<Warning> {
        let left_out = self.all.len() - self.counted().count();
        (left_out > 0).then_some(Warning::RoundsLeftOut {
            left_out: left_out as u32,
            rounds: self.all.len() as u32,
        })
    }

    /// How long the copies of the rounds that count had to wait.
    pub(super) fn waits(&self) -> Waits {
        Waits::sum(self.counted().map(|attempt| &attempt.waits))
    }

    /// The machine during the rounds that count, and the processor time of this process in percent; `None` if
    /// they were short.
    pub(super) fn seen(&self) -> Option<(Observation, f64)> {
        let seen =
            self.counted().filter_map(|attempt| Some((&attempt.waits, attempt.seen.as_ref()?)));
        let seconds = |seen: &Observation| seen.seconds.max(f64::MIN_POSITIVE);
        let (waits, seen): (Vec<&Waits>, Vec<&(Observation, f64)>) = seen.unzip();
        let whole = seen.iter().map(|(seen, _)| seconds(seen)).sum::<f64>();
        let percent = seen.iter().map(|(seen, percent)| percent * seconds(seen) / whole).sum();
        let sum = seen.iter().map(|(seen, _)| seen.clone()).reduce(Observation::and_later);
        sum.map(|mut sum| {
            Waits::sum(waits.into_iter()).tell(&mut sum);
            (sum, percent)
        })
    }
}

#[cfg(test)]
mod tests {
    use kneepoint_core::measure::trust::ProcessorTime;
    use kneepoint_core::words::units::Nanos;

    use super::*;
    use crate::processor::copy::Report;
    use crate::processor::waits::DoneCopy;

    /// A round of one copy that had its processor for a second and took this long.
    fn attempt(elapsed_s: f64, processor_s: f64) -> Attempt {
        let elapsed = Nanos::from_secs_f64(elapsed_s);
        let copies = [DoneCopy { elapsed, report: Report { digest: None, processor_s } }];
        let stolen_s = (elapsed_s - processor_s).max(0.0);
        let processor =
            Some(ProcessorTime { capacity_s: 2.0 * elapsed_s, stolen_s, ..Default::default() });
        let seen =
            Observation { window: 0..1, seconds: elapsed_s, processor, ..Observation::default() };
        Attempt {
            round: Round { copies: vec![elapsed] },
            waits: Waits::of(&copies, 1, None),
            seen: Some((seen, 10.0 * elapsed_s)),
        }
    }

    /// Measures by turns these rounds, of a second of processor time each or as much as they took if it is less,
    /// until there are enough.
    fn measured(elapsed_s: &[f64]) -> Attempts {
        measured_until(Enough { accuracy: 0.05, rounds_min: 3, rounds_max: 5 }, elapsed_s)
    }

    fn measured_until(enough: Enough, elapsed_s: &[f64]) -> Attempts {
        let mut attempts = Attempts::new(enough);
        for elapsed_s in elapsed_s.iter().cycle() {
            if attempts.are_enough() {
                break;
            }
            attempts.push(attempt(*elapsed_s, elapsed_s.min(1.0)));
        }
        attempts
    }

    fn elapsed_s(attempts: &Attempts) -> Vec<f64> {
        attempts.rounds().iter().map(|round| round.elapsed().as_secs_f64()).collect()
    }

    #[test]
    fn a_round_that_was_disturbed_is_measured_again_and_does_not_count() {
        let attempts = measured(&[1.0, 1.3, 1.001, 1.002]);
        assert_eq!(elapsed_s(&attempts), [1.0, 1.001, 1.002]);
        assert_eq!(attempts.left_out(), Some(Warning::RoundsLeftOut { left_out: 1, rounds: 4 }));
        assert_eq!(attempts.waits().warning(), None);
        let (seen, percent) = attempts.seen().unwrap();
        assert_eq!(seen.window, 0..3);
        assert!((seen.seconds - 3.003).abs() < 1e-9, "{seen:?}");
        assert!((seen.processor.unwrap().stolen_s - 0.003).abs() < 1e-9, "{seen:?}");
        assert!((percent - 10.01).abs() < 0.001, "{percent}");
    }

    #[test]
    fn a_point_of_a_pass_is_one_round_and_a_disturbed_one_is_measured_again_once() {
        let enough = Enough { accuracy: 0.05, rounds_min: 1, rounds_max: 1 };
        let measured = |elapsed_s: &[f64]| measured_until(enough, elapsed_s);
        assert_eq!(elapsed_s(&measured(&[1.0, 9.0])), [1.0]);
        let again = measured(&[1.3, 1.001]);
        assert_eq!(elapsed_s(&again), [1.001]);
        assert_eq!(again.left_out(), Some(Warning::RoundsLeftOut { left_out: 1, rounds: 2 }));
        let busy = measured(&[1.3]);
        assert_eq!((busy.len(), busy.left_out()), (2, None));
        assert!(busy.waits().warning().is_some());
    }

    #[test]
    fn a_quiet_point_is_as_it_was() {
        let attempts = measured(&[1.0, 1.001, 1.002, 9.0]);
        assert_eq!(elapsed_s(&attempts), [1.0, 1.001, 1.002]);
        assert_eq!(attempts.left_out(), None);
    }

    #[test]
    fn on_a_busy_machine_all_count_and_are_disturbed() {
        let attempts = measured(&[1.3]);
        assert_eq!(attempts.len(), 4, "one more than three, and then no more");
        assert_eq!(attempts.rounds().len(), 4);
        assert_eq!(attempts.left_out(), None);
        assert!(attempts.waits().warning().is_some());
    }

    #[test]
    fn rounds_have_an_end_however_they_scatter() {
        // Half of the processor's speed without anyone else on it: nothing of it is left out.
        let scattered = measured(&[0.4, 0.8]);
        assert_eq!(scattered.rounds().len(), 5);
        let both = measured(&[0.4, 1.5, 0.8, 1.5]);
        assert!(both.len() <= 8, "{}", both.len());
        assert!(both.rounds().len() >= 3);
    }
}
