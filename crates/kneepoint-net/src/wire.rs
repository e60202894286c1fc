//! What controller and agents say to each other.
//!
//! Everything is JSON but the intervals of a point, of which there are many: they are packed.

use std::ops::Range;

use kneepoint_core::load::drive::IoFault;
use kneepoint_core::load::record::interval::{IntervalRecord, Shape};
use kneepoint_core::load::record::recorder::Straddler;
use kneepoint_core::measure::Copied;
use kneepoint_core::measure::metering::{MeterRequest, ServerReading};
use kneepoint_core::measure::search::Visit;
use kneepoint_core::measure::trust::Observation;
use kneepoint_core::plan::resolve::{FoundTarget, TargetRequest};
use kneepoint_core::plan::{Caching, Engine, Plan, TargetPlan};
use kneepoint_core::result::simulated::Simulated;
use kneepoint_core::result::warning::SettingChange;
use kneepoint_core::result::{Environment, Warning};
use kneepoint_core::spec::factor::Factors;
use kneepoint_core::spec::file_copy::{CopyCache, CopyMethod};
use kneepoint_core::spec::profile::ResolvedProfile;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::units::Nanos;
use serde::{Deserialize, Serialize};

use crate::key::PublicKey;

/// The version of these messages; controller and agents must have the same. What keeps its form in all
/// versions, so that they can say so, is in the module `version`.
pub const PROTOCOL: u32 = 7;

/// The account of a fleet's members at its server.
pub const ACCOUNT: &str = "KNEEPOINT";

/// The subject on which the agent of `host` hears the controller of `fleet`.
pub fn command_subject(fleet: &str, host: &str) -> String {
    format!("kneepoint.{fleet}.command.{}", as_word(host))
}

/// The subject on which a controller of `fleet` hears the agent of `host` in a run; `*` for all hosts.
pub fn word_subject((fleet, run): (&str, &str), host: &str) -> String {
    format!("kneepoint.{fleet}.word.{run}.{}", as_word(host))
}

/// The subject on which an agent says that it is there, whoever its controller is; `*` for all hosts.
pub fn presence_subject(fleet: &str, host: &str) -> String {
    format!("kneepoint.{fleet}.here.{}", as_word(host))
}

/// The subject on which it is said that the agent of `host` has gone; `*` for all hosts.
pub fn gone_subject(fleet: &str, host: &str) -> String {
    format!("kneepoint.{fleet}.gone.{}", as_word(host))
}

/// The subject on which whoever has a token asks to join with a key; `*` for all tokens, or all keys.
pub fn enrol_subject(fleet: &str, (token, key): (&str, &str)) -> String {
    format!("kneepoint.{fleet}.enrol.{token}.{key}")
}

/// The subject on which that is answered. Hosts that join by one line have the same token: each hears what
/// it is answered itself, and nothing of the others.
pub fn enrolled_subject(fleet: &str, (token, key): (&str, &str)) -> String {
    format!("kneepoint.{fleet}.enrolled.{token}.{key}")
}

/// The subject on which a server says which connections of the account have ended.
pub fn disconnect_subject() -> String {
    format!("$SYS.ACCOUNT.{ACCOUNT}.DISCONNECT")
}

/// The name of a host as a word of a subject, which has no points.
pub fn as_word(host: &str) -> String {
    host.replace('.', "~")
}

/// The host whose word it is.
pub fn host_of_word(word: &str) -> String {
    word.replace('~', ".")
}

/// What is asked of an agent about targets that it is to look at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookRequest {
    /// The targets as they are called on the host.
    pub targets: Vec<String>,
    /// What is asked of each.
    pub request: TargetRequest,
    /// How I/O is issued; `None` for the best that works.
    pub engine: Option<Engine>,
    /// Past the page cache or through it.
    pub caching: Caching,
    /// The settings that the run varies, by name; `None` if none are.
    pub factors: Option<Factors>,
}

/// A point of the plan that an agent has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedPoint {
    /// Which of the plan's series.
    pub series: usize,
    /// The load level.
    pub load: LoadLevel,
    /// Which repetition.
    pub repetition: u32,
    /// The visit of a search that it is.
    pub visit: Option<Visit>,
}

/// A message with its place in the conversation of the controller with one agent.
///
/// The controller begins a session by greeting, with a number that no session had before, and the agent
/// answers in it. Either side counts what it says; the other side takes every message once and in order,
/// whatever the bus makes of them, and gives the session up if one is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Numbered<T> {
    /// The session.
    pub session: u64,
    /// Messages of the same sender before it, in the session.
    pub number: u64,
    /// The message. One that only says that its sender is there is not counted itself.
    pub message: T,
}

impl<T> Numbered<T> {
    /// The same place for what `change` makes of the message.
    fn map<U>(self, change: impl FnOnce(T) -> U) -> Numbered<U> {
        let Self { session, number, message } = self;
        Numbered { session, number, message: change(message) }
    }
}

/// What the controller says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Is answered, one after the other.
    Call {
        /// Number of the call.
        call: u64,
        /// What is asked.
        request: Request,
    },
    /// The point begins, at this time of the agent's clock or at once.
    Begin {
        /// The call that it belongs to.
        call: u64,
        /// When.
        at: Option<Nanos>,
    },
    /// Virtual time may go on to the end of this interval.
    GoOn {
        /// The call that the point belongs to.
        call: u64,
        /// Number of the interval.
        interval: u64,
    },
    /// The point ends.
    End {
        /// The call that it belongs to.
        call: u64,
        /// The intervals that count; nothing if the point is given up.
        counted: Option<Range<usize>>,
    },
    /// The controller is there.
    Alive,
    /// The controller goes: targets are closed, settings put back.
    Leave,
}

/// What is asked of an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Who are you, and what time is it there?
    Greet {
        /// [`PROTOCOL`].
        protocol: u32,
        /// Whoever does not hear the other for so long gives up what goes on.
        lease: Nanos,
    },
    /// Look at targets.
    Look(Box<LookRequest>),
    /// Choose the engine for a profile.
    Choose(Box<ResolvedProfile>),
    /// Look whether a plan could be measured here, and where the settings that it varies stand.
    Check(Box<Plan>),
    /// Take a plan: look whether it can be measured here.
    Adopt(Box<Plan>),
    /// Wait before each point for a quiet machine.
    WaitForQuiet {
        /// So long at the most in the whole run; `None` to say only whether it is busy now.
        longest: Option<Nanos>,
    },
    /// Make ready for a point.
    Prepare(NamedPoint),
    /// What is it measured on?
    Describe,
    /// Measure a point.
    Measure {
        /// Which one.
        point: NamedPoint,
        /// The number that the first target here has among those of all hosts at this point.
        first_target: u32,
    },
    /// Make a copy of the files that the plan says.
    Copy {
        /// The number of the target here beside which it is made.
        target: usize,
        /// The function that copies.
        method: CopyMethod,
        /// With or without the page cache.
        cache: CopyCache,
        /// How many copies of this kind come before it.
        repetition: u32,
    },
    /// What does the machine of a server do?
    Meter(MeterRequest),
    /// Let what is in flight come back.
    Rest,
    /// Close the targets.
    Release,
    /// Close the targets and put everything back.
    Finish,
}

/// What an agent says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Word {
    /// The answer to a call.
    Answer {
        /// Which call.
        call: u64,
        /// The answer.
        answer: Result<Answer, Refusal>,
    },
    /// The workers of a point are ready.
    Ready {
        /// The call that it belongs to.
        call: u64,
        /// Its ramp, which is longer if nothing is in flight.
        ramp: Nanos,
    },
    /// I/Os that ended after the last interval that counts.
    Straddlers {
        /// The call that the point belongs to.
        call: u64,
        /// They.
        straddlers: Vec<Straddler>,
    },
    /// The load has ended by itself before the controller has ended the point, as it does after too many
    /// errors.
    Ended {
        /// The call that the point belongs to.
        call: u64,
    },
    /// A line for the user.
    Note(String),
    /// Something that takes long has come so far.
    Busy {
        /// What it is.
        what: String,
        /// Bytes of it that are done, and all of them, if it is a matter of bytes.
        bytes: Option<[u64; 2]>,
    },
    /// The agent is there.
    Alive,
}

/// Why an agent did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Refusal {
    /// It was asked to stop.
    Stopped,
    /// It serves another controller, and may be free before long.
    Busy(Fault),
    /// It cannot.
    Fault(Fault),
}

/// What an agent answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Answer {
    /// Done.
    Done,
    /// Who it is.
    Greeting(Greeting),
    /// The targets, and the CPUs that the generator may use.
    Found {
        /// In the order in which they were asked for.
        targets: Vec<FoundTarget>,
        /// CPUs.
        cpus: usize,
        /// Bytes that are written to each before it is measured.
        layout_bytes: Vec<u64>,
    },
    /// The engine for a profile.
    Engine(Engine),
    /// Where the settings that a plan varies stand: the name of the factor, and the place.
    Checked(Vec<(String, String)>),
    /// Ready for a point: what was noticed.
    Prepared {
        /// Warnings of the run.
        warnings: Vec<Warning>,
        /// The targets at the levels of the point, where they are others than the plan's.
        targets: Option<Vec<TargetPlan>>,
    },
    /// What it is measured on, and what limits the trust in it.
    Described {
        /// The host and its targets.
        environment: Box<Environment>,
        /// Limits.
        limits: Vec<Warning>,
    },
    /// How a point ended.
    Measured(Box<PartEnd>),
    /// The copy that was made.
    Copied(Copied),
    /// What the machine of a server did so far.
    Metered(Box<ServerReading>),
    /// What could not be put back.
    Finished(Vec<String>),
}

/// Who an agent is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Greeting {
    /// [`PROTOCOL`] there.
    pub protocol: u32,
    /// Version of the program.
    pub version: String,
    /// Which machine it is: agents of one machine say the same.
    pub machine: String,
    /// Its monotonic clock.
    pub now: Nanos,
    /// What it chose for the run; every later command must name it.
    pub nonce: String,
}

/// How a host's part of a point ended.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartEnd {
    /// Operations that completed in its intervals, by which averages over hosts are weighted.
    pub operations: u64,
    /// Failed I/Os of each of its targets over the whole point.
    pub errors: Vec<u64>,
    /// The first of them.
    pub error_samples: Vec<IoFault>,
    /// I/Os that never came back.
    pub lost: u64,
    /// Workers that hang in the kernel.
    pub stuck: usize,
    /// Time for which the generator did not run.
    pub paused: Nanos,
    /// How long after the common start the load began.
    pub late: Nanos,
    /// CPU time of the generator in percent of one CPU.
    pub cpu_percent: f64,
    /// What was seen of the machine.
    pub observations: Vec<Observation>,
    /// Why a simulated system was as fast as it was.
    pub simulated: Option<Simulated>,
    /// What limits the trust in the point.
    pub warnings: Vec<Warning>,
    /// Settings that someone else changed.
    pub foreign_settings: Vec<SettingChange>,
}

/// What an agent says of itself to whoever controls the fleet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Presence {
    /// [`PROTOCOL`] there.
    pub protocol: u32,
    /// Version of the program.
    pub version: String,
    /// The other half of the key that it signs its answers with.
    pub key: PublicKey,
    /// What a controller may use there, for people.
    pub targets: Vec<String>,
    /// Whether it serves a controller.
    pub state: AgentState,
}

/// What an agent does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentState {
    /// It waits for a controller.
    Free,
    /// It serves one.
    Busy,
}

/// What someone with a token says, to become the agent of a host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Enrolment {
    /// [`PROTOCOL`] there.
    pub protocol: u32,
    /// The host.
    pub host: String,
    /// The key that its agent has made.
    pub key: PublicKey,
}

/// What it is answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Enrolled {
    /// It may connect with its key from now on.
    Welcome,
    /// It may not.
    Refused(Fault),
}

/// First byte of what is packed: no JSON begins with it.
const PACKED: u8 = 0;

/// First byte of what is signed: no JSON begins with it either.
const SIGNED: u8 = 1;

/// A signature of Ed25519 has this many bytes (RFC 8032, 5.1.6).
pub(crate) const SIGNATURE: usize = 64;

/// More bytes than this are no intervals of a host: those of a second of a thousand targets are fewer.
const UNPACKED_MAX: usize = 64 << 20;

/// Intervals of a point, packed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packed {
    /// The call that the point belongs to.
    pub call: u64,
    /// The intervals in their order.
    pub records: Vec<IntervalRecord>,
}

/// A message as bytes.
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    serde_json::to_vec(message).expect("messages are plain data")
}

/// Intervals as bytes.
pub fn encode_records(packed: &Numbered<Packed>) -> Vec<u8> {
    let plain = postcard::to_allocvec(packed).expect("intervals are plain data");
    let mut bytes = vec![PACKED];
    bytes.extend(lz4_flex::compress_prepend_size(&plain));
    bytes
}

/// A message as bytes, behind the signature of whoever says it.
pub(crate) fn encode_signed(signature: &[u8], body: &[u8]) -> Vec<u8> {
    [&[SIGNED], signature, body].concat()
}

/// The signature and the rest of what an agent said; what is not signed is all rest.
pub(crate) fn split_signature(bytes: &[u8]) -> (Option<&[u8]>, &[u8]) {
    let signed = bytes.strip_prefix(&[SIGNED]).and_then(|rest| rest.split_at_checked(SIGNATURE));
    signed.map_or((None, bytes), |(signature, body)| (Some(signature), body))
}

/// What an agent said.
#[derive(Debug, Clone, PartialEq)]
pub enum Heard {
    /// A word.
    Word(Word),
    /// Intervals.
    Records(Packed),
}

/// What an agent that measures something of this `shape` said; `None` for what no agent says.
pub fn decode_word(bytes: &[u8], shape: Shape) -> Option<Numbered<Heard>> {
    let (_, body) = split_signature(bytes);
    match body.first()? {
        &PACKED => Some(decode_records(body, shape)?.map(Heard::Records)),
        _ => Some(serde_json::from_slice::<Numbered<Word>>(body).ok()?.map(Heard::Word)),
    }
}

/// Intervals of a host with this `shape`; `None` if the bytes hold no such intervals.
pub fn decode_records(bytes: &[u8], shape: Shape) -> Option<Numbered<Packed>> {
    let (first, rest) = bytes.split_first()?;
    let size = u32::from_le_bytes(rest.get(..4)?.try_into().ok()?);
    if *first != PACKED || size as usize > UNPACKED_MAX {
        return None;
    }
    let plain = lz4_flex::decompress_size_prepended(rest).ok()?;
    let packed: Numbered<Packed> = postcard::from_bytes(&plain).ok()?;
    packed.message.records.iter().all(|record| record.has_shape(shape)).then_some(packed)
}

#[cfg(test)]
mod tests {
    use kneepoint_core::load::record::recorder::{Completed, Recorder};
    use proptest::prelude::*;

    use super::*;

    /// An interval of 2 targets in which these response times (in ns) were measured.
    fn record(latencies: &[(u32, u64)]) -> IntervalRecord {
        let mut recorder = Recorder::new(0..2, 2);
        for (target, latency) in latencies {
            let latency = Nanos(*latency);
            let (target, class) = (target % 2, (latency.0 % 2) as usize);
            recorder.complete(Completed { target, class, bytes: 4096, latency, lag: Nanos::ZERO });
        }
        recorder.close()
    }

    proptest! {
        #[test]
        fn intervals_come_out_as_they_went_in(
            latencies in proptest::collection::vec((0u32..2, 0u64..1 << 40), 0..200),
            call: u64,
        ) {
            let message = Packed { call, records: vec![record(&latencies)] };
            let packed = Numbered { session: 1, number: call, message };
            let bytes = encode_records(&packed);
            prop_assert_eq!(decode_records(&bytes, Shape::io(2)), Some(packed.clone()));
            let heard = packed.map(Heard::Records);
            prop_assert_eq!(decode_word(&bytes, Shape::io(2)), Some(heard));
            prop_assert_eq!(decode_records(&bytes, Shape::io(3)), None);
        }

        #[test]
        fn any_bytes_are_a_word_or_nothing(bytes: Vec<u8>, packed: bool) {
            let bytes = if packed { [vec![PACKED], bytes].concat() } else { bytes };
            let _ = decode_word(&bytes, Shape::io(2));
        }
    }

    #[test]
    fn what_claims_to_be_huge_is_not_unpacked() {
        let mut bytes = vec![PACKED];
        bytes.extend(u32::MAX.to_le_bytes());
        assert_eq!(decode_records(&bytes, Shape::io(1)), None);
        assert_eq!(decode_word(&[], Shape::io(1)), None);
    }
}
