//! Whether a target may be written, and every finding that led there.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use kneepoint_core::words::fault::Fault;

use crate::facts::{BlockDevice, Subject, SysRoot, TargetFacts};
use crate::layout::Mark;

use super::evidence::Evidence;
use super::finding::{Effect, Finding};
use super::overwrite::Overwrite;
use super::permission::{Basis, Scope, WriteConsent};
use super::probe::Probe;
use super::{device, file, in_use, probe};

/// The judgement of one target.
#[derive(Debug)]
pub struct Judgement {
    path: PathBuf,
    findings: Vec<Finding>,
    decision: Decision,
    mark: Option<Mark>,
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

    /// The mark of a file that Kneepoint made and that nothing else wrote to since; nothing for any
    /// other target.
    pub const fn mark(&self) -> Option<Mark> {
        self.mark
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

/// Judges whether a target may be written.
///
/// The facts name the target; whatever can change is read again, all of a file by one descriptor.
pub fn judge(root: &SysRoot, facts: &TargetFacts, overwrites: &[Overwrite]) -> Judgement {
    let path = &facts.path;
    match &facts.subject {
        Subject::Missing(target) => {
            let mut findings = file::missing(path);
            findings.extend(file::file_system(target.file_system.as_ref()));
            let scope = Scope::NewFile { directory: target.directory, made: OnceLock::new() };
            conclude(path, findings, ((scope, Basis::NewFile), None))
        }
        Subject::File(target) => {
            let evidence = probe::file(path, target.id);
            let mut findings = file::existing(root, path, (target, &evidence), overwrites);
            findings.extend(file::file_system(target.file_system.as_ref()));
            let evidence = evidence.ok();
            let id = target.id;
            let is_own = evidence.as_ref().is_some_and(|evidence| evidence.own_mark().is_some());
            let allowed = if target.is_empty_and_own() {
                (Scope::EmptyFile { id, taken: OnceLock::new() }, Basis::EmptyFile)
            } else if is_own {
                (Scope::File(id), Basis::OwnFile)
            } else {
                (Scope::File(id), Basis::Named)
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
            let probe = probe::device(path, &device, is_explained);
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
    let (probe, overwrites) = given;
    let findings = device::findings(root, path, device, (&probe, overwrites));
    let scope = Scope::Device(device.number, probe.sequence);
    conclude(path, findings, ((scope, Basis::Named), probe.evidence.ok()))
}

fn refuse(path: &Path, finding: Finding) -> Judgement {
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
    findings: Vec<Finding>,
    (allowed, evidence): ((Scope, Basis), Option<Evidence>),
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
