//! Any text is a suite or a fault, and a suite resolves; it is a campaign or a fault, too.
//!
//! `cargo +nightly fuzz run suite fuzz/corpus/suite suites`

#![no_main]

use kneepoint_core::spec::campaign::Campaign;
use kneepoint_core::spec::suite::Suite;
use kneepoint_core::plan::Overrides;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = Campaign::parse(text, "fuzz.toml");
    let Ok(suite) = Suite::parse(text, "fuzz.toml") else { return };
    suite.resolve(&Overrides::none()).expect("a suite that was read resolves");
});
