//! Which blocks a trace touches, in constant memory: all of them as long as there are few, then a sample that
//! a hash chooses, so that a block is in it always or never. The blocks that are touched most are counted beside
//! it, because a single one of them can have most touches of a trace, and would be in the sample or not.

use std::collections::BTreeMap;

use kneepoint_core::words::units::Nanos;

use super::described::TouchShare;
use super::frequent::FrequentBlocks;

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
    /// All touches.
    touches: u64,
    /// The most touched blocks, while not all blocks are counted.
    frequent: FrequentBlocks,
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
            touches: 0,
            frequent: FrequentBlocks::default(),
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
            self.touches += 1;
            if self.level > 0 {
                self.frequent.touch(key);
            }
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
            if self.level == 0 {
                let blocks = self.blocks.iter();
                let counted = blocks.map(|(key, touched)| (*key, u64::from(touched.count)));
                self.frequent.begin(counted);
            }
            self.level += 1;
            let level = self.level;
            self.blocks.retain(|key, _| scattered(*key).leading_zeros() >= level);
        }
    }

    /// Distinct blocks.
    pub(super) fn distinct(&self) -> u64 {
        (self.blocks.len() as u64) << self.level
    }

    /// The standard error of [`Self::distinct`], as a share; `None` if nothing was left out.
    pub(super) fn error(&self) -> Option<f64> {
        (self.level > 0).then(|| 1.0 / (self.blocks.len().max(1) as f64).sqrt())
    }

    /// The share of touches that go to the most touched `share` of the blocks.
    pub(super) fn concentration(&self, share: f64) -> TouchShare {
        let mut counts = self.counts();
        counts.sort_unstable_by(|a, b| b.touches.total_cmp(&a.touches));
        let blocks: u64 = counts.iter().map(|count| count.blocks).sum();
        let mut left = (blocks as f64 * share).ceil() as u64;
        let (mut sum, mut unsure, mut least) = (0.0, 0.0, 0.0);
        for count in &counts {
            let taken = count.blocks.min(left);
            if taken == 0 {
                break;
            }
            left -= taken;
            sum += taken as f64 * count.touches;
            unsure += taken as f64 * count.unsure;
            least = count.touches;
        }
        let all = self.touches.max(1) as f64;
        // Of a sum over the largest (an ordinate of a Lorenz curve): what a block of the sample adds is what it
        // has beyond the least of them, and its part in how many they are.
        let variance = counts.iter().map(|count| {
            let added = (count.touches - least).max(0.0) + share * least;
            let blocks = count.blocks as f64;
            added * added * blocks * (blocks - 1.0)
        });
        let error = (variance.sum::<f64>().sqrt() + unsure) / all;
        TouchShare { share: (sum / all).min(1.0), error: (self.level > 0).then_some(error) }
    }

    /// The most touched blocks one by one, and those of the sample that are not among them.
    fn counts(&self) -> Vec<BlockCount> {
        let known = self.frequent.known().map(|counter| {
            let unsure = counter.missed_max as f64 / 2.0;
            BlockCount { touches: counter.seen as f64 + unsure, unsure, blocks: 1 }
        });
        let others = self.blocks.iter().filter(|(key, _)| !self.frequent.knows(**key));
        let sampled = others.map(|(_, touched)| BlockCount {
            touches: f64::from(touched.count),
            unsure: 0.0,
            blocks: 1 << self.level,
        });
        known.chain(sampled).collect()
    }

    /// Mean number of blocks that a window of a length touches, of those that end before `end`, and the largest
    /// number, of all.
    pub(super) fn window(&self, number: usize, end: Nanos) -> (f64, u64) {
        let mut window = self.windows[number];
        window.go_on_to(end.0 / WINDOWS[number].0);
        let mean = window.blocks_sum as f64 / window.index.max(1) as f64;
        (mean, window.blocks_max.max(window.blocks))
    }

    /// The standard error of a number of blocks in a window, as a share; `None` if nothing was left out.
    pub(super) fn window_error(&self, blocks: f64) -> Option<f64> {
        let others = (1u64 << self.level) - 1;
        (self.level > 0).then(|| (others as f64 / blocks.max(1.0)).sqrt())
    }
}

/// A block, or several that one in the sample stands for.
#[derive(Debug, Clone, Copy)]
struct BlockCount {
    /// Touches of each.
    touches: f64,
    /// They are this many more or fewer, at most.
    unsure: f64,
    /// How many blocks.
    blocks: u64,
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
        let exactly = |share| TouchShare { share, error: None };
        assert_eq!(sample.concentration(0.3), exactly(2.0 / 5.0));
        assert_eq!(sample.concentration(1.0), exactly(1.0));
        assert_eq!(sample.window_error(1.0), None);
    }

    /// Checks the shares of the hottest 1 % and 10 % of blocks; `counts` has the touches of each.
    #[track_caller]
    fn check_hottest(counts: &[u64], what: &str) {
        let mut small = FrequentBlocks::default();
        small.counters_max(256);
        let mut sample =
            BlockSample { blocks_max: 2048, frequent: small, ..BlockSample::default() };
        // In an order that has nothing to do with the blocks.
        let all = (0u64..).zip(counts);
        let mut touches: Vec<(u64, u64)> =
            all.flat_map(|(block, count)| (0..*count).map(move |number| (block, number))).collect();
        touches.sort_by_cached_key(|(block, number)| scattered(scattered(*block) ^ number));
        for (block, _) in &touches {
            sample.touch(Nanos::ZERO, 0, (block * BLOCK, 4096));
        }
        let mut sorted = counts.to_vec();
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        for share in [0.01, 0.1] {
            let hottest = (counts.len() as f64 * share).ceil() as usize;
            let truth =
                sorted[..hottest].iter().sum::<u64>() as f64 / sorted.iter().sum::<u64>() as f64;
            let found = sample.concentration(share);
            let error = found.error.unwrap();
            assert!((found.share - truth).abs() < 4.0 * error, "{what}: {found:?}, not {truth}");
            assert!(error < 0.1, "{what}: {error}");
        }
    }

    #[test]
    fn hottest_blocks_are_found_whether_the_sample_has_them_or_not() {
        for hot in [0, 1, 2, 3, 4, 12_345] {
            let mut counts = vec![1; 20_000];
            counts[hot] = 20_000;
            check_hottest(&counts, &format!("half of all touches go to block {hot}"));
        }
        check_hottest(&vec![3; 10_000], "all blocks are alike");
        let skewed: Vec<u64> = (0..10_000).map(|block| 1 + 5_000 / (block + 1)).collect();
        check_hottest(&skewed, "touches by rank");
        let warm: Vec<u64> =
            (0..10_000).map(|block| if block % 25 == 0 { 40 } else { 1 }).collect();
        check_hottest(&warm, "4 % of the blocks are warm");
    }

    #[test]
    fn a_window_of_few_blocks_has_a_larger_error_than_the_whole() {
        let mut sample = BlockSample { blocks_max: 4096, ..BlockSample::default() };
        for block in 0..40_000 {
            sample.touch(Nanos::from_millis(block / 10), 0, (block * BLOCK, 4096));
        }
        let (mean, max) = sample.window(0, SECOND);
        let error = sample.window_error(mean).unwrap();
        assert!(error > sample.error().unwrap(), "{error}");
        assert!((mean / 10_000.0 - 1.0).abs() < 4.0 * error, "{mean} {max} {error}");
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
        // The second one is cut off: it counts for the most, not for the mean.
        assert_eq!(sample.window(0, end), (1.0, 2));
        assert_eq!(sample.window(0, Nanos::from_millis(3_999)), (1.0, 2));
        assert_eq!(sample.window(0, Nanos::from_millis(4_000)), (0.75, 2));
    }
}
