//! The kernel's own counters of a block device (Documentation/admin-guide/iostats.rst).

use std::ops::Sub;

use kneepoint_core::words::fault::Fault;

use super::{DeviceNumber, SysRoot};

/// The unit of sizes and counters in sysfs, in bytes, whatever the device's own block size.
pub const SECTOR_BYTES: u64 = 512;

/// Counters of one device since the kernel has known it; the difference of two readings is what
/// happened between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeviceCounters {
    /// Reads completed.
    pub reads: u64,
    /// Reads that were joined to a neighbour before they were sent.
    pub reads_merged: u64,
    /// Sectors of 512 bytes read.
    pub sectors_read: u64,
    /// Writes completed.
    pub writes: u64,
    /// Writes that were joined to a neighbour before they were sent.
    pub writes_merged: u64,
    /// Sectors of 512 bytes written.
    pub sectors_written: u64,
}

impl DeviceCounters {
    /// Bytes read.
    pub const fn bytes_read(&self) -> u64 {
        self.sectors_read * SECTOR_BYTES
    }

    /// Bytes written.
    pub const fn bytes_written(&self) -> u64 {
        self.sectors_written * SECTOR_BYTES
    }

    /// Reads the line of a `stat` file: eleven fields, and more of newer kernels.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let fields: Vec<u64> =
            line.split_whitespace().map(|field| field.parse().ok()).collect::<Option<_>>()?;
        let [reads, reads_merged, sectors_read, _, writes, writes_merged, sectors_written, ..] =
            *fields.first_chunk::<11>()?;
        Some(Self { reads, reads_merged, sectors_read, writes, writes_merged, sectors_written })
    }
}

impl Sub for DeviceCounters {
    type Output = Self;

    /// What happened since the `earlier` reading.
    fn sub(self, earlier: Self) -> Self {
        // The kernel's counters wrap around, and so does this.
        Self {
            reads: self.reads.wrapping_sub(earlier.reads),
            reads_merged: self.reads_merged.wrapping_sub(earlier.reads_merged),
            sectors_read: self.sectors_read.wrapping_sub(earlier.sectors_read),
            writes: self.writes.wrapping_sub(earlier.writes),
            writes_merged: self.writes_merged.wrapping_sub(earlier.writes_merged),
            sectors_written: self.sectors_written.wrapping_sub(earlier.sectors_written),
        }
    }
}

/// Reads the counters of each device, in the order given.
///
/// # Errors
/// When a device has no counters, or not in the documented form.
pub fn device_counters(
    root: &SysRoot,
    devices: &[DeviceNumber],
) -> Result<Vec<DeviceCounters>, Fault> {
    devices
        .iter()
        .map(|number| {
            let path = format!("/sys/dev/block/{number}/stat");
            root.text(&path).and_then(|line| DeviceCounters::parse(&line)).ok_or_else(|| {
                Fault::new(format!("the kernel shows no counters of block device {number}"))
                    .because(format!("{path} is missing or not of the documented form"))
                    .fix("check that the device still exists")
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEW: &str = "53365 10672 4151394 19494 33417 16356 3155120 11139 0 10612 31698 8956 2 \
                       779160 963 4933 101";

    #[test]
    fn seventeen_fields_of_a_new_kernel_and_eleven_of_an_old_one() {
        let new = DeviceCounters::parse(NEW).unwrap();
        assert_eq!((new.reads, new.sectors_read, new.writes), (53365, 4151394, 33417));
        assert_eq!(new.bytes_written(), 3155120 * 512);
        let old = DeviceCounters::parse("1 2 3 4 5 6 7 8 9 10 11").unwrap();
        assert_eq!((old.writes, old.sectors_written), (5, 7));
        assert_eq!(DeviceCounters::parse("1 2 3"), None);
        assert_eq!(DeviceCounters::parse("1 2 3 4 5 6 7 8 9 10 x"), None);
    }

    #[test]
    fn a_difference_survives_the_wrap_of_a_counter() {
        let before = DeviceCounters { reads: u64::MAX, writes: 5, ..Default::default() };
        let after = DeviceCounters { reads: 1, writes: 7, ..Default::default() };
        let between = after - before;
        assert_eq!((between.reads, between.writes), (2, 2));
    }
}
