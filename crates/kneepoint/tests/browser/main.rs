//! Reports in a real browser.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod accessibility;
mod chromium;
mod network;
mod paper;
#[allow(dead_code, reason = "some of the sizings are for other tests")]
#[path = "../../../kneepoint-report/tests/sentences/sized.rs"]
mod sized;
#[allow(dead_code, reason = "some of the runs are for other tests")]
#[path = "../../../kneepoint-report/tests/synthetic/mod.rs"]
mod synthetic;
mod width;
