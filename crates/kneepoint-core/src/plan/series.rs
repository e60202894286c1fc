//! Series: from the suite as typed to what a plan holds.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use rand_core::Rng as _;
use serde::{Deserialize, Serialize};

use super::{Plan, Together};
use crate::spec::catalog;
use crate::spec::document::did_you_mean;
use crate::spec::factor::{Combination, CombinationOrder, Factors};
use crate::spec::grid::{LoadGrid, Loads, SearchPlan};
use crate::spec::profile::{Profile, SeriesProfile};
use crate::spec::suite::{Series, Suite};
use crate::words::fault::Fault;
use crate::words::rule::Rule;
use crate::words::seed;
use crate::words::units::{Bytes, Percent};

/// Points that differ only in load.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeriesPlan {
    /// Profile and block size, `database/8KiB`; unique within the plan together with `factors`.
    pub name: String,
    /// What each I/O looks like.
    pub profile: SeriesProfile,
    /// Settings varied on purpose that hold for this series.
    pub factors: BTreeMap<String, String>,
    /// Settings of the targets that the suite sets for this series alone.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    /// The levels that are measured, or that the search rises over.
    pub loads: LoadGrid,
    /// How the levels are used.
    pub search: SearchPlan,
    /// Its place in a group that is measured at the same moment; `None` if it is measured by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<Together>,
}

/// The load levels of every series, as the command line says them.
#[derive(Debug, Clone, PartialEq)]
pub enum TypedLoads {
    /// Of this unit.
    Of(Loads),
    /// As typed, of the unit that the series has anyway.
    OfAnyUnit(String),
}

/// What the command line says in place of the suite.
#[derive(Debug, Clone, PartialEq)]
pub struct Overrides {
    /// Block sizes of every series; empty to keep the suite's.
    pub blocks: Vec<Bytes>,
    /// Load levels of every series; `None` to keep the suite's.
    pub loads: Option<TypedLoads>,
    /// Rules; empty to keep the suite's, or those of the targets' class.
    pub rules: Vec<Rule>,
    /// How close the throughputs on both sides of a rule must be for a search to end.
    pub tolerance: Percent,
}

/// How close a search comes to its rules where no one says: half of the customary accuracy.
const TOLERANCE: f64 = 2.5;

impl Overrides {
    /// Leaves the suite as it is.
    pub fn none() -> Self {
        let tolerance = Percent::new(TOLERANCE).expect("a percentage");
        Self { blocks: Vec::new(), loads: None, rules: Vec::new(), tolerance }
    }
}

impl Suite {
    /// The series of the suite with nothing left open, in the order in which they run.
    ///
    /// The load of a series is, in this order, that of `overrides`, of the series, of its profile,
    /// of the suite.
    ///
    /// # Errors
    /// When a profile doesn't exist, `overrides` has block sizes for a profile that mixes sizes,
    /// or two series would have the same name.
    pub fn resolve(&self, overrides: &Overrides) -> Result<Vec<SeriesPlan>, Fault> {
        let mut plans: Vec<SeriesPlan> = Vec::new();
        for series in &self.series {
            let blocks = match overrides.blocks.as_slice() {
                [] => series.blocks_or_own(),
                blocks => blocks.iter().copied().map(Some).collect(),
            };
            let profile = self.profile(&series.profile)?;
            let loads = self.loads_of(series, &profile, overrides)?;
            for block in blocks {
                plans.push(SeriesPlan {
                    name: profile.series_name(block),
                    profile: profile.resolve(block)?,
                    factors: BTreeMap::new(),
                    settings: series.settings.clone(),
                    loads: loads.resolve(),
                    search: loads.search(overrides.tolerance),
                    together: None,
                });
            }
        }
        plans.extend(self.resolve_together(overrides)?);
        check_unique(&plans)?;
        Ok(plans)
    }

    /// The suite in one line: `5 series, 35 points, file of 8GiB`, or `56 series in 5 to 25 rounds`.
    ///
    /// # Errors
    /// When the suite can't be resolved; one that was parsed can.
    pub fn summary(&self) -> Result<String, Fault> {
        let series = self.resolve(&Overrides::none())?;
        let combinations = self.factors.combinations()?.len();
        let once: usize = series.iter().map(|series| series.loads.levels.len()).sum();
        let points = once * combinations * self.repeat.unwrap_or(1) as usize;
        let settings = match combinations {
            1 => String::new(),
            count => format!(" at {count} settings"),
        };
        let is_searched = series.iter().any(|series| matches!(series.search, SearchPlan::Knee(_)));
        let most = if is_searched { "up to " } else { "" };
        let each = match &self.rounds {
            None => String::new(),
            Some(rounds) => format!(" in {} to {} rounds", rounds.least(), rounds.max),
        };
        let points = match self.rounds {
            None => format!(", {most}{points} points"),
            Some(_) => String::new(),
        };
        let file = self.size.map(|size| format!(", file of {size}")).unwrap_or_default();
        let copy = self.file_copy.as_ref().map_or("", |_| ", file copy");
        Ok(format!("{} series{settings}{each}{points}{file}{copy}", series.len()))
    }

    /// The rules of `overrides`, or else the suite's; none where neither has any.
    pub fn rules_with(&self, overrides: &Overrides) -> Vec<Rule> {
        match overrides.rules.as_slice() {
            [] => self.rules.clone(),
            rules => rules.to_vec(),
        }
    }

    /// The profile called `name`: the suite's own, or else the catalog's.
    ///
    /// # Errors
    /// When there is none.
    pub fn profile(&self, name: &str) -> Result<Profile, Fault> {
        if let Some(profile) = self.profiles.iter().find(|profile| profile.name == name) {
            return Ok(profile.clone());
        }
        let own_names = self.profiles.iter().map(|profile| profile.name.as_str());
        catalog::profile(name).map_err(|fault| match did_you_mean(name, own_names) {
            Some(hint) => fault.fix(hint),
            None => fault,
        })
    }

    /// The load levels that `series` runs at.
    fn loads_of<'a>(
        &'a self,
        series: &'a Series,
        profile: &'a Profile,
        overrides: &'a Overrides,
    ) -> Result<Loads, Fault> {
        let fits = |loads: &&Loads| profile.check_loads(loads).is_ok();
        let of_suite = self.loads.as_ref().filter(fits);
        let own = series.loads.as_ref().or(profile.loads.as_ref()).or(of_suite);
        let loads = match (&overrides.loads, own) {
            (Some(TypedLoads::Of(loads)), _) | (None, Some(loads)) => Cow::Borrowed(loads),
            (None, None) => Cow::Owned(Loads::standard(profile.load_unit())),
            (Some(TypedLoads::OfAnyUnit(text)), own) => {
                let unit = own.map_or_else(|| profile.load_unit(), Loads::unit);
                Cow::Owned(Loads::parse(text, unit)?)
            }
        };
        profile.check_loads(&loads)?;
        Ok(profile.own_loads(loads.into_owned()))
    }
}

/// Refuses two series of one name: their points could not be told apart.
fn check_unique(plans: &[SeriesPlan]) -> Result<(), Fault> {
    let mut names = BTreeSet::new();
    match plans.iter().find(|plan| !names.insert(&plan.name)) {
        None => Ok(()),
        Some(plan) => Err(Fault::new(format!("two series are called '{}'", plan.name))
            .because("a profile would run twice with the same block size")
            .fix("name each block size once")),
    }
}

impl Factors {
    /// Every series at every combination.
    ///
    /// # Errors
    /// When there are too many combinations.
    pub fn expand(&self, series: &[SeriesPlan]) -> Result<Vec<SeriesPlan>, Fault> {
        let at = |combination: &Combination, series: &SeriesPlan| SeriesPlan {
            factors: combination.clone(),
            ..series.clone()
        };
        let combinations = self.combinations()?;
        Ok(combinations
            .iter()
            .flat_map(|combination| series.iter().map(|series| at(combination, series)))
            .collect())
    }
}

/// Points that are measured one after the other under the same settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanBlock<'a> {
    /// The settings.
    pub combination: &'a Combination,
    /// The repetition of the plan that its points belong to, from 0.
    pub repetition: u32,
}

/// The blocks of `plan` in the order in which they run; a plan without factors has one block per
/// repetition.
pub fn blocks(plan: &Plan) -> Vec<PlanBlock<'_>> {
    let combinations = combinations(plan);
    let order = plan.factors.as_ref().map_or(CombinationOrder::AsWritten, |factors| factors.order);
    let mut blocks = Vec::new();
    for repetition in 0..plan.repetitions.max(1) {
        let block = |combination| PlanBlock { combination, repetition };
        let mut once: Vec<PlanBlock<'_>> = combinations.iter().copied().map(block).collect();
        if order == CombinationOrder::Blocked {
            shuffle(&mut once, seed::derive(plan.seed, "block", u64::from(repetition)));
        }
        blocks.extend(once);
    }
    if order == CombinationOrder::Random {
        shuffle(&mut blocks, seed::derive(plan.seed, "blocks", 0));
    }
    blocks
}

/// The combinations of the plan's series in the order of their first appearance.
fn combinations(plan: &Plan) -> Vec<&Combination> {
    let mut combinations: Vec<&Combination> = Vec::new();
    for series in &plan.series {
        if combinations.last() != Some(&&series.factors) && !combinations.contains(&&series.factors)
        {
            combinations.push(&series.factors);
        }
    }
    combinations
}

/// Brings `items` into an order that `seed` draws (Fisher and Yates).
pub(crate) fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut rng = seed::rng(seed);
    for end in (1..items.len()).rev() {
        let other = (rng.next_u64() % (end as u64 + 1)) as usize;
        items.swap(end, other);
    }
}
