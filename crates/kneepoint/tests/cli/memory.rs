//! Memory has bounds: what would grow without limit is refused, or joined.

use crate::program::Bench;

/// Runs the program with 256 MiB of address space.
fn confined(bench: &Bench, arguments: &[&str]) -> (Option<i32>, String) {
    let limit = "ulimit -v 262144 && exec \"$0\" \"$@\"";
    let output = bench.command_through(&["sh", "-c", limit], arguments).output().unwrap();
    let said = bench.said(output);
    (said.code, said.stdout + &said.stderr)
}

#[test]
fn the_memory_of_a_point_does_not_depend_on_its_length() {
    let bench = Bench::new();
    let target = "sim:analytic/mm1?service=1s";
    let timing = ["--time", "30h", "--outstanding", "1", "--ramp", "0s"];
    let (code, said) = confined(&bench, &[&["run", "random-read", target][..], &timing].concat());
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn a_thousand_targets_have_room() {
    let bench = Bench::new();
    let targets: Vec<String> =
        (1000..2000).map(|us| format!("sim:analytic/md1?service=1{us}us")).collect();
    let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
    let timing = ["--time", "60s", "--outstanding", "1", "--ramp", "0s"];
    let (code, said) = confined(&bench, &[&["run", "random-read"], &targets[..], &timing].concat());
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn what_waits_in_an_overloaded_open_loop_takes_no_memory() {
    let bench = Bench::new();
    let target = "sim:analytic/mm1?service=10ms";
    let timing = ["--time", "1h", "--rate", "1000", "--ramp", "0s"];
    let (code, said) = confined(&bench, &[&["run", "random-read", target][..], &timing].concat());
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("overloaded: 1000 IO/s were offered"), "{said}");
}

#[test]
fn the_memory_of_a_write_cache_does_not_depend_on_the_drives_behind_it() {
    let bench = Bench::new();
    let demand = ["--profile", "database", "--iops", "10000", "--rule", "mean<=20ms"];
    let systems = ["--systems", "rx100s4-sata", "--threads", "2"];
    let (code, said) = confined(&bench, &[&["size"][..], &demand, &systems].concat());
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("nothing of what was tried sustains this load"), "{said}");
}

#[test]
fn inputs_without_an_end_are_refused() {
    let bench = Bench::new();
    let check = |arguments: &[&str]| {
        let (code, said) = confined(&bench, arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {said}");
        assert!(said.contains("it is larger than 16.0 MiB"), "{arguments:?}: {said}");
    };
    std::os::unix::fs::symlink("/dev/zero", bench.path("endless.toml")).unwrap();
    check(&["plan", "/dev/zero", "null:"]);
    check(&["plan", "random-read", "sim:endless.toml"]);
    check(&["validate", "/dev/zero"]);
}

#[test]
fn more_threads_than_a_machine_bears_are_refused() {
    let bench = Bench::new();
    let arguments = ["plan", "random-read", "file.dat", "--size", "16MiB", "--engine", "sync"];
    let said = bench.run(&[&arguments[..], &["--outstanding", "1,8192"]].concat());
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains("the sync engine would need 8192 threads"), "{}", said.stderr);
    assert!(said.stderr.contains("io_uring"), "{}", said.stderr);
    bench.succeed(&[&arguments[..], &["--outstanding", "1024"]].concat());
}

/// Changes a store behind its back.
fn tamper(bench: &Bench, sql: &str) {
    let connection = rusqlite::Connection::open(bench.path("kneepoint.db")).unwrap();
    connection.execute_batch(sql).unwrap();
}

#[test]
fn what_no_run_holds_is_not_read_from_a_store() {
    let bench = Bench::new();
    bench.succeed(&["run", "random-read", "null:", "--time", "100ms", "--outstanding", "1"]);
    let check = |arguments: &[&str]| {
        let (code, said) = confined(&bench, arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {said}");
        assert!(said.contains("a value is larger than 32.0 MiB"), "{arguments:?}: {said}");
    };
    tamper(&bench, "UPDATE points SET read_histogram = zeroblob(300000000)");
    check(&["show", "last"]);
    check(&["export", "last", "--histograms", "-o", "-"]);
    tamper(&bench, "UPDATE points SET read_histogram = NULL");
    tamper(&bench, "UPDATE runs SET label = printf('%.*c', 300000000, 'x')");
    check(&["runs"]);
    check(&["import", "kneepoint.db", "--store", "own.db"]);
}
