//! The targets that the user named: what they are, how much of them is used, what must be done to
//! them before measuring.

use std::path::{Path, PathBuf};

use crate::consent::{Judgement, Overwrite, judge};
use crate::facts::{DeviceNumber, FileId, Subject, SysRoot, TargetFacts, direct_alignment, target};
use crate::file_copy::ground_of;
use crate::layout::{LayoutWork, MARK_BYTES, Mark};
use kneepoint_core::plan::resolve::{Access, TargetRequest};
use kneepoint_core::plan::{Caching, TargetKind, TargetPlan};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::storage_class::{StorageClass, TargetClass};
use kneepoint_core::words::units::{Bytes, GIB};

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
    /// What is known of it.
    pub facts: TargetFacts,
    /// Bytes that will be used.
    pub size: Bytes,
    /// What must be written before measuring; nothing for a device.
    pub layout: LayoutWork,
    /// Whether it may be written.
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

    /// Whether both are the same file or device, whatever their names.
    pub(super) fn is_same_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Real(one), Self::Real(other)) => one.identity() == other.identity(),
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
            Self::Real(real) => (real.kind(), real.size, real.alignment(caching)),
        };
        TargetPlan { target: name.to_owned(), kind, size_bytes: size.0, alignment_bytes }
    }
}

impl RealTarget {
    fn find(name: &str, wishes: &TargetRequest, overwrites: &[Overwrite]) -> Result<Self, Fault> {
        let (facts, mark, judgement) = look_at(Path::new(name), overwrites)?;
        let contents = Contents::of(&facts, mark, (wishes.access, overwrites));
        let size = size_of(name, &facts, contents, wishes)?;
        let layout = contents.layout(size);
        check_room(name, &facts, layout)?;
        Ok(Self { facts, size, layout, judgement })
    }

    /// The directory in which files are copied for it.
    pub fn ground(&self) -> PathBuf {
        ground_of(&self.facts.path)
    }

    /// What it is, whatever its name.
    fn identity(&self) -> Identity {
        match &self.facts.subject {
            Subject::File(file) => Identity::File(file.id),
            Subject::Missing(_) => Identity::Missing(self.facts.path.clone()),
            Subject::Block(stack) => {
                Identity::Device(stack.tops().first().map(|device| device.number))
            }
        }
    }

    fn kind(&self) -> TargetKind {
        match self.facts.subject {
            Subject::Block(_) => TargetKind::Block,
            Subject::File(_) | Subject::Missing(_) => TargetKind::File,
        }
    }

    /// What offsets and lengths must be multiples of.
    fn alignment(&self, caching: Caching) -> u64 {
        match caching {
            Caching::Buffered => 1,
            Caching::Direct => u64::from(direct_alignment(&self.facts).offset_bytes),
        }
    }
}

/// What a target is, whatever its name.
#[derive(Debug, PartialEq, Eq)]
enum Identity {
    File(FileId),
    Device(Option<DeviceNumber>),
    /// A file still to be made, by its canonical path.
    Missing(PathBuf),
}

/// Refuses names that look like targets that are no files, and that nothing has yet: a file of 8 GiB
/// would be made.
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
    look_at(path, overwrites).map(|(facts, _, judgement)| (facts, judgement))
}

/// What a target is, its mark if it is a test file of ours, and whether it may be written.
fn look_at(
    path: &Path,
    overwrites: &[Overwrite],
) -> Result<(TargetFacts, Option<Mark>, Judgement), Fault> {
    let root = SysRoot::default();
    let facts = target(&root, path)?;
    let judgement = judge(&root, &facts, overwrites);
    Ok((facts, judgement.mark(), judgement))
}

/// What is on a target, as far as it decides what must be written before measuring.
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

    /// What must be written to serve `size` bytes.
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
        Contents::TestFile(Some(mark)) if mark.complete => wishes.size.unwrap_or(mark.size),
        Contents::TestFile(_) => wishes.size.unwrap_or(wishes.test_file),
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
