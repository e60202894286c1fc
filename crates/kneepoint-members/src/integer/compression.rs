//! Compression: DEFLATE of generated text, records and noise at three levels, and back.

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec;

use crate::member::{Class, Member, Scale};
use crate::output::Output;
use crate::random::Random;
use crate::text::Vocabulary;

pub(crate) const MEMBER: Member = Member {
    name: "compression",
    class: Class::Integer,
    title: "Compression",
    work: "compresses generated text, records and noise by DEFLATE (miniz_oxide) at levels 1, 6 and 9, \
           decompresses it and compares the bytes",
    unit: "1 MiB of input at one level, compressed and decompressed",
    run,
};

const LEVELS: [u8; 3] = [1, 6, 9];

fn run(scale: Scale) -> Output {
    let (blocks, block_bytes) = scale.choose((220, 1 << 20), (8, 1 << 20), (1, 6 << 10));
    let mut output = Output::default();
    let mut random = Random::new(0x5eed_0001);
    let vocabulary = Vocabulary::new(3000, &mut random);
    for block in 0..blocks {
        let input = input(block_bytes, &vocabulary, &mut random);
        for level in LEVELS {
            let compressed = compress_to_vec(&input, level);
            output.content(&format!("block {block} level {level}"), &compressed);
            let back = decompress_to_vec(&compressed).unwrap_or_default();
            output.count("equal bytes", equal_bytes(&input, &back));
        }
    }
    output
}

/// Length of `input` if `back` is the same.
fn equal_bytes(input: &[u8], back: &[u8]) -> u64 {
    if input == back { input.len() as u64 } else { 0 }
}

/// Text for the most part, with tables and a little that cannot be compressed.
fn input(bytes: usize, vocabulary: &Vocabulary, random: &mut Random) -> Vec<u8> {
    let mut input = Vec::with_capacity(bytes + 512);
    while input.len() < bytes {
        match random.below(10) {
            0 => input.extend((0..64).flat_map(|_| random.bits().to_le_bytes())),
            1..=3 => (0..12).for_each(|row| record(&mut input, row, random)),
            _ => sentence(&mut input, vocabulary, random),
        }
    }
    input.truncate(bytes);
    input
}

fn record(input: &mut Vec<u8>, row: u64, random: &mut Random) {
    let amount = random.below(100_000);
    input.extend(format!("{row:06};2024-0{};{amount};EUR\n", 1 + row % 9).into_bytes());
}

fn sentence(input: &mut Vec<u8>, vocabulary: &Vocabulary, random: &mut Random) {
    for _ in 0..4 + random.below(20) {
        input.extend_from_slice(vocabulary.word(random).as_bytes());
        input.push(b' ');
    }
    input.extend_from_slice(b".\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 1951: one stored block, and one with the fixed codes as every DEFLATE program writes it.
    #[test]
    fn known_streams_are_decompressed() {
        let stored = b"\x01\x05\x00\xfa\xffhello";
        assert_eq!(decompress_to_vec(stored).unwrap(), b"hello");
        let fixed = b"\xcb\x48\xcd\xc9\xc9\x07\x00";
        assert_eq!(decompress_to_vec(fixed).unwrap(), b"hello");
        assert_eq!(compress_to_vec(b"hello", 6), fixed);
    }

    #[test]
    fn inputs_are_compressed_by_higher_levels_more() {
        let mut random = Random::new(1);
        let vocabulary = Vocabulary::new(3000, &mut random);
        let input = input(20_000, &vocabulary, &mut random);
        let [fast, _, small] = LEVELS.map(|level| compress_to_vec(&input, level).len());
        assert!(small < fast && fast < 17_000, "{small} {fast}");
        assert_eq!(equal_bytes(&input, &input), 20_000);
        assert_eq!(equal_bytes(&input, &input[1..]), 0);
    }
}
