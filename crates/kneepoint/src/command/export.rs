//! `kneepoint export`: a stored run as JSON, as rows of a table (CSV, Parquet), one for each point or one for
//! each interval, or in a format of other tools.

use std::path::Path;

use kneepoint_core::result::RunDocument;
use kneepoint_core::words::fault::Fault;
use kneepoint_formats::result::frame::{self, Frame};
use kneepoint_formats::result::{fio, hlog, iometer, vdbench};
use kneepoint_store::{Store, StoreAccess};

use crate::cli::{ExportArgs, ExportFormat};
use crate::destination::{
    Parties, Replace, check, check_folder, is_printed, json, make_folder, write,
};
use crate::output::print::print;
use crate::{Outcome, command};

/// Endings of names, the longest first, and the formats that they ask for.
const ENDINGS: &[(&str, ExportFormat)] = &[
    (".vdbench.html", ExportFormat::Vdbench),
    (".iometer.csv", ExportFormat::Iometer),
    (".fio.json", ExportFormat::Fio),
    (".json", ExportFormat::Json),
    (".hlog", ExportFormat::Hlog),
    (".parquet", ExportFormat::Parquet),
    (".csv", ExportFormat::Csv),
];

/// Writes the file, or prints what would be in it.
pub(crate) fn export(args: &ExportArgs) -> anyhow::Result<Outcome> {
    let (output, replace) = (&args.output, Replace::forced(args.force.force));
    if args.each_point {
        return each_point(args);
    }
    let format = format(args)?;
    let mut parties = Parties::with_store(&args.store.store);
    parties.output("-o", Some(output));
    parties.check()?;
    check(output, replace)?;
    let mut document = command::load_run(&args.store.store, &args.run.run)?;
    match format {
        ExportFormat::Hlog | ExportFormat::Fio | ExportFormat::Iometer => {
            add_histograms(&mut document, &args.store.store)?;
        }
        _ if args.histograms => add_histograms(&mut document, &args.store.store)?,
        _ => document.leave_out_histograms(),
    }
    let text = match format {
        ExportFormat::Json => {
            write(output, replace, json("the run", &document)?)?;
            return Ok(Outcome::Done);
        }
        ExportFormat::Csv => frame::csv::write(&rows(args, &document))?,
        ExportFormat::Parquet => frame::parquet::write(&rows(args, &document))?,
        ExportFormat::Hlog => hlog::write(&document)?,
        ExportFormat::Fio => fio::write(&document)?.into_bytes(),
        ExportFormat::Iometer => iometer::write(&document)?.into_bytes(),
        ExportFormat::Vdbench => vdbench::write(&document)?.into_bytes(),
    };
    if is_printed(output) {
        print(String::from_utf8_lossy(&text).into_owned())?;
    } else {
        write(output, replace, text)?;
    }
    Ok(Outcome::Done)
}

/// The rows that are asked for.
fn rows(args: &ExportArgs, document: &RunDocument) -> Frame {
    if args.intervals { frame::intervals(document) } else { frame::points(document) }
}

/// Writes a file for each point, in a folder for each series.
fn each_point(args: &ExportArgs) -> anyhow::Result<Outcome> {
    let (folder, replace) = (&args.output, Replace::forced(args.force.force));
    if is_printed(folder) || args.format.is_some_and(|format| format != ExportFormat::Fio) {
        return Err(Fault::new("--each-point writes files in the format of fio into a folder")
            .fix("name the folder with -o, and leave out --format")
            .into());
    }
    check_folder(folder)?;
    let mut document = command::load_run(&args.store.store, &args.run.run)?;
    add_histograms(&mut document, &args.store.store)?;
    let pieces = fio::pieces(&document)?;
    for piece in &pieces {
        check_folder(&folder.join(&piece.folder))?;
    }
    for piece in &pieces {
        let series = folder.join(&piece.folder);
        make_folder(&series)?;
        write(&series.join(&piece.file), replace, &piece.text)?;
    }
    Ok(Outcome::Done)
}

/// The format that is asked for. Rows of intervals are CSV, histograms are JSON.
fn format(args: &ExportArgs) -> Result<ExportFormat, Fault> {
    let format = match args.format {
        Some(format) => format,
        None if is_printed(&args.output) && args.intervals => ExportFormat::Csv,
        None if is_printed(&args.output) => ExportFormat::Json,
        None => format_of(&args.output)?,
    };
    match format {
        ExportFormat::Csv if args.histograms => Err(without_histograms("CSV")),
        ExportFormat::Parquet if args.histograms => Err(without_histograms("Parquet")),
        ExportFormat::Parquet if is_printed(&args.output) => {
            Err(Fault::new("Parquet is no text that can be printed")
                .fix("name a file with -o, or print --format csv"))
        }
        ExportFormat::Json if args.intervals => {
            Err(Fault::new("--intervals writes rows, and JSON has none")
                .because("the JSON of a run holds its intervals anyway")
                .fix("end the file's name in .csv or .parquet, or leave out --intervals"))
        }
        ExportFormat::Csv | ExportFormat::Parquet | ExportFormat::Json => Ok(format),
        other if args.intervals || args.histograms => {
            let option = if args.intervals { "--intervals" } else { "--histograms" };
            Err(Fault::new(format!("{option} has no meaning for the format {}", other.name()))
                .because("that format says what it holds")
                .fix(format!("leave out {option}")))
        }
        other => Ok(other),
    }
}

fn without_histograms(format: &str) -> Fault {
    Fault::new(format!("histograms have no place in {format}"))
        .fix("end the file's name in .json, or leave out --histograms")
}

/// The format that the ending of a name asks for.
fn format_of(path: &Path) -> Result<ExportFormat, Fault> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let found = ENDINGS.iter().find(|(ending, _)| name.ends_with(ending));
    found.map(|(_, format)| *format).ok_or_else(|| {
        let endings: Vec<&str> = ENDINGS.iter().rev().map(|(ending, _)| *ending).collect();
        Fault::new(format!("the ending of {} names no known format", path.display())).fix(format!(
            "end the file's name in {}, or name the format with --format",
            endings.join(", ")
        ))
    })
}

/// Adds the stored response times of every point; an imported point may have none.
fn add_histograms(document: &mut RunDocument, store: &Path) -> Result<(), Fault> {
    let store = Store::open(store, StoreAccess::ReadOnly)?;
    for (ordinal, point) in (0..).zip(&mut document.points) {
        point.histograms = store.histograms(&document.run.id, ordinal)?.in_full()?;
    }
    Ok(())
}
