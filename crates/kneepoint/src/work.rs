//! The work of a run and its place, resolved before anything is measured: the suite, profile or
//! system that the user named, the plan of a run, and the testbed that it was resolved for.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use kneepoint_core::measure::{FileGround, Testbed};
use kneepoint_core::plan::Plan;
use kneepoint_core::plan::resolve::{Draft, TraceWishes, Wishes, not_together};
use kneepoint_core::spec::campaign::Campaign;
use kneepoint_core::spec::catalog;
use kneepoint_core::spec::factor::Factors;
use kneepoint_core::spec::profile::Profile;
use kneepoint_core::spec::suite::Suite;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::number::RoundedBytes;
use kneepoint_core::words::units::Nanos;
use kneepoint_device::consent::Overwrite;
use kneepoint_device::file_tree::TreeDir;
use kneepoint_device::settings::{Loaded, VariedSetting, varied};
use kneepoint_device::testbed::{DeviceTestbed, RealTarget, machine_environment};
use kneepoint_formats::job::Conduct;
use kneepoint_net::Fleet;
use kneepoint_server::desktop::{Access, DesktopTestbed};
use kneepoint_server::files::FilesTestbed;
use kneepoint_server::postgres::{Around, DatabaseTestbed};
use kneepoint_server::testbed::ServerTestbed;
use kneepoint_sim::{SimTarget, SimTestbed};

use crate::fleet::{AskedHosts, OwnDesktop, OwnFleet, Way};
use crate::job;
use crate::machine::ThisMachine;
use crate::trace;

/// Finds `work`: a name of the catalog, a TOML file, or a job of another tool. A profile becomes a suite of
/// one series.
pub(crate) fn find_suite(work: &str) -> Result<Suite, Fault> {
    find_work(work, &Wishes::default()).map(|found| found.suite)
}

/// Work that was found, with how its file says that it is measured.
struct FoundWork {
    suite: Suite,
    conduct: Conduct,
    kind: WorkKind,
}

/// Whether work is replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WorkKind {
    Described,
    Trace,
}

/// As [`find_suite`]; of a job of another tool it tells what is not the same, and of a trace how it is replayed.
fn find_work(work: &str, wishes: &Wishes) -> Result<FoundWork, Fault> {
    let described = |suite, conduct| FoundWork { suite, conduct, kind: WorkKind::Described };
    let no_more = |suite| described(suite, Conduct::default());
    if !is_path(work) {
        return catalog::work(work).and_then(without_commands).map(no_more);
    }
    if let Some(trace) = trace::found(Path::new(work), wishes)? {
        let (suite, conduct) = (trace.suite, trace.conduct);
        return Ok(FoundWork { suite, conduct, kind: WorkKind::Trace });
    }
    if let Some(job) = job::found(Path::new(work))? {
        job::tell_of(work, &job);
        return Ok(described(job.suite, job.conduct));
    }
    own_suite(Path::new(work)).map(no_more)
}

/// The suite or profile in a file of the user's own.
pub(crate) fn own_suite(path: &Path) -> Result<Suite, Fault> {
    let work = &path.to_string_lossy();
    let text = read_text(path, TEXT_MAX).map_err(|error| {
        Fault::new(format!("cannot read {work}"))
            .because(error)
            .fix("name a suite or profile of `kneepoint catalog`, or an existing TOML file")
    })?;
    parse(&text, work)
}

/// Refuses commands that the user has not written: only a file named on the command line may have
/// them.
fn without_commands(suite: Suite) -> Result<Suite, Fault> {
    let mut factors = suite.factors.factors.iter().filter(|factor| factor.commands.is_some());
    let what = match (factors.next(), suite.members.first()) {
        (None, None) => return Ok(suite),
        (Some(factor), _) => format!("the factor '{}'", factor.name),
        (None, Some(member)) => format!("the member '{}'", member.name),
    };
    Err(Fault::new(format!("{what} would run commands"))
        .because(format!(
            "the suite '{}' is shipped, and commands run from your own files only",
            suite.name
        ))
        .fix("save it with `kneepoint catalog NAME`, read it, and name the file"))
}

/// The text of the system file at `path`.
pub(crate) fn system_file(path: &str) -> Result<String, Fault> {
    read_text(Path::new(path), TEXT_MAX).map_err(|error| {
        Fault::new(format!("cannot read {path}"))
            .because(error)
            .fix("name a system of `kneepoint catalog systems`, or an existing TOML file")
    })
}

/// A campaign with the work of its parts.
#[derive(Debug)]
pub(crate) struct FoundCampaign {
    /// As typed.
    pub(crate) campaign: Campaign,
    /// What each part does, in their order.
    pub(crate) suites: Vec<Suite>,
}

/// The campaign that `work` names, in the catalog or as a TOML file; `None` if it is something else.
pub(crate) fn find_campaign(work: &str) -> Result<Option<FoundCampaign>, Fault> {
    if let Some(campaign) = catalog::campaign(work)? {
        let suites = campaign.parts.iter().map(|part| find_suite(&part.work));
        let suites = suites.collect::<Result<_, _>>()?;
        return Ok(Some(FoundCampaign { campaign, suites }));
    }
    let path = Path::new(work);
    // What cannot be read is told of where a suite is looked for.
    let text = read_text(path, TEXT_MAX).ok().filter(|text| Campaign::is_in(text));
    let Some(text) = text else { return Ok(None) };
    let campaign = Campaign::parse(&text, work)?;
    let suites = campaign.parts.iter().map(|part| suite_beside(path, &part.work));
    let suites = suites.collect::<Result<_, _>>()?;
    Ok(Some(FoundCampaign { campaign, suites }))
}

/// The work of a part: a name of the catalog, or a file whose path is relative to that of the campaign.
fn suite_beside(campaign: &Path, work: &str) -> Result<Suite, Fault> {
    match is_path(work) {
        true => own_suite(&campaign.parent().unwrap_or(Path::new(".")).join(work)),
        false => find_suite(work),
    }
}

/// Whether work is named by the path of a file.
pub(crate) fn is_path(work: &str) -> bool {
    // Names of the catalog have no ending.
    Path::new(work).extension().is_some() || work.contains('/') || is_trace(work)
}

/// Whether work is a trace whose file has the name of nothing in the catalog.
fn is_trace(work: &str) -> bool {
    let is_shipped = || catalog::work(work).is_ok() || !matches!(catalog::campaign(work), Ok(None));
    trace::is_one(Path::new(work)) && !is_shipped()
}

/// A file with `[[series]]` or `[[together]]` is a suite, any other a profile.
fn parse(text: &str, file_name: &str) -> Result<Suite, Fault> {
    if Campaign::is_in(text) {
        let campaign = Campaign::parse(text, file_name)?;
        return Err(catalog::several_parts(&campaign));
    }
    let heads = ["[[series]]", "[[together]]"];
    let is_head = |line: &str| heads.iter().any(|head| line.trim_start().starts_with(head));
    let is_suite = text.lines().any(is_head);
    if is_suite {
        Suite::parse(text, file_name)
    } else {
        Profile::parse(text, file_name).map(Suite::of_profile)
    }
}

/// Definitions, tables of cells and notes on them are far below this.
pub(crate) const TEXT_MAX: u64 = 16 << 20;

/// The folder that a file is in.
pub(crate) fn folder_of(file: &Path) -> &Path {
    let above = file.parent().filter(|above| !above.as_os_str().is_empty());
    above.unwrap_or(Path::new("."))
}

/// The text of a file of up to `bytes_max`.
///
/// # Errors
/// When it cannot be read, is no text, or goes on after that many bytes, as devices do.
pub(crate) fn read_text(path: &Path, bytes_max: u64) -> io::Result<String> {
    let no_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is no UTF-8 text");
    String::from_utf8(read_bytes(path, bytes_max)?).map_err(no_text)
}

/// The content of a file of up to `bytes_max`.
///
/// # Errors
/// When it cannot be read, or goes on after that many bytes, as devices do.
pub(crate) fn read_bytes(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let length = File::open(path)?.take(bytes_max + 1).read_to_end(&mut bytes)?;
    if length as u64 > bytes_max {
        let limit = RoundedBytes(bytes_max);
        return Err(io::Error::other(format!("it is larger than {limit}")));
    }
    Ok(bytes)
}

/// A plan, and what it is measured on.
pub(crate) struct ResolvedRun {
    /// The resolved plan.
    pub(crate) plan: Plan,
    /// Where.
    pub(crate) place: AnyTestbed,
    /// The settings of this machine that are varied.
    pub(crate) varied: Vec<VariedSetting>,
}

/// What is to be measured, as typed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    /// The targets.
    pub(crate) names: &'a [String],
    /// Those that may be written although Kneepoint did not make them.
    pub(crate) overwrite: &'a [String],
    /// The hosts that they are on; `None` for this machine.
    pub(crate) hosts: Option<AskedHosts<'a>>,
    /// The way to whoever meters a server, if it is not loaded by hosts.
    pub(crate) way: Way<'a>,
}

/// Where this program measures.
pub(crate) enum AnyTestbed {
    /// On this machine.
    Device(Box<DeviceTestbed>),
    /// On simulated systems.
    Sim(Box<SimTestbed<'static>>),
    /// On this machine, with a load other than I/O.
    Server(Box<ServerTestbed<'static>>),
    /// In directories of this machine, with operations on files.
    Files(Box<FilesTestbed<'static>>),
    /// In a database.
    Database(Box<DatabaseTestbed<'static>>),
    /// At the screens of a desktop server.
    Desktop(Box<OwnDesktop>),
    /// On several hosts.
    Fleet(Box<OwnFleet>),
}

impl AnyTestbed {
    /// Looks at the targets called `names` but changes nothing.
    fn look(
        Asked { names, overwrite, hosts, way }: Asked<'_>,
        draft: &Draft<'_>,
        wishes: &Wishes,
    ) -> Result<Self, Fault> {
        if let Some(hosts) = hosts {
            let fleet = OwnFleet::look((names, overwrite), draft, (wishes, hosts))?;
            return Ok(Self::Fleet(Box::new(fleet)));
        }
        if is_database(names) {
            return database(names, overwrite);
        }
        if is_desktop(names) {
            return desktop(names, overwrite, way);
        }
        if is_server(names) {
            return server(names);
        }
        if is_files(names) {
            return files(names, overwrite);
        }
        if !is_simulated(names)? {
            let request = draft.target_request();
            return DeviceTestbed::look(names, &request, parsed(overwrite)?).map(Self::device);
        }
        match draft.factors()? {
            None => simulated(names),
            Some(factors) => simulated(&largest(names, &factors)?),
        }
    }

    /// Looks at the targets of `plan` again but changes nothing.
    fn look_again(plan: &Plan, overwrite: &[String], way: Way<'_>) -> Result<Self, Fault> {
        if !plan.hosts().is_empty() {
            let fleet = OwnFleet::look_again(plan, overwrite, way)?;
            return Ok(Self::Fleet(Box::new(fleet)));
        }
        let names: Vec<String> = plan.targets.iter().map(|target| target.target.clone()).collect();
        if is_database(&names) {
            return database(&names, overwrite);
        }
        if is_desktop(&names) {
            return desktop(&names, overwrite, way);
        }
        if is_server(&names) {
            return server(&names);
        }
        if is_files(&names) {
            return files(&names, overwrite);
        }
        match is_simulated(&names)? {
            true => simulated(&names),
            false => DeviceTestbed::look_again(plan, parsed(overwrite)?).map(Self::device),
        }
    }

    fn device(testbed: DeviceTestbed) -> Self {
        Self::Device(Box::new(testbed))
    }

    /// The place as whatever measures sees it.
    pub(crate) fn testbed(&mut self) -> &mut dyn Testbed {
        match self {
            Self::Device(device) => &mut **device,
            Self::Sim(sim) => &mut **sim,
            Self::Server(server) => &mut **server,
            Self::Files(files) => &mut **files,
            Self::Database(database) => &mut **database,
            Self::Desktop(desktop) => &mut desktop.testbed,
            Self::Fleet(fleet) => &mut fleet.fleet,
        }
    }

    /// Waits before each point for a quiet machine, and on a fleet on each host, if the clock is real.
    pub(crate) fn wait_for_quiet(&mut self, longest: Option<Nanos>) {
        self.testbed().wait_for_quiet(longest);
    }

    /// From now on the journals of devices whose data is verified are in `folder`.
    pub(crate) fn keep_journals_in(&mut self, folder: &Path) {
        if let Self::Device(device) = self {
            device.keep_journals_in(folder);
        }
    }

    /// The fleet, if it is one.
    pub(crate) fn fleet(&self) -> Option<&Fleet> {
        match self {
            Self::Device(_)
            | Self::Sim(_)
            | Self::Server(_)
            | Self::Files(_)
            | Self::Database(_)
            | Self::Desktop(_) => None,
            Self::Fleet(own) => Some(&own.fleet),
        }
    }

    /// The database, if it is one.
    pub(crate) fn database(&self) -> Option<&DatabaseTestbed<'static>> {
        match self {
            Self::Database(database) => Some(database),
            _ => None,
        }
    }

    /// The files and devices of this machine, in the plan's order; none if nothing is real, or it is that
    /// of agents.
    pub(crate) fn real_targets(&self) -> Vec<&RealTarget> {
        match self {
            Self::Device(device) => device.real_targets().collect(),
            Self::Sim(_)
            | Self::Server(_)
            | Self::Files(_)
            | Self::Database(_)
            | Self::Desktop(_)
            | Self::Fleet(_) => Vec::new(),
        }
    }
}

fn parsed(overwrite: &[String]) -> Result<Vec<Overwrite>, Fault> {
    overwrite.iter().map(|text| text.parse()).collect()
}

fn simulated(names: &[String]) -> Result<AnyTestbed, Fault> {
    Ok(AnyTestbed::Sim(Box::new(simulated_testbed(names)?)))
}

fn server(names: &[String]) -> Result<AnyTestbed, Fault> {
    Ok(AnyTestbed::Server(Box::new(ServerTestbed::look(names, &ThisMachine)?)))
}

/// The directories called `names`, in which files are created and deleted.
pub(crate) fn files_testbed(names: &[String]) -> Result<FilesTestbed<'static>, Fault> {
    let find = |path: &str| -> Result<Box<dyn FileGround>, Fault> {
        Ok(Box::new(TreeDir::look(Path::new(path))?))
    };
    FilesTestbed::look(names, &ThisMachine, &find)
}

fn files(names: &[String], overwrite: &[String]) -> Result<AnyTestbed, Fault> {
    if let Some(named) = overwrite.first() {
        return Err(Fault::new(format!("--overwrite names {named}, which is no target of I/O"))
            .because("files are only created in a directory that Kneepoint makes for them")
            .fix("leave it out"));
    }
    Ok(AnyTestbed::Files(Box::new(files_testbed(names)?)))
}

/// The database that is named; the only one of `names`.
pub(crate) fn database_testbed(
    names: &[String],
    overwrite: &[String],
) -> Result<DatabaseTestbed<'static>, Fault> {
    let around = Around { surroundings: &ThisMachine, keyring: &ThisMachine };
    DatabaseTestbed::look(names, overwrite, around)
}

fn database(names: &[String], overwrite: &[String]) -> Result<AnyTestbed, Fault> {
    Ok(AnyTestbed::Database(Box::new(database_testbed(names, overwrite)?)))
}

/// Where the password of desktop servers is.
const VNC_PASSWORD: &str = "KNEEPOINT_VNC_PASSWORD";

/// The password of desktop servers, if there is one.
pub(crate) fn vnc_password() -> Option<String> {
    std::env::var(VNC_PASSWORD).ok().filter(|password| !password.is_empty())
}

/// The desktop server that is the only one of `names`.
pub(crate) fn desktop_testbed(names: &[String]) -> Result<DesktopTestbed<'static>, Fault> {
    let access = Access { vnc_password: vnc_password(), rdp: crate::rdp::door() };
    DesktopTestbed::look(names, access, &ThisMachine)
}

fn desktop(names: &[String], overwrite: &[String], way: Way<'_>) -> Result<AnyTestbed, Fault> {
    if let Some(named) = overwrite.first() {
        return Err(Fault::new(format!("--overwrite names {named}, which is no target"))
            .because("nothing of a desktop server is overwritten but what its users type")
            .fix("leave it out"));
    }
    Ok(AnyTestbed::Desktop(Box::new(OwnDesktop::look(names, way)?)))
}

/// True if a target is a desktop server.
pub(crate) fn is_desktop(names: &[String]) -> bool {
    names.iter().any(|name| DesktopTestbed::is_named_by(name))
}

/// True if a target is a database.
fn is_database(names: &[String]) -> bool {
    names.iter().any(|name| DatabaseTestbed::is_named_by(name))
}

/// True if a target is loaded with something other than I/O.
fn is_server(names: &[String]) -> bool {
    names.iter().any(|name| ServerTestbed::is_named_by(name))
}

/// True if a target is a directory whose files are created and deleted.
fn is_files(names: &[String]) -> bool {
    names.iter().any(|name| FilesTestbed::is_named_by(name))
}

/// Refuses targets of a fleet that are loaded with something other than I/O and users at a server's screens.
///
/// # Errors
/// When one of them is.
pub(crate) fn refuse_server<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<(), Fault> {
    let of_machine =
        |name: &&str| ServerTestbed::is_named_by(name) || DatabaseTestbed::is_named_by(name);
    for name in names {
        if DesktopTestbed::is_temporary(name) {
            return Err(Fault::new(format!("{name} is not measured on a fleet"))
                .because("each host would start sessions of its own, and measure another server")
                .fix("start them on one machine by `kneepoint sessions start`, and name vnc://HOST:5901"));
        }
        if FilesTestbed::is_named_by(name) {
            return Err(Fault::new(format!("{name} is not measured on a fleet"))
                .because("agents measure I/O and users at screens, and no operations on files")
                .fix(format!("leave out --hosts, and name {name} on the machine itself")));
        }
        if of_machine(&name) {
            return Err(of_one_machine(name));
        }
    }
    Ok(())
}

/// That a load is that of one machine.
fn of_one_machine(name: &str) -> Fault {
    Fault::new(format!("{name} is not measured on a fleet"))
        .because(
            "its load is that of one machine, whose processors do the work; agents measure I/O and \
             users at screens",
        )
        .fix(format!("leave out --hosts, and name {name} on the machine itself"))
}

/// The simulated systems called `names` with the most arrays that they have at any level of `factors`.
pub(crate) fn largest(names: &[String], factors: &Factors) -> Result<Vec<String>, Fault> {
    SimTarget::largest(names, factors, &system_file)
}

/// The simulated systems called `names`, on this machine.
pub(crate) fn simulated_testbed(names: &[String]) -> Result<SimTestbed<'static>, Fault> {
    Ok(SimTestbed::with_files(names, &system_file)?.on(&machine_environment))
}

/// True if all targets are simulated; some alone cannot be.
pub(crate) fn is_simulated(names: &[String]) -> Result<bool, Fault> {
    let is_simulated = |name: &str| SimTarget::is_named_by(name);
    let first = is_simulated(&names[0]);
    match names.iter().find(|name| is_simulated(name) != first) {
        None => Ok(first),
        Some(other) => Err(not_together(&names[0], other)),
    }
}

/// Resolves what the user asks of `work` on the targets called `names`; looks at them but changes
/// nothing.
pub(crate) fn prepare(work: &str, asked: Asked<'_>, wishes: &Wishes) -> Result<ResolvedRun, Fault> {
    let FoundWork { suite, conduct, kind } = find_work(work, wishes)?;
    match kind {
        WorkKind::Trace if asked.hosts.is_some() => {
            return Err(Fault::new(format!("the trace {work} is not replayed on a fleet"))
                .because("its I/Os are in the memory of this machine")
                .fix("leave out --hosts, or make a profile of it: kneepoint trace describe"));
        }
        WorkKind::Described if wishes.trace != TraceWishes::default() => {
            return Err(Fault::new(format!("{work} is no trace"))
                .because("--speed, --fit, --events, --trace-from and --trace-until are for traces")
                .fix("leave them out, or name a recorded trace"));
        }
        _ => {}
    }
    let is_real = !is_simulated(asked.names)?;
    let wishes = match kind {
        WorkKind::Trace => &trace::without_ramp(wishes),
        WorkKind::Described => wishes,
    };
    prepare_suite(&suite, asked, &job::as_its_file_says(wishes, (conduct, is_real)))
}

/// As [`prepare`], of a suite that was found.
pub(crate) fn prepare_suite(
    suite: &Suite,
    asked: Asked<'_>,
    wishes: &Wishes,
) -> Result<ResolvedRun, Fault> {
    let draft = Draft::new(suite, wishes)?;
    let mut place = AnyTestbed::look(asked, &draft, wishes)?;
    let plan = draft.resolve(&place.testbed().site(wishes))?;
    checked(plan, place)
}

/// Takes a stored plan up again; looks at the targets but changes nothing.
pub(crate) fn prepare_again(
    mut plan: Plan,
    overwrite: &[String],
    way: Way<'_>,
) -> Result<ResolvedRun, Fault> {
    trace::reload(&mut plan)?;
    let place = AnyTestbed::look_again(&plan, overwrite, way)?;
    checked(plan, place)
}

fn checked(plan: Plan, mut place: AnyTestbed) -> Result<ResolvedRun, Fault> {
    place.testbed().check(&plan)?;
    let facts: Vec<_> = place.real_targets().into_iter().map(|real| &real.facts).collect();
    let loaded = match &place {
        AnyTestbed::Device(_) => Loaded::Targets(&facts),
        AnyTestbed::Server(_) => Loaded::Processors,
        AnyTestbed::Sim(_)
        | AnyTestbed::Files(_)
        | AnyTestbed::Database(_)
        | AnyTestbed::Desktop(_)
        | AnyTestbed::Fleet(_) => Loaded::Nothing,
    };
    let varied = varied(&plan, loaded)?;
    Ok(ResolvedRun { plan, place, varied })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shipped_suite_runs_no_commands() {
        let text = "name = \"a\"\ntitle = \"A\"\n[[series]]\nprofile = \"own\"\n[[member]]\n\
                    name = \"own\"\ntitle = \"Own\"\nclass = \"integer\"\nrun = [\"true\"]\n\
                    verify = [\"true\"]\nreference = \"x\"\nreference_seconds = 1\n";
        let refused = without_commands(Suite::parse(text, "a.toml").unwrap()).unwrap_err();
        assert!(refused.to_string().contains("the member 'own' would run commands"), "{refused}");
        for shipped in catalog::SUITES {
            assert!(without_commands(catalog::suite(shipped.name).unwrap()).is_ok());
        }
    }

    #[test]
    fn what_has_no_end_is_refused_after_the_limit() {
        let error = read_text(Path::new("/dev/zero"), 1000).unwrap_err();
        assert!(error.to_string().contains("larger than"), "{error}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        std::fs::write(&path, "1234").unwrap();
        assert_eq!(read_text(&path, 4).unwrap(), "1234");
        assert!(read_text(&path, 3).is_err());
    }
}
