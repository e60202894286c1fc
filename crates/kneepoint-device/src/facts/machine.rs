//! The machine: name, operating system, maker, kernel, memory.

use std::collections::BTreeMap;

use kneepoint_core::result::HostEnvironment;

use super::{SysRoot, processor};

/// The machine's part of a result's environment; `engine` stays empty.
pub fn machine(root: &SysRoot) -> HostEnvironment {
    let facts = facts(root);
    HostEnvironment {
        host: facts.get("name").cloned().unwrap_or_default(),
        facts,
        kernel: kernel(root),
        cpu: processor::facts(root),
        memory_bytes: memory_bytes(root),
        ..HostEnvironment::default()
    }
}

fn facts(root: &SysRoot) -> BTreeMap<String, String> {
    let facts = [
        ("name", root.text("/proc/sys/kernel/hostname")),
        ("operating_system", operating_system(root)),
        ("vendor", root.text("/sys/class/dmi/id/sys_vendor")),
        ("product", root.text("/sys/class/dmi/id/product_name").or_else(|| board(root))),
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

/// Machines without DMI name themselves in the device tree.
fn board(root: &SysRoot) -> Option<String> {
    root.text("/proc/device-tree/model")
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
        .and_then(|text| {
            let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?.to_owned();
            line.split_whitespace().next()?.parse::<u64>().ok()
        })
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
        // Amazon's bare-metal machines bear the maker's name too; their processors tell no hypervisor.
        Some((_, name)) if processor::sees_hypervisor(root) => (*name).to_owned(),
        Some((mark, name)) if !matches!(*mark, "Amazon EC2" | "Google") => (*name).to_owned(),
        _ if processor::sees_hypervisor(root) => "unknown hypervisor".to_owned(),
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

#[cfg(test)]
mod tests {
    use super::super::fake::FakeTree;
    use super::*;

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
