//! What tells one device from another, whatever its path is today.

use std::fmt;

/// An identity that a user can type to confirm which device they mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// What kind of identity it is.
    pub kind: IdentityKind,
    /// The identity as it is shown.
    pub value: String,
}

kneepoint_core::named! {
    /// Kinds of identities, the most telling first.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum IdentityKind {
        /// The drive's serial number.
        Serial = "serial",
        /// The drive's world-wide identity.
        Wwid = "wwid",
        /// UUID of a mapped device.
        DmUuid = "dm UUID",
        /// UUID of a RAID array.
        ArrayUuid = "array UUID",
        /// UUID of a partition in its table.
        PartitionUuid = "partition UUID",
        /// UUID or disk identifier of a partition table.
        TableUuid = "partition table UUID",
        /// UUID or volume serial of what is on the device.
        ContentUuid = "UUID",
        /// A short number of the content itself, for devices that have nothing else.
        Fingerprint = "content fingerprint",
    }
}

impl IdentityKind {
    /// Whether separators carry no meaning: tools print UUIDs with hyphens, colons or neither.
    const fn ignores_separators(self) -> bool {
        matches!(self, Self::ArrayUuid | Self::PartitionUuid | Self::TableUuid | Self::ContentUuid)
    }
}

impl Identity {
    /// An identity, unless its value says nothing: empty, or zeros alone.
    pub(in crate::consent) fn telling(
        kind: IdentityKind,
        value: impl Into<String>,
    ) -> Option<Self> {
        let value = value.into().trim().to_owned();
        let tells = value.chars().any(|c| c.is_alphanumeric() && c != '0');
        tells.then_some(Self { kind, value })
    }

    /// Whether what the user typed is this identity; case does not matter.
    pub fn is(&self, typed: &str) -> bool {
        let plain = |text: &str| -> String {
            let is_kept = |c: &char| !(self.kind.ignores_separators() && matches!(c, '-' | ':'));
            text.trim().chars().filter(is_kept).flat_map(char::to_lowercase).collect()
        };
        let typed = plain(typed);
        !typed.is_empty() && typed == plain(&self.value)
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind.name(), self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_does_not_matter_and_separators_only_in_serials() {
        let serial = Identity::telling(IdentityKind::Serial, " WD-WCC4 ").unwrap();
        assert!(serial.is("wd-wcc4"));
        assert!(!serial.is("wdwcc4"));
        assert!(!serial.is("WD-WCC"));
        let array = Identity::telling(IdentityKind::ArrayUuid, "0a1b2c3d-4e5f").unwrap();
        assert!(array.is("0A1B2C3D:4E5F"));
        assert!(!array.is(""));
        assert!(!array.is("-"));
    }

    #[test]
    fn an_identity_without_content_is_none() {
        assert_eq!(Identity::telling(IdentityKind::Serial, "  "), None);
        assert_eq!(Identity::telling(IdentityKind::TableUuid, "0000-0000"), None);
    }
}
