//! The names of simulated targets: `sim:NAME[?key=value&...]`.

use std::collections::BTreeMap;

use kneepoint_core::fault::Fault;
use kneepoint_core::units::{Bytes, GIB, Nanos};

use crate::analytic::{Stall, System};

/// A simulated system that can be named on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SystemEntry {
    /// The name after `sim:`.
    pub name: &'static str,
    /// What it is, and its parameters with their defaults.
    pub description: &'static str,
}

/// All simulated systems, in the order in which the catalog lists them.
pub const SYSTEMS: [SystemEntry; 4] = [
    SystemEntry {
        name: "analytic/fixed",
        description: "every I/O takes service=1ms, however many are in flight; any of these systems stands \
                      still for stall=1s at stall_at=4s where asked to",
    },
    SystemEntry {
        name: "analytic/md1",
        description: "one server, first come first served, each I/O takes service=1ms",
    },
    SystemEntry {
        name: "analytic/mm1",
        description: "one server, exponentially distributed service times of mean service=1ms",
    },
    SystemEntry {
        name: "analytic/mmc",
        description: "servers=4 servers with one queue, exponential service times of mean service=1ms",
    },
];

/// A simulated target, as named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimTarget {
    /// The whole name, `sim:...`.
    pub name: String,
    /// What it stands for.
    pub system: System,
    /// Size that I/O is spread over, in bytes (`size=8GiB`).
    pub size: Bytes,
}

impl SimTarget {
    /// Whether a target's name means a simulated system.
    pub fn is_named_by(target: &str) -> bool {
        target.starts_with("sim:")
    }

    /// Reads `sim:NAME[?key=value&...]`.
    ///
    /// # Errors
    /// When the system or a parameter is not known, or a value is out of its range.
    pub fn parse(target: &str) -> Result<Self, Fault> {
        let rest = target.strip_prefix("sim:").unwrap_or(target);
        let (name, query) = rest.split_once('?').unwrap_or((rest, ""));
        let mut parameters = Parameters::parse(target, query)?;
        let service = parameters.take("service", "1ms")?;
        let size = parameters.take("size", &Bytes(8 * GIB).to_string())?;
        let system = match name {
            "analytic/fixed" => System::fixed(service),
            "analytic/md1" => System::md1(service),
            "analytic/mm1" => System::mm1(service),
            "analytic/mmc" => System::mmc(service, parameters.take("servers", "4")?),
            unknown => return Err(unknown_system(unknown)),
        };
        let system = match parameters.take_stall()? {
            Some(stall) => system.stalled(stall),
            None => system,
        };
        parameters.refuse_rest()?;
        system
            .check()
            .map_err(|why| Fault::new(format!("cannot simulate '{target}'")).because(why))?;
        Ok(Self { name: target.to_owned(), system, size })
    }
}

fn unknown_system(name: &str) -> Fault {
    let known: Vec<&str> = SYSTEMS.iter().map(|system| system.name).collect();
    Fault::new(format!("there is no simulated system '{name}'"))
        .fix(format!("use one of: {}", known.join(", ")))
}

/// The part of a name after the question mark.
struct Parameters<'a> {
    target: &'a str,
    values: BTreeMap<&'a str, &'a str>,
}

impl<'a> Parameters<'a> {
    fn parse(target: &'a str, query: &'a str) -> Result<Self, Fault> {
        let mut values = BTreeMap::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').ok_or_else(|| {
                Fault::new(format!("'{pair}' in '{target}' has no value"))
                    .fix("write parameters as ?service=1ms&servers=4")
            })?;
            if values.insert(key, value).is_some() {
                return Err(Fault::new(format!("'{key}' is given twice in '{target}'")));
            }
        }
        Ok(Self { target, values })
    }

    fn take<T: std::str::FromStr>(&mut self, key: &str, default: &str) -> Result<T, Fault>
    where
        T::Err: std::fmt::Display,
    {
        let text = self.values.remove(key).unwrap_or(default);
        text.parse().map_err(|why| {
            Fault::new(format!("'{key}={text}' in '{}' cannot be used", self.target)).because(why)
        })
    }

    /// `stall=1s` with `stall_at=4s`.
    fn take_stall(&mut self) -> Result<Option<Stall>, Fault> {
        let start = self.take("stall_at", "0s")?;
        let length = self.take("stall", "0s")?;
        Ok((length > Nanos::ZERO).then_some(Stall { start, length }))
    }

    fn refuse_rest(self) -> Result<(), Fault> {
        match self.values.keys().next() {
            None => Ok(()),
            Some(key) => Err(Fault::new(format!("'{}' has no parameter '{key}'", self.target))
                .fix("`kneepoint catalog systems` lists the parameters")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_system_can_be_named() {
        for system in SYSTEMS {
            SimTarget::parse(&format!("sim:{}", system.name)).unwrap();
        }
    }

    #[test]
    fn parameters_change_the_system() {
        let target = SimTarget::parse("sim:analytic/mmc?service=2ms&servers=8&size=1GiB").unwrap();
        assert_eq!(target.size, Bytes(GIB));
        assert_eq!(target.system, System::mmc("2ms".parse().unwrap(), 8));
    }

    #[test]
    fn what_cannot_be_simulated_says_why() {
        let check = |name: &str, text: &str| {
            let fault = SimTarget::parse(name).unwrap_err().to_string();
            assert!(fault.contains(text), "{fault}");
        };
        check("sim:nothing", "no simulated system");
        check("sim:analytic/md1?servers=4", "no parameter 'servers'");
        check("sim:analytic/md1?service", "has no value");
        check("sim:analytic/md1?service=1", "unit is missing");
        check("sim:analytic/md1?service=0ms", "longer than nothing");
        check("sim:analytic/mmc?servers=0", "at least one server");
        check("sim:analytic/md1?service=1ms&service=2ms", "given twice");
    }
}
