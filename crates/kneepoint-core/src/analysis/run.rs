//! Everything that follows from what a run measured, computed once.

use serde_json::Value;

use super::copies::summarize_copies;
use super::effects::effects_by;
use super::findings::of_points;
use super::plausibility::implausible;
use super::processor::processor;
use super::published::beside_published;
use super::rounds::{counted_points, rounds};
use super::summary::{summarize, summarize_plan};
use super::user_counts::user_counts;
use crate::plan::Plan;
use crate::result::{PointResult, RoundsAnalysis, RunAnalysis, RunDocument, Warning};
use crate::words::fault::Fault;
use crate::words::rule::Rule;

impl RunAnalysis {
    /// The analysis of what `document` holds; its plan may be of this version or of an earlier one.
    ///
    /// # Errors
    /// When the plan has no readable rules.
    pub fn of(document: &RunDocument) -> Result<Self, Fault> {
        let RunDocument { points, copies, plan, environment, .. } = document;
        let plan_of_today = serde_json::from_value::<Plan>(plan.clone()).ok();
        let processor = plan_of_today.as_ref().and_then(|plan| processor(points, plan));
        let rounds = plan_of_today.as_ref().and_then(|plan| rounds(points, plan));
        let counted = counted_points(points, rounds.as_ref());
        let points: &[PointResult] = &counted;
        let (summaries, effects, users) = match plan_of_today {
            Some(plan) => {
                let varied = plan.factors.as_ref();
                let effects = varied
                    .map(|factors| effects_by(points, factors, |series| plan.rules_of(series)));
                let users = user_counts(points, (&plan.rules, plan.reference.as_ref()));
                (summarize_plan(points, &plan), effects.unwrap_or_default(), users)
            }
            // A plan of another version: its rules are enough to read the points.
            None => {
                let rules = rules(plan)?;
                (summarize(points, &rules), Vec::new(), user_counts(points, (&rules, None)))
            }
        };
        let (findings, copies) = (of_points(points), summarize_copies(copies));
        let published = beside_published(&environment.published, (points, &summaries));
        let implausible = implausible(document, &findings);
        Ok(Self {
            summaries,
            effects,
            findings,
            implausible,
            copies,
            published,
            processor,
            rounds,
            users,
        })
    }
}

impl RunAnalysis {
    /// What limits the trust in the whole run and follows from what it measured.
    pub fn warnings(&self) -> Vec<Warning> {
        let unsteady = self.rounds.iter().filter_map(RoundsAnalysis::warning);
        self.implausible.iter().cloned().chain(unsteady).collect()
    }
}

/// The rules in the JSON of a plan.
fn rules(plan: &Value) -> Result<Vec<Rule>, Fault> {
    let rules = plan.get("rules").cloned().unwrap_or_default();
    serde_json::from_value(rules)
        .map_err(|error| Fault::new("the plan of the run has no readable rules").because(error))
}
