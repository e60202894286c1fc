//! Data that is verified, by the program itself.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::ops::RangeInclusive;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use kneepoint_testkit::skipped;
use serde_json::Value;

use crate::loop_bench::{Bench as LoopBench, Loop};
use crate::program::{Bench, Said, signal};

/// A run that is verified.
const RUN: [&str; 12] = [
    "run",
    "database",
    "k.dat",
    "--verify",
    "--size",
    "4MiB",
    "--ramp",
    "0s",
    "--time",
    "200ms",
    "--outstanding",
    "1,16",
];

/// Runs with direct I/O or, where there is none, through the page cache.
fn run(bench: &Bench, arguments: &[&str]) -> Said {
    let said = bench.run(arguments);
    match said.code == Some(2) && said.stderr.contains("--buffered") {
        true => bench.run(&[arguments, &["--buffered"]].concat()),
        false => said,
    }
}

/// Changes a byte of the file.
fn flip(bench: &Bench, offset: u64) {
    flip_in(&bench.path("k.dat"), offset);
}

/// Changes a byte of a file or a device.
fn flip_in(target: &Path, offset: u64) {
    let file = File::options().read(true).write(true).open(target).unwrap();
    let mut byte = [0];
    file.read_exact_at(&mut byte, offset).unwrap();
    file.write_all_at(&[byte[0] ^ 4], offset).unwrap();
    file.sync_all().unwrap();
}

#[test]
fn what_every_engine_writes_is_verified() {
    for engine in ["io_uring", "libaio", "sync"] {
        let bench = Bench::new();
        let said = run(&bench, &[&RUN[..], &["--engine", engine, "--workers", "2"]].concat());
        if said.code == Some(2) && said.stderr.contains("cannot be used") {
            skipped(&said.stderr);
            continue;
        }
        assert_eq!(said.code, Some(0), "{engine}: {}", said.stderr);
        assert_eq!(bench.names()[..2], ["k.dat", "k.dat.verify"]);
        let verified = run(&bench, &["verify", "k.dat"]);
        assert_eq!(verified.code, Some(0), "{engine}: {}{}", verified.stdout, verified.stderr);
        assert_eq!(
            verified.stdout, "k.dat: 4.0 MiB verified, all is as it was written\n",
            "{engine}"
        );
    }
}

#[test]
fn a_changed_bit_is_found_afterwards_and_a_new_run_lays_out_anew() {
    let bench = Bench::new();
    let buffered = [&RUN[..], &["--buffered"]].concat();
    bench.succeed(&buffered);
    flip(&bench, 1_000_000);
    let said = bench.run(&["verify", "k.dat", "--buffered"]);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert!(said.stdout.contains("1 place is wrong"), "{}", said.stdout);
    let place = "  bit flip at byte 999936 (512 bytes): its checksum does not fit\n";
    assert!(said.stdout.contains(place), "{}", said.stdout);
    bench.succeed(&buffered);
    bench.succeed(&["verify", "k.dat", "--buffered"]);
    let unverified: Vec<&str> =
        buffered.iter().copied().filter(|word| *word != "--verify").collect();
    bench.succeed(&unverified);
    bench.refuse(&["verify", "k.dat", "--buffered"], "a run without --verify has written");
}

#[test]
fn what_is_written_to_a_device_is_verified_and_a_changed_bit_is_found() {
    let Some(images) = LoopBench::new(&[]) else { return };
    let bench = Bench::new();
    let disk = Loop::attach(&images.image("image", 32), &[]);
    let rest = ["--ramp=0s", "--time=200ms", "--outstanding=4"];
    let written = [
        "run",
        "random-write",
        disk.name(),
        "--verify",
        "--overwrite",
        disk.name(),
        rest[0],
        rest[1],
        rest[2],
    ];
    let said = run(&bench, &written);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let said = run(&bench, &["verify", disk.name()]);
    assert_eq!(said.code, Some(0), "{}", said.stdout);
    flip_in(Path::new(disk.name()), 5_000_001);
    let said = run(&bench, &["verify", disk.name()]);
    assert_eq!(said.code, Some(1), "{}", said.stdout);
    assert!(said.stdout.contains("1 place is wrong"), "{}", said.stdout);
    let place = "  bit flip at byte 4999680 (512 bytes): its checksum does not fit\n";
    assert!(said.stdout.contains(place), "{}", said.stdout);
}

#[test]
fn a_file_that_is_laid_out_without_verification_is_not_told_to_be_wrong() {
    let bench = Bench::new();
    bench.succeed(&[&RUN[..], &["--buffered"]].concat());
    fs::remove_file(bench.path("k.dat")).unwrap();
    let reads = ["run", "random-read", "k.dat", "--size=4MiB", "--time=100ms", "--buffered"];
    bench.succeed(&[&reads[..], &["--outstanding=1"]].concat());
    bench.refuse(&["verify", "k.dat", "--buffered"], "a run without --verify has written");
}

#[test]
fn wrong_data_that_is_read_fails_its_point_and_is_kept() {
    let bench = Bench::new();
    let arguments = [
        "run",
        "random-read",
        "k.dat",
        "--verify",
        "--size",
        "1MiB",
        "--time",
        "60s",
        "--buffered",
        "--outstanding",
        "4",
        "--block",
        "4KiB",
    ];
    let child = start(&bench, &arguments);
    await_open(&bench);
    flip(&bench, 70_000);
    let output = child.wait_with_output().unwrap();
    let said = bench.said(output);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert!(said.stderr.contains("bit flip at byte 69632 of k.dat (512 bytes)"), "{}", said.stderr);
    let result = bench.json(&["export", "last"]);
    let point = &result["points"][0];
    assert_eq!(
        (point["verdict"].as_str(), &result["run"]["state"]),
        (Some("failed"), &"failed".into())
    );
    let warnings = point["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|warning| warning["kind"] == "wrong_data"), "{warnings:?}");
    assert!(point["errors"].as_u64().unwrap() > 0);
    let later = bench.run(&["verify", "k.dat", "--buffered"]);
    assert_eq!(later.code, Some(1), "{}", later.stdout);
}

fn start(bench: &Bench, arguments: &[&str]) -> Child {
    bench.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until the target is laid out.
fn await_open(bench: &Bench) {
    let patience = Instant::now() + Duration::from_secs(60);
    let is_open = || {
        let journal = fs::read(bench.path("k.dat.verify")).unwrap_or_default();
        String::from_utf8_lossy(&journal[..journal.len().min(8192)]).contains("state=open")
    };
    while !is_open() {
        assert!(Instant::now() < patience, "the target is never laid out");
        sleep(Duration::from_millis(5));
    }
}

/// A run with many writes in flight at once on few units.
const CROWDED: [&str; 9] = [
    "run",
    "random-write",
    "k.dat",
    "--verify",
    "--size=1MiB",
    "--block=4KiB",
    "--outstanding=64",
    "--workers=2",
    "--buffered",
];

/// Bytes of a unit of the journal of such a run.
const UNIT: usize = 4096;

#[test]
fn after_a_run_nothing_is_in_doubt_and_every_lost_write_is_found() {
    let bench = Bench::new();
    let mut child = start(&bench, &[&CROWDED[..], &["--time=1s"]].concat());
    await_open(&bench);
    // Of each unit the last contents that were seen, and those before.
    let mut seen = vec![[const { Vec::new() }; 2]; 256];
    let mut look = |content: &[u8]| {
        for ([last, before], unit) in seen.iter_mut().zip(content.chunks_exact(UNIT)) {
            if last != unit {
                *before = std::mem::replace(last, unit.to_vec());
            }
        }
    };
    while child.try_wait().unwrap().is_none() {
        look(&fs::read(bench.path("k.dat")).unwrap());
    }
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let said = bench.succeed(&["verify", "k.dat", "--buffered"]);
    assert_eq!(said.stdout, "k.dat: 1.0 MiB verified, all is as it was written\n");
    look(&fs::read(bench.path("k.dat")).unwrap());
    let file = File::options().write(true).open(bench.path("k.dat")).unwrap();
    let units = seen.iter().enumerate();
    let lost: Vec<_> = units.filter(|(_, [_, before])| !before.is_empty()).collect();
    assert!(lost.len() > 200, "{} units were written", lost.len());
    for (unit, [_, before]) in &lost {
        file.write_all_at(before, (unit * UNIT) as u64).unwrap();
    }
    let said = bench.run(&["verify", "k.dat", "--buffered"]);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    let units = said.stdout.lines().filter_map(units_of_place).flatten();
    let told: BTreeSet<usize> = units.collect();
    assert!(lost.iter().all(|(unit, _)| told.contains(unit)), "{}", said.stdout);
    assert_eq!(told.len(), lost.len());
}

/// The units of a place that is told in a line, "... at byte 4096 (512 bytes): ...".
fn units_of_place(line: &str) -> Option<RangeInclusive<usize>> {
    let (offset, rest) = line.split_once(" at byte ")?.1.split_once(" (")?;
    let (offset, bytes) = (offset.parse::<usize>().ok()?, rest.split_once(" bytes)")?.0);
    Some(offset / UNIT..=(offset + bytes.parse::<usize>().ok()? - 1) / UNIT)
}

#[test]
fn after_a_run_that_was_interrupted_nothing_is_in_doubt() {
    let bench = Bench::new();
    let child = start(&bench, &[&CROWDED[..], &["--time=60s"]].concat());
    await_open(&bench);
    sleep(Duration::from_millis(700));
    signal("INT", child.id());
    let said = bench.said(child.wait_with_output().unwrap());
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    let said = bench.succeed(&["verify", "k.dat", "--buffered"]);
    assert_eq!(said.stdout, "k.dat: 1.0 MiB verified, all is as it was written\n");
}

#[test]
fn a_target_that_is_cut_is_looked_at_as_far_as_it_goes() {
    let bench = Bench::new();
    bench.succeed(&[&RUN[..], &["--buffered"]].concat());
    flip(&bench, 1_000_000);
    File::options().write(true).open(bench.path("k.dat")).unwrap().set_len(3 << 20).unwrap();
    let said = bench.run(&["verify", "k.dat", "--buffered"]);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert_eq!(
        said.stdout,
        "k.dat: 3.0 MiB verified, 1 place is wrong; 1.0 MiB cannot be read\n  unreadable at byte 3145728 \
         (1048576 bytes): the target ends at byte 3145728\n  bit flip at byte 999936 (512 bytes): its \
         checksum does not fit\n"
    );
}

#[test]
fn a_journal_that_was_damaged_does_not_blame_the_target() {
    let bench = Bench::new();
    bench.succeed(&[&RUN[..], &["--buffered"]].concat());
    // Behind two headers: the state of the fourth unit, once its generation and once its doubt.
    for (byte, bit) in [(8192 + 16 * 3 + 11, 1), (8192 + 16 * 3 + 9, 0x80)] {
        let intact = fs::read(bench.path("k.dat.verify")).unwrap();
        let mut damaged = intact.clone();
        damaged[byte] ^= bit;
        bench.write("k.dat.verify", damaged);
        bench.refuse(&["verify", "k.dat", "--buffered"], "its map of generations is damaged");
        bench.write("k.dat.verify", intact);
    }
    bench.succeed(&["verify", "k.dat", "--buffered"]);
}

/// Kills of a test run.
const KILLS: u64 = 6;

#[test]
fn what_a_killed_run_wrote_is_old_or_new_and_the_run_can_be_resumed() {
    for number in 0..KILLS {
        let bench = Bench::new();
        let arguments = [
            "run",
            "operating-system",
            "k.dat",
            "--verify",
            "--size",
            "4MiB",
            "--time",
            "300ms",
            "--ramp",
            "0s",
            "--outstanding",
            "16,32,64",
            "--workers",
            "2",
            "--buffered",
        ];
        let mut child = start(&bench, &arguments);
        await_open(&bench);
        sleep(Duration::from_millis(97 * number));
        child.kill().unwrap();
        child.wait().unwrap();
        let said = run(&bench, &["verify", "k.dat"]);
        assert_eq!(said.code, Some(0), "{number}: {}{}", said.stdout, said.stderr);
        let power = run(&bench, &["verify", "k.dat", "--after-power-loss"]);
        assert_eq!(power.code, Some(0), "{number}: {}{}", power.stdout, power.stderr);
        if bench.run(&["show", "last"]).code == Some(0) {
            bench.succeed(&["resume"]);
            let said = run(&bench, &["verify", "k.dat"]);
            assert_eq!(said.code, Some(0), "{number}: {}{}", said.stdout, said.stderr);
        }
    }
}

#[test]
fn what_cannot_be_verified_is_refused_with_a_reason() {
    let bench = Bench::new();
    let refuse = |work: &str, target: &str, why: &str| {
        bench.refuse(&["run", work, target, "--verify", "--size", "4MiB", "--buffered"], why);
    };
    refuse("database", "null:", "only files and block devices hold the data");
    refuse(
        "database",
        "sim:analytic/mm1?service=1ms",
        "only files and block devices hold the data",
    );
    let own = |size: &str, data: &str| {
        format!(
            "name = \"own\"\ntitle = \"Own\"\n[[line]]\nshare = 100\nsize = \"{size}\"\nread = 50\n\
             random = 100\n{data}"
        )
    };
    bench.write("own.toml", own("4KiB", "[data]\nduplicate = 50\n"));
    refuse("./own.toml", "k.dat", "duplicate data");
    bench.write("odd.toml", own("1000B", ""));
    refuse("./odd.toml", "k.dat", "no multiples of 512 bytes");
    bench.write("k.dat.verify", "precious");
    refuse("database", "k.dat", "is in the way");
    assert_eq!(bench.read("k.dat.verify"), "precious");
    bench.write("other.dat", vec![1; 1 << 20]);
    bench.refuse(&["verify", "other.dat", "--buffered"], "its journal");
}

#[test]
fn the_copies_of_a_suite_are_left_out_and_the_plan_says_what_is_written() {
    let bench = Bench::new();
    let plan: Value =
        bench.json(&["plan", "storagebench-2007", "k.dat", "--verify", "--size", "8MiB", "--json"]);
    assert_eq!(plan["verification"]["unit_bytes"], 4096);
    assert!(plan["file_copy"].is_null(), "{plan}");
    let omissions = plan["omissions"].to_string();
    assert!(omissions.contains("verified"), "{omissions}");
    bench.succeed(&RUN[..].iter().copied().chain(["--buffered"]).collect::<Vec<_>>());
    let again = bench.succeed(&["plan", "database", "k.dat", "--verify", "--buffered"]).stdout;
    assert!(again.contains("4.0 MiB of data to be verified"), "{again}");
}
