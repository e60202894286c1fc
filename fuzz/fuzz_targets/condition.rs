//! Any text is a condition of a comparison or a fault, and a condition survives printing.
//!
//! `cargo +nightly fuzz run condition`

#![no_main]

use kneepoint_core::analysis::comparison::Condition;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(condition) = text.parse::<Condition>() else { return };
    let printed = condition.to_string();
    assert_eq!(printed.parse::<Condition>().as_ref(), Ok(&condition), "{printed}");
    condition.concerns("database/8KiB");
    condition.concerns(text);
});
