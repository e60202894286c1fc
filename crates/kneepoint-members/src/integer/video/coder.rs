//! An adaptive binary range coder, in the way of LZMA: probabilities of 11 bits that follow what comes.

/// The probability of a zero, of 2048.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chance(u16);

impl Default for Chance {
    fn default() -> Self {
        Self(1024)
    }
}

impl Chance {
    const fn learn(&mut self, bit: bool) {
        if bit {
            self.0 -= self.0 >> 5;
        } else {
            self.0 += (2048 - self.0) >> 5;
        }
    }
}

/// Ranges below this are made larger by a byte.
const SMALL: u32 = 1 << 24;

/// One way to write and to read: an encoder returns the bit that it was given, a decoder the one that it
/// found.
pub(super) trait Coder {
    fn bit(&mut self, chance: &mut Chance, bit: bool) -> bool;
}

/// Writes bits.
#[derive(Debug)]
pub(super) struct Encoder {
    low: u64,
    range: u32,
    /// The last byte before those that a carry would change.
    held: u8,
    /// The number of bytes that a carry would change, the one above included.
    pending: u64,
    bytes: Vec<u8>,
}

impl Default for Encoder {
    fn default() -> Self {
        Self { low: 0, range: u32::MAX, held: 0, pending: 1, bytes: Vec::new() }
    }
}

impl Encoder {
    fn shift(&mut self) {
        if self.low < 0xff00_0000 || self.low > 0xffff_ffff {
            let carry = (self.low >> 32) as u8;
            self.bytes.push(self.held.wrapping_add(carry));
            self.bytes.extend((1..self.pending).map(|_| 0xff_u8.wrapping_add(carry)));
            self.pending = 0;
            self.held = (self.low >> 24) as u8;
        }
        self.pending += 1;
        self.low = (self.low & 0x00ff_ffff) << 8;
    }

    /// All bytes.
    pub(super) fn finish(mut self) -> Vec<u8> {
        (0..5).for_each(|_| self.shift());
        self.bytes
    }
}

impl Coder for Encoder {
    fn bit(&mut self, chance: &mut Chance, bit: bool) -> bool {
        let bound = (self.range >> 11) * u32::from(chance.0);
        if bit {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        chance.learn(bit);
        while self.range < SMALL {
            self.range <<= 8;
            self.shift();
        }
        bit
    }
}

/// Reads bits.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    code: u32,
    range: u32,
    rest: &'a [u8],
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self { code: 0, range: u32::MAX, rest: bytes };
        (0..5).for_each(|_| decoder.shift());
        decoder
    }

    fn shift(&mut self) {
        let (byte, rest) =
            self.rest.split_first().map_or((0, self.rest), |(byte, rest)| (*byte, rest));
        self.code = self.code << 8 | u32::from(byte);
        self.rest = rest;
    }
}

impl Coder for Decoder<'_> {
    fn bit(&mut self, chance: &mut Chance, _: bool) -> bool {
        let bound = (self.range >> 11) * u32::from(chance.0);
        let bit = self.code >= bound;
        if bit {
            self.code -= bound;
            self.range -= bound;
        } else {
            self.range = bound;
        }
        chance.learn(bit);
        while self.range < SMALL {
            self.range <<= 8;
            self.shift();
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn bits_come_back_and_take_what_their_entropy_says() {
        for (of, entropy) in [(2, 1.0), (20, 0.286_397)] {
            let mut random = Random::new(of);
            let bits: Vec<bool> = (0..40_000).map(|_| random.once_in(of)).collect();
            let (mut encoder, mut chance) = (Encoder::default(), Chance::default());
            for bit in &bits {
                encoder.bit(&mut chance, *bit);
            }
            let bytes = encoder.finish();
            let expected = entropy * bits.len() as f64 / 8.0;
            let ratio = bytes.len() as f64 / expected;
            assert!((0.98..1.06).contains(&ratio), "{ratio}");
            let (mut decoder, mut chance) = (Decoder::new(&bytes), Chance::default());
            assert!(bits.iter().all(|bit| decoder.bit(&mut chance, false) == *bit));
        }
    }
}
