//! Sessions of the run's own: made in a new folder, and gone with the run.
//!
//! Between this process and the sessions stands a guard, a process of this program: it starts them, and ends
//! and removes all of them when its standard input is closed, however this process ends.

use std::fs::{self, DirBuilder, File};
use std::io::{self, BufRead, BufReader};
use std::mem::take;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use kneepoint_core::words::fault::Fault;

use super::address::SessionWishes;
use super::caretaker::{Care, Visit, connected_ports, end_programs_in, programs_in};
use super::cgroup::{self, Group};
use super::{memory, session_files};
use crate::guard::{Guard, end};

/// What this program is called with to be the guard of sessions. Behind it stand the folder in which theirs is
/// made, the application, the size of the screens, the number of processors or a dash, and the port of the
/// first screen or a dash.
pub const GUARD: &str = "guard-desktops";

/// What the folder of all sessions of a guard is called, before the number of its process.
pub(super) const FOLDER: &str = "kneepoint-desktops-";

/// How long a part of a session may take to be there, on however few processors.
const START: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(20);

/// How often it is looked whether users have left their sessions.
const CARE: Duration = Duration::from_millis(250);

/// Where the screens of sessions are to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScreenPlaces {
    /// At sockets in a folder that no other user enters.
    Sockets,
    /// At ports of this machine, which only it reaches: that of the first session, and those behind it.
    PortsFrom(u16),
}

/// Sessions of the run.
#[derive(Debug)]
pub(super) struct Sessions {
    guard: Guard,
    /// The folder of the group that counts their processor time; `None` if nothing does.
    pub(super) counts: Option<PathBuf>,
    /// The sockets of the screens.
    pub(super) screens: Vec<PathBuf>,
}

impl Sessions {
    /// A guard for sessions as they are wished; there is none yet.
    ///
    /// # Errors
    /// When a program for them is missing, or they cannot be bounded as wished.
    pub(super) fn begin(wishes: &SessionWishes, places: ScreenPlaces) -> Result<Self, Fault> {
        check_programs(&wishes.application)?;
        let failed = |why: String| {
            let fault = Fault::new("cannot start sessions for the run").because(why);
            match wishes.cpu {
                Some(_) => fault.fix(
                    "run as root or where control groups are delegated, or leave 'cpu' out of the target",
                ),
                None => fault,
            }
        };
        let parent = wishes.folder.clone().unwrap_or_else(std::env::temp_dir);
        let (width, height) = wishes.geometry;
        let cpu = wishes.cpu.map_or_else(|| "-".to_owned(), |cpu| cpu.to_string());
        let port = match places {
            ScreenPlaces::Sockets => "-".to_owned(),
            ScreenPlaces::PortsFrom(port) => port.to_string(),
        };
        let mut command = Guard::command(GUARD);
        command.arg(std::path::absolute(&parent).unwrap_or(parent)).args([
            &wishes.application,
            &format!("{width}x{height}"),
            &cpu,
            &port,
        ]);
        let mut guard = Guard::start(&mut command).map_err(failed)?;
        let counts = guard.hear("begun").map_err(failed)?;
        let counts = (counts != "-").then(|| counts.into());
        Ok(Self { guard, counts, screens: Vec::new() })
    }

    /// Starts one more.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(super) fn start(&mut self) -> Result<(), Fault> {
        let number = self.screens.len() + 1;
        let failed = |why: String| {
            Fault::new(format!("cannot start session {number}"))
                .because(why)
                .fix("use fewer --users, or look at the memory and the limits of this machine")
        };
        if let Some(why) = memory::lack() {
            return Err(failed(why));
        }
        self.guard.tell("more").map_err(failed)?;
        let screen = self.guard.hear("started").map_err(failed)?;
        self.screens.push(screen.into());
        Ok(())
    }

    /// Whether their guard still runs.
    pub(super) fn are_guarded(&mut self) -> bool {
        self.guard.is_there()
    }
}

/// Refuses sessions for which a program is missing.
fn check_programs(application: &str) -> Result<(), Fault> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_there =
        |name: &str| std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
    match ["Xvnc", "openbox", application].into_iter().find(|name| !is_there(name)) {
        None => Ok(()),
        Some(missing) => Err(Fault::new(format!("there is no {missing} on this machine"))
            .because("vnc:temp starts sessions with a screen, a window manager and an application")
            .fix(
                "install them (`apt install tigervnc-standalone-server openbox mousepad \
                 fonts-dejavu-core`), or name a server that runs: vnc://HOST:5901",
            )),
    }
}

/// How the guard makes sessions.
#[derive(Debug)]
pub struct SessionPlan {
    /// Folder in which that of the sessions is made.
    pub parent: PathBuf,
    /// What users start.
    pub application: String,
    /// `1024x768`.
    pub geometry: String,
    /// Number of processors, or a dash for all that there are.
    pub cpu: String,
    /// Where the screens are.
    pub places: ScreenPlaces,
}

/// Starts a session for each line of standard input, until it is closed; then ends and removes all of them.
/// `say` hears where they are.
///
/// # Errors
/// When their folder cannot be removed.
pub fn guard(plan: &SessionPlan, mut say: impl FnMut(String)) -> Result<(), Fault> {
    let name = format!("{FOLDER}{}", std::process::id());
    let folder = plan.parent.join(&name);
    if let Err(error) = DirBuilder::new().mode(0o700).create(&folder) {
        say(format!("failed cannot make {}: {error}", folder.display()));
        return Ok(());
    }
    let cpu = plan.cpu.parse().ok();
    let group = match (Group::make(&name, cpu), cpu) {
        (Ok(group), _) => Some(group),
        // It would only count.
        (Err(_), None) => None,
        (Err(why), Some(_)) => {
            say(format!("failed {}", why.replace('\n', "; ")));
            return remove(&folder);
        }
    };
    let counts = group.as_ref().map(Group::counts);
    say(format!(
        "begun {}",
        counts.map_or_else(|| "-".to_owned(), |path| path.display().to_string())
    ));
    let making = Making { folder: &folder, plan, group: group.as_ref() };
    let running = Mutex::new(Vec::new());
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        if let ScreenPlaces::PortsFrom(first) = plan.places {
            let (running, is_over) = (&running, &is_over);
            let care = move || take_care((running, first), making, is_over);
            // On a machine that has no thread left, sessions stay as they are left.
            let _ = thread::Builder::new().spawn_scoped(scope, care);
        }
        start_each(&running, making, &mut say);
        is_over.store(true, Ordering::Relaxed);
    });
    let mut running = running.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut processes: Vec<Child> =
        running.iter_mut().flat_map(|session| take(&mut session.processes)).collect();
    end(&mut processes);
    if let Some(group) = group {
        group.remove();
    }
    remove(&folder)
}

/// What sessions are made with.
#[derive(Clone, Copy)]
struct Making<'a> {
    /// The folder of all.
    folder: &'a Path,
    plan: &'a SessionPlan,
    group: Option<&'a Group>,
}

/// Starts a session for each line of standard input, until it is closed.
fn start_each(running: &Mutex<Vec<Session>>, making: Making<'_>, say: &mut impl FnMut(String)) {
    for _ in io::stdin().lock().lines().map_while(Result::ok) {
        let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
        match Session::make(running.len() + 1, making) {
            Ok(made) => {
                say(format!("started {}", made.socket.display()));
                running.push(made);
            }
            Err(why) => say(format!("failed {}", why.replace('\n', "; "))),
        }
    }
}

/// Makes sessions again that were left in the middle of work, until all `is_over`.
fn take_care(
    (running, first): (&Mutex<Vec<Session>>, u16),
    making: Making<'_>,
    is_over: &AtomicBool,
) {
    while !is_over.load(Ordering::Relaxed) {
        thread::sleep(CARE);
        let connected = connected_ports();
        let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
        for (port, session) in (first..).zip(running.iter_mut()) {
            session.look_after(connected.contains(&port), making);
        }
    }
}

/// Removes the folder of sessions: this process made it.
fn remove(folder: &Path) -> Result<(), Fault> {
    fs::remove_dir_all(folder)
        .map_err(|error| Fault::new(format!("cannot remove {}", folder.display())).because(error))
}

/// A session that runs. Its processes end when this is dropped.
#[derive(Debug)]
struct Session {
    number: usize,
    folder: PathBuf,
    socket: PathBuf,
    processes: Vec<Child>,
    visit: Visit,
}

impl Session {
    /// Makes the one with this number, from 1, in a new folder within that of all.
    fn make(number: usize, making: Making<'_>) -> Result<Self, String> {
        // Windows show it in their titles, which are to look alike for all users.
        let folder = making.folder.join(format!("{number:04}"));
        let socket = folder.join("screen");
        let mut session =
            Self { number, folder, socket, processes: Vec::new(), visit: Visit::None };
        session.begin(making)?;
        Ok(session)
    }

    /// Starts it in its folder, which is not there yet.
    fn begin(&mut self, Making { plan, group, .. }: Making<'_>) -> Result<(), String> {
        let folder = &self.folder.clone();
        let text = |what: &str, error: &io::Error| format!("{what}: {error}");
        let made = DirBuilder::new().mode(0o700).create(folder);
        made.map_err(|error| text("cannot make its folder", &error))?;
        session_files::write(folder, &plan.application)
            .map_err(|error| text("cannot write its files", &error))?;
        let log = File::create(folder.join("log")).map_err(|error| text("no log", &error))?;
        let mut screen = within(group, "Xvnc", folder);
        screen.args(["-displayfd", "1", "-SecurityTypes", "None", "-AlwaysShared"]).args([
            "-depth",
            "24",
            "-nolisten",
            "tcp",
            "-geometry",
            &plan.geometry,
        ]);
        match plan.places {
            ScreenPlaces::Sockets => {
                screen.args(["-rfbport", "-1", "-rfbunixpath"]).arg(&self.socket)
            }
            ScreenPlaces::PortsFrom(first) => {
                let port = usize::from(first) + self.number - 1;
                screen.args(["-localhost", "-rfbport", &port.to_string()])
            }
        };
        screen.arg("-auth").arg(folder.join("authority")).stdout(Stdio::piped()).stderr(log);
        let mut screen = screen.spawn().map_err(|error| text("cannot run Xvnc", &error))?;
        let output = screen.stdout.take();
        self.processes.push(screen);
        let mut display = String::new();
        if let Some(output) = output {
            // It is read to the end of its line, or to the end of Xvnc.
            let _ = BufReader::new(output).read_line(&mut display);
        }
        let display = display.trim();
        if display.is_empty() {
            return Err(format!("Xvnc ended: {}", last_line(&folder.join("log"))));
        }
        let ready = folder.join("ready");
        let mut manager = within(group, "openbox", folder);
        manager
            .args(["--sm-disable", "--config-file"])
            .arg(folder.join("openbox.xml"))
            .arg("--startup")
            .arg(format!("touch {}", ready.display()))
            .env("DISPLAY", format!(":{display}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        self.processes.push(manager.spawn().map_err(|error| text("cannot run openbox", &error))?);
        let awaited = match plan.places {
            ScreenPlaces::Sockets => vec![ready, self.socket.clone()],
            // It was bound before the window manager began.
            ScreenPlaces::PortsFrom(_) => vec![ready],
        };
        self.await_files(&awaited)
    }

    /// Looks whether a user has left it in the middle of work; if so, makes it again.
    fn look_after(&mut self, connected: bool, making: Making<'_>) {
        let own: Vec<u32> = self.processes.iter().map(Child::id).collect();
        let has_programs = || !programs_in(&self.folder, &own).is_empty();
        let (visit, care) = self.visit.after(Instant::now(), connected, has_programs);
        self.visit = visit;
        if care == Care::MakeAgain {
            end(&mut self.processes);
            self.processes.clear();
            end_programs_in(&self.folder);
            // Without its folder there is no session, which whoever comes next is told by their viewer.
            let _ = fs::remove_dir_all(&self.folder);
            let _ = self.begin(making);
        }
    }

    /// Waits until all `files` are there.
    fn await_files(&mut self, files: &[PathBuf]) -> Result<(), String> {
        let begun = Instant::now();
        while !files.iter().all(|file| file.exists()) {
            let has_ended = |child: &mut Child| !matches!(child.try_wait(), Ok(None));
            if self.processes.iter_mut().any(has_ended) {
                return Err("its screen or its window manager has ended".to_owned());
            }
            if begun.elapsed() > START {
                return Err(format!("it was not ready after {} s", START.as_secs()));
            }
            thread::sleep(LOOK);
        }
        Ok(())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // What it shows ends with the screen.
        end(&mut self.processes);
    }
}

/// `program` in the group, with the environment of a session in `folder`.
fn within(group: Option<&Group>, program: &str, folder: &Path) -> Command {
    let mut command = cgroup::command(group, program.as_ref());
    let path = std::env::var_os("PATH").unwrap_or_default();
    command
        .env_clear()
        .env("PATH", path)
        .env("LANG", "C.UTF-8")
        .env("HOME", folder)
        .env("XDG_RUNTIME_DIR", folder)
        .env("XDG_CONFIG_HOME", folder.join("config"))
        .env("XAUTHORITY", folder.join("authority"))
        // Applications talk to no service of the user.
        .env("DBUS_SESSION_BUS_ADDRESS", "disabled:")
        .env("GSETTINGS_BACKEND", "memory")
        .env("NO_AT_BRIDGE", "1")
        .current_dir(folder)
        .stdin(Stdio::null())
        .process_group(0);
    command
}

/// What a log says last.
fn last_line(log: &Path) -> String {
    let text = fs::read_to_string(log).unwrap_or_default();
    last_words(&text).unwrap_or("it said nothing").to_owned()
}

/// The last words of a text; X servers mark the lines of errors, of which some are otherwise empty.
fn last_words(text: &str) -> Option<&str> {
    let words = text.lines().rev().map(|line| line.trim().trim_start_matches("(EE)").trim_start());
    words.into_iter().find(|words| !words.is_empty())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use kneepoint_core::measure::Observer;
    use kneepoint_core::spec::catalog;
    use kneepoint_core::spec::profile::SeriesProfile;
    use kneepoint_core::words::units::Nanos;
    use tempfile::TempDir;

    use super::super::client::VncDoor;
    use super::super::floor::Floor;
    use super::super::net::{ScreenPlace, Sockets};
    use super::super::playbook::Playbook;
    use super::super::rehearsal::rehearse;
    use super::super::user::Ending;
    use super::*;

    /// An observer who lets everything go on.
    struct Patient;

    impl Observer for Patient {}

    #[test]
    fn the_last_words_of_a_server_are_no_marks() {
        let log = " vncext: running!\n(EE) \nFatal server error:\n(EE) no room\n(EE) \n\n";
        assert_eq!(last_words(log), Some("no room"));
        assert_eq!(last_words("one\ntwo\n"), Some("two"));
        assert_eq!(last_words("(EE)\n \n"), None);
    }

    #[test]
    fn real_sessions_are_rehearsed_and_worked_at() {
        if !kneepoint_testkit::has_tools(&["Xvnc", "openbox", "mousepad"]) {
            return;
        }
        // Sockets have short names.
        let folder = TempDir::with_prefix_in("kp", "/tmp").unwrap();
        let plan = SessionPlan {
            parent: folder.path().to_owned(),
            application: "mousepad".to_owned(),
            geometry: "800x600".to_owned(),
            cpu: "-".to_owned(),
            places: ScreenPlaces::Sockets,
        };
        let making = Making { folder: folder.path(), plan: &plan, group: None };
        let make = |number: usize| Session::make(number, making).unwrap();
        let sessions = [1, 2].map(make);
        let places = sessions.iter().map(|session| ScreenPlace::Unix(session.socket.clone()));
        let mut net = Sockets::new(places.collect());
        let profile = catalog::profile("medium-230").unwrap().resolve(None).unwrap();
        let SeriesProfile::Script(work) = profile else { panic!("it is a script") };
        let mut book = Playbook::of(&work.script);
        let door = VncDoor::default();
        rehearse(&mut book, (&mut net, &door, 0), &Patient).unwrap();
        let mut floor = Floor::new(net, Arc::new(door));
        floor.seat(2, (&Arc::new(book), 1));
        floor.settle(&Patient).unwrap();
        let responses = floor.play_for(Nanos::from_secs(10)).unwrap();
        let seen = responses.iter().filter(|response| response.end == Ending::Seen).count();
        assert!(seen >= 20 && seen * 10 >= responses.len() * 9, "{responses:?}");
    }
}
