//! Watches over the workers of a point: merges their intervals, ends the point, and notices what
//! does not move any more.
//!
//! Workers block in the kernel for as long as a target likes. Nothing here waits for one without a
//! limit: a worker that does not end in time is left behind, with its threads, buffers and
//! descriptors, for the kernel holds on to them anyway.

use std::sync::atomic::Ordering;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use kneepoint_core::load::drive::{Driven, Flow, Watch};
use kneepoint_core::load::record::interval::IntervalRecord;
use kneepoint_core::load::record::merger::Merger;
use kneepoint_core::measure::Coordinator;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use crate::buffer::ReadSample;
use crate::clock::monotonic;
use crate::observe::{Sampler, ThreadClock};
use crate::worker::{Report, WorkerHandles};

/// How often the monitor looks, at least.
const LOOK: Nanos = Nanos::from_millis(100);

/// Workers have so long to drain once the user has stopped the point.
const GRACE: Nanos = Nanos::from_secs(3);

/// How much later than the end of the drain a worker may end that is only slow.
const SLOW: Nanos = Nanos::from_secs(5);

/// A wait for a message that takes so much longer than it may says that this process was stopped.
const PAUSE_MIN: Nanos = Nanos::from_millis(500);

/// What became of a crew.
pub(crate) struct Overseen<'a> {
    /// How the workers ended.
    pub(crate) ended: Vec<Driven>,
    /// Readings of the machine at the start and after the intervals.
    pub(crate) sampler: Sampler<'a>,
    /// What the last reads of all workers brought.
    pub(crate) sample: ReadSample,
    /// Workers that were left behind.
    pub(crate) stuck: usize,
    /// Time for which this process did not run.
    pub(crate) paused: Nanos,
}

/// Waits until every worker has its backend; gives their CPU clocks.
pub(crate) fn await_ready(crew: &WorkerHandles) -> Result<Vec<Option<ThreadClock>>, Fault> {
    let mut clocks = Vec::with_capacity(crew.starts.len());
    for _ in &crew.starts {
        match crew.reports.recv() {
            Ok(Report::Refused(fault)) => return Err(fault),
            Ok(Report::Ready(clock)) => clocks.push(clock),
            Ok(_) => {}
            Err(_) => return Err(Fault::new("a worker ended before it began")),
        }
    }
    Ok(clocks)
}

/// Starts the workers together and watches over them until they have ended, or until `longest`
/// after the start, which is when they must have.
pub(crate) fn oversee<'a>(
    crew: WorkerHandles,
    (mut sampler, longest): (Sampler<'a>, Nanos),
    overseer: &mut Coordinator<'_>,
) -> Result<Overseen<'a>, Fault> {
    sampler.read(0);
    let epoch = monotonic();
    for start in &crew.starts {
        let _ = start.send(epoch);
    }
    let count = crew.starts.len();
    let mut watch = Oversight {
        sampler,
        overseer,
        merger: Merger::new(count, crew.target_count),
        ended: (0..count).map(|_| None).collect(),
        sample: ReadSample::default(),
        give_up: epoch + longest + SLOW,
        last_completion: epoch,
        last_look: epoch,
        paused: Nanos::ZERO,
        crew,
    };
    while watch.ended.iter().any(Option::is_none) && monotonic() < watch.give_up {
        watch.turn()?;
    }
    Ok(watch.finish())
}

struct Oversight<'a, 'o, 'm> {
    crew: WorkerHandles,
    sampler: Sampler<'a>,
    overseer: &'o mut Coordinator<'m>,
    merger: Merger,
    ended: Vec<Option<Driven>>,
    sample: ReadSample,
    /// When workers that have not ended are left behind.
    give_up: Nanos,
    last_completion: Nanos,
    last_look: Nanos,
    paused: Nanos,
}

impl<'a> Oversight<'a, '_, '_> {
    /// Waits for a message, but not for long, and lets the monitor look.
    fn turn(&mut self) -> Result<(), Fault> {
        let before = monotonic();
        let report = self.crew.reports.recv_timeout(Duration::from_nanos(LOOK.0));
        let now = monotonic();
        self.note_pause(now.since(before));
        match report {
            Ok(Report::Interval(record)) => self.interval(record, now),
            Ok(Report::Ended(number, driven, sample)) => {
                self.sample = self.sample.plus(sample);
                self.end(number, driven);
            }
            Ok(Report::Refused(fault)) => return Err(fault),
            Ok(Report::Ready(_)) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Fault::new("a worker ended without a word"));
            }
        }
        if now.since(self.last_look) >= LOOK {
            self.last_look = now;
            if self.overseer.look(now.since(self.last_completion)) == Flow::Stop {
                self.stop();
                self.give_up = self.give_up.min(now + GRACE);
            }
        }
        Ok(())
    }

    /// Notes that a wait took so much longer than asked for that this process can't have run.
    fn note_pause(&mut self, waited: Nanos) {
        let late = waited.since(LOOK);
        if late >= PAUSE_MIN && !self.is_stopped() {
            self.paused = self.paused + late;
        }
    }

    fn interval(&mut self, record: IntervalRecord, now: Nanos) {
        if record.total().operations + record.error_count() > 0 {
            self.last_completion = now;
        }
        if self.is_stopped() {
            self.overseer.add_straddlers(record.straddlers);
            return;
        }
        let whole = self.merger.push(record);
        if let Some(last) = whole.last() {
            self.sampler.read(last.index as usize + 1);
        }
        for record in whole {
            // Those behind the last one that counts are over.
            if self.is_stopped() {
                self.overseer.add_straddlers(record.straddlers);
            } else if self.overseer.interval(record) == Flow::Stop {
                self.stop();
            }
        }
    }

    fn end(&mut self, number: usize, mut driven: Driven) {
        self.stop();
        self.overseer.add_straddlers(std::mem::take(&mut driven.straddlers));
        self.ended[number] = Some(driven);
    }

    fn is_stopped(&self) -> bool {
        self.crew.stop.load(Ordering::Relaxed)
    }

    fn stop(&self) {
        self.crew.stop.store(true, Ordering::Relaxed);
    }

    /// Takes leave of the workers: of those that have ended when they are gone, of the others at
    /// once.
    fn finish(self) -> Overseen<'a> {
        self.stop();
        for record in self.merger.into_partial() {
            self.overseer.add_straddlers(record.straddlers);
        }
        let mut stuck = 0;
        let mut ended = Vec::with_capacity(self.ended.len());
        for (hand, driven) in self.crew.hands.into_iter().zip(self.ended) {
            match driven {
                // What it has lost can keep it from closing its backend.
                Some(driven) if driven.lost == 0 => {
                    let _ = hand.thread.join();
                    ended.push(driven);
                }
                Some(driven) => ended.push(driven),
                None => {
                    stuck += 1;
                    ended.push(Driven::abandoned(hand.slots));
                }
            }
        }
        let (sampler, sample, paused) = (self.sampler, self.sample, self.paused);
        Overseen { ended, sampler, sample, stuck, paused }
    }
}
