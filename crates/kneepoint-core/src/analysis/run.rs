//! Everything that follows from what a run measured, computed once.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::effects::{Effects, effects};
use super::findings::{Finding, of_points};
use super::summary::{summarize, summarize_plan};
use crate::fault::Fault;
use crate::file_copy::{CopyResult, CopySummary, summarize_copies};
use crate::plan::Plan;
use crate::result::{PointResult, Summary};
use crate::rule::Rule;

/// What points and copies mean.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct RunAnalysis {
    /// Sustained and peak throughput of every series at every rule.
    pub summaries: Vec<Summary>,
    /// What the factors do; empty if nothing was varied.
    #[serde(default)]
    pub effects: Vec<Effects>,
    /// What the numbers amount to.
    #[serde(default)]
    pub findings: Vec<Finding>,
    /// The copies by target, method and cache; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<CopySummary>,
}

impl RunAnalysis {
    /// The analysis of what was measured by `plan`, the JSON of a plan of this version or of an
    /// earlier one.
    ///
    /// # Errors
    /// When the plan has no readable rules.
    pub fn of(points: &[PointResult], copies: &[CopyResult], plan: &Value) -> Result<Self, Fault> {
        let plan_of_today = serde_json::from_value::<Plan>(plan.clone()).ok();
        let (summaries, effects) = match plan_of_today {
            Some(plan) => {
                let varied = plan.factors.as_ref();
                let effects = varied.map(|factors| effects(points, factors, &plan.rules));
                (summarize_plan(points, &plan), effects.unwrap_or_default())
            }
            // A plan of another version: its rules are enough to read the points.
            None => (summarize(points, &rules(plan)?), Vec::new()),
        };
        let (findings, copies) = (of_points(points), summarize_copies(copies));
        Ok(Self { summaries, effects, findings, copies })
    }
}

/// The rules in the JSON of a plan.
fn rules(plan: &Value) -> Result<Vec<Rule>, Fault> {
    let rules = plan.get("rules").cloned().unwrap_or_default();
    serde_json::from_value(rules)
        .map_err(|error| Fault::new("the plan of the run has no readable rules").because(error))
}
