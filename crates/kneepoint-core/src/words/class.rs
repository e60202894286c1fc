//! Response classes: operations that are timed and judged apart, by name.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Longest name of a response class in bytes.
const CLASS_BYTES_MAX: usize = 31;

/// The name of a response class: lower-case letters, digits, `-` and `_`, a letter first, at most 31
/// of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassName {
    /// ASCII; zero behind the end.
    bytes: [u8; CLASS_BYTES_MAX],
}

impl ClassName {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        let end = self.bytes.iter().position(|byte| *byte == 0).unwrap_or(CLASS_BYTES_MAX);
        std::str::from_utf8(&self.bytes[..end]).unwrap_or_default()
    }

    /// Reads of storage.
    pub const READ: Self = Self::of_ascii(b"read");
    /// Writes of storage.
    pub const WRITE: Self = Self::of_ascii(b"write");
    /// Blocks of storage that are given back.
    pub const TRIM: Self = Self::of_ascii(b"trim");
    /// Blocks of storage that become zeroes.
    pub const ZEROES: Self = Self::of_ascii(b"zeroes");
    /// Flushes of storage: timed and judged as a class, and counted in no throughput.
    pub const FLUSH: Self = Self::of_ascii(b"flush");
    /// A user begins a session.
    pub const LOGON: Self = Self::of_ascii(b"logon");
    /// A character that a user types.
    pub const KEYSTROKE: Self = Self::of_ascii(b"keystroke");

    /// Whether its operations are part of the throughput. Flushes go along with the writes that they make
    /// durable, and are none of them.
    pub fn is_counted(&self) -> bool {
        *self != Self::FLUSH
    }

    /// `text` as a name; `None` if it is none.
    pub fn new(text: &str) -> Option<Self> {
        let is_letter = |byte: u8| byte.is_ascii_lowercase();
        let is_part = |byte: u8| is_letter(byte) || byte.is_ascii_digit() || b"-_".contains(&byte);
        let is_name = text.len() <= CLASS_BYTES_MAX
            && text.bytes().next().is_some_and(is_letter)
            && text.bytes().all(is_part);
        is_name.then(|| {
            let mut bytes = [0; CLASS_BYTES_MAX];
            bytes[..text.len()].copy_from_slice(text.as_bytes());
            Self { bytes }
        })
    }

    /// The name of at most 31 known letters.
    const fn of_ascii(text: &[u8]) -> Self {
        let mut bytes = [0; CLASS_BYTES_MAX];
        let mut index = 0;
        while index < text.len() {
            bytes[index] = text[index];
            index += 1;
        }
        Self { bytes }
    }
}

impl fmt::Display for ClassName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for ClassName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl Serialize for ClassName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ClassName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let fault = || serde::de::Error::custom(format!("'{text}' is no name of a response class"));
        Self::new(&text).ok_or_else(fault)
    }
}
