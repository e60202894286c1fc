//! Searches by visits on systems whose answer is known, or found by long runs: how often the
//! interval of the answer holds it, and what it costs.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod methods;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use kneepoint_core::analysis::summarize_plan;
use kneepoint_core::load::backend::{Backend, Completion, Flush, Io};
use kneepoint_core::load::drive::{Driver, WorkerTask};
use kneepoint_core::load::stream::{Stream, assign};
use kneepoint_core::measure::search::{NextPoint, VisitStart};
use kneepoint_core::measure::{
    Coordinator, Instrument, Memory, Observer, Outcome, Point, Ready, Run, Stop, Testbed, Unwatched,
};
use kneepoint_core::plan::resolve::{Draft, Search, Site, Wishes};
use kneepoint_core::plan::{Plan, TypedLoads};
use kneepoint_core::result::{Environment, Summary};
use kneepoint_core::spec::catalog;
use kneepoint_core::spec::grid::Loads;
use kneepoint_core::spec::suite::Suite;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::seed::{self, Rng};
use kneepoint_core::words::units::Nanos;
use kneepoint_sim::SimTestbed;
use methods::MethodAnswer;
use rand_core::Rng as _;

/// What a made-up system does beside serving.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Manner {
    /// A tenth of the I/Os takes nine times as long.
    Noisy,
    /// Each I/O in flight beyond the servers makes all of them slower by 2 %.
    Collapsing,
    /// Service times follow a random walk that forgets in this time, with this standard deviation.
    Drifting { seconds: f64, deviation: f64 },
    /// Service times are shorter or longer by this share, for exponentially distributed times with
    /// this mean.
    Shifting { seconds: f64, share: f64 },
    /// This many I/Os are served at ten times the rate until tokens are used up, which refill at the
    /// rate of the servers.
    Bursting { tokens: f64 },
}

/// Servers with exponential service times and one queue, that never change so little as models do.
#[derive(Debug)]
struct Made {
    manner: Manner,
    servers: usize,
    service_s: f64,
    rng: Rng,
    now: Nanos,
    in_flight: usize,
    free_at: BinaryHeap<Reverse<Nanos>>,
    departures: BinaryHeap<Reverse<(Nanos, u64, u32, u32)>>,
    sequence: u64,
    /// The logarithm of what service times are multiplied with, and until when.
    level: f64,
    until: Nanos,
    tokens: f64,
    filled: Nanos,
}

impl Made {
    fn new(manner: Manner, seed: u64) -> Self {
        let servers = 8;
        Self {
            manner,
            servers,
            service_s: 0.005,
            rng: seed::rng(seed),
            now: Nanos::ZERO,
            in_flight: 0,
            free_at: vec![Reverse(Nanos::ZERO); servers].into(),
            departures: BinaryHeap::new(),
            sequence: 0,
            level: 0.0,
            until: Nanos::ZERO,
            tokens: 0.0,
            filled: Nanos::ZERO,
        }
    }

    fn uniform(&mut self) -> f64 {
        ((self.rng.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }

    fn exponential(&mut self) -> f64 {
        -libm::log(self.uniform())
    }

    fn normal(&mut self) -> f64 {
        libm::sqrt(2.0 * self.exponential())
            * libm::cos(2.0 * std::f64::consts::PI * self.uniform())
    }

    /// Lets the level change as far as time has gone on.
    fn change(&mut self) {
        match self.manner {
            Manner::Drifting { seconds, deviation } => {
                while self.until < self.now {
                    let step = Nanos::from_millis(50);
                    let kept = libm::exp(-step.as_secs_f64() / seconds);
                    let fresh = if self.until == Nanos::ZERO { 1.0 } else { 1.0 - kept * kept };
                    let kept = if self.until == Nanos::ZERO { 0.0 } else { kept };
                    self.level = kept * self.level + libm::sqrt(fresh) * deviation * self.normal();
                    self.until = self.until + step;
                }
            }
            Manner::Shifting { seconds, share } => {
                while self.until < self.now {
                    self.level = if self.uniform() < 0.5 { -share } else { share };
                    self.until = self.until + Nanos::from_secs_f64(seconds * self.exponential());
                }
            }
            Manner::Noisy | Manner::Collapsing | Manner::Bursting { .. } => {}
        }
    }

    fn service(&mut self) -> f64 {
        self.change();
        let plain = self.service_s * self.exponential() * libm::exp(self.level);
        match self.manner {
            Manner::Noisy => plain * if self.uniform() < 0.1 { 9.0 } else { 1.0 } / 1.8,
            Manner::Collapsing => {
                plain * (1.0 + 0.02 * self.in_flight.saturating_sub(self.servers) as f64)
            }
            Manner::Bursting { tokens } => {
                let rate = self.servers as f64 / self.service_s / 2.0;
                let passed = self.now.since(self.filled).as_secs_f64();
                self.filled = self.now;
                self.tokens = (self.tokens + passed * rate).min(tokens);
                let is_free = self.tokens >= 1.0;
                self.tokens -= f64::from(u8::from(is_free));
                if is_free { plain / 4.0 } else { plain * 2.0 }
            }
            Manner::Drifting { .. } | Manner::Shifting { .. } => plain,
        }
    }
}

impl Backend for Made {
    fn now(&self) -> Nanos {
        self.now
    }

    fn submit(&mut self, io: Io) {
        self.in_flight += 1;
        let service = Nanos::from_secs_f64(self.service());
        let Reverse(free) = self.free_at.pop().unwrap();
        let departure = self.now.max(free) + service;
        self.free_at.push(Reverse(departure));
        self.sequence += 1;
        self.departures.push(Reverse((departure, self.sequence, io.slot, io.bytes)));
    }

    fn flush(&mut self, flush: Flush) {
        panic!("nothing flushes: {flush:?}");
    }

    fn wait(&mut self, deadline: Nanos, done: &mut Vec<Completion>) {
        match self.departures.peek().copied() {
            Some(Reverse((at, _, slot, bytes))) if at <= deadline => {
                self.departures.pop();
                self.in_flight -= 1;
                self.now = at;
                done.push(Completion { slot, at, result: bytes as i32 });
            }
            _ => self.now = self.now.max(deadline),
        }
    }
}

/// A made-up system as a testbed; its clock goes on from point to point, and what is in flight stays
/// there from visit to visit.
struct MadeTestbed {
    site: SimTestbed<'static>,
    system: Made,
    flight: Option<Driver<Stream>>,
}

impl Testbed for MadeTestbed {
    fn site<'a>(&'a self, wishes: &'a Wishes) -> Site<'a> {
        self.site.site(wishes)
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
        self.site.environment(plan)
    }
}

impl Instrument for MadeTestbed {
    fn run_point(
        &mut self,
        point: &Point<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Stop> {
        let workers = assign(point.plan, point.load, point.seed());
        let begins_at_rest = point.visit.is_none_or(|visit| visit.start == VisitStart::AtRest);
        if let Some(driver) = self.flight.take_if(|_| begins_at_rest) {
            driver.drain(&mut self.system);
        }
        let mut coordinator = Coordinator::new(point, observer);
        let profile = point.io_profile()?;
        let task = WorkerTask::new(point.plan, &workers[0], self.system.now());
        let mut driver = match self.flight.take() {
            Some(mut driver) => {
                driver.change(&task);
                driver
            }
            None => {
                let streams = workers[0].streams.iter().map(|plan| Stream::new(profile, plan));
                Driver::new(&task, streams.collect::<Result<_, _>>()?)
            }
        };
        driver.run(&mut self.system, &mut coordinator);
        let driven = match point.visit {
            Some(_) => {
                let driven = driver.pause(self.system.now());
                self.flight = Some(driver);
                driven
            }
            None => driver.drain(&mut self.system),
        };
        Ok(Outcome::new(coordinator.finish()?, &[driven]))
    }
}

/// What is searched on.
#[derive(Debug, Clone, Copy)]
enum On {
    Sim(&'static str),
    Made(Manner),
}

/// A search, and what it should find.
#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    on: On,
    profile: &'static str,
    rule: &'static str,
    unit: LoadUnit,
    /// The sustained rate if it is known; otherwise a long run says it.
    truth: Option<f64>,
}

const fn closed(name: &'static str, on: On, profile: &'static str, rule: &'static str) -> Case {
    Case { name, on, profile, rule, unit: LoadUnit::OutstandingIos, truth: None }
}

impl Case {
    const fn known(self, truth: f64) -> Self {
        Self { truth: Some(truth), ..self }
    }

    const fn open(self) -> Self {
        Self { unit: LoadUnit::OfferedIops, ..self }
    }

    fn testbed(&self, seed: u64) -> Box<dyn Testbed> {
        let site = |name: &str| SimTestbed::new(&[name.to_owned()]).unwrap();
        match self.on {
            On::Sim(name) => Box::new(site(name)),
            On::Made(manner) => Box::new(MadeTestbed {
                site: site("sim:analytic/mm1"),
                system: Made::new(manner, seed::derive(seed, "made", 0)),
                flight: None,
            }),
        }
    }

    fn plan(&self, testbed: &dyn Testbed, wishes: &Wishes) -> Plan {
        let suite = Suite::of_profile(catalog::profile(self.profile).unwrap());
        let wishes = Wishes { rules: vec![self.rule.parse().unwrap()], ..wishes.clone() };
        Draft::new(&suite, &wishes).unwrap().resolve(&testbed.site(&wishes)).unwrap()
    }

    fn measure(&self, wishes: &Wishes) -> (Plan, Memory) {
        let mut testbed = self.testbed(wishes.seed);
        let plan = self.plan(testbed.as_ref(), wishes);
        let mut memory = Memory::default();
        Run::new(&plan).measure(testbed.as_mut(), &mut memory, &mut Unwatched).unwrap();
        (plan, memory)
    }

    /// A search with this seed: its summary, and the seconds and points that it took.
    fn search(&self, seed: u64) -> (Summary, f64, usize) {
        let loads = TypedLoads::Of(Loads::Auto(self.unit));
        let wishes = Wishes { seed, search: Search::Knee, loads: Some(loads), ..Wishes::default() };
        let (plan, memory) = self.measure(&wishes);
        let seconds = memory.points.iter().map(|point| point.ramp_s + point.measured_s).sum();
        (summarize_plan(&memory.points, &plan).remove(0), seconds, memory.points.len())
    }

    /// The rate at which the rule is reached if requests arrive at random, by long runs; `None` if a search
    /// finds no such rate.
    fn truth_of_arrivals(&self) -> Option<f64> {
        if self.unit.is_offered() {
            return self.truth;
        }
        let open = Self { unit: LoadUnit::OfferedIops, ..*self };
        let near = open.search(1).0.sustained.rate?.mean;
        open.long_run((-3..=3).map(|step| near * (1.0 + 0.03 * f64::from(step))))
    }

    /// The sustained rate by long runs of `levels`.
    fn long_run(&self, levels: impl Iterator<Item = f64>) -> Option<f64> {
        let text: Vec<String> = levels.map(|level| level.to_string()).collect();
        let loads = Loads::parse(&text.join(","), self.unit).unwrap();
        let seconds = if matches!(self.on, On::Made(_)) { 4000 } else { 400 };
        let wishes = Wishes {
            seed: 4711,
            loads: Some(TypedLoads::Of(loads)),
            time: Some(Nanos::from_secs(seconds)),
            ..Wishes::default()
        };
        let (plan, memory) = self.measure(&wishes);
        Some(summarize_plan(&memory.points, &plan)[0].sustained.rate?.mean)
    }

    /// The sustained rate by long runs of the loads around `near`.
    fn truth(&self, near: f64) -> f64 {
        if let Some(truth) = self.truth {
            return truth;
        }
        let levels = match self.unit.is_offered() {
            true => vec![near * 0.97, near, near * 1.03],
            false => {
                let (low, high) = ((near * 0.8).floor().max(1.0), (near * 1.2).ceil());
                let step = ((high - low) / 8.0).ceil().max(1.0);
                (0..=8).map(|index| low + f64::from(index) * step).collect()
            }
        };
        self.long_run(levels.into_iter()).unwrap()
    }
}

fn cases() -> Vec<Case> {
    let mmc = On::Sim("sim:analytic/mmc?service=5ms&servers=8");
    let drifting = |seconds, deviation| On::Made(Manner::Drifting { seconds, deviation });
    vec![
        closed("M/M/8 closed, flat", mmc, "database", "mean<=20ms").known(1600.0),
        closed("M/M/8 closed, at the kink", mmc, "database", "mean<=5.5ms").known(1600.0),
        closed("M/D/1 open", On::Sim("sim:analytic/md1?service=1ms"), "database", "mean<=2ms")
            .known(2000.0 / 3.0)
            .open(),
        closed("M/M/1 open", On::Sim("sim:analytic/mm1?service=1ms"), "database", "mean<=5ms")
            .known(800.0)
            .open(),
        closed("drive, 15k", On::Sim("sim:drive/hdd-sas35-15k-300"), "database", "mean<=20ms"),
        closed(
            "drive, 7.2k, files",
            On::Sim("sim:drive/hdd-sata35-7k2-500"),
            "file-server",
            "mean<=50ms",
        ),
        closed("SSD", On::Sim("sim:drive/ssd-sata25-32"), "random-read", "mean<=1ms"),
        closed(
            "12 drives, write cache",
            On::Sim("sim:serveraid-m5025?drives=12&raid=raid5&write_cache=on"),
            "database",
            "mean<=20ms",
        ),
        closed("noisy", On::Made(Manner::Noisy), "database", "mean<=15ms"),
        closed("collapsing", On::Made(Manner::Collapsing), "database", "mean<=15ms"),
        closed(
            "bursts of 500",
            On::Made(Manner::Bursting { tokens: 500.0 }),
            "database",
            "mean<=15ms",
        ),
        closed("drifting, 5 % in 1 s", drifting(1.0, 0.05), "database", "mean<=15ms"),
        closed("drifting, 1 % in 60 s", drifting(60.0, 0.01), "database", "mean<=15ms"),
        closed(
            "shifting, 3 % every 2 s",
            On::Made(Manner::Shifting { seconds: 2.0, share: 0.03 }),
            "database",
            "mean<=15ms",
        ),
    ]
}

/// Open loops that the search was not made on: other queues, limits and utilisations.
fn open_loops() -> Vec<Case> {
    let mm1 = On::Sim("sim:analytic/mm1?service=1ms");
    let md1 = On::Sim("sim:analytic/md1?service=1ms");
    let mmc = On::Sim("sim:analytic/mmc?service=1ms&servers=4");
    let drive = On::Sim("sim:drive/hdd-sas35-15k-300");
    let ssd = On::Sim("sim:drive/ssd-sata25-32");
    let drives = On::Sim("sim:serveraid-m5025?drives=6&raid=raid10&write_cache=on");
    let noisy = On::Made(Manner::Noisy);
    vec![
        closed("M/M/1 open, mean<=2ms", mm1, "database", "mean<=2ms").known(500.0).open(),
        closed("M/M/1 open, mean<=10ms", mm1, "database", "mean<=10ms").known(900.0).open(),
        // The 95th percentile of exponential response times is ln 20 times their mean.
        closed("M/M/1 open, p95<=15ms", mm1, "database", "p95<=15ms").known(800.28).open(),
        closed("M/D/1 open, mean<=4ms", md1, "database", "mean<=4ms").known(6000.0 / 7.0).open(),
        closed("M/M/4 open", mmc, "database", "mean<=1.5ms").open(),
        closed("drive, 15k, open", drive, "database", "mean<=20ms").open(),
        closed("SSD, open", ssd, "random-read", "mean<=1ms").open(),
        closed("noisy, open", noisy, "database", "mean<=15ms").open(),
        closed("6 drives, write cache, open", drives, "database", "mean<=20ms").open(),
    ]
}

/// A row of the table in docs/confidence.md.
fn study(case: &Case, seeds: u64) -> String {
    let found: Vec<(Summary, f64, usize)> = (1..=seeds).map(|seed| case.search(seed)).collect();
    let rates: Vec<_> = found.iter().filter_map(|(summary, ..)| summary.sustained.rate).collect();
    let mut loads: Vec<f64> =
        found.iter().filter_map(|(summary, ..)| summary.sustained.load).collect();
    loads.sort_by(f64::total_cmp);
    let truth = case.truth(loads[loads.len() / 2]);
    let holds = rates.iter().filter(|rate| (rate.mean - truth).abs() <= rate.ci95.unwrap_or(0.0));
    let near = rates.iter().filter(|rate| (rate.mean / truth - 1.0).abs() <= 0.05);
    let mut seconds: Vec<f64> = found.iter().map(|(_, seconds, _)| *seconds).collect();
    seconds.sort_by(f64::total_cmp);
    let off = rates.iter().map(|rate| rate.mean / truth - 1.0).sum::<f64>() / rates.len() as f64;
    let points = found.iter().map(|(.., points)| points).sum::<usize>() / found.len();
    let percent = |count: usize| 100.0 * count as f64 / seeds as f64;
    format!(
        "| {} | {truth:.0} | {:.1} % | {:.1} % | {:+.2} % | {points} | {:.1} s | {:.1} s |",
        case.name,
        percent(holds.count()),
        percent(near.count()),
        100.0 * off,
        seconds[seconds.len() / 2],
        seconds[seconds.len() * 95 / 100],
    )
}

/// A row of the table of methods in docs/confidence.md.
fn comparison(case: &Case, seeds: u64) -> String {
    let found: Vec<(Summary, f64, usize)> = (1..=seeds).map(|seed| case.search(seed)).collect();
    let mut loads: Vec<f64> =
        found.iter().filter_map(|(summary, ..)| summary.sustained.load).collect();
    loads.sort_by(f64::total_cmp);
    let truth = case.truth(loads[loads.len() / 2]);
    let searches = found.iter().map(|(summary, seconds, _)| MethodAnswer {
        rate: summary.sustained.rate.map(|rate| rate.mean),
        seconds: *seconds,
    });
    let by = |method: fn(&Case, u64) -> Option<MethodAnswer>| {
        methods::cell((1..=seeds).filter_map(|seed| method(case, seed)), truth)
    };
    let curves: Vec<MethodAnswer> = (1..=seeds).map(|seed| methods::curve(case, seed)).collect();
    let of_arrivals = case.truth_of_arrivals().map_or_else(
        || "-".to_owned(),
        |truth| format!("{truth:.0}: {}", methods::errors(&curves, truth)),
    );
    format!(
        "| {} | {truth:.0} | {} | {} | {} | {of_arrivals} | {} | {} |",
        case.name,
        methods::cell(searches, truth),
        by(methods::sweep),
        methods::cell(curves.iter().copied(), truth),
        by(methods::latency_target_of_half),
        by(methods::latency_target_of_all),
    )
}

/// How many seeds are studied, and of which cases.
#[allow(clippy::disallowed_methods, reason = "how long to study is no setting of a plan")]
fn extent(usual: u64, cases: Vec<Case>) -> (u64, Vec<Case>) {
    let seeds = std::env::var("KNEEPOINT_SEEDS").ok().and_then(|text| text.parse().ok());
    let only = std::env::var("KNEEPOINT_CASE").unwrap_or_default();
    let cases = cases.into_iter().filter(|case| case.name.contains(&only)).collect();
    (seeds.unwrap_or(usual), cases)
}

#[test]
#[ignore = "takes minutes: cargo test --release -p kneepoint-sim --test knee other_methods -- --include-ignored --nocapture"]
fn answers_beside_those_of_other_methods() {
    let (seeds, cases) = extent(40, cases());
    let methods =
        "Kneepoint | sweep | vdbench | the same, of random arrivals | fio, 50 % | fio, 100 %";
    println!("| system | true IO/s | {methods} |\n|---|---|---|---|---|---|---|---|");
    cases.iter().for_each(|case| println!("{}", comparison(case, seeds)));
}

#[test]
#[ignore = "takes minutes: cargo test -p kneepoint-sim --test knee intervals -- --include-ignored --nocapture"]
fn intervals_of_answers_hold_the_truth() {
    print_study(cases());
}

#[test]
#[ignore = "takes minutes: cargo test --release -p kneepoint-sim --test knee open_loops -- --include-ignored --nocapture"]
fn intervals_of_open_loops_hold_the_truth() {
    print_study(open_loops());
}

#[allow(clippy::print_stdout, reason = "the table is copied into docs/confidence.md")]
fn print_study(cases: Vec<Case>) {
    let (seeds, cases) = extent(200, cases);
    println!("| system | true IO/s | holds | within 5 % | off | visits | median | p95 |");
    println!("|---|---|---|---|---|---|---|---|");
    cases.iter().for_each(|case| println!("{}", study(case, seeds)));
}

/// A few seeds of a few cases, whose answers are within what a search promises.
#[test]
fn a_search_finds_the_answer_within_its_interval_soon() {
    let some = ["M/M/8 closed, flat", "M/M/8 closed, at the kink", "M/D/1 open"];
    for case in cases().iter().filter(|case| some.contains(&case.name)) {
        let truth = case.truth.unwrap();
        for seed in 1..=3 {
            let (summary, seconds, _) = case.search(seed);
            let rate = summary.sustained.rate.unwrap();
            assert!((rate.mean / truth - 1.0).abs() < 0.08, "{}: {rate:?}", case.name);
            assert!(rate.ci95.unwrap() < 0.06 * rate.mean, "{}: {rate:?}", case.name);
            assert!(seconds < 60.0, "{}: {seconds} s", case.name);
        }
    }
}
