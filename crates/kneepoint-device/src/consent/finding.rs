//! Findings for or against writing a target: the finding, its effect, its remedy, and all of
//! it as text.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use kneepoint_core::words::units::Bytes;

use super::Relation;
use super::judgement::{Decision, Judgement};
use super::signature::{Identity, Signature};
use crate::facts::{Subject, TargetFacts, direct_alignment};

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteFinding {
    /// The reason found.
    pub reason: Reason,
    /// Its effect.
    pub effect: Effect,
}

/// The effect of a finding on the judgement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The target must not be written.
    Refuses,
    /// Worth knowing.
    Notes,
}

/// The reasons that can be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The file is still to be made.
    NewFile,
    /// The file carries Kneepoint's mark.
    OwnFile,
    /// The file is empty: nothing in it can be lost.
    EmptyFile,
    /// The user named the target for overwriting.
    Named,
    /// The target exists, is not Kneepoint's, and no one named it.
    NotNamed {
        /// The option that would name it; absent where something else must change first.
        option: Option<String>,
    },
    /// A device or one tied to it is mounted.
    Mounted {
        /// The mounted device.
        device: String,
        /// Its relation to the target.
        relation: Relation,
        /// Where it is mounted.
        mount_point: PathBuf,
    },
    /// A device or one tied to it belongs to a mounted btrfs.
    BtrfsMember {
        /// The member.
        device: String,
        /// Its relation to the target.
        relation: Relation,
        /// UUID of the file system.
        uuid: String,
    },
    /// A device or one tied to it, or a file, is swapped on.
    Swap {
        /// The swap device or file.
        place: PathBuf,
        /// Its relation to the target.
        relation: Relation,
    },
    /// Another device is built on a device or one tied to it.
    Held {
        /// The device that is built on.
        device: String,
        /// Its relation to the target.
        relation: Relation,
        /// The device built on it.
        holder: String,
    },
    /// A loop device shows the target, or a device tied to it, as its own disk.
    LoopBacking {
        /// The loop device.
        loop_device: String,
        /// The relation of its file to the target.
        relation: Relation,
    },
    /// The kernel says that something uses the device exclusively.
    Busy,
    /// The device takes no writes.
    ReadOnlyDevice,
    /// The file system takes no writes.
    ReadOnlyFileSystem {
        /// Where it is mounted.
        mount_point: PathBuf,
    },
    /// The file is marked immutable.
    Immutable,
    /// The file only grows.
    AppendOnly,
    /// No one has permission to write the file, or the user has none here.
    NoPermission {
        /// The kernel's word.
        cause: String,
    },
    /// Something is written on the device; what to type.
    Signature {
        /// The signature found.
        signature: Signature,
        /// True if an identity of the device was typed.
        is_confirmed: bool,
        /// The option that would confirm it; absent where the device has no identity.
        option: Option<String>,
    },
    /// There is content on the device that neither is recognised nor is Kneepoint's; what to type.
    UnknownContent {
        /// True if an identity of the device was typed.
        is_confirmed: bool,
        /// The option that would confirm it; absent where the device has no identity.
        option: Option<String>,
    },
    /// The file carries a mark of Kneepoint, and yet is not, or no longer, its test file.
    NoLongerOwn {
        /// Why not, as the end of a sentence.
        cause: String,
        /// The option that would name it.
        option: String,
    },
    /// The typed identity is not one of the target's.
    WrongIdentity {
        /// As typed.
        typed: String,
        /// The identities that the target has.
        identities: Vec<Identity>,
    },
    /// One of the other reasons, as it could not be ruled out.
    Unknown {
        /// The open question.
        what: &'static str,
        /// Why.
        cause: String,
    },
}

impl WriteFinding {
    pub(super) const fn refusing(reason: Reason) -> Self {
        Self { reason, effect: Effect::Refuses }
    }

    /// A finding worth knowing.
    pub(super) const fn noting(reason: Reason) -> Self {
        Self { reason, effect: Effect::Notes }
    }

    /// The finding as a sentence without its full stop.
    pub fn what(&self) -> String {
        self.reason.what()
    }

    /// The remedy for the user, if there is one.
    pub fn remedy(&self) -> Option<String> {
        match self.effect {
            Effect::Refuses => self.reason.remedy(),
            Effect::Notes => None,
        }
    }
}

impl Reason {
    fn what(&self) -> String {
        match self {
            Self::NewFile => "the file does not exist yet".to_owned(),
            Self::OwnFile => "the file carries Kneepoint's mark".to_owned(),
            Self::EmptyFile => "the file is empty: it has no content to lose".to_owned(),
            Self::Named => "--overwrite names it".to_owned(),
            Self::NotNamed { .. } => {
                "it exists, Kneepoint did not make it, and no --overwrite names it".to_owned()
            }
            Self::Mounted { device, relation, mount_point } => {
                format!("{} is mounted on {}", relation.of(device), mount_point.display())
            }
            Self::BtrfsMember { device, relation, uuid } => {
                format!("{} belongs to the mounted btrfs {uuid}", relation.of(device))
            }
            Self::Swap { place, relation } => {
                format!("{} is swapped on", relation.of(&place.display().to_string()))
            }
            Self::Held { device, relation, holder } => {
                format!("{} is held by {holder}", relation.of(device))
            }
            Self::LoopBacking { loop_device, relation } => {
                format!("{loop_device} shows {} as a disk", relation.phrase())
            }
            Self::Busy => "the kernel says that something holds it exclusively".to_owned(),
            Self::ReadOnlyDevice => "the device is read-only".to_owned(),
            Self::ReadOnlyFileSystem { mount_point } => {
                format!("the file system on {} is read-only", mount_point.display())
            }
            Self::Immutable => "the file is marked immutable".to_owned(),
            Self::AppendOnly => "the file is marked append-only".to_owned(),
            Self::NoPermission { cause } => format!("there is no permission to write it: {cause}"),
            Self::Signature { signature, is_confirmed: true, .. } => {
                format!("it holds {}; its identity was typed", signature.format.name())
            }
            Self::Signature { signature, .. } => format!("it holds {}", signature.format.name()),
            Self::UnknownContent { is_confirmed: true, .. } => {
                "it holds data that Kneepoint did not write; its identity was typed".to_owned()
            }
            Self::UnknownContent { .. } => "it holds data that Kneepoint did not write".to_owned(),
            Self::NoLongerOwn { cause, .. } => {
                format!("the file carries a mark of Kneepoint, but {cause}")
            }
            Self::WrongIdentity { typed, .. } => {
                format!("'{typed}' is not its serial or UUID: another device may be meant")
            }
            Self::Unknown { what, cause } => format!("cannot find out {what}: {cause}"),
        }
    }

    fn remedy(&self) -> Option<String> {
        let remedy = match self {
            Self::NewFile | Self::OwnFile | Self::EmptyFile | Self::Named => return None,
            Self::NotNamed { option } => return option.as_deref().map(may_be_lost),
            Self::Mounted { mount_point, .. } if mount_point == Path::new("/") => {
                "name another device: the running system is on this one".to_owned()
            }
            Self::Mounted { mount_point, .. } => format!("umount {}", mount_point.display()),
            Self::BtrfsMember { .. } => "unmount that file system".to_owned(),
            Self::Swap { place, .. } => format!("swapoff {}", place.display()),
            Self::Held { holder, .. } => {
                format!("stop {holder} first: mdadm --stop, vgchange -an, dmsetup remove")
            }
            Self::LoopBacking { loop_device, .. } => format!("losetup -d /dev/{loop_device}"),
            Self::Busy => "find out with lsblk and fuser what uses it, and stop that".to_owned(),
            Self::ReadOnlyDevice => "check its write protection (blockdev --getro)".to_owned(),
            Self::ReadOnlyFileSystem { mount_point } => {
                format!("name a target elsewhere, or mount -o remount,rw {}", mount_point.display())
            }
            Self::Immutable => "chattr -i, if it may really be written".to_owned(),
            Self::AppendOnly => "chattr -a, if it may really be written".to_owned(),
            Self::NoPermission { .. } => "run as a user who may write it".to_owned(),
            Self::Signature { option: Some(option), .. }
            | Self::UnknownContent { option: Some(option), .. }
            | Self::NoLongerOwn { option, .. } => may_be_lost(option),
            Self::Signature { option: None, .. } | Self::UnknownContent { option: None, .. } => {
                "it has no serial or UUID to type: if its content may be lost, wipe the signature \
                 first (wipefs --all)"
                    .to_owned()
            }
            Self::WrongIdentity { identities, .. } => known(identities),
            Self::Unknown { .. } => {
                "run as root, outside of any container, with /proc and /sys mounted".to_owned()
            }
        };
        Some(remedy)
    }
}

fn may_be_lost(option: &str) -> String {
    format!("if all of its content may be lost, add {option}")
}

fn known(identities: &[Identity]) -> String {
    if identities.is_empty() {
        return "it has none: leave the part after '=' out".to_owned();
    }
    let listed: Vec<_> = identities.iter().map(Identity::to_string).collect();
    format!("this one has {}", listed.join(", "))
}

/// Facts of a target line by line, whether it may be written, and every finding with its remedy.
pub fn inspection(facts: &TargetFacts, judgement: &Judgement) -> String {
    let alignment = direct_alignment(facts);
    let mut text = String::new();
    let mut line = |key: &str, value: &str| line(&mut text, key, value);
    let shown = facts.environment("");
    line("target", &facts.path.display().to_string());
    line("kind", kind(facts));
    line("size", &Bytes(facts.size_bytes()).to_string());
    if let Some(file_system) = facts.file_system() {
        line("file system", &shown.file_system);
        line("free", &format!("{} bytes", file_system.free_bytes));
    }
    line(
        "direct I/O",
        &format!(
            "offsets in {} B, buffers at {} B ({})",
            alignment.offset_bytes,
            alignment.memory_bytes,
            alignment.source.name()
        ),
    );
    for (key, value) in shown.device.iter().chain(&shown.settings) {
        line(key, value);
    }
    text.push_str(&verdict_lines(judgement));
    text
}

fn line(text: &mut String, key: &str, value: &str) {
    writeln!(text, "{:<24} {value}", key.replace('_', " ")).expect("text takes every line");
}

fn kind(facts: &TargetFacts) -> &'static str {
    match &facts.subject {
        Subject::File(_) => "file",
        Subject::Missing(_) => "file, still to be made",
        Subject::Block(stack) => stack.tops().first().map_or("device", |top| top.class.name()),
    }
}

fn verdict_lines(judgement: &Judgement) -> String {
    let answer = match judgement.decision() {
        Decision::Allowed(consent) => format!("yes: {}", consent.ground().name()),
        Decision::Refused => "no".to_owned(),
    };
    let mut text = String::new();
    line(&mut text, "may be written", &answer);
    for finding in judgement.findings() {
        let mark = match finding.effect {
            Effect::Refuses => "refused",
            Effect::Notes => "note",
        };
        line(&mut text, &format!("  {mark}"), &finding.what());
        if let Some(remedy) = finding.remedy() {
            line(&mut text, "    to do", &remedy);
        }
    }
    text
}
