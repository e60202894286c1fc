//! `kneepoint convert`: jobs of other tools as profiles and suites, and these as jobs of other tools.

use kneepoint_core::spec::trace::TracePart;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::printable::printable;
use kneepoint_formats::job::{JobFormat, write as write_job};
use kneepoint_formats::trace::profile_of;

use crate::Outcome;
use crate::cli::ConvertArgs;
use crate::destination::{Parties, Replace, check, format_of, is_printed, write};
use crate::job;
use crate::output::print::{print_raw, tell};
use crate::trace;
use crate::work::own_suite;

/// The format of an output.
#[derive(Debug, Clone, Copy)]
enum Into {
    /// A profile or suite.
    Toml,
    /// A job of another tool.
    Job(JobFormat),
}

/// The endings of outputs.
const ENDINGS: &[(&str, Into)] = &[
    ("toml", Into::Toml),
    ("icf", Into::Job(JobFormat::Iometer)),
    ("fio", Into::Job(JobFormat::Fio)),
];

/// Converts a file, and lists what is not the same.
pub(crate) fn convert(args: &ConvertArgs) -> anyhow::Result<Outcome> {
    let replace = Replace::forced(args.force.force);
    let into = match is_printed(&args.output) {
        true => Into::Toml,
        false => format_of(&args.output, ENDINGS)?,
    };
    let mut parties = Parties::default();
    parties.input(&args.file);
    parties.output("-o", Some(&args.output));
    parties.check()?;
    check(&args.output, replace)?;
    let text = converted(args, into)?;
    match is_printed(&args.output) {
        true => print_raw(&text)?,
        false => write(&args.output, replace, &text)?,
    }
    Ok(Outcome::Done)
}

/// The text that a file becomes; tells what is not the same.
fn converted(args: &ConvertArgs, into: Into) -> Result<String, Fault> {
    let name = args.file.display().to_string();
    if let (Into::Toml, true) = (into, trace::is_one(&args.file)) {
        let described = trace::described(&args.file, TracePart::default())?;
        return Ok(profile_of(&described, &name)?.0);
    }
    let is_own = args.file.extension().is_some_and(|ending| ending == "toml");
    let found = job::found(&args.file)?;
    if let Some(job) = &found {
        job::tell_of(&name, job);
    }
    let (suite, conduct) = match (found, into) {
        (Some(job), Into::Toml) => return Ok(job.toml),
        (Some(job), Into::Job(_)) => (job.suite, Some(job.conduct)),
        (None, Into::Toml) => return Err(unknown(&name)),
        (None, Into::Job(_)) if !is_own => return Err(unknown(&name)),
        (None, Into::Job(_)) => (own_suite(&args.file)?, None),
    };
    let Into::Job(format) = into else { return Err(unknown(&name)) };
    let written = write_job(format, (&suite, &name), conduct)?;
    for difference in &written.differences {
        tell(format!("note: {}", printable(&difference.to_string())));
    }
    Ok(written.text)
}

fn unknown(name: &str) -> Fault {
    Fault::new(format!("{name} is no job of a known tool"))
        .because("neither its content nor its ending tells what it is")
        .fix(
            "name an Iometer configuration (.icf), a fio job file (.fio) or a vdbench parameter file \
             (.vdb), or a profile or suite (.toml) with an output that ends in .icf or .fio",
        )
}
