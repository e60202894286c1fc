//! Single checks; whole documents are examined in the tests of the program.

use super::{Place, time, unknown_key};
use serde_json::json;

#[test]
fn unknown_keys_are_named_by_their_path() {
    let understood = json!({"run": {"id": "a"}, "points": [{"x": 1}, {"x": 2}]});
    let check =
        |given, key: Option<&str>| assert_eq!(unknown_key(&given, &understood).as_deref(), key);
    check(understood.clone(), None);
    check(json!({"run": {"id": "a", "idd": 1}}), Some("run.idd"));
    check(json!({"points": [{"x": 1}, {"x": 2, "y": 3}]}), Some("points[1].y"));
    // Keys that are left out if they have no value.
    check(json!({"copies": [], "simulated": null}), None);
}

#[test]
fn times_have_a_date_that_can_be() {
    let place = Place::run();
    for text in ["2026-11-21T04:35:10Z", "2026-11-21T04:35:10.25Z", "2026-11-21T04:35:10+00:00"] {
        assert!(time(&place, "started_at", text).is_ok(), "{text}");
    }
    for text in [
        "",
        "yesterday",
        "2026-13-21T04:35:10Z",
        "2026-11-21T24:35:10Z",
        "2026-11-21T04:35:10",
        "2026-11-21T04:35:10.Z",
        "2026-11-21T04:35:10x1Z",
        "2026-11-2éT04:35:10Z",
    ] {
        assert!(time(&place, "started_at", text).is_err(), "{text}");
    }
}

#[test]
fn a_refusal_names_place_field_value_and_expectation() {
    let fault = Place("point 3".to_owned()).at_least("latency_ms.p99", -5.0, 0.0);
    assert_eq!(
        fault.unwrap_err().to_string(),
        "point 3: latency_ms.p99 is -5: expected a number of at least 0"
    );
}

#[test]
fn numbers_that_are_none_are_out_of_every_range() {
    let place = Place::run();
    for value in [f64::NAN, f64::INFINITY, -1.0] {
        assert!(place.at_least("x", value, 0.0).is_err());
        assert!(place.between("x", value, (0.0, 10.0)).is_err());
    }
    assert!(place.equal("x", f64::NAN, (1.0, "one")).is_err());
    assert!(place.equal("x", 1.000_000_1, (1.0, "one")).is_ok());
    assert!(place.rising(&[("low", 2.0), ("high", 1.0)]).is_err());
}
