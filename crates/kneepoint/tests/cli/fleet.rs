//! Runs on several hosts: here, agents in the same process.

use std::process::Stdio;

use serde_json::Value;

use crate::busy::Busy;
use crate::interrupt::await_first_point;
use crate::program::{Bench, signal};
use crate::result::{check_points, check_schema, is_close, number, points};
use crate::snapshot::check;

/// Checks that the parts of `kind`, `hosts` or `targets`, add up to the whole of every point.
fn check_parts(result: &Value, kind: &str, count: usize) {
    for point in points(result) {
        let parts = point[kind].as_array().unwrap();
        assert_eq!(parts.len(), count, "{point}");
        let sum: f64 = parts.iter().map(|part| number(&part["rate"])).sum();
        assert!(is_close(sum, number(&point["rate"]["mean"])), "{point}");
    }
}

#[test]
fn files_on_two_hosts_are_measured_together() {
    let bench = Bench::new();
    let arguments = ["run", "database", "a.dat", "local2:b.dat", "--hosts", "local:2", "--size"];
    let more = ["4MiB", "--outstanding", "1,4", "--time", "300ms", "--ramp", "100ms"];
    let said = bench.succeed(&[&arguments[..], &more].concat());
    assert!(said.stderr.contains("local1: writing"), "{}", said.stderr);
    let result: Value = bench.json(&["export", "last"]);
    check_schema(&result);
    check_points(&result);
    check_parts(&result, "hosts", 2);
    check_parts(&result, "targets", 2);
    let targets = result["environment"]["targets"].as_array().unwrap();
    let names: Vec<&str> =
        targets.iter().map(|target| target["target"].as_str().unwrap()).collect();
    assert_eq!(names, ["local1:a.dat", "local2:b.dat"]);
    assert_eq!(targets[1]["host"], "local2");
    let hosts = result["environment"]["hosts"].as_array().unwrap();
    assert_eq!(hosts.len(), 2);
    assert!(number(&hosts[1]["clock"]["bound_us"]) < 1e6, "{}", hosts[1]["clock"]);
    assert_eq!(bench.names()[..2], ["a.dat", "b.dat"]);
}

#[test]
fn an_interrupted_run_goes_on_with_its_hosts() {
    let bench = Bench::new();
    let arguments = ["run", "random-read", "local1:null:", "local2:null:", "--hosts", "local:2"];
    let more = ["--outstanding", "1,2,3", "--ramp", "0s", "--time", "600ms"];
    let arguments = [&arguments[..], &more].concat();
    let child = bench.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    await_first_point(&mut child);
    signal("INT", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_eq!(bench.json(&["export", "last"])["run"]["state"], "interrupted");
    bench.succeed(&["resume"]);
    let result: Value = bench.json(&["export", "last"]);
    assert_eq!(result["run"]["state"], "complete");
    assert_eq!(points(&result).len(), 3);
    check_parts(&result, "hosts", 2);
}

#[test]
fn what_a_host_refuses_is_said_with_its_name() {
    let bench = Bench::new();
    bench.write("other.txt", "not ours");
    let said = bench.run(&[
        "run",
        "database",
        "a.dat",
        "local2:other.txt",
        "--hosts",
        "local:2",
        "--size",
        "4MiB",
    ]);
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains("local2: "), "{}", said.stderr);
    assert_eq!(bench.read("other.txt"), "not ours");
}

#[test]
fn hosts_without_targets_and_varied_settings_are_refused() {
    let bench = Bench::new();
    let said = bench.run(&["plan", "database", "a.dat", "--hosts", "local:2"]);
    assert!(said.stderr.contains("local1 has no target") || said.stderr.contains("local2 has no"));
    let factors = ["--factor", "scheduler=none,mq-deadline"];
    let arguments = ["plan", "random-read", "a.dat", "b.dat", "--hosts", "local:2"];
    let said = bench.run(&[&arguments[..], &factors].concat());
    let refusal = "agents in one process vary no settings of their machine";
    assert!(said.stderr.contains(refusal), "{}", said.stderr);
    let said = bench.run(&["plan", "database", "a.dat", "--hosts", "no where"]);
    assert!(said.stderr.contains("names no hosts"), "{}", said.stderr);
}

#[test]
fn a_plan_says_what_is_written_on_each_host() {
    let bench = Bench::new();
    let arguments = ["plan", "database", "a.dat", "b.dat", "--hosts", "local:2", "--size", "4MiB"];
    let said = bench.succeed(&arguments);
    assert!(said.stdout.contains("local2:b.dat"), "{}", said.stdout);
    assert!(said.stdout.contains("written: 8.0 MiB of test files"), "{}", said.stdout);
    assert!(bench.names().is_empty());
}

#[test]
fn a_plan_says_which_host_gets_which_load() {
    check(
        "plan-hosts",
        &[
            "plan random-read sim:analytic/mm1 sim:analytic/md1 sim:analytic/mm1?service=2ms --hosts local:2 --outstanding 1,2,4",
            "plan random-write local1:null: local2:null: --hosts local:2 --rate 100,200 --steady-state 60s --precondition",
            "plan database sim:analytic/mm1?service=5ms sim:analytic/md1 --hosts local:2 --outstanding auto --rule p99<=50ms",
        ],
    );
    let bench = Bench::new();
    let arguments = ["plan", "database", "local1:a.dat", "local1:b.dat", "local2:c.dat"];
    let more = ["--hosts", "local:2", "--size", "4MiB", "--outstanding", "1,8"];
    let said = bench.succeed(&[&arguments[..], &more].concat()).stdout;
    let lines: Vec<String> =
        said.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for line in [
        "local1 a.dat 1, 8 outstanding I/Os 4.0 MiB",
        "local1 all 2 2, 16 outstanding I/Os 8.0 MiB",
        "local2 c.dat 1, 8 outstanding I/Os 4.0 MiB",
        "local1: 8.0 MiB of test files are laid out; measuring writes at the pace of its targets",
    ] {
        assert!(lines.iter().any(|said| said == line), "{line}\n{said}");
    }
}

/// Copies of files with what identifies them, in the order in which they were made.
fn copies(result: &Value) -> Vec<String> {
    let copy = |copy: &Value| {
        let target = copy["target"].as_str().unwrap().rsplit(':').next().unwrap();
        assert_eq!(copy["error"], Value::Null, "{copy}");
        assert!(number(&copy["elapsed_s"]) > 0.0);
        format!(
            "{target} {} {} {} {} {}",
            copy["method"], copy["cache"], copy["repetition"], copy["files"], copy["bytes"]
        )
    };
    result["copies"].as_array().unwrap().iter().map(copy).collect()
}

#[test]
fn files_are_copied_on_each_host_as_on_one_machine() {
    let bench = Bench::new();
    bench.write(
        "small.toml",
        "name = \"small\"\ntitle = \"Small\"\nsize = \"4MiB\"\noutstanding = \"1\"\n\n\
         [[series]]\nprofile = \"random-read\"\n\n[file_copy]\nbytes = \"1MB\"\nfiles = 20\n\
         directories = 4\nrepeat = 2\n",
    );
    let work = ["run", "./small.toml", "a.dat", "b.dat", "--buffered", "--time", "100ms"];
    let more = ["--ramp", "0s", "--json", "-"];
    let one = bench.json(&[&work[..], &more].concat());
    let hosts = ["--hosts", "local:2"];
    let fleet = bench.json(&[&work[..], &more, &hosts].concat());
    check_schema(&fleet);
    assert_eq!(copies(&one).len(), 24);
    assert_eq!(copies(&one), copies(&fleet));
    assert_eq!(fleet["copies"][0]["target"], "local1:a.dat");
    let planned = bench.succeed(&["plan", "./small.toml", "a.dat", "b.dat", "--hosts", "local:2"]);
    let text =
        "beside local2:b.dat: 977 KiB of source, which stay; 12 copies write 11.4 MiB in all";
    assert!(planned.stdout.contains(text), "{}", planned.stdout);
}

#[test]
fn numbers_published_of_a_system_stand_beside_those_of_one_host() {
    let published = |hosts: &str, more: &[&str]| {
        let bench = Bench::new();
        let arguments = ["run", "database", "sim:fastt900", "--quick", "--outstanding", "1"];
        let arguments =
            [&arguments[..], more, &["--rule", "mean<=20ms"], &["--hosts", hosts, "--json", "-"]]
                .concat();
        let result = bench.json(&arguments);
        result["environment"]["published"].as_array().map_or(0, Vec::len)
    };
    assert!(published("local:1", &[]) > 0);
    assert_eq!(published("local:2", &["sim:fastt700"]), 0);
}

#[test]
fn each_host_waits_for_a_quiet_machine() {
    let bench = Bench::new();
    let arguments = ["run", "random-read", "local1:null:", "local2:null:", "--hosts", "local:2"];
    let more = ["--outstanding", "1", "--ramp", "0s", "--time", "100ms", "--wait-quiet", "1s"];
    let busy = Busy::keep();
    let said = bench.succeed(&[&arguments[..], &more].concat()).stderr;
    drop(busy);
    for host in ["local1", "local2"] {
        let waits =
            format!("{host}: waiting for a quiet machine, at most 1 s: other programs use ");
        assert_eq!(said.matches(&waits).count(), 1, "{said}");
    }
}
