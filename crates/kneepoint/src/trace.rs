//! Recorded traces: found, described, and as work that is replayed.

use std::fs::File;
use std::io::{self, Read, Stdin};
use std::path::Path;

use kneepoint_core::plan::resolve::Wishes;
use kneepoint_core::plan::{Plan, TypedLoads};
use kneepoint_core::spec::grid::Loads;
use kneepoint_core::spec::profile::{Profile, SeriesProfile};
use kneepoint_core::spec::suite::Suite;
use kneepoint_core::spec::trace::{TraceEvent, TracePart, TraceReading, TraceWork, rounded_rate};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::number::{Iops, Span};
use kneepoint_core::words::printable::printable;
use kneepoint_core::words::units::Nanos;
use kneepoint_formats::job::Conduct;
use kneepoint_formats::trace::{
    Described, Description, HEAD_BYTES, PartOfTrace, TraceFormat, TraceReader, packed, profile_of,
    replayed, still_packed,
};

use crate::output::print::tell;

/// Longest time that a point of a trace takes where the user says nothing.
const TIME_MAX: Nanos = Nanos::from_secs(60);
/// Shortest.
const TIME_MIN: Nanos = Nanos::from_secs(1);

/// A trace that was found as work.
pub(crate) struct FoundTrace {
    /// One series that replays it.
    pub(crate) suite: Suite,
    /// How it is measured.
    pub(crate) conduct: Conduct,
}

/// What was read of a trace.
pub(crate) struct Seen {
    /// Its format.
    pub(crate) format: TraceFormat,
    /// What is in it.
    pub(crate) described: Described,
    /// What of it is no I/O as it was recorded.
    pub(crate) reading: TraceReading,
}

/// Whether the file at `path` is a trace, by its content.
pub(crate) fn is_one(path: &Path) -> bool {
    head(path).is_some_and(|head| TraceFormat::told(&head).is_some())
}

/// The first bytes of a file that can be a trace; `None` for anything else.
fn head(path: &Path) -> Option<Vec<u8>> {
    // A pipe or a terminal would be waited for, and could not be read twice.
    if !path.is_file() || path.extension().is_some_and(|ending| ending == "toml") {
        return None;
    }
    let mut head = Vec::new();
    let file = File::open(path).ok()?;
    file.take(HEAD_BYTES).read_to_end(&mut head).ok().map(|_| head)
}

/// Reads a trace from a file, or from standard input for `-`.
pub(crate) fn seen(path: &Path, part: TracePart) -> Result<Seen, Fault> {
    let name = path.to_string_lossy();
    match name.as_ref() {
        "-" => {
            let input: Stdin = io::stdin();
            read(TraceReader::new("standard input", input, part.event)?, part)
        }
        name => read(open(name, part.event)?, part),
    }
}

/// What is in the trace at `path`.
pub(crate) fn described(path: &Path, part: TracePart) -> Result<Described, Fault> {
    seen(path, part).map(|seen| seen.described)
}

fn open(name: &str, event: TraceEvent) -> Result<TraceReader<File>, Fault> {
    let file = File::open(name).map_err(|error| {
        Fault::new(format!("cannot read {name}")).because(error).fix("name a trace that exists")
    })?;
    TraceReader::new(name, file, event)
}

fn read<R: Read>(reader: TraceReader<R>, part: TracePart) -> Result<Seen, Fault> {
    let mut part = PartOfTrace::new(reader, part);
    let mut description = Description::default();
    for io in part.by_ref() {
        description.count(&io?);
    }
    let reader = part.reader();
    let described = description.described(reader.devices());
    if described.ios() == 0 {
        return Err(Fault::new("there is no I/O in that part of the trace")
            .because("--trace-from and --trace-until leave all of them out")
            .fix("describe it without them to see how long it is"));
    }
    Ok(Seen { format: reader.format(), described, reading: part.reading() })
}

/// The trace in a file as work; `None` if it is something else.
///
/// # Errors
/// When it is a trace that cannot be replayed.
pub(crate) fn found(path: &Path, wishes: &Wishes) -> Result<Option<FoundTrace>, Fault> {
    if !is_one(path) {
        return match head(path).and_then(|head| packed(&head)) {
            Some(packer) => Err(still_packed(&path.to_string_lossy(), packer)),
            None => Ok(None),
        };
    }
    let name = path.to_string_lossy();
    let part = wishes.trace.part;
    let seen = seen(path, part)?;
    let (_, mut profile) = profile_of(&seen.described, &name)?;
    let work = load(&name, (&seen.described, wishes))?;
    profile.loads = loads(&work, &wishes.trace.speeds)?;
    "Replays a trace, as it was recorded.".clone_into(&mut profile.description);
    let conduct = conduct(&work, (&profile, wishes));
    tell_of((&name, &seen), (&work, conduct));
    profile.trace = Some(Box::new(work));
    Ok(Some(FoundTrace { suite: Suite::of_profile(profile), conduct }))
}

fn load(name: &str, (described, wishes): (&Described, &Wishes)) -> Result<TraceWork, Fault> {
    let part = wishes.trace.part;
    replayed(open(name, part.event)?, (name, part, wishes.trace.fit), &described.devices)
}

/// The rates of a replay: the trace's own times each of `speeds`; `None` for a trace without times.
fn loads(work: &TraceWork, speeds: &[f64]) -> Result<Option<Loads>, Fault> {
    let Some(own) = work.rate_per_s() else {
        return match speeds.is_empty() {
            true => Ok(None),
            false => Err(Fault::new(format!("{} has no times", work.file))
                .because("all of its I/Os come at once, so no speed is its own")
                .fix("give a rate with --rate, or a closed loop with --outstanding")),
        };
    };
    let own_alone = [1.0];
    let speeds = if speeds.is_empty() { &own_alone } else { speeds };
    let rates: Vec<String> =
        speeds.iter().map(|speed| rounded_rate(own * speed).to_string()).collect();
    Loads::parse(&rates.join(","), LoadUnit::OfferedIops).map(Some)
}

/// How a trace is measured where the user says nothing: in an open loop from its first I/O to its last, if that
/// is not too long.
fn conduct(work: &TraceWork, (profile, wishes): (&Profile, &Wishes)) -> Conduct {
    let is_offered = match &wishes.loads {
        Some(TypedLoads::Of(loads)) => loads.unit().is_offered(),
        Some(TypedLoads::OfAnyUnit(_)) | None => {
            profile.loads.as_ref().is_some_and(|loads| loads.unit().is_offered())
        }
    };
    if !is_offered {
        return Conduct::default();
    }
    let slowest = wishes.trace.speeds.iter().copied().reduce(f64::min).unwrap_or(1.0);
    let whole = Nanos::from_secs_f64(work.span.as_secs_f64() / slowest);
    let seconds = Nanos::from_secs(whole.0.div_ceil(Nanos::from_secs(1).0));
    let time = Some(seconds.clamp(TIME_MIN, TIME_MAX));
    Conduct { time, ramp: Some(Nanos::ZERO), ..Conduct::default() }
}

/// `wishes` for a trace: a point that takes a fixed time begins with the first I/O.
pub(crate) fn without_ramp(wishes: &Wishes) -> Wishes {
    let ramp = wishes.time.map(|_| Nanos::ZERO);
    Wishes { ramp: wishes.ramp.or(ramp), ..wishes.clone() }
}

/// Says as what a file was read, and how it is replayed. What is left out the plan tells.
fn tell_of((name, seen): (&str, &Seen), (work, conduct): (&TraceWork, Conduct)) {
    let name = printable(name);
    let own = match work.rate_per_s() {
        Some(rate) => format!("{} in {}, {}", ios(work.ios), Span(work.span), Iops(rate)),
        None => format!("{} without times", ios(work.ios)),
    };
    let options = conduct.options();
    let measured = match options.is_empty() {
        true => String::new(),
        false => format!("; each point is measured with {options} unless you say otherwise"),
    };
    tell(format!("{name}: by its content it is {} of {own}{measured}", seen.format.label()));
}

fn ios(count: u64) -> String {
    match count {
        1 => "1 I/O".to_owned(),
        count => format!("{} I/Os", kneepoint_core::words::number::Count(count)),
    }
}

/// What was left out of a trace or changed in it.
pub(crate) fn notes(seen: &Seen) -> Vec<String> {
    let count = kneepoint_core::words::number::Count;
    let left_out = seen.reading.left_out.iter();
    let mut notes: Vec<String> = left_out
        .map(|left| format!("left out: {} ({})", left.what.name(), count(left.count)))
        .collect();
    if seen.reading.disordered > 0 {
        notes.push(format!(
            "times that run backwards ({}): such an I/O counts as at the time of the one above it",
            count(seen.reading.disordered)
        ));
    }
    notes
}

/// Reads the traces of a stored plan again.
///
/// # Errors
/// When one cannot be read, or is not the same any more.
pub(crate) fn reload(plan: &mut Plan) -> Result<(), Fault> {
    for series in &mut plan.series {
        let SeriesProfile::Storage(profile) = &mut series.profile else { continue };
        let Some(trace) = &mut profile.trace else { continue };
        let seen = seen(Path::new(&trace.file), trace.part)?;
        let (name, part, fit) = (trace.file.clone(), trace.part, trace.fit);
        let again =
            replayed(open(&name, part.event)?, (&name, part, fit), &seen.described.devices)?;
        trace.reload(again)?;
    }
    Ok(())
}
