//! A point on all hosts: begun together, merged interval by interval, ended together.

use std::ops::Range;

use kneepoint_core::load::drive::{Flow, Watch as _};
use kneepoint_core::load::record::interval::{IntervalRecord, Merger};
use kneepoint_core::measure::{Coordinator, Observer, Outcome, Point, Stop};
use kneepoint_core::plan::Plan;
use kneepoint_core::result::warning::SettingChange;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use super::exchange::{Exchange, tell};
use super::merge::{ends_merged, in_common};
use super::{is_virtual, out_of_step};
use crate::wire::{Answer, Command, Heard, NamedPoint, PartEnd, Refusal, Request, Word};

/// The point begins so long after all hosts are ready, at least.
const LEAD_MIN: Nanos = Nanos::from_millis(2);

/// The same in multiples of the largest error of a clock, which is half of a message's delay.
const LEAD_BOUNDS: u64 = 20;

/// Hosts may end so much later than they must have.
const SLOW: Nanos = Nanos::from_secs(15);

/// Measures a point on all hosts; gives the settings that someone else changed, too.
pub(super) fn measure(
    exchange: &mut Exchange,
    (point, named): (&Point<'_>, NamedPoint),
    observer: &mut dyn Observer,
) -> Result<(Outcome, Vec<SettingChange>), Stop> {
    exchange.expect_classes(point.classes().len());
    let call = exchange.call();
    exchange.send_all(&Command::Call { call, request: Request::Measure(named) })?;
    let ramp = await_ready(exchange, call, observer)?;
    let plan = as_begun(point, ramp);
    let point = &Point { plan: &plan, ..*point };
    begin(exchange, call, is_virtual(&plan))?;
    let coordinator = Coordinator::new(point, observer);
    let count = exchange.members().len();
    let timing = &plan.timing;
    let begun = exchange.now();
    let mut watch = FleetPoint {
        is_virtual: is_virtual(&plan),
        merger: Merger::new(count, plan.targets.len()),
        ends: vec![None; count],
        counted: None,
        fault: None,
        give_up: begun + timing.point_max() + timing.drain_max + SLOW,
        last_completion: begun,
        coordinator,
        exchange,
        call,
    };
    while !watch.is_over() {
        if let Err(fault) = watch.turn() {
            // The hosts that are there give the point up; nothing reaches one that is not.
            let _ = watch.exchange.send_all(&Command::End { call, counted: None });
            return Err(fault.into());
        }
    }
    watch.finish()
}

/// The plan of the point as the hosts begin with it.
fn as_begun(point: &Point<'_>, ramp: Nanos) -> Plan {
    let mut plan = point.plan.clone();
    if point.visit.is_some() {
        plan.timing.ramp = ramp;
    }
    plan
}

/// Waits until all hosts are ready; gives the ramp of the point there.
fn await_ready(
    exchange: &mut Exchange,
    call: u64,
    observer: &mut dyn Observer,
) -> Result<Nanos, Stop> {
    let mut ramps: Vec<Option<Nanos>> = vec![None; exchange.members().len()];
    while ramps.iter().any(Option::is_none) {
        if observer.is_stop_asked() {
            exchange.send_all(&Command::End { call, counted: None })?;
            return Err(Stop::Asked);
        }
        let Some((number, Heard::Word(word))) = exchange.hear()? else { continue };
        match word {
            Word::Ready { call: of, ramp } if of == call => ramps[number] = Some(ramp),
            Word::Answer { call: of, answer } if of == call => {
                let name = exchange.members()[number].name.clone();
                exchange.send_all(&Command::End { call, counted: None })?;
                return Err(match answer {
                    Err(Refusal::Fault(fault)) => fault.behind(&name).into(),
                    Ok(_) | Err(Refusal::Stopped) => out_of_step(&name).into(),
                });
            }
            other => tell(observer, &exchange.members()[number].name, &other),
        }
    }
    let ramps: Vec<Nanos> = ramps.into_iter().flatten().collect();
    let longest = ramps.iter().copied().max().unwrap_or_default();
    match ramps.iter().all(|ramp| *ramp == longest) {
        true => Ok(longest),
        false => {
            exchange.send_all(&Command::End { call, counted: None })?;
            Err(Fault::new("the hosts are not in step")
                .because("some of them could go on after the last visit, and others could not")
                .fix("`kneepoint resume` measures the rest")
                .into())
        }
    }
}

/// Lets all hosts begin at one time, in virtual time at once.
fn begin(exchange: &Exchange, call: u64, is_virtual: bool) -> Result<(), Fault> {
    let members = exchange.members();
    let bound = members.iter().map(|member| member.clock.bound).max().unwrap_or_default();
    let epoch = exchange.now() + LEAD_MIN.max(Nanos(bound.0 * LEAD_BOUNDS));
    members.iter().try_for_each(|member| {
        let at = (!is_virtual).then(|| member.clock.there(epoch));
        exchange.send(member.number, &Command::Begin { call, at })
    })
}

/// A point that all hosts measure.
struct FleetPoint<'a, 'o> {
    exchange: &'a mut Exchange,
    call: u64,
    is_virtual: bool,
    coordinator: Coordinator<'o>,
    merger: Merger,
    /// How it ended on each host.
    ends: Vec<Option<PartEnd>>,
    /// The intervals that count, once the end is decided.
    counted: Option<Range<usize>>,
    fault: Option<Fault>,
    give_up: Nanos,
    last_completion: Nanos,
}

impl FleetPoint<'_, '_> {
    /// Whether all hosts have ended, or need not be waited for.
    fn is_over(&self) -> bool {
        self.ends.iter().all(Option::is_some)
            || (self.fault.is_some() && self.exchange.now() > self.give_up)
    }

    /// Hears what one of the hosts says, but does not wait for long.
    fn turn(&mut self) -> Result<(), Fault> {
        let heard = self.exchange.hear()?;
        let now = self.exchange.now();
        if now > self.give_up && self.fault.is_none() {
            return Err(Fault::new("a host does not come to an end")
                .fix("look after its agent; `kneepoint resume` measures the rest"));
        }
        match heard {
            Some((number, Heard::Records(packed))) if packed.call == self.call => {
                let first = self.exchange.members()[number].first_target;
                for record in packed.records {
                    self.interval(record.of_targets_from(first), now)?;
                }
            }
            Some((number, Heard::Word(word))) => self.word(number, word)?,
            _ => {}
        }
        if self.coordinator.look(now.since(self.last_completion)) == Flow::Stop {
            self.end()?;
        }
        Ok(())
    }

    fn word(&mut self, number: usize, word: Word) -> Result<(), Fault> {
        match word {
            Word::Straddlers { call, mut straddlers } if call == self.call => {
                let member = &self.exchange.members()[number];
                let (first, count) = (member.first_target, member.target_count as u32);
                straddlers.retain(|io| io.target < count);
                straddlers.iter_mut().for_each(|io| io.target += first);
                self.coordinator.add_straddlers(straddlers);
            }
            Word::Answer { call, answer } if call == self.call => {
                let name = self.exchange.members()[number].name.clone();
                match answer {
                    Ok(Answer::Measured(end)) => self.ends[number] = Some(*end),
                    Err(Refusal::Stopped) => self.ends[number] = Some(PartEnd::default()),
                    Ok(_) => self.fail(number, out_of_step(&name)),
                    Err(Refusal::Fault(fault)) => self.fail(number, fault.behind(&name)),
                }
                // A host that has ended by itself ends the point for all.
                self.end()?;
            }
            _ => {}
        }
        Ok(())
    }

    /// A host could not measure its part.
    fn fail(&mut self, number: usize, fault: Fault) {
        self.ends[number] = Some(PartEnd::default());
        self.fault.get_or_insert(fault);
    }

    fn interval(&mut self, record: IntervalRecord, now: Nanos) -> Result<(), Fault> {
        if record.total().operations + record.error_count() > 0 {
            self.last_completion = now;
        }
        if self.counted.is_some() {
            self.coordinator.add_straddlers(record.straddlers);
            return Ok(());
        }
        for record in self.merger.push(record) {
            let interval = record.index;
            if self.counted.is_some() {
                self.coordinator.add_straddlers(record.straddlers);
            } else if self.coordinator.interval(record) == Flow::Stop {
                self.end()?;
            } else if self.is_virtual {
                self.exchange.send_all(&Command::GoOn { call: self.call, interval })?;
            }
        }
        Ok(())
    }

    /// Ends the point on all hosts, unless that has been done.
    fn end(&mut self) -> Result<(), Fault> {
        if self.counted.is_some() {
            return Ok(());
        }
        let counted = self.coordinator.counted_so_far();
        self.counted = Some(counted.clone());
        let is_given_up = self.coordinator.is_stopped() || self.fault.is_some();
        let counted = (!is_given_up).then_some(counted);
        self.exchange.send_all(&Command::End { call: self.call, counted })
    }

    fn finish(mut self) -> Result<(Outcome, Vec<SettingChange>), Stop> {
        for record in self.merger.into_partial() {
            self.coordinator.add_straddlers(record.straddlers);
        }
        if let Some(fault) = self.fault {
            return Err(fault.into());
        }
        let measurement = self.coordinator.finish()?;
        let ends: Vec<PartEnd> = self.ends.into_iter().flatten().collect();
        let foreign = ends.iter().flat_map(|end| end.foreign_settings.clone()).collect();
        let warnings = ends.iter().map(|end| end.warnings.clone()).collect();
        let warnings = in_common(warnings, &self.exchange.hosts());
        let outcome = ends_merged(measurement, ends, self.exchange.members());
        Ok((Outcome { warnings, ..outcome }, foreign))
    }
}
