//! What the run ran on.

use kneepoint_core::words::storage_class::StorageClass;

use crate::language::catalog::EnvironmentTexts;

pub(super) const TEXTS: EnvironmentTexts = EnvironmentTexts {
    heading: "Test environment",
    nothing: "Nothing was recorded.",
    host: "Host",
    processor: "Processor",
    engine: "Engine",
    kernel: "Kernel",
    memory: "Memory",
    kind: "Kind",
    file: "file",
    block_device: "block device",
    simulated_system: "simulated storage system",
    null_target: "null target",
    size: "Size used",
    size_in_bytes: |rounded, bytes| format!("{rounded} ({bytes} bytes)"),
    file_system: "File system",
    class: "Class",
    class_name: StorageClass::name,
    class_reason: |_| None,
    device: "Device",
    settings: "Settings",
    key: |key| match key {
        "io_policy" => Some("I/O policy"),
        "nr_requests" => Some("Requests in the queue"),
        "numa_nodes" => Some("NUMA nodes"),
        "raid" => Some("RAID level"),
        "smt" => Some("SMT"),
        "stroke" => Some("Disk stroke"),
        _ => None,
    },
    value: |_| None,
};
