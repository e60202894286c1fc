//! What may be written: default deny.
//!
//! A target is judged once, by [`judge`], which gathers every finding for and against and, where
//! nothing refuses, makes a [`WriteConsent`]. That value is the only key to opening a target for
//! writing ([`open()`]), and it fits the judged file or device alone: identity, mark, signatures and
//! samples of the content are looked at again on the very descriptor that will write, so that a path
//! that changed hands in between, or a target that was put to another use, opens nothing.
//!
//! Judging only reads. Whatever cannot be found out refuses.

mod content;
mod device;
mod evidence;
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
mod related;
mod signature;
mod swaps;
#[cfg(test)]
mod tests;

pub use finding::{Effect, Finding, Reason};
pub use inspection::inspection;
pub use judgement::{Decision, Judgement, judge};
pub use open::{Mode, Opened, open};
pub use overwrite::Overwrite;
pub use permission::{Basis, WriteConsent};
pub use related::Relation;
pub use signature::{Format, Identity, IdentityKind, Signature};
