//! How a host becomes part of a fleet: a line that its controller prints, good for one host and for a while.

use std::fmt;
use std::str::FromStr;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use kneepoint_core::words::fault::Fault;

use crate::bus::{Bus, Door, Fingerprint, Knock, Lock, NatsBus};
use crate::key::{PublicKey, SecretKey};
use crate::wire::{Enrolled, Enrolment, PROTOCOL, encode, enrol_subject, enrolled_subject};

/// What the line begins with: its version.
const VERSION: &str = "kp1";

/// A controller answers within this time, or not at all.
const ANSWER: Duration = Duration::from_secs(30);

/// It is asked again after so long: a thousand hosts that come at once are answered within seconds.
const ASK_EVERY: Duration = Duration::from_secs(3);

/// A server has read its new list of keys within this time.
const RELOAD: Duration = Duration::from_secs(5);

/// All that a host needs to join a fleet.
#[derive(Debug)]
pub struct JoinLine {
    /// Host and port of the server.
    pub address: String,
    /// The fingerprint of its certificate.
    pub fingerprint: Fingerprint,
    /// The key that commands are signed with.
    pub controller: PublicKey,
    /// The name of the fleet.
    pub fleet: String,
    /// Lets one host in, once: a secret.
    pub token: SecretKey,
}

impl fmt::Display for JoinLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { address, fingerprint, controller, fleet, token } = self;
        write!(f, "{VERSION}:{address}:{fingerprint}:{controller}:{fleet}:{}", token.seed())
    }
}

impl FromStr for JoinLine {
    type Err = Fault;

    // The line holds a secret: no message repeats it.
    fn from_str(text: &str) -> Result<Self, Fault> {
        let wrong = |what: &str| {
            Fault::new(format!("this is no line to join a fleet with: {what}"))
                .fix("paste the whole line that `kneepoint hosts join` printed")
        };
        let rest = text.trim().strip_prefix(VERSION).and_then(|rest| rest.strip_prefix(':'));
        let rest = rest.ok_or_else(|| wrong("it does not begin with kp1:"))?;
        let mut parts = rest.rsplitn(5, ':');
        let mut part = || parts.next().ok_or_else(|| wrong("it is too short"));
        let token = SecretKey::from_seed(part()?).map_err(|_| wrong("its token cannot be read"))?;
        let fleet = part()?.to_owned();
        let controller = part()?.parse().map_err(|_| wrong("its key cannot be read"))?;
        let fingerprint = part()?.parse().map_err(|_| wrong("its fingerprint cannot be read"))?;
        let address = part()?.to_owned();
        if !is_name(&fleet) {
            return Err(wrong("it names no fleet"));
        }
        if address.rsplit_once(':').is_none_or(|(_, port)| port.parse::<u16>().is_err()) {
            return Err(wrong("it has no port"));
        }
        Ok(Self { address, fingerprint, controller, fleet, token })
    }
}

impl JoinLine {
    /// Asks to become the agent of `host` with `key`.
    ///
    /// # Errors
    /// When the server is out of reach or is another one, or the controller refuses.
    pub fn enrol(&self, host: &str, key: &PublicKey) -> Result<(), Fault> {
        let token = self.token.public().to_string();
        let key_of_token = Box::new(SecretKey::from_seed(&self.token.seed())?);
        let door = Door {
            address: self.address.clone(),
            lock: Lock::Fleet { fingerprint: self.fingerprint, key: key_of_token },
            name: host.to_owned(),
            refusals: RELOAD,
        };
        let bus = NatsBus::connect(door, Knock::For(ANSWER), |_| {})?;
        let own = (token.as_str(), &*key.to_string());
        let answers = bus.subscribe(&enrolled_subject(&self.fleet, own))?;
        let (host, key) = (host.to_owned(), key.clone());
        let enrolment = encode(&Enrolment { protocol: PROTOCOL, host, key });
        let silent = || {
            Fault::new("the controller does not answer")
                .because(format!("the server at {} is there, but nothing comes back", self.address))
                .fix("run `kneepoint hosts join` there again")
        };
        // What is said while a connection ends is lost: it is asked again until there is an answer.
        for _ in 0..ANSWER.as_secs() / ASK_EVERY.as_secs() {
            bus.publish(&enrol_subject(&self.fleet, own), enrolment.clone())?;
            match answers.recv_timeout(ASK_EVERY) {
                Ok(answer) => {
                    return match serde_json::from_slice(&answer.payload).map_err(|_| silent())? {
                        Enrolled::Welcome => Ok(()),
                        Enrolled::Refused(fault) => Err(fault),
                    };
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Err(silent())
    }
}

/// Whether `name` can be that of a host or a fleet: letters, digits, `-`, `_` and points between them.
pub fn is_name(name: &str) -> bool {
    let is_fine = |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
    name.len() <= 64
        && name.chars().all(is_fine)
        && name.starts_with(|first: char| first.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn line(address: &str) -> JoinLine {
        JoinLine {
            address: address.to_owned(),
            fingerprint: Fingerprint::of(b"certificate"),
            controller: SecretKey::generate().public(),
            fleet: "lab".to_owned(),
            token: SecretKey::generate(),
        }
    }

    #[test]
    fn a_line_is_read_as_it_was_printed() {
        for address in ["storage.example:4280", "[::1]:4280", "192.0.2.7:1"] {
            let line = line(address);
            let again: JoinLine = format!(" {line}\n").parse().unwrap();
            assert_eq!(again.to_string(), line.to_string());
            assert_eq!(again.address, address);
        }
    }

    #[test]
    fn what_is_no_line_is_refused_without_its_secret() {
        let line = line("a:1").to_string();
        let seed = line.rsplit(':').next().unwrap();
        for wrong in [
            &line[4..],
            &line[..line.len() - 1],
            "",
            "kp1:",
            "kp1:a:1:b",
            &line.replace(":lab:", ":*:"),
        ] {
            let fault = wrong.parse::<JoinLine>().unwrap_err();
            assert!(!format!("{fault:?}").contains(seed), "{fault:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_line_or_none(text: String) {
            let _ = text.parse::<JoinLine>();
        }
    }

    #[test]
    fn names_can_be_words_of_subjects() {
        for name in ["a", "node-01", "db_1.example"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "*", "a b", ">", ".a", "a~b", "ä", &"a".repeat(65)] {
            assert!(!is_name(name), "{name}");
        }
    }
}
