//! A testbed whose settings are varied.

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use kneepoint_core::measure::journal::Origin;
use kneepoint_core::measure::search::NextPoint;
use kneepoint_core::measure::{Copied, NextCopy, Observer, Ready, Stop, Testbed};
use kneepoint_core::plan::Plan;
use kneepoint_core::plan::resolve::{Site, Wishes};
use kneepoint_core::result::warning::SettingChange;
use kneepoint_core::result::{AGAIN_FROM, Environment, Warning};
use kneepoint_core::spec::factor::{Combination, Factor, combination_text};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use crate::facts::SysRoot;
use crate::settings::{Changes, Renewal, Restoration, VariedSetting};

/// How often a pause asks whether to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Brings the settings of another testbed to the levels of each point.
pub struct Varying<T> {
    inner: T,
    /// How a setting that could not be put back is tried again, for people.
    again: &'static str,
    /// Settings that are varied; `None` if none are.
    changes: Option<Changes>,
    /// The combination and the repetition that the settings are those of.
    block: Option<(Combination, u32)>,
}

/// Where settings are noted before they are changed.
#[derive(Clone, Copy)]
pub struct NotedIn<'a> {
    /// The journal.
    pub journal: &'a Path,
    /// Which run changes them.
    pub origin: &'a dyn Fn() -> Result<Origin, Fault>,
    /// How a setting that could not be put back is tried again, for people.
    pub again: &'static str,
}

impl<T: Testbed> Varying<T> {
    /// Notes what the settings `varied` are before any is changed.
    ///
    /// # Errors
    /// When they cannot be noted, or another run varies them.
    pub fn begin(
        inner: T,
        varied: Vec<VariedSetting>,
        NotedIn { journal, origin, again }: NotedIn<'_>,
    ) -> Result<Self, Fault> {
        let changes = match varied.is_empty() {
            true => None,
            false => Some(Changes::begin(&SysRoot::default(), journal, origin()?, varied)?),
        };
        Ok(Self { inner, again, changes, block: None })
    }

    fn set(
        &mut self,
        plan: &Plan,
        (combination, repetition): &(Combination, u32),
        observer: &mut dyn Observer,
    ) -> Result<(), Stop> {
        if combination.is_empty() {
            return Ok(());
        }
        observer.go_on()?;
        observer.note(&format!("at {}", combination_text(combination)));
        let Some(changes) = &mut self.changes else { return Ok(()) };
        let is_next_repetition = self.block.as_ref().is_some_and(|(_, last)| last != repetition);
        let renewal = if is_next_repetition { Renewal::All } else { Renewal::Changed };
        let done = changes.set(combination, renewal)?;
        let factors = plan.factors.iter().flat_map(|factors| &factors.factors);
        let settle = |factor: &Factor| done.contains(&factor.name).then_some(factor.settle);
        let pause = factors.filter_map(settle).max().unwrap_or(Nanos::ZERO);
        wait(pause, observer)
    }
}

impl<T: Testbed> Testbed for Varying<T> {
    fn site<'a>(&'a self, wishes: &'a Wishes) -> Site<'a> {
        self.inner.site(wishes)
    }

    fn check(&self, plan: &Plan) -> Result<(), Fault> {
        self.inner.check(plan)
    }

    fn prepare<'a>(
        &'a mut self,
        plan: &'a Plan,
        next: &NextPoint<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Ready<'a>, Stop> {
        // What is measured again belongs to its repetition. Rounds go on with what those before left: a command
        // that purges a drive runs once.
        let repetition = if plan.rounds.is_some() { 0 } else { next.repetition % AGAIN_FROM };
        let block = (next.series.factors.clone(), repetition);
        if plan.factors.is_some() && self.block.as_ref() != Some(&block) {
            match plan.has_commands() {
                true => self.inner.release(observer),
                false => self.inner.rest(observer),
            }
            self.set(plan, &block, observer)?;
            self.block = Some(block);
        }
        self.inner.prepare(plan, next, observer)
    }

    fn environment(&self, plan: &Plan) -> Environment {
        self.inner.environment(plan)
    }

    fn limits(&self) -> Vec<Warning> {
        self.inner.limits()
    }

    fn take_warnings(&mut self) -> Vec<Warning> {
        self.inner.take_warnings()
    }

    fn foreign_settings(&self) -> Vec<SettingChange> {
        self.changes.as_ref().map_or_else(Vec::new, Changes::foreign)
    }

    fn wait_for_quiet(&mut self, longest: Option<Nanos>) {
        self.inner.wait_for_quiet(longest);
    }

    fn rest(&mut self, observer: &mut dyn Observer) {
        self.inner.rest(observer);
    }

    fn release(&mut self, observer: &mut dyn Observer) {
        self.inner.release(observer);
    }

    fn copy_files(
        &mut self,
        plan: &Plan,
        next: &NextCopy<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Copied, Stop> {
        self.inner.copy_files(plan, next, observer)
    }

    fn finish(&mut self, observer: &mut dyn Observer) -> Result<Vec<String>, Fault> {
        let left = self.inner.finish(observer)?;
        let Some(changes) = self.changes.take() else { return Ok(left) };
        tell_restoration(changes.restore(), observer).map_err(|fault| fault.fix(self.again))
    }
}

/// Says what was put back; gives what was left alone.
///
/// # Errors
/// When a setting could not be put back.
pub fn tell_restoration(
    restoration: Restoration,
    observer: &mut dyn Observer,
) -> Result<Vec<String>, Fault> {
    for text in &restoration.restored {
        observer.note(&format!("restored: {text}"));
    }
    for text in &restoration.left {
        observer.note(&format!("not restored: {text}"));
    }
    let Some(first) = restoration.failed.first() else { return Ok(restoration.left) };
    for fault in &restoration.failed {
        observer.note(&format!("not restored: {fault}"));
    }
    Err(Fault::new("not every setting is what it was before the run").because(first))
}

/// Waits until a change has settled.
fn wait(pause: Nanos, observer: &dyn Observer) -> Result<(), Stop> {
    let end = Instant::now() + Duration::from_nanos(pause.0);
    loop {
        observer.go_on()?;
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        sleep(left.min(LOOK));
    }
}
