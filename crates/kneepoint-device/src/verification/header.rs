//! The first lines of a journal: readable with `head`.

use kneepoint_core::words::seed;

use super::sector::{Identity, SECTOR};

/// First line of every journal, without its version.
const MAGIC: &str = "KNEEPOINT VERIFICATION JOURNAL ";

/// Version of what is written and read. In 2 the header has the next generation and the sum of the live map.
const VERSION: u32 = 2;

/// How far what the journal is about has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// The target is being laid out: nothing can be said of its data.
    LayingOut,
    /// A run writes, or was killed while it did.
    Open,
    /// Everything was written, and is durable.
    Closed,
    /// A run that is not verified has written to the target since.
    Void,
}

impl State {
    const NAMES: [(Self, &str); 4] = [
        (Self::LayingOut, "laying_out"),
        (Self::Open, "open"),
        (Self::Closed, "closed"),
        (Self::Void, "void"),
    ];

    fn name(self) -> &'static str {
        Self::NAMES.into_iter().find(|(state, _)| *state == self).map_or("", |(_, name)| name)
    }

    fn of(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|(_, known)| *known == name).map(|(state, _)| state)
    }
}

/// What the first lines say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    /// The larger of two copies is the newer.
    pub(super) sequence: u64,
    pub(super) state: State,
    pub(super) identity: Identity,
    /// Bytes of the target that are verified, from its start: a multiple of `unit_bytes`.
    pub(super) size_bytes: u64,
    /// Bytes that have a generation together: a power of two, at least a sector.
    pub(super) unit_bytes: u64,
    /// Hash of the plan.
    pub(super) plan_hash: String,
    /// The boot of the machine that wrote last: another one says that the power may have failed.
    pub(super) boot: String,
    /// Every generation that was ever given is below this.
    pub(super) reserved: u64,
    /// Of what was known when this was written, every generation that was given is below this.
    pub(super) next: u64,
    /// Which of the two lists of generations is the last whole one.
    pub(super) list: u32,
    /// CRC-32C of that list.
    pub(super) list_sum: u32,
    /// CRC-32C of the live map; only of a closed journal.
    pub(super) map_sum: u32,
}

/// Every generation is below this.
pub(super) const GENERATION_END: u64 = 1 << 48;

impl Header {
    /// The text.
    pub(super) fn to_text(&self) -> String {
        let Self { sequence, identity: Identity { run, seed }, size_bytes, unit_bytes, .. } = self;
        let Self { plan_hash, boot, reserved, next, list, list_sum, map_sum, state, .. } = self;
        let state = state.name();
        let body = format!(
            "{MAGIC}{VERSION}\nsequence={sequence}\nstate={state}\nrun={run:016x}\nseed={seed}\n\
             size={size_bytes}\nunit={unit_bytes}\nplan={plan_hash}\nboot={boot}\n\
             reserved={reserved}\nnext={next}\nlist={list}\nlist_sum={list_sum:08x}\n\
             map_sum={map_sum:08x}\n"
        );
        with_check(&body, *sequence)
    }

    /// Reads one of the copies; `None` for anything that is not exactly one.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let text = bytes.split(|byte| *byte == 0).next()?;
        let text = std::str::from_utf8(text).ok()?;
        let mut lines = text.lines();
        if lines.next()?.strip_prefix(MAGIC)?.parse() != Ok(VERSION) {
            return None;
        }
        let mut field = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix('=');
        let header = Self {
            sequence: field("sequence")?.parse().ok()?,
            state: State::of(field("state")?)?,
            identity: Identity {
                run: u64::from_str_radix(field("run")?, 16).ok()?,
                seed: field("seed")?.parse().ok()?,
            },
            size_bytes: field("size")?.parse().ok()?,
            unit_bytes: field("unit")?.parse().ok()?,
            plan_hash: field("plan")?.to_owned(),
            boot: field("boot")?.to_owned(),
            reserved: field("reserved")?.parse().ok()?,
            next: field("next")?.parse().ok()?,
            list: field("list")?.parse().ok()?,
            list_sum: u32::from_str_radix(field("list_sum")?, 16).ok()?,
            map_sum: u32::from_str_radix(field("map_sum")?, 16).ok()?,
        };
        (header.is_possible() && header.to_text() == text).then_some(header)
    }

    fn is_possible(&self) -> bool {
        let Self { size_bytes, unit_bytes, reserved, next, list, .. } = *self;
        let is_unit = unit_bytes.is_power_of_two() && unit_bytes >= SECTOR as u64;
        is_unit
            && size_bytes > 0
            && size_bytes < 1 << 60
            && size_bytes.is_multiple_of(unit_bytes)
            && (1..=GENERATION_END).contains(&reserved)
            && (1..=GENERATION_END).contains(&next)
            && list < 2
    }

    /// How many units there are.
    pub(super) const fn units(&self) -> usize {
        (self.size_bytes / self.unit_bytes) as usize
    }
}

/// The text of a header, with its last line.
fn with_check(body: &str, sequence: u64) -> String {
    format!("{body}check={:016x}\n", seed::derive(0, body, sequence))
}

/// The version of the whole header that `bytes` begin with, if it is one of ours and not [`VERSION`].
pub(super) fn other_version(bytes: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(bytes.split(|byte| *byte == 0).next()?).ok()?;
    let body = &text[..text.rfind("check=")?];
    let mut lines = body.lines();
    let version = lines.next()?.strip_prefix(MAGIC)?.parse().ok()?;
    let sequence = lines.next()?.strip_prefix("sequence=")?.parse().ok()?;
    (version != VERSION && with_check(body, sequence) == text).then_some(version)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::Rng as _;

    impl Header {
        /// A whole header of version 1.
        pub(crate) fn first_version() -> String {
            with_check(FIRST, 3)
        }
    }

    fn header() -> Header {
        Header {
            sequence: 3,
            state: State::Open,
            identity: Identity { run: 0xabcd, seed: 1 },
            size_bytes: 1 << 20,
            unit_bytes: 4096,
            plan_hash: "00ff".to_owned(),
            boot: "5e0c".to_owned(),
            reserved: 1 << 40,
            next: 9,
            list: 1,
            list_sum: 7,
            map_sum: 8,
        }
    }

    #[test]
    fn a_header_is_read_back() {
        for (state, _) in State::NAMES {
            let header = Header { state, ..header() };
            let mut bytes = header.to_text().into_bytes();
            bytes.resize(4096, 0);
            assert_eq!(Header::from_bytes(&bytes), Some(header));
        }
    }

    #[test]
    fn whatever_else_is_read_is_none() {
        let text = header().to_text().into_bytes();
        let mut rng = seed::rng(4);
        for _ in 0..2000 {
            let mut changed = text.clone();
            let at = rng.next_u64() as usize % changed.len();
            changed[at] ^= 1 << (rng.next_u64() % 8);
            assert_eq!(Header::from_bytes(&changed), None, "byte {at}");
            assert_eq!(Header::from_bytes(&text[..at]), None, "{at} bytes");
        }
        let odd = [
            Header { unit_bytes: 1000, ..header() },
            Header { size_bytes: 4097, ..header() },
            Header { reserved: 0, ..header() },
            Header { next: 0, ..header() },
            Header { list: 2, ..header() },
        ];
        assert!(odd.iter().all(|odd| Header::from_bytes(odd.to_text().as_bytes()).is_none()));
    }

    /// A header as version 1 wrote it, without its check.
    const FIRST: &str = "KNEEPOINT VERIFICATION JOURNAL 1\nsequence=3\nstate=closed\nrun=000000000000abcd\n\
                         seed=1\nsize=1048576\nunit=4096\nplan=00ff\nboot=5e0c\nreserved=1099511627776\n\
                         list=1\nlist_sum=00000007\n";

    #[test]
    fn a_header_of_another_version_is_known_as_such_if_it_is_whole() {
        let mut bytes = Header::first_version().into_bytes();
        assert_eq!(Header::from_bytes(&bytes), None);
        assert_eq!(other_version(&bytes[..bytes.len() - 1]), None);
        bytes.resize(4096, 0);
        assert_eq!(other_version(&bytes), Some(1));
        bytes[50] ^= 1;
        assert_eq!(other_version(&bytes), None);
        assert_eq!(other_version(header().to_text().as_bytes()), None, "it is of this version");
        assert_eq!(other_version(FIRST.as_bytes()), None);
    }
}
