//! Exports: rows of points and of intervals, and response times in full.

use kneepoint_core::result::RunDocument;
use kneepoint_store::{Store, StoreAccess};
use serde_json::{Value, json};

use crate::program::Bench;
use crate::result::{check_schema, number, points};

fn bench_with_a_run() -> Bench {
    let bench = Bench::new();
    let run = ["run", "database", "sim:analytic/mm1", "--outstanding", "1,2", "--time", "3s"];
    bench.succeed(&[&run[..], &["--label", "first"]].concat());
    bench
}

/// The rows of a CSV, each as pairs of column and field.
fn rows(text: &str) -> Vec<Vec<(String, String)>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let row = |record: csv::StringRecord| {
        let fields = record.iter().map(str::to_owned);
        names.iter().cloned().zip(fields).collect::<Vec<_>>()
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

fn field<'r>(row: &'r [(String, String)], name: &str) -> &'r str {
    let found = row.iter().find(|(column, _)| column == name);
    &found.unwrap_or_else(|| panic!("a column {name}")).1
}

#[test]
fn rows_of_points_say_where_they_come_from() {
    let bench = bench_with_a_run();
    bench.succeed(&["export", "first", "-o", "points.csv"]);
    let result = bench.json(&["export", "first"]);
    let rows = rows(&bench.read("points.csv"));
    assert_eq!(rows.len(), 2);
    for (row, point) in rows.iter().zip(points(&result)) {
        assert_eq!(field(row, "run"), result["run"]["id"]);
        assert_eq!(field(row, "label"), "first");
        assert_eq!(field(row, "host"), result["environment"]["hosts"][0]["host"]);
        assert_eq!(field(row, "targets"), "sim:analytic/mm1");
        for name in ["p50", "p90", "p95", "p99", "p99_9", "p99_99", "max"] {
            let written: f64 = field(row, &format!("latency_{name}_ms")).parse().unwrap();
            assert_eq!(written, number(&point["latency_ms"][name]), "{name}");
        }
    }
}

#[test]
fn rows_of_intervals_have_percentiles_by_class() {
    let bench = bench_with_a_run();
    bench.succeed(&["export", "first", "--intervals", "-o", "intervals.csv"]);
    assert_eq!(
        bench.read("intervals.csv"),
        bench.succeed(&["export", "first", "--intervals"]).stdout
    );
    let result = bench.json(&["export", "first"]);
    check_schema(&result);
    let rows = rows(&bench.read("intervals.csv"));
    assert_eq!(rows.len(), 6);
    let intervals = points(&result).iter().flat_map(|point| point["intervals"].as_array().unwrap());
    for (row, interval) in rows.iter().zip(intervals) {
        let value = |name: &str| field(row, name).parse::<f64>().unwrap();
        assert_eq!(value("rate"), number(&interval["rate"]));
        assert!((value("read_rate") + value("write_rate") - value("rate")).abs() < 1e-6);
        for class in ["", "read_", "write_"] {
            let [p50, p99, max] =
                ["p50", "p99", "max"].map(|name| value(&format!("{class}latency_{name}_ms")));
            assert!(0.0 < p50 && p50 <= p99 && p99 <= max, "{row:?}");
            assert!(value(&format!("{class}latency_mean_ms")) <= max);
        }
        let sum = value("read_rate") * value("read_latency_mean_ms")
            + value("write_rate") * value("write_latency_mean_ms");
        assert!((sum / value("rate") - value("latency_mean_ms")).abs() < 1e-6, "{row:?}");
    }
}

#[test]
fn rows_are_written_as_parquet_too() {
    let bench = bench_with_a_run();
    for intervals in [&[][..], &["--intervals"]] {
        bench.succeed(
            &[&["export", "first", "-o", "rows.parquet", "--force"][..], intervals].concat(),
        );
        let file = std::fs::read(bench.path("rows.parquet")).unwrap();
        assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));
        let names = b"latency_p99_ms";
        assert!(file.windows(names.len()).any(|window| window == names));
    }
    bench.refuse(&["export", "first", "--format", "parquet"], "no text that can be printed");
    let histograms = ["export", "first", "--histograms", "-o", "a.parquet"];
    bench.refuse(&histograms, "histograms have no place in Parquet");
}

#[test]
fn histograms_hold_every_io_and_come_back() {
    let bench = bench_with_a_run();
    bench.succeed(&["export", "first", "--histograms", "-o", "full.json"]);
    let result: Value = serde_json::from_str(&bench.read("full.json")).unwrap();
    check_schema(&result);
    for point in points(&result) {
        for class in ["read", "write"] {
            let pairs = point["histograms"][class].as_array().unwrap();
            let count: u64 = pairs.iter().map(|pair| pair[1].as_u64().unwrap()).sum();
            assert_eq!(json!(count), point["classes"][class]["operations"]);
            assert!(pairs.windows(2).all(|pair| number(&pair[0][0]) < number(&pair[1][0])));
            let last = number(&pairs.last().unwrap()[0]) / 1e3;
            let max = number(&point["classes"][class]["latency_ms"]["max"]);
            assert!(last >= max && last <= max * 1.001, "{last} {max}");
        }
    }
    bench.succeed(&["import", "full.json", "--store", "other.db"]);
    let again = bench.succeed(&["export", "first", "--histograms", "--store", "other.db"]).stdout;
    assert_eq!(again, bench.read("full.json"));
    let plain = bench.json(&["export", "first", "--store", "other.db"]);
    assert_eq!(points(&plain)[0]["histograms"], Value::Null);
}

#[test]
fn rows_survive_whatever_stands_in_a_foreign_run() {
    let bench = bench_with_a_run();
    let mut result = bench.json(&["export", "first"]);
    result["run"]["id"] = json!("20260101-000000-0bad");
    result["run"]["label"] = json!("@SUM(A1)");
    result["environment"]["targets"][0]["target"] = json!("-1+1");
    for (series, point) in
        ["=cmd|' /C calc'!A0", "a\nb,\"c\""].iter().zip(result["points"].as_array_mut().unwrap())
    {
        point["series"] = json!(series);
        point["started_at"] = json!("a\nb,c");
    }
    // `import` would refuse most of it; a store can come from anywhere.
    let document: RunDocument = serde_json::from_value(result).unwrap();
    let mut store = Store::open(&bench.path("kneepoint.db"), StoreAccess::ReadWrite).unwrap();
    store.import(&document).unwrap();
    drop(store);
    bench.succeed(&["export", "20260101-000000-0bad", "-o", "points.csv"]);
    let rows = rows(&bench.read("points.csv"));
    assert_eq!(rows.len(), 2);
    let series: Vec<&str> = rows.iter().map(|row| field(row, "series")).collect();
    // One line each: what would break the line is spelled out.
    assert_eq!(series, ["'=cmd|' /C calc'!A0", "a\\nb,\"c\""]);
    assert_eq!(field(&rows[0], "label"), "'@SUM(A1)");
    assert_eq!(field(&rows[0], "targets"), "'-1+1");
    assert!(field(&rows[0], "rate").parse::<f64>().unwrap() > 0.0);
}

#[test]
fn exports_that_cannot_be_are_refused() {
    let bench = bench_with_a_run();
    for (options, sentence) in [
        (&["--intervals", "-o", "a.json"][..], "--intervals writes rows, and JSON has none"),
        (&["--histograms", "-o", "a.csv"], "histograms have no place in CSV"),
    ] {
        let said = bench.run(&[&["export", "first"], options].concat());
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        assert!(said.stderr.contains(sentence), "{}", said.stderr);
    }
}
