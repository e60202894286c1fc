//! Any bytes are a trace or a fault, and whatever is in one can be described.
//!
//! `cargo +nightly fuzz run trace`

#![no_main]

use kneepoint_core::spec::trace::TraceEvent;
use kneepoint_core::words::units::Nanos;
use kneepoint_formats::trace::{Description, TraceReader, profile_of};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for event in [TraceEvent::Issued, TraceEvent::Queued] {
        let Ok(mut reader) = TraceReader::new("fuzz", bytes, event) else { return };
        let mut description = Description::default();
        let mut last = Nanos::ZERO;
        for io in reader.by_ref() {
            let Ok(io) = io else { break };
            assert!(io.at >= last && io.bytes > 0, "times run forwards, and an I/O has bytes");
            last = io.at;
            // Large I/Os touch many blocks; a few of them are enough.
            if io.bytes < 1 << 22 {
                description.count(&io);
            }
        }
        let described = description.described(reader.devices());
        if described.ios() > 0 {
            let _ = profile_of(&described, "fuzz");
        }
    }
});
