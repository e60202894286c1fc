//! From what a configuration says to a suite.

use kneepoint_core::spec::grid::{LEVELS_MAX, OUTSTANDING_MAX};
use kneepoint_core::spec::profile::{Align, BLOCK_BYTES_MAX, BURST_MAX, DELAY_MAX, WriteKind};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::{Bytes, Nanos};

use super::setup::{Assignment, Setup, Specification, SpecificationLine, TestType, Worker};
use crate::job::draft::{Draft, DraftLine, DraftLoad, DraftSeries, one_line};
use crate::job::lines::level_list;
use crate::job::{Conduct, Difference, JobText};

/// Bytes of a sector in sizes of disks.
const SECTOR: u64 = 512;
/// Most workers that threads are made of.
const WORKERS_MAX: usize = 1024;

/// The suite of a configuration.
pub(super) fn translate(
    text: JobText<'_>,
    setup: Setup,
) -> Result<(Draft, Conduct, Vec<Difference>), Fault> {
    let mut translation = Translation { text, setup: &setup, differences: Vec::new() };
    let (draft, conduct) = translation.draft()?;
    let mut differences = translation.differences;
    differences.sort_by_key(|(line, _)| *line);
    let differences = differences
        .into_iter()
        .map(|(line, what)| Difference {
            place: if line == 0 { text.file.to_owned() } else { text.place(line) },
            what,
        })
        .collect();
    Ok((draft, conduct, differences))
}

/// A target as one manager names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ManagedTarget<'w> {
    line: usize,
    manager: usize,
    name: &'w str,
}

impl ManagedTarget<'_> {
    /// Whether it is one of a worker's targets.
    fn is_of(&self, worker: &Worker) -> bool {
        worker.manager == self.manager && worker.targets.iter().any(|(_, name)| name == self.name)
    }
}

struct Translation<'a> {
    text: JobText<'a>,
    setup: &'a Setup,
    /// Line (0 for the file as a whole) and difference.
    differences: Vec<(usize, String)>,
}

impl<'a> Translation<'a> {
    fn differ(&mut self, line: usize, what: impl Into<String>) {
        self.differences.push((line, what.into()));
    }

    fn draft(&mut self) -> Result<(Draft, Conduct), Fault> {
        let specifications = self.chosen()?;
        let workers = self.disk_workers();
        let (size, range) = self.part(&workers);
        let load = self.load(&workers)?;
        let mut series = Vec::new();
        for specification in specifications {
            let mut one = self.series(specification)?;
            one.load = load.clone();
            one.range = range;
            series.push(one);
        }
        self.tell_pattern(&workers, &series);
        self.tell_targets(&workers);
        self.tell_settings(&workers);
        self.tell_positions(&workers, &series);
        for (line, key) in self.setup.unknown.clone() {
            let key = key.escape_debug();
            self.differ(line, format!("'{key} is not known and was left out"));
        }
        let version = one_line(&self.setup.version);
        let draft = Draft {
            title: self.title(),
            description: self.setup.description.clone(),
            source: format!(
                "Iometer configuration {}, version {version}",
                one_line(self.text.file)
            ),
            size,
            rules: Vec::new(),
            series,
        };
        Ok((draft, self.conduct(&workers)))
    }

    fn title(&self) -> String {
        let first = self.setup.description.lines().next().unwrap_or_default();
        if !first.trim().is_empty() {
            return first.to_owned();
        }
        let file = self.text.file.rsplit('/').next().unwrap_or_default();
        file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned()
    }

    /// The specifications that are measured, in order.
    fn chosen(&mut self) -> Result<Vec<Specification>, Fault> {
        let setup = self.setup;
        let assigned = self.assigned();
        if setup.specifications.is_empty() && assigned.is_empty() {
            return Err(Fault::new(format!(
                "{}: no access specification is in it",
                self.text.file
            ))
            .because("it has no section ACCESS SPECIFICATIONS, or an empty one")
            .fix("save the configuration with its access specifications, and name that file"));
        }
        if !assigned.is_empty() {
            return assigned
                .into_iter()
                .filter_map(|(line, name)| self.found(line, &name))
                .collect();
        }
        let is_default =
            |one: &&Specification| matches!(one.assignment, Assignment::All | Assignment::Disk);
        let defaults: Vec<Specification> =
            setup.specifications.iter().filter(is_default).cloned().collect();
        let left_out = setup.specifications.len() - defaults.len();
        if !defaults.is_empty() && left_out > 0 {
            self.differ(0, format!(
                "{left_out} access specifications that no worker has, and that none gets by default, are left out"
            ));
        }
        if defaults.is_empty() {
            self.differ(0, "no worker has an access specification: all of the file are measured");
            let is_idle = |one: &&Specification| !is_idle(&one.name);
            return Ok(setup.specifications.iter().filter(is_idle).cloned().collect());
        }
        Ok(defaults)
    }

    /// Line and name of the specifications that disk workers have, each once.
    fn assigned(&mut self) -> Vec<(usize, String)> {
        let workers: Vec<&Worker> =
            self.setup.workers.iter().filter(|worker| !worker.is_network).collect();
        let mut assigned: Vec<(usize, String)> = Vec::new();
        for (line, name) in workers.iter().flat_map(|worker| &worker.specifications) {
            if !assigned.iter().any(|(_, known)| known.eq_ignore_ascii_case(name)) {
                assigned.push((*line, name.clone()));
            }
        }
        let names = |worker: &Worker| -> Vec<String> {
            worker.specifications.iter().map(|(_, name)| name.to_ascii_lowercase()).collect()
        };
        let first = workers.first().map(|worker| names(worker));
        if let Some(other) = workers.iter().find(|worker| Some(names(worker)) != first) {
            self.differ(other.line, format!(
                "worker '{}' has other access specifications than the first one; in Iometer they run side by \
                 side, here one after the other, each on all targets",
                one_line(&other.name)
            ));
        }
        assigned
    }

    /// The specification of a name; `None` for the idle one.
    fn found(&mut self, line: usize, name: &str) -> Option<Result<Specification, Fault>> {
        if is_idle(name) {
            self.differ(line, "the specification 'Idle' is left out: nothing happens in it");
            return None;
        }
        let known = &self.setup.specifications;
        let same = |one: &&Specification| comparable(&smart_name(one)) == comparable(name);
        let named = |one: &&Specification| one.name.eq_ignore_ascii_case(name);
        if let Some(found) = known.iter().find(named).or_else(|| known.iter().find(same)) {
            return Some(Ok(found.clone()));
        }
        if name.eq_ignore_ascii_case("Default") {
            return Some(Ok(iometers_default(line)));
        }
        Some(Err(self
            .text
            .fault(line, format!("no access specification is called '{}'", name.escape_debug()))
            .because("a worker has it, and the section ACCESS SPECIFICATIONS has not")
            .fix(format!("add it there, or remove line {line}"))))
    }

    fn disk_workers(&mut self) -> Vec<&'a Worker> {
        let setup = self.setup;
        for worker in setup.workers.iter().filter(|worker| worker.is_network) {
            let name = one_line(&worker.name);
            self.differ(worker.line, format!("worker '{name}' is left out: it loads a network"));
        }
        setup.workers.iter().filter(|worker| !worker.is_network).collect()
    }

    /// Bytes of each target that are used, and which part of them in percent.
    fn part(&mut self, workers: &[&Worker]) -> (Option<u64>, (f64, f64)) {
        let whole = (None, (0.0, 100.0));
        let Some((line, sectors, start)) = workers.first().and_then(|worker| worker.disk) else {
            return whole;
        };
        let area = |worker: &Worker| worker.disk.map(|(_, sectors, start)| (sectors, start));
        if workers.iter().any(|worker| area(worker) != Some((sectors, start))) {
            self.differ(
                line,
                "workers use other parts of their disks; here all use that of the first one",
            );
        }
        let end = start.checked_add(sectors).and_then(|end| end.checked_mul(SECTOR));
        match (sectors, start, end) {
            (0, 0, _) => whole,
            (0, ..) | (.., None) => {
                self.differ(line, format!(
                    "the area begins at sector {start}; here it begins at the start of the target, whose size \
                     the file does not say"
                ));
                whole
            }
            (_, start, Some(end)) => {
                let begin = (start * SECTOR) as f64 / end as f64 * 100.0;
                (Some(end), (begin, 100.0))
            }
        }
    }

    /// The load of every series.
    fn load(&mut self, workers: &[&Worker]) -> Result<Option<DraftLoad>, Fault> {
        let (type_line, test_type) = self.setup.test_type.unwrap_or((0, TestType::Normal));
        if test_type.is_of_targets() {
            self.differ(
                type_line,
                "the number of targets changes in Iometer; here every point loads all targets",
            );
        }
        let levels = match self.setup.queue_cycling {
            Some(cycling) if test_type.is_of_outstanding() => {
                let steps = cycling.steps(cycling.end.unwrap_or(cycling.start), LEVELS_MAX);
                if steps.len() > LEVELS_MAX {
                    return Err(self
                        .text
                        .fault(cycling.line, format!("more than {LEVELS_MAX} steps"))
                        .fix("use a larger step"));
                }
                let count = self.per_target(workers, |_| 1);
                steps.iter().map(|step| step.saturating_mul(count)).collect()
            }
            _ if test_type.is_of_workers() && !workers.is_empty() => {
                self.worker_levels(type_line, workers)
            }
            _ if workers.iter().all(|worker| worker.outstanding.is_none()) => {
                self.differ(0, "no number of outstanding I/Os is in it: the load is that of the command line, or rises");
                return Ok(None);
            }
            _ => vec![self.per_target(workers, outstanding)],
        };
        let most = levels.last().copied().unwrap_or(0);
        if most > OUTSTANDING_MAX as u64 || most == 0 {
            return Err(Fault::new(format!(
                "{}: {most} outstanding I/Os on a target",
                self.text.file
            ))
            .because("the numbers of all workers on it are added up")
            .fix(format!("use 1 to {OUTSTANDING_MAX}")));
        }
        Ok(Some(DraftLoad::Outstanding(level_list(&levels))))
    }

    /// Outstanding I/Os for each number of workers.
    fn worker_levels(&mut self, line: usize, workers: &[&Worker]) -> Vec<u64> {
        self.differ(line, format!(
            "the number of workers rises with the load in Iometer; here {} threads share each load",
            workers.len()
        ));
        let count = workers.len() as u64;
        let steps = self
            .setup
            .worker_cycling
            .map_or_else(|| (1..=count).collect(), |cycling| cycling.steps(count, WORKERS_MAX));
        let of_first = |step: u64| {
            let first = workers.iter().take(step as usize);
            first.map(|worker| outstanding(worker)).fold(0, u64::saturating_add)
        };
        let steps = if steps.is_empty() { vec![count] } else { steps };
        steps.into_iter().map(of_first).collect()
    }

    /// The sum of `count` over the workers that load the same target.
    fn per_target(&mut self, workers: &[&Worker], count: impl Fn(&Worker) -> u64) -> u64 {
        let sum = |of: &dyn Fn(&Worker) -> bool| {
            let counted = workers.iter().filter(|worker| of(worker));
            counted.map(|worker| count(worker)).fold(0, u64::saturating_add)
        };
        let targets = self.targets(workers);
        if targets.is_empty() {
            let of_manager = |one: &&Worker| sum(&|worker| worker.manager == one.manager);
            return workers.iter().map(of_manager).max().unwrap_or(0).max(1);
        }
        let sums: Vec<u64> =
            targets.iter().map(|target| sum(&|worker| target.is_of(worker))).collect();
        let most = sums.iter().copied().max().unwrap_or(1);
        if let Some(index) = sums.iter().position(|sum| *sum != most) {
            self.differ(targets[index].line, format!(
                "target '{}' has a smaller load than others; here all have that of the most loaded one",
                one_line(targets[index].name)
            ));
        }
        most
    }

    /// The targets of all managers, each once.
    fn targets<'w>(&mut self, workers: &[&'w Worker]) -> Vec<ManagedTarget<'w>> {
        let mut targets: Vec<ManagedTarget<'_>> = Vec::new();
        for worker in workers {
            for (line, name) in &worker.targets {
                let target = ManagedTarget { line: *line, manager: worker.manager, name };
                let mut alike = targets.iter().filter(|known| known.name == name);
                match alike.clone().any(|known| known.manager == worker.manager) {
                    true => continue,
                    false if alike.next().is_some() => self.differ(
                        *line,
                        format!(
                            "another manager has a target '{}', too; here they are two targets",
                            one_line(name)
                        ),
                    ),
                    false => {}
                }
                targets.push(target);
            }
        }
        targets
    }

    /// The series of a specification.
    fn series(&mut self, specification: Specification) -> Result<DraftSeries, Fault> {
        let shares = specification.lines.iter().map(|line| line.share);
        let total = shares.fold(0, u64::saturating_add);
        let name = smart_name(&specification);
        if total != 100 {
            return Err(self
                .text
                .fault(
                    specification.line,
                    format!("the shares of '{}' add up to {total} %, not 100 %", one_line(&name)),
                )
                .fix("change '% of size' of its lines"));
        }
        let mut lines = Vec::new();
        for line in &specification.lines {
            if line.share == 0 {
                self.differ(line.line, "a line with a share of 0 % is left out");
                continue;
            }
            lines.push(self.line(line)?);
        }
        Ok(DraftSeries::of(&name, lines))
    }

    fn line(&mut self, given: &SpecificationLine) -> Result<DraftLine, Fault> {
        let refuse = |what: String, fix: String| Err(self.text.fault(given.line, what).fix(fix));
        if !(1..=BLOCK_BYTES_MAX).contains(&given.size) {
            return refuse(
                format!("an I/O of {} bytes", given.size),
                format!("use 1 to {BLOCK_BYTES_MAX} bytes"),
            );
        }
        let delay = Nanos(given.delay_ms.saturating_mul(1_000_000));
        if delay > DELAY_MAX {
            return refuse(format!("a delay of {delay}"), "use at most 3600000 ms".to_owned());
        }
        let burst = match u32::try_from(given.burst.max(1)) {
            Ok(burst) if burst <= BURST_MAX => burst,
            _ => {
                return refuse(
                    format!("a burst of {} I/Os", given.burst),
                    format!("use at most {BURST_MAX}"),
                );
            }
        };
        let align = match given.align {
            0 => Align::Sector,
            align if align == given.size => Align::Request,
            align if align <= BLOCK_BYTES_MAX => Align::Size(Bytes(align)),
            align => {
                return refuse(
                    format!("an alignment of {align} bytes"),
                    "use at most 1 GiB".to_owned(),
                );
            }
        };
        if given.reply > 0 {
            self.differ(
                given.line,
                format!(
                    "no reply of {} bytes is sent: files and devices do not reply",
                    given.reply
                ),
            );
        }
        Ok(DraftLine {
            share: given.share as f64,
            size: given.size,
            read: given.reads as f64,
            write: WriteKind::Data,
            random: given.random as f64,
            pause: (delay > Nanos::ZERO).then_some((burst, delay)),
            align,
            gap: 0,
        })
    }

    fn tell_pattern(&mut self, workers: &[&Worker], series: &[DraftSeries]) {
        let repeats =
            workers.iter().find_map(|worker| worker.pattern.filter(|(_, kind)| *kind == 0));
        if let Some((line, _)) = repeats
            && series.iter().any(DraftSeries::writes)
        {
            self.differ(line, "the data that is written repeats a byte; here it can neither be compressed nor deduplicated");
        }
    }

    fn tell_targets(&mut self, workers: &[&Worker]) {
        if let Some((line, name)) = workers.iter().flat_map(|worker| &worker.targets).next() {
            self.differ(*line, format!(
                "'{}' and other targets of the file are not touched: the command line names the targets",
                one_line(name)
            ));
        }
    }

    /// Settings of workers that have no counterpart.
    fn tell_settings(&mut self, workers: &[&Worker]) {
        if let Some((line, count)) = workers.iter().find_map(|worker| worker.reopens.as_ref()) {
            self.differ(*line, format!(
                "the connection rate is tested, every {count} transactions, in Iometer; here targets stay open"
            ));
        }
        if let Some((line, seed)) = workers.iter().find_map(|worker| worker.seed.as_ref()) {
            self.differ(
                *line,
                format!(
                    "the fixed seed {seed} is left out: that of the command line is used (--seed)"
                ),
            );
        }
    }

    /// Where sequential I/O of several workers on a target begins.
    fn tell_positions(&mut self, workers: &[&Worker], series: &[DraftSeries]) {
        let is_sequential = |one: &DraftSeries| one.lines.iter().any(|line| line.random < 100.0);
        let in_order: Vec<String> = series
            .iter()
            .filter(|one| is_sequential(one))
            .map(|one| comparable(&one.title))
            .collect();
        let has_order = |worker: &&&Worker| {
            let mut own = worker.specifications.iter().map(|(_, name)| comparable(name));
            let is_any = worker.specifications.is_empty() && !in_order.is_empty();
            is_any || own.any(|name| in_order.contains(&name))
        };
        let mut seen: Vec<(usize, u64, &str)> = Vec::new();
        for worker in workers.iter().filter(has_order) {
            let start = worker.disk.map_or(0, |(.., start)| start);
            let names = worker.targets.iter();
            let own: Vec<_> =
                names.map(|(_, name)| (worker.manager, start, name.as_str())).collect();
            if own.iter().any(|target| seen.contains(target)) {
                self.differ(worker.line, "each worker on a target begins in order at the same place in Iometer; here they begin at even distances");
                return;
            }
            seen.extend(own);
        }
    }

    fn conduct(&mut self, workers: &[&Worker]) -> Conduct {
        let time = match self.setup.run_s {
            Some((line, 0)) => {
                self.differ(
                    line,
                    "each test runs until it is stopped; here a point ends when it is accurate",
                );
                None
            }
            Some((_, seconds)) => Some(seconds),
            None => None,
        };
        if let Some((line, count)) = &self.setup.default_workers
            && workers.is_empty()
            && count != "0"
        {
            let count = count.escape_debug();
            self.differ(
                *line,
                format!("the number of workers ({count}) is that of the command line: --workers"),
            );
        }
        let ramp = self.setup.ramp_s.map(|(_, seconds)| seconds).filter(|seconds| *seconds > 0);
        let threads = workers.len().min(WORKERS_MAX) as u32;
        Conduct {
            time: time.map(|seconds| Nanos(seconds.saturating_mul(1_000_000_000))),
            ramp: ramp.map(|seconds| Nanos(seconds.saturating_mul(1_000_000_000))),
            workers: (threads > 0).then_some(threads),
            ..Conduct::default()
        }
    }
}

fn outstanding(worker: &Worker) -> u64 {
    worker.outstanding.map_or(1, |(_, count)| count.max(1))
}

fn is_idle(name: &str) -> bool {
    name.eq_ignore_ascii_case("Idle")
}

/// A name as specifications of old files are compared by.
fn comparable(name: &str) -> String {
    let name = name.to_ascii_lowercase().replace("kib", "kb").replace("mib", "mb");
    name.chars().filter(|char| !char.is_whitespace()).collect()
}

/// The name of a specification; one without a name is called by what it does.
fn smart_name(specification: &Specification) -> String {
    if !specification.name.is_empty() {
        return specification.name.clone();
    }
    let [line] = specification.lines.as_slice() else {
        return format!("Mix of line {}", specification.line);
    };
    let size = match line.size {
        512 => "512 byte".to_owned(),
        size if size.is_multiple_of(1 << 20) => format!("{} MiB", size >> 20),
        size => format!("{} KiB", size >> 10),
    };
    let place = match line.random {
        0 => "sequential".to_owned(),
        100 => "random".to_owned(),
        random => format!("{random}% random"),
    };
    let direction = match line.reads {
        0 => "writes".to_owned(),
        100 => "reads".to_owned(),
        reads => format!("{reads}% reads"),
    };
    format!("{size} {place} {direction}")
}

/// The specification that Iometer has by itself: 2 KiB, 67 % reads, all random.
fn iometers_default(line: usize) -> Specification {
    let only = SpecificationLine {
        line,
        size: 2048,
        share: 100,
        reads: 67,
        random: 100,
        delay_ms: 0,
        burst: 1,
        align: 0,
        reply: 0,
    };
    Specification {
        line,
        name: "Default".to_owned(),
        assignment: Assignment::None,
        lines: vec![only],
    }
}
