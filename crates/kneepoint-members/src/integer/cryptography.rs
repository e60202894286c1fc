//! Cryptography: hashes of SHA-2 and the cipher ChaCha20, each fed with the result of the other.

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use sha2::{Digest, Sha256, Sha512};

use crate::member::{Class, Member, Scale};
use crate::output::Output;

pub(crate) const MEMBER: Member = Member {
    name: "cryptography",
    class: Class::Integer,
    title: "Hashing and encryption",
    work: "encrypts a message by ChaCha20 (chacha20) with the SHA-256 of the message before as its key, and \
           hashes it by SHA-512 and in a tree of SHA-256 (sha2)",
    unit: "a message of 1 MiB",
    run,
};

fn run(scale: Scale) -> Output {
    let (messages, bytes) = scale.choose((9500, 1 << 20), (350, 1 << 20), (3, 2 << 10));
    let mut output = Output::default();
    let mut message = vec![0; bytes];
    let mut key: [u8; 32] = Sha256::digest(b"kneepoint").into();
    for number in 0..messages {
        encrypt(&mut message, &key, number);
        let long = Sha512::digest(&message);
        key = tree(&message);
        for (byte, mask) in key.iter_mut().zip(long) {
            *byte ^= mask;
        }
        if (number + 1) % 50 == 0 || number + 1 == messages {
            output.content("key", &key);
            output.content("message", &message[..bytes.min(4096)]);
        }
    }
    output
}

fn encrypt(message: &mut [u8], key: &[u8; 32], number: u64) {
    let mut nonce = [0; 12];
    nonce[..8].copy_from_slice(&number.to_le_bytes());
    ChaCha20::new(key.into(), &nonce.into()).apply_keystream(message);
}

/// The root of a tree of hashes with leaves of 1 KiB.
fn tree(message: &[u8]) -> [u8; 32] {
    let mut level: Vec<[u8; 32]> =
        message.chunks(1024).map(|leaf| Sha256::digest(leaf).into()).collect();
    while level.len() > 1 {
        level = level.chunks(2).map(|pair| Sha256::digest(pair.concat()).into()).collect();
    }
    level.first().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(digits: &str) -> Vec<u8> {
        let digits: Vec<u8> = digits.chars().map(|c| c.to_digit(16).unwrap() as u8).collect();
        digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
    }

    /// FIPS 180-4, examples.
    #[test]
    fn hashes_are_those_of_the_standard() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Sha256::digest(b"abc").to_vec(), bytes(abc));
        let abc = "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
                   2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f";
        assert_eq!(Sha512::digest(b"abc").to_vec(), bytes(abc));
    }

    /// RFC 8439, section 2.4.2, whose key stream begins with block 1: behind 64 bytes.
    #[test]
    fn the_cipher_is_that_of_the_standard() {
        let key: Vec<u8> = (0..32).collect();
        let nonce: [u8; 12] = bytes("000000000000004a00000000").try_into().unwrap();
        let text = b"Ladies and Gentlemen of the class of '99";
        let mut message = [&[0; 64], &text[..]].concat();
        let key: [u8; 32] = key.try_into().unwrap();
        ChaCha20::new(&key.into(), &nonce.into()).apply_keystream(&mut message);
        let expected =
            "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0bf91b65c5524733ab";
        assert_eq!(message[64..], bytes(expected));
    }

    #[test]
    fn a_tree_hashes_its_leaves_in_pairs() {
        let message = [[1; 1024], [2; 1024]].concat();
        let leaves = [Sha256::digest([1; 1024]), Sha256::digest([2; 1024])].concat();
        assert_eq!(tree(&message).to_vec(), Sha256::digest(leaves).to_vec());
    }
}
