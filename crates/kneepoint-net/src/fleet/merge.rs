//! What the hosts say of a point or a run, as one.

use std::ops::Range;

use kneepoint_core::load::drive::IoFault;
use kneepoint_core::measure::Outcome;
use kneepoint_core::measure::measurement::Measurement;
use kneepoint_core::measure::trust::{DeviceTraffic, HostStart, Observation};
use kneepoint_core::plan::Plan;
use kneepoint_core::result::simulated::Simulated;
use kneepoint_core::result::{Environment, Warning};

use super::member::Member;
use crate::wire::PartEnd;

/// Warnings of the hosts, each with its host; what all of them warn of stands there once.
pub(super) fn in_common(of_hosts: Vec<Vec<Warning>>, hosts: &[String]) -> Vec<Warning> {
    let shared: Vec<Warning> = match of_hosts.split_first() {
        Some((first, others)) if !others.is_empty() => {
            let is_shared = |warning: &&Warning| others.iter().all(|other| other.contains(warning));
            first.iter().filter(is_shared).cloned().collect()
        }
        _ => Vec::new(),
    };
    let own = of_hosts.into_iter().zip(hosts).flat_map(|(warnings, host)| {
        let own = warnings.into_iter().filter(|warning| !shared.contains(warning));
        own.map(|warning| warning.on_host(host)).collect::<Vec<_>>()
    });
    let mut all = shared.clone();
    for warning in own {
        if !all.contains(&warning) {
            all.push(warning);
        }
    }
    all
}

/// A point from what was measured on all hosts together, and how it ended on each; without warnings.
pub(super) fn ends_merged(
    measurement: Measurement,
    ends: Vec<PartEnd>,
    members: &[Member],
) -> Outcome {
    let joined = measurement.joined.max(1);
    let mut outcome = Outcome::new(measurement, &[]);
    outcome.simulated = simulated(&ends);
    let mut observations = Vec::new();
    for (end, member) in ends.into_iter().zip(members) {
        let (first, count) = (member.first_target, member.target_count as u32);
        let own = outcome.errors.iter_mut().skip(first as usize).take(member.target_count);
        own.zip(&end.errors).for_each(|(errors, counted)| *errors += counted);
        let samples = end.error_samples.into_iter().filter(|io| io.target < count);
        outcome.error_samples.extend(samples.map(|io| IoFault { target: io.target + first, ..io }));
        outcome.lost += end.lost;
        outcome.stuck += end.stuck;
        outcome.paused = outcome.paused.max(end.paused);
        outcome.late = outcome.late.max(end.late);
        outcome.cpu_percent += end.cpu_percent;
        observations
            .extend(end.observations.into_iter().map(|seen| of_fleet(seen, member, joined)));
    }
    outcome.observations = of_machines(&observations);
    outcome
}

/// How the hosts began with a point.
pub(super) fn starts(ends: &[PartEnd], members: &[Member]) -> Vec<HostStart> {
    let start = |(end, member): (&PartEnd, &Member)| HostStart {
        host: member.name.clone(),
        late: end.late,
        cpu_percent: end.cpu_percent,
        clock: member.clock.offset.result(),
        drift: member.clock.drift(),
    };
    ends.iter().zip(members).map(start).collect()
}

/// An observation with the numbers that targets and intervals have for the whole fleet.
fn of_fleet(mut seen: Observation, member: &Member, joined: usize) -> Observation {
    seen.host.clone_from(&member.name);
    let Range { start, end } = seen.window;
    seen.window = start.div_ceil(joined)..end / joined;
    for device in &mut seen.devices {
        device.targets.retain(|target| *target < member.target_count);
        device.targets.iter_mut().for_each(|target| *target += member.first_target as usize);
    }
    seen
}

/// The same where several agents share a machine: what one of them does is no one else's load for the
/// others.
fn of_machines(observations: &[Observation]) -> Vec<Observation> {
    let with_neighbours = |seen: &Observation| {
        let is_neighbour =
            |other: &&Observation| other.machine == seen.machine && other.host != seen.host;
        let mut whole = seen.clone();
        for other in observations.iter().filter(is_neighbour) {
            if let (Some(mine), Some(theirs)) = (&mut whole.processor, &other.processor) {
                mine.own_user_s += theirs.own_user_s;
                mine.own_system_s += theirs.own_system_s;
            }
            for device in &mut whole.devices {
                let same = |theirs: &&DeviceTraffic| theirs.name == device.name;
                if let Some(theirs) = other.devices.iter().find(same) {
                    device.targets.extend(&theirs.targets);
                }
            }
        }
        whole
    };
    observations.iter().map(with_neighbours).collect()
}

/// Why the simulated systems of all hosts were as fast as they were, together.
fn simulated(ends: &[PartEnd]) -> Option<Simulated> {
    let parts =
        ends.iter().filter_map(|end| Some((end.simulated.as_ref()?, end.operations as f64)));
    Simulated::of_all(&parts.collect::<Vec<_>>())
}

/// What `plan` is measured on, from what each host says of itself and of its targets. What was published of
/// a system stands beside the numbers of one host alone: those of several are of no system.
pub(super) fn merged_environment(
    plan: &Plan,
    environments: Vec<Environment>,
    members: &[Member],
) -> Environment {
    let mut merged = Environment::default();
    if let [only] = environments.as_slice() {
        merged.published.clone_from(&only.published);
    }
    for (environment, member) in environments.into_iter().zip(members) {
        let planned = plan.targets.iter().filter(|target| target.host == member.name);
        for (mut target, planned) in environment.targets.into_iter().zip(planned) {
            target.target.clone_from(&planned.target);
            target.host.clone_from(&member.name);
            merged.targets.push(target);
        }
        for mut host in environment.hosts {
            host.host.clone_from(&member.name);
            host.clock = Some(member.clock.offset.result());
            merged.hosts.push(host);
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_hosts_warn_of_is_said_once() {
        let hosts = ["a".to_owned(), "b".to_owned()];
        let (shared, own) = (Warning::SharedBlocks, Warning::DirectIoRefused);
        let warnings =
            in_common(vec![vec![shared.clone(), own.clone()], vec![shared.clone()]], &hosts);
        assert_eq!(warnings, [shared.clone(), own.on_host("a")]);
        let alone = in_common(vec![vec![shared.clone()]], &hosts[..1]);
        assert_eq!(alone, [shared.on_host("a")]);
    }
}
