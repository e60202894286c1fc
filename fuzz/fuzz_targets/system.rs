//! Any text is a system or a fault, a system survives printing, and any query is an answer.
//!
//! `cargo +nightly fuzz run system fuzz/corpus/system systems systems/drive`

#![no_main]

use kneepoint_sim::{SimTarget, System};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = SimTarget::expand(&format!("sim:fastt900?{text}"), &|_| unreachable!());
    let Ok(system) = System::parse(text, "fuzz.toml") else { return };
    let printed = system.to_toml();
    let again = System::parse(&printed, "printed.toml").expect("what was printed can be read");
    assert_eq!(again.to_toml(), printed);
    for array in 0..system.array_count() {
        assert!(system.array_bytes(array).0 >= 4096);
    }
});
