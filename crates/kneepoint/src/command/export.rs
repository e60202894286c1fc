//! `kneepoint export`: a stored run as JSON, as rows of a spreadsheet (CSV), one for each point or one for
//! each interval, or in a format of other tools.
//!
//! Numbers are in the C locale and stand as they are. A text that a spreadsheet would take for a
//! formula gets an apostrophe before it, which spreadsheets read as "this is text".

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Context;
use kneepoint_core::result::{
    ClassResult, IntervalClass, IntervalResult, PointResult, READ, RunDocument, StorageResult,
    WRITE,
};
use kneepoint_core::spec::factor::combination_text;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::printable::printable;
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
        ExportFormat::Csv if args.intervals => intervals_csv(&document)?,
        ExportFormat::Csv => points_csv(&document)?,
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
        ExportFormat::Csv if args.histograms => Err(Fault::new("histograms have no place in CSV")
            .fix("end the file's name in .json, or leave out --histograms")),
        ExportFormat::Json if args.intervals => {
            Err(Fault::new("--intervals writes rows, and JSON has none")
                .because("the JSON of a run holds its intervals anyway")
                .fix("end the file's name in .csv, or leave out --intervals"))
        }
        ExportFormat::Csv | ExportFormat::Json => Ok(format),
        other if args.intervals || args.histograms => {
            let option = if args.intervals { "--intervals" } else { "--histograms" };
            Err(Fault::new(format!("{option} has no meaning for the format {}", other.name()))
                .because("that format says what it holds")
                .fix(format!("leave out {option}")))
        }
        other => Ok(other),
    }
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

/// A column: its name and its value in a row.
type Column<R> = (&'static str, fn(&R) -> String);

/// A column that says where a row comes from.
type OriginColumn = (&'static str, fn(&RunDocument, &PointResult) -> String);

/// The columns that both kinds of rows begin with.
const ORIGIN: &[OriginColumn] = &[
    ("run", |document, _| cell_text(&document.run.id)),
    ("label", |document, _| cell_text(&document.run.label)),
    ("work", |document, _| cell_text(&document.run.work)),
    ("host", |document, _| cell_text(&hosts(document))),
    ("targets", |document, _| cell_text(&targets(document))),
    ("series", |_, point| cell_text(&point.series)),
    ("profile", |_, point| cell_text(&point.profile)),
    ("factors", |_, point| cell_text(&combination_text(&point.factors))),
    ("settings", |_, point| cell_text(&combination_text(&point.settings))),
    ("repetition", |_, point| point.repetition.to_string()),
    ("load", |_, point| point.load.value.to_string()),
    ("load_unit", |_, point| point.load.unit.name().to_owned()),
    ("load_per", |_, point| point.load.unit.per().name().to_owned()),
];

/// The columns of a point.
const POINT: &[Column<PointResult>] = &[
    ("block_bytes", |point| of(point.storage, |storage| storage.block_bytes)),
    ("read_percent", |point| of(point.storage, |storage| storage.read_percent)),
    ("random_percent", |point| of(point.storage, |storage| storage.random_percent)),
    ("achieved_outstanding", |point| of(point.storage, |storage| storage.achieved_outstanding)),
    ("verdict", |point| point.verdict.name().to_owned()),
    ("disturbed_percent", |point| maybe(point.disturbed_percent)),
    ("started_at", |point| cell_text(&point.started_at)),
    ("ramp_s", |point| point.ramp_s.to_string()),
    ("measured_s", |point| point.measured_s.to_string()),
    ("operations", |point| point.operations.to_string()),
    ("errors", |point| point.errors.to_string()),
    ("rate", |point| point.rate.mean.to_string()),
    ("rate_ci95", |point| maybe(point.rate.ci95)),
    ("rate_unit", |point| point.rate.unit.name().to_owned()),
    ("volume_mib_s", |point| maybe(point.mib_s())),
    ("volume_mib_s_ci95", |point| maybe(point.volume.and_then(|volume| volume.ci95))),
    ("latency_mean_ms", |point| point.latency_ms.mean.to_string()),
    ("latency_mean_ms_ci95", |point| maybe(point.latency_ms.ci95)),
    ("latency_min_ms", |point| maybe(point.latency_ms.min)),
    ("latency_p50_ms", |point| maybe(point.latency_ms.p50)),
    ("latency_p90_ms", |point| maybe(point.latency_ms.p90)),
    ("latency_p95_ms", |point| maybe(point.latency_ms.p95)),
    ("latency_p99_ms", |point| maybe(point.latency_ms.p99)),
    ("latency_p99_9_ms", |point| maybe(point.latency_ms.p99_9)),
    ("latency_p99_99_ms", |point| maybe(point.latency_ms.p99_99)),
    ("latency_max_ms", |point| point.latency_ms.max.to_string()),
    ("cpu_percent", |point| maybe(point.cpu_percent)),
];

/// The columns of each response class of a point, behind the name of the class.
const POINT_CLASS: &[Column<ClassResult>] = &[
    ("operations", |class| class.operations.to_string()),
    ("rate", |class| class.rate.to_string()),
    ("mib_s", |class| maybe(class.volume)),
    ("latency_mean_ms", |class| class.latency_ms.mean.to_string()),
    ("latency_p50_ms", |class| maybe(class.latency_ms.p50)),
    ("latency_p99_ms", |class| maybe(class.latency_ms.p99)),
    ("latency_max_ms", |class| class.latency_ms.max.to_string()),
];

/// The columns of an interval.
const INTERVAL: &[Column<IntervalResult>] = &[
    ("start_s", |interval| interval.start_s.to_string()),
    ("length_s", |interval| interval.length_s.to_string()),
    ("rate", |interval| interval.rate.to_string()),
    ("volume_mib_s", |interval| maybe(interval.volume)),
    ("latency_mean_ms", |interval| interval.latency_mean_ms.to_string()),
    ("latency_p50_ms", |interval| maybe(interval.latency_p50_ms)),
    ("latency_p99_ms", |interval| maybe(interval.latency_p99_ms)),
    ("latency_max_ms", |interval| interval.latency_max_ms.to_string()),
];

/// The columns of each response class of an interval, behind the name of the class.
const INTERVAL_CLASS: &[Column<IntervalClass>] = &[
    ("rate", |class| class.rate.to_string()),
    ("mib_s", |class| maybe(class.volume)),
    ("latency_mean_ms", |class| class.latency_mean_ms.to_string()),
    ("latency_p50_ms", |class| class.latency_p50_ms.to_string()),
    ("latency_p99_ms", |class| class.latency_p99_ms.to_string()),
    ("latency_max_ms", |class| class.latency_max_ms.to_string()),
];

/// One row per point.
fn points_csv(document: &RunDocument) -> anyhow::Result<Vec<u8>> {
    let rows = document.points.iter().map(|point| (point, point, &point.classes));
    rows_csv(document, (POINT, POINT_CLASS), rows)
}

/// One row per interval of every point.
fn intervals_csv(document: &RunDocument) -> anyhow::Result<Vec<u8>> {
    let rows = document.points.iter().flat_map(|point| {
        point.intervals.iter().map(move |interval| (point, interval, &interval.classes))
    });
    rows_csv(document, (INTERVAL, INTERVAL_CLASS), rows)
}

/// Rows of points, or of what belongs to them, each with its response classes.
fn rows_csv<'a, R: 'a, C: 'a>(
    document: &RunDocument,
    (columns, class_columns): (&[Column<R>], &[Column<C>]),
    of: impl Iterator<Item = (&'a PointResult, &'a R, &'a BTreeMap<String, C>)>,
) -> anyhow::Result<Vec<u8>> {
    let classes = classes(document);
    let mut rows = vec![header(columns, class_columns, &classes)];
    for (point, measured, measured_classes) in of {
        let mut row: Vec<String> = ORIGIN.iter().map(|(_, value)| value(document, point)).collect();
        row.extend(values(columns, measured));
        for name in &classes {
            row.extend(class_values(class_columns, measured_classes.get(*name)));
        }
        rows.push(row);
    }
    Ok(csv(&rows)?.into_bytes())
}

/// The response classes that have columns: those of all points, and those of storage if any point
/// is of storage.
fn classes(document: &RunDocument) -> BTreeSet<&str> {
    let is_storage = document.points.iter().any(|point| point.storage.is_some());
    let of_storage = [READ, WRITE].into_iter().filter(|_| is_storage);
    let measured = document.points.iter().flat_map(|point| point.classes.keys());
    of_storage.chain(measured.map(String::as_str)).collect()
}

fn header<R, C>(
    columns: &[Column<R>],
    class_columns: &[Column<C>],
    classes: &BTreeSet<&str>,
) -> Vec<String> {
    let origin = ORIGIN.iter().map(|(name, _)| (*name).to_owned());
    let plain = columns.iter().map(|(name, _)| (*name).to_owned());
    let of_class = |class: &&str| {
        let class = cell_text(class);
        let named = move |(name, _): &Column<C>| format!("{class}_{name}");
        class_columns.iter().map(named).collect::<Vec<_>>()
    };
    origin.chain(plain).chain(classes.iter().flat_map(of_class)).collect()
}

fn values<R>(columns: &[Column<R>], of: &R) -> Vec<String> {
    columns.iter().map(|(_, value)| value(of)).collect()
}

/// The values of a class; empty if it had no operations.
fn class_values<C>(columns: &[Column<C>], class: Option<&C>) -> Vec<String> {
    match class {
        Some(class) => values(columns, class),
        None => vec![String::new(); columns.len()],
    }
}

/// The rows as RFC 4180 has it, with line feeds; fields are quoted where they need it.
fn csv(rows: &[Vec<String>]) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).context("cannot write the rows as CSV")?;
    }
    let bytes = writer.into_inner().context("cannot write the rows as CSV")?;
    String::from_utf8(bytes).context("cannot write the rows as CSV")
}

fn targets(document: &RunDocument) -> String {
    if let Some(imported) = &document.environment.imported {
        return imported.targets.join("; ");
    }
    let names = document.environment.targets.iter().map(|target| target.target.as_str());
    names.collect::<Vec<_>>().join("; ")
}

/// A number where there is one.
fn maybe<T: ToString>(number: Option<T>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

/// A number of storage.
fn of<T: ToString>(storage: Option<StorageResult>, number: fn(StorageResult) -> T) -> String {
    maybe(storage.map(number))
}

fn hosts(document: &RunDocument) -> String {
    if let Some(imported) = &document.environment.imported {
        return imported.hosts.join("; ");
    }
    let names = document.environment.hosts.iter().map(|host| host.host.as_str());
    names.collect::<Vec<_>>().join("; ")
}

/// A text that no spreadsheet computes and that stays on one line: control characters are spelled
/// out.
fn cell_text(text: &str) -> String {
    const FORMULA: [char; 4] = ['=', '+', '-', '@'];
    let text = printable(text);
    if text.trim_start().starts_with(FORMULA) { format!("'{text}") } else { text.into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_no_formulas() {
        let check = |given: &str, written: &str| assert_eq!(cell_text(given), written);
        check("database/8KiB", "database/8KiB");
        check("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0");
        check("+1", "'+1");
        check("-1", "'-1");
        check("@SUM(A1)", "'@SUM(A1)");
        check("\t=1", "\\t=1");
        check("\r\n=1", "\\r\\n=1");
        check(" =1", "' =1");
        check("", "");
    }

    #[test]
    fn fields_are_quoted_where_they_need_it() {
        let row = ["a,b", "c\"d", "e\nf", "g\rh", "i"].map(str::to_owned).to_vec();
        assert_eq!(csv(&[row]).unwrap(), "\"a,b\",\"c\"\"d\",\"e\nf\",\"g\rh\",i\n");
    }
}
