//! Settings that are varied: on simulated systems, by commands of one's own, on a loop device.
//!
//! `KNEEPOINT_KILLS=100 cargo test -p kneepoint --test cli factors` kills more often.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use kneepoint_testkit::skipped;
use serde_json::Value;

use crate::interrupt::hangup_is_ignored;
use crate::loop_bench::{self, Loop};
use crate::program::{Bench, signal};
use crate::result::{check_schema, number, points};
use crate::snapshot::check;

/// Kills of a test run where no one asks for more.
const KILLS: usize = 6;

/// A suite that varies the content of the file `setting`.
const OWN: &str = r#"name = "own"
title = "A setting of one's own"
order = "as-written"
[[factor]]
name = "mode"
levels = ["a", "b"]
set = ["sh", "-c", "echo half > setting; sleep 0.1; echo $0 > setting", "{level}"]
check = ["cat", "setting"]
restore = ["sh", "-c", "echo before > setting"]
[[series]]
profile = "random-read"
outstanding = "1,2"
"#;

const RUN_OWN: [&str; 7] =
    ["run", "./own.toml", "sim:analytic/md1?service=1ms", "--time", "1s", "--ramp", "0s"];

/// A folder with the suite and the setting.
fn own() -> Bench {
    let bench = Bench::new();
    bench.write("own.toml", OWN);
    bench.write("setting", "before\n");
    bench
}

#[test]
fn factors_of_a_simulated_system() {
    check(
        "factors-sim",
        &[
            "plan database sim:fastt900?drives=20 --factor raid=raid5,raid10 --factor write_cache=off,on --outstanding 1,8 --time 2s --repeat 2 --seed 3",
            "run database sim:fastt900?drives=20 --factor raid=raid5,raid10 --factor write_cache=off,on --outstanding 1,8,64 --time 5s --ramp 1s --seed 3",
            "run database sim:fastt900?drives=20 --factor raid=raid5,raid10 --factor drives=20,40 --design one-at-a-time --order as-written --outstanding 1,8 --time 2s",
        ],
    );
}

#[test]
fn what_cannot_be_varied_says_why() {
    check(
        "factors-faults",
        &[
            "plan database null: --factor scheduler=none",
            "plan database sim:fastt900 --factor raid=raid7",
            "plan database sim:fastt900 --factor scheduler=none,bfq",
            "plan database sim:fastt900 --factor raid",
            "plan database sim:fastt900 --factor raid=raid5,raid5",
            "plan database sim:fastt900 --factor raid=raid5 --design half",
            "resume --restore",
        ],
    );
}

/// Name of the series and levels of a point.
fn place(point: &Value) -> (String, String) {
    (point["series"].to_string(), point["factors"].to_string())
}

#[test]
fn equal_seeds_go_through_the_levels_in_the_same_order() {
    let order = |seed: &str| -> Vec<_> {
        let bench = Bench::new();
        let work = ["run", "database", "sim:fastt900?drives=20", "--outstanding", "1"];
        let factors = ["--factor", "raid=raid0,raid5,raid10", "--factor", "write_cache=off,on"];
        let rest = ["--time", "1s", "--ramp", "0s", "--seed", seed, "--json", "-"];
        let result = bench.json(&[&work[..], &factors, &rest].concat());
        check_schema(&result);
        points(&result).iter().map(place).collect()
    };
    let first = order("1");
    assert_eq!(first, order("1"));
    assert_ne!(first, order("2"));
    assert_eq!(first.iter().collect::<BTreeSet<_>>().len(), 6);
}

#[test]
fn a_write_cache_matters_more_than_nothing() {
    let bench = Bench::new();
    let arguments =
        ["run", "random-write", "sim:fastt900?drives=20&raid=raid5", "--outstanding", "8"];
    let factor = ["--factor", "write_cache=off,on", "--time", "20s", "--json", "-"];
    let result = bench.json(&[&arguments[..], &factor].concat());
    let iops = |level: &str| {
        let found = points(&result).iter().find(|point| point["factors"]["write_cache"] == level);
        number(&found.unwrap()["rate"]["mean"])
    };
    assert!(iops("on") > 1.1 * iops("off"), "{} {}", iops("on"), iops("off"));
    let shown = bench.succeed(&["show"]).stdout;
    assert!(shown.contains("best for random-write/4KiB, peak: write_cache=on"), "{shown}");
}

#[test]
fn commands_are_shown_run_and_undone() {
    let bench = own();
    let plan = bench.succeed(&["plan", "./own.toml", "sim:analytic/md1"]).stdout;
    assert!(plan.contains(r#"set      ["sh", "-c", "echo half > setting"#), "{plan}");
    assert!(plan.contains(r#"restore  ["sh", "-c", "echo before > setting"]"#), "{plan}");
    assert_eq!(bench.read("setting"), "before\n");
    let said = bench.succeed(&RUN_OWN);
    assert!(said.stderr.contains("restored: mode was put back by"), "{}", said.stderr);
    assert_eq!(bench.read("setting"), "before\n");
    assert!(!bench.path("kneepoint.db-settings").exists());
    let result = bench.json(&["export", "last"]);
    let levels: Vec<_> =
        points(&result).iter().map(|point| point["factors"]["mode"].clone()).collect();
    assert_eq!(levels, ["a", "a", "b", "b"]);
}

#[test]
fn a_command_that_fails_ends_the_run_and_restores() {
    let bench = own();
    bench.write(
        "own.toml",
        OWN.replace("[\"a\", \"b\"]", "[\"a\", \"wrong\"]")
            .replace("echo $0 >", "test $0 != wrong && echo $0 >"),
    );
    let said = bench.run(&RUN_OWN);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("the command failed: sh -c"), "{}", said.stderr);
    assert_eq!(bench.read("setting"), "before\n");
    let result = bench.json(&["export", "last"]);
    assert_eq!((&result["run"]["state"], points(&result).len()), (&Value::from("failed"), 2));
}

#[test]
fn commands_of_the_store_are_not_run() {
    let bench = own();
    bench.succeed(&RUN_OWN);
    let mut result = bench.json(&["export", "last"]);
    result["run"]["id"] = "20260101-000000-aaaaaa".into();
    result["run"]["state"] = "interrupted".into();
    let kept = points(&result)[0].clone();
    result["points"] = Value::Array(vec![kept]);
    bench.write("foreign.json", result.to_string());
    bench.write("setting", "mine\n");
    bench.succeed(&["import", "foreign.json"]);
    let refused = bench.run(&["resume", "20260101-000000-aaaaaa"]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.stderr.contains("commands are never taken from the store"),
        "{}",
        refused.stderr
    );
    assert_eq!(bench.read("setting"), "mine\n");
    bench.write("other.toml", OWN.replace("before", "else"));
    let with = |file| ["resume", "20260101-000000-aaaaaa", "--commands", file];
    let refused = bench.run(&with("other.toml"));
    assert!(
        refused.stderr.contains("has other commands for the factor 'mode'"),
        "{}",
        refused.stderr
    );
    bench.succeed(&with("own.toml"));
    assert_eq!(points(&bench.json(&["export", "20260101-000000-aaaaaa"])).len(), 4);
}

/// Kills a run at that moment; tells whether it was still going.
fn kill_run(bench: &Bench, pause: Duration) -> bool {
    let command = bench.command(&RUN_OWN).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut child = command.unwrap();
    thread::sleep(pause);
    let ended = child.try_wait().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    ended.is_none()
}

#[test]
fn a_killed_run_is_put_back_from_its_journal() {
    let kills = std::env::var("KNEEPOINT_KILLS").ok().and_then(|text| text.parse().ok());
    let mut moment = 2026_u64;
    let (mut killed, mut left) = (0, 0);
    for _ in 0..kills.unwrap_or(KILLS) {
        let bench = own();
        moment = moment.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        killed += usize::from(kill_run(&bench, Duration::from_millis((moment >> 33) % 700)));
        let journal = bench.path("kneepoint.db-settings").exists();
        left += usize::from(journal);
        let said = bench.succeed(&["resume", "--restore", "--commands", "own.toml"]);
        assert_eq!(bench.read("setting"), "before\n", "{}", said.stderr);
        assert!(!bench.path("kneepoint.db-settings").exists(), "{}", said.stderr);
        assert_eq!(journal, !said.stderr.contains("nothing to restore"), "{}", said.stderr);
    }
    println!("{killed} processes killed, {left} left a journal");
}

/// Waits for the `sleep 60` that a command of a run in this folder waits for; its process.
fn sleeper(bench: &Bench) -> u32 {
    let folder = fs::canonicalize(bench.path("")).unwrap();
    let found = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.unwrap().path();
        let is_here = fs::read_link(path.join("cwd")).ok()? == folder;
        let command = fs::read_to_string(path.join("cmdline")).ok()?;
        let id = path.file_name()?.to_str()?.parse().ok()?;
        (is_here && command == "sleep\x0060\0").then_some(id)
    };
    loop {
        if let Some(id) = fs::read_dir("/proc").unwrap().find_map(found) {
            return id;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_hangup_and_its_kin_put_settings_back() {
    for name in ["HUP", "QUIT", "TERM", "INT"] {
        if name == "HUP" && hangup_is_ignored() {
            skipped("these tests run with SIGHUP ignored, as below nohup");
            continue;
        }
        let bench = own();
        // The check of the second level waits until the signal has come, which it does not get.
        let waits = "cat setting; if grep -q b setting; then touch seen; \
                     while test ! -e go; do sleep 0.02; done; fi";
        bench.write(
            "own.toml",
            OWN.replace("[\"cat\", \"setting\"]", &format!(r#"["sh", "-c", "{waits}"]"#)),
        );
        let run = bench.command(&RUN_OWN).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let mut run = run.unwrap();
        while !bench.path("seen").exists() {
            assert!(run.try_wait().unwrap().is_none(), "the run ended");
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(bench.read("setting"), "b\n");
        signal(name, run.id());
        thread::sleep(Duration::from_millis(300));
        bench.write("go", "");
        let ended = run.wait_with_output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(1), "{name}: {said}");
        assert_eq!(bench.read("setting"), "before\n", "{name}: {said}");
        assert!(!bench.path("kneepoint.db-settings").exists(), "{name}: {said}");
    }
}

#[test]
fn a_command_that_runs_long_ends_by_its_signals() {
    // No shell: some take signals again that whoever starts them does not.
    let words = |key: &str, words: &str| format!("{key} = [{words}]\n");
    let commands = words("set", r#""sleep", "{level}""#)
        + &words("check", r#""echo", "{level}""#)
        + &words("restore", r#""touch", "restored""#);
    let (before, rest) = OWN.split_once("levels").unwrap();
    let (_, series) = rest.split_once("[[series]]").unwrap();
    let suite = format!("{before}levels = [\"0\", \"60\"]\n{commands}[[series]]{series}");
    for name in ["INT", "TERM", "HUP", "QUIT"] {
        if name == "HUP" && hangup_is_ignored() {
            skipped("these tests run with SIGHUP ignored, as below nohup");
            continue;
        }
        let bench = Bench::new();
        bench.write("own.toml", &suite);
        let mut run = bench.command(&RUN_OWN);
        let run = run.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        signal(name, sleeper(&bench));
        let ended = run.wait_with_output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(2), "{said}");
        assert!(said.contains("the command failed: sleep 60"), "{said}");
        assert!(bench.path("restored").exists(), "{said}");
    }
}

#[test]
fn nothing_is_measured_while_settings_are_left_changed() {
    let bench = own();
    // The check of the second level waits to be killed.
    let waiting =
        r#"["sh", "-c", "cat setting; if grep -q b setting; then touch reached; sleep 60; fi"]"#;
    bench.write("own.toml", OWN.replace("[\"cat\", \"setting\"]", waiting));
    let mut child =
        bench.command(&RUN_OWN).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !bench.path("reached").exists() {
        assert!(child.try_wait().unwrap().is_none(), "the run ended");
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    signal("TERM", sleeper(&bench));
    wait_for_lock(&bench.path("kneepoint.db-settings"));
    let live = ["compare", "--live", "sim:analytic/md1", "sim:analytic/mm1"];
    for work in [&["run", "random-read", "sim:analytic/md1", "--time", "1s"][..], &live] {
        let refused = bench.run(work);
        assert_eq!(refused.code, Some(2));
        let why = "was killed and left settings changed";
        assert!(refused.stderr.contains(why), "{}", refused.stderr);
    }
    let said = bench.succeed(&["resume", "--restore", "--commands", "own.toml"]);
    assert!(said.stderr.contains("restored: mode was put back by"), "{}", said.stderr);
    assert_eq!(bench.read("setting"), "before\n");
    bench.succeed(&["run", "random-read", "sim:analytic/md1", "--time", "1s"]);
}

/// Waits until no one holds the journal.
fn wait_for_lock(path: &Path) {
    while fs::File::open(path).unwrap().try_lock().is_err() {
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn settings_of_a_loop_device() {
    let Some(place) = loop_bench::Bench::new(&[]) else { return };
    let bench = Bench::new();
    let device = Loop::attach(&place.image("varied", 16), &[]);
    let queue =
        Path::new("/sys/block").join(device.name().trim_start_matches("/dev/")).join("queue");
    let read = |name: &str| fs::read_to_string(queue.join(name)).unwrap();
    if !read("scheduler").contains("mq-deadline") {
        skipped("the kernel has no mq-deadline");
        return;
    }
    let before = (read("scheduler"), read("read_ahead_kb"));
    let work = ["run", "random-read", device.name(), "--outstanding", "1", "--time", "1s"];
    let factors = ["--factor", "scheduler=none,mq-deadline", "--factor", "read_ahead=0,64"];
    let said = bench.succeed(&[&work[..], &factors].concat());
    assert_eq!((read("scheduler"), read("read_ahead_kb")), before, "{}", said.stderr);
    assert!(said.stderr.contains("restored: read_ahead of loop"), "{}", said.stderr);
    assert_eq!(points(&bench.json(&["export", "last"])).len(), 4);
    let plan = bench.succeed(&[&["plan"], &work[1..], &factors[..]].concat()).stdout;
    assert!(plan.contains(&format!("{}/scheduler", queue.display())), "{plan}");
    // A level that the kernel does not take as it is ends the run, and everything is put back.
    let odd = ["--factor", "nr_requests=1000000000000"];
    let said = bench.run(&[&work[..], &odd].concat());
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert_eq!((read("scheduler"), read("read_ahead_kb")), before, "{}", said.stderr);
}

#[test]
fn commands_of_a_journal_are_not_run() {
    use std::os::unix::fs::PermissionsExt;
    let bench = own();
    let waiting =
        r#"["sh", "-c", "cat setting; if grep -q b setting; then touch reached; sleep 5; fi"]"#;
    bench.write("own.toml", OWN.replace("[\"cat\", \"setting\"]", waiting));
    let command = bench.command(&RUN_OWN).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut child = command.unwrap();
    while !bench.path("reached").exists() {
        assert!(child.try_wait().unwrap().is_none(), "the run ended");
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let journal = bench.path("kneepoint.db-settings");
    wait_for_lock(&journal);
    // A directory that was copied: the journal has another inode, and the same commands.
    let text = fs::read(&journal).unwrap();
    fs::write(bench.path("foreign.db-settings"), text).unwrap();
    fs::set_permissions(bench.path("foreign.db-settings"), fs::Permissions::from_mode(0o600))
        .unwrap();
    for store in ["kneepoint.db", "foreign.db"] {
        let refused = bench.run(&["resume", "--restore", "--store", store]);
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        assert!(
            refused.stderr.contains("commands are never taken from a journal"),
            "{}",
            refused.stderr
        );
        assert_eq!(bench.read("setting"), "b\n");
    }
    bench.succeed(&["resume", "--restore", "--commands", "own.toml"]);
    assert_eq!(bench.read("setting"), "before\n");
}

#[test]
fn a_file_that_is_no_journal_stays() {
    let bench = own();
    let journal = "kneepoint.db-settings";
    for text in ["", "precious"] {
        bench.write(journal, text);
        bench.succeed(&["run", "random-read", "sim:analytic/md1", "--time", "1s"]);
        assert_eq!(bench.read(journal), text);
        let said = bench.run(&RUN_OWN);
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        assert!(said.stderr.contains("is in the way"), "{}", said.stderr);
        let said = bench.succeed(&["resume", "--restore"]);
        assert!(said.stderr.contains("nothing to restore"), "{}", said.stderr);
        assert_eq!(bench.read(journal), text);
    }
}

#[test]
fn a_setting_that_someone_else_changes_disturbs_the_point_and_stays() {
    let Some(place) = loop_bench::Bench::new(&[]) else { return };
    let bench = Bench::new();
    let device = Loop::attach(&place.image("foreign", 16), &[]);
    let queue =
        Path::new("/sys/block").join(device.name().trim_start_matches("/dev/")).join("queue");
    let value = queue.join("read_ahead_kb");
    let work = ["run", "random-read", device.name(), "--outstanding", "1,2", "--time", "1s"];
    let factors = ["--factor", "read_ahead=64,0", "--order", "as-written", "--ramp", "0s"];
    let words = [&work[..], &factors].concat();
    let command = bench.command(&words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let child = command.unwrap();
    while fs::read_to_string(&value).unwrap() != "64\n" {
        thread::sleep(Duration::from_millis(2));
    }
    // A second run with another store is refused meanwhile.
    let second = bench.run(&[&words[..], &["--store", "other.db"]].concat());
    assert_eq!(second.code, Some(2), "{}", second.stderr);
    assert!(second.stderr.contains("is in use"), "{}", second.stderr);
    fs::write(&value, "512").unwrap();
    let said = bench.said(child.wait_with_output().unwrap());
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains("someone else changed it"), "{}", said.stderr);
    assert_eq!(fs::read_to_string(&value).unwrap(), "512\n", "it is left");
    let result = bench.json(&["export", "last"]);
    check_schema(&result);
    let last = points(&result).last().unwrap();
    assert_eq!(last["verdict"], "disturbed");
    assert!(last["warnings"].to_string().contains("setting changed: read_ahead"), "{last}");
}
