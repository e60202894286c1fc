//! Any bytes are what a viewer says, or a fault; whole or cut in two, they come to the same.
//!
//! `cargo +nightly fuzz run viewer`

#![no_main]

use kneepoint_server::desktop::record::Viewer;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut whole = Viewer::new((64, 48));
    let said = whole.feed(bytes);
    let cut = bytes.first().map_or(0, |first| usize::from(*first) % bytes.len());
    let mut parts = Viewer::new((64, 48));
    let first = parts.feed(&bytes[..cut]);
    let second = first.and_then(|mut inputs| {
        inputs.extend(parts.feed(&bytes[cut..])?);
        Ok(inputs)
    });
    assert_eq!(said.is_ok(), second.is_ok());
    if let (Ok(said), Ok(second)) = (said, second) {
        assert_eq!(said, second);
        assert_eq!(whole.take_output(), parts.take_output());
    }
});
