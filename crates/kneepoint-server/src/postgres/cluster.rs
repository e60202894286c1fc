//! The run's own server: made in a new folder, and gone with the run.
//!
//! Between this process and the server stands a guard, a process of this program: it makes the folder and the
//! server, and ends and removes both when its standard input is closed, however this process ends.

use std::fs::{self, DirBuilder};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use kneepoint_core::spec::factor::Combination;
use kneepoint_core::words::fault::Fault;
use rustix::process::{Pid, Signal, kill_process};

use super::address::Login;
use crate::guard::Guard;

/// What this program is called with to be the guard of a server. Behind it stand the folder with the programs
/// of PostgreSQL, and the one in which the server's folder is made.
pub const GUARD: &str = "guard-database";

/// Where distributions keep the programs beside the PATH, in a folder for each version.
const VERSIONS: [&str; 2] = ["/usr/lib/postgresql", "/usr/local/pgsql"];

/// The programs that are needed.
const PROGRAMS: [&str; 2] = ["initdb", "postgres"];

/// The user of the server.
const USER: &str = "kneepoint";

/// The longest name of a socket that the kernel takes.
const SOCKET_MAX: usize = 107;

/// The user as whom a server runs that root starts, since PostgreSQL refuses to run as root.
const SERVER_USER: &str = "postgres";

/// In its place where there is none: the user without rights, by number.
const OVERFLOW_USER: u32 = 65_534;

/// A running server. It ends when this is dropped, or with the process.
#[derive(Debug)]
pub(super) struct Cluster {
    folder: PathBuf,
    guard: Guard,
}

impl Cluster {
    /// Starts a server with its folder in `parent` and these settings.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(super) fn start(
        programs: &Path,
        parent: &Path,
        settings: &Combination,
    ) -> Result<Self, Fault> {
        let failed = |why: String| {
            Fault::new(format!("cannot start a PostgreSQL for the run in {}", parent.display()))
                .because(why)
        };
        let mut command = Guard::command(GUARD);
        command
            .args([programs, parent])
            .args(settings.iter().map(|(name, level)| format!("{name}={level}")));
        let mut guard = Guard::start(&mut command).map_err(failed)?;
        let folder = guard.hear("started").map_err(failed)?;
        Ok(Self { folder: folder.into(), guard })
    }

    /// How it is reached.
    pub(super) fn login(&self) -> Login {
        Login {
            user: USER.to_owned(),
            host: self.folder.to_string_lossy().into_owned(),
            port: 5432,
            database: "postgres".to_owned(),
        }
    }

    /// Whether it still runs.
    pub(super) fn is_running(&mut self) -> bool {
        self.guard.is_there()
    }
}

/// The folder with the programs of the newest PostgreSQL that is installed.
///
/// # Errors
/// When there is none.
pub(super) fn find_programs() -> Result<PathBuf, Fault> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut versions: Vec<PathBuf> = VERSIONS
        .iter()
        .flat_map(|place| fs::read_dir(place).into_iter().flatten().flatten())
        .map(|entry| entry.path())
        .collect();
    let number = |folder: &PathBuf| -> Option<u32> { folder.file_name()?.to_str()?.parse().ok() };
    versions.sort_by_key(|folder| std::cmp::Reverse(number(folder)));
    let pgsql = PathBuf::from(VERSIONS[1]).join("bin");
    let places = std::env::split_paths(&path)
        .chain(versions.into_iter().map(|folder| folder.join("bin")))
        .chain([pgsql]);
    let has_all = |place: &PathBuf| PROGRAMS.iter().all(|name| place.join(name).is_file());
    places.into_iter().find(has_all).ok_or_else(|| {
        Fault::new("there is no PostgreSQL on this machine")
            .because("postgres:temp starts one, and neither the PATH nor /usr/lib/postgresql has it")
            .fix(
                "install it (`apt install postgresql`, `dnf install postgresql-server`), or name one that \
                 runs: postgres://USER@HOST:PORT/DATABASE",
            )
    })
}

/// Runs a server in a new folder within `parent` as long as standard input is open; `say` hears where it is.
///
/// # Errors
/// When it cannot be made, which `say` hears as well.
pub fn guard(
    (programs, parent): (&Path, &Path),
    settings: &[String],
    mut say: impl FnMut(String),
) -> Result<(), Fault> {
    let folder = parent.join(format!("kneepoint-postgres-{}", std::process::id()));
    if let Err(error) = DirBuilder::new().mode(0o700).create(&folder) {
        say(format!("failed cannot make {}: {error}", folder.display()));
        return Ok(());
    }
    match make(programs, &folder, settings) {
        Ok(mut server) => {
            say(format!("started {}", folder.display()));
            let pid = Pid::from_child(&server);
            let leash = thread::Builder::new().name("leash".to_owned()).spawn(move || {
                while io::stdin().read(&mut [0; 64]).is_ok_and(|bytes| bytes > 0) {}
                // It is not waited for before it has ended, so the number is still its own. No
                // one needs what it has: it ends at once.
                let _ = kill_process(pid, Signal::QUIT);
            });
            let _ = server.wait();
            drop(leash);
        }
        Err(why) => say(format!("failed {}", why.replace('\n', "; "))),
    }
    // It was made above, so it is ours.
    fs::remove_dir_all(&folder)
        .map_err(|error| Fault::new(format!("cannot remove {}", folder.display())).because(error))
}

/// Makes a server in `folder`, which is empty, with `settings` such as `work_mem=8MB`.
fn make(programs: &Path, folder: &Path, settings: &[String]) -> Result<Child, String> {
    let text = |what: &str, error: &io::Error| format!("{what}: {error}");
    if folder.as_os_str().len() + "/.s.PGSQL.5432".len() > SOCKET_MAX {
        return Err(format!("{} is too long for the name of a socket", folder.display()));
    }
    let user = server_user()?;
    if let Some((user, group)) = user {
        chown(folder, Some(user), Some(group))
            .map_err(|error| text("cannot give its folder to its user", &error))?;
    }
    let as_user = |program: &str| {
        let mut command = Command::new(programs.join(program));
        if let Some((user, group)) = user {
            command.uid(user).gid(group);
        }
        command.current_dir(folder).stdin(Stdio::null()).env("LC_ALL", "C");
        command
    };
    let data = folder.join("data");
    let made = as_user("initdb")
        .args(["-U", USER, "-A", "trust", "-E", "UTF8", "--no-locale", "-D"])
        .arg(&data)
        .output()
        .map_err(|error| text("cannot run initdb", &error))?;
    if !made.status.success() {
        return Err(format!("initdb says: {}", String::from_utf8_lossy(&made.stderr).trim()));
    }
    let postgres = || {
        let mut command = as_user("postgres");
        command.arg("-D").arg(&data);
        settings.iter().for_each(|setting| {
            command.args(["-c", setting]);
        });
        command
    };
    // It reads its settings, prints one and ends: what it says against them is lost once it serves.
    let looked = postgres().args(["-C", "data_directory"]).output();
    let looked = looked.map_err(|error| text("cannot run postgres", &error))?;
    if !looked.status.success() {
        return Err(format!("postgres says: {}", String::from_utf8_lossy(&looked.stderr).trim()));
    }
    postgres()
        .arg("-k")
        .arg(folder)
        // By its socket alone, which is in a folder that no other user can enter.
        .args(["-c", "listen_addresses=", "-p", "5432"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .map_err(|error| text("cannot run postgres", &error))
}

/// User and group of the server, if this is root.
fn server_user() -> Result<Option<(u32, u32)>, String> {
    if !rustix::process::getuid().is_root() {
        return Ok(None);
    }
    let users = fs::read_to_string("/etc/passwd").map_err(|error| error.to_string())?;
    Ok(Some(user_of(&users, SERVER_USER).unwrap_or((OVERFLOW_USER, OVERFLOW_USER))))
}

/// Numbers of a user and its group.
fn user_of(users: &str, name: &str) -> Option<(u32, u32)> {
    let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
    let mut fields = line.split(':').skip(2);
    Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
}

/// How long a server is waited for that was started.
pub(super) const START: Duration = Duration::from_secs(30);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_are_found_by_their_whole_name() {
        let users =
            "root:x:0:0:root:/root:/bin/sh\npostgresql:x:1:2::/:/\npostgres:x:105:109::/:/\n";
        assert_eq!(user_of(users, "postgres"), Some((105, 109)));
        assert_eq!(user_of(users, "post"), None);
    }

    #[test]
    fn a_folder_that_is_there_is_neither_used_nor_removed() {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join(format!("kneepoint-postgres-{}", std::process::id()));
        fs::create_dir(&there).unwrap();
        let mut said = Vec::new();
        guard((Path::new("/nowhere"), folder.path()), &[], |line| said.push(line)).unwrap();
        assert!(said[0].starts_with("failed cannot make "), "{said:?}");
        assert!(there.is_dir());
    }
}
