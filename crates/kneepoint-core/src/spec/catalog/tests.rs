//! The shipped files against the parameters that the reports print, and the look-up by name.

use super::*;
use crate::plan::Overrides;
use crate::spec::grid::Loads;
use crate::spec::profile::{AddressRange, Distribution};
use crate::words::load::LoadUnit;
use crate::words::units::Nanos;

/// Profiles of one line: name, block in KiB, read and random in percent, as printed.
const ONE_SIZE: [(&str, u64, u32, u32); 20] = [
    ("database", 8, 67, 100),
    ("file-server", 64, 67, 100),
    ("file-copy", 64, 50, 100),
    ("streaming", 64, 100, 0),
    ("restore", 64, 0, 0),
    ("web-server", 64, 100, 100),
    ("operating-system", 4, 40, 100),
    ("log", 64, 0, 0),
    ("log-durable", 4, 0, 0),
    ("backup", 64, 100, 0),
    ("video", 64, 100, 0),
    ("mail-server", 8, 67, 100),
    ("oltp", 8, 67, 100),
    ("random-read", 4, 100, 100),
    ("random-write", 4, 0, 100),
    ("stream-read", 64, 100, 0),
    ("stream-write", 64, 0, 0),
    ("single-stream-read", 64, 100, 0),
    ("single-stream-write", 64, 0, 0),
    ("iometer-default", 2, 67, 100),
];

/// A size mix: bytes of the block and share of the I/Os in percent, as printed.
type Mix<'a> = &'a [(u64, u32)];

const FILE_SERVER_MIX: Mix =
    &[(512, 10), (1024, 5), (2048, 5), (4096, 60), (8192, 2), (16384, 4), (32768, 4), (65536, 10)];

const WEB_SERVER_MIX: Mix = &[
    (512, 22),
    (1024, 15),
    (2048, 8),
    (4096, 23),
    (8192, 15),
    (16384, 2),
    (32768, 6),
    (65536, 7),
    (131_072, 1),
    (524_288, 1),
];

#[test]
fn profiles_of_one_size_have_the_printed_parameters() {
    for (name, kib, read, random) in ONE_SIZE {
        let resolved = profile(name).unwrap().resolve_io(None).unwrap();
        let [line] = resolved.lines.as_slice() else { panic!("{name} has several lines") };
        assert_eq!((line.block_bytes, line.align_bytes), (kib * 1024, kib * 1024), "{name}");
        assert_eq!(line.share.get(), 100.0, "{name}");
        assert_eq!((line.read.get(), line.random.get()), (read.into(), random.into()), "{name}");
        assert_eq!((line.burst, line.delay), (1, Nanos::ZERO), "{name}");
    }
}

#[test]
fn size_mixes_have_the_printed_parameters_and_sector_alignment() {
    let check = |name: &str, mix: Mix, read: f64, mean_kib: f64| {
        let resolved = profile(name).unwrap().resolve_io(None).unwrap();
        assert_eq!(resolved.lines.len(), mix.len());
        for (line, (bytes, share)) in resolved.lines.iter().zip(mix) {
            assert_eq!((line.block_bytes, line.share.get()), (*bytes, f64::from(*share)));
            assert_eq!((line.read.get(), line.random.get()), (read, 100.0));
            assert_eq!((line.align_bytes, line.burst), (512, 1));
        }
        assert!((resolved.block_bytes_mean() / 1024.0 - mean_kib).abs() < 1e-9);
    };
    check("iometer-file-server", FILE_SERVER_MIX, 80.0, 11.08);
    check("iometer-web-server", WEB_SERVER_MIX, 100.0, 15.66);
}

#[test]
fn every_shipped_profile_is_in_one_of_the_tables_and_says_its_source() {
    // Two that mix sizes, five of users, one of warehouses and two of files.
    assert_eq!(PROFILES.len(), ONE_SIZE.len() + 10);
    for shipped in PROFILES {
        let profile = profile(shipped.name).unwrap();
        assert_eq!(profile.name, shipped.name);
        assert!(profile.source.contains(": "), "{} has no source", shipped.name);
        assert!(!profile.description.is_empty());
        assert_eq!(profile.range, AddressRange::WHOLE);
        assert_eq!(profile.distribution, Distribution::Uniform);
        let single = shipped.name.starts_with("single-stream");
        assert_eq!(
            profile.loads,
            single.then(|| Loads::parse("1", LoadUnit::OutstandingIos).unwrap())
        );
    }
}

/// Expects the series of a suite: profile, blocks in bytes (none for a mix), highest level, count
/// of levels.
#[track_caller]
fn check_series(name: &str, rows: &[(&str, &[u64], f64, usize)]) {
    let suite = suite(name).unwrap();
    assert_eq!(suite.name, name);
    let mut series = suite.resolve(&Overrides::none()).unwrap().into_iter();
    for (profile, blocks, last, count) in rows {
        for block in *blocks {
            let plan = series.next().unwrap();
            assert_eq!(plan.profile.name(), *profile);
            assert_eq!(plan.loads.unit, LoadUnit::OutstandingIos);
            assert_eq!(plan.loads.levels.len(), *count, "{}", plan.name);
            assert_eq!(
                (plan.loads.levels[0], *plan.loads.levels.last().unwrap()),
                (if *count == 1 { *last } else { 1.0 }, *last)
            );
            match block {
                0 => assert_eq!(plan.name, format!("{profile}/mix")),
                bytes => assert_eq!(plan.profile.storage().unwrap().lines[0].block_bytes, *bytes),
            }
        }
    }
    assert_eq!(series.next(), None);
}

/// Size of the file in GiB and rules of a suite.
#[track_caller]
fn check_head(name: &str, gib: Option<u64>, rules: &[&str]) {
    let suite = suite(name).unwrap();
    assert_eq!(suite.size.map(|size| size.0), gib.map(|gib| gib << 30));
    let own: Vec<String> = suite.rules.iter().map(ToString::to_string).collect();
    assert_eq!(own, rules);
    assert!(suite.source.contains(": "), "{name} has no source");
}

const K: u64 = 1024;
const BOTH_RULES: [&str; 2] = ["mean<=15ms", "mean<=20ms"];

#[test]
fn the_storagebench_suites_have_the_standard_profiles() {
    let row = |profile, last, count| -> (&str, &[u64], f64, usize) {
        let block: &[u64] = if profile == "database" { &[8 * K] } else { &[64 * K] };
        (profile, block, last, count)
    };
    let five = ["file-copy", "file-server", "database", "streaming", "restore"];
    check_series("storagebench", &five.map(|profile| row(profile, 512.0, 10)));
    let four = ["streaming", "restore", "database", "file-server"];
    check_series("storagebench-2007", &four.map(|profile| row(profile, 64.0, 7)));
    check_series("storagebench-2010", &four.map(|profile| row(profile, 3.0, 1)));
    check_head("storagebench", Some(8), &[]);
    for name in ["storagebench-2007", "storagebench-2010"] {
        check_head(name, Some(8), &BOTH_RULES);
    }
}

#[test]
fn the_single_disk_grid_has_its_six_rows() {
    const SEQUENTIAL: &[u64] = &[K, 4 * K, 8 * K, 64 * K, 128 * K, 512 * K, 1024 * K];
    const RANDOM: &[u64] = &[K, 4 * K, 8 * K, 64 * K, 256 * K, 1024 * K];
    const MIXED: &[u64] = &[K, 4 * K, 8 * K, 16 * K, 32 * K, 64 * K, 128 * K];
    check_series(
        "single-disk",
        &[
            ("stream-read", SEQUENTIAL, 512.0, 9),
            ("stream-write", SEQUENTIAL, 512.0, 9),
            ("random-read", RANDOM, 512.0, 9),
            ("random-write", RANDOM, 512.0, 9),
            ("database", MIXED, 512.0, 9),
            ("file-copy", &[64 * K], 512.0, 9),
        ],
    );
    check_head("single-disk", Some(32), &BOTH_RULES);
    let printed = [1.0, 3.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];
    assert_eq!(suite("single-disk").unwrap().loads.unwrap().resolve().levels, printed);
}

#[test]
fn the_serveraid_suite_has_its_rows() {
    const OLTP: &[u64] = &[4 * K, 8 * K, 16 * K, 32 * K, 64 * K];
    const SINGLE: &[u64] = &[64 * K, 128 * K, 256 * K, 512 * K, 1024 * K, 2048 * K];
    const STREAM: &[u64] = &[32 * K, 64 * K, 128 * K, 256 * K, 512 * K, 1024 * K, 2048 * K];
    const RANDOM: &[u64] = &[4 * K, 8 * K, 16 * K];
    check_series(
        "serveraid-m5025",
        &[
            ("oltp", OLTP, 121.0, 16),
            ("stream-read", STREAM, 121.0, 16),
            ("single-stream-read", SINGLE, 1.0, 1),
            ("stream-write", STREAM, 121.0, 16),
            ("single-stream-write", SINGLE, 1.0, 1),
            ("random-read", RANDOM, 121.0, 16),
            ("random-write", RANDOM, 121.0, 16),
        ],
    );
    check_head("serveraid-m5025", None, &["mean<=15ms"]);
}

#[test]
fn the_fastt900_suite_has_its_rows() {
    const OLTP: &[u64] = &[4 * K, 8 * K, 16 * K, 32 * K, 64 * K];
    const STREAM: &[u64] =
        &[512, K, 2 * K, 4 * K, 8 * K, 16 * K, 32 * K, 64 * K, 128 * K, 256 * K, 512 * K];
    check_series(
        "fastt900",
        &[
            ("oltp", OLTP, 256.0, 9),
            ("stream-read", STREAM, 256.0, 9),
            ("stream-write", STREAM, 256.0, 9),
            ("iometer-file-server", &[0], 256.0, 9),
            ("iometer-web-server", &[0], 256.0, 9),
            ("random-read", &[4 * K, 8 * K], 256.0, 9),
            ("random-write", &[4 * K, 8 * K], 256.0, 9),
        ],
    );
    check_head("fastt900", None, &["mean<=20ms"]);
}

#[test]
fn summaries_of_shipped_work_fit_a_line() {
    let check = |name: &str, line: &str| assert_eq!(profile(name).unwrap().summary(), line);
    check("database", "8 KiB, 67 % read, 100 % random");
    check("restore", "64 KiB, 0 % read, sequential");
    check("iometer-web-server", "512 B to 512 KiB (mean 15.66 KiB), 100 % read, 100 % random");
    let line = suite("single-disk").unwrap().summary().unwrap();
    assert_eq!(line, "34 series, 306 points, file of 32GiB");
    let line = suite("interference").unwrap().summary().unwrap();
    assert_eq!(line, "11 series, 17 points, file of 8GiB");
    let line = suite("snia-iops").unwrap().summary().unwrap();
    assert_eq!(line, "56 series in 5 to 25 rounds, file of 8GiB");
}

#[test]
fn unknown_names_are_refused_with_those_that_are_near() {
    let check = |fault: Fault, what: &str, fix: &str| {
        assert_eq!((fault.what(), fault.fix_hint()), (what, Some(fix)));
    };
    check(
        profile("databse").unwrap_err(),
        "no profile is called 'databse'",
        "did you mean 'database'?",
    );
    check(
        suite("storagebench-2008").unwrap_err(),
        "no suite is called 'storagebench-2008'",
        "did you mean 'storagebench-2007' or 'storagebench-2010' or 'storagebench'?",
    );
    check(
        work("webserver").unwrap_err(),
        "no suite or profile is called 'webserver'",
        "did you mean 'web-server' or 'server'?",
    );
    check(
        work("./my.toml").unwrap_err(),
        "no suite or profile is called './my.toml'",
        "'kneepoint catalog' lists the names; a file of your own is named by its path",
    );
}

#[test]
fn work_is_a_suite_or_a_profile() {
    assert_eq!(work("storagebench").unwrap(), suite("storagebench").unwrap());
    assert_eq!(work("log").unwrap(), Suite::of_profile(profile("log").unwrap()));
    for shipped in SUITES {
        assert!(find(PROFILES, shipped.name).is_none(), "{} is both", shipped.name);
    }
}
