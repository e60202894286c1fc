//! Workloads of a run that cannot be the lines of one profile, since they use different storage: they are
//! measured at the same moment, each with its own load.

use kneepoint_core::spec::grid::OUTSTANDING_MAX;
use kneepoint_core::spec::suite::MEMBERS_MAX;
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::fault::Fault;

use super::reader::{Definition, Value, shown};
use super::translate::{Translation, Variant};
use super::value::VALUES_MAX;
use crate::job::Conduct;
use crate::job::draft::{DraftLoad, DraftPlace, DraftSeries, one_line};

/// A workload with the storage that it uses.
#[derive(Debug, Clone)]
pub(super) struct Placed<'a> {
    pub(super) workload: &'a Definition,
    pub(super) storage: Vec<&'a Definition>,
}

/// A workload on one target, or on all of them.
struct Member<'a> {
    name: String,
    workload: &'a Definition,
    storage: Vec<&'a Definition>,
    /// The number of its target, from 1.
    target: Option<usize>,
    /// The part of the run's rate that each of its targets gets.
    part: f64,
}

/// A load of a whole run.
#[derive(Debug, Clone, Copy)]
enum Level {
    /// I/Os per second of all workloads.
    Rate(f64),
    /// Outstanding I/Os of each storage.
    Threads(f64),
    /// As many as each storage says.
    OwnThreads,
}

impl<'a> Translation<'a> {
    /// The series of a run whose workloads are measured at the same moment.
    pub(super) fn moments(
        &mut self,
        run: &'a Definition,
        placed: &[Placed<'a>],
    ) -> Result<(Vec<DraftSeries>, Conduct), Fault> {
        let levels = self.levels(run, placed)?;
        let members = self.members(run, placed)?;
        let variants = self.variants(run)?;
        let count = levels.len().saturating_mul(variants.len()).saturating_mul(members.len());
        if count > VALUES_MAX {
            return Err(self
                .text
                .fault(run.line, format!("{count} combinations are more than {VALUES_MAX}"))
                .fix("split the run"));
        }
        let mut series = Vec::new();
        for level in &levels {
            let suffix = match level {
                Level::Rate(rate) if levels.len() > 1 => format!(" i{rate}"),
                Level::Threads(threads) if levels.len() > 1 => format!(" t{threads}"),
                _ => String::new(),
            };
            for variant in &variants {
                let moment = self.next_moment();
                for member in &members {
                    let title = format!("{}{}{suffix} {}", run.name, variant.suffix, member.name);
                    let mut one = self.member((run, &title), member, (*level, variant))?;
                    one.together = Some(DraftPlace { moment, target: member.target });
                    series.push(one);
                }
            }
        }
        let workloads: Vec<&Definition> = placed.iter().map(|one| one.workload).collect();
        self.tell_run(run, &workloads);
        self.tell_moment(run, placed.len());
        let used: Vec<&Definition> = placed.iter().flat_map(|one| one.storage.clone()).collect();
        let mut flags = self.open_flags(&used[..1])?;
        for one in &used {
            flags.is_direct &= self.open_flags(&[one])?.is_direct;
        }
        let is_offered = matches!(levels.first(), Some(Level::Rate(_)));
        Ok((series, self.conduct(run, flags, is_offered)?))
    }

    /// Says which target is which storage.
    fn tell_moment(&mut self, run: &Definition, workloads: usize) {
        let names: Vec<String> =
            self.file.storage.iter().take(MEMBERS_MAX).map(|one| one_line(&one.name)).collect();
        let more = if names.len() < self.file.storage.len() { ", ..." } else { "" };
        let what = match workloads {
            1 => {
                "each storage of the run has its own part or alignment, and all are measured at the same moment"
            }
            _ => "the workloads of the run are measured at the same moment, each with its own load",
        };
        self.differ(
            run.line,
            format!("{what}: name the targets in the order {}{more}", names.join(", ")),
        );
    }

    /// One of the series of a moment.
    fn member(
        &mut self,
        (run, title): (&Definition, &str),
        member: &Member<'a>,
        (level, variant): (Level, &Variant),
    ) -> Result<DraftSeries, Fault> {
        let workload = [(member.workload, 100.0)];
        let lines = self.lines(&workload, &member.storage, variant)?;
        let mut one = DraftSeries::of(title, lines);
        one.range = self.range(&[member.workload], &member.storage)?;
        one.load = Some(match level {
            Level::Rate(rate) => {
                let value = run.parameters.get("iorate");
                let part = (rate * member.part * 1000.0).round() / 1000.0;
                self.offered(value, &[part])?
            }
            Level::Threads(threads) => DraftLoad::Outstanding(threads.to_string()),
            Level::OwnThreads => self.outstanding(run, member.workload, &member.storage)?,
        });
        if one.writes() {
            one.data = self.data()?;
            one.durability.sync = self.open_flags(&member.storage)?.sync;
        }
        Ok(one)
    }

    /// The loads of the run, one after the other.
    fn levels(&self, run: &Definition, placed: &[Placed<'_>]) -> Result<Vec<Level>, Fault> {
        let rate = self.iorate(run)?;
        match rate.text.as_str() {
            "curve" => Err(self
                .text
                .fault(
                    rate.line,
                    "iorate=curve of workloads on different storage cannot be converted",
                )
                .because("what is measured at the same moment is known before, and a curve is not")
                .fix("write I/Os per second, such as iorate=(1000,2000,4000)")),
            max if max.eq_ignore_ascii_case("max") => self.free(run, placed),
            _ => Ok(self.rates(rate)?.into_iter().map(Level::Rate).collect()),
        }
    }

    /// The loads of a run whose workloads go on as fast as they can.
    fn free(&self, run: &Definition, placed: &[Placed<'_>]) -> Result<Vec<Level>, Fault> {
        let several = if placed.len() > 1 { placed } else { &[] };
        let mut all = several.iter().flat_map(|one| [(one, "skew"), (one, "priority")]);
        let held = all.find_map(|(one, key)| {
            let value = one.workload.parameters.get(key)?;
            Some((one.workload, key, value.line))
        });
        if let Some((workload, key, line)) = held {
            let name = shown(&workload.name);
            return Err(self
                .text
                .fault(line, format!("the {key} of '{name}' cannot be converted at iorate=max"))
                .because(
                    "vdbench holds back whatever is ahead of its share, on other storage; here each has \
                     a load of its own",
                )
                .fix(format!("write I/Os per second as the iorate, or remove {key}")));
        }
        for (index, one) in placed.iter().enumerate() {
            let shares = |other: &&Placed<'_>| {
                other.storage.iter().any(|storage| one.storage.contains(storage))
            };
            if let Some(other) = placed[index + 1..].iter().find(shares) {
                let [first, second] = [one, other].map(|placed| one_line(&placed.workload.name));
                return Err(self
                    .text
                    .fault(
                        other.workload.line,
                        format!(
                            "'{second}' uses some of the storage of '{first}', and not all of it"
                        ),
                    )
                    .because("at iorate=max they share its threads, and how is not known before")
                    .fix("write I/Os per second as the iorate, or make two runs"));
            }
        }
        let value = run.parameters.get("forthreads").or(run.parameters.get("threads"));
        let Some(value) = value else { return Ok(vec![Level::OwnThreads]) };
        Ok(self.threads(value)?.into_iter().map(Level::Threads).collect())
    }

    /// The workloads on each of their targets.
    fn members(&self, run: &Definition, placed: &[Placed<'a>]) -> Result<Vec<Member<'a>>, Fault> {
        let workloads: Vec<&Definition> = placed.iter().map(|one| one.workload).collect();
        let skews = self.skews(&workloads)?;
        let mut members = Vec::new();
        for (one, skew) in placed.iter().zip(skews) {
            let part = skew / 100.0 / one.storage.len() as f64;
            let name = one_line(&one.workload.name);
            if self.is_like_all(&one.storage) {
                let (workload, storage) = (one.workload, one.storage.clone());
                members.push(Member { name, workload, storage, target: None, part });
                continue;
            }
            for storage in &one.storage {
                let place = self.file.storage.iter().position(|known| known.name == storage.name);
                let name = match one.storage.len() {
                    1 => name.clone(),
                    _ => format!("{name} {}", one_line(&storage.name)),
                };
                members.push(Member {
                    name,
                    workload: one.workload,
                    storage: vec![*storage],
                    target: place.map(|place| place + 1),
                    part,
                });
            }
        }
        if members.len() > MEMBERS_MAX {
            return Err(self
                .text
                .fault(
                    run.line,
                    format!(
                        "the workloads of the run load {} storages at the same moment, more than {MEMBERS_MAX}",
                        members.len()
                    ),
                )
                .fix("split the run, or let all of its workloads use the same storage"));
        }
        Ok(members)
    }

    /// Whether `storage` is all of the file, and alike in what a series has of it.
    fn is_like_all(&self, storage: &[&Definition]) -> bool {
        let told = |one: &Definition| {
            ["threads", "range", "align", "openflags"]
                .map(|key| one.parameters.get(key).map(|value| value.text.clone()))
        };
        storage.len() == self.file.storage.len()
            && distinct(storage.iter().map(|one| told(one))).len() == 1
    }

    /// Numbers of threads.
    pub(super) fn threads(&self, value: &Value) -> Result<Vec<f64>, Fault> {
        let is_one = |level: &f64| level.fract() == 0.0 && (1.0..=OUTSTANDING_MAX).contains(level);
        super::value::numbers(&value.text).filter(|levels| levels.iter().all(is_one)).ok_or_else(
            || self.wrong(value, "number of threads", "write 8, (1,2,4), (1-64,d) or (8-64,8)"),
        )
    }
}
