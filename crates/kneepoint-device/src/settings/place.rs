//! The places of settings: values of the kernel in their files, by the only code that writes to
//! `/sys`; whose device a place is now; and one owner for each setting of each device, also across
//! stores.
//!
//! The kernel gives names again, `sdb` or `loop0`, within one start of the machine and all the more
//! after the next. A value that was read from one device is not written to another.
//!
//! A run that varies a setting locks the kernel's file of it (flock(2)) from before it notes the
//! former value until it is back. The lock ends with the process, needs no right to write, and
//! leaves no file behind. It is seen by all processes that see the same sysfs.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use kneepoint_core::measure::journal::{Form, Origin, SettingIdentity, SettingPlace};
use kneepoint_core::words::fault::Fault;
use rustix::fs::{FlockOperation, Mode, OFlags, flock, major, minor};
use rustix::io::Errno;

use super::frequency::is_limit;
use super::{place_name, quota};
use crate::facts::{SysRoot, active_choice};

/// No limit, in control groups.
pub(super) const NO_LIMIT: &str = "max";

/// `SYSFS_MAGIC`, `CGROUP_SUPER_MAGIC` and `CGROUP2_SUPER_MAGIC` of linux/magic.h.
const SYSFS: i64 = 0x6265_6572;
const CGROUP: i64 = 0x0027_e0eb;
const CGROUP2: i64 = 0x6367_7270;

/// The value as it stands now.
pub(super) fn read_value(root: &SysRoot, place: &SettingPlace) -> io::Result<String> {
    let mut text = String::new();
    open(root, place, OFlags::RDONLY)?.read_to_string(&mut text)?;
    let text = text.trim();
    Ok(match &place.form {
        Form::Plain => text.to_owned(),
        Form::Choice => active_choice(text).to_owned(),
        Form::WriteCache => match text {
            "write back" => "on".to_owned(),
            "write through" => "off".to_owned(),
            other => other.to_owned(),
        },
        Form::Throttle { number } => match line_of(text, number) {
            None | Some("0") => NO_LIMIT.to_owned(),
            Some(limit) => limit.to_owned(),
        },
        Form::Limit { number, key } => {
            let pairs = line_of(text, number).unwrap_or_default().split(' ');
            let found = pairs.filter_map(|pair| pair.split_once('=')).find(|(name, _)| name == key);
            found.map_or(NO_LIMIT, |(_, limit)| limit).to_owned()
        }
        Form::Quota => quota::read(text),
    })
}

/// The text to write to the file for a value, as [`read_value`] gives it.
pub(super) fn text_for(place: &SettingPlace, value: &str) -> String {
    match &place.form {
        Form::Plain | Form::Choice => value.to_owned(),
        Form::WriteCache => match value {
            "on" => "write back".to_owned(),
            "off" => "write through".to_owned(),
            other => other.to_owned(),
        },
        Form::Throttle { number } if value == NO_LIMIT => format!("{number} 0"),
        Form::Throttle { number } => format!("{number} {value}"),
        Form::Limit { number, key } => format!("{number} {key}={value}"),
        Form::Quota => quota::text_for(&place.file, value),
    }
}

/// Writes a value, as [`read_value`] gives it, in one system call.
pub(super) fn write_value(root: &SysRoot, place: &SettingPlace, value: &str) -> io::Result<()> {
    let mut file = open(root, place, OFlags::WRONLY)?;
    if root.is_fake() {
        file.set_len(0)?;
    }
    file.write_all(text_for(place, value).as_bytes())
}

/// Fails if this process may not write the file.
pub(super) fn check_writable(root: &SysRoot, place: &SettingPlace) -> io::Result<()> {
    open(root, place, OFlags::WRONLY).map(drop)
}

/// Opens the file of a setting, and nothing else: no link, and only a file of the kernel's own that
/// has such settings, whatever its path says.
fn open(root: &SysRoot, place: &SettingPlace, access: OFlags) -> io::Result<File> {
    let flags = access | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK;
    let file = File::from(rustix::fs::open(root.path(&place.file), flags, Mode::empty())?);
    if root.is_fake() {
        return Ok(file);
    }
    #[allow(clippy::useless_conversion, reason = "it is another type on other architectures")]
    let kind = i64::from(rustix::fs::fstatfs(&file)?.f_type);
    let (wanted, name) = match &place.form {
        Form::Plain | Form::Choice | Form::WriteCache => (SYSFS, "sysfs"),
        Form::Throttle { .. } => (CGROUP, "a control group"),
        Form::Limit { .. } => (CGROUP2, "a control group"),
        Form::Quota if quota::is_new(&place.file) => (CGROUP2, "a control group"),
        Form::Quota => (CGROUP, "a control group"),
    };
    match kind == wanted {
        true => Ok(file),
        false => Err(io::Error::other(format!("it is no file of {name}"))),
    }
}

/// The text of a line after the device's number.
fn line_of<'a>(text: &'a str, number: &str) -> Option<&'a str> {
    let mut lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(name, _)| *name == number).map(|(_, rest)| rest.trim())
}

/// The start of the machine in which a journal was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Boot {
    /// It is this one.
    This,
    /// The machine was restarted since.
    Earlier,
    /// The journal does not say it, or the kernel does not.
    Unknown,
}

impl Boot {
    /// The start in which the journal was written, seen from the one with the id `here`.
    pub(super) fn of(origin: &Origin, here: &str) -> Self {
        match origin.boot_id.as_str() {
            "" => Self::Unknown,
            _ if here.is_empty() => Self::Unknown,
            boot if boot == here => Self::This,
            _ => Self::Earlier,
        }
    }
}

/// Whose setting stands at a place now; nothing if the kernel does not say it.
pub(super) fn identity_of(root: &SysRoot, place: &SettingPlace) -> Option<SettingIdentity> {
    let inode = std::fs::symlink_metadata(root.path(&place.file)).ok()?.ino();
    if is_limit(&place.file) || place.form == Form::Quota {
        // The kernel makes the files again when it makes a policy, or a control group, again.
        return Some(SettingIdentity { inode, number: place.device.clone(), sequence: None });
    }
    let device = root.dir(Path::new("/sys/block").join(&place.device));
    Some(SettingIdentity { inode, number: device.text("dev")?, sequence: device.value("diskseq") })
}

/// The target of a command, if it is a block device.
pub(super) fn device_named(directory: &Path, target: &str) -> Option<String> {
    let metadata = std::fs::metadata(directory.join(target)).ok()?;
    metadata.file_type().is_block_device().then(|| target.to_owned())
}

/// Why a value is not written to a place, if there is a reason.
pub(super) fn doubt_of_place(
    root: &SysRoot,
    (place, identity): (&SettingPlace, Option<&SettingIdentity>),
    boot: Boot,
) -> Option<&'static str> {
    match (boot, identity) {
        (Boot::Earlier, _) => Some(RESTARTED),
        (Boot::Unknown, _) | (_, None) => Some(UNSAID),
        (Boot::This, Some(before)) if identity_of(root, place).as_ref() == Some(before) => None,
        (Boot::This, Some(_)) => Some("another device, or none, has that name now"),
    }
}

/// Why a command is not run for the device that it names, if there is a reason. Within one start of
/// the machine there is none: the run's own commands may have made the device again.
pub(super) const fn doubt_of_device(device: Option<&String>, boot: Boot) -> Option<&'static str> {
    match (device, boot) {
        (Some(_), Boot::Earlier) => Some(RESTARTED),
        (Some(_), Boot::Unknown) => Some(UNSAID),
        (_, Boot::This) | (None, _) => None,
    }
}

const RESTARTED: &str =
    "the machine was restarted since, after which the kernel assigns new names and values";
const UNSAID: &str = "the journal does not say which device in which start of the machine it was";

/// Locks that keep other runs away from settings; they end with the value.
#[derive(Debug, Default)]
pub(super) struct Hold {
    files: Vec<File>,
}

impl Hold {
    /// Takes the settings at `places`. What cannot be locked, because it is gone or may not be
    /// read, is left out: whatever is done to it fails on its own. Fails if another process holds one.
    pub(super) fn take<'a>(
        root: &SysRoot,
        places: impl Iterator<Item = &'a SettingPlace>,
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
    /// Unlocks by word: closing alone would not, as long as a process that this one has just
    /// started still has a copy of the descriptor (flock(2)).
    fn drop(&mut self) {
        for file in &self.files {
            // Fails only for a descriptor that is none.
            let _ = flock(file, FlockOperation::Unlock);
        }
    }
}

/// The file whose lock stands for a setting: its own, or that of the device for limits of control
/// groups, whose files are those of all devices.
fn key(place: &SettingPlace) -> String {
    match &place.form {
        Form::Plain | Form::Choice | Form::WriteCache | Form::Quota => place.file.clone(),
        Form::Throttle { .. } | Form::Limit { .. } => format!("/sys/block/{}/dev", place.device),
    }
}

fn taken(root: &SysRoot, place: &SettingPlace, file: &File) -> Fault {
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::*;

    fn place(file: &Path, form: Form) -> SettingPlace {
        SettingPlace {
            factor: "factor".to_owned(),
            device: "sda".to_owned(),
            file: file.to_string_lossy().into_owned(),
            form,
        }
    }

    #[test]
    fn a_file_that_is_not_the_kernels_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let root = SysRoot::default();
        let number = || "8:0".to_owned();
        let forms = [
            ("blkio.throttle.read_bps_device", Form::Throttle { number: number() }),
            ("io.max", Form::Limit { number: number(), key: "rbps".to_owned() }),
            ("scheduler", Form::Choice),
            ("read_ahead_kb", Form::Plain),
        ];
        for (name, form) in forms {
            let path = folder.path().join(name);
            fs::write(&path, "precious").unwrap();
            let place = place(&path, form);
            assert!(write_value(&root, &place, "1").is_err(), "{name}");
            assert!(check_writable(&root, &place).is_err(), "{name}");
            assert_eq!(fs::read(&path).unwrap(), b"precious", "{name}");
        }
        let link = folder.path().join("link");
        symlink("/sys/kernel/uevent_seqnum", &link).unwrap();
        assert!(read_value(&root, &place(&link, Form::Plain)).is_err(), "a link");
        let real = place(Path::new("/sys/kernel/uevent_seqnum"), Form::Plain);
        match read_value(&root, &real) {
            Ok(value) => assert!(value.parse::<u64>().is_ok(), "{value}"),
            Err(error) => kneepoint_testkit::skipped(format_args!("there is no sysfs: {error}")),
        }
    }
}
