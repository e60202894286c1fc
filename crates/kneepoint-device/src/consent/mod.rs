//! Consent to write: default deny.
//!
//! A target is judged once, by [`judge`], which gathers every finding for and against and, where
//! nothing refuses, makes a [`WriteConsent`]. That value is the only key to opening a target for
//! writing ([`open()`]), and it fits the judged file or device alone: identity, mark, signatures
//! and samples of the content are looked at again on the very descriptor that will write, so that a
//! path that changed hands in between, or a target that was put to another use, opens nothing.
//!
//! Judging only reads. Whatever cannot be found out refuses.

mod evidence;
mod finding;
mod in_use;
mod judgement;
mod permission;
mod signature;
#[cfg(test)]
mod tests;

pub use finding::{Effect, Reason, WriteFinding, inspection};
pub use in_use::Relation;
pub use judgement::{Decision, Judgement, Overwrite, judge};
pub use permission::{Basis, Mode, Opened, WriteConsent, open};
pub use signature::{Format, Identity, IdentityKind, Signature};
