//! Clocks of agents against that of the controller.
//!
//! Only monotonic clocks are compared, and none is set. Of several exchanges the one with the smallest
//! delay counts: the reading at the other end was taken somewhere between sending and receiving, so half
//! of the delay bounds the error (Cristian, Probabilistic clock synchronization, 1989).

use kneepoint_core::result::{ClockDrift, ClockOffset};
use kneepoint_core::words::units::Nanos;

/// An exchange: sent, read there, received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reading {
    /// When it was asked for, by the clock here.
    pub(super) sent: Nanos,
    /// What the clock there said.
    pub(super) there: Nanos,
    /// When that came in, by the clock here.
    pub(super) received: Nanos,
}

impl Reading {
    /// Time between sending and receiving.
    pub(super) fn delay(self) -> Nanos {
        self.received.since(self.sent)
    }
}

/// How far a clock is ahead of that of the controller, and how well that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Offset {
    ahead_ns: i128,
    /// Largest error.
    pub(super) bound: Nanos,
}

impl Offset {
    /// The offset from the quickest of `readings`; `None` without any.
    pub(super) fn of(readings: &[Reading]) -> Option<Self> {
        let quickest = readings.iter().min_by_key(|reading| reading.delay())?;
        let middle = i128::from(quickest.sent.0) + i128::from(quickest.delay().0) / 2;
        let bound = Nanos(quickest.delay().0.div_ceil(2));
        Some(Self { ahead_ns: i128::from(quickest.there.0) - middle, bound })
    }

    /// What the other clock says when the one here says `here`.
    pub(super) fn there(self, here: Nanos) -> Nanos {
        let there = i128::from(here.0) + self.ahead_ns;
        Nanos(u64::try_from(there.max(0)).unwrap_or(u64::MAX))
    }

    /// The same for the environment.
    pub(super) fn result(self) -> ClockOffset {
        ClockOffset { offset_us: self.ahead_ns as f64 / 1e3, bound_us: self.bound.0 as f64 / 1e3 }
    }
}

/// A clock is watched for so long before it is said how fast it runs.
const WATCHED_MIN: Nanos = Nanos::from_secs(5);

/// A clock as it was compared last, and how fast it runs since it was compared first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct WatchedClock {
    /// The last comparison.
    pub(super) offset: Offset,
    /// When it was first compared well, by the clock here, and how far it was ahead then.
    first: Option<(Nanos, Offset)>,
    /// The time between the first comparison and the last.
    watched: Nanos,
}

impl WatchedClock {
    /// A clock that was compared in passing: good enough to say when commands expire.
    pub(super) fn glanced_at(offset: Offset) -> Self {
        Self { offset, ..Self::default() }
    }

    /// Takes a comparison that was made `now`.
    pub(super) fn compare(&mut self, offset: Offset, now: Nanos) {
        let (since, _) = *self.first.get_or_insert((now, offset));
        (self.offset, self.watched) = (offset, now.since(since));
    }

    /// How much too fast it runs, once it was watched for long enough.
    pub(super) fn drift(&self) -> Option<ClockDrift> {
        let (_, first) = self.first.filter(|_| self.watched >= WATCHED_MIN)?;
        let seconds = self.watched.as_secs_f64();
        let us = |ns: f64| ns / 1e3;
        Some(ClockDrift {
            ppm: us((self.offset.ahead_ns - first.ahead_ns) as f64) / seconds,
            bound_ppm: us((self.offset.bound.0 + first.bound.0) as f64) / seconds,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever the delays there and back, the error is within the bound.
        #[test]
        fn the_bound_holds(
            ahead in -1_000_000_000i64..1_000_000_000,
            delays in proptest::collection::vec((0u64..10_000_000, 0u64..10_000_000), 1..16),
        ) {
            let readings: Vec<Reading> = delays.iter().enumerate().map(|(number, (to, back))| {
                let sent = 10_000_000_000 + 50_000_000 * number as u64;
                let there = (sent + to).checked_add_signed(ahead).unwrap();
                Reading { sent: Nanos(sent), there: Nanos(there), received: Nanos(sent + to + back) }
            }).collect();
            let offset = Offset::of(&readings).unwrap();
            let at = Nanos(20_000_000_000);
            let truth = at.0.checked_add_signed(ahead).unwrap();
            prop_assert!(offset.there(at).0.abs_diff(truth) <= offset.bound.0 + 1);
        }
    }

    #[test]
    fn a_clock_runs_as_fast_as_it_gets_ahead() {
        let offset = |ahead_ns, bound| Offset { ahead_ns, bound: Nanos(bound) };
        let mut clock = WatchedClock::glanced_at(offset(7, 0));
        clock.compare(offset(1_000_000, 20_000), Nanos::from_secs(100));
        assert_eq!((clock.offset, clock.drift()), (offset(1_000_000, 20_000), None));
        clock.compare(offset(1_900_000, 30_000), Nanos::from_secs(104));
        assert_eq!(clock.drift(), None, "four seconds say little");
        clock.compare(offset(500_000, 30_000), Nanos::from_secs(110));
        assert_eq!(clock.drift(), Some(ClockDrift { ppm: -50.0, bound_ppm: 5.0 }));
    }

    #[test]
    fn the_quickest_exchange_counts() {
        let reading = |sent, there, received| Reading {
            sent: Nanos(sent),
            there: Nanos(there),
            received: Nanos(received),
        };
        let offset = Offset::of(&[reading(0, 700, 1000), reading(2000, 2110, 2020)]).unwrap();
        assert_eq!((offset.there(Nanos(5000)), offset.bound), (Nanos(5100), Nanos(10)));
        assert_eq!(Offset::of(&[]), None);
    }
}
