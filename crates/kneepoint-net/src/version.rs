//! What controller and agents of different versions understand of each other: enough to tell their users.
//!
//! It keeps its form in all versions of the messages: the subjects; `protocol` and `version` in what an agent
//! says of itself; how commands are signed; in a greeting the fleet, the host, the run, the session, the
//! number, the call and `protocol`; and how a call is refused.

use kneepoint_core::words::fault::Fault;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::seal::Caller;
use crate::wire::{PROTOCOL, Presence};

/// The version of this program.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The version of an agent that speaks another one than this program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherVersion {
    /// The version of its messages.
    pub protocol: u32,
    /// Version of its program.
    pub version: String,
}

impl OtherVersion {
    /// That the agent of `host` cannot be spoken with.
    pub fn fault(&self, host: &str) -> Fault {
        let Self { protocol, version } = self;
        Fault::new(format!("{host} speaks another version of Kneepoint"))
            .because(format!(
                "its agent is of version {version} with protocol {protocol}, this controller of \
                 version {VERSION} with protocol {PROTOCOL}"
            ))
            .fix(format!(
                "use the same version of Kneepoint on all hosts: replace the program on {host} or \
                 here, and start `kneepoint agent` there again"
            ))
    }
}

/// An agent that says that it is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum There {
    /// It speaks this version.
    Same(Presence),
    /// It speaks another one.
    Other(OtherVersion),
}

impl There {
    /// Reads what an agent says of itself; `None` for what no agent says.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let version: OtherVersion = serde_json::from_slice(bytes).ok()?;
        match version.protocol {
            PROTOCOL => serde_json::from_slice(bytes).ok().map(Self::Same),
            _ => Some(Self::Other(version)),
        }
    }

    /// The agent, if it speaks this version.
    pub const fn same(&self) -> Option<&Presence> {
        match self {
            Self::Same(presence) => Some(presence),
            Self::Other(_) => None,
        }
    }
}

/// A greeting of any version, as far as all of them have it.
#[derive(Debug)]
pub(crate) struct AnyGreeting {
    pub(crate) fleet: String,
    pub(crate) host: String,
    pub(crate) protocol: u32,
    /// Who greets.
    pub(crate) caller: Caller,
}

impl AnyGreeting {
    /// Reads a command; `None` if it is no greeting.
    pub(crate) fn decode(body: &[u8]) -> Option<Self> {
        let said: Value = serde_json::from_slice(body).ok()?;
        let text = |name: &str| Some(said.get(name)?.as_str()?.to_owned());
        let command = said.get("command")?;
        let number = |place: &str| command.pointer(place)?.as_u64();
        Some(Self {
            fleet: text("fleet")?,
            host: text("host")?,
            protocol: number("/message/call/request/greet/protocol")?.try_into().ok()?,
            caller: Caller {
                run: text("run")?,
                session: number("/session")?,
                number: number("/number")?,
                call: number("/message/call/call")?,
            },
        })
    }

    /// Why an agent of this version does not answer it.
    pub(crate) fn fault(&self) -> Fault {
        let protocol = self.protocol;
        Fault::new("the agent and its controller are of different versions of Kneepoint")
            .because(format!(
                "the agent is of version {VERSION}: it speaks protocol {PROTOCOL}, the controller \
                 {protocol}"
            ))
            .fix("use the same version of Kneepoint on all hosts")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::key::SecretKey;
    use crate::wire::{AgentState, encode};

    #[test]
    fn an_agent_of_another_version_is_known_by_what_all_versions_say() {
        let same = Presence {
            protocol: PROTOCOL,
            version: "9.0.0".to_owned(),
            key: SecretKey::generate().public(),
            targets: Vec::new(),
            state: AgentState::Free,
        };
        assert_eq!(There::decode(&encode(&same)), Some(There::Same(same.clone())));
        let other = format!(
            "{{\"state\": \"asleep\", \"protocol\": {}, \"version\": \"9.1.0\"}}",
            PROTOCOL + 1
        );
        let there = There::decode(other.as_bytes()).unwrap();
        assert_eq!(there.same(), None);
        let There::Other(version) = there else { panic!("{there:?}") };
        let fault = version.fault("b");
        assert_eq!(fault.what(), "b speaks another version of Kneepoint");
        let why = fault.why().unwrap();
        assert!(why.contains("its agent is of version 9.1.0 with protocol"), "{why}");
        assert!(why.contains(&format!("this controller of version {VERSION}")), "{why}");
        let fix = fault.fix_hint().unwrap();
        assert!(fix.contains("replace the program on b or here"), "{fix}");
        let damaged = other.replace(&(PROTOCOL + 1).to_string(), &PROTOCOL.to_string());
        assert_eq!(There::decode(damaged.as_bytes()), None, "this version says more");
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_greeting_or_none(bytes: Vec<u8>, text: String) {
            let _ = (AnyGreeting::decode(&bytes), There::decode(&bytes));
            let _ = (AnyGreeting::decode(text.as_bytes()), There::decode(text.as_bytes()));
        }
    }
}
