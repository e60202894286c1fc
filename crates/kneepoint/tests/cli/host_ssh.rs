//! Agents that are started by the real ssh: on a host of its own network, which is reached through the
//! standard input and output of its server alone.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use kneepoint_testkit::{find_tool, has_tools, skipped};
use serde_json::Value;

use crate::hosts::{Lab, check_sums};

/// Writes what ssh and its server need to know each other.
fn set_up(lab: &Lab) {
    let place = |name: &str| lab.bench.path(name).to_string_lossy().into_owned();
    for key in ["host_key", "user_key"] {
        let made = ["-q", "-t", "ed25519", "-N", "", "-f", key];
        assert!(lab.bench.command_of("ssh-keygen", &made).status().unwrap().success());
    }
    fs::create_dir(lab.bench.path("bin")).unwrap();
    let program = env!("CARGO_BIN_EXE_kneepoint");
    std::os::unix::fs::symlink(program, lab.bench.path("bin/kneepoint")).unwrap();
    lab.bench.write(
        "sshd_config",
        format!(
            "HostKey {}\nAuthorizedKeysFile {}\nStrictModes no\nUsePAM no\nPermitRootLogin yes\n\
             PidFile none\nSetEnv PATH={}:/usr/bin:/bin KNEEPOINT_STATE={}\n",
            place("host_key"),
            place("user_key.pub"),
            place("bin"),
            place("guest")
        ),
    );
    let sshd = find_tool("sshd").unwrap();
    lab.bench.write(
        "far.sh",
        format!(
            "ip link set lo up && mount -t tmpfs none /run && mkdir -m 755 /run/sshd\n\
             exec '{}' -i -f '{}'\n",
            sshd.display(),
            place("sshd_config")
        ),
    );
    lab.bench.write(
        "ssh_config",
        format!(
            "Host far\n  ProxyCommand unshare --net --mount sh {}\n  User root\n  IdentityFile {}\n\
             \x20 UserKnownHostsFile {}\n  StrictHostKeyChecking no\n  LogLevel ERROR\n",
            place("far.sh"),
            place("user_key"),
            place("known_hosts")
        ),
    );
    lab.bench.write("ssh", format!("#!/bin/sh\nexec ssh -F '{}' \"$@\"\n", place("ssh_config")));
    assert!(Command::new("chmod").arg("+x").arg(place("ssh")).status().unwrap().success());
}

/// Whether an agent of this test still runs.
fn is_agent_there(lab: &Lab) -> bool {
    let own = lab.file("far");
    fs::read_dir("/proc").unwrap().flatten().any(|process| {
        let arguments = fs::read_to_string(process.path().join("cmdline")).unwrap_or_default();
        arguments.contains("agent") && arguments.contains(&own)
    })
}

#[test]
fn the_real_ssh_starts_an_agent_which_reaches_the_server_through_it() {
    if !has_tools(&["sshd", "ssh", "ssh-keygen", "unshare", "ip", "mount"]) {
        return;
    }
    let Some(lab) = Lab::new() else { return };
    let isolated = ["--net", "--mount", "ip", "link", "set", "lo", "up"];
    let is_possible = rustix::process::geteuid().is_root()
        && Command::new("unshare").args(isolated).status().unwrap().success();
    if !is_possible {
        return skipped("a network of its own takes root and namespaces");
    }
    set_up(&lab);
    lab.run(&["hosts", "join", "--address", &lab.address, "--valid", "1s"]);
    let target = format!("far:{}", lab.file("far"));
    let run = ["run", "database", &target, "--hosts", "far", "--size", "4MiB", "--allow-root"];
    let load = ["--outstanding", "1,2", "--time", "2s", "--ramp", "0s"];
    let mut run = lab.controller(&[&run[..], &load].concat());
    let said = run.env("KNEEPOINT_SSH", lab.bench.path("ssh")).output().unwrap();
    let said = lab.bench.said(said);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let result: Value = lab.bench.json(&["export", "last"]);
    check_sums(&result, 1);
    assert_eq!(result["environment"]["hosts"][0]["host"], "far");
    assert!(!lab.bench.path("guest/agent/agent.seed").exists(), "it keeps no key");
    let until = Instant::now() + Duration::from_secs(10);
    while is_agent_there(&lab) {
        assert!(Instant::now() < until, "the agent ends with the run");
        std::thread::sleep(Duration::from_millis(50));
    }
}
