//! Waiting for a quiet machine.

use std::time::Duration;

use super::observer::Observer;
use crate::words::number::Span;
use crate::words::units::Nanos;

/// The look before each point.
const GLANCE: Duration = Duration::from_millis(200);

/// Where a glance saw others, the machine must be quiet for so long.
const CALM: Duration = Duration::from_secs(1);

/// How much longer a run waits for a quiet machine.
#[derive(Debug)]
pub struct Patience {
    left: Duration,
}

impl Patience {
    /// Patience for `wait_quiet` in the whole run.
    pub fn new(wait_quiet: Nanos) -> Self {
        Self { left: Duration::from_nanos(wait_quiet.0) }
    }

    /// Whether it would wait at all.
    pub const fn is_left(&self) -> bool {
        !self.left.is_zero()
    }

    /// Waits until the machine is quiet, patience ends, or the user stops the run; `look` takes the
    /// time that it is given, and says what others do.
    pub fn wait_by(
        &mut self,
        observer: &mut dyn Observer,
        mut look: impl FnMut(Duration) -> Option<String>,
    ) {
        if self.left.is_zero() {
            return;
        }
        let Some(mut seen) = look(GLANCE) else { return };
        if observer.is_stop_asked() {
            return;
        }
        let longest = span(self.left);
        observer.note(&format!("waiting for a quiet machine, at most {longest}: {seen}"));
        let before = self.left;
        while !self.left.is_zero() {
            self.left = self.left.saturating_sub(CALM);
            match look(CALM).filter(|_| !observer.is_stop_asked()) {
                Some(now) => seen = now,
                None => return,
            }
        }
        observer.note(&format!(
            "not quiet after {}: {seen}; measuring all the same, without further waiting",
            span(before)
        ));
    }
}

fn span(time: Duration) -> Span {
    Span(Nanos::from_secs_f64(time.as_secs_f64()))
}

#[cfg(test)]
mod tests {
    use crate::measure::Unwatched;

    use super::*;

    /// How long each look took, where the first `restless` of them see others.
    fn looks(patience: &mut Patience, restless: usize) -> Vec<Duration> {
        let mut taken = Vec::new();
        patience.wait_by(&mut Unwatched, |time| {
            taken.push(time);
            (taken.len() <= restless).then(|| "others".to_owned())
        });
        taken
    }

    #[test]
    fn a_quiet_machine_costs_a_glance() {
        let mut patience = Patience::new(Nanos::from_secs(60));
        assert_eq!(looks(&mut patience, 0), [GLANCE]);
        assert_eq!(patience.left, Duration::from_secs(60));
    }

    #[test]
    fn patience_is_that_of_the_whole_run() {
        let mut patience = Patience::new(Nanos::from_secs(5));
        assert_eq!(looks(&mut patience, 2), [GLANCE, CALM, CALM]);
        assert_eq!(patience.left, Duration::from_secs(3));
        assert_eq!(looks(&mut patience, 100), [GLANCE, CALM, CALM, CALM]);
        assert_eq!(looks(&mut patience, 100), [Duration::ZERO; 0]);
    }
}
