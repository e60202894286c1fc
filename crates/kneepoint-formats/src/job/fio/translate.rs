//! From jobs to a suite.

use std::collections::{BTreeMap, BTreeSet};

use kneepoint_core::plan::{Arrivals, Caching, Engine, MemoryPages};
use kneepoint_core::spec::grid::OUTSTANDING_MAX;
use kneepoint_core::spec::profile::{Align, BLOCK_BYTES_MAX, Distribution, LINES_MAX, WriteKind};
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::{Bytes, Nanos};

use super::job::{FioFiles, FioJob, FioWork, Named, Order};
use super::value::{Amount, Sizes, file_names};
use crate::job::draft::{Draft, DraftLine, DraftLoad, DraftPlace, DraftSeries, one_line};
use crate::job::{Conduct, Difference, JobText};

/// Most threads that jobs become.
const WORKERS_MAX: u64 = 1024;

/// The suite of a job file.
pub(super) fn translate(
    text: JobText<'_>,
    jobs: Vec<FioJob>,
) -> Result<(Draft, Conduct, Vec<Difference>), Fault> {
    let mut translation = Translation { differences: Vec::new() };
    let groups = groups(&jobs);
    let (mut series, mut conducts) = (Vec::new(), Vec::new());
    for (moment, group) in groups.iter().enumerate() {
        let members = members(group);
        let targets = match members.len() {
            1 => Vec::new(),
            _ => translation.targets(&members),
        };
        for (number, jobs) in members.iter().enumerate() {
            let ((mut one, area), conduct) = translation.series(jobs)?;
            one.together = (members.len() > 1)
                .then(|| DraftPlace { moment, target: targets.get(number).copied() });
            series.push((one, area));
            conducts.push(conduct);
        }
    }
    let is_group = |(one, _): &&(DraftSeries, Option<Area>)| one.together.is_some();
    if series.iter().skip_while(|one| !is_group(one)).any(|one| !is_group(&one)) {
        translation
            .differ(text.file, "jobs that run at the same time are measured after the others");
    }
    translation.tell_left_out(text, &jobs);
    let conduct = translation.common(text, &conducts);
    let size = series.iter().filter_map(|(_, area)| area.map(|(_, _, total)| total)).max();
    let series = series.into_iter().map(|(one, area)| placed(one, area, size)).collect();
    let file = text.file.rsplit('/').next().unwrap_or_default();
    let draft = Draft {
        title: file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned(),
        description: jobs
            .iter()
            .map(|job| job.description.as_str())
            .find(|text| !text.is_empty())
            .unwrap_or_default()
            .to_owned(),
        source: format!("fio job file {}", one_line(text.file)),
        size,
        rules: Vec::new(),
        series,
    };
    Ok((draft, conduct, translation.differences))
}

/// The pause of each outstanding I/O, which is that of the job if it has one I/O in flight.
fn checked_think(place: &str, work: &FioWork) -> Result<Nanos, Fault> {
    let refused = |beside: String, why: &str| {
        Err(Fault::new(format!("{place}: thinktime beside {beside} cannot be converted"))
            .because(why)
            .fix("remove one of the two lines, or use iodepth=1 and numjobs"))
    };
    match work.think {
        Nanos::ZERO => Ok(Nanos::ZERO),
        _ if work.rate != [None, None] => {
            refused("rate_iops".to_owned(), "the rate alone says when an I/O is issued here")
        }
        _ if work.depth > 1 && !work.engine.is_synchronous => refused(
            format!("iodepth={}", work.depth),
            "all I/Os of a job pause together in fio, and each by itself here",
        ),
        think => Ok(think),
    }
}

/// Refuses flushes of the page cache where no write leaves anything in it.
fn check_writeback(place: &str, work: &FioWork) -> Result<(), Fault> {
    let beside = match work.durability.sync {
        _ if work.durability.writeback().is_none() => return Ok(()),
        _ if work.is_direct => "direct=1".to_owned(),
        Some(sync) => format!("sync={}", sync.name()),
        None => return Ok(()),
    };
    Err(Fault::new(format!("{place}: sync_file_range beside {beside} cannot be converted"))
        .because("nothing is left in the page cache that it could flush")
        .fix("remove one of the two lines"))
}

/// The jobs that run at the same time, group by group.
fn groups(jobs: &[FioJob]) -> Vec<Vec<&FioJob>> {
    let mut groups: Vec<Vec<&FioJob>> = Vec::new();
    for job in jobs {
        match groups.last_mut() {
            Some(group) if !job.is_after => group.push(job),
            _ => groups.push(vec![job]),
        }
    }
    groups
}

/// The jobs of a group by what they do, in the order of the first of each. If all do the same, and each file
/// has as many of them, they are one; otherwise those on different files are apart, too.
fn members<'a>(group: &[&'a FioJob]) -> Vec<Vec<&'a FioJob>> {
    let is_one = group.iter().all(|job| job.work == group[0].work) && is_even(group);
    let is_alike = |one: &FioJob, other: &FioJob| {
        one.work == other.work && (is_one || storage_of(one) == storage_of(other))
    };
    let mut members: Vec<Vec<&FioJob>> = Vec::new();
    for job in group {
        match members.iter_mut().find(|jobs| is_alike(jobs[0], job)) {
            Some(jobs) => jobs.push(job),
            None => members.push(vec![job]),
        }
    }
    members
}

/// Whether all files have the same number of jobs.
fn is_even(group: &[&FioJob]) -> bool {
    let mut jobs: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    for job in group {
        *jobs.entry(storage_of(job)).or_default() += 1;
    }
    distinct(jobs.into_values()).len() == 1
}

/// The files that a job names, or the directory of those that are made for it.
fn storage_of(job: &FioJob) -> Option<&str> {
    job.files.as_ref().map(|files| files.named().text.as_str())
}

/// Whether fio makes a file for each job and each clone.
const fn has_own_files(job: &FioJob) -> bool {
    !matches!(job.files, Some(FioFiles::Named(_)))
}

/// First byte, end and total bytes of what is used of a target.
type Area = (u64, u64, u64);

/// The series in its part of a target of `size` bytes.
fn placed(mut series: DraftSeries, area: Option<Area>, size: Option<u64>) -> DraftSeries {
    if let (Some((start, end, _)), Some(size)) = (area, size) {
        let percent = |at: u64| if at == size { 100.0 } else { at as f64 / size as f64 * 100.0 };
        series.range = (percent(start), percent(end));
    }
    series
}

struct Translation {
    differences: Vec<Difference>,
}

impl Translation {
    fn differ(&mut self, place: &str, what: impl Into<String>) {
        self.differences.push(Difference { place: place.to_owned(), what: what.into() });
    }

    /// The numbers of the targets of jobs that do different things at the same time, from 1; none if they
    /// share one.
    fn targets(&mut self, members: &[Vec<&FioJob>]) -> Vec<usize> {
        let place = members[0][0].place.as_str();
        let named: Vec<Option<&str>> = members.iter().map(|jobs| storage_of(jobs[0])).collect();
        let files = distinct(named.iter().copied());
        if files.len() == 1 {
            if members.iter().all(|jobs| has_own_files(jobs[0])) {
                let count = members.len();
                self.differ(place, format!(
                    "each of the {count} kinds of jobs at the same time has its own file in fio; here all load the target"
                ));
            }
            return Vec::new();
        }
        let shown = |file: &Option<&str>| match file {
            Some(file) => one_line(file).chars().take(80).collect::<String>(),
            None => "that of the jobs without a file name".to_owned(),
        };
        let shown: Vec<String> = files.iter().map(shown).collect();
        self.differ(
            place,
            format!(
                "the jobs at the same time load {} files: name as many targets, in this order: {}",
                files.len(),
                shown.join(", ")
            ),
        );
        let number = |file: &Option<&str>| files.iter().position(|known| known == file);
        named.iter().filter_map(number).map(|place| place + 1).collect()
    }

    /// The series of jobs that do the same at the same time.
    fn series(
        &mut self,
        group: &[&FioJob],
    ) -> Result<((DraftSeries, Option<Area>), Conduct), Fault> {
        let job = group[0];
        let (place, work) = (job.place.as_str(), &job.work);
        let mut series = DraftSeries::of(&job.name, self.lines(place, work)?);
        series.distribution = work.distribution.clone();
        series.think = checked_think(place, work)?;
        if series.writes() {
            series.data = work.data;
            series.durability = work.durability;
            check_writeback(place, work)?;
            self.tell_flushes(place, work);
        }
        let jobs = self.jobs_of_a_target(group);
        series.load = Some(self.load(place, work, jobs)?);
        let area = self.area(place, work, &mut series)?;
        self.tell_order(place, work);
        self.tell_end(place, work);
        let workers = jobs.saturating_mul(work.clones);
        if workers > WORKERS_MAX {
            self.differ(
                place,
                format!(
                    "{workers} jobs are more than {WORKERS_MAX} threads, which is what they become"
                ),
            );
        }
        let is_offered = matches!(series.load, Some(DraftLoad::Rate(_)));
        let has_trims = work.writes.contains(&WriteKind::Trim);
        let has_no_call = work.durability.writeback().is_some();
        let is_known = |engine: &Engine| !(has_trims || has_no_call && *engine == Engine::Libaio);
        let engine = work.engine.engine.filter(is_known);
        let conduct = Conduct {
            time: work.time,
            ramp: work.ramp,
            workers: Some(workers.clamp(1, WORKERS_MAX) as u32),
            // One thread for each I/O cannot keep a common pace.
            engine: engine.filter(|engine| !(is_offered && *engine == Engine::Sync)),
            caching: (!work.is_direct).then_some(Caching::Buffered),
            memory_pages: (work.memory_pages == MemoryPages::Huge).then_some(MemoryPages::Huge),
            arrivals: (is_offered && !work.is_poisson).then_some(Arrivals::Constant),
        };
        if has_trims && work.trims_differ {
            self.differ(
                place,
                "trims have sizes of their own in fio; here they have those of writes",
            );
        }
        if has_trims && work.engine.engine.is_some_and(|engine| engine != Engine::Sync) {
            self.differ(
                place,
                "trims are made by the sync engine here, by a thread for each I/O in flight",
            );
        }
        if work.engine.engine.is_none() {
            let name = one_line(&work.engine.name);
            self.differ(
                place,
                format!("the engine {name} is not known here: the best that works is taken"),
            );
        }
        Ok(((series, area), conduct))
    }

    /// Jobs of the group that load the same target.
    fn jobs_of_a_target(&mut self, group: &[&FioJob]) -> u64 {
        let job = group[0];
        let files: BTreeSet<&str> = group.iter().filter_map(|job| storage_of(job)).collect();
        let count = group.len() as u64;
        let all = count.saturating_mul(job.work.clones);
        if has_own_files(job) && all > 1 {
            self.differ(
                &job.place,
                format!("each of the {all} jobs has its own file in fio; here all load the target"),
            );
        }
        let Some(Named { place, text: name }) = job.files.as_ref().map(FioFiles::named) else {
            return count;
        };
        let shown: String = one_line(name).chars().take(80).collect();
        self.differ(place, format!("'{shown}' is not touched: the command line names the targets"));
        if file_names(name).len() > 1 {
            self.differ(place, "the outstanding I/Os are shared by several files in fio; here each target that is named has as many");
        }
        match files.len() as u64 {
            0 | 1 => count,
            distinct => {
                self.differ(
                    place,
                    format!("the jobs from here on load {distinct} files: name as many targets"),
                );
                // As many for each, or they would be apart.
                count / distinct
            }
        }
    }

    /// What each I/O is: the sizes of reads, and those of writes.
    fn lines(&self, place: &str, work: &FioWork) -> Result<Vec<DraftLine>, Fault> {
        let both = [(0, work.read), (1, 100.0 - work.read)];
        let is_same = work.sizes[0] == work.sizes[1] && is_same_order(work.order);
        let mut lines = Vec::new();
        for (direction, share) in both.into_iter().filter(|(_, share)| *share > 0.0) {
            if is_same && direction == 1 && work.read > 0.0 {
                continue;
            }
            let (share, read) = match is_same {
                true => (100.0, work.read),
                false => (share, if direction == 0 { 100.0 } else { 0.0 }),
            };
            let random = random_share(work.order, direction);
            let sizes = &work.sizes[direction];
            let unit = if work.gap.is_multiple_of(sizes.min()) {
                sizes.min()
            } else {
                unit_of(sizes.min(), work.gap)
            };
            for (size, part) in sizes.shares(LINES_MAX) {
                if size > BLOCK_BYTES_MAX {
                    return Err(Fault::new(format!("{place}: an I/O of {size} bytes"))
                        .fix("use at most 1 GiB"));
                }
                let kinds = if read < 100.0 { work.writes } else { &[WriteKind::Data] };
                lines.extend(kinds.iter().map(|write| DraftLine {
                    share: share * part / 100.0 / kinds.len() as f64,
                    size,
                    read,
                    write: *write,
                    random,
                    pause: None,
                    align: alignment(work.align.unwrap_or(unit), size),
                    gap: work.gap,
                }));
            }
        }
        match lines.len() <= LINES_MAX {
            true => Ok(lines),
            false => Err(Fault::new(format!("{place}: more than {LINES_MAX} sizes"))
                .fix("use a range with fewer multiples of its smallest size")),
        }
    }

    fn load(&mut self, place: &str, work: &FioWork, jobs: u64) -> Result<DraftLoad, Fault> {
        let threads = jobs.saturating_mul(work.clones);
        let rate = if work.read > 0.0 { work.rate[0] } else { work.rate[1] };
        if let Some(rate) = rate {
            self.differ(place, "fio lowers the rate when iodepth I/Os are in flight; here it is offered whatever the target answers");
            return Ok(DraftLoad::Rate(rate.saturating_mul(threads).to_string()));
        }
        let mut depth = work.depth;
        if work.engine.is_synchronous && depth > 1 {
            let name = if work.engine.name.is_empty() { "psync" } else { &work.engine.name };
            self.differ(place, format!("iodepth={depth} has no effect with the engine {name}, in fio either: each job has 1 I/O in flight"));
            depth = 1;
        }
        let outstanding = depth.saturating_mul(threads);
        match (1..=OUTSTANDING_MAX as u64).contains(&outstanding) {
            true => Ok(DraftLoad::Outstanding(outstanding.to_string())),
            false => Err(Fault::new(format!("{place}: {outstanding} outstanding I/Os"))
                .because("it is iodepth times numjobs")
                .fix(format!("use 1 to {OUTSTANDING_MAX}"))),
        }
    }

    /// The part of the target; bytes if the file says, else percentages, which the series gets at once.
    fn area(
        &mut self,
        place: &str,
        work: &FioWork,
        series: &mut DraftSeries,
    ) -> Result<Option<Area>, Fault> {
        let empty = || {
            Fault::new(format!("{place}: offset and size leave nothing of the file"))
                .fix("let the offset be below the size of the file")
        };
        let of = |amount: Amount, total: u64| match amount {
            Amount::Bytes(bytes) => bytes,
            Amount::Percent(percent) => (percent / 100.0 * total as f64).round() as u64,
        };
        let known = match (work.file_size, work.size, work.offset) {
            (Some(total), ..) => Some(total),
            (None, Some(Amount::Bytes(size)), None) => Some(size),
            (None, Some(Amount::Bytes(size)), Some(Amount::Bytes(offset))) => {
                size.checked_add(offset)
            }
            _ => None,
        };
        if let Some(total) = known {
            let start = work.offset.map_or(0, |offset| of(offset, total));
            let size = work.size.map_or(total, |size| of(size, total));
            let end = start.saturating_add(size).min(total);
            return if start < end { Ok(Some((start, end, total))) } else { Err(empty()) };
        }
        let percent = |amount: Option<Amount>, default: f64| match amount {
            Some(Amount::Percent(percent)) => Some(percent),
            None => Some(default),
            Some(Amount::Bytes(_)) => None,
        };
        match (percent(work.offset, 0.0), percent(work.size, 100.0)) {
            (Some(start), Some(size)) if start < 100.0 && size > 0.0 => {
                series.range = (start, (start + size).min(100.0));
                Ok(None)
            }
            (Some(_), Some(_)) => Err(empty()),
            _ => {
                self.differ(place, "the offset and the size depend on the size of the file, which is not known: the whole target is used");
                Ok(None)
            }
        }
    }

    fn tell_order(&mut self, place: &str, work: &FioWork) {
        if work.writes.len() > 1 {
            self.differ(place, "each block is trimmed and then written in fio; here half of the I/Os are trims and half are writes, each at its own position");
        }
        let is_mix = work.read > 0.0 && work.read < 100.0;
        let is_varied = work.sizes.iter().any(|sizes| !matches!(sizes, Sizes::One(_)));
        match work.order {
            Order::Sequential if is_mix => {
                self.differ(place, "reads and writes each go on from their own position in fio; here they share one");
            }
            Order::RandomAfter(row) => {
                self.differ(place, format!("every {row}th position is random in fio; here each is with a chance of 1 in {row}"));
            }
            _ => {}
        }
        if work.order == Order::Sequential && work.clones > 1 {
            self.differ(place, "each of the jobs begins at the start of the file in fio; here they begin at even distances");
        }
        if let Order::Random(shares) = work.order
            && work.distribution == Distribution::Uniform
            && !work.may_repeat
            && !is_varied
            && shares == [100.0, 100.0]
        {
            self.differ(place, "fio uses each position once before any a second time (norandommap is not set); here positions may repeat");
        }
    }

    fn tell_flushes(&mut self, place: &str, work: &FioWork) {
        if work.durability.flush.is_some() && work.depth > 1 && !work.engine.is_synchronous {
            self.differ(place, "fio flushes when the writes are issued, some of which are still in flight; here it follows their completion");
        }
        if work.durability.writeback().is_some() {
            self.differ(place, "fio flushes the part of the file that the job has written since the last flush; here it is the whole file");
            if work.engine.engine == Some(Engine::Libaio) {
                self.differ(
                    place,
                    "libaio has no call for it: the best engine that works is taken",
                );
            }
        }
    }

    fn tell_end(&mut self, place: &str, work: &FioWork) {
        if work.time.is_some() && work.is_time_based {
            return;
        }
        let amount = match work.loops {
            0 | 1 => "its size is".to_owned(),
            loops => format!("{loops} times its size are"),
        };
        let instead = match work.time {
            Some(_) => "here the time alone ends a point (time_based is not set)",
            None => "here a point ends when it is accurate",
        };
        self.differ(place, format!("a job ends when {amount} transferred in fio; {instead}"));
    }

    fn tell_left_out(&mut self, text: JobText<'_>, jobs: &[FioJob]) {
        let left_out: BTreeSet<&str> =
            jobs.iter().flat_map(|job| job.left_out.iter().map(String::as_str)).collect();
        if !left_out.is_empty() {
            let left_out: Vec<&str> = left_out.into_iter().collect();
            self.differ(
                text.file,
                format!(
                    "left out, for they concern output or preparation: {}",
                    left_out.join(", ")
                ),
            );
        }
    }

    /// How all of it is measured: as the first series, and what is not so in others.
    fn common(&mut self, text: JobText<'_>, conducts: &[Conduct]) -> Conduct {
        let Some((first, others)) = conducts.split_first() else { return Conduct::default() };
        let mut common = *first;
        common.workers = conducts.iter().filter_map(|conduct| conduct.workers).max();
        let differs =
            |of: &dyn Fn(&Conduct, &Conduct) -> bool| others.iter().any(|other| of(first, other));
        let parts = [
            ("runtime", differs(&|one, other| one.time != other.time)),
            ("ramp_time", differs(&|one, other| one.ramp != other.ramp)),
            ("numjobs", differs(&|one, other| one.workers != other.workers)),
            ("ioengine", differs(&|one, other| one.engine != other.engine)),
            ("direct", differs(&|one, other| one.caching != other.caching)),
            ("mem", differs(&|one, other| one.memory_pages != other.memory_pages)),
            (
                "rate_process",
                differs(&|one, other| one.arrivals.is_some() && one.arrivals != other.arrivals),
            ),
        ];
        let names: Vec<&str> =
            parts.iter().filter(|(_, differs)| *differs).map(|(name, _)| *name).collect();
        if !names.is_empty() {
            self.differ(text.file, format!(
                "jobs differ in {}, which is one for all here: that of the first job, of numjobs the largest",
                names.join(", ")
            ));
        }
        common
    }
}

/// Whether reads and writes follow in the same order.
fn is_same_order(order: Order) -> bool {
    match order {
        Order::Random([read, write]) => read == write,
        Order::Sequential | Order::RandomAfter(_) => true,
    }
}

/// Share of random positions of a direction, in percent.
fn random_share(order: Order, direction: usize) -> f64 {
    match order {
        Order::Sequential => 0.0,
        Order::Random(shares) => shares[direction],
        Order::RandomAfter(row) => 100.0 / row as f64,
    }
}

/// The largest power of two that both are multiples of: positions with such gaps are multiples of it.
const fn unit_of(size: u64, gap: u64) -> u64 {
    1 << (size | gap).trailing_zeros()
}

/// How positions are aligned to multiples of `bytes`.
fn alignment(bytes: u64, size: u64) -> Align {
    match bytes {
        0 => Align::Request,
        bytes if bytes == size => Align::Request,
        bytes => Align::Size(Bytes(bytes)),
    }
}
