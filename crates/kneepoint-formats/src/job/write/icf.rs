//! Suites as configurations of Iometer 1.1.0.

use std::fmt::Write;

use kneepoint_core::plan::{Caching, MemoryPages};
use kneepoint_core::spec::grid::Loads;
use kneepoint_core::spec::profile::{
    AddressRange, DataPattern, Distribution, ResolvedLine, ResolvedProfile,
};
use kneepoint_core::spec::suite::Suite;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::units::{Nanos, Percent};

use super::{Told, WrittenConduct, WrittenSeries};
use crate::job::draft::one_line;

/// Longest name of a specification.
const NAME_MAX: usize = 100;
/// The sector, to which 0 aligns.
const SECTOR: u64 = 512;

/// The text of a configuration.
pub(super) fn text(
    (suite, conduct): (&Suite, &WrittenConduct),
    series: &[WrittenSeries],
    told: &mut Told<'_>,
) -> Result<String, Fault> {
    let cycle = cycle(series, told)?;
    let mut text = String::from(
        "Version 1.1.0 \n'TEST SETUP ====================================================================\n",
    );
    let title = one_line(&suite.title);
    let (run_s, ramp_s) = (seconds(conduct.time, told), seconds(conduct.ramp, told));
    let (hours, minutes, run_s) = (run_s / 3600, run_s / 60 % 60, run_s % 60);
    let _ = write!(
        text,
        "'Test Description\n\tConverted by Kneepoint: {title}\n'Run Time\n'\thours      minutes    seconds\n\
         \t{hours:<10} {minutes:<10} {run_s}\n'Ramp Up Time (s)\n\t{ramp_s}\n'Default Disk Workers to Spawn\n\t1\n\
         'Default Network Workers to Spawn\n\t0\n'Record Results\n\tALL\n'Worker Cycling\n\
         '\tstart      step       step type\n\t1          1          LINEAR\n'Disk Cycling\n\
         '\tstart      step       step type\n\t1          1          LINEAR\n'Queue Depth Cycling\n\
         '\tstart      end        step       step type\n\t{cycle}\n'Test Type\n\tCYCLE_OUTSTANDING_IOS\n\
         'END test setup\n\
         'ACCESS SPECIFICATIONS =========================================================\n"
    );
    for one in series {
        push(&mut text, one, told)?;
    }
    text.push_str("'END access specifications\nVersion 1.1.0 \n");
    tell_conduct(conduct, told);
    told.differ("targets and workers are to be chosen in Iometer; outstanding I/Os count for each worker there");
    if let Some(size) = suite.size {
        told.differ(format!(
            "the size of {size} is to be set as the disk's maximum size, in sectors of 512 bytes"
        ));
    }
    Ok(text)
}

/// A time in whole seconds.
fn seconds(time: Nanos, told: &mut Told<'_>) -> u64 {
    let whole = time.0.div_ceil(1_000_000_000);
    if !time.0.is_multiple_of(1_000_000_000) {
        told.differ(format!("times are whole seconds there: {time} become {whole} s"));
    }
    whole
}

/// What the source says of how it is measured, and Iometer has no word for.
fn tell_conduct(conduct: &WrittenConduct, told: &mut Told<'_>) {
    if conduct.workers > 1 {
        told.differ(format!(
            "the {} workers become one there, which has the outstanding I/Os of all",
            conduct.workers
        ));
    }
    if let Some(engine) = conduct.engine {
        told.differ(format!("I/O is issued as Iometer does it there, not by {}", engine.name()));
    }
    if conduct.memory_pages == MemoryPages::Huge {
        told.differ("buffers lie in the pages that Iometer gets; in the file they are huge");
    }
    if conduct.caching == Caching::Buffered {
        told.differ("I/O does not pass the page cache there; in the file it does");
    }
}

fn push(text: &mut String, series: &WrittenSeries, told: &mut Told<'_>) -> Result<(), Fault> {
    check(&series.profile, told)?;
    let name: String = one_line(&series.name).replace(',', " ").chars().take(NAME_MAX).collect();
    let _ = write!(
        text,
        "'Access specification name,default assignment\n\t{name},ALL\n\
         'size,% of size,% reads,% random,delay,burst,align,reply\n"
    );
    for line in &series.profile.lines {
        let align = if line.align_bytes == SECTOR && line.block_bytes != SECTOR {
            0
        } else {
            line.align_bytes
        };
        let _ = writeln!(
            text,
            "\t{},{},{},{},{},{},{align},0",
            line.block_bytes,
            told.whole(line.share.get(), "a share")?,
            told.whole(line.read.get(), "reads")?,
            told.whole(line.random.get(), "random positions")?,
            delay_ms(line, told)?,
            line.burst,
        );
    }
    if series.profile.writes() {
        told.differ(
            "written data is to be set to 'Full random' in Iometer: here it cannot be compressed",
        );
    }
    Ok(())
}

fn delay_ms(line: &ResolvedLine, told: &Told<'_>) -> Result<u64, Fault> {
    match line.delay.0 % 1_000_000 {
        0 => Ok(line.delay.0 / 1_000_000),
        _ => Err(told
            .refused(&format!("a delay of {}", line.delay), "delays are whole milliseconds there")),
    }
}

/// Refuses what a specification has no word for.
fn check(profile: &ResolvedProfile, told: &Told<'_>) -> Result<(), Fault> {
    let plain = DataPattern { compressible: Percent::ZERO, duplicate: Percent::ZERO };
    if profile.distribution != Distribution::Uniform {
        return Err(told.refused("the distribution", "random positions are uniform there"));
    }
    if profile.lines.iter().any(|line| line.gap_bytes > 0) {
        return Err(
            told.refused("the gaps", "a sequential I/O begins where the last one ended there")
        );
    }
    if profile.range != AddressRange::WHOLE {
        return Err(
            told.refused("the part of the target", "it is set for each worker there, in sectors")
        );
    }
    if profile.data != plain {
        return Err(
            told.refused("compressible or repeated data", "three patterns alone are known there")
        );
    }
    if profile.think.0 > 0 {
        return Err(told.refused("think time", "pauses follow bursts there"));
    }
    if !profile.durability.is_none() {
        return Err(told.refused("the durability of writes", "it has no word for it"));
    }
    Ok(())
}

/// Start, end, step and growth of the loads, which are the same for all series.
fn cycle(series: &[WrittenSeries], told: &mut Told<'_>) -> Result<String, Fault> {
    let Some((first, others)) = series.split_first() else {
        return Err(told.refused("no series", "nothing is measured"));
    };
    if others.iter().any(|other| other.loads.resolve() != first.loads.resolve()) {
        return Err(told.refused(
            "loads that differ between series",
            "one cycle is for all specifications there",
        ));
    }
    if first.loads.unit() != LoadUnit::OutstandingIos {
        return Err(told.refused("an offered rate", "loads are outstanding I/Os there"));
    }
    if !matches!(first.loads, Loads::Grid(..)) {
        told.differ(format!("the load is a cycle of fixed levels there, not '{}'", first.loads));
    }
    let levels: Vec<u64> = first.loads.resolve().levels.iter().map(|level| *level as u64).collect();
    let Some((step, growth)) = steps(&levels) else {
        return Err(
            told.refused("the load levels", "they rise in equal steps or by a whole factor there")
        );
    };
    let (start, end) = (levels[0], levels[levels.len() - 1]);
    Ok(format!("{start:<10} {end:<10} {step:<10} {growth}"))
}

/// The step or factor between levels, if it is always the same.
fn steps(levels: &[u64]) -> Option<(u64, &'static str)> {
    let [first, second, ..] = levels else { return (!levels.is_empty()).then_some((1, "LINEAR")) };
    let step = second - first;
    if levels.windows(2).all(|pair| pair[1] - pair[0] == step) {
        return Some((step, "LINEAR"));
    }
    let factor = second / first;
    let is_even =
        factor >= 2 && levels.windows(2).all(|pair| pair[0].checked_mul(factor) == Some(pair[1]));
    is_even.then_some((factor, "EXPONENTIAL"))
}
