//! Series that are measured at the same moment, on the targets of a run.

use crate::plan::{SeriesPlan, TargetPlan};
use crate::words::fault::Fault;
use crate::words::rule::Rule;

/// Most targets on which series are measured at the same moment: of each, every series has its own tallies.
const TARGETS_MAX: usize = 64;

/// The first series of a group, if there is one.
fn first(series: &[SeriesPlan]) -> Option<&SeriesPlan> {
    series.iter().find(|series| series.together.is_some())
}

/// Refuses a search: the loads of a group are fixed.
pub(super) fn check_search(series: &[SeriesPlan]) -> Result<(), Fault> {
    match first(series) {
        None => Ok(()),
        Some(series) => Err(Fault::new(format!("the load of {} is not searched for", series.name))
            .because("what is measured at the same moment is known before")
            .fix("use `kneepoint run`, or a suite without [[together]]")),
    }
}

/// Leaves out the companions of load levels that were left out.
pub(super) fn keep_measured(series: &mut Vec<SeriesPlan>) {
    let leads: Vec<(String, Vec<f64>)> = series
        .iter()
        .filter(|series| !series.is_companion())
        .filter_map(|lead| Some((lead.together.as_ref()?.group.clone(), lead.loads.levels.clone())))
        .collect();
    series.retain(|series| {
        let together = series.together.as_ref();
        let beside = together.and_then(|own| Some((own, own.beside?)));
        beside.is_none_or(|(own, level)| {
            let mut lead = leads.iter().filter(|(group, _)| *group == own.group);
            lead.any(|(_, levels)| levels.contains(&level))
        })
    });
}

/// Refuses groups that cannot be measured on `targets`, or be judged by `rules`.
pub(super) fn check_groups(
    series: &[SeriesPlan],
    targets: &[TargetPlan],
    rules: &[Rule],
) -> Result<(), Fault> {
    let Some(first) = first(series) else { return Ok(()) };
    let name = &first.name;
    if targets.iter().any(|target| !target.host.is_empty()) {
        return Err(Fault::new(format!("{name} is not measured by a fleet"))
            .because("series that are measured at the same moment are driven by one machine")
            .fix("measure it on each host by itself"));
    }
    if targets.len() > TARGETS_MAX {
        return Err(Fault::new(format!("{name} is not measured on {} targets", targets.len()))
            .because("each of several series at the same moment has its own numbers of each target")
            .fix(format!("name at most {TARGETS_MAX} targets")));
    }
    if let Some(rule) = rules.iter().find(|rule| rule.reference_load().is_some()) {
        return Err(Fault::new(format!("the rule {rule} has no reference in {name}"))
            .because("its reference would be another load at the same moment")
            .fix("give a time as the limit"));
    }
    for series in series.iter().filter(|series| series.together.is_some()) {
        let number = series.together.as_ref().and_then(|together| together.target).unwrap_or(0);
        if number as usize >= targets.len() {
            return Err(Fault::new(format!(
                "{} is measured on target {}, and there {} {}",
                series.name,
                number + 1,
                if targets.len() == 1 { "is" } else { "are" },
                targets.len(),
            ))
            .fix("name as many targets as the [[together]] of the suite has"));
        }
    }
    Ok(())
}
