//! A row, understood: its number, the condition that it was read off at, and its load; and rows
//! that are read off one curve.

use std::collections::BTreeMap;

use kneepoint_core::spec::catalog;
use kneepoint_core::spec::profile::{BLOCK_BYTES_MAX, ResolvedProfile};
use kneepoint_core::words::rule::{Metric, Rule};
use kneepoint_core::words::units::{Bytes, Nanos, Percent};

use super::drive::DriveCatalog;
use super::row::{
    PROFILES, Row, SHARE, Token, has, is_among, is_unsaid, number_before, squash, tokens,
};
use super::stroke;
use super::subsystem::{Paper, Subsystem};

/// A number of a published table that can be simulated.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The simulated system with its settings: `sim:fastt900?drives=60&raid=raid5&...`.
    pub target: String,
    /// The load.
    pub profile: ResolvedProfile,
    /// The condition that the number was read off at.
    pub criterion: Criterion,
    /// Most outstanding I/Os per array of the paper.
    pub outstanding_max: u32,
    /// The number.
    pub published: Published,
    /// Where the published number is a share of what another target does: that target.
    pub relative_to: Option<String>,
}

/// The published number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Published {
    /// I/Os per second.
    Iops(f64),
    /// Throughput, MiB/s; for rows that publish nothing else.
    MibPerS(f64),
}

impl Cell {
    /// Reads a row. Columns `target` and `relative_to` say what is simulated; where they are missing,
    /// it follows from the words of the others.
    ///
    /// # Errors
    /// A sentence that says what in the row was not understood or cannot be simulated.
    pub fn of(row: &Row, catalog: &DriveCatalog) -> Result<Self, String> {
        let share = stroke::share(row);
        let subsystem = Subsystem::of(row, catalog, share)?;
        let written = |column| Some(row.get(column)).filter(|text| !is_unsaid(text));
        let target = written("target").map_or(subsystem.target, str::to_owned);
        let relative_to = written("relative_to").map(str::to_owned).or(subsystem.base);
        let criterion = Criterion::of(row, subsystem.paper.table_ms)?;
        let published =
            share.map_or_else(|| Published::of(row), |share| Ok(Published::Iops(share)))?;
        if share.is_some() && relative_to.is_none() {
            return Err(
                "the number is a share of another, but the row does not say of which".to_owned()
            );
        }
        Ok(Self {
            profile: profile(row, subsystem.paper)?,
            target,
            outstanding_max: subsystem.paper.outstanding_max,
            criterion,
            published,
            relative_to,
        })
    }
}

impl Published {
    /// The number of a row: `iops`, or else `mbps`.
    fn of(row: &Row) -> Result<Self, String> {
        match (number(row, "iops")?, number(row, "mbps")?) {
            (Some(iops), _) => Ok(Self::Iops(iops)),
            (None, Some(mib_s)) => Ok(Self::MibPerS(mib_s)),
            (None, None) => Err("there is no published number".to_owned()),
        }
    }

    /// The number as I/Os per second, for a load of this mean block size.
    pub fn iops(self, block_bytes_mean: f64) -> f64 {
        match self {
            Self::Iops(iops) => iops,
            Self::MibPerS(mib_s) => mib_s * 1_048_576.0 / block_bytes_mean,
        }
    }
}

/// A positive number of a column, if there is one.
fn number(row: &Row, column: &str) -> Result<Option<f64>, String> {
    let text = row.get(column);
    if is_unsaid(text) {
        return Ok(None);
    }
    let plain: String = text.chars().filter(|c| !matches!(c, ',' | ' ' | '_' | '~')).collect();
    match plain.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(Some(number)),
        _ => Err(format!("'{text}' in the column {column} is no positive number")),
    }
}

/// Cells that differ only in their criterion (all are shares of the same, or none of anything), and
/// are read off one curve.
#[derive(Debug, Clone, PartialEq)]
pub struct CellSeries<'a> {
    /// One of the cells: its target and its profile are those of all.
    pub first: &'a Cell,
    /// Indices of the cells in the caller's list.
    pub cells: Vec<usize>,
    /// Conditions at which the curve is read off, in order and without repetition.
    pub criteria: Vec<Criterion>,
}

impl CellSeries<'_> {
    /// The rules among the criteria.
    pub fn rules(&self) -> Vec<Rule> {
        let rule = |criterion: &Criterion| match criterion {
            Criterion::Rule(rule) => Some(*rule),
            Criterion::Peak | Criterion::Outstanding(_) => None,
        };
        self.criteria.iter().filter_map(rule).collect()
    }

    /// The fixed loads among the criteria, rising.
    pub fn loads(&self) -> Vec<u32> {
        let load = |criterion: &Criterion| match criterion {
            Criterion::Outstanding(load) => Some(*load),
            Criterion::Peak | Criterion::Rule(_) => None,
        };
        self.criteria.iter().filter_map(load).collect()
    }
}

/// Groups cells into series, in the order in which their first cells stand.
pub fn group(cells: &[Option<Cell>]) -> Vec<CellSeries<'_>> {
    let mut places: BTreeMap<(&str, Option<&str>, String), usize> = BTreeMap::new();
    let mut series: Vec<CellSeries<'_>> = Vec::new();
    for (index, cell) in cells.iter().enumerate() {
        let Some(cell) = cell else { continue };
        let load = format!("{} {:?}", cell.outstanding_max, cell.profile);
        let place = *places
            .entry((cell.target.as_str(), cell.relative_to.as_deref(), load))
            .or_insert_with(|| {
                series.push(CellSeries { first: cell, cells: Vec::new(), criteria: Vec::new() });
                series.len() - 1
            });
        series[place].cells.push(index);
        series[place].criteria.push(cell.criterion);
    }
    for group in &mut series {
        group.criteria.sort_unstable();
        group.criteria.dedup();
    }
    series
}

/// Most outstanding I/Os per array that a row may ask for.
const OUTSTANDING_MAX: f64 = 65_536.0;

/// Words for the mean response time.
const RESPONSE_TIME: &str = "rt art response latency responsetime";

/// The condition that a number was read off at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Criterion {
    /// Where the mean response time reaches the rule's limit.
    Rule(Rule),
    /// The highest throughput of the paper's range of loads.
    Peak,
    /// At this many outstanding I/Os per array.
    Outstanding(u32),
}

impl Criterion {
    /// The criterion of a row: `avg_rt_20ms`, `peak`, `at_qd` with the number in another column.
    /// `table_ms` is the response time at which the row's paper reads its tables off, where it has
    /// one: what a row means that speaks of no other.
    pub(super) fn of(row: &Row, table_ms: Option<f64>) -> Result<Self, String> {
        let text = row.get("criterion");
        let words = tokens(text);
        if let Some(limit_ms) = limit_ms(&words) {
            return mean_rule(limit_ms, text);
        }
        let squashed = squash(text);
        if let Some(limit_ms) = table_ms.filter(|_| means_table(row, &words)) {
            return mean_rule(limit_ms, text);
        }
        if ["peak", "max", "saturat", "highest"].iter().any(|word| squashed.contains(word)) {
            return Ok(Self::Peak);
        }
        let is_depth =
            has(&words, "qd queue depth at load n fixed ios") || squashed.contains("outstanding");
        if is_depth || squashed.is_empty() {
            return outstanding_ios(row, &words);
        }
        Err(format!("the criterion '{text}' is none of avg_rt_..ms, peak, at_outstanding"))
    }
}

/// The response time that a criterion speaks of: a number before `ms`, or one after a word for it.
fn limit_ms(words: &[Token]) -> Option<f64> {
    let with_unit = words.windows(2).find_map(|pair| {
        number_before(pair, "ms msec millisecond milliseconds")
            .or_else(|| Some(number_before(pair, "s sec second seconds")? * 1000.0))
    });
    let has_word = has(words, RESPONSE_TIME);
    with_unit.or_else(|| words.iter().filter(|_| has_word).find_map(Token::number))
}

/// True if a criterion is that of all tables of its paper: it says so, or it says only that the
/// number is a share of another.
fn means_table(row: &Row, words: &[Token]) -> bool {
    let is_open = ["criterion", "outstanding_ios"].iter().all(|column| is_unsaid(row.get(column)));
    has(words, "threshold table sustained knee")
        || has(words, SHARE)
        || (is_open && stroke::is_share(row))
}

fn mean_rule(limit_ms: f64, text: &str) -> Result<Criterion, String> {
    match limit_ms > 0.0 && limit_ms <= 60_000.0 {
        true => {
            let limit = Nanos((limit_ms * 1e6).round() as u64);
            Ok(Criterion::Rule(Rule::on(Metric::Mean, limit)))
        }
        false => Err(format!("the criterion '{text}' has no usable response time")),
    }
}

/// The outstanding I/Os of the row's own column, or else of the criterion's text.
fn outstanding_ios(row: &Row, words: &[Token]) -> Result<Criterion, String> {
    let column = row.get("outstanding_ios");
    let number = tokens(column).iter().chain(words).find_map(Token::number);
    match number {
        Some(number) if number.fract() == 0.0 && (1.0..=OUTSTANDING_MAX).contains(&number) => {
            Ok(Criterion::Outstanding(number as u32))
        }
        Some(number) => Err(format!("{number} is no number of outstanding I/Os")),
        None if row.get("criterion").is_empty() => Err("the criterion is not given".to_owned()),
        None => Err("the number of outstanding I/Os is not given".to_owned()),
    }
}

/// Size mixes by the profile of one block size that has the same name.
const MIXES: [(&str, &str); 2] =
    [("file-server", "iometer-file-server"), ("web-server", "iometer-web-server")];

/// The load of a row of `paper` as a resolved profile, or what was not understood.
pub(super) fn profile(row: &Row, paper: &Paper) -> Result<ResolvedProfile, String> {
    let workload = row.get("workload");
    let named = named_profile(workload);
    let block = block(row.get("block_kib"))?;
    // The paper of the mixes has no other loads of that name; a size there is a rounded mean.
    let is_mix = paper.has_mixes || matches!(block, RowBlock::Mixed | RowBlock::Mean);
    let mixes = MIXES.iter().filter(|_| is_mix);
    let mix = mixes.filter(|(single, _)| named == Some(*single)).map(|(_, mix)| *mix).next();
    let read = read_percent(row.get("read_pct"))?;
    let random = random_percent(row.get("access"))?;
    let (name, size) = match (mix, named, block) {
        (Some(mix), ..) => (mix, None),
        (None, _, RowBlock::Mixed) => {
            return Err(format!("no mix of block sizes is known for the workload '{workload}'"));
        }
        (None, Some(name), RowBlock::Size(size)) => (name, Some(size)),
        (None, Some(name), _) => (name, None),
        // Any profile of one line will do where the row says everything itself.
        (None, None, RowBlock::Size(size)) if read.is_some() && random.is_some() => {
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
fn named_profile(workload: &str) -> Option<&'static str> {
    let squashed = squash(workload);
    let without_tool = ["iometer", "fio"].iter().find_map(|tool| squashed.strip_prefix(tool));
    PROFILES.beginning(without_tool.unwrap_or(&squashed))
}

/// A block size as a row gives it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum RowBlock {
    /// Nothing.
    Missing,
    /// A word that means several sizes.
    Mixed,
    /// One size.
    Size(Bytes),
    /// A size that no request has: the mean of a mix.
    Mean,
}

fn block(text: &str) -> Result<RowBlock, String> {
    let squashed = squash(text);
    if squashed.is_empty() || is_among("na none", &squashed) {
        return Ok(RowBlock::Missing);
    }
    let words = tokens(text);
    if ["mix", "various", "variable"].iter().any(|word| squashed.starts_with(word))
        || words.iter().filter_map(Token::number).count() > 1
    {
        return Ok(RowBlock::Mixed);
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
        bytes if bytes % 512.0 == 0.0 => Ok(RowBlock::Size(Bytes(bytes as u64))),
        _ => Ok(RowBlock::Mean),
    }
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
