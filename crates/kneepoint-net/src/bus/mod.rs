//! The bus: messages between the controller of a fleet and its agents.

mod door;
mod local;
mod nats;
mod pin;

pub use door::{Credentials, Door, Knock, Lock, OwnServer, ServerUrl};
pub use local::LocalBus;
pub use nats::NatsBus;
pub use pin::Fingerprint;

use std::sync::mpsc::Receiver;

use kneepoint_core::words::fault::Fault;

/// A message as it came in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its subject: words with points between them.
    pub subject: String,
    /// What it says.
    pub payload: Vec<u8>,
}

/// Carries messages from those who publish on a subject to those who have subscribed to it. What one
/// publishes arrives in order, or not at all.
pub trait Bus: Send + Sync {
    /// Sends `payload` to whoever has subscribed to `subject`; it is no fault if no one has.
    ///
    /// # Errors
    /// When the bus is closed or out of reach.
    fn publish(&self, subject: &str, payload: Vec<u8>) -> Result<(), Fault>;

    /// What comes in on `subject` from now on; its last words may be `*`, which stands for any word.
    ///
    /// # Errors
    /// When the bus is closed or out of reach.
    fn subscribe(&self, subject: &str) -> Result<Receiver<Message>, Fault>;

    /// Lets all subscriptions end.
    fn close(&self);
}
