//! Settings that are varied on the hosts of a fleet: by the commands of each host or in the kernel, and put back
//! there whatever ends.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use kneepoint_testkit::skipped;
use serde_json::Value;

use crate::hosts::Lab;
use crate::loop_bench::{self, Loop};
use crate::result::{check_schema, points};

/// The definition of `mode` on a host, which is the content of a file.
fn definition(host: &str) -> String {
    format!(
        "[[factor]]\nname = \"mode\"\nlevels = [\"a\", \"b\"]\n\
         set = [\"sh\", \"-c\", \"echo $0 > mode-{host}\", \"{{level}}\"]\n\
         check = [\"cat\", \"mode-{host}\"]\n\
         restore = [\"sh\", \"-c\", \"echo before > mode-{host}\"]\n"
    )
}

/// A fleet whose hosts define `mode`.
fn lab(hosts: &[&str]) -> Option<Lab> {
    let mut lab = Lab::with(&[])?;
    for host in hosts {
        lab.bench.write(&format!("definitions-{host}.toml"), definition(host));
        lab.bench.write(&format!("mode-{host}"), "before\n");
        lab.join(host);
    }
    Some(lab)
}

/// The arguments of a run that varies `mode`, or of its plan.
fn arguments(lab: &Lab, command: &str, hosts: &[&str], time: &str) -> Vec<String> {
    let targets = hosts.iter().map(|host| format!("{host}:{}", lab.file(host)));
    let (list, fixed) = (hosts.join(","), ["--size", "4MiB", "--outstanding", "1", "--ramp", "0s"]);
    let mut arguments: Vec<String> =
        [command, "random-read", "--hosts", &list, "--factor", "mode=a,b", "--time", time]
            .map(str::to_owned)
            .to_vec();
    arguments.extend(fixed.map(str::to_owned));
    arguments.extend(targets);
    arguments
}

fn words(arguments: &[String]) -> Vec<&str> {
    arguments.iter().map(String::as_str).collect()
}

/// Waits until the setting of a host is back.
fn await_before(lab: &Lab, host: &str, longest: Duration) {
    let until = Instant::now() + longest;
    while lab.bench.read(&format!("mode-{host}")) != "before\n" {
        assert!(Instant::now() < until, "{}", lab.record(host));
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn each_host_sets_its_own_settings_and_puts_them_back() {
    let Some(lab) = lab(&["a", "b"]) else { return };
    let planned = lab.run(&words(&arguments(&lab, "plan", &["a", "b"], "200ms")));
    assert_eq!(planned.code, Some(0), "{}", planned.stderr);
    assert!(planned.stdout.contains("a: its commands, b: its commands"), "{}", planned.stdout);
    assert_eq!(lab.bench.read("mode-a"), "before\n", "a plan sets nothing");

    let said = lab.run(&words(&arguments(&lab, "run", &["a", "b"], "200ms")));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    for host in ["a", "b"] {
        assert!(said.stderr.contains(&format!("{host}: restored: mode")), "{}", said.stderr);
        assert_eq!(lab.bench.read(&format!("mode-{host}")), "before\n");
        assert!(!lab.state(host).join("agent/settings").exists());
    }
    let result: Value = lab.bench.json(&["export", "last"]);
    check_schema(&result);
    let mut levels: Vec<&str> =
        points(&result).iter().map(|point| point["factors"]["mode"].as_str().unwrap()).collect();
    levels.sort_unstable();
    assert_eq!(levels, ["a", "b"]);
}

#[test]
fn a_host_runs_no_command_that_it_has_not_defined() {
    let Some(mut lab) = lab(&["a"]) else { return };
    lab.join("b");
    let said = lab.run(&words(&arguments(&lab, "run", &["a", "b"], "200ms")));
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    let refusal = "b: this host has no definition of the factor 'mode'";
    assert!(said.stderr.contains(refusal), "{}", said.stderr);
    assert!(lab.record("b").contains("no definition of the factor"), "{}", lab.record("b"));

    let suite = definition("b").replace("mode-b", "stolen");
    let series = "[[series]]\nprofile = \"random-read\"\noutstanding = \"1\"\n";
    lab.bench.write("own.toml", format!("name = \"own\"\ntitle = \"Own\"\n{suite}{series}"));
    let target = format!("b:{}", lab.file("b"));
    let said = lab.run(&["run", "./own.toml", &target, "--hosts", "b", "--size", "4MiB"]);
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains("the commands of 'mode' go to no host"), "{}", said.stderr);
    assert!(!lab.bench.path("stolen").exists());
    assert_eq!(lab.bench.read("mode-a"), "before\n");
}

#[test]
fn settings_are_put_back_when_the_controller_dies_and_when_the_agent_does() {
    let Some(mut lab) = lab(&["a"]) else { return };
    let begin = |lab: &Lab| {
        let arguments = arguments(lab, "run", &["a"], "20s");
        let mut run = lab.controller(&words(&arguments));
        run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let mut controller = begin(&lab);
    await_set(&lab, "a");
    controller.kill().unwrap();
    controller.wait().unwrap();
    // The lease, and a little more.
    await_before(&lab, "a", Duration::from_secs(20));

    let mut controller = begin(&lab);
    await_set(&lab, "a");
    lab.agent("a").kill().unwrap();
    controller.kill().unwrap();
    controller.wait().unwrap();
    assert_ne!(lab.bench.read("mode-a"), "before\n", "no one has put it back");
    lab.start("a", &[]);
    await_before(&lab, "a", Duration::from_secs(10));
}

/// Waits until the setting of a host is another one than before.
fn await_set(lab: &Lab, host: &str) {
    let until = Instant::now() + Duration::from_secs(30);
    let name = format!("mode-{host}");
    while !["a\n", "b\n"].contains(&&*lab.bench.read(&name)) {
        assert!(Instant::now() < until, "nothing was set");
        thread::sleep(Duration::from_millis(20));
    }
}

/// The scheduler of a loop device and its read-ahead, as the kernel shows them.
fn settings(device: &Loop) -> [String; 2] {
    let name = device.name().trim_start_matches("/dev/");
    let queue = Path::new("/sys/block").join(name).join("queue");
    ["scheduler", "read_ahead_kb"].map(|setting| fs::read_to_string(queue.join(setting)).unwrap())
}

/// Two hosts with a loop device each, which their agents may read; nothing, with the reason said, where the
/// kernel has nothing to vary.
fn lab_with_devices(devices: &[Loop; 2]) -> Option<Lab> {
    if !settings(&devices[0])[0].contains("mq-deadline") {
        skipped("the kernel has no mq-deadline");
        return None;
    }
    let mut lab = Lab::with(&["a", "b"])?;
    for (host, device) in ["a", "b"].iter().zip(devices) {
        lab.agent(host).kill().unwrap();
        lab.start(host, &["--target", &format!("{}:read", device.name())]);
    }
    Some(lab)
}

#[test]
fn each_host_sets_its_own_device_and_puts_it_back() {
    let Some(place) = loop_bench::Bench::new(&[]) else { return };
    let devices = ["first", "second"].map(|name| Loop::attach(&place.image(name, 16), &[]));
    let before = devices.each_ref().map(settings);
    let Some(mut lab) = lab_with_devices(&devices) else { return };
    let targets = [format!("a:{}", devices[0].name()), format!("b:{}", devices[1].name())];
    let work = ["run", "random-read", &targets[0], &targets[1], "--hosts", "a,b", "--ramp", "0s"];
    let load = ["--outstanding", "1", "--factor", "read_ahead=0,64", "--time"];
    let more = ["300ms", "--factor", "scheduler=none,mq-deadline"];
    let said = lab.run(&[&work[..], &load, &more].concat());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert_eq!(devices.each_ref().map(settings), before, "{}", said.stderr);
    for host in ["a", "b"] {
        let restored = format!("{host}: restored: read_ahead of loop");
        assert!(said.stderr.contains(&restored), "{restored}: {}", said.stderr);
    }
    let result: Value = lab.bench.json(&["export", "last"]);
    check_schema(&result);
    assert_eq!(points(&result).len(), 4);

    // An agent that is killed leaves its device as it was set, and puts it back when it is started again.
    let mut run = lab.controller(&[&work[..], &load, &["20s"]].concat());
    let mut run = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let is_changed = |device: &Loop, before: &[String; 2]| settings(device) != *before;
    await_so(&mut run, || {
        devices.iter().zip(&before).all(|(device, before)| is_changed(device, before))
    });
    lab.agent("a").kill().unwrap();
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(is_changed(&devices[0], &before[0]), "no one has put it back");
    lab.start("a", &["--target", &format!("{}:read", devices[0].name())]);
    let until = Instant::now() + Duration::from_secs(90);
    while devices.each_ref().map(settings) != before {
        assert!(Instant::now() < until, "{}{}", lab.record("a"), lab.record("b"));
        thread::sleep(Duration::from_millis(50));
    }
    for host in ["a", "b"] {
        lab.agent(host).kill().unwrap();
        lab.agent(host).wait().unwrap();
    }
}

/// Waits while `run` goes on until `is_so`.
fn await_so(run: &mut Child, is_so: impl Fn() -> bool) {
    let until = Instant::now() + Duration::from_secs(90);
    while !is_so() {
        assert!(run.try_wait().unwrap().is_none() && Instant::now() < until, "nothing was set");
        thread::sleep(Duration::from_millis(20));
    }
}
