//! The configuration of the server: a listener for clients with TLS, and lists of what each may do.

use std::fmt;
use std::path::Path;

use super::ServerIdentity;
use crate::key::PublicKey;
use crate::wire::{
    ACCOUNT, command_subject, disconnect_subject, enrol_subject, enrolled_subject, gone_subject,
    presence_subject, word_subject,
};

/// More bytes than this are no message of a fleet: the plan of a thousand targets is shorter.
const PAYLOAD_MAX: usize = 8 << 20;

/// Who is let in, and as what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// The controller of a fleet.
    Controller {
        /// The fleet.
        fleet: String,
        /// What it connects with.
        key: PublicKey,
    },
    /// Whoever is told which connections end.
    Watcher {
        /// What it connects with.
        key: PublicKey,
    },
    /// The agent of a host.
    Agent {
        /// The fleet.
        fleet: String,
        /// The host.
        host: String,
        /// What it connects with.
        key: PublicKey,
    },
    /// Someone with a token, who may ask to become an agent.
    Newcomer {
        /// The fleet.
        fleet: String,
        /// The public half of the token.
        token: PublicKey,
    },
}

/// What one may do: subjects to publish on and to subscribe to. Nothing else is allowed.
pub struct Rights {
    /// Subjects to publish on.
    pub publish: Vec<String>,
    /// Subjects to subscribe to.
    pub subscribe: Vec<String>,
}

impl Access {
    const fn key(&self) -> &PublicKey {
        match self {
            Self::Controller { key, .. } | Self::Watcher { key } | Self::Agent { key, .. } => key,
            Self::Newcomer { token, .. } => token,
        }
    }

    /// What the controller of `fleet` does, whoever runs the server.
    pub fn rights_of_controller(fleet: &str) -> Rights {
        Rights {
            publish: vec![command_subject(fleet, "*")],
            subscribe: vec![
                word_subject((fleet, "*"), "*"),
                presence_subject(fleet, "*"),
                gone_subject(fleet, "*"),
            ],
        }
    }

    /// What the agent of `host` does.
    pub fn rights_of_agent(fleet: &str, host: &str) -> Rights {
        Rights {
            publish: vec![
                word_subject((fleet, "*"), host),
                presence_subject(fleet, host),
                gone_subject(fleet, host),
            ],
            subscribe: vec![command_subject(fleet, host)],
        }
    }

    fn rights(&self) -> Rights {
        match self {
            Self::Controller { fleet, .. } => {
                let Rights { mut publish, mut subscribe } = Self::rights_of_controller(fleet);
                // It says who has gone as its server tells it, and lets hosts join.
                publish.extend([gone_subject(fleet, "*"), enrolled_subject(fleet, ("*", "*"))]);
                subscribe.push(enrol_subject(fleet, ("*", "*")));
                Rights { publish, subscribe }
            }
            Self::Watcher { .. } => {
                Rights { publish: Vec::new(), subscribe: vec![disconnect_subject()] }
            }
            Self::Agent { fleet, host, .. } => Self::rights_of_agent(fleet, host),
            Self::Newcomer { fleet, token } => Rights {
                publish: vec![enrol_subject(fleet, (&token.to_string(), "*"))],
                subscribe: vec![enrolled_subject(fleet, (&token.to_string(), "*"))],
            },
        }
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rights { publish, subscribe } = self.rights();
        let (publish, subscribe) = (List(&publish), List(&subscribe));
        write!(
            f,
            "{{ nkey: {}, permissions: {{ publish: {{ allow: {publish} }}, \
             subscribe: {{ allow: {subscribe} }} }} }}",
            self.key()
        )
    }
}

/// A list of subjects; an empty one would allow everything.
struct List<'a>(&'a [String]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted: Vec<String> = self.0.iter().map(|subject| format!("\"{subject}\"")).collect();
        match quoted.is_empty() {
            true => f.write_str("[\"kneepoint.nothing\"]"),
            false => write!(f, "[{}]", quoted.join(", ")),
        }
    }
}

/// The configuration.
pub(super) struct Config<'a> {
    /// What it shows.
    pub(super) identity: &'a ServerIdentity,
    /// Address and port.
    pub(super) listen: &'a str,
    /// Who is let in.
    pub(super) access: &'a [Access],
}

impl fmt::Display for Config<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = |path: &Path| quoted(&path.to_string_lossy());
        let ServerIdentity { certificate, key, .. } = self.identity;
        let (watchers, members): (Vec<&Access>, Vec<&Access>) =
            self.access.iter().partition(|access| matches!(access, Access::Watcher { .. }));
        // In an order of their own: the same people make the same text, whoever came first.
        let users = |all: &[&Access]| -> String {
            let mut lines: Vec<String> =
                all.iter().map(|access| format!("    {access}\n")).collect();
            lines.sort();
            lines.concat()
        };
        writeln!(f, "# Written by Kneepoint for the time that it runs. Changes are lost.")?;
        writeln!(f, "listen: {}", quoted(self.listen))?;
        writeln!(f, "max_payload: {PAYLOAD_MAX}")?;
        // A client that does not answer within 10 to 15 seconds is gone; the lease ends before.
        writeln!(f, "ping_interval: \"5s\"\nping_max: 2")?;
        writeln!(f, "tls {{")?;
        writeln!(f, "  cert_file: {}\n  key_file: {}", path(certificate), path(key))?;
        // A thousand agents that come at once wait for each other.
        writeln!(f, "  timeout: 20\n}}")?;
        writeln!(f, "system_account: SYS\naccounts {{")?;
        writeln!(f, "  SYS {{ users: [\n{}  ] }}", users(&watchers))?;
        writeln!(f, "  {ACCOUNT} {{ users: [\n{}  ] }}\n}}", users(&members))
    }
}

/// A string of the configuration.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::Fingerprint;
    use crate::key::SecretKey;

    fn text(access: &[Access]) -> String {
        let identity = ServerIdentity {
            certificate: "/run/fleet/identity.pem".into(),
            key: "/run/fleet/identity.key".into(),
            fingerprint: Fingerprint::of(b"certificate"),
        };
        Config { identity: &identity, listen: "127.0.0.1:4280", access }.to_string()
    }

    #[test]
    fn an_agent_may_speak_for_its_host_alone() {
        let key = SecretKey::generate().public();
        let (fleet, host) = ("lab".to_owned(), "a.example".to_owned());
        let text = text(&[Access::Agent { fleet, host, key: key.clone() }]);
        let line = text.lines().find(|line| line.contains(&key.to_string())).unwrap();
        let expected = "publish: { allow: [\"kneepoint.lab.word.*.a~example\", \
                        \"kneepoint.lab.here.a~example\", \"kneepoint.lab.gone.a~example\"] }, \
                        subscribe: { allow: [\"kneepoint.lab.command.a~example\"] }";
        assert!(line.contains(expected), "{line}");
    }

    #[test]
    fn nothing_but_the_listener_for_clients_is_opened_and_nothing_is_left_to_everyone() {
        let key = SecretKey::generate().public();
        let text = text(&[Access::Watcher { key }]);
        for absent in
            ["http", "jetstream", "cluster", "leafnodes", "websocket", "mqtt", "no_auth_user"]
        {
            assert!(!text.contains(absent), "{absent}");
        }
        assert!(!text.contains("allow: []"), "an empty list allows everything: {text}");
        assert!(text.contains("tls {") && text.contains("listen: \"127.0.0.1:4280\""));
    }

    #[test]
    fn the_same_people_make_the_same_text() {
        let agent = |host: &str| Access::Agent {
            fleet: "lab".to_owned(),
            host: host.to_owned(),
            key: SecretKey::generate().public(),
        };
        let [a, b] = ["a", "b"].map(agent);
        assert_eq!(text(&[a.clone(), b.clone()]), text(&[b, a.clone()]));
        assert_ne!(text(&[a.clone(), agent("b")]), text(&[a]));
    }

    #[test]
    fn paths_are_quoted() {
        assert_eq!(quoted(r#"/a "b"\c"#), r#""/a \"b\"\\c""#);
    }
}
