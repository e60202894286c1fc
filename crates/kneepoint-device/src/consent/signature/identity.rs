//! Identities tell one device from another, whatever its path is today; how formats write it.

use std::fmt;

/// An identity that a user can type to confirm which device they mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The kind of identity.
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
    /// True if separators carry no meaning: tools print UUIDs with hyphens, colons or neither.
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

    /// True if what the user typed is this identity; case does not matter.
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

/// The form of an identity on the device.
#[derive(Debug, Clone, Copy)]
pub(super) enum Coding {
    /// 16 bytes in the order in which they are shown.
    Uuid,
    /// 16 bytes whose first three groups are little-endian, as firmware and Windows write them.
    MixedUuid,
    /// Text of at most this many bytes, ended by a zero byte or a line feed.
    Text(usize),
    /// The 32 characters of an LVM identity, shown in groups.
    Lvm,
    /// 32 bits little-endian, shown as two groups of hexadecimal digits.
    VolumeSerial,
    /// 64 bits little-endian in hexadecimal digits.
    LongVolumeSerial,
    /// 32 bits little-endian in hexadecimal digits.
    DiskId,
    /// 16 digits of a date and time, as ISO 9660 writes them.
    Date,
}

impl Coding {
    /// Bytes that it takes up.
    pub(super) const fn length(self) -> usize {
        match self {
            Self::Uuid | Self::MixedUuid | Self::Date => 16,
            Self::Text(length) => length,
            Self::Lvm => 32,
            Self::VolumeSerial | Self::DiskId => 4,
            Self::LongVolumeSerial => 8,
        }
    }

    /// The identity in these bytes; nothing where they say nothing.
    pub(super) fn read(self, bytes: &[u8]) -> Option<Identity> {
        let bytes = bytes.get(..self.length())?;
        let reversed_hex = || hex(bytes.iter().rev());
        let value = match self {
            Self::Uuid => uuid(bytes),
            Self::MixedUuid => uuid(&mixed(bytes)),
            Self::Text(_) => text(bytes),
            Self::Lvm => grouped(&text(bytes), &[6, 4, 4, 4, 4, 4, 6]),
            Self::VolumeSerial => grouped(&reversed_hex().to_uppercase(), &[4, 4]),
            Self::LongVolumeSerial => reversed_hex().to_uppercase(),
            Self::DiskId => reversed_hex(),
            Self::Date => grouped(&text(bytes), &[4, 2, 2, 2, 2, 2, 2]),
        };
        let kind = match self {
            Self::MixedUuid | Self::DiskId => IdentityKind::TableUuid,
            _ => IdentityKind::ContentUuid,
        };
        Identity::telling(kind, value)
    }
}

/// 16 bytes in the customary groups.
pub(super) fn uuid(bytes: &[u8]) -> String {
    grouped(&hex(bytes.iter()), &[8, 4, 4, 4, 12])
}

fn mixed(bytes: &[u8]) -> Vec<u8> {
    let groups = [0..4, 4..6, 6..8];
    let swapped = groups.into_iter().flat_map(|group| bytes[group].iter().rev());
    swapped.chain(&bytes[8..]).copied().collect()
}

fn hex<'a>(bytes: impl Iterator<Item = &'a u8>) -> String {
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

/// Printable text up to the first byte that is not.
fn text(bytes: &[u8]) -> String {
    bytes.iter().take_while(|byte| byte.is_ascii_graphic()).map(|byte| char::from(*byte)).collect()
}

/// Splits text of ASCII characters into groups joined by hyphens; text of another length stays.
fn grouped(text: &str, lengths: &[usize]) -> String {
    if !text.is_ascii() || text.len() != lengths.iter().sum::<usize>() {
        return text.to_owned();
    }
    let mut rest = text;
    let groups = lengths.iter().map(|length| {
        let (group, tail) = rest.split_at(*length);
        rest = tail;
        group
    });
    groups.collect::<Vec<_>>().join("-")
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
