//! The way to a NATS server: where it is, and how server and client know each other.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, Instant};

use async_nats::ConnectOptions;
use kneepoint_core::words::fault::Fault;

use super::pin::{Fingerprint, pinned};
use crate::key::SecretKey;

/// The way to a server.
#[derive(Debug)]
pub struct Door {
    /// Where it is.
    pub address: String,
    /// How server and client know each other.
    pub lock: Lock,
    /// What the connection is called in the server's records.
    pub name: String,
    /// A server that has only just been told of a key may refuse it for so long.
    pub refusals: Duration,
}

/// How server and client know each other.
#[derive(Debug)]
pub enum Lock {
    /// A server that a controller has started.
    Fleet {
        /// The server is known by the fingerprint of its certificate.
        fingerprint: Fingerprint,
        /// It knows who comes by this key.
        key: Box<SecretKey>,
    },
    /// A server of the user's own.
    Own(OwnServer),
}

/// A NATS server that the user runs, and has given this program a key for.
#[derive(Debug, Clone)]
pub struct OwnServer {
    /// Where it is.
    pub url: ServerUrl,
    /// What it lets in with; `None` if it lets everyone in.
    pub credentials: Option<Credentials>,
    /// File with the authorities that may have signed its certificate, in PEM; `None` for those of the
    /// system.
    pub authorities: Option<PathBuf>,
}

impl OwnServer {
    /// The way to it for whoever is called `name`.
    pub fn door(&self, name: &str) -> Door {
        Door {
            address: self.url.to_string(),
            lock: Lock::Own(self.clone()),
            name: name.to_owned(),
            refusals: Duration::ZERO,
        }
    }
}

/// Where a NATS server is: `nats://HOST:PORT`, which is encrypted if the server asks for it, or
/// `tls://HOST:PORT`, which always is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerUrl(String);

impl ServerUrl {
    /// Host and port.
    pub fn host_and_port(&self) -> (&str, u16) {
        let place = self.0.split_once("://").map_or("", |(_, place)| place);
        let port = place.rsplit_once(':').and_then(|(host, port)| Some((host, port.parse().ok()?)));
        port.unwrap_or((place, USUAL_PORT))
    }

    fn is_encrypted(&self) -> bool {
        self.0.starts_with("tls://")
    }
}

/// The port of NATS if none is named.
const USUAL_PORT: u16 = 4222;

impl fmt::Display for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ServerUrl {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        // Before a @ stand secrets, which no message repeats.
        if text.contains('@') {
            return Err(Fault::new("the URL of a server holds no user")
                .because("other users of this machine can read what is typed")
                .fix("name a file with what lets you in: --creds FILE"));
        }
        let place = ["nats://", "tls://"].iter().find_map(|scheme| text.strip_prefix(scheme));
        let wrong = |why: &str| {
            Fault::new(format!("'{text}' is no URL of a NATS server")).because(why).fix(
                "write nats://HOST:PORT, or tls://HOST:PORT for a connection that is encrypted",
            )
        };
        let place = place.ok_or_else(|| wrong("it begins with neither nats:// nor tls://"))?;
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, port.parse::<u16>().ok()),
            _ => (place, Some(USUAL_PORT)),
        };
        if host.is_empty() || host.contains(['/', '?', '#', ',', ' ']) {
            return Err(wrong("it names no host"));
        }
        match port {
            Some(1..) => Ok(Self(text.to_owned())),
            _ => Err(wrong("it names no port")),
        }
    }
}

/// What a server of the user's own lets in with: a secret, which is never printed.
#[derive(Clone)]
pub enum Credentials {
    /// A token that its operator has signed, and the key that belongs to it: the text of a `.creds` file.
    Token(String),
    /// A key.
    Key(String),
}

impl FromStr for Credentials {
    type Err = Fault;

    /// Reads the text of a `.creds` file, or the seed of an nkey.
    fn from_str(text: &str) -> Result<Self, Fault> {
        // What is wrong with a secret is not told.
        if ConnectOptions::with_credentials(text).is_ok() {
            return Ok(Self::Token(text.to_owned()));
        }
        match SecretKey::from_seed(text) {
            Ok(key) => Ok(Self::Key(key.seed())),
            Err(_) => Err(Fault::new("these are no credentials of NATS")
                .because("neither a token with its key (.creds) nor the seed of an nkey")
                .fix("let whoever runs the server make a .creds file: nsc generate creds")),
        }
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Token(_) => "Credentials::Token",
            Self::Key(_) => "Credentials::Key",
        })
    }
}

/// How long one tries to get through a door.
pub enum Knock {
    /// So long.
    For(Duration),
    /// As long as it is wanted.
    While(Box<dyn Fn() -> bool + Send>),
}

impl Knock {
    pub(super) fn is_over(&self, begun: Instant) -> bool {
        match self {
            Self::For(time) => begun.elapsed() >= *time,
            Self::While(is_wanted) => !is_wanted(),
        }
    }

    /// How long one attempt may take, which is `longest` at the most.
    pub(super) fn attempt_max(&self, longest: Duration) -> Duration {
        match self {
            Self::For(time) => longest.min(*time),
            Self::While(_) => longest,
        }
    }
}

impl Door {
    /// What opens it.
    pub(super) fn options(&self) -> Result<ConnectOptions, Fault> {
        let options = match &self.lock {
            Lock::Fleet { fingerprint, key } => ConnectOptions::with_nkey(key.seed())
                .tls_client_config(pinned(*fingerprint)?)
                .require_tls(true),
            Lock::Own(server) => own_options(server)?,
        };
        Ok(options.name(&self.name).custom_inbox_prefix(format!("_INBOX.{}", self.name)))
    }
}

fn own_options(server: &OwnServer) -> Result<ConnectOptions, Fault> {
    let options = match &server.credentials {
        None => ConnectOptions::new(),
        Some(Credentials::Key(seed)) => ConnectOptions::with_nkey(seed.clone()),
        Some(Credentials::Token(text)) => ConnectOptions::with_credentials(text)
            .map_err(|_| Fault::new("the credentials of NATS cannot be read"))?,
    };
    let options = options.require_tls(server.url.is_encrypted());
    Ok(match &server.authorities {
        None => options,
        Some(file) => options.add_root_certificates(file.clone()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_read_as_written() {
        for (text, place) in [
            ("nats://a.example:4280", ("a.example", 4280)),
            ("tls://a.example", ("a.example", 4222)),
            ("nats://[::1]:4280", ("[::1]", 4280)),
            ("tls://[::1]", ("[::1]", 4222)),
        ] {
            let url: ServerUrl = text.parse().unwrap();
            assert_eq!((url.to_string().as_str(), url.host_and_port()), (text, place));
            assert_eq!(url.is_encrypted(), text.starts_with("tls"));
        }
        for wrong in [
            "a:4222",
            "http://a:1",
            "nats://",
            "nats://:1",
            "nats://a:0",
            "tls://a:x",
            "nats://a/b",
        ] {
            assert!(wrong.parse::<ServerUrl>().is_err(), "{wrong}");
        }
        let fault = "nats://user:geheim@a:4222".parse::<ServerUrl>().unwrap_err();
        assert!(!format!("{fault:?}").contains("geheim"), "{fault:?}");
    }

    #[test]
    fn credentials_are_read_and_never_shown() {
        let key = SecretKey::generate();
        let file = format!(
            "-----BEGIN NATS USER JWT-----\neyJ0.eyJq.c2ln\n------END NATS USER JWT------\n\n\
             -----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
            key.seed()
        );
        let token: Credentials = file.parse().unwrap();
        let seed: Credentials = format!("{}\n", key.seed()).parse().unwrap();
        assert!(matches!(token, Credentials::Token(_)) && matches!(seed, Credentials::Key(_)));
        assert!(!format!("{token:?}{seed:?}").contains(&key.seed()));
        let fault = key.seed()[1..].parse::<Credentials>().unwrap_err();
        assert!(!format!("{fault:?}").contains(&key.seed()[1..]), "{fault:?}");
    }
}
