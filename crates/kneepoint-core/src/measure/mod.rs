//! Measuring: the seam between a run and the place where it measures, and the only run loop.
//!
//! [`Run`] goes through a plan: what comes next follows from [`search`], a [`Testbed`] makes
//! ready for it and gives the [`Instrument`] that measures it, a [`Keeper`] keeps the result before
//! the next point begins, and an [`Observer`] is told. Whatever ends a run early is a [`Stop`].

mod again;
mod alternation;
pub mod confidence;
mod file_ground;
mod instrument;
pub mod journal;
mod keeper;
pub mod measurement;
pub mod metering;
mod next_copy;
mod observer;
mod overseer;
mod patience;
pub mod point;
mod precondition;
pub mod rounds;
mod run;
pub mod search;
mod stall;
pub mod steady_state;
mod testbed;
mod together;
pub mod trust;

pub use again::disturbed;
pub use alternation::{Alternated, ComparedBy, LoadDifference, Turn, alternate};
pub use file_ground::FileGround;
pub use instrument::{Beside, Coordinator, Instrument, LastVisit, Outcome, Point, Progress};
pub use keeper::{Keeper, KeptPlace, Memory, Start};
pub use next_copy::{Copied, NextCopy, next_copy};
pub use observer::{Beginning, Observer, Purpose, Stop, Task, Unwatched};
pub use overseer::Overseer;
pub use patience::Patience;
pub use precondition::unsteady;
pub use run::{Run, Venue};
pub use testbed::{Ready, Testbed};
pub use together::Measured;
