//! Test files, laid out before measuring.

use std::fs::File;
use std::io;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::consent::{Mode, open};
use crate::layout::{
    Extents, FillProgress, LayoutWork, MARK_BYTES, Mark, extents, fill, write_mark,
};
use kneepoint_core::measure::{Observer, Stop, Task};
use kneepoint_core::plan::{Caching, Plan};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Bytes;

use super::target::RealTarget;
use crate::thread::unstarted;

/// How often the observer is told.
const REFRESH: Duration = Duration::from_millis(100);

/// Writes what the test files lack.
pub(super) fn lay_out(
    plan: &Plan,
    targets: &[&RealTarget],
    observer: &mut dyn Observer,
) -> Result<(), Stop> {
    check_consents(plan, targets)?;
    let caching = plan.engine.caching;
    for real in targets {
        if real.layout != LayoutWork::Reuse {
            observer.task(&Task::Write { path: &real.facts.path, bytes: real.layout.bytes() });
            let laid_out = lay_out_file(real, caching, observer);
            observer.task_ended();
            laid_out?;
        }
    }
    Ok(())
}

/// Refuses before the first byte is written where any target must not be written.
fn check_consents(plan: &Plan, targets: &[&RealTarget]) -> Result<(), Fault> {
    for real in targets {
        if plan.writes() || real.layout != LayoutWork::Reuse {
            real.judgement.consent()?;
        }
    }
    Ok(())
}

fn lay_out_file(
    real: &RealTarget,
    caching: Caching,
    observer: &mut dyn Observer,
) -> Result<(), Stop> {
    let path = &real.facts.path;
    let consent = real.judgement.consent()?;
    let file = open(path, Mode::ReadWrite(consent), caching)?.file;
    let begun = begin(real, &file).map_err(Stop::from);
    let laid_out = begun.and_then(|()| finish(real, &file, observer));
    if laid_out.is_err() {
        // A new file that is unfinished is of no use to anyone. The first fault is the one to show.
        let _ = consent.take_back(&file);
    }
    laid_out?;
    Ok(verify(real, &file)?)
}

/// Marks the file as unfinished; a new one gets its name only then.
fn begin(real: &RealTarget, file: &File) -> Result<(), Fault> {
    mark_unfinished(real.size, file).map_err(|error| unwritable(real, &error))?;
    real.judgement.consent()?.publish(file)
}

fn mark_unfinished(size: Bytes, file: &File) -> io::Result<()> {
    if file.metadata()?.len() > size.0 + MARK_BYTES {
        file.set_len(size.0 + MARK_BYTES)?;
    }
    write_mark(file, Mark { size, complete: false })
}

fn unwritable(real: &RealTarget, error: &io::Error) -> Fault {
    let fix = match error.kind() {
        io::ErrorKind::FileTooLarge => {
            "use a smaller --size, raise the limit of the shell (ulimit -f), or name a file on \
             another file system"
        }
        _ => "check the free space, or use a smaller --size or another file system",
    };
    Fault::new(cannot_write(real)).because(error).fix(fix)
}

fn cannot_write(real: &RealTarget) -> String {
    format!("cannot write the test file {}", real.facts.path.display())
}

/// Fills the file and marks it as complete.
fn finish(real: &RealTarget, file: &File, observer: &mut dyn Observer) -> Result<(), Stop> {
    let progress = FillProgress::default();
    fill_visibly(real, file, (&progress, observer))?;
    if progress.is_stopped() {
        return Err(Stop::Asked);
    }
    let mark = Mark { size: real.size, complete: true };
    Ok(write_mark(file, mark).map_err(|error| unwritable(real, &error))?)
}

/// Fills the file, and tells the observer meanwhile.
fn fill_visibly(
    real: &RealTarget,
    file: &File,
    (progress, observer): (&FillProgress, &mut dyn Observer),
) -> Result<(), Fault> {
    observer.task_moved(Bytes(0));
    let (ended, end) = channel::<()>();
    thread::scope(|scope| {
        let filler = move || {
            let filled = fill(file, real.layout.start(), real.size, progress);
            drop(ended);
            filled
        };
        let filler = thread::Builder::new()
            .spawn_scoped(scope, filler)
            .map_err(|error| unstarted(cannot_write(real), &error))?;
        // The channel closes as soon as the file is full, however small it is.
        while end.recv_timeout(REFRESH) == Err(RecvTimeoutError::Timeout) {
            observer.task_moved(progress.written());
            if observer.is_stop_asked() {
                progress.stop();
            }
        }
        let filled = filler.join();
        filled
            .unwrap_or_else(|_| Err(io::Error::other("the writer panicked")))
            .map_err(|error| unwritable(real, &error))
    })
}

/// Checks that the file has its size and no holes.
fn verify(real: &RealTarget, file: &File) -> Result<(), Fault> {
    let path = real.facts.path.display();
    let broken = |why: String| {
        Fault::new(format!("the test file {path} is not as it was written")).because(why)
    };
    let length = file.metadata().map_err(|error| broken(error.to_string()))?.len();
    if length != real.size.0 + MARK_BYTES {
        return Err(broken(format!("it has {length} bytes")));
    }
    match extents(file, real.size) {
        Ok(Extents::Hole(Bytes(offset))) => {
            Err(broken(format!("the file system says that byte {offset} was never written")))
        }
        Ok(Extents::Written | Extents::Unknown) => Ok(()),
        Err(error) => Err(broken(error.to_string())),
    }
}
