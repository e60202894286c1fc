//! Users at the screens of real desktop sessions, where their programs are installed.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{Bench, signal};
use crate::result::{check_schema, number, points};

/// The programs of the sessions that `vnc:temp` starts.
pub(crate) const PROGRAMS: [&str; 3] = ["Xvnc", "openbox", "mousepad"];

/// A folder for sessions, with a short name: sockets are in it.
fn short_folder() -> TempDir {
    TempDir::with_prefix_in("kp", "/tmp").unwrap()
}

/// Whether a control group can be bounded here: as root, with its files writable.
fn can_bound() -> bool {
    rustix::process::getuid().is_root()
        && ["/sys/fs/cgroup/cpu/cpu.shares", "/sys/fs/cgroup/cgroup.subtree_control"]
            .iter()
            .any(|file| fs::OpenOptions::new().write(true).open(file).is_ok())
}

/// Waits until nothing is in `folder`.
#[track_caller]
fn await_empty(folder: &Path) {
    let begun = Instant::now();
    while fs::read_dir(folder).unwrap().count() > 0 {
        assert!(begun.elapsed() < Duration::from_secs(60), "{}", folder.display());
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_target_that_is_no_server_of_screens_is_refused() {
    let bench = Bench::new();
    bench.refuse(&["run", "medium-230", "null:", "--users=1"], "the script of users at screens");
    let io = ["run", "database", "vnc://127.0.0.1:1", "--outstanding=1"];
    bench.refuse(&io, "it serves users at screens");
    let unreached = ["run", "medium-230", "vnc://127.0.0.1:1", "--users=1", "--rule=mean<=1s"];
    bench.refuse(&unreached, "user 1 cannot reach the screen at 127.0.0.1:1");
    let said = bench.succeed(&["inspect", "vnc://127.0.0.1:5901"]);
    assert!(said.stdout.contains("screens at 127.0.0.1, from port 5901 on"), "{}", said.stdout);
    let said = bench.succeed(&["plan", "medium-230", "vnc://127.0.0.1:5901", "--users=1..6"]);
    assert!(said.stdout.contains("keystroke.mean<=2x@5"), "{}", said.stdout);
}

#[test]
fn users_type_in_sessions_of_the_run_which_are_gone_afterwards() {
    if !kneepoint_testkit::has_tools(&PROGRAMS) {
        return;
    }
    let (bench, folder) = (Bench::new(), short_folder());
    let target = format!("vnc:temp?dir={}", folder.path().display());
    let run =
        ["run", "medium-230", &target, "--users=1,2", "--time=4s", "--rule=keystroke.mean<=1s"];
    let said = bench.succeed(&[&run[..], &["--json=one.json", "--label=one"]].concat());
    let result: Value = serde_json::from_str(&bench.read("one.json")).unwrap();
    check_schema(&result);
    assert_eq!(result["environment"]["targets"][0]["kind"], "desktop", "{}", said.stderr);
    for point in points(&result) {
        let strokes = &point["classes"]["keystroke"];
        assert!(number(&strokes["operations"]) > 5.0, "{point}");
        assert!(number(&strokes["latency_ms"]["mean"]) > 0.0, "{point}");
    }
    await_empty(folder.path());
    for (file, language, said) in [
        ("a.md", "en", "the screens of a desktop server"),
        ("b.md", "de", "die Bildschirme eines Desktop-Servers"),
    ] {
        bench.succeed(&["report", "one", "-o", file, "--language", language]);
        assert!(bench.read(file).contains(said), "{}", bench.read(file));
    }
}

/// LibreOffice asks nothing when it is started first, takes the first stroke, inserts a picture and saves.
#[test]
fn users_work_in_a_word_processor() {
    if !kneepoint_testkit::has_tools(&["Xvnc", "openbox", "soffice"]) {
        return;
    }
    let (bench, folder) = (Bench::new(), short_folder());
    let target = format!("vnc:temp?application=soffice&dir={}", folder.path().display());
    let run = ["run", "writer-230", &target, "--users=2", "--time=45s", "--json=one.json"];
    let said = bench.succeed(&[&run[..], &["--rule=keystroke.mean<=5s"]].concat());
    let result: Value = serde_json::from_str(&bench.read("one.json")).unwrap();
    check_schema(&result);
    for point in points(&result) {
        // More than one round of a user passes meanwhile.
        for class in ["keystroke", "menu", "dialog", "picture", "save"] {
            assert!(number(&point["classes"][class]["operations"]) >= 1.0, "{class}: {point}");
        }
        let strokes = number(&point["classes"]["keystroke"]["operations"]);
        let warnings = point["warnings"].as_array().unwrap().iter();
        let missing = warnings.filter(|warning| warning["kind"] == "responses_missing");
        for data in missing.map(|warning| &warning["data"]) {
            // A machine on which other tests run is late now and then; strokes that are lost are many.
            let count = number(&data["lost"]) + number(&data["mismatched"]);
            assert!(count <= 0.03 * strokes, "{data}: {}", said.stderr);
        }
    }
    await_empty(folder.path());
}

#[test]
fn sessions_of_a_run_that_is_killed_are_gone_too() {
    if !kneepoint_testkit::has_tools(&PROGRAMS) {
        return;
    }
    let (bench, folder) = (Bench::new(), short_folder());
    let target = format!("vnc:temp?dir={}", folder.path().display());
    let run = ["run", "medium-230", &target, "--users=1,2", "--time=60s", "--rule=mean<=1s"];
    let mut process = bench.command(&run).spawn().unwrap();
    let begun = Instant::now();
    let is_there = || {
        let entries = fs::read_dir(folder.path()).unwrap().flatten();
        entries.into_iter().any(|entry| entry.path().join("0001/ready").exists())
    };
    while !is_there() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(50));
    }
    signal("KILL", process.id());
    process.wait().unwrap();
    await_empty(folder.path());
}

#[test]
fn a_bound_that_the_machine_does_not_permit_is_said() {
    if !kneepoint_testkit::has_tools(&PROGRAMS) {
        return;
    }
    if can_bound() {
        kneepoint_testkit::skipped("control groups are permitted here");
        return;
    }
    let bench = Bench::new();
    let run = ["run", "medium-230", "vnc:temp?cpu=0.2", "--users=1", "--rule=mean<=1s"];
    bench.refuse(&run, "control group");
}

/// The knee of a fifth of a processor. What it is depends on the machine, so it is only bounded, and the
/// machine must be left alone meanwhile.
#[test]
fn the_users_of_a_fifth_of_a_processor_have_a_knee() {
    if !kneepoint_testkit::has_tools(&PROGRAMS) {
        return;
    }
    if !can_bound() {
        kneepoint_testkit::skipped("control groups are not permitted here");
        return;
    }
    let (bench, folder) = (Bench::new(), short_folder());
    let target = format!("vnc:temp?application=mousepad&cpu=0.2&dir={}", folder.path().display());
    let users = "--users=1,5,10,16,22,28,34";
    let run = ["run", "medium-230", &target, users, "--time=6s", "--json=one.json"];
    bench.succeed(&run);
    let result: Value = serde_json::from_str(&bench.read("one.json")).unwrap();
    check_schema(&result);
    let sustained = &result["analysis"]["summaries"][0]["sustained"];
    assert_eq!(sustained["status"], "met", "{sustained}");
    await_empty(folder.path());
}

/// Sessions of `sessions start` in a folder, at ports from `port` on; it is killed when this is dropped.
pub(crate) struct Lent {
    process: std::process::Child,
    pub(crate) folder: TempDir,
    pub(crate) port: u16,
}

impl Lent {
    /// Starts this number of them, and waits until they are there.
    pub(crate) fn start(bench: &Bench, users: usize) -> Self {
        let (folder, port) = (short_folder(), free_ports(users));
        let (dir, users) = (folder.path().display().to_string(), users.to_string());
        let port_text = port.to_string();
        let start = ["sessions", "start", "--users", &users, "--dir", &dir, "--port", &port_text];
        let mut command = bench.command(&start);
        let mut process = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let output = process.stdout.take().unwrap();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut line).unwrap();
        assert_eq!(line, format!("vnc://localhost:{port}\n"));
        Self { process, folder, port }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Ports that no other test of this process was given.
static PORTS: AtomicU16 = AtomicU16::new(0);

/// The first of this number of ports in a row, at most ten, that no one uses now and no other test is given.
fn free_ports(count: usize) -> u16 {
    let bind = |port: u16| std::net::TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, port));
    // Where the kernel takes no ports from by itself, from a place that differs from process to process.
    let first = 10_000 + (std::process::id() % 2_000) as u16 * 10;
    loop {
        let port = first + PORTS.fetch_add(10, Ordering::Relaxed);
        assert!(port < 32_000, "no ports are free");
        if (0..count as u16).all(|index| bind(port + index).is_ok()) {
            return port;
        }
    }
}

#[test]
fn sessions_are_lent_until_they_are_stopped() {
    if !kneepoint_testkit::has_tools(&PROGRAMS) {
        return;
    }
    let bench = Bench::new();
    let mut lent = Lent::start(&bench, 2);
    let target = format!("vnc://localhost:{}", lent.port);
    let run = ["run", "light", &target, "--users=1,2", "--time=3s", "--rule=keystroke.mean<=1s"];
    let said = bench.succeed(&[&run[..], &["--json=one.json"]].concat());
    let result: Value = serde_json::from_str(&bench.read("one.json")).unwrap();
    assert_eq!(points(&result).len(), 2, "{}", said.stderr);
    let dir = lent.folder.path().display().to_string();
    let said = bench.succeed(&["sessions", "stop", "--dir", &dir]);
    assert!(said.stderr.contains("the sessions are ended"), "{}", said.stderr);
    await_empty(lent.folder.path());
    assert!(lent.process.wait().unwrap().success(), "it ends as after Ctrl-C");
    let said = bench.succeed(&["sessions", "stop", "--dir", &dir]);
    assert!(said.stderr.contains("no sessions of"), "{}", said.stderr);
}

/// Two agents in one process share the users of one server: each has its own, and their responses are summed.
#[test]
fn users_are_spread_over_hosts() {
    if !kneepoint_testkit::has_tools(&PROGRAMS) {
        return;
    }
    let bench = Bench::new();
    let lent = Lent::start(&bench, 3);
    let target = format!("vnc://localhost:{}", lent.port);
    let fleet = ["light", &target, "--hosts=local:2", "--users=1,3", "--rule=keystroke.mean<=1s"];
    let plan = bench.succeed(&[&["plan"], &fleet[..]].concat()).stdout;
    assert!(plan.contains("1, 3 users on all hosts together"), "{plan}");
    assert!(plan.contains("local2: only what its users type is written"), "{plan}");
    assert!(plan.contains("only by what users type") && !plan.contains("not real"), "{plan}");
    let run = [&["run"], &fleet[..], &["--time=4s", "--json=one.json", "--label=one"]].concat();
    let said = bench.succeed(&run).stdout;
    assert!(!said.contains("in total"), "users are those of all hosts: {said}");
    let result: Value = serde_json::from_str(&bench.read("one.json")).unwrap();
    check_schema(&result);
    let shares: Vec<Vec<&Value>> = points(&result)
        .iter()
        .map(|point| point["hosts"].as_array().unwrap().iter().map(|host| &host["users"]).collect())
        .collect();
    assert_eq!(shares, [[&Value::from(1), &Value::from(0)], [&Value::from(2), &Value::from(1)]]);
    let point = &points(&result)[1];
    let rates = point["hosts"].as_array().unwrap().iter().map(|host| number(&host["rate"]));
    let sum: f64 = rates.sum();
    assert!(sum > 1.0 && (sum - number(&point["rate"]["mean"])).abs() < 0.01 * sum, "{point}");
    for host in point["hosts"].as_array().unwrap() {
        assert!(number(&host["rate"]) > 0.5 && number(&host["cpu_percent"]) >= 0.0, "{host}");
    }
    for (file, language, told) in [
        ("a.md", "en", "Users are spread over the hosts"),
        ("b.md", "de", "Die Benutzer sind auf die Rechner verteilt"),
    ] {
        bench.succeed(&["report", "one", "-o", file, "--language", language]);
        let report = bench.read(file);
        assert!(report.contains(told), "{report}");
        assert!(!report.contains("per target") && !report.contains("je Ziel"), "{report}");
    }
}

#[test]
fn what_is_no_server_for_all_hosts_is_refused() {
    let bench = Bench::new();
    let run = |targets: &[&str]| {
        let hosts = ["--hosts=local:2", "--users=1,2", "--rule=mean<=1s"];
        [&["run", "light"], targets, &hosts[..]].concat().join("\n")
    };
    let refuse = |targets: &[&str], why: &str| {
        let typed = run(targets);
        bench.refuse(&typed.split('\n').collect::<Vec<_>>(), why);
    };
    refuse(&["vnc:temp"], "each host would start sessions of its own");
    refuse(&["local1:vnc://127.0.0.1:1", "local2:vnc://127.0.0.1:9"], "users work on one target");
    refuse(&["vnc://127.0.0.1:1"], "user 1 cannot reach the screen at 127.0.0.1:1");
}

/// The password of accounts that are there for a test.
const PASSWORD: [(&str, &str); 1] = [("KNEEPOINT_RDP_PASSWORD", "only-for-this")];

/// Whether this machine has an account.
fn has_account(name: &str) -> bool {
    let text = fs::read_to_string("/etc/passwd").unwrap();
    text.lines().any(|line| line.split(':').next() == Some(name))
}

#[test]
fn accounts_are_made_for_users_over_rdp_and_no_other_is_touched() {
    let bench = Bench::new();
    let folder = short_folder();
    let dir = folder.path().display().to_string();
    let start = ["sessions", "start", "--users=2", "--protocol=rdp", "--dir", &dir];
    if !rustix::process::getuid().is_root() {
        bench.refuse(&start, "accounts are made by root alone");
        return;
    }
    bench.refuse(&start, "there is no password for the accounts");
    bench.refuse(&[&start[..], &["--geometry=800x600"]].concat(), "users ask for the size");
    if !kneepoint_testkit::has_tools(&["xrdp", "xrdp-sesman", "openssl", "openbox", "mousepad"]) {
        return;
    }
    if has_account("kp1") || std::net::TcpStream::connect("127.0.0.1:3350").is_ok() {
        kneepoint_testkit::skipped("there are accounts or another xrdp on this machine already");
        return;
    }
    fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .unwrap();
    let (mut process, target) = start_accounts(&bench, &start);
    assert!(target.starts_with("rdp://kp%n@localhost:"), "{target}");
    assert!(has_account("kp1") && has_account("kp2") && !has_account("kp3"));
    let mut again = bench.command(&start);
    let said = bench.said(again.envs(PASSWORD).output().unwrap());
    assert!(said.stderr.contains("the account kp1 is there already"), "{}", said.stderr);
    bench.succeed(&["sessions", "stop", "--dir", &dir]);
    assert!(process.wait().unwrap().success(), "it ends as after Ctrl-C");
    await_empty(folder.path());
    assert!(!has_account("kp1") && !has_account("kp2"));
    // Also if the command and its guard are killed, `sessions stop` removes what they made.
    let (mut process, _) = start_accounts(&bench, &start);
    let made = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().file_name();
    let guard = made.to_string_lossy().rsplit('-').next().unwrap().parse().unwrap();
    signal("KILL", guard);
    process.kill().unwrap();
    process.wait().unwrap();
    // A busy machine takes its time to end it; while it is there its accounts are its own.
    let is_there =
        || fs::read(format!("/proc/{guard}/cmdline")).is_ok_and(|words| !words.is_empty());
    let begun = Instant::now();
    while is_there() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(has_account("kp1"));
    bench.succeed(&["sessions", "stop", "--dir", &dir]);
    await_empty(folder.path());
    assert!(!has_account("kp1") && !has_account("kp2"));
}

/// Starts accounts, and waits for their target.
fn start_accounts(bench: &Bench, start: &[&str]) -> (std::process::Child, String) {
    let port = free_ports(1).to_string();
    let mut command = bench.command(&[start, &["--port", &port]].concat());
    command.envs(PASSWORD).stdout(std::process::Stdio::piped());
    let mut process = command.spawn().unwrap();
    let mut line = String::new();
    let output = process.stdout.take().unwrap();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut line).unwrap();
    (process, line.trim().to_owned())
}

#[test]
fn lent_sessions_are_gone_when_their_command_is_killed() {
    if !kneepoint_testkit::has_tools(&PROGRAMS) {
        return;
    }
    let bench = Bench::new();
    let mut lent = Lent::start(&bench, 1);
    signal("KILL", lent.process.id());
    lent.process.wait().unwrap();
    await_empty(lent.folder.path());
}

#[test]
fn what_cannot_be_lent_or_recorded_is_refused() {
    let bench = Bench::new();
    bench.refuse(&["record", "vnc:temp", "-o", "a.toml"], "made at a server that runs");
    bench.refuse(
        &["record", "vnc://127.0.0.1:1", "--port=0"],
        "cannot reach the screen at 127.0.0.1:1",
    );
    bench.refuse(&["record", "null:"], "is no desktop server");
    bench.refuse(&["sessions", "stop", "--dir", "none"], "cannot read none");
    if !kneepoint_testkit::has_tools(&PROGRAMS) {
        return;
    }
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let start = ["sessions", "start", "--users=1", "--port", &port];
    bench.refuse(&start, "of session 1 is not free");
    bench.refuse(&["sessions", "start", "--users=1", "--application=a/b"], "no name of a program");
}

#[test]
fn a_ramp_is_a_range_without_gaps() {
    let bench = Bench::new();
    let target = "vnc://127.0.0.1:5901";
    let plan = ["plan", "medium-230", target, "--every=7s"];
    let said = bench.succeed(&[&plan[..], &["--users=1..6"]].concat());
    assert!(said.stdout.contains("each point: 0s ramp, 7s measured"), "{}", said.stdout);
    assert!(said.stdout.contains("engine: a thread for all users,"), "{}", said.stdout);
    assert!(!said.stdout.contains("warehouse"), "{}", said.stdout);
    bench.refuse(&[&plan[..], &["--users=1,5"]].concat(), "one user comes after the other");
    bench.refuse(&[&plan[..], &["--users=auto"]].concat(), "no range without gaps");
}
