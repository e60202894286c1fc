//! Traces on the targets of a plan: how their I/Os are brought there.

use super::wishes::Wishes;
use crate::plan::omission::Left;
use crate::plan::{Arrivals, EnginePlan, Omission, SeriesPlan, TargetPlan};
use crate::spec::grid::{LoadGrid, RATE_MAX, RATE_MIN};
use crate::spec::profile::SeriesProfile;
use crate::spec::trace::{TraceFit, TraceReading, TraceWork, rounded_rate};
use crate::words::fault::Fault;

/// The traces of `series`.
fn traces(series: &[SeriesPlan]) -> impl Iterator<Item = (&SeriesPlan, &TraceWork)> {
    series.iter().filter_map(|series| {
        Some((series, series.profile.storage().and_then(|profile| profile.trace.as_deref())?))
    })
}

/// The series with their traces as these targets take them, and what is not as it was recorded.
pub(super) fn with_traces(
    mut series: Vec<SeriesPlan>,
    targets: &[TargetPlan],
) -> (Vec<SeriesPlan>, Vec<Omission>) {
    let align = targets.iter().map(|target| target.alignment_bytes).max().unwrap_or(1);
    for series in &mut series {
        let SeriesProfile::Storage(profile) = &mut series.profile else { continue };
        let Some(trace) = &mut profile.trace else { continue };
        trace.align_bytes = align.next_power_of_two();
        for line in &mut profile.lines {
            line.block_bytes = line.block_bytes.next_multiple_of(trace.align_bytes);
            line.align_bytes = line.align_bytes.next_multiple_of(trace.align_bytes);
        }
    }
    let changes = traces(&series).flat_map(|(series, trace)| changes(series, trace, targets));
    let changes = changes.map(Omission::from).collect();
    (series, changes)
}

/// The rates over which a search on a trace rises where the user names none: its own times and divided by
/// powers of two, from a quarter on; `None` for other work, and for a trace without times.
pub(super) fn trace_levels(series: &SeriesPlan) -> Option<LoadGrid> {
    const DOUBLINGS: usize = 16;
    let unit = series.loads.unit;
    let trace = series.profile.storage()?.trace.as_ref()?;
    let own = trace.rate_per_s().filter(|_| unit.is_offered())?;
    let rates = std::iter::successors(Some(own / 4.0), |rate| Some(rate * 2.0));
    let usable = rates.filter(|rate| (RATE_MIN..=RATE_MAX).contains(rate));
    let levels: Vec<f64> = usable.take(DOUBLINGS).map(rounded_rate).collect();
    (!levels.is_empty()).then_some(LoadGrid { unit, levels })
}

/// What is not as it was recorded.
fn changes(series: &SeriesPlan, trace: &TraceWork, targets: &[TargetPlan]) -> Vec<Left> {
    let mut changes = Vec::new();
    let extent_bytes = trace.extent_bytes;
    let moved = targets.iter().find(|target| match trace.fit {
        TraceFit::Modulo => target.size_bytes < extent_bytes,
        TraceFit::Scale => target.size_bytes != extent_bytes,
    });
    if let Some(target) = moved {
        changes.push(Left::Addresses {
            series: series.name.clone(),
            target: target.target.clone(),
            extent_bytes,
            size_bytes: target.size_bytes,
            fit: trace.fit,
        });
    }
    if trace.trace_align_bytes < trace.align_bytes {
        changes.push(Left::Rounding {
            series: series.name.clone(),
            multiple_bytes: trace.align_bytes,
            of_trace_bytes: trace.trace_align_bytes,
        });
    }
    changes.extend(unreplayed(&series.name, trace));
    changes
}

/// What of the file is not replayed as it was recorded, whatever the targets are.
fn unreplayed(series: &str, trace: &TraceWork) -> Vec<Left> {
    let series = || series.to_owned();
    let TraceReading { left_out, disordered, devices_joined } = &trace.reading;
    let mut unreplayed = Vec::new();
    if *devices_joined > 0 {
        unreplayed.push(Left::Devices { series: series(), devices: *devices_joined });
    }
    let left_out = left_out.iter().map(|left| Left::Unreplayed {
        series: series(),
        what: left.what,
        count: left.count,
    });
    unreplayed.extend(left_out);
    if *disordered > 0 {
        unreplayed.push(Left::Disorder { series: series(), count: *disordered });
    }
    unreplayed
}

/// Refuses several workers on one target: they would each issue the whole of a trace.
pub(super) fn check_traces(
    engine: &EnginePlan,
    series: &[SeriesPlan],
    target_count: usize,
) -> Result<(), Fault> {
    match traces(series).next() {
        Some((series, _)) if engine.workers as usize > target_count => {
            Err(Fault::new(format!("{} is replayed by one worker for each target", series.name))
                .because(format!("{} workers would have to share them", engine.workers))
                .fix("leave out --workers"))
        }
        _ => Ok(()),
    }
}

/// The spacing of arrivals: that of the trace where there is one, unless a constant one is asked for.
pub(super) fn arrivals(wishes: &Wishes, series: &[SeriesPlan]) -> Arrivals {
    match wishes.arrivals {
        Arrivals::Exponential if traces(series).next().is_some() => Arrivals::Recorded,
        asked => asked,
    }
}
