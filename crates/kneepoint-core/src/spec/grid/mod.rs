//! Load grids as they are typed: `1,2,4`, `1..121`, `1..121+8`, `1..512x2`.
//!
//! A grid is a list of terms, separated by commas. A term is a level or a range of levels. `a..b`
//! counts in ones, `a..b+s` in steps of `s`, `a..bxf` multiplies by `f`; a range always includes
//! its end, even where no step falls on it. Over the whole list the levels must rise.
//!
//! The text is the same for both units. Outstanding I/Os are whole numbers: where a factor leads
//! in between, the level is rounded, and levels that round to the same number count once.

mod loads;
mod parse;
mod search;

use crate::words::fault::Fault;
use crate::words::load::LoadUnit;

pub use loads::Loads;
pub use parse::in_thousands;
pub use search::{KneeGoal, KneePlan, LoadGrid, SearchPlan};

/// Most levels of one grid.
pub const LEVELS_MAX: usize = 10_000;
/// Most outstanding I/Os per target (2^16).
pub const OUTSTANDING_MAX: f64 = 65_536.0;
/// Lowest rate offered to a target, in I/Os per second, and the smallest step of rates.
pub const RATE_MIN: f64 = 0.001;
/// Highest rate offered to a target, in I/Os per second.
pub const RATE_MAX: f64 = 1e9;
/// Smallest factor of a geometric range.
pub const FACTOR_MIN: f64 = 1.01;

/// A level or a range of levels.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Term {
    /// `4`.
    Level(f64),
    /// `1..121`, `1..121+8`, `1..512x2`.
    Range { first: f64, last: f64, step: Step },
}

/// How a range goes on.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    /// In ones.
    One,
    /// By adding.
    Plus(f64),
    /// By multiplying.
    Times(f64),
}

impl LoadGrid {
    /// Reads a grid of `unit`.
    ///
    /// # Errors
    /// When the text is no grid, a level is not whole where it must be or outside 1 to
    /// [`OUTSTANDING_MAX`] or [`RATE_MIN`] to [`RATE_MAX`], levels don't rise, or there are more than
    /// [`LEVELS_MAX`].
    pub fn parse(text: &str, unit: LoadUnit) -> Result<Self, Fault> {
        let terms = parse::terms(text, unit)?;
        let levels = expand(&terms, unit).map_err(|fault| parse::in_grid(text, fault))?;
        Ok(Self { unit, levels })
    }
}

/// All levels of `terms` in order.
fn expand(terms: &[Term], unit: LoadUnit) -> Result<Vec<f64>, Fault> {
    let mut levels = Vec::new();
    for term in terms {
        match *term {
            Term::Level(level) => push_risen(&mut levels, level)?,
            Term::Range { first, last, step } => {
                push_risen(&mut levels, first)?;
                push_range(&mut levels, Range { first, last, step, unit })?;
            }
        }
    }
    Ok(levels)
}

/// A range with the unit that its levels are rounded to.
struct Range {
    first: f64,
    last: f64,
    step: Step,
    unit: LoadUnit,
}

impl Range {
    /// The unrounded level after `steps` steps that led to `level`.
    fn next(&self, level: f64, steps: usize) -> f64 {
        match self.step {
            Step::One => self.first + steps as f64,
            Step::Plus(step) => self.first + steps as f64 * step,
            Step::Times(factor) => level * factor,
        }
    }

    /// The level as the unit has it.
    fn rounded(&self, level: f64) -> f64 {
        if self.unit.is_whole() { level.round() } else { level }
    }
}

/// Appends the levels of `range` after its first, its end included.
fn push_range(levels: &mut Vec<f64>, range: Range) -> Result<(), Fault> {
    let mut level = range.first;
    for steps in 1.. {
        level = range.next(level, steps);
        let rounded = range.rounded(level);
        if rounded >= range.last {
            break;
        }
        let repeated = range.unit.is_whole() && levels.last() == Some(&rounded);
        if !repeated {
            push_risen(levels, rounded)?;
        }
    }
    push_risen(levels, range.last)
}

/// Appends a level that must be above the last one.
fn push_risen(levels: &mut Vec<f64>, level: f64) -> Result<(), Fault> {
    if levels.len() == LEVELS_MAX {
        return Err(Fault::new(format!("it has more than {LEVELS_MAX} levels"))
            .fix("take larger steps: 1..65536+16 or 1..65536x2"));
    }
    match levels.last() {
        Some(last) if *last >= level => {
            Err(Fault::new(format!("{level} comes after {last}, but levels must rise"))
                .fix("put the levels in rising order, each once"))
        }
        _ => {
            levels.push(level);
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests;
