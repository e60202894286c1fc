//! Writes without data: trims, and blocks that become zeroes.

use super::wishes::FoundTarget;
use crate::plan::{Engine, EnginePlan, SeriesPlan, TargetKind};
use crate::spec::profile::{ResolvedProfile, WriteKind};
use crate::words::fault::Fault;

/// Refuses writes without data where a target or the engine does not know them, or the run reads: what
/// was given back or set to zero is answered without the medium.
pub(super) fn check_dataless(
    engine: &EnginePlan,
    series: &[SeriesPlan],
    found: &[FoundTarget],
) -> Result<(), Fault> {
    let profiles = || series.iter().filter_map(|series| series.profile.storage());
    let Some(profile) = profiles().find(|profile| profile.writes_without_data()) else {
        return Ok(());
    };
    let (name, what) = (&profile.name, what(profile));
    if let Some(found) = found.iter().find(|found| found.plan.kind == TargetKind::Sim) {
        return Err(Fault::new(format!("{} does not know {what}", found.plan.target))
            .because(format!("profile '{name}' writes without data"))
            .fix("measure it on a file or a device"));
    }
    if !matches!(engine.engine, Engine::Sync | Engine::Null) {
        return Err(Fault::new(format!("engine {} does not know {what}", engine.engine.name()))
            .because("Linux has calls for it that wait until it is done, and only the sync engine makes them")
            .fix("use --engine sync, or leave --engine at auto"));
    }
    match profiles().find(|profile| profile.read_percent() > 0.0) {
        None => Ok(()),
        Some(reader) => Err(Fault::new(format!("'{}' reads in a run that has {what}", reader.name))
            .because(format!(
                "blocks that '{name}' gave back or set to zero are answered without the medium, and such reads \
                 say nothing of it"
            ))
            .fix("measure the reads in another run, and before this one")),
    }
}

/// What the writes of `profile` without data are.
fn what(profile: &ResolvedProfile) -> &'static str {
    match profile.write_kinds().contains(&WriteKind::Trim) {
        true => "trims",
        false => "writes of zeroes",
    }
}
