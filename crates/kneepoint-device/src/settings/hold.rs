//! One owner for each setting of each device, also across stores.
//!
//! A run that varies a setting locks the kernel's file of it (flock(2)) from before it notes the
//! former value until it is back. The lock ends with the process, needs no right to write, and leaves
//! no file behind. It is seen by all processes that see the same sysfs.

use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use kneepoint_core::measure::journal::{Form, Place};
use kneepoint_core::words::fault::Fault;
use rustix::fs::{FlockOperation, Mode, OFlags, flock, major, minor};
use rustix::io::Errno;

use super::place_name;
use crate::facts::SysRoot;

/// Locks that keep other runs away from settings; they end with the value.
#[derive(Debug, Default)]
pub(super) struct Hold {
    files: Vec<File>,
}

impl Hold {
    /// Takes the settings at `places`. What cannot be locked, because it is gone or may not be read,
    /// is left out: whatever is done to it fails on its own.
    ///
    /// # Errors
    /// When another process holds one of them.
    pub(super) fn take<'a>(
        root: &SysRoot,
        places: impl Iterator<Item = &'a Place>,
    ) -> Result<Self, Fault> {
        let mut hold = Self::default();
        let mut paths: Vec<PathBuf> = Vec::new();
        for place in places {
            let path = root.path(key(place));
            if paths.contains(&path) {
                continue;
            }
            let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
            let Ok(file) = rustix::fs::open(&path, flags, Mode::empty()) else { continue };
            let file = File::from(file);
            if flock(&file, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK) {
                return Err(taken(root, place, &file));
            }
            paths.push(path);
            hold.files.push(file);
        }
        Ok(hold)
    }
}

impl Drop for Hold {
    /// Unlocks by word: closing alone would not, as long as a process that this one has just started
    /// still has a copy of the descriptor (flock(2)).
    fn drop(&mut self) {
        for file in &self.files {
            // Fails only for a descriptor that is none.
            let _ = flock(file, FlockOperation::Unlock);
        }
    }
}

/// The file whose lock stands for a setting: its own, or that of the device for limits of control
/// groups, whose files are those of all devices.
fn key(place: &Place) -> String {
    match &place.form {
        Form::Plain | Form::Choice | Form::WriteCache => place.file.clone(),
        Form::Throttle { .. } | Form::Limit { .. } => format!("/sys/block/{}/dev", place.device),
    }
}

fn taken(root: &SysRoot, place: &Place, file: &File) -> Fault {
    let holder = holder(root, file);
    let who = holder.map_or_else(String::new, |pid| format!(" (process {pid})"));
    Fault::new(format!("the {} is in use", place_name(place)))
        .because(format!("another run{who} is varying it, with whatever --store"))
        .fix("wait for its end, or name a target on another device")
}

/// The process that holds the lock on a file (/proc/locks, man 5 proc).
fn holder(root: &SysRoot, file: &File) -> Option<u32> {
    let meta = file.metadata().ok()?;
    let (dev, inode) = (meta.dev(), meta.ino());
    let id = format!("{:02x}:{:02x}:{inode}", major(dev), minor(dev));
    root.text("/proc/locks")?.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, "FLOCK", _, "WRITE", pid, found, ..] = words.as_slice() else { return None };
        (*found == id).then(|| pid.parse().ok())?
    })
}
