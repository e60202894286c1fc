//! Facts about the machine and a target, read from `/proc` and `/sys` alone.
//!
//! Nothing here writes, runs a program or keeps state: every function reads through a [`SysRoot`],
//! so that a test can hand in its own tree. Files that a kernel or driver does not provide
//! are normal and leave their fact out; only what makes a target unusable is a fault.

mod block;
mod cgroup;
mod drive;
mod environment;
#[cfg(test)]
pub(crate) mod fake;
mod file_system;
mod loop_device;
mod machine;
mod sys_root;
mod target;
#[cfg(test)]
mod tests;

pub use crate::process::effective_user;
pub use block::{
    Array, BlockDevice, DeviceClass, DeviceCounters, DeviceNumber, DeviceRef, Mapping, Partition,
    SECTOR_BYTES, Zoned,
};
pub(crate) use block::{active_choice, node_path, number_of_node};
pub(crate) use cgroup::THROTTLES;
pub use cgroup::{IoLimit, io_limits};
pub use drive::{DriveFacts, Transport};
pub use file_system::{FileSystem, Mount};
pub(crate) use file_system::{btrfs_members, parse_table, unescape};
pub use loop_device::LoopFile;
pub(crate) use loop_device::{LoopDevice, disk_sequence, loop_devices};
pub use machine::machine;
pub(crate) use sys_root::SysDir;
pub use sys_root::SysRoot;
pub use target::{
    AlignmentSource, DeviceStack, DirectAlignment, FileId, FileTarget, MissingTarget, Subject,
    TargetFacts, direct_alignment, target,
};
