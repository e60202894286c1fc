//! Any bytes are what an agent says, or nothing; intervals that are taken have the shape asked for.
//!
//! `cargo +nightly fuzz run wire`

#![no_main]

use kneepoint_core::load::record::interval::{Merger, Shape};
use kneepoint_net::wire::{Heard, Numbered, decode_word};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let shape = Shape::io(2);
    if let Some(Numbered { message: Heard::Records(packed), .. }) = decode_word(bytes, shape) {
        let mut merger = Merger::new(1, shape.targets);
        for record in packed.records {
            let _ = merger.push(record);
        }
    }
});
