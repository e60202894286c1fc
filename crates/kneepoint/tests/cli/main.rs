//! The program from outside: what it says, how it exits, what it leaves behind.
//!
//! Transcripts are compared with `tests/cli/snapshots`; `SNAPSHOTS=overwrite cargo test -p
//! kneepoint` accepts what changed. Nothing here depends on timing or on the machine: what does is
//! redacted, or checked by what must hold everywhere.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]
#![allow(clippy::print_stdout, reason = "a test says what it found")]

mod agreement;
mod business;
mod busy;
mod campaign;
mod catalog;
mod comparison;
mod configurations;
mod convert;
mod copies;
mod database;
mod dataless;
mod desktop;
mod devices;
mod disturbed;
mod durable;
mod escapes;
mod export;
mod factors;
mod faults;
mod files;
mod fleet;
mod formats;
mod full_disk;
mod hanging;
mod help;
mod host_failures;
mod host_limits;
mod host_points;
mod host_rights;
mod host_settings;
mod host_ssh;
mod hosts;
mod import;
mod interrupt;
mod kill;
mod layout;
mod listing;
mod live;
#[path = "../../../kneepoint-device/tests/consent_devices/loop_bench.rs"]
#[allow(dead_code, reason = "shared with the tests of consent, which use more of it")]
mod loop_bench;
mod lost_store;
mod manifest;
mod memory;
mod metering;
mod outputs;
mod own_files;
mod own_server;
mod pauses;
mod pipe;
mod plan;
mod processor;
mod program;
mod programs;
mod real_file;
mod redaction;
mod result;
mod rules;
mod search;
mod series_rounds;
mod simulated;
mod simulation;
mod snapshot;
mod steady;
mod stored;
mod terminal;
mod threads;
mod throttle;
mod together;
mod trace;
mod users;
mod verification;
mod versions;
mod viewer;
