//! Test files, laid out before measuring.

use std::fs::{File, remove_file};
use std::io;
use std::thread;
use std::time::Duration;

use kneepoint_core::fault::Fault;
use kneepoint_core::plan::{Caching, Plan};
use kneepoint_core::units::Bytes;
use kneepoint_device::consent::{Mode, open};
use kneepoint_device::facts::Subject;
use kneepoint_device::layout::{
    Extents, FillProgress, LayoutWork, MARK_BYTES, Mark, extents, fill, write_mark,
};

use super::Interrupt;
use crate::output::progress::layout_bar;
use crate::work::{RealTarget, TargetSetup};

/// How often the bar moves.
const REFRESH: Duration = Duration::from_millis(100);

/// How laying out ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// Every test file is complete.
    Complete,
    /// The user stopped it.
    Interrupted,
}

/// Writes what the test files lack.
pub(super) fn lay_out(
    plan: &Plan,
    targets: &[TargetSetup],
    interrupt: &Interrupt,
) -> Result<Layout, Fault> {
    check_consents(plan, targets)?;
    let caching = plan.engine.caching;
    for setup in targets {
        if let TargetSetup::Real(real) = setup
            && real.layout != LayoutWork::Reuse
            && lay_out_file(real, caching, interrupt)? == Layout::Interrupted
        {
            return Ok(Layout::Interrupted);
        }
    }
    Ok(Layout::Complete)
}

/// Refuses before the first byte is written where any target must not be written.
fn check_consents(plan: &Plan, targets: &[TargetSetup]) -> Result<(), Fault> {
    for setup in targets {
        if let TargetSetup::Real(real) = setup
            && (plan.writes() || real.layout != LayoutWork::Reuse)
        {
            real.judgement.consent()?;
        }
    }
    Ok(())
}

fn lay_out_file(
    real: &RealTarget,
    caching: Caching,
    interrupt: &Interrupt,
) -> Result<Layout, Fault> {
    let path = &real.facts.path;
    let consent = real.judgement.consent()?;
    let file = open(path, Mode::ReadWrite(consent), caching)?.file;
    let laid_out = write(real, &file, interrupt).map_err(|error| {
        Fault::new(format!("cannot write the test file {}", path.display()))
            .because(error)
            .fix("check the free space, or use a smaller --size or another file system")
    });
    let is_new = matches!(real.facts.subject, Subject::Missing(_));
    if is_new && !matches!(laid_out, Ok(Layout::Complete)) {
        // The unfinished file is of no use to anybody, and we made it a moment ago.
        let _ = remove_file(path);
    }
    let layout = laid_out?;
    if layout == Layout::Complete {
        verify(real, &file)?;
    }
    Ok(layout)
}

/// Marks the file as unfinished, fills it, marks it as complete.
fn write(real: &RealTarget, file: &File, interrupt: &Interrupt) -> io::Result<Layout> {
    let size = real.size;
    if file.metadata()?.len() > size.0 + MARK_BYTES {
        file.set_len(size.0 + MARK_BYTES)?;
    }
    write_mark(file, Mark { size, complete: false })?;
    let progress = FillProgress::default();
    let bar = layout_bar(&real.facts.path.display().to_string(), real.layout.bytes());
    thread::scope(|scope| {
        let filler = scope.spawn(|| fill(file, real.layout.start(), size, &progress));
        while !filler.is_finished() {
            bar.set_position(progress.written().0);
            if interrupt.is_asked() {
                progress.stop();
            }
            thread::sleep(REFRESH);
        }
        filler.join().unwrap_or_else(|_| Err(io::Error::other("the writer panicked")))
    })?;
    bar.finish_and_clear();
    if progress.is_stopped() {
        return Ok(Layout::Interrupted);
    }
    write_mark(file, Mark { size, complete: true })?;
    Ok(Layout::Complete)
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
