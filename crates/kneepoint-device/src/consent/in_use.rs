//! Whether a device, or one that shares bytes with it, is in use.

use std::fs::Metadata;
use std::io;
use std::path::Path;

use crate::facts::{
    BlockDevice, DeviceClass, DeviceNumber, DeviceRef, FileId, LoopDevice, SysRoot, btrfs_members,
    loop_devices, node_path, number_of_node,
};

use super::finding::{Finding, Reason};
use super::mounts::Mounts;
use super::related::{self, Involved, Relation};
use super::swaps;

/// Every use of the device that speaks against writing it. What cannot be found out is a finding.
pub(super) fn findings(root: &SysRoot, device: &BlockDevice) -> Vec<Finding> {
    let circle = match related::around(root, device) {
        Ok(circle) => circle,
        Err(error) => return vec![unknown("which devices share its bytes", &error)],
    };
    let mut findings: Vec<Finding> = Vec::new();
    let mut add = |what, found: io::Result<Vec<Reason>>| match found {
        Ok(reasons) => findings.extend(reasons.into_iter().map(Finding::refusing)),
        Err(error) => findings.push(unknown(what, &error)),
    };
    add("what is mounted", mounted(root, &circle));
    add("which devices btrfs uses", btrfs(root, &circle));
    add("what is swapped on", swapped(root, &circle));
    add("what is built on it", held(root, &circle));
    add("which loop devices there are", loops(root, device, &circle));
    add("what shares its file", shared_file(root, device));
    let mut seen = Vec::new();
    findings.retain(|finding| {
        let is_new = !seen.contains(finding);
        seen.push(finding.clone());
        is_new
    });
    findings
}

pub(super) fn unknown(what: &'static str, cause: &impl ToString) -> Finding {
    Finding::refusing(Reason::Unknown { what, cause: cause.to_string() })
}

fn mounted(root: &SysRoot, circle: &[Involved]) -> io::Result<Vec<Reason>> {
    let mounts = Mounts::read(root)?;
    let reasons = circle.iter().flat_map(|device| {
        mounts.of(device).into_iter().map(|mount_point| Reason::Mounted {
            device: device.name.clone(),
            relation: device.relation,
            mount_point,
        })
    });
    Ok(reasons.collect())
}

fn btrfs(root: &SysRoot, circle: &[Involved]) -> io::Result<Vec<Reason>> {
    let mut reasons = Vec::new();
    for file_system in btrfs_members(root)? {
        for device in circle {
            let is_member =
                |member: &DeviceRef| member.number == device.number || member.name == device.name;
            if file_system.devices.iter().any(is_member) {
                reasons.push(Reason::BtrfsMember {
                    device: device.name.clone(),
                    relation: device.relation,
                    uuid: file_system.uuid.clone(),
                });
            }
        }
    }
    Ok(reasons)
}

fn swapped(root: &SysRoot, circle: &[Involved]) -> io::Result<Vec<Reason>> {
    let mut reasons = Vec::new();
    for place in swaps::places(root)? {
        for device in circle.iter().filter(|device| is_node(root, &place, device)) {
            reasons.push(Reason::Swap { place: place.clone(), relation: device.relation });
        }
    }
    Ok(reasons)
}

/// Whether a path is the node of that device.
fn is_node(root: &SysRoot, path: &Path, device: &Involved) -> bool {
    path == node_path(&device.name) || number_of_node(root, path) == Some(device.number)
}

fn held(root: &SysRoot, circle: &[Involved]) -> io::Result<Vec<Reason>> {
    let mut reasons = Vec::new();
    for device in circle {
        let holders = related::directory(root, device.number)?.dir("holders").names()?;
        reasons.extend(holders.into_iter().map(|holder| Reason::Held {
            device: device.name.clone(),
            relation: device.relation,
            holder,
        }));
    }
    Ok(reasons)
}

fn loops(root: &SysRoot, target: &BlockDevice, circle: &[Involved]) -> io::Result<Vec<Reason>> {
    let own = whole_disk(target);
    let mut reasons = Vec::new();
    for attached in loop_devices(root)?.into_iter().filter(|attached| attached.number != own) {
        let is_shown = |device: &&Involved| match attached.shown {
            Some(shown) => shown.device == device.number,
            None => is_node(root, attached.backing_path(root), device),
        };
        for device in circle.iter().filter(is_shown) {
            reasons.push(Reason::LoopBacking {
                loop_device: attached.name.clone(),
                relation: device.relation,
            });
        }
    }
    Ok(reasons)
}

/// The number of the disk that a device is or is part of.
const fn whole_disk(device: &BlockDevice) -> DeviceNumber {
    match &device.class {
        DeviceClass::Partition(partition) => partition.disk.number,
        _ => device.number,
    }
}

/// Other uses of the file that a loop device shows: another loop device, or swapping.
fn shared_file(root: &SysRoot, device: &BlockDevice) -> io::Result<Vec<Reason>> {
    let all = loop_devices(root)?;
    let Some(own) = all.iter().find(|attached| attached.number == whole_disk(device)) else {
        return Ok(Vec::new());
    };
    let path = own.backing_path(root);
    let meta = std::fs::metadata(root.path(path)).ok();
    let id = own.shown.map(|shown| shown.file).or(meta.as_ref().map(FileId::of));
    let length_bytes = meta.filter(|meta| Some(FileId::of(meta)) == id).map(|meta| meta.len());
    let file = Known { path, id, length_bytes };
    let mut reasons = uses(root, &file, Relation::Backing)?;
    reasons.retain(|reason| match reason {
        Reason::LoopBacking { loop_device, .. } => *loop_device != own.name,
        _ => true,
    });
    if reasons.is_empty() && id.is_none() {
        return Err(io::Error::other(format!("{} shows a file that is not found", own.name)));
    }
    Ok(reasons)
}

/// Whether a file is swapped on or shown by a loop device.
///
/// # Errors
/// When one of the tables cannot be read.
pub(super) fn uses_of_file(
    root: &SysRoot,
    path: &Path,
    relation: Relation,
) -> io::Result<Vec<Reason>> {
    let meta = std::fs::metadata(path).ok();
    let id = meta.as_ref().map(FileId::of);
    uses(root, &Known { path, id, length_bytes: meta.as_ref().map(Metadata::len) }, relation)
}

/// What is known of a file whose uses are asked for.
struct Known<'a> {
    path: &'a Path,
    /// Absent where its path leads nowhere from here.
    id: Option<FileId>,
    length_bytes: Option<u64>,
}

fn uses(root: &SysRoot, file: &Known<'_>, relation: Relation) -> io::Result<Vec<Reason>> {
    let mut reasons = Vec::new();
    for place in swaps::places(root)? {
        if file.is_at(root, &place) {
            reasons.push(Reason::Swap { place, relation });
        }
    }
    let found = loop_devices(root)?.into_iter().filter(|attached| file.is_shown_by(root, attached));
    reasons
        .extend(found.map(|attached| Reason::LoopBacking { loop_device: attached.name, relation }));
    Ok(reasons)
}

impl Known<'_> {
    /// Whether a recorded path leads to the file. One that leads nowhere from here, as one of another
    /// mount namespace does, may still be the file: then equal names count.
    fn is_at(&self, root: &SysRoot, recorded: &Path) -> bool {
        if recorded == self.path {
            return true;
        }
        let found = std::fs::metadata(root.path(recorded)).ok().map(|meta| FileId::of(&meta));
        match (found, self.id) {
            (Some(found), Some(id)) => found == id,
            _ => recorded.file_name().is_some() && recorded.file_name() == self.path.file_name(),
        }
    }

    /// Whether a loop device shows the file. What cannot be told apart counts as the file.
    fn is_shown_by(&self, root: &SysRoot, attached: &LoopDevice) -> bool {
        let suits = self.length_bytes.is_none_or(|length| attached.suits(length));
        match (attached.shown, self.id) {
            (Some(shown), Some(id)) => {
                shown.file == id || (may_be_layers_of_one_file(shown.file, id) && suits)
            }
            _ => {
                let recorded = attached.backing_path(root);
                let is_lost = std::fs::metadata(root.path(recorded)).is_err();
                self.is_at(root, recorded) || (is_lost && suits)
            }
        }
    }
}

/// Whether two files can be one that an overlay shows: it shows the inode of the layer below, on
/// an anonymous device.
const fn may_be_layers_of_one_file(first: FileId, second: FileId) -> bool {
    first.inode == second.inode && (first.device.is_anonymous() || second.device.is_anonymous())
}
