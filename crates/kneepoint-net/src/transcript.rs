//! Everything that an agent has said in a session, as one number: each of its answers is signed with all that
//! it said before. So the controller knows of the numbers of a point, when that has ended, that the agent has
//! measured them, in this order and in this session. The bus that carries them is not trusted.

use sha2::{Digest, Sha256};

use crate::key::{PublicKey, SecretKey};

/// What is signed begins with it, so that no signature made for something else holds for it: with the same
/// key an agent signs what its server greets it with. That is text, and no text has a byte of 255.
const PURPOSE: &[u8] = b"\xffkneepoint words 1\n";

/// The digest of a message.
pub(crate) type MessageDigest = [u8; 32];

/// The digest of a message with these bytes.
pub(crate) fn digest(bytes: &[u8]) -> MessageDigest {
    Sha256::digest(bytes).into()
}

/// The words of one agent in one session, one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Transcript(MessageDigest);

impl Transcript {
    /// Nothing was said yet by the agent of `host` of `fleet` in a session of `run`.
    pub(crate) fn new((fleet, host): (&str, &str), run: &str, session: u64) -> Self {
        let mut hash = Sha256::new_with_prefix(PURPOSE);
        for word in [fleet, host, run] {
            hash.update((word.len() as u64).to_le_bytes());
            hash.update(word);
        }
        hash.update(session.to_le_bytes());
        Self(hash.finalize().into())
    }

    /// Adds the next message, which has this digest.
    pub(crate) fn add(&mut self, message: &MessageDigest) {
        let hash = Sha256::new_with_prefix(self.0).chain_update(message);
        self.0 = hash.finalize().into();
    }

    /// The signature below all of it.
    pub(crate) fn signed(&self, key: &SecretKey) -> Vec<u8> {
        key.sign(&self.bytes())
    }

    /// Whether `signature` is that of whoever has the other half of `key`, below all of it.
    pub(crate) fn has_signature(&self, key: &PublicKey, signature: &[u8]) -> bool {
        key.has_signed(&self.bytes(), signature)
    }

    fn bytes(&self) -> Vec<u8> {
        [PURPOSE, &self.0].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said in a session, in which the last message is signed by `key`.
    fn said(messages: &[&str], (run, session): (&str, u64)) -> Transcript {
        let mut transcript = Transcript::new(("lab", "a"), run, session);
        messages.iter().for_each(|message| transcript.add(&digest(message.as_bytes())));
        transcript
    }

    #[test]
    fn what_is_signed_is_no_text() {
        assert!(String::from_utf8(Transcript::default().bytes()).is_err());
    }

    #[test]
    fn a_signature_holds_for_all_that_was_said_in_its_session() {
        let key = SecretKey::generate();
        let signature = said(&["one", "two"], ("run", 1)).signed(&key);
        let holds = |said: Transcript| said.has_signature(&key.public(), &signature);
        assert!(holds(said(&["one", "two"], ("run", 1))));
        for (messages, place) in [
            (&["one", "2"][..], ("run", 1)),
            (&["two", "one"], ("run", 1)),
            (&["two"], ("run", 1)),
            (&["one", "two", "two"], ("run", 1)),
            (&["onetwo"], ("run", 1)),
            (&["one", "two"], ("run", 2)),
            (&["one", "two"], ("other", 1)),
        ] {
            assert!(!holds(said(messages, place)), "{messages:?} {place:?}");
        }
        let other = SecretKey::generate().public();
        assert!(!said(&["one", "two"], ("run", 1)).has_signature(&other, &signature));
        assert!(!said(&["one", "two"], ("run", 1)).has_signature(&key.public(), &[]));
    }
}
