//! `kneepoint trace`: what is in a recorded trace, and a load profile that resembles it.

use kneepoint_core::spec::trace::TracePart;
use kneepoint_core::words::number::Count;
use kneepoint_formats::trace::Resemblance;

use crate::Outcome;
use crate::cli::{DescribeArgs, RecordArgs, TraceArgs, TraceCommand};
use crate::destination::{Parties, Replace, check, format_of, write};
use crate::output::print::{print_page, tell};
use crate::output::text::Page;
use crate::output::trace::{resemblance_text, trace_text};
use crate::recording;
use crate::session::Interrupt;
use crate::trace::{notes, seen};

/// The endings of profiles.
const ENDINGS: &[(&str, ())] = &[("toml", ())];

/// Does what is asked of a trace.
pub(crate) fn trace(args: &TraceArgs) -> anyhow::Result<Outcome> {
    match &args.command {
        TraceCommand::Describe(args) => describe(args),
        TraceCommand::Record(args) => record(args),
    }
}

/// Records the I/Os of a device, and says what came.
fn record(args: &RecordArgs) -> anyhow::Result<Outcome> {
    let mut parties = Parties::default();
    parties.input(&args.device);
    parties.output("-o", Some(&args.output));
    parties.check()?;
    // The interrupt reaches the recorder as well, which ends with what it has.
    let _interrupt = Interrupt::listen("stopping; what was recorded is kept")?;
    let lost = recording::record(&args.device, (&args.output, args.time))?;
    let output = args.output.display();
    if lost > 0 {
        tell(format!(
            "warning: blktrace lost {} events, so I/Os are missing in {output}: record to a faster disk, or \
             while the device has less to do",
            Count(lost)
        ));
    }
    match seen(&args.output, TracePart::default()) {
        Ok(seen) => tell(format!("wrote {output}: {} I/Os", Count(seen.described.ios()))),
        Err(_) => tell(format!("wrote {output}, in which no I/O was handed to the device")),
    }
    Ok(Outcome::Done)
}

/// Prints what is in a trace, and writes the profile that was asked for.
fn describe(args: &DescribeArgs) -> anyhow::Result<Outcome> {
    let replace = Replace::forced(args.force.force);
    if let Some(output) = &args.output {
        format_of(output, ENDINGS)?;
        let mut parties = Parties::default();
        parties.input(&args.file);
        parties.output("-o", Some(output));
        parties.check()?;
        check(output, replace)?;
    }
    let name = args.file.to_string_lossy();
    let seen = seen(&args.file, args.part.part())?;
    let resemblance = match &args.output {
        Some(_) => Some(Resemblance::of(&seen.described, &name)?),
        None => None,
    };
    print_page(Page::of_output(), |width| trace_text(&seen, width))?;
    for note in notes(&seen) {
        tell(format!("note: {note}"));
    }
    if let (Some(output), Some(resemblance)) = (&args.output, &resemblance) {
        write(output, replace, &resemblance.toml)?;
        print_page(Page::of_output(), |width| resemblance_text(resemblance, &seen, width))?;
        tell(format!("wrote {}", output.display()));
    }
    Ok(Outcome::Done)
}
