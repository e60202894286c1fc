//! Series at the same moment on systems whose answer is known, and what a run keeps of them.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::cell::Cell;

use kneepoint_core::measure::search::NextPoint;
use kneepoint_core::measure::{Instrument, Ready, Testbed};
use kneepoint_core::measure::{Memory, Observer, Outcome, Point, Run, Stop, Unwatched};
use kneepoint_core::plan::Plan;
use kneepoint_core::plan::resolve::{Draft, Site, Wishes};
use kneepoint_core::result::{Environment, PointResult, Verdict, Warning};
use kneepoint_core::spec::suite::Suite;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;
use kneepoint_sim::SimTestbed;

/// A suite of one group whose members have these keys beside their profile.
fn suite(members: &[(&str, &str)]) -> Suite {
    let mut text = "name = \"pair\"\ntitle = \"Pair\"\n[[together]]\nname = \"pair\"\n".to_owned();
    for (profile, keys) in members {
        text.push_str(&format!("[[together.member]]\nprofile = \"{profile}\"\n{keys}\n"));
    }
    Suite::parse(&text, "pair.toml").unwrap()
}

fn wishes() -> Wishes {
    Wishes { time: Some(Nanos::from_secs(300)), ..Wishes::default() }
}

fn plan(
    members: &[(&str, &str)],
    testbed: &SimTestbed<'_>,
    wishes: &Wishes,
) -> Result<Plan, Fault> {
    Draft::new(&suite(members), wishes)?.resolve(&testbed.site(wishes))
}

/// The points of these members on these targets.
fn measured(members: &[(&str, &str)], targets: &[&str], wishes: &Wishes) -> Memory {
    let names: Vec<String> = targets.iter().map(|target| format!("sim:{target}")).collect();
    let mut testbed = SimTestbed::new(&names).unwrap();
    let plan = plan(members, &testbed, wishes).unwrap();
    let mut memory = Memory::default();
    Run::new(&plan).measure(&mut testbed, &mut memory, &mut Unwatched).unwrap();
    memory
}

fn find<'a>(memory: &'a Memory, series: &str, load: f64) -> &'a PointResult {
    let is_it = |point: &&PointResult| point.series == series && point.load.value == load;
    memory.points.iter().find(is_it).unwrap_or_else(|| panic!("{series} at {load}"))
}

#[track_caller]
fn near(value: f64, expected: f64) {
    assert!((value / expected - 1.0).abs() < 0.01, "{value}, and {expected} expected");
}

#[test]
fn one_server_is_shared_in_proportion_to_what_is_in_flight() {
    for system in ["analytic/mm1?service=1ms", "analytic/md1?service=1ms"] {
        let members =
            [("random-read", "outstanding = \"1,4\""), ("stream-write", "outstanding = 3")];
        let memory = measured(&members, &[system], &wishes());
        assert_eq!(memory.points.len(), 4);
        for load in [1.0, 4.0] {
            let reads = find(&memory, "pair/random-read/4KiB", load);
            let writes = find(&memory, &format!("pair@{load}/stream-write/64KiB"), 3.0);
            // The server is always busy; who has a of n in flight has that part of its time.
            near(reads.rate.mean, 1000.0 * load / (load + 3.0));
            near(writes.rate.mean, 1000.0 * 3.0 / (load + 3.0));
            for point in [reads, writes] {
                near(point.latency_ms.mean, load + 3.0);
                near(point.storage.unwrap().achieved_outstanding, point.load.value);
            }
            let seconds = [reads, writes].map(|point| (point.ramp_s, point.measured_s));
            assert_eq!(seconds[0], seconds[1], "the same intervals");
            assert_eq!(reads.classes.keys().collect::<Vec<_>>(), ["read"]);
            assert_eq!(writes.classes.keys().collect::<Vec<_>>(), ["write"]);
            assert_eq!(reads.beside[0].series, writes.series);
            assert_eq!(
                (&writes.beside[0].series, writes.beside[0].load),
                (&reads.series, reads.load)
            );
        }
    }
}

#[test]
fn where_there_is_room_for_all_no_one_takes_anything() {
    let members = [
        ("random-read", "outstanding = 2\nname = \"a\""),
        ("random-read", "rate = 300\nname = \"b\""),
        ("stream-read", "outstanding = 5"),
    ];
    let memory = measured(&members, &["analytic/fixed?service=1ms"], &wishes());
    assert_eq!(memory.points.len(), 3);
    near(find(&memory, "pair/a", 2.0).rate.mean, 2000.0);
    near(find(&memory, "pair/b", 300.0).rate.mean, 300.0);
    near(find(&memory, "pair/stream-read/64KiB", 5.0).rate.mean, 5000.0);
    assert!(memory.points.iter().all(|point| (point.latency_ms.mean - 1.0).abs() < 1e-9));
    assert_eq!(find(&memory, "pair/a", 2.0).beside.len(), 2);
}

#[test]
fn a_member_loads_its_own_target_alone() {
    let members =
        [("random-read", "outstanding = 2\ntarget = 2"), ("stream-read", "outstanding = 1")];
    let targets = ["analytic/md1?service=1ms", "analytic/md1?service=2ms"];
    let memory = measured(&members, &targets, &wishes());
    let own = find(&memory, "pair/random-read/4KiB", 2.0);
    assert_eq!(own.targets.len(), 1);
    assert!(own.targets[0].target.ends_with("service=2ms"), "{}", own.targets[0].target);
    near(own.rate.mean, 500.0 * 2.0 / 3.0);
    let both = find(&memory, "pair/stream-read/64KiB", 1.0);
    let rates: Vec<f64> = both.targets.iter().map(|target| target.rate).collect();
    near(rates[0], 1000.0);
    near(rates[1], 500.0 / 3.0);
    near(both.rate.mean, 1000.0 + 500.0 / 3.0);
}

#[test]
fn a_point_goes_on_until_every_member_is_as_accurate_as_asked_for() {
    let members =
        [("random-read", "outstanding = 199"), ("random-write", "outstanding = 1\nname = \"few\"")];
    let memory = measured(&members, &["analytic/mm1?service=1ms"], &Wishes::default());
    let [many, few] = &memory.points[..] else { panic!("two points") };
    assert_eq!([many.verdict, few.verdict], [Verdict::Steady; 2]);
    assert_eq!((many.ramp_s, many.measured_s), (few.ramp_s, few.measured_s));
    for point in [many, few] {
        let ci95 = point.rate.ci95.unwrap();
        assert!(ci95 <= 0.05 * point.rate.mean, "{} of {}", ci95, point.rate.mean);
    }
    let alone = "name = \"alone\"\ntitle = \"Alone\"\n[[series]]\nprofile = \"random-read\"\noutstanding = 200\n";
    let suite = Suite::parse(alone, "alone.toml").unwrap();
    let mut testbed = SimTestbed::new(&["sim:analytic/mm1?service=1ms".to_owned()]).unwrap();
    let wishes = Wishes::default();
    let plan = Draft::new(&suite, &wishes).unwrap().resolve(&testbed.site(&wishes)).unwrap();
    let mut by_itself = Memory::default();
    Run::new(&plan).measure(&mut testbed, &mut by_itself, &mut Unwatched).unwrap();
    assert!(many.measured_s > by_itself.points[0].measured_s, "it waited for the other");
}

#[test]
fn what_cannot_be_measured_at_the_same_moment_is_refused() {
    let pair = [("random-read", "outstanding = 1\ntarget = 2"), ("stream-read", "outstanding = 1")];
    let testbed = SimTestbed::new(&["sim:analytic/mm1".to_owned()]).unwrap();
    let refused = |wishes: &Wishes| plan(&pair, &testbed, wishes).unwrap_err().to_string();
    let told = refused(&Wishes::default());
    assert!(
        told.contains("pair/random-read/4KiB is measured on target 2, and there is 1"),
        "{told}"
    );
    let rules = vec!["mean<=2x@5".parse().unwrap()];
    let told = refused(&Wishes { rules, ..Wishes::default() });
    assert!(
        told.contains("the rule mean<=2x@5 has no reference in pair/random-read/4KiB"),
        "{told}"
    );
    let search = kneepoint_core::plan::resolve::Search::Knee;
    let told = refused(&Wishes { search, ..Wishes::default() });
    assert!(told.contains("the load of pair/random-read/4KiB is not searched for"), "{told}");
    let blocks = vec!["8KiB".parse().unwrap()];
    let told = refused(&Wishes { blocks, ..Wishes::default() });
    assert!(told.contains("'pair' has its own loads and block sizes"), "{told}");
}

/// Asks to stop in the interval of this number of the second moment.
struct Interrupting {
    moments: u32,
    is_over: Cell<bool>,
}

impl Observer for Interrupting {
    fn is_stop_asked(&self) -> bool {
        self.is_over.get()
    }

    fn point(&mut self, _point: &Point<'_>) {
        self.moments += 1;
    }

    fn interval(&mut self, _point: &Point<'_>, _progress: &kneepoint_core::measure::Progress<'_>) {
        self.is_over.set(self.moments == 2);
    }
}

const RAISED: [(&str, &str); 2] =
    [("random-read", "outstanding = \"1,2,4\""), ("stream-write", "outstanding = 1")];

#[test]
fn an_interrupted_run_keeps_whole_moments_and_goes_on_behind_them() {
    let mut testbed = SimTestbed::new(&["sim:analytic/mm1".to_owned()]).unwrap();
    let plan = plan(&RAISED, &testbed, &wishes()).unwrap();
    let mut memory = Memory::default();
    let mut observer = Interrupting { moments: 0, is_over: Cell::new(false) };
    let ended = Run::new(&plan).measure(&mut testbed, &mut memory, &mut observer);
    assert_eq!((ended, memory.points.len()), (Err(Stop::Asked), 2));
    let first = memory.points.clone();
    Run::new(&plan).measure(&mut testbed, &mut memory, &mut Unwatched).unwrap();
    assert_eq!((memory.points.len(), plan.point_count()), (6, 6));
    assert_eq!(memory.points[..2], first);
    let whole = measured(&RAISED, &["analytic/mm1"], &wishes());
    assert_eq!(memory.points, whole.points, "as if it had never been interrupted");
}

#[test]
fn a_moment_of_which_a_part_is_missing_is_measured_again() {
    let mut testbed = SimTestbed::new(&["sim:analytic/mm1".to_owned()]).unwrap();
    let plan = plan(&RAISED, &testbed, &wishes()).unwrap();
    let whole = measured(&RAISED, &["analytic/mm1"], &wishes());
    for missing in 0..6 {
        let mut memory = whole.clone();
        memory.points.truncate(missing + 1);
        memory.points.remove(missing);
        Run::new(&plan).measure(&mut testbed, &mut memory, &mut Unwatched).unwrap();
        assert_eq!(memory.points, whole.points, "from point {missing} on");
    }
}

#[test]
fn disturbed_points_of_one_moment_are_measured_again_together() {
    let mut testbed = SimTestbed::new(&["sim:analytic/mm1".to_owned()]).unwrap();
    let plan = plan(&RAISED, &testbed, &wishes()).unwrap();
    let whole = measured(&RAISED, &["analytic/mm1"], &wishes());
    for disturbed in [vec![2], vec![3], vec![2, 3]] {
        let mut memory = whole.clone();
        for place in disturbed {
            memory.points[place].verdict = Verdict::Disturbed;
        }
        let run = Run::new(&plan).with_disturbed_again(&memory.points.clone());
        let mut moments = Interrupting { moments: 2, is_over: Cell::new(false) };
        run.clone().measure(&mut testbed, &mut memory, &mut moments).unwrap();
        assert_eq!(moments.moments, 3, "one more");
        assert_eq!(memory.points, whole.points);
        assert_eq!(memory.warnings.len(), 2, "both were replaced");
    }
}

/// A system whose second member fails.
struct Failing(SimTestbed<'static>);

impl Testbed for Failing {
    fn site<'a>(&'a self, wishes: &'a Wishes) -> Site<'a> {
        self.0.site(wishes)
    }

    fn prepare<'a>(
        &'a mut self,
        plan: &'a Plan,
        _next: &NextPoint<'_>,
        _observer: &mut dyn Observer,
    ) -> Result<Ready<'a>, Stop> {
        Ok(Ready { plan, instrument: self })
    }

    fn environment(&self, plan: &Plan) -> Environment {
        self.0.environment(plan)
    }
}

impl Instrument for Failing {
    fn run_point(
        &mut self,
        point: &Point<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Stop> {
        let next = NextPoint { series: point.series, load: point.load, repetition: 0, visit: None };
        let ready = self.0.prepare(point.plan, &next, observer)?;
        let mut outcome = ready.instrument.run_point(point, observer)?;
        outcome.beside[0].errors = vec![1_000_000];
        Ok(outcome)
    }
}

#[test]
fn the_failure_of_one_member_is_said_of_the_others() {
    let mut testbed = Failing(SimTestbed::new(&["sim:analytic/mm1".to_owned()]).unwrap());
    let members = [("random-read", "outstanding = 1"), ("stream-write", "outstanding = 1")];
    let wishes = wishes();
    let plan =
        Draft::new(&suite(&members), &wishes).unwrap().resolve(&testbed.site(&wishes)).unwrap();
    let mut memory = Memory::default();
    let ended = Run::new(&plan).measure(&mut testbed, &mut memory, &mut Unwatched);
    assert!(matches!(ended, Err(Stop::Failed(_))), "{ended:?}");
    let [reads, writes] = &memory.points[..] else { panic!("two points") };
    assert_eq!((reads.verdict, reads.errors), (Verdict::Disturbed, 0));
    assert_eq!((writes.verdict, writes.errors), (Verdict::Failed, 1_000_000));
    let series = "pair/stream-write/64KiB".to_owned();
    assert!(reads.warnings.contains(&Warning::BesideFailed { series }), "{:?}", reads.warnings);
}
