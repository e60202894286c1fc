//! The process between a controller and its server: the server ends with the controller, however that ends.

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Command, Stdio};
use std::thread;

use kneepoint_core::words::fault::Fault;
use rustix::process::{Pid, Signal, kill_process};

/// Runs the server `program` with `config` as long as standard input is open, and lets it write what it says
/// to `log`; `started` hears the number of its process.
///
/// # Errors
/// When it cannot be started.
pub fn guard(
    (program, config, log): (&OsStr, &OsStr, &OsStr),
    started: impl FnOnce(u32),
) -> Result<(), Fault> {
    let run = || {
        let mut options = OpenOptions::new();
        let said = options.write(true).create(true).truncate(true).mode(0o600).open(log)?;
        let mut server = Command::new(program)
            .arg("-c")
            .arg(config)
            .stdin(Stdio::null())
            .stdout(said.try_clone()?)
            .stderr(said)
            .spawn()?;
        started(server.id());
        let pid = Pid::from_child(&server);
        thread::Builder::new().name("leash".to_owned()).spawn(move || {
            while io::stdin().read(&mut [0; 64]).is_ok_and(|bytes| bytes > 0) {}
            // It is not waited for before it has ended, so the number is still its own.
            let _ = kill_process(pid, Signal::TERM);
        })?;
        server.wait().map(drop)
    };
    run().map_err(|error| {
        Fault::new(format!("cannot start {}", program.to_string_lossy())).because(error)
    })
}
