//! What the run ran on.

use kneepoint_core::words::storage_class::StorageClass;

/// What the run ran on.
#[derive(Debug)]
pub(crate) struct EnvironmentTexts {
    pub(crate) heading: &'static str,
    pub(crate) nothing: &'static str,
    pub(crate) host: &'static str,
    pub(crate) processor: &'static str,
    pub(crate) engine: &'static str,
    pub(crate) kernel: &'static str,
    pub(crate) memory: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) file: &'static str,
    pub(crate) block_device: &'static str,
    pub(crate) simulated_system: &'static str,
    pub(crate) null_target: &'static str,
    pub(crate) size: &'static str,
    /// A rounded size, and the exact number of bytes.
    pub(crate) size_in_bytes: super::Of2,
    pub(crate) file_system: &'static str,
    /// Title of the class of storage.
    pub(crate) class: &'static str,
    pub(crate) class_name: fn(StorageClass) -> &'static str,
    /// Why a target is of its class, where this language has words of its own for it.
    pub(crate) class_reason: fn(&str) -> Option<String>,
    pub(crate) device: &'static str,
    pub(crate) settings: &'static str,
    /// Name of a fact, where this language has one.
    pub(crate) key: fn(&str) -> Option<&'static str>,
    /// Value of a fact, where this language has a word for it.
    pub(crate) value: fn(&str) -> Option<&'static str>,
}
