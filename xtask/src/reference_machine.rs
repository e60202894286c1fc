//! Measures the machine that ratios of the processor suite refer to: every member several times, all members once
//! before any of them again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{fs, io, thread};

use anyhow::{Context, ensure};
use clap::Args;
use serde_json::{Value, json};

/// Where the reference is kept.
const KEPT: &str = "crates/kneepoint-members/reference.json";

/// Numbers of seconds are kept with as many digits.
const DIGITS: i32 = 4;

/// How the reference machine is measured.
#[derive(Debug, Args)]
pub struct ReferenceArgs {
    /// Name of the machine and its measurement
    #[arg(long, value_name = "NAME")]
    name: String,
    /// Runs of each member, of which the median counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(3..))]
    runs: u32,
    /// Programs that run at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    at_once: u32,
    /// Folder with the member programs
    #[arg(long, value_name = "FOLDER", default_value = "target/release")]
    programs: PathBuf,
    /// Results of single runs, one a line: those that are there count, so that a measurement can be interrupted
    #[arg(long, value_name = "FILE", default_value = "target/reference-machine.jsonl")]
    measured: PathBuf,
}

/// A member at a scale with a set of flags.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Task {
    scale: &'static str,
    flags: &'static str,
    member: String,
}

/// The scales and flags that are measured, with the keys of their seconds.
const KINDS: [(&str, &str, &str); 4] = [
    ("full", "base", "seconds"),
    ("full", "peak", "peak_seconds"),
    ("quick", "base", "quick_seconds"),
    ("test", "base", "test_seconds"),
];

/// What single runs took.
#[derive(Debug, Default)]
struct Measured(BTreeMap<Task, Vec<Single>>);

/// One run of a member, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Single {
    processor_s: f64,
    wall_s: f64,
}

/// Measures what is missing, and writes the reference; the rows of the table in the documents.
///
/// # Errors
/// When a program is missing, fails, or computes something wrong.
pub fn measure(args: &ReferenceArgs, root: &Path) -> anyhow::Result<String> {
    let program = |flags: &str| args.programs.join(format!("kneepoint-members-{flags}"));
    let listed = json_of(Command::new(program("base")).arg("list"))?;
    let members: Vec<String> = listed["members"]
        .as_array()
        .context("members")?
        .iter()
        .filter_map(|member| member["name"].as_str().map(str::to_owned))
        .collect();
    let tasks: Vec<Task> = tasks(&members);
    let text = match fs::read_to_string(&args.measured) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.with_context(|| args.measured.display().to_string())?,
    };
    let kept = OpenOptions::new().create(true).append(true).open(&args.measured);
    let kept = kept.with_context(|| args.measured.display().to_string())?;
    let desk = Mutex::new(Desk { measured: Measured::read(&text)?, running: Vec::new(), kept });
    thread::scope(|scope| -> anyhow::Result<()> {
        let work = || -> anyhow::Result<()> {
            loop {
                let next = locked(&desk).begin(&tasks, args.runs);
                let Some(task) = next else { return Ok(()) };
                let line = single(&program(task.flags), &task)?;
                locked(&desk).end(&task, &line)?;
            }
        };
        let start = |_| thread::Builder::new().spawn_scoped(scope, work);
        let workers = (0..args.at_once).map(start).collect::<io::Result<Vec<_>>>()?;
        workers.into_iter().try_for_each(|worker| {
            worker.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a measuring thread has failed")))
        })
    })?;
    let measured = &locked(&desk).measured;
    let about = json_of(Command::new(program("base")).arg("about"))?;
    let file = measured.reference(&tasks, head(args, &about)?);
    fs::write(root.join(KEPT), serde_json::to_string_pretty(&file)? + "\n").context(KEPT)?;
    measured.table(&members)
}

fn locked<'a>(desk: &'a Mutex<Desk>) -> MutexGuard<'a, Desk> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One run of a member: what its program says, with the flags.
fn single(program: &Path, task: &Task) -> anyhow::Result<Value> {
    let mut line =
        json_of(Command::new(program).args(["run", &task.member, "--scale", task.scale]))?;
    ensure!(line["verified"] == true, "{task:?} has computed something wrong");
    line["flags"] = task.flags.into();
    Ok(line)
}

/// Where those who measure take tasks from, and put down what they took.
struct Desk {
    measured: Measured,
    running: Vec<Task>,
    kept: File,
}

impl Desk {
    /// The next task, which is then running.
    fn begin(&mut self, tasks: &[Task], runs: u32) -> Option<Task> {
        let task = self.measured.next((tasks, &self.running), runs)?;
        self.running.push(task.clone());
        Some(task)
    }

    /// Keeps what a task took.
    fn end(&mut self, task: &Task, line: &Value) -> anyhow::Result<()> {
        if let Some(place) = self.running.iter().position(|running| running == task) {
            self.running.swap_remove(place);
        }
        writeln!(self.kept, "{line}")?;
        self.measured.add(line)
    }
}

/// Everything that is measured once in a run, in its order.
fn tasks(members: &[String]) -> Vec<Task> {
    let of = |(scale, flags, _): (&'static str, &'static str, &str)| {
        members.iter().map(move |member| Task { scale, flags, member: member.clone() })
    };
    KINDS.into_iter().flat_map(of).collect()
}

/// What a program prints.
fn json_of(command: &mut Command) -> anyhow::Result<Value> {
    let name = || format!("{command:?}");
    let shown = name();
    let output = command.stdin(Stdio::null()).output().with_context(|| shown.clone())?;
    ensure!(output.status.success(), "{shown} ended with {}", output.status);
    serde_json::from_slice(&output.stdout).with_context(|| shown)
}

/// What the reference says of the machine.
fn head(args: &ReferenceArgs, about: &Value) -> anyhow::Result<Value> {
    let read = |path: &str| fs::read_to_string(path).with_context(|| path.to_owned());
    let cache = fs::read_to_string("/sys/devices/system/cpu/cpu0/cache/index3/size");
    Ok(json!({
        "name": args.name,
        "cpu": processor(&read("/proc/cpuinfo")?, cache.ok().as_deref()),
        "kernel": read("/proc/sys/kernel/osrelease")?.trim(),
        "compiler": about["compiler"],
        "date": jiff::Zoned::now().date().to_string(),
        "flags": "base",
        "time": "processor",
        "at_once": args.at_once,
    }))
}

/// A processor in a line: its name, its last cache, and how many there are.
fn processor(cpuinfo: &str, cache: Option<&str>) -> String {
    let field = |name: &str| {
        let of = |line: &str| {
            let (key, value) = line.split_once(':')?;
            (key.trim() == name).then(|| value.trim().to_owned())
        };
        cpuinfo.lines().find_map(of)
    };
    let mut text = field("model name").unwrap_or_else(|| "unknown processor".to_owned());
    if let (Some(family), Some(model)) = (field("cpu family"), field("model")) {
        let _ = write!(text, " (family {family}, model {model})");
    }
    let kib = cache.and_then(|size| size.trim().strip_suffix('K')?.parse::<u64>().ok());
    if let Some(kib) = kib {
        let _ = write!(text, ", {} MiB L3", kib / 1024);
    }
    let count = cpuinfo.lines().filter(|line| line.starts_with("processor")).count();
    let is_virtual =
        field("flags").is_some_and(|flags| flags.split(' ').any(|flag| flag == "hypervisor"));
    let _ = write!(text, ", {count} {}CPUs", if is_virtual { "virtual " } else { "" });
    text
}

impl Measured {
    /// Those in lines of JSON.
    fn read(text: &str) -> anyhow::Result<Self> {
        let mut measured = Self::default();
        for line in text.lines() {
            measured.add(&serde_json::from_str(line).with_context(|| line.to_owned())?)?;
        }
        Ok(measured)
    }

    /// Adds a run.
    fn add(&mut self, line: &Value) -> anyhow::Result<()> {
        let known = KINDS
            .into_iter()
            .find(|(scale, flags, _)| line["scale"] == *scale && line["flags"] == *flags);
        let (scale, flags, _) = known.context("no such scale and flags are measured")?;
        let member = line["member"].as_str().context("a run has no member")?.to_owned();
        let seconds =
            |name: &str| line[name].as_f64().with_context(|| format!("a run has no {name}"));
        let single = Single {
            processor_s: seconds("user_s")? + seconds("system_s")?,
            wall_s: seconds("wall_s")?,
        };
        self.0.entry(Task { scale, flags, member }).or_default().push(single);
        Ok(())
    }

    fn of(&self, task: &Task) -> &[Single] {
        self.0.get(task).map_or(&[], Vec::as_slice)
    }

    /// The first task of which there are fewest runs with those that are running, if they are fewer than `runs`.
    fn next(&self, (tasks, running): (&[Task], &[Task]), runs: u32) -> Option<Task> {
        let count = |task: &&Task| {
            self.of(task).len() + running.iter().filter(|running| running == task).count()
        };
        tasks.iter().min_by_key(count).filter(|task| count(task) < runs as usize).cloned()
    }

    /// The median of the processor time of a task.
    fn median(&self, task: &Task) -> f64 {
        let mut all: Vec<f64> = self.of(task).iter().map(|single| single.processor_s).collect();
        all.sort_by(f64::total_cmp);
        let middle = all.len() / 2;
        if all.len() % 2 == 1 { all[middle] } else { (all[middle - 1] + all[middle]) / 2.0 }
    }

    /// By how much the runs of a task differ, in percent of their median.
    fn spread(&self, task: &Task) -> f64 {
        let all = || self.of(task).iter().map(|single| single.processor_s);
        let most = all().fold(0.0, f64::max) - all().fold(f64::INFINITY, f64::min);
        100.0 * most / self.median(task)
    }

    /// The reference, whose first lines are `head`.
    fn reference(&self, tasks: &[Task], head: Value) -> Value {
        let mut file = head;
        let runs = tasks.iter().map(|task| self.of(task).len()).min().unwrap_or(0);
        file["runs"] = runs.into();
        let full = || tasks.iter().filter(|task| task.scale == "full");
        let spread = full().map(|task| self.spread(task)).fold(0.0, f64::max);
        let waited =
            full().flat_map(|task| self.of(task)).map(|single| single.wall_s / single.processor_s);
        file["spread_percent"] = rounded(spread, 2).into();
        file["wall_per_processor_time"] = rounded(waited.fold(1.0, f64::max), 3).into();
        for (scale, flags, key) in KINDS {
            let own = tasks.iter().filter(|task| task.scale == scale && task.flags == flags);
            let seconds =
                own.map(|task| (task.member.clone(), rounded(self.median(task), DIGITS).into()));
            file[key] = Value::Object(seconds.collect());
        }
        file
    }

    /// The rows of the table in the documents.
    fn table(&self, members: &[String]) -> anyhow::Result<String> {
        let mut text = String::new();
        for member in members {
            let median =
                |flags| self.median(&Task { scale: "full", flags, member: member.clone() });
            let [base, peak] = ["base", "peak"].map(|flags| rounded(median(flags), DIGITS));
            writeln!(text, "| `{member}` | {base:.1} | {peak:.1} | {:.2} |", base / peak)?;
        }
        Ok(text)
    }
}

/// With this many digits.
fn rounded(value: f64, digits: i32) -> f64 {
    let magnitude = value.abs().max(f64::MIN_POSITIVE).log10().floor() as i32 + 1;
    let scale = 10_f64.powi(digits - magnitude);
    (value * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(kind: (&str, &str), member: &str, (user_s, wall_s): (f64, f64)) -> String {
        let (scale, flags) = kind;
        json!({"scale": scale, "flags": flags, "member": member, "user_s": user_s, "system_s": 0.5, "wall_s": wall_s})
            .to_string()
    }

    #[test]
    fn all_members_have_their_turn_before_one_is_measured_again() {
        let members = ["a", "b"].map(str::to_owned);
        let tasks = tasks(&members);
        assert_eq!(tasks.len(), 8);
        let mut measured = Measured::default();
        let mut order = Vec::new();
        while let Some(task) = measured.next((&tasks, &[]), 3) {
            let kind = (task.scale, task.flags);
            measured
                .add(&serde_json::from_str(&line(kind, &task.member, (1.0, 2.0))).unwrap())
                .unwrap();
            order.push(task);
        }
        assert_eq!(order, [tasks.clone(), tasks.clone(), tasks].concat());
    }

    #[test]
    fn the_reference_has_medians_of_processor_time_and_says_how_far_runs_differ() {
        let members = ["a".to_owned()];
        let mut text = String::new();
        for (base, wall) in [(9.5, 10.0), (19.5, 21.0), (11.5, 12.0)] {
            let _ = writeln!(text, "{}", line(("full", "base"), "a", (base, wall)));
            for kind in [("full", "peak"), ("quick", "base"), ("test", "base")] {
                let _ = writeln!(text, "{}", line(kind, "a", (0.75, 1.25)));
            }
        }
        let measured = Measured::read(&text).unwrap();
        let tasks = tasks(&members);
        assert_eq!(measured.next((&tasks, &[]), 3), None, "what is in the file counts");
        assert_eq!(measured.next((&tasks, &tasks[..1]), 4), Some(tasks[1].clone()));
        let file = measured.reference(&tasks, json!({"name": "n"}));
        assert_eq!(file["runs"], 3);
        assert_eq!(file["seconds"]["a"], 12.0, "the median of 10, 20 and 12");
        assert_eq!(file["peak_seconds"]["a"], 1.25);
        // 10 s between the quickest and the slowest.
        assert_eq!(file["spread_percent"], 83.0);
        assert_eq!(file["wall_per_processor_time"], 1.05);
        assert_eq!(measured.table(&members).unwrap(), "| `a` | 12.0 | 1.2 | 9.60 |\n");
    }

    #[test]
    fn a_processor_is_told_with_its_cache_and_number() {
        let cpuinfo = "processor\t: 0\nmodel name\t: X\ncpu family\t: 26\nmodel\t\t: 2\nflags\t\t: fpu hypervisor\n\
                       processor\t: 1\nmodel name\t: X\n";
        assert_eq!(
            processor(cpuinfo, Some("32768K\n")),
            "X (family 26, model 2), 32 MiB L3, 2 virtual CPUs"
        );
        assert_eq!(processor("processor: 0\n", None), "unknown processor, 1 CPUs");
    }
}
