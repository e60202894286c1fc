//! Results that can hardly be: what storage does not do, as warnings for the reader.

use crate::plan::TargetKind;
use crate::result::{
    Between, Contrast, Finding, Order, PointResult, Quantity, RunDocument, Warning,
};

/// The results of a run that can hardly be true, given what its points show.
pub(super) fn implausible(document: &RunDocument, findings: &[Finding]) -> Vec<Warning> {
    let contrasts = findings.iter().filter_map(|finding| match finding {
        Finding::Contrast(found) => of_contrast(document, found),
        _ => None,
    });
    let mut warnings: Vec<Warning> = Vec::new();
    for warning in contrasts.chain(slow_arrays(document)) {
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    warnings
}

fn of_contrast(document: &RunDocument, found: &Contrast) -> Option<Warning> {
    let (faster, slower) = (found.faster.clone(), found.slower.clone());
    match found.between {
        Between::Order { faster: Order::Random } => Some(Warning::SequentialBelowRandom {
            sequential: slower,
            random: faster,
            times: found.ratio,
        }),
        // With parity a write costs more disk operations than a read of any order.
        Between::Direction { .. }
            if found.is_unusual()
                || (found.has_writes_far_above_reads() && has_parity(document, &slower)) =>
        {
            Some(Warning::ReadsBelowWrites { reads: slower, writes: faster, times: found.ratio })
        }
        _ => None,
    }
}

/// Whether all of a series was measured on RAID-5 or RAID-6.
fn has_parity(document: &RunDocument, series: &str) -> bool {
    let mut points = document.points.iter().filter(|point| point.series == series).peekable();
    let is_parity = |point: &PointResult| {
        setting(document, point, "raid").is_some_and(|raid| ["raid5", "raid6"].contains(&raid))
    };
    points.peek().is_some() && points.all(is_parity)
}

/// A setting of the targets of a point: its level if it was varied, or that of the series alone.
fn setting<'d>(document: &'d RunDocument, point: &'d PointResult, name: &str) -> Option<&'d str> {
    let of_target = || document.environment.targets.first()?.settings.get(name);
    let of_series = || point.settings.get(name);
    point.factors.get(name).or_else(of_series).or_else(of_target).map(String::as_str)
}

/// Blocks from this size on tell what a sequence reaches, in bytes; smaller ones cost a command each.
const BLOCK_MIN_BYTES: u64 = 64 << 10;

/// Series of sequential reads of which several drives give less than the medium of one does at its
/// slowest.
fn slow_arrays(document: &RunDocument) -> Vec<Warning> {
    let slow = |point: &&PointResult| {
        let drives: u32 = setting(document, point, "drives")?.parse().ok()?;
        let targets = &document.environment.targets;
        let is_simulated = targets.iter().all(|target| target.kind == TargetKind::Sim);
        let drive_mib_s = targets.first()?.model.as_ref()?.drive_mib_s?;
        (is_simulated && drives > 1 && is_streaming_read(point)).then_some(drive_mib_s)
    };
    let mut warnings = Vec::new();
    for series in crate::result::series_key::by_series(&document.points) {
        let known = series.points.iter().find_map(slow);
        let volumes = series.points.iter().filter_map(|point| point.volume);
        // All that the interval leaves possible.
        let upper = |volume: crate::result::Throughput| volume.mean + volume.ci95.unwrap_or(0.0);
        let reached = volumes.clone().map(upper).fold(0.0, f64::max);
        let throughput_mib_s = volumes.map(|volume| volume.mean).fold(0.0, f64::max);
        if let Some(drive_mib_s) = known.filter(|least| reached > 0.0 && reached < *least) {
            let series = series.key.to_string();
            warnings.push(Warning::ArrayBelowDrive { series, throughput_mib_s, drive_mib_s });
        }
    }
    warnings
}

fn is_streaming_read(point: &PointResult) -> bool {
    point.storage.is_some_and(|storage| {
        storage.read_percent == 100.0
            && storage.random_percent == 0.0
            && storage.block_bytes >= BLOCK_MIN_BYTES
    })
}

/// From this ratio on, writes are unusually much faster than reads.
const WRITES_UNUSUAL_FROM: f64 = 2.0;

impl Contrast {
    /// True for what storage hardly ever does: reading a sequence much more slowly than writing it, or
    /// moving more at random than in sequence.
    pub fn is_unusual(&self) -> bool {
        match self.between {
            Between::Direction { .. } => {
                self.measure.quantity == Quantity::Throughput && self.has_writes_far_above_reads()
            }
            Between::Order { faster } => faster == Order::Random,
            Between::BlockSize { .. } => false,
        }
    }

    fn has_writes_far_above_reads(&self) -> bool {
        let is_write = matches!(
            self.between,
            Between::Direction { faster: crate::load::backend::Direction::Write }
        );
        is_write && self.interval[0] >= WRITES_UNUSUAL_FROM
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::load::backend::Direction;
    use crate::result::{Estimate, ModelOrigin, StorageResult, TargetEnvironment, Throughput};

    fn contrast(between: Between, measure: &str, low: f64) -> Finding {
        Finding::Contrast(Contrast {
            between,
            faster: "a".to_owned(),
            slower: "b".to_owned(),
            measure: measure.parse().unwrap(),
            ratio: low + 0.1,
            interval: [low, low + 0.2],
        })
    }

    /// A simulated array that reads sequences of these blocks at `mib_s`, with drives of 60 MiB/s.
    fn array(raid: &str, drives: &str, (block_bytes, mib_s): (u64, f64)) -> RunDocument {
        let mut document = crate::analysis::comparison::tests::run("a", Vec::new());
        let settings = [("raid", raid), ("drives", drives)];
        let target = TargetEnvironment {
            target: "sim:array".to_owned(),
            host: String::new(),
            kind: TargetKind::Sim,
            size_bytes: 1 << 30,
            device: BTreeMap::new(),
            file_system: String::new(),
            settings: settings.map(|(key, value)| (key.to_owned(), value.to_owned())).into(),
            model: Some(ModelOrigin {
                system: "array".to_owned(),
                title: String::new(),
                source: String::new(),
                drive: String::new(),
                drive_mib_s: Some(60.0),
                parts: None,
                fit: None,
            }),
            class: None,
        };
        document.environment.targets = vec![target];
        let storage = StorageResult {
            block_bytes,
            read_percent: 100.0,
            random_percent: 0.0,
            achieved_outstanding: 1.0,
            ..StorageResult::default()
        };
        document.points = vec![PointResult {
            series: "b".to_owned(),
            storage: Some(storage),
            volume: Some(Throughput::mib_s(Estimate { mean: mib_s, ci95: Some(1.0) })),
            ..PointResult::default()
        }];
        document
    }

    #[test]
    fn an_array_reads_no_slower_than_one_drive() {
        let warned = |drives: &str, block: u64, mib_s: f64| {
            let found = implausible(&array("raid5", drives, (block, mib_s)), &[]);
            assert!(found.iter().all(|one| matches!(one, Warning::ArrayBelowDrive { .. })));
            !found.is_empty()
        };
        assert!(warned("8", 65_536, 40.0));
        assert!(!warned("8", 65_536, 61.0));
        assert!(!warned("8", 65_536, 59.5), "the interval leaves 60 possible");
        assert!(!warned("1", 65_536, 40.0), "one drive is no array");
        assert!(!warned("8", 4_096, 40.0), "small blocks cost a command each");
    }

    #[test]
    fn writes_that_are_much_faster_than_reads_are_implausible_in_sequence_or_with_parity() {
        let warned = |raid: &str, measure: &str, low: f64, faster: Direction| {
            let finding = contrast(Between::Direction { faster }, measure, low);
            !implausible(&array(raid, "8", (65_536, 100.0)), &[finding]).is_empty()
        };
        assert!(warned("raid5", "peak.throughput", 3.0, Direction::Write));
        assert!(warned("raid10", "peak.throughput", 3.0, Direction::Write));
        assert!(warned("raid6", "peak.iops", 3.0, Direction::Write));
        // Random writes into a cache are often faster than reads.
        assert!(!warned("raid10", "peak.iops", 3.0, Direction::Write));
        assert!(!warned("raid5", "peak.iops", 1.5, Direction::Write));
        assert!(!warned("raid5", "peak.throughput", 9.0, Direction::Read));
    }

    #[test]
    fn a_sequence_is_no_slower_than_random_access() {
        let warned = |faster: Order| {
            let finding = contrast(Between::Order { faster }, "peak.throughput", 1.2);
            !implausible(&array("raid10", "8", (65_536, 100.0)), &[finding]).is_empty()
        };
        assert!(warned(Order::Random));
        assert!(!warned(Order::Sequential));
    }
}
