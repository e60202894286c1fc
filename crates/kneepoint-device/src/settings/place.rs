//! Values of the kernel in their files: the only code that writes to `/sys`.

use std::fs::OpenOptions;
use std::io::{self, Write};

use kneepoint_core::factor::journal::{Form, Place};

use crate::facts::{SysRoot, active_choice};

/// No limit, in control groups.
pub(super) const NO_LIMIT: &str = "max";

/// The value as it stands now.
pub(super) fn read(root: &SysRoot, place: &Place) -> io::Result<String> {
    let text = std::fs::read_to_string(root.path(&place.file))?;
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

/// Writes a value, as [`read`] gives it, in one system call.
pub(super) fn write(root: &SysRoot, place: &Place, value: &str) -> io::Result<()> {
    let text = match &place.form {
        Form::Plain | Form::Choice => value.to_owned(),
        Form::WriteCache => match value {
            "on" => "write back".to_owned(),
            "off" => "write through".to_owned(),
            other => other.to_owned(),
        },
        Form::Throttle { number } if value == NO_LIMIT => format!("{number} 0"),
        Form::Throttle { number } => format!("{number} {value}"),
        Form::Limit { number, key } => format!("{number} {key}={value}"),
    };
    let mut file = OpenOptions::new().write(true).truncate(true).open(root.path(&place.file))?;
    file.write_all(text.as_bytes())
}

/// Whether this process may write the file.
pub(super) fn check_writable(root: &SysRoot, place: &Place) -> io::Result<()> {
    OpenOptions::new().write(true).open(root.path(&place.file)).map(drop)
}

/// What a line says after the device's number.
fn line_of<'a>(text: &'a str, number: &str) -> Option<&'a str> {
    let mut lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(name, _)| *name == number).map(|(_, rest)| rest.trim())
}
