//! The load of a point, as far as it can be compared with what the machine saw.

use std::ops::Range;

use super::observation::Traffic;
use crate::load::record::interval::IntervalRecord;
use crate::load::record::tally::Tally;
use crate::measure::Point;
use crate::measure::measurement::Measurement;
use crate::plan::{Caching, Engine};
use crate::words::load::LoadUnit;
use crate::words::units::Percent;

/// What the generator drove in the observed intervals.
#[derive(Debug, Clone, PartialEq)]
pub struct Issued {
    /// Whether the page cache was to be used.
    pub caching: Caching,
    /// How it was issued.
    pub engine: Engine,
    /// Closed or open loop.
    pub load_unit: LoadUnit,
    /// Length of the observed intervals, in seconds.
    pub seconds: f64,
    /// Reads and writes of each target that completed.
    pub targets: Vec<[Traffic; 2]>,
    /// The most that each target did in a single interval.
    pub busiest: Vec<Traffic>,
    /// Other programs may use this share of the processors, from 0 to 1; `None` if only what they
    /// can have changed is judged.
    pub foreign_cpu_max: Option<f64>,
    /// I/Os that failed; whether the kernel counted them is not known.
    pub errors: u64,
}

impl Issued {
    /// What completed in the measured intervals `window` of `point`.
    pub fn of(point: &Point<'_>, measurement: &Measurement, window: Range<usize>) -> Self {
        let end = window.end.min(measurement.intervals.len());
        let records = &measurement.intervals[window.start.min(end)..end];
        let target_count = point.plan.targets.len();
        Self {
            caching: point.plan.engine.caching,
            engine: point.plan.engine.engine,
            load_unit: point.load.unit,
            seconds: measurement.interval.as_secs_f64() * records.len() as f64,
            targets: (0..target_count).map(|target| sums(records, target)).collect(),
            busiest: (0..target_count).map(|target| busiest(records, target)).collect(),
            foreign_cpu_max: point.plan.foreign_cpu_max.map(Percent::fraction),
            errors: records.iter().map(IntervalRecord::error_count).sum(),
        }
    }
}

fn traffic(tally: &Tally) -> Traffic {
    Traffic { operations: tally.operations as f64, bytes: tally.bytes as f64 }
}

/// Reads and writes of one target.
fn sums(records: &[IntervalRecord], target: usize) -> [Traffic; 2] {
    let mut sums = [Traffic::default(); 2];
    for record in records {
        for (sum, tally) in sums.iter_mut().zip(record.targets.of(target)) {
            sum.add(traffic(tally));
        }
    }
    sums
}

/// The most that one target did in an interval.
fn busiest(records: &[IntervalRecord], target: usize) -> Traffic {
    let mut most = Traffic::default();
    for record in records {
        let both = traffic(&Tally::of_all(record.targets.of(target)));
        most.operations = most.operations.max(both.operations);
        most.bytes = most.bytes.max(both.bytes);
    }
    most
}
