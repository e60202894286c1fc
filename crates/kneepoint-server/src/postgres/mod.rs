//! Business operations in PostgreSQL: the same company, transactions, mix and seed as in memory, as functions
//! of Kneepoint's own schema (`schema.sql`), which one connection and thread for each warehouse call.
//!
//! The client blocks: what it has of asynchronous code runs on the thread that calls it, over a blocking socket
//! ([`client`]). It speaks no TLS.

mod address;
mod books;
mod client;
mod cluster;
mod counter;
mod instrument;
mod link;
mod password;
pub(crate) mod server_time;
mod setting;
mod system;
mod testbed;

pub use address::{Address, Isolation, Login, Place};
pub use cluster::{GUARD, guard};
pub use password::Password;
pub use testbed::{Around, DatabaseTestbed, Keyring};
