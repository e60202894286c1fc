//! Any text is a suite or a fault, and a suite survives printing and resolving.
//!
//! `cargo +nightly fuzz run suite fuzz/corpus/suite suites`

#![no_main]

use kneepoint_core::spec::suite::Suite;
use kneepoint_core::plan::Overrides;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(suite) = Suite::parse(text, "fuzz.toml") else { return };
    let printed = suite.to_toml();
    assert_eq!(Suite::parse(&printed, "printed.toml").as_ref(), Ok(&suite), "{printed}");
    suite.resolve(&Overrides::none()).expect("a suite that was read resolves");
});
