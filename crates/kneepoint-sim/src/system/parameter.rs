//! The free parameters: those of the model, with unit and limits, and those of one system, with
//! bounds and sources.
//!
//! Every number that a calibration may move is here and nowhere else. A system file gives each a
//! value with bounds and a source; what it leaves out takes the neutral value of the model's list.

use std::collections::BTreeMap;

use kneepoint_core::spec::document::nearest;
use kneepoint_core::words::fault::Fault;

use super::file::ParameterFile;
use super::setting::Source;

/// The definition of a free parameter: its place in the model, unit, limits and meaning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Definition {
    /// Part and name, `disk.seek_average`.
    pub name: &'static str,
    /// Unit of the value.
    pub unit: &'static str,
    /// Smallest value that the model takes.
    pub floor: f64,
    /// Largest value that the model takes.
    pub ceiling: f64,
    /// Value where a system says nothing.
    pub neutral: f64,
    /// Its meaning.
    pub meaning: &'static str,
}

macro_rules! parameters {
    ($($key:ident $name:literal $unit:literal $floor:literal .. $ceiling:literal = $neutral:literal, $meaning:literal;)*) => {
        /// A free parameter of the model.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Key { $(#[doc = $meaning] $key),* }

        /// All free parameters, in the order of [`Key`].
        pub const DEFINITIONS: &[Definition] = &[$(Definition {
            name: $name, unit: $unit, floor: $floor, ceiling: $ceiling, neutral: $neutral,
            meaning: $meaning,
        }),*];

        impl Key {
            /// All keys, in the order of [`DEFINITIONS`].
            pub const ALL: &[Self] = &[$(Self::$key),*];
        }
    };
}

parameters! {
    DiskRpm "disk.rpm" "1/min" 1000.0 .. 30000.0 = 7200.0, "Speed of rotation.";
    DiskHeads "disk.heads" "surfaces" 1.0 .. 64.0 = 4.0, "Recorded surfaces: tracks per cylinder.";
    DiskRate "disk.rate" "MB/s" 5.0 .. 1000.0 = 100.0, "Media rate of the outermost zone.";
    DiskInner "disk.inner" "share" 0.2 .. 1.0 = 0.55, "Media rate of the innermost zone as a share of the outermost.";
    DiskSeekTrack "disk.seek_track" "ms" 0.0 .. 10.0 = 0.8, "Seek to the next cylinder, settling included.";
    DiskSeekAverage "disk.seek_average" "ms" 0.1 .. 40.0 = 8.5, "Mean seek between random cylinders of the whole drive.";
    DiskSeekFull "disk.seek_full" "ms" 0.2 .. 80.0 = 16.0, "Seek over all cylinders.";
    DiskSettleWrite "disk.settle_write" "ms" 0.0 .. 5.0 = 0.4, "Further settling before a write.";
    DiskOverheadRead "disk.overhead_read" "ms" 0.0 .. 5.0 = 0.1, "Electronics per read, before the arm moves.";
    DiskOverheadWrite "disk.overhead_write" "ms" 0.0 .. 5.0 = 0.1, "Electronics per write, before the arm moves.";
    DiskSwitch "disk.switch" "ms" 0.0 .. 5.0 = 0.6, "Switch to the next track within a transfer.";
    DiskQueue "disk.queue" "commands" 1.0 .. 256.0 = 32.0, "Commands that the drive orders among each other; further ones wait in line.";
    DiskAgeing "disk.ageing" "ms/ms" 0.0 .. 10.0 = 0.1, "Advantage of a command in the choice of the next, per time that it has waited.";
    DiskAgeingRank "disk.ageing_rank" "ms" 0.0 .. 20.0 = 0.0, "Advantage of the oldest command over the youngest in the choice of the next.";
    DiskCachePool "disk.cache_pool" "KiB" 64.0 .. 65536.0 = 4096.0, "Written data that the drive's write cache holds.";
    DiskCacheSegments "disk.cache_segments" "segments" 1.0 .. 1024.0 = 64.0, "Separate stretches of written data that the drive's write cache holds.";
    DiskCachePenalty "disk.cache_penalty" "ms" -20.0 .. 40.0 = 1.0, "Disadvantage of a cached write in the choice of the next while reads wait.";
    DiskCacheLow "disk.cache_low" "share" 0.0 .. 1.0 = 0.0, "Fill of the write cache up to which cached writes wait for idle time.";
    DiskReadAhead "disk.read_ahead" "KiB" 0.0 .. 65536.0 = 1024.0, "Data that the drive reads on after a sequential read.";
    FlashChannels "flash.channels" "channels" 1.0 .. 64.0 = 8.0, "Channels to the flash chips.";
    FlashDies "flash.dies" "dies" 1.0 .. 64.0 = 4.0, "Dies per channel.";
    FlashPage "flash.page" "KiB" 2.0 .. 64.0 = 4.0, "Flash page: the unit of reading, programming and mapping.";
    FlashBlock "flash.block" "pages" 16.0 .. 1024.0 = 128.0, "Pages per erase block.";
    FlashRead "flash.read" "us" 1.0 .. 1000.0 = 60.0, "Reading a page from the cells.";
    FlashProgram "flash.program" "us" 10.0 .. 10000.0 = 800.0, "Programming a page.";
    FlashErase "flash.erase" "us" 100.0 .. 50000.0 = 2000.0, "Erasing a block.";
    FlashChannelRate "flash.channel_rate" "MB/s" 5.0 .. 4000.0 = 100.0, "Transfer rate of a channel.";
    FlashOverhead "flash.overhead" "us" 0.0 .. 2000.0 = 60.0, "Work of the drive's controller per command.";
    FlashSpare "flash.spare" "share" 0.02 .. 1.0 = 0.1, "Flash beyond the usable capacity, as a share of it.";
    FlashCachePool "flash.cache_pool" "KiB" 0.0 .. 1048576.0 = 4096.0, "Written data that the write cache holds.";
    LinkDrive "link.drive" "MB/s" 10.0 .. 8000.0 = 300.0, "Rate of each drive's own port.";
    LinkBackEnds "link.back_ends" "links" 1.0 .. 64.0 = 1.0, "Links between controllers and drives, each a part of the drives.";
    LinkBackEnd "link.back_end" "MB/s" 10.0 .. 100000.0 = 2000.0, "Rate of each of them.";
    LinkHosts "link.hosts" "ports" 1.0 .. 64.0 = 1.0, "Host ports, each a part of the arrays.";
    LinkHost "link.host" "MB/s" 10.0 .. 100000.0 = 3200.0, "Rate of each of them, per direction.";
    LinkThrottle "link.throttle" "commands" 1.0 .. 65536.0 = 65536.0, "Commands in flight per host port; further ones wait in the host.";
    ControllerCount "controller.count" "controllers" 1.0 .. 16.0 = 1.0, "Controllers, each with a part of the arrays.";
    ControllerIo "controller.io" "us" 0.0 .. 5000.0 = 5.0, "Work of the controller per host I/O.";
    ControllerOperation "controller.operation" "us" 0.0 .. 5000.0 = 5.0, "Work of the controller per disk operation.";
    ControllerKib "controller.kib" "us" 0.0 .. 200.0 = 0.1, "Work of the controller per KiB to or from a disk, in addition.";
    ControllerXor "controller.xor" "us" 0.0 .. 200.0 = 0.1, "Parity computation per KiB of each operand.";
    ControllerCacheHit "controller.cache_io" "us" 0.0 .. 5000.0 = 5.0, "Work of the controller per write admitted to its cache.";
    ControllerMirror "controller.mirror" "MB/s" 10.0 .. 100000.0 = 200.0, "Rate at which a controller copies written data to its partner's cache.";
    ControllerBlock "controller.block" "KiB" 0.5 .. 64.0 = 4.0, "Cache block: disk operations are rounded out to it.";
    CachePool "cache.pool" "MiB" 0.1 .. 65536.0 = 256.0, "Written data that a controller's cache holds.";
    CacheExtents "cache.extents" "pieces" 16.0 .. 10000000.0 = 1000000.0, "Separate pieces of written data that a controller's cache holds.";
    CacheLow "cache.low" "share" 0.0 .. 0.99 = 0.0, "Fill of the cache from which on destaging goes from none to all of its rows at a time.";
    CacheRows "cache.rows" "rows" 1.0 .. 100000.0 = 64.0, "Stripe rows of one array that are destaged at a time, at most.";
    CacheRowsTotal "cache.rows_total" "rows" 1.0 .. 100000.0 = 256.0, "Stripe rows of all arrays of a controller that are destaged at a time, at most.";
    CacheWorkFactor "cache.work" "share" 0.05 .. 2.0 = 1.0, "Work per KiB of a destaged row, as a share of that of a write-through.";
    CacheReadAhead "cache.read_ahead" "KiB" 4.0 .. 1048576.0 = 1024.0, "Data that a controller reads ahead of a stream.";
    CachePriority "cache.priority" "ms" -20.0 .. 40.0 = 0.0, "Disadvantage of destaging in a disk's choice of the next command.";
    HostOverhead "host.overhead" "us" 0.0 .. 5000.0 = 20.0, "Time that an I/O spends in the host.";
    HostOffset "host.offset" "sectors" 0.0 .. 1048576.0 = 0.0, "First sector of the partition or file.";
    HostOffsetLinux "host.offset_linux" "sectors" 0.0 .. 1048576.0 = 63.0, "First sector of the partition with `host=linux`.";
}

impl Definition {
    fn limits(&self) -> String {
        format!("the model takes {} to {} {}", self.floor, self.ceiling, self.unit)
    }
}

impl Key {
    /// The definition of the parameter.
    pub fn definition(self) -> &'static Definition {
        &DEFINITIONS[self as usize]
    }

    /// The parameter called `name`, `disk.rpm`.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|key| key.definition().name == name)
    }
}

/// A free parameter of a system.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// Part and name, `disk.seek_average`.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
    /// Where the calibration that gave the value began, and begins again; `None` where it was not
    /// calibrated.
    pub start: Option<f64>,
    /// Unit of value and bounds.
    pub unit: &'static str,
    /// Smallest value that a calibration may try.
    pub min: f64,
    /// Largest value that a calibration may try.
    pub max: f64,
    /// Where the value comes from.
    pub source: Source,
}

/// The free parameters of one system; what its file leaves out is neutral.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters {
    values: Vec<f64>,
    declared: Vec<Option<Parameter>>,
}

impl Parameters {
    /// Reads what a file says, against the model's list.
    pub(super) fn resolve(
        parts: BTreeMap<String, BTreeMap<String, ParameterFile>>,
    ) -> Result<Self, Fault> {
        let mut parameters = Self {
            values: DEFINITIONS.iter().map(|definition| definition.neutral).collect(),
            declared: vec![None; DEFINITIONS.len()],
        };
        for (part, entries) in parts {
            for (name, entry) in entries {
                parameters.declare(&format!("{part}.{name}"), &entry)?;
            }
        }
        Ok(parameters)
    }

    fn declare(&mut self, name: &str, entry: &ParameterFile) -> Result<(), Fault> {
        let key = find(name)?;
        let definition = key.definition();
        if entry.unit != definition.unit {
            return Err(Fault::new(format!("{name} is not in '{}'", entry.unit))
                .fix(format!("give it in '{}'", definition.unit)));
        }
        let ParameterFile { value, start, min, max, source, .. } = *entry;
        if !(definition.floor <= min && min <= max && max <= definition.ceiling) {
            return Err(Fault::new(format!("the bounds {min} to {max} of {name} cannot be used"))
                .because(definition.limits()));
        }
        if let Some(start) = start.filter(|start| !(min..=max).contains(start)) {
            return Err(Fault::new(format!("{name} cannot start from {start}"))
                .because(format!("its bounds are {min} to {max} {}", definition.unit)));
        }
        self.set(name, value)?;
        let Definition { name, unit, .. } = *definition;
        self.declared[key as usize] =
            Some(Parameter { name, value, start, unit, min, max, source });
        Ok(())
    }

    /// Gives the parameter called `name` another value, which no calibration has led to.
    pub(super) fn set(&mut self, name: &str, value: f64) -> Result<(), Fault> {
        let key = find(name)?;
        let definition = key.definition();
        if !(definition.floor..=definition.ceiling).contains(&value) {
            return Err(Fault::new(format!("{value} cannot be the value of {name}"))
                .because(definition.limits()));
        }
        self.values[key as usize] = value;
        if let Some(declared) = &mut self.declared[key as usize] {
            *declared = Parameter { value, start: None, ..*declared };
        }
        Ok(())
    }

    /// The value of a parameter.
    pub fn get(&self, key: Key) -> f64 {
        self.values[key as usize]
    }

    /// Takes over the value and the declaration of every parameter of `parts` from `other`.
    pub(super) fn adopt(&mut self, other: &Self, parts: &[&str]) {
        for key in Key::ALL {
            let part = key.definition().name.split('.').next().unwrap_or_default();
            if parts.contains(&part) {
                self.values[*key as usize] = other.values[*key as usize];
                self.declared[*key as usize] = other.declared[*key as usize];
            }
        }
    }

    /// Says of these parameters that their values were fitted to measurements, and from which
    /// values the fit started.
    pub fn mark_fitted(&mut self, starts: &[(&str, f64)]) {
        for declared in self.declared.iter_mut().flatten() {
            let fitted = starts.iter().find(|(fitted, _)| *fitted == declared.name);
            if let Some((_, start)) = fitted {
                declared.source = Source::Fitted;
                declared.start = Some(*start);
            }
        }
    }

    /// The parameters that the file names, in the order of the model's list.
    pub fn declared(&self) -> Vec<Parameter> {
        self.declared.iter().flatten().copied().collect()
    }
}

fn find(name: &str) -> Result<Key, Fault> {
    Key::find(name).ok_or_else(|| {
        let fault = Fault::new(format!("there is no parameter '{name}'"));
        let known = DEFINITIONS.iter().map(|definition| definition.name);
        match nearest(name, known).first() {
            Some(near) => fault.fix(format!("did you mean '{near}'?")),
            None => fault.fix("docs/simulator.md lists the parameters"),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_can_be_found_and_lies_within_its_limits() {
        for key in Key::ALL {
            let definition = key.definition();
            assert_eq!(Key::find(definition.name), Some(*key));
            assert!(definition.floor <= definition.neutral, "{}", definition.name);
            assert!(definition.neutral <= definition.ceiling, "{}", definition.name);
        }
    }
}
