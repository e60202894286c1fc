//! How far what was found can have changed a point.

use crate::result::{Severity, Warning};

/// A share of the numbers (above 0, at most 1) in percent.
pub(super) fn disturbed_by(share: f64) -> f64 {
    debug_assert!(share > 0.0 && share <= 1.0, "{share}");
    100.0 * share
}

/// What remains of a whole when causes that do not depend on each other take these shares of it.
pub(super) fn together(shares: impl IntoIterator<Item = f64>) -> f64 {
    1.0 - shares.into_iter().map(|share| 1.0 - share.clamp(0.0, 1.0)).product::<f64>()
}

/// The largest share by which a point can be off, in percent; `None` if nothing disturbed it, or
/// nothing bounds the share.
pub(crate) fn disturbed_percent(findings: &[Warning]) -> Option<f64> {
    let disturbing = || findings.iter().filter(|finding| finding.severity() == Severity::Disturbs);
    let percents: Option<Vec<f64>> = disturbing().map(Warning::disturbed_percent).collect();
    let shares = percents?.into_iter().map(|percent| percent / 100.0);
    disturbing().next().map(|_| (1000.0 * together(shares)).round() / 10.0)
}
