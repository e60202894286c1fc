//! Factors: settings that a run varies on purpose.
//!
//! ```toml
//! design = "full"                        # or "one-at-a-time"
//! order = "random"                       # or "blocked", "as-written"
//!
//! [[factor]]
//! name = "scheduler"                     # a setting that Kneepoint knows
//! levels = ["none", "mq-deadline"]       # the first one is the base
//! settle = "1s"                          # wait after a change; optional
//!
//! [[factor]]
//! name = "raid"                          # a setting of one's own
//! levels = ["raid0", "raid1"]
//! set = ["./set-raid", "{level}", "{target}"]
//! check = ["./show-raid", "{target}"]    # must print what `expect` says
//! expect = "{level}"                     # the default
//! restore = ["./unset-raid", "{target}"]
//! ```
//!
//! Every combination of levels that the design asks for measures every series of the suite. The
//! combinations stand in the plan's series; [`blocks`] is the order in which they run.

mod check;
mod commands;
mod expand;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub(crate) use check::FactorFile;
pub(crate) use check::{check, check_design, check_order, check_repeat};
pub use commands::Commands;

use crate::words::units::Nanos;

/// Levels by the names of their factors: what holds while a block of points is measured.
pub type Combination = BTreeMap<String, String>;

/// Most factors of a run.
pub const FACTORS_MAX: usize = 10;
/// Most levels of a factor.
pub const LEVELS_MAX: usize = 100;
/// Most combinations of levels that a run goes through.
pub const COMBINATIONS_MAX: usize = 1000;
/// Longest time that is waited after a change (1 hour).
pub const SETTLE_MAX: Nanos = Nanos::from_secs(3600);
/// Most repetitions of a run.
pub const REPEAT_MAX: u32 = 1000;

/// The factors of a run, and how it goes through their levels.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Factors {
    /// Which combinations are measured.
    pub design: Design,
    /// In which order.
    pub order: Order,
    /// The factors, in the order in which they are set.
    pub factors: Vec<Factor>,
}

/// A setting and the values that it takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Factor {
    /// What it is called: a setting that Kneepoint knows, a parameter of a simulated system, or
    /// any name with commands.
    pub name: String,
    /// Its values, each once; the first one is the base that the others are compared with.
    pub levels: Vec<String>,
    /// How long is waited after a change before anything is measured.
    pub settle: Nanos,
    /// The user's own commands; `None` for settings that Kneepoint changes itself.
    pub commands: Option<Commands>,
}

crate::named! {
    /// Which combinations of levels are measured.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Design {
        /// All of them: full factorial.
        #[default]
        Full = "full",
        /// The base of all factors, and every other level of each with the others at their base.
        OneAtATime = "one-at-a-time",
    }
}

crate::named! {
    /// The order in which combinations are measured.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Order {
        /// Combinations and repetitions in an order drawn from the plan's seed.
        #[default]
        Random = "random",
        /// One repetition after the other, the combinations of each in its own order.
        Blocked = "blocked",
        /// As the levels are written, the last factor fastest.
        AsWritten = "as-written",
    }
}

/// Levels as they read: `raid=raid5, write_cache=on`; empty where nothing is varied.
pub fn combination_text(combination: &Combination) -> String {
    let parts: Vec<String> =
        combination.iter().map(|(name, level)| format!("{name}={level}")).collect();
    parts.join(", ")
}
