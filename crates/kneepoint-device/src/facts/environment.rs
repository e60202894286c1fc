//! Target facts as they stand in a result.
//!
//! Keys: facts of the uppermost device stand alone (`name`, `model`, `serial`); those of every
//! other device below bear its kernel name (`sdb.model`). A partition shows its disk's drive and
//! settings as its own, so the disk is not repeated.

use std::collections::BTreeMap;

use kneepoint_core::result::TargetEnvironment;

use super::{
    Array, BlockDevice, DeviceClass, DeviceStack, FileSystem, LoopFile, Mapping, Partition,
    TargetFacts, Zoned,
};

type Facts = BTreeMap<String, String>;

impl TargetFacts {
    /// The target's entry in a result's environment; `target` is the name as the user typed it.
    pub fn environment(&self, target: &str) -> TargetEnvironment {
        let stack = self.stack();
        TargetEnvironment {
            target: target.to_owned(),
            host: String::new(),
            kind: self.kind(),
            size_bytes: self.size_bytes(),
            file_system: self.file_system().map(FileSystem::describe).unwrap_or_default(),
            device: stack.map(device_facts).unwrap_or_default(),
            settings: stack.map(settings).unwrap_or_default(),
            class: Some(self.storage_class()),
            model: None,
        }
    }
}

/// The devices that get facts of their own, with the prefix of their keys.
fn entries(stack: &DeviceStack) -> impl Iterator<Item = (String, &BlockDevice)> {
    let hidden: Vec<_> = stack
        .devices()
        .iter()
        .filter_map(|device| match &device.class {
            DeviceClass::Partition(partition) => Some(partition.disk.number),
            _ => None,
        })
        .collect();
    let lone_top = stack.tops().len() == 1;
    stack.devices().iter().filter(move |device| !hidden.contains(&device.number)).enumerate().map(
        move |(index, device)| match index {
            0 if lone_top => (String::new(), device),
            _ => (format!("{}.", device.name), device),
        },
    )
}

fn device_facts(stack: &DeviceStack) -> Facts {
    let mut facts = Facts::new();
    if stack.tops().len() > 1 {
        facts.insert("members".to_owned(), joined(stack.tops().iter().map(|top| &top.name)));
    }
    for (prefix, device) in entries(stack) {
        facts.extend(own_facts(device).map(|(key, value)| (prefix.clone() + key, value)));
    }
    facts
}

fn settings(stack: &DeviceStack) -> Facts {
    entries(stack)
        .flat_map(|(prefix, device)| {
            device
                .settings
                .iter()
                .map(move |(key, value)| (format!("{prefix}{key}"), value.clone()))
        })
        .collect()
}

/// Facts of one device by key; those that are not known are left out.
fn own_facts(device: &BlockDevice) -> impl Iterator<Item = (&'static str, String)> {
    let (parts, drive) = (&device.partitions, &device.drive);
    let mut facts = vec![
        ("name", Some(device.name.clone())),
        ("number", Some(device.number.to_string())),
        ("class", Some(device.class.name().to_owned())),
        ("size_bytes", Some(device.size_bytes.to_string())),
        ("logical_block_bytes", Some(device.logical_block_bytes.to_string())),
        ("physical_block_bytes", device.physical_block_bytes.map(|bytes| bytes.to_string())),
        ("read_only", device.is_read_only.then(|| "yes".to_owned())),
        ("zoned", (device.zoned != Zoned::None).then(|| device.zoned.name().to_owned())),
        ("partitions", (!parts.is_empty()).then(|| joined(parts.iter().map(|part| &part.name)))),
        ("holders", (!device.holders.is_empty()).then(|| joined(device.holders.iter()))),
        ("vendor", drive.vendor.clone()),
        ("model", drive.model.clone()),
        ("serial", drive.serial.clone()),
        ("firmware", drive.firmware.clone()),
        ("wwid", drive.wwid.clone()),
        ("transport", drive.transport.map(|transport| transport.name().to_owned())),
        ("rotational", drive.is_rotating.map(yes_or_no)),
        ("removable", drive.is_removable.map(yes_or_no)),
    ];
    facts.extend(class_facts(device));
    facts.into_iter().filter_map(|(key, value)| Some((key, value?)))
}

fn class_facts(device: &BlockDevice) -> Vec<(&'static str, Option<String>)> {
    let below = || joined(device.below.iter().map(|below| &below.name));
    match &device.class {
        DeviceClass::Disk | DeviceClass::Zram => Vec::new(),
        DeviceClass::Partition(Partition { index, start_bytes, uuid, disk }) => vec![
            ("disk", Some(disk.name.clone())),
            ("partition_index", Some(index.to_string())),
            ("partition_start_bytes", Some(start_bytes.to_string())),
            ("partition_uuid", uuid.clone()),
        ],
        DeviceClass::Loop(LoopFile { backing, offset_bytes }) => vec![
            ("backing_file", backing.as_ref().map(|path| path.display().to_string())),
            ("backing_offset_bytes", Some(offset_bytes.to_string())),
        ],
        DeviceClass::Md(array) => array_facts(array, below()),
        DeviceClass::Dm(Mapping { name, uuid }) => {
            vec![("dm_name", name.clone()), ("dm_uuid", uuid.clone()), ("members", Some(below()))]
        }
    }
}

fn array_facts(array: &Array, members: String) -> Vec<(&'static str, Option<String>)> {
    vec![
        ("raid_level", array.level.clone()),
        ("raid_members", array.members.map(|count| count.to_string())),
        ("raid_chunk_bytes", array.chunk_bytes.map(|bytes| bytes.to_string())),
        ("raid_state", array.state.clone()),
        ("raid_degraded", array.degraded.map(|count| count.to_string())),
        ("raid_sync", array.sync_action.clone()),
        ("raid_metadata", array.metadata.clone()),
        ("raid_uuid", array.uuid.clone()),
        ("members", Some(members)),
    ]
}

fn yes_or_no(holds: bool) -> String {
    if holds { "yes" } else { "no" }.to_owned()
}

fn joined<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(String::as_str).collect::<Vec<_>>().join(", ")
}
