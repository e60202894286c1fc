//! Whether a target may be written, and every finding that led there.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use kneepoint_core::fault::Fault;

use crate::facts::{BlockDevice, Subject, SysRoot, TargetFacts};

use super::finding::{Effect, Finding};
use super::overwrite::Overwrite;
use super::permission::{Ground, Scope, WriteConsent};
use super::probe::Probe;
use super::{device, file, in_use, probe};

/// Whose a file is; devices are always foreign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ownership {
    /// Kneepoint made it, and it still carries the mark.
    Ours,
    /// It belongs to this user and is empty, as a file is that was killed before its first byte.
    Empty,
    /// Anybody else's.
    Foreign,
}

/// The judgement of one target.
#[derive(Debug)]
pub struct Judgement {
    path: PathBuf,
    findings: Vec<Finding>,
    decision: Decision,
}

/// What the findings come to.
#[derive(Debug)]
pub enum Decision {
    /// Nothing refuses.
    Allowed(WriteConsent),
    /// Something does.
    Refused,
}

impl Judgement {
    /// Canonical path of the target.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Everything that was found.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// What the findings come to.
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

    /// The consent for good, or every refusing finding in one error.
    ///
    /// # Errors
    /// When the target must not be written.
    pub fn into_consent(self) -> Result<WriteConsent, Fault> {
        let refusal = self.refusal();
        match self.decision {
            Decision::Allowed(consent) => Ok(consent),
            Decision::Refused => Err(refusal),
        }
    }

    /// All refusing findings and their remedies, each remedy once.
    fn refusal(&self) -> Fault {
        let refusing: Vec<_> =
            self.findings.iter().filter(|finding| finding.effect == Effect::Refuses).collect();
        let mut remedies: Vec<String> = Vec::new();
        for remedy in refusing.iter().filter_map(|finding| finding.remedy()) {
            if !remedies.contains(&remedy) {
                remedies.push(remedy);
            }
        }
        let reasons: Vec<_> = refusing.iter().map(|finding| finding.what()).collect();
        Fault::new(format!("{} will not be written", self.path.display()))
            .because(reasons.join("; "))
            .fix(remedies.join("; "))
    }
}

/// Judges whether a target may be written. `ownership` tells whether a file carries Kneepoint's
/// own mark; it means nothing for devices.
///
/// The facts name the target; whatever can change is read anew.
pub fn judge(
    root: &SysRoot,
    facts: &TargetFacts,
    ownership: Ownership,
    overwrites: &[Overwrite],
) -> Judgement {
    let path = &facts.path;
    match &facts.subject {
        Subject::Missing(target) => {
            let mut findings = file::missing(path);
            findings.extend(file::file_system(target.file_system.as_ref()));
            let scope = Scope::NewFile { directory: target.directory, made: OnceLock::new() };
            conclude(path, findings, (scope, Ground::NewFile))
        }
        Subject::File(target) => {
            let mut findings = file::existing(root, path, ownership, overwrites);
            findings.extend(file::file_system(target.file_system.as_ref()));
            let id = target.id;
            let allowed = match ownership {
                Ownership::Ours => (Scope::File(id), Ground::OwnFile),
                Ownership::Empty => {
                    (Scope::EmptyFile { id, taken: OnceLock::new() }, Ground::EmptyFile)
                }
                Ownership::Foreign => (Scope::File(id), Ground::Named),
            };
            conclude(path, findings, allowed)
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
            let probe = probe::device(path, &device);
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
    given: (Probe, &[Overwrite]),
) -> Judgement {
    let findings = device::findings(root, path, device, given);
    conclude(path, findings, (Scope::Device(device.number), Ground::Named))
}

fn refuse(path: &Path, finding: Finding) -> Judgement {
    Judgement { path: path.to_owned(), findings: vec![finding], decision: Decision::Refused }
}

/// The only place where a consent is made.
fn conclude(path: &Path, findings: Vec<Finding>, (scope, ground): (Scope, Ground)) -> Judgement {
    let is_refused = findings.iter().any(|finding| finding.effect == Effect::Refuses);
    let decision = if is_refused {
        Decision::Refused
    } else {
        Decision::Allowed(WriteConsent::grant(path.to_owned(), scope, ground))
    };
    Judgement { path: path.to_owned(), findings, decision }
}
