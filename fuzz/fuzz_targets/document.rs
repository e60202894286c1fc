//! Any bytes are a result of this version or of an earlier one that was examined, which survives
//! writing, or a fault.
//!
//! `cargo +nightly fuzz run document fuzz/corpus/document`

#![no_main]

use kneepoint_core::analysis::examination::{examine, unknown_key};
use kneepoint_core::words::printable::{is_printable, printable};
use kneepoint_core::result::{RunDocument, upgrade_run};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(given) = serde_json::from_slice::<serde_json::Value>(bytes) else { return };
    let given = upgrade_run(given);
    let Ok(document) = serde_json::from_value::<RunDocument>(given) else { return };
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
