//! Fits the free parameters of a simulated system to measurements.

mod bounds;
mod fit;
mod observation;
mod outcome;
mod problem;

pub(crate) use fit::{Fit, FitPlan, fit};
pub(crate) use observation::{Observations, of_cells, of_run};
pub(crate) use outcome::{fit_text, fitted_text};
