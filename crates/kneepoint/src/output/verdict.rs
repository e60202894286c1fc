//! Verdicts as the terminal shows them.

use kneepoint_core::result::{PointResult, Verdict};

use super::text::Tone;

/// How the verdict is to be taken.
pub(crate) const fn verdict_tone(point: &PointResult) -> Tone {
    match point.verdict {
        Verdict::Steady => Tone::Good,
        Verdict::Fixed | Verdict::TimeLimit => Tone::Plain,
        Verdict::Drifting | Verdict::Disturbed => Tone::Caution,
        Verdict::Failed => Tone::Bad,
    }
}
