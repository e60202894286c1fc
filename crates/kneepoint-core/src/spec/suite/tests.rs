//! Suites as typed: what they resolve to, how they print, and that reading never panics.

use proptest::prelude::*;

use super::*;
use crate::plan::{Overrides, SeriesPlan, TypedLoads};
use crate::spec::catalog;
use crate::spec::factor::combination_text;
use crate::spec::file_copy::{CopyCache, CopyMethod, FileSetPlan};
use crate::spec::grid::{LoadGrid, SearchPlan};
use crate::spec::profile::tests::{any_loads, any_name, any_profile, any_prose};
use crate::words::load::LoadUnit;
use crate::words::rule::Metric;

const TEXT: &str = r#"name = "mine"
title = "Mine"

[[series]]
profile = "random-read"
block = ["4KiB", "64KiB"]

[[series]]
profile = "single-stream-read"
note = "one request at a time"

[[series]]
profile = "iometer-file-server"
rate = "100,200"

[[series]]
profile = "tiny"

[[profile]]
name = "tiny"
title = "Tiny"
[[profile.line]]
share = 100
size = 512
read = 100
random = 100
"#;

/// The suite of a text that is one.
#[track_caller]
fn parsed(text: &str) -> Suite {
    Suite::parse(text, "mine.toml").unwrap_or_else(|fault| panic!("{fault}"))
}

/// Names of the series, with their block sizes and levels.
fn outline(series: &[SeriesPlan]) -> Vec<String> {
    let line = |plan: &SeriesPlan| {
        let unit = if plan.loads.unit == LoadUnit::OfferedIops { " IO/s" } else { "" };
        format!("{} at {:?}{unit}", plan.name, plan.loads.levels)
    };
    series.iter().map(line).collect()
}

#[test]
fn what_is_left_out_has_its_documented_value() {
    let suite = parsed("name = \"a\"\ntitle = \"A\"\n[[series]]\nprofile = \"log\"\n");
    assert_eq!((suite.size, suite.steady_state), (None, None));
    assert_eq!(suite.loads, None);
    assert_eq!(suite.rules, [], "those of the target's class");
    assert_eq!(suite.series[0].blocks, []);
    assert_eq!((suite.description.as_str(), suite.source.as_str()), ("", ""));
}

#[test]
fn the_nearest_grid_holds() {
    let suite = parsed(TEXT);
    let series = suite.resolve(&Overrides::none()).unwrap();
    assert_eq!(
        outline(&series),
        [
            "random-read/4KiB at [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0]",
            "random-read/64KiB at [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0]",
            "single-stream-read/64KiB at [1.0]",
            "iometer-file-server/mix at [100.0, 200.0] IO/s",
            "tiny/512B at [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0]",
        ]
    );
    assert_eq!(series[1].profile.storage().unwrap().lines[0].block_bytes, 65536);
    assert_eq!(suite.summary().unwrap(), "5 series, up to 33 points");
}

#[test]
fn overrides_take_the_place_of_blocks_loads_and_rules() {
    let suite = catalog::suite("storagebench").unwrap();
    let overrides = Overrides {
        blocks: vec![Bytes(4096), Bytes(8192)],
        loads: Loads::parse("1000", LoadUnit::OfferedIops).ok().map(TypedLoads::Of),
        rules: vec!["p99<=5ms".parse().unwrap()],
        ..Overrides::none()
    };
    let series = suite.resolve(&overrides).unwrap();
    let names: Vec<&str> = series.iter().map(|series| series.name.as_str()).collect();
    assert_eq!(
        names[..4],
        ["file-copy/4KiB", "file-copy/8KiB", "file-server/4KiB", "file-server/8KiB"]
    );
    assert_eq!(series.len(), 10);
    assert!(
        series
            .iter()
            .all(|series| series.loads == LoadGrid::parse("1000", LoadUnit::OfferedIops).unwrap())
    );
    assert_eq!(suite.rules_with(&overrides), overrides.rules);
    assert_eq!(suite.rules_with(&Overrides::none()), suite.rules);
}

#[test]
fn overrides_that_do_not_fit_are_refused() {
    let check = |suite: &str, blocks: &[u64], what: &str| {
        let blocks = blocks.iter().copied().map(Bytes).collect();
        let overrides = Overrides { blocks, ..Overrides::none() };
        let fault = catalog::suite(suite).unwrap().resolve(&overrides).unwrap_err();
        assert_eq!(fault.what(), what);
    };
    check("fastt900", &[4096], "profile 'iometer-file-server' can't take a block size");
    check("storagebench", &[4096, 4096], "two series are called 'file-copy/4KiB'");
    check("storagebench", &[0], "a block of 0 bytes moves nothing");
}

#[test]
fn a_profile_by_itself_is_a_suite_of_one_series() {
    let outline_of = |name| {
        let suite = Suite::of_profile(catalog::profile(name).unwrap());
        outline(&suite.resolve(&Overrides::none()).unwrap())
    };
    let expected = "database/8KiB at [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0]";
    assert_eq!(outline_of("database"), [expected]);
    assert_eq!(outline_of("single-stream-write"), ["single-stream-write/64KiB at [1.0]"]);
    let suite = Suite::of_profile(catalog::profile("database").unwrap());
    assert_eq!((suite.name.as_str(), &suite.rules), ("database", &Vec::new()));
}

#[test]
fn a_profile_of_the_suite_comes_before_that_of_the_catalog() {
    let suite = parsed(&TEXT.replace("\"tiny\"", "\"log\""));
    assert_eq!(suite.profile("log").unwrap().block(), Some(Bytes(512)));
    assert_eq!(suite.profile("backup").unwrap(), catalog::profile("backup").unwrap());
}

/// Any series of `profile`; blocks only where the profile takes them.
fn any_series(profile: &Profile) -> impl Strategy<Value = Series> + use<> {
    let name = profile.name.clone();
    let blocks_max = if profile.block().is_some() { 4 } else { 0 };
    let blocks = prop::collection::btree_set(1..=1_u64 << 30, 0..=blocks_max);
    (blocks, any_loads(), any_prose()).prop_map(move |(blocks, loads, note)| Series {
        profile: name.clone(),
        blocks: blocks.into_iter().map(Bytes).collect(),
        loads,
        settings: Default::default(),
        note,
    })
}

/// Profiles of distinct names: own ones and one of the catalog.
fn any_profiles() -> impl Strategy<Value = Vec<Profile>> {
    prop::collection::vec(any_profile(), 0..3).prop_map(|mut profiles| {
        for (index, profile) in profiles.iter_mut().enumerate() {
            profile.name = format!("own-{index}");
        }
        profiles
    })
}

fn any_rules() -> impl Strategy<Value = Vec<Rule>> {
    let metric = prop::sample::select(vec![Metric::Mean, Metric::P99, Metric::P9999, Metric::Max]);
    let rules = (metric, 1..1_000_000_u64);
    prop::collection::btree_set(rules, 1..4).prop_map(|rules| {
        let rule = |(metric, micros)| Rule::on(metric, Nanos(micros * 1000));
        rules.into_iter().map(rule).collect()
    })
}

/// A file copy that names some methods and caches, not all.
fn small_copy() -> FileCopy {
    FileCopy {
        set: FileSetPlan { bytes: 1 << 20, files: 7, directories: 3 },
        methods: vec![CopyMethod::ReadWrite, CopyMethod::CopyFileRange],
        caches: vec![CopyCache::Uncached],
        repetitions: 2,
    }
}

/// Any suite that is valid.
fn any_suite() -> impl Strategy<Value = Suite> {
    let size = prop::option::of((1..=SIZE_BYTES_MAX >> 10).prop_map(|kib| Bytes(kib << 10)));
    let round = prop::option::of((100..=3_600_000_u64).prop_map(Nanos::from_millis));
    let texts = (any_name(), "[a-zA-Z0-9 '\"\\\\ä]{1,40}", any_prose(), any_prose());
    let series = any_profiles().prop_flat_map(|profiles| {
        let mut used = profiles.clone();
        used.push(catalog::profile("oltp").unwrap());
        let series: Vec<_> = used.iter().map(any_series).collect();
        (Just(profiles), series)
    });
    (texts, (size, round), any_rules(), any_loads(), series).prop_map(
        |(texts, (size, steady_state), rules, loads, (profiles, series))| Suite {
            name: texts.0,
            title: texts.1,
            description: texts.2,
            source: texts.3,
            size,
            steady_state,
            rules,
            loads,
            factors: Factors::default(),
            repeat: None,
            precondition: None,
            rounds: None,
            file_copy: size.map(|_| small_copy()),
            series,
            together: Vec::new(),
            profiles,
            members: Vec::new(),
        },
    )
}

proptest! {
    #[test]
    fn every_valid_suite_resolves_to_unique_names(suite in any_suite()) {
        let series = suite.resolve(&Overrides::none()).unwrap();
        let names: std::collections::BTreeSet<_> = series.iter().map(|s| &s.name).collect();
        prop_assert_eq!(names.len(), series.len());
    }

    #[test]
    fn arbitrary_text_is_a_suite_or_a_fault(text in any::<String>()) {
        let _ = Suite::parse(&text, "mine.toml");
    }

    #[test]
    fn a_suite_with_a_scratch_is_a_suite_or_a_fault(
        at in any::<prop::sample::Index>(), scratch in ".{0,3}",
    ) {
        let mut chars: Vec<char> = TEXT.chars().collect();
        let at = at.index(chars.len());
        chars.splice(at..=at, scratch.chars());
        let _ = Suite::parse(&chars.into_iter().collect::<String>(), "mine.toml");
    }
}

#[test]
fn a_series_may_have_settings_of_its_own() {
    let text = "name = \"a\"\ntitle = \"A\"\n[[series]]\nprofile = \"log\"\n\
                settings = { write_cache = \"on\", \"param.controller.block\" = 16 }\n\
                [[series]]\nprofile = \"database\"\n";
    let suite = Suite::parse(text, "a.toml").unwrap();
    let series = suite.resolve(&Overrides::none()).unwrap();
    let told = series.iter().map(|series| combination_text(&series.settings));
    assert_eq!(told.collect::<Vec<_>>(), ["param.controller.block=16, write_cache=on", ""]);
    // Plans of suites without them are what they were before there were any.
    let json = series.iter().map(|series| serde_json::to_string(series).unwrap());
    let has = json.map(|json| json.contains("settings"));
    assert_eq!(has.collect::<Vec<_>>(), [true, false]);
    let shipped = catalog::suite("fastt900").unwrap().resolve(&Overrides::none()).unwrap();
    let of_shipped = |name: &str| {
        let series = shipped.iter().find(|series| series.name == name).unwrap();
        combination_text(&series.settings)
    };
    let read = "param.controller.block=16, read_ahead=on, stripe=128KiB";
    assert_eq!(of_shipped("stream-read/64KiB"), read);
    assert_eq!(of_shipped("stream-write/64KiB"), "param.controller.block=16, write_cache=on");
    assert_eq!(of_shipped("oltp/4KiB"), "");
}

#[test]
fn a_series_may_be_searched() {
    let text = "name = \"a\"\ntitle = \"A\"\noutstanding = \"auto\"\n\
                [[series]]\nprofile = \"log\"\n\
                [[series]]\nprofile = \"database\"\nrate = \"auto\"\n\
                [[series]]\nprofile = \"web-server\"\noutstanding = \"1,2\"\n";
    let suite = Suite::parse(text, "a.toml").unwrap();
    let series = suite.resolve(&Overrides::none()).unwrap();
    let is_searched: Vec<bool> =
        series.iter().map(|series| series.search != SearchPlan::Grid).collect();
    assert_eq!(is_searched, [true, true, false]);
    assert_eq!(series[0].loads.unit, LoadUnit::OutstandingIos);
    assert_eq!(series[1].loads.unit, LoadUnit::OfferedIops);
    assert!(suite.summary().unwrap().contains("up to"));
}

/// A member of one's own, with a line replaced.
fn of_members(from: &str, to: &str) -> Result<Suite, crate::words::fault::Fault> {
    let digest = "ab".repeat(32);
    let text = format!(
        "name = \"a\"\ntitle = \"A\"\n[[series]]\nprofile = \"xz\"\n[[series]]\nprofile = \"named\"\n\
         [[profile]]\nname = \"named\"\ntitle = \"N\"\nmember = \"zstd\"\n\
         [[member]]\nname = \"xz\"\ntitle = \"Xz\"\nclass = \"integer\"\nrun = [\"xz\"]\n\
         expect = \"{digest}\"\nreference = \"old\"\nreference_seconds = 13.2\n\
         [[member]]\nname = \"zstd\"\ntitle = \"Zstd\"\nclass = \"floating\"\nrun = [\"zstd\", \"{{copy}}\"]\n\
         verify = [\"true\"]\nreference = \"old\"\nreference_seconds = 1\n"
    );
    assert!(text.contains(from), "{from}");
    Suite::parse(&text.replacen(from, to, 1), "a.toml")
}

#[test]
fn members_of_ones_own_are_profiles_or_named_by_them() {
    let suite = of_members("", "").unwrap();
    let series = suite.resolve(&Overrides::none()).unwrap();
    let found: Vec<_> = series
        .iter()
        .map(|series| {
            let member = &series.profile.external().unwrap().external;
            (series.name.as_str(), member.name.as_str(), series.profile.weight())
        })
        .collect();
    assert_eq!(found, [("xz", "xz", 13.2), ("named", "zstd", 1.0)]);
    assert!(series.iter().all(|series| series.loads.unit == LoadUnit::Copies));
    let json = serde_json::to_string(&series[0].profile).unwrap();
    let back: crate::spec::profile::SeriesProfile = serde_json::from_str(&json).unwrap();
    assert_eq!(back, series[0].profile);
}

/// A suite of one member with these lines of `runcpu`.
fn of_tree(lines: &str) -> Result<Suite, crate::words::fault::Fault> {
    let text = format!(
        "name = \"a\"\ntitle = \"A\"\n[[series]]\nprofile = \"mcf\"\n[[member]]\nname = \"mcf\"\n\
         title = \"M\"\nclass = \"integer\"\nreference = \"old\"\nreference_seconds = 1616\n{lines}"
    );
    Suite::parse(&text, "a.toml")
}

const TREE: &str = "[member.runcpu]\ntree = \"/opt/tree\"\nconfig = \"mine.cfg\"\n\
    benchmark = \"505.mcf_r\"\ntune = \"base\"\n";

#[test]
fn a_benchmark_of_a_licensed_tree_is_a_member() {
    let suite = of_tree(TREE).unwrap();
    let series = suite.resolve(&Overrides::none()).unwrap();
    let member = &series[0].profile.external().unwrap().external;
    let build = member.build.as_ref().unwrap();
    assert_eq!(build[..2], ["sh", "-c"]);
    assert_eq!(build.last().unwrap(), "505.mcf_r");
    for (words, options) in [
        (build, &["/opt/tree", "--config=mine.cfg", "--tune=base", "--action=build"][..]),
        (&member.run, &["--copies={copies}", "--size=ref", "--noreportable"][..]),
    ] {
        let is_there = |option: &&str| words.contains(&(*option).to_owned());
        assert!(options.iter().all(is_there), "{words:?}");
    }
}

#[test]
fn a_benchmark_that_cannot_be_run_is_refused() {
    for (from, to, expected) in [
        ("\"/opt/tree\"", "\"tree\"", "the tree has no absolute path"),
        ("\"mine.cfg\"", "\"--rebuild\"", "'--rebuild' is no name"),
        ("\"mine.cfg\"", "\"{build}\"", "'{build}' is no name"),
        ("505.mcf_r", "mcf", "'mcf' is no benchmark"),
        ("505.mcf_r", "505.mcf; ls", "is no benchmark"),
        ("505.mcf_r", "605.mcf_s", "'605.mcf_s' is measured with threads"),
        ("\"base\"", "\"best\"", "'best' is no tune of runcpu"),
        ("tune = \"base\"", "tune = \"base\"\nsize = \"huge\"", "'huge' is no size of runcpu"),
        ("[member.runcpu]", "run = [\"x\"]\n[member.runcpu]", "either 'run' or 'runcpu'"),
        ("[member.runcpu]", "build = [\"x\"]\n[member.runcpu]", "either 'run' or 'runcpu'"),
        ("[member.runcpu]", "verify = [\"x\"]\n[member.runcpu]", "'expect' or 'verify'"),
    ] {
        let fault = of_tree(&TREE.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(fault.contains(expected), "{expected}: {fault}");
    }
}

#[test]
fn a_member_that_cannot_be_judged_or_compared_is_refused() {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let digest = "ab".repeat(32);
    let expect = format!("expect = \"{digest}\"");
    for (from, to, expected) in [
        ("name = \"xz\"", "name = \"chess\"", "Kneepoint has a member 'chess' of its own"),
        ("name = \"xz\"", "name = \"zstd\"", "two members are called 'zstd'"),
        ("\"integer\"", "\"whole\"", "'whole' is no class of members"),
        ("run = [\"xz\"]", "run = []", "run: it names no program"),
        (&expect, "", "a member has either 'expect' or 'verify'"),
        (&expect, &format!("{expect}\nverify = [\"true\"]"), "either 'expect' or 'verify'"),
        (&digest, "abcd", "'abcd' is no SHA-256"),
        (&digest, empty, "the SHA-256 of an empty output"),
        ("reference = \"old\"", "reference = \"\"", "reference: it is empty"),
        ("reference_seconds = 13.2", "reference_seconds = 0", "0 seconds of one copy"),
        ("reference_seconds = 13.2\n", "", "reference_seconds"),
        ("member = \"zstd\"", "member = \"zstd\"\nflags = \"base\"", "a program of your own"),
        ("member = \"zstd\"", "member = \"zst\"", "there is no member 'zst'"),
    ] {
        let fault = of_members(from, to).unwrap_err().to_string();
        assert!(fault.contains(expected), "{expected}: {fault}");
    }
}
