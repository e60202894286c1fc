//! The terminal as an observer: progress on standard error, and Ctrl-C.

use indicatif::ProgressBar;
use kneepoint_core::measure::search::AnswerSoFar;
use kneepoint_core::measure::{
    Beginning, LoadDifference, Observer, Point, Progress, Purpose, Task, Turn,
};
use kneepoint_core::result::PointResult;
use kneepoint_core::words::printable::printable;
use kneepoint_core::words::units::{Bytes, Nanos};

use super::Interrupt;
use super::process::{LOOKING, Silence, Vigil};
use crate::output::print::tell;
use crate::output::progress::{PhaseProgress, RunProgress, layout_bar};

/// Shows a run at the terminal.
pub(super) struct Terminal<'a> {
    interrupt: &'a Interrupt,
    shown: Shown,
    silence: Silence,
    task: Option<Live>,
}

/// Lines for the user, and nothing else.
pub(super) struct Told;

impl Observer for Told {
    fn note(&mut self, text: &str) {
        tell(text);
    }
}

/// The progress on the screen.
enum Shown {
    Nothing,
    Points(RunProgress),
    Phase(PhaseProgress),
}

/// A task that goes on.
struct Live {
    vigil: Vigil,
    /// A test file and its size, until it moves.
    file: Option<(String, Bytes)>,
    bar: ProgressBar,
    done: Bytes,
}

impl<'a> Terminal<'a> {
    /// A terminal at which `interrupt` is typed.
    pub(super) fn new(interrupt: &'a Interrupt) -> Self {
        Self { interrupt, shown: Shown::Nothing, silence: Silence::default(), task: None }
    }
}

impl Observer for Terminal<'_> {
    fn is_stop_asked(&self) -> bool {
        self.interrupt.is_asked()
    }

    fn begin(&mut self, Beginning { plan, points, purpose }: &Beginning<'_>) {
        self.shown = match purpose {
            Purpose::Precondition => Shown::Phase(PhaseProgress::new(plan)),
            Purpose::Result => Shown::Points(RunProgress::new(plan, *points)),
        };
    }

    fn point(&mut self, point: &Point<'_>) {
        self.silence = Silence::default();
        if let Shown::Points(progress) = &self.shown {
            progress.begin(point);
        }
    }

    fn interval(&mut self, point: &Point<'_>, progress: &Progress<'_>) {
        match &mut self.shown {
            Shown::Points(shown) => shown.interval(point, progress),
            Shown::Phase(shown) => shown.interval(progress),
            Shown::Nothing => {}
        }
    }

    fn silence(&mut self, time: Nanos) {
        self.silence.look(time);
    }

    fn answers(&mut self, answers: &[AnswerSoFar]) {
        if let Shown::Points(progress) = &mut self.shown {
            progress.answers(answers);
        }
    }

    fn turn(&mut self, turn: Turn, known: &LoadDifference) {
        if let Shown::Points(progress) = &mut self.shown {
            progress.turn(turn, known);
        }
    }

    fn result(&mut self, result: &PointResult) {
        if let Shown::Points(progress) = &mut self.shown {
            progress.end(result);
        }
    }

    fn end(&mut self) {
        match std::mem::replace(&mut self.shown, Shown::Nothing) {
            Shown::Points(progress) => progress.finish(),
            Shown::Phase(progress) => progress.finish(),
            Shown::Nothing => {}
        }
    }

    fn note(&mut self, text: &str) {
        tell(text);
    }

    fn task(&mut self, task: &Task<'_>) {
        let (doing, file) = match task {
            Task::Write { path, bytes } => {
                let path = path.to_string_lossy().into_owned();
                (format!("writing {}", printable(&path)), Some((path, *bytes)))
            }
            // Whoever copies files has their own way to show it.
            Task::Files { .. } => return,
            Task::Look => (LOOKING.to_owned(), None),
            Task::Open => ("opening the targets".to_owned(), None),
            Task::Close => ("closing the targets".to_owned(), None),
        };
        let vigil = Vigil::keep(&doing, Some(self.interrupt));
        self.task = Some(Live { vigil, file, bar: ProgressBar::hidden(), done: Bytes(0) });
    }

    fn task_moved(&mut self, done: Bytes) {
        let Some(task) = &mut self.task else { return };
        if let Some((path, bytes)) = task.file.take() {
            task.bar = layout_bar(&path, bytes);
        }
        task.bar.set_position(done.0);
        if task.done != done {
            task.done = done;
            task.vigil.moved();
        }
    }

    fn task_ended(&mut self) {
        if let Some(task) = self.task.take() {
            task.bar.finish_and_clear();
        }
    }
}
