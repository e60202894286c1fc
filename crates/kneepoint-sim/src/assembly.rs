//! Storage subsystems put together for a point: their parts at rest, or as a long run would find
//! them.

use kneepoint_core::result::Warning;
use kneepoint_core::spec::profile::ResolvedProfile;

use crate::model::{SystemBackend, Wear};
use crate::system::System;

/// Storage subsystems, and which array of which of them each target is.
#[derive(Debug, Clone, Default)]
pub struct Assembly {
    systems: Vec<(String, System)>,
    targets: Vec<(usize, u32)>,
}

impl Assembly {
    /// Adds a target: array `array` of the system called `name`. Targets that name the same
    /// system share its parts.
    pub fn add(&mut self, name: &str, system: &System, array: u32) {
        let known = self.systems.iter().position(|(known, _)| known == name);
        let index = known.unwrap_or_else(|| {
            self.systems.push((name.to_owned(), system.clone()));
            self.systems.len() - 1
        });
        self.targets.push((index, array));
    }

    /// All arrays of one system, each a target.
    pub fn of_system(system: &System) -> Self {
        let mut assembly = Self::default();
        for array in 0..system.array_count() {
            assembly.add(&system.name, system, array);
        }
        assembly
    }

    /// The systems with their parts at rest, at time zero; solid-state drives are as `profile`
    /// would have left them.
    pub fn backend(&self, profile: &ResolvedProfile) -> SystemBackend {
        let wear = match profile.is_sequential() {
            true => Wear::Sequential,
            false => Wear::Random,
        };
        let mut backend = SystemBackend::new();
        let first: Vec<u32> =
            self.systems.iter().map(|(_, system)| backend.add_system(system, wear)).collect();
        for (index, array) in &self.targets {
            backend.add_target(first[*index] + array);
        }
        backend
    }

    /// Whether there are no targets.
    pub const fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Why a run should not be trusted too far.
    pub fn warnings(&self) -> Vec<Warning> {
        self.systems.iter().filter_map(|(_, system)| system.warning()).collect()
    }
}
