//! The processors: model, number, and the settings that change how fast they run.

use std::collections::{BTreeMap, BTreeSet};

use super::machine::present;
use super::{SysRoot, queue};

/// Processor facts by key.
pub(super) fn facts(root: &SysRoot) -> BTreeMap<String, String> {
    let info = root.text("/proc/cpuinfo").unwrap_or_default();
    let cpus = "/sys/devices/system/cpu";
    present([
        ("model", model(&info)),
        ("logical_cpus", logical_cpus(root, &info).map(|count| count.to_string())),
        ("cores", cores(&info).map(|count| count.to_string())),
        ("sockets", distinct(&info, "physical id").map(|count| count.to_string())),
        (
            "numa_nodes",
            root.text("/sys/devices/system/node/online")
                .and_then(|list| count_list(&list).map(|count| count.to_string())),
        ),
        ("governor", over_cpus(root, "cpufreq/scaling_governor")),
        ("frequency_driver", over_cpus(root, "cpufreq/scaling_driver")),
        ("frequency_max_khz", over_cpus(root, "cpufreq/scaling_max_freq")),
        ("energy_preference", over_cpus(root, "cpufreq/energy_performance_preference")),
        ("idle_driver", root.text(format!("{cpus}/cpuidle/current_driver"))),
        ("turbo", turbo(root)),
        ("smt", root.text(format!("{cpus}/smt/control"))),
        ("isolated", root.text(format!("{cpus}/isolated"))),
        ("microcode", field(&info, "microcode").map(str::to_owned)),
        (
            "clock_source",
            root.text("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
        ),
        (
            "transparent_huge_pages",
            root.text("/sys/kernel/mm/transparent_hugepage/enabled")
                .map(|line| queue::active_choice(&line).to_owned()),
        ),
    ])
}

/// Whether the processor itself tells that it is a guest's.
pub(super) fn sees_hypervisor(root: &SysRoot) -> bool {
    let info = root.text("/proc/cpuinfo").unwrap_or_default();
    field(&info, "flags").is_some_and(|flags| flags.split(' ').any(|flag| flag == "hypervisor"))
}

/// The first value of a key in `/proc/cpuinfo`.
fn field<'a>(info: &'a str, key: &str) -> Option<&'a str> {
    info.lines().find_map(|line| value(line, key))
}

fn value<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let (name, value) = line.split_once(':')?;
    (name.trim() == key && !value.trim().is_empty()).then(|| value.trim())
}

/// x86 calls it `model name`, s390 and RISC-V name other keys; Arm gives only numbers.
fn model(info: &str) -> Option<String> {
    let named = ["model name", "cpu model", "cpu", "uarch"].iter().find_map(|key| field(info, key));
    let arm = || {
        let (maker, part) = (field(info, "CPU implementer")?, field(info, "CPU part")?);
        Some(format!("Arm implementer {maker} part {part}"))
    };
    named.map(str::to_owned).or_else(arm)
}

fn logical_cpus(root: &SysRoot, info: &str) -> Option<usize> {
    let listed = root.text("/sys/devices/system/cpu/online").and_then(|list| count_list(&list));
    let counted = info.lines().filter(|line| value(line, "processor").is_some()).count();
    listed.or((counted > 0).then_some(counted))
}

/// Distinct values of a key.
fn distinct(info: &str, key: &str) -> Option<usize> {
    let values: BTreeSet<&str> = info.lines().filter_map(|line| value(line, key)).collect();
    (!values.is_empty()).then_some(values.len())
}

/// Distinct pairs of socket and core.
fn cores(info: &str) -> Option<usize> {
    let pairs: BTreeSet<_> = info
        .split("\n\n")
        .filter_map(|cpu| Some((field(cpu, "physical id")?, field(cpu, "core id")?)))
        .collect();
    (!pairs.is_empty()).then_some(pairs.len())
}

/// The distinct values that the processors have in one file, sorted and joined.
fn over_cpus(root: &SysRoot, file: &str) -> Option<String> {
    let cpus = root.dir("/sys/devices/system/cpu");
    let names = cpus.names().ok()?;
    let is_cpu =
        |name: &&String| name.strip_prefix("cpu").is_some_and(|rest| rest.parse::<u32>().is_ok());
    let values: BTreeSet<String> =
        names.iter().filter(is_cpu).filter_map(|name| cpus.dir(name).text(file)).collect();
    (!values.is_empty()).then(|| values.into_iter().collect::<Vec<_>>().join(", "))
}

/// Whether the processor may run above its rated frequency: the Intel driver counts the other way.
fn turbo(root: &SysRoot) -> Option<String> {
    let cpus = "/sys/devices/system/cpu";
    let intel = root.text(format!("{cpus}/intel_pstate/no_turbo"));
    let word = match intel.as_deref() {
        Some("0") => "on",
        Some(_) => "off",
        None if root.text(format!("{cpus}/cpufreq/boost"))? == "1" => "on",
        None => "off",
    };
    Some(word.to_owned())
}

/// The number of members of a list such as `0-3,8`.
fn count_list(list: &str) -> Option<usize> {
    list.split(',').try_fold(0, |sum, part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        Some(sum + last.checked_sub(first)? + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_processors_are_counted() {
        assert_eq!(count_list("0-3,8"), Some(5));
        assert_eq!(count_list("0"), Some(1));
        assert_eq!(count_list("3-1"), None);
        assert_eq!(count_list(""), None);
    }

    #[test]
    fn cores_are_pairs_of_socket_and_core() {
        let cpu = |socket, core| format!("physical id\t: {socket}\ncore id\t: {core}\n\n");
        let info = [cpu(0, 0), cpu(0, 0), cpu(0, 1), cpu(1, 0)].concat();
        assert_eq!(cores(&info), Some(3));
        assert_eq!(distinct(&info, "physical id"), Some(2));
    }

    #[test]
    fn an_arm_processor_is_named_by_its_numbers() {
        let info = "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n";
        assert_eq!(model(info).as_deref(), Some("Arm implementer 0x41 part 0xd0c"));
    }
}
