//! The search over load levels: what to measure next, from what was measured so far.

use std::collections::VecDeque;

use crate::load::LoadLevel;
use crate::plan::SeriesPlan;

/// Yields the load levels of one series, one at a time.
#[derive(Debug, Clone)]
pub struct Search {
    remaining: VecDeque<LoadLevel>,
}

impl Search {
    /// The search that the series' plan asks for.
    pub fn new(series: &SeriesPlan) -> Self {
        Self { remaining: series.loads.levels().collect() }
    }

    /// The next level to measure; `None` at the end.
    pub fn next_level(&mut self) -> Option<LoadLevel> {
        self.remaining.pop_front()
    }

    /// Levels that are left to measure, at the most.
    pub fn remaining(&self) -> usize {
        self.remaining.len()
    }
}
