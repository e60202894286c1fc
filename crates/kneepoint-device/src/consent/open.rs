//! Opening targets: the only way to a descriptor that can write.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use kneepoint_core::plan::Caching;
use kneepoint_core::result::Warning;
use kneepoint_core::words::fault::Fault;
use rustix::fs::{FlockOperation, OFlags};
use rustix::io::Errno;

use super::WriteConsent;

/// Attempts to get at a busy target before it is given up, beside the last.
const RETRIES: u32 = 40;

/// Pause between two attempts.
const RETRY_PAUSE: Duration = Duration::from_millis(50);

/// What a target is opened for.
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
    /// What the run should say about it.
    pub warnings: Vec<Warning>,
}

/// Opens a target. For writing it is judged again on the descriptor that is returned: call this right
/// before the first write.
///
/// Block devices are opened exclusively, so open each target once per run and duplicate the
/// descriptor (`File::try_clone`) for further workers. A device that is in use is still opened for
/// reading, with a warning. A file opened for writing is locked against a second run; the lock
/// lives as long as the descriptor and its duplicates. With a consent for a new file, the first
/// opening makes the file, [`WriteConsent::publish`] gives it its name, and later ones open the same
/// one.
///
/// # Errors
/// When the target cannot be opened, is in use, is not what the consent was given for, holds something
/// else than when it was judged, or takes no direct I/O.
pub fn open(path: &Path, mode: Mode<'_>, caching: Caching) -> Result<Opened, Fault> {
    let opened = match mode {
        Mode::ReadOnly => open_reading(path, caching),
        Mode::ReadWrite(consent) => open_writing(path, consent, caching),
    }?;
    keep_access_time(&opened.file);
    Ok(opened)
}

/// Keeps reads from updating the target's access time, which would be I/O of its own. The kernel
/// allows that to the owner of the target and to root; for others reads stay as they are.
fn keep_access_time(file: &File) {
    // Only opening must not wait; a ring gives I/O back undone that would wait with this flag.
    if let Ok(now) = rustix::fs::fcntl_getfl(file) {
        let _ = rustix::fs::fcntl_setfl(file, now - OFlags::NONBLOCK);
    }
    if let Ok(now) = rustix::fs::fcntl_getfl(file) {
        let _ = rustix::fs::fcntl_setfl(file, now | OFlags::NOATIME);
    }
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
        Caching::Direct => {
            let now = rustix::fs::fcntl_getfl(file)?;
            rustix::fs::fcntl_setfl(file, now | OFlags::DIRECT)
        }
    }
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
