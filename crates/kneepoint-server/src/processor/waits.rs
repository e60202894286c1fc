//! How long copies had to wait for their processors.

use kneepoint_core::measure::trust::Observation;
use kneepoint_core::result::Warning;
use kneepoint_core::words::units::Nanos;

use super::copy::Report;

/// A copy whose elapsed time is more than this many times that of its processor was disturbed.
const TIMES_MAX: f64 = 1.05;

/// A copy that is done.
pub(super) struct DoneCopy {
    pub(super) elapsed: Nanos,
    pub(super) report: Report,
}

/// Gives each of `copies` its part of what fewer processes did for them.
pub(super) fn spread(done: Vec<DoneCopy>, copies: usize) -> Vec<DoneCopy> {
    let [DoneCopy { elapsed, report }] = &done[..] else { return done };
    let processor_s = report.processor_s / copies as f64;
    let report = || Report { digest: report.digest.clone(), processor_s };
    (0..copies).map(|_| DoneCopy { elapsed: *elapsed, report: report() }).collect()
}

/// How long copies had to wait for their processors.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Waits {
    copies: Vec<CopyTime>,
}

/// The time of a copy over one or more rounds.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct CopyTime {
    elapsed_s: f64,
    processor_s: f64,
    /// How long it would have taken if nothing else had its processor: its processor time, times the copies that
    /// share the processor, or a quota.
    alone_s: f64,
}

impl Waits {
    /// Those of the copies of a round on `places` processors, over which they are spread in turn, and which may
    /// use the time of `quota` processors together.
    pub(super) fn of(copies: &[DoneCopy], places: usize, quota: Option<f64>) -> Self {
        let places = places.max(1);
        let least = quota.map_or(1.0, |quota| copies.len() as f64 / quota);
        let time = |(number, copy): (usize, &DoneCopy)| {
            let sharing = (copies.len() - number % places).div_ceil(places);
            let processor_s = copy.report.processor_s;
            CopyTime {
                elapsed_s: copy.elapsed.as_secs_f64(),
                processor_s,
                alone_s: least.max(sharing as f64) * processor_s,
            }
        };
        Self { copies: copies.iter().enumerate().map(time).collect() }
    }

    /// Those of several rounds.
    pub(super) fn sum<'a>(rounds: impl Iterator<Item = &'a Self>) -> Self {
        let mut sum = Self::default();
        for round in rounds {
            sum.copies.resize(round.copies.len(), CopyTime::default());
            for (sum, once) in sum.copies.iter_mut().zip(&round.copies) {
                sum.elapsed_s += once.elapsed_s;
                sum.processor_s += once.processor_s;
                sum.alone_s += once.alone_s;
            }
        }
        sum
    }

    /// Tells them of the workers of what was seen in their rounds.
    pub(super) fn tell(self, seen: &mut Observation) {
        let waited_s: f64 = self.copies.iter().map(|copy| copy.elapsed_s - copy.alone_s).sum();
        let copies = self.copies.len().max(1) as f64;
        seen.waits.workers_s = Some(waited_s.max(0.0) / copies);
        seen.workers_s = self.copies.iter().map(|copy| copy.processor_s).collect();
    }

    /// That something else had the processor of a copy for some of the time; the copy that waited longest counts.
    pub(super) fn warning(&self) -> Option<Warning> {
        let waited = |copy: &CopyTime| copy.elapsed_s / copy.alone_s.max(f64::MIN_POSITIVE);
        let times = self.copies.iter().map(waited).fold(0.0, f64::max);
        (times > TIMES_MAX)
            .then(|| Warning::CopiesWaited { disturbed_percent: 100.0 * (1.0 - 1.0 / times) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(copies: &[(f64, f64)], cpus: &[usize]) -> Option<Warning> {
        let copies: Vec<DoneCopy> = copies
            .iter()
            .map(|(elapsed_s, processor_s)| DoneCopy {
                elapsed: Nanos::from_secs_f64(*elapsed_s),
                report: Report { digest: None, processor_s: *processor_s },
            })
            .collect();
        Waits::of(&copies, cpus.len(), None).warning()
    }

    #[test]
    fn a_copy_that_waits_for_others_is_disturbed() {
        assert_eq!(waits(&[(1.0, 0.99)], &[0]), None);
        let Some(Warning::CopiesWaited { disturbed_percent }) = waits(&[(1.0, 0.8)], &[0]) else {
            panic!("a fifth of the time went elsewhere");
        };
        assert!((disturbed_percent - 20.0).abs() < 1e-6);
        assert_eq!(waits(&[(1.049, 1.0)], &[0]), None);
        assert!(waits(&[(1.051, 1.0)], &[0]).is_some());
        // One of several is enough.
        assert_eq!(waits(&[(1.0, 1.0), (1.0, 1.0), (1.0, 1.0)], &[0, 1, 2]), None);
        assert!(waits(&[(1.0, 1.0), (1.0, 1.0), (1.06, 1.0)], &[0, 1, 2]).is_some());
    }

    #[test]
    fn copies_that_share_a_processor_are_not() {
        // Three copies on two processors: the first and the third share one.
        assert_eq!(waits(&[(2.0, 1.0), (1.0, 1.0), (2.0, 1.0)], &[0, 1]), None);
        assert!(waits(&[(2.0, 1.0), (2.0, 1.0), (2.0, 1.0)], &[0, 1]).is_some());
    }

    #[test]
    fn a_quota_that_the_run_sets_is_no_disturbance() {
        let copies = |elapsed_s| {
            let report = || Report { digest: None, processor_s: 1.0 };
            let elapsed = Nanos::from_secs_f64(elapsed_s);
            [DoneCopy { elapsed, report: report() }, DoneCopy { elapsed, report: report() }]
        };
        // Half of a processor for two copies: each has a quarter.
        assert_eq!(Waits::of(&copies(4.0), 2, Some(0.5)).warning(), None);
        assert!(Waits::of(&copies(5.0), 2, Some(0.5)).warning().is_some());
        assert!(Waits::of(&copies(4.0), 2, None).warning().is_some());
        assert!(Waits::of(&copies(4.0), 2, Some(2.0)).warning().is_some(), "more than enough");
    }

    #[test]
    fn what_was_seen_has_the_copies_as_workers() {
        let copy = |processor_s| CopyTime { elapsed_s: 3.0, processor_s, alone_s: processor_s };
        let round = |processor_s: f64| Waits { copies: vec![copy(processor_s), copy(processor_s)] };
        let mut seen = Observation::default();
        Waits::sum([round(2.0), round(3.0)].iter()).tell(&mut seen);
        assert_eq!(seen.workers_s, [5.0, 5.0]);
        // Of 12 s that both took they had a processor for 10.
        assert_eq!(seen.waits.workers_s, Some(1.0));
    }
}
