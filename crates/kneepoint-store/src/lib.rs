//! Where runs are kept: the only crate of Kneepoint that knows SQL.
//!
//! A [`Store`] is one SQLite file. A point is written in its own transaction and is on stable
//! storage when [`Store::save_point`] returns, so that a crash, a power cut or a full disk costs at
//! most the point that was being measured. Every row carries a digest of its content: a tool that
//! loads storage until it gives way must not trust what storage gives back.
//!
//! The crate reads no clock and prints nothing: times come in as RFC 3339 text in UTC, errors go
//! out as [`kneepoint_core::words::fault::Fault`]. Histograms are bytes here; only core can read
//! them.

#![forbid(unsafe_code)]

mod connection;
mod error;
mod file;
mod import;
mod name;
mod point;
mod read;
mod record;
mod run;
mod schema;
mod store;
mod write;

pub use crate::connection::StoreAccess;
pub use crate::import::Merged;
pub use crate::name::{RunName, check_label};
pub use crate::point::{Histograms, NewPoint, StoredPoint};
pub use crate::run::{Ending, NewRun, Owner, RunFate, RunOverview};
pub use crate::store::{Obstacle, Store};
