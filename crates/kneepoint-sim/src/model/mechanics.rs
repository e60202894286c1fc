//! The mechanics of a hard disk: zones, seek curve, rotation.
//!
//! Angles are fractions of a revolution in units of 2^-32, so that they wrap by themselves. The
//! seek curve is `a + b sqrt(x) + c x` over the share x of all cylinders, through the three times
//! of the data sheet (C. Ruemmler and J. Wilkes, "An introduction to disk drive modeling", IEEE
//! Computer 27(3), 1994, give curves of this kind): one cylinder, the mean over two random
//! cylinders (E sqrt(x) = 8/15, E x = 1/3), all cylinders.

use crate::system::System;
use crate::system::parameter::Key;

/// Zones of a disk.
const ZONES: usize = 16;
/// Most entries of the seek table.
const SEEK_ENTRIES_MAX: u64 = 1 << 18;

/// Where a transfer begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Place {
    /// Cylinder.
    pub(super) cylinder: u32,
    /// Angle of the first sector.
    pub(super) angle: u32,
    /// Time of the transfer in ns, switches included.
    pub(super) transfer_ns: u32,
}

/// The mechanics of one model of disk, shared by all disks of a system.
#[derive(Debug, Clone)]
pub(super) struct Mechanics {
    zones: [Zone; ZONES],
    zone_bytes: f64,
    seek_ns: Vec<u32>,
    seek_shift: u32,
    revolution_ns: u64,
    /// 2^64 / revolution.
    angle_per_ns: u64,
    switch_ns: f64,
    skew: u32,
}

/// Cylinders of equal track length.
#[derive(Debug, Clone, Copy, Default)]
struct Zone {
    /// First byte.
    start: f64,
    /// First cylinder.
    cylinder: f64,
    /// Tracks per byte.
    tracks_per_byte: f64,
    /// Cylinders per byte.
    cylinders_per_byte: f64,
    ns_per_byte: f64,
}

impl Mechanics {
    /// The mechanics of the drive of `system`.
    pub(super) fn new(system: &System) -> Self {
        let value = |key| system.value(key);
        let revolution_ns = (60e9 / value(Key::DiskRpm)) as u64;
        let (zones, cylinders) = zones(system, revolution_ns as f64);
        let switch_ns = value(Key::DiskSwitch) * 1e6;
        let (seek_ns, seek_shift) = seek_table(system, cylinders);
        Self {
            zones,
            zone_bytes: system.drive.capacity.0 as f64 / ZONES as f64,
            seek_ns,
            seek_shift,
            revolution_ns,
            angle_per_ns: u64::MAX / revolution_ns,
            switch_ns,
            skew: (switch_ns / revolution_ns as f64 * 4_294_967_296.0) as u64 as u32,
        }
    }

    /// Where `bytes` from byte `start` of the drive on lie, and how long they take.
    #[inline]
    pub(super) fn place(&self, start: u64, bytes: u32) -> Place {
        let start = start as f64;
        let zone = &self.zones[((start / self.zone_bytes) as usize).min(ZONES - 1)];
        let within = start - zone.start;
        let tracks = within * zone.tracks_per_byte;
        let track = tracks as u32;
        let fraction = tracks - f64::from(track);
        let angle = ((fraction * 4_294_967_296.0) as u64 as u32)
            .wrapping_add(track.wrapping_mul(self.skew));
        let last = (within + f64::from(bytes) - 1.0) * zone.tracks_per_byte;
        let switches = f64::from(last as u32 - track);
        let transfer = f64::from(bytes) * zone.ns_per_byte + switches * self.switch_ns;
        let cylinder = (zone.cylinder + within * zone.cylinders_per_byte) as u32;
        Place { cylinder, angle, transfer_ns: transfer as u32 }
    }

    /// Time of a seek between two cylinders in ns.
    #[inline]
    pub(super) fn seek(&self, from: u32, to: u32) -> u64 {
        let index = (from.abs_diff(to) >> self.seek_shift) as usize;
        u64::from(self.seek_ns[index.min(self.seek_ns.len() - 1)])
    }

    /// Time from `at` until `angle` passes under the heads, in ns.
    #[inline]
    pub(super) fn rotation(&self, at: u64, angle: u32) -> u64 {
        let now = (at.wrapping_mul(self.angle_per_ns) >> 32) as u32;
        (u64::from(angle.wrapping_sub(now)) * self.revolution_ns) >> 32
    }
}

/// Zones of equal capacity whose rate falls linearly from the outer edge to the inner one, and the
/// number of cylinders.
fn zones(system: &System, revolution_ns: f64) -> ([Zone; ZONES], u64) {
    let heads = system.value(Key::DiskHeads).max(1.0);
    let outer_ns_per_byte = 1e3 / system.value(Key::DiskRate);
    let inner = system.value(Key::DiskInner);
    let bytes = system.drive.capacity.0 as f64 / ZONES as f64;
    let mut cylinder = 0.0;
    let zones = std::array::from_fn(|index| {
        let depth = (index as f64 + 0.5) / ZONES as f64;
        let ns_per_byte = outer_ns_per_byte / (1.0 - (1.0 - inner) * depth);
        let track_bytes = revolution_ns / ns_per_byte;
        let zone = Zone {
            start: bytes * index as f64,
            cylinder,
            tracks_per_byte: 1.0 / track_bytes,
            cylinders_per_byte: 1.0 / (track_bytes * heads),
            ns_per_byte,
        };
        cylinder += bytes * zone.cylinders_per_byte;
        zone
    });
    (zones, (cylinder as u64).max(2))
}

/// Seek times in ns by distance, and by how many bits a distance is shortened to find one.
fn seek_table(system: &System, cylinders: u64) -> (Vec<u32>, u32) {
    let [track, average, full] =
        [Key::DiskSeekTrack, Key::DiskSeekAverage, Key::DiskSeekFull].map(|key| system.value(key));
    // a + b/sqrt(cylinders) + c/cylinders = track; a + 8/15 b + c/3 = average; a + b + c = full.
    let (root, step) = (libm::sqrt(1.0 / cylinders as f64), 1.0 / cylinders as f64);
    let (rise, whole) = (average - track, full - track);
    let (b1, c1) = (8.0 / 15.0 - root, 1.0 / 3.0 - step);
    let (b2, c2) = (1.0 - root, 1.0 - step);
    let b = (rise * c2 - whole * c1) / (b1 * c2 - b2 * c1);
    let c = (whole - b * b2) / c2;
    let a = track - b * root - c * step;
    let shift = (64 - (cylinders / SEEK_ENTRIES_MAX).leading_zeros()).min(40);
    let mut longest = 0u32;
    let table = (0..=(cylinders >> shift)).map(|index| {
        if index > 0 {
            let x = ((index << shift) as f64 / cylinders as f64).min(1.0);
            let ms = (a + b * libm::sqrt(x) + c * x).max(track);
            longest = longest.max((ms * 1e6).min(4e9) as u32);
        }
        longest
    });
    (table.collect(), shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mechanics() -> (System, Mechanics) {
        let system = System::shipped("fastt900").unwrap();
        let mechanics = Mechanics::new(&system);
        (system, mechanics)
    }

    #[test]
    fn seeks_pass_through_the_three_times_of_the_data_sheet() {
        let (system, mechanics) = mechanics();
        let cylinders = mechanics.seek_ns.len() as u32 - 1;
        let near = |ns: u64, key| {
            let ms = system.value(key);
            assert!((ns as f64 / 1e6 / ms - 1.0).abs() < 0.01, "{ns} ns, {ms} ms");
        };
        near(mechanics.seek(5, 6), Key::DiskSeekTrack);
        near(mechanics.seek(0, cylinders), Key::DiskSeekFull);
        let mean: u64 = (0..1000u32)
            .map(|n| mechanics.seek(n * 7919 % cylinders, n * 104_729 % cylinders))
            .sum();
        let ms = mean as f64 / 1e9;
        assert!((ms / system.value(Key::DiskSeekAverage) - 1.0).abs() < 0.05, "{ms} ms");
    }

    #[test]
    fn a_transfer_ends_where_the_next_one_begins() {
        let (_, mechanics) = mechanics();
        let mut at = 0;
        for number in 0..2000u64 {
            let place = mechanics.place(number * 65_536, 65_536);
            let wait = mechanics.rotation(at, place.angle);
            if number > 0 {
                let slack = wait.min(mechanics.revolution_ns - wait);
                assert!(slack < 2_000 + mechanics.switch_ns as u64, "{slack} ns at {number}");
            }
            at += wait + u64::from(place.transfer_ns);
        }
    }
}
