//! Candidates as a page.

use kneepoint_core::words::units::{Bytes, MIB};
use kneepoint_report::Language;
use kneepoint_report::page::Page;
use kneepoint_report::sizing::{self, Calibration, Growth, Order, Sizing, Stroke};
use kneepoint_sim::sizing::{Candidate, Demand, GrowthPoint, StrokeRow};
use kneepoint_sim::system::setting;

use super::table::servers_with_room;
use crate::session::command_line;

/// Strokes that a page shows where none are asked for, in percent: those of the FAStT900 paper.
pub(crate) const STROKES_OF_PAGE: [f64; 5] = [8.0, 15.0, 30.0, 60.0, 90.0];

/// What a page shows beside the candidates.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Studied {
    /// The first candidates with other numbers of drives, in their order.
    pub(crate) growth: Vec<Vec<GrowthPoint>>,
    /// The best candidate at other strokes.
    pub(crate) strokes: Vec<StrokeRow>,
}

/// The page of `candidates`.
pub(crate) fn page(
    candidates: &[Candidate],
    demand: &Demand,
    studied: &Studied,
    language: Language,
) -> anyhow::Result<Page> {
    let curves = studied.growth.iter().enumerate();
    let growth = curves.map(|(candidate, points)| Growth {
        candidate,
        points: points.iter().map(|point| (point.drives, point.sustained_iops)).collect(),
    });
    let sizing = Sizing {
        demand: shown_demand(demand),
        candidates: candidates.iter().map(shown).collect::<anyhow::Result<_>>()?,
        growth: growth.collect(),
        strokes: studied.strokes.iter().map(stroke).collect(),
        command: command_line(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    Ok(sizing::page(&sizing, language))
}

fn shown_demand(demand: &Demand) -> sizing::Demand {
    let Demand { profile, iops, rule, capacity, .. } = demand;
    let block_bytes = profile.block_bytes_mean();
    sizing::Demand {
        profile: profile.name.clone(),
        block_bytes,
        read_percent: profile.read_percent(),
        order: if profile.is_sequential() { Order::Sequential } else { Order::Random },
        iops: *iops,
        mib_s: iops * block_bytes / MIB as f64,
        rule: rule.to_string(),
        metric: rule.metric,
        capacity_bytes: capacity.map(|Bytes(bytes)| bytes),
    }
}

fn shown(candidate: &Candidate) -> anyhow::Result<sizing::Candidate> {
    let found = &candidate.found;
    let system = &found.system;
    let (servers, more_servers) = servers_with_room(found)?;
    Ok(sizing::Candidate {
        target: found.target.clone(),
        system: system.name.clone(),
        drives: found.drives,
        drive: found.drive.clone(),
        raid: system.layout.raid.to_string(),
        write_cache: system.settings.write_cache.to_string(),
        usable_bytes: found.usable.0,
        stroke_percent: found.stroke_percent,
        response_ms: candidate.response_ms,
        sustained_iops: candidate.sustained_iops,
        headroom_percent: candidate.headroom_percent,
        margin_percent: found.margin_percent,
        calibration: match system.calibration {
            setting::Calibration::Calibrated => Calibration::Calibrated,
            setting::Calibration::Uncalibrated => Calibration::Uncalibrated,
        },
        limit: candidate.limit.clone(),
        servers,
        more_servers,
    })
}

fn stroke(row: &StrokeRow) -> Stroke {
    Stroke {
        percent: row.stroke_percent,
        data_bytes: row.data.0,
        sustained_iops: row.sustained_iops,
        multiplier: row.multiplier,
    }
}
