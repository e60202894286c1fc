//! Who oversees a point from elsewhere: the controller of a fleet, of which this host measures a part.

use super::observer::Stop;
use crate::load::drive::Flow;
use crate::load::record::interval::IntervalRecord;
use crate::load::record::recorder::Straddler;
use crate::plan::Plan;
use crate::words::units::Nanos;

/// Oversees a point from elsewhere: hears everything that completes, and alone decides when the point
/// ends.
pub trait Overseer {
    /// Everything is ready to begin with the point as `plan` has it; gives when, by this machine's
    /// monotonic clock, or nothing for at once.
    ///
    /// # Errors
    /// When the point is not to begin.
    fn ready(&mut self, plan: &Plan) -> Result<Option<Nanos>, Stop>;

    /// An interval of all workers has ended; whether the point goes on.
    fn record(&mut self, record: &IntervalRecord) -> Flow;

    /// I/Os that were in flight at the end of an interval and ended after the last one that counts.
    fn straddlers(&mut self, straddlers: &[Straddler]);

    /// The intervals that count, from the start of the point; `None` if it has none.
    fn counted(&self) -> Option<std::ops::Range<usize>>;
}
