//! `kneepoint calibrate`: a system's free parameters from measurements.

use std::path::{Path, PathBuf};

use kneepoint_core::words::fault::Fault;
use kneepoint_sim::System;
use kneepoint_sim::cells::{DriveCatalog, Score};
use kneepoint_sim::system::Validation;

use super::validate::read_cells;
use crate::calibration::{
    Fit, FitPlan, Observations, fit, fit_text, fitted_text, of_cells, of_run,
};
use crate::cli::CalibrateArgs;
use crate::destination::{Parties, Replace, check, is_same, write};
use crate::output::print::{print_page, tell};
use crate::parallel::Workers;
use crate::{Outcome, command};

/// Fits each system and writes its file.
pub(crate) fn calibrate(args: &CalibrateArgs) -> anyhow::Result<Outcome> {
    let systems = args.systems.iter().map(|path| read_system(path));
    let systems: Vec<System> = systems.collect::<Result<_, _>>()?;
    check_outputs(args, &systems)?;
    for system in &systems {
        let observations = observations(args, system)?;
        if observations.len() == 0 && systems.len() > 1 {
            tell(format!("sim:{}: no measurement describes it; left as it is", system.name));
            continue;
        }
        calibrate_one(args, system, observations)?;
    }
    Ok(Outcome::Done)
}

/// Refuses before the fit what could not be written after it. A system may be fitted in its own
/// file.
fn check_outputs(args: &CalibrateArgs, systems: &[System]) -> Result<(), Fault> {
    let mut parties = Parties::with_store(&args.store.store);
    args.cells.iter().for_each(|path| parties.input(path));
    let outputs: Vec<PathBuf> = systems.iter().map(|system| output(args, system)).collect();
    outputs.iter().for_each(|path| parties.output("-o", Some(path)));
    parties.check()?;
    outputs.iter().try_for_each(|path| check(path, replace(args, path)))
}

/// The replacement that is permitted: the files of the systems that are fitted may be replaced.
fn replace(args: &CalibrateArgs, output: &Path) -> Replace {
    Replace::forced(args.force.force || args.systems.iter().any(|system| is_same(system, output)))
}

/// The file of a fitted system: the named one, or one in the named folder where there are several.
fn output(args: &CalibrateArgs, system: &System) -> PathBuf {
    match args.systems.len() {
        1 => args.output.clone(),
        _ => args.output.join(format!("{}.toml", system.name)),
    }
}

fn calibrate_one(
    args: &CalibrateArgs,
    system: &System,
    observations: Observations,
) -> anyhow::Result<()> {
    let (fitted, held_out) = observations.split(&args.hold_out);
    tell(format!(
        "fitting sim:{} to {} measurements, {} held out",
        system.name,
        fitted.len(),
        held_out.len()
    ));
    let mut result = fit(&FitPlan {
        system,
        free: &args.free,
        fitted: &fitted,
        held_out: &held_out,
        steps_max: args.steps as usize,
        workers: Workers::new(args.threads, ""),
    })?;
    result.system.validation = Some(validation(&result, args, &held_out));
    let path = output(args, system);
    write(&path, replace(args, &path), fitted_text(&result, &fitted, &held_out))?;
    print_page(args.page.page(), |width| fit_text(&result, (&fitted, &held_out), width))
}

/// The system of a file, or a shipped one.
fn read_system(path: &Path) -> Result<System, Fault> {
    let is_file = path.extension().is_some_and(|ending| ending == "toml");
    if !is_file {
        let name = path.to_string_lossy();
        return System::shipped(name.strip_prefix("sim:").unwrap_or(&name));
    }
    let text =
        command::read_file(path, "name a system file, or a system of `kneepoint catalog systems`")?;
    System::parse(&text, &path.display().to_string())
}

/// The measurements that the system is fitted to.
fn observations(args: &CalibrateArgs, system: &System) -> anyhow::Result<Observations> {
    if let Some(cells) = &args.cells {
        return Ok(of_cells(system, &read_cells(cells)?, &DriveCatalog::shipped()?));
    }
    let run = args.run.as_deref().unwrap_or("last");
    Ok(of_run(system, &command::load_run(&args.store.store, run)?)?)
}

/// The note on the fit for the file.
fn validation(result: &Fit, args: &CalibrateArgs, held_out: &Observations) -> Validation {
    let score = Score::of(result.errors_percent.iter().copied());
    let rounded = |value: f64| (value * 100.0).round() / 100.0;
    let held_out = match held_out.len() {
        0 => "nothing".to_owned(),
        count => {
            let score = Score::of(result.held_out_percent.iter().copied());
            format!(
                "{count} cells with {} in their names, mean error {:.2} %",
                args.hold_out.join(" or "),
                score.mean_abs_error_percent
            )
        }
    };
    Validation {
        fitted_cells: score.cells as u32,
        mean_error_percent: rounded(score.mean_abs_error_percent),
        held_out,
    }
}
