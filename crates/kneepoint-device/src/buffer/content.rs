//! The content of writes: data that no device can compress or deduplicate, unless the profile says
//! so.
//!
//! Buffers are filled with random data once. Before each write every 512-byte sector gets a stamp
//! of 16 bytes, made of a number that is different for every point and the number of the write, so
//! no two sectors of a run are alike, and no byte but the stamps is touched again. The rest of a
//! buffer comes back only after at least [`POOL_BYTES`] of other data, farther apart than storage
//! systems look for repetitions when they compress.
//!
//! The second half of a stamp answers the first. So whatever Kneepoint wrote can be told from what
//! others wrote ([`is_own`]), and a device that it filled needs no more care than an empty one.

use kneepoint_core::spec::profile::DataPattern;
use kneepoint_core::words::seed::Rng;
use rand_core::Rng as _;

/// Bytes of different content that a worker cycles through, at least.
pub(crate) const POOL_BYTES: usize = 4 << 20;

/// The smallest unit in which content repeats or not.
const SECTOR: usize = 512;

/// Length of a stamp in bytes.
const STAMP: usize = 16;

/// Bytes from a stamp at an odd offset to the next one, at the most: its sector, an end that is too
/// short for a stamp, and what is left of the sector that the write ended in.
const ODD_REACH: usize = SECTOR + (STAMP - 1) + (SECTOR - 1);

/// The unit in which compressible content is laid out.
const PAGE: usize = 4096;

/// Shape of compressible content: the first bytes of every page are random, the rest zeros.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Texture {
    random_per_page: usize,
}

impl Texture {
    pub(crate) fn new(pattern: DataPattern) -> Self {
        let random = (1.0 - pattern.compressible.fraction()) * PAGE as f64;
        Self { random_per_page: random.round() as usize }
    }

    /// Fills a buffer.
    pub(crate) fn fill(self, buffer: &mut [u8], rng: &mut Rng) {
        for page in buffer.chunks_mut(PAGE) {
            let random = (self.random_per_page * page.len()).div_ceil(PAGE);
            let (noise, blank) = page.split_at_mut(random);
            rng.fill_bytes(noise);
            blank.fill(0);
        }
    }

    /// Makes every sector of a filled buffer unlike every other of the run.
    #[inline]
    pub(crate) fn stamp(self, buffer: &mut [u8], tag: u64, serial: u64) {
        for (number, sector) in buffer.chunks_mut(SECTOR).enumerate() {
            let within_page = number * SECTOR % PAGE;
            if sector.len() >= STAMP && (within_page == 0 || within_page < self.random_per_page) {
                let first = question(tag, serial, number as u64);
                sector[..8].copy_from_slice(&first.to_le_bytes());
                sector[8..STAMP].copy_from_slice(&answer(first).to_le_bytes());
            }
        }
    }
}

/// 64 bits that differ in all their bytes from sector to sector: multiplications by odd constants
/// (those of xxHash64) spread the numbers over the word.
#[inline]
const fn question(tag: u64, serial: u64, sector: u64) -> u64 {
    let write = serial.wrapping_mul(0x9e37_79b1_85eb_ca87);
    tag.wrapping_add(write).wrapping_add(sector.wrapping_mul(0xc2b2_ae3d_27d4_eb4f))
}

/// The second half of the stamp that begins with `first`. Other data has it by chance in one of
/// 2^64 cases. The constants never change: they tell what earlier runs wrote.
#[inline]
pub(crate) const fn answer(first: u64) -> u64 {
    (first ^ 0x6b6e_6565_706f_696e).wrapping_mul(0x1656_67b1_9e37_79f9).rotate_left(32)
        ^ 0xa076_1d64_78bd_642f
}

/// True if the bytes start with a stamp.
fn is_stamped(bytes: &[u8]) -> bool {
    let word = |at: usize| {
        let bytes = bytes.get(at..at + 8)?;
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    };
    matches!((word(0), word(8)), (Some(first), Some(second)) if second == answer(first))
}

/// True if `bytes` from `lead` on are nothing but zeros and data that Kneepoint wrote.
///
/// They start at a multiple of 512 bytes on the device. The lead, a multiple of 512 itself, is only
/// looked at to see how writes at odd offsets start: 2 KiB is enough, 0 at the start of a device.
pub(crate) fn is_own(bytes: &[u8], lead: usize) -> bool {
    let is_plain = |sector: &[u8]| is_blank(sector) || is_stamped(sector);
    bytes[lead..].chunks(SECTOR).all(is_plain) || is_own_at_odd_offsets(bytes, lead)
}

/// The same for writes whose length is no multiple of 512. A stamp answers for its sector; one at
/// an odd offset also for what its write left of the sector that it ended in. A write can cut a
/// stamp off that it starts in.
fn is_own_at_odd_offsets(bytes: &[u8], lead: usize) -> bool {
    let mut end = 0;
    let mut unanswered: Option<usize> = None;
    for (at, byte) in bytes.iter().enumerate() {
        if is_stamped(&bytes[at..]) {
            let reach = if at.is_multiple_of(SECTOR) { SECTOR } else { ODD_REACH };
            end = end.max(at + reach);
            unanswered = None;
        }
        if *byte != 0 && at >= lead.max(end) {
            unanswered.get_or_insert(at);
        }
        if unanswered.is_some_and(|start| at - start == STAMP) {
            return false;
        }
    }
    end > 0 || unanswered.is_none()
}

/// True if there are only zeros.
pub(crate) fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kneepoint_core::words::seed;
    use kneepoint_core::words::units::Percent;

    fn texture(compressible: f64) -> Texture {
        let compressible = Percent::new(compressible).unwrap();
        Texture::new(DataPattern { compressible, duplicate: Percent::ZERO })
    }

    /// 4 MiB as 1,024 writes of 4 KiB from a pool of `pool` buffers.
    fn written(compressible: f64, pool: usize) -> Vec<u8> {
        let texture = texture(compressible);
        let mut rng = seed::rng(5);
        let mut buffers = vec![vec![0u8; 4096]; pool];
        for buffer in &mut buffers {
            texture.fill(buffer, &mut rng);
        }
        let mut data = Vec::new();
        for serial in 0..1024usize {
            let buffer = &mut buffers[serial % pool];
            texture.stamp(buffer, 99, serial as u64);
            data.extend_from_slice(buffer);
        }
        data
    }

    /// Share of the data that LZ4 saves, in percent, over blocks of 128 KiB.
    fn saved_percent(data: &[u8]) -> f64 {
        let compressed: usize =
            data.chunks(128 << 10).map(|block| lz4_flex::compress(block).len()).sum();
        100.0 * (1.0 - compressed as f64 / data.len() as f64)
    }

    #[test]
    fn default_data_cannot_be_compressed() {
        assert!(saved_percent(&written(0.0, 1024)) < 0.5);
    }

    #[test]
    fn compressible_data_compresses_by_its_share() {
        for percent in [25.0, 50.0, 75.0] {
            let saved = saved_percent(&written(percent, 1024));
            assert!((saved - percent).abs() < 2.0, "{percent} % asked for, {saved} % saved");
        }
    }

    #[test]
    fn no_sector_is_ever_written_twice() {
        let data = written(0.0, 4);
        let mut sectors: Vec<&[u8]> = data.chunks(SECTOR).collect();
        sectors.sort_unstable();
        assert!(sectors.windows(2).all(|pair| pair[0] != pair[1]));
    }

    /// 128 KiB of the fill of a test file, and what a run writes over part of it.
    fn written_over(compressible: f64, (block, offset): (usize, usize)) -> Vec<u8> {
        let mut data = vec![0; 1 << 17];
        let mut rng = seed::rng(7);
        let fill = texture(0.0);
        fill.fill(&mut data, &mut rng);
        fill.stamp(&mut data, 1, 0);
        let texture = texture(compressible);
        let mut buffer = vec![0; block];
        texture.fill(&mut buffer, &mut rng);
        for (serial, start) in [offset, offset + 3 * block].into_iter().enumerate() {
            texture.stamp(&mut buffer, 2, serial as u64);
            data[start..start + block].copy_from_slice(&buffer);
        }
        data
    }

    #[test]
    fn what_runs_write_is_told_as_own() {
        for compressible in [0.0, 33.0, 100.0] {
            for (block, offset) in [(512, 4096), (4096, 8192), (8192, 512), (6144, 0), (16384, 0)] {
                let data = written_over(compressible, (block, offset));
                assert!(is_own(&data, 0), "{compressible} % in blocks of {block}");
            }
        }
        for block in [100, 1000, 1030, 4097, 12_345] {
            let data = written_over(0.0, (block, 5 * block));
            assert!(is_own(&data, 0), "blocks of {block}");
            assert!(data.chunks(4096).skip(1).enumerate().all(|(number, _)| {
                let start = (number + 1) * 4096;
                is_own(&data[start - 2048..start + 4096], 2048)
            }));
        }
        assert!(is_own(&[0; 4096], 0));
    }

    #[test]
    fn what_others_write_is_told_as_foreign() {
        let own = written_over(0.0, (4096, 0));
        let mut rng = seed::rng(3);
        let mut random = vec![0; 512];
        rng.fill_bytes(&mut random);
        for foreign in [random, vec![0xff; 512], vec![1; 512], b"precious".repeat(64)] {
            assert!(!is_own(&foreign.repeat(8), 0));
            for at in [0, 512, 4096, 65536 - 512] {
                let mut data = own.clone();
                data[at..at + 512].copy_from_slice(&foreign);
                assert!(!is_own(&data, 0), "a sector at {at}");
            }
        }
        for few in [1, 15, 600] {
            let mut blank = [0; 4096];
            blank[700..700 + few].fill(7);
            assert!(!is_own(&blank, 0), "{few} bytes");
            assert!(!is_own(&blank[..700 + few], 0), "{few} bytes at the end");
        }
        let mut tail = own;
        tail[4096 + 512 - 16..4096 + 1024].fill(7);
        assert!(!is_own(&tail, 0));
    }
}
