//! What an agent tells its controller while it works on a call, and hears from it.

use std::ops::Range;
use std::thread;
use std::time::Duration;

use kneepoint_core::load::backend::Direction;
use kneepoint_core::load::drive::Flow;
use kneepoint_core::load::record::interval::IntervalRecord;
use kneepoint_core::load::record::recorder::Straddler;
use kneepoint_core::measure::{Observer, Overseer, Stop, Task};
use kneepoint_core::plan::{Engine, Plan};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::{Bytes, Nanos};

use super::Workshop;
use super::course::Course;
use super::line::Line;
use super::turn::Turn;
use crate::wire::{Packed, Word};

/// How often the controller is told how far something is.
const TOLD_EVERY: Nanos = Nanos::from_millis(500);

/// What an agent tells its controller while it works on a call, and hears from it.
pub(super) struct Reporter<'a> {
    turn: Turn,
    line: &'a Line,
    workshop: &'a dyn Workshop,
    /// What takes long, and bytes of it in all.
    task: Option<(String, u64)>,
    told: Nanos,
    /// The point that is overseen.
    point: Option<PointLine>,
    /// The limit of the host that was passed.
    excess: Option<Fault>,
}

/// A point on the line.
#[derive(Default)]
struct PointLine {
    /// Whether time is virtual: it waits for the other hosts.
    is_virtual: bool,
    /// Operations that completed so far.
    operations: u64,
    /// What is kept here of it, if anything is.
    course: Option<Course>,
}

impl<'a> Reporter<'a> {
    /// Tells what goes on during a call.
    pub(super) fn new(turn: Turn, line: &'a Line, workshop: &'a dyn Workshop) -> Self {
        line.begin(turn);
        Self { turn, line, workshop, task: None, told: Nanos::ZERO, point: None, excess: None }
    }

    /// The same while a point is measured.
    pub(super) fn of_point(turn: Turn, line: &'a Line, workshop: &'a dyn Workshop) -> Self {
        let course = workshop.keeps_points().then(Course::default);
        let point = Some(PointLine { course, ..PointLine::default() });
        Self { point, ..Self::new(turn, line, workshop) }
    }

    fn say(&self, word: &Word) {
        self.line.say(self.turn.session, word);
    }
}

impl Reporter<'_> {
    /// Counts bytes that are written; ends what goes on if a limit of the host is passed.
    pub(super) fn spend(&mut self, bytes: u64) {
        self.line.count_written(bytes);
        let used = self.line.used_at(self.workshop.now());
        if let Err(fault) = self.workshop.within_limits(used) {
            self.excess.get_or_insert(fault);
        }
    }

    /// The limit of the host that was passed, if one was.
    pub(super) fn take_excess(&mut self) -> Option<Fault> {
        self.excess.take()
    }

    /// Operations that completed in the intervals of the point.
    pub(super) fn operations(&self) -> u64 {
        self.point.as_ref().map_or(0, |point| point.operations)
    }

    /// What is kept here of the point that was measured, if anything is, and the intervals that count.
    pub(super) fn take_course(&mut self) -> Option<(Course, Range<usize>)> {
        let course = self.point.as_mut()?.course.take()?;
        let counted = self.line.end()??;
        Some((course, counted))
    }
}

impl Observer for Reporter<'_> {
    fn is_stop_asked(&self) -> bool {
        self.excess.is_some() || self.line.is_given_up()
    }

    fn note(&mut self, text: &str) {
        self.say(&Word::Note(text.to_owned()));
    }

    fn task(&mut self, task: &Task<'_>) {
        let (what, bytes) = match task {
            Task::Write { path, bytes } => {
                self.spend(bytes.0);
                (format!("writing {}", path.display()), bytes.0)
            }
            Task::Files { path, count, bytes } => {
                self.spend(bytes.0);
                (format!("writing {count} files of the file copy in {}", path.display()), bytes.0)
            }
            Task::Look => ("looking at the targets".to_owned(), 0),
            Task::Open => ("opening the targets".to_owned(), 0),
            Task::Close => ("closing the targets".to_owned(), 0),
        };
        self.say(&Word::Busy { what: what.clone(), bytes: (bytes > 0).then_some([0, bytes]) });
        self.told = self.workshop.now();
        self.task = Some((what, bytes));
    }

    fn task_moved(&mut self, done: Bytes) {
        let now = self.workshop.now();
        // That it begins was told.
        if done == Bytes::default() || now.since(self.told) < TOLD_EVERY {
            return;
        }
        self.told = now;
        if let Some((what, bytes)) = &self.task {
            self.say(&Word::Busy { what: what.clone(), bytes: Some([done.0, *bytes]) });
        }
    }

    fn overseer(&mut self) -> Option<&mut dyn Overseer> {
        self.point.is_some().then_some(self)
    }
}

impl Overseer for Reporter<'_> {
    fn ready(&mut self, plan: &Plan) -> Result<Option<Nanos>, Stop> {
        if let Some(point) = &mut self.point {
            point.is_virtual = plan.engine.engine == Engine::Sim;
        }
        self.say(&Word::Ready { call: self.turn.call, ramp: plan.timing.ramp });
        let at = self.line.wait_for_begin().ok_or(Stop::Asked)?;
        if let Some(at) = at {
            thread::sleep(Duration::from_nanos(at.since(self.workshop.now()).0));
        }
        Ok(at)
    }

    fn record(&mut self, record: &IntervalRecord) -> Flow {
        let packed = Packed { call: self.turn.call, records: vec![record.clone()] };
        self.line.hand_on(self.turn.session, packed);
        let Some(point) = &mut self.point else { return Flow::Stop };
        point.operations += record.total().operations;
        if let Some(course) = &mut point.course {
            course.add(record);
        }
        let is_virtual = point.is_virtual;
        let writes = record.classes.get(Direction::Write as usize).filter(|_| !is_virtual);
        self.spend(writes.map_or(0, |writes| writes.bytes));
        let is_over = match is_virtual {
            false => self.line.end().is_some(),
            true => !self.line.may_go_on_after(record.index),
        };
        if is_over || self.is_stop_asked() { Flow::Stop } else { Flow::Continue }
    }

    fn straddlers(&mut self, straddlers: &[Straddler]) {
        if let Some(course) = self.point.as_mut().and_then(|point| point.course.as_mut()) {
            course.add_unfinished(straddlers);
        }
        if !straddlers.is_empty() {
            let straddlers = straddlers.to_vec();
            self.say(&Word::Straddlers { call: self.turn.call, straddlers });
        }
    }

    fn counted(&self) -> Option<Range<usize>> {
        if self.line.end().is_none() {
            // The controller waits for intervals that will not come.
            self.say(&Word::Ended { call: self.turn.call });
        }
        Some(self.line.wait_for_end().unwrap_or(0..0))
    }
}
