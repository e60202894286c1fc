//! Measures points of business operations in memory, and what such points have in common wherever they are.

use std::ops::Range;
use std::sync::Arc;

use kneepoint_core::measure::measurement::Measurement;
use kneepoint_core::measure::{Coordinator, Instrument, Observer, Outcome, Point, Stop};
use kneepoint_core::spec::profile::{BusinessWork, Transaction};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed;
use kneepoint_core::words::units::Nanos;

use crate::business::{Company, CompanyCounter};
use crate::clerk::{Clerk, Counter, Done};
use crate::crew::Crew;
use crate::testbed::{Surroundings, Watcher};

/// The business operations of a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) work: &'a BusinessWork,
    pub(crate) warehouses: u32,
    pub(crate) seed: u64,
    interval: Nanos,
}

impl<'a> Job<'a> {
    /// Those of `point`.
    ///
    /// # Errors
    /// When its work is another one.
    pub(crate) fn of(point: &Point<'a>) -> Result<Self, Fault> {
        let work = point.series.profile.business();
        Ok(Self {
            work: work.ok_or_else(|| Fault::new("the work of the series is no business"))?,
            warehouses: point.load.value as u32,
            seed: seed::derive(point.seed(), "business", 0),
            interval: point.plan.timing.interval,
        })
    }

    /// Does them at `counters`, one for each warehouse, until `overseer` has seen enough; `watch` begins to
    /// watch the machine.
    ///
    /// # Errors
    /// When the point cannot be measured, or is not to be.
    pub(crate) fn run<C: Counter<Kind = Transaction> + Send + 'static>(
        self,
        counters: Vec<C>,
        mut overseer: Coordinator<'_>,
        watch: impl FnOnce() -> Box<dyn Watcher>,
    ) -> Result<(Done, Outcome), Stop> {
        overseer.ready()?;
        let shares = self.work.transactions.iter().map(|part| (part.kind, part.share));
        let clerk = |home| Clerk::new(shares.clone(), (home, 0), self.seed);
        let desks = (0..).map(clerk).zip(counters).collect();
        let crew = Crew::start(desks, 1, self.interval)?;
        let mut watcher = watch();
        let done = crew.oversee(&mut overseer, &mut *watcher)?;
        Ok((done, observed(overseer.finish()?, watcher)))
    }

    /// The orders in what was `done`.
    pub(crate) fn orders(&self, done: &Done) -> u64 {
        let is_order = |kind: &Transaction| *kind == Transaction::NewOrder;
        let class = self.work.transactions.iter().position(|part| is_order(&part.kind));
        class.map_or(0, |class| done.count_of(class))
    }
}

/// Warehouses in memory as an instrument.
pub(crate) struct BusinessInstrument<'a> {
    surroundings: &'a dyn Surroundings,
}

impl<'a> BusinessInstrument<'a> {
    /// An instrument on a machine that `surroundings` watch.
    pub(crate) const fn new(surroundings: &'a dyn Surroundings) -> Self {
        Self { surroundings }
    }
}

impl Instrument for BusinessInstrument<'_> {
    fn run_point(
        &mut self,
        point: &Point<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Stop> {
        let job = Job::of(point)?;
        let company = Arc::new(Company::new(job.warehouses, job.work.remote.fraction(), job.seed)?);
        let before = company.balance().orders;
        let counters = (0..job.warehouses).map(|_| CompanyCounter::of(&company)).collect();
        let overseer = Coordinator::new(point, observer);
        let (done, outcome) = job.run(counters, overseer, || self.surroundings.watch())?;
        company.balance().check_with(before + job.orders(&done))?;
        Ok(outcome)
    }
}

/// What was measured, with what was seen meanwhile.
pub(crate) fn observed(measurement: Measurement, watcher: Box<dyn Watcher>) -> Outcome {
    observed_in(measurement, watcher, None)
}

/// The same if someone who oversees the point from elsewhere says which of its intervals count.
pub(crate) fn observed_in(
    measurement: Measurement,
    watcher: Box<dyn Watcher>,
    counted: Option<Range<usize>>,
) -> Outcome {
    // Whoever does so joins intervals as well.
    let joined = if counted.is_some() { 1 } else { measurement.joined };
    let counted = counted.unwrap_or(measurement.ramp_count * joined..usize::MAX);
    let outcome = Outcome::new(measurement, &[]);
    match watcher.finish(counted) {
        Some((mut observation, cpu_percent)) => {
            let Range { start, end } = observation.window;
            observation.window = start.div_ceil(joined)..end / joined;
            Outcome { cpu_percent, observations: vec![observation], ..outcome }
        }
        None => outcome,
    }
}
