//! Published numbers are found for what a plan simulates, and for nothing else.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use kneepoint_core::measure::Testbed;
use kneepoint_core::plan::resolve::{Draft, Wishes};
use kneepoint_core::plan::{Plan, TypedLoads};
use kneepoint_core::result::{ModelFit, PublishedNumber, PublishedPlace, ThroughputUnit};
use kneepoint_core::spec::catalog;
use kneepoint_core::spec::factor::Factor;
use kneepoint_core::spec::grid::Loads;
use kneepoint_core::spec::suite::Suite;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::units::Nanos;
use kneepoint_sim::{SimTarget, SimTestbed};

/// A plan for `profile` on `target`, and the testbed.
fn plan(
    target: &str,
    profile: &str,
    rule: &str,
    factors: Vec<Factor>,
) -> (Plan, SimTestbed<'static>) {
    let suite = Suite::of_profile(catalog::profile(profile).unwrap());
    let wishes = Wishes {
        loads: Some(TypedLoads::Of(Loads::parse("1,2,4", LoadUnit::OutstandingIos).unwrap())),
        rules: vec![rule.parse().unwrap()],
        blocks: if profile == "oltp" { vec!["8KiB".parse().unwrap()] } else { Vec::new() },
        factors,
        ..Wishes::default()
    };
    let draft = Draft::new(&suite, &wishes).unwrap();
    let no_files = |path: &str| Err(Fault::new(format!("{path} is no name")));
    let names = match draft.factors().unwrap() {
        None => vec![target.to_owned()],
        Some(factors) => SimTarget::largest(&[target.to_owned()], &factors, &no_files).unwrap(),
    };
    let testbed = SimTestbed::new(&names).unwrap();
    let plan = draft.resolve(&testbed.site(&wishes)).unwrap();
    (plan, testbed)
}

fn published(target: &str, profile: &str, rule: &str) -> Vec<PublishedNumber> {
    let (plan, testbed) = plan(target, profile, rule, Vec::new());
    testbed.environment(&plan).published
}

const FASTT900: &str = "sim:fastt900?drives=60&raid=raid5&write_cache=off";

#[test]
fn a_number_belongs_to_the_system_and_the_load_that_it_was_measured_on() {
    let found = published(FASTT900, "oltp", "mean<=20ms");
    let [number] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(number.source, "fastt900, Table 1");
    assert_eq!(number.place, PublishedPlace::Rule("mean<=20ms".to_owned()));
    assert_eq!((number.value, number.unit), (8_880.0, ThroughputUnit::Iops));
    // The same access under another name.
    assert_eq!(published(FASTT900, "database", "mean<=20ms")[0].value, number.value);
    // The file's own settings are these.
    assert_eq!(published("sim:fastt900", "oltp", "mean<=20ms"), found);
}

#[test]
fn another_system_load_or_rule_has_no_number() {
    for other in ["drives=60&raid=raid10", "drives=50", "drives=60&stroke=30%", "write_cache=on"] {
        assert_eq!(
            published(&format!("sim:fastt900?{other}"), "oltp", "mean<=20ms"),
            [],
            "{other}"
        );
    }
    assert_eq!(published(FASTT900, "oltp", "mean<=15ms"), []);
    assert_eq!(published(FASTT900, "web-server", "mean<=20ms"), []);
    // One of six arrays is not the system.
    assert_eq!(published(&format!("{FASTT900}#0"), "oltp", "mean<=20ms"), []);
    assert_eq!(published("sim:analytic/md1", "oltp", "mean<=20ms"), []);
}

#[test]
fn a_factor_leads_to_the_numbers_of_its_levels() {
    let levels = ["20", "30", "60"].map(str::to_owned).to_vec();
    let drives = Factor { name: "drives".to_owned(), levels, commands: None, settle: Nanos::ZERO };
    let (plan, testbed) = plan("sim:fastt900", "oltp", "mean<=20ms", vec![drives]);
    assert_eq!(plan.targets.len(), 6);
    let environment = testbed.environment(&plan);
    // What is stored of the plan is enough to take it up again.
    let names: Vec<String> = plan.targets.iter().map(|target| target.target.clone()).collect();
    SimTestbed::new(&names).unwrap().check(&plan).unwrap();
    let of_level = |number: &PublishedNumber| (number.factors["drives"].clone(), number.value);
    let found: Vec<(String, f64)> = environment.published.iter().map(of_level).collect();
    assert_eq!(found, [("20".to_owned(), 3_000.0), ("60".to_owned(), 8_880.0)]);
}

/// Targets that are not those of the largest level.
#[test]
fn a_level_with_more_arrays_than_targets_is_refused() {
    let drives = Factor {
        name: "drives".to_owned(),
        levels: ["12", "24"].map(str::to_owned).to_vec(),
        commands: None,
        settle: Nanos::ZERO,
    };
    let (mut plan, _) = plan("sim:serveraid-m5025", "oltp", "mean<=15ms", vec![drives]);
    let testbed = SimTestbed::new(&["sim:serveraid-m5025?drives=12".to_owned()]).unwrap();
    plan.targets =
        testbed.site(&Wishes::default()).targets.into_iter().map(|found| found.plan).collect();
    let fault = testbed.check(&plan).unwrap_err().to_string();
    assert!(fault.contains("has more arrays than the plan: 2"), "{fault}");
}

#[test]
fn the_number_at_a_load_and_the_peak_are_found_too() {
    let found =
        published("sim:serveraid-m5025?drives=12&raid=raid5&write_cache=on", "oltp", "mean<=15ms");
    let places: Vec<&PublishedPlace> = found.iter().map(|number| &number.place).collect();
    let rule = PublishedPlace::Rule("mean<=15ms".to_owned());
    assert_eq!(places, [&rule, &PublishedPlace::Peak(121)]);
    let found = published("sim:drive/hdd-sas35-15k-300", "file-server", "mean<=15ms");
    let is_at = |number: &PublishedNumber| number.place == PublishedPlace::Outstanding(4);
    assert!(found.iter().any(is_at), "{found:?}");
}

#[test]
fn the_environment_says_how_a_model_was_fitted() {
    let model = |target: &str| {
        let (plan, testbed) = plan(target, "oltp", "mean<=20ms", Vec::new());
        testbed.environment(&plan).targets[0].model.clone()
    };
    let fastt900 = model("sim:fastt900").unwrap();
    assert_eq!(fastt900.system, "fastt900");
    assert_eq!(fastt900.fit, Some(ModelFit { cells: 29, mean_error_percent: Some(1.62) }));
    assert!(fastt900.source.contains("FAStT900"));
    assert_eq!(model("sim:rx100s4-sas").unwrap().fit, None);
    assert_eq!(model("sim:analytic/md1"), None);
}
