//! Agents as processes of their own, over a real NATS server: here on one machine, each with its own keys,
//! files and list of what is allowed.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use kneepoint_net::{HostPoint, JoinLine, SecretKey};
use kneepoint_testkit::{has_tools, skipped};
use serde_json::Value;

use crate::host_points::check_records;
use crate::interrupt::await_first_point;
use crate::program::{Bench, Said, signal};
use crate::result::{check_points, check_schema, is_close, number, points};

/// A controller, and the agents that it has.
pub(crate) struct Lab {
    pub(crate) bench: Bench,
    pub(crate) address: String,
    agents: Vec<(String, Child)>,
    /// How long a run waits for a host that is lost.
    pub(crate) wait: &'static str,
}

impl Lab {
    /// A controller without hosts; nothing if there is no server here.
    pub(crate) fn new() -> Option<Self> {
        if !has_tools(&["nats-server"]) {
            return None;
        }
        // Free when it was asked for, and hardly taken since.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let address = format!("127.0.0.1:{port}");
        Some(Self { bench: Bench::new(), address, agents: Vec::new(), wait: "30s" })
    }

    /// A controller with agents on `hosts`, each of which may write its own file.
    pub(crate) fn with(hosts: &[&str]) -> Option<Self> {
        let mut lab = Self::new()?;
        hosts.iter().for_each(|host| lab.join(host));
        Some(lab)
    }

    /// A command of the controller.
    pub(crate) fn controller(&self, arguments: &[&str]) -> Command {
        let mut command = self.bench.command(arguments);
        command.env("KNEEPOINT_STATE", self.bench.path("controller"));
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Said {
        self.bench.said(self.controller(arguments).output().unwrap())
    }

    pub(crate) fn state(&self, host: &str) -> PathBuf {
        self.bench.path(&format!("state-{host}"))
    }

    /// The file of a host's own.
    pub(crate) fn file(&self, host: &str) -> String {
        self.bench.path(&format!("{host}.dat")).to_string_lossy().into_owned()
    }

    /// A line to join with, and the controller that waits for those who do.
    pub(crate) fn invite(&self, options: &[&str]) -> (String, Child) {
        let join = ["hosts", "join", "--address", &self.address];
        let mut controller = self
            .controller(&[&join[..], options].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(controller.stdout.take().unwrap()).read_line(&mut line).unwrap();
        (line.trim().to_owned(), controller)
    }

    /// Lets a host join, and starts its agent.
    pub(crate) fn join(&mut self, host: &str) {
        let (line, mut controller) = self.invite(&[]);
        self.start(host, &["--join", &line, "--name", host]);
        assert_eq!(controller.wait().unwrap().code(), Some(0));
    }

    /// Starts the agent of a host.
    pub(crate) fn start(&mut self, host: &str, arguments: &[&str]) {
        self.start_through(&[], host, arguments);
    }

    pub(crate) fn start_through(&mut self, before: &[&str], host: &str, arguments: &[&str]) {
        let (state, file) = (self.state(host), self.file(host));
        let (state, points) = (state.to_string_lossy(), self.points_folder(host));
        // Tests run as root in places.
        let mut agent = vec!["agent", "--allow-root", "--target", &file, "--state", &state];
        agent.extend(["--record", &points]);
        let definitions = format!("definitions-{host}.toml");
        if self.bench.path(&definitions).exists() {
            agent.extend(["--definitions", &definitions]);
        }
        let mut command = self.bench.command_through(before, &[&agent[..], arguments].concat());
        let agent = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        self.agents.push((host.to_owned(), agent));
    }

    /// Where a host keeps what it measures.
    fn points_folder(&self, host: &str) -> String {
        self.bench.path(&format!("points-{host}")).to_string_lossy().into_owned()
    }

    /// What a host has kept of each point that it measured.
    pub(crate) fn points(&self, host: &str) -> Vec<HostPoint> {
        let lines = self.bench.read(&format!("points-{host}/points.jsonl"));
        let point = |line: &str| {
            let mut value: Value = serde_json::from_str(line).unwrap();
            value.as_object_mut().unwrap().remove("time").unwrap();
            serde_json::from_value(value).unwrap()
        };
        lines.lines().map(point).collect()
    }

    /// The process of a host's agent.
    pub(crate) fn agent(&mut self, host: &str) -> &mut Child {
        &mut self.agents.iter_mut().rev().find(|(name, _)| name == host).unwrap().1
    }

    /// What an agent has on record.
    pub(crate) fn record(&self, host: &str) -> String {
        std::fs::read_to_string(self.state(host).join("agent/record.jsonl")).unwrap_or_default()
    }

    /// Starts a run on the file of each of `hosts`, and waits for its first point.
    pub(crate) fn begin(&self, hosts: &str) -> Child {
        let targets: Vec<String> =
            hosts.split(',').map(|host| format!("{host}:{}", self.file(host))).collect();
        let mut arguments = vec!["run", "random-read", "--hosts", hosts, "--size", "4MiB"];
        arguments.extend(["--wait-hosts", self.wait]);
        arguments.extend(["--outstanding", "1,2,3,4", "--ramp", "0s", "--time", "1s"]);
        arguments.extend(targets.iter().map(String::as_str));
        let mut run = self
            .controller(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        await_first_point(&mut run);
        run
    }

    /// Checks that the run goes on with all hosts, and that the whole of it is there.
    pub(crate) fn check_resumed(&self, hosts: usize) {
        let said = self.run(&["resume"]);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        self.check_whole(hosts);
    }

    /// Checks that all points of the run are there, with all hosts.
    pub(crate) fn check_whole(&self, hosts: usize) {
        let result: Value = self.bench.json(&["export", "last"]);
        assert_eq!(result["run"]["state"], "complete");
        check_sums(&result, hosts);
        assert_eq!(points(&result).len(), 4);
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        for (_, agent) in &mut self.agents {
            let _ = agent.kill();
            let _ = agent.wait();
        }
    }
}

/// Checks that each point is the sum of its hosts: rates add up, and the mean response time is that of all
/// I/Os.
pub(crate) fn check_sums(result: &Value, count: usize) {
    check_schema(result);
    for point in points(result) {
        let hosts = point["hosts"].as_array().unwrap();
        assert_eq!(hosts.len(), count, "{point}");
        let rate = |host: &Value| number(&host["rate"]);
        let sum: f64 = hosts.iter().map(rate).sum();
        assert!(is_close(sum, number(&point["rate"]["mean"])), "{point}");
        // A stall that outlasted the measured time is in the mean and not in the rates: what the hosts keep
        // themselves is compared with it (`host_points.rs`). It is told as such, or as a generator that did
        // not run, as happens on busy machines.
        let warnings = point["warnings"].to_string();
        if ["\"stalled\"", "\"stopped\""].iter().any(|kind| warnings.contains(kind)) {
            continue;
        }
        let time: f64 =
            hosts.iter().map(|host| rate(host) * number(&host["latency_ms"]["mean"])).sum();
        assert!(is_close(time / sum, number(&point["latency_ms"]["mean"])), "{point}");
    }
}

#[test]
fn three_hosts_measure_a_suite_together() {
    let Some(lab) = Lab::with(&["a", "b", "c"]) else { return };
    let targets = ["a", "b", "c"].map(|host| format!("{host}:{}", lab.file(host)));
    let mut arguments = vec!["run", "storagebench", "--hosts", "a,b,c", "--size", "8MiB"];
    arguments.extend(["--outstanding", "1,4", "--time", "1s", "--ramp", "50ms"]);
    arguments.extend(targets.iter().map(String::as_str));
    let said = lab.run(&arguments);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let result: Value = lab.bench.json(&["export", "last"]);
    check_points(&result);
    check_sums(&result, 3);
    assert_eq!(points(&result).len(), 10);
    check_records(&result, &["a", "b", "c"].map(|host| lab.points(host)));
    check_clocks(&result);
    check_secrets(&lab, &["a", "b", "c"]);
    for host in ["a", "b", "c"] {
        let record = lab.record(host);
        let events: Vec<Value> =
            record.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let kinds: Vec<&str> =
            events.iter().map(|event| event["event"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["joined", "adopted", "left"], "{record}");
        assert!(number(&events[2]["bytes_written"]) >= f64::from(8 << 20), "{record}");
    }
    let listed = lab.run(&["hosts"]).stdout;
    for (host, line) in ["a", "b", "c"].iter().zip(listed.lines().skip(2)) {
        let (own, version) = (lab.file(host), env!("CARGO_PKG_VERSION"));
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[..3], [host, "free", version], "{listed}");
        assert!(words[5].starts_with('±') && words[6] == "ms", "{listed}");
        let own = own.rsplit('/').next().unwrap();
        assert!(listed.contains(&format!("{own}:write")), "{own}: {listed}");
    }
}

/// Checks what is said of clocks: all of them are that of this machine.
fn check_clocks(result: &Value) {
    let is_within = |value: &Value, bound: &Value| number(value).abs() <= number(bound);
    for point in points(result) {
        for host in point["hosts"].as_array().unwrap() {
            let (clock, drift) = (&host["start"]["clock"], &host["start"]["drift"]);
            assert!(is_within(&clock["offset_us"], &clock["bound_us"]), "{host}");
            let is_known = drift.is_null() || is_within(&drift["ppm"], &drift["bound_ppm"]);
            assert!(is_known, "{host}");
        }
    }
    // Ten points of a second each are longer than a clock must be watched.
    let last = points(result).last().unwrap();
    let drifts = last["hosts"].as_array().unwrap().iter().map(|host| &host["start"]["drift"]);
    assert!(drifts.into_iter().all(|drift| !drift.is_null()), "{last}");
}

/// Checks that no secret key is anywhere but in the file that is there for it: in no store, record or log.
fn check_secrets(lab: &Lab, hosts: &[&str]) {
    let mut secrets = vec![lab.bench.read("controller/fleet/controller.seed")];
    secrets
        .extend(hosts.iter().map(|host| lab.bench.read(&format!("state-{host}/agent/agent.seed"))));
    let mut folders = vec![lab.bench.path(".")];
    let (mut seen, mut kept) = (0, 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
                continue;
            }
            let name = entry.path();
            if name.extension().is_some_and(|end| end == "dat") {
                continue;
            }
            let bytes = std::fs::read(&name).unwrap();
            seen += 1;
            for secret in &secrets {
                let secret = secret.trim().as_bytes();
                if bytes.windows(secret.len()).any(|part| part == secret) {
                    assert!(name.extension().is_some_and(|end| end == "seed"), "{name:?}");
                    kept += 1;
                }
            }
        }
    }
    assert!(seen > 10 && kept == secrets.len(), "{seen} files, {kept} with secrets");
}

#[test]
fn a_token_is_good_for_one_host_and_no_other_one_is_good() {
    let Some(mut lab) = Lab::with(&["a"]) else { return };
    let (line, mut controller) = lab.invite(&[]);
    let (start, _) = line.rsplit_once(':').unwrap();
    let guessed = format!("{start}:{}", SecretKey::generate().seed());
    let join = |line: &str, host: &str| {
        let state = lab.state(host);
        let state = state.to_string_lossy();
        let agent = ["agent", "--allow-root", "--state", &state];
        lab.bench.run(&[&agent[..], &["--join", line, "--name", host]].concat())
    };
    let refused = join(&guessed, "b");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("does not let this host in"), "{}", refused.stderr);
    let taken = join(&line, "a");
    assert!(taken.stderr.contains("there is a host a in this fleet already"), "{}", taken.stderr);
    lab.start("c", &["--join", &line, "--name", "c"]);
    assert_eq!(controller.wait().unwrap().code(), Some(0));
    let secret = line.rsplit(':').next().unwrap();
    for kept in ["fleet.json", "nats-server.conf", "nats-server.log"] {
        let text = lab.bench.read(&format!("controller/fleet/{kept}"));
        assert!(!text.contains(secret), "{kept} holds a secret");
    }
}

#[test]
fn a_host_decides_what_may_be_touched_there() {
    let Some(lab) = Lab::with(&["a"]) else { return };
    let foreign = lab.bench.path("foreign");
    lab.bench.write("foreign", "precious");
    // Large enough to be measured.
    let precious = "precious, too\n".repeat(400_000);
    lab.bench.write("a.dat", &precious);
    let run = |target: &str, more: &[&str]| {
        let target = format!("a:{target}");
        let arguments = ["run", "database", &target, "--hosts", "a", "--time", "100ms"];
        lab.run(&[&arguments[..], more].concat())
    };
    let said = run(&foreign.to_string_lossy(), &[]);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("may not be used"), "{}", said.stderr);
    assert!(lab.record("a").contains("may not be used"), "{}", lab.record("a"));
    let file = lab.file("a");
    let said = run(&file, &["--size", "4MiB"]);
    assert_eq!(said.code, Some(2), "Kneepoint did not make it: {}", said.stderr);
    let judged = "Kneepoint did not make it";
    assert!(lab.record("a").contains(judged), "{}{}", said.stderr, lab.record("a"));
    let overwrite = format!("a:{file}");
    let said = run(&file, &["--size", "4MiB", "--overwrite", &overwrite]);
    assert!(said.stderr.contains("has no effect on a"), "{}", said.stderr);
    assert_eq!(lab.bench.read("foreign"), "precious");
    assert!(lab.bench.read("a.dat") == precious);
}

#[test]
fn an_agent_that_is_killed_is_named_at_once_and_the_run_goes_on_with_it() {
    let Some(mut lab) = Lab::with(&["a", "b"]) else { return };
    let run = lab.begin("a,b");
    lab.agent("b").kill().unwrap();
    lab.start("b", &[]);
    let said = lab.bench.said(run.wait_with_output().unwrap());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stderr.contains("b is lost: its agent has left the bus"), "{}", said.stderr);
    lab.check_whole(2);
}

#[test]
fn an_agent_that_is_frozen_is_lost_until_it_is_back() {
    let Some(mut lab) = Lab::with(&["a", "b"]) else { return };
    let run = lab.begin("a,b");
    let frozen = lab.agent("b").id();
    signal("STOP", frozen);
    // Longer than the lease.
    thread::sleep(Duration::from_secs(12));
    signal("CONT", frozen);
    let said = lab.bench.said(run.wait_with_output().unwrap());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stderr.contains("b is lost"), "{}", said.stderr);
    lab.check_whole(2);
}

#[test]
fn an_agent_on_a_busy_host_is_heard() {
    let Some(lab) = Lab::with(&["a"]) else { return };
    // More than the processors can do, and for longer than the lease.
    let count = 4 * thread::available_parallelism().unwrap().get();
    let spin = |_| Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
    let mut others: Vec<Child> = (0..count).map(spin).collect();
    let arguments = ["run", "random-read", "a:null:", "--hosts", "a", "--outstanding", "64"];
    let said = lab.run(&[&arguments[..], &["--ramp", "0s", "--time", "12s"]].concat());
    for other in &mut others {
        other.kill().unwrap();
        other.wait().unwrap();
    }
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(!said.stderr.contains("is lost"), "{}", said.stderr);
}

#[test]
fn a_server_that_ends_ends_the_run_and_nothing_is_lost() {
    let Some(mut lab) = Lab::with(&["a"]) else { return };
    lab.wait = "1s";
    let run = lab.begin("a");
    let config = lab.bench.path("controller/fleet/nats-server.conf");
    signal("KILL", process_with(&config.to_string_lossy()).unwrap());
    let said = lab.bench.said(run.wait_with_output().unwrap());
    assert!(said.stderr.contains("is lost"), "{}", said.stderr);
    lab.check_resumed(1);
}

/// The process of the server with this configuration.
pub(crate) fn process_with(config: &str) -> Option<u32> {
    let processes = std::fs::read_dir("/proc").unwrap();
    processes.flatten().find_map(|process| {
        let arguments = std::fs::read_to_string(process.path().join("cmdline")).ok()?;
        let mut words = arguments.split('\0');
        let is_server = words.next()?.ends_with("nats-server") && words.any(|word| word == config);
        process.file_name().to_str()?.parse().ok().filter(|_| is_server)
    })
}

#[test]
fn a_second_controller_is_told_why_it_cannot_begin() {
    let Some(lab) = Lab::with(&["a"]) else { return };
    let run = lab.begin("a");
    let said = lab.run(&["hosts"]);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("this fleet has a controller at work"), "{}", said.stderr);
    let first = lab.bench.said(run.wait_with_output().unwrap());
    assert_eq!(first.code, Some(0), "{}", first.stderr);
}

#[test]
fn a_host_whose_disk_is_full_is_named() {
    let Some(mut lab) = Lab::with(&["a", "b"]) else { return };
    lab.agent("b").kill().unwrap();
    // Its files must not become larger than 1 MiB.
    let limited = ["sh", "-c", "trap '' XFSZ; ulimit -f 2048; exec \"$0\" \"$@\""];
    lab.start_through(&limited, "b", &[]);
    let targets = ["a", "b"].map(|host| format!("{host}:{}", lab.file(host)));
    let mut arguments = vec!["run", "random-read", "--hosts", "a,b", "--size", "4MiB"];
    arguments.extend(["--outstanding", "1", "--time", "100ms"]);
    arguments.extend(targets.iter().map(String::as_str));
    let said = lab.run(&arguments);
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains("error: b: "), "{}", said.stderr);
}

#[test]
fn a_line_for_several_hosts_lets_them_go_on_with_it() {
    let Some(mut lab) = Lab::new() else { return };
    let (line, mut controller) = lab.invite(&["--count", "2"]);
    lab.bench.write("line", &line);
    let file = lab.bench.path("line").to_string_lossy().into_owned();
    for host in ["a", "b"] {
        lab.start(host, &["--join-file", &file, "--name", host]);
    }
    assert_eq!(controller.wait().unwrap().code(), Some(0));
    lab.agent("a").kill().unwrap();
    lab.start("a", &["--join-file", &file, "--name", "a"]);
    let listed = || lab.run(&["hosts"]).stdout;
    // It asks with its line first, which is used, and then comes as what it is.
    let is_there = (0..10).any(|_| listed().matches(" free ").count() == 2);
    assert!(is_there, "{}", listed());
}

#[test]
fn a_host_that_was_welcomed_and_never_came_is_not_on_the_list() {
    let Some(lab) = Lab::new() else { return };
    let (line, mut controller) = lab.invite(&[]);
    let line: JoinLine = line.parse().unwrap();
    line.enrol("a", &SecretKey::generate().public()).unwrap();
    let fault = line.enrol("a", &SecretKey::generate().public()).unwrap_err();
    assert!(fault.what().contains("another host a is joining just now"), "{fault}");
    signal("INT", controller.id());
    assert_eq!(controller.wait().unwrap().code(), Some(1));
    assert_eq!(lab.run(&["hosts"]).stdout.trim(), NO_HOSTS);
}

impl Lab {
    /// Makes a program that stands for ssh: `behind` is done with what comes behind the host.
    fn ssh(&self, behind: &str) -> PathBuf {
        let program = env!("CARGO_BIN_EXE_kneepoint").replace('\'', "'\\''");
        self.bench.write(
            "ssh",
            format!(
                "#!/bin/sh\nfor last; do :; done\nkneepoint() {{ KNEEPOINT_STATE=\"$PWD/guest\" exec \
                 '{program}' \"$@\"; }}\n{behind}\n"
            ),
        );
        let ssh = self.bench.path("ssh");
        assert!(Command::new("chmod").arg("+x").arg(&ssh).status().unwrap().success());
        // The server listens where no one else does.
        self.run(&["hosts", "join", "--address", &self.address, "--valid", "1s"]);
        ssh
    }

    /// A run on the host far, on which an agent is started.
    fn far(&self, ssh: &Path, more: &[&str]) -> Command {
        let target = format!("far:{}", self.file("far"));
        let run = ["run", "random-read", &target, "--hosts", "far", "--size", "4MiB"];
        let load = ["--outstanding", "1", "--time", "200ms", "--ramp", "0s"];
        let mut command = self.controller(&[&run[..], &load, more].concat());
        command.env("KNEEPOINT_SSH", ssh);
        command
    }
}

#[test]
fn agents_are_started_over_ssh_and_end_with_the_run() {
    let Some(lab) = Lab::new() else { return };
    let ssh = lab.ssh("eval \"$last\"");
    let said = lab.bench.said(lab.far(&ssh, &["--allow-root"]).output().unwrap());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let result: Value = lab.bench.json(&["export", "last"]);
    check_sums(&result, 1);
    assert!(!lab.bench.path("guest/agent/agent.seed").exists(), "it keeps no key");
    thread::sleep(Duration::from_millis(200));
    assert_eq!(lab.run(&["hosts"]).stdout.trim(), NO_HOSTS, "it does not stay in the fleet");
}

#[test]
fn agents_are_started_on_several_hosts_and_their_lines_are_in_no_list_of_processes() {
    let Some(lab) = Lab::new() else { return };
    let ssh = lab.ssh("echo \"$@\" >> asked; eval \"$last\"");
    let targets = ["far", "near"].map(|host| format!("{host}:{}", lab.file(host)));
    let run = ["run", "random-read", &targets[0], &targets[1], "--hosts", "far,near"];
    let load = ["--size", "4MiB", "--outstanding", "1", "--time", "200ms", "--ramp", "0s"];
    let mut run = lab.controller(&[&run[..], &load, &["--allow-root"]].concat());
    let said = lab.bench.said(run.env("KNEEPOINT_SSH", &ssh).output().unwrap());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    check_sums(&lab.bench.json(&["export", "last"]), 2);
    let asked = lab.bench.read("asked");
    assert_eq!(asked.matches("agent --join - --name").count(), 2, "{asked}");
    assert!(!asked.contains("kp1:"), "the line is a secret: {asked}");
}

#[test]
fn agents_that_are_started_over_ssh_copy_files_beside_their_targets() {
    let Some(lab) = Lab::new() else { return };
    let ssh = lab.ssh("echo \"$last\" > asked; eval \"$last\"");
    let suite = "name = \"small\"\ntitle = \"Small\"\nsize = \"4MiB\"\noutstanding = \"1\"\n\n\
                 [[series]]\nprofile = \"random-read\"\n";
    let copy = "\n[file_copy]\nbytes = \"1MB\"\nfiles = 20\ndirectories = 4\nrepeat = 1\n";
    let target = format!("far:{}", lab.file("far"));
    for (suite, copies) in [(format!("{suite}{copy}"), 6), (suite.to_owned(), 0)] {
        lab.bench.write("small.toml", suite);
        let run = ["run", "./small.toml", &target, "--hosts", "far", "--buffered", "--allow-root"];
        let mut run = lab.controller(&[&run[..], &["--time", "100ms", "--ramp", "0s"]].concat());
        let said = lab.bench.said(run.env("KNEEPOINT_SSH", &ssh).output().unwrap());
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        let result: Value = lab.bench.json(&["export", "last"]);
        assert_eq!(result["copies"].as_array().map_or(0, Vec::len), copies);
        assert_eq!(
            lab.bench.read("asked").contains(".file-copy"),
            copies > 0,
            "no more is allowed"
        );
    }
}

#[test]
fn an_agent_is_root_only_if_the_user_has_said_so() {
    let Some(lab) = Lab::new() else { return };
    if !rustix::process::geteuid().is_root() {
        return skipped("only root is refused");
    }
    let ssh = lab.ssh("eval \"$last\"");
    let said = lab.bench.said(lab.far(&ssh, &[]).output().unwrap());
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    for text in ["an agent does not run as root", "--allow-root", "the agent on far has ended"] {
        assert!(said.stderr.contains(text), "{text}: {}", said.stderr);
    }
}

#[test]
fn ctrl_c_ends_the_wait_for_agents_that_were_started() {
    let Some(lab) = Lab::new() else { return };
    let ssh = lab.ssh("cat > /dev/null");
    let mut run = lab.far(&ssh, &[]).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut said = BufReader::new(run.stderr.take().unwrap()).lines();
    assert!(said.any(|line| line.unwrap().contains("starting an agent on far")));
    signal("INT", run.id());
    assert!(said.any(|line| line.unwrap().contains("interrupted before anything was measured")));
    assert_eq!(run.wait().unwrap().code(), Some(1));
}

/// What `kneepoint hosts` says of a fleet without any.
const NO_HOSTS: &str = "no host has joined; `kneepoint hosts join` prints a line to join with";
