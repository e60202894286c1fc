//! The clerks of a point: a thread for each, all started together.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use kneepoint_core::load::drive::{Flow, Watch};
use kneepoint_core::load::record::interval::{IntervalRecord, Merger};
use kneepoint_core::measure::{Coordinator, Stop};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use crate::clerk::{Clerk, Counter, Done};
use crate::testbed::Watcher;

/// Intervals of a clerk that wait to be heard; beyond them it waits itself.
const RECORDS_PER_CLERK: usize = 16;

/// How often whoever oversees the point looks around, at least.
const LOOK: Duration = Duration::from_millis(100);

/// Looks without a word of any clerk after which the point ends: a minute. They are counted, so that a
/// program that was stopped for long and goes on does not blame its clerks.
const SILENT_LOOKS_MAX: u32 = 600;

/// How often it is looked at the end whether all clerks have ended.
const LAST_LOOK: Duration = Duration::from_millis(5);

/// Looks for which they are waited for, half a minute: what they are about may take long.
const LAST_LOOKS_MAX: u32 = 6_000;

/// The clerks at work.
pub(crate) struct Crew {
    records: Receiver<IntervalRecord>,
    is_over: Arc<AtomicBool>,
    clerks: Vec<JoinHandle<Done>>,
    /// Targets that they work on.
    target_count: usize,
}

impl Crew {
    /// Starts each of the clerks on `target_count` targets, with its counter; they begin together.
    pub(crate) fn start<C>(
        desks: Vec<(Clerk<C::Kind>, C)>,
        target_count: usize,
        interval: Nanos,
    ) -> Result<Self, Fault>
    where
        C: Counter + Send + 'static,
        C::Kind: Send,
    {
        let count = desks.len();
        let (sender, records) = sync_channel(RECORDS_PER_CLERK * count);
        let (is_over, clerks) = (Arc::default(), Vec::with_capacity(count));
        let mut crew = Self { records, is_over, clerks, target_count };
        let start = Arc::new(RwLock::new(Instant::now()));
        let mut epoch = start.write().unwrap_or_else(PoisonError::into_inner);
        for (number, (clerk, counter)) in desks.into_iter().enumerate() {
            let desk = Desk {
                clerk,
                counter,
                interval,
                sender: sender.clone(),
                is_over: Arc::clone(&crew.is_over),
                start: Arc::clone(&start),
            };
            let thread = thread::Builder::new().name(format!("clerk-{number}"));
            let spawned = thread.spawn(|| desk.work()).map_err(|error| {
                crew.is_over.store(true, Ordering::Relaxed);
                Fault::new(format!("cannot start the thread of {} {number}", C::CLERK))
                    .because(format!("no thread can be started: {error}"))
                    .fix(C::FEWER)
            });
            crew.clerks.push(spawned?);
        }
        *epoch = Instant::now();
        drop(epoch);
        Ok(crew)
    }

    /// Merges what the clerks did until enough was seen or one of them fails; gives what they did.
    pub(crate) fn oversee(
        self,
        overseer: &mut Coordinator<'_>,
        watcher: &mut dyn Watcher,
    ) -> Result<Done, Stop> {
        let mut merger = Merger::new(self.clerks.len(), self.target_count);
        let (mut last_look, mut last_record) = (Instant::now(), Instant::now());
        let mut silent_looks = 0;
        watcher.read(0);
        let mut flow = Flow::Continue;
        while flow == Flow::Continue {
            match self.records.recv_timeout(LOOK) {
                Ok(record) => {
                    (last_record, silent_looks) = (Instant::now(), 0);
                    for whole in merger.push(record) {
                        let ended = whole.index as usize + 1;
                        if flow == Flow::Continue {
                            flow = overseer.interval(whole);
                        }
                        watcher.read(ended);
                    }
                }
                Err(RecvTimeoutError::Timeout) => silent_looks += 1,
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if silent_looks > SILENT_LOOKS_MAX {
                break;
            }
            if flow == Flow::Continue && last_look.elapsed() >= LOOK {
                last_look = Instant::now();
                if self.clerks.iter().any(JoinHandle::is_finished) {
                    // It has failed: without it no interval is whole. The others end, too.
                    self.is_over.store(true, Ordering::Relaxed);
                }
                let quiet = last_record.elapsed().as_nanos();
                flow = overseer.look(Nanos(u64::try_from(quiet).unwrap_or(u64::MAX)));
            }
        }
        Ok(self.end()?)
    }

    /// Lets the clerks end; gives what they did.
    fn end(self) -> Result<Done, Fault> {
        self.is_over.store(true, Ordering::Relaxed);
        // Clerks that wait to be heard go on once no one listens.
        drop(self.records);
        let hang = |clerks: &[JoinHandle<Done>]| {
            clerks.iter().filter(|clerk| !clerk.is_finished()).count()
        };
        let mut looks = 0;
        while hang(&self.clerks) > 0 && looks < LAST_LOOKS_MAX {
            looks += 1;
            thread::sleep(LAST_LOOK);
        }
        let mut done = Done::default();
        for clerk in self.clerks {
            if clerk.is_finished() {
                let failed = |_| {
                    Fault::new("a thread that does the work has failed").fix("report this error")
                };
                done = done.and(clerk.join().map_err(failed)?);
            } else {
                let unanswered = Fault::new("an operation did not end").because(
                    "it was waited for for half a minute after the point, and hangs still",
                );
                done = done.and(Done { failure: Some(unanswered), ..Done::default() });
            }
        }
        Ok(done)
    }
}

/// A clerk with all that it needs.
struct Desk<C: Counter> {
    clerk: Clerk<C::Kind>,
    counter: C,
    interval: Nanos,
    sender: SyncSender<IntervalRecord>,
    is_over: Arc<AtomicBool>,
    /// When all of them begin; locked until they are there.
    start: Arc<RwLock<Instant>>,
}

impl<C: Counter> Desk<C> {
    /// Works until the point is over; gives what was done. If it fails, the others end, too.
    fn work(mut self) -> Done {
        let epoch = *self.start.read().unwrap_or_else(PoisonError::into_inner);
        let now = || Nanos(u64::try_from(epoch.elapsed().as_nanos()).unwrap_or(u64::MAX));
        let (sender, is_over) = (self.sender, self.is_over);
        let hand_on = |record| match sender.send(record) {
            Ok(()) if !is_over.load(Ordering::Relaxed) => Flow::Continue,
            _ => Flow::Stop,
        };
        let done = self.clerk.work(&mut self.counter, (self.interval, now), hand_on);
        if done.failure.is_some() {
            is_over.store(true, Ordering::Relaxed);
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use kneepoint_core::plan::TargetKind;
    use kneepoint_core::plan::resolve::Serves;
    use kneepoint_core::spec::profile::Transaction;
    use kneepoint_core::words::load::LoadLevel;
    use kneepoint_core::words::seed::Rng;
    use kneepoint_core::words::units::Percent;

    use super::*;
    use crate::fixture::{Impatient, Unknown, plan_of, point};

    const PROFILE: &str = "name = \"orders\"\ntitle = \"Orders\"\nwarehouses = \"2\"\n\
        [[transaction]]\nclass = \"new-order\"\nshare = 100\n";

    /// A counter at which a clerk breaks down after this number of transactions.
    struct Fragile(u32);

    impl Counter for Fragile {
        type Kind = Transaction;
        const CLERK: &'static str = "warehouse";
        const FEWER: &'static str = "use fewer";

        fn transact(&mut self, _kind: Transaction, _at: (u32, &mut Rng)) -> Result<u32, Fault> {
            self.0 = self.0.checked_sub(1).expect("a clerk breaks down");
            Ok(0)
        }
    }

    #[test]
    fn a_clerk_that_breaks_down_ends_the_point() {
        let plan = plan_of(PROFILE, (TargetKind::Database, Serves::Business));
        let load = LoadLevel::warehouses(2);
        let point = point(&plan, load);
        let mut observer = Impatient(600);
        let mut overseer = Coordinator::new(&point, &mut observer);
        let clerk = |home| Clerk::new([(Transaction::NewOrder, Percent::FULL)], (home, 0), 1);
        let desks = vec![(clerk(0), Fragile(u32::MAX)), (clerk(1), Fragile(10))];
        let crew = Crew::start(desks, 1, Nanos::from_millis(10)).unwrap();
        let ended = crew.oversee(&mut overseer, &mut Unknown).unwrap_err();
        assert!(ended.to_string().contains("a thread that does the work has failed"), "{ended}");
        assert!(!overseer.is_stopped(), "it ended by itself");
    }
}
