//! Accounts of this machine for users over RDP, and the server that makes their sessions: xrdp.
//!
//! As with other sessions a guard stands between the command and what it starts: a process of this program that
//! makes the accounts, runs the server, and ends and removes all of it when its standard input is closed. What it
//! could not remove, since it was killed itself, `sessions stop` does.

mod account;
mod server;

use std::fs::{self, Permissions};
use std::io::{self, BufRead, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use kneepoint_core::words::fault::Fault;

use self::account::Account;
use self::server::Server;
use super::address::is_program_name;
use super::application;
use super::cgroup::Group;
use super::sessions::FOLDER;
use crate::guard::Guard;

/// What this program is called with to be the guard of accounts. Behind it stand the folder in which theirs is made,
/// the application, the number of users, the number of processors or a dash, and the port.
pub const ACCOUNTS_GUARD: &str = "guard-accounts";

/// Accounts are called this, and the number of the user, from 1.
const PREFIX: &str = "kp";

/// Most accounts of a command.
const USERS_MAX: u16 = 1000;

/// Keys that end a session there, as targets of RDP name them.
const LOG_OFF: &str = "super+escape";

/// What has to be there.
const PROGRAMS: [&str; 6] = ["xrdp", "xrdp-sesman", "openbox", "openssl", "useradd", "chpasswd"];

/// What accounts are to be.
#[derive(Debug, Clone, PartialEq)]
pub struct AccountPlan {
    /// Folder in which that of the server is made.
    pub parent: PathBuf,
    /// What users start.
    pub application: String,
    /// How many.
    pub users: u16,
    /// Processors that all have together; `None` for all that there are.
    pub cpu: Option<f64>,
    /// The port of the server.
    pub port: u16,
}

/// Accounts with sessions that others use. All of it is gone when this is dropped.
#[derive(Debug)]
pub struct LentAccounts {
    guard: Guard,
    port: u16,
}

impl LentAccounts {
    /// Makes the accounts of `plan` with this password and starts their server.
    ///
    /// # Errors
    /// When an account is there already, another server runs, something is missing, or this is not root.
    pub fn start(plan: &AccountPlan, password: &str) -> Result<Self, Fault> {
        check(plan, password)?;
        let failed = |why: String| {
            Fault::new("cannot make accounts with sessions")
                .because(why)
                .fix("look at what is missing; what was made is removed again")
        };
        let cpu = plan.cpu.map_or_else(|| "-".to_owned(), |cpu| cpu.to_string());
        let parent = std::path::absolute(&plan.parent).unwrap_or_else(|_| plan.parent.clone());
        let mut command = Guard::command(ACCOUNTS_GUARD);
        command
            .arg(parent)
            .args([&plan.application, &plan.users.to_string(), &cpu, &plan.port.to_string()])
            // Sessions would inherit it.
            .env_clear()
            .envs(std::env::vars_os().filter(|(name, _)| name == "PATH" || name == "LANG"));
        let mut guard = Guard::start(&mut command).map_err(failed)?;
        guard.tell(password).map_err(failed)?;
        guard.hear("ready").map_err(failed)?;
        Ok(Self { guard, port: plan.port })
    }

    /// The sessions as a target names them.
    pub fn target(&self) -> String {
        format!("rdp://{PREFIX}%n@localhost:{}?logoff={LOG_OFF}", self.port)
    }

    /// Whether they are still there.
    pub fn are_there(&mut self) -> bool {
        self.guard.is_there()
    }
}

/// Refuses what cannot be made, before anything is.
fn check(plan: &AccountPlan, password: &str) -> Result<(), Fault> {
    if !rustix::process::getuid().is_root() {
        return Err(Fault::new("accounts are made by root alone")
            .because("users over RDP log on, each with an account of this machine")
            .fix("run it as root, or leave out --protocol rdp for sessions without accounts"));
    }
    if password.is_empty() || password.contains(['\n', ':']) {
        return Err(Fault::new("there is no password for the accounts")
            .because("KNEEPOINT_RDP_PASSWORD is empty, or has a colon or a line end in it")
            .fix("set it to a password of your choice for as long as the accounts are there"));
    }
    if let Some(there) = plan.names().find(|name| Account::is_there(name)) {
        return Err(Fault::new(format!("the account {there} is there already"))
            .because("only accounts that this command makes are used, since they are removed again")
            .fix("use fewer --users; or, if `kneepoint sessions stop` does not remove it, do so yourself"));
    }
    if !is_program_name(&plan.application) {
        let named = plan.application.escape_debug();
        return Err(Fault::new(format!("'{named}' is no name of a program on the PATH"))
            .fix("name one such as mousepad: --application mousepad"));
    }
    let is_there = |name: &&str| server::program(name).is_some();
    let missing = PROGRAMS.iter().copied().chain([plan.application.as_str()]);
    if let Some(missing) = missing.into_iter().find(|name| !is_there(name)) {
        return Err(Fault::new(format!("there is no {missing} on this machine")).fix(
            "install what sessions take: apt install xrdp xorgxrdp openbox mousepad fonts-dejavu-core openssl",
        ));
    }
    server::check_ports(plan.port)
}

impl AccountPlan {
    /// The names of the accounts.
    fn names(&self) -> impl Iterator<Item = String> + use<> {
        (1..=self.users.min(USERS_MAX)).map(|number| format!("{PREFIX}{number}"))
    }
}

/// Makes the accounts of `plan`, whose password is the first line of standard input, and serves until that is
/// closed; then all of it is removed. `say` hears once it is there.
///
/// # Errors
/// When something of it cannot be removed.
pub fn guard_accounts(plan: &AccountPlan, mut say: impl FnMut(String)) -> Result<(), Fault> {
    let mut input = io::stdin().lock();
    let mut password = String::new();
    let _ = input.read_line(&mut password);
    let name = format!("{FOLDER}{}", std::process::id());
    let folder = plan.parent.join(&name);
    // Sessions of other users enter it, whatever new folders are like here; what is secret in it has its own mode.
    let open = || fs::set_permissions(&folder, Permissions::from_mode(0o755));
    if let Err(error) = fs::create_dir(&folder).and_then(|()| open()) {
        say(format!("failed cannot make {}: {error}", folder.display()));
        return Ok(());
    }
    let group = plan.cpu.map(|cpu| Group::make(&name, Some(cpu))).transpose();
    let made = match &group {
        Ok(group) => make((plan, &folder), password.trim_end(), group.as_ref()),
        Err(why) => Err(why.clone()),
    };
    match made {
        Ok(server) => {
            say("ready".to_owned());
            // It says no more.
            let _ = input.read_to_end(&mut Vec::new());
            drop(server);
        }
        Err(why) => say(format!("failed {}", why.replace('\n', "; "))),
    }
    remove(&folder)
}

/// The list of the accounts in the folder of their guard.
const LIST: &str = "accounts";

/// Makes accounts and the server.
fn make(
    (plan, folder): (&AccountPlan, &Path),
    password: &str,
    group: Option<&Group>,
) -> Result<Server, String> {
    let text = |error: io::Error| error.to_string();
    super::session_files::write_for_accounts(folder, &plan.application).map_err(text)?;
    // What is on it may be made; what is not is never removed.
    let names: Vec<String> = plan.names().collect();
    fs::write(folder.join(LIST), names.join("\n")).map_err(text)?;
    let mark = mark(folder);
    let settings = application::settings(&plan.application);
    for name in &names {
        Account::make((name, &mark), (password, settings))?;
    }
    Server::start(folder, plan.port, group)
}

/// What accounts of a guard carry as their comment, with its folder.
fn mark(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    format!("made by kneepoint sessions start, {name}")
}

/// Whether `folder` is that of a guard of accounts.
pub(super) fn has_accounts(folder: &Path) -> bool {
    folder.join(LIST).is_file()
}

/// Ends what is left of the server in this folder, and removes the accounts that its guard has made, and the folder. An account that does not carry its
/// mark is another one, and stays.
///
/// # Errors
/// When one of them cannot be removed.
pub(super) fn remove(folder: &Path) -> Result<(), Fault> {
    server::end_left(folder);
    if let Some(group) = folder.file_name().and_then(|name| Group::left(name.to_str()?)) {
        group.remove();
    }
    let list = fs::read_to_string(folder.join(LIST)).unwrap_or_default();
    let mark = mark(folder);
    let own = list.lines().filter(|name| name.starts_with(PREFIX));
    for account in own.filter_map(|name| Account::found((name, &mark))) {
        account.remove()?;
    }
    fs::remove_dir_all(folder)
        .map_err(|error| Fault::new(format!("cannot remove {}", folder.display())).because(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(users: u16) -> AccountPlan {
        let application = "mousepad".to_owned();
        AccountPlan { parent: "/tmp".into(), application, users, cpu: None, port: 3390 }
    }

    #[test]
    fn accounts_are_numbered() {
        assert_eq!(plan(3).names().collect::<Vec<_>>(), ["kp1", "kp2", "kp3"]);
    }

    #[test]
    fn what_cannot_be_made_is_refused_first() {
        let said = |plan: &AccountPlan, password: &str| {
            check(plan, password).map_err(|fault| fault.to_string()).unwrap_err()
        };
        if !rustix::process::getuid().is_root() {
            assert!(said(&plan(1), "x").contains("by root alone"));
            return;
        }
        assert!(said(&plan(1), "").contains("no password"));
        assert!(said(&plan(1), "a\nb").contains("no password"));
        let other = AccountPlan { application: "no-such-program".to_owned(), ..plan(1) };
        let said = said(&other, "x");
        // On a machine with accounts of this name that is said first.
        assert!(said.contains("there is no") || said.contains("there already"), "{said}");
    }

    #[test]
    fn an_account_without_the_mark_is_another_one() {
        let folder = tempfile::TempDir::new().unwrap();
        // The first of these is there on every system, and is none of ours.
        fs::write(folder.path().join(LIST), "root\nkp-none\n").unwrap();
        assert!(has_accounts(folder.path()));
        let path = folder.keep();
        remove(&path).unwrap();
        assert!(!path.exists() && Account::is_there("root"));
    }
}
