//! Everything that follows from what a run measured, computed once.

use serde_json::Value;

use super::copies::summarize_copies;
use super::effects::effects;
use super::findings::of_points;
use super::summary::{summarize, summarize_plan};
use crate::plan::Plan;
use crate::result::{CopyResult, PointResult, RunAnalysis};
use crate::words::fault::Fault;
use crate::words::rule::Rule;

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
