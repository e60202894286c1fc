//! Values of the kernel in their files: the only code that writes to `/sys`.

use std::fs::File;
use std::io::{self, Read, Write};

use kneepoint_core::measure::journal::{Form, Place};
use rustix::fs::{Mode, OFlags};

use crate::facts::{SysRoot, active_choice};

/// No limit, in control groups.
pub(super) const NO_LIMIT: &str = "max";

/// `SYSFS_MAGIC`, `CGROUP_SUPER_MAGIC` and `CGROUP2_SUPER_MAGIC` of linux/magic.h.
const SYSFS: i64 = 0x6265_6572;
const CGROUP: i64 = 0x0027_e0eb;
const CGROUP2: i64 = 0x6367_7270;

/// The value as it stands now.
pub(super) fn read(root: &SysRoot, place: &Place) -> io::Result<String> {
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
    })
}

/// What is written to the file for a value, as [`read`] gives it.
pub(super) fn text_for(place: &Place, value: &str) -> String {
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
    }
}

/// Writes a value, as [`read`] gives it, in one system call.
pub(super) fn write(root: &SysRoot, place: &Place, value: &str) -> io::Result<()> {
    let mut file = open(root, place, OFlags::WRONLY)?;
    if root.is_fake() {
        file.set_len(0)?;
    }
    file.write_all(text_for(place, value).as_bytes())
}

/// Whether this process may write the file.
pub(super) fn check_writable(root: &SysRoot, place: &Place) -> io::Result<()> {
    open(root, place, OFlags::WRONLY).map(drop)
}

/// Opens the file of a setting, and nothing else: no link, and only a file of the kernel's own that
/// has such settings, whatever its path says.
fn open(root: &SysRoot, place: &Place, access: OFlags) -> io::Result<File> {
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
    };
    match kind == wanted {
        true => Ok(file),
        false => Err(io::Error::other(format!("it is no file of {name}"))),
    }
}

/// What a line says after the device's number.
fn line_of<'a>(text: &'a str, number: &str) -> Option<&'a str> {
    let mut lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(name, _)| *name == number).map(|(_, rest)| rest.trim())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::*;

    fn place(file: &Path, form: Form) -> Place {
        Place {
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
            assert!(write(&root, &place, "1").is_err(), "{name}");
            assert!(check_writable(&root, &place).is_err(), "{name}");
            assert_eq!(fs::read(&path).unwrap(), b"precious", "{name}");
        }
        let link = folder.path().join("link");
        symlink("/sys/kernel/uevent_seqnum", &link).unwrap();
        assert!(read(&root, &place(&link, Form::Plain)).is_err(), "a link");
        let real = place(Path::new("/sys/kernel/uevent_seqnum"), Form::Plain);
        match read(&root, &real) {
            Ok(value) => assert!(value.parse::<u64>().is_ok(), "{value}"),
            Err(error) => kneepoint_testkit::skipped(format_args!("there is no sysfs: {error}")),
        }
    }
}
