//! Any text is a profile or a fault, and a profile survives printing and resolving.
//!
//! `cargo +nightly fuzz run profile fuzz/corpus/profile profiles`

#![no_main]

use kneepoint_core::spec::profile::Profile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(profile) = Profile::parse(text, "fuzz.toml") else { return };
    let printed = profile.to_toml();
    assert_eq!(Profile::parse(&printed, "printed.toml").as_ref(), Ok(&profile), "{printed}");
    profile.resolve(None).expect("a profile that was read resolves");
    assert!(!profile.summary().is_empty());
});
