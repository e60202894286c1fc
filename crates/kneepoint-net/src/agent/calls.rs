//! The calls of the controller, answered one after the other.

use kneepoint_core::measure::search::NextPoint;
use kneepoint_core::measure::{NextCopy, Observer as _, Outcome, Point, Ready, Stop, Testbed};
use kneepoint_core::plan::resolve::Wishes;
use kneepoint_core::plan::{Engine, Plan};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadLevel;

use super::line::Line;
use super::reporter::Reporter;
use super::turn::{Turn, out_of_turn};
use super::{AgentEvent, HostPoint, Looked, Used, Workshop};
use crate::wire::{
    Answer, Greeting, LookRequest, NamedPoint, PROTOCOL, PartEnd, Refusal, Request, Word,
};

/// Where calls are answered.
pub(super) struct Desk<'a> {
    workshop: &'a dyn Workshop,
    line: &'a Line,
    /// The session of the last call.
    session: u64,
    testbed: Option<Box<dyn Testbed + 'a>>,
    /// Whether the testbed sets the levels of a plan.
    is_varied: bool,
    wishes: Wishes,
    plan: Option<Box<Plan>>,
    /// Whether a server was metered in the session.
    is_metering: bool,
}

impl<'a> Desk<'a> {
    /// Without a testbed.
    pub(super) fn new(workshop: &'a dyn Workshop, line: &'a Line) -> Self {
        Self {
            workshop,
            line,
            session: 0,
            testbed: None,
            is_varied: false,
            wishes: Wishes::default(),
            plan: None,
            is_metering: false,
        }
    }

    /// Does what is asked, and says how it went; nothing if its session is over. What is not done is on record.
    pub(super) fn answer(&mut self, turn: Turn, request: Request) {
        if !self.line.is_open(turn.session) {
            return;
        }
        let not_done = match request {
            Request::Finish => |fault| AgentEvent::NotPutBack { fault },
            _ => |fault| AgentEvent::Refused { fault },
        };
        let answer = self.work_on(turn, request).map_err(|stop| match stop.into_fault() {
            None => Refusal::Stopped,
            Some(fault) => {
                self.workshop.record(&not_done(fault.clone()));
                Refusal::Fault(fault)
            }
        });
        self.line.say(turn.session, &Word::Answer { call: turn.call, answer });
    }

    /// Puts settings back without being asked: the controller is not heard. Should it come again in the same
    /// session, its plan is taken up as if it had just come.
    pub(super) fn put_back(&mut self) {
        if !self.is_varied {
            return;
        }
        let turn = Turn { session: self.session, call: 0 };
        let mut reporter = Reporter::new(turn, self.line, self.workshop);
        // What could not be put back is on record, and tried again.
        if let Err(fault) = self.finish(&mut reporter) {
            self.workshop.record(&AgentEvent::NotPutBack { fault });
        }
    }

    /// Closes the targets and puts settings back; gives what was left as it is.
    fn finish(&mut self, reporter: &mut Reporter<'_>) -> Result<Vec<String>, Fault> {
        self.testbed.take().map_or(Ok(Vec::new()), |mut testbed| testbed.finish(reporter))
    }

    fn work_on(&mut self, turn: Turn, request: Request) -> Result<Answer, Stop> {
        let begin = match request {
            Request::Measure { .. } => Reporter::of_point,
            _ => Reporter::new,
        };
        let mut reporter = begin(turn, self.line, self.workshop);
        if self.session != turn.session {
            self.session = turn.session;
            self.forget(&mut reporter);
        }
        let done = self.carry_out(request, &mut reporter);
        // It has been ended by the limits of the host.
        reporter.take_excess().map_or(done, |fault| Err(fault.into()))
    }

    fn carry_out(&mut self, request: Request, reporter: &mut Reporter<'_>) -> Result<Answer, Stop> {
        match request {
            Request::Greet { .. } => Ok(Answer::Greeting(self.greet())),
            Request::Look(request) => Ok(self.look(*request)?),
            Request::Choose(profile) => {
                let testbed = self.testbed.as_deref().ok_or_else(|| out_of_turn("use targets"))?;
                let site = testbed.site(&self.wishes);
                Ok(Answer::Engine((site.engine)(&profile)?))
            }
            Request::Check(plan) => {
                self.permission().check(&plan, None)?;
                let plan = self.workshop.defined(plan)?;
                self.testbed()?.check(&plan)?;
                Ok(Answer::Checked(self.workshop.settings(&plan)?))
            }
            Request::Adopt(plan) => {
                self.adopt(plan)?;
                Ok(Answer::Done)
            }
            Request::WaitForQuiet { longest } => {
                self.testbed()?.wait_for_quiet(longest);
                Ok(Answer::Done)
            }
            Request::Prepare(next) => {
                let (testbed, plan) = self.at_work()?;
                let ready = testbed.prepare(plan, &named(plan, &next)?, reporter)?;
                let targets = &ready.plan.targets;
                let targets = (*targets != plan.targets).then(|| targets.clone());
                Ok(Answer::Prepared { warnings: testbed.take_warnings(), targets })
            }
            Request::Describe => {
                let (testbed, plan) = self.at_work()?;
                let environment = Box::new(testbed.environment(plan));
                Ok(Answer::Described { environment, limits: testbed.limits() })
            }
            Request::Measure { point, first_target } => {
                let end = self.measure((&point, first_target), reporter)?;
                Ok(Answer::Measured(Box::new(end)))
            }
            Request::Copy { target, method, cache, repetition } => {
                let permission = self.permission();
                let (testbed, plan) = self.at_work()?;
                permission.check(plan, None)?;
                let copy = plan.file_copy.as_ref();
                let copy = copy.filter(|_| target < plan.targets.len());
                let copy = copy.ok_or_else(|| out_of_turn("copy files"))?;
                reporter.spend(copy.set.bytes);
                let next = NextCopy { copy, target, method, cache, repetition };
                Ok(Answer::Copied(testbed.copy_files(plan, &next, reporter)?))
            }
            Request::Meter(asked) => {
                let reading = self.workshop.meter(&asked)?;
                if !self.is_metering {
                    self.is_metering = true;
                    self.workshop.record(&AgentEvent::Metered { server: asked.server });
                }
                Ok(Answer::Metered(Box::new(reading)))
            }
            Request::Rest => {
                self.testbed()?.rest(reporter);
                Ok(Answer::Done)
            }
            Request::Release => {
                self.testbed()?.release(reporter);
                Ok(Answer::Done)
            }
            Request::Finish => Ok(Answer::Finished(self.finish(reporter)?)),
        }
    }

    /// Closes what another session has left: all hosts go on from the same state.
    fn forget(&mut self, reporter: &mut Reporter<'_>) {
        if let Some(mut testbed) = self.testbed.take() {
            testbed.release(reporter);
        }
        (self.plan, self.is_varied, self.is_metering) = (None, false, false);
    }

    fn greet(&self) -> Greeting {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let (machine, now) = (self.workshop.machine(), self.workshop.now());
        let nonce = self.line.nonce();
        Greeting { protocol: PROTOCOL, version, machine, now, nonce }
    }

    fn look(&mut self, request: LookRequest) -> Result<Answer, Fault> {
        // What was open for another run is closed first.
        self.testbed = None;
        (self.plan, self.is_varied) = (None, false);
        self.wishes =
            Wishes { engine: request.engine, caching: request.caching, ..Wishes::default() };
        let Looked { testbed, layout_bytes } = self.workshop.look(&request)?;
        let testbed = self.testbed.insert(testbed);
        let site = testbed.site(&self.wishes);
        Ok(Answer::Found { cpus: site.cpus, targets: site.targets, layout_bytes })
    }

    /// Takes a plan, or a phase of the one that it has.
    fn adopt(&mut self, plan: Box<Plan>) -> Result<(), Fault> {
        self.permission().check(&plan, None)?;
        let hash = plan.hash();
        let plan = self.workshop.defined(plan)?;
        let is_varied = plan.factors.is_some();
        if self.testbed.is_none() || (is_varied && !self.is_varied) {
            // What sets the levels of a plan is made for that plan.
            self.testbed = None;
            self.testbed = Some(self.workshop.look_again(&plan)?);
            self.is_varied = is_varied;
        }
        self.testbed()?.check(&plan)?;
        let targets = plan.targets.iter().map(|target| target.target.clone()).collect();
        self.workshop.record(&AgentEvent::Adopted { plan: hash, targets });
        self.plan = Some(plan);
        Ok(())
    }

    /// What the host lets the run do now.
    fn permission(&self) -> Permission<'a> {
        Permission { workshop: self.workshop, used: self.line.used_at(self.workshop.now()) }
    }

    fn testbed(&mut self) -> Result<&mut (dyn Testbed + 'a), Fault> {
        self.testbed.as_deref_mut().ok_or_else(|| out_of_turn("use targets"))
    }

    fn at_work(&mut self) -> Result<(&mut (dyn Testbed + 'a), &Plan), Fault> {
        let plan = self.plan.as_deref().ok_or_else(|| out_of_turn("follow a plan"))?;
        if self.testbed.is_none() {
            // It was closed while the controller was not heard.
            self.testbed = Some(self.workshop.look_again(plan)?);
        }
        let testbed = self.testbed.as_deref_mut();
        Ok((testbed.ok_or_else(|| out_of_turn("use targets"))?, plan))
    }

    /// Measures this host's part of a point until the controller ends it.
    fn measure(
        &mut self,
        (named_point, first_target): (&NamedPoint, u32),
        reporter: &mut Reporter<'_>,
    ) -> Result<PartEnd, Stop> {
        let (workshop, permission) = (self.workshop, self.permission());
        let (testbed, plan) = self.at_work()?;
        let next = named(plan, named_point)?;
        permission.check(plan, Some(next.load))?;
        if plan.engine.engine != Engine::Sim {
            // All hosts begin with nothing in flight: what one of them could go on with, another could
            // not.
            testbed.rest(reporter);
        }
        let Ready { plan, instrument } = testbed.prepare(plan, &next, reporter)?;
        let plan = &Plan { first_target, ..plan.clone() };
        let planned = match next.visit {
            Some(visit) => visit.planned(plan),
            None => plan.clone().until_told(),
        };
        let NextPoint { series, load, repetition, visit } = next;
        let before = Default::default();
        let point = Point { plan: &planned, series, load, repetition, visit, before };
        let outcome = instrument.run_point(&point, reporter)?;
        // It may have ended because its controller was gone.
        reporter.go_on()?;
        if let Some((course, counted)) = reporter.take_course()
            && let Some((sum, unfinished)) = course.sum(&counted)
        {
            workshop.keep_point(&HostPoint {
                plan: plan.hash(),
                series: series.key().to_string(),
                load,
                repetition,
                targets: plan.targets.iter().map(|target| target.target.clone()).collect(),
                interval: plan.timing.interval,
                counted,
                sum,
                unfinished,
            });
        }
        let mut end = PartEnd { operations: reporter.operations(), ..PartEnd::of(outcome) };
        end.foreign_settings = testbed.foreign_settings();
        let machine = workshop.machine();
        for observation in &mut end.observations {
            observation.machine.clone_from(&machine);
        }
        Ok(end)
    }
}

/// What a host lets a run do that has used so much of it.
struct Permission<'a> {
    workshop: &'a dyn Workshop,
    used: Used,
}

impl Permission<'_> {
    /// Refuses a plan, or one of its loads, that is beyond what the host allows.
    fn check(&self, plan: &Plan, load: Option<LoadLevel>) -> Result<(), Fault> {
        self.workshop.permit(plan, load)?;
        self.workshop.within_limits(self.used)
    }
}

impl PartEnd {
    fn of(outcome: Outcome) -> Self {
        Self {
            operations: 0,
            errors: outcome.errors,
            error_samples: outcome.error_samples,
            lost: outcome.lost,
            stuck: outcome.stuck,
            paused: outcome.paused,
            late: outcome.late,
            cpu_percent: outcome.cpu_percent,
            observations: outcome.observations,
            simulated: outcome.simulated,
            warnings: outcome.warnings,
            foreign_settings: Vec::new(),
        }
    }
}

/// The point of `plan` that is meant.
fn named<'a>(plan: &'a Plan, point: &NamedPoint) -> Result<NextPoint<'a>, Fault> {
    let series = plan.series.get(point.series).ok_or_else(|| out_of_turn("measure a series"))?;
    let NamedPoint { load, repetition, visit, .. } = *point;
    Ok(NextPoint { series, load, repetition, visit })
}
