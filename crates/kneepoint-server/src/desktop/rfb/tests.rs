//! The client against bytes of servers.

use super::*;
use crate::desktop::client::Event;

/// A server's side of the handshake without security, with a screen of 4 by 2 pixels.
fn greeting() -> Vec<u8> {
    let mut bytes = b"RFB 003.008\n".to_vec();
    bytes.extend([1, 1]);
    bytes.extend([0; 4]);
    bytes.extend([0, 4, 0, 2]);
    bytes.extend([0; 16]);
    bytes.extend([0, 0, 0, 1, b'x']);
    bytes
}

fn connected() -> Client {
    let mut client = Client::new(None);
    assert_eq!(client.feed(&greeting()).unwrap(), [Event::Ready]);
    client.take_output();
    client
}

fn refusal(bytes: &[u8], password: Option<&[u8]>) -> String {
    let mut client = Client::new(password.map(<[u8]>::to_vec));
    client.feed(bytes).unwrap_err().to_string()
}

/// An update of one rectangle.
fn rectangle(rect: [u8; 4], encoding: i32, rest: &[u8]) -> Vec<u8> {
    let [x, y, width, height] = rect;
    let mut bytes = vec![0, 0, 0, 1, 0, x, 0, y, 0, width, 0, height];
    bytes.extend(encoding.to_be_bytes());
    bytes.extend(rest);
    bytes
}

#[test]
fn a_connection_is_made_however_its_bytes_are_cut() {
    let mut client = Client::new(None);
    let mut events = Vec::new();
    for byte in greeting() {
        events.extend(client.feed(&[byte]).unwrap());
    }
    assert_eq!(events, [Event::Ready]);
    assert_eq!((client.screen().size(), client.name()), ((4, 2), "x"));
    let output = client.take_output();
    assert!(output.starts_with(b"RFB 003.008\n\x01\x01\0\0\0\0\x20\x18\0\x01"), "{output:?}");
    assert!(output.ends_with(&[3, 0, 0, 0, 0, 0, 0, 4, 0, 2]), "the whole screen is asked for");
}

#[test]
fn older_versions_are_spoken() {
    for (version, rest) in [("003.003", &[0, 0, 0, 1][..]), ("003.007", &[1, 1])] {
        let mut bytes = format!("RFB {version}\n").into_bytes();
        bytes.extend(rest);
        bytes.extend(&greeting()[18..]);
        let mut client = Client::new(None);
        assert_eq!(client.feed(&bytes).unwrap(), [Event::Ready], "{version}");
    }
}

#[test]
fn a_refusal_says_what_the_server_said() {
    let challenge = [&b"RFB 003.008\n\x01\x02"[..], &[7; 16]].concat();
    let wrong = [&challenge[..], &[0, 0, 0, 1, 0, 0, 0, 2], b"no"].concat();
    assert_eq!(refusal(&wrong, Some(b"secret")), "the server refuses the password: it says: no");
    assert!(refusal(&challenge, None).contains("asks for a password"));
    let many = b"RFB 003.008\n\x00\x00\x00\x00\x04full";
    assert_eq!(refusal(many, None), "the server refuses the connection: it says: full");
    assert!(refusal(b"RFB 003.008\n\x01\x13", None).contains("the types 19"));
    assert!(refusal(b"SSH-2.0-Open", None).contains("speaks no RFB"));
}

#[test]
fn rectangles_are_painted_and_moved() {
    let mut client = connected();
    let red = [0, 0, 0xff, 0].repeat(4);
    assert_eq!(client.feed(&rectangle([0, 0, 2, 2], 0, &red)).unwrap(), [Event::Updated]);
    let asked = client.take_output();
    assert_eq!(asked, [3, 1, 0, 0, 0, 0, 0, 4, 0, 2], "the next update is asked for");
    client.feed(&rectangle([1, 0, 2, 2], 1, &[0, 0, 0, 0])).unwrap();
    let red = 0xff_0000;
    assert_eq!(client.screen().pixels(), [red, red, red, 0, red, red, red, 0]);
    client.feed(&rectangle([0, 0, 6, 1], -223, &[])).unwrap();
    assert_eq!(client.screen().size(), (6, 1));
    assert_eq!(client.screen().pixels(), [red, red, red, 0, 0, 0]);
}

#[test]
fn updates_come_unasked_where_the_server_can_and_fences_are_answered() {
    let mut client = connected();
    client.feed(&[150]).unwrap();
    assert!(client.is_continuous());
    assert_eq!(client.take_output(), [150, 1, 0, 0, 0, 0, 0, 4, 0, 2]);
    client.feed(&rectangle([0, 0, 1, 1], 0, &[1, 2, 3, 4])).unwrap();
    assert!(client.take_output().is_empty(), "nothing is asked for");
    client.feed(&[248, 0, 0, 0, 0x80, 0, 0, 0xff, 2, 8, 9]).unwrap();
    assert_eq!(client.take_output(), [248, 0, 0, 0, 0, 0, 0, 7, 2, 8, 9]);
    client.feed(&[248, 0, 0, 0, 0, 0, 0, 1, 0]).unwrap();
    assert!(client.take_output().is_empty(), "an answer is not answered");
    client.feed(&[150]).unwrap();
    assert_eq!(client.take_output()[..2], [3, 1], "it asks again once the server stops");
}

#[test]
fn what_no_one_needs_is_skipped() {
    let mut client = connected();
    let mut bytes = vec![2, 1, 0, 0, 1, 0, 1, 9, 9, 9, 9, 9, 9, 3, 0, 0, 0, 0, 0, 0, 2, b'o', b'k'];
    bytes.extend(rectangle([0, 0, 1, 1], -239, &[1, 1, 1, 1, 0x80]));
    assert_eq!(client.feed(&bytes).unwrap(), [Event::Updated]);
    assert_eq!(client.screen().pixels(), [0; 8], "the pointer is no part of the screen");
}

#[test]
fn what_breaks_the_protocol_ends_it() {
    let check = |bytes: &[u8], why: &str| {
        let said = connected().feed(bytes).unwrap_err().to_string();
        assert!(said.contains(why), "{said}");
    };
    check(&rectangle([3, 0, 2, 1], 0, &[]), "not on the screen");
    check(&rectangle([0, 0, 2, 1], 1, &[0, 3, 0, 0]), "not on the screen");
    check(&rectangle([0, 0, 1, 1], 5, &[]), "the encoding 5");
    check(&rectangle([0, 0, 1, 1], 16, &[0, 0, 0, 2, 1, 2]), "ZRLE");
    check(&rectangle([0, 0, 0, 0], -223, &[]), "0 by 0 pixels");
    check(&[77], "unknown kind 77");
    check(&[248, 0, 0, 0, 0, 0, 0, 0, 65], "longer than 64");
    check(&[3, 0, 0, 0, 0xff, 0xff, 0xff, 0xff], "no end");
}

proptest::proptest! {
    #[test]
    fn no_server_makes_the_client_panic(
        bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..400),
    ) {
        let _ = Client::new(Some(b"a".to_vec())).feed(&bytes);
        let _ = connected().feed(&bytes);
        let _ = connected().feed(&[&[0, 0, 0, 1, 0, 0, 0, 0, 0, 4, 0, 2, 0, 0, 0, 16][..], &bytes].concat());
    }
}
