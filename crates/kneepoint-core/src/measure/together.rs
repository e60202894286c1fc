//! Series that are measured at the same moment: what is recorded of all of them becomes that of each.
//!
//! They have one ramp and one end: all of them leave out as many intervals as the one that needs most, and
//! the point goes on until each is as accurate as asked for.

use super::confidence::DriftBefore;
use super::instrument::{Beside, Outcome, Point, io_profile};
use super::measurement::{Collector, Measurement};
use super::point::point_result;
use super::trust::{Issued, judge};
use crate::load::drive::{Driven, Flow, IoFault};
use crate::load::record::interval::{IntervalRecord, Part};
use crate::load::record::recorder::Straddler;
use crate::plan::Member;
use crate::result::{BesideResult, PointResult, Verdict, Warning};
use crate::spec::profile::ResolvedProfile;
use crate::words::class::ClassName;
use crate::words::fault::Fault;

/// The series of a point that are measured at the same moment, and how far each is.
#[derive(Debug)]
pub(super) struct Group {
    /// The leading series of the point.
    lead: Part,
    /// The others.
    beside: Vec<(Part, Collector)>,
}

impl Group {
    /// Those of `point`, with the collectors of all but the first; `None` for a series by itself.
    pub(super) fn of(
        point: &Point<'_>,
        collector: impl Fn(&Point<'_>) -> Collector,
    ) -> Option<Self> {
        let members = point.members();
        let beside = members.get(1..).filter(|beside| !beside.is_empty())?;
        let mut parts = parts(&members).into_iter();
        let lead = parts.next()?;
        let beside = beside.iter().zip(parts).map(|(member, part)| {
            let plan = point.plan.of_targets(&member.targets);
            (part, collector(&point.of_member(member).on(&plan)))
        });
        Some(Self { lead, beside: beside.collect() })
    }

    /// Adds the next interval of all workers; `lead` is the collector of the leading series.
    pub(super) fn push(&mut self, lead: &mut Collector, record: &IntervalRecord) -> Flow {
        let mut flow = lead.push(record.part(&self.lead));
        for (part, collector) in &mut self.beside {
            if collector.push(record.part(part)) == Flow::Continue {
                flow = Flow::Continue;
            }
        }
        match flow {
            Flow::Stop if lead.is_over() || self.is_settled(lead) => Flow::Stop,
            _ => Flow::Continue,
        }
    }

    /// Whether all are as accurate as asked for after the ramp that they share.
    fn is_settled(&mut self, lead: &mut Collector) -> bool {
        let least: Vec<Option<usize>> =
            self.collectors(lead).map(|collector| collector.ramp_least()).collect();
        self.share_ramp(lead);
        let mut is_settled = true;
        for (collector, least) in self.collectors(lead).zip(least) {
            is_settled &= collector.is_settled();
            if let Some(least) = least {
                collector.leave_out(least);
            }
        }
        is_settled
    }

    /// Lets all leave out as many intervals as the one that needs most.
    fn share_ramp(&mut self, lead: &mut Collector) {
        loop {
            let ramps: Vec<usize> =
                self.collectors(lead).map(|collector| collector.ramp_count()).collect();
            let most = ramps.iter().copied().max().unwrap_or(0);
            if ramps.iter().all(|ramp| *ramp == most) {
                return;
            }
            self.collectors(lead).for_each(|collector| collector.leave_out(most));
        }
    }

    fn collectors<'a>(
        &'a mut self,
        lead: &'a mut Collector,
    ) -> impl Iterator<Item = &'a mut Collector> {
        std::iter::once(lead).chain(self.beside.iter_mut().map(|(_, collector)| collector))
    }

    /// What was measured of each, that of `lead` first.
    pub(super) fn finish(
        mut self,
        mut lead: Collector,
        straddlers: &[Straddler],
    ) -> (Measurement, Vec<Measurement>) {
        self.share_ramp(&mut lead);
        let finished = |collector: Collector, part: &Part| {
            collector.finish().with_unfinished(&part.straddlers(straddlers))
        };
        let beside = self.beside.into_iter().map(|(part, collector)| finished(collector, &part));
        let beside = beside.collect();
        (finished(lead, &self.lead), beside)
    }
}

/// Where each of `members` is in records of all.
fn parts(members: &[Member<'_>]) -> Vec<Part> {
    let (mut target, mut class) = (0, 0);
    let part = |member: &Member<'_>| {
        let classes = member.series.profile.classes();
        let part = Part {
            targets: target..target + member.targets.len(),
            classes: class..class + classes.len(),
            uncounted: classes.iter().filter(|class| !ClassName::is_counted(class)).count(),
        };
        (target, class) = (part.targets.end, part.classes.end);
        part
    };
    members.iter().map(part).collect()
}

/// What was measured of all series of a point.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// Of the series of the point.
    pub measurement: Measurement,
    /// Of those beside it, in their order.
    pub beside: Vec<Measurement>,
}

impl Measured {
    /// The outcome without warnings, from how the workers ended.
    pub fn outcome(self, driven: &[Driven]) -> Outcome {
        let mut first = self.measurement.targets.len();
        let beside = self.beside.into_iter().map(|measurement| {
            let count = measurement.targets.len();
            let (errors, error_samples) = errors(driven, (first, count));
            first += count;
            Beside { measurement, errors, error_samples }
        });
        let beside = beside.collect();
        Outcome { beside, ..Outcome::new(self.measurement, driven) }
    }
}

/// Failed I/Os of each of `count` targets from number `first` of the records on, and the first of them.
pub(super) fn errors(
    driven: &[Driven],
    (first, count): (usize, usize),
) -> (Vec<u64>, Vec<IoFault>) {
    let mut errors = vec![0; count];
    let place = |target: u32| (target as usize).checked_sub(first).filter(|place| *place < count);
    for (target, failed) in driven.iter().flat_map(|end| end.errors.counts()) {
        if let Some(place) = place(target) {
            errors[place] += failed;
        }
    }
    let samples = driven.iter().flat_map(|end| end.errors.samples());
    let own = |fault: &IoFault| Some(IoFault { target: place(fault.target)? as u32, ..*fault });
    (errors, samples.filter_map(own).collect())
}

/// The results of all series of `point`, its own first, each with the outcome that it is of.
pub(super) fn point_results(
    point: &Point<'_>,
    mut outcome: Outcome,
) -> Vec<(PointResult, Outcome)> {
    let beside = std::mem::take(&mut outcome.beside);
    if beside.is_empty() {
        return vec![(point_result(point, &outcome), outcome)];
    }
    let members = point.members();
    let parts: Vec<Beside> = std::iter::once(Beside {
        measurement: outcome.measurement.clone(),
        errors: std::mem::take(&mut outcome.errors),
        error_samples: std::mem::take(&mut outcome.error_samples),
    })
    .chain(beside)
    .collect();
    outcome.judged = Some(judged(point, (&members, &parts), &outcome));
    // Where a system spent the time is known of all I/Os together.
    outcome.simulated = None;
    let mut results = Vec::with_capacity(members.len());
    for (member, part) in members.iter().zip(parts) {
        let Beside { measurement, errors, error_samples } = part;
        let own = Outcome { measurement, errors, error_samples, ..outcome.clone() };
        let plan = point.plan.of_targets(&member.targets);
        let mut result = point_result(&point.of_member(member).on(&plan), &own);
        let others = members.iter().filter(|other| other.series.name != member.series.name);
        result.beside = others.map(BesideResult::of).collect();
        results.push((result, own));
    }
    spread_failure(&mut results);
    results
}

/// What the machine says of the point, from what all of its series did together.
fn judged(
    point: &Point<'_>,
    (members, parts): (&[Member<'_>], &[Beside]),
    outcome: &Outcome,
) -> Vec<Warning> {
    let mut found = Vec::new();
    for observation in &outcome.observations {
        let issued = members.iter().zip(parts).map(|(member, part)| {
            let window = observation.window.clone();
            let plan = point.plan.of_targets(&member.targets);
            let own = Issued::of(&point.of_member(member).on(&plan), &part.measurement, window);
            (own, member.targets.as_slice())
        });
        let Some(issued) = Issued::together(issued, point.plan.targets.len()) else { continue };
        let warnings = judge(&issued, observation).into_iter();
        found.extend(warnings.map(|warning| warning.on_host(&observation.host)));
    }
    found
}

/// Marks the results of a moment in which one of the series failed: the point may have ended for that.
fn spread_failure(results: &mut [(PointResult, Outcome)]) {
    let is_failed = |result: &PointResult| result.verdict == Verdict::Failed;
    let failed: Vec<String> = results
        .iter()
        .filter(|(result, _)| is_failed(result))
        .map(|(result, _)| result.series.clone())
        .collect();
    for (result, _) in results.iter_mut().filter(|(result, _)| !is_failed(result)) {
        for series in &failed {
            result.disturb(Warning::BesideFailed { series: series.clone() });
        }
    }
}

impl<'a> Point<'a> {
    /// What is measured at the same moment: its series, and those beside it.
    pub fn members(&self) -> Vec<Member<'a>> {
        self.plan.members(self.series, self.load)
    }

    /// What each I/O of these looks like, by their numbers.
    ///
    /// # Errors
    /// When the work of one is no I/O.
    pub fn io_profiles(&self) -> Result<Vec<&'a ResolvedProfile>, Fault> {
        self.members().iter().map(|member| io_profile(member.series)).collect()
    }

    /// The same moment for one of the members: a point by itself, of which no point before is known.
    fn of_member(&self, member: &Member<'a>) -> Self {
        let (series, load) = (member.series, member.load);
        Self { series, load, before: DriftBefore::default(), ..*self }
    }

    /// The same point of `plan`.
    fn on<'b>(self, plan: &'b crate::plan::Plan) -> Point<'b>
    where
        'a: 'b,
    {
        Point { plan, ..self }
    }

    /// The seed of a member's point.
    pub(super) fn seed_of(&self, member: &Member<'a>) -> u64 {
        self.of_member(member).seed()
    }
}
