//! Wrong usage: what failed, why, and what to do; exit code 2.

use crate::program::Bench;
use crate::snapshot::{check, check_in};

#[test]
fn names_that_nothing_has() {
    check(
        "fault-names",
        &[
            "run databse null:",
            "run database sim:analytic/md2",
            "run database sim:analytic/md1?servers=2",
            "run ./missing.toml null:",
            "rum database null:",
        ],
    );
}

#[test]
fn values_that_cannot_be() {
    check(
        "fault-values",
        &[
            "run database null: --size 8XB",
            "run database null: --rule mean<20ms",
            "run database null: --outstanding 4,2,1",
            "run database null: --time 10",
            "run database null: --time 1ms",
            "run database null: --block 0",
            "run iometer-file-server null: --block 4KiB",
        ],
    );
}

#[test]
fn loads_of_one_machine_on_a_fleet() {
    check(
        "fault-fleet-server",
        &[
            "run business-operations local1:memory: --hosts local:1",
            "plan business-operations memory: --hosts local:2",
            "run business-operations a:memory: b:memory: --hosts a,b",
            "run business-operations local1:null: --hosts local:1",
            "run metadata local1:files:tree --hosts local:1",
        ],
    );
}

#[test]
fn options_of_other_tools() {
    let options = [
        "--iodepth=32",
        "-iodepth=32",
        "--bs 4k",
        "--runtime 30",
        "--ramp_time=5",
        "--numjobs=4",
        "--rw=randread",
        "--rwmixread=70",
        "--filename=x",
        "--direct=1",
        "--ioengine=libaio",
        "--rate_iops=100",
        "--filesize=1g",
        "--loops=2",
        "--output=x",
        "-o x",
        "-b4K",
        "-d10",
        "-t2",
        "-w30",
    ];
    let commands = options.map(|option| format!("run database null: {option}"));
    check("fault-foreign-options", &commands.each_ref().map(String::as_str));
}

#[test]
fn numbers_that_are_meant_otherwise() {
    check(
        "fault-numbers",
        &[
            "run database null: --outstanding -1",
            "run database null: --size -8GiB",
            "run database null: --size=-8GiB",
            "run database null: --time=-1s",
            "run database null: --size 8gigabytes",
            "run database null: --size 4KiB",
            "run database null: --size 8",
            "run database null: --outstanding 2k",
            "run database null: --rate 1.5k",
            "run database null: --workers 2k",
            "run database null: --label last",
            "size --profile database --iops 2k --rule mean<=20ms",
            "size --profile database --iops 2000 --rule mean<=20ms --capacity 6",
            "size --profile database --iops 2000 --rule mean<=20ms --capacity 500MB",
        ],
    );
}

#[test]
fn the_queue_depth_of_others_is_outstanding() {
    let bench = Bench::new();
    for name in ["--queue-depth", "--qd", "--outstanding"] {
        let plan = bench.json(&["plan", "database", "null:", name, "3", "--json"]);
        assert_eq!(plan["series"][0]["loads"]["levels"], serde_json::json!([3.0]));
    }
}

#[test]
fn proposed_commands_are_quoted() {
    let bench = Bench::new();
    let store = "my store; touch pwned.db";
    let run = ["run", "database", "sim:analytic/md1", "--outstanding", "1", "--time", "1s"];
    let said = bench.succeed(&[&run[..], &["--store", store]].concat());
    let proposed = said.stderr.split('`').nth(1).unwrap();
    let rest = proposed.strip_prefix("kneepoint ").unwrap();
    let line = format!("{} {rest}", env!("CARGO_BIN_EXE_kneepoint"));
    let shown = bench.said(bench.command_of("sh", &["-c", &line]).output().unwrap());
    assert_eq!(shown.code, Some(0), "{line}: {}", shown.stderr);
    assert!(!bench.names().contains(&"pwned.db".to_owned()), "{line}");
}

#[test]
fn targets_that_do_not_go_together() {
    check(
        "fault-targets",
        &[
            "plan database null: sim:analytic/md1",
            "plan database sim:analytic/md1 --workers 2",
            "plan database ./no/such/folder/file.dat --size 16MiB",
        ],
    );
}

#[test]
fn files_with_mistakes_are_named_with_their_line() {
    let bench = Bench::new();
    let good = include_str!("own.toml");
    bench.write("key.toml", good.replace("random", "randm"));
    bench.write("value.toml", good.replace("\"8KiB\"", "\"8XiB\""));
    bench.write("share.toml", good.replace("share = 100", "share = 90"));
    bench.write("syntax.toml", good.replace("[[line]]", "[[line]"));
    let commands =
        ["key", "value", "share", "syntax"].map(|name| format!("plan ./{name}.toml null:"));
    check_in(&bench, "fault-files", &commands.each_ref().map(String::as_str));
}

#[test]
fn outputs_that_could_not_be_written_are_refused_before_the_run() {
    let bench = Bench::new();
    check_in(
        &bench,
        "fault-outputs",
        &[
            "run database null: --report report.txt",
            "run database null: --report no/such/folder/report.html",
            "run database null: --json no/such/folder/result.json",
            "report last -o report.txt",
            "export last -o result.txt",
        ],
    );
    assert_eq!(bench.names(), [""; 0]);
}

#[test]
fn stores_and_runs_that_are_not_there() {
    let bench = Bench::new();
    bench.write("foreign.db", "this is no database");
    bench.write("result.json", "{}");
    check_in(
        &bench,
        "fault-stores",
        &[
            "runs",
            "show last",
            "runs --store foreign.db",
            "import missing.json",
            "import result.json",
            "run database sim:analytic/md1 --outstanding 1 --time 1s --ramp 0s --label one",
            "show two",
            "delete 2",
        ],
    );
}

#[test]
fn a_foreign_file_is_refused() {
    let bench = Bench::new();
    bench.write("foreign.dat", vec![7; 1 << 20]);
    check_in(&bench, "fault-foreign-file", &["run database foreign.dat --buffered"]);
    assert_eq!(std::fs::read(bench.path("foreign.dat")).unwrap(), vec![7; 1 << 20]);
}

#[test]
fn one_target_under_two_names_is_refused() {
    let bench = Bench::new();
    bench.write("k.dat", vec![0; 1 << 20]);
    std::fs::hard_link(bench.path("k.dat"), bench.path("hard")).unwrap();
    std::os::unix::fs::symlink("k.dat", bench.path("link")).unwrap();
    for [one, other] in
        [["k.dat", "./k.dat"], ["k.dat", "hard"], ["link", "k.dat"], ["new", "./new"]]
    {
        let said = bench.run(&["plan", "random-read", one, other, "--buffered"]);
        assert_eq!(said.code, Some(2), "{one} {other}: {}", said.stdout);
        let expected = format!("{one} and {other} are the same file or device");
        assert!(said.stderr.contains(&expected), "{}", said.stderr);
    }
    bench.succeed(&["plan", "random-read", "k.dat", "new", "--size", "1MiB", "--buffered"]);
}

#[test]
fn a_misspelt_target_makes_no_file() {
    let bench = Bench::new();
    for (name, meant) in [
        ("NULL:", "did you mean 'null:'"),
        ("null", "did you mean 'null:'"),
        ("null:?size=1GiB", "did you mean 'null:'"),
        ("sim", "did you mean 'sim:NAME'"),
        ("Sim:fastt900", "did you mean 'sim:NAME'"),
    ] {
        for command in [&["plan", "random-read", name][..], &["inspect", name]] {
            let said = bench.run(command);
            assert_eq!(said.code, Some(2), "{command:?}: {}", said.stdout);
            assert!(said.stderr.contains(meant), "{}", said.stderr);
        }
        assert_eq!(bench.names(), [""; 0]);
    }
    // A file that is there, or that is meant to be one, is one.
    bench.write("sim", [0; 8192]);
    bench.succeed(&["plan", "random-read", "sim", "--buffered"]);
    bench.succeed(&["plan", "random-read", "./null", "--size", "1MiB", "--buffered"]);
}

#[test]
fn simulated_and_null_targets_are_inspected_as_what_they_are() {
    let bench = Bench::new();
    let text = bench.succeed(&["inspect", "sim:fastt900", "sim:analytic/mm1", "null:"]).stdout;
    for part in ["simulated system", "FAStT900", "one server", "no I/O at all", "no device or file"]
    {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert_eq!(bench.run(&["inspect", "sim:fastt90"]).code, Some(2));
}
