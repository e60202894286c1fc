//! What is written: data that no device can compress or deduplicate, unless the profile says so.
//!
//! Buffers are filled with random data once. Before each write every 512-byte sector gets a stamp
//! of 16 bytes, made of a number that is different for every point and the number of the write, so
//! no two sectors of a run are alike, and no byte but the stamps is touched again. The rest of a
//! buffer comes back only after at least [`POOL_BYTES`] of other data, farther apart than storage
//! systems look for repetitions when they compress.

use kneepoint_core::plan::DataPattern;
use kneepoint_core::seed::Rng;
use rand_core::Rng as _;

/// Bytes of different content that a worker cycles through, at least.
pub(crate) const POOL_BYTES: usize = 4 << 20;

/// The smallest unit in which content repeats or not.
const SECTOR: usize = 512;

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
            if sector.len() >= 16 && (within_page == 0 || within_page < self.random_per_page) {
                let (first, second) = stamp(tag, serial, number as u64);
                sector[..8].copy_from_slice(&first.to_le_bytes());
                sector[8..16].copy_from_slice(&second.to_le_bytes());
            }
        }
    }
}

/// 128 bits that differ in all their bytes from sector to sector: multiplications by odd
/// constants (those of xxHash64) spread the numbers over the words.
#[inline]
fn stamp(tag: u64, serial: u64, sector: u64) -> (u64, u64) {
    let write = serial.wrapping_mul(0x9e37_79b1_85eb_ca87);
    let first = tag.wrapping_add(write).wrapping_add(sector.wrapping_mul(0xc2b2_ae3d_27d4_eb4f));
    (first, first.rotate_left(32) ^ serial.wrapping_mul(0x1656_67b1_9e37_79f9))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kneepoint_core::seed;
    use kneepoint_core::units::Percent;

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
}
