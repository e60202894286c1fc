//! The blocks that are touched most, in constant memory.
//!
//! Counters are kept for the blocks that came often or lately; if there are too many, the smallest go, many at a
//! time (Misra and Gries 1982; in batches: Anderson et al., IMC 2017). A counter that starts over knows how many
//! touches it can have missed at most, as in lossy counting (Manku and Motwani, VLDB 2002).

use std::collections::BTreeMap;

/// Most blocks that have a counter. A block that has none was touched in one of 32,768 cases at most.
const COUNTERS_MAX: usize = 1 << 16;

/// The touches of a block are known if this many times those that were missed are fewer.
const KNOWN_RATIO: u64 = 8;

/// Counters of the blocks that are touched most.
#[derive(Debug)]
pub(super) struct FrequentBlocks {
    counters: BTreeMap<u64, TouchCounter>,
    counters_max: usize,
    /// Most touches of a block without a counter.
    missed_max: u64,
}

/// Touches of a block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TouchCounter {
    /// Touches since there is a counter.
    pub(super) seen: u64,
    /// Most touches before.
    pub(super) missed_max: u64,
}

impl TouchCounter {
    /// Most touches there were.
    const fn most(self) -> u64 {
        self.seen + self.missed_max
    }

    /// Whether the touches are known well enough to stand for themselves.
    const fn is_known(self) -> bool {
        self.missed_max * KNOWN_RATIO <= self.seen
    }
}

impl Default for FrequentBlocks {
    fn default() -> Self {
        Self { counters: BTreeMap::new(), counters_max: COUNTERS_MAX, missed_max: 0 }
    }
}

impl FrequentBlocks {
    /// Begins with blocks whose touches are all known.
    pub(super) fn begin(&mut self, blocks: impl Iterator<Item = (u64, u64)>) {
        let counters = blocks.map(|(key, seen)| (key, TouchCounter { seen, missed_max: 0 }));
        self.counters.extend(counters);
        self.shrink();
    }

    /// Counts a touch.
    pub(super) fn touch(&mut self, key: u64) {
        let missed_max = self.missed_max;
        self.counters.entry(key).or_insert(TouchCounter { seen: 0, missed_max }).seen += 1;
        self.shrink();
    }

    /// The blocks whose touches are known, with their counters.
    pub(super) fn known(&self) -> impl Iterator<Item = TouchCounter> {
        self.counters.values().copied().filter(|counter| counter.is_known())
    }

    /// Whether the touches of a block are known.
    pub(super) fn knows(&self, key: u64) -> bool {
        self.counters.get(&key).is_some_and(|counter| counter.is_known())
    }

    /// Keeps at most this many counters.
    #[cfg(test)]
    pub(super) fn counters_max(&mut self, counters_max: usize) {
        self.counters_max = counters_max;
    }

    /// Removes the smaller half of the counters, and those as large as the largest of it, if there are too many.
    fn shrink(&mut self) {
        if self.counters.len() <= self.counters_max {
            return;
        }
        let mut most: Vec<u64> = self.counters.values().map(|counter| counter.most()).collect();
        let last = most.len() - 1 - self.counters_max / 2;
        let (_, bound, _) = most.select_nth_unstable(last);
        let bound = *bound;
        self.counters.retain(|_, counter| counter.most() > bound);
        self.missed_max = bound;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frequent_block_keeps_its_counter_and_what_was_missed_is_bounded() {
        let mut blocks = FrequentBlocks { counters_max: 64, ..FrequentBlocks::default() };
        blocks.begin([(7, 3)].into_iter());
        let touches = 20_000u64;
        for number in 0..touches {
            blocks.touch(if number % 4 == 0 { 7 } else { 1_000 + number });
            // A late one, after many others have come and gone.
            if number > touches / 2 && number % 5 == 0 {
                blocks.touch(8);
            }
        }
        assert_eq!(blocks.counters[&7].seen, 3 + touches / 4);
        assert_eq!(blocks.counters[&7].missed_max, 0);
        assert!(blocks.counters[&8].seen <= 1_999 && blocks.counters[&8].most() >= 1_999);
        assert!(blocks.counters.len() <= 64);
        assert!(blocks.missed_max <= 2 * 22_000 / 64, "{}", blocks.missed_max);
        assert!(blocks.knows(7) && !blocks.knows(1_001));
    }
}
