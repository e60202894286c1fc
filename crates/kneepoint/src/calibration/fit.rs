//! The fit: bounded least squares on logarithmic errors.

use std::cell::RefCell;

use kneepoint_core::words::fault::Fault;
use kneepoint_sim::System;
use kneepoint_sim::cells::group;
use kneepoint_sim::trial::Effort;
use levenberg_marquardt::LevenbergMarquardt;
use nalgebra::DVector;

use super::bounds::Free;
use super::observation::Observations;
use super::problem::{Best, Problem, Subject};
use crate::validation::Workers;

/// What is fitted to what, and for how long.
pub(crate) struct FitPlan<'a> {
    /// The system before the fit.
    pub(crate) system: &'a System,
    /// Names of the parameters to move; empty for those that the file calls fitted.
    pub(crate) free: &'a [String],
    /// What it is fitted to.
    pub(crate) fitted: &'a Observations,
    /// What it is only compared with.
    pub(crate) held_out: &'a Observations,
    /// Most steps of the optimiser.
    pub(crate) steps_max: usize,
    /// Who measures.
    pub(crate) workers: Workers,
}

/// A fitted system.
#[derive(Debug, Clone)]
pub(crate) struct Fit {
    /// The system with the new values.
    pub(crate) system: System,
    /// What was free, with values before.
    pub(crate) free: Vec<Free>,
    /// Values after, in the same order.
    pub(crate) values: Vec<f64>,
    /// Relative error of each measurement that it was fitted to, percent.
    pub(crate) errors_percent: Vec<f64>,
    /// The same before the fit.
    pub(crate) errors_before_percent: Vec<f64>,
    /// Relative error of each measurement that was held out, percent.
    pub(crate) held_out_percent: Vec<f64>,
}

/// Fits the free parameters of the plan's system.
///
/// # Errors
/// When nothing is free, or there is nothing to fit to.
pub(crate) fn fit(plan: &FitPlan<'_>) -> Result<Fit, Fault> {
    let free = free_parameters(plan.system, plan.free)?;
    if plan.fitted.len() == 0 {
        return Err(Fault::new(format!("there is nothing to fit sim:{} to", plan.system.name))
            .because("no row describes that system and is not held out")
            .fix(
                "name a file whose rows describe the system, as `kneepoint validate` shows them",
            ));
    }
    let start = DVector::from_vec(free.iter().map(Free::start_coordinate).collect());
    let problem = Problem {
        subject: subject(plan.system, plan.fitted, Effort::calibration()),
        series: group(&plan.fitted.cells),
        free: &free,
        workers: plan.workers.clone(),
        coordinates: start.clone(),
        best: RefCell::new(Best::at(start)),
    };
    // The optimiser counts evaluations in units of the number of parameters, and one.
    let patience = plan.steps_max.div_ceil(free.len() + 1).max(1);
    let optimiser = LevenbergMarquardt::new().with_patience(patience).with_tol(2e-3);
    let (problem, _report) = optimiser.minimize(problem);
    let best = problem.best.borrow().clone();
    let values = problem.values(&best.coordinates);
    let mut system = plan.system.with_parameters(&values)?;
    let starts: Vec<_> = free.iter().map(|free| (free.name, free.start)).collect();
    system.mark_fitted(&starts);
    let before = plan.system.with_parameters(&starts)?;
    let errors = |system: &System, observations: &Observations| {
        percent(&errors_of(system, observations, &plan.workers))
    };
    Ok(Fit {
        errors_before_percent: errors(&before, plan.fitted),
        errors_percent: errors(&system, plan.fitted),
        held_out_percent: errors(&system, plan.held_out),
        values: values.iter().map(|(_, value)| *value).collect(),
        free: free.clone(),
        system,
    })
}

/// A system and what was measured on it.
fn subject<'a>(system: &'a System, observations: &'a Observations, effort: Effort) -> Subject<'a> {
    Subject { system, cells: &observations.cells, effort }
}

/// The parameters to move.
fn free_parameters(system: &System, names: &[String]) -> Result<Vec<Free>, Fault> {
    let all = system.parameters();
    let known = || all.iter().map(|parameter| parameter.name).collect::<Vec<_>>().join(", ");
    if let Some(name) = names.iter().find(|name| !all.iter().any(|own| own.name == name.as_str())) {
        return Err(Fault::new(format!("the system's file has no parameter '{name}'"))
            .fix(format!("add it with its bounds, or name one of: {}", known())));
    }
    let is_wanted = |name: &str| names.iter().any(|wanted| wanted == name);
    let chosen = all.iter().filter(|parameter| match names.is_empty() {
        true => parameter.is_fitted(),
        false => is_wanted(parameter.name),
    });
    let free: Vec<Free> = chosen.filter(|own| own.min < own.max).map(Free::of).collect();
    if free.is_empty() {
        return Err(Fault::new(format!("nothing is free in sim:{}", system.name))
            .because("no parameter with room between its bounds is marked as fitted or named")
            .fix("name parameters with --free, and give them bounds in the system file"));
    }
    Ok(free)
}

/// Logarithmic errors of a system, measured as a validation measures it.
fn errors_of(system: &System, observations: &Observations, workers: &Workers) -> Vec<f64> {
    let problem = Problem {
        subject: subject(system, observations, Effort::validation()),
        series: group(&observations.cells),
        free: &[],
        workers: workers.clone(),
        coordinates: DVector::zeros(0),
        best: RefCell::new(Best::at(DVector::zeros(0))),
    };
    problem.errors_at(&[DVector::zeros(0)]).remove(0)
}

/// Relative errors in percent from logarithmic ones.
fn percent(errors: &[f64]) -> Vec<f64> {
    errors.iter().map(|error| 100.0 * error.exp_m1()).collect()
}
