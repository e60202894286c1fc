//! `kneepoint report`: the report of a stored run.

use super::stored;
use super::written::{Format, check_writable, write};
use crate::Outcome;
use crate::cli::ReportArgs;
use crate::output::print::tell;

/// Formats that a report can be written in.
pub(super) const FORMATS: &[(&str, Format)] = &[("html", Format::Html), ("htm", Format::Html)];

/// Writes the report.
pub(crate) fn report(args: &ReportArgs) -> anyhow::Result<Outcome> {
    Format::of(&args.output, FORMATS)?;
    check_writable(&args.output)?;
    let document = stored::load(&args.store.store, &args.run.run)?;
    write(&args.output, &kneepoint_report::html(&document))?;
    tell(&format!("report of run {} written to {}", document.run.id, args.output.display()));
    Ok(Outcome::Done)
}
