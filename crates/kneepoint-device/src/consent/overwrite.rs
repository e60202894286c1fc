//! The user's word that a target may be overwritten: `--overwrite TARGET[=IDENTITY]`.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use kneepoint_core::words::fault::Fault;

/// `TARGET` or `TARGET=SERIAL-or-UUID`, as typed.
///
/// Paths may contain `=`: the longest beginning that names something that exists is the target,
/// the rest after the next `=` is the identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overwrite {
    text: OsString,
}

impl Overwrite {
    /// The word as typed.
    ///
    /// # Errors
    /// When it is empty.
    pub fn new(text: impl Into<OsString>) -> Result<Self, Fault> {
        let text = text.into();
        if text.is_empty() {
            return Err(Fault::new("--overwrite names nothing")
                .fix("write --overwrite TARGET, or --overwrite DEVICE=SERIAL"));
        }
        Ok(Self { text })
    }

    /// The canonical path of the target that it names; nothing where nothing of that name exists.
    pub fn target(&self) -> Option<PathBuf> {
        self.resolve().map(|(path, _)| path)
    }

    /// Whether it names the target at that canonical path, and with which identity.
    pub(super) fn naming(&self, canonical: &Path) -> Option<Naming> {
        let (path, naming) = self.resolve()?;
        (path == canonical).then_some(naming)
    }

    fn resolve(&self) -> Option<(PathBuf, Naming)> {
        if let Ok(path) = std::fs::canonicalize(&self.text) {
            return Some((path, Naming::Alone));
        }
        let bytes = self.text.as_bytes();
        let marks = (0..bytes.len()).rev().filter(|index| bytes[*index] == b'=');
        marks
            .filter_map(|index| {
                let path = std::fs::canonicalize(OsStr::from_bytes(&bytes[..index])).ok()?;
                let typed = String::from_utf8_lossy(&bytes[index + 1..]).into_owned();
                Some((path, Naming::With(typed)))
            })
            .next()
    }
}

impl FromStr for Overwrite {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        Self::new(text)
    }
}

/// How a target was named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Naming {
    /// By its path alone.
    Alone,
    /// By its path and an identity.
    With(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_existing_path_is_the_target() {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().canonicalize().unwrap();
        for name in ["disk", "a=b", "a"] {
            std::fs::write(place.join(name), "").unwrap();
        }
        let check = |typed: &str, expected: Option<(&str, Naming)>| {
            let overwrite = Overwrite::new(place.join(typed)).unwrap();
            let expected = expected.map(|(name, naming)| (place.join(name), naming));
            assert_eq!(overwrite.resolve(), expected, "{typed}");
        };
        let with = |identity: &str| Naming::With(identity.to_owned());
        check("disk", Some(("disk", Naming::Alone)));
        check("disk=S1", Some(("disk", with("S1"))));
        check("disk=", Some(("disk", with(""))));
        check("disk=S=1", Some(("disk", with("S=1"))));
        check("a=b", Some(("a=b", Naming::Alone)));
        check("a=b=S1", Some(("a=b", with("S1"))));
        check("a=c", Some(("a", with("c"))));
        check("none=S1", None);
        assert!(Overwrite::new("").is_err());
    }

    #[test]
    fn a_link_names_what_it_leads_to() {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().canonicalize().unwrap();
        std::fs::write(place.join("disk"), "").unwrap();
        std::os::unix::fs::symlink(place.join("disk"), place.join("by-id")).unwrap();
        let overwrite = Overwrite::new(place.join("by-id=S1")).unwrap();
        assert_eq!(overwrite.naming(&place.join("disk")), Some(Naming::With("S1".to_owned())));
        assert_eq!(overwrite.naming(&place.join("other")), None);
    }
}
