//! A series as a curve of throughput and response time over load.

use crate::load::LoadUnit;
use crate::result::{Peak, PointResult, Sustained, SustainedStatus, Verdict};
use crate::rule::Rule;

/// The usable points of one series by rising load.
pub(super) struct Curve<'a> {
    points: Vec<&'a PointResult>,
}

impl<'a> Curve<'a> {
    /// The curve of the points of `series`; points that failed are left out, and of several
    /// measurements of one load the last counts.
    pub(super) fn of(series: &str, points: &'a [PointResult]) -> Self {
        let mut kept: Vec<&PointResult> = Vec::new();
        for point in points.iter().filter(|point| point.series == series) {
            kept.retain(|earlier| earlier.load() != point.load());
            if point.verdict != Verdict::Failed {
                kept.push(point);
            }
        }
        kept.sort_by(|a, b| a.load().value.total_cmp(&b.load().value));
        Self { points: kept }
    }

    /// What the load counts; outstanding I/Os where there is no point.
    pub(super) fn unit(&self) -> LoadUnit {
        self.points.first().map_or(LoadUnit::OutstandingIos, |point| point.load().unit)
    }

    /// The point of highest throughput; of equals the one with the lower load.
    pub(super) fn peak(&self) -> Option<Peak> {
        let best = self
            .points
            .iter()
            .reduce(|best, point| if point.iops.mean > best.iops.mean { point } else { best })?;
        Some(Peak {
            iops: best.iops.mean,
            throughput_mib_s: best.throughput_mib_s.mean,
            latency_ms: best.latency_ms.mean,
            outstanding: best.load().value,
        })
    }

    /// Where the curve first crosses the rule, by linear interpolation between the last point
    /// that meets it and the first that breaks it.
    pub(super) fn sustained(&self, rule: &Rule) -> Sustained {
        let limit = rule.limit.as_millis_f64();
        let response = |point: &PointResult| point.latency_ms.of(rule.metric);
        let Some(first) = self.points.first() else {
            return nothing(SustainedStatus::Unknown);
        };
        if response(first) > limit {
            return nothing(SustainedStatus::BelowFirst);
        }
        let crossing = self.points.windows(2).find(|pair| response(pair[1]) > limit);
        let Some([below, above]) = crossing.and_then(|pair| <[_; 2]>::try_from(pair).ok()) else {
            return nothing(SustainedStatus::BeyondLast);
        };
        let part = (limit - response(below)) / (response(above) - response(below));
        let between = |low: f64, high: f64| Some(low + part * (high - low));
        Sustained {
            iops: between(below.iops.mean, above.iops.mean),
            throughput_mib_s: between(below.throughput_mib_s.mean, above.throughput_mib_s.mean),
            outstanding: between(below.load().value, above.load().value),
            status: SustainedStatus::Met,
        }
    }
}

const fn nothing(status: SustainedStatus) -> Sustained {
    Sustained { iops: None, throughput_mib_s: None, outstanding: None, status }
}
