//! Series that are measured at the same moment.
//!
//! One of them leads: its points are those that the run goes through. At each level of its load every
//! other one has its own series of a single point, which is measured with it.

use serde::{Deserialize, Serialize};

use super::{Overrides, Plan, SeriesPlan, TargetPlan};
use crate::spec::grid::{LoadGrid, SearchPlan};
use crate::spec::profile::ResolvedProfile;
use crate::spec::suite::{self, Suite};
use crate::words::fault::Fault;
use crate::words::load::LoadLevel;
use crate::words::rule::Rule;

/// The place of a series in a group that is measured at the same moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Together {
    /// Name of the group.
    pub group: String,
    /// The load of the leading series that this one is measured beside; `None` for the leading one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<f64>,
    /// Number of its target, from 0; `None` for all targets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<u32>,
    /// Its own rules, in place of those of the plan; empty if it has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
}

/// A series at one moment, with what it loads.
#[derive(Debug, Clone, PartialEq)]
pub struct Member<'a> {
    /// The series.
    pub series: &'a SeriesPlan,
    /// Its load on each of its targets.
    pub load: LoadLevel,
    /// Its targets, by their numbers in the plan, rising.
    pub targets: Vec<u32>,
}

impl SeriesPlan {
    /// Whether its points are measured with those of another series.
    pub fn is_companion(&self) -> bool {
        self.together.as_ref().is_some_and(|together| together.beside.is_some())
    }

    /// The rules that it is judged by, if `plan` are those of its plan.
    pub fn rules_or<'a>(&'a self, plan: &'a [Rule]) -> &'a [Rule] {
        match &self.together {
            Some(together) if !together.rules.is_empty() => &together.rules,
            _ => plan,
        }
    }

    /// Whether it is measured with `lead` at the load `level` of that.
    fn is_beside(&self, lead: &Self, level: f64) -> bool {
        let groups = self.together.as_ref().zip(lead.together.as_ref());
        groups.is_some_and(|(own, of_lead)| {
            own.group == of_lead.group && of_lead.beside.is_none() && own.beside == Some(level)
        }) && self.factors == lead.factors
    }

    /// The numbers of its targets among `count`.
    fn targets_of(&self, count: u32) -> Vec<u32> {
        match self.together.as_ref().and_then(|together| together.target) {
            Some(target) => vec![target],
            None => (0..count).collect(),
        }
    }

    /// Whether it loads the target of this number.
    pub(crate) fn loads_target(&self, number: usize) -> bool {
        let own = self.together.as_ref().and_then(|together| together.target);
        own.is_none_or(|own| own as usize == number)
    }
}

/// Those of `all` that are measured with `lead` at the load `level`, without itself.
pub(crate) fn companions<'a>(
    all: &'a [SeriesPlan],
    lead: &'a SeriesPlan,
    level: f64,
) -> impl Iterator<Item = &'a SeriesPlan> {
    // Most series are measured by themselves.
    let all = if lead.together.is_some() { all } else { &[] };
    all.iter().filter(move |other| other.is_beside(lead, level))
}

/// The most outstanding I/Os on one target that series of `all` have at one moment.
pub(crate) fn outstanding_max(all: &[SeriesPlan]) -> f64 {
    let highest = |series: &SeriesPlan| series.loads.levels.iter().copied().fold(0.0, f64::max);
    let at = |lead: &SeriesPlan, level: f64| -> f64 {
        level + companions(all, lead, level).map(highest).sum::<f64>()
    };
    let of = |lead: &SeriesPlan| {
        lead.loads.levels.iter().map(|level| at(lead, *level)).fold(0.0, f64::max)
    };
    all.iter().map(of).fold(0.0, f64::max)
}

impl Plan {
    /// What is measured at the same moment as `series` at `load`: that itself, and those beside it.
    pub fn members<'a>(&'a self, series: &'a SeriesPlan, load: LoadLevel) -> Vec<Member<'a>> {
        let count = self.targets.len() as u32;
        let member = |series: &'a SeriesPlan, load| Member {
            series,
            load,
            targets: series.targets_of(count),
        };
        let beside = companions(&self.series, series, load.value)
            .filter_map(|other| Some(member(other, other.loads.levels().next()?)));
        std::iter::once(member(series, load)).chain(beside).collect()
    }

    /// Whether any of its series writes without data.
    pub fn writes_without_data(&self) -> bool {
        let mut profiles = self.series.iter().filter_map(|series| series.profile.storage());
        profiles.any(ResolvedProfile::writes_without_data)
    }

    /// The rules that the series called `name` is judged by.
    pub fn rules_of(&self, name: &str) -> &[Rule] {
        let series = self.series.iter().find(|series| series.name == name);
        series.map_or(&self.rules, |series| series.rules_or(&self.rules))
    }

    /// The series that `companion` is measured with, and its load; `None` if it is measured by itself.
    pub fn lead_of(&self, companion: &SeriesPlan) -> Option<(&SeriesPlan, LoadLevel)> {
        let level = companion.together.as_ref()?.beside?;
        let lead = self.series.iter().find(|series| companion.is_beside(series, level))?;
        Some((lead, LoadLevel { value: level, unit: lead.loads.unit }))
    }

    /// The same plan with these of its targets alone, and workers in proportion.
    #[must_use]
    pub fn of_targets(&self, numbers: &[u32]) -> Self {
        let targets: Vec<TargetPlan> =
            numbers.iter().map(|number| self.targets[*number as usize].clone()).collect();
        let mut part = self.clone();
        let (own, all) = (targets.len() as u32, self.targets.len().max(1) as u32);
        part.engine.workers = (self.engine.workers * own / all).max(1);
        part.targets = targets;
        part
    }
}

impl Suite {
    /// The series of all groups.
    ///
    /// # Errors
    /// When a profile doesn't exist, or `overrides` replace loads or blocks.
    pub(super) fn resolve_together(&self, overrides: &Overrides) -> Result<Vec<SeriesPlan>, Fault> {
        let Some(first) = self.together.first() else { return Ok(Vec::new()) };
        if overrides.loads.is_some() || !overrides.blocks.is_empty() {
            return Err(Fault::new(format!("'{}' has its own loads and block sizes", first.name))
                .because("what is measured at the same moment belongs together")
                .fix(
                    "leave out --block and load levels, or change the [[together]] of the suite",
                ));
        }
        let groups = self.together.iter().map(|group| self.series_of(group, overrides));
        Ok(groups.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// The series of one group.
    fn series_of(
        &self,
        group: &suite::Together,
        overrides: &Overrides,
    ) -> Result<Vec<SeriesPlan>, Fault> {
        let lead = group.lead();
        let levels = &group.members[lead].loads.levels;
        let mut plans = Vec::new();
        for (index, member) in group.members.iter().enumerate() {
            let profile = self.profile(&member.profile)?;
            let (own, resolved) = (member.name_with(&profile), profile.resolve(member.block)?);
            let planned = |name: String, beside: Option<f64>, loads: LoadGrid| SeriesPlan {
                name,
                profile: resolved.clone(),
                factors: Default::default(),
                settings: Default::default(),
                loads,
                search: SearchPlan::Grid,
                together: Some(Together {
                    group: group.name.clone(),
                    beside,
                    target: member.target.map(|number| number - 1),
                    // What is asked for on the command line comes first.
                    rules: match overrides.rules.is_empty() {
                        true => member.rules.clone(),
                        false => Vec::new(),
                    },
                }),
            };
            let name = |at: String| format!("{}{at}/{own}", group.name);
            if index == lead {
                plans.push(planned(name(String::new()), None, member.loads.clone()));
                continue;
            }
            for level in levels {
                let at = if levels.len() > 1 { format!("@{level}") } else { String::new() };
                plans.push(planned(name(at), Some(*level), member.loads.clone()));
            }
        }
        Ok(plans)
    }
}
