//! Screens over RDP as a machine of bytes: no clock, files or network.
//!
//! IronRDP speaks the protocol, rustls the encryption below it; this crate puts both behind bytes that come and
//! go, and behind pixels, keys and a pointer. Without the feature `client` it is empty.
//!
//! - `client`: a connection as its client sees it.
//! - `keys`: symbols of X as keys of a keyboard.
//! - `tls`: the encryption, and whom it trusts.

#![forbid(unsafe_code)]
#![cfg(feature = "client")]

mod client;
mod keys;
mod tls;

pub use client::{Account, Area, Change, Client};
pub use keys::Way;
pub use tls::Trust;
