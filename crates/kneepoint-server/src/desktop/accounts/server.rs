//! xrdp and its session manager, run for accounts that were made.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use kneepoint_core::words::fault::Fault;
use rustix::process::{Pid, Signal, kill_process};

use super::super::cgroup::{self, Group};
use crate::guard::end;

/// How both are set.
const XRDP: &str = include_str!("xrdp.ini");
const MANAGER: &str = include_str!("sesman.ini");

/// Every xrdp finds its session manager at this port.
const MANAGER_PORT: u16 = 3350;

/// Where both meet.
const SOCKETS: &str = "/run/xrdp/sockdir";
const SOCKETS_MODE: u32 = 0o3777;

/// Programs of the system are here, also where the PATH leaves it out.
const SYSTEM: [&str; 2] = ["/usr/sbin", "/sbin"];

/// How long the server may take to be there.
const START: Duration = Duration::from_secs(30);
const LOOK: Duration = Duration::from_millis(50);

/// The program of this name, on the PATH or among those of the system.
pub(super) fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(SYSTEM.map(PathBuf::from));
    folders.map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Refuses a port that is taken, and a machine on which another xrdp runs.
///
/// # Errors
/// When it is so.
pub(super) fn check_ports(port: u16) -> Result<(), Fault> {
    if TcpStream::connect((Ipv4Addr::LOCALHOST, MANAGER_PORT)).is_ok() {
        return Err(Fault::new("another xrdp runs on this machine")
            .because(format!("its session manager answers at port {MANAGER_PORT}"))
            .fix("end it first, as by systemctl stop xrdp xrdp-sesman"));
    }
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map(drop).map_err(|error| {
        Fault::new(format!("port {port} is not free"))
            .because(error)
            .fix("end what uses it, or choose another one with --port")
    })
}

/// A server that runs. It ends when this is dropped.
#[derive(Debug)]
pub(super) struct Server {
    processes: Vec<Child>,
}

impl Server {
    /// Starts both in the folder of all, and waits until they answer at `port`.
    pub(super) fn start(folder: &Path, port: u16, group: Option<&Group>) -> Result<Self, String> {
        let text = |error: io::Error| error.to_string();
        certificate(folder)?;
        let place = folder.to_string_lossy();
        let set = |text: &str| text.replace("@PORT@", &port.to_string()).replace("@PLACE@", &place);
        fs::write(folder.join("xrdp.ini"), set(XRDP)).map_err(text)?;
        fs::write(folder.join("sesman.ini"), set(MANAGER)).map_err(text)?;
        socket_folder().map_err(text)?;
        let mut server = Self { processes: Vec::new() };
        for (name, config) in [("xrdp-sesman", "sesman.ini"), ("xrdp", "xrdp.ini")] {
            let log = File::create(folder.join(format!("{name}.out"))).map_err(text)?;
            let program = program(name).ok_or_else(|| format!("there is no {name}"))?;
            let mut command = cgroup::command(group, program.as_os_str());
            command.arg("--nodaemon").arg("--config").arg(folder.join(config));
            command.stdin(Stdio::null()).stdout(log.try_clone().map_err(text)?).stderr(log);
            server.processes.push(command.spawn().map_err(text)?);
        }
        server.await_port(port, folder)?;
        Ok(server)
    }

    fn await_port(&mut self, port: u16, folder: &Path) -> Result<(), String> {
        let begun = Instant::now();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        while TcpStream::connect_timeout(&address, START).is_err() {
            let has_ended = |child: &mut Child| !matches!(child.try_wait(), Ok(None));
            if self.processes.iter_mut().any(has_ended) {
                let log = fs::read_to_string(folder.join("xrdp.out")).unwrap_or_default();
                let last = log.lines().last().unwrap_or_default();
                return Err(format!("xrdp or its session manager has ended: {last}"));
            }
            if begun.elapsed() > START {
                return Err(format!("xrdp did not answer within {} s", START.as_secs()));
            }
            thread::sleep(LOOK);
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        end(&mut self.processes);
    }
}

/// Ends what runs with the settings in `folder`: servers whose guard was killed.
pub(super) fn end_left(folder: &Path) {
    let settings = ["xrdp.ini", "sesman.ini"].map(|name| folder.join(name));
    let is_ours = |pid: i32| {
        let typed = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let mut words = typed.split(|byte| *byte == 0);
        words.any(|word| settings.iter().any(|path| path.as_os_str().as_bytes() == word))
    };
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    for pid in pids.filter(|pid| is_ours(*pid)).filter_map(Pid::from_raw) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// A certificate of the server's own, whose key only root reads.
fn certificate(folder: &Path) -> Result<(), String> {
    let text = |error: io::Error| error.to_string();
    let key = folder.join("key.pem");
    let mut file = OpenOptions::new();
    file.write(true)
        .create_new(true)
        .mode(0o600)
        .open(&key)
        .map_err(text)?
        .flush()
        .map_err(text)?;
    let openssl = program("openssl").ok_or("there is no openssl")?;
    let made = Command::new(openssl)
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj"])
        .args(["/CN=localhost", "-keyout"])
        .arg(&key)
        .arg("-out")
        .arg(folder.join("certificate.pem"))
        .stdin(Stdio::null())
        .output()
        .map_err(text)?;
    match made.status.success() {
        true => Ok(()),
        false => Err(format!("openssl: {}", String::from_utf8_lossy(&made.stderr).trim())),
    }
}

/// The folder in which both meet, as the package makes it where it is started by the system.
fn socket_folder() -> io::Result<()> {
    if Path::new(SOCKETS).is_dir() {
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(0o755).create(SOCKETS)?;
    fs::set_permissions(SOCKETS, fs::Permissions::from_mode(SOCKETS_MODE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_that_is_taken_is_refused() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let said = check_ports(taken.local_addr().unwrap().port()).unwrap_err().to_string();
        assert!(said.contains("is not free") || said.contains("another xrdp"), "{said}");
    }

    #[test]
    fn every_place_in_the_settings_is_filled() {
        for text in [XRDP, MANAGER] {
            let filled = text.replace("@PORT@", "3390").replace("@PLACE@", "/x");
            assert!(!filled.contains('@') && text.contains("@PLACE@"), "{filled}");
        }
    }
}
