//! A point on all hosts: begun together, merged interval by interval, ended together.

use std::ops::Range;

use kneepoint_core::load::drive::{Flow, Watch as _};
use kneepoint_core::load::record::interval::{IntervalRecord, Merger};
use kneepoint_core::measure::metering::MeteredServer;
use kneepoint_core::measure::{Coordinator, Observer, Outcome, Point, Stop};
use kneepoint_core::plan::Plan;
use kneepoint_core::result::warning::SettingChange;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use super::clock::Offset;
use super::exchange::{Exchange, tell};
use super::member::Member;
use super::merge::{ends_merged, in_common, starts};
use super::{is_virtual, out_of_step};
use crate::wire::{Answer, Command, Heard, NamedPoint, PartEnd, Refusal, Request, Word};

/// The point begins so long after all hosts are ready, at least.
const LEAD_MIN: Nanos = Nanos::from_millis(2);

/// The same in multiples of the largest error of a clock, which is half of a message's delay.
const LEAD_BOUNDS: u64 = 20;

/// Hosts may end so much later than they must have.
const SLOW: Nanos = Nanos::from_secs(15);

/// The server that all hosts load, if its machine is metered.
type Metered = Option<MeteredServer>;

/// What was measured, and the settings that someone else changed.
type Measured = (Outcome, Vec<SettingChange>);

/// Measures a point on all hosts.
///
/// # Errors
/// When a host is lost or cannot measure its part, or the observer asks to stop.
pub(super) fn measure(
    exchange: &mut Exchange,
    (point, named, metered): (&Point<'_>, NamedPoint, &mut Metered),
    observer: &mut dyn Observer,
) -> Result<Measured, Stop> {
    exchange.expect_classes(&point.classes());
    if let Some(measured) = attempt(exchange, (point, &named, metered), observer)? {
        return Ok(measured);
    }
    // Some could go on after the last visit, and others could not: all of them begin at rest.
    exchange.ask(|_| Request::Rest, observer)?;
    attempt(exchange, (point, &named, metered), observer)?.ok_or_else(|| {
        Fault::new("the hosts are not in step")
            .because("their ramps differ although all of them begin at rest")
            .fix("use the same version of Kneepoint on all hosts")
            .into()
    })
}

/// The same, if all hosts begin alike.
fn attempt(
    exchange: &mut Exchange,
    (point, named, metered): (&Point<'_>, &NamedPoint, &mut Metered),
    observer: &mut dyn Observer,
) -> Result<Option<Measured>, Stop> {
    let call = exchange.call();
    for number in 0..exchange.members().len() {
        let first_target = exchange.members()[number].first_target;
        let request = Request::Measure { point: named.clone(), first_target };
        exchange.send(number, &Command::Call { call, request })?;
    }
    let measured = measure_together(exchange, (point, call, metered), observer);
    if !matches!(measured, Ok(Some(_))) {
        // The hosts that are there give the point up; nothing reaches one that is not.
        let _ = exchange.send_all(&Command::End { call, counted: None });
    }
    measured
}

fn measure_together(
    exchange: &mut Exchange,
    (point, call, metered): (&Point<'_>, u64, &mut Metered),
    observer: &mut dyn Observer,
) -> Result<Option<Measured>, Stop> {
    let Some(ramp) = await_ready(exchange, call, observer)? else { return Ok(None) };
    let plan = as_begun(point, ramp);
    let point = &Point { plan: &plan, ..*point };
    begin(exchange, call, is_virtual(&plan))?;
    let coordinator = Coordinator::new(point, observer);
    let count = exchange.members().len();
    let begun = exchange.now();
    let longest = plan.timing.point_max() + plan.timing.drain_max + SLOW;
    let mut watch = FleetPoint {
        is_virtual: is_virtual(&plan),
        merger: Merger::new(count, plan.targets.len()),
        ends: vec![None; count],
        counted: None,
        stop: None,
        longest,
        give_up: begun + longest,
        last_completion: begun,
        coordinator,
        exchange,
        call,
        metered: metered.as_mut().map(|metered| (metered, point.load.value as usize)),
    };
    while !watch.is_over() {
        watch.turn()?;
    }
    watch.finish().map(Some)
}

/// The plan of the point as the hosts begin with it.
fn as_begun(point: &Point<'_>, ramp: Nanos) -> Plan {
    let mut plan = point.plan.clone();
    if point.visit.is_some() {
        plan.timing.ramp = ramp;
    }
    plan
}

/// Waits until all hosts are ready; gives the ramp of the point there, if it is the same on all.
fn await_ready(
    exchange: &mut Exchange,
    call: u64,
    observer: &mut dyn Observer,
) -> Result<Option<Nanos>, Stop> {
    let mut ramps: Vec<Option<Nanos>> = vec![None; exchange.members().len()];
    while ramps.iter().any(Option::is_none) {
        observer.go_on()?;
        let Some((number, Heard::Word(word))) = exchange.hear()? else { continue };
        match word {
            Word::Ready { call: of, ramp } if of == call => ramps[number] = Some(ramp),
            Word::Answer { call: of, answer } if of == call => {
                return Err(match answer {
                    Err(refusal) => exchange.given_up(number, refusal),
                    Ok(_) => out_of_step(&exchange.members()[number].name).into(),
                });
            }
            other => tell(observer, &exchange.members()[number].name, &other),
        }
    }
    let mut ramps = ramps.into_iter().flatten();
    let first = ramps.next();
    Ok(first.filter(|first| ramps.all(|ramp| ramp == *first)))
}

/// Lets all hosts begin at one time, in virtual time at once.
fn begin(exchange: &mut Exchange, call: u64, is_virtual: bool) -> Result<(), Fault> {
    let clocks: Vec<Offset> = exchange.members().iter().map(|member| member.clock.offset).collect();
    let bound = clocks.iter().map(|clock| clock.bound).max().unwrap_or_default();
    let epoch = exchange.now() + LEAD_MIN.max(Nanos(bound.0 * LEAD_BOUNDS));
    clocks.iter().enumerate().try_for_each(|(number, clock)| {
        let at = (!is_virtual).then(|| clock.there(epoch));
        exchange.send(number, &Command::Begin { call, at })
    })
}

/// A point that all hosts measure.
struct FleetPoint<'a, 'o> {
    exchange: &'a mut Exchange,
    /// The server whose machine is metered, and the users that work there, until the first interval has come.
    metered: Option<(&'a mut MeteredServer, usize)>,
    call: u64,
    is_virtual: bool,
    coordinator: Coordinator<'o>,
    merger: Merger,
    /// How it ended on each host.
    ends: Vec<Option<PartEnd>>,
    /// The intervals that count, once the end is decided.
    counted: Option<Range<usize>>,
    /// Why there is nothing measured.
    stop: Option<Stop>,
    /// The point takes no longer than this.
    longest: Nanos,
    give_up: Nanos,
    last_completion: Nanos,
}

impl FleetPoint<'_, '_> {
    /// Whether all hosts have ended, or need not be waited for.
    fn is_over(&self) -> bool {
        self.ends.iter().all(Option::is_some)
            || (self.stop.is_some() && self.exchange.now() > self.give_up)
    }

    /// Hears what one of the hosts says, but does not wait for long.
    fn turn(&mut self) -> Result<(), Stop> {
        let heard = self.exchange.hear()?;
        let now = self.exchange.now();
        if now > self.give_up && self.stop.is_none() {
            return Err(Fault::new("a host does not come to an end")
                .fix("look after its agent; `kneepoint resume` measures the rest")
                .into());
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
            // No more intervals come from there: what all hosts have measured until then counts.
            Word::Ended { call } if call == self.call => self.end()?,
            Word::Answer { call, answer } if call == self.call => {
                match answer {
                    Ok(Answer::Measured(end)) => self.ends[number] = Some(*end),
                    Err(Refusal::Stopped) if self.is_given_up() => {
                        self.ends[number] = Some(PartEnd::default());
                    }
                    Ok(_) => {
                        let fault = out_of_step(&self.exchange.members()[number].name);
                        self.fail(number, fault.into());
                    }
                    Err(refusal) => {
                        let stop = self.exchange.given_up(number, refusal);
                        self.fail(number, stop);
                    }
                }
                // A host that has ended by itself ends the point for all.
                self.end()?;
            }
            _ => {}
        }
        Ok(())
    }

    /// A host could not measure its part.
    fn fail(&mut self, number: usize, stop: Stop) {
        self.ends[number] = Some(PartEnd::default());
        self.stop.get_or_insert(stop);
    }

    /// Whether what is measured does not count.
    const fn is_given_up(&self) -> bool {
        self.coordinator.is_stopped() || self.stop.is_some()
    }

    fn interval(&mut self, record: IntervalRecord, now: Nanos) -> Result<(), Fault> {
        if let Some((metered, users)) = self.metered.take() {
            metered.begin(users);
        }
        if record.total().operations + record.error_count() > 0 {
            self.last_completion = now;
        }
        if self.is_virtual {
            // Virtual time goes on as quickly as it can.
            self.give_up = now + self.longest;
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
        let counted = (!self.is_given_up()).then_some(counted);
        self.exchange.send_all(&Command::End { call: self.call, counted })
    }

    fn finish(mut self) -> Result<Measured, Stop> {
        for record in self.merger.into_partial() {
            self.coordinator.add_straddlers(record.straddlers);
        }
        if let Some(stop) = self.stop {
            return Err(stop);
        }
        let measurement = self.coordinator.finish()?;
        let ends: Vec<PartEnd> = self.ends.into_iter().flatten().collect();
        let foreign = foreign_settings(&ends, self.exchange.members());
        let warnings = ends.iter().map(|end| end.warnings.clone()).collect();
        let warnings = in_common(warnings, &self.exchange.hosts());
        let members = self.exchange.members();
        let starts = match self.is_virtual {
            true => Vec::new(),
            false => starts(&ends, members),
        };
        let outcome = ends_merged(measurement, ends, members);
        Ok((Outcome { warnings, starts, ..outcome }, foreign))
    }
}

/// The settings that someone else changed, each with its host.
fn foreign_settings(ends: &[PartEnd], members: &[Member]) -> Vec<SettingChange> {
    let of_host = |(end, member): (&PartEnd, &Member)| {
        let on_host = |change: &SettingChange| SettingChange {
            setting: format!("{}: {}", member.name, change.setting),
            ..change.clone()
        };
        end.foreign_settings.iter().map(on_host).collect::<Vec<_>>()
    };
    ends.iter().zip(members).flat_map(of_host).collect()
}
