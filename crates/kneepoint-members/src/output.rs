//! What a member has computed, as text that is the same on every machine.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// The output of a member: named lines of text.
///
/// Floating-point numbers are rounded to six significant digits: flags of a compiler may change the last
/// bits of a result, and nothing else.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Output {
    bytes: Vec<u8>,
}

impl Output {
    /// An output with these bytes.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self { bytes }
    }

    /// The bytes of the lines.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// SHA-256 of all bytes, in hexadecimal digits.
    pub fn digest(&self) -> String {
        hexadecimal(&Sha256::digest(&self.bytes))
    }

    /// Adds a text.
    pub(crate) fn text(&mut self, name: &str, text: &str) {
        self.bytes.extend(format!("{name} {text}\n").into_bytes());
    }

    /// Adds a whole number.
    pub(crate) fn count(&mut self, name: &str, number: impl Into<i128>) {
        self.text(name, &number.into().to_string());
    }

    /// Adds a number with six significant digits.
    pub(crate) fn real(&mut self, name: &str, number: f64) {
        // There is one zero.
        self.text(name, &format!("{:.5e}", number + 0.0));
    }

    /// Adds length and digest of a content.
    pub(crate) fn content(&mut self, name: &str, content: &[u8]) {
        let digest = hexadecimal(&Sha256::digest(content));
        self.text(name, &format!("{} bytes {digest}", content.len()));
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes everything");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 180-4, example of one block.
    #[test]
    fn digests_are_sha_256() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Output::from_bytes(b"abc".to_vec()).digest(), expected);
    }

    #[test]
    fn numbers_are_rounded_to_six_digits() {
        let digest = |number: f64| {
            let mut output = Output::default();
            output.real("energy", number);
            output
        };
        assert_eq!(digest(1.234_567_1).as_bytes(), b"energy 1.23457e0\n");
        assert_eq!(digest(1.234_567_1), digest(1.234_567_100_001));
        assert_ne!(digest(1.234_567_1), digest(1.234_58));
        assert_eq!(digest(-0.0), digest(0.0));
    }
}
