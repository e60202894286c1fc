//! The only run loop: the points of a plan, one after the other, each kept as soon as it is
//! measured.

use super::again::{disturbed, failed_again, instead_of, once_each, place_of, planned};
use super::instrument::{Outcome, Point};
use super::keeper::{Keeper, KeptPlace, Start};
use super::observer::{Beginning, Observer, Purpose, Stop};
use super::precondition::precondition;
use super::testbed::{Ready, Testbed};
use super::together::point_results;
use crate::measure::confidence::DriftBefore;
use crate::measure::search::{NextPoint, answers_so_far, next_point};
use crate::measure::trust::environment_warnings;
use crate::plan::Plan;
use crate::result::warning::SettingChange;
use crate::result::{PointResult, Verdict, Warning};
use crate::words::fault::Fault;

/// A run of a plan, from whatever is measured of it to its end.
#[derive(Debug, Clone)]
pub struct Run<'a> {
    plan: &'a Plan,
    purpose: Purpose,
    /// Places of the points that are measured again, the next one last.
    again: Vec<usize>,
}

impl<'a> Run<'a> {
    /// Every point of `plan` that is missing.
    pub const fn new(plan: &'a Plan) -> Self {
        Self { plan, purpose: Purpose::Result, again: Vec::new() }
    }

    /// A phase of preconditioning.
    pub(super) const fn of_phase(plan: &'a Plan) -> Self {
        Self { plan, purpose: Purpose::Precondition, again: Vec::new() }
    }

    /// The same, and before it the disturbed points of `measured` again.
    #[must_use]
    pub fn with_disturbed_again(mut self, measured: &[PointResult]) -> Self {
        self.again = once_each(self.plan, measured, disturbed(measured));
        self.again.reverse();
        self
    }

    /// Makes the testbed ready, preconditions the targets if the plan says so and nothing was
    /// measured yet, and measures.
    ///
    /// # Errors
    /// When the observer asks to stop, a point fails, or the run cannot go on. What was measured
    /// until then is kept.
    pub fn measure(
        mut self,
        testbed: &mut dyn Testbed,
        keeper: &mut dyn Keeper,
        observer: &mut dyn Observer,
    ) -> Result<(), Stop> {
        let first = next_point(self.plan, keeper.points());
        Venue { plan: self.plan, testbed, keeper }.begin(first.as_ref(), observer)?;
        self.measure_points(testbed, keeper, observer)
    }

    /// Measures the points alone.
    pub(super) fn measure_points(
        &mut self,
        testbed: &mut dyn Testbed,
        keeper: &mut dyn Keeper,
        observer: &mut dyn Observer,
    ) -> Result<(), Stop> {
        let missing = self.plan.point_count().saturating_sub(keeper.points().len());
        let points = self.again.len() + missing;
        observer.begin(&Beginning { plan: self.plan, points, purpose: self.purpose });
        let measured = self.measure_each(testbed, keeper, observer);
        observer.end();
        measured
    }

    fn measure_each(
        &mut self,
        testbed: &mut dyn Testbed,
        keeper: &mut dyn Keeper,
        observer: &mut dyn Observer,
    ) -> Result<(), Stop> {
        let mut venue = Venue { plan: self.plan, testbed, keeper };
        while let Some((next, place)) = self.upcoming(venue.keeper.points())? {
            venue.measure(&next, place, observer)?;
        }
        Ok(())
    }

    /// What is measured next, and where it belongs; nothing at the end of the run.
    fn upcoming(
        &mut self,
        measured: &[PointResult],
    ) -> Result<Option<(NextPoint<'a>, KeptPlace)>, Fault> {
        Ok(match self.again.pop() {
            Some(index) => {
                let before = &measured[index];
                Some((planned(self.plan, before)?, instead_of(before, index)))
            }
            None => next_point(self.plan, measured).map(|next| (next, KeptPlace::After)),
        })
    }
}

/// A plan, where it is measured, and who keeps it.
pub struct Venue<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Where.
    pub testbed: &'a mut dyn Testbed,
    /// Who keeps it.
    pub keeper: &'a mut dyn Keeper,
}

impl Venue<'_> {
    /// Makes the testbed ready for the `first` point, if there is one, and preconditions the targets
    /// if the plan says so and nothing was measured yet.
    ///
    /// # Errors
    /// When the observer asks to stop, the testbed cannot be made ready, or the keeper cannot begin.
    pub fn begin(
        &mut self,
        first: Option<&NextPoint<'_>>,
        observer: &mut dyn Observer,
    ) -> Result<(), Stop> {
        let (mut warnings, mut preconditioned) = (Vec::new(), Vec::new());
        if let Some(first) = first {
            self.make_ready(first, observer)?;
            warnings = self.testbed.take_warnings();
            if self.keeper.points().is_empty() {
                let (done, noticed) = precondition(self.plan, self.testbed, observer)?;
                preconditioned = done;
                warnings.extend(noticed);
            }
        }
        let environment = self.testbed.environment(self.plan);
        let limits =
            [environment_warnings(self.plan, &environment), self.testbed.limits()].concat();
        Ok(self.keeper.begin(Start { environment, limits, warnings, preconditioned })?)
    }

    /// Makes ready for the first point; once more if a host of a fleet is lost meanwhile.
    fn make_ready(
        &mut self,
        first: &NextPoint<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), Stop> {
        match self.testbed.prepare(self.plan, first, observer) {
            Err(Stop::Lost { fault, .. }) => {
                observer.note(&fault.to_string());
                self.testbed.prepare(self.plan, first, observer).map(|_| ())
            }
            prepared => prepared.map(|_| ()),
        }
    }

    /// Measures the next point and keeps it. If a host of a fleet is lost, the point is measured once more
    /// as soon as that is back.
    ///
    /// # Errors
    /// When the observer asks to stop, the point fails, a host stays lost, or the point cannot be kept. A
    /// point that failed is kept where it takes the place of no other.
    pub fn measure(
        &mut self,
        next: &NextPoint<'_>,
        place: KeptPlace,
        observer: &mut dyn Observer,
    ) -> Result<PointResult, Stop> {
        let mut measured = match self.attempt(next, observer) {
            Err(Stop::Lost { host, fault }) => {
                observer.note(&format!(
                    "{fault}; {}, {} does not count",
                    next.series.key(),
                    next.load
                ));
                let measured = self.attempt(next, observer)?;
                let (series, load) = (next.series.key().to_string(), next.load);
                self.keeper.warn(&[Warning::HostLost { host, series, load }])?;
                measured
            }
            measured => measured?,
        };
        let foreign = self.testbed.foreign_settings();
        for (result, _) in &mut measured {
            for change in &foreign {
                result.disturb(Warning::SettingChanged(change.clone()));
            }
        }
        self.keeper.warn(&self.testbed.take_warnings())?;
        let is_alone = measured.len() == 1;
        let mut failure = None;
        for (result, outcome) in &measured {
            let place = match is_alone {
                true => place.clone(),
                false => place_of(result, self.keeper.points()),
            };
            let failed = keep(self.keeper, (result.clone(), outcome), place)?;
            failure = failure.or(failed);
        }
        if next.visit.is_some() {
            observer.answers(&answers_so_far(self.plan, next.series, self.keeper.points()));
        }
        measured.iter().for_each(|(result, _)| observer.result(result));
        let (result, _) = measured.swap_remove(0);
        if let Some(fault) = failure {
            return Err(Stop::Failed(fault));
        }
        match foreign.first() {
            Some(change) => Err(changed(change).into()),
            None => Ok(result),
        }
    }

    /// Makes ready for a point and measures it; what was measured at the same moment follows it.
    fn attempt(
        &mut self,
        next: &NextPoint<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<(PointResult, Outcome)>, Stop> {
        let alike = (next.series.profile.name(), &next.series.factors);
        let before = DriftBefore::of(self.keeper.points().iter(), alike);
        let ready = self.testbed.prepare(self.plan, next, observer)?;
        measure_point(ready, (next, before), self.keeper.now(), observer)
    }
}

/// Measures one point, and what is measured at the same moment.
fn measure_point(
    ready: Ready<'_>,
    (next, before): (&NextPoint<'_>, DriftBefore),
    started_at: String,
    observer: &mut dyn Observer,
) -> Result<Vec<(PointResult, Outcome)>, Stop> {
    let NextPoint { series, load, repetition, visit } = *next;
    let visiting = visit.map(|visit| visit.planned(ready.plan));
    let plan = visiting.as_ref().unwrap_or(ready.plan);
    let point = Point { plan, series, load, repetition, visit, before };
    observer.go_on()?;
    observer.point(&point);
    let outcome = Outcome { started_at, ..ready.instrument.run_point(&point, observer)? };
    Ok(point_results(&point, outcome))
}

/// Keeps a point; a failed one does not take the place of another. Gives why the run ends with it.
fn keep(
    keeper: &mut dyn Keeper,
    (result, outcome): (PointResult, &Outcome),
    place: KeptPlace,
) -> Result<Option<Fault>, Fault> {
    let is_failed = result.verdict == Verdict::Failed;
    match place {
        KeptPlace::InsteadOf { .. } if is_failed => {
            let warning = failed_again(&result);
            let fault = Fault::new(warning.text());
            keeper.warn(&[warning])?;
            Ok(Some(fault))
        }
        place => {
            let failure = is_failed.then(|| failure(&result));
            keeper.keep(result, outcome, place)?;
            Ok(failure)
        }
    }
}

/// Why the run cannot go on: its next points would be measured at another setting than they say,
/// and what someone else set is not written over.
fn changed(change: &SettingChange) -> Fault {
    Fault::new("the run ends: a setting is no longer its own").because(change).fix(
        "the value was left as it is, and the point before is marked as disturbed; let no one \
         else change it, and measure the rest with `kneepoint resume`",
    )
}

/// That a point failed.
fn failure(result: &PointResult) -> Fault {
    let what = format!("{}, {} failed", result.key(), result.load);
    Fault::new(what).because(Warning::joined(&result.warnings))
}
