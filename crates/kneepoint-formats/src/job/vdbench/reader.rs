//! From the lines of a parameter file to its definitions.

use std::collections::{BTreeMap, BTreeSet};

use kneepoint_core::spec::document::TEXT_BYTES_MAX;
use kneepoint_core::words::fault::Fault;

use super::sequence::{Sequence, numbered};
use super::source::Source;
use super::value::{VALUES_MAX, names};
use crate::job::lines::lines;
use crate::job::{JobText, Surroundings};

/// Most files that are included.
const INCLUDED_MAX: usize = 16;

/// Most definitions of a file, each name counted.
const DEFINITIONS_MAX: usize = 10_000;

/// A value with its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) line: usize,
    pub(super) text: String,
}

/// The parameters of a definition, by name.
pub(super) type Parameters = BTreeMap<String, Value>;

/// Storage, a workload or a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Definition {
    pub(super) line: usize,
    pub(super) name: String,
    /// Those of the `default` before it, and its own.
    pub(super) parameters: Parameters,
}

/// A parameter file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct File {
    /// Where its lines are.
    pub(super) source: Source,
    /// Parameters outside of definitions.
    pub(super) general: Parameters,
    pub(super) hosts: Vec<Definition>,
    pub(super) storage: Vec<Definition>,
    pub(super) workloads: Vec<Definition>,
    pub(super) runs: Vec<Definition>,
}

/// Reads all of `text`, and the files that it includes.
pub(super) fn read(text: JobText<'_>, surroundings: &dyn Surroundings) -> Result<File, Fault> {
    let mut reader = Reader {
        surroundings,
        file: File::default(),
        defaults: BTreeMap::new(),
        names: BTreeSet::new(),
        count: 0,
    };
    reader.text(text, 0)?;
    Ok(reader.file)
}

struct Reader<'a> {
    surroundings: &'a dyn Surroundings,
    file: File,
    /// The parameters of `sd=default` and the like, by kind.
    defaults: BTreeMap<&'static str, Parameters>,
    /// Kinds and names of the definitions so far.
    names: BTreeSet<(&'static str, String)>,
    count: usize,
}

impl Reader<'_> {
    /// Reads a file that was included by `depth` others.
    fn text(&mut self, text: JobText<'_>, depth: usize) -> Result<(), Fault> {
        let file = self.file.source.open(text.file);
        let mut open: Option<(usize, String)> = None;
        for line in lines(text.text) {
            let number = self.file.source.number(file, line.number);
            let content = line.text.trim();
            if content.is_empty() || content.starts_with(['*', '#', '/']) {
                continue;
            }
            // A comma at the end goes on in the next line; behind a blank there is a comment.
            let (number, mut whole) = open.take().unwrap_or((number, String::new()));
            let mut goes_on = false;
            for word in content.split_whitespace() {
                // Behind a comma, too, there may be a comment.
                if goes_on && !word.contains('=') {
                    break;
                }
                whole.push_str(word);
                goes_on = word.ends_with(',');
                if !goes_on {
                    break;
                }
            }
            match whole.strip_prefix("include=").filter(|_| !goes_on) {
                Some(name) => self.include((number, name), depth)?,
                None if goes_on => open = Some((number, whole)),
                None => self.statement(number, &whole)?,
            }
        }
        match open {
            Some((number, whole)) => self.statement(number, whole.trim_end_matches(',')),
            None => Ok(()),
        }
    }

    fn include(&mut self, (line, name): (usize, &str), depth: usize) -> Result<(), Fault> {
        let place = self.file.source.place(line);
        let fault = |why: String| {
            Fault::new(format!("{place}: cannot include {}", shown(name)))
                .because(why)
                .fix("put its lines in place of this one, or the file beside the parameter file")
        };
        if depth == INCLUDED_MAX || self.file.source.included() == INCLUDED_MAX {
            return Err(fault(format!("more than {INCLUDED_MAX} files are included")));
        }
        let text = self.surroundings.included(name).map_err(fault)?;
        if text.len() > TEXT_BYTES_MAX {
            return Err(fault("it is longer than 1 MiB".to_owned()));
        }
        self.text(JobText { file: name, text: &text }, depth + 1)
    }

    fn statement(&mut self, line: usize, whole: &str) -> Result<(), Fault> {
        let mut pairs = Vec::new();
        for part in divided(whole) {
            let Some((key, value)) = part.split_once('=') else {
                return Err(self
                    .file
                    .source
                    .fault(line, format!("'{}' is no parameter", shown(part)))
                    .fix("write it as key=value; a comment begins with *"));
            };
            let value = Value { line, text: value.trim().to_owned() };
            pairs.push((key.trim().to_ascii_lowercase(), value));
        }
        let Some((first, _)) = pairs.first() else { return Ok(()) };
        self.check_once(&pairs)?;
        match first.as_str() {
            "hd" => self.definitions("hd", pairs),
            "sd" => self.definitions("sd", pairs),
            "wd" => self.definitions("wd", pairs),
            "rd" => self.definitions("rd", pairs),
            "fsd" | "fwd" => Err(self
                .file
                .source
                .fault(line, format!("{first}=: loads of file systems cannot be converted"))
                .because("files and folders are created, read and deleted in them; here blocks are read and written")
                .fix("describe the storage by sd= and its load by wd=")),
            _ => {
                self.file.general.extend(pairs);
                Ok(())
            }
        }
    }

    /// Refuses a statement with a parameter twice. Storage has a `lun` and a `host` in pairs, of which none is used.
    fn check_once(&self, pairs: &[(String, Value)]) -> Result<(), Fault> {
        let is_paired = |key: &str| pairs[0].0 == "sd" && ["lun", "host", "hd"].contains(&key);
        for (index, (key, value)) in pairs.iter().enumerate() {
            if !is_paired(key) && pairs[..index].iter().any(|(known, _)| known == key) {
                return Err(self
                    .file
                    .source
                    .fault(value.line, format!("{} is there twice", shown(key)))
                    .because("one of the values would be left out")
                    .fix(format!("remove one of them; the second is {}", shown(&value.text))));
            }
        }
        Ok(())
    }

    fn definitions(
        &mut self,
        kind: &'static str,
        pairs: Vec<(String, Value)>,
    ) -> Result<(), Fault> {
        let Some((_, first)) = pairs.first().cloned() else { return Ok(()) };
        let own: Parameters = pairs.into_iter().skip(1).collect();
        let defaults = self.defaults.entry(kind).or_default();
        if first.text == "default" {
            defaults.extend(own);
            return Ok(());
        }
        let mut parameters = defaults.clone();
        parameters.extend(own);
        let names = names(&first.text).ok_or_else(|| {
            self.file
                .source
                .fault(first.line, format!("{kind}={}: no names", shown(&first.text)))
                .fix(format!(
                    "write {kind}={kind}1, or a range ({kind}1-{kind}8) of at most {VALUES_MAX}"
                ))
        })?;
        let count = (kind == "sd").then(|| parameters.remove("count")).flatten();
        let defined = match count {
            Some(count) => self.sequence((&names, &parameters), &count)?,
            None => names.into_iter().map(|name| (name, parameters.clone())).collect(),
        };
        self.count += defined.len() * parameters.len().max(1);
        if self.count > DEFINITIONS_MAX {
            return Err(self
                .file
                .source
                .fault(first.line, format!("more than {DEFINITIONS_MAX} parameters of definitions"))
                .fix("split the file"));
        }
        for (name, _) in &defined {
            let is_new = self.names.insert((kind, name.clone()));
            if !is_new && ["sd", "wd"].contains(&kind) {
                return Err(self
                    .file
                    .source
                    .fault(first.line, format!("{kind}={} is defined twice", shown(name)))
                    .because("which of them a run uses cannot be told")
                    .fix("give them different names, or remove one"));
            }
        }
        let list = match kind {
            "hd" => &mut self.file.hosts,
            "sd" => &mut self.file.storage,
            "wd" => &mut self.file.workloads,
            _ => &mut self.file.runs,
        };
        list.extend(defined.into_iter().map(|(name, parameters)| Definition {
            line: first.line,
            name,
            parameters,
        }));
        Ok(())
    }

    /// The storage that `count` makes of each of `names`.
    fn sequence(
        &self,
        (names, parameters): (&[String], &Parameters),
        count: &Value,
    ) -> Result<Vec<(String, Parameters)>, Fault> {
        let sequence = Sequence::of(&count.text).ok_or_else(|| {
            self.file
                .source
                .fault(count.line, format!("count={}: no sequence of storage", shown(&count.text)))
                .because(format!("it has a first number and a count, from 1 to {VALUES_MAX}"))
                .fix("write count=(1,8) for eight storages numbered from 1")
        })?;
        let numbered = |text: &str, line: usize, number: u32| {
            numbered(text, number).ok_or_else(|| {
                self.file
                    .source
                    .fault(line, format!("'{}' cannot be numbered", shown(text)))
                    .because("count puts numbers at the end, or in place of * or of one %d")
                    .fix("use %d or, with leading zeros, %04d")
            })
        };
        let mut defined = Vec::new();
        for name in names {
            for number in sequence.numbers() {
                let mut own = parameters.clone();
                if let Some(lun) = own.get_mut("lun") {
                    lun.text = numbered(&lun.text, lun.line, number)?;
                }
                defined.push((numbered(name, count.line, number)?, own));
            }
            if defined.len() > DEFINITIONS_MAX {
                break;
            }
        }
        Ok(defined)
    }
}

/// The parts between commas that are in no parentheses.
fn divided(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (index, char) in text.char_indices() {
        match char {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// The beginning of a text, for a fault.
pub(super) fn shown(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    short.escape_debug().to_string()
}
