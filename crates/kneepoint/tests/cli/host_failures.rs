//! What goes wrong around the hosts of a fleet, over a real server: the server is started again, a disk fills
//! up, an agent is killed while targets are preconditioned.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use kneepoint_testkit::{Trouble, TroubledFile, has_tools, skipped};
use serde_json::Value;

use crate::hosts::{Lab, check_sums, process_with};
use crate::interrupt::await_first_point;
use crate::program::signal;
use crate::result::{number, points};

#[test]
fn a_run_goes_on_over_a_server_that_is_started_again() {
    let Some(lab) = Lab::with(&["a", "b"]) else { return };
    let run = lab.begin("a,b");
    let config = lab.bench.path("controller/fleet/nats-server.conf");
    let config = config.to_string_lossy().into_owned();
    signal("KILL", process_with(&config).unwrap());
    let mut server = Command::new("nats-server")
        .args(["-c", &config])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let said = lab.bench.said(run.wait_with_output().unwrap());
    server.kill().unwrap();
    server.wait().unwrap();
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    lab.check_whole(2);
}

#[test]
fn a_host_whose_file_system_is_full_is_named_and_the_run_goes_on_once_there_is_space() {
    if !has_tools(&["mount", "umount"]) {
        return;
    }
    let Some(mut lab) = Lab::with(&["a", "b"]) else { return };
    let small = lab.bench.path("small");
    fs::create_dir(&small).unwrap();
    let small = small.to_string_lossy().into_owned();
    let mount = |arguments: &[&str]| {
        Command::new("mount").args(arguments).arg(&small).status().unwrap().success()
    };
    if !mount(&["-t", "tmpfs", "-o", "size=2m", "none"]) {
        return skipped(format_args!("no file system can be mounted here"));
    }
    let mounted = Mounted(small.clone());
    lab.agent("b").kill().unwrap();
    let file = format!("{small}/b.dat");
    lab.start("b", &["--target", &file]);
    let targets = [format!("a:{}", lab.file("a")), format!("b:{file}")];
    let run = || {
        let mut arguments = vec!["run", "random-read", "--hosts", "a,b", "--size", "4MiB"];
        arguments.extend(["--buffered", "--outstanding", "1", "--time", "100ms", "--ramp", "0s"]);
        arguments.extend(targets.iter().map(String::as_str));
        lab.run(&arguments)
    };
    let said = run();
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    let why = "error: b: there is no room for the test file";
    assert!(said.stderr.contains(why), "{}", said.stderr);
    assert!(mount(&["-o", "remount,size=16m"]));
    let said = run();
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    // The agent must let go of its file before the file system can go.
    lab.agent("b").kill().unwrap();
    thread::sleep(Duration::from_millis(100));
    drop(mounted);
}

/// A file system that goes away with it.
struct Mounted(String);

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").args(["-l", &self.0]).status();
    }
}

/// Starts a run on the hosts a and b.
fn start(lab: &Lab, arguments: &[&str]) -> Child {
    let mut run = lab.controller(&[&["run", "random-write", "--hosts", "a,b"], arguments].concat());
    run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// A test file of 4 MiB with its mark behind it.
const FILE_BYTES: usize = (4 << 20) + 4096;

#[test]
fn a_disk_that_fills_up_within_a_point_fails_the_point_and_names_the_host() {
    let Some(mut lab) = Lab::with(&["a", "b"]) else { return };
    let Some(disk) = TroubledFile::mount(&lab.bench.path("small"), FILE_BYTES) else { return };
    let files = [lab.file("a"), lab.bench.path("small").to_string_lossy().into_owned()];
    lab.agent("b").kill().unwrap();
    lab.start("b", &["--target", &format!("{}:overwrite", files[1])]);
    let targets = [format!("a:{}", files[0]), format!("b:{}", files[1])];
    let load = ["--outstanding", "1,2,3", "--time", "1s", "--ramp", "0s", "--size", "4MiB"];
    let mut run = start(&lab, &[&[&*targets[0], &*targets[1]], &load[..]].concat());
    await_first_point(&mut run);
    thread::sleep(Duration::from_millis(500));
    disk.set(Trouble::Full);
    let said = lab.bench.said(run.wait_with_output().unwrap());
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    for text in ["2 outstanding I/Os failed", "No space left on device"] {
        assert!(said.stderr.contains(text), "{text}: {}", said.stderr);
    }
    let result: Value = lab.bench.json(&["export", "last"]);
    let failed = &points(&result)[1];
    assert_eq!(failed["verdict"], "failed");
    let samples = failed["error_samples"].as_array().unwrap();
    let is_of_b = |sample: &Value| sample.as_str().unwrap().starts_with("b:");
    assert!(!samples.is_empty() && samples.iter().all(is_of_b), "{failed}");
    // The disk fills at once: within the interval in which the point ends, which does not count.
    assert!(number(&failed["errors"]) > 0.0, "{failed}");
    assert_eq!(failed["targets"][0]["errors"], 0, "{failed}");
    assert_eq!(failed["targets"][1]["errors"], failed["errors"], "{failed}");

    disk.set(Trouble::None);
    let said = lab.run(&["resume"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let result: Value = lab.bench.json(&["export", "last"]);
    assert_eq!(points(&result).len(), 3);
    for host in ["a", "b"] {
        lab.agent(host).kill().unwrap();
        lab.agent(host).wait().unwrap();
    }
}

#[test]
fn an_agent_that_is_killed_while_its_target_is_preconditioned_costs_that_phase() {
    let Some(mut lab) = Lab::with(&["a", "b"]) else { return };
    let targets = ["a", "b"].map(|host| format!("{host}:{}", lab.file(host)));
    let load = ["--size", "8MiB", "--buffered", "--precondition", "--quick", "--outstanding", "1"];
    let mut run = start(
        &lab,
        &[&[&*targets[0], &*targets[1]], &load[..], &["--time", "200ms", "--ramp", "0s"]].concat(),
    );
    let mut lines = BufReader::new(run.stderr.take().unwrap());
    let mut seen = String::new();
    while !seen.contains("precondition-random") {
        assert!(lines.read_line(&mut seen).unwrap() > 0, "{seen}");
    }
    lab.agent("b").kill().unwrap();
    lab.start("b", &[]);
    lines.read_to_string(&mut seen).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(0), "{seen}");
    assert!(seen.contains("b is lost: its agent has left the bus"), "{seen}");
    // The files were made once, and that is told once.
    for host in ["a", "b"] {
        let told = format!("{host}: writing {}", lab.file(host));
        assert_eq!(seen.matches(&told).count(), 1, "{seen}");
    }
    let result: Value = lab.bench.json(&["export", "last"]);
    check_sums(&result, 2);
    let warnings = result["warnings"].to_string();
    assert!(warnings.contains("preconditioning (") && warnings.contains("host_lost"), "{warnings}");
    let note = &result["environment"]["hosts"][0]["engine"]["preconditioned"];
    assert!(note.as_str().is_some_and(|note| note.contains("random writes of 4KiB")), "{note}");
}

#[test]
fn an_agent_that_is_killed_and_stays_away_ends_the_run_and_resume_goes_on_with_it() {
    let Some(mut lab) = Lab::with(&["a", "b"]) else { return };
    lab.wait = "2s";
    let run = lab.begin("a,b");
    lab.agent("b").kill().unwrap();
    let said = lab.bench.said(run.wait_with_output().unwrap());
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    for text in ["b is lost: its agent has left the bus", "b did not answer", "kneepoint resume"] {
        assert!(said.stderr.contains(text), "{text}: {}", said.stderr);
    }
    let result: Value = lab.bench.json(&["export", "last"]);
    let kept = points(&result).len();
    assert!((1..4).contains(&kept), "what was measured is kept, and nothing without b: {kept}");
    check_sums(&result, 2);
    lab.start("b", &[]);
    lab.check_resumed(2);
}

/// Processor time that a process has taken, in ticks of a hundredth of a second (proc(5)).
fn ticks(process: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let (_, rest) = stat.rsplit_once(") ").unwrap();
    let numbers: Vec<&str> = rest.split(' ').collect();
    // utime and stime are the 14th and the 15th, of which the first two come before the parenthesis.
    numbers[11].parse::<u64>().unwrap() + numbers[12].parse::<u64>().unwrap()
}

/// Ticks that a process takes in `time`.
fn ticks_in(process: u32, time: Duration) -> u64 {
    let before = ticks(process);
    thread::sleep(time);
    ticks(process) - before
}

#[test]
fn an_agent_whose_controller_is_killed_stops_within_the_lease() {
    let Some(mut lab) = Lab::with(&["a"]) else { return };
    let process = lab.agent("a").id();
    let run = ["run", "random-read", "a:null:", "--hosts", "a", "--outstanding", "16"];
    let mut run = lab.controller(&[&run[..], &["--time", "100s", "--ramp", "0s"]].concat());
    let mut run = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // On a machine that has other things to do as well.
    let window = Duration::from_secs(2);
    let is_busy = || ticks_in(process, window) > 4;
    let begun = Instant::now();
    while !is_busy() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it issues no I/O");
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let killed = Instant::now();
    // The lease is 10 s.
    while is_busy() {
        assert!(killed.elapsed() < Duration::from_secs(20), "it goes on without a controller");
    }
    assert!(!is_busy(), "it does not begin again");
}

#[test]
fn an_agent_that_waits_takes_next_to_nothing() {
    let Some(mut lab) = Lab::with(&["a"]) else { return };
    let process = lab.agent("a").id();
    // Once with a controller, and once while there is none.
    let (_, mut controller) = lab.invite(&[]);
    thread::sleep(Duration::from_secs(2));
    let heard = ticks_in(process, Duration::from_secs(5));
    signal("INT", controller.id());
    controller.wait().unwrap();
    thread::sleep(Duration::from_secs(1));
    let alone = ticks_in(process, Duration::from_secs(5));
    assert!(heard <= 5 && alone <= 5, "1 % of a core is 5 ticks in 5 s: {heard}, {alone}");
    // Of its own: what is mapped of the program is several times as large without optimisation.
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let memory = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    let kib: u64 = memory.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(kib < 20_000, "{kib} KiB");
}
