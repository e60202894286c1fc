//! The least-squares problem that the optimiser sees.

use std::cell::RefCell;

use kneepoint_core::words::fault::Fault;
use kneepoint_sim::System;
use kneepoint_sim::cells::{Cell, CellSeries, Criterion, Published, predict};
use kneepoint_sim::trial::Effort;
use levenberg_marquardt::LeastSquaresProblem;
use nalgebra::{DMatrix, DVector, Dyn, Owned};

use super::bounds::Free;
use super::observation::parts_of;
use crate::output::print::tell;
use crate::validation::{Workers, in_parallel};

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
pub(super) struct Subject<'a> {
    /// The system before the fit.
    pub(super) system: &'a System,
    /// Measurements.
    pub(super) cells: &'a [Option<Cell>],
    /// How exactly to simulate them.
    pub(super) effort: Effort,
}

/// What is fitted to what.
pub(super) struct Problem<'a> {
    /// The system and its measurements.
    pub(super) subject: Subject<'a>,
    /// The measurements by curve.
    pub(super) series: Vec<CellSeries<'a>>,
    /// What is free.
    pub(super) free: &'a [Free],
    /// Who measures.
    pub(super) workers: Workers,
    /// Where the optimiser is.
    pub(super) coordinates: DVector<f64>,
    /// The best place so far.
    pub(super) best: RefCell<Best>,
}

/// The best place so far.
#[derive(Debug, Clone)]
pub(super) struct Best {
    /// Sum of squared logarithmic errors, prior included.
    pub(super) sum: f64,
    /// The optimiser's coordinates.
    pub(super) coordinates: DVector<f64>,
    /// Logarithmic error of each measurement.
    pub(super) errors: Vec<f64>,
    /// Evaluations so far.
    pub(super) evaluations: usize,
    /// The last place that was evaluated, and its errors.
    pub(super) last: Option<(DVector<f64>, Vec<f64>)>,
}

impl Best {
    /// Nothing evaluated yet, at `start`.
    pub(super) const fn at(start: DVector<f64>) -> Self {
        let sum = f64::INFINITY;
        Self { sum, coordinates: start, errors: Vec::new(), evaluations: 0, last: None }
    }
}

impl Problem<'_> {
    /// The values of the free parameters at `coordinates`.
    pub(super) fn values(&self, coordinates: &DVector<f64>) -> Vec<(&'static str, f64)> {
        let pairs = self.free.iter().zip(coordinates.iter());
        pairs.map(|(free, coordinate)| (free.name, free.value(*coordinate))).collect()
    }

    /// Logarithmic errors of every measurement at each of `places`, all curves in parallel.
    pub(super) fn errors_at(&self, places: &[DVector<f64>]) -> Vec<Vec<f64>> {
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
            let place = place_of(series, cell.criterion)?;
            let ratio = match cell.published {
                Published::Iops(iops) => predicted[place].iops / iops,
                Published::MibPerS(mib_s) => predicted[place].mib_s / mib_s,
            };
            (ratio > 0.0).then(|| ratio.ln().clamp(-FAILED, FAILED))
        };
        series.cells.iter().map(|index| error(index).unwrap_or(FAILED)).collect()
    }
}

/// Where a series answers a criterion.
fn place_of(series: &CellSeries<'_>, criterion: Criterion) -> Option<usize> {
    series.criteria.iter().position(|asked| *asked == criterion)
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
