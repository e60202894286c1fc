//! The controller of a fleet: a testbed whose targets belong to several hosts.

mod clock;
mod exchange;
mod member;
mod merge;
mod meter;
mod part;
mod targets;

pub use exchange::Reach;
pub use meter::AgentMeter;
pub use targets::{dealt, split_host};

use std::cell::RefCell;

use kneepoint_core::measure::metering::MeteredServer;
use kneepoint_core::measure::search::NextPoint;
use kneepoint_core::measure::{
    Copied, Instrument, NextCopy, Observer, Outcome, Point, Ready, Stop, Testbed, Unwatched,
};
use kneepoint_core::plan::resolve::{FoundTarget, Site, TargetRequest, Wishes, no_longer};
use kneepoint_core::plan::{Caching, Engine, Plan, TargetKind, TargetPlan};
use kneepoint_core::result::warning::SettingChange;
use kneepoint_core::result::{ClockOffset, Environment, Warning};
use kneepoint_core::spec::factor::Factors;
use kneepoint_core::spec::profile::ResolvedProfile;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::number::Span;
use kneepoint_core::words::units::Nanos;

use self::exchange::Exchange;
use self::member::Member;
use self::merge::{in_common, merged_environment};
use crate::wire::{Answer, LookRequest, NamedPoint, Request};

/// The clocks of agents against the one here.
///
/// # Errors
/// When an agent does not answer.
pub fn clocks(reach: Reach, now: Now, hosts: &[&str]) -> Result<Vec<ClockOffset>, Fault> {
    let hosts = hosts.iter().map(|host| (*host, 0)).collect();
    let exchange = Exchange::greet(reach, (now, Patience::USUAL), hosts).map_err(fault_of)?;
    Ok(exchange.members().iter().map(|member| member.clock.offset.result()).collect())
}

/// The targets of a fleet, and what is asked of them.
#[derive(Debug, Clone)]
pub struct FleetRequest {
    /// Each host with its targets as they are called there, in the order of the plan.
    pub hosts: Vec<(String, Vec<String>)>,
    /// What is asked of each target.
    pub request: TargetRequest,
    /// How I/O is issued; `None` for the best that works everywhere.
    pub engine: Option<Engine>,
    /// Past the page cache or through it.
    pub caching: Caching,
    /// The settings that the run varies; `None` if none are.
    pub factors: Option<Factors>,
}

/// What each host says of itself and its targets, and what limits the trust in what it measures.
struct Described {
    environments: Vec<Environment>,
    limits: Vec<Vec<Warning>>,
}

/// Hosts that measure together, each with its targets.
pub struct Fleet {
    ensemble: Ensemble,
    targets: Vec<FoundTarget>,
    /// Bytes that are written to each target before it is measured.
    layout_bytes: Vec<u64>,
    cpus: usize,
    /// What the agents said last of what it is measured on.
    described: RefCell<Option<Described>>,
    /// Where the settings that a plan varies stand, by factor.
    settings: RefCell<Vec<(String, String)>>,
    /// How long each host may wait for a quiet machine in all.
    wait_quiet: Option<Nanos>,
    /// Whether the agents of this session know that.
    is_wait_told: bool,
    /// The plan with the targets that there are at the levels of the next point.
    of_point: Option<Plan>,
    warnings: Vec<Warning>,
}

/// The line to the hosts, and what they measure.
struct Ensemble {
    exchange: RefCell<Exchange>,
    /// The plan that the agents have.
    adopted: Option<Plan>,
    /// Settings that someone else changed on a host during the last point.
    foreign: Vec<SettingChange>,
    /// The server that all hosts load, if someone on its machine meters it.
    metered: Option<MeteredServer>,
}

/// The clock of the machine that controls the fleet, monotonic.
pub type Now = fn() -> Nanos;

/// How long hosts are waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// A host that is not heard for so long is lost; its agent gives up what goes on when it does not
    /// hear the controller for as long.
    pub lease: Nanos,
    /// A host that was lost may take so long to come back.
    pub back: Nanos,
}

impl Patience {
    /// How long the hosts of a network are waited for.
    pub const USUAL: Self = Self { lease: Nanos::from_secs(10), back: Nanos::from_secs(60) };

    /// How often the agents hear that their controller is there.
    const fn alive_every(self) -> Nanos {
        Nanos(self.lease.0 / 10)
    }

    /// How long a wait for the agents is at a stretch.
    const fn look(self) -> Nanos {
        Nanos(self.lease.0 / 100)
    }
}

impl Fleet {
    /// Greets the agents within reach and lets them look at their targets; changes nothing.
    ///
    /// # Errors
    /// When an agent does not answer, or one of the targets can't be measured so.
    pub fn look(
        reach: Reach,
        time: (Now, Patience),
        request: &FleetRequest,
    ) -> Result<Self, Fault> {
        let names = request.hosts.iter().map(|(host, targets)| (host.as_str(), targets.len()));
        let exchange = Exchange::greet(reach, time, names.collect());
        let mut exchange = exchange.map_err(fault_of)?;
        let looks = |member: &Member| {
            let (_, targets) = &request.hosts[member.number];
            Request::Look(Box::new(LookRequest {
                targets: targets.clone(),
                request: request.request,
                engine: request.engine,
                caching: request.caching,
                factors: request.factors.clone(),
            }))
        };
        let answers = exchange.ask(looks, &mut Unwatched).map_err(fault_of)?;
        let (mut targets, mut layout, mut cpus) = (Vec::new(), Vec::new(), usize::MAX);
        for (answer, (host, named)) in answers.into_iter().zip(&request.hosts) {
            let Answer::Found { targets: found, cpus: there, layout_bytes } = answer else {
                return Err(out_of_step(host));
            };
            if found.len() < named.len() {
                return Err(out_of_step(host));
            }
            cpus = cpus.min(there);
            let of_each = (0..found.len()).map(|target| layout_bytes.get(target).copied());
            layout.extend(of_each.map(Option::unwrap_or_default));
            targets.extend(
                found
                    .into_iter()
                    .map(|found| FoundTarget { plan: found.plan.on_host(host), ..found }),
            );
        }
        exchange.count_targets(targets.iter().map(|target| &target.plan));
        Ok(Self { layout_bytes: layout, ..Self::of(exchange, (targets, cpus)) })
    }

    /// Greets the agents that `plan` needs; they look at their targets again.
    ///
    /// # Errors
    /// When an agent does not answer, or one of the targets is no longer what it was.
    pub fn look_again(reach: Reach, time: (Now, Patience), plan: &Plan) -> Result<Self, Fault> {
        let count = |host: &str| plan.targets.iter().filter(|target| target.host == host).count();
        let names = plan.hosts().into_iter().map(|host| (host, count(host)));
        let exchange = Exchange::greet(reach, time, names.collect()).map_err(fault_of)?;
        let mut fleet = Self::of(exchange, (Vec::new(), 1));
        fleet.adopt(plan, &mut Unwatched).map_err(fault_of)?;
        Ok(fleet)
    }

    fn of(exchange: Exchange, (targets, cpus): (Vec<FoundTarget>, usize)) -> Self {
        let exchange = RefCell::new(exchange);
        Self {
            ensemble: Ensemble { exchange, adopted: None, foreign: Vec::new(), metered: None },
            targets,
            layout_bytes: Vec::new(),
            cpus,
            described: RefCell::default(),
            settings: RefCell::default(),
            wait_quiet: None,
            is_wait_told: false,
            of_point: None,
            warnings: Vec::new(),
        }
    }

    /// Has the machine of the server that all hosts load metered while points are measured.
    pub fn meter_by(&mut self, metered: MeteredServer) {
        self.ensemble.metered = Some(metered);
    }

    /// Where the settings that a plan varies stand, after it was checked: the name of the factor, and the
    /// place with its host.
    pub fn settings(&self) -> Vec<(String, String)> {
        self.settings.borrow().clone()
    }

    /// Bytes that are written to each target before it is measured, in the plan's order.
    pub fn layout_bytes(&self) -> &[u64] {
        &self.layout_bytes
    }

    /// Waits for hosts that are lost; all of them then begin afresh.
    fn regain(&mut self, observer: &mut dyn Observer) -> Result<(), Stop> {
        let exchange = self.ensemble.exchange.get_mut();
        let lost = exchange.lost_hosts();
        if lost.is_empty() {
            return Ok(());
        }
        let (lost, longest) = (lost.join(", "), Span(exchange.patience().back));
        observer.note(&format!("waiting up to {longest} for {lost}"));
        self.ensemble.adopted = None;
        self.is_wait_told = false;
        exchange.greet_again(observer)?;
        observer.note(&format!("{lost}: heard again"));
        Ok(())
    }

    /// Gives every agent its part of `plan`, unless they have it.
    fn adopt(&mut self, plan: &Plan, observer: &mut dyn Observer) -> Result<(), Stop> {
        if self.ensemble.adopted.as_ref() == Some(plan) {
            return Ok(());
        }
        let parts = |member: &Member| Request::Adopt(Box::new(plan.part_of(&member.name)));
        self.ensemble.exchange.get_mut().ask(parts, observer)?;
        self.ensemble.adopted = Some(plan.clone());
        self.describe()?;
        Ok(())
    }

    /// Tells the agents for how long they may wait for a quiet machine, unless they know it.
    fn tell_wait(&mut self, observer: &mut dyn Observer) -> Result<(), Stop> {
        if !self.is_wait_told {
            let longest = self.wait_quiet;
            let wait = |_: &Member| Request::WaitForQuiet { longest };
            self.ensemble.exchange.get_mut().ask(wait, observer)?;
            self.is_wait_told = true;
        }
        Ok(())
    }

    /// The engine for `profile`, which all hosts must have.
    fn choose(&self, profile: &ResolvedProfile) -> Result<Engine, Fault> {
        let mut exchange = self.ensemble.exchange.borrow_mut();
        let choose = |_: &Member| Request::Choose(Box::new(profile.clone()));
        let answers = exchange.ask(choose, &mut Unwatched).map_err(fault_of)?;
        let engines: Vec<Engine> = answers
            .iter()
            .filter_map(|answer| match answer {
                Answer::Engine(engine) => Some(*engine),
                _ => None,
            })
            .collect();
        let hosts = exchange.hosts();
        match engines.iter().position(|engine| *engine != engines[0]) {
            None => engines.first().copied().ok_or_else(|| out_of_step("a host")),
            Some(other) => {
                let (first, second) = (engines[0].name(), engines[other].name());
                Err(Fault::new("the hosts issue I/O in different ways")
                    .because(format!("{} by {first}, {} by {second}", hosts[0], hosts[other]))
                    .fix("choose one that all of them have: --engine libaio, or --engine sync"))
            }
        }
    }
}

impl Testbed for Fleet {
    fn site<'a>(&'a self, _wishes: &'a Wishes) -> Site<'a> {
        Site {
            targets: self.targets.clone(),
            cpus: self.cpus,
            engine: Box::new(|profile| self.choose(profile)),
        }
    }

    fn check(&self, plan: &Plan) -> Result<(), Fault> {
        if let Some(factors) = &plan.factors {
            refuse_commands(factors)?;
            self.check_factors(plan)?;
        }
        // Those that were looked at for this plan are what it was made from.
        let mut planned = plan.targets.iter().zip(&self.targets);
        match planned.find(|(planned, found)| found.plan != **planned) {
            Some((planned, _)) => Err(no_longer(&planned.target)),
            None => Ok(()),
        }
    }

    fn prepare<'a>(
        &'a mut self,
        plan: &'a Plan,
        next: &NextPoint<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Ready<'a>, Stop> {
        observer.go_on()?;
        self.regain(observer)?;
        self.adopt(plan, observer)?;
        self.tell_wait(observer)?;
        let exchange = self.ensemble.exchange.get_mut();
        let point = named(plan, next)?;
        let answers = exchange.ask(|_| Request::Prepare(point.clone()), observer)?;
        // Laying files out takes long enough for clocks to drift.
        exchange.set_clocks()?;
        let (found, targets): (Vec<_>, Vec<_>) = answers
            .into_iter()
            .map(|answer| match answer {
                Answer::Prepared { warnings, targets } => (warnings, targets),
                _ => (Vec::new(), None),
            })
            .unzip();
        self.warnings.extend(in_common(found, &exchange.hosts()));
        self.of_point = of_point(plan, targets, exchange.members());
        let plan = self.of_point.as_ref().unwrap_or(plan);
        exchange.count_targets(plan.targets.iter());
        Ok(Ready { plan, instrument: &mut self.ensemble })
    }

    fn copy_files(
        &mut self,
        plan: &Plan,
        next: &NextCopy<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Copied, Stop> {
        self.regain(observer)?;
        self.adopt(plan, observer)?;
        let NextCopy { target, method, cache, repetition, .. } = *next;
        let host = &plan.targets[target].host;
        let is_there = |planned: &TargetPlan| planned.host == *host;
        let first = plan.targets.iter().position(is_there).unwrap_or_default();
        let request = Request::Copy { target: target - first, method, cache, repetition };
        let exchange = self.ensemble.exchange.get_mut();
        let number = exchange.members().iter().position(|member| member.name == *host);
        match exchange.ask_one(number.ok_or_else(|| out_of_step(host))?, request, observer)? {
            Answer::Copied(copied) => Ok(copied),
            _ => Err(out_of_step(host).into()),
        }
    }

    fn wait_for_quiet(&mut self, longest: Option<Nanos>) {
        self.wait_quiet = longest;
        self.is_wait_told = false;
    }

    // A host that is lost meanwhile shows at the next point: until then holds what it said last.

    fn environment(&self, plan: &Plan) -> Environment {
        let _ = self.describe();
        let described = self.described.borrow();
        let environments = described.as_ref().map(|described| described.environments.clone());
        let exchange = self.ensemble.exchange.borrow();
        merged_environment(plan, environments.unwrap_or_default(), exchange.members())
    }

    fn limits(&self) -> Vec<Warning> {
        let described = self.described.borrow();
        let limits = described.as_ref().map(|described| described.limits.clone());
        in_common(limits.unwrap_or_default(), &self.ensemble.exchange.borrow().hosts())
    }

    fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    fn foreign_settings(&self) -> Vec<SettingChange> {
        self.ensemble.foreign.clone()
    }

    // A run that was asked to stop closes its targets all the same: these three cannot be stopped.

    fn rest(&mut self, observer: &mut dyn Observer) {
        // A host that does not answer shows at the next point.
        let _ = self.ensemble.exchange.get_mut().ask_present(&Request::Rest, observer);
    }

    fn release(&mut self, observer: &mut dyn Observer) {
        let _ = self.ensemble.exchange.get_mut().ask_present(&Request::Release, observer);
    }

    fn finish(&mut self, observer: &mut dyn Observer) -> Result<Vec<String>, Fault> {
        // Why others are lost was said before.
        let exchange = self.ensemble.exchange.get_mut();
        let answers = exchange.ask_present(&Request::Finish, observer).map_err(fault_of)?;
        let left = answers.into_iter().flat_map(|(host, answer)| match answer {
            Answer::Finished(left) => {
                left.into_iter().map(|left| format!("{host}: {left}")).collect()
            }
            _ => Vec::new(),
        });
        Ok(left.collect())
    }
}

impl Fleet {
    /// Asks what the plan is measured on.
    fn describe(&self) -> Result<(), Stop> {
        let mut exchange = self.ensemble.exchange.borrow_mut();
        let answers = exchange.ask(|_| Request::Describe, &mut Unwatched)?;
        let described = answers.into_iter().filter_map(|answer| match answer {
            Answer::Described { environment, limits } => Some((*environment, limits)),
            _ => None,
        });
        let (environments, limits) = described.unzip();
        *self.described.borrow_mut() = Some(Described { environments, limits });
        Ok(())
    }

    /// Asks every host whether it can set what `plan` varies, and where.
    fn check_factors(&self, plan: &Plan) -> Result<(), Fault> {
        let mut exchange = self.ensemble.exchange.borrow_mut();
        let parts = |member: &Member| Request::Check(Box::new(plan.part_of(&member.name)));
        let answers = exchange.ask(parts, &mut Unwatched).map_err(fault_of)?;
        let hosts = exchange.hosts();
        let places = answers.into_iter().zip(&hosts).flat_map(|(answer, host)| match answer {
            Answer::Checked(places) => places
                .into_iter()
                .map(|(factor, place)| (factor, format!("{host}: {place}")))
                .collect(),
            _ => Vec::new(),
        });
        *self.settings.borrow_mut() = places.collect();
        Ok(())
    }
}

/// Refuses factors with commands: no command goes to another host.
fn refuse_commands(factors: &Factors) -> Result<(), Fault> {
    match factors.factors.iter().find(|factor| factor.commands.is_some()) {
        None => Ok(()),
        Some(factor) => Err(Fault::new(format!("the commands of '{}' go to no host", factor.name))
            .because("a host runs commands from its own file alone")
            .fix(format!(
                "write them there (kneepoint agent --definitions FILE.toml), and vary them here by \
                 name: --factor {}={}",
                factor.name,
                factor.levels.join(",")
            ))),
    }
}

/// The plan with the targets that its hosts have at the levels of a point; `None` if these are the plan's.
fn of_point(
    plan: &Plan,
    targets: Vec<Option<Vec<TargetPlan>>>,
    members: &[Member],
) -> Option<Plan> {
    targets.iter().any(Option::is_some).then(|| {
        let of_host = |(found, member): (Option<Vec<TargetPlan>>, &Member)| {
            let own = || plan.targets.iter().filter(|target| target.host == member.name);
            match found {
                Some(found) => {
                    found.into_iter().map(|target| target.on_host(&member.name)).collect()
                }
                None => own().cloned().collect::<Vec<_>>(),
            }
        };
        let targets = targets.into_iter().zip(members).flat_map(of_host).collect();
        Plan { targets, ..plan.clone() }
    })
}

impl Instrument for Ensemble {
    fn run_point(
        &mut self,
        point: &Point<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Stop> {
        let Some(plan) = &self.adopted else { return Err(out_of_step("the fleet").into()) };
        let Point { series, load, repetition, visit, .. } = *point;
        let next = NextPoint { series, load, repetition, visit };
        let named = named(plan, &next)?;
        let exchange = self.exchange.get_mut();
        let metered = &mut self.metered;
        let (mut outcome, foreign) = part::measure(exchange, (point, named, metered), observer)?;
        self.foreign = foreign;
        if let Some(metered) = metered {
            outcome.warnings.extend(metered.end(load.value as usize));
        }
        Ok(outcome)
    }
}

/// The point as the agents know it.
fn named(plan: &Plan, next: &NextPoint<'_>) -> Result<NamedPoint, Fault> {
    let series = plan.series.iter().position(|series| series == next.series);
    let series = series.ok_or_else(|| Fault::new("a point is of no series of its plan"))?;
    let NextPoint { load, repetition, visit, .. } = *next;
    Ok(NamedPoint { series, load, repetition, visit })
}

/// Whether time is virtual on `plan`'s targets.
fn is_virtual(plan: &Plan) -> bool {
    plan.targets.first().is_some_and(|target| target.kind == TargetKind::Sim)
}

fn fault_of(stop: Stop) -> Fault {
    stop.into_fault().unwrap_or_else(|| Fault::new("the fleet was asked to stop"))
}

/// That an agent answered something else.
fn out_of_step(host: &str) -> Fault {
    Fault::new(format!("{host} answered what was not asked"))
        .fix("use the same version of Kneepoint on all hosts")
}
