//! A load profile that resembles a trace, and how well.
//!
//! How well is measured, not claimed: the I/Os that the profile makes are drawn and described as the trace was.

use kneepoint_core::load::stream::{Seat, Source, Stream, StreamPlan};
use kneepoint_core::spec::profile::{Align, Band, Distribution, Profile, WriteKind};
use kneepoint_core::spec::trace::rounded_rate;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed;
use kneepoint_core::words::units::{Bytes, Nanos, Percent};
use rand_core::Rng as _;

use super::described::{Described, DeviceExtent, SizeCount, percent};
use super::{Description, TraceIo};
use crate::job::{Conduct, Draft, DraftLine, DraftLoad, DraftSeries, JobText};

/// Most kinds of I/O of the profile; the rest joins those of the nearest size.
const KINDS_MAX: usize = 90;
/// Most bands of the profile.
const BANDS_MAX: usize = 48;
/// Most I/Os that are drawn from the profile.
const DRAWN_MAX: u64 = 1_000_000;
/// The seed that they are drawn with.
const SEED: u64 = 1;

/// A load profile made of a trace.
#[derive(Debug, Clone, PartialEq)]
pub struct Resemblance {
    /// The profile in TOML.
    pub toml: String,
    /// The profile.
    pub profile: Profile,
    /// What it keeps of the trace.
    pub kept: Vec<Kept>,
    /// I/Os that were drawn from the profile.
    pub drawn: u64,
}

/// A number of the trace and the same number of the profile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kept {
    /// What it is.
    pub what: &'static str,
    /// Its unit; empty for none.
    pub unit: &'static str,
    /// Of the trace.
    pub trace: f64,
    /// Of what was drawn from the profile.
    pub profile: f64,
}

/// One kind of I/O: a size in a direction.
#[derive(Debug, Clone, Copy)]
struct Kind {
    bytes: u32,
    reads: bool,
    count: u64,
    sequential: u64,
}

impl Resemblance {
    /// The profile of what was described, called like the file `name`.
    ///
    /// # Errors
    /// As [`profile_of`].
    pub fn of(described: &Described, name: &str) -> Result<Self, Fault> {
        let (toml, profile) = profile_of(described, name)?;
        let drawn = described.ios().min(DRAWN_MAX);
        let of_profile = drawn_from(&profile, described, drawn)?;
        Ok(Self { toml, profile, kept: kept(described, &of_profile), drawn })
    }
}

/// The profile of what was described, called like the file `name`, and its TOML.
///
/// # Errors
/// When no profile can say it.
pub fn profile_of(described: &Described, name: &str) -> Result<(String, Profile), Fault> {
    let series = DraftSeries {
        load: described.rate_per_s().map(|rate| DraftLoad::Rate(rounded_rate(rate).to_string())),
        distribution: distribution(&described.devices)?,
        ..DraftSeries::of(&title_of(name), lines(described))
    };
    let draft = Draft {
        title: title_of(name),
        description: description(described),
        source: format!("The trace {name}, {} I/Os", described.ios()),
        size: None,
        rules: Vec::new(),
        series: vec![series],
    };
    let (toml, suite) = draft.written(JobText { file: name, text: "" }, Conduct::default())?;
    let series = suite.series.first().ok_or_else(|| Fault::new("the profile is empty"))?;
    let profile = suite.profile(&series.profile)?;
    Ok((toml, profile))
}

fn description(described: &Described) -> String {
    let rate = described.rate_per_s().map_or("", |_| ", its mean rate");
    format!(
        "Resembles a trace: its sizes, their directions and how sequential they are{rate}, and where its I/Os \
         go. Bursts, and blocks that are touched again, are not in it."
    )
}

fn title_of(name: &str) -> String {
    let file = name.rsplit('/').next().unwrap_or(name);
    file.split('.').next().unwrap_or(file).to_owned()
}

/// The lines: one for each size in each direction.
fn lines(described: &Described) -> Vec<DraftLine> {
    let kinds = kinds(&described.sizes);
    let all: u64 = kinds.iter().map(|kind| kind.count).sum();
    let line = |kind: &Kind| DraftLine {
        // What is rarer than one in a hundred million stays in it.
        share: rounded(percent(kind.count, all)).max(1e-6),
        size: u64::from(kind.bytes),
        read: if kind.reads { 100.0 } else { 0.0 },
        write: WriteKind::Data,
        random: rounded(100.0 - percent(kind.sequential, kind.count)),
        pause: None,
        align: match described.alignment_bytes {
            align if u64::from(kind.bytes) == align => Align::Request,
            align => Align::Size(Bytes(align)),
        },
        gap: 0,
    };
    let mut lines: Vec<DraftLine> = kinds.iter().map(line).collect();
    let others: f64 = lines.iter().skip(1).map(|line| line.share).sum();
    if let Some(first) = lines.first_mut() {
        first.share = rounded(100.0 - others);
    }
    lines
}

/// A percentage to a millionth of one.
fn rounded(percent: f64) -> f64 {
    (percent * 1e6).round() / 1e6
}

/// The kinds of I/O from the most to the least frequent; the rare ones join others of a near size.
fn kinds(sizes: &[SizeCount]) -> Vec<Kind> {
    let of_size = |size: &SizeCount| {
        let kind = |reads: bool, (count, sequential): (u64, u64)| Kind {
            bytes: size.bytes,
            reads,
            count,
            sequential,
        };
        [kind(true, size.reads), kind(false, size.writes)]
    };
    let mut kinds: Vec<Kind> = sizes.iter().flat_map(of_size).collect();
    kinds.retain(|kind| kind.count > 0);
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.count));
    let mut rare = kinds.split_off(kinds.len().min(KINDS_MAX));
    // A profile of a trace with a write writes, and one with a read reads.
    for reads in [true, false] {
        let is_kept = kinds.iter().any(|kind| kind.reads == reads);
        if let Some(first) = rare.iter().position(|kind| kind.reads == reads && !is_kept) {
            kinds.push(rare.remove(first));
        }
    }
    for kind in rare {
        let near = kinds
            .iter_mut()
            .min_by_key(|other| (other.reads != kind.reads, other.bytes.abs_diff(kind.bytes)));
        if let Some(near) = near {
            near.count += kind.count;
            near.sequential += kind.sequential;
        }
    }
    kinds
}

/// Where random I/Os fall, the devices one behind the other.
fn distribution(devices: &[DeviceExtent]) -> Result<Distribution, Fault> {
    let mut pieces: Vec<(f64, u64)> = Vec::new();
    for device in devices {
        let slices = device.end.div_ceil(device.slice_bytes.max(1));
        for slice in 0..slices {
            let start = slice * device.slice_bytes;
            let bytes = device.slice_bytes.min(device.end - start) as f64;
            pieces.push((bytes, device.random.get(slice as usize).copied().unwrap_or(0)));
        }
    }
    let all_bytes: f64 = pieces.iter().map(|piece| piece.0).sum();
    let all_ios: u64 = pieces.iter().map(|piece| piece.1).sum();
    let pieces = joined(&pieces, all_bytes / BANDS_MAX as f64);
    if pieces.len() < 2 || all_ios == 0 {
        return Ok(Distribution::Uniform);
    }
    let shares = |values: Vec<f64>| -> Vec<f64> {
        let mut shares: Vec<f64> = values.into_iter().map(rounded).collect();
        let rest = 100.0 - shares.iter().sum::<f64>();
        // The largest takes what rounding has left: it is the one that can.
        if let Some(largest) = shares.iter_mut().max_by(|a, b| a.total_cmp(b)) {
            *largest = rounded(*largest + rest);
        }
        shares
    };
    let ranges = shares(pieces.iter().map(|piece| piece.0 * 100.0 / all_bytes).collect());
    let accesses = shares(pieces.iter().map(|piece| percent(piece.1, all_ios)).collect());
    let bands = ranges.into_iter().zip(accesses).map(|(range, access)| {
        Ok(Band { range: Percent::new(range)?, access: Percent::new(access)? })
    });
    Ok(Distribution::HotBand(bands.collect::<Result<_, Fault>>()?))
}

/// Neighbouring pieces as one until each is `bytes` long or more.
fn joined(pieces: &[(f64, u64)], bytes: f64) -> Vec<(f64, u64)> {
    let mut joined: Vec<(f64, u64)> = Vec::new();
    for piece in pieces {
        match joined.last_mut() {
            Some(last) if last.0 < bytes => *last = (last.0 + piece.0, last.1 + piece.1),
            _ => joined.push(*piece),
        }
    }
    joined
}

/// The description of `drawn` I/Os of `profile`, at the rate of what was described.
fn drawn_from(profile: &Profile, described: &Described, drawn: u64) -> Result<Described, Fault> {
    let rate_per_s = described.rate_per_s().unwrap_or(1.0);
    let plan = StreamPlan {
        number: 0,
        target: 0,
        size_bytes: described.extent_bytes(),
        share: 0,
        share_count: 1,
        slots: 1,
        arrivals: None,
        seed: SEED,
        seat: Seat::alone(0),
    };
    let mut stream = Stream::new(&profile.resolve_io(None)?, &plan)?;
    let mut arrivals = seed::rng(seed::derive(SEED, "arrivals", 0));
    let mut description = Description::default();
    let mut at_ns = 0.0;
    for _ in 0..drawn {
        let io = stream.draw();
        let (direction, offset, bytes) = (io.direction, io.offset, io.bytes);
        description.count(&TraceIo {
            at: Nanos(at_ns as u64),
            device: 0,
            direction,
            offset,
            bytes,
        });
        let unit = ((arrivals.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64;
        at_ns -= libm::log(unit) * 1e9 / rate_per_s;
    }
    Ok(description.described(&["profile".to_owned()]))
}

/// The numbers of both.
fn kept(trace: &Described, profile: &Described) -> Vec<Kept> {
    let mib = |bytes: u64| bytes as f64 / (1 << 20) as f64;
    let row = |what, unit, number: &dyn Fn(&Described) -> f64| Kept {
        what,
        unit,
        trace: number(trace),
        profile: number(profile),
    };
    let mut kept = vec![
        row("Reads", "%", &Described::read_percent),
        row("Mean size", "KiB", &|described| described.mean_bytes() / 1024.0),
        row("Continue the last I/O of their device", "%", &Described::sequential_percent),
        row("Continue one of the last 32 I/Os", "%", &Described::streaming_percent),
    ];
    if trace.rate_per_s().is_some() {
        kept.push(row("Mean rate", "IO/s", &|described| described.rate_per_s().unwrap_or(0.0)));
        kept.push(row("Variation of the time between I/Os", "", &|it| it.gap_variation));
    }
    // What grows with the number of I/Os is compared only where there are as many.
    if trace.ios() == profile.ios() {
        if trace.rate_per_s().is_some() {
            kept.push(row("Busiest second", "IO/s", &|described| described.busiest_second as f64));
        }
        kept.push(row("Footprint", "MiB", &|described| mib(described.footprint_bytes)));
        kept.push(row("Touches of the hottest 10 % of blocks", "%", &|described| {
            described.hottest_10.share * 100.0
        }));
    }
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bands_add_up_whatever_rounding_leaves(
            random in prop::collection::vec(0_u64..100_000, 2..200),
            slice_bytes in 512_u64..1 << 30,
        ) {
            let end = slice_bytes * random.len() as u64 - slice_bytes / 3;
            // The first band may get nothing, and has nothing to give.
            let random = std::iter::once(0).chain(random.into_iter().skip(1)).collect();
            let device = DeviceExtent { name: "a".to_owned(), ios: 1, end, slice_bytes, random };
            if let Distribution::HotBand(bands) = distribution(&[device]).unwrap() {
                let sum = |share: fn(&Band) -> f64| bands.iter().map(share).sum::<f64>();
                prop_assert!((sum(|band| band.range.get()) - 100.0).abs() < 1e-6);
                prop_assert!((sum(|band| band.access.get()) - 100.0).abs() < 1e-6);
            }
        }
    }
}
