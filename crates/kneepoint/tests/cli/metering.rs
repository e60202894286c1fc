//! Users of separate agents at one server, and the agent on the server's machine that tells what that takes.

use std::io::Read;

use serde_json::Value;

use crate::desktop::{Lent, PROGRAMS};
use crate::hosts::Lab;
use crate::interrupt::await_first_point;
use crate::program::{Bench, signal};
use crate::result::{check_schema, number, points};

/// A script with rounds of a few seconds, so that users are soon done.
const SHORT: &str = r#"
name = "short"
title = "Short rounds"
rounds = 100

[[start]]
think = "1s"

[[start]]
key = "super+e"
class = "application-start"
timeout = "60s"

[[start]]
think = "3s"

[[work]]
text = "To whom it may concern"
region = [0, 4, 95, 95]

[[work]]
key = "ctrl+a"

[[work]]
key = "delete"

[[end]]
key = "ctrl+s"

[[end]]
key = "ctrl+q"
timeout = "60s"
"#;

/// A server with sessions for that script, and what it is called.
fn server(bench: &Bench, users: usize) -> (Lent, String) {
    bench.write("short.toml", SHORT);
    let lent = Lent::start(bench, users);
    let target = format!("vnc://localhost:{}", lent.port);
    (lent, target)
}

/// A fleet at a server: agents of `players` let users work there, that of `s` meters it.
fn fleet(users: usize, players: &[&str]) -> Option<(Lab, Lent, String)> {
    if !kneepoint_testkit::has_tools(&PROGRAMS) {
        return None;
    }
    let mut lab = Lab::new()?;
    let (lent, target) = server(&lab.bench, users);
    for host in players {
        join(&mut lab, host, &target);
    }
    join(&mut lab, "s", &format!("{target}:read"));
    Some((lab, lent, target))
}

/// Lets a host join whose agent has this on its list.
fn join(lab: &mut Lab, host: &str, allowed: &str) {
    let (line, mut controller) = lab.invite(&[]);
    lab.start(host, &["--join", &line, "--name", host, "--target", allowed]);
    assert_eq!(controller.wait().unwrap().code(), Some(0));
}

/// What all runs have in common.
const COMMON: [&str; 3] = ["--rule=keystroke.mean<=1s", "--time=4s", "--label=one"];

/// The warnings of `point` that are of `host`, by their kinds.
fn of_host<'a>(point: &'a Value, host: &str) -> Vec<(&'a str, &'a Value)> {
    let warnings = point["warnings"].as_array().unwrap().iter();
    let own =
        warnings.filter(|warning| warning["kind"] == "on_host" && warning["data"]["host"] == host);
    let own = own.map(|warning| &warning["data"]["warning"]);
    own.map(|warning| (warning["kind"].as_str().unwrap(), &warning["data"])).collect()
}

/// Checks what was metered in a point.
#[track_caller]
fn check_metered(point: &Value, host: &str) {
    let seen = of_host(point, host);
    let of = |kind: &str| {
        let found = seen.iter().find(|(found, _)| *found == kind);
        found.unwrap_or_else(|| panic!("{kind}: {point}")).1
    };
    let processor = of("session_processor");
    let (used, available) = (number(&processor["used"]), number(&processor["available"]));
    // Of a group it is counted in ticks of the clock, and one user takes few.
    assert!(used >= 0.0 && used <= available * 1.05, "{processor}");
    let memory = of("session_memory");
    let (bytes, machine) = (number(&memory["bytes"]), number(&memory["machine_bytes"]));
    assert!(bytes > 1e6 && bytes < machine, "{memory}");
    assert!(["sessions", "machine"].contains(&processor["of"].as_str().unwrap()), "{processor}");
    let network = of("server_network");
    assert_eq!(network["interfaces"], "lo");
    assert!(number(&network["received_per_s"]) > 0.0, "{network}");
    assert!(number(&network["sent_per_s"]) > 0.0, "{network}");
}

fn result_of(lab: &Lab) -> Value {
    let result: Value = lab.bench.json(&["export", "one"]);
    check_schema(&result);
    result
}

/// Three agents, each its own process, share the users of a server, and a fourth meters it.
#[test]
fn separate_agents_play_users_at_a_server_that_is_metered() {
    let Some((lab, _lent, target)) = fleet(5, &["a", "b", "c"]) else { return };
    let metered = format!("{target}?meter=s");
    let run = ["run", "short.toml", &metered, "--hosts=a,b,c", "--users=1,3,5"];
    let said = lab.run(&[&run[..], &COMMON].concat());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let result = result_of(&lab);
    let shares = |point: &Value| -> Vec<u64> {
        let hosts = point["hosts"].as_array().unwrap().iter();
        hosts.map(|host| host["users"].as_u64().unwrap()).collect()
    };
    let shared: Vec<Vec<u64>> = points(&result).iter().map(shares).collect();
    assert_eq!(shared, [[1, 0, 0], [1, 1, 1], [2, 2, 1]]);
    for point in points(&result) {
        let rates = point["hosts"].as_array().unwrap().iter().map(|host| number(&host["rate"]));
        let sum: f64 = rates.sum();
        assert!((sum - number(&point["rate"]["mean"])).abs() < 0.01 * sum, "{point}");
        check_metered(point, "s");
        for host in point["hosts"].as_array().unwrap() {
            let kinds = of_host(point, host["host"].as_str().unwrap());
            let kinds: Vec<&str> = kinds.iter().map(|(kind, _)| *kind).collect();
            let is_of_server = |kind: &&str| {
                ["session_memory", "session_processor", "server_network"].contains(kind)
            };
            assert!(!kinds.iter().any(is_of_server), "{kinds:?}");
            // Where no one works, nothing can disturb.
            assert!(host["users"] != 0 || !kinds.contains(&"other_cpu_load"), "{kinds:?}");
        }
    }
    let last = of_host(&points(&result)[2], "s");
    let memory = last.iter().find(|(kind, _)| *kind == "session_memory").unwrap().1;
    assert_eq!(memory["sessions"], 5);
    let processor = last.iter().find(|(kind, _)| *kind == "session_processor").unwrap().1;
    assert!(number(&processor["used"]) > 0.0, "{processor}");
    assert!(lab.record("s").contains("\"metered\""), "{}", lab.record("s"));
    for (file, language, told) in [
        ("a.md", "en", "metered on s while users worked"),
        ("b.md", "de", "auf s gemessen, während Benutzer arbeiteten"),
    ] {
        lab.bench.succeed(&["report", "one", "-o", file, "--language", language]);
        assert!(lab.bench.read(file).contains(told), "{}", lab.bench.read(file));
    }
}

/// Each host decides by its own list whether users may work at a server, and whether its machine is metered.
#[test]
fn what_hosts_do_not_allow_is_refused() {
    let Some((lab, _lent, target)) = fleet(1, &["a"]) else { return };
    let refuse = |target: &str, hosts: &[&str], why: &str| {
        let run = ["run", "short.toml", target, "--users=1", "--rule=mean<=1s"];
        let said = lab.run(&[&run[..], hosts].concat());
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        assert!(said.stderr.contains(why), "{why}: {}", said.stderr);
    };
    let metered = |host: &str| format!("{target}?meter={host}");
    refuse(&target, &["--hosts=s"], "users may not work at");
    assert!(lab.record("s").contains("users may not work at"), "{}", lab.record("s"));
    refuse(&metered("a"), &["--hosts=a"], "a plays users and meters the server");
    refuse(&metered("a/b"), &[], "'a/b' names no host");
    let other = target.replace("localhost", "127.0.0.1");
    refuse(&format!("{other}?meter=s"), &[], "may not be metered");
    assert!(lab.record("s").contains("may not be metered"), "{}", lab.record("s"));
    let mut lab = lab;
    join(&mut lab, "far", "vnc://localhost:1:read");
    let said =
        lab.run(&["plan", "light", "vnc://localhost:1?meter=far", "--users=1", "--rule=mean<=1s"]);
    assert!(said.stderr.contains("nothing listens at port 1 here"), "{}", said.stderr);
}

/// The agent that meters is killed in a point: users go on, and what is not known is said.
#[test]
fn a_point_outlives_the_agent_that_meters() {
    let Some((mut lab, _lent, target)) = fleet(3, &[]) else { return };
    let metered = format!("{target}?meter=s");
    let run = ["run", "short.toml", &metered, "--users=1,2,3"];
    let mut command = lab.controller(&[&run[..], &COMMON].concat());
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut process = command.spawn().unwrap();
    await_first_point(&mut process);
    let agent = lab.agent("s").id();
    signal("KILL", agent);
    let mut rest = String::new();
    process.stderr.take().unwrap().read_to_string(&mut rest).unwrap();
    assert_eq!(process.wait().unwrap().code(), Some(0), "{rest}");
    let result: Value = lab.bench.json(&["export", "one"]);
    check_schema(&result);
    assert_eq!(points(&result).len(), 3);
    check_metered(&points(&result)[0], "s");
    for point in &points(&result)[1..] {
        assert!(number(&point["classes"]["keystroke"]["operations"]) > 5.0, "{point}");
        let seen = of_host(point, "s");
        assert_eq!(seen.len(), 1, "{point}");
        assert_eq!(seen[0].0, "server_not_metered");
        assert_ne!(point["verdict"], "failed", "{point}");
    }
    lab.bench.succeed(&["report", "one", "-o", "a.md"]);
    let report = lab.bench.read("a.md");
    assert!(report.contains("was not metered at these numbers of users: 2 and 3."), "{report}");
}

/// A server on the machine that measures needs no agent elsewhere.
#[test]
fn this_machine_meters_a_server_of_its_own() {
    let bench = Bench::new();
    bench.refuse(
        &["run", "light", "vnc:temp?meter=local", "--users=1"],
        "no one else meters vnc:temp",
    );
    if !kneepoint_testkit::has_tools(&PROGRAMS) {
        return;
    }
    let (_lent, target) = server(&bench, 2);
    let metered = format!("{target}?meter=local");
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    let run = ["run", "short.toml", &metered, "--users=1,2"];
    let plan = ["plan", "short.toml", &metered, "--users=1,2", COMMON[0]];
    let said = bench.succeed(&plan).stdout;
    let line =
        format!("metered: this machine tells what users take of {target}: processors, memory");
    assert!(said.contains(&line), "{said}");
    let said = bench.succeed(&[&["plan", "short.toml", &target], &plan[3..]].concat()).stdout;
    assert!(!said.contains("metered:"), "{said}");
    bench.succeed(&[&run[..], &COMMON].concat());
    let result: Value = bench.json(&["export", "one"]);
    for point in points(&result) {
        check_metered(point, host.trim());
    }
    // It is metered beside agents in this process, too.
    let run = [&run[..], &["--hosts=local:2"], &COMMON[..2], &["--label=two"]].concat();
    bench.succeed(&run);
    let result: Value = bench.json(&["export", "two"]);
    for point in points(&result) {
        check_metered(point, host.trim());
    }
}

/// The folder of all lent sessions.
fn guard_folder(lent: &Lent) -> std::path::PathBuf {
    let mut guards = std::fs::read_dir(lent.folder.path()).unwrap().flatten();
    guards.next().unwrap().path()
}

/// When lent sessions were ready; those that are being made are not.
fn session_starts(lent: &Lent, users: usize) -> Vec<Option<std::time::SystemTime>> {
    let guard = guard_folder(lent);
    let start = |number: usize| {
        let ready = guard.join(format!("{number:04}/ready"));
        std::fs::metadata(ready).and_then(|found| found.modified()).ok()
    };
    (1..=users).map(start).collect()
}

/// A session that was left in the middle of work begins afresh, so that a run which was killed can go on; one that was
/// left as the script says stays as it is.
#[test]
fn a_run_that_was_killed_goes_on_at_sessions_that_are_made_again() {
    if !kneepoint_testkit::has_tools(&PROGRAMS) {
        return;
    }
    let bench = Bench::new();
    let (lent, target) = server(&bench, 2);
    let first = session_starts(&lent, 2);
    let run = ["run", "short.toml", &target, "--users=1,2"];
    let mut command = bench.command(&[&run[..], &COMMON].concat());
    let mut process = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    await_first_point(&mut process);
    let begun = std::time::Instant::now();
    // The application of the second user makes it when it begins.
    while !guard_folder(&lent).join("0002/draft.txt").exists() {
        assert!(begun.elapsed() < std::time::Duration::from_secs(60));
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    std::thread::sleep(std::time::Duration::from_secs(1));
    signal("KILL", process.id());
    process.wait().unwrap();
    let begun = std::time::Instant::now();
    let mut second = session_starts(&lent, 2);
    while second.iter().zip(&first).any(|(now, before)| now.is_none() || now == before) {
        assert!(begun.elapsed() < std::time::Duration::from_secs(60), "{second:?}");
        std::thread::sleep(std::time::Duration::from_millis(100));
        second = session_starts(&lent, 2);
    }
    bench.succeed(&["resume", "one"]);
    let result: Value = bench.json(&["export", "one"]);
    check_schema(&result);
    assert_eq!((points(&result).len(), &result["run"]["state"]), (2, &Value::from("complete")));
    std::thread::sleep(std::time::Duration::from_secs(4));
    assert_eq!(session_starts(&lent, 2), second);
}
