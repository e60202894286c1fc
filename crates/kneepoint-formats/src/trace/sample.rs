//! Which blocks a trace touches, in constant memory: all of them as long as there are few, then a sample that
//! a hash chooses, so that a block is in it always or never.

use std::collections::BTreeMap;

use kneepoint_core::words::units::Nanos;

/// Bytes of the blocks that are counted.
pub(super) const BLOCK: u64 = 4096;

/// Most blocks that are remembered.
const BLOCKS_MAX: usize = 1 << 18;

/// Lengths of the windows in which blocks are counted.
pub(super) const WINDOWS: [Nanos; 3] =
    [Nanos::from_secs(1), Nanos::from_secs(60), Nanos::from_secs(3600)];

/// Blocks with how often they were touched.
#[derive(Debug)]
pub(super) struct BlockSample {
    blocks: BTreeMap<u64, Touched>,
    /// Most blocks that are kept.
    blocks_max: usize,
    /// One of 2^`level` blocks is in the sample.
    level: u32,
    windows: [Window; WINDOWS.len()],
}

#[derive(Debug, Clone, Copy, Default)]
struct Touched {
    count: u32,
    /// One more than the last window of each length in which it was touched.
    last: [u32; WINDOWS.len()],
}

/// Blocks of a window that goes on, and of those that have ended.
#[derive(Debug, Clone, Copy, Default)]
struct Window {
    index: u64,
    blocks: u64,
    blocks_max: u64,
    blocks_sum: u64,
}

impl Default for BlockSample {
    fn default() -> Self {
        Self {
            blocks: BTreeMap::new(),
            blocks_max: BLOCKS_MAX,
            level: 0,
            windows: Default::default(),
        }
    }
}

impl BlockSample {
    /// Counts the blocks of `bytes` at `offset` of a device.
    pub(super) fn touch(&mut self, at: Nanos, device: u32, (offset, bytes): (u64, u32)) {
        let indices = WINDOWS.map(|length| at.0 / length.0);
        for (window, index) in self.windows.iter_mut().zip(indices) {
            window.go_on_to(index);
        }
        let (first, last) = (offset / BLOCK, (offset + u64::from(bytes) - 1) / BLOCK);
        for block in first..=last {
            let key = u64::from(device) << 50 | block;
            if scattered(key).leading_zeros() >= self.level {
                self.count(key, indices);
            }
        }
    }

    fn count(&mut self, key: u64, indices: [u64; WINDOWS.len()]) {
        let touched = self.blocks.entry(key).or_default();
        touched.count = touched.count.saturating_add(1);
        for ((last, index), window) in touched.last.iter_mut().zip(indices).zip(&mut self.windows) {
            let now = (index as u32).wrapping_add(1);
            if *last != now {
                *last = now;
                window.blocks += 1 << self.level;
            }
        }
        if self.blocks.len() > self.blocks_max {
            self.level += 1;
            let level = self.level;
            self.blocks.retain(|key, _| scattered(*key).leading_zeros() >= level);
        }
    }

    /// Distinct blocks.
    pub(super) fn distinct(&self) -> u64 {
        (self.blocks.len() as u64) << self.level
    }

    /// The standard error of [`Self::distinct`] and of what is read off it, as a share; `None` if nothing was
    /// left out.
    pub(super) fn error(&self) -> Option<f64> {
        (self.level > 0).then(|| 1.0 / (self.blocks.len().max(1) as f64).sqrt())
    }

    /// The share of touches that go to the most touched `share` of the blocks.
    pub(super) fn concentration(&self, share: f64) -> f64 {
        let mut counts: Vec<u32> = self.blocks.values().map(|touched| touched.count).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let sum = |counts: &[u32]| counts.iter().map(|count| u64::from(*count)).sum::<u64>() as f64;
        let hottest = ((counts.len() as f64 * share).ceil() as usize).min(counts.len());
        sum(&counts[..hottest]) / sum(&counts).max(1.0)
    }

    /// Mean and largest number of blocks that a window of a length touches, of those up to `end`.
    pub(super) fn window(&self, number: usize, end: Nanos) -> (f64, u64) {
        let mut window = self.windows[number];
        window.go_on_to(end.0 / WINDOWS[number].0 + 1);
        (window.blocks_sum as f64 / window.index.max(1) as f64, window.blocks_max)
    }
}

impl Window {
    /// Ends the windows before `index`.
    fn go_on_to(&mut self, index: u64) {
        if index > self.index {
            self.blocks_max = self.blocks_max.max(self.blocks);
            self.blocks_sum += self.blocks;
            self.blocks = 0;
            self.index = index;
        }
    }
}

/// A number whose bits depend on all bits of `key`: the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA
/// 2014).
const fn scattered(key: u64) -> u64 {
    let mixed = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Nanos = Nanos::from_secs(1);

    #[test]
    fn few_blocks_are_counted_exactly() {
        let mut sample = BlockSample::default();
        sample.touch(Nanos::ZERO, 0, (0, 8192));
        sample.touch(Nanos::ZERO, 0, (4095, 2));
        sample.touch(Nanos::ZERO, 1, (0, 1));
        assert_eq!((sample.distinct(), sample.error()), (3, None));
        assert!((sample.concentration(0.3) - 2.0 / 5.0).abs() < 1e-12);
        assert!((sample.concentration(1.0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn many_blocks_are_estimated_within_the_error_that_is_said() {
        let blocks = 200_000;
        let mut sample = BlockSample { blocks_max: 4096, ..BlockSample::default() };
        for block in 0..blocks {
            sample.touch(Nanos::ZERO, 0, (block * BLOCK, 4096));
        }
        let error = sample.error().unwrap();
        assert!(error > 0.01 && error < 0.03, "{error}");
        let off = sample.distinct() as f64 / blocks as f64 - 1.0;
        assert!(off.abs() < 4.0 * error, "{off} {error}");
        assert!(sample.blocks.len() <= 4096);
        let (mean, max) = sample.window(0, SECOND);
        assert!((max as f64 / blocks as f64 - 1.0).abs() < 4.0 * error, "{max} {mean}");
    }

    #[test]
    fn windows_count_each_block_once() {
        let mut sample = BlockSample::default();
        for at in [0, 1, 2, 1_500] {
            sample.touch(Nanos::from_millis(at), 0, (0, 4096));
        }
        sample.touch(Nanos::from_millis(1_600), 0, (4096, 4096));
        let end = Nanos::from_millis(1_600);
        assert_eq!(sample.window(0, end), (1.5, 2));
        assert_eq!(sample.window(1, end), (2.0, 2));
        assert_eq!(sample.window(0, Nanos::from_millis(3_999)), (0.75, 2));
    }
}
