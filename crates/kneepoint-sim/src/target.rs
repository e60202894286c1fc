//! The names of simulated targets: `sim:NAME[?key=value&...]`.

use std::collections::BTreeMap;

use kneepoint_core::plan::resolve::{Durable, Serves, Settable};
use kneepoint_core::spec::factor::{Combination, Factors};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::storage_class::{StorageClass, TargetClass};
use kneepoint_core::words::units::{Bytes, GIB, Nanos};

use crate::analytic::{AnalyticSystem, Stall};
use crate::system::System;
use crate::system::overrides::Query;
use crate::system::setting::DriveKind;
use crate::system::shipped::{SHIPPED_SYSTEMS, ShippedSystem};
use crate::users::Desktop;

/// The reference systems of queueing theory in the order in which the catalog lists them: the name
/// after `sim:`, and what each is, with its parameters and their defaults.
pub const SYSTEMS: [(&str, &str); 5] = [
    (
        "analytic/fixed",
        "every I/O takes service=1ms, however many are in flight; any of these systems takes flushes \
         with flush=2ms, and stands still for stall=1s at stall_at=4s where asked to",
    ),
    ("analytic/md1", "one server, first come first served, each I/O takes service=1ms"),
    ("analytic/mm1", "one server, exponentially distributed service times of mean service=1ms"),
    (
        "analytic/mmc",
        "servers=4 servers with one queue, exponential service times of mean service=1ms",
    ),
    (
        "analytic/desktop",
        "serves users (profile office, --users) on processors=1 processors that their operations \
         share equally",
    ),
];

/// A simulated target, as named.
#[derive(Debug, Clone, PartialEq)]
pub struct SimTarget {
    /// The whole name, `sim:...`.
    pub name: String,
    /// What it stands for.
    pub model: Model,
    /// Size that I/O is spread over, in bytes.
    pub size: Bytes,
}

/// What a simulated target stands for.
#[derive(Debug, Clone, PartialEq)]
pub enum Model {
    /// A reference system of queueing theory.
    Analytic(AnalyticSystem),
    /// A reference system that serves users.
    Desktop(Desktop),
    /// One array of a storage subsystem.
    Array {
        /// The subsystem.
        system: Box<System>,
        /// The array's number within it.
        array: u32,
    },
}

impl SimTarget {
    /// Whether a target's name means a simulated system.
    pub fn is_named_by(target: &str) -> bool {
        target.starts_with("sim:")
    }

    /// Reads `sim:NAME[?key=value&...][#array]`.
    ///
    /// # Errors
    /// When the system or a parameter is not known, or a value is out of its range.
    pub fn parse(target: &str) -> Result<Self, Fault> {
        Self::parse_with(target, &refuse_files)
    }

    /// Reads `sim:NAME` or `sim:path/to/system.toml`; the files come from `files`.
    ///
    /// # Errors
    /// As [`Self::parse`], and whatever `files` finds wrong.
    pub fn parse_with(target: &str, files: Files<'_>) -> Result<Self, Fault> {
        let (base, array) = split_array(target)?;
        let rest = base.strip_prefix("sim:").unwrap_or(base);
        let (name, query) = rest.split_once('?').unwrap_or((rest, ""));
        if name.starts_with("analytic/") {
            return Self::analytic(target, name, query);
        }
        let system = match name.ends_with(".toml") {
            true => System::parse(&files(name)?, name)?,
            false => ShippedSystem::find(name).ok_or_else(|| unknown_system(name))?.system()?,
        };
        Self::of_system(target, system.with_query(base, query)?, array)
    }

    /// The target `name` that stands for one array of `system`.
    ///
    /// # Errors
    /// When the system has no such array.
    pub fn of_system(name: &str, system: System, array: u32) -> Result<Self, Fault> {
        if array >= system.array_count() {
            return Err(Fault::new(format!("there is no array {array} in '{name}'"))
                .because(format!("it has {} of them, counted from 0", system.array_count())));
        }
        let size = system.array_bytes(array);
        Ok(Self {
            name: name.to_owned(),
            model: Model::Array { system: Box::new(system), array },
            size,
        })
    }

    /// What the system is set to, by the names of its query; nothing for a reference system.
    pub fn settings(&self) -> BTreeMap<String, String> {
        match &self.model {
            Model::Analytic(_) => BTreeMap::new(),
            Model::Desktop(desktop) => {
                BTreeMap::from([("processors".to_owned(), desktop.processors.to_string())])
            }
            Model::Array { system, .. } => system.facts(),
        }
    }

    /// What it serves, and what the simulated drives are. A reference system of I/O is a queue without
    /// any; its service times are those of disks.
    pub fn serves(&self) -> Serves {
        let (class, because) = match &self.model {
            Model::Desktop(_) => return Serves::Users,
            Model::Analytic(_) => (StorageClass::Rotational, "a queue, judged like a disk"),
            Model::Array { system, .. } => match system.drive.kind {
                DriveKind::Disk => (StorageClass::Rotational, "simulated disks"),
                DriveKind::Flash => (StorageClass::Flash, "simulated flash"),
            },
        };
        Serves::Io(TargetClass { class, because: because.to_owned() })
    }

    /// What it can make durable: a subsystem has caches that it can empty, a queue has what its name says.
    pub const fn durable(&self) -> Durable {
        match &self.model {
            Model::Array { .. } => Durable::Flushes,
            Model::Analytic(system) if system.flush.is_some() => Durable::Flushes,
            Model::Analytic(_) | Model::Desktop(_) => Durable::Unknown,
        }
    }

    /// Whether a series can have it at settings of its own: a subsystem is built again for it.
    pub fn settable(&self) -> Settable {
        let Model::Array { .. } = &self.model else { return Settable::No };
        let base = self.name.split('#').next().unwrap_or_default();
        let query = base.split_once('?').map_or("", |(_, query)| query);
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        Settable::BySeries(pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect())
    }

    /// The names of all targets that `target` stands for: one per array of a system.
    ///
    /// A system with several arrays gets `#0`, `#1`, ... appended, unless the name already has a
    /// number; everything else is itself.
    ///
    /// The text of system files comes from `files`.
    ///
    /// # Errors
    /// When the name cannot be read.
    pub fn expand(target: &str, files: Files<'_>) -> Result<Vec<String>, Fault> {
        let arrays = Self::arrays(target, files)?;
        if target.contains('#') {
            Self::parse_with(target, files)?;
        }
        match arrays {
            arrays if !target.contains('#') && arrays > 1 => {
                Ok((0..arrays).map(|array| format!("{target}#{array}")).collect())
            }
            _ => Ok(vec![target.to_owned()]),
        }
    }

    /// How many arrays the system of `target` has; 1 for a reference system.
    ///
    /// # Errors
    /// When the name of the system cannot be read.
    pub(crate) fn arrays(target: &str, files: Files<'_>) -> Result<u32, Fault> {
        let (base, _) = split_array(target)?;
        Ok(match Self::parse_with(base, files)?.model {
            Model::Array { system, .. } => system.array_count(),
            Model::Analytic(_) | Model::Desktop(_) => 1,
        })
    }

    /// The number of the array that `target` stands for; 0 if it names none.
    ///
    /// # Errors
    /// When it is no number.
    pub(crate) fn array_number(target: &str) -> Result<u32, Fault> {
        split_array(target).map(|(_, number)| number)
    }

    /// `names`, each with the parameters among the levels of `factors` at which its system has the most
    /// arrays; as it is if these do not change their number.
    ///
    /// # Errors
    /// When a level cannot be simulated, or there are too many combinations.
    pub fn largest(
        names: &[String],
        factors: &Factors,
        files: Files<'_>,
    ) -> Result<Vec<String>, Fault> {
        let mut combinations = factors.combinations()?;
        let commanded = factors.factors.iter().filter(|factor| factor.commands.is_some());
        let commanded: Vec<&str> = commanded.map(|factor| factor.name.as_str()).collect();
        for combination in &mut combinations {
            combination.retain(|name, _| !commanded.contains(&name.as_str()));
        }
        let largest = |name: &String| {
            if name.contains('#') {
                return Ok(name.clone());
            }
            let arrays = |parameters: &Combination| {
                Self::arrays(&Self::with_parameters(name, parameters), files)
            };
            let mut largest = Combination::new();
            for combination in &combinations {
                if arrays(combination)? > arrays(&largest)? {
                    largest.clone_from(combination);
                }
            }
            // Only what the number of arrays depends on.
            for parameter in largest.clone().into_keys() {
                let mut others = largest.clone();
                others.remove(&parameter);
                if arrays(&others).is_ok_and(|count| Ok(count) == arrays(&largest)) {
                    largest = others;
                }
            }
            Ok(Self::with_parameters(name, &largest))
        };
        names.iter().map(largest).collect()
    }

    /// The name `target` with parameters added, or put in place of those that it has:
    /// `sim:fastt900?drives=40` with `raid` at `raid5` is `sim:fastt900?drives=40&raid=raid5`.
    pub fn with_parameters(target: &str, parameters: &BTreeMap<String, String>) -> String {
        let (base, array) = target.split_once('#').unwrap_or((target, ""));
        let (name, query) = base.split_once('?').unwrap_or((base, ""));
        let is_kept = |pair: &&str| {
            let key = pair.split('=').next().unwrap_or_default();
            !pair.is_empty() && !parameters.contains_key(key)
        };
        let mut pairs: Vec<String> = query.split('&').filter(is_kept).map(str::to_owned).collect();
        pairs.extend(parameters.iter().map(|(key, value)| format!("{key}={value}")));
        let mark = if pairs.is_empty() { "" } else { "?" };
        let array = if array.is_empty() { String::new() } else { format!("#{array}") };
        format!("{name}{mark}{}{array}", pairs.join("&"))
    }

    fn analytic(target: &str, name: &str, query: &str) -> Result<Self, Fault> {
        let mut parameters = Query::parse(target, query)?;
        if name == "analytic/desktop" {
            return Self::desktop(target, parameters);
        }
        let service = parameters.take("service", "1ms")?;
        let size = parameters.take("size", &Bytes(8 * GIB).to_string())?;
        let system = match name {
            "analytic/fixed" => AnalyticSystem::fixed(service),
            "analytic/md1" => AnalyticSystem::md1(service),
            "analytic/mm1" => AnalyticSystem::mm1(service),
            "analytic/mmc" => AnalyticSystem::mmc(service, parameters.take("servers", "4")?),
            unknown => return Err(unknown_system(unknown)),
        };
        let start = parameters.take("stall_at", "0s")?;
        let length = parameters.take("stall", "0s")?;
        let stall = (length > Nanos::ZERO).then_some(Stall { start, length });
        let flush = parameters.take("flush", "0s")?;
        let flush = (flush > Nanos::ZERO).then_some(flush);
        let system = AnalyticSystem { stall, flush, ..system };
        refuse_rest(&parameters)?;
        system.check().map_err(|why| impossible(target, why))?;
        Ok(Self { name: target.to_owned(), model: Model::Analytic(system), size })
    }

    fn desktop(target: &str, mut parameters: Query<'_>) -> Result<Self, Fault> {
        let desktop = Desktop { processors: parameters.take("processors", "1")? };
        refuse_rest(&parameters)?;
        desktop.check().map_err(|why| impossible(target, why))?;
        Ok(Self { name: target.to_owned(), model: Model::Desktop(desktop), size: Bytes(0) })
    }
}

/// Where the text of a system file comes from, by its path.
pub type Files<'a> = &'a dyn Fn(&str) -> Result<String, Fault>;

/// For names that may not stand for files.
pub(crate) fn refuse_files(path: &str) -> Result<String, Fault> {
    Err(Fault::new(format!("'{path}' is a file, and no files are read here"))
        .fix("use the name of a shipped system"))
}

fn impossible(target: &str, why: &str) -> Fault {
    Fault::new(format!("cannot simulate '{target}'")).because(why)
}

/// The part before `#`, and the array's number behind it.
fn split_array(target: &str) -> Result<(&str, u32), Fault> {
    let Some((base, number)) = target.split_once('#') else { return Ok((target, 0)) };
    let array = number.parse().map_err(|_| {
        Fault::new(format!("'{number}' in '{target}' is no number of an array"))
            .fix("write it as sim:fastt900#0")
    })?;
    Ok((base, array))
}

fn unknown_system(name: &str) -> Fault {
    let subsystems = SHIPPED_SYSTEMS.iter().filter(|shipped| !shipped.name.starts_with("drive/"));
    let mut known: Vec<&str> = SYSTEMS.iter().map(|(name, _)| *name).collect();
    known.extend(subsystems.map(|shipped| shipped.name));
    known.push("drive/ID");
    Fault::new(format!("there is no simulated system '{name}'"))
        .fix(format!("use one of: {}", known.join(", ")))
}

fn refuse_rest(query: &Query<'_>) -> Result<(), Fault> {
    match query.pairs().next() {
        None => Ok(()),
        Some((key, _)) => {
            Err(query.unknown(key).fix("`kneepoint catalog systems` lists the parameters"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kneepoint_core::spec::factor::Factor;

    #[test]
    fn every_listed_system_can_be_named() {
        for (name, _) in SYSTEMS {
            SimTarget::parse(&format!("sim:{name}")).unwrap();
        }
    }

    #[test]
    fn parameters_change_the_system() {
        let target = SimTarget::parse("sim:analytic/mmc?service=2ms&servers=8&size=1GiB").unwrap();
        assert_eq!(target.size, Bytes(GIB));
        let expected = AnalyticSystem::mmc("2ms".parse().unwrap(), 8);
        assert_eq!(target.model, Model::Analytic(expected));
    }

    #[test]
    fn a_system_has_one_target_per_array() {
        let expand = |name: &str| SimTarget::expand(name, &refuse_files);
        let names = expand("sim:serveraid-m5025?drives=24").unwrap();
        assert_eq!(names, ["sim:serveraid-m5025?drives=24#0", "sim:serveraid-m5025?drives=24#1"]);
        let one = "sim:serveraid-m5025?drives=12&stroke=8%";
        assert_eq!(expand(one).unwrap(), [one]);
        assert_eq!(expand(&names[1]).unwrap(), [names[1].as_str()]);
        let Model::Array { array, system } = SimTarget::parse(&names[1]).unwrap().model else {
            panic!("an array")
        };
        assert_eq!((array, system.array_count()), (1, 2));
    }

    #[test]
    fn a_system_is_named_at_its_largest_level() {
        let largest = |name: &str, levels: &[(&str, &[&str])]| {
            let factor = |(name, levels): &(&str, &[&str])| Factor {
                name: (*name).to_owned(),
                levels: levels.iter().map(|level| (*level).to_owned()).collect(),
                commands: None,
                settle: Nanos::ZERO,
            };
            let mut factors = Factors::default();
            levels.iter().for_each(|one| factors.add(factor(one)).unwrap());
            SimTarget::largest(&[name.to_owned()], &factors, &refuse_files).unwrap().concat()
        };
        let both: [(&str, &[&str]); 2] =
            [("drives", &["20", "180", "60"]), ("raid", &["raid10", "raid5"])];
        assert_eq!(largest("sim:fastt900", &both), "sim:fastt900?drives=180");
        assert_eq!(largest("sim:fastt900", &both[1..]), "sim:fastt900");
        assert_eq!(largest("sim:fastt900#1", &both[1..]), "sim:fastt900#1");
        assert_eq!(largest("sim:fastt900", &[("drives", &["20", "40"])]), "sim:fastt900");
    }

    #[test]
    fn parameters_are_added_and_replaced() {
        let check = |target: &str, parameters: &[(&str, &str)], expected: &str| {
            let pairs = parameters.iter().map(|(key, value)| ((*key).into(), (*value).into()));
            assert_eq!(SimTarget::with_parameters(target, &pairs.collect()), expected);
        };
        check("sim:a", &[], "sim:a");
        check("sim:a?x=1#2", &[], "sim:a?x=1#2");
        check("sim:a#2", &[("x", "1")], "sim:a?x=1#2");
        check("sim:a?x=1&y=2", &[("x", "3"), ("a", "0")], "sim:a?y=2&a=0&x=3");
    }

    #[test]
    fn what_cannot_be_simulated_says_why() {
        let check = |name: &str, text: &str| {
            let fault = SimTarget::parse(name).unwrap_err().to_string();
            assert!(fault.contains(text), "{fault}");
        };
        check("sim:nothing", "no simulated system");
        check("sim:analytic/md1?servers=4", "no parameter 'servers'");
        check("sim:fastt900?servers=4", "no parameter 'servers'");
        check("sim:fastt900?raid=raid7", "is no RAID level");
        check("sim:fastt900?drives=1", "at least 3 drives");
        check("sim:fastt900?param.disk.rpn=1", "no parameter 'disk.rpn'");
        check("sim:fastt900?param.disk.rpm=0", "cannot be the value");
        check("sim:fastt900?raid=raid0&condition=degraded", "raid0 cannot be degraded");
        check("sim:fastt900#6", "no array 6");
        check("sim:analytic/md1?service", "has no value");
        check("sim:analytic/md1?service=1", "unit is missing");
        check("sim:analytic/md1?service=0ms", "longer than nothing");
        check("sim:analytic/mmc?servers=0", "at least one server");
        check("sim:analytic/desktop?processors=0", "at least one processor");
        check("sim:analytic/desktop?service=1ms", "no parameter 'service'");
        check("sim:analytic/md1?service=1ms&service=2ms", "given twice");
    }
}
