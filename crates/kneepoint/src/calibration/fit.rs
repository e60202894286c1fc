//! The fit: bounded least squares on logarithmic errors. Bounds are kept by transformation: the
//! optimiser moves freely, the parameter stays between its bounds.

use std::cell::RefCell;

use kneepoint_core::words::fault::Fault;
use kneepoint_sim::System;
use kneepoint_sim::cells::{Cell, CellSeries, Published, group, predict};
use kneepoint_sim::system::Parameter;
use kneepoint_sim::system::setting::Source;
use kneepoint_sim::trial::Effort;
use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt};
use nalgebra::{DMatrix, DVector, Dyn, Owned};

use super::{Observations, parts_of};
use crate::output::print::tell;
use crate::parallel::{Workers, in_parallel};

/// The task of a fit, and how long it may take.
pub(crate) struct FitPlan<'a> {
    /// The system before the fit.
    pub(crate) system: &'a System,
    /// Names of the parameters to move; empty for those that the file calls fitted.
    pub(crate) free: &'a [String],
    /// The measurements to fit to.
    pub(crate) fitted: &'a Observations,
    /// The measurements that it is only compared with.
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
    /// The free parameters, with the values before.
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
        subject: Subject {
            system: plan.system,
            cells: &plan.fitted.cells,
            effort: Effort::calibration(),
        },
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
    system.parameters.mark_fitted(&starts);
    let before = plan.system.with_parameters(&starts)?;
    let errors = |system: &System, observations: &Observations| {
        errors_percent(system, observations, &plan.workers)
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

/// The parameters to move.
fn free_parameters(system: &System, names: &[String]) -> Result<Vec<Free>, Fault> {
    let all = system.parameters.declared();
    let known = || all.iter().map(|parameter| parameter.name).collect::<Vec<_>>().join(", ");
    if let Some(name) = names.iter().find(|name| !all.iter().any(|own| own.name == name.as_str())) {
        return Err(Fault::new(format!("the system's file has no parameter '{name}'"))
            .fix(format!("add it with its bounds, or name one of: {}", known())));
    }
    let is_wanted = |name: &str| names.iter().any(|wanted| wanted == name);
    let chosen = all.iter().filter(|parameter| match names.is_empty() {
        true => parameter.source == Source::Fitted,
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

/// Relative errors of a system in percent, measured as a validation measures it.
fn errors_percent(system: &System, observations: &Observations, workers: &Workers) -> Vec<f64> {
    let problem = Problem {
        subject: Subject { system, cells: &observations.cells, effort: Effort::validation() },
        series: group(&observations.cells),
        free: &[],
        workers: workers.clone(),
        coordinates: DVector::zeros(0),
        best: RefCell::new(Best::at(DVector::zeros(0))),
    };
    let errors = problem.errors_at(&[DVector::zeros(0)]).remove(0);
    errors.iter().map(|error| 100.0 * error.exp_m1()).collect()
}

/// Step of the finite differences, in the optimiser's coordinate: about 4 % of the distance of the
/// bounds in their middle, far more than the noise of two predictions with the same random numbers.
const STEP: f64 = 0.15;

/// Weight of a parameter's distance from its start, against a relative error of 1: what the
/// measurements do not determine stays where it was.
const PRIOR_WEIGHT: f64 = 0.004;

/// Logarithmic error where a system cannot be built or measured: factor 20.
const FAILED: f64 = 3.0;

/// A system, and what was measured on it.
#[derive(Debug, Clone, Copy)]
struct Subject<'a> {
    /// The system before the fit.
    system: &'a System,
    /// Measurements.
    cells: &'a [Option<Cell>],
    /// How exactly to simulate them.
    effort: Effort,
}

/// A system, and the measurements that it is fitted to.
struct Problem<'a> {
    /// The system and its measurements.
    subject: Subject<'a>,
    /// The measurements by curve.
    series: Vec<CellSeries<'a>>,
    /// The free parameters.
    free: &'a [Free],
    /// Who measures.
    workers: Workers,
    /// Where the optimiser is.
    coordinates: DVector<f64>,
    /// The best place so far.
    best: RefCell<Best>,
}

/// The best place so far.
#[derive(Debug, Clone)]
struct Best {
    /// Sum of squared logarithmic errors, prior included.
    sum: f64,
    /// The optimiser's coordinates.
    coordinates: DVector<f64>,
    /// Logarithmic error of each measurement.
    errors: Vec<f64>,
    /// Evaluations so far.
    evaluations: usize,
    /// The last place that was evaluated, and its errors.
    last: Option<(DVector<f64>, Vec<f64>)>,
}

impl Best {
    /// Nothing evaluated yet, at `start`.
    const fn at(start: DVector<f64>) -> Self {
        let sum = f64::INFINITY;
        Self { sum, coordinates: start, errors: Vec::new(), evaluations: 0, last: None }
    }
}

impl Problem<'_> {
    /// The values of the free parameters at `coordinates`.
    fn values(&self, coordinates: &DVector<f64>) -> Vec<(&'static str, f64)> {
        let pairs = self.free.iter().zip(coordinates.iter());
        pairs.map(|(free, coordinate)| (free.name, free.value(*coordinate))).collect()
    }

    /// Logarithmic errors of every measurement at each of `places`, all curves in parallel.
    fn errors_at(&self, places: &[DVector<f64>]) -> Vec<Vec<f64>> {
        let tasks: Vec<(usize, &CellSeries<'_>)> = (0..places.len())
            .flat_map(|place| self.series.iter().map(move |series| (place, series)))
            .collect();
        let values: Vec<_> = places.iter().map(|place| self.values(place)).collect();
        let subject = self.subject;
        let curves = in_parallel(&self.workers, &tasks, |(place, series)| {
            subject.errors_of(series, &values[*place])
        });
        let mut errors = vec![vec![FAILED; subject.cells.len()]; places.len()];
        for ((place, series), curve) in tasks.iter().zip(curves) {
            for (index, error) in series.cells.iter().zip(curve) {
                errors[*place][*index] = error;
            }
        }
        errors
    }

    /// Errors and prior as one vector.
    fn residual_vector(&self, errors: &[f64], coordinates: &DVector<f64>) -> DVector<f64> {
        let priors = self
            .free
            .iter()
            .zip(coordinates.iter())
            .map(|(free, coordinate)| PRIOR_WEIGHT * (coordinate - free.start_coordinate()));
        DVector::from_vec(errors.iter().copied().chain(priors).collect())
    }

    /// Errors where the optimiser is; not measured again where it has just asked for them.
    fn errors_here(&self) -> Vec<f64> {
        let known = self.best.borrow().last.clone();
        match known {
            Some((place, errors)) if place == self.coordinates => errors,
            _ => self.errors_at(std::slice::from_ref(&self.coordinates)).remove(0),
        }
    }

    /// Remembers the best place and tells how far the fit is.
    fn note(&self, errors: Vec<f64>, residuals: &DVector<f64>) {
        let mut best = self.best.borrow_mut();
        best.evaluations += 1;
        let mean = errors.iter().map(|error| error.exp_m1().abs()).sum::<f64>();
        let mean_percent = 100.0 * mean / errors.len().max(1) as f64;
        tell(format!("evaluation {}: mean error {mean_percent:.2} %", best.evaluations));
        let sum = residuals.norm_squared();
        if sum < best.sum {
            best.sum = sum;
            best.coordinates = self.coordinates.clone();
            best.errors.clone_from(&errors);
        }
        best.last = Some((self.coordinates.clone(), errors));
    }
}

impl Subject<'_> {
    /// Logarithmic errors of the cells of one curve.
    fn errors_of(&self, series: &CellSeries<'_>, values: &[(&'static str, f64)]) -> Vec<f64> {
        let predicted = system_of(self.system, &series.first.target)
            .and_then(|system| system.with_parameters(values))
            .and_then(|system| predict(&system, series, &self.effort));
        let Ok(predicted) = predicted else { return vec![FAILED; series.cells.len()] };
        let error = |index: &usize| {
            let cell = self.cells[*index].as_ref()?;
            let place = series.criteria.iter().position(|asked| *asked == cell.criterion)?;
            let ratio = match cell.published {
                Published::Iops(iops) => predicted[place].iops / iops,
                Published::MibPerS(mib_s) => predicted[place].mib_s / mib_s,
            };
            (ratio > 0.0).then(|| ratio.ln().clamp(-FAILED, FAILED))
        };
        series.cells.iter().map(|index| error(index).unwrap_or(FAILED)).collect()
    }
}

/// The system of a cell: `system` with the settings in the target's name.
pub(super) fn system_of(system: &System, target: &str) -> Result<System, Fault> {
    let (_, query) = parts_of(target);
    system.with_query(target, query)
}

impl LeastSquaresProblem<f64, Dyn, Dyn> for Problem<'_> {
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;
    type ParameterStorage = Owned<f64, Dyn>;

    fn set_params(&mut self, x: &DVector<f64>) {
        self.coordinates.copy_from(x);
    }

    fn params(&self) -> DVector<f64> {
        self.coordinates.clone()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        let errors = self.errors_at(std::slice::from_ref(&self.coordinates)).remove(0);
        let residuals = self.residual_vector(&errors, &self.coordinates);
        self.note(errors, &residuals);
        Some(residuals)
    }

    /// Forward differences, all of them at once in parallel.
    fn jacobian(&self) -> Option<DMatrix<f64>> {
        let here = self.errors_here();
        let base = self.residual_vector(&here, &self.coordinates);
        let places: Vec<DVector<f64>> = (0..self.free.len())
            .map(|index| {
                let mut place = self.coordinates.clone();
                place[index] += STEP;
                place
            })
            .collect();
        let errors = self.errors_at(&places);
        let column = |(errors, place): (&Vec<f64>, &DVector<f64>)| {
            (self.residual_vector(errors, place) - &base) / STEP
        };
        let columns: Vec<DVector<f64>> = errors.iter().zip(&places).map(column).collect();
        Some(DMatrix::from_columns(&columns))
    }
}

/// The optimiser starts at least this far from both bounds, as a share of their distance: at a
/// bound itself no step would change anything.
const MARGIN: f64 = 0.02;

/// A parameter that a calibration moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Free {
    /// Its name, `disk.seek_average`.
    pub(super) name: &'static str,
    /// Unit of values and bounds.
    pub(super) unit: &'static str,
    /// Value that the fit starts from: where the last one started, or else the value.
    pub(super) start: f64,
    /// Smallest value.
    pub(super) min: f64,
    /// Largest value.
    pub(super) max: f64,
}

impl Free {
    fn of(parameter: &Parameter) -> Self {
        let Parameter { name, value, start, unit, min, max, .. } = *parameter;
        Self { name, unit, start: start.unwrap_or(value), min, max }
    }

    /// The optimiser's coordinate of the start: the logit of the place between the bounds. Bounds
    /// and values may be zero, which a logarithm of the value would not survive.
    fn start_coordinate(&self) -> f64 {
        let place = (self.start - self.min) / (self.max - self.min);
        let place = place.clamp(MARGIN, 1.0 - MARGIN);
        (place / (1.0 - place)).ln()
    }

    /// The value at a coordinate, to a millionth of the distance of the bounds: what is written to
    /// a file is what was measured with.
    fn value(&self, coordinate: f64) -> f64 {
        let exact = self.min + (self.max - self.min) / (1.0 + (-coordinate).exp());
        let digits = 10_f64.powi(6 - (self.max - self.min).log10().ceil() as i32);
        ((exact * digits).round() / digits).clamp(self.min, self.max)
    }

    /// True if a value is as good as at one of the bounds.
    pub(super) fn is_at_bound(&self, value: f64) -> bool {
        let place = (value - self.min) / (self.max - self.min);
        !(MARGIN..=1.0 - MARGIN).contains(&place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_between_their_bounds_and_move_from_zero() {
        let free = Free { name: "a.b", unit: "us", start: 0.0, min: 0.0, max: 60.0 };
        let start = free.start_coordinate();
        assert!((free.value(start) - 1.2).abs() < 1e-9);
        assert!(free.value(start + 0.3) > 1.3 * free.value(start));
        assert!(free.value(-50.0) >= 0.0 && free.value(50.0) <= 60.0);
        assert!(free.is_at_bound(0.5) && !free.is_at_bound(30.0));
    }
}
