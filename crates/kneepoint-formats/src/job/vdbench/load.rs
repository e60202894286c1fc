//! The load of runs, and the part of the storage that they use.

use kneepoint_core::spec::grid::{RATE_MAX, RATE_MIN};
use kneepoint_core::words::fault::Fault;

use super::reader::{Definition, Value, shown};
use super::translate::Translation;
use super::value::{bytes, numbers, parts};
use crate::job::draft::{DraftLoad, one_line};

/// Threads of storage where nothing is said.
const THREADS: f64 = 8.0;

/// A storage that is used in another way than the first one, with the parameter that says so.
pub(super) fn unlike<'a>(
    workloads: &[&Definition],
    storage: &[&'a Definition],
) -> Option<(&'static str, &'a Definition)> {
    let range = |one: &Definition| match one.parameters.get("range") {
        Some(value) => parts(&value.text).into_iter().map(str::to_owned).collect(),
        None => vec!["0".to_owned(), "100".to_owned()],
    };
    let align = |one: &Definition| one.parameters.get("align").map(|value| bytes(&value.text));
    // The part that a workload names goes before that of its storage.
    let is_named =
        |one: &&Definition| ["hotband", "range"].map(|key| one.parameters.get(key)) != [None; 2];
    let first = storage.first()?;
    storage.iter().find_map(|one| {
        let is_other = range(one) != range(first) && !workloads.iter().all(is_named);
        let key = match is_other {
            true => "range",
            false => (align(one) != align(first)).then_some("align")?,
        };
        Some((key, *one))
    })
}

impl Translation<'_> {
    /// Refuses storage of which each is used in another way.
    pub(super) fn check_alike(
        &self,
        workloads: &[&Definition],
        storage: &[&Definition],
    ) -> Result<(), Fault> {
        let Some((key, other)) = unlike(workloads, storage) else { return Ok(()) };
        let [name, first] = [other, storage[0]].map(|one| one_line(&one.name));
        let line = other.parameters.get(key).map_or(other.line, |value| value.line);
        Err(self
            .text
            .fault(line, format!("{key}: '{name}' has another {key} than '{first}'"))
            .because("all targets have the same load here")
            .fix(format!(
                "use the same {key} for all storage of a run, or write I/Os per second as the iorate"
            )))
    }

    /// The part of the targets in percent.
    pub(super) fn range(
        &mut self,
        workloads: &[&Definition],
        storage: &[&Definition],
    ) -> Result<(f64, f64), Fault> {
        let find = |key: &str, list: &[&Definition]| {
            list.iter().find_map(|one| one.parameters.get(key)).cloned()
        };
        for one in workloads {
            if let (Some(hot), Some(_)) =
                (one.parameters.get("hotband"), one.parameters.get("range"))
            {
                return Err(self
                    .text
                    .fault(hot.line, format!("'{}' has both hotband and range", shown(&one.name)))
                    .because("each is the part of the storage that it uses")
                    .fix("remove one of them"));
            }
        }
        let hot = find("hotband", workloads);
        if let Some(value) = &hot {
            self.differ(value.line, "inside its hot band vdbench prefers some positions to others; here all of the band are alike");
        }
        let Some(value) = hot.or(find("range", workloads)).or(find("range", storage)) else {
            return Ok((0.0, 100.0));
        };
        let of = |one: &&Definition| {
            let own = one.parameters.get("hotband").or(one.parameters.get("range"));
            own.map(|value| value.text.clone())
        };
        if workloads.iter().map(of).any(|own| own != of(&workloads[0])) {
            return Err(self
                .text
                .fault(value.line, "the workloads of a run use other parts of the storage")
                .because("a profile has one part of the target, which all of its lines use")
                .fix("use one range, write I/Os per second as the iorate, or make two runs"));
        }
        let ends: Option<Vec<f64>> =
            parts(&value.text).iter().map(|part| part.parse().ok()).collect();
        match ends.as_deref() {
            Some([start, end]) if (0.0..*end).contains(start) && *end <= 100.0 => {
                Ok((*start, *end))
            }
            _ => Err(self.wrong(
                &value,
                "part of the storage",
                "write it as (10,20), from 0 to 100 percent",
            )),
        }
    }

    /// Refuses workloads of a run with different numbers of threads, none of which the run replaces.
    pub(super) fn check_threads(
        &self,
        run: &Definition,
        workloads: &[&Definition],
    ) -> Result<(), Fault> {
        let is_max = self.iorate(run)?.text.eq_ignore_ascii_case("max");
        let is_replaced =
            ["forthreads", "threads"].iter().any(|key| run.parameters.contains_key(*key));
        let threads =
            |one: &Definition| one.parameters.get("threads").map(|value| value.text.clone());
        let other = workloads.iter().find(|one| threads(one) != threads(workloads[0]));
        match other {
            Some(other) if is_max && !is_replaced => {
                let line = other.parameters.get("threads").map_or(other.line, |value| value.line);
                let [name, first] = [other, workloads[0]].map(|one| one_line(&one.name));
                Err(self
                    .text
                    .fault(line, format!("threads: '{name}' has another number than '{first}'"))
                    .because("workloads on the same storage share its outstanding I/Os here")
                    .fix("write threads in the run, or the same for all of its workloads"))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn load(
        &mut self,
        run: &Definition,
        workload: &Definition,
        storage: &[&Definition],
    ) -> Result<DraftLoad, Fault> {
        let rate = self.iorate(run)?;
        match rate.text.as_str() {
            max if max.eq_ignore_ascii_case("max") => self.outstanding(run, workload, storage),
            "curve" => {
                let points = run
                    .parameters
                    .get("curve")
                    .map_or("10, 50, 70, 80, 90 and 100", |value| &value.text);
                self.differ(rate.line, format!(
                    "vdbench measures the highest rate, then {points} % of it; here rates are offered that double until \
                     rules and the peak are found"
                ));
                Ok(DraftLoad::Rate("auto".to_owned()))
            }
            _ => {
                let rates = self.rates(rate)?;
                if storage.len() > 1 {
                    self.differ(
                        rate.line,
                        format!(
                            "the rate is that of {} targets together; here each has its part",
                            storage.len()
                        ),
                    );
                }
                let part = |rate: &f64| ((rate / storage.len() as f64) * 1000.0).round() / 1000.0;
                let rates: Vec<f64> = rates.iter().map(part).collect();
                self.offered(Some(rate), &rates)
            }
        }
    }

    /// The load of a run, as it is typed.
    pub(super) fn iorate<'r>(&self, run: &'r Definition) -> Result<&'r Value, Fault> {
        run.parameters.get("iorate").ok_or_else(|| {
            self.text
                .fault(run.line, format!("the run '{}' has no iorate", one_line(&run.name)))
                .fix("add iorate=max, iorate=curve or a number of I/Os per second")
        })
    }

    /// I/Os per second, rising.
    pub(super) fn rates(&self, rate: &Value) -> Result<Vec<f64>, Fault> {
        numbers(&rate.text).ok_or_else(|| {
            self.wrong(rate, "rate", "write max, curve, 1000, (1000,2000) or (1000-5000,1000)")
        })
    }

    /// These I/Os per second of each target, which are parts of `rate`.
    pub(super) fn offered(&self, rate: Option<&Value>, parts: &[f64]) -> Result<DraftLoad, Fault> {
        match (parts.iter().all(|part| (RATE_MIN..=RATE_MAX).contains(part)), rate) {
            (false, Some(rate)) => Err(self.wrong(
                rate,
                "rate that can be offered",
                "use up to 1000000000 I/Os per second",
            )),
            _ => Ok(DraftLoad::Rate(listed(parts))),
        }
    }

    pub(super) fn outstanding(
        &mut self,
        run: &Definition,
        workload: &Definition,
        storage: &[&Definition],
    ) -> Result<DraftLoad, Fault> {
        let of_storage = storage
            .iter()
            .map(|one| one.parameters.get("threads").map(|value| value.text.as_str()));
        let of_storage: Vec<Option<&str>> = of_storage.collect();
        let value = run.parameters.get("forthreads").or(run.parameters.get("threads"));
        let value = value.or(workload.parameters.get("threads"));
        if value.is_none() && of_storage.iter().any(|threads| *threads != of_storage[0]) {
            self.differ(
                storage[0].line,
                "storage has different numbers of threads; here each target has that of the first",
            );
        }
        let Some(value) = value.or(storage[0].parameters.get("threads")) else {
            return Ok(DraftLoad::Outstanding(THREADS.to_string()));
        };
        Ok(DraftLoad::Outstanding(listed(&self.threads(value)?)))
    }
}

/// Levels as a grid is typed.
fn listed(levels: &[f64]) -> String {
    let levels: Vec<String> = levels.iter().map(f64::to_string).collect();
    levels.join(",")
}
