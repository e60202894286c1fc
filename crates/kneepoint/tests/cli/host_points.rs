//! The numbers of a fleet against those that its agents keep themselves.

use kneepoint_core::load::record::histogram::Histogram;
use kneepoint_core::load::record::interval::Tally;
use kneepoint_core::load::record::recorder::Straddler;
use kneepoint_core::words::units::Nanos;
use kneepoint_net::HostPoint;
use serde_json::Value;

use crate::result::{is_close, number, points};

/// Percentiles as results call them.
const PERCENTILES: [(&str, f64); 5] =
    [("p50", 50.0), ("p90", 90.0), ("p95", 95.0), ("p99", 99.0), ("p99_9", 99.9)];

/// Checks that every point is what the hosts have on record of it: throughput is the sum, the mean response
/// time that of all I/Os, and percentiles are those of the merged histogram, to the last bit.
pub(crate) fn check_records(result: &Value, hosts: &[Vec<HostPoint>]) {
    let all = points(result);
    assert!(hosts.iter().all(|kept| kept.len() == all.len()));
    for (index, point) in all.iter().enumerate() {
        let parts: Vec<&HostPoint> = hosts.iter().map(|kept| &kept[index]).collect();
        check_point(point, &parts);
    }
}

fn check_point(point: &Value, parts: &[&HostPoint]) {
    let first = parts[0];
    for part in parts {
        assert_eq!(
            (&part.series, part.load, &part.counted),
            (&first.series, first.load, &first.counted)
        );
    }
    assert_eq!(number(&point["load"]["value"]), first.load.value);
    let measured = Nanos(first.interval.0 * first.counted.len() as u64);
    let (completed, mut histogram) = merged(parts);
    let rate = completed.operations as f64 / measured.as_secs_f64();
    assert!(is_close(rate, number(&point["rate"]["mean"])), "{rate} {point}");
    assert_eq!(point["operations"].as_u64(), Some(completed.operations));

    // Whatever outlasts the end of a point counts if it stalled, as docs/method.md says.
    let end = Nanos(first.interval.0 * first.counted.end as u64);
    let unfinished: Vec<&Straddler> = parts.iter().flat_map(|part| &part.unfinished).collect();
    let responses = with_stalls((completed, &mut histogram), &unfinished, (measured, end));
    let latency = &point["latency_ms"];
    assert!(is_close(responses.latency_ns_mean() / 1e6, number(&latency["mean"])), "{point}");
    let (min, max) = (responses.latency_min.as_millis_f64(), responses.latency_max.as_millis_f64());
    assert_eq!((min, max), (number(&latency["min"]), number(&latency["max"])), "{point}");
    for (name, percent) in PERCENTILES {
        let own = histogram.percentile(percent).unwrap().as_millis_f64().clamp(min, max);
        assert_eq!(own, number(&latency[name]), "{name} of {point}");
    }
}

/// What completed on all hosts, and its response times.
fn merged(parts: &[&HostPoint]) -> (Tally, Histogram) {
    let mut histogram = Histogram::default();
    for part in parts {
        let classes = 0..part.sum.classes.len();
        classes.for_each(|class| part.sum.add_histogram(class, &mut histogram));
    }
    (Tally::of_all(parts.iter().flat_map(|part| &part.sum.classes)), histogram)
}

/// The response times with those of stalls that outlasted the end.
fn with_stalls(
    (completed, histogram): (Tally, &mut Histogram),
    unfinished: &[&Straddler],
    (measured, end): (Nanos, Nanos),
) -> Tally {
    let median = histogram.percentile(50.0).unwrap();
    let stall_min = Nanos((0.2 * measured.0 as f64).max(20.0 * median.0 as f64) as u64);
    let mut responses = completed;
    for io in unfinished {
        let Some(age) = io.age_at(end) else { continue };
        if io.latency > stall_min {
            responses.add(0, io.latency, Nanos::ZERO);
            histogram.record(io.latency, 1);
        } else if age > completed.latency_max {
            responses.latency_max = responses.latency_max.max(io.latency);
        }
    }
    responses
}
