//! Outputs destroy nothing: not the store, not a target, not a device, not a file of others.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use kneepoint_testkit::{has_tools, skipped};

use crate::program::{Bench, Said};

/// A run that takes no time.
const RUN: [&str; 7] =
    ["run", "random-read", "sim:analytic/mm1", "--outstanding", "1", "--time", "1s"];

fn run(bench: &Bench, options: &[&str]) -> Said {
    bench.run(&[&RUN, options].concat())
}

/// Refused before anything is measured, with `part` in the message.
fn check_refused(said: &Said, part: &str) {
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains(part) && said.stdout.is_empty(), "{}", said.stderr);
}

#[test]
fn the_store_is_no_output() {
    let bench = Bench::new();
    assert_eq!(run(&bench, &["--store", "a.db"]).code, Some(0));
    let runs = bench.succeed(&["runs", "--store", "a.db"]).stdout;
    fs::hard_link(bench.path("a.db"), bench.path("b.json")).unwrap();
    symlink("a.db", bench.path("c.html")).unwrap();
    for options in [
        ["--json", "a.db"],
        ["--json", "./a.db"],
        ["--json", "b.json"],
        ["--report", "c.html"],
        ["--json", "a.db-wal"],
        ["--json", "a.db-settings"],
    ] {
        let said = run(&bench, &[&["--store", "a.db"], &options[..]].concat());
        check_refused(&said, "are the same file");
    }
    check_refused(&bench.run(&["export", "--store", "a.db", "-o", "b.json"]), "the same file");
    check_refused(&bench.run(&["report", "--store", "a.db", "-o", "c.html"]), "the same file");
    check_refused(&run(&bench, &["--store", "new.db", "--json", "new.db"]), "the same file");
    // Another store is not an output, either, not even by force.
    check_refused(&run(&bench, &["--json", "a.db", "--force"]), "its runs would be lost");
    assert_eq!(bench.succeed(&["runs", "--store", "a.db"]).stdout, runs);
    assert!(!bench.path("kneepoint.db").exists() && !bench.path("new.db").exists());
}

#[test]
fn a_target_an_input_and_an_output_are_different_files() {
    let bench = Bench::new();
    let run = |words: &[&str]| bench.run(&[&["run"], words].concat());
    let quick =
        ["--size", "1MiB", "--outstanding", "1", "--time", "100ms", "--ramp", "0s", "--buffered"];
    let first = run(&[&["random-read", "k.dat"], &quick[..]].concat());
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    let data = fs::read(bench.path("k.dat")).unwrap();
    let check = |words: &[&str]| check_refused(&run(&[words, &quick[..]].concat()), "same file");
    check(&["random-read", "k.dat", "--json", "k.dat"]);
    check(&["random-read", "null:", "--json", "x", "--report", "x"]);
    check(&["random-read", "kneepoint.db", "--overwrite", "kneepoint.db"]);
    let profile = bench.succeed(&["catalog", "database"]).stdout;
    bench.write("own.toml", profile);
    check(&["./own.toml", "null:", "--json", "own.toml"]);
    check(&["./own.toml", "own.toml", "--overwrite", "own.toml"]);
    assert_eq!(fs::read(bench.path("k.dat")).unwrap(), data);
}

#[test]
fn a_file_of_others_is_replaced_by_force_alone() {
    let bench = Bench::new();
    assert_eq!(run(&bench, &["--json", "first.json"]).code, Some(0));
    for (option, name) in
        [("--json", "diary.json"), ("--report", "diary.html"), ("--report", "a.md")]
    {
        bench.write(name, "diary");
        check_refused(&run(&bench, &[option, name]), "Kneepoint did not write that file");
        assert_eq!(bench.read(name), "diary");
        fs::set_permissions(bench.path(name), fs::Permissions::from_mode(0o600)).unwrap();
        assert_eq!(run(&bench, &[option, name, "--force"]).code, Some(0));
        assert_ne!(bench.read(name), "diary");
        // From now on it is one of ours.
        let again = run(&bench, &[option, name]);
        assert_eq!(again.code, Some(0), "{}", again.stderr);
        let mode = fs::metadata(bench.path(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    bench.write("empty.json", "");
    assert_eq!(run(&bench, &["--json", "empty.json"]).code, Some(0));
    assert!(bench.names().iter().all(|name| !name.ends_with(".part")), "{:?}", bench.names());
}

#[test]
fn every_format_that_is_written_is_recognised_again() {
    let bench = Bench::new();
    assert_eq!(run(&bench, &["--label", "a"]).code, Some(0));
    assert_eq!(run(&bench, &["--label", "b"]).code, Some(0));
    let gate = ["--fail-if", "iops -50%"];
    for _ in 0..2 {
        bench.succeed(&["export", "a", "-o", "a.json"]);
        bench.succeed(&["export", "a", "-o", "a.csv"]);
        bench.succeed(&["report", "a", "-o", "a.html", "--figures", "figures"]);
        bench.succeed(&["report", "a", "-o", "a.md"]);
        let compare = [&["compare", "a", "b", "--json", "c.json", "--junit", "j.xml"], &gate[..]];
        let said = bench.run(&compare.concat());
        assert_ne!(said.code, Some(2), "{}", said.stderr);
    }
}

#[test]
fn a_link_stays_and_what_it_leads_to_is_replaced() {
    let bench = Bench::new();
    fs::create_dir(bench.path("real")).unwrap();
    symlink("real/result.json", bench.path("link.json")).unwrap();
    for _ in 0..2 {
        assert_eq!(run(&bench, &["--json", "link.json"]).code, Some(0));
        assert!(fs::symlink_metadata(bench.path("link.json")).unwrap().is_symlink());
        assert!(bench.read("real/result.json").starts_with('{'));
    }
}

#[test]
fn pipes_and_streams_are_written_through() {
    if !has_tools(&["mkfifo", "cat"]) {
        return;
    }
    let bench = Bench::new();
    assert!(Command::new("mkfifo").arg(bench.path("pipe")).status().unwrap().success());
    let reader =
        Command::new("cat").arg(bench.path("pipe")).stdout(Stdio::piped()).spawn().unwrap();
    assert_eq!(run(&bench, &["--json", "pipe"]).code, Some(0));
    let read = reader.wait_with_output().unwrap().stdout;
    assert!(read.starts_with(b"{") && read.ends_with(b"}\n"));
    assert!(!fs::symlink_metadata(bench.path("pipe")).unwrap().is_file());
    // Through a file behind a stream, too: what stood there stays.
    let script = "echo before > out; \"$0\" \"$@\" --json /dev/fd/3 3>>out >/dev/null";
    let words = [&["sh", "-c", script][..]].concat();
    let said = bench.said(bench.command_through(&words, &RUN).output().unwrap());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(bench.read("out").starts_with("before\n{"), "{}", bench.read("out"));
    let said = run(&bench, &["--json", "/dev/stdout"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stdout.contains("\"schema\": \"kneepoint.run/"), "{}", said.stdout);
}

#[test]
fn device_nodes_stay_what_they_are() {
    if !has_tools(&["unshare", "mount", "mknod", "stat"]) {
        return;
    }
    let bench = Bench::new();
    let script = "mount -t tmpfs -o dev none . && cd . || exit 77
        cd \"$PWD\"; mknod null c 1 3 && mknod disk b 7 250 && mknod memory c 1 1 || exit 77
        \"$0\" \"$@\" --json null >/dev/null; echo null $?
        \"$0\" \"$@\" --json disk >/dev/null; echo disk $?
        \"$0\" \"$@\" --json memory --force >/dev/null; echo memory $?
        stat -c '%n %F' null disk memory";
    let words = ["unshare", "--mount", "sh", "-c", script];
    let said = bench.said(bench.command_through(&words, &RUN).output().unwrap());
    if said.stderr.starts_with("unshare") || said.code == Some(77) {
        return skipped(format_args!("no device nodes can be made here: {}", said.stderr));
    }
    let expected = "null 0\ndisk 2\nmemory 2\nnull character special file\n\
                    disk block special file\nmemory character special file\n";
    assert_eq!(said.stdout, expected, "{}", said.stderr);
    assert!(said.stderr.contains("it is a block device"), "{}", said.stderr);
}

#[test]
fn a_planted_temporary_is_not_written_through() {
    let bench = Bench::new();
    fs::create_dir(bench.path("pl")).unwrap();
    bench.write("victim", "precious");
    // Every name that a process id could give.
    let id = std::process::id();
    for id in id..id + 3000 {
        symlink("../victim", bench.path(&format!("pl/.o.json.{id}.part"))).unwrap();
    }
    assert_eq!(run(&bench, &["--json", "pl/o.json"]).code, Some(0));
    assert_eq!(bench.read("victim"), "precious");
}

#[test]
fn what_cannot_be_written_is_known_before_the_run() {
    let bench = Bench::new();
    check_refused(&run(&bench, &["--json", "/proc/x.json"]), "no file can be made in /proc");
    check_refused(&run(&bench, &["--report", "absent/x.html"]), "there is no directory absent");
    check_refused(&run(&bench, &["--json", "."]), "is a directory");
    assert_eq!(bench.names(), [""; 0]);
}

#[test]
fn folders_of_figures_are_looked_at_before_the_run() {
    let bench = Bench::new();
    bench.write("notes-figures", "diary");
    check_refused(&run(&bench, &["--report", "notes.md"]), "notes-figures is no folder");
    check_refused(&run(&bench, &["--report", "/proc/notes.md"]), "no file can be made in /proc");
    let target = ["run", "random-read", "x-figures", "--size", "1MiB", "--time", "100ms"];
    check_refused(&bench.run(&[&target[..], &["--report", "x.md"]].concat()), "the same file");
    assert_eq!(bench.names(), ["notes-figures"]);
    assert_eq!(bench.read("notes-figures"), "diary");
    assert_eq!(run(&bench, &["--report", "other.md"]).code, Some(0));
    assert!(bench.path("other-figures").is_dir());
    assert_eq!(run(&bench, &["--report", "other.md"]).code, Some(0));
}

#[test]
fn a_report_is_not_written_if_its_figures_cannot_be() {
    let bench = Bench::new();
    assert_eq!(run(&bench, &[]).code, Some(0));
    bench.succeed(&["report", "-o", "a.html", "--figures", "figures"]);
    let mut figures = fs::read_dir(bench.path("figures")).unwrap();
    let figure = figures.next().unwrap().unwrap().file_name().into_string().unwrap();
    let stem = figure.split('.').next().unwrap().to_owned();
    fs::create_dir(bench.path("taken")).unwrap();
    fs::create_dir(bench.path("b-figures")).unwrap();
    bench.write(&format!("taken/{figure}"), "diary");
    bench.write(&format!("b-figures/{stem}.svg"), "diary");
    bench.write("file", "diary");
    let before = bench.names();
    let check = |words: &[&str], part: &str| {
        check_refused(&bench.run(&[&["report", "-o"], words].concat()), part);
        assert_eq!(bench.names(), before);
    };
    let foreign = "Kneepoint did not write that file";
    check(&["b.html", "--figures", "taken"], foreign);
    check(&["b.md"], foreign);
    check(&["b.html", "--figures", "file"], "file is no folder");
    check(&["b.html", "--figures", "file/below"], "is no folder");
    check(&["b.html", "--figures", "/proc/figures"], "/proc");
    check(&["b.html", "--figures", "b.html"], "the same file");
    check(&["b.html", "--figures", "kneepoint.db"], "the same file");
    let forced = ["report", "-o", "b.html", "--figures", "taken", "--force"];
    bench.succeed(&forced);
    assert_ne!(bench.read(&format!("taken/{figure}")), "diary");
    bench.succeed(&["report", "-o", "c.html", "--figures", "new/folder"]);
    assert!(bench.path("new/folder").join(&figure).exists());
}

#[test]
fn an_output_that_fails_after_the_run_can_be_written_again() {
    let bench = Bench::new();
    fs::create_dir(bench.path("d")).unwrap();
    let words =
        ["run", "random-read", "null:", "--time", "1500ms", "--ramp", "0s", "--outstanding"];
    let options = ["1", "--json", "d/x.json", "--store", "my store.db"];
    let child = bench
        .command(&[&words[..], &options].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !bench.path("my store.db").exists() {
        sleep(Duration::from_millis(10));
    }
    fs::remove_dir(bench.path("d")).unwrap();
    let said = bench.said(child.wait_with_output().unwrap());
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stdout.contains("Series") && said.stderr.contains("1 point kept as run"));
    let fix = said.stderr.split("`kneepoint export ").nth(1).unwrap().split('`').next().unwrap();
    let (id, rest) = fix.split_once(' ').unwrap();
    assert_eq!(rest, "--store 'my store.db' -o x.json");
    bench.succeed(&["export", id, "--store", "my store.db", "-o", "x.json"]);
}
