//! Symbols of X as keys of a keyboard with the American layout.
//!
//! Codes are those of scan code set 1 (IBM Personal System/2 keyboard; [MS-RDPBCGR] 2.2.8.1.2.2.1).

use ironrdp::pdu::input::fast_path::{FastPathInputEvent, KeyboardFlags};

/// Which way a key goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// It is pressed.
    Down,
    /// It is released.
    Up,
}

/// The left shift key.
const SHIFT: u8 = 0x2a;

/// Rows of characters on neighbouring keys: the code of the first, those without and those with shift.
const ROWS: [(u8, &str, &str); 8] = [
    (0x02, "1234567890-=", "!@#$%^&*()_+"),
    (0x10, "qwertyuiop[]", "QWERTYUIOP{}"),
    (0x1e, "asdfghjkl;'`", "ASDFGHJKL:\"~"),
    (0x2b, "\\", "|"),
    (0x2c, "zxcvbnm,./", "ZXCVBNM<>?"),
    (0x39, " ", " "),
    (0x1c, "\n", "\n"),
    (0x0f, "\t", "\t"),
];

/// Keys without a character: their symbol in X (`keysymdef.h`) and their code.
const PLAIN: [(u32, u8); 12] = [
    (0xff08, 0x0e),
    (0xff09, 0x0f),
    (0xff0d, 0x1c),
    (0xff1b, 0x01),
    (0xffe1, 0x2a),
    (0xffe2, 0x36),
    (0xffe3, 0x1d),
    (0xffe5, 0x3a),
    (0xffe9, 0x38),
    (0xffe7, 0x38),
    (0xffc8, 0x57),
    (0xffc9, 0x58),
];

/// Keys whose code is extended: their symbol in X and their code.
const EXTENDED: [(u32, u8); 15] = [
    (0xff50, 0x47),
    (0xff51, 0x4b),
    (0xff52, 0x48),
    (0xff53, 0x4d),
    (0xff54, 0x50),
    (0xff55, 0x49),
    (0xff56, 0x51),
    (0xff57, 0x4f),
    (0xff63, 0x52),
    (0xffff, 0x53),
    (0xffe4, 0x1d),
    (0xffea, 0x38),
    (0xffeb, 0x5b),
    (0xffec, 0x5c),
    (0xff67, 0x5d),
];

/// The first and the last of the function keys whose codes follow each other, and the code of the first.
const FUNCTION: (u32, u32, u8) = (0xffbe, 0xffc7, 0x3b);

/// A key, as it is found on the keyboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Plain(u8),
    Shifted(u8),
    Extended(u8),
    /// No key has it; it is sent as a character (UTF-16).
    Character(u16),
}

impl Key {
    /// The key of a symbol; `None` for one that RDP cannot say.
    fn of(symbol: u32) -> Option<Self> {
        let find = |keys: &[(u32, u8)]| {
            keys.iter().find(|(known, _)| *known == symbol).map(|(_, code)| *code)
        };
        let (first, last, code) = FUNCTION;
        if let Some(code) = find(&PLAIN) {
            return Some(Self::Plain(code));
        }
        if let Some(code) = find(&EXTENDED) {
            return Some(Self::Extended(code));
        }
        if (first..=last).contains(&symbol) {
            return Some(Self::Plain(code + (symbol - first) as u8));
        }
        Self::of_character(character(symbol)?)
    }

    fn of_character(char: char) -> Option<Self> {
        for (first, plain, shifted) in ROWS {
            let at = |row: &str| row.chars().position(|known| known == char);
            if let Some(index) = at(plain) {
                return Some(Self::Plain(first + index as u8));
            }
            if let Some(index) = at(shifted) {
                return Some(Self::Shifted(first + index as u8));
            }
        }
        u16::try_from(u32::from(char)).ok().map(Self::Character)
    }
}

/// The character of a symbol: Latin 1 as it is, others above an offset (`keysymdef.h`).
fn character(symbol: u32) -> Option<char> {
    match symbol {
        0x20..=0x7e | 0xa0..=0xff => char::from_u32(symbol),
        0x0100_0000..=0x0110_ffff => char::from_u32(symbol - 0x0100_0000),
        _ => None,
    }
}

/// What is sent for a key that goes this way; nothing for one that RDP cannot say.
pub(crate) fn events(symbol: u32, way: Way) -> Vec<FastPathInputEvent> {
    let flags = match way {
        Way::Down => KeyboardFlags::empty(),
        Way::Up => KeyboardFlags::RELEASE,
    };
    let plain = |code| FastPathInputEvent::KeyboardEvent(flags, code);
    match (Key::of(symbol), way) {
        (None, _) => Vec::new(),
        (Some(Key::Plain(code)), _) => vec![plain(code)],
        (Some(Key::Extended(code)), _) => {
            vec![FastPathInputEvent::KeyboardEvent(flags | KeyboardFlags::EXTENDED, code)]
        }
        (Some(Key::Shifted(code)), Way::Down) => vec![plain(SHIFT), plain(code)],
        (Some(Key::Shifted(code)), Way::Up) => vec![plain(code), plain(SHIFT)],
        (Some(Key::Character(code)), _) => {
            vec![FastPathInputEvent::UnicodeKeyboardEvent(flags, code)]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_keys_of_the_american_keyboard() {
        let check = |symbol: u32, key: Key| assert_eq!(Key::of(symbol), Some(key), "{symbol:#x}");
        check(u32::from('a'), Key::Plain(0x1e));
        check(u32::from('A'), Key::Shifted(0x1e));
        check(u32::from('.'), Key::Plain(0x34));
        check(u32::from('?'), Key::Shifted(0x35));
        check(u32::from('`'), Key::Plain(0x29));
        check(u32::from('m'), Key::Plain(0x32));
        check(u32::from(']'), Key::Plain(0x1b));
        check(u32::from(' '), Key::Plain(0x39));
        check(0xff0d, Key::Plain(0x1c));
        check(0xffbe, Key::Plain(0x3b));
        check(0xffc7, Key::Plain(0x44));
        check(0xffeb, Key::Extended(0x5b));
        check(0xffff, Key::Extended(0x53));
        check(0x0100_20ac, Key::Character(0x20ac));
        check(0xe4, Key::Character(0xe4));
        assert_eq!(Key::of(0xfe00), None);
    }

    #[test]
    fn shift_is_held_while_a_shifted_key_is() {
        let codes = |symbol, way| -> Vec<u8> {
            let code = |event| match event {
                FastPathInputEvent::KeyboardEvent(_, code) => code,
                other => panic!("{other:?}"),
            };
            events(symbol, way).into_iter().map(code).collect()
        };
        assert_eq!(codes(u32::from('A'), Way::Down), [SHIFT, 0x1e]);
        assert_eq!(codes(u32::from('A'), Way::Up), [0x1e, SHIFT]);
        assert_eq!(codes(u32::from('a'), Way::Down), [0x1e]);
    }
}
