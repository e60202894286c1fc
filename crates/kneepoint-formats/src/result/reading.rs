//! What the reader of a format gives, and the run that it becomes.

use std::collections::{BTreeMap, BTreeSet};

use kneepoint_core::result::{
    ClassResult, Environment, Estimate, FLUSH, ImportNote, Imported, Latency, PointResult,
    RUN_SCHEMA, RunAnalysis, RunDocument, RunHeader, RunState, StorageResult, Throughput, Verdict,
    Warning,
};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::rule::Rule;
use kneepoint_core::words::storage_class::StorageClass;
use serde_json::json;

/// The schema of what an imported run has instead of a plan: the rules that it is read at, and no more.
const NO_PLAN: &str = "kneepoint.plan/imported";

/// When a measurement began, in RFC 3339.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// In UTC, with the end if it is known.
    Utc(String, Option<String>),
    /// A local time of an unknown zone, written as if it were UTC.
    Local(String),
    /// The file does not say.
    Unknown,
}

/// A result of another tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The tool that measured.
    pub tool: String,
    /// Its version; empty if the file does not say.
    pub version: String,
    /// The format, as messages name it.
    pub format: &'static str,
    /// When it began.
    pub start: Start,
    /// What was measured, as the tool names it; empty if the file does not say.
    pub targets: Vec<String>,
    /// The hosts that measured; empty if the file does not say.
    pub hosts: Vec<String>,
    /// The points, in the order of the file; at least one.
    pub points: Vec<PointResult>,
    /// What a reader must know of the numbers, and what was left out.
    pub notes: Vec<ImportNote>,
}

impl Reading {
    /// This result and another of the same tool as one: its points follow.
    ///
    /// # Errors
    /// When another tool, or another version of it, measured that.
    pub fn and(mut self, other: Self) -> Result<Self, Fault> {
        if (&self.tool, &self.version, self.format) != (&other.tool, &other.version, other.format) {
            return Err(Fault::new("the files do not make one run")
                .because(format!(
                    "one is of {} {} ({}), another of {} {} ({})",
                    self.tool, self.version, self.format, other.tool, other.version, other.format
                ))
                .fix("import them one by one"));
        }
        self.points.extend(other.points);
        let join = |into: &mut Vec<String>, more: Vec<String>| {
            for name in more {
                if !into.contains(&name) {
                    into.push(name);
                }
            }
        };
        join(&mut self.targets, other.targets);
        join(&mut self.hosts, other.hosts);
        for note in other.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        self.start = self.start.and(other.start);
        Ok(self)
    }
}

impl Start {
    /// The time of two results together: from the earlier start to the later end, as far as both are known in
    /// the same way.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Utc(one, one_end), Self::Utc(other, other_end)) => {
                let end = one_end.max(other_end).filter(|end| *end >= one && *end >= other);
                Self::Utc(one.min(other), end)
            }
            (Self::Local(one), Self::Local(other)) => Self::Local(one.min(other)),
            _ => Self::Unknown,
        }
    }
}

/// How an imported run is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Naming {
    /// Its id.
    pub id: String,
    /// The user's own name for it; may be empty.
    pub label: String,
    /// The name of the file, without its folder.
    pub file: String,
    /// RFC 3339, in UTC: now, for files that do not say when they were measured.
    pub now: String,
    /// Version of Kneepoint that imports.
    pub version: String,
    /// The command as it was typed.
    pub command: String,
}

/// The run that a reading becomes, without its analysis; it is read at `rules`, or at those for disks if
/// there are none.
pub fn document(reading: Reading, naming: Naming, rules: &[Rule]) -> RunDocument {
    let Reading { tool, version, format, start, targets, hosts, mut points, mut notes } = reading;
    let (started_at, finished_at) = match start {
        Start::Utc(start, end) => {
            let end = end.filter(|end| *end >= start).unwrap_or_else(|| start.clone());
            (start, end)
        }
        Start::Local(start) => {
            notes.push(ImportNote::LocalTime);
            (start.clone(), start)
        }
        Start::Unknown => {
            notes.push(ImportNote::UnknownTime);
            (naming.now.clone(), naming.now)
        }
    };
    number_repetitions(&mut points);
    let default_rules = StorageClass::Rotational.rules();
    let rules = if rules.is_empty() { &default_rules } else { rules };
    let measured_by = if version.is_empty() { tool.clone() } else { format!("{tool} {version}") };
    let mut warnings = vec![Warning::Imported { tool: measured_by, file: naming.file.clone() }];
    warnings.extend(notes.into_iter().map(|note| Warning::ImportedWith { note }));
    let work = naming.file.split('.').next().unwrap_or_default().to_owned();
    let imported =
        Imported { tool, version, format: format.to_owned(), file: naming.file, targets, hosts };
    RunDocument {
        schema: RUN_SCHEMA.to_owned(),
        run: RunHeader {
            id: naming.id,
            label: naming.label,
            work: work.clone(),
            state: RunState::Complete,
            started_at,
            finished_at,
            plan_hash: String::new(),
            seed: 0,
            version: naming.version,
            command: naming.command,
        },
        environment: Environment { imported: Some(imported), ..Environment::default() },
        plan: json!({"schema": NO_PLAN, "work": work, "rules": rules}),
        points,
        copies: Vec::new(),
        analysis: RunAnalysis::default(),
        warnings,
    }
}

/// Points of the same series and load are repetitions of one another.
fn number_repetitions(points: &mut [PointResult]) {
    let mut seen: BTreeMap<(String, u64, &str), u32> = BTreeMap::new();
    for point in points {
        let load = point.load;
        let count = seen
            .entry((point.series.clone(), load.value.to_bits(), load.unit.label()))
            .or_insert(0);
        point.repetition = *count;
        *count += 1;
    }
}

/// What was measured of one response class, or of a part of one.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Part {
    /// The class.
    pub(super) class: &'static str,
    /// I/Os that completed.
    pub(super) operations: u64,
    /// I/Os per second.
    pub(super) rate: f64,
    /// MiB per second.
    pub(super) mib_s: f64,
    /// Response times.
    pub(super) latency: Latency,
}

/// The response times of several parts together: of more than one, percentiles are not known.
pub(super) fn together<'a>(parts: impl Iterator<Item = &'a Part> + Clone) -> Latency {
    let active = parts.filter(|part| part.operations > 0);
    let mut first_ones = active.clone();
    if let (Some(only), None) = (first_ones.next(), first_ones.next()) {
        return only.latency;
    }
    let operations: f64 = active.clone().map(|part| part.operations as f64).sum();
    if operations == 0.0 {
        return Latency::without_distribution(0.0, 0.0);
    }
    let sum: f64 = active.clone().map(|part| part.operations as f64 * part.latency.mean).sum();
    let max = active.clone().map(|part| part.latency.max).fold(0.0, f64::max);
    let mins: Option<Vec<f64>> = active.map(|part| part.latency.min).collect();
    let latency = Latency::without_distribution(sum / operations, max);
    match mins {
        Some(mins) => latency.with_min(mins.into_iter().fold(f64::INFINITY, f64::min)),
        None => latency,
    }
}

/// Adds flushes to a point, of whose throughput they are no part.
pub(super) fn add_flushes(result: &mut PointResult, flushes: &[Part]) {
    let operations = flushes.iter().map(|part| part.operations).fold(0, u64::saturating_add);
    if operations == 0 {
        return;
    }
    let class = ClassResult {
        operations,
        rate: flushes.iter().map(|part| part.rate).sum(),
        volume: None,
        latency_ms: together(flushes.iter()),
    };
    result.classes.insert(FLUSH.to_owned(), class);
}

/// What a point is made of, beside its parts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape {
    /// Name of the series.
    pub(super) series: String,
    /// Name of the profile.
    pub(super) profile: String,
    /// The load.
    pub(super) load: LoadLevel,
    /// Targets that had this load each.
    pub(super) target_count: usize,
    /// Block size in bytes; of a mix the mean.
    pub(super) block_bytes: u64,
    /// Share of reads, in percent.
    pub(super) read_percent: f64,
    /// Share of random positions, in percent.
    pub(super) random_percent: f64,
    /// Measured time in seconds.
    pub(super) measured_s: f64,
    /// Response time of all together, if it is not that of the parts.
    pub(super) latency: Option<Latency>,
}

/// The point that `parts` make up.
pub(super) fn point(shape: Shape, parts: &[Part]) -> PointResult {
    let classes: BTreeSet<&'static str> =
        parts.iter().filter(|part| part.operations > 0).map(|part| part.class).collect();
    let class_of = |class: &'static str| {
        let of_class = parts.iter().filter(move |part| part.class == class);
        ClassResult {
            operations: of_class.clone().map(|part| part.operations).fold(0, u64::saturating_add),
            rate: of_class.clone().map(|part| part.rate).sum(),
            volume: Some(of_class.clone().map(|part| part.mib_s).sum()),
            latency_ms: together(of_class),
        }
    };
    let rate: f64 = parts.iter().map(|part| part.rate).sum();
    let mib_s: f64 = parts.iter().map(|part| part.mib_s).sum();
    let latency_ms = shape.latency.unwrap_or_else(|| together(parts.iter()));
    let achieved = rate * latency_ms.mean / 1e3 / shape.target_count.max(1) as f64;
    let known = |mean: f64| Estimate { mean, ci95: None };
    PointResult {
        series: shape.series,
        profile: shape.profile,
        load: shape.load,
        verdict: Verdict::Fixed,
        measured_s: shape.measured_s,
        operations: parts.iter().map(|part| part.operations).fold(0, u64::saturating_add),
        rate: Throughput::iops(known(rate)),
        volume: Some(Throughput::mib_s(known(mib_s))),
        latency_ms,
        classes: classes.into_iter().map(|class| (class.to_owned(), class_of(class))).collect(),
        storage: Some(StorageResult {
            block_bytes: shape.block_bytes,
            read_percent: shape.read_percent,
            random_percent: shape.random_percent,
            achieved_outstanding: achieved,
            ..StorageResult::default()
        }),
        cpu_percent: None,
        ..PointResult::default()
    }
}
