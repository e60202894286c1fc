//! What may be written: default deny.
//!
//! A target is judged once, by [`judge`], which gathers every finding for and against and, where
//! nothing refuses, makes a [`WriteConsent`]. That value is the only key to opening a target for
//! writing ([`open()`]), and it fits the judged file or device alone: the opened descriptor is
//! checked against it, so that a path that changed hands in between opens nothing.
//!
//! Judging only reads. Whatever cannot be found out refuses.

mod circle;
mod device;
mod file;
mod finding;
mod in_use;
mod inspection;
mod judgement;
mod made;
mod mounts;
mod open;
mod overwrite;
mod permission;
mod probe;
mod signature;
mod swaps;
#[cfg(test)]
mod tests;

pub use circle::Relation;
pub use finding::{Effect, Finding, Reason};
pub use inspection::inspection;
pub use judgement::{Decision, Judgement, Ownership, judge};
pub use open::{Mode, Opened, open};
pub use overwrite::Overwrite;
pub use permission::{Ground, WriteConsent};
pub use signature::{Format, Identity, IdentityKind, Signature};
