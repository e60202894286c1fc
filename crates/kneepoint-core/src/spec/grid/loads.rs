//! The load levels of a series as typed: a grid, `rising` until throughput stops rising, or `auto`
//! for levels that are searched for.

use std::fmt;

use super::{KneeGoal, KneePlan, LoadGrid, SearchPlan};
use crate::words::fault::Fault;
use crate::words::load::LoadUnit;
use crate::words::units::Percent;

/// The word for load levels that are searched for.
const AUTO: &str = "auto";

/// The word for load levels that double until throughput stops rising.
const RISING: &str = "rising";

/// The levels over which outstanding I/Os rise until throughput no longer does: up to 512, where a
/// drive with long queues is saturated.
const RISING_OUTSTANDING: &str = "1..512x2";

/// The levels over which a search of outstanding I/Os rises where the user names none: up to 4,096.
const AUTO_OUTSTANDING: &str = "1..4096x2";

/// The levels over which offered rates rise where the user names none, in IO/s.
const AUTO_RATES: &str = "100..3276800x2";

/// Load levels as typed.
#[derive(Debug, Clone, PartialEq)]
pub enum Loads {
    /// Every level of a grid, with the text that was typed.
    Grid(LoadGrid, String),
    /// As many levels of this unit as it takes to find where the rules are met, and the peak.
    Auto(LoadUnit),
    /// Levels of this unit, each twice the one before, until throughput stops rising. They are the
    /// same in every run, so that runs can be compared at equal load, and nothing is searched for
    /// between them.
    Rising(LoadUnit),
}

impl Loads {
    /// Reads a grid of `unit`, `rising` or `auto`.
    ///
    /// # Errors
    /// As [`LoadGrid::parse`].
    pub fn parse(text: &str, unit: LoadUnit) -> Result<Self, Fault> {
        match text.trim() {
            AUTO => Ok(Self::Auto(unit)),
            RISING => Ok(Self::Rising(unit)),
            typed => Ok(Self::Grid(LoadGrid::parse(text, unit)?, typed.to_owned())),
        }
    }

    /// What a profile is measured at when nothing else is said: a load of `unit` that rises until
    /// throughput no longer does.
    pub const fn standard(unit: LoadUnit) -> Self {
        Self::Rising(unit)
    }

    /// What the levels count.
    pub const fn unit(&self) -> LoadUnit {
        match self {
            Self::Grid(grid, _) => grid.unit,
            Self::Auto(unit) | Self::Rising(unit) => *unit,
        }
    }

    /// The same levels of another unit.
    pub(crate) fn counting(self, unit: LoadUnit) -> Self {
        match self {
            Self::Grid(grid, typed) => Self::Grid(LoadGrid { unit, ..grid }, typed),
            Self::Auto(_) => Self::Auto(unit),
            Self::Rising(_) => Self::Rising(unit),
        }
    }

    /// The levels as they stand in a plan: those of the grid, or those that a search rises over.
    pub fn resolve(&self) -> LoadGrid {
        match self {
            Self::Grid(grid, _) => grid.clone(),
            Self::Auto(unit) => levels(AUTO_OUTSTANDING, *unit),
            Self::Rising(unit) => levels(RISING_OUTSTANDING, *unit),
        }
    }

    /// How the levels are used; a search ends within `tolerance` of a rule's limit.
    pub const fn search(&self, tolerance: Percent) -> SearchPlan {
        match self {
            Self::Grid(..) => SearchPlan::Grid,
            Self::Auto(_) => Self::knee(KneeGoal::RulesAndPeak, tolerance),
            Self::Rising(_) => Self::knee(KneeGoal::Saturation, tolerance),
        }
    }

    const fn knee(goal: KneeGoal, tolerance: Percent) -> SearchPlan {
        SearchPlan::Knee(KneePlan { goal, tolerance, answer: None })
    }
}

/// The levels of a search: the counts of `outstanding`, or the rates that go with them.
fn levels(outstanding: &str, unit: LoadUnit) -> LoadGrid {
    let text = if unit.is_offered() { AUTO_RATES } else { outstanding };
    LoadGrid::parse(text, unit).expect("a valid grid")
}

impl fmt::Display for Loads {
    /// As it was typed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Grid(_, typed) => typed,
            Self::Auto(_) => AUTO,
            Self::Rising(_) => RISING,
        })
    }
}
