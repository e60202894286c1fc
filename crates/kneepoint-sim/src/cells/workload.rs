//! The load as a row calls it.

use kneepoint_core::spec::catalog;
use kneepoint_core::spec::profile::{BLOCK_BYTES_MAX, ResolvedProfile};
use kneepoint_core::words::units::{Bytes, Percent};

use super::row::Row;
use super::stroke;
use super::words::{Token, squash, tokens};

/// Shipped profiles by the words of papers, squashed; a longer word comes before its beginnings.
const PROFILES: [(&str, &str); 50] = [
    ("onlinetransactionprocessing", "oltp"),
    ("oltp", "oltp"),
    ("transactionprocessing", "oltp"),
    ("random6733", "oltp"),
    ("rand6733", "oltp"),
    ("random5050", "file-copy"),
    ("rand5050", "file-copy"),
    ("singlestreamread", "single-stream-read"),
    ("singlestreamwrite", "single-stream-write"),
    ("singlesequentialread", "single-stream-read"),
    ("singlesequentialwrite", "single-stream-write"),
    ("singlethreadedsequentialread", "single-stream-read"),
    ("singlethreadedsequentialwrite", "single-stream-write"),
    ("singlethreadsequentialread", "single-stream-read"),
    ("singlethreadsequentialwrite", "single-stream-write"),
    ("singlethreadedread", "single-stream-read"),
    ("singlethreadedwrite", "single-stream-write"),
    ("singleseqread", "single-stream-read"),
    ("singleseqwrite", "single-stream-write"),
    ("streamingread", "stream-read"),
    ("streamingwrite", "stream-write"),
    ("streamread", "stream-read"),
    ("streamwrite", "stream-write"),
    ("sequentialread", "stream-read"),
    ("sequentialwrite", "stream-write"),
    ("seqread", "stream-read"),
    ("seqwrite", "stream-write"),
    ("streaming", "streaming"),
    ("randomread", "random-read"),
    ("randomwrite", "random-write"),
    ("randread", "random-read"),
    ("randwrite", "random-write"),
    ("rndread", "random-read"),
    ("rndwrite", "random-write"),
    ("fileserver", "file-server"),
    ("fileserving", "file-server"),
    ("webserver", "web-server"),
    ("webserving", "web-server"),
    ("filecopy", "file-copy"),
    ("copy", "file-copy"),
    ("databaselog", "log"),
    ("database", "database"),
    ("restore", "restore"),
    ("backup", "backup"),
    ("operatingsystem", "operating-system"),
    ("mail", "mail-server"),
    ("dblog", "log"),
    ("logfile", "log"),
    ("video", "video"),
    ("log", "log"),
];

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
    let named = named(row.get("workload"));
    let block = block(row.get("block_kib"))?;
    let mix = named.and_then(|name| mix_of(name, &block, server_loads));
    let read = read_percent(row.get("read_pct"))?;
    let random = random_percent(row.get("access"))?;
    let (name, size) = match (mix, named, block) {
        (Some(mix), ..) => (mix, None),
        (None, _, Block::Mixed) => return Err(no_such_mix(row)),
        (None, Some(name), block) => (name, block.size()),
        // Any profile of one line will do where the row says everything itself.
        (None, None, Block::Size(size)) if read.is_some() && random.is_some() => {
            ("oltp", Some(size))
        }
        (None, None, _) => {
            return Err(format!("the workload '{}' is not known", row.get("workload")));
        }
    };
    let shipped = catalog::profile(name).and_then(|profile| profile.resolve(size));
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
    let squashed =
        ["iometer", "fio"].iter().find_map(|tool| squashed.strip_prefix(tool)).unwrap_or(&squashed);
    PROFILES.iter().find(|(word, _)| squashed.starts_with(word)).map(|(_, name)| *name)
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

impl Block {
    const fn size(self) -> Option<Bytes> {
        match self {
            Self::Size(size) => Some(size),
            Self::Missing | Self::Mixed | Self::Mean => None,
        }
    }
}

fn block(text: &str) -> Result<Block, String> {
    let squashed = squash(text);
    if squashed.is_empty() || ["na", "none"].contains(&squashed.as_str()) {
        return Ok(Block::Missing);
    }
    if ["mix", "various", "variable"].iter().any(|word| squashed.starts_with(word)) {
        return Ok(Block::Mixed);
    }
    let words = tokens(text);
    if words.iter().filter(|word| word.number().is_some()).count() > 1 {
        return Ok(Block::Mixed);
    }
    let Some(number) = words.first().and_then(Token::number) else {
        return Err(format!("the block size '{text}' is no number of KiB"));
    };
    let unit = words.get(1);
    let bytes = number
        * match unit {
            Some(unit) if unit.is_any(&["b", "byte", "bytes"]) => 1.0,
            Some(unit) if unit.is_any(&["m", "mb", "mib"]) => 1024.0 * 1024.0,
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
fn mix_of(name: &str, block: &Block, server_loads: ServerLoads) -> Option<&'static str> {
    let (_, mix) = MIXES.iter().find(|(single, _)| *single == name)?;
    let is_mix = match block {
        Block::Mixed | Block::Mean => true,
        // The paper of the mixes has no other; a size there is a rounded mean.
        Block::Missing | Block::Size(_) => server_loads == ServerLoads::Mixes,
    };
    is_mix.then_some(*mix)
}

fn no_such_mix(row: &Row) -> String {
    format!("no mix of block sizes is known for the workload '{}'", row.get("workload"))
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
    let has = |names: &[&str]| words.iter().any(|token| token.is_any(names));
    let is_percent =
        words.windows(2).any(|pair| pair[0].number().is_some() && pair[1].is_any(&["%"]));
    let number = words.iter().find_map(Token::number);
    let number = number.filter(|_| stroke::percent(text).is_none());
    let share =
        match (has(&["random", "rnd", "rand"]), has(&["sequential", "seq", "stream", "streaming"]))
        {
            (true, true) => Err(format!("the access '{text}' is both random and sequential")),
            (true, false) => Ok(number.filter(|_| is_percent).unwrap_or(100.0)),
            (false, true) => Ok(number.filter(|_| is_percent).map_or(0.0, |share| 100.0 - share)),
            (false, false) => match number {
                Some(number) => Ok(number),
                None if words.is_empty() || has(&["mixed", "na"]) => return Ok(None),
                None => Err(format!("the access '{text}' is neither random nor sequential")),
            },
        }?;
    Percent::new(share).map(Some).map_err(|_| format!("'{text}' is no share of random positions"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fields: &[(&str, &str)], loads: ServerLoads) -> Result<ResolvedProfile, String> {
        profile(&Row::with(fields), loads)
    }

    fn check(fields: &[(&str, &str)], (name, block, read, random): (&str, f64, f64, f64)) {
        let profile = of(fields, ServerLoads::Mixes).unwrap();
        let found = (profile.name.as_str(), profile.read_percent(), profile.random_percent());
        assert_eq!(found, (name, read, random), "{fields:?}");
        assert!((profile.block_bytes_mean() / 1024.0 - block).abs() < 0.01, "{fields:?}");
    }

    #[test]
    fn loads_are_understood_however_they_are_written() {
        check(&[("workload", "OLTP"), ("block_kib", "16")], ("oltp", 16.0, 67.0, 100.0));
        check(
            &[("workload", "random_read"), ("block_kib", "4")],
            ("random-read", 4.0, 100.0, 100.0),
        );
        check(
            &[("workload", "Streaming writes"), ("block_kib", "0.5")],
            ("stream-write", 0.5, 0.0, 0.0),
        );
        check(&[("workload", "Restore")], ("restore", 64.0, 0.0, 0.0));
        let own = [
            ("workload", "tracking"),
            ("block_kib", "8"),
            ("read_pct", "70/30"),
            ("access", "random"),
        ];
        check(&own, ("oltp", 8.0, 70.0, 100.0));
        let all_sequential =
            [("workload", "seq_read"), ("block_kib", "64"), ("access", "sequential")];
        check(&all_sequential, ("stream-read", 64.0, 100.0, 0.0));
    }

    #[test]
    fn size_mixes_are_understood_however_they_are_written() {
        for block in ["", "mixed", "mix", "11.08", "11", "0.5-64"] {
            let row = [("workload", "file_server"), ("block_kib", block), ("read_pct", "80")];
            check(&row, ("iometer-file-server", 11.08, 80.0, 100.0));
        }
        check(
            &[("workload", "Web Server"), ("access", "random")],
            ("iometer-web-server", 15.66, 100.0, 100.0),
        );
        let one = of(&[("workload", "web_server")], ServerLoads::OneSize).unwrap();
        assert_eq!((one.name.as_str(), one.lines.len()), ("web-server", 1));
        let single = [("workload", "file_server"), ("block_kib", "64"), ("read_pct", "67")];
        let single = of(&single, ServerLoads::OneSize).unwrap();
        assert_eq!((single.name.as_str(), single.block_bytes_mean()), ("file-server", 65_536.0));
    }

    #[test]
    fn what_is_not_understood_is_said() {
        let check = |fields: &[(&str, &str)], text: &str| {
            let reason = of(fields, ServerLoads::Mixes).unwrap_err();
            assert!(reason.contains(text), "{reason}");
        };
        check(&[("workload", "tracking")], "workload 'tracking' is not known");
        check(&[("workload", "oltp"), ("block_kib", "large")], "block size 'large'");
        check(&[("workload", "oltp"), ("block_kib", "mixed")], "no mix");
        check(&[("workload", "oltp"), ("read_pct", "101")], "'101' is no share");
        check(&[("workload", "oltp"), ("access", "zigzag")], "'zigzag' is neither");
    }
}
