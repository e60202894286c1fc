//! Reports in a real browser.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod accessibility;
mod chromium;
mod network;
