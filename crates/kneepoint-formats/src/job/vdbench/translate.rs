//! From definitions to a suite.

use kneepoint_core::spec::profile::{Align, BLOCK_BYTES_MAX, LINES_MAX, WriteKind};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Bytes;

use super::load::unlike;
use super::moment::Placed;
use super::reader::{Definition, File, Value, shown};
use super::source::Source;
use super::value::{VALUES_MAX, bytes, is_meant, names, parts};
use crate::job::draft::{Draft, DraftLine, DraftLoad, DraftSeries, one_line};
use crate::job::{Conduct, Difference};

/// The suite of a parameter file.
pub(super) fn translate(file: &File) -> Result<(Draft, Conduct, Vec<Difference>), Fault> {
    let mut translation =
        Translation { text: &file.source, file, differences: Vec::new(), moments: 0 };
    let (draft, conduct) = translation.draft()?;
    let mut differences = translation.differences;
    differences.sort_by_key(|(line, _)| *line);
    differences.dedup();
    let differences = differences
        .into_iter()
        .map(|(line, what)| Difference { place: file.source.place(line), what });
    Ok((draft, conduct, differences.collect()))
}

/// Parameters that are taken over or told of, by kind of definition.
const KNOWN: [(&str, &[&str]); 4] = [
    ("sd", &["lun", "size", "threads", "openflags", "range", "host", "hd", "hitarea", "align"]),
    (
        "wd",
        &[
            "sd",
            "xfersize",
            "rdpct",
            "seekpct",
            "skew",
            "hotband",
            "range",
            "threads",
            "host",
            "hd",
            "rhpct",
            "whpct",
            "operations",
            "priority",
        ],
    ),
    (
        "rd",
        &[
            "wd",
            "sd",
            "iorate",
            "curve",
            "stopcurve",
            "elapsed",
            "interval",
            "warmup",
            "pause",
            "forthreads",
            "threads",
            "forxfersize",
            "forrdpct",
            "forseekpct",
            "distribution",
            "maxdata",
        ],
    ),
    (
        "general",
        &[
            "messagescan",
            "report",
            "histogram",
            "data_errors",
            "debug",
            "monitor",
            "abort_failed_skew",
            "compratio",
            "dedupratio",
            "dedupunit",
            "dedupflipflop",
            "port",
        ],
    ),
];

/// Why some parameters are refused.
const REFUSED: &[(&str, &str)] = &[
    ("validate", "that data is right is asked for on the command line: --verify"),
    ("journal", "that data is right is asked for on the command line: --verify"),
    ("include", "a file is included by a line of its own: include=FILE"),
    ("startcmd", "commands in the files of others are never run"),
    ("endcmd", "commands in the files of others are never run"),
    ("start_cmd", "commands in the files of others are never run"),
    ("end_cmd", "commands in the files of others are never run"),
    ("stream", "each worker has one sequential position here"),
    ("stride", "a sequential I/O begins where the last one ended"),
    ("replay", "a trace is measured without a parameter file: kneepoint run TRACE TARGET"),
    ("offset", "where the target begins cannot be said in bytes here"),
];

/// Whether the workloads of `run` are no lines of one profile: they use different storage, or other parts of it at a
/// rate, which can be divided. So can the load of a workload alone, each of whose storage has its threads.
fn is_of_moment(run: &Definition, placed: &[Placed<'_>]) -> bool {
    let part = |one: &Placed<'_>| {
        let parameters = &one.workload.parameters;
        parameters.get("hotband").or(parameters.get("range")).map(|value| value.text.clone())
    };
    let rate = run.parameters.get("iorate").map(|value| value.text.to_ascii_lowercase());
    let is_divided = rate.as_ref().is_some_and(|rate| rate != "max" && rate != "curve");
    let is_alone = placed.len() == 1 && rate.is_some_and(|rate| rate == "max");
    let workloads: Vec<&Definition> = placed.iter().map(|one| one.workload).collect();
    if (is_divided || is_alone) && unlike(&workloads, &placed[0].storage).is_some() {
        return true;
    }
    let differ = |one: &Placed<'_>| {
        one.storage != placed[0].storage || (is_divided && part(one) != part(&placed[0]))
    };
    placed.iter().any(differ)
}

/// A part of a run: what is varied has one value.
pub(super) struct Variant {
    pub(super) suffix: String,
    size: Option<String>,
    read: Option<f64>,
    random: Option<String>,
}

pub(super) struct Translation<'a> {
    /// Where its lines are.
    pub(super) text: &'a Source,
    pub(super) file: &'a File,
    /// Line (0 for the file as a whole) and difference.
    differences: Vec<(usize, String)>,
    /// Moments at which several workloads are measured, so far.
    moments: usize,
}

impl<'a> Translation<'a> {
    pub(super) fn differ(&mut self, line: usize, what: impl Into<String>) {
        self.differences.push((line, what.into()));
    }

    /// The number of the next moment.
    pub(super) fn next_moment(&mut self) -> usize {
        self.moments += 1;
        self.moments
    }

    fn draft(&mut self) -> Result<(Draft, Conduct), Fault> {
        self.check_known()?;
        if self.file.runs.is_empty() {
            return Err(Fault::new(format!("{}: there is no run (rd=) in it", self.text.file()))
                .fix("add one, such as rd=rd1,wd=wd1,iorate=max,elapsed=60,interval=5"));
        }
        let (mut series, mut conducts) = (Vec::new(), Vec::new());
        for run in &self.file.runs {
            let (more, conduct) = self.run(run)?;
            series.extend(more);
            conducts.push(conduct);
            if series.len() > VALUES_MAX {
                return Err(Fault::new(format!(
                    "{}: more than {VALUES_MAX} series",
                    self.text.file()
                ))
                .fix("split the file"));
            }
        }
        let is_group = |one: &&DraftSeries| one.together.is_some();
        if series.iter().skip_while(|one| !is_group(one)).any(|one| !is_group(&one)) {
            self.differ(
                0,
                "runs whose workloads have loads of their own are measured after the others",
            );
        }
        self.tell_general();
        let rules = self.rules()?;
        let size = self.size()?;
        let file = self.text.file().rsplit('/').next().unwrap_or_default();
        let draft = Draft {
            title: file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned(),
            description: String::new(),
            source: format!("vdbench parameter file {}", one_line(self.text.file())),
            size,
            rules,
            series,
        };
        Ok((draft, self.common(&conducts)))
    }

    /// The rules of all runs: the response times at which their curves stop.
    fn rules(&mut self) -> Result<Vec<String>, Fault> {
        let limits: Vec<Option<&Value>> =
            self.file.runs.iter().map(|run| run.parameters.get("stopcurve")).collect();
        let is_of_all = |limit: &Value| {
            limits.iter().all(|other| other.is_some_and(|other| other.text == limit.text))
        };
        let mut rules = Vec::new();
        for limit in limits.iter().flatten() {
            let rule = format!("mean<={}ms", self.number(limit)?);
            if !is_of_all(limit) {
                let text = shown(&limit.text);
                self.differ(
                    limit.line,
                    format!("stopcurve={text} of one run is a rule of all of them here"),
                );
            }
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
        Ok(rules)
    }

    /// Refuses parameters that are not known.
    fn check_known(&self) -> Result<(), Fault> {
        let file = self.file;
        let definitions = [("sd", &file.storage), ("wd", &file.workloads), ("rd", &file.runs)];
        let all = definitions.into_iter().flat_map(|(kind, list)| {
            list.iter().flat_map(move |one| one.parameters.iter().map(move |pair| (kind, pair)))
        });
        let general = file.general.iter().map(|pair| ("general", pair));
        for (kind, (key, value)) in all.chain(general) {
            let is_known =
                KNOWN.iter().any(|(of, keys)| *of == kind && keys.contains(&key.as_str()));
            let is_off = matches!(value.text.as_str(), "no" | "0" | "n");
            if is_known || is_off {
                continue;
            }
            let refused = REFUSED.iter().find(|(begin, _)| key.starts_with(begin));
            let why =
                refused.map_or("Kneepoint does not know what it would change", |(_, why)| why);
            return Err(self
                .text
                .fault(value.line, format!("{}: the parameter cannot be converted", shown(key)))
                .because(why)
                .fix("remove the parameter"));
        }
        Ok(())
    }

    pub(super) fn wrong(&self, value: &Value, what: &str, fix: &str) -> Fault {
        let what = format!("'{}' is no {what}", shown(&value.text));
        self.text.fault(value.line, what).fix(fix)
    }

    pub(super) fn number(&self, value: &Value) -> Result<f64, Fault> {
        let number =
            value.text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
        number.ok_or_else(|| self.wrong(value, "number", "write it in digits, above 0"))
    }

    pub(super) fn percent(&self, value: &Value) -> Result<f64, Fault> {
        let number = value.text.trim_end_matches('%').parse().ok();
        let number = number.filter(|number| (0.0..=100.0).contains(number));
        number.ok_or_else(|| self.wrong(value, "percentage", "write a number from 0 to 100"))
    }

    /// The definitions of a list that a value names.
    fn meant(&self, list: &'a [Definition], value: &Value) -> Result<Vec<&'a Definition>, Fault> {
        let unknown = |name: &str| {
            self.text
                .fault(value.line, format!("'{}' is not defined", shown(name)))
                .fix("define it above, or correct the name")
        };
        let patterns = names(&value.text).ok_or_else(|| unknown(&value.text))?;
        let mut meant: Vec<&Definition> = Vec::new();
        for pattern in &patterns {
            let before = meant.len();
            for one in list.iter().filter(|one| is_meant(pattern, &one.name)) {
                if !meant.iter().any(|known| known.name == one.name) {
                    meant.push(one);
                }
            }
            if meant.len() == before && !list.iter().any(|one| is_meant(pattern, &one.name)) {
                return Err(unknown(pattern));
            }
        }
        Ok(meant)
    }

    /// The series of a run, one for each combination of what it varies.
    fn run(&mut self, run: &'a Definition) -> Result<(Vec<DraftSeries>, Conduct), Fault> {
        let workloads = match run.parameters.get("wd") {
            Some(value) => self.meant(&self.file.workloads, value)?,
            None => self.file.workloads.iter().collect(),
        };
        let Some(first) = workloads.first() else {
            return Err(self
                .text
                .fault(run.line, format!("the run '{}' has no workload", one_line(&run.name)))
                .fix("add a workload: wd=wd1,sd=*,xfersize=4k"));
        };
        let mut placed = Vec::new();
        for workload in &workloads {
            placed.push(Placed { workload, storage: self.storage_of(run, workload)? });
        }
        if is_of_moment(run, &placed) {
            return self.moments(run, &placed);
        }
        let storage = placed.swap_remove(0).storage;
        self.check_alike(&workloads, &storage)?;
        self.check_threads(run, &workloads)?;
        let skews = self.skews(&workloads)?;
        let shared: Vec<(&Definition, f64)> = workloads.iter().copied().zip(skews).collect();
        let load = self.load(run, first, &storage)?;
        let flags = self.open_flags(&storage)?;
        let mut series = Vec::new();
        for variant in self.variants(run)? {
            let lines = self.lines(&shared, &storage, &variant)?;
            let mut one = DraftSeries::of(&format!("{}{}", run.name, variant.suffix), lines);
            one.range = self.range(&workloads, &storage)?;
            one.load = Some(load.clone());
            if one.writes() {
                one.data = self.data()?;
                one.durability.sync = flags.sync;
            }
            series.push(one);
        }
        self.tell_run(run, &workloads);
        if workloads.len() > 1 {
            self.differ(run.line, "each workload goes on from its own sequential position in vdbench; here they share one");
        }
        self.tell_storage(run, &storage);
        let conduct = self.conduct(run, flags, matches!(load, DraftLoad::Rate(_)))?;
        Ok((series, conduct))
    }

    /// The storage that a workload uses in a run, which may name it in its place.
    fn storage_of(
        &self,
        run: &Definition,
        workload: &Definition,
    ) -> Result<Vec<&'a Definition>, Fault> {
        let named = run.parameters.get("sd").or(workload.parameters.get("sd"));
        let storage = match named {
            Some(value) => self.meant(&self.file.storage, value)?,
            None => self.file.storage.iter().collect(),
        };
        match storage.is_empty() {
            false => Ok(storage),
            true => Err(self
                .text
                .fault(
                    workload.line,
                    format!("the workload '{}' has no storage", one_line(&workload.name)),
                )
                .fix("add storage: sd=sd1,lun=/dev/sdb,openflags=o_direct")),
        }
    }

    /// The combinations of `forxfersize`, `forrdpct` and `forseekpct`.
    pub(super) fn variants(&self, run: &Definition) -> Result<Vec<Variant>, Fault> {
        let list = |key: &str| -> Vec<Option<String>> {
            match run.parameters.get(key) {
                None => vec![None],
                Some(value) => {
                    parts(&value.text).iter().map(|part| Some((*part).to_owned())).collect()
                }
            }
        };
        let (sizes, reads, randoms) = (list("forxfersize"), list("forrdpct"), list("forseekpct"));
        let count = sizes.len().saturating_mul(reads.len()).saturating_mul(randoms.len());
        if count > VALUES_MAX {
            return Err(self
                .text
                .fault(run.line, format!("{count} combinations are more than {VALUES_MAX}"))
                .fix("split the run"));
        }
        let mut variants = Vec::new();
        for size in &sizes {
            for read in &reads {
                for random in &randoms {
                    let named = [(size, "x"), (read, "r"), (random, "s")];
                    let suffix: String = named
                        .iter()
                        .filter_map(|(value, name)| Some(format!(" {name}{}", value.as_ref()?)))
                        .collect();
                    let read = read
                        .as_ref()
                        .map(|text| self.percent(&Value { line: run.line, text: text.clone() }));
                    variants.push(Variant {
                        suffix,
                        size: size.clone(),
                        read: read.transpose()?,
                        random: random.clone(),
                    });
                }
            }
        }
        Ok(variants)
    }

    /// The I/Os of all workloads, each with its share.
    pub(super) fn lines(
        &mut self,
        workloads: &[(&Definition, f64)],
        storage: &[&Definition],
        variant: &Variant,
    ) -> Result<Vec<DraftLine>, Fault> {
        let align = match storage.iter().find_map(|one| one.parameters.get("align")) {
            None => None,
            Some(value) => Some(
                bytes(&value.text)
                    .filter(|bytes| (1..=BLOCK_BYTES_MAX).contains(bytes))
                    .ok_or_else(|| self.wrong(value, "size", "write it as 4096 or 4k"))?,
            ),
        };
        let mut lines = Vec::new();
        for (workload, skew) in workloads {
            let get = |key: &str| workload.parameters.get(key);
            let read = match (variant.read, get("rdpct"), get("operations")) {
                (Some(read), ..) => read,
                (None, Some(value), _) => self.percent(value)?,
                (None, None, Some(value)) => match value.text.as_str() {
                    "read" => 100.0,
                    "write" => 0.0,
                    _ => return Err(self.wrong(value, "operation", "write read or write")),
                },
                _ => 100.0,
            };
            let given = variant
                .random
                .as_ref()
                .map(|text| Value { line: workload.line, text: text.clone() });
            let random = match given.as_ref().or(get("seekpct")) {
                None => 100.0,
                Some(value) => self.random(value)?,
            };
            let size =
                variant.size.as_ref().map(|text| Value { line: workload.line, text: text.clone() });
            for (size, share) in self.sizes(size.as_ref().or(get("xfersize")))? {
                let align = align.filter(|align| *align != size);
                lines.push(DraftLine {
                    share: skew * share / 100.0,
                    size,
                    read,
                    write: WriteKind::Data,
                    random,
                    pause: None,
                    align: align.map_or(Align::Request, |align| Align::Size(Bytes(align))),
                    gap: 0,
                });
            }
        }
        Ok(lines)
    }

    /// The share of each workload in percent; those that do not say share the rest.
    pub(super) fn skews(&self, workloads: &[&Definition]) -> Result<Vec<f64>, Fault> {
        let mut given = Vec::new();
        for workload in workloads {
            given.push(
                workload.parameters.get("skew").map(|value| self.percent(value)).transpose()?,
            );
        }
        let total: f64 = given.iter().flatten().sum();
        let open = given.iter().filter(|skew| skew.is_none()).count();
        let rest = (100.0 - total) / open.max(1) as f64;
        let is_complete = if open == 0 { (total - 100.0).abs() < 1e-6 } else { rest > 0.0 };
        let has_none = given.contains(&Some(0.0));
        match is_complete && !has_none {
            true => Ok(given.into_iter().map(|skew| skew.unwrap_or(rest)).collect()),
            false => Err(self
                .text
                .fault(
                    workloads.first().map_or(0, |one| one.line),
                    format!("the skews of the run add up to {total} %"),
                )
                .fix("let them add up to 100, each above 0, or leave them out")),
        }
    }

    /// Sizes whose shares add up to 100. Up to a hundredth more is let pass, as vdbench does, which leaves out what is
    /// behind the point.
    fn complete(
        &mut self,
        value: &Value,
        sizes: Vec<(u64, f64)>,
    ) -> Result<Vec<(u64, f64)>, Fault> {
        let total: f64 = sizes.iter().map(|(_, share)| share).sum();
        if !(100.0 - 1e-6..101.0).contains(&total) {
            return Err(self
                .text
                .fault(
                    value.line,
                    format!("the shares of the sizes add up to {total} %, not 100 %"),
                )
                .fix("change the shares of xfersize"));
        }
        if total > 100.0 + 1e-6 {
            self.differ(
                value.line,
                format!("the shares of the sizes add up to {total:.4} %; each is made smaller by as much"),
            );
        }
        Ok(sizes.into_iter().map(|(size, share)| (size, share * 100.0 / total)).collect())
    }

    fn random(&mut self, value: &Value) -> Result<f64, Fault> {
        match value.text.as_str() {
            "rand" | "random" => Ok(100.0),
            "seq" | "sequential" => Ok(0.0),
            "seqnz" | "eof" => {
                self.differ(value.line, format!("seekpct={}: here I/O in order begins at the start, and goes on there from the end", value.text));
                Ok(0.0)
            }
            _ => self.percent(value),
        }
    }

    /// Sizes with their shares in percent.
    fn sizes(&mut self, value: Option<&Value>) -> Result<Vec<(u64, f64)>, Fault> {
        let Some(value) = value else { return Ok(vec![(4096, 100.0)]) };
        let wrong =
            || self.wrong(value, "size", "write it as 8k, (4k,50,8k,50) or (4k,64k,4k), up to 1g");
        let size = |text: &str| {
            bytes(text).filter(|size| (1..=BLOCK_BYTES_MAX).contains(size)).ok_or_else(wrong)
        };
        match parts(&value.text).as_slice() {
            [one] => Ok(vec![(size(one)?, 100.0)]),
            [min, max, step] => {
                let (min, max, step) = (size(min)?, size(max)?, size(step)?);
                let count = max.checked_sub(min).ok_or_else(wrong)? / step + 1;
                if count > LINES_MAX as u64 {
                    return Err(self
                        .text
                        .fault(value.line, format!("{count} sizes are more than {LINES_MAX}"))
                        .fix("use a larger third value"));
                }
                Ok((0..count).map(|index| (min + index * step, 100.0 / count as f64)).collect())
            }
            pairs if !pairs.is_empty() && pairs.len() % 2 == 0 => {
                let mut sizes = Vec::new();
                for pair in pairs.chunks(2) {
                    let share = Value { line: value.line, text: pair[1].to_owned() };
                    let share = self.percent(&share)?;
                    if share > 0.0 {
                        sizes.push((size(pair[0])?, share));
                    }
                }
                self.complete(value, sizes)
            }
            _ => Err(wrong()),
        }
    }
}
