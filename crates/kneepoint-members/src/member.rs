//! What a member is, and the list of all.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::output::Output;
use crate::{floating, integer};

/// The class of a member: what most of its work is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// Integers, memory and branches.
    Integer,
    /// Floating-point numbers of 64 bits.
    Floating,
}

/// How much a member does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// What is measured: 20 to 40 s with base flags on the reference machine
    Full,
    /// The same for about a twentieth of the time, for a first impression
    Quick,
    /// The same work on little data, for tests
    Test,
}

impl Scale {
    /// The value for this scale.
    pub(crate) const fn choose<T: Copy>(self, full: T, quick: T, test: T) -> T {
        match self {
            Self::Full => full,
            Self::Quick => quick,
            Self::Test => test,
        }
    }
}

/// A member of the suite.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Member {
    /// Name on the command line and in results.
    pub name: &'static str,
    /// Class.
    pub class: Class,
    /// Name for readers.
    pub title: &'static str,
    /// Description of the work.
    pub work: &'static str,
    /// Description of one unit of the work.
    pub unit: &'static str,
    /// Does the work.
    #[serde(skip)]
    pub(crate) run: fn(Scale) -> Output,
}

/// All members, integers first.
pub const MEMBERS: &[Member] = &[
    integer::compression::MEMBER,
    integer::json::MEMBER,
    integer::regex::MEMBER,
    integer::database::MEMBER,
    integer::chess::MEMBER,
    integer::compiler::MEMBER,
    integer::video::MEMBER,
    integer::cryptography::MEMBER,
    integer::routes::MEMBER,
    floating::fourier::MEMBER,
    floating::bodies::MEMBER,
    floating::dense::MEMBER,
    floating::sparse::MEMBER,
    floating::lattice::MEMBER,
    floating::rays::MEMBER,
    floating::molecules::MEMBER,
];

/// The member that is called `name`.
pub fn member(name: &str) -> Option<&'static Member> {
    MEMBERS.iter().find(|member| member.name == name)
}

/// An output beside what was expected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Digest of the output.
    pub digest: String,
    /// The digest that it should have.
    pub expected: String,
    /// Whether there is an output and both are equal.
    pub verified: bool,
}

/// Digests of a member's outputs.
#[derive(Debug, Deserialize)]
struct Expected {
    /// The class, for whoever has no program.
    #[serde(rename = "class")]
    _class: String,
    full: String,
    quick: String,
    test: String,
}

impl Member {
    /// Does the work.
    pub fn run(&self, scale: Scale) -> Output {
        (self.run)(scale)
    }

    /// The digest that the output of this scale has; empty if none is known.
    pub fn expected(&self, scale: Scale) -> String {
        let kept = serde_json::from_str(include_str!("../expected.json"));
        let mut kept: BTreeMap<String, Expected> = kept.expect("a test reads the file");
        kept.remove(self.name).map_or_else(String::new, |expected| match scale {
            Scale::Full => expected.full,
            Scale::Quick => expected.quick,
            Scale::Test => expected.test,
        })
    }

    /// Compares an output with what is expected. An empty output is always wrong.
    pub fn judge(&self, output: &Output, expected: &str) -> Verdict {
        let digest = output.digest();
        let verified = !output.as_bytes().is_empty() && digest == expected;
        Verdict { digest, expected: expected.to_owned(), verified }
    }
}
