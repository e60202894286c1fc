//! Any bytes are what a server of screens says, or a fault; whole or cut in two, they come to the same.
//!
//! `cargo +nightly fuzz run rfb`

#![no_main]

use kneepoint_server::desktop::rfb::Client;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut whole = Client::new(Some(b"secret".to_vec()));
    let said = whole.feed(bytes);
    let cut = bytes.first().map_or(0, |first| usize::from(*first) % bytes.len());
    let mut parts = Client::new(Some(b"secret".to_vec()));
    let first = parts.feed(&bytes[..cut]);
    let second = first.and_then(|mut events| {
        events.extend(parts.feed(&bytes[cut..])?);
        Ok(events)
    });
    assert_eq!(said.is_ok(), second.is_ok());
    if said.is_ok() {
        assert_eq!(whole.screen(), parts.screen());
        assert_eq!(whole.take_output(), parts.take_output());
    }
});
