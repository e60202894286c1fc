//! A database as a testbed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use kneepoint_core::measure::search::NextPoint;
use kneepoint_core::measure::{Observer, Ready, Stop, Testbed};
use kneepoint_core::plan::resolve::{Serves, Site, Wishes};
use kneepoint_core::plan::{Plan, TargetKind};
use kneepoint_core::result::Environment;
use kneepoint_core::spec::factor::Combination;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use super::address::{Address, Login, Place};
use super::books::Books;
use super::cluster::{Cluster, START, find_programs};
use super::instrument::DatabaseInstrument;
use super::link::Link;
use super::password::Password;
use super::setting;
use crate::calm::Calm;
use crate::target::{LoneTarget, TargetFacts};
use crate::testbed::Surroundings;

/// How often it is looked whether a server answers that was started.
const LOOK: Duration = Duration::from_millis(50);

/// Where passwords are.
pub trait Keyring {
    /// The password for `login`, if there is one.
    fn password(&self, login: &Login) -> Option<Password>;
}

/// Who may be told what of the world around a database.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// The machine.
    pub surroundings: &'a dyn Surroundings,
    /// Its user's passwords.
    pub keyring: &'a dyn Keyring,
}

/// A database with Kneepoint's own schema.
pub struct DatabaseTestbed<'a> {
    address: Address,
    around: Around<'a>,
    /// Whether the user lets us write there.
    is_allowed: bool,
    instrument: DatabaseInstrument<'a>,
    /// The programs of the run's own server, if it has one.
    programs: Option<PathBuf>,
    /// That server, once it was started.
    cluster: Option<Cluster>,
    /// Settings of the server, as they were when it was connected to.
    settings: BTreeMap<String, String>,
    /// Those that the run has set, at their levels.
    varied: Combination,
    calm: Calm,
}

impl<'a> DatabaseTestbed<'a> {
    /// Whether `target` names a database.
    pub fn is_named_by(target: &str) -> bool {
        Address::is_named_by(target)
    }

    /// The database that is the only one of `names`, which may be written if it is one of `overwrite`; looks
    /// at it but changes nothing.
    ///
    /// # Errors
    /// When there is no such database, it cannot be written, or it is not alone.
    pub fn look(names: &[String], overwrite: &[String], around: Around<'a>) -> Result<Self, Fault> {
        let [name] = names else {
            // One of them may have a password in its name.
            names
                .iter()
                .filter(|name| Self::is_named_by(name))
                .try_for_each(|name| Address::parse(name).map(drop))?;
            return Err(Fault::new("business operations are measured on one target")
                .fix("measure each in its own run"));
        };
        let address = Address::parse(name)?;
        for named in overwrite {
            let other = Address::is_named_by(named).then(|| Address::parse(named)).transpose()?;
            if other.is_none_or(|other| other.name != address.name) {
                return Err(Fault::new(format!("--overwrite names {named}, which is no target"))
                    .fix(format!("name the target as it is: {name}")));
            }
        }
        let mut testbed = Self {
            is_allowed: !overwrite.is_empty(),
            address,
            around,
            instrument: DatabaseInstrument::new(around.surroundings),
            programs: None,
            cluster: None,
            settings: BTreeMap::new(),
            varied: Combination::new(),
            calm: Calm::default(),
        };
        testbed.connect()?;
        Ok(testbed)
    }

    /// Connects to a server that runs, and looks at the database.
    fn connect(&mut self) -> Result<(), Fault> {
        let login = match &self.address.place {
            Place::Running(login) => login.clone(),
            // It is started for the first point.
            Place::Temporary { folder } => {
                self.programs = Some(find_programs()?);
                return match folder {
                    Some(folder) if !folder.is_dir() => {
                        let name = folder.display();
                        Err(Fault::new(format!("there is no folder {name}"))
                            .because("the server of postgres:temp gets a new folder in it")
                            .fix(format!("make it first: mkdir {name}")))
                    }
                    _ => Ok(()),
                };
            }
        };
        let password = self.around.keyring.password(&login);
        self.open(self.link(login, password))
    }

    fn link(&self, login: Login, password: Option<Password>) -> Link {
        let (isolation, settings) = (self.address.isolation, Combination::new());
        Link { login, password, isolation, settings }
    }

    /// Ends the run's own server if a point wants other settings than it has.
    fn renew(&mut self, wanted: &Combination) {
        if self.programs.is_some() && self.varied != *wanted {
            // Its data go with it; the next one is started with these settings.
            self.instrument.books = None;
            self.cluster = None;
            self.varied = wanted.clone();
        }
    }

    /// Brings the settings of a server that runs to those that a point wants.
    fn set(&mut self, wanted: Combination) -> Result<(), Fault> {
        if self.programs.is_some() || self.varied == wanted {
            return Ok(());
        }
        if let Some(books) = &mut self.instrument.books {
            books.set(&wanted)?;
        }
        self.varied = wanted;
        Ok(())
    }

    /// Connects and looks at the database.
    fn open(&mut self, link: Link) -> Result<(), Fault> {
        let mut books = Books::open(link)?;
        self.settings = books.settings()?;
        self.instrument.books = Some(books);
        Ok(())
    }

    /// What the database is: `PostgreSQL 15.18`.
    pub fn description(&self) -> String {
        self.device().into_values().collect::<Vec<_>>().join(" ")
    }

    /// Starts the run's own server, unless it runs.
    fn start(&mut self, observer: &dyn Observer) -> Result<(), Stop> {
        let (Place::Temporary { folder }, Some(programs)) = (&self.address.place, &self.programs)
        else {
            return Ok(());
        };
        if self.cluster.is_some() {
            return Ok(());
        }
        let parent = folder.clone().unwrap_or_else(std::env::temp_dir);
        let parent = std::path::absolute(&parent).unwrap_or(parent);
        let mut cluster = Cluster::start(programs, &parent, &self.varied)?;
        let link = self.link(cluster.login(), None);
        let begun = Instant::now();
        while let Err(fault) = link.connect() {
            observer.go_on()?;
            if begun.elapsed() > START || !cluster.is_running() {
                return Err(fault.into());
            }
            thread::sleep(LOOK);
        }
        self.cluster = Some(cluster);
        Ok(self.open(link)?)
    }

    /// Where settings are set that a run varies.
    pub const fn place_of_settings(&self) -> &'static str {
        match self.programs {
            Some(_) => "the server of the run",
            None => "each session, or the server by ALTER SYSTEM",
        }
    }

    /// Whether the database may be written, and why not.
    pub fn consent(&self) -> String {
        if self.programs.is_some() {
            return "yes: a server is started for the run in a new folder; both are removed at the end"
                .to_owned();
        }
        match self.is_allowed {
            true => "yes: only Kneepoint's own schema, 'kneepoint', which is dropped at the end"
                .to_owned(),
            false => format!("no: it needs --overwrite {}", self.address.name),
        }
    }

    fn target(&self) -> LoneTarget {
        LoneTarget::new(&self.address.name, (TargetKind::Database, Serves::Business))
    }

    /// What tells the database from others.
    fn device(&self) -> BTreeMap<String, String> {
        let version = self.settings.get("server_version").cloned().unwrap_or_default();
        [("name", "PostgreSQL".to_owned()), ("version", version)]
            .map(|(name, value)| (name.to_owned(), value))
            .into()
    }
}

impl Testbed for DatabaseTestbed<'_> {
    fn site<'a>(&'a self, _wishes: &'a Wishes) -> Site<'a> {
        self.target().site(self.around.surroundings)
    }

    fn check(&self, plan: &Plan) -> Result<(), Fault> {
        self.target().check(plan)?;
        setting::check_names(plan)?;
        // A server that is started for the run is asked when it is made.
        self.instrument
            .books
            .as_ref()
            .map_or(Ok(()), |books| setting::check_sessions(plan, books.link()))
    }

    fn prepare<'a>(
        &'a mut self,
        plan: &'a Plan,
        next: &NextPoint<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Ready<'a>, Stop> {
        observer.go_on()?;
        let wanted = setting::of_point(plan, &next.series.factors);
        self.renew(&wanted);
        self.start(observer)?;
        if !self.is_allowed && self.cluster.is_none() {
            let name = &self.address.name;
            return Err(Fault::new(format!("{name} may not be written"))
                .because(
                    "business operations are done in a schema kneepoint, which is made there and dropped at \
                     the end, and they load its server and its log",
                )
                .fix(format!("if that is what you want, add --overwrite '{name}'"))
                .into());
        }
        match &mut self.instrument.books {
            Some(books) => books.make()?,
            None => return Err(Fault::new("the database is not open").into()),
        }
        self.set(wanted)?;
        self.calm.await_point(self.around.surroundings, observer)?;
        Ok(Ready { plan, instrument: &mut self.instrument })
    }

    fn wait_for_quiet(&mut self, longest: Option<Nanos>) {
        self.calm = Calm::new(longest, self.around.surroundings);
    }

    fn environment(&self, _plan: &Plan) -> Environment {
        let mut settings = self.settings.clone();
        settings.insert("isolation".to_owned(), self.address.isolation.name().to_owned());
        let facts = TargetFacts { device: self.device(), settings };
        self.target().environment(self.around.surroundings, facts)
    }

    fn finish(&mut self, _observer: &mut dyn Observer) -> Result<Vec<String>, Fault> {
        if self.cluster.take().is_some() {
            // The schema goes with its server.
            self.instrument.books = None;
            return Ok(Vec::new());
        }
        let Some(books) = &mut self.instrument.books else { return Ok(Vec::new()) };
        let closed = books.close();
        let mut said = books.take_left();
        said.extend(closed.err().map(|fault| fault.to_string()));
        Ok(said)
    }
}
