//! The judgement of a target, and every finding that led there.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::OnceLock;

use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::fault::Fault;
use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags};

use super::evidence::{Content, Evidence, Probe};
use super::finding::{Effect, Reason, WriteFinding};
use super::permission::{Basis, ConsentScope, WriteConsent};
use super::signature::{Format, Identity, IdentityKind, Signature};
use super::{evidence, in_use};
use crate::facts::{
    BlockDevice, DeviceClass, FileSystem, FileTarget, Subject, SysRoot, TargetFacts,
};
use crate::layout::{FileOrigin, Mark};

/// The judgement of one target.
#[derive(Debug)]
pub struct Judgement {
    path: PathBuf,
    findings: Vec<WriteFinding>,
    decision: Decision,
    mark: Option<Mark>,
}

/// The decision that follows from the findings.
#[derive(Debug)]
pub enum Decision {
    /// Nothing refuses.
    Allowed(WriteConsent),
    /// Something does.
    Refused,
}

impl Judgement {
    /// The mark of a file that Kneepoint made and that nothing else wrote to since; nothing for any
    /// other target.
    pub const fn mark(&self) -> Option<Mark> {
        self.mark
    }

    /// Everything that was found.
    pub fn findings(&self) -> &[WriteFinding] {
        &self.findings
    }

    /// The decision that follows from the findings.
    pub const fn decision(&self) -> &Decision {
        &self.decision
    }

    /// The consent, or every refusing finding in one error.
    ///
    /// # Errors
    /// When the target must not be written.
    pub fn consent(&self) -> Result<&WriteConsent, Fault> {
        match &self.decision {
            Decision::Allowed(consent) => Ok(consent),
            Decision::Refused => Err(self.refusal()),
        }
    }

    /// All refusing findings and their remedies, each remedy once.
    fn refusal(&self) -> Fault {
        let refusing: Vec<_> =
            self.findings.iter().filter(|finding| finding.effect == Effect::Refuses).collect();
        let remedies = distinct(refusing.iter().filter_map(|finding| finding.remedy()));
        let reasons: Vec<_> = refusing.iter().map(|finding| finding.what()).collect();
        Fault::new(format!("{} will not be written", self.path.display()))
            .because(reasons.join("; "))
            .fix(remedies.join("; "))
    }
}

/// Judges whether a target may be written.
///
/// The facts name the target; whatever can change is read again, all of a file by one descriptor.
pub fn judge(root: &SysRoot, facts: &TargetFacts, overwrites: &[Overwrite]) -> Judgement {
    let path = &facts.path;
    match &facts.subject {
        Subject::Missing(target) => {
            let mut findings = vec![WriteFinding::noting(Reason::NewFile)];
            findings.extend(permission(path.parent().unwrap_or(path)).map(WriteFinding::refusing));
            findings.extend(read_only_file_system(target.file_system.as_ref()));
            let scope =
                ConsentScope::NewFile { directory: target.directory, made: OnceLock::new() };
            conclude(path, findings, ((scope, Basis::NewFile), None))
        }
        Subject::File(target) => {
            let evidence = evidence::probe_file(path, target.id);
            let mut findings = file_findings(root, path, (target, &evidence), overwrites);
            findings.extend(read_only_file_system(target.file_system.as_ref()));
            let evidence = evidence.ok();
            let id = target.id;
            let is_own = evidence.as_ref().is_some_and(|evidence| evidence.own_mark().is_some());
            let allowed = if target.is_empty_and_own() {
                (ConsentScope::EmptyFile { id, taken: OnceLock::new() }, Basis::EmptyFile)
            } else if is_own {
                (ConsentScope::File(id), Basis::OwnFile)
            } else {
                (ConsentScope::File(id), Basis::Named)
            };
            conclude(path, findings, (allowed, evidence))
        }
        Subject::Block(stack) => match stack.tops().first() {
            Some(device) => judge_device(root, path, device, overwrites),
            None => refuse(path, in_use::unknown("which device it is", &"it vanished")),
        },
    }
}

fn judge_device(
    root: &SysRoot,
    path: &Path,
    known: &BlockDevice,
    overwrites: &[Overwrite],
) -> Judgement {
    match BlockDevice::read(root, known.number) {
        Ok(device) => {
            let is_explained = || !in_use::findings(root, &device).is_empty();
            let probe = evidence::probe_device(path, &device, is_explained);
            judge_probed(root, path, &device, (probe, overwrites))
        }
        Err(fault) => refuse(path, in_use::unknown("which device it is", &fault)),
    }
}

/// Judges a device whose content is known.
pub(super) fn judge_probed(
    root: &SysRoot,
    path: &Path,
    device: &BlockDevice,
    (probe, overwrites): (Probe, &[Overwrite]),
) -> Judgement {
    let findings = device_findings(root, path, device, (&probe, overwrites));
    let scope = ConsentScope::Device(device.number, probe.sequence);
    conclude(path, findings, ((scope, Basis::Named), probe.evidence.ok()))
}

fn refuse(path: &Path, finding: WriteFinding) -> Judgement {
    Judgement {
        path: path.to_owned(),
        findings: vec![finding],
        decision: Decision::Refused,
        mark: None,
    }
}

/// The only place where a consent is made.
fn conclude(
    path: &Path,
    findings: Vec<WriteFinding>,
    (allowed, evidence): ((ConsentScope, Basis), Option<Evidence>),
) -> Judgement {
    let mark = evidence.as_ref().and_then(Evidence::own_mark);
    let is_refused = findings.iter().any(|finding| finding.effect == Effect::Refuses);
    let decision = if is_refused {
        Decision::Refused
    } else {
        Decision::Allowed(WriteConsent::grant(path.to_owned(), allowed, evidence))
    };
    Judgement { path: path.to_owned(), findings, decision, mark }
}

/// Every finding for and against writing a device whose node is at `path`.
fn device_findings(
    root: &SysRoot,
    path: &Path,
    device: &BlockDevice,
    (probe, overwrites): (&Probe, &[Overwrite]),
) -> Vec<WriteFinding> {
    let evidence = probe.evidence.as_ref().ok();
    let signatures = evidence.map_or(&[][..], |evidence| &evidence.signatures);
    let identities = identities(device, evidence);
    let namings: Vec<Naming> =
        overwrites.iter().filter_map(|overwrite| overwrite.naming(path)).collect();

    let mut findings = in_use::findings(root, device);
    if probe.is_taken && findings.is_empty() {
        findings.push(WriteFinding::refusing(Reason::Busy));
    }
    if device.is_read_only {
        findings.push(WriteFinding::refusing(Reason::ReadOnlyDevice));
    }
    if let Err(cause) = &probe.evidence {
        findings.push(in_use::unknown("what is written on it", cause));
    }
    let is_free = findings.is_empty();
    let known: Vec<_> =
        signatures.iter().cloned().chain(unrecognised_table(device, signatures)).collect();
    let is_filled = evidence.is_some_and(|evidence| !evidence.content.is_free());
    let identity = identities.first();
    let name = overwrite_option(path, identity.filter(|_| is_filled || !known.is_empty()));
    findings.extend(naming_findings(is_free.then_some(name), &identities, &namings));
    let is_confirmed = is_confirmed(&identities, &namings);
    let option = identity.map(|identity| overwrite_option(path, Some(identity)));
    let unknown_content = (is_filled && known.is_empty())
        .then(|| Reason::UnknownContent { is_confirmed, option: option.clone() });
    let signatures = known.into_iter().map(|signature| Reason::Signature {
        signature,
        is_confirmed,
        option: option.clone(),
    });
    findings.extend(signatures.chain(unknown_content).map(|reason| match is_confirmed {
        true => WriteFinding::noting(reason),
        false => WriteFinding::refusing(reason),
    }));
    findings
}

/// Findings on whether the device is named, and every typed identity belongs to it.
fn naming_findings(
    option: Option<String>,
    identities: &[Identity],
    namings: &[Naming],
) -> Vec<WriteFinding> {
    if namings.is_empty() {
        return vec![WriteFinding::refusing(Reason::NotNamed { option })];
    }
    let mut findings = vec![WriteFinding::noting(Reason::Named)];
    for naming in namings {
        if let Naming::With(typed) = naming
            && !identities.iter().any(|identity| identity.is(typed))
        {
            findings.push(wrong_identity(typed.clone(), identities));
        }
    }
    findings
}

fn wrong_identity(typed: String, identities: &[Identity]) -> WriteFinding {
    WriteFinding::refusing(Reason::WrongIdentity { typed, identities: identities.to_vec() })
}

/// True if an identity of the device was typed.
fn is_confirmed(identities: &[Identity], namings: &[Naming]) -> bool {
    namings.iter().any(|naming| match naming {
        Naming::With(typed) => identities.iter().any(|identity| identity.is(typed)),
        Naming::Alone => false,
    })
}

/// The option that names a target, with the identity to type.
fn overwrite_option(path: &Path, identity: Option<&Identity>) -> String {
    let word = match identity {
        Some(identity) => format!("{}={}", path.display(), identity.value),
        None => path.display().to_string(),
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-=:,+@%".contains(c);
    if word.chars().all(is_plain) {
        format!("--overwrite {word}")
    } else {
        format!("--overwrite '{}'", word.replace('\'', r"'\''"))
    }
}

/// The identities of a device, the most telling first. One that has no other, and content of
/// others, has the fingerprint of that content.
fn identities(device: &BlockDevice, evidence: Option<&Evidence>) -> Vec<Identity> {
    let signatures = evidence.map_or(&[][..], |evidence| &evidence.signatures);
    let of_class = match &device.class {
        DeviceClass::Dm(mapping) => Some((IdentityKind::DmUuid, &mapping.uuid)),
        DeviceClass::Md(array) => Some((IdentityKind::ArrayUuid, &array.uuid)),
        DeviceClass::Partition(partition) => Some((IdentityKind::PartitionUuid, &partition.uuid)),
        _ => None,
    };
    let drive = &device.drive;
    let of_drive = [(IdentityKind::Serial, &drive.serial), (IdentityKind::Wwid, &drive.wwid)];
    let own = of_drive.into_iter().chain(of_class);
    let own = own.filter_map(|(kind, value)| Identity::telling(kind, value.clone()?));
    let mut identities: Vec<_> =
        own.chain(signatures.iter().filter_map(|found| found.identity.clone())).collect();
    identities.sort_by_key(|identity| identity.kind);
    if let Some(Content::Foreign(print)) = evidence.map(|evidence| evidence.content)
        && identities.is_empty()
    {
        identities
            .extend(Identity::telling(IdentityKind::Fingerprint, format!("content-{print:08x}")));
    }
    identities
}

/// Partitions that the kernel knows although no table was recognised.
fn unrecognised_table(device: &BlockDevice, signatures: &[Signature]) -> Option<Signature> {
    let has_table =
        signatures.iter().any(|found| matches!(found.format, Format::Gpt | Format::Mbr));
    let is_odd = !has_table && !device.partitions.is_empty();
    is_odd.then_some(Signature { format: Format::Partitioned, offset_bytes: 0, identity: None })
}

/// Findings on a file that exists, as far as it could be looked at.
fn file_findings(
    root: &SysRoot,
    path: &Path,
    (target, evidence): (&FileTarget, &io::Result<Evidence>),
    overwrites: &[Overwrite],
) -> Vec<WriteFinding> {
    let mut findings = vec![match evidence {
        Ok(_) if target.is_empty_and_own() => WriteFinding::noting(Reason::EmptyFile),
        Ok(evidence) => own_or_named(path, evidence, overwrites),
        Err(error) => in_use::unknown("whose file it is", error),
    }];
    findings.extend(typed_identities(path, overwrites));
    let mut add = |what, found: io::Result<Vec<Reason>>| match found {
        Ok(reasons) => findings.extend(reasons.into_iter().map(WriteFinding::refusing)),
        Err(error) => findings.push(in_use::unknown(what, &error)),
    };
    add("what uses the file", in_use::uses_of_file(root, path));
    add("how the file is marked", attributes(path));
    findings.extend(permission(path).map(WriteFinding::refusing));
    findings
}

/// The finding on a file system that takes no writes.
fn read_only_file_system(file_system: Option<&FileSystem>) -> Option<WriteFinding> {
    let mount = &file_system?.mount;
    mount.is_read_only().then(|| {
        WriteFinding::refusing(Reason::ReadOnlyFileSystem {
            mount_point: mount.mount_point.clone(),
        })
    })
}

fn own_or_named(path: &Path, evidence: &Evidence, overwrites: &[Overwrite]) -> WriteFinding {
    if evidence.own_mark().is_some() {
        return WriteFinding::noting(Reason::OwnFile);
    }
    if overwrites.iter().any(|overwrite| overwrite.naming(path).is_some()) {
        return WriteFinding::noting(Reason::Named);
    }
    let option = overwrite_option(path, None);
    let cause = match evidence.origin {
        None | Some(FileOrigin::Unmarked) => {
            return WriteFinding::refusing(Reason::NotNamed { option: Some(option) });
        }
        Some(FileOrigin::Earlier) => {
            "an earlier version wrote it, which did not note which file it is".to_owned()
        }
        Some(FileOrigin::Copied) => {
            "one that was written for another file: this is a copy".to_owned()
        }
        Some(FileOrigin::Own(..)) => {
            let found = evidence.strange_content().unwrap_or("other content");
            format!("it was put to another use: it holds {found}")
        }
    };
    WriteFinding::refusing(Reason::NoLongerOwn { cause, option })
}

/// A file has no serial: whoever types one means something else.
fn typed_identities(path: &Path, overwrites: &[Overwrite]) -> Vec<WriteFinding> {
    let namings = overwrites.iter().filter_map(|overwrite| overwrite.naming(path));
    let typed = namings.filter_map(|naming| match naming {
        Naming::With(typed) => Some(typed),
        Naming::Alone => None,
    });
    typed.map(|typed| wrong_identity(typed, &[])).collect()
}

/// Marks of the file that forbid writing (statx(2), `stx_attributes`).
fn attributes(path: &Path) -> io::Result<Vec<Reason>> {
    let stat = rustix::fs::statx(CWD, path, AtFlags::empty(), StatxFlags::BASIC_STATS)?;
    let marks = [
        (StatxAttributes::IMMUTABLE, Reason::Immutable),
        (StatxAttributes::APPEND, Reason::AppendOnly),
    ];
    let found = marks.into_iter().filter(|(mark, _)| stat.stx_attributes.contains(*mark));
    let mut reasons: Vec<_> = found.map(|(_, reason)| reason).collect();
    // The superuser passes over the mode: a file that no one may write is still meant to stay.
    if stat.stx_mode & 0o222 == 0 {
        reasons.push(Reason::NoPermission { cause: "its mode lets no one write".to_owned() });
    }
    Ok(reasons)
}

/// The reason why the kernel would not let this process write at the path.
fn permission(path: &Path) -> Option<Reason> {
    let error = rustix::fs::access(path, rustix::fs::Access::WRITE_OK).err()?;
    Some(Reason::NoPermission { cause: error.to_string() })
}

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

    /// Returns how it names the target at that canonical path, if it does.
    fn naming(&self, canonical: &Path) -> Option<Naming> {
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
enum Naming {
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
