//! The judgement of a regular file, or of one still to be made.

use std::io;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags};

use crate::facts::{FileSystem, FileTarget, SysRoot};
use crate::layout::Origin;

use super::Relation;
use super::device::option;
use super::evidence::Evidence;
use super::finding::{Finding, Reason};
use super::in_use;
use super::overwrite::{Naming, Overwrite};

/// Findings on a file that exists, as far as it could be looked at.
pub(super) fn existing(
    root: &SysRoot,
    path: &Path,
    (target, evidence): (&FileTarget, &io::Result<Evidence>),
    overwrites: &[Overwrite],
) -> Vec<Finding> {
    let mut findings = vec![match evidence {
        Ok(_) if target.is_empty_and_own() => Finding::noting(Reason::EmptyFile),
        Ok(evidence) => claim(path, evidence, overwrites),
        Err(error) => in_use::unknown("whose file it is", error),
    }];
    findings.extend(typed_identities(path, overwrites));
    match in_use::uses_of_file(root, path, Relation::Itself) {
        Ok(reasons) => findings.extend(reasons.into_iter().map(Finding::refusing)),
        Err(error) => findings.push(in_use::unknown("what uses the file", &error)),
    }
    findings.extend(attributes(path).into_iter().map(Finding::refusing));
    findings.extend(permission(path).map(Finding::refusing));
    findings
}

/// Findings on a file that is still to be made.
pub(super) fn missing(path: &Path) -> Vec<Finding> {
    let mut findings = vec![Finding::noting(Reason::NewFile)];
    findings.extend(permission(path.parent().unwrap_or(path)).map(Finding::refusing));
    findings
}

/// Whether the file system takes writes.
pub(super) fn file_system(file_system: Option<&FileSystem>) -> Option<Finding> {
    let mount = &file_system?.mount;
    mount.is_read_only().then(|| {
        Finding::refusing(Reason::ReadOnlyFileSystem { mount_point: mount.mount_point.clone() })
    })
}

fn claim(path: &Path, evidence: &Evidence, overwrites: &[Overwrite]) -> Finding {
    if evidence.own_mark().is_some() {
        return Finding::noting(Reason::OwnFile);
    }
    if overwrites.iter().any(|overwrite| overwrite.naming(path).is_some()) {
        return Finding::noting(Reason::Named);
    }
    let option = option(path, None);
    let cause = match evidence.origin {
        None | Some(Origin::Unmarked) => {
            return Finding::refusing(Reason::NotNamed { option: Some(option) });
        }
        Some(Origin::Earlier) => {
            "an earlier version wrote it, which did not note which file it is".to_owned()
        }
        Some(Origin::Copied) => "one that was written for another file: this is a copy".to_owned(),
        Some(Origin::Own(..)) => {
            let found = evidence.strange_content().unwrap_or("other content");
            format!("it was put to another use: it holds {found}")
        }
    };
    Finding::refusing(Reason::NoLongerOwn { cause, option })
}

/// A file has no serial: whoever types one means something else.
fn typed_identities(path: &Path, overwrites: &[Overwrite]) -> Vec<Finding> {
    let namings = overwrites.iter().filter_map(|overwrite| overwrite.naming(path));
    let typed = namings.filter_map(|naming| match naming {
        Naming::With(typed) => Some(typed),
        Naming::Alone => None,
    });
    typed
        .map(|typed| Finding::refusing(Reason::WrongIdentity { typed, identities: Vec::new() }))
        .collect()
}

/// Marks of the file that forbid writing (statx(2), `stx_attributes`).
fn attributes(path: &Path) -> Vec<Reason> {
    let stat = rustix::fs::statx(CWD, path, AtFlags::empty(), StatxFlags::BASIC_STATS);
    let stat = match stat {
        Ok(stat) => stat,
        Err(error) => {
            let what = "how the file is marked";
            return vec![Reason::Unknown { what, cause: error.to_string() }];
        }
    };
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
    reasons
}

/// Whether the kernel would let this process write at the path.
fn permission(path: &Path) -> Option<Reason> {
    let error = rustix::fs::access(path, rustix::fs::Access::WRITE_OK).err()?;
    Some(Reason::NoPermission { cause: error.to_string() })
}
