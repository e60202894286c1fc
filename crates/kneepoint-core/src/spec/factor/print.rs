//! A factor as TOML again.

use serde::Serialize;

use super::Factor;
use crate::words::units::Nanos;

/// The keys of `[[factor]]`.
#[derive(Serialize)]
pub(crate) struct FactorText<'a> {
    name: &'a str,
    levels: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    settle: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    set: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expect: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    restore: Option<&'a [String]>,
}

impl<'a> FactorText<'a> {
    pub(crate) fn new(factor: &'a Factor) -> Self {
        let commands = factor.commands.as_ref();
        Self {
            name: &factor.name,
            levels: &factor.levels,
            settle: (factor.settle > Nanos::ZERO).then(|| factor.settle.to_string()),
            set: commands.map(|commands| commands.set.as_slice()),
            check: commands.map(|commands| commands.check.as_slice()),
            expect: commands.map(|commands| commands.expect.as_str()),
            restore: commands.map(|commands| commands.restore.as_slice()),
        }
    }
}
