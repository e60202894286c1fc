//! The calls of the controller, answered one after the other.

use kneepoint_core::measure::search::NextPoint;
use kneepoint_core::measure::{Outcome, Point, Ready, Stop, Testbed};
use kneepoint_core::plan::resolve::Wishes;
use kneepoint_core::plan::{Engine, Plan};
use kneepoint_core::words::fault::Fault;

use super::overseen::{Line, Reporter, out_of_turn};
use super::{Looked, Workshop};
use crate::wire::{
    Answer, Greeting, LookRequest, NamedPoint, PROTOCOL, PartEnd, Refusal, Request, Word,
};

/// Where calls are answered.
pub(super) struct Desk<'a> {
    workshop: &'a dyn Workshop,
    line: &'a Line,
    testbed: Option<Box<dyn Testbed + 'a>>,
    wishes: Wishes,
    plan: Option<Box<Plan>>,
}

impl<'a> Desk<'a> {
    /// Without a testbed.
    pub(super) fn new(workshop: &'a dyn Workshop, line: &'a Line) -> Self {
        Self { workshop, line, testbed: None, wishes: Wishes::default(), plan: None }
    }

    /// Does what is asked, and says how it went.
    pub(super) fn answer(&mut self, call: u64, request: Request) {
        let answer = self.work_on(call, request).map_err(|stop| match stop {
            Stop::Asked => Refusal::Stopped,
            Stop::Failed(fault) | Stop::Fault(fault) => Refusal::Fault(fault),
        });
        self.line.say(&Word::Answer { call, answer });
    }

    fn work_on(&mut self, call: u64, request: Request) -> Result<Answer, Stop> {
        let mut reporter = Reporter::new(call, self.line, self.workshop);
        match request {
            Request::Greet { protocol } => Ok(Answer::Greeting(self.greet(protocol)?)),
            Request::Look(request) => Ok(self.look(*request)?),
            Request::Choose(profile) => {
                let testbed = self.testbed.as_deref().ok_or_else(|| out_of_turn("use targets"))?;
                let site = testbed.site(&self.wishes);
                Ok(Answer::Engine((site.engine)(&profile)?))
            }
            Request::Adopt(plan) => {
                self.adopt(plan)?;
                Ok(Answer::Done)
            }
            Request::Prepare(next) => {
                let (testbed, plan) = self.at_work()?;
                testbed.prepare(plan, &named(plan, &next)?, &mut reporter)?;
                Ok(Answer::Prepared { warnings: testbed.take_warnings() })
            }
            Request::Describe => {
                let (testbed, plan) = self.at_work()?;
                let environment = Box::new(testbed.environment(plan));
                Ok(Answer::Described { environment, limits: testbed.limits() })
            }
            Request::Measure(next) => Ok(Answer::Measured(Box::new(self.measure(call, &next)?))),
            Request::Rest => {
                self.testbed()?.rest(&mut reporter);
                Ok(Answer::Done)
            }
            Request::Release => {
                self.testbed()?.release(&mut reporter);
                Ok(Answer::Done)
            }
            Request::Finish => Ok(Answer::Finished(match self.testbed.take() {
                Some(mut testbed) => testbed.finish(&mut reporter)?,
                None => Vec::new(),
            })),
        }
    }

    fn greet(&self, protocol: u32) -> Result<Greeting, Fault> {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        if protocol != PROTOCOL {
            return Err(Fault::new(format!("the agent is of version {version}"))
                .because(format!("it speaks protocol {PROTOCOL}, the controller {protocol}"))
                .fix("use the same version of Kneepoint on all hosts"));
        }
        let (machine, now) = (self.workshop.machine(), self.workshop.now());
        Ok(Greeting { protocol: PROTOCOL, version, machine, now })
    }

    fn look(&mut self, request: LookRequest) -> Result<Answer, Fault> {
        // What was open for another run is closed first.
        self.testbed = None;
        self.plan = None;
        self.wishes =
            Wishes { engine: request.engine, caching: request.caching, ..Wishes::default() };
        let Looked { testbed, layout_bytes } = self.workshop.look(&request)?;
        let testbed = self.testbed.insert(testbed);
        let site = testbed.site(&self.wishes);
        Ok(Answer::Found { cpus: site.cpus, targets: site.targets, layout_bytes })
    }

    /// Takes a plan, or a phase of the one that it has.
    fn adopt(&mut self, plan: Box<Plan>) -> Result<(), Fault> {
        if self.testbed.is_none() {
            self.testbed = Some(self.workshop.look_again(&plan)?);
        }
        self.testbed()?.check(&plan)?;
        self.plan = Some(plan);
        Ok(())
    }

    fn testbed(&mut self) -> Result<&mut (dyn Testbed + 'a), Fault> {
        self.testbed.as_deref_mut().ok_or_else(|| out_of_turn("use targets"))
    }

    fn at_work(&mut self) -> Result<(&mut (dyn Testbed + 'a), &Plan), Fault> {
        let plan = self.plan.as_deref().ok_or_else(|| out_of_turn("follow a plan"))?;
        let testbed = self.testbed.as_deref_mut();
        Ok((testbed.ok_or_else(|| out_of_turn("use targets"))?, plan))
    }

    /// Measures this host's part of a point until the controller ends it.
    fn measure(&mut self, call: u64, named_point: &NamedPoint) -> Result<PartEnd, Stop> {
        let (line, workshop) = (self.line, self.workshop);
        let (testbed, plan) = self.at_work()?;
        let next = named(plan, named_point)?;
        let mut reporter = Reporter::of_point(call, line, workshop);
        if plan.engine.engine != Engine::Sim {
            // All hosts begin with nothing in flight: what one of them could go on with, another could
            // not.
            testbed.rest(&mut reporter);
        }
        let Ready { plan, instrument } = testbed.prepare(plan, &next, &mut reporter)?;
        let planned = match next.visit {
            Some(visit) => visit.planned(plan),
            None => plan.clone().until_told(),
        };
        let NextPoint { series, load, repetition, visit } = next;
        let before = Default::default();
        let point = Point { plan: &planned, series, load, repetition, visit, before };
        let outcome = instrument.run_point(&point, &mut reporter)?;
        let mut end = PartEnd { operations: reporter.operations(), ..PartEnd::of(outcome) };
        end.foreign_settings = testbed.foreign_settings();
        let machine = workshop.machine();
        for observation in &mut end.observations {
            observation.machine.clone_from(&machine);
        }
        Ok(end)
    }
}

impl PartEnd {
    fn of(outcome: Outcome) -> Self {
        Self {
            operations: 0,
            error_count: outcome.error_count,
            error_samples: outcome.error_samples,
            lost: outcome.lost,
            stuck: outcome.stuck,
            paused: outcome.paused,
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
