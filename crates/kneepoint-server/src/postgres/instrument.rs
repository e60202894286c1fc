//! Measures points of business operations in a database: a connection and a thread for each warehouse.

use std::sync::Arc;

use kneepoint_core::measure::{Coordinator, Instrument, Observer, Outcome, Point, Stop};
use kneepoint_core::result::Warning;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed;

use super::books::Books;
use super::counter::DatabaseCounter;
use super::server_time::{ServerPlace, ServerWatch};
use crate::business::{Done, Trade};
use crate::crew::Crew;
use crate::instrument::observed;
use crate::testbed::{Surroundings, Watcher};

/// Warehouses in a database as an instrument.
pub(super) struct DatabaseInstrument<'a> {
    surroundings: &'a dyn Surroundings,
    /// Where; open once a point was prepared.
    pub(super) books: Option<Books>,
}

impl<'a> DatabaseInstrument<'a> {
    pub(super) const fn new(surroundings: &'a dyn Surroundings) -> Self {
        Self { surroundings, books: None }
    }

    /// What watches this machine.
    fn watch(&self, server: ServerPlace) -> Box<dyn Watcher> {
        let inner = self.surroundings.watch();
        match server {
            ServerPlace::Here(process) => Box::new(ServerWatch::new(inner, process)),
            ServerPlace::Elsewhere => inner,
        }
    }

    /// Measures a point on `books`.
    fn measure(
        &self,
        books: &mut Books,
        point: &Point<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Stop> {
        let work = point.series.profile.business();
        let work = work.ok_or_else(|| Fault::new("the work of the series is no business"))?;
        let warehouses = point.load.value as u32;
        let seed = seed::derive(point.seed(), "business", 0);
        let trade = Arc::new(Trade::new(warehouses, work.remote.fraction(), seed)?);
        books.fill(&trade, (warehouses, seed), observer)?;
        let before = books.balance()?.orders;
        let counters = (0..warehouses).map(|_| DatabaseCounter::open(books.link(), &trade));
        let counters = counters.collect::<Result<Vec<_>, Fault>>()?;
        let server = books.server()?;
        let mut overseer = Coordinator::new(point, observer);
        overseer.ready()?;
        let crew = Crew::start(counters, work, (point.plan.timing.interval, seed))?;
        let mut watcher = self.watch(server);
        let done = crew.oversee(&mut overseer, &mut *watcher)?;
        let measurement = overseer.finish()?;
        if done.failure.is_none() {
            books.balance()?.check_with(before + done.orders)?;
        }
        let outcome = observed(measurement, watcher);
        Ok(Outcome { warnings: warnings(&done), ..outcome })
    }
}

impl Instrument for DatabaseInstrument<'_> {
    fn run_point(
        &mut self,
        point: &Point<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Stop> {
        let mut books =
            self.books.take().ok_or_else(|| Fault::new("the database is not ready for a point"))?;
        let outcome = self.measure(&mut books, point, observer);
        self.books = Some(books);
        outcome
    }
}

/// What limits the trust in what was done.
fn warnings(done: &Done) -> Vec<Warning> {
    let retried = (done.retries > 0).then_some(Warning::TransactionsRetried {
        retries: done.retries,
        transactions: done.transactions,
    });
    let failed =
        done.failure.as_ref().map(|fault| Warning::TransactionFailed { first: fault.to_string() });
    retried.into_iter().chain(failed).collect()
}
