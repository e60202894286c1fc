//! From the keys of a file to a profile that holds together.

mod distribution;
mod line;
mod users;

pub(crate) use line::{block, check_block};

use super::file::{AddressFile, DataFile, ProfileFile, Value};
use super::{LINES_MAX, NAME_CHARS_MAX, Profile, TITLE_CHARS_MAX};
use crate::spec::document::{Document, Entry};
use crate::spec::grid::Loads;
use crate::spec::profile::{AddressRange, DataPattern, Distribution};
use crate::words::fault::Fault;
use crate::words::load::LoadUnit;
use crate::words::units::Percent;

/// Turns what was read from `document` into a profile.
///
/// # Errors
/// When a value is out of bounds or values contradict each other.
pub(crate) fn check(document: Document, file: &ProfileFile) -> Result<Profile, Fault> {
    let users = users::check(document, file)?;
    let keys = LoadKeys {
        outstanding: file.outstanding.as_ref(),
        rate: file.rate.as_ref(),
        users: file.users.as_ref(),
    };
    let profile = Profile {
        name: checked_name(Entry::new(document, "name", &file.name))?,
        title: checked_title(Entry::new(document, "title", &file.title))?,
        description: prose(document, "description", file.description.as_ref())?,
        source: prose(document, "source", file.source.as_ref())?,
        loads: keys.loads(document)?,
        lines: match users {
            None => lines(document, file)?,
            Some(_) => Vec::new(),
        },
        range: match &file.address {
            Some(address) => range(document, address.get_ref(), address.span())?,
            None => AddressRange::WHOLE,
        },
        distribution: match &file.distribution {
            Some(given) => distribution::check(document, given)?,
            None => Distribution::Uniform,
        },
        data: data(document, file.data.as_ref())?,
        users,
    };
    if let (Some(loads), Some(entry)) = (&profile.loads, keys.first(document)) {
        profile.check_loads(loads).map_err(|fault| entry.place(fault))?;
    }
    Ok(profile)
}

/// A name that can be typed anywhere: lower-case letters, digits and hyphens, a letter first.
///
/// # Errors
/// When it has other characters, or none, or more than [`NAME_CHARS_MAX`].
pub(crate) fn checked_name(name: Entry) -> Result<String, Fault> {
    let text = name.text();
    let known = |char: char| char.is_ascii_lowercase() || char.is_ascii_digit() || char == '-';
    let framed = text.starts_with(|char: char| char.is_ascii_lowercase()) && !text.ends_with('-');
    if framed && text.chars().all(known) && text.len() <= NAME_CHARS_MAX {
        return Ok(text.to_owned());
    }
    Err(name.place(
        Fault::new(format!("'{}' can't be a name", text.escape_debug()))
            .because(format!(
                "names are lower-case letters, digits and hyphens, a letter first, at most \
                 {NAME_CHARS_MAX}"
            ))
            .fix("write it as file-server"),
    ))
}

/// A title: one line, not empty.
///
/// # Errors
/// When it is empty, longer than [`TITLE_CHARS_MAX`] or on more than one line.
pub(crate) fn checked_title(title: Entry) -> Result<String, Fault> {
    let text = title.one_line()?;
    match text.chars().count() {
        0 => Err(title.fault("it is empty").fix("say in a few words what is loaded")),
        count if count > TITLE_CHARS_MAX => Err(title
            .fault(format!("it has {count} characters, more than {TITLE_CHARS_MAX}"))
            .fix("move the details to 'description'")),
        _ => Ok(text),
    }
}

/// Text of any number of lines; empty where it was left out.
pub(crate) fn prose(
    document: Document,
    key: &'static str,
    value: Option<&Value>,
) -> Result<String, Fault> {
    value.map_or(Ok(String::new()), |value| Entry::new(document, key, value).prose())
}

/// The keys that say the load levels of a profile, a suite or a series: one of them.
#[derive(Clone, Copy)]
pub(crate) struct LoadKeys<'a> {
    /// `outstanding`.
    pub(crate) outstanding: Option<&'a Value>,
    /// `rate`.
    pub(crate) rate: Option<&'a Value>,
    /// `users`.
    pub(crate) users: Option<&'a Value>,
}

impl<'a> LoadKeys<'a> {
    /// The keys that are there, with their units.
    fn given(self, document: Document<'a>) -> impl Iterator<Item = (Entry<'a>, LoadUnit)> {
        let keys = [
            ("outstanding", self.outstanding, LoadUnit::OutstandingIos),
            ("rate", self.rate, LoadUnit::OfferedIops),
            ("users", self.users, LoadUnit::Users),
        ];
        keys.into_iter()
            .filter_map(move |(key, value, unit)| Some((Entry::new(document, key, value?), unit)))
    }

    /// The first key that is there.
    fn first(self, document: Document<'a>) -> Option<Entry<'a>> {
        self.given(document).next().map(|(entry, _)| entry)
    }

    /// The load levels; `None` if no key is there.
    ///
    /// # Errors
    /// When several are there, or the one is no grid.
    pub(crate) fn loads(self, document: Document<'a>) -> Result<Option<Loads>, Fault> {
        let mut given = self.given(document);
        let Some((entry, unit)) = given.next() else { return Ok(None) };
        if let Some((other, _)) = given.next() {
            return Err(other
                .fault("a load is outstanding I/Os, an offered rate or users, one of them")
                .fix("keep one of 'outstanding', 'rate' and 'users'"));
        }
        Loads::parse(entry.text(), unit).map(Some).map_err(|fault| entry.place(fault))
    }
}

/// All lines, whose shares add up to 100 %.
fn lines(document: Document, file: &ProfileFile) -> Result<Vec<super::Line>, Fault> {
    let Some(last) = file.lines.last() else {
        return Err(document
            .fault(file.name.span(), "the profile has no [[line]]")
            .fix("add a [[line]] with share = 100, size, read and random"));
    };
    if file.lines.len() > LINES_MAX {
        return Err(document
            .fault(last.share.span(), format!("more than {LINES_MAX} lines"))
            .fix("merge lines, or make two profiles"));
    }
    let lines: Vec<_> =
        file.lines.iter().map(|given| line::check(document, given)).collect::<Result<_, _>>()?;
    let shares = lines.iter().map(|line| line.share);
    sums_to_100(Entry::new(document, "share", &last.share), "the shares", shares)?;
    Ok(lines)
}

/// Refuses percentages that don't add up to 100; a millionth is left to rounding.
fn sums_to_100(at: Entry, what: &str, parts: impl Iterator<Item = Percent>) -> Result<(), Fault> {
    const TOLERANCE: f64 = 1e-6;
    let sum: f64 = parts.map(Percent::get).sum();
    let missing = 100.0 - sum;
    if missing.abs() <= TOLERANCE {
        return Ok(());
    }
    let fix = if missing > 0.0 {
        format!("add {} %", trimmed(missing))
    } else {
        format!("take {} % away", trimmed(-missing))
    };
    Err(at.fault(format!("{what} add up to {} %, not 100 %", trimmed(sum))).fix(fix))
}

/// A number with at most six decimals, none of them a trailing zero.
fn trimmed(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// `[address]`: from `start` to `end`, or the first `stroke` of the target.
fn range(
    document: Document,
    file: &AddressFile,
    span: std::ops::Range<usize>,
) -> Result<AddressRange, Fault> {
    let percent = |key, value: &Option<Value>, default| match value {
        Some(value) => Entry::new(document, key, value).percent(),
        None => Ok(default),
    };
    if file.stroke.is_some() && (file.start.is_some() || file.end.is_some()) {
        return Err(document
            .fault(span, "[address] has a stroke and a start or an end")
            .fix("keep 'stroke', or 'start' and 'end'"));
    }
    let start = percent("start", &file.start, Percent::ZERO)?;
    let end = percent("end", &file.end, Percent::FULL)?;
    let end = percent("stroke", &file.stroke, end)?;
    if start.get() < end.get() {
        return Ok(AddressRange { start, end });
    }
    Err(document
        .fault(span, format!("[address] is empty: it starts at {start} and ends at {end}"))
        .fix("let it end above its start"))
}

/// `[data]`.
fn data(document: Document, file: Option<&DataFile>) -> Result<DataPattern, Fault> {
    let percent = |key, value: Option<&Value>| match value {
        Some(value) => Entry::new(document, key, value).percent(),
        None => Ok(Percent::ZERO),
    };
    Ok(DataPattern {
        compressible: percent("compressible", file.and_then(|data| data.compressible.as_ref()))?,
        duplicate: percent("duplicate", file.and_then(|data| data.duplicate.as_ref()))?,
    })
}
