//! Suites as job files of fio.

use std::fmt::Write;

use kneepoint_core::plan::{Arrivals, Caching, Engine, MemoryPages};
use kneepoint_core::spec::grid::Loads;
use kneepoint_core::spec::profile::{
    AddressRange, Distribution, Durability, Flushing, ResolvedLine, ResolvedProfile, WriteSync,
};
use kneepoint_core::spec::suite::Suite;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::units::Nanos;

use super::{PARTS_MAX, Told, WrittenConduct, WrittenSeries};
use crate::job::draft::one_line;
use crate::job::fio::range_word;

/// The first line of a job file of ours.
const MARK: &str = "; Converted by Kneepoint\n";
/// I/Os in flight that a rate may have.
const RATE_DEPTH: u32 = 512;
/// Most jobs that fio runs at a time.
const JOBS_MAX: f64 = 4096.0;

/// The text of a job file.
pub(super) fn text(
    (suite, conduct): (&Suite, &WrittenConduct),
    series: &[WrittenSeries],
    told: &mut Told<'_>,
) -> Result<String, Fault> {
    let mut text = MARK.to_owned();
    let size = suite.size.map_or("100%".to_owned(), |size| size.0.to_string());
    let _ = write!(
        text,
        "; Names its target on the command line: TARGET=./file fio FILE.fio\n[global]\nfilename=${{TARGET}}\n\
         size={size}\nioengine={}\ndirect={}\ntime_based\nruntime={}\n{}{}norandommap\nrefill_buffers\n\
         stonewall\n",
        engine(conduct.engine),
        u8::from(conduct.caching == Caching::Direct),
        time(conduct.time),
        match conduct.ramp {
            Nanos::ZERO => String::new(),
            ramp => format!("ramp_time={}\n", time(ramp)),
        },
        match conduct.memory_pages {
            MemoryPages::Small => "",
            MemoryPages::Huge => "mem=mmaphuge\n",
        }
    );
    if conduct.memory_pages == MemoryPages::Huge {
        told.differ(
            "huge pages are taken there from those that are set aside: sysctl vm.nr_hugepages",
        );
    }
    if conduct.engine.is_none() {
        told.differ("the engine is libaio there");
    }
    let mut count = 0;
    for one in series {
        let options = options(&one.profile, suite, told)?;
        if !matches!(one.loads, Loads::Grid(..)) {
            told.differ(format!("the load is one of fixed levels there, not '{}'", one.loads));
        }
        let grid = one.loads.resolve();
        count += grid.levels.len();
        if count > PARTS_MAX {
            return Err(
                told.refused(&format!("more than {PARTS_MAX} points"), "each is a job there")
            );
        }
        for level in &grid.levels {
            let load = match grid.unit {
                LoadUnit::OfferedIops => rate(*level, (&one.profile, conduct), told)?,
                _ => outstanding(*level, (&one.profile, conduct), told)?,
            };
            let name = one_line(&one.name).replace([']', ';', '#'], " ");
            let _ = write!(text, "\n[{name} {level}]\n{options}{load}");
        }
    }
    if suite.size.is_none() {
        told.differ("the target must be there already: no size is given, and fio uses all of it");
    }
    Ok(text)
}

/// A rate that is offered, of reads or writes alone.
fn rate(
    level: f64,
    (profile, conduct): (&ResolvedProfile, &WrittenConduct),
    told: &mut Told<'_>,
) -> Result<String, Fault> {
    let is_mix = profile.read_percent() > 0.0 && profile.read_percent() < 100.0;
    if is_mix {
        return Err(told.refused(
            "the rate of a mix of reads and writes",
            "reads and writes have limits of their own there",
        ));
    }
    if level.fract() != 0.0 {
        return Err(told.refused(&format!("a rate of {level}"), "rates are whole numbers there"));
    }
    let jobs = shared(level, conduct, told);
    let depth = (RATE_DEPTH / jobs).max(1);
    told.differ(format!(
        "at most {} I/Os are in flight there, which a rate can exceed here",
        depth * jobs
    ));
    let process = match conduct.arrivals {
        Arrivals::Constant => "linear",
        Arrivals::Exponential | Arrivals::Recorded => "poisson",
    };
    Ok(format!(
        "{}rate_iops={}\nrate_process={process}\niodepth={depth}\n",
        clones(jobs, profile, told),
        level / f64::from(jobs)
    ))
}

/// A number of I/Os in flight.
fn outstanding(
    level: f64,
    (profile, conduct): (&ResolvedProfile, &WrittenConduct),
    told: &mut Told<'_>,
) -> Result<String, Fault> {
    let jobs = match conduct.engine {
        Some(Engine::Sync) if level > JOBS_MAX => {
            return Err(told.refused(
                &format!("{level} synchronous I/Os in flight"),
                "a job has one of them there, and at most 4096 jobs run",
            ));
        }
        // A job has one in flight.
        Some(Engine::Sync) => level as u32,
        _ => shared(level, conduct, told),
    };
    Ok(format!("{}iodepth={}\n", clones(jobs, profile, told), level / f64::from(jobs)))
}

/// The jobs that share a load evenly.
fn shared(level: f64, conduct: &WrittenConduct, told: &mut Told<'_>) -> u32 {
    if level % f64::from(conduct.workers) == 0.0 {
        return conduct.workers;
    }
    told.differ(format!(
        "a load that {} jobs cannot share evenly is that of one job there",
        conduct.workers
    ));
    1
}

/// The option for a number of jobs.
fn clones(jobs: u32, profile: &ResolvedProfile, told: &mut Told<'_>) -> String {
    if jobs == 1 {
        return String::new();
    }
    if profile.lines.iter().any(|line| line.random.get() < 100.0) {
        told.differ("each of the jobs begins at the start of the file in fio; here they begin at even distances");
    }
    format!("numjobs={jobs}\n")
}

/// The word for an engine.
const fn engine(engine: Option<Engine>) -> &'static str {
    match engine {
        Some(Engine::Sync) => "psync",
        Some(Engine::IoUring) => "io_uring",
        _ => "libaio",
    }
}

/// A time: without a unit in seconds.
fn time(time: Nanos) -> String {
    match time.0 % 1_000_000_000 {
        0 => (time.0 / 1_000_000_000).to_string(),
        _ => format!("{}us", time.0.div_ceil(1000)),
    }
}

/// The options of a profile.
fn options(profile: &ResolvedProfile, suite: &Suite, told: &mut Told<'_>) -> Result<String, Fault> {
    let mut text = String::new();
    if profile.think.0 > 0 {
        return Err(told.refused("think time", "all I/Os of a job pause together there"));
    }
    if profile.pauses() {
        return Err(told.refused("a delay", "pauses follow other rules there"));
    }
    let read = round(profile.read_percent());
    let sides = [side(profile, reads, told)?, side(profile, writes, told)?];
    let random = [sides[0].random, sides[1].random];
    let is_random = random.iter().flatten().any(|random| *random > 0);
    let word = match (is_random, read) {
        (false, 100.0) => "read",
        (false, 0.0) => "write",
        (false, _) => "rw",
        (true, 100.0) => "randread",
        (true, 0.0) => "randwrite",
        (true, _) => "randrw",
    };
    let _ = writeln!(text, "rw={word}{}", gap(profile, told)?);
    if read > 0.0 && read < 100.0 {
        let _ = writeln!(text, "rwmixread={}", told.whole(read, "reads")?);
        if !is_random {
            told.differ(
                "reads and writes each go on from their own position in fio; here they share one",
            );
        }
    }
    push_sizes(&mut text, &sides);
    push_random(&mut text, random);
    push_alignment(&mut text, profile, told)?;
    push_distribution(&mut text, &profile.distribution, told)?;
    push_range(&mut text, (profile.range, suite), told)?;
    let data = profile.data;
    if profile.writes() && data.compressible.get() > 0.0 {
        let percent = told.whole(data.compressible.get(), "compressible data")?;
        let _ = writeln!(text, "buffer_compress_percentage={percent}");
    }
    if profile.writes() && data.duplicate.get() > 0.0 {
        let percent = told.whole(data.duplicate.get(), "repeated data")?;
        let _ = writeln!(text, "dedupe_percentage={percent}");
    }
    push_durability(&mut text, profile.durability, told);
    Ok(text)
}

/// What follows the word for the order: the bytes that are left out between sequential I/Os.
fn gap(profile: &ResolvedProfile, told: &Told<'_>) -> Result<String, Fault> {
    let lines = &profile.lines;
    let gap = lines.first().map_or(0, |line| line.gap_bytes);
    if lines.iter().any(|line| line.gap_bytes != gap) {
        return Err(told.refused("gaps that differ", "a job has one there"));
    }
    if gap > 0 && lines.iter().any(|line| line.random.get() > 0.0) {
        return Err(
            told.refused("gaps beside random positions", "a job has one or the other there")
        );
    }
    Ok(if gap > 0 { format!(":{gap}") } else { String::new() })
}

/// How what is written is made durable.
fn push_durability(text: &mut String, durability: Durability, told: &mut Told<'_>) {
    let _ = match durability.sync {
        None => Ok(()),
        // The word of older versions, too.
        Some(WriteSync::Sync) => writeln!(text, "sync=1"),
        Some(WriteSync::Dsync) => writeln!(text, "sync=dsync"),
    };
    if let Some(Flushing { call, every }) = durability.flush {
        let _ = match range_word(call) {
            None => writeln!(text, "{}={every}", call.name()),
            // Only what passes the page cache can be flushed in it.
            Some(flags) => writeln!(text, "direct=0\nsync_file_range={flags}:{every}"),
        };
        if range_word(call).is_some() {
            told.differ("fio flushes the part of the file that the job has written since the last flush; here it is the whole file");
        }
        told.differ("fio flushes when the writes are issued, some of which are still in flight; here it follows their completion");
    }
}

/// Reads, or writes.
struct Side {
    /// Sizes with whole percentages of the side.
    sizes: Vec<(u64, u64)>,
    /// Share of random positions; `None` if there are no I/Os.
    random: Option<u64>,
}

fn reads(line: &ResolvedLine) -> f64 {
    line.share.get() * line.read.fraction()
}

fn writes(line: &ResolvedLine) -> f64 {
    line.share.get() * (1.0 - line.read.fraction())
}

/// The I/Os of a direction, whose part of each line is `part`.
fn side(
    profile: &ResolvedProfile,
    part: fn(&ResolvedLine) -> f64,
    told: &Told<'_>,
) -> Result<Side, Fault> {
    let lines: Vec<&ResolvedLine> = profile.lines.iter().filter(|line| part(line) > 0.0).collect();
    let total: f64 = lines.iter().map(|line| part(line)).sum();
    let Some(first) = lines.first() else { return Ok(Side { sizes: Vec::new(), random: None }) };
    if lines.iter().any(|line| line.random != first.random) {
        return Err(told.refused(
            "sizes that are more random than others",
            "a job has one share of random positions there",
        ));
    }
    let mut shares: Vec<(u64, f64)> = Vec::new();
    for line in &lines {
        match shares.iter_mut().find(|(size, _)| *size == line.block_bytes) {
            Some((_, share)) => *share += part(line),
            None => shares.push((line.block_bytes, part(line))),
        }
    }
    let mut sizes = Vec::new();
    for (size, share) in shares {
        sizes.push((size, told.whole(round(share / total * 100.0), "a share")?));
    }
    let random = told.whole(first.random.get(), "random positions")?;
    Ok(Side { sizes, random: Some(random) })
}

/// Without what arithmetic adds.
fn round(percent: f64) -> f64 {
    let whole = percent.round();
    if (percent - whole).abs() < 1e-9 { whole } else { percent }
}

fn push_sizes(text: &mut String, sides: &[Side; 2]) {
    let of = |side: &Side| -> String {
        let sizes: Vec<String> =
            side.sizes.iter().map(|(size, share)| format!("{size}/{share}")).collect();
        sizes.join(":")
    };
    let [reads, writes] = sides;
    let first = if reads.sizes.is_empty() { writes } else { reads };
    let second = if writes.sizes.is_empty() { reads } else { writes };
    let is_one = first.sizes.len() == 1 && second.sizes.len() == 1;
    let _ = match (is_one, first.sizes == second.sizes) {
        (true, true) => writeln!(text, "bs={}", first.sizes[0].0),
        (true, false) => writeln!(text, "bs={},{}", first.sizes[0].0, second.sizes[0].0),
        (false, true) => writeln!(text, "bssplit={}", of(first)),
        (false, false) => writeln!(text, "bssplit={},{}", of(first), of(second)),
    };
}

/// The shares of random positions of reads and writes, as far as they are not the default of a random job.
fn push_random(text: &mut String, random: [Option<u64>; 2]) {
    let [first, second] = [random[0].or(random[1]), random[1].or(random[0])];
    let (Some(first), Some(second)) = (first, second) else { return };
    let _ = match (first, second) {
        (0, 0) | (100, 100) => Ok(()),
        (first, second) if first == second => writeln!(text, "percentage_random={first}"),
        (first, second) => writeln!(text, "percentage_random={first},{second}"),
    };
}

fn push_alignment(
    text: &mut String,
    profile: &ResolvedProfile,
    told: &mut Told<'_>,
) -> Result<(), Fault> {
    let lines = &profile.lines;
    if lines.iter().all(|line| line.random.get() == 0.0) {
        return Ok(());
    }
    let Some(first) = lines.first() else { return Ok(()) };
    if lines.iter().all(|line| line.align_bytes == line.block_bytes) {
        if lines.iter().any(|line| line.block_bytes != first.block_bytes) {
            told.differ("random positions are multiples of the smallest size there, not of the size of the I/O");
        }
        return Ok(());
    }
    if lines.iter().any(|line| line.align_bytes != first.align_bytes) {
        return Err(told.refused("alignments that differ", "a job has one there"));
    }
    let _ = writeln!(text, "blockalign={}", first.align_bytes);
    Ok(())
}

fn push_distribution(
    text: &mut String,
    distribution: &Distribution,
    told: &Told<'_>,
) -> Result<(), Fault> {
    let _ = match distribution {
        Distribution::Uniform => Ok(()),
        Distribution::Zipf { theta } => writeln!(text, "random_distribution=zipf:{theta}"),
        Distribution::Pareto { h } => writeln!(text, "random_distribution=pareto:{h}"),
        Distribution::HotBand(bands) => {
            let mut zones = Vec::new();
            for band in bands {
                let access = told.whole(band.access.get(), "accesses")?;
                zones.push(format!("{access}/{}", told.whole(band.range.get(), "a band")?));
            }
            writeln!(text, "random_distribution=zoned:{}", zones.join(":"))
        }
    };
    Ok(())
}

/// The part of the target: in bytes if its size is known.
fn push_range(
    text: &mut String,
    (range, suite): (AddressRange, &Suite),
    told: &Told<'_>,
) -> Result<(), Fault> {
    if range == AddressRange::WHOLE {
        return Ok(());
    }
    let (start, end) = (range.start, range.end);
    if let Some(size) = suite.size {
        let at = |fraction: f64| (fraction * size.0 as f64).round() as u64;
        let (start, end) = (at(start.fraction()), at(end.fraction()));
        if start >= end {
            return Err(told.refused("the part of the target", "it has no whole byte"));
        }
        let _ = writeln!(text, "filesize={}\noffset={start}\nsize={}", size.0, end - start);
        return Ok(());
    }
    let start = told.whole(start.get(), "an offset")?;
    let size = told.whole(round(end.get() - range.start.get()), "a part")?;
    let _ = writeln!(text, "offset={start}%\nsize={size}%");
    Ok(())
}
