//! Any bytes are the header of a verification journal exactly as it would be written, or none.
//!
//! `cargo +nightly fuzz run verification`

#![no_main]

use kneepoint_device::verification::header_text;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Some(text) = header_text(bytes) {
        assert!(bytes.starts_with(text.as_bytes()));
    }
});
