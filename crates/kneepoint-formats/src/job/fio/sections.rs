//! From the lines of a job file to its jobs, each with the options that apply to it.

use kneepoint_core::words::fault::Fault;

use crate::job::lines::lines;
use crate::job::{JobText, Surroundings};

/// How the names of sections begin whose options apply to the jobs behind them.
const GLOBAL: &str = "global";
/// Most files that include one another.
const INCLUDED_MAX: usize = 16;
/// Most jobs of a file.
const JOBS_MAX: usize = 1000;
/// Most options of all jobs together, those of `[global]` counted for each.
const SETTINGS_MAX: usize = 200_000;

/// An option as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setting {
    /// File and line.
    pub(super) place: String,
    pub(super) key: String,
    /// `None` for a flag without a value.
    pub(super) value: Option<String>,
}

impl Setting {
    /// A fault about it.
    pub(super) fn fault(&self, what: impl std::fmt::Display) -> Fault {
        Fault::new(format!("{}: {}: {what}", self.place, self.key.escape_debug()))
    }

    /// The value; empty for a flag.
    pub(super) fn text(&self) -> &str {
        self.value.as_deref().unwrap_or_default()
    }
}

/// A job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Section {
    /// File and line of its name.
    pub(super) place: String,
    pub(super) name: String,
    /// Those of `[global]` first, then its own; the last of a name applies.
    pub(super) settings: Vec<Setting>,
}

/// The jobs of a file, those of included files among them.
pub(super) fn read(
    text: JobText<'_>,
    surroundings: &dyn Surroundings,
) -> Result<Vec<Section>, Fault> {
    let mut reader = Reader {
        surroundings,
        global: Vec::new(),
        is_global: None,
        sections: Vec::new(),
        settings: 0,
        included: 0,
    };
    reader.file(text, 0)?;
    if reader.sections.is_empty() {
        return Err(Fault::new(format!("{}: there is no job in it", text.file))
            .fix("add a section, such as [random-read] with rw=randread"));
    }
    Ok(reader.sections)
}

struct Reader<'a> {
    surroundings: &'a dyn Surroundings,
    global: Vec<Setting>,
    /// Whether `[global]` is the open section; `None` before the first one.
    is_global: Option<bool>,
    sections: Vec<Section>,
    /// Options read so far.
    settings: usize,
    /// Files included so far.
    included: usize,
}

impl Reader<'_> {
    fn file(&mut self, text: JobText<'_>, depth: usize) -> Result<(), Fault> {
        for line in lines(text.text) {
            // A comment may stand behind an option, too.
            let content = line.text.split([';', '#']).next().unwrap_or_default().trim();
            if content.is_empty() {
                continue;
            }
            let place = text.place(line.number);
            if let Some(name) = content.strip_prefix('[') {
                self.section(place, name)?;
            } else if let Some(name) = included(content) {
                self.include(&place, name, depth)?;
            } else {
                self.setting(place, content)?;
            }
        }
        Ok(())
    }

    fn section(&mut self, place: String, name: &str) -> Result<(), Fault> {
        let Some((name, _)) = name.split_once(']') else {
            return Err(Fault::new(format!("{place}: the name of a section has no end"))
                .fix("write it as [name]"));
        };
        // Whatever follows the word, and in no other case.
        let is_global = name.starts_with(GLOBAL);
        self.is_global = Some(is_global);
        if is_global {
            return Ok(());
        }
        if self.sections.len() == JOBS_MAX {
            return Err(
                Fault::new(format!("{place}: more than {JOBS_MAX} jobs")).fix("split the file")
            );
        }
        self.count(&place, self.global.len())?;
        self.sections.push(Section { place, name: name.to_owned(), settings: self.global.clone() });
        Ok(())
    }

    fn include(&mut self, place: &str, name: &str, depth: usize) -> Result<(), Fault> {
        let fault = |why: String| {
            Fault::new(format!("{place}: cannot include {}", name.escape_debug()))
                .because(why)
                .fix("put its lines in place of this one, or the file beside the job")
        };
        self.included += 1;
        if depth == INCLUDED_MAX || self.included > INCLUDED_MAX {
            return Err(fault(format!("more than {INCLUDED_MAX} files are included")));
        }
        let text = self.surroundings.included(name).map_err(fault)?;
        if text.len() > kneepoint_core::spec::document::TEXT_BYTES_MAX {
            return Err(fault("it is longer than 1 MiB".to_owned()));
        }
        self.file(JobText { file: name, text: &text }, depth + 1)
    }

    fn setting(&mut self, place: String, content: &str) -> Result<(), Fault> {
        let content = self.substituted(&place, content)?;
        let (key, value) = match content.split_once('=') {
            Some((key, value)) => (key.trim(), Some(value.trim().to_owned())),
            None => (content.trim(), None),
        };
        let setting = Setting { place, key: key.to_owned(), value };
        self.count(&setting.place, 1)?;
        match (self.is_global, self.sections.last_mut()) {
            (Some(true), _) => self.global.push(setting),
            (Some(false), Some(section)) => section.settings.push(setting),
            _ => {
                return Err(setting
                    .fault("the option is in no section")
                    .fix("write [global] or the name of a job, such as [job], before it"));
            }
        }
        Ok(())
    }

    /// The text with `${NAME}` replaced by the variable of the environment.
    fn substituted(&self, place: &str, text: &str) -> Result<String, Fault> {
        let mut whole = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            let Some((name, behind)) = after.split_once('}') else { break };
            let value = self.surroundings.variable(name).ok_or_else(|| {
                let name = name.escape_debug();
                Fault::new(format!("{place}: the variable {name} is not set"))
                    .because("the file takes a value from the environment")
                    .fix(format!("set it: {name}=VALUE kneepoint ..."))
            })?;
            whole.push_str(before);
            whole.push_str(&value);
            rest = behind;
        }
        whole.push_str(rest);
        Ok(whole)
    }

    fn count(&mut self, place: &str, more: usize) -> Result<(), Fault> {
        self.settings += more;
        match self.settings > SETTINGS_MAX {
            true => Err(Fault::new(format!("{place}: more than {SETTINGS_MAX} options"))
                .fix("split the file")),
            false => Ok(()),
        }
    }
}

/// The file that a line includes.
fn included(content: &str) -> Option<&str> {
    let name = content.strip_prefix("include")?;
    name.starts_with(char::is_whitespace).then(|| name.trim())
}
