//! What the machine and a target are, read from `/proc` and `/sys` alone.
//!
//! Nothing here writes, runs a program or keeps state: every function reads through a [`SysRoot`],
//! so that a test can hand in its own tree. Files that a kernel or driver does not provide
//! are normal and leave their fact out; only what makes a target unusable is a fault.

mod alignment;
mod block;
mod btrfs;
mod cgroup;
mod counters;
mod device_number;
mod drive;
mod environment;
#[cfg(test)]
pub(crate) mod fake;
mod file_system;
mod incarnation;
mod loop_file;
mod machine;
mod medium;
mod mount;
mod processor;
mod queue;
mod stack;
mod sys_root;
mod target;
#[cfg(test)]
mod tests;
mod user;

pub use alignment::{AlignmentSource, DirectAlignment, direct_alignment};
pub use block::Partition;
pub use block::{Access, BlockDevice, DeviceClass, DeviceRef, Zoned};
pub use block::{Array, Mapping};
pub use cgroup::{IoLimit, io_limits};
pub use counters::{DeviceCounters, SECTOR_BYTES, device_counters};
pub use device_number::DeviceNumber;
pub use drive::{Drive, Medium, Surface, Transport};
pub use file_system::FileSystem;
pub use loop_file::LoopFile;
pub use machine::machine;
pub use mount::Mount;
pub use stack::DeviceStack;
pub use sys_root::SysRoot;
pub use target::{FileId, FileTarget, MissingTarget, Subject, TargetFacts, target};
pub use user::effective_user;

pub(crate) use block::{node_path, number_of_node};
pub(crate) use btrfs::members as btrfs_members;
pub(crate) use incarnation::disk_sequence;
pub(crate) use loop_file::{LoopDevice, loop_devices};
pub(crate) use mount::{parse_table, unescape};
pub(crate) use queue::active_choice;
pub(crate) use sys_root::SysDir;
