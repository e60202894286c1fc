//! Waits for a region of the screen to change, or to come to rest, whatever it shows then.

use kneepoint_core::spec::profile::{Region, Until};
use kneepoint_core::words::units::Nanos;

use super::picture::Moment;
use super::screen::Screen;

/// How long a region stands still that has come to rest.
pub(super) const REST: Nanos = Nanos::from_millis(500);

/// A wait that has begun.
#[derive(Debug)]
pub(super) struct Wait {
    until: Until,
    region: Region,
    /// The region as it was seen last.
    seen: Moment,
    /// When it changed last; `None` before it has changed.
    changed: Option<Nanos>,
}

impl Wait {
    /// A wait from now on.
    pub(super) fn new(until: Until, (screen, region): (&Screen, Region)) -> Self {
        Self { until, region, seen: Moment::of(screen, region), changed: None }
    }

    /// Takes what is on `screen` since `at`; gives when the wait ended, if it has.
    pub(super) fn look(&mut self, screen: &Screen, at: Nanos) -> Option<Nanos> {
        if let Some(rested) = self.rested(at) {
            return Some(rested);
        }
        if !self.seen.differs_from(screen, self.region) {
            return None;
        }
        self.changed = Some(at);
        if self.until == Until::Changed {
            return self.changed;
        }
        self.seen = Moment::of(screen, self.region);
        None
    }

    /// Whether anything of the region has changed.
    pub(super) const fn has_changed(&self) -> bool {
        self.changed.is_some()
    }

    /// When it comes to rest if nothing else happens.
    pub(super) fn rests(&self) -> Option<Nanos> {
        Some(self.changed? + REST)
    }

    /// Since when the region rests, if it does at `now`.
    pub(super) fn rested(&self, now: Nanos) -> Option<Nanos> {
        self.changed.filter(|changed| *changed + REST <= now)
    }
}
