//! From the keys of a file to a profile that holds together.

use serde::Deserialize;
use toml::Spanned;

use super::files::{GivenFiles, files};
use super::positions::{DistributionFile, distribution};
use super::script::{StepFile, script};
use super::written::{DataFile, GivenDurability, data, durability, write_kind};
use super::{
    AddressRange, Align, BLOCK_BYTES_MAX, BURST_MAX, DELAY_MAX, DEMAND_MAX, Distribution,
    ExternalMember, FlagSet, GAP_BYTES_MAX, LINES_MAX, Line, MemberScale, NAME_CHARS_MAX,
    OPERATIONS_MAX, Profile, THINK_MAX, TITLE_CHARS_MAX, Transaction, TransactionShare,
    TypedBusiness, TypedMember, TypedUsers, UserOperation, Work, member_names,
};
use crate::spec::document::{Document, Entry, Scalar, did_you_mean};
use crate::spec::grid::Loads;
use crate::words::class::ClassName;
use crate::words::fault::Fault;
use crate::words::load::LoadUnit;
use crate::words::units::{Bytes, Nanos, Percent};

/// Turns what was read from `document`, which defines `members`, into a profile.
///
/// # Errors
/// When a value is out of bounds or values contradict each other.
pub(crate) fn check(
    document: Document,
    file: &ProfileFile,
    members: &[ExternalMember],
) -> Result<Profile, Fault> {
    let work = work(document, file, members)?;
    let lines = match &work {
        Work::Io => lines(document, file)?,
        _ => Vec::new(),
    };
    let keys = [&file.outstanding, &file.rate, &file.users, &file.warehouses, &file.copies];
    let mut profile = Profile {
        name: checked_name(Entry::new(document, "name", &file.name))?,
        title: checked_title(Entry::new(document, "title", &file.title))?,
        description: prose(document, "description", &file.description)?,
        source: prose(document, "source", &file.source)?,
        loads: loads(document, keys)?,
        range: match &file.address {
            Some(address) => range(document, address.get_ref(), address.span())?,
            None => AddressRange::WHOLE,
        },
        distribution: match &file.distribution {
            Some(given) => distribution(document, given)?,
            None => Distribution::Uniform,
        },
        data: data(document, file)?,
        durability: durability(document, file, &lines)?,
        think: match (&work, &file.think) {
            (Work::Io, Some(think)) => bounded(Entry::new(document, "think", think), THINK_MAX)?,
            _ => Nanos::ZERO,
        },
        lines,
        trace: None,
        work,
    };
    profile.loads = profile.loads.take().map(|loads| profile.own_loads(loads));
    if let (Some(loads), Some((entry, _))) = (&profile.loads, given_loads(document, keys).next()) {
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
    value: &Option<Value>,
) -> Result<String, Fault> {
    Ok(document.optional(key, value, Entry::prose)?.unwrap_or_default())
}

/// Those of the keys of loads that are there, with their units.
fn given_loads<'a>(
    document: Document<'a>,
    [outstanding, rate, users, warehouses, copies]: LoadKeys<'a>,
) -> impl Iterator<Item = (Entry<'a>, LoadUnit)> {
    let keys = [
        ("outstanding", outstanding, LoadUnit::OutstandingIos),
        ("rate", rate, LoadUnit::OfferedIops),
        ("users", users, LoadUnit::Users),
        ("warehouses", warehouses, LoadUnit::Warehouses),
        ("copies", copies, LoadUnit::Copies),
    ];
    keys.into_iter().filter_map(move |(key, value, unit)| {
        Some((Entry::new(document, key, value.as_ref()?), unit))
    })
}

/// The values of the keys `outstanding`, `rate`, `users`, `warehouses` and `copies`.
pub(crate) type LoadKeys<'a> = [&'a Option<Value>; 5];

/// The load levels of a profile, a suite or a series; `None` if none of the keys is there.
///
/// # Errors
/// When several are there, or the one is no grid.
pub(crate) fn loads(document: Document, keys: LoadKeys) -> Result<Option<Loads>, Fault> {
    let mut given = given_loads(document, keys);
    let Some((entry, unit)) = given.next() else { return Ok(None) };
    if let Some((other, _)) = given.next() {
        return Err(other
            .fault("a load has one unit: outstanding I/Os, an offered rate, users, warehouses or copies")
            .fix("keep one of 'outstanding', 'rate', 'users', 'warehouses' and 'copies'"));
    }
    Loads::parse(entry.text(), unit).map(Some).map_err(|fault| entry.place(fault))
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
        file.lines.iter().map(|given| line(document, given)).collect::<Result<_, _>>()?;
    let shares = lines.iter().map(|line| line.share);
    sums_to_100(Entry::new(document, "share", &last.share), "the shares", shares)?;
    Ok(lines)
}

/// Refuses percentages that don't add up to 100; a millionth is left to rounding.
pub(super) fn sums_to_100(
    at: Entry,
    what: &str,
    parts: impl Iterator<Item = Percent>,
) -> Result<(), Fault> {
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
    if file.stroke.is_some() && (file.start.is_some() || file.end.is_some()) {
        return Err(document
            .fault(span, "[address] has a stroke and a start or an end")
            .fix("keep 'stroke', or 'start' and 'end'"));
    }
    let percent = |key, value| document.optional(key, value, Entry::percent);
    let start = percent("start", &file.start)?.unwrap_or(Percent::ZERO);
    let end = percent("end", &file.end)?.or(percent("stroke", &file.stroke)?);
    let end = end.unwrap_or(Percent::FULL);
    if start.get() < end.get() {
        return Ok(AddressRange { start, end });
    }
    Err(document
        .fault(span, format!("[address] is empty: it starts at {start} and ends at {end}"))
        .fix("let it end above its start"))
}

/// Turns what was read into a line.
pub(super) fn line(document: Document, file: &LineFile) -> Result<Line, Fault> {
    let entry = |key, value| Entry::new(document, key, value);
    let read = entry("read", &file.read).percent()?;
    Ok(Line {
        share: some(entry("share", &file.share), "no I/O would follow this line", "the line")?,
        size: block(entry("size", &file.size))?,
        read,
        write: write_kind(document, &file.write, read)?,
        random: entry("random", &file.random).percent()?,
        burst: document.optional("burst", &file.burst, burst)?.unwrap_or(1),
        delay: delay(document, file)?,
        align: document.optional("align", &file.align, align)?.unwrap_or_default(),
        gap: gap(document, file)?,
    })
}

/// A share that is more than none; `idle` says what it would mean if it were not, and `part` what
/// has it.
pub(super) fn some(entry: Entry, idle: &str, part: &str) -> Result<Percent, Fault> {
    match entry.percent()? {
        Percent::ZERO => Err(entry.fault(idle).fix(format!("remove {part}"))),
        share => Ok(share),
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
fn align(entry: Entry) -> Result<Align, Fault> {
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

/// What is left out between sequential I/Os.
fn gap(document: Document, file: &LineFile) -> Result<Bytes, Fault> {
    let Some(value) = &file.gap else { return Ok(Bytes(0)) };
    let entry = Entry::new(document, "gap", value);
    let gap: Bytes = entry.parse()?;
    if gap.0 > GAP_BYTES_MAX {
        return Err(entry.fault(format!("a gap of {gap} is too large")).fix("use at most 1GiB"));
    }
    if Entry::new(document, "random", &file.random).percent()? == Percent::FULL {
        return Err(entry
            .fault("no I/O of the line is sequential")
            .because("the gap is left out before an I/O that continues where the last one ended")
            .fix("remove 'gap', or lower 'random'"));
    }
    Ok(gap)
}

/// What the profile does.
fn work(document: Document, file: &ProfileFile, members: &[ExternalMember]) -> Result<Work, Fault> {
    let users = users(document, file)?.map(Work::Users);
    if let Some(script) = script(document, file)? {
        return Ok(Work::Script(Box::new(script)));
    }
    let business = business(document, file)?.map(Work::Business);
    let member = member(document, file, members)?;
    if let Some(tree) = files(document, file)? {
        return Ok(Work::Files(tree));
    }
    Ok(users.or(business).or(member).unwrap_or(Work::Io))
}

/// Copies of a program; `None` if the profile names no `member`.
///
/// # Errors
/// When there is no such member, its flags are left out or unknown, or the profile has keys of other work
/// as well.
fn member(
    document: Document,
    file: &ProfileFile,
    members: &[ExternalMember],
) -> Result<Option<Work>, Fault> {
    let Some(member) = &file.member else {
        return match &file.flags {
            None => Ok(None),
            Some(flags) => Err(Entry::new(document, "flags", flags)
                .fault("only a member program has flags")
                .fix("add member = \"chess\", or leave 'flags' out")),
        };
    };
    refuse_io(document, file)?;
    let entry = Entry::new(document, "member", member);
    if !file.operations.is_empty() || !file.transactions.is_empty() || file.files.is_some() {
        return Err(entry
            .fault("the profile has a member and those of other work")
            .fix("make two profiles"));
    }
    if let Some(external) = members.iter().find(|member| member.name == entry.text()) {
        refuse_flags(document, file)?;
        return Ok(Some(Work::External(Box::new(external.clone()))));
    }
    if !member_names().any(|name| name == entry.text()) {
        let mut names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
        member_names().for_each(|name| names.push(name));
        let hint = did_you_mean(entry.text(), names.iter().copied());
        return Err(entry
            .fault(format!("there is no member '{}'", entry.text().escape_debug()))
            .fix(hint.unwrap_or_else(|| format!("use one of {}", names.join(", ")))));
    }
    let Some(flags) = &file.flags else {
        return Err(entry
            .fault("the profile does not say how the member is compiled")
            .fix("add flags = \"base\" or flags = \"peak\""));
    };
    let flags = Entry::new(document, "flags", flags);
    let is_named = |set: &FlagSet| set.name() == flags.text();
    let set = FlagSet::ALL.into_iter().find(is_named).ok_or_else(|| {
        flags
            .fault(format!("'{}' is no set of flags", flags.text().escape_debug()))
            .fix("use \"base\" or \"peak\"")
    })?;
    let scale = match &file.scale {
        None => MemberScale::Full,
        Some(scale) => {
            let scale = Entry::new(document, "scale", scale);
            let is_named = |known: &MemberScale| known.name() == scale.text();
            MemberScale::ALL.into_iter().find(is_named).ok_or_else(|| {
                scale
                    .fault(format!("'{}' is no scale", scale.text().escape_debug()))
                    .fix("use \"full\", \"quick\" or \"test\"")
            })?
        }
    };
    let member = entry.text().to_owned();
    Ok(Some(Work::Member(TypedMember { member, flags: set, scale })))
}

/// Refuses what only Kneepoint's own members have.
fn refuse_flags(document: Document, file: &ProfileFile) -> Result<(), Fault> {
    match [("flags", &file.flags), ("scale", &file.scale)]
        .into_iter()
        .find(|(_, key)| key.is_some())
    {
        Some((key, Some(value))) => Err(Entry::new(document, key, value)
            .fault("the member is a program of your own")
            .because("Kneepoint knows flags and scales of its own members alone")
            .fix(format!("leave '{key}' out; another [[member]] can have other commands"))),
        _ => Ok(()),
    }
}

/// What users do; `None` if the profile has no `[[operation]]`.
///
/// # Errors
/// When a value is out of bounds, or the profile has keys of I/O as well.
pub(super) fn users(document: Document, file: &ProfileFile) -> Result<Option<TypedUsers>, Fault> {
    let Some(last) = file.operations.last() else {
        return match &file.think {
            Some(think) if file.lines.is_empty() => Err(Entry::new(document, "think", think)
                .fault("only users and I/Os pause to think")
                .fix("add an [[operation]] with class, share and demand, or a [[line]]")),
            _ => Ok(None),
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

/// Business operations; `None` if the profile has no `[[transaction]]`.
///
/// # Errors
/// When a value is out of bounds, or the profile has keys of other work as well.
fn business(document: Document, file: &ProfileFile) -> Result<Option<TypedBusiness>, Fault> {
    let Some(last) = file.transactions.last() else {
        return match &file.remote {
            None => Ok(None),
            Some(remote) => Err(Entry::new(document, "remote", remote)
                .fault("only orders have lines from other warehouses")
                .fix("add a [[transaction]] with class and share")),
        };
    };
    refuse_io(document, file)?;
    if let Some(operation) = file.operations.last() {
        return Err(document
            .fault(operation.class.span(), "the profile has an [[operation]] and a [[transaction]]")
            .fix("make two profiles"));
    }
    let mut transactions: Vec<TransactionShare> = Vec::new();
    for given in &file.transactions {
        let class = Entry::new(document, "class", &given.class);
        let is_named = |kind: &Transaction| kind.name() == class.text();
        let kind = Transaction::ALL.into_iter().find(is_named).ok_or_else(|| {
            let names = Transaction::ALL.iter().map(|kind| kind.name());
            let names: Vec<&str> = names.collect();
            class
                .fault(format!("'{}' is no transaction", class.text().escape_debug()))
                .fix(format!("use one of {}", names.join(", ")))
        })?;
        if transactions.iter().any(|known| known.kind == kind) {
            return Err(class
                .fault(format!("'{}' is there twice", kind.name()))
                .fix("name each transaction once"));
        }
        let share = Entry::new(document, "share", &given.share);
        let share = some(share, "it would never be done", "the [[transaction]]")?;
        transactions.push(TransactionShare { kind, share });
    }
    let shares = transactions.iter().map(|part| part.share);
    sums_to_100(Entry::new(document, "share", &last.share), "the shares", shares)?;
    let remote = document.optional("remote", &file.remote, Entry::percent)?;
    Ok(Some(TypedBusiness { remote: remote.unwrap_or(Percent::ZERO), transactions }))
}

/// Refuses what only I/O has.
pub(super) fn refuse_io(document: Document, file: &ProfileFile) -> Result<(), Fault> {
    let line = file.lines.first().map(|line| line.share.span());
    let address = file.address.as_ref().map(|address| address.span());
    let distribution = file.distribution.as_ref().map(|distribution| distribution.span());
    let durability = file.durability.as_ref().map(|durability| durability.span());
    match line.or(address).or(distribution).or(durability) {
        None => Ok(()),
        Some(span) => Err(document
            .fault(span, "the profile has keys of I/O and those of other work")
            .fix("make two profiles")),
    }
}

/// One `[[operation]]`.
fn operation(document: Document, file: &OperationFile) -> Result<UserOperation, Fault> {
    let class = Entry::new(document, "class", &file.class);
    let name = ClassName::new(class.text()).filter(ClassName::is_counted).ok_or_else(|| {
        class.fault(format!("'{}' can't be a response class", class.text().escape_debug())).fix(
            "write lower-case letters, digits and hyphens, a letter first, at most 31; 'flush' is \
                 what storage does",
        )
    })?;
    let share = Entry::new(document, "share", &file.share);
    Ok(UserOperation {
        class: name,
        share: some(share, "users would never do it", "the [[operation]]")?,
        demand: bounded(Entry::new(document, "demand", &file.demand), DEMAND_MAX)?,
    })
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

/// A value with its place.
pub(crate) type Value = Spanned<Scalar>;

/// A profile in TOML.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProfileFile {
    pub(crate) name: Value,
    pub(super) title: Value,
    pub(super) description: Option<Value>,
    pub(super) source: Option<Value>,
    pub(super) outstanding: Option<Value>,
    pub(super) rate: Option<Value>,
    pub(super) users: Option<Value>,
    pub(super) warehouses: Option<Value>,
    pub(super) copies: Option<Value>,
    pub(super) member: Option<Value>,
    pub(super) flags: Option<Value>,
    pub(super) scale: Option<Value>,
    pub(super) remote: Option<Value>,
    #[serde(default, rename = "transaction")]
    pub(super) transactions: Vec<TransactionFile>,
    pub(super) think: Option<Value>,
    #[serde(default, rename = "operation")]
    pub(super) operations: Vec<OperationFile>,
    pub(super) pace: Option<Value>,
    pub(super) spread: Option<Value>,
    pub(super) rounds: Option<Value>,
    #[serde(default)]
    pub(super) start: Vec<StepFile>,
    #[serde(default)]
    pub(super) work: Vec<StepFile>,
    #[serde(default)]
    pub(super) end: Vec<StepFile>,
    #[serde(default, rename = "line")]
    pub(super) lines: Vec<LineFile>,
    pub(super) address: Option<Spanned<AddressFile>>,
    pub(super) distribution: Option<Spanned<DistributionFile>>,
    pub(super) data: Option<DataFile>,
    pub(super) durability: GivenDurability,
    pub(super) files: GivenFiles,
}

/// `[[operation]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OperationFile {
    pub(super) class: Value,
    pub(super) share: Value,
    pub(super) demand: Value,
}

/// `[[transaction]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TransactionFile {
    pub(super) class: Value,
    pub(super) share: Value,
}

/// `[[line]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LineFile {
    pub(super) share: Value,
    pub(super) size: Value,
    pub(super) read: Value,
    pub(super) write: Option<Value>,
    pub(super) random: Value,
    pub(super) burst: Option<Value>,
    pub(super) delay: Option<Value>,
    pub(super) align: Option<Value>,
    pub(super) gap: Option<Value>,
}

/// `[address]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AddressFile {
    pub(super) start: Option<Value>,
    pub(super) end: Option<Value>,
    pub(super) stroke: Option<Value>,
}
