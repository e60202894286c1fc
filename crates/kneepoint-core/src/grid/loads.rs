//! The load levels of a series as typed: a grid, or `auto` for levels that are searched for.

use std::fmt;

use super::Grid;
use crate::fault::Fault;
use crate::load::LoadUnit;
use crate::plan::{KneeGoal, KneePlan, LoadGrid, SearchPlan};
use crate::units::Percent;

/// The word for load levels that are searched for.
const AUTO: &str = "auto";

/// The levels over which a search of outstanding I/Os rises where the user names none: up to 4,096.
const AUTO_OUTSTANDING: &str = "1..4096x2";

/// The levels over which a search of offered rates rises where the user names none, in IO/s.
const AUTO_RATES: &str = "100..3276800x2";

/// Load levels as typed.
#[derive(Debug, Clone, PartialEq)]
pub enum Loads {
    /// Every level of a grid.
    Grid(Grid),
    /// As many levels of this unit as it takes to find where the rules are met, and the peak.
    Auto(LoadUnit),
}

impl Loads {
    /// Reads a grid of `unit`, or `auto`.
    ///
    /// # Errors
    /// As [`Grid::parse`].
    pub fn parse(text: &str, unit: LoadUnit) -> Result<Self, Fault> {
        if text.trim() == AUTO {
            return Ok(Self::Auto(unit));
        }
        Grid::parse(text, unit).map(Self::Grid)
    }

    /// What is measured when nothing else is said.
    pub fn standard() -> Self {
        Self::Grid(Grid::standard())
    }

    /// What the levels count.
    pub const fn unit(&self) -> LoadUnit {
        match self {
            Self::Grid(grid) => grid.unit(),
            Self::Auto(unit) => *unit,
        }
    }

    /// The levels as they stand in a plan: those of the grid, or those that a search rises over.
    pub fn resolve(&self) -> LoadGrid {
        match self {
            Self::Grid(grid) => grid.resolve(),
            Self::Auto(unit) => {
                let text = match unit {
                    LoadUnit::OutstandingIos => AUTO_OUTSTANDING,
                    LoadUnit::OfferedIops => AUTO_RATES,
                };
                Grid::parse(text, *unit).expect("a valid grid").resolve()
            }
        }
    }

    /// How the levels are used; a search ends within `tolerance` of a rule's limit.
    pub const fn search(&self, tolerance: Percent) -> SearchPlan {
        match self {
            Self::Grid(_) => SearchPlan::Grid,
            Self::Auto(_) => SearchPlan::Knee(KneePlan { goal: KneeGoal::RulesAndPeak, tolerance }),
        }
    }
}

impl fmt::Display for Loads {
    /// As it can be typed again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grid(grid) => grid.fmt(f),
            Self::Auto(_) => f.write_str(AUTO),
        }
    }
}
