//! The settings that Kneepoint knows, and where they stand for given targets.

use std::path::{Path, PathBuf};

use kneepoint_core::measure::journal::{Form, SettingPlace};
use kneepoint_core::spec::document::did_you_mean;
use kneepoint_core::spec::factor::{CPU_QUOTA, Factor};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Bytes;

use super::frequency::{self, FREQUENCY};
use super::place::NO_LIMIT;
use super::quota;
use super::{VariedSetting, What, place};
use crate::facts::{BlockDevice, DeviceClass, DeviceNumber, SysRoot, THROTTLES, TargetFacts};

/// The settings with what their levels are.
pub const KNOWN: [(&str, &str); 11] = [
    ("scheduler", "I/O scheduler: none, mq-deadline, kyber, bfq"),
    ("read_ahead", "read-ahead of buffered reads, in KiB: 0, 128, 4096"),
    ("nr_requests", "requests that the I/O scheduler holds: 64, 256"),
    ("write_cache", "the drive's own write cache, SCSI, SATA and virtio: off, on"),
    ("kernel_flushes", "whether the kernel has the drive flush its cache: off, on"),
    ("cgroup.read_iops", "limit of this control group, reads per second: 200, max"),
    ("cgroup.write_iops", "the same for writes per second"),
    ("cgroup.read_bps", "the same for bytes read per second: 10MiB, max"),
    ("cgroup.write_bps", "the same for bytes written per second"),
    (CPU_QUOTA, "processor time of this control group, in processors: 0.5, 2, max"),
    (FREQUENCY, "highest clock frequency of the processors: 1.8GHz, 2400MHz"),
];

/// True if a factor of that name is a setting of the kernel.
pub fn is_known(name: &str) -> bool {
    KNOWN.iter().any(|(known, _)| *known == name)
}

/// Where the setting `factor` stands for the targets, each place once.
///
/// The clock is that of the whole machine, a quota that of the control group. Read-ahead and limits belong to the
/// device that I/O enters first; scheduler, requests and write cache to the disks, for md and dm to their members.
///
/// # Errors
/// When there is no such setting, a target has no device that has it, or a level cannot be one of
/// its values.
pub fn find(
    root: &SysRoot,
    factor: &Factor,
    targets: &[&TargetFacts],
) -> Result<Vec<VariedSetting>, Fault> {
    if !is_known(&factor.name) {
        return Err(unknown(&factor.name));
    }
    if factor.name == FREQUENCY {
        return frequency::find(root, factor);
    }
    if factor.name == CPU_QUOTA {
        return Ok(vec![quota::find(root, factor)?]);
    }
    let mut all: Vec<VariedSetting> = Vec::new();
    for target in targets {
        let devices = devices(root, target, &factor.name);
        if devices.is_empty() {
            return Err(Fault::new(format!(
                "{} cannot be varied for {}",
                factor.name,
                target.path.display()
            ))
            .because("the kernel shows no block device under it")
            .fix("name a target on a local block device"));
        }
        for device in devices {
            let place = place_of(root, &factor.name, &device)?;
            if !all.iter().any(|known| known.what == What::Place(place.clone())) {
                all.push(varied(root, factor, place)?);
            }
        }
    }
    Ok(all)
}

fn varied(root: &SysRoot, factor: &Factor, place: SettingPlace) -> Result<VariedSetting, Fault> {
    let value = |level: &String| Ok((level.clone(), canonical(root, &place, level)?));
    let levels = factor.levels.iter().map(value).collect::<Result<_, Fault>>()?;
    Ok(VariedSetting { factor: factor.name.clone(), what: What::Place(place), levels })
}

fn unknown(name: &str) -> Fault {
    let names: Vec<&str> = KNOWN.iter().map(|(name, _)| *name).collect();
    let hint = did_you_mean(name, names.iter().copied()).unwrap_or_else(|| {
        format!("use one of {}, or a [[factor]] with set, check and restore", names.join(", "))
    });
    Fault::new(format!("there is no setting '{name}'")).fix(hint)
}

/// The devices under a target that have the setting.
fn devices(root: &SysRoot, target: &TargetFacts, name: &str) -> Vec<BlockDevice> {
    let is_of_disks = ["scheduler", "nr_requests", "write_cache", "kernel_flushes"].contains(&name);
    let tops = target.stack().map_or(&[][..], |stack| stack.tops());
    let mut queue: Vec<DeviceNumber> = tops.iter().map(|device| device.number).collect();
    let mut found: Vec<BlockDevice> = Vec::new();
    while let Some(number) = queue.pop() {
        let Ok(device) = BlockDevice::read(root, number) else { continue };
        match &device.class {
            DeviceClass::Partition(partition) => queue.push(partition.disk.number),
            DeviceClass::Md(_) | DeviceClass::Dm(_) if is_of_disks => {
                queue.extend(device.below.iter().map(|below| below.number));
            }
            _ if found.iter().all(|known| known.number != device.number) => found.push(device),
            _ => {}
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

fn place_of(root: &SysRoot, name: &str, device: &BlockDevice) -> Result<SettingPlace, Fault> {
    let disk = Path::new("/sys/block").join(&device.name);
    let number = device.number.to_string();
    let (file, form) = match name {
        "scheduler" => (disk.join("queue/scheduler"), Form::Choice),
        "read_ahead" => (disk.join("queue/read_ahead_kb"), Form::Plain),
        "nr_requests" => (disk.join("queue/nr_requests"), Form::Plain),
        "write_cache" => {
            let file = write_cache_file(root, &disk).ok_or_else(|| no_cache_file(&device.name))?;
            (file, Form::WriteCache)
        }
        "kernel_flushes" => (disk.join("queue/write_cache"), Form::WriteCache),
        _ => {
            let limit = THROTTLES.iter().find(|(setting, ..)| *setting == name);
            let (_, throttle, key) = limit.ok_or_else(|| unknown(name))?;
            limit_file(root, (throttle, key), &number)?
        }
    };
    if !root.path(&file).exists() {
        return Err(Fault::new(format!("{} has no setting {name}", device.name))
            .because(format!("there is no {}", file.display()))
            .fix("leave out this factor, or name other targets"));
    }
    Ok(SettingPlace {
        factor: name.to_owned(),
        device: device.name.clone(),
        file: file.to_string_lossy().into_owned(),
        form,
    })
}

/// The file that switches the drive's own cache (SCSI and SATA by way of MODE SELECT, virtio),
/// where there is one.
fn write_cache_file(root: &SysRoot, disk: &Path) -> Option<PathBuf> {
    let of_drive = disk.join("device/scsi_disk");
    let scsi = root.dir(&of_drive).names().ok().and_then(|names| names.into_iter().next());
    let files =
        [scsi.map(|name| of_drive.join(name).join("cache_type")), Some(disk.join("cache_type"))];
    files.into_iter().flatten().find(|file| root.path(file).exists())
}

fn no_cache_file(device: &str) -> Fault {
    Fault::new(format!("{device} has no setting write_cache"))
        .because(
            "the kernel has no file that switches this drive's own cache; queue/write_cache only \
             says whether the kernel has the cache flushed",
        )
        .fix(
            "use a [[factor]] with commands (nvme set-feature -f 6, hdparm -W, sdparm WCE), or vary \
             kernel_flushes if the flushes are what you mean",
        )
}

/// A level as the kernel gives it back.
fn canonical(root: &SysRoot, place: &SettingPlace, level: &str) -> Result<String, Fault> {
    let wrong = |fix: String| {
        Fault::new(format!("'{level}' is no level of {}", super::place_name(place))).fix(fix)
    };
    let number = |text: &str| text.parse::<u64>().ok().map(|number| number.to_string());
    match &place.form {
        Form::Plain | Form::Quota => {
            number(level).ok_or_else(|| wrong("use a whole number".to_owned()))
        }
        Form::WriteCache if ["on", "off"].contains(&level) => Ok(level.to_owned()),
        Form::WriteCache => Err(wrong("use on or off".to_owned())),
        Form::Throttle { .. } | Form::Limit { .. } if level == NO_LIMIT => Ok(level.to_owned()),
        Form::Throttle { .. } | Form::Limit { .. } => {
            let is_bytes = place.factor.ends_with("_bps");
            let bytes = || level.parse::<Bytes>().ok().map(|bytes| bytes.0.to_string());
            let value = if is_bytes { number(level).or_else(bytes) } else { number(level) };
            let value = value.filter(|value| value != "0");
            value.ok_or_else(|| wrong("use a whole number above zero, or max".to_owned()))
        }
        Form::Choice => {
            let text = std::fs::read_to_string(root.path(&place.file)).unwrap_or_default();
            let words: Vec<&str> = text
                .split_whitespace()
                .map(|word| word.trim_matches(|char| char == '[' || char == ']'))
                .collect();
            match words.contains(&level) {
                true => Ok(level.to_owned()),
                false => Err(wrong(format!("the kernel offers {}", words.join(", ")))),
            }
        }
    }
}

/// True if a journal may name this place: the files above, and no others.
pub(super) fn is_ours(place: &SettingPlace) -> bool {
    let of_sysfs = place.file.starts_with("/sys/block/") && !place.file.contains("..");
    match (&place.form, place.file.rsplit('/').next().unwrap_or_default()) {
        (Form::Choice, "scheduler")
        | (Form::Plain, "read_ahead_kb" | "nr_requests")
        | (Form::WriteCache, "write_cache" | "cache_type") => of_sysfs,
        (Form::Plain, _) => frequency::is_limit(&place.file),
        (Form::Throttle { .. }, file) => {
            THROTTLES.iter().any(|(_, throttle, _)| *throttle == file) && !place.file.contains("..")
        }
        (Form::Limit { .. }, "io.max") => !place.file.contains(".."),
        (Form::Quota, _) => quota::is_quota(&place.file),
        _ => false,
    }
}

/// The value as it stands now.
pub(super) fn value_now(root: &SysRoot, place: &SettingPlace) -> Result<String, Fault> {
    place::read_value(root, place)
        .map_err(|error| Fault::new(format!("cannot read {}", place.file)).because(error))
}

/// The file that holds the limit for a device of that number, and how it stands there.
fn limit_file(
    root: &SysRoot,
    (throttle, key): (&str, &str),
    number: &str,
) -> Result<(PathBuf, Form), Fault> {
    let number = number.to_owned();
    let first = folder(root, ("cgroup", "blkio")).map(|folder| folder.join(throttle));
    if let Some(file) = first.filter(|file| root.path(file).exists()) {
        return Ok((file, Form::Throttle { number }));
    }
    let second = folder(root, ("cgroup2", "")).map(|folder| folder.join("io.max"));
    match second.filter(|file| root.path(file).exists()) {
        Some(file) => Ok((file, Form::Limit { number, key: key.to_owned() })),
        None => Err(Fault::new("this process is in no control group that can limit I/O")
            .because("neither blkio.throttle files nor io.max are there for it")
            .fix(
                "run in a group below the root with the io controller enabled (version 2), or \
                  mount it: mount -t cgroup -o blkio none DIR (version 1)",
            )),
    }
}

/// The folder of this process's group, by its kind of file system and the controller there; the
/// second version names none.
pub(super) fn folder(root: &SysRoot, (kind, controller): (&str, &str)) -> Option<PathBuf> {
    let groups = root.text("/proc/self/cgroup")?;
    let path = groups.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        controllers.split(',').any(|name| name == controller).then_some(path)
    })?;
    let mounts = root.text("/proc/self/mounts")?;
    let base = mounts.lines().find_map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let [_, base, found, options, ..] = words.as_slice() else { return None };
        let has_controller =
            controller.is_empty() || options.split(',').any(|name| name == controller);
        (*found == kind && has_controller).then_some(*base)
    })?;
    Some(Path::new(base).join(path.strip_prefix('/').unwrap_or(path)))
}
