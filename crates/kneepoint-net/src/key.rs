//! Keys by which controller and agents know each other: Ed25519, written as NATS writes them.

use std::fmt;
use std::str::FromStr;

use kneepoint_core::words::fault::Fault;
use serde::{Deserialize, Serialize};

/// The secret half of a key. It is never printed: neither `Debug` nor `Display` shows it.
pub struct SecretKey(nkeys::KeyPair);

impl SecretKey {
    /// A new key, from the system's source of random bytes.
    pub fn generate() -> Self {
        Self(nkeys::KeyPair::new_user())
    }

    /// The key with this seed.
    ///
    /// # Errors
    /// When it is no seed.
    pub fn from_seed(seed: &str) -> Result<Self, Fault> {
        // What is wrong with a secret is not told.
        let pair = nkeys::KeyPair::from_seed(seed.trim());
        pair.map(Self).map_err(|_| Fault::new("a secret key cannot be read"))
    }

    /// What the key is made from, to be kept where no one else reads it.
    pub fn seed(&self) -> String {
        self.0.seed().expect("a secret key has a seed")
    }

    /// The other half.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.public_key())
    }

    /// The signature below `message`.
    pub(crate) fn sign(&self, message: &[u8]) -> Vec<u8> {
        self.0.sign(message).expect("a secret key signs")
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretKey of {}", self.public())
    }
}

/// A fleet is named by the beginning of its controller's key.
const FLEET_LETTERS: usize = 12;

/// The public half of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PublicKey(String);

impl PublicKey {
    /// The name of the fleet whose commands are signed with it.
    pub fn fleet(&self) -> &str {
        &self.0[..FLEET_LETTERS]
    }

    /// Whether this key's other half put `signature` below `message`.
    pub(crate) fn has_signed(&self, message: &[u8], signature: &[u8]) -> bool {
        nkeys::KeyPair::from_public_key(&self.0)
            .is_ok_and(|key| key.verify(message, signature).is_ok())
    }
}

impl FromStr for PublicKey {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        match nkeys::KeyPair::from_public_key(text) {
            Ok(key) if key.public_key() == text => Ok(Self(text.to_owned())),
            _ => Err(Fault::new(format!("'{text}' is no public key"))),
        }
    }
}

impl TryFrom<String> for PublicKey {
    type Error = Fault;

    fn try_from(text: String) -> Result<Self, Fault> {
        text.parse()
    }
}

impl From<PublicKey> for String {
    fn from(key: PublicKey) -> Self {
        key.0
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A name that no one else has chosen, and no one can foresee.
pub(crate) fn nonce() -> String {
    SecretKey::generate().public().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_comes_back_from_its_seed_and_never_shows_it() {
        let key = SecretKey::generate();
        let again = SecretKey::from_seed(&format!("{}\n", key.seed())).unwrap();
        assert_eq!(again.public(), key.public());
        assert!(!format!("{key:?}").contains(&key.seed()));
        assert!(SecretKey::from_seed(&key.public().to_string()).is_err());
        assert!(key.seed().parse::<PublicKey>().is_err(), "a seed is no public key");
        assert_ne!(nonce(), nonce());
    }

    #[test]
    fn a_signature_holds_for_one_key_and_one_message() {
        let (key, other) = (SecretKey::generate(), SecretKey::generate());
        let signature = key.sign(b"go");
        assert!(key.public().has_signed(b"go", &signature));
        assert!(!key.public().has_signed(b"go on", &signature));
        assert!(!other.public().has_signed(b"go", &signature));
        assert!(!key.public().has_signed(b"go", &signature[1..]));
    }
}
