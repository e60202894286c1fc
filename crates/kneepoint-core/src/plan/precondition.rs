//! What is written to the targets before the first point, as plans of their own.
//!
//! A flash drive is brought to the state in which it will be used: written over from end to end,
//! then at random until its throughput is steady. Both phases are ordinary points of plans that
//! follow from the run's plan, so they go through the same loop as everything else.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Plan, SeriesPlan, SteadyState, StopRule, Timing};
use crate::spec::grid::{LoadGrid, SearchPlan};
use crate::spec::profile::{
    AddressRange, DataPattern, Distribution, Durability, ResolvedLine, ResolvedProfile,
    SeriesProfile,
};
use crate::words::load::LoadUnit;
use crate::words::units::{Bytes, Nanos, Percent};

/// Writes before the first point: sequential ones over everything that is used, then random ones
/// until steady state where no rounds follow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Precondition {
    /// First.
    pub sequential: SequentialPass,
    /// Then; `None` for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub random: Option<RandomWrites>,
}

/// Sequential writes from end to end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SequentialPass {
    /// Bytes of each write.
    pub block_bytes: u64,
    /// Outstanding writes per target.
    pub outstanding: u32,
    /// How often the used size of each target is written over.
    pub passes: u32,
    /// How often the bytes are looked at.
    pub interval: Nanos,
    /// Longest time; a target that needs more is given up.
    pub time_max: Nanos,
}

/// Random writes until steady state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RandomWrites {
    /// Bytes of each write.
    pub block_bytes: u64,
    /// Outstanding writes per target.
    pub outstanding: u32,
    /// Length of the recorder's intervals.
    pub interval: Nanos,
    /// When it ends.
    pub steady_state: SteadyState,
}

impl Plan {
    /// The plans of the preconditioning, in their order, one series and one point each; empty
    /// where nothing is to be done.
    pub fn preconditioning(&self) -> Vec<Self> {
        let Some(Precondition { sequential, random }) = &self.precondition else {
            return Vec::new();
        };
        let random = random.as_ref().map(|random| self.random_plan(random));
        std::iter::once(self.sequential_plan(sequential)).chain(random).collect()
    }

    /// Bytes that the sequential part of the preconditioning writes, over all targets.
    pub fn precondition_bytes(&self) -> u64 {
        let passes = self.precondition.as_ref().map_or(0, |given| given.sequential.passes);
        self.volume(passes).iter().sum()
    }

    /// Bytes of each target, this many times over.
    fn volume(&self, passes: u32) -> Vec<u64> {
        self.targets.iter().map(|target| target.size_bytes * u64::from(passes)).collect()
    }

    fn sequential_plan(&self, pass: &SequentialPass) -> Self {
        let stop =
            StopRule::Volume { target_bytes: self.volume(pass.passes), measure_max: pass.time_max };
        let writes = Writes {
            name: "sequential",
            block_bytes: pass.block_bytes,
            random: Percent::ZERO,
            outstanding: pass.outstanding,
        };
        let mut plan = self.phase(&writes, pass.interval, stop);
        // A target that several workers share has a position for each of them; one position per
        // target writes every byte equally often.
        plan.engine.workers = plan.engine.workers.min(plan.targets.len() as u32);
        plan
    }

    fn random_plan(&self, random: &RandomWrites) -> Self {
        let writes = Writes {
            name: "random",
            block_bytes: random.block_bytes,
            random: Percent::FULL,
            outstanding: random.outstanding,
        };
        self.phase(&writes, random.interval, StopRule::SteadyState(random.steady_state.clone()))
    }

    /// This plan with `writes` as its only series.
    fn phase(&self, writes: &Writes, interval: Nanos, stop: StopRule) -> Self {
        let drain_max = self.timing.drain_max;
        // A simulated system is the same one then.
        let settings = self.series.first().map(|series| series.settings.clone());
        let series = writes.series(self.written_data());
        Self {
            series: vec![SeriesPlan { settings: settings.unwrap_or_default(), ..series }],
            factors: None,
            repetitions: 1,
            rounds: None,
            rules: Vec::new(),
            target_class: None,
            precondition: None,
            timing: Timing { ramp: Nanos::ZERO, interval, stop, drain_max },
            file_copy: None,
            omissions: Vec::new(),
            ..self.clone()
        }
    }

    /// What the first series that writes writes.
    fn written_data(&self) -> DataPattern {
        let writing = self.io_profiles().find(|profile| profile.writes());
        let plain = DataPattern { compressible: Percent::ZERO, duplicate: Percent::ZERO };
        writing.map_or(plain, |profile| profile.data)
    }
}

/// The writes of a phase.
struct Writes {
    name: &'static str,
    block_bytes: u64,
    random: Percent,
    outstanding: u32,
}

impl Writes {
    fn series(&self, data: DataPattern) -> SeriesPlan {
        let line = ResolvedLine {
            share: Percent::FULL,
            block_bytes: self.block_bytes,
            read: Percent::ZERO,
            write: crate::spec::profile::WriteKind::Data,
            random: self.random,
            burst: 1,
            delay: Nanos::ZERO,
            align_bytes: self.block_bytes,
            gap_bytes: 0,
        };
        SeriesPlan {
            name: format!("precondition-{}/{}", self.name, Bytes(self.block_bytes)),
            profile: SeriesProfile::Storage(ResolvedProfile {
                name: format!("precondition-{}", self.name),
                title: format!("Preconditioning, {} writes", self.name),
                lines: vec![line],
                range: AddressRange::WHOLE,
                distribution: Distribution::Uniform,
                data,
                durability: Durability::default(),
                think: Nanos::ZERO,
                trace: None,
            }),
            factors: BTreeMap::new(),
            settings: BTreeMap::new(),
            loads: LoadGrid {
                unit: LoadUnit::OutstandingIos,
                levels: vec![f64::from(self.outstanding)],
            },
            search: SearchPlan::Grid,
            together: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::steady_state::tests::rule;
    use crate::plan::tests::plan_of;

    fn precondition() -> Precondition {
        Precondition {
            sequential: SequentialPass {
                block_bytes: 128 << 10,
                outstanding: 32,
                passes: 2,
                interval: Nanos::from_millis(100),
                time_max: Nanos::from_secs(60),
            },
            random: Some(RandomWrites {
                block_bytes: 4096,
                outstanding: 32,
                interval: Nanos::from_millis(100),
                steady_state: rule(),
            }),
        }
    }

    #[test]
    fn both_phases_write_everything_that_is_used() {
        let mut plan = plan_of("null:", 2);
        assert_eq!((plan.preconditioning(), plan.precondition_bytes()), (Vec::new(), 0));
        let hash_without = plan.hash();
        plan.precondition = Some(precondition());
        plan.engine.workers = 4;
        assert_ne!(plan.hash(), hash_without);
        assert_eq!(plan.precondition_bytes(), 4 << 20);
        let phases = plan.preconditioning();
        let [sequential, random] = phases.as_slice() else { panic!("{phases:?}") };
        for phase in [sequential, random] {
            assert!(phase.writes() && phase.precondition.is_none() && phase.point_count() == 1);
            assert_eq!(phase.series[0].profile.storage().unwrap().read_percent(), 0.0);
        }
        let volume =
            StopRule::Volume { target_bytes: vec![2 << 20; 2], measure_max: Nanos::from_secs(60) };
        assert_eq!((&sequential.timing.stop, sequential.engine.workers), (&volume, 2));
        assert!(sequential.series[0].profile.storage().unwrap().is_sequential());
        assert_eq!(
            (&random.timing.stop, random.engine.workers),
            (&StopRule::SteadyState(rule()), 4)
        );
        assert!(!random.series[0].profile.storage().unwrap().is_sequential());
    }

    #[test]
    fn without_random_writes_there_is_one_phase() {
        let mut plan = plan_of("null:", 1);
        plan.precondition = Some(Precondition { random: None, ..precondition() });
        assert_eq!(plan.preconditioning().len(), 1);
        let json = serde_json::to_string(&plan).unwrap();
        assert_eq!(serde_json::from_str::<Plan>(&json).unwrap(), plan);
    }

    #[test]
    fn a_plan_without_it_reads_and_hashes_as_before_there_was_any() {
        let plan = plan_of("null:", 1);
        let json = serde_json::to_string(&plan).unwrap();
        assert!(!json.contains("precondition"));
        assert_eq!(serde_json::from_str::<Plan>(&json).unwrap(), plan);
    }
}
