//! Other processes: this test binary again, told by an environment variable what to do.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

const STAGE: &str = "KNEEPOINT_STORE_STAGE";

/// The directory to work in, where this process is the other one.
pub(crate) fn stage() -> Option<PathBuf> {
    std::env::var_os(STAGE).map(PathBuf::from)
}

/// A process that runs the test `name` alone, with the stage `directory`.
pub(crate) fn other(name: &str, directory: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", name, "--nocapture", "--test-threads=1"]).env(STAGE, directory);
    command
}

/// Starts a process whose output is read.
pub(crate) fn start(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits for a process, which must succeed.
pub(crate) fn succeed(child: Child) {
    check(&child.wait_with_output().unwrap());
}

/// A process must have succeeded, and with a test: a misspelt name runs none and fails nothing.
pub(crate) fn check(output: &Output) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success() && stdout.contains(" 1 passed"), "{stdout}\n{stderr}");
}

/// Runs the test `name` in a process with its own mounts, made by the shell line `mount` in which
/// `$STAGE` is the directory. Where this machine forbids that, says so and does nothing.
pub(crate) fn mounted(name: &str, directory: &Path, mount: &str) {
    let Some(space) = mount_space() else {
        kneepoint_testkit::skipped("this machine lets us make no mounts of our own");
        return;
    };
    let shell = mount.replace("$STAGE", &format!("\"${STAGE}\"")) + " && exec \"$@\"";
    let inner = other(name, directory);
    let mut command = Command::new("unshare");
    command.args([space, "sh", "-ec", &shell, "sh"]).arg(inner.get_program());
    command.args(inner.get_args()).env(STAGE, directory);
    succeed(start(command));
}

/// The option with which `unshare` gives its own process mounts here.
fn mount_space() -> Option<&'static str> {
    let try_mount = |space: &&str| {
        let mut command = Command::new("unshare");
        command.args([space, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    ["-m", "-rm"].into_iter().find(try_mount)
}
