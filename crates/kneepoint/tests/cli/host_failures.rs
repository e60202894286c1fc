//! What goes wrong around the hosts of a fleet, over a real server: the server is started again, and a disk
//! fills up.

use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use kneepoint_testkit::{has_tools, skipped};

use crate::hosts::{Lab, process_with};
use crate::program::signal;

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
    std::fs::create_dir(&small).unwrap();
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
