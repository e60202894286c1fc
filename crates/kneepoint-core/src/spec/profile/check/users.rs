//! What users do: `think` and every `[[operation]]`.

use super::sums_to_100;
use crate::spec::document::{Document, Entry};
use crate::spec::profile::file::{OperationFile, ProfileFile};
use crate::spec::profile::{DEMAND_MAX, OPERATIONS_MAX, THINK_MAX, TypedUsers, UserOperation};
use crate::words::class::ClassName;
use crate::words::fault::Fault;
use crate::words::units::{Nanos, Percent};

/// What users do; `None` if the profile has no `[[operation]]`.
///
/// # Errors
/// When a value is out of bounds, or the profile has keys of I/O as well.
pub(super) fn check(document: Document, file: &ProfileFile) -> Result<Option<TypedUsers>, Fault> {
    let Some(last) = file.operations.last() else {
        return match &file.think {
            None => Ok(None),
            Some(think) => Err(Entry::new(document, "think", think)
                .fault("only users pause to think")
                .fix("add an [[operation]] with class, share and demand; I/Os have a delay")),
        };
    };
    refuse_io(document, file)?;
    if file.operations.len() > OPERATIONS_MAX {
        return Err(document
            .fault(last.class.span(), format!("more than {OPERATIONS_MAX} operations"))
            .fix("merge operations, or make two profiles"));
    }
    let operations: Vec<UserOperation> =
        file.operations.iter().map(|given| operation(document, given)).collect::<Result<_, _>>()?;
    for (index, operation) in operations.iter().enumerate() {
        if operations[..index].iter().any(|known| known.class == operation.class) {
            return Err(Entry::new(document, "class", &file.operations[index].class)
                .fault(format!("two operations are of the class '{}'", operation.class))
                .fix("give each its own class"));
        }
    }
    let shares = operations.iter().map(|operation| operation.share);
    sums_to_100(Entry::new(document, "share", &last.share), "the shares", shares)?;
    Ok(Some(TypedUsers { think: think(document, file)?, operations }))
}

/// Refuses what only I/O has.
fn refuse_io(document: Document, file: &ProfileFile) -> Result<(), Fault> {
    let line = file.lines.first().map(|line| line.share.span());
    let address = file.address.as_ref().map(|address| address.span());
    let distribution = file.distribution.as_ref().map(|distribution| distribution.span());
    match line.or(address).or(distribution) {
        None => Ok(()),
        Some(span) => Err(document
            .fault(span, "the profile has an [[operation]] of users and keys of I/O")
            .fix("make two profiles")),
    }
}

/// One `[[operation]]`.
fn operation(document: Document, file: &OperationFile) -> Result<UserOperation, Fault> {
    let class = Entry::new(document, "class", &file.class);
    let name = ClassName::new(class.text()).ok_or_else(|| {
        class
            .fault(format!("'{}' can't be a response class", class.text().escape_debug()))
            .fix("write lower-case letters, digits and hyphens, a letter first, at most 31")
    })?;
    let demand = Entry::new(document, "demand", &file.demand);
    Ok(UserOperation {
        class: name,
        share: share(Entry::new(document, "share", &file.share))?,
        demand: bounded(demand, DEMAND_MAX)?,
    })
}

/// A share of the operations, more than none.
fn share(entry: Entry) -> Result<Percent, Fault> {
    match entry.percent()? {
        Percent::ZERO => {
            Err(entry.fault("users would never do it").fix("remove the [[operation]]"))
        }
        share => Ok(share),
    }
}

fn think(document: Document, file: &ProfileFile) -> Result<Nanos, Fault> {
    let Some(think) = &file.think else {
        return Err(document
            .fault(file.name.span(), "users pause, and the profile does not say how long")
            .fix("add think = \"250ms\", the mean pause before an operation"));
    };
    bounded(Entry::new(document, "think", think), THINK_MAX)
}

/// A time above zero, and at most `max`.
fn bounded(entry: Entry, max: Nanos) -> Result<Nanos, Fault> {
    let time: Nanos = entry.parse()?;
    match time {
        Nanos::ZERO => Err(entry.fault("it is no time at all").fix("write it as 5ms")),
        time if time > max => {
            Err(entry.fault(format!("{time} is too long")).fix(format!("use at most {max}")))
        }
        time => Ok(time),
    }
}
