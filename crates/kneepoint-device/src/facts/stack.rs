//! The devices below a target, followed down to the drives.

use std::collections::{BTreeSet, VecDeque};

use kneepoint_core::words::fault::Fault;

use super::{BlockDevice, DeviceNumber, SysRoot};

/// Devices from the top down, each once: the partition, then its disk; the array, then its members.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeviceStack {
    devices: Vec<BlockDevice>,
    top_count: usize,
}

impl DeviceStack {
    /// The stack under one device, which must exist.
    pub(super) fn under(root: &SysRoot, number: DeviceNumber) -> Result<Self, Fault> {
        BlockDevice::read(root, number)?;
        Ok(Self::under_all(root, &[number]))
    }

    /// The stack under several devices that bear one file system; what sysfs does not show is
    /// left out.
    pub(super) fn under_all(root: &SysRoot, tops: &[DeviceNumber]) -> Self {
        let mut stack = Self::default();
        let mut seen = BTreeSet::new();
        let mut queue: VecDeque<_> = tops.iter().map(|number| (*number, Level::Top)).collect();
        while let Some((number, level)) = queue.pop_front() {
            if !seen.insert(number) {
                continue;
            }
            let Ok(device) = BlockDevice::read(root, number) else { continue };
            queue.extend(device.below.iter().map(|below| (below.number, Level::Below)));
            stack.devices.push(device);
            stack.top_count += usize::from(level == Level::Top);
        }
        stack
    }

    /// All devices, top down.
    pub fn devices(&self) -> &[BlockDevice] {
        &self.devices
    }

    /// The devices that I/O enters first: one, or the members of a file system that spans several.
    pub fn tops(&self) -> &[BlockDevice] {
        &self.devices[..self.top_count]
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Top,
    Below,
}
