//! Sizings.

use kneepoint_core::result::sizing::{Candidate, Demand, GrowthPoint, Sizing, StrokeRow};
use kneepoint_core::words::units::Bytes;
use serde_json::json;

/// What a sizing found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Sizes {
    /// No system.
    Nothing,
    /// This many with equally few drives, and one with more.
    Systems(u32),
    /// One that was never fitted, a single array.
    Uncalibrated,
    /// One with other numbers of drives, and at other strokes.
    InFull,
    /// The same for a capacity, with a curve for each system, of many that were found.
    OfMany,
}

fn candidate(drives: u32, headroom_percent: f64) -> Candidate {
    Candidate {
        target: format!("sim:array?drives={drives}&stroke=100%"),
        system: "array".to_owned(),
        drives,
        arrays: drives / 12,
        drive: None,
        raid: "raid10".to_owned(),
        write_cache: "on".to_owned(),
        usable: Bytes(1 << 40),
        stroke_percent: 100.0,
        response_ms: 13.7,
        sustained_iops: 10_000.0 * (1.0 + headroom_percent / 100.0),
        headroom_percent,
        margin_percent: 1.0,
        is_calibrated: true,
        limit: "drives 100 %".to_owned(),
        servers: Vec::new(),
        more_servers: 0,
    }
}

/// The sizing of a case.
pub(crate) fn sizing(sizes: Sizes) -> Sizing {
    let profile = json!({
        "name": "oltp", "title": "Online transaction processing",
        "lines": [{"block_bytes": 8_192, "read": 67.0, "random": 100.0, "share": 100.0, "delay": 0,
                   "burst": 1, "align_bytes": 8_192}],
        "range": {"start": 0.0, "end": 100.0}, "distribution": "uniform",
        "data": {"compressible": 0.0, "duplicate": 0.0}
    });
    let mut demand = Demand {
        profile: serde_json::from_value(profile).expect("a profile"),
        iops: 10_000.0,
        rule: "mean<=20ms".parse().expect("a rule"),
        capacity: None,
        stroke_percent: None,
        margin_percent: None,
    };
    let least = match sizes {
        Sizes::Nothing => 0,
        Sizes::Systems(count) => count,
        Sizes::Uncalibrated | Sizes::InFull | Sizes::OfMany => 1,
    };
    let mut candidates: Vec<Candidate> =
        (0..least).map(|index| candidate(48, 20.0 - f64::from(index))).collect();
    candidates.extend((least > 0).then(|| candidate(60, 30.0)));
    if sizes == Sizes::Uncalibrated {
        candidates.iter_mut().for_each(|one| (one.is_calibrated, one.arrays) = (false, 1));
    }
    let is_full = matches!(sizes, Sizes::InFull | Sizes::OfMany);
    let point = |drives: u32| GrowthPoint { drives, sustained_iops: 250.0 * f64::from(drives) };
    let mut growth = if is_full { vec![[24, 48].map(point).to_vec()] } else { Vec::new() };
    let mut found = candidates.len();
    if sizes == Sizes::OfMany {
        demand.capacity = Some(Bytes(1 << 39));
        growth.push([36, 60].map(point).to_vec());
        found = 30;
    }
    let stroke = |percent: f64, multiplier: f64| StrokeRow {
        stroke_percent: percent,
        data: Bytes(1 << 37),
        sustained_iops: 20_000.0 * multiplier,
        multiplier,
    };
    let strokes = if is_full { vec![stroke(8.0, 1.0), stroke(100.0, 0.6)] } else { Vec::new() };
    let command = "kneepoint size".to_owned();
    Sizing { demand, candidates, found, growth, strokes, command, version: "0.1.0".to_owned() }
}
