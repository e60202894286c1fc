//! A clerk: the thread of a warehouse, which does one transaction after the other.

use kneepoint_core::load::drive::Flow;
use kneepoint_core::load::record::interval::IntervalRecord;
use kneepoint_core::load::record::recorder::{Completed, Recorder};
use kneepoint_core::spec::profile::{BusinessWork, Transaction};
use kneepoint_core::words::seed::{self, Rng};
use kneepoint_core::words::units::Nanos;

use super::company::Company;
use super::warehouse::{LINES_MAX, Line, below};

/// Shares are drawn in parts of this.
const WHOLE: u64 = 1 << 32;

/// One thread's part of a point.
#[derive(Debug)]
pub(crate) struct Clerk {
    home: u32,
    rng: Rng,
    /// Transactions by class, with the ends of their shares in parts of [`WHOLE`].
    mix: Vec<(Transaction, u64)>,
    lines: Vec<Line>,
}

/// What a clerk did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Done {
    /// Orders that it took.
    pub(crate) orders: u64,
}

impl Clerk {
    /// The clerk of warehouse `home`.
    pub(crate) fn new(work: &BusinessWork, home: u32, seed: u64) -> Self {
        let mut end = 0.0;
        let mix = work.transactions.iter().map(|part| {
            end += part.share.fraction();
            (part.kind, (end * WHOLE as f64) as u64)
        });
        let rng = seed::rng(seed::derive(seed, "clerk", u64::from(home)));
        Self { home, rng, mix: mix.collect(), lines: Vec::with_capacity(LINES_MAX) }
    }

    /// Works from the time that `now` says on, in intervals of `interval`, until `hand_on` has
    /// had enough of them. `now` tells the time since the start of the point.
    pub(crate) fn work(
        &mut self,
        company: &Company,
        (interval, now): (Nanos, impl Fn() -> Nanos),
        mut hand_on: impl FnMut(IntervalRecord) -> Flow,
    ) -> Done {
        let mut recorder = Recorder::new(0..1, self.mix.len());
        let mut done = Done::default();
        let mut begun = now();
        let mut end = interval;
        loop {
            let class = self.draw();
            let kind = self.mix[class].0;
            company.transact(kind, (self.home, &mut self.rng), &mut self.lines);
            done.orders += u64::from(kind == Transaction::NewOrder);
            let ended = now();
            while ended >= end {
                if hand_on(recorder.close()) == Flow::Stop {
                    return done;
                }
                end = end + interval;
            }
            let latency = ended.since(begun);
            recorder.complete(Completed { target: 0, class, bytes: 0, latency, lag: Nanos::ZERO });
            begun = ended;
        }
    }

    /// The class of the next transaction.
    fn draw(&mut self) -> usize {
        let drawn = below(&mut self.rng, WHOLE);
        let last = self.mix.len() - 1;
        self.mix.iter().position(|(_, end)| drawn < *end).unwrap_or(last)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use kneepoint_core::spec::catalog;
    use kneepoint_core::spec::profile::SeriesProfile;

    use super::*;

    fn shipped() -> BusinessWork {
        match catalog::profile("business-operations").unwrap().resolve(None).unwrap() {
            SeriesProfile::Business(work) => work,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn transactions_come_in_their_shares_and_are_timed_without_gaps() {
        let company = Company::new(1, 0.0, 1).unwrap();
        let before = company.balance().orders;
        // A clock that moves on by 1 us with each look.
        let micros = Cell::new(0);
        let now = || {
            micros.set(micros.get() + 1);
            Nanos(1_000 * micros.get())
        };
        let mut records = Vec::new();
        let done =
            Clerk::new(&shipped(), 0, 1).work(&company, (Nanos::from_millis(10), now), |record| {
                records.push(record);
                if records.len() == 4 { Flow::Stop } else { Flow::Continue }
            });
        let counts = |class: usize| -> u64 {
            records.iter().map(|record| record.classes[class].operations).sum()
        };
        let all: u64 = (0..6).map(counts).sum();
        // 40 ms of 1 us each, less the look before the first, and what ends with the last interval.
        assert_eq!(all, 39_998);
        for (class, part) in shipped().transactions.iter().enumerate() {
            let share = counts(class) as f64 / all as f64;
            assert!((share - part.share.fraction()).abs() < 0.01, "{part:?}: {share}");
        }
        let total = records.iter().map(|record| record.total().latency_ns_mean());
        assert!(total.into_iter().all(|mean| mean == 1_000.0));
        assert_eq!(company.balance().orders, before + done.orders);
        assert!(done.orders.abs_diff(counts(0)) <= 1, "the last one ends after the interval");
    }
}
