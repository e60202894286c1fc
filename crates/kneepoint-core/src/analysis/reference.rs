//! A stored run as the reference of others.

use std::collections::BTreeMap;

use super::curve::Curve;
use super::mark::is_doubtful;
use crate::plan::{
    Plan, ReferenceOrigin, ReferenceRun, ReferenceSeries, ReferenceValue, SeriesPlan,
};
use crate::result::{PointResult, RunDocument};
use crate::words::class::ClassName;
use crate::words::fault::Fault;
use crate::words::rule::{Metric, Rule};
use crate::words::units::Nanos;

/// What `document` measured, as far as rules of other runs can refer to it.
///
/// # Errors
/// When its plan is of another version, which does not tell what exactly was done.
pub fn reference_run(document: &RunDocument) -> Result<ReferenceRun, Fault> {
    let header = &document.run;
    let plan: Plan = serde_json::from_value(document.plan.clone()).map_err(|error| {
        Fault::new(format!("run {} cannot be a reference", header.id))
            .because(format!("its plan is of another version, or of another tool: {error}"))
            .fix("measure the reference with this version of Kneepoint")
    })?;
    let target = plan.targets.first();
    Ok(ReferenceRun {
        origin: ReferenceOrigin {
            run: header.id.clone(),
            label: header.label.clone(),
            started_at: header.started_at.clone(),
            target: target.map(|target| target.target.clone()).unwrap_or_default(),
        },
        kind: target.map(|target| target.kind),
        series: plan.series.iter().map(|series| of_series(series, &document.points)).collect(),
    })
}

fn of_series(series: &SeriesPlan, points: &[PointResult]) -> ReferenceSeries {
    let own = |point: &&PointResult| point.series == series.name && point.factors == series.factors;
    let curve = Curve::of(points.iter().filter(own));
    let (doubtful, good): (Vec<&PointResult>, Vec<&PointResult>) =
        curve.points().into_iter().partition(|point| is_doubtful(point.verdict));
    ReferenceSeries {
        profile: series.profile.clone(),
        factors: series.factors.clone(),
        unit: series.loads.unit,
        values: good.into_iter().flat_map(values).collect(),
        doubtful: doubtful.into_iter().map(|point| point.load.value).collect(),
    }
}

/// The response times of a point: of all operations together, and of each class.
fn values(point: &PointResult) -> Vec<ReferenceValue> {
    let classes = point
        .classes
        .iter()
        .filter_map(|(name, class)| Some((Some(ClassName::new(name)?), class.operations)));
    let all = [(None, point.operations)].into_iter().chain(classes);
    let value = |(class, operations): (Option<ClassName>, u64)| {
        let ms = |metric: Metric| {
            let rule = Rule { class, ..Rule::on(metric, Nanos::ZERO) };
            Some((metric.name().to_owned(), rule.value_ms(point)?))
        };
        let ms: BTreeMap<String, f64> = Metric::ALL.into_iter().filter_map(ms).collect();
        ReferenceValue { load: point.load.value, class, operations, ms }
    };
    all.filter(|(_, operations)| *operations > 0).map(value).collect()
}
