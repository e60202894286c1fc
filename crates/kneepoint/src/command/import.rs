//! `kneepoint import`: a run from a file enters the store, a result of another tool becomes one, or all runs
//! of another store are taken in.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use kneepoint_core::analysis::examination::{examine, unknown_key};
use kneepoint_core::result::{Imported, RUN_SCHEMA, RUN_SCHEMA_1, RunDocument, upgrade_run};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::printable::printable;
use kneepoint_formats::result::{self, Naming, Reading, Start};
use kneepoint_store::{Merged, Store, StoreAccess};

use crate::Outcome;
use crate::cli::ImportArgs;
use crate::destination::Parties;
use crate::output::print::{points, tell};
use crate::session::{command_line, entropy, now};

/// The first bytes of a store.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// Longest document that is read, in bytes: some 100,000 points.
const BYTES_MAX: u64 = 1 << 30;

/// Reads the file and keeps what it holds.
pub(crate) fn import(args: &ImportArgs) -> anyhow::Result<Outcome> {
    let mut parties = Parties::with_store(&args.store.store);
    args.files.iter().for_each(|file| parties.input(file));
    parties.check()?;
    let mut outcome = Outcome::Done;
    let mut foreign: Option<Reading> = None;
    for file in &args.files {
        let content = read(file)?;
        if content.starts_with(SQLITE) {
            if merge(file, args)? != Outcome::Done {
                outcome = Outcome::CheckFailed;
            }
        } else if let Some(reading) = result::read(&content) {
            let reading = reading.map_err(|fault| fault.behind(file.display()))?;
            foreign = Some(match foreign {
                None => reading,
                Some(before) => before.and(reading)?,
            });
        } else {
            let document = document(&content, file)?;
            Store::open(&args.store.store, StoreAccess::ReadWrite)?.import(&document)?;
            tell(format!(
                "imported run {} with {}",
                document.run.id,
                points(document.points.len())
            ));
        }
    }
    foreign.map_or(Ok(()), |reading| adopt(reading, args))?;
    Ok(outcome)
}

/// Keeps what another tool measured as a run.
fn adopt(reading: Reading, args: &ImportArgs) -> anyhow::Result<()> {
    let mut store = Store::open(&args.store.store, StoreAccess::ReadWrite)?;
    let now = now();
    let started_at = match &reading.start {
        Start::Utc(start, _) | Start::Local(start) => start,
        Start::Unknown => &now,
    };
    let names = args.files.iter().filter_map(|file| file.file_name());
    let names: Vec<String> =
        names.map(|name| printable(&name.to_string_lossy()).into_owned()).collect();
    let naming = Naming {
        id: store.free_id(started_at, entropy)?,
        label: args.label.clone(),
        file: names.join(", "),
        now: now.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command: command_line(),
    };
    let document = result::document(reading, naming, &args.rule);
    examine(&document).map_err(|fault| {
        let cause = fault.why().map(|why| format!(", {why}")).unwrap_or_default();
        Fault::new(format!("{} is not imported", document.run.work))
            .because(format!("{}{cause}", fault.what()))
            .fix("import the file as its tool wrote it")
    })?;
    store.import(&document)?;
    let tool =
        document.environment.imported.as_ref().map(Imported::measured_by).unwrap_or_default();
    let taken = points(document.points.len());
    tell(format!(
        "imported run {} with {taken}, measured by {}",
        document.run.id,
        printable(&tool)
    ));
    // The first one says that it was imported.
    for warning in document.warnings.iter().skip(1) {
        tell(warning.text());
    }
    Ok(())
}

/// The file's content; of a store no more than its beginning.
fn read(path: &Path) -> Result<Vec<u8>, Fault> {
    let cannot = |error| {
        Fault::new(format!("cannot read {}", path.display()))
            .because(error)
            .fix("name a JSON file that `export` wrote, a result of another tool, or another store")
    };
    let mut content = Vec::new();
    let mut file = File::open(path).map_err(cannot)?;
    (&mut file).take(SQLITE.len() as u64).read_to_end(&mut content).map_err(cannot)?;
    if content != SQLITE {
        file.take(BYTES_MAX).read_to_end(&mut content).map_err(cannot)?;
    }
    if content.len() as u64 >= BYTES_MAX {
        return Err(Fault::new(format!("{} is too long to be a run", path.display()))
            .because(format!("{BYTES_MAX} bytes are read at the most")));
    }
    Ok(content)
}

/// The run in a document, if it can be one that was measured.
fn document(content: &[u8], path: &Path) -> Result<RunDocument, Fault> {
    let name = path.display();
    let no_run = |why: String| {
        Fault::new(format!("{name} is not a run")).because(why).fix(format!(
            "name a JSON file of schema {RUN_SCHEMA}, as `export` writes it, or a result of fio \
                 (JSON), Iometer (CSV) or vdbench (flat file)"
        ))
    };
    let value: serde_json::Value =
        serde_json::from_slice(content).map_err(|error| no_run(error.to_string()))?;
    let schema = value.get("schema").and_then(serde_json::Value::as_str).unwrap_or_default();
    if !schema.is_empty() && ![RUN_SCHEMA, RUN_SCHEMA_1].contains(&schema) {
        return Err(Fault::new(format!("{name} has the schema '{}'", printable(schema)))
            .because(format!("this version of Kneepoint reads {RUN_SCHEMA} and {RUN_SCHEMA_1}")));
    }
    let value = upgrade_run(value);
    let document: RunDocument =
        serde_json::from_value(value.clone()).map_err(|error| no_run(error.to_string()))?;
    let understood = serde_json::to_value(&document).map_err(|error| no_run(error.to_string()))?;
    if let Some(key) = unknown_key(&value, &understood) {
        return Err(no_run(format!("it has the unknown key '{key}'")));
    }
    examine(&document).map_err(|fault| refused(&fault, &document.run.id))?;
    Ok(document)
}

/// Why a run is not taken in.
fn refused(fault: &Fault, id: &str) -> Fault {
    let cause = fault.why().map(|why| format!(", {why}")).unwrap_or_default();
    Fault::new(format!("run {id} is not imported"))
        .because(format!("{}{cause}", fault.what()))
        .fix(fault.fix_hint().unwrap_or("export the run again"))
}

/// Takes in every run of another store.
fn merge(file: &Path, args: &ImportArgs) -> anyhow::Result<Outcome> {
    let other = Store::open(file, StoreAccess::ReadOnly)?;
    let mut store = Store::open(&args.store.store, StoreAccess::ReadWrite)?;
    let (mut taken, mut there, mut refusals) = (0, 0, 0);
    // The oldest first, so that both stores list them in the same order.
    for run in other.runs()?.iter().rev() {
        let merged = other.load(&run.id).and_then(|document| {
            examine(&document).map_err(|fault| refused(&fault, &run.id))?;
            store.merge(&other, &run.id)
        });
        match merged {
            Ok(Merged::Taken) => {
                taken += 1;
                tell(format!("imported run {} with {}", run.id, points(run.points as usize)));
            }
            Ok(Merged::AlreadyThere) => {
                there += 1;
                tell(format!("skipped run {}: there is one of that id already", run.id));
            }
            Err(fault) => {
                refusals += 1;
                tell(format!("refused: {fault}"));
            }
        }
    }
    tell(format!(
        "{taken} imported, {there} skipped, {refusals} refused of the runs of {}",
        file.display()
    ));
    Ok(if refusals > 0 { Outcome::CheckFailed } else { Outcome::Done })
}
