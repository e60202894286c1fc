//! Building the parts of systems, and bringing them to where a measurement would find them.

use super::drive::DriveModel;
use super::engine::{BackEnd, DriveUnit, SystemBackend};
use super::flash::Wear;
use super::parts::{Array, Cache, Controller, Port};
use super::server::{ByteTime, Server};
use crate::system::System;
use crate::system::parameter::Key;

impl SystemBackend {
    /// Nothing yet, at time zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a system whose solid-state drives were worn in by `wear`; returns the number of its
    /// first array.
    pub fn add_system(&mut self, system: &System, wear: Wear) -> u32 {
        let count = |key| system.value(key) as u32;
        let first_array = self.arrays.len() as u32;
        let first_controller = self.controllers.len() as u32;
        let first_port = self.ports.len() as u32;
        let first_back_end = self.back_ends.len() as u32;
        let controllers = count(Key::ControllerCount);
        let ports = count(Key::LinkHosts).max(controllers);
        let back_ends = count(Key::LinkBackEnds);
        self.models.push(DriveModel::new(system));
        self.controllers.extend((0..controllers).map(|_| Controller::new(system)));
        self.ports.extend((0..ports).map(|_| Port::new(system)));
        let rate = ByteTime::of_rate(system.value(Key::LinkBackEnd));
        self.back_ends.extend((0..back_ends).map(|_| BackEnd { link: Server::default(), rate }));
        for index in 0..system.array_count() {
            let first_drive = self.drives.len() as u32;
            let mut array = Array::new(system, index, first_drive);
            let own = index % controllers;
            let ports_each = ports / controllers;
            array.controller = first_controller + own;
            array.port = first_port + own * ports_each + index / controllers % ports_each;
            self.controllers[array.controller as usize].arrays.push(first_array + index);
            let model = self.models.len() as u32 - 1;
            let kind = &self.models[model as usize];
            let drives = (0..system.array_drives(index)).map(|number| DriveUnit {
                drive: kind.drive(u64::from(first_drive + number), wear),
                model,
                back_end: first_back_end + (first_drive + number) % back_ends,
                controller: array.controller,
            });
            self.drives.extend(drives);
            self.arrays.push(array);
            self.rebuild(first_array + index);
        }
        first_array
    }

    /// Makes array `array` the next target.
    pub fn add_target(&mut self, array: u32) {
        self.targets.push(array);
    }

    /// Whether any array writes through a cache.
    pub fn has_write_cache(&self) -> bool {
        self.arrays.iter().any(|array| array.dirty.is_some())
    }

    /// How full the write cache behind `target` is, as a share; full without one.
    pub fn fill(&self, target: u32) -> f64 {
        let array = &self.arrays[self.targets[target as usize] as usize];
        match array.dirty {
            Some(_) => self.controllers[array.controller as usize].cache.fill(),
            None => 1.0,
        }
    }

    /// How full the write caches of all controllers are in the mean.
    pub fn fill_mean(&self) -> f64 {
        let caches = self.controllers.iter().map(|controller| &controller.cache);
        caches.map(Cache::fill).sum::<f64>() / self.controllers.len().max(1) as f64
    }

    /// Puts a write into the cache as if it had been made long ago.
    pub fn prefill(&mut self, target: u32, offset: u64, bytes: u32) {
        let array = self.targets[target as usize];
        let start = self.arrays[array as usize].start_bytes;
        self.take_dirty(array, start + offset, bytes);
    }
}
