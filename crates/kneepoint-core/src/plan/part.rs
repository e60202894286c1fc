//! The part of a plan that one host of a fleet measures.

use serde::{Deserialize, Serialize};

use super::{Plan, StopRule, TargetPlan};
use crate::words::units::Nanos;

/// A host may measure for this many intervals longer than the plan says: by then the fleet has ended the
/// point.
const SPARE_INTERVALS: u64 = 100;

/// The part of a load of the whole run that a host of a fleet has, such as some of all users. They are dealt out in
/// turn: no two hosts have the same user, and a user stays where it is when more come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostShare {
    /// The place of the host among all, from 0.
    pub host: u32,
    /// How many there are.
    pub hosts: u32,
}

impl HostShare {
    /// All of the load.
    pub const WHOLE: Self = Self { host: 0, hosts: 1 };

    /// Whether it is all of the load.
    pub fn is_whole(&self) -> bool {
        *self == Self::WHOLE
    }

    /// How many of `count` it has.
    pub fn of(self, count: usize) -> usize {
        let (host, hosts) = (self.host as usize, self.hosts.max(1) as usize);
        (count + hosts - 1).saturating_sub(host) / hosts
    }

    /// The number among all, from 0, of the one with this number here.
    pub fn number(self, here: usize) -> usize {
        self.host as usize + here * self.hosts.max(1) as usize
    }
}

impl Plan {
    /// The hosts of a fleet in the order of their targets; none where one machine measures.
    pub fn hosts(&self) -> Vec<&str> {
        let mut hosts: Vec<&str> = self.targets.iter().map(|target| &*target.host).collect();
        hosts.dedup();
        hosts.retain(|host| !host.is_empty());
        hosts
    }

    /// The plan as `host` measures it: its targets, under the names that they have there.
    #[must_use]
    pub fn part_of(&self, host: &str) -> Self {
        let first = self.targets.iter().position(|target| target.host == host).unwrap_or(0);
        let own = self.targets.iter().filter(|target| target.host == host);
        Self {
            targets: own.map(TargetPlan::at_home).collect(),
            first_target: first as u32,
            share: self.share_of(host),
            ..self.clone()
        }
    }

    /// What `host` has of loads of the whole run.
    pub fn share_of(&self, host: &str) -> HostShare {
        let hosts = self.hosts();
        let place = hosts.iter().position(|known| *known == host).unwrap_or(0);
        HostShare { host: place as u32, hosts: hosts.len().max(1) as u32 }
    }

    /// The same plan for whoever measures until it is told to end, and not by the plan's stop rule.
    #[must_use]
    pub fn until_told(mut self) -> Self {
        let timing = &mut self.timing;
        let spare = Nanos(timing.interval.0 * SPARE_INTERVALS);
        let measure = timing.stop.measure_max() + spare;
        timing.stop = StopRule::FixedTime { measure };
        self
    }
}

impl TargetPlan {
    /// The target of a fleet called `name`, `host:name`.
    #[must_use]
    pub fn on_host(self, host: &str) -> Self {
        Self { target: format!("{host}:{}", self.target), host: host.to_owned(), ..self }
    }

    /// The target as it is called on its host.
    #[must_use]
    pub fn at_home(&self) -> Self {
        let name = self.target.strip_prefix(&self.host).and_then(|rest| rest.strip_prefix(':'));
        let target = name.filter(|_| !self.host.is_empty()).unwrap_or(&self.target);
        Self { target: target.to_owned(), host: String::new(), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::stream::assign;
    use crate::plan::tests::plan_of;
    use crate::words::load::LoadLevel;

    /// A plan of the targets `a:x`, `a:y` and `b:x`.
    fn fleet_plan() -> Plan {
        let mut plan = plan_of("null:", 3);
        for (target, (host, name)) in
            plan.targets.iter_mut().zip([("a", "x"), ("a", "y"), ("b", "x")])
        {
            *target = TargetPlan { target: name.to_owned(), ..target.clone() }.on_host(host);
        }
        plan
    }

    #[test]
    fn a_part_has_the_targets_of_its_host_under_their_own_names() {
        let plan = fleet_plan();
        assert_eq!(plan.hosts(), ["a", "b"]);
        assert_eq!(plan.targets[2].target, "b:x");
        let part = plan.part_of("b");
        assert_eq!(part.targets.len(), 1);
        assert_eq!((&*part.targets[0].target, &*part.targets[0].host), ("x", ""));
        assert_eq!(part.first_target, 2);
        assert!(plan_of("null:", 1).hosts().is_empty());
    }

    #[test]
    fn hosts_share_a_load_and_have_nothing_in_common() {
        let plan = fleet_plan();
        let shares = ["a", "b"].map(|host| plan.part_of(host).share);
        assert_eq!(shares, [0, 1].map(|host| HostShare { host, hosts: 2 }));
        assert!(plan.share.is_whole() && plan_of("null:", 1).part_of("").share.is_whole());
        for (hosts, count) in [(1, 7), (2, 7), (3, 7), (3, 2), (5, 0)] {
            let shares = (0..hosts).map(|host| HostShare { host, hosts });
            let numbers =
                shares.flat_map(|share| (0..share.of(count)).map(move |here| share.number(here)));
            let mut numbers: Vec<usize> = numbers.collect();
            numbers.sort_unstable();
            assert_eq!(numbers, (0..count).collect::<Vec<_>>(), "{hosts} hosts");
        }
    }

    #[test]
    fn streams_are_the_same_however_targets_are_spread() {
        let plan = fleet_plan();
        let seeds = |plan: &Plan| -> Vec<u64> {
            let workers = assign(plan, LoadLevel::outstanding(4), 7);
            workers.iter().flat_map(|worker| &worker.streams).map(|stream| stream.seed).collect()
        };
        let parts: Vec<u64> =
            plan.hosts().iter().flat_map(|host| seeds(&plan.part_of(host))).collect();
        assert_eq!(parts, seeds(&plan));
    }
}
