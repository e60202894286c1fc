//! How runs are measured, and what is told of a file.

use kneepoint_core::plan::{Arrivals, Caching};
use kneepoint_core::spec::profile::WriteSync;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use super::reader::{Definition, Value, shown};
use super::translate::Translation;
use super::value::bytes;
use crate::job::Conduct;

/// How storage is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct OpenFlags {
    /// Past the page cache.
    pub(super) is_direct: bool,
    /// How far each write has come when it completes.
    pub(super) sync: Option<WriteSync>,
}

impl Translation<'_> {
    /// What compresses and what repeats, in percent.
    pub(super) fn data(&self) -> Result<(f64, f64), Fault> {
        let share = |key: &str| match self.file.general.get(key) {
            None => Ok(0.0),
            Some(value) => match self.number(value)? {
                ratio if ratio >= 1.0 => Ok(100.0 - 100.0 / ratio),
                _ => Err(self.wrong(value, "ratio", "write at least 1")),
            },
        };
        Ok((share("compratio")?, share("dedupratio")?))
    }

    /// Bytes of each target, if the storage says.
    pub(super) fn size(&mut self) -> Result<Option<u64>, Fault> {
        let mut sizes = Vec::new();
        for one in &self.file.storage {
            if let Some(value) = one.parameters.get("size") {
                let size = bytes(&value.text).filter(|size| *size > 0);
                sizes.push(size.ok_or_else(|| self.wrong(value, "size", "write it as 50g"))?);
            }
        }
        if sizes.iter().any(|size| *size != sizes[0]) {
            self.differ(0, "storage has different sizes; here of each target as much is used as of the largest");
        }
        Ok(sizes.iter().copied().max())
    }

    pub(super) fn tell_run(&mut self, run: &Definition, workloads: &[&Definition]) {
        for key in ["pause", "maxdata"] {
            if let Some(value) = run.parameters.get(key) {
                self.differ(value.line, format!("{key}={} is left out", shown(&value.text)));
            }
        }
        let is_offered = self.iorate(run).is_ok_and(|rate| !rate.text.eq_ignore_ascii_case("max"));
        if let Some(value) = run.parameters.get("forthreads").filter(|_| is_offered) {
            self.differ(value.line, "forthreads has no effect on a rate here: it is offered whatever the target answers");
        }
        if !run.parameters.contains_key("elapsed") {
            let first = self.file.runs.first();
            let here = match first.is_some_and(|first| first.parameters.contains_key("elapsed")) {
                true => "here it has the time of the first run",
                false => "here a point ends when it is accurate",
            };
            let name = shown(&run.name);
            let what = format!("the run '{name}' has no elapsed, which is 30 s in vdbench; {here}");
            self.differ(run.line, what);
        }
        if let Some(value) = run.parameters.get("interval") {
            self.differ(value.line, "interval is left out: intervals are of about a second here");
        }
        for workload in workloads {
            for key in ["rhpct", "whpct", "priority"] {
                let value = workload.parameters.get(key).filter(|value| value.text != "0");
                if let Some(value) = value {
                    self.differ(value.line, format!("{key}={} is left out: no I/Os are chosen to hit a cache, and none go before others", shown(&value.text)));
                }
            }
        }
    }

    /// That a run leaves out storage of the file.
    pub(super) fn tell_storage(&mut self, run: &Definition, storage: &[&Definition]) {
        let (used, all) = (storage.len(), self.file.storage.len());
        if used < all {
            self.differ(
                run.line,
                format!("the run uses {used} of {all} definitions of storage; here all targets have its load"),
            );
        }
    }

    pub(super) fn tell_general(&mut self) {
        if let Some(host) = self.file.hosts.first() {
            self.differ(
                host.line,
                format!(
                    "{} hosts are not used: the command line names hosts (--hosts)",
                    self.file.hosts.len()
                ),
            );
        }
        if let Some((line, lun)) =
            self.file.storage.iter().find_map(|one| {
                one.parameters.get("lun").map(|value| (value.line, value.text.clone()))
            })
        {
            let lun = shown(&lun);
            self.differ(line, format!("'{lun}' and other storage of the file is not touched: the command line names the targets"));
        }
        let count = self.file.storage.len();
        if count > 1 {
            self.differ(
                self.file.storage[0].line,
                format!("the file has {count} definitions of storage: name as many targets"),
            );
        }
        if let Some(value) = self.file.general.get("dedupratio") {
            self.differ(
                value.line,
                "which blocks repeat is chosen in another way here; their share is the same",
            );
        }
        let left_out: Vec<&str> = [
            "messagescan",
            "report",
            "histogram",
            "data_errors",
            "debug",
            "monitor",
            "abort_failed_skew",
            "port",
        ]
        .into_iter()
        .filter(|key| self.file.general.contains_key(*key))
        .collect();
        if !left_out.is_empty() {
            self.differ(
                0,
                format!("left out, for they concern output and errors: {}", left_out.join(", ")),
            );
        }
    }

    pub(super) fn conduct(
        &mut self,
        run: &Definition,
        flags: OpenFlags,
        is_offered: bool,
    ) -> Result<Conduct, Fault> {
        let time = |key: &str| {
            let value = run.parameters.get(key);
            value.map(|value| self.seconds(value)).transpose()
        };
        let (elapsed, warmup) = (time("elapsed")?, time("warmup")?);
        let arrivals =
            match run.parameters.get("distribution").map(|value| (value, value.text.as_str())) {
                None | Some((_, "exponential" | "e")) => None,
                Some((_, "deterministic" | "d")) => Some(Arrivals::Constant),
                Some((value, _)) => {
                    let (line, text) = (value.line, shown(&value.text));
                    self.differ(
                        line,
                        format!("distribution={text} is not known here: arrivals are exponential"),
                    );
                    None
                }
            };
        Ok(Conduct {
            time: elapsed,
            ramp: warmup,
            caching: (!flags.is_direct).then_some(Caching::Buffered),
            arrivals: arrivals.filter(|_| is_offered),
            ..Conduct::default()
        })
    }

    /// The flags with which `storage` is opened: those of all of it.
    pub(super) fn open_flags(&self, storage: &[&Definition]) -> Result<OpenFlags, Fault> {
        let mut all: Option<OpenFlags> = None;
        for one in storage {
            let value = one.parameters.get("openflags");
            let flags = value.map_or(Ok(OpenFlags::default()), |value| self.flags(value))?;
            match all {
                Some(known) if known.sync != flags.sync => {
                    let line = value.map_or(one.line, |value| value.line);
                    return Err(self
                        .text
                        .fault(
                            line,
                            "openflags: writes are not as durable as those of other storage",
                        )
                        .because("all targets have the same load here")
                        .fix("use the same openflags for all storage of a run"));
                }
                Some(known) => {
                    all =
                        Some(OpenFlags { is_direct: known.is_direct && flags.is_direct, ..known });
                }
                None => all = Some(flags),
            }
        }
        Ok(all.unwrap_or_default())
    }

    /// The flags of one storage: `o_direct`, or several such as `(o_direct,o_dsync)`.
    fn flags(&self, value: &Value) -> Result<OpenFlags, Fault> {
        let mut flags = OpenFlags::default();
        for flag in value.text.trim_matches(['(', ')']).split(',') {
            match flag.trim() {
                "o_direct" | "directio" => flags.is_direct = true,
                "o_dsync" => flags.sync = Some(WriteSync::Dsync),
                "o_sync" => flags.sync = Some(WriteSync::Sync),
                _ => {
                    let what =
                        format!("openflags={}: the flags cannot be converted", shown(&value.text));
                    return Err(self
                        .text
                        .fault(value.line, what)
                        .because("o_direct, o_dsync and o_sync are known")
                        .fix("use openflags=o_direct, or openflags=(o_direct,o_dsync)"));
                }
            }
        }
        Ok(flags)
    }

    pub(super) fn seconds(&self, value: &Value) -> Result<Nanos, Fault> {
        let (digits, factor) = match value.text.chars().last() {
            Some('m') => (&value.text[..value.text.len() - 1], 60),
            Some('h') => (&value.text[..value.text.len() - 1], 3600),
            Some('s') => (&value.text[..value.text.len() - 1], 1),
            _ => (value.text.as_str(), 1),
        };
        let seconds = digits
            .parse::<u64>()
            .ok()
            .and_then(|number| number.checked_mul(factor * 1_000_000_000));
        seconds.map(Nanos).ok_or_else(|| self.wrong(value, "time", "write seconds, or 5m or 1h"))
    }

    /// How all of it is measured: as the first run.
    pub(super) fn common(&mut self, conducts: &[Conduct]) -> Conduct {
        let Some((first, others)) = conducts.split_first() else { return Conduct::default() };
        if others.iter().any(|other| other != first) {
            self.differ(0, "runs differ in elapsed, warmup, distribution or openflags, which are one for all here: those of the first run");
        }
        *first
    }
}
