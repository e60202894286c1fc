//! The judgement of a block device.

use std::path::Path;

use crate::facts::{Access, BlockDevice, DeviceClass, SysRoot};

use super::content::Content;
use super::evidence::Evidence;
use super::finding::{Confirmation, Finding, Reason};
use super::in_use;
use super::overwrite::{Naming, Overwrite};
use super::probe::{Claim, Probe};
use super::signature::{Format, Identity, IdentityKind, Signature};

/// Every finding for and against writing a device whose node is at `path`.
pub(super) fn findings(
    root: &SysRoot,
    path: &Path,
    device: &BlockDevice,
    (probe, overwrites): (&Probe, &[Overwrite]),
) -> Vec<Finding> {
    let evidence = probe.evidence.as_ref().ok();
    let signatures = evidence.map_or(&[][..], |evidence| &evidence.signatures);
    let identities = identities(device, evidence);
    let namings: Vec<Naming> =
        overwrites.iter().filter_map(|overwrite| overwrite.naming(path)).collect();

    let mut findings = in_use::findings(root, device);
    if probe.claim == Claim::Taken && findings.is_empty() {
        findings.push(Finding::refusing(Reason::Busy));
    }
    if device.access == Access::ReadOnly {
        findings.push(Finding::refusing(Reason::ReadOnlyDevice));
    }
    if let Err(cause) = &probe.evidence {
        findings.push(in_use::unknown("what is written on it", cause));
    }
    let is_free = findings.is_empty();
    let known: Vec<_> =
        signatures.iter().cloned().chain(unrecognised_table(device, signatures)).collect();
    let is_filled = evidence.is_some_and(|evidence| !evidence.content.is_free());
    let identity = identities.first();
    let name = option(path, identity.filter(|_| is_filled || !known.is_empty()));
    findings.extend(naming_findings(is_free.then_some(name), &identities, &namings));
    let confirmation = confirmation(&identities, &namings);
    let option = identity.map(|identity| option(path, Some(identity)));
    let unknown_content = (is_filled && known.is_empty())
        .then(|| Reason::UnknownContent { confirmation, option: option.clone() });
    let signatures = known.into_iter().map(|signature| Reason::Signature {
        signature,
        confirmation,
        option: option.clone(),
    });
    findings.extend(signatures.chain(unknown_content).map(|reason| match confirmation {
        Confirmation::Typed => Finding::noting(reason),
        Confirmation::Missing => Finding::refusing(reason),
    }));
    findings
}

/// Whether the device is named, and every typed identity is one of its own.
fn naming_findings(
    option: Option<String>,
    identities: &[Identity],
    namings: &[Naming],
) -> Vec<Finding> {
    if namings.is_empty() {
        return vec![Finding::refusing(Reason::NotNamed { option })];
    }
    let mut findings = vec![Finding::noting(Reason::Named)];
    for naming in namings {
        if let Naming::With(typed) = naming
            && !identities.iter().any(|identity| identity.is(typed))
        {
            findings.push(Finding::refusing(Reason::WrongIdentity {
                typed: typed.clone(),
                identities: identities.to_vec(),
            }));
        }
    }
    findings
}

fn confirmation(identities: &[Identity], namings: &[Naming]) -> Confirmation {
    let is_own = |naming: &Naming| match naming {
        Naming::With(typed) => identities.iter().any(|identity| identity.is(typed)),
        Naming::Alone => false,
    };
    if namings.iter().any(is_own) { Confirmation::Typed } else { Confirmation::Missing }
}

/// The option that names a target, with the identity to type.
pub(super) fn option(path: &Path, identity: Option<&Identity>) -> String {
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
    let (dm, array, partition) = match &device.class {
        DeviceClass::Dm(mapping) => (mapping.uuid.clone(), None, None),
        DeviceClass::Md(array) => (None, array.uuid.clone(), None),
        DeviceClass::Partition(partition) => (None, None, partition.uuid.clone()),
        _ => (None, None, None),
    };
    let own = [
        (IdentityKind::Serial, device.drive.serial.clone()),
        (IdentityKind::Wwid, device.drive.wwid.clone()),
        (IdentityKind::DmUuid, dm),
        (IdentityKind::ArrayUuid, array),
        (IdentityKind::PartitionUuid, partition),
    ];
    let own = own.into_iter().filter_map(|(kind, value)| Identity::telling(kind, value?));
    let mut identities: Vec<_> =
        own.chain(signatures.iter().filter_map(|found| found.identity.clone())).collect();
    identities.sort_by_key(|identity| identity.kind);
    if let Some(Content::Foreign(print)) = evidence.map(|evidence| evidence.content)
        && identities.is_empty()
    {
        identities.extend(Identity::telling(IdentityKind::Fingerprint, print.to_string()));
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
