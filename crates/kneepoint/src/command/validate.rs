//! `kneepoint validate`: published tables against simulated systems.

use std::collections::BTreeSet;
use std::path::Path;

use kneepoint_core::words::fault::Fault;
use kneepoint_sim::cells::{CellTable, DriveCatalog, Row, parse};
use kneepoint_sim::{Model, SimTarget, System};

use crate::Outcome;
use crate::cli::ValidateArgs;
use crate::destination::{Parties, Replace, check, is_printed, json, write};
use crate::output::print::{print_page, tell};
use crate::parallel::Workers;
use crate::validation::{Anomalies, document, parse_anomalies, predict_all, validation_text};

/// Simulates every row and prints the errors.
pub(crate) fn validate(args: &ValidateArgs) -> anyhow::Result<Outcome> {
    let replace = Replace::forced(args.force.force);
    let mut parties = Parties::default();
    parties.input(&args.cells);
    args.anomalies.iter().for_each(|path| parties.input(path));
    parties.output("--json", args.json.as_deref());
    parties.check()?;
    args.json.iter().try_for_each(|path| check(path, replace))?;
    let table = read_cells(&args.cells)?;
    let anomalies = anomalies(args, &table)?;
    let workers = Workers::new(args.threads, "simulating");
    let cells = predict_all((&table, &DriveCatalog::shipped()?), &workers, shipped_system);
    let document = document(&cells, &anomalies);
    if let Some(path) = &args.json {
        write(path, replace, json("the errors", &document)?)?;
    }
    if !args.json.as_deref().is_some_and(is_printed) {
        print_page(args.page.page(), |width| validation_text(&cells, &document, width))?;
    }
    Ok(Outcome::Done)
}

/// Reads a file of cells and tells what is odd about it.
pub(super) fn read_cells(path: &Path) -> Result<CellTable, Fault> {
    let name = path.display().to_string();
    let text =
        super::read_file(path, "name a CSV file in the columns of systems/data/calibration.csv")?;
    let table = parse(&text, &name)?;
    if table.rows.is_empty() {
        return Err(Fault::new(format!("{name} has no rows"))
            .fix("write one published number per row below the header"));
    }
    for remark in &table.remarks {
        tell(format!("note: {name}: {remark}"));
    }
    Ok(table)
}

/// The declared anomalies; ids that no cell has are told.
fn anomalies(args: &ValidateArgs, table: &CellTable) -> Result<Anomalies, Fault> {
    let Some(path) = &args.anomalies else { return Ok(Anomalies::default()) };
    let text = super::read_file(path, "name a TOML file with [[anomaly]] entries")?;
    let anomalies = parse_anomalies(&text, &path.display().to_string())?;
    let ids: BTreeSet<String> = table.rows.iter().map(Row::id).collect();
    for stranger in anomalies.keys().filter(|id| !ids.contains(*id)) {
        tell(format!("note: {}: no cell is called '{stranger}'", path.display()));
    }
    Ok(anomalies)
}

/// The shipped system that a target names, with the settings in the name.
fn shipped_system(target: &str) -> Result<System, Fault> {
    match SimTarget::parse(target)?.model {
        Model::Array { system, .. } => Ok(*system),
        Model::Analytic(_) | Model::Desktop(_) => {
            Err(Fault::new(format!("'{target}' is no storage system")))
        }
    }
}
