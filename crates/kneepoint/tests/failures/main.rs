//! Fleets whose messages are late, doubled or lost, and whose agents come and go: each ends with the numbers
//! of an undisturbed fleet, or without any, and never hangs.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod chaos;
mod hosts;

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use kneepoint_core::measure::search::next_point;
use kneepoint_core::measure::{
    Keeper, KeptPlace, Memory, Observer, Outcome, Run, Start, Stop, Testbed,
};
use kneepoint_core::plan::resolve::{Draft, Search, Wishes};
use kneepoint_core::plan::{Plan, TypedLoads};
use kneepoint_core::result::{PointResult, Verdict, Warning};
use kneepoint_core::spec::catalog;
use kneepoint_core::spec::suite::Suite;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;
use kneepoint_net::wire::{PROTOCOL, presence_subject};
use kneepoint_net::{Fleet, FleetRequest, Patience, dealt};

use chaos::{ChaosBus, Event, Forgery, Trouble, Weather};
use hosts::{BEATS, FLEET, HostClock, Hosts, Kind, now};

/// Hosts that are silent for so long are lost.
const LEASE: Duration = Duration::from_millis(800);

/// Longer than the lease.
const LONG: Duration = Duration::from_millis(2000);

/// Much shorter than the lease.
const SHORT: Duration = Duration::from_millis(150);

/// No test takes longer.
const HANGS: Duration = Duration::from_secs(120);

const HOSTS: [&str; 3] = ["a", "b", "c"];

/// Waits for a lost host for so long.
fn patience(back: Duration) -> Patience {
    Patience { lease: Nanos(LEASE.as_nanos() as u64), back: Nanos(back.as_nanos() as u64) }
}

/// What is measured.
struct Trial {
    suite: Suite,
    wishes: Wishes,
    targets: Vec<String>,
    hosts: Vec<(&'static str, HostClock, Kind)>,
    patience: Patience,
    /// How long the controller hears no one after each point.
    pause: Duration,
}

/// What came of it.
struct Ended {
    state: Result<(), Stop>,
    plan: Plan,
    memory: Memory,
    notes: Vec<String>,
}

impl Trial {
    /// Three points on three simulated systems, each on a host of its own.
    fn simulated() -> Self {
        let system = |number: usize| format!("sim:analytic/mm1?service={}us", 1000 + 100 * number);
        let mut wishes = Wishes { time: Some(Nanos::from_secs(1)), ..Wishes::default() };
        wishes.ramp = Some(Nanos::from_millis(200));
        wishes.loads = Some(TypedLoads::OfAnyUnit("1,2,4".to_owned()));
        Self {
            suite: catalog::work("random-read").unwrap(),
            wishes,
            targets: (0..HOSTS.len()).map(system).collect(),
            hosts: HOSTS.map(|host| (host, HostClock::default(), Kind::Simulated)).to_vec(),
            patience: patience(Duration::from_secs(30)),
            pause: Duration::ZERO,
        }
    }

    /// A point of two seconds in real time on these hosts.
    fn in_real_time(hosts: &[(&'static str, HostClock, Nanos)]) -> Self {
        let mut trial = Self::simulated();
        trial.wishes.time = Some(Nanos::from_secs(2));
        trial.wishes.ramp = Some(Nanos::from_millis(100));
        trial.wishes.loads = Some(TypedLoads::OfAnyUnit("1".to_owned()));
        trial.targets = hosts.iter().map(|(host, ..)| format!("{host}:null:")).collect();
        let kind = |(host, clock, late): &(&'static str, HostClock, Nanos)| {
            (*host, *clock, Kind::Metronome(*late))
        };
        trial.hosts = hosts.iter().map(kind).collect();
        trial
    }

    /// The points of the plan on a bus.
    fn on(&self, bus: &Arc<ChaosBus>) -> Ended {
        self.measured(self.fleet(bus), Memory::default())
    }

    /// The fleet on a bus, and a plan for it.
    fn fleet(&self, bus: &Arc<ChaosBus>) -> (Fleet, Plan) {
        let names: Vec<String> = self.hosts.iter().map(|(host, ..)| (*host).to_owned()).collect();
        let draft = Draft::new(&self.suite, &self.wishes).unwrap();
        let request = FleetRequest {
            hosts: dealt(&self.targets, &names).unwrap(),
            request: draft.target_request(),
            engine: None,
            caching: self.wishes.caching,
            factors: None,
        };
        let time = (now as fn() -> Nanos, self.patience);
        let fleet = Fleet::look(bus.reach(FLEET), time, &request).unwrap();
        let plan = draft.resolve(&fleet.site(&self.wishes)).unwrap();
        (fleet, plan)
    }

    /// What is missing in `memory`, by another controller.
    fn resumed(&self, bus: &Arc<ChaosBus>, ended: Ended) -> Ended {
        let time = (now as fn() -> Nanos, self.patience);
        let fleet = Fleet::look_again(bus.reach(FLEET), time, &ended.plan).unwrap();
        self.measured((fleet, ended.plan), ended.memory)
    }

    fn measured(&self, (mut fleet, plan): (Fleet, Plan), memory: Memory) -> Ended {
        let (mut notes, pause) = (Notes::default(), self.pause);
        let mut keeper = SlowKeeper { memory, pause };
        let state = Run::new(&plan).measure(&mut fleet, &mut keeper, &mut notes);
        fleet.finish(&mut notes).unwrap();
        Ended { state, plan, memory: keeper.memory, notes: notes.0 }
    }
}

/// Keeps a run in memory, and takes its time for each point.
struct SlowKeeper {
    memory: Memory,
    pause: Duration,
}

impl Keeper for SlowKeeper {
    fn points(&self) -> &[PointResult] {
        self.memory.points()
    }

    fn begin(&mut self, start: Start) -> Result<(), Fault> {
        self.memory.begin(start)
    }

    fn keep(
        &mut self,
        result: PointResult,
        outcome: &Outcome,
        place: KeptPlace,
    ) -> Result<(), Fault> {
        thread::sleep(self.pause);
        self.memory.keep(result, outcome, place)
    }

    fn warn(&mut self, warnings: &[Warning]) -> Result<(), Fault> {
        self.memory.warn(warnings)
    }
}

/// Keeps what is told.
#[derive(Default)]
struct Notes(Vec<String>);

impl Observer for Notes {
    fn note(&mut self, text: &str) {
        self.0.push(text.to_owned());
    }
}

/// Does `work`, which must end.
fn in_time<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, ended) = channel();
    let thread = thread::Builder::new().spawn(move || done.send(work()).unwrap()).unwrap();
    match ended.recv_timeout(HANGS) {
        Ok(result) => {
            thread.join().unwrap();
            result
        }
        Err(_) if thread.is_finished() => std::panic::resume_unwind(thread.join().unwrap_err()),
        Err(_) => panic!("it hangs"),
    }
}

/// The points of an undisturbed fleet.
fn undisturbed() -> Vec<PointResult> {
    let trial = Trial::simulated();
    let bus = ChaosBus::new(0, Weather::default(), Vec::new());
    let _hosts = Hosts::start(&bus, &trial.hosts);
    let Ended { state, memory, .. } = trial.on(&bus);
    assert_eq!(state, Ok(()));
    assert_eq!((memory.points.len(), &memory.warnings), (3, &Vec::new()));
    memory.points
}

/// Checks that the points of a run are those of an undisturbed fleet; gives its warnings and notes.
fn check(seed: u64, weather: Weather, events: Vec<Event>) -> (Vec<Warning>, Vec<String>) {
    in_time(move || {
        let trial = Trial::simulated();
        let bus = ChaosBus::new(seed, weather, events.clone());
        let _hosts = Hosts::start(&bus, &trial.hosts);
        let Ended { state, memory, notes, .. } = trial.on(&bus);
        assert_eq!(state, Ok(()), "seed {seed}: {notes:?}");
        for event in &events {
            assert!(bus.was_troubled(event.host), "seed {seed}: {event:?} did not happen");
        }
        assert!(memory.points == undisturbed(), "seed {seed}: {:?}", lengths(&memory.points));
        (memory.warnings, notes)
    })
}

/// Measured seconds and I/Os of points.
fn lengths(points: &[PointResult]) -> Vec<(f64, u64)> {
    points.iter().map(|point| (point.measured_s, point.operations)).collect()
}

/// The same with a trouble in the middle of the second point.
fn check_trouble(host: &'static str, trouble: Trouble, time: Duration) -> Vec<Warning> {
    let (warnings, notes) = check(1, Weather::default(), vec![event(host, trouble, time)]);
    assert_eq!(notes.is_empty(), warnings.is_empty(), "{notes:?}");
    warnings
}

/// A trouble in the middle of the second point: points have 60 intervals.
fn event(host: &'static str, trouble: Trouble, time: Duration) -> Event {
    Event { host, interval: 90, trouble, time }
}

/// Checks that the point of the trouble, the second one, was measured again because of `host`.
fn check_again(warnings: &[Warning], host: &str) {
    let [Warning::HostLost { host: lost, load, .. }] = warnings else { panic!("{warnings:?}") };
    assert_eq!((lost.as_str(), load.value), (host, 2.0));
}

#[test]
fn messages_that_are_doubled_count_once() {
    for seed in 0..3 {
        let echo = Duration::from_millis(3 * seed);
        let weather = Weather { doubled_percent: 30, echo, ..Weather::default() };
        assert_eq!(check(seed, weather, Vec::new()), (Vec::new(), Vec::new()));
    }
}

#[test]
fn messages_that_overtake_each_other_are_put_in_order() {
    for seed in 0..3 {
        let delay_max = Duration::from_millis(4);
        let weather = Weather { delay_max, doubled_percent: 20, echo: SHORT, ..Weather::default() };
        assert_eq!(check(seed, weather, Vec::new()), (Vec::new(), Vec::new()));
    }
}

#[test]
fn a_host_that_is_cut_off_in_a_point_has_it_measured_again() {
    check_again(&check_trouble("b", Trouble::Cut, LONG), "b");
}

#[test]
fn messages_that_are_lost_in_a_short_cut_cost_the_point_but_no_number() {
    check_again(&check_trouble("c", Trouble::Cut, SHORT), "c");
}

#[test]
fn a_host_that_does_not_hear_gives_up_and_has_the_point_measured_again() {
    check_again(&check_trouble("a", Trouble::Deaf, LONG), "a");
    check_again(&check_trouble("a", Trouble::Deaf, SHORT), "a");
}

#[test]
fn an_agent_that_is_frozen_for_long_is_waited_for() {
    check_again(&check_trouble("a", Trouble::Frozen, LONG), "a");
}

#[test]
fn an_agent_that_is_frozen_for_a_moment_goes_on() {
    assert_eq!(check_trouble("a", Trouble::Frozen, SHORT), Vec::new());
}

#[test]
fn a_search_by_visits_goes_on_after_a_loss() {
    in_time(|| {
        let mut trial = Trial::simulated();
        trial.suite = catalog::work("database").unwrap();
        trial.wishes = Wishes { search: Search::Knee, ..Wishes::default() };
        trial.wishes.rules = vec!["mean<=10ms".parse().unwrap()];
        let bus = ChaosBus::new(1, Weather::default(), vec![event("b", Trouble::Cut, LONG)]);
        let _hosts = Hosts::start(&bus, &trial.hosts);
        let Ended { state, memory, notes, .. } = trial.on(&bus);
        assert_eq!(state, Ok(()), "{notes:?}");
        let lost = |warning: &&Warning| matches!(warning, Warning::HostLost { .. });
        assert_eq!(memory.warnings.iter().filter(lost).count(), 1);
        for point in &memory.points {
            let sum: f64 = point.hosts.iter().map(|host| host.rate).sum();
            assert_eq!(point.hosts.len(), 3);
            assert!((sum / point.rate.mean - 1.0).abs() < 1e-9, "{sum} of {}", point.rate.mean);
        }
    });
}

#[test]
fn a_host_that_is_lost_while_it_is_asked_for_its_environment_has_what_it_said_last() {
    in_time(|| {
        let trial = Trial::simulated();
        let bus = ChaosBus::new(1, Weather::default(), Vec::new());
        let _hosts = Hosts::start(&bus, &trial.hosts);
        let (mut fleet, plan) = trial.fleet(&bus);
        let first = next_point(&plan, &[]).unwrap();
        fleet.prepare(&plan, &first, &mut Notes::default()).unwrap();
        let before = fleet.environment(&plan);
        bus.trouble("b", Trouble::Cut, HANGS);
        assert_eq!(fleet.environment(&plan), before);
        assert_eq!((before.hosts.len(), before.targets.len()), (3, 3));
        bus.heal();
        let ended = trial.measured((fleet, plan), Memory::default());
        assert_eq!((ended.state, ended.memory.points.len()), (Ok(()), 3));
    });
}

#[test]
fn a_controller_that_hears_no_one_for_long_loses_no_host() {
    in_time(|| {
        let trial = Trial { pause: LONG, ..Trial::simulated() };
        let bus = ChaosBus::new(1, Weather::default(), Vec::new());
        let _hosts = Hosts::start(&bus, &trial.hosts);
        let Ended { state, memory, notes, .. } = trial.on(&bus);
        assert_eq!((state, memory.warnings, notes), (Ok(()), Vec::new(), Vec::new()));
        assert!(memory.points == undisturbed(), "{:?}", lengths(&memory.points));
    });
}

#[test]
fn what_an_agent_says_too_late_is_not_heard() {
    // Its answer to the call that was given up comes in while the point is measured again.
    check_again(&check_trouble("b", Trouble::Late, LONG), "b");
    assert_eq!(check_trouble("b", Trouble::Late, SHORT), Vec::new());
}

#[test]
fn trouble_on_several_hosts_in_bad_weather_costs_no_number() {
    for seed in 0..2 {
        let delay_max = Duration::from_millis(2);
        let weather = Weather { delay_max, doubled_percent: 20, echo: SHORT, ..Weather::default() };
        let events = vec![
            Event { interval: 30, ..event("a", Trouble::Frozen, LONG) },
            Event { interval: 120, ..event("c", Trouble::Cut, SHORT) },
        ];
        let (warnings, _) = check(seed, weather, events);
        let lost = |warning: &Warning| match warning {
            Warning::HostLost { host, .. } => host.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(warnings.iter().map(lost).collect::<Vec<_>>(), ["a", "c"], "seed {seed}");
    }
}

#[test]
fn a_host_that_stays_away_ends_the_run_and_resume_goes_on() {
    in_time(|| {
        let mut trial = Trial::simulated();
        trial.patience = patience(SHORT);
        let forever = event("b", Trouble::Cut, HANGS);
        let bus = ChaosBus::new(1, Weather::default(), vec![forever]);
        let _hosts = Hosts::start(&bus, &trial.hosts);
        let ended = trial.on(&bus);
        let Err(Stop::Lost { host, fault }) = &ended.state else { panic!("{:?}", ended.state) };
        assert_eq!(host, "b");
        assert!(fault.to_string().contains("b did not answer"), "{fault}");
        assert!(
            ended.notes[0].starts_with("b is lost: its agent was not heard"),
            "{:?}",
            ended.notes
        );
        assert_eq!(ended.memory.points.len(), 1, "what was measured is kept");

        bus.heal();
        let ended = trial.resumed(&bus, ended);
        assert_eq!((ended.state, ended.memory.warnings), (Ok(()), Vec::new()));
        let points = ended.memory.points;
        assert!(points == undisturbed(), "{:?}", lengths(&points));
    });
}

#[test]
fn a_host_that_is_lost_twice_in_a_point_ends_the_run() {
    in_time(|| {
        let trial = Trial::simulated();
        // Once in the point, and once when it is measured again.
        let events = [90, 115].map(|interval| Event { interval, ..event("b", Trouble::Cut, LONG) });
        let bus = ChaosBus::new(1, Weather::default(), events.to_vec());
        let _hosts = Hosts::start(&bus, &trial.hosts);
        let ended = trial.on(&bus);
        let Err(Stop::Lost { host, .. }) = &ended.state else { panic!("{:?}", ended.notes) };
        assert_eq!(host, "b");
        assert_eq!((ended.memory.points.len(), ended.memory.warnings), (1, Vec::new()));
    });
}

#[test]
fn in_real_time_a_point_is_measured_again_as_well() {
    let hosts = HOSTS.map(|host| (host, HostClock::default(), Nanos::ZERO));
    let trial = Trial::in_real_time(&hosts);
    in_time(move || {
        let cut = Event { interval: 50, ..event("b", Trouble::Cut, LONG) };
        let bus = ChaosBus::new(1, Weather::default(), vec![cut]);
        let hosts = Hosts::start(&bus, &trial.hosts);
        let Ended { state, memory, notes, .. } = trial.on(&bus);
        assert_eq!(state, Ok(()), "{notes:?}");
        assert!(matches!(&memory.warnings[..], [Warning::HostLost { host, .. }] if host == "b"));
        let begun = |host: &str| hosts.starts.lock().unwrap()[host].len();
        assert_eq!(HOSTS.map(begun), [2; 3], "all hosts measured it again");
        check_beats(&memory.points[0], 3);
    });
}

/// Checks that a point has the rate of the metronomes of `count` hosts, and all of their time.
fn check_beats(point: &PointResult, count: u32) {
    let expected = f64::from(count * BEATS) / INTERVAL_S;
    assert!((point.rate.mean / expected - 1.0).abs() < 1e-6, "{} {expected}", point.rate.mean);
    assert_eq!(point.measured_s, 2.0);
}

/// Length of an interval in real time, in seconds.
const INTERVAL_S: f64 = 0.02;

/// The point of a trial in real time.
fn point_of(trial: Trial, weather: Weather) -> (PointResult, hosts::Starts) {
    in_time(move || {
        let bus = ChaosBus::new(3, weather, Vec::new());
        let hosts = Hosts::start(&bus, &trial.hosts);
        let Ended { state, memory, .. } = trial.on(&bus);
        assert_eq!(state, Ok(()));
        (memory.points[0].clone(), hosts.starts.clone())
    })
}

#[test]
fn clocks_that_are_hours_apart_and_drift_begin_together() {
    let clock = |ahead_s, drift_ppm| HostClock { ahead_s, drift_ppm };
    let hosts = [
        ("a", clock(0, 0), Nanos::ZERO),
        ("b", clock(3 * 3600, 100), Nanos::ZERO),
        ("c", clock(-7 * 3600, -100), Nanos::ZERO),
    ];
    let (point, starts) = point_of(Trial::in_real_time(&hosts), Weather::default());
    let starts = starts.lock().unwrap();
    let times: Vec<Nanos> = starts.values().map(|starts| starts[0]).collect();
    let apart = times.iter().max().unwrap().since(*times.iter().min().unwrap());
    assert_eq!(times.len(), 3);
    // A clock that is compared up to five seconds before is off by half a millisecond at 100 ppm.
    assert!(apart < Nanos::from_millis(10), "{} ms", apart.as_millis_f64());
    check_beats(&point, 3);
    assert!(
        warned(&point, "began_late").is_empty() && warned(&point, "clock_uncertain").is_empty()
    );
}

/// The hosts that a warning of a kind stands for.
fn warned(point: &PointResult, kind: &str) -> Vec<String> {
    let of_kind = point.warnings.iter().filter_map(|warning| match warning {
        Warning::OnHost { host, warning } if warning.kind() == kind => Some(host.clone()),
        _ => None,
    });
    of_kind.collect()
}

#[test]
fn a_host_that_begins_late_disturbs_the_point() {
    let late = Nanos::from_millis(250);
    let hosts =
        [("a", HostClock::default(), Nanos::from_millis(10)), ("b", HostClock::default(), late)];
    let (point, _) = point_of(Trial::in_real_time(&hosts), Weather::default());
    assert_eq!(point.verdict, Verdict::Disturbed);
    assert_eq!(warned(&point, "began_late"), ["b"]);
    assert!(warned(&point, "clock_uncertain").is_empty());
}

#[test]
fn a_clock_that_is_not_well_known_disturbs_the_point() {
    let hosts = ["a", "b"].map(|host| (host, HostClock::default(), Nanos::ZERO));
    // Even the quickest exchange takes longer than two intervals.
    let weather = Weather { delay_min: Duration::from_millis(60), ..Weather::default() };
    let mut trial = Trial::in_real_time(&hosts);
    trial.patience.lease = Nanos::from_secs(4);
    let (point, _) = point_of(trial, weather);
    assert_eq!(point.verdict, Verdict::Disturbed);
    assert_eq!(warned(&point, "clock_uncertain"), ["a", "b"]);
    assert!(warned(&point, "began_late").is_empty());
}

/// What ends a run in which the words of b are forged after the first point, which is kept.
fn check_forged(forgery: Forgery, why: &str) {
    let why = why.to_owned();
    in_time(move || {
        let trial = Trial::simulated();
        let bus = ChaosBus::new(1, Weather::default(), Vec::new());
        let _hosts = Hosts::start(&bus, &trial.hosts);
        let (mut fleet, plan) = trial.fleet(&bus);
        let first = next_point(&plan, &[]).unwrap();
        fleet.prepare(&plan, &first, &mut Notes::default()).unwrap();
        bus.forge("b", forgery);
        let ended = trial.measured((fleet, plan), Memory::default());
        let Err(Stop::Fault(fault)) = &ended.state else { panic!("{:?}", ended.state) };
        assert_eq!(fault.what(), "what came in from b is not what its agent has signed");
        assert!(fault.why().is_some_and(|said| said.contains(&why)), "{fault}");
        assert_eq!(ended.memory.points, [], "nothing forged is kept");
    });
}

#[test]
fn numbers_that_the_agent_has_not_signed_are_refused() {
    check_forged(Forgery::Doubled, "something was changed");
    check_forged(Forgery::Replayed, "played again");
    check_forged(Forgery::Unsigned, "without a signature");
}

/// Without that, the controller would wait for an answer until it takes the host for lost.
#[test]
fn what_a_host_refuses_in_the_middle_of_a_run_is_told_with_its_reason() {
    in_time(|| {
        let mut trial = Trial::simulated();
        trial.patience.lease = Nanos::from_secs(10);
        let bus = ChaosBus::new(1, Weather::default(), Vec::new());
        let _hosts = Hosts::start(&bus, &trial.hosts);
        let (mut fleet, plan) = trial.fleet(&bus);
        let first = next_point(&plan, &[]).unwrap();
        fleet.prepare(&plan, &first, &mut Notes::default()).unwrap();
        // By its clock every command is on its way for longer than one is good for.
        bus.leap("b", 40);
        let begun = Instant::now();
        let (mut memory, mut notes) = (Memory::default(), Notes::default());
        let ended = Run::new(&plan).measure(&mut fleet, &mut memory, &mut notes);
        let Err(Stop::Fault(fault)) = &ended else { panic!("{ended:?} {:?}", notes.0) };
        assert_eq!(fault.what(), "b: a command came in too late");
        assert!(begun.elapsed() < Duration::from_secs(8), "before the lease is over");
        assert!(notes.0.is_empty() && memory.points.is_empty(), "{:?}", notes.0);
    });
}

/// An agent of another version may not even understand that it is greeted.
#[test]
fn a_host_that_comes_back_with_another_version_is_named_at_once() {
    in_time(|| {
        let mut trial = Trial::simulated();
        trial.patience = patience(HANGS);
        let forever = event("b", Trouble::Cut, HANGS);
        let bus = ChaosBus::new(1, Weather::default(), vec![forever]);
        let _hosts = Hosts::start(&bus, &trial.hosts);
        let ended = thread::scope(|scope| {
            let trial = &trial;
            let run = thread::Builder::new().spawn_scoped(scope, || trial.on(&bus)).unwrap();
            let text = format!("{{\"protocol\": {}, \"version\": \"9.1.0\"}}", PROTOCOL + 1);
            while !run.is_finished() {
                if bus.was_troubled("b") {
                    // As if its agent had been replaced while it was cut off.
                    bus.put_through(&presence_subject(FLEET, "b"), text.as_bytes());
                }
                thread::sleep(Duration::from_millis(50));
            }
            run.join().unwrap()
        });
        let Err(Stop::Fault(fault)) = &ended.state else { panic!("{:?}", ended.state) };
        assert_eq!(fault.what(), "b speaks another version of Kneepoint");
        assert_eq!(ended.memory.points.len(), 1, "what was measured is kept");
        assert!(ended.notes.iter().any(|note| note.starts_with("b is lost")), "{:?}", ended.notes);
    });
}
