//! What the host of an agent lets it do: a list that is kept on the host, and that no controller can widen.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use kneepoint_core::plan::resolve::Access;
use kneepoint_core::plan::{Plan, TargetPlan};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::{LoadLevel, LoadUnit};
use kneepoint_core::words::number::{RoundedBytes, Span};
use kneepoint_core::words::units::{Bytes, Nanos};
use kneepoint_device::consent::Overwrite;
use kneepoint_device::file_copy::ground_of;
use kneepoint_net::Used;
use kneepoint_server::desktop::{DesktopTestbed, Metering};
use kneepoint_sim::SimTarget;
use serde::Deserialize;

use crate::work::read_text;

/// How far a target may be used; each grant holds the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Grant {
    /// Reads alone.
    Read,
    /// Files that Kneepoint makes, or has made, are written, too.
    Write,
    /// A device or a file that Kneepoint did not make is overwritten.
    Overwrite,
}

/// A target, or a folder with all below it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AllowedTarget {
    /// The file, device or folder.
    path: PathBuf,
    /// How far.
    may: Grant,
}

impl AllowedTarget {
    /// The file, device or folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl fmt::Display for AllowedTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grant = match self.may {
            Grant::Read => "read",
            Grant::Write => "write",
            Grant::Overwrite => "overwrite",
        };
        write!(f, "{}:{grant}", self.path.display())
    }
}

impl FromStr for AllowedTarget {
    type Err = Fault;

    /// Reads `PATH`, `PATH:read`, `PATH:write` or `PATH:overwrite`; without a grant it is `write`.
    fn from_str(text: &str) -> Result<Self, Fault> {
        let (path, may) = match text.rsplit_once(':') {
            Some((path, "read")) => (path, Grant::Read),
            Some((path, "write")) => (path, Grant::Write),
            Some((path, "overwrite")) => (path, Grant::Overwrite),
            _ => (text, Grant::Write),
        };
        match path.is_empty() {
            true => Err(Fault::new("no target is named").fix("write PATH, or PATH:read")),
            false => Ok(Self { path: path.into(), may }),
        }
    }
}

/// Limits as written.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLimits {
    outstanding: Option<f64>,
    rate: Option<f64>,
    bytes_written: Option<String>,
    time: Option<String>,
}

/// Limits on what a controller may ask for.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Limits {
    /// Outstanding I/Os per target.
    outstanding: Option<f64>,
    /// Offered I/Os per second and target.
    rate: Option<f64>,
    /// Bytes that are written in a run.
    bytes_written: Option<Bytes>,
    /// From the first plan of a run to its last point.
    time: Option<Nanos>,
}

/// The list as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenAllowance {
    #[serde(default)]
    target: Vec<AllowedTarget>,
    #[serde(default)]
    limits: WrittenLimits,
}

/// What an agent may do on its host. By default nothing but to simulate.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Allowance {
    targets: Vec<AllowedTarget>,
    limits: Limits,
}

impl Allowance {
    /// The list in the file at `path`.
    ///
    /// # Errors
    /// When it cannot be read, or holds something unknown.
    pub(crate) fn load(path: &Path) -> Result<Self, Fault> {
        let shown = path.display();
        let text = read_text(path, FILE_MAX).map_err(|error| {
            Fault::new(format!("cannot read {shown}"))
                .because(error)
                .fix("name the file that says which targets this host's agent may use")
        })?;
        Self::parse(&text).map_err(|fault| fault.behind(shown))
    }

    fn parse(text: &str) -> Result<Self, Fault> {
        let written: WrittenAllowance = toml::from_str(text).map_err(|error| {
            Fault::new("the list of allowed targets cannot be understood")
                .because(error)
                .fix("see docs/fleet.md for an example")
        })?;
        let WrittenLimits { outstanding, rate, bytes_written, time } = written.limits;
        let limits = Limits {
            outstanding,
            rate,
            bytes_written: bytes_written.as_deref().map(str::parse).transpose()?,
            time: time.as_deref().map(str::parse).transpose()?,
        };
        Ok(Self { targets: written.target, limits })
    }

    /// The targets, for people.
    pub(crate) fn targets(&self) -> Vec<String> {
        self.targets.iter().map(ToString::to_string).collect()
    }

    /// The same with more targets.
    #[must_use]
    pub(crate) fn with(mut self, targets: &[AllowedTarget]) -> Self {
        self.targets.extend_from_slice(targets);
        self
    }

    /// Refuses a target that may not be used so.
    ///
    /// # Errors
    /// When it is not on the list, or not for this.
    pub(crate) fn check_target(&self, name: &str, access: Access) -> Result<(), Fault> {
        if DesktopTestbed::is_named_by(name) {
            return self.check_server(name);
        }
        let Some(path) = path_of(name) else { return Ok(()) };
        let needed = match access {
            Access::ReadOnly => Grant::Read,
            Access::Writing => Grant::Write,
        };
        match self.grant_of(path) {
            Some(grant) if grant >= needed => Ok(()),
            Some(_) => Err(Fault::new(format!("{name} may not be written"))
                .because("the list of this host's agent lets it be read only")
                .fix(format!("allow it there: kneepoint agent --target {name}:write"))),
            None => Err(Fault::new(format!("{name} may not be used"))
                .because("it is not on the list of this host's agent")
                .fix(format!("allow it there: kneepoint agent --target {name}"))),
        }
    }

    /// Refuses a server whose screens users may not type at: its name is to be on the list as it is.
    fn check_server(&self, name: &str) -> Result<(), Fault> {
        let name = &Metering::bare(name);
        match self.grant_of_server(name) >= Some(Grant::Write) {
            true => Ok(()),
            false => Err(Fault::new(format!("users may not work at {name}"))
                .because("it is not on the list of this host's agent, word for word")
                .fix(format!("allow it there: kneepoint agent --target '{name}'"))),
        }
    }

    /// The highest grant for the server called `name`.
    fn grant_of_server(&self, name: &str) -> Option<Grant> {
        let is_it = |allowed: &&AllowedTarget| allowed.path.as_os_str() == name;
        self.targets.iter().filter(is_it).map(|allowed| allowed.may).max()
    }

    /// Refuses to tell what this machine does for a server that is not on the list.
    ///
    /// # Errors
    /// When it is not.
    pub(crate) fn check_meter(&self, server: &str) -> Result<(), Fault> {
        match self.grant_of_server(server) >= Some(Grant::Read) {
            true => Ok(()),
            false => Err(Fault::new(format!("the machine of {server} may not be metered"))
                .because("it is not on the list of this host's agent, word for word")
                .fix(format!("allow it there: kneepoint agent --target '{server}:read'"))),
        }
    }

    /// The highest grant for the file or device that `path` leads to.
    fn grant_of(&self, path: &Path) -> Option<Grant> {
        let real = real_path(path)?;
        let allowed = self.targets.iter().filter(|allowed| {
            real_path(&allowed.path).is_some_and(|listed| real.starts_with(listed))
        });
        allowed.map(|allowed| allowed.may).max()
    }

    /// Those of the targets called `names` that may be overwritten although Kneepoint did not make them.
    pub(crate) fn overwrites(&self, names: &[String]) -> Result<Vec<Overwrite>, Fault> {
        let granted = names.iter().filter(|name| {
            path_of(name).and_then(|path| self.grant_of(path)) == Some(Grant::Overwrite)
        });
        granted.map(Overwrite::new).collect()
    }

    /// Refuses a plan with targets that may not be used so, or a load of it beyond the limits.
    ///
    /// # Errors
    /// When there is one.
    pub(crate) fn check_plan(&self, plan: &Plan, load: Option<LoadLevel>) -> Result<(), Fault> {
        let access = if plan.writes() || plan.precondition.is_some() {
            Access::Writing
        } else {
            Access::ReadOnly
        };
        plan.targets.iter().try_for_each(|target| self.check_target(&target.target, access))?;
        if plan.file_copy.is_some() {
            let beside = |target: &TargetPlan| {
                ground_of(Path::new(&target.target)).to_string_lossy().into_owned()
            };
            let mut copied = plan.targets.iter().filter(|target| target.takes_copies());
            copied.try_for_each(|target| self.check_target(&beside(target), Access::Writing))?;
        }
        load.map_or(Ok(()), |load| self.check_load(load, plan.open_loop.in_flight_max))
    }

    /// Refuses a load beyond the limits; at an offered rate up to `in_flight_max` I/Os are outstanding.
    fn check_load(&self, load: LoadLevel, in_flight_max: u32) -> Result<(), Fault> {
        let Limits { outstanding, rate, .. } = self.limits;
        let in_flight = LoadLevel::outstanding(in_flight_max);
        let limited = match load.unit {
            LoadUnit::OutstandingIos => vec![(load, outstanding)],
            LoadUnit::OfferedIops => vec![(load, rate), (in_flight, outstanding)],
            LoadUnit::Users
            | LoadUnit::Warehouses
            | LoadUnit::Copies
            | LoadUnit::OutstandingOperations => Vec::new(),
        };
        for (asked, limit) in limited {
            if let Some(limit) = limit.filter(|limit| asked.value > *limit) {
                let asked = match asked == load {
                    true => load.to_string(),
                    false => format!("{load} with up to {asked}"),
                };
                return Err(beyond(&asked, &format!("{limit} per target")));
            }
        }
        Ok(())
    }

    /// Refuses test files that are larger than all that may be written.
    ///
    /// # Errors
    /// When they are.
    pub(crate) fn check_layout(&self, bytes: u64) -> Result<(), Fault> {
        match self.limits.bytes_written.filter(|limit| bytes > limit.0) {
            Some(limit) => {
                let asked = format!("test files of {}", RoundedBytes(bytes));
                Err(beyond(&asked, &RoundedBytes(limit.0).to_string()))
            }
            None => Ok(()),
        }
    }

    /// Refuses to go on with a run that has used more than the limits.
    ///
    /// # Errors
    /// When it has.
    pub(crate) fn check_used(&self, used: Used) -> Result<(), Fault> {
        let Limits { bytes_written, time, .. } = self.limits;
        if let Some(limit) = bytes_written.filter(|limit| used.bytes_written > limit.0) {
            let limit = RoundedBytes(limit.0).to_string();
            return Err(beyond(&format!("over {limit} written"), &limit));
        }
        match time.filter(|limit| used.time > *limit) {
            Some(limit) => {
                let limit = Span(limit).to_string();
                Err(beyond(&format!("a run of over {limit}"), &limit))
            }
            None => Ok(()),
        }
    }
}

/// More than this is no list of targets.
const FILE_MAX: u64 = 1 << 20;

fn beyond(asked: &str, limit: &str) -> Fault {
    Fault::new(format!("{asked}: more than this host allows"))
        .because(format!("the list of its agent has a limit of {limit}"))
        .fix("ask for less, or raise the limit there")
}

/// The path that the target called `name` is, or is read from; `None` for what touches no file.
pub(super) fn path_of(name: &str) -> Option<&Path> {
    if name == "null:" {
        return None;
    }
    if !SimTarget::is_named_by(name) {
        return Some(Path::new(name));
    }
    let system = name["sim:".len()..].split(['?', '#']).next().unwrap_or_default();
    let is_file = system.starts_with(['/', '.']) || system.ends_with(".toml");
    is_file.then(|| Path::new(system))
}

/// Where `path` leads, links followed; the last part need not exist.
fn real_path(path: &Path) -> Option<PathBuf> {
    if let Ok(real) = path.canonicalize() {
        return Some(real);
    }
    // A link into nowhere may lead anywhere once something is there.
    if path.is_symlink() {
        return None;
    }
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
    Some(folder.join(path.file_name()?))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_target_is_what_its_path_leads_to() {
        let place = tempfile::tempdir().unwrap();
        let (inside, outside) = (place.path().join("in"), place.path().join("out"));
        fs::create_dir(&inside).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("secret"), "x").unwrap();
        symlink(outside.join("secret"), inside.join("link")).unwrap();
        symlink(outside.join("later"), inside.join("dangling")).unwrap();
        let allowance =
            Allowance::default().with(&[AllowedTarget { path: inside.clone(), may: Grant::Write }]);
        let check =
            |path: PathBuf| allowance.check_target(&path.to_string_lossy(), Access::Writing);
        check(inside.join("new.dat")).unwrap();
        for refused in [
            outside.join("secret"),
            inside.join("link"),
            inside.join("dangling"),
            inside.join("../out/secret"),
            place.path().join("inside"),
        ] {
            let fault = check(refused.clone()).unwrap_err();
            assert!(fault.what().contains("may not be used"), "{refused:?}: {fault}");
        }
    }

    #[test]
    fn grants_hold_what_is_below_them_and_nothing_above() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("k.dat").to_string_lossy().into_owned();
        let allowed = |text: &str| Allowance::default().with(&[text.parse().unwrap()]);
        let read = allowed(&format!("{path}:read"));
        read.check_target(&path, Access::ReadOnly).unwrap();
        assert!(read.check_target(&path, Access::Writing).is_err());
        let write = allowed(&path);
        write.check_target(&path, Access::Writing).unwrap();
        let names = [path.clone()];
        assert!(write.overwrites(&names).unwrap().is_empty());
        assert_eq!(allowed(&format!("{path}:overwrite")).overwrites(&names).unwrap().len(), 1);
    }

    #[test]
    fn users_work_only_at_servers_that_are_named() {
        let allowed = |text: &str| Allowance::default().with(&[text.parse().unwrap()]);
        let check = |allowance: &Allowance| {
            let checked = allowance.check_target("vnc://s:5901", Access::ReadOnly);
            checked.map_err(|fault| fault.to_string())
        };
        check(&allowed("vnc://s:5901")).unwrap();
        check(&allowed("vnc://s:5901:write")).unwrap();
        for other in ["vnc://s:5902", "vnc://s:5901:read", "vnc://s", "/"] {
            let said = check(&allowed(other)).unwrap_err();
            assert!(said.contains("users may not work at vnc://s:5901"), "{said}");
        }
        check(&Allowance::default()).unwrap_err();
        let named = allowed("vnc://s:5901");
        named.check_target("vnc://s:5901?meter=m", Access::ReadOnly).unwrap();
    }

    #[test]
    fn only_the_machine_of_a_server_that_is_named_is_metered() {
        let check = |listed: &str| {
            let allowance = Allowance::default().with(&[listed.parse().unwrap()]);
            allowance.check_meter("vnc://s:5901").map_err(|fault| fault.to_string())
        };
        check("vnc://s:5901:read").unwrap();
        check("vnc://s:5901").unwrap();
        for other in ["vnc://s:5902:read", "vnc://s", "/"] {
            let said = check(other).unwrap_err();
            assert!(said.contains("the machine of vnc://s:5901 may not be metered"), "{said}");
        }
        Allowance::default().check_meter("vnc://s:5901").unwrap_err();
    }

    #[test]
    fn by_default_nothing_is_allowed_but_to_simulate() {
        let nothing = Allowance::default();
        nothing.check_target("sim:drive/hdd-sas35-15k-300?raid=raid5", Access::Writing).unwrap();
        nothing.check_target("null:", Access::Writing).unwrap();
        for refused in
            ["/dev/sda", "k.dat", "sim:/etc/system.toml", "sim:./own.toml?a=b", "sim:own.toml"]
        {
            assert!(nothing.check_target(refused, Access::ReadOnly).is_err(), "{refused}");
        }
    }

    #[test]
    fn what_is_beyond_a_limit_is_refused_and_what_is_within_is_not() {
        let text =
            "[limits]\noutstanding = 64\nrate = 1000\nbytes_written = \"1MiB\"\ntime = \"60s\"\n";
        let allowance = Allowance::parse(text).unwrap();
        let load = |unit, value| allowance.check_load(LoadLevel { value, unit }, 64);
        let used = |bytes_written, seconds| {
            allowance.check_used(Used { bytes_written, time: Nanos::from_secs(seconds) })
        };
        load(LoadUnit::OutstandingIos, 64.0).unwrap();
        load(LoadUnit::OfferedIops, 1000.0).unwrap();
        used(1 << 20, 60).unwrap();
        allowance.check_layout(1 << 20).unwrap();
        for (refused, what, limit) in [
            (load(LoadUnit::OutstandingIos, 65.0), "65 outstanding I/Os", "64 per target"),
            (load(LoadUnit::OfferedIops, 1001.0), "1001 offered IO/s", "1000 per target"),
            (
                allowance.check_load(LoadLevel::offered(9.0), 65),
                "9 offered IO/s with up to 65 outstanding I/Os",
                "64 per target",
            ),
            (used(2 << 20, 60), "over 1.0 MiB written", "1.0 MiB"),
            (used(0, 61), "a run of over 1 min", "1 min"),
            (allowance.check_layout(3 << 20), "test files of 3.0 MiB", "1.0 MiB"),
        ] {
            let fault = refused.unwrap_err();
            assert_eq!(fault.what(), format!("{what}: more than this host allows"));
            assert!(fault.why().is_some_and(|why| why.ends_with(limit)), "{fault}");
        }
        let endless = Allowance::default();
        endless.check_used(Used { bytes_written: u64::MAX, time: Nanos(u64::MAX) }).unwrap();
    }

    #[test]
    fn lists_are_read_and_mistakes_in_them_refused() {
        let text = "[[target]]\npath = \"/data\"\nmay = \"read\"\n\n[limits]\noutstanding = 64\n\
                    bytes_written = \"1TiB\"\ntime = \"12h\"\n";
        let allowance = Allowance::parse(text).unwrap();
        assert_eq!(allowance.limits.bytes_written, Some(Bytes(1 << 40)));
        assert_eq!(allowance.limits.time, Some(Nanos::from_secs(12 * 3600)));
        for wrong in
            ["[[targets]]\npath = \"/\"", "[limits]\ntime = \"soon\"", "[[target]]\npath = \"/\""]
        {
            assert!(Allowance::parse(wrong).is_err(), "{wrong}");
        }
    }
}
