//! The part of a target's name after the question mark: `drives=140&raid=raid10`.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use kneepoint_core::words::fault::Fault;

/// Keys with their values, none of them twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Query<'a> {
    /// The target's name in faults.
    target: &'a str,
    pairs: BTreeMap<&'a str, &'a str>,
}

impl<'a> Query<'a> {
    /// Reads `key=value&key=value`; `target` is the name that it stands in.
    pub(crate) fn parse(target: &'a str, text: &'a str) -> Result<Self, Fault> {
        let mut pairs = BTreeMap::new();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').ok_or_else(|| {
                Fault::new(format!("'{pair}' in '{target}' has no value"))
                    .fix("write parameters as ?key=value&key=value")
            })?;
            if pairs.insert(key, value).is_some() {
                return Err(Fault::new(format!("'{key}' is given twice in '{target}'")));
            }
        }
        Ok(Self { target, pairs })
    }

    /// The pairs in the order of their keys.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.pairs.iter().map(|(key, text)| (*key, *text))
    }

    /// The text of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&'a str> {
        self.pairs.get(key).copied()
    }

    /// Takes a key out; `default` is its text where it is not given.
    pub(crate) fn take<T>(&mut self, key: &str, default: &str) -> Result<T, Fault>
    where
        T: FromStr<Err: Display>,
    {
        let text = self.pairs.remove(key).unwrap_or(default);
        self.read(key, text)
    }

    /// The value that the text of a key stands for.
    pub(crate) fn read<T>(&self, key: &str, text: &str) -> Result<T, Fault>
    where
        T: FromStr<Err: Display>,
    {
        text.parse().map_err(|why| {
            Fault::new(format!("'{key}={text}' in '{}' cannot be used", self.target)).because(why)
        })
    }

    pub(crate) fn unknown(&self, key: &str) -> Fault {
        Fault::new(format!("'{}' has no parameter '{key}'", self.target))
    }
}
