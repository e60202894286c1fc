//! Streams: the endless sequence of I/Os that a load profile describes.
//!
//! A stream is one target's load as one worker issues it: mix x offsets x data. It is drawn in
//! the order of submission from its own generator, so the first N I/Os of a stream depend on
//! the plan alone, never on the engine or on the order of completions.

mod offset;
mod replay;
mod sequence;
mod together;
pub use replay::Replay;
pub use sequence::{
    ArrivalPlan, DUPLICATE_POOL, Drawn, Mix, Seat, Source, Stream, StreamHabits, StreamPlan,
    WorkerPlan, assign, slots_per_target,
};
pub use together::assign_members;
