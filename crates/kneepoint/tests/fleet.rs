//! Simulated fleets in one process: the same numbers as one machine with all of the targets.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::sync::Arc;
use std::time::Instant;

use kneepoint_core::measure::{Memory, Run, Testbed, Unwatched};
use kneepoint_core::plan::resolve::{Draft, Extent, Search, Wishes};
use kneepoint_core::plan::{Plan, TypedLoads};
use kneepoint_core::result::PointResult;
use kneepoint_core::spec::catalog;
use kneepoint_core::spec::factor::Factors;
use kneepoint_core::spec::grid::Loads;
use kneepoint_core::spec::suite::Suite;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::{LoadLevel, LoadUnit};
use kneepoint_core::words::units::Nanos;
use kneepoint_net::wire::LookRequest;
use kneepoint_net::{
    AgentEvent, Fleet, FleetRequest, LocalAgents, Looked, Patience, Workshop, dealt,
};
use kneepoint_sim::{SimTarget, SimTestbed};

/// Simulated systems on every host.
struct Simulators;

impl Workshop for Simulators {
    fn look<'a>(&'a self, request: &LookRequest) -> Result<Looked<'a>, Fault> {
        let names = largest(&request.targets, request.factors.as_ref())?;
        let testbed = Box::new(SimTestbed::new(&names)?);
        Ok(Looked { testbed, layout_bytes: Vec::new() })
    }

    fn look_again<'a>(&'a self, plan: &Plan) -> Result<Box<dyn Testbed + 'a>, Fault> {
        let names: Vec<String> = plan.targets.iter().map(|target| target.target.clone()).collect();
        Ok(Box::new(SimTestbed::new(&names)?))
    }

    fn now(&self) -> Nanos {
        now()
    }

    fn machine(&self) -> String {
        "test".to_owned()
    }

    fn permit(&self, _: &Plan, _: Option<LoadLevel>) -> Result<(), Fault> {
        Ok(())
    }

    fn targets(&self) -> Vec<String> {
        Vec::new()
    }

    fn record(&self, _: &AgentEvent) {}
}

/// The systems called `names` with the most arrays that they have at any level.
fn largest(names: &[String], factors: Option<&Factors>) -> Result<Vec<String>, Fault> {
    match factors {
        None => Ok(names.to_vec()),
        Some(factors) => SimTarget::largest(names, factors, &no_files),
    }
}

fn no_files(path: &str) -> Result<String, Fault> {
    Err(Fault::new(format!("{path} is not shipped")))
}

/// A clock that begins with the test.
fn now() -> Nanos {
    use std::sync::OnceLock;
    static START: OnceLock<Instant> = OnceLock::new();
    Nanos(START.get_or_init(Instant::now).elapsed().as_nanos() as u64 + 1)
}

/// What is measured.
struct Trial {
    suite: Suite,
    wishes: Wishes,
    names: Vec<String>,
}

impl Trial {
    fn of(profile: &str, names: Vec<String>) -> Self {
        let suite = catalog::work(profile).unwrap();
        Self { suite, wishes: Wishes::default(), names }
    }

    fn at(mut self, loads: &str) -> Self {
        self.wishes.loads = Some(TypedLoads::OfAnyUnit(loads.to_owned()));
        self
    }

    fn measured(&self, plan: &Plan, testbed: &mut dyn Testbed) -> Vec<PointResult> {
        let mut memory = Memory::default();
        Run::new(plan).measure(testbed, &mut memory, &mut Unwatched).unwrap();
        memory.points
    }

    fn draft(&self) -> Draft<'_> {
        Draft::new(&self.suite, &self.wishes).unwrap()
    }

    fn by_one(&self) -> Vec<PointResult> {
        let draft = self.draft();
        let names = largest(&self.names, draft.factors().unwrap().as_ref()).unwrap();
        let mut testbed = SimTestbed::new(&names).unwrap();
        let plan = draft.resolve(&testbed.site(&self.wishes)).unwrap();
        self.measured(&plan, &mut testbed)
    }

    fn by_fleet(&self, size: usize) -> Vec<PointResult> {
        let hosts: Vec<String> = (1..=size).map(|number| format!("local{number}")).collect();
        let workshop: Arc<dyn Workshop + Send + Sync> = Arc::new(Simulators);
        let agents = LocalAgents::start("test", &hosts, &workshop).unwrap();
        let draft = self.draft();
        let request = FleetRequest {
            hosts: dealt(&self.names, &hosts).unwrap(),
            request: draft.target_request(),
            engine: None,
            caching: self.wishes.caching,
            factors: draft.factors().unwrap(),
        };
        let mut fleet = Fleet::look(agents.reach(), (now, Patience::USUAL), &request).unwrap();
        let plan = draft.resolve(&fleet.site(&self.wishes)).unwrap();
        assert_eq!(plan.hosts(), hosts);
        fleet.check(&plan).unwrap();
        let points = self.measured(&plan, &mut fleet);
        for point in &points {
            check_hosts(point, size);
        }
        points
    }

    /// Checks that `size` hosts give what one machine gives.
    fn check(&self, size: usize) {
        let (one, fleet) = (self.by_one(), self.by_fleet(size));
        assert_eq!(one.len(), fleet.len());
        for (one, fleet) in one.into_iter().zip(fleet) {
            check_reasons(&one, &fleet);
            let value = |point| serde_json::to_value(plain(point)).unwrap();
            let (one, fleet) = (value(one), value(fleet));
            for (key, value) in one.as_object().unwrap() {
                assert_eq!(value, &fleet[key], "{key}");
            }
            assert_eq!(one.to_string(), fleet.to_string());
        }
    }
}

/// The sum over the hosts is the total, and so is that over the targets.
fn check_hosts(point: &PointResult, size: usize) {
    assert_eq!(point.hosts.len(), size);
    let sum: f64 = point.hosts.iter().map(|host| host.rate).sum();
    assert!((sum / point.rate.mean - 1.0).abs() < 1e-9, "{sum} of {}", point.rate.mean);
}

/// Why a simulated system was as fast as it was is nearly the same.
fn check_reasons(one: &PointResult, fleet: &PointResult) {
    let (Some(one), Some(fleet)) = (&one.simulated, &fleet.simulated) else {
        return assert_eq!(one.simulated, fleet.simulated);
    };
    assert_eq!(one.parts.len(), fleet.parts.len());
    for (one, fleet) in one.parts.iter().zip(&fleet.parts) {
        assert_eq!((&one.name, one.count), (&fleet.name, fleet.count));
        assert!((one.mean_percent - fleet.mean_percent).abs() < 1.0, "{one:?} {fleet:?}");
    }
    let (one, fleet) = (one.breakdown_ms, fleet.breakdown_ms);
    assert!((one.seek / fleet.seek - 1.0).abs() < 0.01, "{one:?} {fleet:?}");
    assert!((one.drive_queue - fleet.drive_queue).abs() < 0.02, "{one:?} {fleet:?}");
}

/// A point without the names of hosts.
fn plain(point: PointResult) -> PointResult {
    let mut point = PointResult { hosts: Vec::new(), ..point };
    for target in &mut point.targets {
        let name = target.target.strip_prefix(&format!("{}:", target.host));
        target.target = name.unwrap_or(&target.target).to_owned();
        target.host = String::new();
    }
    // One machine has no stragglers.
    point.warnings.retain(|warning| warning.kind() != "host_lags");
    // Why it was as fast is an average over hosts, and not the same to the last bit.
    point.simulated = None;
    point
}

/// Names of reference systems that all differ.
fn stations(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("sim:analytic/mm1?service={}us", 1000 + number)).collect()
}

#[test]
fn a_fleet_gives_the_same_bytes_as_one_process() {
    Trial::of("random-read", stations(32)).at("1,4").check(32);
}

#[test]
fn targets_can_be_spread_in_any_way() {
    let trial = Trial::of("random-read", stations(5)).at("3");
    trial.check(1);
    trial.check(2);
    trial.check(5);
}

#[test]
fn an_open_loop_is_the_same() {
    let mut trial = Trial::of("random-read", stations(3));
    let loads = Loads::parse("300,600", LoadUnit::OfferedIops).unwrap();
    trial.wishes.loads = Some(TypedLoads::Of(loads));
    trial.check(3);
}

#[test]
fn a_search_by_visits_is_the_same() {
    let mut trial = Trial::of("database", stations(3));
    trial.wishes.search = Search::Knee;
    trial.wishes.rules = vec!["mean<=10ms".parse().unwrap()];
    trial.check(3);
}

/// A write cache must settle to a load that differs much; what has none could go on, but does not.
#[test]
fn a_search_on_systems_of_which_some_must_settle_is_the_same() {
    let names = ["sim:serveraid-m5025?drives=9", "sim:drive/hdd-sas35-15k-600"].map(str::to_owned);
    let mut trial = Trial::of("database", names.to_vec());
    trial.wishes.search = Search::Knee;
    trial.wishes.rules = vec!["mean<=20ms".parse().unwrap()];
    trial.check(2);
}

#[test]
fn drives_are_the_same() {
    let drives = ["sim:drive/hdd-sas-15k-600", "sim:drive/hdd-sas25-10k-146"];
    let names = drives.map(str::to_owned).to_vec();
    let mut trial = Trial::of("database", names).at("1,8");
    trial.wishes.extent = Extent::Quick;
    trial.check(2);
}

#[test]
fn varied_settings_are_the_same() {
    let names = ["sim:fastt900?drives=20", "sim:fastt700?drives=20"].map(str::to_owned);
    let mut trial = Trial::of("database", names.to_vec()).at("1,8");
    trial.wishes.extent = Extent::Quick;
    trial.wishes.factors = vec!["raid=raid5,raid10".parse().unwrap()];
    trial.check(2);
}

/// Each system is as full and as worn when it begins, and its drives are on the same links, whatever else is
/// measured in its process.
#[test]
fn systems_with_write_caches_and_flash_are_the_same() {
    for names in [
        [
            "sim:serveraid-m5025?drives=9",
            "sim:fastt900?drives=21&write_cache=on",
            "sim:fastt700?drives=9",
        ],
        [
            "sim:drive/ssd-sata25-64",
            "sim:drive/ssd-sata25-64?stroke=50%",
            "sim:drive/hdd-sas-15k-600",
        ],
    ] {
        let mut trial = Trial::of("database", names.map(str::to_owned).to_vec()).at("1,8");
        trial.wishes.extent = Extent::Quick;
        trial.check(3);
    }
}

#[test]
fn a_setting_that_changes_the_number_of_targets_is_the_same() {
    let names = ["sim:fastt900", "sim:fastt700"].map(str::to_owned);
    let mut trial = Trial::of("database", names.to_vec()).at("1,4");
    trial.wishes.extent = Extent::Quick;
    trial.wishes.factors = vec!["drives=20,40".parse().unwrap()];
    trial.check(2);
    trial.check(1);
}
