//! What holds in every result.

use std::fs;

use serde_json::Value;

/// The points of a result, at least one.
pub(crate) fn points(result: &Value) -> &[Value] {
    let points = result["points"].as_array().unwrap();
    assert!(!points.is_empty());
    points
}

/// A number.
pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is a number"))
}

/// Whether two numbers are equal but for rounding.
pub(crate) fn is_close(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-9 * left.abs().max(right.abs())
}

/// Holds a result against the schema that is checked in.
pub(crate) fn check_schema(result: &Value) {
    check_document(result, "run");
}

/// Holds a document against the schema `kneepoint.NAME.schema.json`.
pub(crate) fn check_document(result: &Value, name: &str) {
    let reference = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference");
    let path = format!("{reference}/kneepoint.{name}.schema.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(result)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

/// Checks what must hold at every point, whatever was measured.
pub(crate) fn check_points(result: &Value) {
    let target_count = result["environment"]["targets"].as_array().unwrap().len() as f64;
    for point in points(result) {
        let iops = number(&point["rate"]["mean"]);
        let mib_s = number(&point["volume"]["mean"]);
        let operations = number(&point["operations"]);
        assert!(operations > 0.0, "{point}");
        assert_eq!(number(&point["errors"]), 0.0, "{point}");
        let block = number(&point["storage"]["block_bytes"]);
        assert!(is_close(mib_s * 1_048_576.0, iops * block), "throughput = IO/s x block: {point}");
        // Flushes are in flight, too, and no I/Os.
        let classes = point["classes"].as_object().unwrap();
        let flushing = classes
            .get("flush")
            .map_or(0.0, |flush| number(&flush["rate"]) * number(&flush["latency_ms"]["mean"]));
        let waiting = iops * number(&point["latency_ms"]["mean"]) + flushing;
        let little = waiting / 1000.0 / target_count;
        let achieved = number(&point["storage"]["achieved_outstanding"]);
        // A busy machine may stall an I/O beyond the end: it is in the mean response time whole.
        let has_stalled = point["warnings"].to_string().contains("\"kind\":\"stalled\"");
        let is_less = has_stalled && achieved < little;
        assert!(is_less || is_close(achieved, little), "X x R: {point}");
        assert!(is_close(operations, iops * number(&point["measured_s"])), "{point}");
        let counted = classes.iter().filter(|(name, _)| *name != "flush");
        let sum: f64 = counted.map(|(_, class)| number(&class["operations"])).sum();
        assert_eq!(sum, operations, "{point}");
        let of_targets = point["targets"].as_array().unwrap().iter();
        let sum: f64 = of_targets.map(|target| number(&target["rate"])).sum();
        assert!(is_close(sum, iops), "the targets make up the whole: {point}");
        check_order(&point["latency_ms"]);
    }
}

/// Percentiles rise.
fn check_order(latency: &Value) {
    let names = ["min", "p50", "p90", "p95", "p99", "p99_9", "p99_99", "max"];
    let values = names.map(|name| number(&latency[name]));
    assert!(values.windows(2).all(|pair| pair[0] <= pair[1]), "{latency}");
    let mean = number(&latency["mean"]);
    assert!(values[0] <= mean && mean <= values[7], "{latency}");
}
