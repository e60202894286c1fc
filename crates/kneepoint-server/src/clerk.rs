//! A clerk: a thread that does one operation after the other, and what it does them with.

use kneepoint_core::load::drive::Flow;
use kneepoint_core::load::record::interval::IntervalRecord;
use kneepoint_core::load::record::recorder::{Completed, Recorder};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed::{self, Rng};
use kneepoint_core::words::units::{Nanos, Percent};

use crate::business::below;

/// Shares are drawn in parts of this.
const WHOLE: u64 = 1 << 32;

/// Where a clerk does operations: a company in memory, a connection to a database, or files.
pub(crate) trait Counter {
    /// The kinds of operations, each a response class.
    type Kind: Copy + PartialEq;

    /// Names a clerk by its number: `warehouse 3`.
    const CLERK: &'static str;

    /// What helps if there are too many clerks.
    const FEWER: &'static str;

    /// What is done when `drawn` is to be done; the same, unless there is nothing to do it with.
    fn turn(&self, drawn: Self::Kind) -> Self::Kind {
        drawn
    }

    /// Does an operation for clerk `at.0`; gives how often it had to begin again because another clerk changed
    /// the same at the same time.
    ///
    /// # Errors
    /// When it cannot be done at all: the clerk ends.
    fn transact(&mut self, kind: Self::Kind, at: (u32, &mut Rng)) -> Result<u32, Fault>;
}

/// One thread's part of a point.
#[derive(Debug)]
pub(crate) struct Clerk<K> {
    /// Its number.
    home: u32,
    /// The target that it works on.
    target: u32,
    rng: Rng,
    /// Operations by class, with the ends of their shares in parts of [`WHOLE`].
    mix: Vec<(K, u64)>,
}

/// What clerks did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Done {
    /// Operations of each class.
    pub(crate) counts: Vec<u64>,
    /// How often one of them had to begin again.
    pub(crate) retries: u64,
    /// Why one of them could not go on.
    pub(crate) failure: Option<Fault>,
}

impl Done {
    /// The same with what another clerk did.
    pub(crate) fn and(self, other: Self) -> Self {
        let classes = self.counts.len().max(other.counts.len());
        let count = |class: usize| self.count_of(class) + other.count_of(class);
        Self {
            counts: (0..classes).map(count).collect(),
            retries: self.retries + other.retries,
            failure: self.failure.or(other.failure),
        }
    }

    /// Operations of all classes.
    pub(crate) fn operations(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Operations of one class.
    pub(crate) fn count_of(&self, class: usize) -> u64 {
        self.counts.get(class).copied().unwrap_or(0)
    }
}

impl<K: Copy + PartialEq> Clerk<K> {
    /// Clerk number `home` of target `target`, who does operations in these shares.
    pub(crate) fn new(
        shares: impl IntoIterator<Item = (K, Percent)>,
        (home, target): (u32, u32),
        seed: u64,
    ) -> Self {
        let mut end = 0.0;
        let mix = shares.into_iter().map(|(kind, share)| {
            end += share.fraction();
            (kind, (end * WHOLE as f64) as u64)
        });
        let rng = seed::rng(seed::derive(seed, "clerk", u64::from(home)));
        Self { home, target, rng, mix: mix.collect() }
    }

    /// Works from the time that `now` says on, in intervals of `interval`, until `hand_on` has
    /// had enough of them or an operation fails. `now` tells the time since the start of the point.
    pub(crate) fn work<C: Counter<Kind = K>>(
        &mut self,
        counter: &mut C,
        (interval, now): (Nanos, impl Fn() -> Nanos),
        mut hand_on: impl FnMut(IntervalRecord) -> Flow,
    ) -> Done {
        let target = self.target;
        let mut recorder = Recorder::new(target..target + 1, self.mix.len());
        let mut done = Done { counts: vec![0; self.mix.len()], ..Done::default() };
        let mut begun = now();
        let mut end = interval;
        loop {
            let (class, kind) = self.draw(counter);
            match counter.transact(kind, (self.home, &mut self.rng)) {
                Ok(retries) => done.retries += u64::from(retries),
                Err(fault) => return Done { failure: Some(fault), ..done },
            }
            done.counts[class] += 1;
            let ended = now();
            let latency = ended.since(begun);
            let is_over = ended >= end;
            while ended >= end {
                if hand_on(recorder.close()) == Flow::Stop {
                    return done;
                }
                end = end + interval;
            }
            recorder.complete(Completed { target, class, bytes: 0, latency, lag: Nanos::ZERO });
            // What it takes to be heard is no part of the next operation.
            begun = if is_over { now() } else { ended };
        }
    }

    /// The next operation, with its class.
    fn draw<C: Counter<Kind = K>>(&mut self, counter: &C) -> (usize, K) {
        let drawn = below(&mut self.rng, WHOLE);
        let last = self.mix.len() - 1;
        let class = self.mix.iter().position(|(_, end)| drawn < *end).unwrap_or(last);
        let kind = counter.turn(self.mix[class].0);
        let is_kind = |(known, _): &(K, u64)| *known == kind;
        (self.mix.iter().position(is_kind).unwrap_or(class), kind)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use std::sync::Arc;

    use kneepoint_core::spec::catalog;
    use kneepoint_core::spec::profile::{BusinessWork, SeriesProfile, Transaction};

    use super::*;
    use crate::business::{Company, CompanyCounter};

    fn shipped() -> BusinessWork {
        match catalog::profile("business-operations").unwrap().resolve(None).unwrap() {
            SeriesProfile::Business(work) => work,
            other => panic!("{other:?}"),
        }
    }

    fn clerk() -> Clerk<Transaction> {
        Clerk::new(shipped().transactions.iter().map(|part| (part.kind, part.share)), (0, 0), 1)
    }

    #[test]
    fn transactions_come_in_their_shares_and_are_timed_alone() {
        let company = Arc::new(Company::new(1, 0.0, 1).unwrap());
        let before = company.balance().orders;
        let mut counter = CompanyCounter::of(&company);
        // A clock that moves on by 1 us with each look.
        let micros = Cell::new(0);
        let now = || {
            micros.set(micros.get() + 1);
            Nanos(1_000 * micros.get())
        };
        let mut records = Vec::new();
        let mut clerk = clerk();
        let done = clerk.work(&mut counter, (Nanos::from_millis(10), now), |record| {
            records.push(record);
            if records.len() == 4 { Flow::Stop } else { Flow::Continue }
        });
        let counts = |class: usize| -> u64 {
            records.iter().map(|record| record.classes[class].operations).sum()
        };
        let all: u64 = (0..6).map(counts).sum();
        // 40 ms of 1 us each, less the look before the first, what ends with the last interval, and a look
        // after each of the three that were handed on.
        assert_eq!(all, 39_995);
        for (class, part) in shipped().transactions.iter().enumerate() {
            let share = counts(class) as f64 / all as f64;
            assert!((share - part.share.fraction()).abs() < 0.01, "{part:?}: {share}");
        }
        let total = records.iter().map(|record| record.total().latency_ns_mean());
        assert!(total.into_iter().all(|mean| mean == 1_000.0));
        assert_eq!(company.balance().orders, before + done.count_of(0));
        assert!(done.count_of(0).abs_diff(counts(0)) <= 1, "the last one ends after the interval");
    }

    /// Every third transaction begins twice again; the tenth fails.
    struct Stubborn(u64);

    impl Counter for Stubborn {
        type Kind = Transaction;
        const CLERK: &'static str = "warehouse";
        const FEWER: &'static str = "use fewer";

        fn transact(&mut self, _kind: Transaction, _at: (u32, &mut Rng)) -> Result<u32, Fault> {
            self.0 += 1;
            match self.0 {
                10 => Err(Fault::new("no more")),
                count if count.is_multiple_of(3) => Ok(2),
                _ => Ok(0),
            }
        }
    }

    #[test]
    fn a_clerk_ends_with_the_transaction_that_fails_and_tells_what_began_again() {
        let mut clerk = clerk();
        let now = || Nanos(1);
        let done = clerk.work(&mut Stubborn(0), (Nanos::from_millis(10), now), |_| Flow::Continue);
        assert_eq!((done.operations(), done.retries), (9, 6));
        assert_eq!(done.failure, Some(Fault::new("no more")));
        let both = done.clone().and(Done { counts: vec![1], ..done.clone() });
        assert_eq!((both.operations(), both.count_of(0)), (10, done.count_of(0) + 1));
    }
}
