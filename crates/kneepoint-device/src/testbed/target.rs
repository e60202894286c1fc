//! The targets that the user named: what they are, how much of them is used, their test files laid
//! out before measuring, and opening them.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use std::{io, thread};

use kneepoint_core::measure::{Observer, Stop, Task};
use kneepoint_core::plan::resolve::{Access, Contents as Wanted, TargetRequest};
use kneepoint_core::plan::{Caching, Plan, TargetKind, TargetPlan, Verification};
use kneepoint_core::result::Warning;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::storage_class::{StorageClass, TargetClass};
use kneepoint_core::words::units::{Bytes, GIB};

use crate::consent::{Judgement, Mode, Opened, Overwrite, judge, open};
use crate::facts::{DeviceStack, Subject, SysRoot, TargetFacts, direct_alignment, target};
use crate::file_copy::ground_of;
use crate::layout::{
    Extents, FillProgress, Ink, LayoutWork, MARK_BYTES, Mark, extents, fill_with, random_id,
    write_mark,
};
use crate::observe::ObservedTarget;
use crate::process::unstarted;
use crate::verification::{Ledger, LedgerSubject, Ledgers, journal_path, make_void};

/// The size that the null target pretends to have.
const NULL_SIZE: Bytes = Bytes(8 * GIB);

/// A target of this machine.
#[derive(Debug)]
pub(super) enum Target {
    /// A file or a block device.
    Real(Box<RealTarget>),
    /// No I/O.
    Null,
}

/// A file or a block device.
#[derive(Debug)]
pub struct RealTarget {
    /// The facts about it.
    pub facts: TargetFacts,
    /// Bytes that will be used.
    pub size: Bytes,
    /// The writing before measuring; none for a device.
    pub layout: LayoutWork,
    /// The judgement on writing it.
    pub judgement: Judgement,
}

impl Target {
    /// Looks at the target called `name`.
    pub(super) fn find(
        name: &str,
        wishes: &TargetRequest,
        overwrites: &[Overwrite],
    ) -> Result<Self, Fault> {
        if name == "null:" {
            return Ok(Self::Null);
        }
        refuse_misspelt(name)?;
        RealTarget::find(name, wishes, overwrites).map(|target| Self::Real(Box::new(target)))
    }

    /// True if both are the same file or device, whatever their names.
    pub(super) fn is_same_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Real(one), Self::Real(other)) => one.is_same_as(other),
            _ => false,
        }
    }

    /// The class of storage that the target called `name` is of.
    pub(super) fn storage_class(&self, name: &str) -> TargetClass {
        match self {
            Self::Null => TargetClass {
                class: StorageClass::Flash,
                because: format!("{name} takes no time at all"),
            },
            Self::Real(real) => real.facts.storage_class(),
        }
    }

    /// The target's entry in the plan.
    pub(super) fn plan(&self, name: &str, caching: Caching) -> TargetPlan {
        let (kind, size, alignment_bytes) = match self {
            Self::Null => (TargetKind::Null, NULL_SIZE, 1),
            Self::Real(real) => (real.facts.kind(), real.size, real.alignment(caching)),
        };
        TargetPlan {
            target: name.to_owned(),
            host: String::new(),
            kind,
            size_bytes: size.0,
            alignment_bytes,
        }
    }
}

impl RealTarget {
    fn find(name: &str, wishes: &TargetRequest, overwrites: &[Overwrite]) -> Result<Self, Fault> {
        let (facts, judgement) = inspect_target(Path::new(name), overwrites)?;
        let access = match wishes.contents {
            Wanted::AsFound => wishes.access,
            Wanted::Verified => Access::Writing,
        };
        let contents = Contents::of(&facts, judgement.mark(), (access, overwrites));
        let size = size_of(name, &facts, contents, wishes)?;
        let layout = match wishes.contents {
            Wanted::AsFound => contents.layout(size),
            Wanted::Verified => contents.layout(size).verified(size),
        };
        check_room(name, &facts, layout)?;
        Ok(Self { facts, size, layout, judgement })
    }

    /// The directory in which files are copied for it.
    pub fn ground(&self) -> PathBuf {
        ground_of(&self.facts.path)
    }

    /// Where its journal is if its data is verified; that of a device in `folder`.
    pub fn journal(&self, folder: &Path) -> PathBuf {
        let is_device = matches!(self.facts.subject, Subject::Block(_));
        journal_path(&self.facts.path, is_device, folder)
    }

    fn is_same_as(&self, other: &Self) -> bool {
        let number = |stack: &DeviceStack| stack.tops().first().map(|device| device.number);
        match (&self.facts.subject, &other.facts.subject) {
            (Subject::File(one), Subject::File(other)) => one.id == other.id,
            (Subject::Missing(_), Subject::Missing(_)) => self.facts.path == other.facts.path,
            (Subject::Block(one), Subject::Block(other)) => number(one) == number(other),
            _ => false,
        }
    }

    /// The unit of offsets and lengths, in bytes.
    fn alignment(&self, caching: Caching) -> u64 {
        match caching {
            Caching::Buffered => 1,
            Caching::Direct => u64::from(direct_alignment(&self.facts).offset_bytes),
        }
    }
}

/// Refuses names that look like targets that are no files, and that nothing has yet: a file of 8
/// GiB would be made.
///
/// # Errors
/// When `name` is such a name.
pub fn refuse_misspelt(name: &str) -> Result<(), Fault> {
    let typed = name.to_lowercase();
    let is = |word: &str| {
        typed.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '?']))
    };
    let meant = match (is("null"), is("sim")) {
        (true, _) => "'null:', which does no I/O and takes no parameters",
        (_, true) => "'sim:NAME', with a name of `kneepoint catalog systems`",
        _ => return Ok(()),
    };
    if Path::new(name).symlink_metadata().is_ok() {
        return Ok(());
    }
    Err(Fault::new(format!("there is no target '{name}'"))
        .fix(format!("did you mean {meant}? ./{name} would be a file")))
}

/// The facts and the judgement of a target, without a plan for it.
///
/// # Errors
/// When it cannot be looked at.
pub fn inspect_target(
    path: &Path,
    overwrites: &[Overwrite],
) -> Result<(TargetFacts, Judgement), Fault> {
    let root = SysRoot::default();
    let facts = target(&root, path)?;
    let judgement = judge(&root, &facts, overwrites);
    Ok((facts, judgement))
}

/// The contents of a target, as far as they decide what must be written before measuring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Contents {
    /// A test file of ours, or one that is to be made.
    TestFile(Option<Mark>),
    /// Anything else, which is measured as it is.
    Foreign,
}

impl Contents {
    fn of(
        facts: &TargetFacts,
        mark: Option<Mark>,
        (access, overwrites): (Access, &[Overwrite]),
    ) -> Self {
        let is_given_up = access == Access::Writing
            && overwrites.iter().any(|overwrite| overwrite.target().as_ref() == Some(&facts.path));
        match (&facts.subject, mark) {
            (Subject::Block(_), _) => Self::Foreign,
            (Subject::File(file), None) if !is_given_up && !file.is_empty_and_own() => {
                Self::Foreign
            }
            _ => Self::TestFile(mark),
        }
    }

    /// The writing that it takes to serve `size` bytes.
    fn layout(self, size: Bytes) -> LayoutWork {
        match self {
            Self::TestFile(mark) => LayoutWork::for_size(mark, size),
            Self::Foreign => LayoutWork::Reuse,
        }
    }
}

/// Bytes of the target that will be used.
fn size_of(
    name: &str,
    facts: &TargetFacts,
    contents: Contents,
    wishes: &TargetRequest,
) -> Result<Bytes, Fault> {
    let there = Bytes(facts.size_bytes());
    let wanted = match contents {
        // Also of one that is to be written again.
        Contents::TestFile(Some(mark)) => wishes.size.unwrap_or(mark.size),
        Contents::TestFile(None) if there == Bytes(0) => wishes.size.unwrap_or(wishes.test_file),
        Contents::TestFile(None) => wishes.size.unwrap_or(there),
        Contents::Foreign => wishes.size.unwrap_or(there),
    };
    if contents == Contents::Foreign && wanted > there {
        return Err(Fault::new(format!("{name} is too small for --size {wanted}"))
            .because(format!("it has {} bytes", there.0))
            .fix("leave out --size to use all of it, or name a file that Kneepoint may create"));
    }
    // Whole pages suit every alignment of direct I/O.
    match wanted.0 / MARK_BYTES * MARK_BYTES {
        0 => Err(Fault::new(format!("{name} is too small to be measured"))
            .because(format!("{} bytes could be used", wanted.0))
            .fix("use --size to make a larger test file")),
        size => Ok(Bytes(size)),
    }
}

/// Refuses a test file that does not fit the file system.
fn check_room(name: &str, facts: &TargetFacts, layout: LayoutWork) -> Result<(), Fault> {
    let (LayoutWork::Write(end) | LayoutWork::Extend(_, end)) = layout else { return Ok(()) };
    let Some(file_system) = facts.file_system() else { return Ok(()) };
    let free = file_system.free_bytes;
    let more = (end.0 + MARK_BYTES).saturating_sub(facts.size_bytes());
    if more > free {
        return Err(Fault::new(format!("there is no room for the test file {name}"))
            .because(format!("it needs {more} more bytes, the file system has {free} free"))
            .fix("use a smaller --size, or another file system"));
    }
    Ok(())
}

/// How often the observer is told.
const REFRESH: Duration = Duration::from_millis(100);

/// Writes what the test files lack. The journals, in `journals` or beside them, of those that are written now
/// or by the plan hold no more.
pub(super) fn lay_out(
    plan: &Plan,
    targets: &[&RealTarget],
    journals: &Path,
    observer: &mut dyn Observer,
) -> Result<(), Stop> {
    check_consents(plan, targets)?;
    for real in targets {
        if plan.writes() || real.layout != LayoutWork::Reuse {
            make_void(&real.journal(journals));
        }
        if real.layout != LayoutWork::Reuse {
            lay_out_one(real, (plan.engine.caching, Ink::Plain), observer)?;
        }
        if plan.writes_without_data() {
            mark_holed(real, plan.engine.caching)?;
        }
    }
    Ok(())
}

/// Marks a test file as unfinished before blocks of it are given back: whoever reads it next would measure holes,
/// and writes it again instead.
fn mark_holed(real: &RealTarget, caching: Caching) -> Result<(), Fault> {
    let mark = match (real.layout, real.judgement.mark()) {
        (LayoutWork::Reuse, Some(mark)) => mark,
        (LayoutWork::Write(_) | LayoutWork::Extend(..), _) => {
            Mark { size: real.size, complete: true }
        }
        (LayoutWork::Reuse | LayoutWork::WriteOver(_), _) => return Ok(()),
    };
    let consent = real.judgement.consent()?;
    let file = open(&real.facts.path, Mode::ReadWrite(consent), caching)?.file;
    let unfinished = Mark { complete: false, ..mark };
    write_mark(&file, unfinished).map_err(|error| unwritable(real, &error))
}

/// Lays the targets out so that they can be verified, each with a journal in `journals` or beside it; gives
/// their ledgers. If part of the plan was
/// measured before, what was written then is left as it is.
pub(super) fn lay_out_verified(
    (plan, verification): (&Plan, Verification),
    targets: &[&RealTarget],
    (journals, before): (&Path, Before),
    observer: &mut dyn Observer,
) -> Result<Ledgers, Stop> {
    check_consents(plan, targets)?;
    let plan_hash = plan.hash();
    let mut ledgers = Vec::with_capacity(targets.len());
    for (planned, real) in plan.targets.iter().zip(targets) {
        let journal = real.journal(journals);
        let subject = LedgerSubject {
            target: &planned.target,
            journal: &journal,
            size_bytes: real.size.0,
            unit_bytes: verification.unit_bytes,
            seed: plan.seed,
            plan_hash: &plan_hash,
        };
        let kept = match before {
            Before::Kept => Ledger::go_on(subject)?,
            Before::Nothing => None,
        };
        ledgers.push(match kept {
            Some(ledger) => ledger,
            None => {
                let ledger = Ledger::begin(subject, random_id() as u64)?;
                let ink = Ink::Verified(ledger.identity);
                lay_out_one(real, (plan.engine.caching, ink), observer)?;
                ledger.laid_out()?;
                ledger
            }
        });
    }
    Ok(ledgers.into())
}

/// What was measured of a plan before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// Nothing.
    Nothing,
    /// Part of it: the run is taken up again.
    Kept,
}

/// Writes what a target lacks.
fn lay_out_one(
    real: &RealTarget,
    manner: (Caching, Ink),
    observer: &mut dyn Observer,
) -> Result<(), Stop> {
    observer.task(&Task::Write { path: &real.facts.path, bytes: real.layout.bytes() });
    let laid_out = match real.layout {
        LayoutWork::WriteOver(_) => write_over(real, manner, observer),
        LayoutWork::Reuse | LayoutWork::Write(_) | LayoutWork::Extend(..) => {
            lay_out_file(real, manner, observer)
        }
    };
    observer.task_ended();
    laid_out
}

/// Writes over what is there, and leaves the rest of the target and its mark as they are.
fn write_over(
    real: &RealTarget,
    (caching, ink): (Caching, Ink),
    observer: &mut dyn Observer,
) -> Result<(), Stop> {
    let consent = real.judgement.consent()?;
    let file = open(&real.facts.path, Mode::ReadWrite(consent), caching)?.file;
    let progress = FillProgress::default();
    fill_visibly(real, (&file, ink), (&progress, observer))?;
    match progress.is_stopped() {
        true => Err(Stop::Asked),
        false => Ok(()),
    }
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
    (caching, ink): (Caching, Ink),
    observer: &mut dyn Observer,
) -> Result<(), Stop> {
    let path = &real.facts.path;
    let consent = real.judgement.consent()?;
    let file = open(path, Mode::ReadWrite(consent), caching)?.file;
    let begun = begin(real, &file).map_err(Stop::from);
    let laid_out = begun.and_then(|()| finish(real, (&file, ink), observer));
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
fn finish(
    real: &RealTarget,
    (file, ink): (&File, Ink),
    observer: &mut dyn Observer,
) -> Result<(), Stop> {
    let progress = FillProgress::default();
    fill_visibly(real, (file, ink), (&progress, observer))?;
    if progress.is_stopped() {
        return Err(Stop::Asked);
    }
    let mark = Mark { size: real.size, complete: true };
    Ok(write_mark(file, mark).map_err(|error| unwritable(real, &error))?)
}

/// Fills the file, and tells the observer meanwhile.
fn fill_visibly(
    real: &RealTarget,
    (file, ink): (&File, Ink),
    (progress, observer): (&FillProgress, &mut dyn Observer),
) -> Result<(), Fault> {
    observer.task_moved(Bytes(0));
    let (ended, end) = channel::<()>();
    thread::scope(|scope| {
        let filler = move || {
            let filled = fill_with(ink, file, (real.layout.start(), real.size), progress);
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

/// Open targets in the plan's order, and what was noticed on the way.
pub(super) struct OpenTargets {
    pub(super) files: Vec<File>,
    /// The devices below them.
    pub(super) observed: Vec<ObservedTarget>,
    pub(super) warnings: Vec<Warning>,
}

/// Opens the targets: for writing only if the plan writes.
pub(super) fn open_targets<'a>(
    plan: &Plan,
    found: impl Iterator<Item = &'a RealTarget>,
) -> Result<OpenTargets, Fault> {
    let mut targets = OpenTargets { files: Vec::new(), observed: Vec::new(), warnings: Vec::new() };
    for real in found {
        let mode = match plan.writes() {
            true => Mode::ReadWrite(real.judgement.consent()?),
            false => Mode::ReadOnly,
        };
        let Opened { file, warnings } = open(&real.facts.path, mode, plan.engine.caching)?;
        targets.warnings.extend(warnings);
        targets.warnings.extend(hole_warning(real, &file)?);
        targets.files.push(file);
        targets.observed.push(ObservedTarget::of(&real.facts));
    }
    Ok(targets)
}

/// The warning about a file with parts that were never written.
fn hole_warning(real: &RealTarget, file: &File) -> Result<Option<Warning>, Fault> {
    if matches!(real.facts.subject, Subject::Block(_)) {
        return Ok(None);
    }
    let path = real.facts.path.display();
    match extents(file, real.size) {
        Ok(Extents::Hole(Bytes(offset_bytes))) => {
            Ok(Some(Warning::NeverWritten { path: path.to_string(), offset_bytes }))
        }
        Ok(Extents::Written | Extents::Unknown) => Ok(None),
        Err(error) => {
            Err(Fault::new(format!("cannot read the extent map of {path}")).because(error))
        }
    }
}
