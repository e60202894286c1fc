//! The load as a row calls it.

use kneepoint_core::spec::catalog;
use kneepoint_core::spec::profile::{BLOCK_BYTES_MAX, ResolvedProfile};
use kneepoint_core::words::units::{Bytes, Percent};

use super::row::Row;
use super::stroke;
use super::words::{PROFILES, Token, has, number_before, squash, tokens};

/// Size mixes by the profile of one block size that has the same name.
const MIXES: [(&str, &str); 2] =
    [("file-server", "iometer-file-server"), ("web-server", "iometer-web-server")];

/// What a family of systems was loaded with where a row does not say a block size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ServerLoads {
    /// File and web server are mixes of block sizes (fastt900).
    Mixes,
    /// They are blocks of 64 KiB.
    OneSize,
}

/// The load of a row as a resolved profile.
///
/// # Errors
/// A sentence's end that says what was not understood.
pub(super) fn profile(row: &Row, server_loads: ServerLoads) -> Result<ResolvedProfile, String> {
    let workload = row.get("workload");
    let named = named(workload);
    let block = block(row.get("block_kib"))?;
    let mix = named.and_then(|name| mix_of(name, block, server_loads));
    let read = read_percent(row.get("read_pct"))?;
    let random = random_percent(row.get("access"))?;
    let (name, size) = match (mix, named, block) {
        (Some(mix), ..) => (mix, None),
        (None, _, Block::Mixed) => {
            return Err(format!("no mix of block sizes is known for the workload '{workload}'"));
        }
        (None, Some(name), Block::Size(size)) => (name, Some(size)),
        (None, Some(name), _) => (name, None),
        // Any profile of one line will do where the row says everything itself.
        (None, None, Block::Size(size)) if read.is_some() && random.is_some() => {
            ("oltp", Some(size))
        }
        (None, None, _) => return Err(format!("the workload '{workload}' is not known")),
    };
    let shipped = catalog::profile(name).and_then(|profile| profile.resolve_io(size));
    let mut profile = shipped.map_err(|fault| fault.to_string())?;
    for line in &mut profile.lines {
        line.read = read.unwrap_or(line.read);
        line.random = random.unwrap_or(line.random);
    }
    Ok(profile)
}

/// The shipped profile that a workload's name begins with.
fn named(workload: &str) -> Option<&'static str> {
    let squashed = squash(workload);
    let without_tool = ["iometer", "fio"].iter().find_map(|tool| squashed.strip_prefix(tool));
    PROFILES.beginning(without_tool.unwrap_or(&squashed))
}

/// A block size as a row gives it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Block {
    /// Nothing.
    Missing,
    /// A word that means several sizes.
    Mixed,
    /// One size.
    Size(Bytes),
    /// A size that no request has: the mean of a mix.
    Mean,
}

fn block(text: &str) -> Result<Block, String> {
    let squashed = squash(text);
    if ["", "na", "none"].contains(&&*squashed) {
        return Ok(Block::Missing);
    }
    let words = tokens(text);
    if ["mix", "various", "variable"].iter().any(|word| squashed.starts_with(word))
        || words.iter().filter_map(Token::number).count() > 1
    {
        return Ok(Block::Mixed);
    }
    let Some(number) = words.first().and_then(Token::number) else {
        return Err(format!("the block size '{text}' is no number of KiB"));
    };
    let bytes = number
        * match words.get(1) {
            Some(unit) if unit.is("b byte bytes") => 1.0,
            Some(unit) if unit.is("m mb mib") => 1024.0 * 1024.0,
            _ => 1024.0,
        };
    match bytes {
        bytes if !(1.0..=BLOCK_BYTES_MAX as f64).contains(&bytes) => {
            Err(format!("the block size '{text}' is out of range"))
        }
        bytes if bytes % 512.0 == 0.0 => Ok(Block::Size(Bytes(bytes as u64))),
        _ => Ok(Block::Mean),
    }
}

/// The size mix that stands behind a name, where the row means one.
fn mix_of(name: &str, block: Block, server_loads: ServerLoads) -> Option<&'static str> {
    let (_, mix) = MIXES.iter().find(|(single, _)| *single == name)?;
    // The paper of the mixes has no other loads of that name; a size there is a rounded mean.
    let is_mix = matches!(block, Block::Mixed | Block::Mean) || server_loads == ServerLoads::Mixes;
    is_mix.then_some(*mix)
}

/// Share of reads: `67`, `67 %`, `67/33`.
fn read_percent(text: &str) -> Result<Option<Percent>, String> {
    let words = tokens(text);
    let Some(number) = words.iter().find_map(Token::number) else {
        return match squash(text).as_str() {
            "" | "na" => Ok(None),
            "read" | "reads" => Ok(Some(Percent::FULL)),
            "write" | "writes" => Ok(Some(Percent::ZERO)),
            _ => Err(format!("the share of reads '{text}' is no number")),
        };
    };
    // A share below one is written without a percent sign.
    let is_fraction = number > 0.0 && number < 1.0 && words.len() == 1;
    let percent = if is_fraction { 100.0 * number } else { number };
    Percent::new(percent).map(Some).map_err(|_| format!("'{text}' is no share of reads"))
}

/// Share of random positions: `random`, `sequential`, `100`, `random 70%`.
fn random_percent(text: &str) -> Result<Option<Percent>, String> {
    let words = tokens(text);
    let is_random = has(&words, "random rnd rand");
    let is_sequential = has(&words, "sequential seq stream streaming");
    let speaks_of_stroke = stroke::percents_of_stroke(text).next().is_some();
    let number = words.iter().find_map(Token::number).filter(|_| !speaks_of_stroke);
    let percent = number.filter(|_| number_before(&words, "%").is_some());
    let share = match (is_random, is_sequential) {
        (true, true) => Err(format!("the access '{text}' is both random and sequential")),
        (true, false) => Ok(percent.unwrap_or(100.0)),
        (false, true) => Ok(percent.map_or(0.0, |share| 100.0 - share)),
        (false, false) => match number {
            Some(number) => Ok(number),
            None if words.is_empty() || has(&words, "mixed na") => return Ok(None),
            None => Err(format!("the access '{text}' is neither random nor sequential")),
        },
    }?;
    Percent::new(share).map(Some).map_err(|_| format!("'{text}' is no share of random positions"))
}
