//! Any bytes are a result that was examined, which survives writing, or a fault.
//!
//! `cargo +nightly fuzz run document fuzz/corpus/document`

#![no_main]

use kneepoint_core::examination::{examine, unknown_key};
use kneepoint_core::printable::{is_printable, printable};
use kneepoint_core::result::RunDocument;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(document) = serde_json::from_slice::<RunDocument>(bytes) else { return };
    let written = serde_json::to_value(&document).expect("what was read can be written");
    assert_eq!(unknown_key(&written, &written), None);
    match examine(&document) {
        Ok(()) => {
            let again: RunDocument =
                serde_json::from_value(written.clone()).expect("what was written can be read");
            assert_eq!(serde_json::to_value(&again).ok(), Some(written));
        }
        Err(fault) => assert!(printable(&fault.to_string()).chars().all(is_printable)),
    }
});
