//! Settings of the profiles, of the machine and of its devices that shape every point of a run.

use std::collections::BTreeMap;

use crate::plan::{Caching, Plan, TargetKind};
use crate::result::warning::{BrokenSequence, LineAccess, SequentialLine, Uncounted};
use crate::result::{Environment, TargetEnvironment, Warning};
use crate::spec::profile::{ResolvedLine, ResolvedProfile};

/// Governors that let the processors run below their speed at light load.
const SLOW_GOVERNORS: [&str; 4] = ["powersave", "ondemand", "conservative", "schedutil"];

/// Caches of drives hold up to some hundred MiB, those of controllers and hosts a GiB and more: less
/// used than this, in bytes, may come from one.
const WORKING_SET_MIN: u64 = 1 << 30;

/// A device that is this many times larger has more to measure.
const DEVICE_RATIO_MIN: u64 = 16;

/// Drivers whose `powersave` is the ordinary governor and says little by itself: the processor
/// chooses its speed (Documentation/admin-guide/pm/intel_pstate.rst, amd-pstate.rst).
const SELF_GOVERNING: [&str; 2] = ["intel_pstate", "amd-pstate-epp"];

/// What a reader of a whole run should know of the settings it ran under.
pub fn environment_warnings(plan: &Plan, environment: &Environment) -> Vec<Warning> {
    let drives = drives(&environment.targets);
    let mut warnings = Vec::new();
    if plan.engine.caching == Caching::Direct {
        warnings.extend(environment.targets.iter().filter_map(uncounted));
    }
    if plan.writes() {
        warnings.extend(drives.iter().filter_map(|drive| write_cache(drive)));
    }
    warnings.extend(drives.iter().filter_map(|drive| scheduler(drive)));
    warnings.extend(environment.targets.iter().filter_map(small_working_set));
    warnings.extend(environment.hosts.iter().filter_map(|host| frequency_scaling(&host.cpu)));
    warnings
}

/// A drive below a target, by its facts and settings.
#[derive(Debug, Clone, Copy)]
struct Drive<'a> {
    name: &'a str,
    /// What its keys begin with.
    prefix: &'a str,
    target: &'a TargetEnvironment,
}

impl<'a> Drive<'a> {
    fn fact(&self, key: &str) -> Option<&'a str> {
        self.target.device.get(&format!("{}{key}", self.prefix)).map(String::as_str)
    }

    fn setting(&self, key: &str) -> Option<&'a str> {
        self.target.settings.get(&format!("{}{key}", self.prefix)).map(String::as_str)
    }

    /// Whether there is a medium behind it: files and memory shown as a disk, arrays and mappings
    /// only pass on what lies below them.
    fn is_physical(&self) -> bool {
        let disk = self.fact("disk").unwrap_or(self.name);
        let is_memory =
            ["loop", "zram", "ram", "md", "dm-"].iter().any(|driver| disk.starts_with(driver));
        matches!(self.fact("class"), Some("disk" | "partition")) && !is_memory
    }
}

/// The drives below all targets, each once.
fn drives(targets: &[TargetEnvironment]) -> Vec<Drive<'_>> {
    let mut drives: Vec<Drive<'_>> = Vec::new();
    for target in targets {
        for (key, name) in &target.device {
            let Some(prefix) = key.strip_suffix("name") else { continue };
            let drive = Drive { name, prefix, target };
            let is_own_name = prefix.is_empty() || prefix.ends_with('.');
            if is_own_name && drive.is_physical() && drives.iter().all(|old| old.name != name) {
                drives.push(drive);
            }
        }
    }
    drives
}

/// A target whose I/O no device counts: memory, a network, or counters that are off.
fn uncounted(target: &TargetEnvironment) -> Option<Warning> {
    let is_real = matches!(target.kind, TargetKind::File | TargetKind::Block);
    let is_off = |(key, value): (&String, &String)| {
        (key == "iostats" || key.ends_with(".iostats")) && value == "0"
    };
    let cause = if target.device.is_empty() {
        let file_system = target.file_system.split(' ').next().unwrap_or_default().to_owned();
        Uncounted::NoDevice { file_system }
    } else if target.settings.iter().any(is_off) {
        Uncounted::CountersOff
    } else {
        return None;
    };
    is_real.then(|| Warning::NotChecked { target: target.target.clone(), cause })
}

/// A used part of a device that is small enough for the caches of drives, controllers and
/// hypervisors, which no one here can ask; only said of devices with a medium that has far more.
fn small_working_set(target: &TargetEnvironment) -> Option<Warning> {
    // The files of a directory come and go: no part of the device is theirs.
    if target.kind == TargetKind::Directory {
        return None;
    }
    let device_bytes = drives(std::slice::from_ref(target))
        .iter()
        .filter_map(|drive| drive.fact("size_bytes")?.parse::<u64>().ok())
        .max()?;
    let used_bytes = target.size_bytes;
    let is_small = used_bytes < WORKING_SET_MIN && device_bytes / DEVICE_RATIO_MIN >= used_bytes;
    let target = target.target.clone();
    is_small.then_some(Warning::SmallWorkingSet { target, used_bytes, device_bytes })
}

fn write_cache(drive: &Drive<'_>) -> Option<Warning> {
    (drive.setting("write_cache") == Some("write back"))
        .then(|| Warning::WriteCacheOn { device: drive.name.to_owned() })
}

fn scheduler(drive: &Drive<'_>) -> Option<Warning> {
    let scheduler = drive.setting("scheduler")?;
    let is_flash = drive.fact("rotational") == Some("no");
    (is_flash && scheduler != "none").then(|| Warning::IoScheduler {
        device: drive.name.to_owned(),
        disk: drive.fact("disk").unwrap_or(drive.name).to_owned(),
        scheduler: scheduler.to_owned(),
    })
}

fn frequency_scaling(cpu: &BTreeMap<String, String>) -> Option<Warning> {
    let governor = cpu.get("governor")?;
    let driver = cpu.get("frequency_driver").map_or("", String::as_str);
    let mut names = governor.split(", ");
    let is_slow = names.any(|name| {
        SLOW_GOVERNORS.contains(&name) && !(name == "powersave" && SELF_GOVERNING.contains(&driver))
    });
    is_slow.then(|| Warning::FrequencyScaling { governor: governor.clone() })
}

/// What is to be said of the mixes of a plan, each thing once.
pub fn mix_warnings(plan: &Plan) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = Vec::new();
    let broken = plan.io_profiles().filter_map(broken_sequence);
    for warning in broken.map(Warning::NotSequential) {
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    warnings
}

/// What is to be said of a profile whose sequential lines do not stay sequential; `None` where
/// they do, or where there are none.
///
/// A stream has one position. A sequential I/O goes on where the last I/O of the stream ended,
/// whichever line that followed: beside random lines it goes on at random places.
/// Lines that are all sequential follow each other: together they pass through the range once, and
/// there is nothing to be said. Nor is there of a trace, whose I/Os go where they went.
fn broken_sequence(profile: &ResolvedProfile) -> Option<BrokenSequence> {
    if profile.trace.is_some() {
        return None;
    }
    let used = || profile.lines.iter().enumerate().filter(|(_, line)| line.share.get() > 0.0);
    let is_sequential = |line: &ResolvedLine| line.random.get() == 0.0;
    let random_percent = profile.random_percent();
    let lines: Vec<SequentialLine> = used()
        .filter(|(_, line)| is_sequential(line))
        .map(|(index, line)| SequentialLine {
            line: index as u64 + 1,
            block_bytes: line.block_bytes,
            access: access(line),
        })
        .collect();
    let is_broken = !lines.is_empty() && random_percent > 0.0;
    is_broken.then(|| BrokenSequence { profile: profile.name.clone(), lines, random_percent })
}

fn access(line: &ResolvedLine) -> LineAccess {
    match line.read.get() {
        0.0 => LineAccess::Writes,
        100.0 => LineAccess::Reads,
        _ => LineAccess::ReadsAndWrites,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::{io_profile, plan_of};
    use crate::words::units::Percent;

    fn facts(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    fn environment(device: &[(&str, &str)], settings: &[(&str, &str)]) -> Environment {
        let target = TargetEnvironment {
            target: "file".to_owned(),
            host: String::new(),
            kind: TargetKind::File,
            size_bytes: 0,
            file_system: String::new(),
            device: facts(device),
            settings: facts(settings),
            class: None,
            model: None,
        };
        Environment { targets: vec![target.clone(), target], ..Environment::default() }
    }

    /// Names of the warnings of all drives.
    fn names(device: &[(&str, &str)], settings: &[(&str, &str)]) -> Vec<String> {
        let environment = environment(device, settings);
        let drives = drives(&environment.targets);
        let both = drives.iter().flat_map(|drive| [write_cache(drive), scheduler(drive)]);
        both.flatten().map(|warning| warning.kind()).collect()
    }

    #[test]
    fn settings_of_drives_are_told_once() {
        let disk = [("name", "sda"), ("class", "disk"), ("rotational", "no")];
        let slow = [("write_cache", "write back"), ("scheduler", "mq-deadline")];
        assert_eq!(names(&disk, &slow), ["write_cache_on", "io_scheduler"]);
        assert!(
            names(&disk, &[("write_cache", "write through"), ("scheduler", "none")]).is_empty()
        );
        let rotating = [("name", "sda"), ("class", "disk"), ("rotational", "yes")];
        assert_eq!(names(&rotating, &slow), ["write_cache_on"]);
        let part = [("name", "sda1"), ("class", "partition"), ("disk", "sda"), ("dm_name", "x")];
        assert_eq!(names(&part, &slow), ["write_cache_on"]);
        let lower =
            [("name", "md0"), ("class", "md array"), ("sdb.name", "sdb"), ("sdb.class", "disk")];
        assert_eq!(names(&lower, &[("sdb.write_cache", "write back")]), ["write_cache_on"]);
    }

    #[test]
    fn the_advice_on_the_write_cache_is_about_the_drive_itself() {
        let environment =
            environment(&[("name", "sda"), ("class", "disk")], &[("write_cache", "write back")]);
        let text = write_cache(&drives(&environment.targets)[0]).unwrap().text();
        assert!(
            ["hdparm -W0", "sdparm --clear=WCE", "nvme set-feature -f 6 -v 0"]
                .into_iter()
                .all(|command| text.contains(command))
        );
        assert!(!text.contains("write through"), "{text}");
    }

    #[test]
    fn what_only_looks_like_a_drive_is_left_alone() {
        let on = [("write_cache", "write back"), ("scheduler", "bfq")];
        assert!(names(&[("name", "loop0"), ("class", "loop device")], &on).is_empty());
        let part = [("name", "loop0p1"), ("class", "partition"), ("disk", "loop0")];
        assert!(names(&part, &on).is_empty());
        assert!(names(&[], &on).is_empty());
    }

    #[test]
    fn a_working_set_that_a_cache_may_hold_is_named() {
        let check = |used: u64, device_bytes: &str, class: &str, warned: bool| {
            let device = [("name", "sda"), ("class", class), ("size_bytes", device_bytes)];
            let mut target = environment(&device, &[]).targets.remove(0);
            target.size_bytes = used;
            assert_eq!(small_working_set(&target).is_some(), warned, "{used} of {device_bytes}");
        };
        check(64 << 20, "500000000000", "disk", true);
        check(1 << 30, "500000000000", "disk", false);
        check(64 << 20, "536870912", "disk", false);
        check(64 << 20, "500000000000", "zram device", false);
    }

    #[test]
    fn targets_that_nothing_counts_are_named() {
        let check =
            |device: &[(&str, &str)], settings: &[(&str, &str)], kind, why: Option<&str>| {
                let mut target = environment(device, settings).targets.remove(0);
                target.file_system = "tmpfs on /dev/shm".to_owned();
                target.kind = kind;
                let said = uncounted(&target);
                assert_eq!(said.is_some(), why.is_some(), "{device:?} {settings:?}");
                assert!(said.is_none_or(|said| said.text().contains(why.unwrap_or_default())));
            };
        let disk = [("name", "sda"), ("class", "disk")];
        check(&disk, &[("iostats", "1")], TargetKind::File, None);
        check(&disk, &[], TargetKind::Block, None);
        check(&disk, &[("iostats", "0")], TargetKind::Block, Some("(queue/iostats)"));
        check(&disk, &[("sdb.iostats", "0")], TargetKind::File, Some("(queue/iostats)"));
        check(&[], &[], TargetKind::File, Some("no counted device under it (tmpfs)"));
        check(&[], &[], TargetKind::Null, None);
        check(&[], &[], TargetKind::Sim, None);
    }

    #[test]
    fn governors_that_save_power_are_named() {
        let check = |governor, driver, warned: bool| {
            let cpu = facts(&[("governor", governor), ("frequency_driver", driver)]);
            assert_eq!(frequency_scaling(&cpu).is_some(), warned, "{governor} {driver}");
        };
        check("performance", "acpi-cpufreq", false);
        check("ondemand", "acpi-cpufreq", true);
        check("performance, powersave", "acpi-cpufreq", true);
        check("powersave", "intel_pstate", false);
        check("schedutil", "intel_cpufreq", true);
        assert_eq!(frequency_scaling(&facts(&[])), None);
    }

    /// The note on a profile of lines with these shares, shares of reads and of random I/Os.
    fn note(lines: &[(f64, f64, f64)]) -> Option<String> {
        let mut plan = plan_of("null:", 1);
        let profile = io_profile(&mut plan);
        let percent = |number| Percent::new(number).unwrap();
        let line = profile.lines[0].clone();
        profile.lines = lines
            .iter()
            .map(|(share, read, random)| ResolvedLine {
                share: percent(*share),
                read: percent(*read),
                random: percent(*random),
                ..line.clone()
            })
            .collect();
        broken_sequence(profile).map(|broken| Warning::NotSequential(broken).text())
    }

    #[test]
    fn a_sequential_line_beside_a_random_one_is_named() {
        assert_eq!(
            note(&[(80.0, 67.0, 100.0), (20.0, 0.0, 0.0)]).unwrap(),
            "not sequential: line 2 (4KiB writes) of test is sequential alone, but not in this mix: \
             its I/Os go on where the last I/O of any line ended, and 80% of all I/Os go to random \
             positions; measure it as a profile without random lines"
        );
        let two = note(&[(50.0, 0.0, 0.0), (25.0, 100.0, 0.0), (25.0, 50.0, 10.0)]).unwrap();
        assert!(two.contains("line 1 (4KiB writes) and line 2 (4KiB reads) of test are"), "{two}");
        assert!(two.contains("and 2.5% of all I/Os"), "{two}");
    }

    #[test]
    fn lines_that_do_what_they_say_are_left_alone() {
        assert_eq!(note(&[(100.0, 67.0, 100.0)]), None);
        assert_eq!(note(&[(100.0, 0.0, 0.0)]), None);
        assert_eq!(note(&[(60.0, 100.0, 0.0), (40.0, 0.0, 0.0)]), None);
        assert_eq!(note(&[(60.0, 100.0, 100.0), (40.0, 0.0, 50.0)]), None);
        assert_eq!(note(&[(100.0, 100.0, 100.0), (0.0, 0.0, 0.0)]), None);
    }
}
