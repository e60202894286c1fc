//! The permission to write one target, and opening by it: the only way to a descriptor that can
//! write.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Seek, SeekFrom};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use kneepoint_core::plan::Caching;
use kneepoint_core::result::Warning;
use kneepoint_core::words::fault::Fault;
use rustix::fs::{FlockOperation, OFlags};
use rustix::io::Errno;

use super::evidence::Evidence;
use crate::facts::{DeviceNumber, FileId, disk_sequence};
use crate::new_file::{Entry, Removal};

/// The permission to write exactly one file or device.
///
/// Only [`judge`](super::judge) makes one, and only where nothing refused.
#[derive(Debug)]
pub struct WriteConsent {
    path: PathBuf,
    scope: ConsentScope,
    ground: Basis,
    /// The evidence when the target was judged; absent for a file that was still to be made.
    judged: Option<Evidence>,
}

/// The one target that may be written.
#[derive(Debug)]
pub(super) enum ConsentScope {
    /// This file.
    File(FileId),
    /// This file, which must be empty when it is opened first.
    EmptyFile { id: FileId, taken: OnceLock<()> },
    /// This device, as long as the medium of that number is in it.
    Device(DeviceNumber, Option<u64>),
    /// The file that opening makes, in this directory; its identity is kept once it is made.
    NewFile { directory: FileId, made: OnceLock<FileId> },
}

kneepoint_core::named! {
    /// Why a target may be written.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Basis {
        /// It does not exist yet.
        NewFile = "the file does not exist yet",
        /// Kneepoint made it.
        OwnFile = "Kneepoint made this file",
        /// It is empty: nothing in it can be lost.
        EmptyFile = "the file is empty",
        /// The user named it, and nothing spoke against it.
        Named = "--overwrite names it",
    }
}

impl WriteConsent {
    /// To be called by the judgement alone.
    pub(super) fn grant(
        path: PathBuf,
        (scope, ground): (ConsentScope, Basis),
        judged: Option<Evidence>,
    ) -> Self {
        Self { path, scope, ground, judged }
    }

    /// Canonical path of what may be written.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Why it may be written.
    pub const fn ground(&self) -> Basis {
        self.ground
    }

    /// Checks that an open descriptor leads to what the consent was given for.
    ///
    /// # Errors
    /// When it leads elsewhere: the path was given to something else after it was judged.
    pub fn check(&self, file: &File) -> Result<(), Fault> {
        if self.covers(&self.metadata(file)?, file) {
            return Ok(());
        }
        Err(self
            .refused()
            .because("it is no longer the file or device that was judged: something took its place")
            .fix("run inspect again, and find out what changes the path"))
    }

    /// Looks again, on the descriptor that will write, at all that was judged: whose the file is,
    /// what is recognised in it, what its samples hold. The descriptor must not yet be open for
    /// direct I/O.
    ///
    /// # Errors
    /// When something speaks against writing it that did not when it was judged.
    fn check_again(&self, file: &File) -> Result<(), Fault> {
        let looked = match &self.scope {
            ConsentScope::Device(..) => {
                size_of_device(file).and_then(|size| Evidence::of_device(file, size))
            }
            ConsentScope::File(_)
            | ConsentScope::EmptyFile { .. }
            | ConsentScope::NewFile { .. } => Evidence::of_file(file),
        };
        let now = looked.map_err(|error| self.refused().because(error))?;
        match now.difference(self.judged.as_ref()) {
            None => Ok(()),
            Some(difference) => Err(self
                .refused()
                .because(difference)
                .fix("find out what else writes to it, and run inspect again")),
        }
    }

    fn covers(&self, meta: &Metadata, file: &File) -> bool {
        match &self.scope {
            ConsentScope::File(id) | ConsentScope::EmptyFile { id, .. } => {
                meta.is_file() && FileId::of(meta) == *id
            }
            ConsentScope::Device(number, sequence) => {
                meta.file_type().is_block_device()
                    && DeviceNumber::from_raw(meta.rdev()) == *number
                    && disk_sequence(file) == *sequence
            }
            ConsentScope::NewFile { made, .. } => {
                meta.is_file() && made.get() == Some(&FileId::of(meta))
            }
        }
    }

    /// True if the file is still to be made.
    fn is_to_be_made(&self) -> bool {
        matches!(&self.scope, ConsentScope::NewFile { made, .. } if made.get().is_none())
    }

    /// Remembers the identity of the file that was just made in the judged directory.
    fn keep_made(&self, file: &File) -> Result<(), Fault> {
        if let ConsentScope::NewFile { made, .. } = &self.scope {
            let meta = self.metadata(file)?;
            made.get_or_init(|| FileId::of(&meta));
        }
        self.check(file)
    }

    /// Takes possession of an empty file, once: it must still be empty.
    fn take_empty(&self, file: &File) -> Result<(), Fault> {
        let ConsentScope::EmptyFile { taken, .. } = &self.scope else { return Ok(()) };
        let length = self.metadata(file)?.len();
        if taken.set(()).is_ok() && length > 0 {
            return Err(self
                .refused()
                .because("it was empty when it was judged, and something wrote to it since")
                .fix("look into the file; name another one if its content matters"));
        }
        Ok(())
    }

    fn metadata(&self, file: &File) -> Result<Metadata, Fault> {
        file.metadata().map_err(|error| not_looked_at(&self.path, &error))
    }

    fn refused(&self) -> Fault {
        Fault::new(format!("{} will not be written", self.path.display()))
    }

    /// The directory of a file that is, or was, still to be made.
    fn new_file_directory(&self) -> Option<FileId> {
        match &self.scope {
            ConsentScope::NewFile { directory, .. } => Some(*directory),
            ConsentScope::File(_) | ConsentScope::EmptyFile { .. } | ConsentScope::Device(..) => {
                None
            }
        }
    }

    /// Makes the file, without a name if its file system can do that.
    pub(super) fn make(&self) -> Result<File, Fault> {
        let directory = self.judged_directory()?;
        let made = self.entry(&directory).create(NEW_FILE_MODE);
        made.map_err(|error| refusal(self.path(), &error))
    }

    /// Gives a file that [`open()`] made its name, unless it has one. Until then the file
    /// goes away with its last descriptor. Call it once there is something in the file that
    /// says whose it is. Does nothing for a file or device that existed before.
    ///
    /// # Errors
    /// When something else has the name by now, the directory is no longer the one that was judged,
    /// or the name cannot be given.
    pub fn publish(&self, file: &File) -> Result<(), Fault> {
        let Some(directory) = self.directory_of(file)? else { return Ok(()) };
        self.entry(&directory).publish(file).map_err(|error| refusal(self.path(), &error))
    }

    /// Removes the name of a file that [`open()`] made, if it still leads to that file. What
    /// existed before, and what took the name meanwhile, stays.
    ///
    /// # Errors
    /// When the directory or the name cannot be looked at or removed.
    pub fn take_back(&self, file: &File) -> Result<(), Fault> {
        let Some(directory) = self.directory_of(file)? else { return Ok(()) };
        match self.entry(&directory).remove(file) {
            Ok(Removal::Removed | Removal::Foreign) => Ok(()),
            Err(error) => Err(Fault::new(format!("{} cannot be removed", self.path().display()))
                .because(error)
                .fix("remove it yourself: it is unfinished")),
        }
    }

    /// The directory of the file that was made; nothing for a file or device that existed before.
    fn directory_of(&self, file: &File) -> Result<Option<File>, Fault> {
        if self.new_file_directory().is_none() {
            return Ok(None);
        }
        self.check(file)?;
        self.judged_directory().map(Some)
    }

    /// The directory of the file that is to be made, which must be the judged one.
    fn judged_directory(&self) -> Result<File, Fault> {
        let above = self.path().parent().unwrap_or(Path::new("/"));
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let directory = rustix::fs::open(above, flags, rustix::fs::Mode::empty()).map(File::from);
        let found = directory.map_err(std::io::Error::from).and_then(|directory| {
            let id = FileId::of(&directory.metadata()?);
            Ok((directory, id))
        });
        let (directory, id) = found.map_err(|error| not_looked_at(above, &error))?;
        if self.new_file_directory() == Some(id) {
            Ok(directory)
        } else {
            Err(self.refused().because("its directory is no longer the one that was judged"))
        }
    }

    fn entry<'a>(&'a self, directory: &'a File) -> Entry<'a> {
        let name = self.path().file_name().unwrap_or_default();
        Entry { directory: directory.as_fd(), name }
    }
}

fn not_looked_at(path: &Path, error: &io::Error) -> Fault {
    Fault::new(format!("{} cannot be looked at", path.display())).because(error)
}

/// Length of an open block device in bytes.
fn size_of_device(mut device: &File) -> io::Result<u64> {
    let size = device.seek(SeekFrom::End(0))?;
    device.rewind()?;
    Ok(size)
}

/// Attempts to get at a busy target before it is given up, beside the last.
const RETRIES: u32 = 40;

/// Pause between two attempts.
const RETRY_PAUSE: Duration = Duration::from_millis(50);

/// The purpose of opening a target.
#[derive(Debug, Clone, Copy)]
pub enum Mode<'a> {
    /// Reading alone.
    ReadOnly,
    /// Reading and writing, by this consent.
    ReadWrite(&'a WriteConsent),
}

/// An open target.
#[derive(Debug)]
pub struct Opened {
    /// The descriptor.
    pub file: File,
    /// Warnings for the run.
    pub warnings: Vec<Warning>,
}

/// Opens a target. For writing it is judged again on the descriptor that is returned: call this
/// right before the first write.
///
/// Block devices are opened exclusively, so open each target once per run and duplicate the
/// descriptor (`File::try_clone`) for further workers. A device that is in use is still opened for
/// reading, with a warning. A file opened for writing is locked against a second run; the lock
/// lives as long as the descriptor and its duplicates. With a consent for a new file, the first
/// opening makes the file, [`WriteConsent::publish`] gives it its name, and later ones open the
/// same one.
///
/// # Errors
/// When the target cannot be opened, is in use, is not what the consent was given for, holds
/// something else than when it was judged, or takes no direct I/O.
pub fn open(path: &Path, mode: Mode<'_>, caching: Caching) -> Result<Opened, Fault> {
    let opened = match mode {
        Mode::ReadOnly => open_reading(path, caching),
        Mode::ReadWrite(consent) => open_writing(path, consent, caching),
    }?;
    keep_access_time(&opened.file);
    Ok(opened)
}

/// Keeps reads from updating the target's access time, which would be additional I/O. The kernel
/// allows that to the owner of the target and to root; for others reads stay as they are.
fn keep_access_time(file: &File) {
    // Only opening must not wait; a ring gives I/O back undone that would wait with this flag.
    let _ = change_flags(file, |now| now - OFlags::NONBLOCK);
    let _ = change_flags(file, |now| now | OFlags::NOATIME);
}

fn open_reading(path: &Path, caching: Caching) -> Result<Opened, Fault> {
    let path = canonical(path)?;
    let meta = std::fs::metadata(&path).map_err(|error| refusal(&path, &error))?;
    check_kind(&path, &meta)?;
    let flags = flags(caching);
    let (file, warnings) = if meta.file_type().is_block_device() {
        open_device_reading(&path, flags)?
    } else {
        (options(flags).open(&path).map_err(|error| refusal(&path, &error))?, Vec::new())
    };
    let opened = file.metadata().map_err(|error| refusal(&path, &error))?;
    if (opened.dev(), opened.ino(), opened.rdev()) != (meta.dev(), meta.ino(), meta.rdev()) {
        return Err(Fault::new(format!("{} cannot be read", path.display()))
            .because("something took its place while it was opened"));
    }
    Ok(Opened { file, warnings })
}

fn open_device_reading(path: &Path, flags: OFlags) -> Result<(File, Vec<Warning>), Fault> {
    match options(flags | OFlags::EXCL).open(path) {
        Err(error) if is(&error, Errno::BUSY) => {
            let file = options(flags).open(path).map_err(|error| refusal(path, &error))?;
            Ok((file, vec![Warning::InUse { device: path.display().to_string() }]))
        }
        Err(error) => Err(refusal(path, &error)),
        Ok(file) => Ok((file, Vec::new())),
    }
}

fn open_writing(path: &Path, consent: &WriteConsent, caching: Caching) -> Result<Opened, Fault> {
    let path = if consent.is_to_be_made() { consent.path().to_owned() } else { canonical(path)? };
    if path != consent.path() {
        return Err(Fault::new(format!("{} will not be written", path.display()))
            .because(format!("the consent is for {}", consent.path().display())));
    }
    let file = if consent.is_to_be_made() {
        make(&path, consent, caching)?
    } else {
        open_judged(&path, consent, caching)?
    };
    Ok(Opened { file, warnings: Vec::new() })
}

/// Makes a file that must not exist yet. Where it cannot be used it is taken away again.
fn make(path: &Path, consent: &WriteConsent, caching: Caching) -> Result<File, Fault> {
    let file = consent.make()?;
    consent.keep_made(&file)?;
    let usable = lock(path, &file)
        .and_then(|()| apply(&file, caching).map_err(|error| refusal(path, &error.into())));
    match usable {
        Ok(()) => Ok(file),
        Err(fault) => {
            // The fault that is told is the first one.
            let _ = consent.take_back(&file);
            Err(fault)
        }
    }
}

/// Turns direct I/O on for an open file.
fn apply(file: &File, caching: Caching) -> rustix::io::Result<()> {
    match caching {
        Caching::Buffered => Ok(()),
        Caching::Direct => change_flags(file, |now| now | OFlags::DIRECT),
    }
}

fn change_flags(file: &File, change: impl Fn(OFlags) -> OFlags) -> rustix::io::Result<()> {
    rustix::fs::fcntl_setfl(file, change(rustix::fs::fcntl_getfl(file)?))
}

fn open_judged(path: &Path, consent: &WriteConsent, caching: Caching) -> Result<File, Fault> {
    let meta = std::fs::metadata(path).map_err(|error| refusal(path, &error))?;
    check_kind(path, &meta)?;
    let is_device = meta.file_type().is_block_device();
    let exclusive = if is_device { OFlags::EXCL } else { OFlags::empty() };
    let mut options = options(flags(Caching::Buffered) | exclusive);
    options.write(true);
    let file = patiently(|| options.open(path), |error| is(error, Errno::BUSY))
        .map_err(|error| refusal(path, &error))?;
    consent.check(&file)?;
    if !is_device {
        lock(path, &file)?;
        consent.take_empty(&file)?;
    }
    consent.check_again(&file)?;
    apply(&file, caching).map_err(|error| refusal(path, &error.into()))?;
    Ok(file)
}

/// Keeps a second run away for as long as the descriptor is open.
fn lock(path: &Path, file: &File) -> Result<(), Fault> {
    let try_lock = || rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive);
    patiently(try_lock, |error| *error == Errno::WOULDBLOCK).map_err(|error| {
        let fault = Fault::new(format!("{} cannot be locked", path.display()));
        if error == Errno::WOULDBLOCK {
            fault
                .because("another run is writing it")
                .fix("wait for the other run, or name another file")
        } else {
            fault.because(error)
        }
    })
}

/// Tries again for a while as long as the target is busy: the kernel takes a moment to let go of
/// what a killed process had registered with its rings.
fn patiently<T, E>(
    attempt: impl Fn() -> Result<T, E>,
    is_busy: impl Fn(&E) -> bool,
) -> Result<T, E> {
    for _ in 0..RETRIES {
        match attempt() {
            Err(error) if is_busy(&error) => std::thread::sleep(RETRY_PAUSE),
            other => return other,
        }
    }
    attempt()
}

fn options(flags: OFlags) -> OpenOptions {
    let mut options = File::options();
    // The bits fit: open(2) takes an int.
    options.read(true).custom_flags(flags.bits().cast_signed());
    options
}

fn flags(caching: Caching) -> OFlags {
    let direct = match caching {
        Caching::Direct => OFlags::DIRECT,
        Caching::Buffered => OFlags::empty(),
    };
    OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::NONBLOCK | direct
}

fn canonical(path: &Path) -> Result<PathBuf, Fault> {
    std::fs::canonicalize(path).map_err(|error| refusal(path, &error))
}

fn check_kind(path: &Path, meta: &Metadata) -> Result<(), Fault> {
    let kind = meta.file_type();
    if kind.is_file() || kind.is_block_device() {
        return Ok(());
    }
    Err(Fault::new(format!("{} cannot be opened", path.display()))
        .because("it is neither a regular file nor a block device"))
}

fn is(error: &io::Error, errno: Errno) -> bool {
    error.raw_os_error() == Some(errno.raw_os_error())
}

pub(super) fn refusal(path: &Path, error: &io::Error) -> Fault {
    let fault = Fault::new(format!("{} cannot be opened", path.display()));
    if is(error, Errno::INVAL) {
        fault
            .because("its file system or driver takes no direct I/O (O_DIRECT)")
            .fix("add --buffered to go through the page cache, or name a target on another disk")
    } else if is(error, Errno::BUSY) {
        fault
            .because("something else uses the device")
            .fix("inspect tells what: unmount it, swap it off, or stop the array or volume")
    } else if is(error, Errno::EXIST) {
        fault
            .because("a file of that name was made by something else just now")
            .fix("look at the file; run again, or name another one")
    } else if is(error, Errno::ACCESS) || is(error, Errno::PERM) {
        fault.because(error).fix("run as a user who may open it")
    } else {
        fault.because(error)
    }
}

/// Mode of a new test file, before the umask.
const NEW_FILE_MODE: rustix::fs::Mode = rustix::fs::Mode::from_raw_mode(0o666);
