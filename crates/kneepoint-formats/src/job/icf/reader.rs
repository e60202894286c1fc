//! From the lines of a configuration to what it says.

use kneepoint_core::words::fault::Fault;

use super::setup::{
    Assignment, Cycling, Growth, Setup, Specification, SpecificationLine, TestType, Worker,
};
use super::starts;
use crate::job::JobText;
use crate::job::lines::{TextLine, lines};

/// A section of a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    TestSetup,
    ResultsDisplay,
    Specifications,
    Managers,
}

impl Section {
    const ALL: [Self; 4] =
        [Self::TestSetup, Self::ResultsDisplay, Self::Specifications, Self::Managers];

    const fn name(self) -> &'static str {
        match self {
            Self::TestSetup => "test setup",
            Self::ResultsDisplay => "results display",
            Self::Specifications => "access specifications",
            Self::Managers => "manager list",
        }
    }
}

/// Reads all of `text`.
pub(super) fn read(text: JobText<'_>) -> Result<Setup, Fault> {
    let mut reader = Reader {
        text,
        setup: Setup::default(),
        section: None,
        key: (0, String::new()),
        values: 0,
        manager: 0,
        worker: None,
        target: None,
    };
    for line in lines(text.text) {
        reader.line(line)?;
    }
    reader.finish()
}

/// Where the reading is.
struct Reader<'a> {
    text: JobText<'a>,
    setup: Setup,
    /// The open section, with the line of its beginning.
    section: Option<(usize, Section)>,
    /// The last key in lower case, with its line.
    key: (usize, String),
    /// Values of that key so far.
    values: usize,
    /// Managers so far.
    manager: usize,
    /// The worker that is open.
    worker: Option<Worker>,
    /// Line of the target that is open.
    target: Option<usize>,
}

impl Reader<'_> {
    fn line(&mut self, line: TextLine<'_>) -> Result<(), Fault> {
        let text = line.text.trim();
        if text.is_empty() {
            return Ok(());
        }
        let Some(key) = text.strip_prefix('\'') else { return self.value(line.number, text) };
        if key.is_empty() || key.starts_with(char::is_whitespace) {
            return Ok(());
        }
        self.key = (line.number, key.trim().to_ascii_lowercase());
        self.values = 0;
        self.key()
    }

    fn finish(self) -> Result<Setup, Fault> {
        if let Some((line, section)) = self.section {
            let name = section.name();
            return Err(self
                .text
                .fault(line, format!("the section '{}' has no end", name.to_ascii_uppercase()))
                .because("the file ends before")
                .fix(format!("add the line 'END {name}, or take the file from its source again")));
        }
        Ok(self.setup)
    }

    /// A fault about the last key.
    fn misplaced(&self, why: &str) -> Fault {
        let (line, key) = (self.key.0, self.key.1.escape_debug());
        self.text
            .fault(line, format!("'{key} does not belong here"))
            .because(why)
            .fix(format!("remove line {line}, or add what is missing before it"))
    }

    fn key(&mut self) -> Result<(), Fault> {
        let key = self.key.1.clone();
        if let Some(section) = Section::ALL.iter().find(|section| starts(&key, section.name())) {
            return self.begin(*section);
        }
        let ended = |section: &&Section| {
            key.strip_prefix("end ").is_some_and(|ended| starts(ended, section.name()))
        };
        if let Some(section) = Section::ALL.iter().find(ended) {
            return self.end(*section);
        }
        match self.section {
            None => Err(self.misplaced("no section is open")),
            Some((_, Section::Managers)) => self.manager_key(&key),
            Some((_, Section::Specifications)) => {
                self.specification_key(&key);
                Ok(())
            }
            Some((_, Section::TestSetup | Section::ResultsDisplay)) => Ok(()),
        }
    }

    fn begin(&mut self, section: Section) -> Result<(), Fault> {
        if let Some((line, open)) = self.section {
            let name = open.name().to_ascii_uppercase();
            return Err(self.misplaced(&format!("the section '{name}' of line {line} has no end")));
        }
        self.section = Some((self.key.0, section));
        Ok(())
    }

    fn end(&mut self, section: Section) -> Result<(), Fault> {
        if self.section.is_none_or(|(_, open)| open != section) {
            return Err(self.misplaced("that section is not open"));
        }
        if let Some(worker) = &self.worker {
            let why = format!("the worker of line {} has no 'End worker", worker.line);
            return Err(self.misplaced(&why));
        }
        self.section = None;
        Ok(())
    }

    fn specification_key(&mut self, key: &str) {
        let is_known = key.starts_with("size") || key.starts_with("access specification name");
        if !is_known {
            self.setup.unknown.push((self.key.0, key.to_owned()));
        }
    }

    fn manager_key(&mut self, key: &str) -> Result<(), Fault> {
        match key {
            "worker" if self.worker.is_some() => {
                return Err(self.misplaced("the worker before it has no 'End worker"));
            }
            "worker" => {
                let (line, manager) = (self.key.0, self.manager);
                self.worker = Some(Worker { line, manager, ..Worker::default() });
            }
            "end worker" => match (self.worker.take(), self.target) {
                (None, _) => return Err(self.misplaced("no worker is open")),
                (_, Some(line)) => {
                    let why = format!("the 'Target of line {line} has no 'End target");
                    return Err(self.misplaced(&why));
                }
                (Some(worker), None) => self.setup.workers.push(worker),
            },
            "target" if self.target.is_some() => {
                return Err(self.misplaced("the 'Target before it has no 'End target"));
            }
            "target" => self.target = Some(self.key.0),
            "end target" if self.target.is_none() => {
                return Err(self.misplaced("no 'Target is open"));
            }
            "end target" => self.target = None,
            key if key.starts_with("manager id") => self.manager += 1,
            _ => {
                const KNOWN: [&str; 13] = [
                    "manager network address",
                    "end manager",
                    "worker type",
                    "default target settings",
                    "end default target settings",
                    "number of outstanding ios",
                    "disk maximum size",
                    "assigned access specs",
                    "end assigned access specs",
                    "target assignments",
                    "end target assignments",
                    "target type",
                    "local network interface",
                ];
                if !KNOWN.iter().any(|known| key.starts_with(known)) {
                    self.setup.unknown.push((self.key.0, key.to_owned()));
                }
            }
        }
        Ok(())
    }

    fn value(&mut self, line: usize, text: &str) -> Result<(), Fault> {
        self.values += 1;
        match self.section {
            None if starts(text, "version") => {
                if self.setup.version.is_empty() {
                    self.setup.version = text["version".len()..].trim().to_owned();
                }
                Ok(())
            }
            None => Err(self
                .text
                .fault(line, format!("'{}' is in no section", shown(text)))
                .fix("remove the line; a configuration consists of its version and of sections")),
            Some((_, Section::TestSetup)) => self.setup_value(line, text),
            Some((_, Section::ResultsDisplay)) => Ok(()),
            Some((_, Section::Specifications)) => self.specification_value(line, text),
            Some((_, Section::Managers)) => self.manager_value(line, text),
        }
    }

    fn setup_value(&mut self, line: usize, text: &str) -> Result<(), Fault> {
        let key = self.key.1.clone();
        match key.as_str() {
            "test description" => {
                if !self.setup.description.is_empty() {
                    self.setup.description.push('\n');
                }
                self.setup.description.push_str(text);
            }
            "run time" => {
                let [hours, minutes, seconds] =
                    self.numbers((line, text), "hours, minutes, seconds")?;
                let total = hours.saturating_mul(3600).saturating_add(minutes.saturating_mul(60));
                self.setup.run_s = Some((line, total.saturating_add(seconds)));
            }
            "test type" => {
                let test_type = TestType::of(text).ok_or_else(|| {
                    self.text
                        .fault(line, format!("'{}' is no type of a test", shown(text)))
                        .fix("use NORMAL, CYCLE_OUTSTANDING_IOS or another type of Iometer")
                })?;
                self.setup.test_type = Some((line, test_type));
            }
            "worker cycling" => self.setup.worker_cycling = Some(self.cycling(line, text, None)?),
            "queue depth cycling" => {
                let end = self.number_at((line, text), 1)?;
                self.setup.queue_cycling = Some(self.cycling(line, text, Some(end))?);
            }
            key if key.starts_with("ramp up time") => {
                let [seconds] = self.numbers((line, text), "seconds")?;
                self.setup.ramp_s = Some((line, seconds));
            }
            "default workers to spawn" | "default disk workers to spawn" => {
                self.setup.default_workers = Some((line, text.to_owned()));
            }
            "default network workers to spawn" | "record results" | "disk cycling" => {}
            _ => self.setup.unknown.push((self.key.0, key)),
        }
        Ok(())
    }

    /// Start, perhaps end, step and growth of a cycle.
    fn cycling(&self, line: usize, text: &str, end: Option<u64>) -> Result<Cycling, Fault> {
        let words = words(text);
        let word = words.last().copied().unwrap_or_default();
        let growth = match word.to_ascii_uppercase().as_str() {
            "LINEAR" => Growth::Linear,
            "EXPONENTIAL" => Growth::Exponential,
            _ => {
                return Err(self
                    .text
                    .fault(line, format!("'{}' is no type of steps", shown(word)))
                    .fix("use LINEAR or EXPONENTIAL"));
            }
        };
        let start = self.number_at((line, text), 0)?;
        let step = self.number_at((line, text), if end.is_some() { 2 } else { 1 })?;
        Ok(Cycling { line, start, end, step, growth })
    }

    fn specification_value(&mut self, line: usize, text: &str) -> Result<(), Fault> {
        if self.key.1.starts_with("access specification name") {
            let specification = self.named_specification(line, text)?;
            self.setup.specifications.push(specification);
            return Ok(());
        }
        let given = self.specification_line(line, text)?;
        // Without names a specification ends where its shares are complete.
        let complete = |lines: &[SpecificationLine]| {
            lines.iter().map(|line| line.share).fold(0, u64::saturating_add) >= 100
        };
        let is_bare = !self
            .setup
            .specifications
            .last()
            .is_some_and(|last| !last.name.is_empty() || !complete(&last.lines));
        if is_bare {
            self.setup.specifications.push(Specification {
                line,
                name: String::new(),
                assignment: Assignment::All,
                lines: Vec::new(),
            });
        }
        if let Some(last) = self.setup.specifications.last_mut() {
            last.lines.push(given);
        }
        Ok(())
    }

    fn named_specification(&self, line: usize, text: &str) -> Result<Specification, Fault> {
        // The name itself cannot have a comma.
        let (name, word) = text.rsplit_once(',').unwrap_or((text, "NONE"));
        let assignment = match word.trim().to_ascii_uppercase().as_str() {
            "NONE" | "0" => Assignment::None,
            "ALL" | "1" => Assignment::All,
            "DISK" | "2" => Assignment::Disk,
            "NET" | "3" => Assignment::Network,
            _ => {
                return Err(self
                    .text
                    .fault(line, format!("'{}' is no default assignment", shown(word)))
                    .fix("use NONE, ALL, DISK or NET behind the name and a comma"));
            }
        };
        let name = name.trim().to_owned();
        if name.is_empty() {
            return Err(self
                .text
                .fault(line, "the access specification has no name")
                .fix("write a name before the comma"));
        }
        Ok(Specification { line, name, assignment, lines: Vec::new() })
    }

    fn specification_line(&self, line: usize, text: &str) -> Result<SpecificationLine, Fault> {
        let count = words(text).len();
        if count != 6 && count != 8 {
            return Err(self
                .text
                .fault(line, format!("{count} values are no line of an access specification"))
                .fix("write size, % of size, % reads, % random, delay, burst, align, reply"));
        }
        let at = |index| if index < count { self.number_at((line, text), index) } else { Ok(0) };
        let percent = |index, name: &str| match at(index)? {
            percent if percent <= 100 => Ok(percent),
            percent => Err(self
                .text
                .fault(line, format!("{percent} % {name} are more than 100"))
                .fix("write 0 to 100")),
        };
        Ok(SpecificationLine {
            line,
            size: at(0)?,
            share: percent(1, "of size")?,
            reads: percent(2, "reads")?,
            random: percent(3, "random")?,
            delay_ms: at(4)?,
            burst: at(5)?,
            align: at(6)?,
            reply: at(7)?,
        })
    }

    fn manager_value(&mut self, line: usize, text: &str) -> Result<(), Fault> {
        let key = self.key.1.clone();
        let is_target = self.target.is_some();
        let first = self.values == 1;
        let Some(mut worker) = self.worker.take() else { return Ok(()) };
        match key.as_str() {
            "worker" if first => worker.name = text.to_owned(),
            "worker type" => worker.is_network = !text.eq_ignore_ascii_case("DISK"),
            "assigned access specs" => worker.specifications.push((line, text.to_owned())),
            "target" if first => worker.targets.push((line, text.to_owned())),
            key if key.starts_with("number of outstanding ios") && !is_target => {
                worker.outstanding = Some((line, self.number_at((line, text), 0)?));
                worker.reopens = enabled(text, 1).map(|count| (line, count));
                worker.seed = enabled(text, 3).map(|seed| (line, seed));
            }
            key if key.starts_with("disk maximum size") && !is_target => {
                let (size, start) =
                    (self.number_at((line, text), 0)?, self.number_at((line, text), 1)?);
                worker.disk = Some((line, size, start));
                if words(text).len() > 2 {
                    worker.pattern = Some((line, self.number_at((line, text), 2)?));
                }
            }
            _ => {}
        }
        self.worker = Some(worker);
        Ok(())
    }

    /// All numbers of a line, which has as many; `names` says which.
    fn numbers<const N: usize>(
        &self,
        (line, text): (usize, &str),
        names: &str,
    ) -> Result<[u64; N], Fault> {
        let count = words(text).len();
        if count != N {
            return Err(self
                .text
                .fault(line, format!("{count} values instead of {N}"))
                .fix(format!("write {names}")));
        }
        let mut numbers = [0; N];
        for (index, number) in numbers.iter_mut().enumerate() {
            *number = self.number_at((line, text), index)?;
        }
        Ok(numbers)
    }

    /// The whole number at a place of a line, counted from 0.
    fn number_at(&self, (line, text): (usize, &str), index: usize) -> Result<u64, Fault> {
        let word = words(text).get(index).copied().unwrap_or_default();
        word.parse().map_err(|_| {
            let what = format!("value {} is '{}', not a whole number", index + 1, shown(word));
            self.text.fault(line, what).fix("write it in digits alone")
        })
    }
}

/// The value behind the word ENABLED at a place of a line, counted from 0.
fn enabled(text: &str, index: usize) -> Option<String> {
    let words = words(text);
    let is_enabled = words.get(index).is_some_and(|word| word.eq_ignore_ascii_case("ENABLED"));
    is_enabled.then(|| shown(words.get(index + 1).copied().unwrap_or_default()))
}

/// What blanks and commas divide.
fn words(text: &str) -> Vec<&str> {
    let is_between = |char: char| char.is_whitespace() || char == ',';
    text.split(is_between).filter(|word| !word.is_empty()).take(16).collect()
}

/// The beginning of a text, for a fault.
fn shown(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    short.escape_debug().to_string()
}
