//! Users at the screens of a desktop server: they type by a script, and time what appears.
//!
//! - [`client`]: a connection as its client sees it, whatever protocol it speaks, and the [`screen`] that it shows.
//! - [`rfb`]: the protocol of VNC, as bytes.
//! - `playbook`, `picture`: a script as its player needs it, and what responses look like.
//! - `rehearsal`: how that is found out, on the target itself.
//! - `user`, `wait`, `floor`: users who play it, all on one thread; `net` has their connections and their
//!   clock.
//! - `sessions`, `session_files`, `application`, `cgroup`: sessions that are started for the run; `memory` and `meter` tell
//!   what they take, `lent` has those that others use, `accounts` makes accounts for those over RDP.
//! - `reading`: what the machine of a server does, for whoever is on it.
//! - [`record`]: scripts from what people do with a viewer.
//! - `address`, `testbed`: what the command line names.

mod accounts;
mod address;
mod application;
mod caretaker;
mod cgroup;
pub mod client;
mod floor;
mod instrument;
mod lent;
mod memory;
mod meter;
mod net;
mod picture;
mod playbook;
mod reading;
pub mod record;
mod rehearsal;
pub mod rfb;
pub mod screen;
mod session_files;
mod sessions;
mod testbed;
mod user;
mod wait;

#[cfg(test)]
mod fake;
#[cfg(test)]
mod farewell_tests;
#[cfg(test)]
mod real;
#[cfg(test)]
mod tests;

pub use accounts::{ACCOUNTS_GUARD, AccountPlan, LentAccounts, guard_accounts};
pub use address::{Metering, RdpServer};
pub use lent::{LentSessions, stop_lent};
pub use reading::read_server;
pub use sessions::{GUARD, ScreenPlaces, SessionPlan, guard};
pub use testbed::{Access, DesktopTestbed, RdpDoor, bound_obstacle};
