//! A series as a curve of throughput and response time over load.

use super::comparison;
use super::repetition::merge_repetitions;
use super::saturation::saturation;
use super::sustained::{Crossing, SustainedAt};
use crate::confidence::two_sided_quantile;
use crate::load::LoadUnit;
use crate::result::{
    Doubt, DoubtAbout, Estimate, Peak, PointResult, Saturation, Sustained, SustainedBound,
    SustainedStatus, Variation, Verdict,
};
use crate::rule::Rule;
use crate::search::{breaks, undisturbed};

/// The usable points of one series by rising load, repetitions merged.
pub(super) struct Curve {
    points: Vec<PointResult>,
    saturation: Option<Saturation>,
    variations: Vec<Option<Variation>>,
}

impl Curve {
    /// The curve of `points`, all of one series; those that failed are left out.
    pub(super) fn of(points: &[&PointResult]) -> Self {
        let is_usable = |point: &&PointResult| point.verdict != Verdict::Failed;
        let mut usable: Vec<&PointResult> = points.iter().copied().filter(is_usable).collect();
        let saturation = saturation(&comparison::Curve::of(usable.iter().copied()));
        usable.sort_by(|a, b| a.load().value.total_cmp(&b.load().value));
        let same_load = |a: &&PointResult, b: &&PointResult| a.load() == b.load();
        let merged = usable.chunk_by(same_load).map(|same| merge_repetitions(&undisturbed(same)));
        let (points, variations) = merged.unzip();
        Self { points, saturation, variations }
    }

    /// What the load counts; outstanding I/Os where there is no point.
    pub(super) fn unit(&self) -> LoadUnit {
        self.points.first().map_or(LoadUnit::OutstandingIos, |point| point.load().unit)
    }

    /// The points themselves, by rising load.
    pub(super) fn into_points(self) -> Vec<PointResult> {
        self.points
    }

    /// The points by rising load.
    pub(super) fn points(&self) -> Vec<&PointResult> {
        self.points.iter().collect()
    }

    /// Index of the point of highest throughput; of equals the one with the lower load.
    fn best(&self) -> Option<usize> {
        let iops = |index: &usize| self.points[*index].iops.mean;
        (0..self.points.len())
            .reduce(|best, next| if iops(&next) > iops(&best) { next } else { best })
    }

    /// The point of highest throughput.
    pub(super) fn peak(&self) -> Option<Peak> {
        let best = &self.points[self.best()?];
        Some(Peak {
            iops: best.iops.mean,
            throughput_mib_s: best.throughput_mib_s.mean,
            latency_ms: best.latency_ms.mean,
            outstanding: best.load().value,
        })
    }

    /// From which load on throughput no longer rises.
    pub(super) const fn saturation(&self) -> Option<Saturation> {
        self.saturation
    }

    /// The highest throughput in IO/s, with a confidence interval that takes in how repetitions
    /// vary; none where the point is doubtful.
    pub(super) fn peak_iops(&self) -> Option<Estimate> {
        let best = self.best()?;
        let iops = self.points[best].iops;
        let is_sound = !is_doubtful(self.points[best].verdict);
        let ci95 = if is_sound { self.widened(best, iops) } else { None };
        Some(Estimate { mean: iops.mean, ci95 })
    }

    /// The confidence half-width of the point at `index`, at least what its repetitions show.
    fn widened(&self, index: usize, iops: Estimate) -> Option<f64> {
        let Some(variation) = self.variations[index] else { return iops.ci95 };
        let count = variation.repetitions;
        let error = iops.mean * variation.between_percent / 100.0 / f64::from(count).sqrt();
        let between = two_sided_quantile(0.05, count.saturating_sub(1)) * error;
        Some(iops.ci95.unwrap_or(0.0).max(between))
    }

    /// How the repetitions of the point of highest throughput vary.
    pub(super) fn variation(&self) -> Option<Variation> {
        self.variations[self.best()?]
    }

    /// The points that the sustained throughput at `rule` and the peak rest on although they drift
    /// or are disturbed.
    pub(super) fn doubts(&self, rule: &Rule) -> Vec<Doubt> {
        let points = self.points();
        let sustained = SustainedAt::of(&points, rule).map(|at| at.points()).unwrap_or_default();
        let sustained = sustained.into_iter().map(|point| (DoubtAbout::Sustained, point));
        let peak = self.best().map(|best| (DoubtAbout::Peak, points[best]));
        let saturated = self.saturation.and_then(|found| {
            let knee = points.iter().position(|point| point.load().value == found.load)?;
            (Some(knee) != self.best()).then(|| (DoubtAbout::Saturation, points[knee]))
        });
        sustained
            .chain(peak)
            .chain(saturated)
            .filter(|(_, point)| is_doubtful(point.verdict))
            .map(|(about, point)| Doubt { about, load: point.load().value, verdict: point.verdict })
            .collect()
    }

    /// The highest throughput that meets the rule.
    pub(super) fn sustained(&self, rule: &Rule) -> Sustained {
        let points = self.points();
        match SustainedAt::of(&points, rule) {
            None => nothing(SustainedStatus::Unknown),
            Some(SustainedAt::Below(point)) => bound(SustainedStatus::BelowFirst, point),
            Some(SustainedAt::AtLeast(point)) => bound(SustainedStatus::BeyondLast, point),
            Some(SustainedAt::Point(point)) => Sustained {
                iops: Some(point.iops.mean),
                throughput_mib_s: Some(point.throughput_mib_s.mean),
                outstanding: Some(point.load().value),
                iops_ci95: point.iops.ci95,
                bracket: Some(bracket(point, &points, rule)),
                ..nothing(SustainedStatus::Met)
            },
            Some(SustainedAt::Crossing(crossing)) => Sustained {
                iops: Some(crossing.of(|point| point.iops.mean)),
                throughput_mib_s: Some(crossing.of(|point| point.throughput_mib_s.mean)),
                outstanding: Some(crossing.of(|point| point.load().value)),
                iops_ci95: interpolated_ci95(&crossing, rule),
                bracket: Some(crossing.loads()),
                ..nothing(SustainedStatus::Met)
            },
        }
    }
}

/// The loads on both sides of a rule that a point meets: its own and the next one, if that breaks
/// the rule; twice its own if not.
fn bracket(point: &PointResult, points: &[&PointResult], rule: &Rule) -> [f64; 2] {
    let load = point.load().value;
    let next = points.iter().find(|next| next.load().value > load);
    [load, next.filter(|next| breaks(next, rule)).map_or(load, |next| next.load().value)]
}

/// The throughput of `point` as a limit of what is sustained.
fn bound(status: SustainedStatus, point: &PointResult) -> Sustained {
    let bound = SustainedBound {
        iops: point.iops.mean,
        throughput_mib_s: point.throughput_mib_s.mean,
        load: point.load().value,
    };
    Sustained { bound: Some(bound), ..nothing(status) }
}

/// Half-width of the confidence interval of the interpolated IO/s: the errors of the two
/// throughputs and of the two response times, which move the crossing, taken as independent and
/// small (first-order propagation).
fn interpolated_ci95(crossing: &Crossing<'_>, rule: &Rule) -> Option<f64> {
    let Crossing { meets, breaks, part } = *crossing;
    let rise_ms = breaks.latency_ms.of(rule.metric) - meets.latency_ms.of(rule.metric);
    let slope = if rise_ms > 0.0 { (breaks.iops.mean - meets.iops.mean) / rise_ms } else { 0.0 };
    let errors = [
        (1.0 - part) * meets.iops.ci95?,
        part * breaks.iops.ci95?,
        slope * (1.0 - part) * meets.latency_ms.ci95?,
        slope * part * breaks.latency_ms.ci95?,
    ];
    Some(errors.iter().map(|error| error * error).sum::<f64>().sqrt())
}

/// Whether a number should not rest on a point of this verdict.
pub(super) const fn is_doubtful(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Drifting | Verdict::Disturbed)
}

const fn nothing(status: SustainedStatus) -> Sustained {
    Sustained {
        iops: None,
        throughput_mib_s: None,
        outstanding: None,
        iops_ci95: None,
        bracket: None,
        bound: None,
        status,
    }
}
