//! A clerk: the thread of a warehouse, which does one transaction after the other.

use std::sync::Arc;

use kneepoint_core::load::drive::Flow;
use kneepoint_core::load::record::interval::IntervalRecord;
use kneepoint_core::load::record::recorder::{Completed, Recorder};
use kneepoint_core::spec::profile::{BusinessWork, Transaction};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed::{self, Rng};
use kneepoint_core::words::units::Nanos;

use super::company::Company;
use super::warehouse::{LINES_MAX, Line, below};

/// Shares are drawn in parts of this.
const WHOLE: u64 = 1 << 32;

/// Where a clerk does transactions: a company in memory, or a connection to a database.
pub(crate) trait Counter {
    /// Does a transaction for a customer of warehouse `home`; gives how often it had to begin again because
    /// another clerk changed the same at the same time.
    ///
    /// # Errors
    /// When it cannot be done at all: the clerk ends.
    fn transact(&mut self, kind: Transaction, at: (u32, &mut Rng)) -> Result<u32, Fault>;
}

/// The counter of a company in memory.
#[derive(Debug)]
pub(crate) struct CompanyCounter {
    company: Arc<Company>,
    /// Room for the lines of an order.
    lines: Vec<Line>,
}

impl CompanyCounter {
    /// A counter of `company`.
    pub(crate) fn of(company: &Arc<Company>) -> Self {
        Self { company: Arc::clone(company), lines: Vec::with_capacity(LINES_MAX) }
    }
}

impl Counter for CompanyCounter {
    fn transact(&mut self, kind: Transaction, at: (u32, &mut Rng)) -> Result<u32, Fault> {
        self.company.transact(kind, at, &mut self.lines);
        Ok(0)
    }
}

/// One thread's part of a point.
#[derive(Debug)]
pub(crate) struct Clerk {
    home: u32,
    rng: Rng,
    /// Transactions by class, with the ends of their shares in parts of [`WHOLE`].
    mix: Vec<(Transaction, u64)>,
}

/// What clerks did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Done {
    /// Orders that they took.
    pub(crate) orders: u64,
    /// Transactions that they did.
    pub(crate) transactions: u64,
    /// How often one of them had to begin again.
    pub(crate) retries: u64,
    /// Why one of them could not go on.
    pub(crate) failure: Option<Fault>,
}

impl Done {
    /// The same with what another clerk did.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            orders: self.orders + other.orders,
            transactions: self.transactions + other.transactions,
            retries: self.retries + other.retries,
            failure: self.failure.or(other.failure),
        }
    }
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
        Self { home, rng, mix: mix.collect() }
    }

    /// Works from the time that `now` says on, in intervals of `interval`, until `hand_on` has
    /// had enough of them or a transaction fails. `now` tells the time since the start of the point.
    pub(crate) fn work(
        &mut self,
        counter: &mut impl Counter,
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
            match counter.transact(kind, (self.home, &mut self.rng)) {
                Ok(retries) => done.retries += u64::from(retries),
                Err(fault) => return Done { failure: Some(fault), ..done },
            }
            done.transactions += 1;
            done.orders += u64::from(kind == Transaction::NewOrder);
            let ended = now();
            let latency = ended.since(begun);
            let is_over = ended >= end;
            while ended >= end {
                if hand_on(recorder.close()) == Flow::Stop {
                    return done;
                }
                end = end + interval;
            }
            recorder.complete(Completed { target: 0, class, bytes: 0, latency, lag: Nanos::ZERO });
            // What it takes to be heard is no part of the next transaction.
            begun = if is_over { now() } else { ended };
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
        let mut clerk = Clerk::new(&shipped(), 0, 1);
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
        assert_eq!(company.balance().orders, before + done.orders);
        assert!(done.orders.abs_diff(counts(0)) <= 1, "the last one ends after the interval");
    }

    /// Every third transaction begins twice again; the tenth fails.
    struct Stubborn(u64);

    impl Counter for Stubborn {
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
        let mut clerk = Clerk::new(&shipped(), 0, 1);
        let now = || Nanos(1);
        let done = clerk.work(&mut Stubborn(0), (Nanos::from_millis(10), now), |_| Flow::Continue);
        assert_eq!((done.transactions, done.retries), (9, 6));
        assert_eq!(done.failure, Some(Fault::new("no more")));
        let both = done.clone().and(Done { orders: 1, ..done.clone() });
        assert_eq!((both.transactions, both.orders), (18, done.orders + 1));
    }
}
