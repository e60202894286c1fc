//! Any bytes are a result of another tool whose points can be written, or a fault, or of no known format.
//!
//! `cargo +nightly fuzz run result fuzz/corpus/result`

#![no_main]

use kneepoint_core::analysis::examination::examine;
use kneepoint_core::words::printable::{is_printable, printable};
use kneepoint_formats::result::{Naming, document, fio, iometer, read, vdbench};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    match read(bytes) {
        None => {}
        Some(Err(fault)) => assert!(printable(&fault.to_string()).chars().all(is_printable)),
        Some(Ok(reading)) => {
            assert!(!reading.points.is_empty());
            let naming = Naming {
                id: "20261121-043510-7f3a".to_owned(),
                label: String::new(),
                file: "result".to_owned(),
                now: "2026-11-21T04:35:10Z".to_owned(),
                version: "0".to_owned(),
                command: String::new(),
            };
            let run = document(reading, naming, &[]);
            if examine(&run).is_ok() {
                assert!(fio::write(&run).is_ok());
                assert!(iometer::write(&run).is_ok());
                // It has no intervals.
                assert!(vdbench::write(&run).is_err());
            }
        }
    }
});
