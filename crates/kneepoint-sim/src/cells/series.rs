//! Cells that are read off one curve: the same system under the same load.

use std::collections::BTreeMap;

use kneepoint_core::words::rule::Rule;

use super::cell::Cell;
use super::criterion::Criterion;

/// Cells that differ only in their criterion (all are shares of the same, or none of anything), and
/// are read off one curve.
#[derive(Debug, Clone, PartialEq)]
pub struct CellSeries<'a> {
    /// One of the cells: its target and its profile are those of all.
    pub first: &'a Cell,
    /// Indices of the cells in the caller's list.
    pub cells: Vec<usize>,
    /// What is asked of the curve, in order and without repetition.
    pub criteria: Vec<Criterion>,
}

impl CellSeries<'_> {
    /// The rules among the criteria.
    pub fn rules(&self) -> Vec<Rule> {
        let rule = |criterion: &Criterion| match criterion {
            Criterion::Rule(rule) => Some(*rule),
            Criterion::Peak | Criterion::Outstanding(_) => None,
        };
        self.criteria.iter().filter_map(rule).collect()
    }

    /// The fixed loads among the criteria, rising.
    pub fn loads(&self) -> Vec<u32> {
        let load = |criterion: &Criterion| match criterion {
            Criterion::Outstanding(load) => Some(*load),
            Criterion::Peak | Criterion::Rule(_) => None,
        };
        self.criteria.iter().filter_map(load).collect()
    }

    /// Whether the peak is asked for.
    pub fn wants_peak(&self) -> bool {
        self.criteria.contains(&Criterion::Peak)
    }
}

/// Groups cells into series, in the order in which their first cells stand.
pub fn group(cells: &[Option<Cell>]) -> Vec<CellSeries<'_>> {
    let mut places: BTreeMap<(&str, Option<&str>, String), usize> = BTreeMap::new();
    let mut series: Vec<CellSeries<'_>> = Vec::new();
    for (index, cell) in cells.iter().enumerate() {
        let Some(cell) = cell else { continue };
        let load = format!("{} {:?}", cell.outstanding_max, cell.profile);
        let place = *places
            .entry((cell.target.as_str(), cell.relative_to.as_deref(), load))
            .or_insert_with(|| {
                series.push(CellSeries { first: cell, cells: Vec::new(), criteria: Vec::new() });
                series.len() - 1
            });
        series[place].cells.push(index);
        series[place].criteria.push(cell.criterion);
    }
    for group in &mut series {
        group.criteria.sort_unstable();
        group.criteria.dedup();
    }
    series
}
