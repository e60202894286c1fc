//! Settings that a suite sets for some of its series alone.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use kneepoint_core::measure::{Memory, Run, Testbed, Unwatched};
use kneepoint_core::plan::Plan;
use kneepoint_core::plan::resolve::{Draft, Wishes};
use kneepoint_core::result::PointResult;
use kneepoint_core::spec::suite::Suite;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;
use kneepoint_sim::SimTestbed;

/// Writes with the write cache on, and reads with the settings of the target.
const SUITE: &str = r#"
name = "own"
title = "Own"
rules = ["mean<=20ms"]
outstanding = "4"

[[series]]
profile = "stream-write"
settings = { write_cache = "on" }

[[series]]
profile = "random-read"
"#;

const TARGET: &str = "sim:fastt900?drives_per_array=60";

fn plan(suite: &str, target: &str, factors: &[&str]) -> Result<(Plan, SimTestbed<'static>), Fault> {
    let suite = Suite::parse(suite, "own.toml").unwrap();
    let wishes = Wishes {
        time: Some(Nanos::from_secs(1)),
        factors: factors.iter().map(|factor| factor.parse().unwrap()).collect(),
        ..Wishes::default()
    };
    let draft = Draft::new(&suite, &wishes)?;
    let testbed = SimTestbed::new(&[target.to_owned()])?;
    let plan = draft.resolve(&testbed.site(&wishes))?;
    testbed.check(&plan)?;
    Ok((plan, testbed))
}

/// The points of the suite on a target.
fn points(suite: &str, target: &str, factors: &[&str]) -> Vec<PointResult> {
    let (plan, mut testbed) = plan(suite, target, factors).unwrap();
    let mut memory = Memory::default();
    Run::new(&plan).measure(&mut testbed, &mut memory, &mut Unwatched).unwrap();
    memory.points
}

fn rate(points: &[PointResult], series: &str) -> f64 {
    let of_series = points.iter().find(|point| point.profile == series);
    of_series.expect("the series").rate.mean
}

#[test]
fn a_series_is_measured_at_its_own_settings_and_the_others_are_not() {
    let own = points(SUITE, TARGET, &[]);
    let plain = SUITE.replace("settings = { write_cache = \"on\" }", "");
    let off = points(&plain, TARGET, &[]);
    let on = points(&plain, &format!("{TARGET}&write_cache=on"), &[]);
    assert_eq!(rate(&own, "stream-write"), rate(&on, "stream-write"));
    assert!(rate(&own, "stream-write") > 1.5 * rate(&off, "stream-write"));
    assert_eq!(rate(&own, "random-read"), rate(&off, "random-read"));
    assert_eq!(own[0].settings["write_cache"], "on");
    assert!(own[1].settings.is_empty());
}

/// What the command line says comes before the suite, and that is said.
#[test]
fn what_is_varied_or_named_comes_before_the_suite() {
    let left_out = |target: &str, factors: &[&str]| {
        let (plan, _) = plan(SUITE, target, factors).unwrap();
        let own: Vec<bool> = plan.series.iter().map(|one| !one.settings.is_empty()).collect();
        let told: Vec<String> = plan.omissions.iter().map(ToString::to_string).collect();
        (own.contains(&true), told.join("; "))
    };
    let check = |target: &str, factors: &[&str], why: &str| {
        let said = format!(
            "the suite's own settings for stream-write were left out (write_cache=on): {why}"
        );
        assert_eq!(left_out(target, factors), (false, said));
    };
    check(TARGET, &["write_cache=off,on"], "they are varied");
    let off = format!("{TARGET}&write_cache=off");
    check(&off, &[], &format!("the name {off} says otherwise"));
    let fixed = "keeps its settings; a suite sets those of simulated storage systems only";
    check("sim:analytic/md1", &[], &format!("sim:analytic/md1 {fixed}"));
    // Something else that is varied, and a name that says the same, leave them as they are.
    assert_eq!(left_out(TARGET, &["raid=raid5,raid10"]), (true, String::new()));
    assert_eq!(left_out(&format!("{TARGET}&write_cache=on"), &[]), (true, String::new()));
    let levels = points(SUITE, TARGET, &["write_cache=off,on"]);
    let writes = levels.iter().filter(|point| point.profile == "stream-write");
    let mut rates: Vec<f64> = writes.map(|point| point.rate.mean).collect();
    rates.sort_by(f64::total_cmp);
    assert!(rates.len() == 2 && rates[1] > 1.5 * rates[0], "{rates:?}");
}

#[test]
fn settings_that_the_system_does_not_have_are_refused() {
    let refused = |settings: &str| {
        let suite = SUITE.replace("write_cache = \"on\"", settings);
        plan(&suite, TARGET, &[]).map(|_| ()).unwrap_err().to_string()
    };
    let unknown = refused("writecache = \"on\"");
    assert!(unknown.contains("has no parameter 'writecache'"), "{unknown}");
    let level = refused("write_cache = \"sometimes\"");
    assert!(level.contains("'write_cache=sometimes'"), "{level}");
    let more = refused("drives = 120");
    assert!(more.contains("has more arrays than the plan: 2"), "{more}");
}
