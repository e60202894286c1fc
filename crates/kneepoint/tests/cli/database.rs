//! Business operations in a real PostgreSQL, where one is installed.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::busy::Busy;
use crate::interrupt::await_first_point;
use crate::program::{Bench, signal};
use crate::result::{check_schema, number, points};

/// The user as whom a server runs that root starts, as `/etc/passwd` has it.
const NOBODY: u32 = 65534;

/// What the administrator of the servers here is let in with.
const PASSWORD: &str = "not-to-be-seen";

/// A server for one test.
struct Server {
    folder: TempDir,
    programs: PathBuf,
    process: Child,
}

/// The folder with the programs of PostgreSQL, if it is installed; says that the test is skipped otherwise.
#[track_caller]
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places: Vec<PathBuf> = std::env::split_paths(&path)
        .chain(versions.map(|entry| entry.path().join("bin")))
        .collect();
    let has_all = |place: &&PathBuf| {
        ["initdb", "postgres", "psql"].iter().all(|name| place.join(name).is_file())
    };
    let found = places.iter().find(has_all).cloned();
    if found.is_none() {
        kneepoint_testkit::skipped("PostgreSQL is not installed");
    }
    found
}

/// A program as the user of the server.
fn as_server(program: &Path) -> Command {
    let mut command = Command::new(program);
    if rustix::process::getuid().is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command.current_dir("/").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

impl Server {
    /// A server that lets in whoever comes by its socket, or only with the password.
    #[track_caller]
    fn start(way: &str) -> Option<Self> {
        let programs = programs()?;
        let folder = TempDir::new().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        if rustix::process::getuid().is_root() {
            chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let secret = folder.path().join("password");
        fs::write(&secret, PASSWORD).unwrap();
        let data = folder.path().join("data");
        let mut initdb = as_server(&programs.join("initdb"));
        initdb.arg("-D").arg(&data).arg(format!("--pwfile={}", secret.display()));
        initdb.args(["-U", "admin", "--no-sync", "--no-locale", "-E", "UTF8", "-A", way]);
        assert!(initdb.status().unwrap().success());
        let mut server = as_server(&programs.join("postgres"));
        server.arg("-D").arg(&data).arg("-k").arg(folder.path());
        server.args(["-c", "listen_addresses=", "-c", "fsync=off"]);
        let log = fs::File::create(folder.path().join("log")).unwrap();
        let process = server.stderr(log).spawn().unwrap();
        let server = Self { folder, programs, process };
        while server.ask("SELECT 'ready'") != "ready" {
            thread::sleep(Duration::from_millis(50));
        }
        Some(server)
    }

    /// The target.
    fn target(&self) -> String {
        let folder = self.folder.path().to_string_lossy().replace('/', "%2F");
        format!("postgres://admin@{folder}/postgres")
    }

    /// What the server answers.
    fn ask(&self, sql: &str) -> String {
        let mut psql = Command::new(self.programs.join("psql"));
        psql.args(["-XAtq", "-U", "admin", "postgres", "-c", sql]).env("PGPASSWORD", PASSWORD);
        let output = psql.arg("-h").arg(self.folder.path()).output().unwrap();
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Waits until clerks are at work: the fill takes orders alone, and what clerks of the point before did
    /// last is still told of them while their connections go.
    fn await_work(&self) {
        let at_work = "SELECT count(*) > 0 FROM pg_stat_activity \
                       WHERE state = 'active' AND query LIKE 'SELECT kneepoint.payment%'";
        let begun = Instant::now();
        while self.ask(at_work) != "t" {
            assert!(begun.elapsed() < Duration::from_secs(60), "the server was not seen at work");
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn schemas(&self) -> String {
        self.ask("SELECT count(*) FROM pg_namespace WHERE nspname = 'kneepoint'")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        signal("QUIT", self.process.id());
        self.process.wait().unwrap();
    }
}

fn run<'a>(target: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let run = ["run", "business-operations", target, "--overwrite", target, "--peak-warehouses=1"];
    [&run[..], &["--time=300ms", "--ramp=50ms"], more].concat()
}

#[test]
fn a_database_is_filled_measured_checked_and_left_as_it_was() {
    let Some(server) = Server::start("trust") else { return };
    let (bench, target) = (Bench::new(), server.target());
    let said =
        bench.succeed(&run(&target, &["--warehouses=1,2", "--label=one", "--json=one.json"]));
    assert!(said.stdout.contains("warehouses in PostgreSQL "), "{}", said.stdout);
    assert!(said.stdout.contains("not comparable with published benchmarks"), "{}", said.stdout);
    assert_eq!(server.schemas(), "0");
    let result: Value = serde_json::from_str(&bench.read("one.json")).unwrap();
    check_schema(&result);
    let environment = &result["environment"]["targets"][0];
    assert_eq!(
        (&environment["kind"], &environment["device"]["name"]),
        (&"database".into(), &"PostgreSQL".into())
    );
    let settings = &environment["settings"];
    assert_eq!(
        (&settings["fsync"], &settings["isolation"]),
        (&"off".into(), &"repeatable-read".into())
    );
    for name in [
        "server_version",
        "shared_buffers",
        "synchronous_commit",
        "max_wal_size",
        "full_page_writes",
    ] {
        assert!(settings[name].is_string(), "{name}: {settings}");
    }
    for point in points(&result) {
        let classes = point["classes"].as_object().unwrap();
        let sum: f64 = classes.values().map(|class| number(&class["operations"])).sum();
        assert_eq!((classes.len(), sum), (6, number(&point["operations"])));
    }
    for (file, language) in [("report.md", "en"), ("bericht.md", "de")] {
        bench.succeed(&["report", "one", "-o", file, "--language", language]);
    }
    let (english, german) = (bench.read("report.md"), bench.read("bericht.md"));
    assert!(english.contains("Each has a connection to the database"), "{english}");
    assert!(german.contains("Jedes hat eine Verbindung zur Datenbank"), "{german}");
    for wrong in ["in the memory of this machine", "Nothing is written", "IO/s", "MiB/s"] {
        assert!(!english.contains(wrong), "{wrong}: {english}");
    }
    assert!(
        !german.contains("im Speicher dieser Maschine") && !german.contains("nichts geschrieben")
    );
}

#[test]
fn a_database_is_written_by_consent_alone_and_schemas_of_others_are_left() {
    let Some(server) = Server::start("trust") else { return };
    let (bench, target) = (Bench::new(), server.target());
    let refused = |arguments: &[&str], why: &str| {
        let said = bench.run(arguments);
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        assert!(said.stderr.contains(why), "{}", said.stderr);
    };
    refused(&["run", "business-operations", &target], "add --overwrite");
    let inspected = bench.succeed(&["inspect", &target]).stdout;
    assert!(inspected.contains("PostgreSQL") && inspected.contains("no: it needs --overwrite"));
    let plan =
        bench.succeed(&["plan", "business-operations", &target, "--overwrite", &target]).stdout;
    assert!(
        plan.contains("only Kneepoint's own schema") && !plan.contains("nothing is written"),
        "{plan}"
    );
    server.ask("CREATE SCHEMA kneepoint; CREATE TABLE kneepoint.item AS SELECT 7 AS mine");
    refused(&run(&target, &[]), "schema kneepoint that Kneepoint did not make");
    assert_eq!(server.ask("SELECT mine FROM kneepoint.item"), "7");
    // One that an earlier run has left, and into which someone has put a table.
    server.ask(
        "COMMENT ON SCHEMA kneepoint IS 'made by kneepoint'; CREATE TABLE kneepoint.theirs ()",
    );
    refused(&run(&target, &[]), "cannot drop the schema kneepoint");
    assert_eq!(server.ask("SELECT mine FROM kneepoint.item"), "7");
    server.ask("DROP TABLE kneepoint.theirs");
    bench.succeed(&run(&target, &["--warehouses=1"]));
    assert_eq!(server.schemas(), "0");
}

#[test]
fn what_was_measured_before_the_server_was_killed_is_kept() {
    let Some(server) = Server::start("trust") else { return };
    let (bench, target) = (Bench::new(), server.target());
    let mut run = run(&target, &["--warehouses=1,2", "--store=k.db"]);
    run.retain(|argument| !argument.starts_with("--time"));
    run.push("--time=5s");
    let mut child =
        bench.command(&run).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    await_first_point(&mut child);
    server.await_work();
    signal("QUIT", server.process.id());
    let said = bench.said(child.wait_with_output().unwrap());
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert!(said.stderr.contains("2 warehouses failed"), "{}", said.stderr);
    assert!(said.stderr.contains("2 points kept as run"), "{}", said.stderr);
    let result = bench.json(&["export", "last", "-o", "-", "--store=k.db"]);
    let verdicts: Vec<&Value> = points(&result).iter().map(|point| &point["verdict"]).collect();
    assert!(verdicts[0] != "failed" && verdicts[1] == "failed", "{verdicts:?}");
    assert!(number(&points(&result)[0]["operations"]) > 0.0);
    let warnings = points(&result)[1]["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|warning| warning["kind"] == "transaction_failed"), "{warnings:?}");
    assert!(result["warnings"].to_string().contains("the schema kneepoint is still in database"));
}

#[test]
fn an_interruption_keeps_what_was_measured_and_drops_the_schema() {
    let Some(server) = Server::start("trust") else { return };
    let (bench, target) = (Bench::new(), server.target());
    let run = run(&target, &["--warehouses=1..50", "--store=k.db"]);
    let mut child =
        bench.command(&run).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    await_first_point(&mut child);
    server.await_work();
    signal("INT", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_eq!(server.schemas(), "0");
    let result = bench.json(&["export", "last", "-o", "-", "--store=k.db"]);
    assert_eq!(result["run"]["state"], "interrupted");
    assert!(!points(&result).is_empty());
}

#[test]
fn a_password_is_used_and_kept_nowhere() {
    let Some(server) = Server::start("scram-sha-256") else { return };
    let (bench, target) = (Bench::new(), server.target());
    let run = run(&target, &["--warehouses=1", "--store=k.db", "--json=one.json"]);
    let without = bench.command(&run).env("HOME", "/nowhere").env_remove("PGPASSWORD").output();
    let said = bench.said(without.unwrap());
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    let wrong = bench.command(&run).env("PGPASSWORD", "wrong-one").output();
    let said = bench.said(wrong.unwrap());
    assert!(said.code == Some(2) && said.stderr.contains("PGPASSWORD"), "{}", said.stderr);
    assert!(!said.stderr.contains("wrong-one"), "{}", said.stderr);
    let right = bench.command(&run).env("PGPASSWORD", PASSWORD).output();
    let said = bench.said(right.unwrap());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    for name in bench.names() {
        let content = fs::read(bench.path(&name)).unwrap();
        let is_in = content.windows(PASSWORD.len()).any(|part| part == PASSWORD.as_bytes());
        assert!(!is_in, "{name}");
    }
    let with = target.replace("admin@", "admin:in-the-name@");
    for command in [
        &["plan", "business-operations", &with][..],
        &["inspect", &with],
        &["run", "business-operations", &with, "null:"],
    ] {
        let said = bench.run(command);
        assert_eq!(said.code, Some(2));
        assert!(!(said.stderr + &said.stdout).contains("in-the-name"), "{command:?}");
    }
}

/// What is in a folder.
fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

/// A folder that the user of a server can reach.
fn reachable() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

#[test]
fn the_runs_own_server_is_made_and_removed() {
    if programs().is_none() {
        return;
    }
    let (bench, folder) = (Bench::new(), reachable());
    let target = format!("postgres:temp?dir={}", folder.path().display());
    let run = ["run", "business-operations", &target, "--time=300ms", "--ramp=50ms"];
    let run = [&run[..], &["--warehouses=1", "--store=k.db"]].concat();
    let plan = bench.succeed(&["plan", "business-operations", &target]).stdout;
    assert!(plan.contains("a server is started for the run"), "{plan}");
    assert_eq!(entries(folder.path()), 0, "a plan starts nothing");
    let said = bench.succeed(&run);
    assert!(said.stdout.contains("warehouses in PostgreSQL "), "{}", said.stdout);
    assert!(!said.stdout.contains("not restored"), "{}", said.stdout);
    assert_eq!(entries(folder.path()), 0);
}

#[test]
fn a_run_in_a_database_waits_for_a_quiet_machine() {
    if programs().is_none() {
        return;
    }
    let (bench, folder) = (Bench::new(), reachable());
    let target = format!("postgres:temp?dir={}", folder.path().display());
    let run = ["run", "business-operations", &target, "--time=300ms", "--ramp=50ms"];
    let busy = Busy::keep();
    let said = bench.succeed(&[&run[..], &["--warehouses=1,2", "--wait-quiet=1s"]].concat()).stderr;
    drop(busy);
    let waited = "waiting for a quiet machine, at most 1 s: other programs use ";
    assert_eq!(said.matches(waited).count(), 1, "{said}");
    for point in points(&bench.json(&["export", "last", "-o", "-"])) {
        assert!(point["started_at"].as_str().unwrap().ends_with('Z'), "{point}");
    }
}

#[test]
fn the_runs_own_server_goes_however_the_run_ends() {
    if programs().is_none() {
        return;
    }
    for (name, code) in [("INT", Some(1)), ("KILL", None)] {
        let (bench, folder) = (Bench::new(), reachable());
        let target = format!("postgres:temp?dir={}", folder.path().display());
        let run = ["run", "business-operations", &target, "--time=300ms", "--ramp=50ms"];
        let run = [&run[..], &["--warehouses=1..50", "--store=k.db"]].concat();
        let mut child =
            bench.command(&run).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        await_first_point(&mut child);
        assert_eq!(entries(folder.path()), 1);
        signal(name, child.id());
        assert_eq!(child.wait().unwrap().code(), code, "{name}");
        // After a kill the guard does it by itself.
        while entries(folder.path()) > 0 {
            thread::sleep(Duration::from_millis(50));
        }
        let result = bench.json(&["export", "last", "-o", "-", "--store=k.db"]);
        assert!(!points(&result).is_empty(), "{name}");
    }
}

#[test]
fn what_the_runs_own_server_lacks_is_said() {
    let bench = Bench::new();
    let plan = ["plan", "business-operations", "postgres:temp"];
    let empty = TempDir::new().unwrap();
    let said = bench.said(bench.command(&plan).env("PATH", empty.path()).output().unwrap());
    let is_there = Path::new("/usr/lib/postgresql").is_dir();
    assert_eq!(said.code, Some(if is_there { 0 } else { 2 }), "{}", said.stderr);
    assert!(is_there || said.stderr.contains("apt install postgresql"), "{}", said.stderr);
    if programs().is_none() {
        return;
    }
    let said = bench.run(&["plan", "business-operations", "postgres:temp?dir=/nowhere/at/all"]);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("mkdir /nowhere/at/all"), "{}", said.stderr);
    // What is there already is no folder of a server, and no one else's folder is touched.
    let folder = reachable();
    fs::write(folder.path().join("theirs"), "kept").unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let target = format!("postgres:temp?dir={}", folder.path().display());
    let said =
        bench.run(&["run", "business-operations", &target, "--warehouses=1", "--time=300ms"]);
    if rustix::process::getuid().is_root() {
        // The user of the server cannot reach it.
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        assert!(said.stderr.contains("cannot start a PostgreSQL for the run"), "{}", said.stderr);
    }
    // The guard removes what it made, after the run or just before its end.
    while entries(folder.path()) > 1 {
        thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(fs::read_to_string(folder.path().join("theirs")).unwrap(), "kept");
}

#[test]
fn sessions_of_a_running_server_get_the_settings_that_are_varied() {
    let Some(server) = Server::start("trust") else { return };
    let (bench, target) = (Bench::new(), server.target());
    let varied = ["--warehouses=1", "--order=as-written", "--store=k.db"];
    let asked = [&varied[..], &["--factor=synchronous_commit=on,off"]].concat();
    bench.succeed(&run(&target, &asked));
    let result = bench.json(&["export", "last", "-o", "-", "--store=k.db"]);
    let levels: Vec<&Value> =
        points(&result).iter().map(|point| &point["factors"]["synchronous_commit"]).collect();
    assert_eq!(levels, ["on", "off"]);
    // What a session may not do shows that it was set there.
    let asked = [&varied[..], &["--factor=default_transaction_read_only=off,on"]].concat();
    let said = bench.run(&run(&target, &asked));
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains("read-only transaction"), "{}", said.stderr);
    assert!(said.stderr.contains("1 point kept"), "{}", said.stderr);
    assert_eq!(server.ask("SHOW default_transaction_read_only"), "off");
}

#[test]
fn settings_of_a_running_server_are_altered_and_put_back() {
    let Some(server) = Server::start("trust") else { return };
    let (bench, target) = (Bench::new(), server.target());
    let of_file = |name: &str| {
        server.ask(&format!(
            "SELECT setting FROM pg_file_settings WHERE name = '{name}' AND sourceline > 0 \
                             AND sourcefile LIKE '%auto.conf'"
        ))
    };
    server.ask("ALTER SYSTEM SET checkpoint_timeout TO '7min'");
    server.ask("SELECT pg_reload_conf()");
    let factors = ["--factor=checkpoint_timeout=1min,2min", "--factor=wal_writer_delay=20ms,30ms"];
    let asked = [&["--warehouses=1", "--store=k.db"][..], &factors].concat();
    let said = bench.run(&run(&target, &asked));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert_eq!(
        (of_file("checkpoint_timeout"), of_file("wal_writer_delay")),
        ("7min".to_owned(), String::new())
    );
    assert_eq!(server.ask("SHOW checkpoint_timeout"), "7min");
    assert_eq!(server.ask("SHOW wal_writer_delay"), "200ms");
    let log = fs::read_to_string(server.folder.path().join("log")).unwrap();
    for level in ["1min", "2min"] {
        let changed = format!("parameter \"checkpoint_timeout\" changed to \"{level}\"");
        assert!(log.contains(&changed), "{log}");
    }
    // What ALTER SYSTEM does not take ends the run, and nothing is left.
    let said = bench.run(&run(&target, &["--warehouses=1", "--factor=wal_writer_delay=20ms,much"]));
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(
        said.stderr.contains("cannot set wal_writer_delay of the server to much"),
        "{}",
        said.stderr
    );
    assert_eq!((of_file("wal_writer_delay"), server.schemas()), (String::new(), "0".to_owned()));
}

#[test]
fn settings_that_a_killed_run_has_left_are_put_back_by_the_next() {
    let Some(server) = Server::start("trust") else { return };
    let (bench, target) = (Bench::new(), server.target());
    let factor = "--factor=wal_writer_delay=20ms";
    let mut run_long = run(&target, &["--warehouses=1", factor]);
    run_long.retain(|argument| !argument.starts_with("--time"));
    run_long.push("--time=60s");
    let mut child =
        bench.command(&run_long).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    server.await_work();
    assert_eq!(server.ask("SHOW wal_writer_delay"), "20ms");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(server.ask("SHOW wal_writer_delay"), "20ms");
    while server.ask("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'") != "0" {
        thread::sleep(Duration::from_millis(20));
    }
    bench.succeed(&run(&target, &["--warehouses=1"]));
    assert_eq!(
        (server.ask("SHOW wal_writer_delay"), server.schemas()),
        ("200ms".to_owned(), "0".to_owned())
    );
}

#[test]
fn settings_that_cannot_be_varied_are_refused_before_the_first_point() {
    let refused = |bench: &Bench, target: &str, factor: &str, expected: &str| {
        let factor = format!("--factor={factor}");
        let said = bench.run(&run(target, &["--warehouses=1", &factor]));
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        assert!(said.stderr.contains(expected), "{expected}: {}", said.stderr);
    };
    let bench = Bench::new();
    let of_machine = |target: &str, work: &str| {
        let said = bench.run(&["plan", work, target, "--factor=work_mem=4MB,8MB"]);
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        assert!(said.stderr.contains("memory: has no setting work_mem"), "{}", said.stderr);
    };
    of_machine("memory:", "business-operations");
    let Some(server) = Server::start("trust") else { return };
    let target = server.target();
    refused(&bench, &target, "shared_buffers=16MB,32MB", "the whole server that needs a restart");
    server.ask("CREATE ROLE clerk LOGIN; GRANT CREATE ON DATABASE postgres TO clerk");
    let clerk = target.replace("admin@", "clerk@");
    refused(&bench, &clerk, "checkpoint_timeout=1min,2min", "ALTER SYSTEM needs a superuser");
    refused(&bench, &target, "no_such_thing=1,2", "it has no such setting");
    refused(&bench, &target, "synchronous_commit=on,perhaps", "invalid value");
    refused(&bench, &target, "Bad-Name=1,2", "PostgreSQL has no setting 'Bad-Name'");
}

#[test]
fn the_own_server_of_a_run_is_made_again_with_other_settings() {
    if Server::start("trust").is_none() {
        return;
    }
    let bench = Bench::new();
    let measured = |warehouses: &str, factor: &str| {
        let run = ["run", "business-operations", "postgres:temp", "--peak-warehouses=1"];
        let more = ["--time=300ms", "--ramp=50ms", "--order=as-written", warehouses, factor];
        bench.run(&[&run[..], &more].concat())
    };
    let said = measured("--warehouses=1", "--factor=shared_buffers=16MB,32MB");
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let wrong = measured("--warehouses=1", "--factor=shared_buffers=16MB,many");
    assert_eq!(wrong.code, Some(2), "{}", wrong.stderr);
    assert!(wrong.stderr.contains("invalid value for parameter"), "{}", wrong.stderr);
    // Eight clerks are too many for the second server.
    let few = measured("--warehouses=8", "--factor=max_connections=50,6");
    assert!(few.stderr.contains("use fewer --warehouses"), "{}", few.stderr);
}
