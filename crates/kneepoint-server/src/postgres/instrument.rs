//! Measures points of business operations in a database: a connection and a thread for each warehouse.

use std::sync::Arc;

use kneepoint_core::measure::{Coordinator, Instrument, Observer, Outcome, Point, Stop};
use kneepoint_core::result::Warning;
use kneepoint_core::words::fault::Fault;

use super::books::Books;
use super::counter::DatabaseCounter;
use super::server_time::{ServerPlace, ServerProcess, ServerWatch};
use crate::business::Trade;
use crate::clerk::Done;
use crate::instrument::Job;
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
            ServerPlace::Here(process) => {
                let used = move || process.and_then(ServerProcess::used);
                Box::new(ServerWatch::new(inner, used))
            }
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
        let job = Job::of(point)?;
        let trade = Trade::new(job.warehouses, job.work.remote.fraction(), job.seed)?;
        let trade = Arc::new(trade);
        books.fill(&trade, (job.warehouses, job.seed), observer)?;
        let before = books.balance()?.orders;
        let counters = (0..job.warehouses).map(|_| DatabaseCounter::open(books.link(), &trade));
        let counters = counters.collect::<Result<Vec<_>, Fault>>()?;
        let server = books.server()?;
        let overseer = Coordinator::new(point, observer);
        let (done, outcome) = job.run(counters, overseer, || self.watch(server))?;
        if done.failure.is_none() {
            books.balance()?.check_with(before + job.orders(&done))?;
        }
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
        transactions: done.operations(),
    });
    let failed =
        done.failure.as_ref().map(|fault| Warning::TransactionFailed { first: fault.to_string() });
    retried.into_iter().chain(failed).collect()
}
