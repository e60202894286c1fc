//! The result as JSON, for tracking: every sample, and the medians.

use serde_json::{Value, json};

use super::footprint::Footprint;
use super::page::Page;
use super::round::{Measured, Runs, Sample};
use super::summary::Summary;

/// Changes with the format.
const SCHEMA: &str = "kneepoint.bench/1";

impl Page {
    /// Everything.
    pub(super) fn json(&self) -> Value {
        json!({
            "schema": SCHEMA,
            "machine": self.machine.json(),
            "cpu": self.cpu,
            "rounds": self.rounds,
            "seconds": self.seconds,
            "cases": self.measured.iter().map(case).collect::<Vec<Value>>(),
            "footprint": self.footprints.iter().map(footprint).collect::<Vec<Value>>(),
            "omissions": self.omissions,
        })
    }
}

fn case(measured: &Measured) -> Value {
    json!({
        "case": measured.case.to_string(),
        "medians": measured.summaries().iter().map(medians).collect::<Vec<Value>>(),
        "runs": measured.runs.iter().map(runs).collect::<Vec<Value>>(),
        "failures": measured.failures,
    })
}

fn medians(summary: &Summary) -> Value {
    let ratio = summary
        .ratio
        .map(|ratio| json!({ "median": ratio.median, "min": ratio.min, "max": ratio.max }));
    let response = summary.response;
    json!({
        "tool": summary.tool.to_string(),
        "ios_per_s": summary.ios_per_s,
        "user_ns_per_io": summary.user_ns_per_io,
        "system_ns_per_io": summary.system_ns_per_io,
        "mean_ns": response.map(|response| response.mean_ns),
        "p99_ns": response.map(|response| response.p99_ns),
        "outstanding": response.map(|response| response.outstanding),
        "kneepoint_over_tool": ratio,
    })
}

fn runs(runs: &Runs) -> Value {
    let samples = runs.samples.iter().map(|sample| sample.as_ref().map(self::sample));
    json!({
        "tool": runs.tool.to_string(),
        "command": runs.command,
        "samples": samples.collect::<Vec<Option<Value>>>(),
    })
}

fn sample(sample: &Sample) -> Value {
    let response = sample.reading.response;
    json!({
        "ios_per_s": sample.reading.ios_per_s,
        "user_ns_per_io": sample.user_ns_per_io,
        "system_ns_per_io": sample.system_ns_per_io,
        "mean_ns": response.map(|response| response.mean_ns),
        "p99_ns": response.map(|response| response.p99_ns),
        "outstanding": response.map(|response| response.outstanding),
    })
}

fn footprint(footprint: &Footprint) -> Value {
    json!({ "what": footprint.what, "median": footprint.value, "unit": footprint.unit })
}

#[test]
fn the_record_has_samples_and_medians() {
    let json = super::page::tests::page().json();
    let at = |pointer: &str| json.pointer(pointer).unwrap_or(&Value::Null).clone();
    assert_eq!(at("/schema"), SCHEMA);
    assert_eq!(at("/cases/0/case"), "zram, 4 KiB random read, io_uring, 8");
    assert_eq!(at("/cases/0/runs/0/samples/2/ios_per_s"), 500e3);
    assert_eq!(at("/cases/0/runs/1/samples/1"), Value::Null);
    assert_eq!(at("/cases/0/medians/1/kneepoint_over_tool/median"), 2.25);
    assert_eq!(at("/cases/0/medians/2/mean_ns"), Value::Null);
    assert_eq!(at("/footprint/0/unit"), "ms");
}
