//! Rounds over all series until steady state: planned, refused, measured, told and resumed.

use std::process::Stdio;

use serde_json::Value;

use crate::hosts::{Lab, check_sums};
use crate::interrupt::await_first_point;
use crate::program::Bench;
use crate::result::{check_points, check_schema, number, points};

/// Two series, of which the writes are tracked.
const SUITE: &str = r#"
name = "steady"
title = "Steady"
size = "8MiB"
outstanding = "4"

[precondition]
block = "128KiB"

[rounds]
time = "100ms"
tracked = ["random-write/4KiB"]
MORE

[[series]]
profile = "random-read"
block = ["4KiB"]

[[series]]
profile = "random-write"
block = ["4KiB"]
"#;

/// A folder with the suite, and these lines in its rounds.
fn bench(more: &str) -> Bench {
    let bench = Bench::new();
    bench.write("steady.toml", SUITE.replace("MORE", more));
    bench
}

/// Series and round of each point.
fn order(result: &Value) -> Vec<(String, u64)> {
    let told = |point: &Value| {
        let series = point["series"].as_str().unwrap().to_owned();
        (series, point["repetition"].as_u64().unwrap())
    };
    points(result).iter().map(told).collect()
}

#[test]
fn rounds_are_planned() {
    let bench = Bench::new();
    let planned = bench.succeed(&["plan", "snia-iops", "null:"]).stdout;
    let told = "rounds: 5 to 25 over all series in their order, until the last 5 of them are steady: range \
                within 20% of the mean, slope within 10%, of the throughput of rw-0-100/4KiB, rw-65-35/64KiB, \
                rw-100-0/1MiB\n";
    assert!(planned.contains(told), "{planned}");
    assert!(planned.contains("each point: 0s ramp, 60s measured\n"), "{planned}");
    assert!(planned.contains("time: 280 points or more, expected to take 4 h 40 min"), "{planned}");
    assert!(planned.contains("if all 25 rounds are needed"), "{planned}");
    assert!(planned.contains("wear: it writes 2.0 times what is used"), "{planned}");
    let saturation = bench.succeed(&["plan", "snia-wsat", "null:"]).stdout;
    assert!(saturation.contains("the last 5 samples, 30 rounds apart, are steady"), "{saturation}");
    assert!(!saturation.contains("preconditioning"), "{saturation}");
    let quick = bench.succeed(&["plan", "snia-latency", "null:", "--quick"]).stdout;
    assert!(quick.contains("each point: 0s ramp, 1s measured\n"), "{quick}");
    let other = bench.succeed(&["plan", "random-write", "null:", "--repeat", "3"]).stdout;
    assert!(!other.contains("rounds"), "{other}");
}

#[test]
fn what_rounds_do_not_have_is_refused() {
    let bench = bench("");
    let refuse = |words: &[&str], why: &str| {
        let all = [&["plan", "./steady.toml", "null:"][..], words].concat();
        bench.refuse(&all, why);
    };
    refuse(&["--repeat", "2"], "leave out --repeat; each round measures everything once");
    refuse(&["--accuracy", "5%"], "--time says how long each series takes");
    refuse(&["--outstanding", "1,2"], "random-read/4KiB has more than one load");
    refuse(&["--block", "8KiB"], "random-write/4KiB must be steady, and is not measured");
    bench.refuse(&["knee", "./steady.toml", "null:"], "the search (`kneepoint knee`)");
}

#[test]
fn a_file_is_preconditioned_and_measured_round_by_round() {
    // Any range and slope will do: a shared machine is never steady.
    let bench = bench("max = 6\nexcursion = \"100%\"\nslope = \"100%\"");
    let arguments = ["run", "./steady.toml", "k.dat", "--report", "report.html", "--json", "-"];
    let result = bench.json(&arguments);
    check_schema(&result);
    check_points(&result);
    let found = &result["analysis"]["rounds"];
    let count = found["rounds"].as_u64().unwrap();
    let names = ["random-read/4KiB", "random-write/4KiB"];
    let expected = (0..count).flat_map(|round| names.map(|name| (name.to_owned(), round)));
    assert_eq!(order(&result), expected.collect::<Vec<_>>());
    assert_eq!(found["cells"].as_array().unwrap().len(), 2);
    let mean = number(&found["tracked"][0]["mean"]);
    assert!((mean - number(&found["cells"][1]["rate"])).abs() < 1e-6 * mean, "{found}");
    let page = bench.read("report.html");
    assert!(page.contains("Determination of the steady state"), "no chapter");
    let told = bench.succeed(&["show", "last"]).stdout;
    assert!(told.contains("; the numbers are means over 5 of them, from round "), "{told}");
}

#[test]
fn a_simulated_drive_is_steady_at_once_and_says_so() {
    let bench = bench("");
    let target = "sim:drive/ssd-sata25-32?size=1GiB";
    let result = bench.json(&["run", "./steady.toml", target, "--json", "-"]);
    assert_eq!(result["analysis"]["rounds"]["attained"], true);
    assert_eq!(points(&result).len(), 10);
    assert_eq!(result["warnings"], Value::Array(Vec::new()));
    let told = bench.succeed(&["show", "last"]).stdout;
    assert!(told.contains("\nsteady after 5 rounds;") && !told.contains("not steady"), "{told}");
}

#[test]
fn write_saturation_is_measured_to_its_end() {
    let bench = Bench::new();
    let target = "sim:drive/ssd-sata25-32?flash_state=fresh";
    let run =
        ["run", "snia-wsat", target, "--time", "1s", "--report", "report.html", "--json", "-"];
    let result = bench.json(&run);
    check_schema(&result);
    let found = &result["analysis"]["rounds"];
    assert_eq!(found["attained"], true);
    let window: Vec<u64> =
        found["window"].as_array().unwrap().iter().map(|round| round.as_u64().unwrap()).collect();
    assert_eq!(window.len(), 5);
    assert!(window.windows(2).all(|pair| pair[1] - pair[0] == 30), "{window:?}");
    assert_eq!(window[4] + 1, found["rounds"].as_u64().unwrap());
    let in_window = points(&result)
        .iter()
        .filter(|point| window.contains(&point["repetition"].as_u64().unwrap()));
    let rates: Vec<f64> = in_window.map(|point| number(&point["rate"]["mean"])).collect();
    let mean = rates.iter().sum::<f64>() / 5.0;
    assert!((mean - number(&found["tracked"][0]["mean"])).abs() < 1e-6 * mean, "{found}");
    let page = bench.read("report.html");
    assert!(
        page.contains("Written (GiB)") && page.contains("over what the rounds wrote"),
        "no figure"
    );
    assert!(page.contains("conformance is not claimed"));
}

#[test]
fn hosts_go_through_rounds_together() {
    let Some(lab) = Lab::with(&["a", "b"]) else { return };
    let any = "max = 6\nexcursion = \"100%\"\nslope = \"100%\"";
    lab.bench.write("steady.toml", SUITE.replace("MORE", any));
    let targets = ["a", "b"].map(|host| format!("{host}:{}", lab.file(host)));
    let arguments = ["run", "./steady.toml", "--hosts", "a,b", &targets[0], &targets[1]];
    let said = lab.run(&arguments);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let result = lab.bench.json(&["export", "last"]);
    check_points(&result);
    check_sums(&result, 2);
    let found = &result["analysis"]["rounds"];
    let rounds = found["rounds"].as_u64().unwrap();
    assert!((5..=6).contains(&rounds), "{found}");
    let names = ["random-read/4KiB", "random-write/4KiB"];
    let expected = (0..rounds).flat_map(|round| names.map(|name| (name.to_owned(), round)));
    assert_eq!(order(&result), expected.collect::<Vec<_>>());
    let mean = number(&found["tracked"][0]["mean"]);
    assert!((mean - number(&found["cells"][1]["rate"])).abs() < 1e-6 * mean, "{found}");
    for host in ["a", "b"] {
        // Each has written its target twice from end to end before the first round.
        let record = lab.record(host);
        let last: Value = serde_json::from_str(record.lines().last().unwrap()).unwrap();
        assert!(number(&last["bytes_written"]) >= f64::from(3 * (8 << 20)), "{record}");
    }
}

#[test]
fn an_interrupted_round_goes_on_where_it_stopped() {
    let bench = bench("max = 6\nexcursion = \"100%\"\nslope = \"100%\"");
    let run = ["run", "./steady.toml", "k.dat", "--time", "500ms"];
    let mut child =
        bench.command(&run).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    await_first_point(&mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    let resumed = bench.succeed(&["resume"]);
    assert!(!resumed.stderr.contains("preconditioned"), "{}", resumed.stderr);
    let result = bench.json(&["export", "last"]);
    let numbers: Vec<u64> = order(&result).iter().map(|(_, round)| *round).collect();
    assert!(numbers.is_sorted() && numbers.len() >= 10, "{numbers:?}");
    assert_eq!(result["run"]["state"], "complete");
}

/// What a command purges is purged before anything is written, once for all rounds, and said in the report.
#[test]
fn a_purge_runs_once_before_all_rounds() {
    let bench = bench(
        r#"
max = 5
excursion = "100%"
slope = "100%"

[[factor]]
name = "purge"
levels = ["erase"]
set = ["sh", "-c", "echo $0 $1 >> log", "{level}", "{target}"]
check = ["tail", "-c", "6", "log"]
expect = "k.dat"
restore = ["true"]
"#,
    );
    let run = ["run", "./steady.toml", "k.dat", "--label=one", "--json=one.json"];
    let said = bench.succeed(&run);
    let result: Value = serde_json::from_str(&bench.read("one.json")).unwrap();
    check_schema(&result);
    assert_eq!(bench.read("log"), "erase k.dat\n", "{}", said.stderr);
    assert_eq!(points(&result).len(), 10, "five rounds of two");
    assert_eq!(points(&result)[0]["factors"]["purge"], "erase");
    bench.succeed(&["report", "one", "-o", "a.md"]);
    let report = bench.read("a.md");
    assert!(report.contains("commands of the user set purge=erase"), "{report}");
    assert!(!report.contains("Kneepoint purged nothing before"), "{report}");
    let several = ["plan", "./steady.toml", "k.dat", "--factor", "read_ahead=1,2"];
    bench.refuse(&several, "measured in rounds until steady state");
}
