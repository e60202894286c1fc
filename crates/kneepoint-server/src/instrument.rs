//! Measures points of business operations: a thread for each warehouse, all started together.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use kneepoint_core::load::drive::{Flow, Watch};
use kneepoint_core::load::record::interval::{IntervalRecord, Merger};
use kneepoint_core::measure::{Coordinator, Instrument, Observer, Outcome, Point, Stop};
use kneepoint_core::spec::profile::BusinessWork;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed;
use kneepoint_core::words::units::Nanos;

use crate::business::{Clerk, Company};
use crate::testbed::{Surroundings, Watcher};

/// Intervals of a clerk that wait to be heard; beyond them it waits itself.
const RECORDS_PER_CLERK: usize = 16;

/// How often whoever oversees the point looks around, at least.
const LOOK: Duration = Duration::from_millis(100);

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
        let work = point.series.profile.business();
        let work = work.ok_or_else(|| Fault::new("the work of the series is no business"))?;
        let warehouses = point.load.value as u32;
        let seed = seed::derive(point.seed(), "business", 0);
        let company = Arc::new(Company::new(warehouses, work.remote.fraction(), seed)?);
        let before = company.balance().orders;
        let mut overseer = Coordinator::new(point, observer);
        overseer.ready()?;
        let crew = Crew::start(&company, work, (point.plan.timing.interval, seed))?;
        let mut watcher = self.surroundings.watch();
        let oversight = crew.oversee(&mut overseer, &mut *watcher);
        let taken = oversight?;
        let measurement = overseer.finish()?;
        check(&company, before + taken)?;
        let counted = measurement.ramp_count * measurement.joined..usize::MAX;
        let joined = measurement.joined;
        let outcome = Outcome::new(measurement, &[]);
        Ok(match watcher.finish(counted) {
            Some((mut observation, cpu_percent)) => {
                let Range { start, end } = observation.window;
                observation.window = start.div_ceil(joined)..end / joined;
                Outcome { cpu_percent, observations: vec![observation], ..outcome }
            }
            None => outcome,
        })
    }
}

/// That the accounts agree with one another, and with the orders that the clerks took.
fn check(company: &Company, orders: u64) -> Result<(), Fault> {
    let balance = company.balance();
    balance.check()?;
    if balance.orders == orders {
        return Ok(());
    }
    Err(Fault::new("the business operations did not keep their accounts")
        .because(format!("{orders} orders were taken, and {} are in the books", balance.orders))
        .fix("this is an error of Kneepoint or of the machine's memory: report it"))
}

/// The clerks at work.
struct Crew {
    records: Receiver<IntervalRecord>,
    is_over: Arc<AtomicBool>,
    clerks: Vec<JoinHandle<u64>>,
}

impl Crew {
    /// Starts a clerk for each warehouse of `company`; they begin together.
    fn start(
        company: &Arc<Company>,
        work: &BusinessWork,
        (interval, seed): (Nanos, u64),
    ) -> Result<Self, Fault> {
        let count = company.warehouse_count();
        let (sender, records) = sync_channel(RECORDS_PER_CLERK * count);
        let mut crew = Self { records, is_over: Arc::default(), clerks: Vec::with_capacity(count) };
        let start = Arc::new(RwLock::new(()));
        let closed = start.write().unwrap_or_else(PoisonError::into_inner);
        for home in 0..count as u32 {
            let desk = Desk {
                clerk: Clerk::new(work, home, seed),
                company: Arc::clone(company),
                interval,
                sender: sender.clone(),
                is_over: Arc::clone(&crew.is_over),
                start: Arc::clone(&start),
            };
            let thread = thread::Builder::new().name(format!("warehouse-{home}"));
            let spawned = thread.spawn(|| desk.work()).map_err(|error| {
                crew.is_over.store(true, Ordering::Relaxed);
                Fault::new(format!("cannot start the clerk of warehouse {home}"))
                    .because(format!("no thread can be started: {error}"))
                    .fix("use fewer --warehouses, or raise the limit of processes (ulimit -u)")
            });
            crew.clerks.push(spawned?);
        }
        drop(closed);
        Ok(crew)
    }

    /// Merges what the clerks did until enough was seen; gives the orders that they took.
    fn oversee(
        self,
        overseer: &mut Coordinator<'_>,
        watcher: &mut dyn Watcher,
    ) -> Result<u64, Stop> {
        let mut merger = Merger::new(self.clerks.len(), 1);
        let (mut last_look, mut last_record) = (Instant::now(), Instant::now());
        watcher.read(0);
        let mut flow = Flow::Continue;
        while flow == Flow::Continue {
            match self.records.recv_timeout(LOOK) {
                Ok(record) => {
                    last_record = Instant::now();
                    for whole in merger.push(record) {
                        let ended = whole.index as usize + 1;
                        if flow == Flow::Continue {
                            flow = overseer.interval(whole);
                        }
                        watcher.read(ended);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if flow == Flow::Continue && last_look.elapsed() >= LOOK {
                last_look = Instant::now();
                let quiet = last_record.elapsed().as_nanos();
                flow = overseer.look(Nanos(u64::try_from(quiet).unwrap_or(u64::MAX)));
            }
        }
        Ok(self.end()?)
    }

    /// Lets the clerks end; gives the orders that they took.
    fn end(self) -> Result<u64, Fault> {
        self.is_over.store(true, Ordering::Relaxed);
        // Clerks that wait to be heard go on once no one listens.
        drop(self.records);
        let mut orders = 0;
        for clerk in self.clerks {
            let taken = clerk.join().map_err(|_| {
                Fault::new("a clerk of a warehouse has failed").fix("report this error")
            })?;
            orders += taken;
        }
        Ok(orders)
    }
}

/// A clerk with all that it needs.
struct Desk {
    clerk: Clerk,
    company: Arc<Company>,
    interval: Nanos,
    sender: SyncSender<IntervalRecord>,
    is_over: Arc<AtomicBool>,
    /// Locked until all of them are there.
    start: Arc<RwLock<()>>,
}

impl Desk {
    /// Works until the point is over; gives the orders that it took.
    fn work(mut self) -> u64 {
        drop(self.start.read());
        let begun = Instant::now();
        let now = || Nanos(u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX));
        let (sender, is_over) = (self.sender, self.is_over);
        let hand_on = |record| match sender.send(record) {
            Ok(()) if !is_over.load(Ordering::Relaxed) => Flow::Continue,
            _ => Flow::Stop,
        };
        self.clerk.work(&self.company, (self.interval, now), hand_on).orders
    }
}
