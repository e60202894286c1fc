//! Any text is a profile or a fault, and a profile resolves.
//!
//! `cargo +nightly fuzz run profile fuzz/corpus/profile profiles`

#![no_main]

use kneepoint_core::spec::profile::Profile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(profile) = Profile::parse(text, "fuzz.toml") else { return };
    profile.resolve(None).expect("a profile that was read resolves");
    assert!(!profile.summary().is_empty());
});
