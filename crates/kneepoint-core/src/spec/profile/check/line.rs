//! One `[[line]]`.

use crate::spec::document::{Document, Entry};
use crate::spec::profile::file::{LineFile, Value};
use crate::spec::profile::{Align, BLOCK_BYTES_MAX, BURST_MAX, DELAY_MAX, Line};
use crate::words::fault::Fault;
use crate::words::units::{Bytes, Nanos, Percent};

/// Turns what was read into a line.
pub(super) fn check(document: Document, file: &LineFile) -> Result<Line, Fault> {
    let entry = |key, value| Entry::new(document, key, value);
    Ok(Line {
        share: share(entry("share", &file.share))?,
        size: block(entry("size", &file.size))?,
        read: entry("read", &file.read).percent()?,
        random: entry("random", &file.random).percent()?,
        burst: match &file.burst {
            Some(value) => burst(entry("burst", value))?,
            None => 1,
        },
        delay: delay(document, file)?,
        align: align(document, file.align.as_ref())?,
    })
}

/// A share of the I/Os, more than none.
fn share(entry: Entry) -> Result<Percent, Fault> {
    let share = entry.percent()?;
    if share == Percent::ZERO {
        Err(entry.fault("no I/O would follow this line").fix("remove the line"))
    } else {
        Ok(share)
    }
}

/// A size that one I/O can have.
pub(crate) fn block(entry: Entry) -> Result<Bytes, Fault> {
    let size: Bytes = entry.parse()?;
    check_block(size).map_err(|fault| entry.place(fault))
}

/// Refuses sizes that no I/O has.
pub(crate) fn check_block(size: Bytes) -> Result<Bytes, Fault> {
    if (1..=BLOCK_BYTES_MAX).contains(&size.0) {
        return Ok(size);
    }
    let what = match size.0 {
        0 => "a block of 0 bytes moves nothing".to_owned(),
        _ => format!("a block of {size} is too large"),
    };
    Err(Fault::new(what).fix("use 1B to 1GiB"))
}

/// I/Os between two delays.
fn burst(entry: Entry) -> Result<u32, Fault> {
    let burst = entry.whole()?;
    if (1..=BURST_MAX).contains(&burst) {
        Ok(burst)
    } else {
        Err(entry.fault(format!("a burst of {burst} I/Os")).fix(format!("use 1 to {BURST_MAX}")))
    }
}

/// The pause after a burst.
fn delay(document: Document, file: &LineFile) -> Result<Nanos, Fault> {
    let Some(value) = &file.delay else { return Ok(Nanos::ZERO) };
    let entry = Entry::new(document, "delay", value);
    let delay: Nanos = entry.parse()?;
    if delay > DELAY_MAX {
        return Err(entry.fault(format!("{delay} is too long")).fix("use at most 1h"));
    }
    if delay > Nanos::ZERO && file.burst.is_none() {
        return Err(entry
            .fault("a delay without a burst")
            .because("the delay is the pause after each burst of I/Os")
            .fix("add burst = 1 to pause after every I/O, or remove the delay"));
    }
    Ok(delay)
}

/// What random positions are multiples of.
fn align(document: Document, value: Option<&Value>) -> Result<Align, Fault> {
    let Some(value) = value else { return Ok(Align::Request) };
    let entry = Entry::new(document, "align", value);
    match entry.text() {
        "request" => Ok(Align::Request),
        "sector" => Ok(Align::Sector),
        size => match size.parse::<Bytes>() {
            Ok(size) if (1..=BLOCK_BYTES_MAX).contains(&size.0) => Ok(Align::Size(size)),
            _ => Err(entry
                .fault(format!("'{}' is no alignment", size.escape_debug()))
                .fix("use \"request\", \"sector\" or a size from 1B to 1GiB, such as \"4KiB\"")),
        },
    }
}
