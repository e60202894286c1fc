//! How far what was found can have changed a point.

use crate::result::{Severity, Warning};

/// How much a finding takes from a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Weight {
    /// The reader should know.
    Notice,
    /// The numbers can be off by up to this share, in percent (above 0, at most 100).
    Disturbs(f64),
    /// The numbers may not be the target's at all: nothing bounds how far they are off.
    Spoils,
}

/// Something that limits the trust in a point.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Name, colon, what was seen, and what to do about it.
    pub text: String,
    /// What it means for the point.
    pub weight: Weight,
}

impl Finding {
    pub(super) fn notice(text: String) -> Self {
        Self { text, weight: Weight::Notice }
    }

    /// A disturbance that can have changed the numbers by `share` (above 0, at most 1).
    pub(super) fn disturbs(share: f64, text: String) -> Self {
        debug_assert!(share > 0.0 && share <= 1.0, "{share}: {text}");
        Self { text, weight: Weight::Disturbs(100.0 * share) }
    }

    pub(super) fn spoils(text: String) -> Self {
        Self { text, weight: Weight::Spoils }
    }

    /// The finding as it stands in a result.
    pub(crate) fn into_warning(self) -> Warning {
        match self.weight {
            Weight::Notice => Warning::note(self.text),
            Weight::Disturbs(percent) => {
                Warning::new(Severity::Disturbs, self.text).with("disturbed_percent", percent)
            }
            Weight::Spoils => Warning::new(Severity::Disturbs, self.text),
        }
    }

    pub(crate) fn is_disturbance(&self) -> bool {
        self.weight != Weight::Notice
    }
}

/// What remains of a whole when causes that do not depend on each other take these shares of it.
pub(super) fn together(shares: impl IntoIterator<Item = f64>) -> f64 {
    1.0 - shares.into_iter().map(|share| 1.0 - share.clamp(0.0, 1.0)).product::<f64>()
}

/// The largest share by which a point can be off, in percent; `None` if nothing disturbed it, or
/// nothing bounds the share.
pub(crate) fn disturbed_percent(findings: &[Finding]) -> Option<f64> {
    let mut shares = Vec::new();
    for finding in findings {
        match finding.weight {
            Weight::Notice => {}
            Weight::Disturbs(percent) => shares.push(percent / 100.0),
            Weight::Spoils => return None,
        }
    }
    (!shares.is_empty()).then(|| (1000.0 * together(shares)).round() / 10.0)
}
