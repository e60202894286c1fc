//! Member programs of the processor suite: what copies of a program do.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::words::class::ClassName;
use crate::words::units::Nanos;

crate::named! {
    /// The set of flags that a member program is compiled with.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        schemars::JsonSchema,
    )]
    #[serde(rename_all = "lowercase")]
    pub enum FlagSet {
        /// One conservative set for all members.
        Base = "base",
        /// What a compiler can do for the processor; a member may do better with base flags.
        Peak = "peak",
    }
}

crate::named! {
    /// What most of a member's work is.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        schemars::JsonSchema,
    )]
    #[serde(rename_all = "lowercase")]
    pub enum MemberClass {
        /// Integers, memory and branches.
        Integer = "integer",
        /// Floating-point numbers of 64 bits.
        Floating = "floating",
    }
}

crate::named! {
    /// How much a member does.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum MemberScale {
        /// What is published: 20 to 40 s on the reference machine.
        Full = "full",
        /// The same for about a twentieth of the time.
        Quick = "quick",
        /// On little data, for tests.
        Test = "test",
    }
}

/// The programs with their outputs, as the crate that makes them keeps them.
const EXPECTED: &str = include_str!("../../../../kneepoint-members/expected.json");

/// The seconds of the reference machine.
const REFERENCE: &str = include_str!("../../../../kneepoint-members/reference.json");

/// A member as it is known without its program.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct Known {
    class: MemberClass,
    full: String,
    quick: String,
    test: String,
}

/// The machine that ratios refer to.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ReferenceMachine {
    /// Name of the machine.
    pub name: String,
    /// The processor.
    pub cpu: String,
    /// Its compiler.
    pub compiler: String,
    /// The day of the measurement.
    pub date: String,
    /// Runs of each member, of which the median counts.
    pub runs: u32,
    seconds: BTreeMap<String, f64>,
    peak_seconds: BTreeMap<String, f64>,
    quick_seconds: BTreeMap<String, f64>,
    test_seconds: BTreeMap<String, f64>,
}

static KNOWN: LazyLock<BTreeMap<String, Known>> =
    LazyLock::new(|| serde_json::from_str(EXPECTED).expect("a test reads the file"));

static REFERENCE_MACHINE: LazyLock<ReferenceMachine> =
    LazyLock::new(|| serde_json::from_str(REFERENCE).expect("a test reads the file"));

/// With flags that make a member slower than this on the reference machine, it is run with base flags.
const SLOWER_MAX: f64 = 1.05;

impl ReferenceMachine {
    /// The one that all ratios refer to.
    pub fn get() -> &'static Self {
        &REFERENCE_MACHINE
    }

    /// Processor time of `member` with base flags.
    fn time(&self, member: &str, scale: MemberScale) -> Nanos {
        let seconds = match scale {
            MemberScale::Full => &self.seconds,
            MemberScale::Quick => &self.quick_seconds,
            MemberScale::Test => &self.test_seconds,
        };
        Nanos::from_secs_f64(seconds.get(member).copied().unwrap_or(0.0))
    }

    /// The flags that `member` is run with where `flags` are asked for.
    fn program(&self, member: &str, flags: FlagSet) -> FlagSet {
        let pair = (self.seconds.get(member), self.peak_seconds.get(member));
        match (flags, pair) {
            (FlagSet::Peak, (Some(base), Some(peak))) if *peak > SLOWER_MAX * base => FlagSet::Base,
            (flags, _) => flags,
        }
    }
}

/// The names of all members.
pub fn member_names() -> impl Iterator<Item = &'static str> {
    KNOWN.keys().map(String::as_str)
}

/// A member program as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedMember {
    /// Its name, one of [`member_names`].
    pub member: String,
    /// The flags that it is compiled with.
    pub flags: FlagSet,
    /// How much it does where no first impression is asked for.
    pub scale: MemberScale,
}

/// Copies of a member program with nothing left open. In each round all copies begin together and do the
/// work once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemberWork {
    /// The profile's name.
    pub name: String,
    /// Its title for people.
    pub title: String,
    /// The member.
    pub member: String,
    /// What most of its work is.
    pub class: MemberClass,
    /// The flags that are measured.
    pub flags: FlagSet,
    /// The program that is run for them: with peak flags some members would be slower.
    pub program: FlagSet,
    /// How much it does.
    pub scale: MemberScale,
    /// SHA-256 of the output that each copy must have.
    pub expected: String,
    /// Processor time of the same work with base flags on the reference machine.
    pub reference: Nanos,
}

impl MemberWork {
    /// The work of `typed`; `None` if there is no such member.
    pub fn new((name, title): (&str, &str), typed: &TypedMember) -> Option<Self> {
        let known = KNOWN.get(&typed.member)?;
        let work = Self {
            name: name.to_owned(),
            title: title.to_owned(),
            member: typed.member.clone(),
            class: known.class,
            flags: typed.flags,
            program: ReferenceMachine::get().program(&typed.member, typed.flags),
            scale: typed.scale,
            expected: String::new(),
            reference: Nanos::ZERO,
        };
        Some(work.at(typed.scale))
    }

    /// The same at another scale.
    #[must_use]
    pub fn at(mut self, scale: MemberScale) -> Self {
        if let Some(known) = KNOWN.get(&self.member) {
            self.expected.clone_from(match scale {
                MemberScale::Full => &known.full,
                MemberScale::Quick => &known.quick,
                MemberScale::Test => &known.test,
            });
        }
        self.reference = ReferenceMachine::get().time(&self.member, scale);
        Self { scale, ..self }
    }

    /// The response class of a copy's work.
    pub fn class_name() -> ClassName {
        ClassName::new("copy").unwrap_or(ClassName::READ)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(member: &str, flags: FlagSet) -> Option<MemberWork> {
        let typed = TypedMember { member: member.to_owned(), flags, scale: MemberScale::Full };
        MemberWork::new(("x", "X"), &typed)
    }

    #[test]
    fn every_member_has_digests_and_seconds_at_every_scale() {
        assert_eq!(member_names().count(), 16);
        for member in member_names() {
            for flags in FlagSet::ALL {
                for scale in MemberScale::ALL {
                    let work = work(member, flags).unwrap().at(scale);
                    assert_eq!(work.expected.len(), 64, "{member} {scale:?}");
                    assert!(work.reference > Nanos::ZERO, "{member} {scale:?}");
                }
            }
        }
        assert_eq!(work("tetris", FlagSet::Base), None);
    }

    #[test]
    fn a_member_that_peak_flags_slow_down_is_run_with_base_flags() {
        let reference = ReferenceMachine::get();
        for member in member_names() {
            let (base, peak) = (reference.seconds[member], reference.peak_seconds[member]);
            let program = work(member, FlagSet::Peak).unwrap().program;
            assert_eq!(program == FlagSet::Base, peak > SLOWER_MAX * base, "{member}");
            assert_eq!(work(member, FlagSet::Base).unwrap().program, FlagSet::Base);
        }
    }
}
