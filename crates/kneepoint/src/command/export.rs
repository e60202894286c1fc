//! `kneepoint export`: a stored run as JSON or CSV.

use std::path::Path;

use kneepoint_core::result::RunDocument;
use kneepoint_core::words::fault::Fault;
use kneepoint_store::{Access, Store};

use super::load_run;
use super::sheet::{intervals_csv, points_csv};
use crate::Outcome;
use crate::cli::ExportArgs;
use crate::destination::{Parties, Replace, check, format_of, is_printed, json, write};
use crate::output::print::print;

/// What the ending of an export's name asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Json,
    Csv,
}

/// Formats that a run can be exported in.
const FORMATS: &[(&str, Format)] = &[("json", Format::Json), ("csv", Format::Csv)];

/// Writes the file, or prints what would be in it.
pub(crate) fn export(args: &ExportArgs) -> anyhow::Result<Outcome> {
    let (output, replace) = (&args.output, Replace::forced(args.force.force));
    let format = format(args)?;
    let mut parties = Parties::with_store(&args.store.store);
    parties.output("-o", Some(output));
    parties.check()?;
    check(output, replace)?;
    let mut document = load_run::load(&args.store.store, &args.run.run)?;
    match args.histograms {
        true => add_histograms(&mut document, &args.store.store)?,
        false => document.leave_out_histograms(),
    }
    let csv = match (format, args.intervals) {
        (Format::Json, _) => {
            write(output, replace, json(&document)?)?;
            return Ok(Outcome::Done);
        }
        (Format::Csv, true) => intervals_csv(&document)?,
        (Format::Csv, false) => points_csv(&document)?,
    };
    match is_printed(output) {
        true => print(csv)?,
        false => write(output, replace, csv)?,
    }
    Ok(Outcome::Done)
}

/// The format that is asked for. Rows of intervals are CSV, histograms are JSON.
fn format(args: &ExportArgs) -> Result<Format, Fault> {
    let format = match is_printed(&args.output) {
        true if args.intervals => Format::Csv,
        true => Format::Json,
        false => format_of(&args.output, FORMATS)?,
    };
    match format {
        Format::Json if args.intervals => {
            Err(Fault::new("--intervals writes rows, and JSON has none")
                .because("the JSON of a run holds its intervals anyway")
                .fix("end the file's name in .csv, or leave out --intervals"))
        }
        Format::Csv if args.histograms => Err(Fault::new("histograms have no place in CSV")
            .fix("end the file's name in .json, or leave out --histograms")),
        format => Ok(format),
    }
}

/// Adds the stored response times of every point; an imported point may have none.
fn add_histograms(document: &mut RunDocument, store: &Path) -> Result<(), Fault> {
    let store = Store::open(store, Access::ReadOnly)?;
    for (ordinal, point) in (0..).zip(&mut document.points) {
        point.histograms = store.histograms(&document.run.id, ordinal)?.in_full()?;
    }
    Ok(())
}
