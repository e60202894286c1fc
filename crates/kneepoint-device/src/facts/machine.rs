//! The machine: name, operating system, maker, kernel, memory; its processors, and the settings
//! that change how fast they run.

use std::collections::{BTreeMap, BTreeSet};

use kneepoint_core::result::HostEnvironment;

use super::{SysRoot, block};

/// The machine's part of a result's environment; `engine` stays empty.
pub fn machine(root: &SysRoot) -> HostEnvironment {
    let facts = machine_facts(root);
    HostEnvironment {
        host: facts.get("name").cloned().unwrap_or_default(),
        facts,
        kernel: kernel(root),
        cpu: processor_facts(root),
        memory_bytes: memory_bytes(root),
        ..HostEnvironment::default()
    }
}

fn machine_facts(root: &SysRoot) -> BTreeMap<String, String> {
    // Machines without DMI name themselves in the device tree.
    let board = || root.text("/proc/device-tree/model");
    let facts = [
        ("name", root.text("/proc/sys/kernel/hostname")),
        ("operating_system", operating_system(root)),
        ("vendor", root.text("/sys/class/dmi/id/sys_vendor")),
        ("product", root.text("/sys/class/dmi/id/product_name").or_else(board)),
        ("bios_version", root.text("/sys/class/dmi/id/bios_version")),
        ("virtualisation", Some(virtualisation(root))),
        ("container", container(root)),
    ];
    present(facts)
}

/// Keeps the facts that are known.
pub(super) fn present<const N: usize>(
    facts: [(&str, Option<String>); N],
) -> BTreeMap<String, String> {
    facts.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
}

/// The distribution's own name (os-release(5)).
fn operating_system(root: &SysRoot) -> Option<String> {
    let text = root.text("/etc/os-release").or_else(|| root.text("/usr/lib/os-release"))?;
    let value = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(value.trim_matches(['"', '\'']).to_owned())
}

fn kernel(root: &SysRoot) -> String {
    let release = root.text("/proc/sys/kernel/osrelease").unwrap_or_default();
    let version = root.text("/proc/sys/kernel/version").unwrap_or_default();
    format!("{release} {version}").trim().to_owned()
}

/// Total memory; `MemTotal` is in units of 1024 bytes (proc_meminfo(5)).
fn memory_bytes(root: &SysRoot) -> u64 {
    root.text("/proc/meminfo")
        .and_then(|text| field(&text, "MemTotal")?.split_whitespace().next()?.parse::<u64>().ok())
        .map_or(0, |kib| kib * 1024)
}

/// A hint at the hypervisor: its name where the firmware tells it, `unknown hypervisor` where only
/// the processor shows that there is one, `none` where nothing does.
fn virtualisation(root: &SysRoot) -> String {
    if let Some(kind) = root.text("/sys/hypervisor/type") {
        return kind;
    }
    let firmware = ["sys_vendor", "product_name", "bios_vendor"]
        .iter()
        .filter_map(|name| root.text(format!("/sys/class/dmi/id/{name}")))
        .collect::<Vec<_>>()
        .join(" ");
    const MAKERS: [(&str, &str); 9] = [
        ("QEMU", "qemu"),
        ("KVM", "kvm"),
        ("VMware", "vmware"),
        ("VirtualBox", "virtualbox"),
        ("Virtual Machine", "hyper-v"),
        ("Amazon EC2", "amazon"),
        ("Google", "google"),
        ("Xen", "xen"),
        ("Parallels", "parallels"),
    ];
    let named = MAKERS.iter().find(|(mark, _)| firmware.contains(mark));
    match named {
        // Amazon's bare-metal machines bear the maker's name too; their processors tell no
        // hypervisor.
        Some((_, name)) if sees_hypervisor(root) => (*name).to_owned(),
        Some((mark, name)) if !matches!(*mark, "Amazon EC2" | "Google") => (*name).to_owned(),
        _ if sees_hypervisor(root) => "unknown hypervisor".to_owned(),
        _ => "none".to_owned(),
    }
}

/// The container manager, where the usual marks of one are there.
fn container(root: &SysRoot) -> Option<String> {
    let marks = [("/.dockerenv", "docker"), ("/run/.containerenv", "podman")];
    marks
        .iter()
        .find(|(path, _)| root.path(path).exists())
        .map(|(_, name)| (*name).to_owned())
        .or_else(|| root.text("/run/systemd/container"))
}

/// Processor facts by key.
fn processor_facts(root: &SysRoot) -> BTreeMap<String, String> {
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
                .map(|line| block::active_choice(&line).to_owned()),
        ),
    ])
}

/// True if the processor itself tells that it is a guest's.
fn sees_hypervisor(root: &SysRoot) -> bool {
    let info = root.text("/proc/cpuinfo").unwrap_or_default();
    field(&info, "flags").is_some_and(|flags| flags.split(' ').any(|flag| flag == "hypervisor"))
}

/// The first value of a key in `/proc/cpuinfo` or `/proc/meminfo`.
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

/// The state of running above the rated frequency: the Intel driver counts the other way.
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
    use crate::facts::fake::FakeTree;

    #[test]
    fn a_machine_is_told_by_its_files() {
        let tree = FakeTree::new();
        tree.file("/proc/sys/kernel/hostname", "db7\n");
        tree.file("/proc/sys/kernel/osrelease", "6.18.1\n");
        tree.file("/proc/sys/kernel/version", "#1 SMP\n");
        tree.file("/proc/meminfo", "MemTotal:       16384 kB\nMemFree: 1 kB\n");
        tree.file("/etc/os-release", "NAME=x\nPRETTY_NAME=\"Debian 13\"\n");
        tree.file("/sys/class/dmi/id/sys_vendor", "QEMU\n");
        tree.file("/sys/class/dmi/id/product_name", "Standard PC\n");
        tree.file(
            "/proc/cpuinfo",
            "processor\t: 0\nmodel name\t: Fast CPU\nphysical id\t: 0\ncore id\t: 0\n\
             flags\t: fpu hypervisor\n\nprocessor\t: 1\nmodel name\t: Fast CPU\n",
        );
        tree.file("/sys/devices/system/cpu/online", "0-1\n");
        tree.file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
        tree.file("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n");
        tree.file("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
        let found = machine(&tree.root());
        assert_eq!(found.host, "db7");
        assert_eq!(found.facts["operating_system"], "Debian 13");
        assert_eq!(found.facts["virtualisation"], "qemu");
        assert_eq!(found.kernel, "6.18.1 #1 SMP");
        assert_eq!(found.memory_bytes, 16384 * 1024);
        assert_eq!(found.cpu["model"], "Fast CPU");
        assert_eq!(found.cpu["logical_cpus"], "2");
        assert_eq!(found.cpu["governor"], "performance, powersave");
        assert_eq!(found.cpu["clock_source"], "tsc");
        assert_eq!(found.facts["name"], "db7");
    }

    #[test]
    fn an_empty_tree_leaves_facts_out() {
        let found = machine(&FakeTree::new().root());
        assert_eq!(found.memory_bytes, 0);
        assert_eq!(found.kernel, "");
        assert_eq!(found.facts.keys().collect::<Vec<_>>(), ["virtualisation"]);
    }
}

#[cfg(test)]
mod processor_tests {
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
