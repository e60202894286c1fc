//! Whose turn it is: calls of the controller, one after the other.

use kneepoint_core::words::fault::Fault;

/// A call in its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Turn {
    /// The session.
    pub(super) session: u64,
    /// The call.
    pub(super) call: u64,
}

/// That a request came at the wrong time.
pub(super) fn out_of_turn(what: &str) -> Fault {
    Fault::new(format!("the agent was asked to {what} before it was told of what"))
        .because("its controller and it do not speak the same protocol")
        .fix("use the same version of Kneepoint on all hosts")
}
