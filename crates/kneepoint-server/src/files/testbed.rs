//! Directories of this machine as a testbed for operations on files.

use kneepoint_core::measure::search::NextPoint;
use kneepoint_core::measure::{FileGround, Observer, Ready, Stop, Testbed};
use kneepoint_core::plan::resolve::{
    Durable, FoundTarget, Serves, Settable, Site, Wishes, named_twice, no_longer, not_together,
};
use kneepoint_core::plan::{Engine, Plan, TargetKind, TargetPlan};
use kneepoint_core::result::{Environment, TargetEnvironment};
use kneepoint_core::spec::factor::Factor;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use super::FilesInstrument;
use crate::calm::Calm;
use crate::testbed::Surroundings;

/// What the name of such a target begins with on the command line; its directory follows.
const SCHEME: &str = "files:";

/// Finds the directory at a path.
pub type FindGround<'a> = &'a dyn Fn(&str) -> Result<Box<dyn FileGround>, Fault>;

/// Directories in which files are created and deleted.
pub struct FilesTestbed<'a> {
    surroundings: &'a dyn Surroundings,
    names: Vec<String>,
    /// What they were when they were looked at: before a run, none of them may be there.
    found: Vec<TargetEnvironment>,
    instrument: FilesInstrument<'a>,
    calm: Calm,
}

impl<'a> FilesTestbed<'a> {
    /// Whether `target` names one of these.
    pub fn is_named_by(target: &str) -> bool {
        target.starts_with(SCHEME)
    }

    /// The directories called `names` on a machine that `surroundings` watch, as `find` finds them; changes
    /// nothing.
    ///
    /// # Errors
    /// When one of them is something else, is there twice, or cannot be used.
    pub fn look(
        names: &[String],
        surroundings: &'a dyn Surroundings,
        find: FindGround<'_>,
    ) -> Result<Self, Fault> {
        let mut grounds = Vec::with_capacity(names.len());
        for (index, name) in names.iter().enumerate() {
            let Some(path) = name.strip_prefix(SCHEME) else {
                let other = names.iter().find(|name| Self::is_named_by(name));
                return Err(not_together(name, other.map_or(SCHEME, String::as_str)));
            };
            if path.is_empty() {
                return Err(Fault::new(format!("'{name}' names no directory"))
                    .fix("name one that Kneepoint makes, such as files:/mnt/data/kneepoint"));
            }
            if names[..index].contains(name) {
                return Err(named_twice(format!("{name} is named twice")));
            }
            grounds.push(find(path)?);
        }
        let found = names.iter().zip(&grounds).map(|(name, ground)| ground.environment(name));
        Ok(Self {
            surroundings,
            names: names.to_vec(),
            found: found.collect::<Result<_, _>>()?,
            instrument: FilesInstrument::new(surroundings, grounds),
            calm: Calm::default(),
        })
    }

    /// The file system of the first of them, with its mount options.
    pub fn file_system(&self) -> &str {
        self.found.first().map_or("", |target| &target.file_system)
    }

    /// The targets as a plan has them.
    fn plans(&self) -> impl Iterator<Item = TargetPlan> {
        self.names.iter().map(|name| TargetPlan {
            target: name.clone(),
            host: String::new(),
            kind: TargetKind::Directory,
            size_bytes: 0,
            alignment_bytes: 1,
        })
    }

    /// Refuses a factor that nothing would set.
    fn check_factor(&self, factor: &Factor) -> Result<(), Fault> {
        if factor.commands.is_some() {
            return Ok(());
        }
        Err(Fault::new(format!("{} has no setting {}", self.names[0], factor.name))
            .because("Kneepoint varies no setting of directories by itself")
            .fix("set it by commands, in a suite of your own: docs/factors.md"))
    }
}

impl Testbed for FilesTestbed<'_> {
    fn site<'a>(&'a self, _wishes: &'a Wishes) -> Site<'a> {
        let found = self.plans().map(|plan| FoundTarget {
            plan,
            serves: Serves::Files,
            durable: Durable::Unknown,
            settable: Settable::No,
        });
        let engine = |_: &_| Ok(Engine::Threads);
        Site {
            targets: found.collect(),
            cpus: self.surroundings.cpus().len(),
            engine: Box::new(engine),
        }
    }

    fn check(&self, plan: &Plan) -> Result<(), Fault> {
        if !self.plans().eq(plan.targets.iter().cloned()) {
            return Err(no_longer(&self.names[0]));
        }
        let mut factors = plan.factors.iter().flat_map(|factors| &factors.factors);
        factors.try_for_each(|factor| self.check_factor(factor))
    }

    fn prepare<'a>(
        &'a mut self,
        plan: &'a Plan,
        _next: &NextPoint<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Ready<'a>, Stop> {
        self.calm.await_point(self.surroundings, observer)?;
        self.instrument.grounds.iter_mut().try_for_each(|ground| ground.claim())?;
        Ok(Ready { plan, instrument: &mut self.instrument })
    }

    fn wait_for_quiet(&mut self, longest: Option<Nanos>) {
        self.calm = Calm::new(longest, self.surroundings);
    }

    fn environment(&self, _plan: &Plan) -> Environment {
        let host = self.surroundings.environment();
        let targets = self.found.iter().cloned();
        let targets = targets.map(|target| TargetEnvironment { host: host.host.clone(), ..target });
        Environment {
            targets: targets.collect(),
            hosts: vec![host],
            published: Vec::new(),
            imported: None,
        }
    }

    fn finish(&mut self, _observer: &mut dyn Observer) -> Result<Vec<String>, Fault> {
        let mut removed = Ok(());
        for ground in &mut self.instrument.grounds {
            // What is left of one does not keep the others.
            removed = removed.and(ground.remove());
        }
        removed.map(|()| Vec::new())
    }
}
