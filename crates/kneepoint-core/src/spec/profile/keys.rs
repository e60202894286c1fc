//! Keys by their names, as scripts press them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::spec::document::did_you_mean;
use crate::words::fault::Fault;

/// Keys that have a name, with their symbols in X.
const NAMED: [(&str, u32); 39] = [
    ("ctrl", 0xffe3),
    ("shift", 0xffe1),
    ("alt", 0xffe9),
    ("super", 0xffeb),
    ("return", 0xff0d),
    ("escape", 0xff1b),
    ("tab", 0xff09),
    ("space", 0x20),
    ("backspace", 0xff08),
    ("delete", 0xffff),
    ("insert", 0xff63),
    ("home", 0xff50),
    ("end", 0xff57),
    ("page-up", 0xff55),
    ("page-down", 0xff56),
    ("left", 0xff51),
    ("up", 0xff52),
    ("right", 0xff53),
    ("down", 0xff54),
    ("menu", 0xff67),
    ("print", 0xff61),
    ("pause", 0xff13),
    ("caps-lock", 0xffe5),
    ("plus", 0x2b),
    ("f1", 0xffbe),
    ("f2", 0xffbf),
    ("f3", 0xffc0),
    ("f4", 0xffc1),
    ("f5", 0xffc2),
    ("f6", 0xffc3),
    ("f7", 0xffc4),
    ("f8", 0xffc5),
    ("f9", 0xffc6),
    ("f10", 0xffc7),
    ("f11", 0xffc8),
    ("f12", 0xffc9),
    ("keypad-enter", 0xff8d),
    ("scroll-lock", 0xff14),
    ("num-lock", 0xff7f),
];

/// Most keys that are pressed together.
const TOGETHER_MAX: usize = 4;

/// Keys that are pressed together: `ctrl+s`, `alt+f`, `page-down`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chord {
    symbols: Vec<u32>,
}

impl Chord {
    /// The symbols of its keys in X, in the order in which they are pressed.
    pub fn symbols(&self) -> &[u32] {
        &self.symbols
    }

    /// The keys with these symbols in X; `None` if one has no name here, or they are too many.
    pub fn of_symbols(symbols: &[u32]) -> Option<Self> {
        let chord = Self { symbols: symbols.to_vec() };
        let read: Self = chord.to_string().parse().ok()?;
        (read == chord).then_some(read)
    }
}

/// The symbol in X of the key that types `char`.
pub fn symbol_of(char: char) -> u32 {
    match char {
        '\n' => 0xff0d,
        ' '..='~' | '\u{a0}'..='\u{ff}' => u32::from(char),
        other => 0x0100_0000 | u32::from(other),
    }
}

impl FromStr for Chord {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let symbols: Vec<u32> = text.split('+').map(symbol).collect::<Result<_, _>>()?;
        if symbols.len() > TOGETHER_MAX {
            return Err(Fault::new(format!("'{text}' are more than {TOGETHER_MAX} keys"))
                .fix("press them one after the other, in several steps"));
        }
        Ok(Self { symbols })
    }
}

/// The symbol of a key by its name, or the character that it types.
fn symbol(name: &str) -> Result<u32, Fault> {
    if let Some((_, symbol)) = NAMED.iter().find(|(known, _)| *known == name) {
        return Ok(*symbol);
    }
    let mut chars = name.chars();
    match (chars.next(), chars.next()) {
        (Some(char), None) if !char.is_control() && !char.is_whitespace() => Ok(symbol_of(char)),
        _ => {
            let names = NAMED.map(|(name, _)| name);
            Err(Fault::new(format!("there is no key '{}'", name.escape_debug())).fix(
                did_you_mean(name, names)
                    .unwrap_or_else(|| format!("use a character or one of {}", names.join(", "))),
            ))
        }
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, symbol) in self.symbols.iter().enumerate() {
            if index > 0 {
                f.write_str("+")?;
            }
            match NAMED.iter().find(|(_, known)| known == symbol) {
                Some((name, _)) => f.write_str(name)?,
                None => write!(f, "{}", char::from_u32(symbol & 0x00ff_ffff).unwrap_or('?'))?,
            }
        }
        Ok(())
    }
}

impl Serialize for Chord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Chord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|fault: Fault| serde::de::Error::custom(fault.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_print_as_they_are_typed() {
        for text in
            ["ctrl+s", "alt+f", "page-down", "a", "A", "ctrl+shift+home", "ctrl+plus", "ü", "€"]
        {
            assert_eq!(text.parse::<Chord>().unwrap().to_string(), text);
        }
        assert_eq!("ctrl+s".parse::<Chord>().unwrap().symbols(), [0xffe3, 0x73]);
        assert_eq!(symbol_of('€'), 0x0100_20ac);
        let chord = Chord::of_symbols(&[0xffe3, 0xff50]).unwrap();
        assert_eq!(chord.to_string(), "ctrl+home");
        assert_eq!(Chord::of_symbols(&[0x1008_ff13]), None);
    }

    #[test]
    fn what_is_no_key_is_refused() {
        let check = |text: &str, why: &str| {
            let fault = text.parse::<Chord>().unwrap_err();
            let said = format!("{fault} {}", fault.fix_hint().unwrap_or_default());
            assert!(said.contains(why), "{said}");
        };
        check("", "there is no key ''");
        check("ctrl++", "there is no key ''");
        check("contrl+a", "ctrl");
        check("a+b+c+d+e", "more than 4 keys");
    }
}
