//! Any bytes are a journal as far as they are whole; what is cut off takes nothing back.
//!
//! `cargo +nightly fuzz run journal`

#![no_main]

use kneepoint_core::measure::journal::Journal;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let whole = Journal::parse(bytes);
    let lines = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let cut = Journal::parse(&bytes[..lines]);
    assert_eq!((&whole.origin, &whole.settings), (&cut.origin, &cut.settings));
    assert!(whole.settings.iter().all(|left| left.changes.len() <= 1 || !left.verified));
});
