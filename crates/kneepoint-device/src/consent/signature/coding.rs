//! How formats write their identity, and how it is shown.

use super::{Identity, IdentityKind};

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
        let (kind, value) = match self {
            Self::Uuid => (IdentityKind::ContentUuid, uuid(bytes)),
            Self::MixedUuid => (IdentityKind::TableUuid, uuid(&mixed(bytes))),
            Self::Text(_) => (IdentityKind::ContentUuid, text(bytes)),
            Self::Lvm => (IdentityKind::ContentUuid, grouped(&text(bytes), &[6, 4, 4, 4, 4, 4, 6])),
            Self::VolumeSerial => {
                (IdentityKind::ContentUuid, grouped(&reversed_hex(bytes).to_uppercase(), &[4, 4]))
            }
            Self::LongVolumeSerial => {
                (IdentityKind::ContentUuid, reversed_hex(bytes).to_uppercase())
            }
            Self::DiskId => (IdentityKind::TableUuid, reversed_hex(bytes)),
            Self::Date => {
                (IdentityKind::ContentUuid, grouped(&text(bytes), &[4, 2, 2, 2, 2, 2, 2]))
            }
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

fn reversed_hex(bytes: &[u8]) -> String {
    hex(bytes.iter().rev())
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
