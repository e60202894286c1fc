//! What is made of a job: a profile or suite that is not yet written, and its text.

use std::fmt::Write;

use kneepoint_core::spec::profile::{
    Align, Distribution, Durability, LINES_MAX, NAME_CHARS_MAX, Profile, TITLE_CHARS_MAX, WriteKind,
};
use kneepoint_core::spec::suite::{SERIES_MAX, Suite};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::{Bytes, Nanos};

use super::{Conduct, JobText};

/// A suite that is being made.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Draft {
    /// One line for people; its name is made of it.
    pub(crate) title: String,
    /// What it is, for people; may be empty.
    pub(crate) description: String,
    /// Where it comes from.
    pub(crate) source: String,
    /// Bytes of each target, if the file says.
    pub(crate) size: Option<u64>,
    /// Rules as they are typed; none for those of the target's class.
    pub(crate) rules: Vec<String>,
    /// What is measured, in this order.
    pub(crate) series: Vec<DraftSeries>,
}

/// A series that is being made.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DraftSeries {
    /// Its name in the file.
    pub(crate) title: String,
    /// What each I/O is; 1 to [`LINES_MAX`].
    pub(crate) lines: Vec<DraftLine>,
    /// Its load; `None` for the one by default.
    pub(crate) load: Option<DraftLoad>,
    /// Block sizes, a series each; none for those of the lines.
    pub(crate) blocks: Vec<u64>,
    /// Part of the target in percent, from start to end.
    pub(crate) range: (f64, f64),
    /// Where random I/Os fall.
    pub(crate) distribution: Distribution,
    /// Percent of each written block that compresses away, and of blocks that repeat.
    pub(crate) data: (f64, f64),
    /// How what is written is made durable.
    pub(crate) durability: Durability,
    /// Pause of each outstanding I/O; zero for none.
    pub(crate) think: Nanos,
    /// The others that it is measured with at the same moment; `None` if it is measured by itself.
    pub(crate) together: Option<DraftPlace>,
}

/// The place of a series among those of one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DraftPlace {
    /// The number of the moment; its series follow one another.
    pub(crate) moment: usize,
    /// The number of its target, from 1; `None` for all targets.
    pub(crate) target: Option<usize>,
}

/// A line that is being made.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DraftLine {
    pub(crate) share: f64,
    pub(crate) size: u64,
    pub(crate) read: f64,
    /// What its writes do.
    pub(crate) write: WriteKind,
    pub(crate) random: f64,
    /// I/Os between two pauses, and the pause.
    pub(crate) pause: Option<(u32, Nanos)>,
    pub(crate) align: Align,
    /// Bytes that are left out before the I/O that continues where this one ended.
    pub(crate) gap: u64,
}

/// The load of a series, as it is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DraftLoad {
    Outstanding(String),
    Rate(String),
}

impl DraftSeries {
    /// A series of these lines on the whole target.
    pub(crate) fn of(title: &str, lines: Vec<DraftLine>) -> Self {
        Self {
            title: title.to_owned(),
            lines,
            load: None,
            blocks: Vec::new(),
            range: (0.0, 100.0),
            distribution: Distribution::Uniform,
            data: (0.0, 0.0),
            durability: Durability::default(),
            think: Nanos::ZERO,
            together: None,
        }
    }

    /// Whether any I/O writes.
    pub(super) fn writes(&self) -> bool {
        self.lines.iter().any(|line| line.read < 100.0)
    }
}

impl Draft {
    /// The text, and what it says. One series without a size is a profile, anything else a suite.
    ///
    /// # Errors
    /// When there is nothing to measure, or too much, or a value is none that a profile can have.
    pub(crate) fn written(
        &self,
        text: JobText<'_>,
        conduct: Conduct,
    ) -> Result<(String, Suite), Fault> {
        if self.series.is_empty() {
            return Err(Fault::new(format!("{}: there is no I/O in it", text.file))
                .fix("is it the right file?"));
        }
        let blocks = |series: &DraftSeries| series.blocks.len().max(1);
        let count: usize = self.series.iter().map(blocks).sum();
        if count > SERIES_MAX {
            return Err(Fault::new(format!(
                "{}: {count} series are more than {SERIES_MAX}",
                text.file
            ))
            .fix("split the file"));
        }
        if let Some(series) = self.series.iter().find(|series| series.lines.len() > LINES_MAX) {
            return Err(Fault::new(format!(
                "{}: '{}' mixes {} kinds of I/O, more than {LINES_MAX}",
                text.file,
                one_line(&series.title),
                series.lines.len()
            ))
            .fix("use fewer sizes"));
        }
        let toml = self.toml(conduct);
        let wrong = |fault: Fault| {
            Fault::new(format!("{} cannot be said as a profile", text.file))
                .because(&fault)
                .fix(fault.fix_hint().unwrap_or("change the value").to_owned())
        };
        let suite = match self.as_profile() {
            Some(_) => Profile::parse(&toml, "as converted").map(Suite::of_profile),
            None => Suite::parse(&toml, "as converted"),
        };
        Ok((toml, suite.map_err(wrong)?))
    }

    /// The one series of what can be a profile by itself.
    fn as_profile(&self) -> Option<&DraftSeries> {
        match self.series.as_slice() {
            [one] if self.size.is_none() && self.rules.is_empty() && one.blocks.is_empty() => {
                Some(one)
            }
            _ => None,
        }
    }

    fn toml(&self, conduct: Conduct) -> String {
        let mut toml = MARK.to_owned();
        let options = conduct.options();
        if !options.is_empty() {
            let _ = writeln!(
                toml,
                "# Measured as its source says: kneepoint run FILE.toml TARGET {options}"
            );
        }
        match self.as_profile() {
            Some(series) => self.push_profile(&mut toml, series),
            None => self.push_suite(&mut toml),
        }
        toml
    }

    fn push_profile(&self, toml: &mut String, series: &DraftSeries) {
        let name = Names::default().unique(&series.title, "job");
        push(toml, "name", &quoted(&name));
        push(toml, "title", &quoted(&title(&series.title)));
        self.push_prose(toml);
        push_load(toml, series);
        push_body(toml, series, "");
    }

    fn push_suite(&self, toml: &mut String) {
        let mut names = Names::default();
        push(toml, "name", &quoted(&names.unique(&self.title, "suite")));
        push(toml, "title", &quoted(&title(&self.title)));
        self.push_prose(toml);
        if let Some(size) = self.size {
            push(toml, "size", &quoted(&Bytes(size).to_string()));
        }
        if !self.rules.is_empty() {
            let rules: Vec<String> = self.rules.iter().map(|rule| quoted(rule)).collect();
            push(toml, "rules", &format!("[{}]", rules.join(", ")));
        }
        let mut names = Names::default();
        let names: Vec<String> =
            self.series.iter().map(|series| names.unique(&series.title, "job")).collect();
        let alone = |(series, _): &(&DraftSeries, &String)| series.together.is_none();
        for (series, name) in self.series.iter().zip(&names).filter(alone) {
            toml.push_str("\n[[series]]\n");
            push(toml, "profile", &quoted(name));
            if !series.blocks.is_empty() {
                let blocks = series.blocks.iter().map(|block| quoted(&Bytes(*block).to_string()));
                push(toml, "block", &format!("[{}]", blocks.collect::<Vec<_>>().join(", ")));
            }
            push_load(toml, series);
        }
        self.push_moments(toml, &names);
        for (series, name) in self.series.iter().zip(&names) {
            toml.push_str("\n[[profile]]\n");
            push(toml, "name", &quoted(name));
            push(toml, "title", &quoted(&title(&series.title)));
            push_body(toml, series, "profile.");
        }
    }

    /// What is measured at the same moment, `names` being those of all series.
    fn push_moments(&self, toml: &mut String, names: &[String]) {
        let mut titles = Names::default();
        let moment = |series: &DraftSeries| series.together.map(|place| place.moment);
        let series: Vec<(&DraftSeries, &String)> = self.series.iter().zip(names).collect();
        for group in series.chunk_by(|(one, _), (next, _)| moment(one) == moment(next)) {
            if moment(group[0].0).is_none() {
                continue;
            }
            let members: Vec<&str> = group.iter().map(|(_, name)| name.as_str()).collect();
            toml.push_str("\n[[together]]\n");
            push(toml, "name", &quoted(&titles.unique(&members.join(" and "), "group")));
            for (series, name) in group {
                toml.push_str("\n[[together.member]]\n");
                push(toml, "profile", &quoted(name));
                push_load(toml, series);
                if let Some(target) = series.together.and_then(|place| place.target) {
                    push(toml, "target", &target.to_string());
                }
            }
        }
    }

    fn push_prose(&self, toml: &mut String) {
        if !self.description.is_empty() {
            push(toml, "description", &quoted(&prose(&self.description)));
        }
        push(toml, "source", &quoted(&prose(&self.source)));
    }
}

/// The first line of texts that are made of jobs.
pub(super) const MARK: &str = "# Converted by Kneepoint\n";

fn push(toml: &mut String, key: &str, value: &str) {
    let _ = writeln!(toml, "{key} = {value}");
}

fn push_load(toml: &mut String, series: &DraftSeries) {
    match &series.load {
        Some(DraftLoad::Outstanding(levels)) => push(toml, "outstanding", &quoted(levels)),
        Some(DraftLoad::Rate(levels)) => push(toml, "rate", &quoted(levels)),
        None => {}
    }
}

/// Lines and tables of a profile whose tables are inside `outer`.
fn push_body(toml: &mut String, series: &DraftSeries, outer: &str) {
    if series.think > Nanos::ZERO {
        push(toml, "think", &quoted(&series.think.to_string()));
    }
    for line in &series.lines {
        let _ = writeln!(toml, "\n[[{outer}line]]");
        push(toml, "share", &line.share.to_string());
        push(toml, "size", &quoted(&Bytes(line.size).to_string()));
        push(toml, "read", &line.read.to_string());
        if !line.write.is_data() {
            push(toml, "write", &quoted(line.write.name()));
        }
        push(toml, "random", &line.random.to_string());
        if let Some((burst, delay)) = line.pause {
            push(toml, "burst", &burst.to_string());
            push(toml, "delay", &quoted(&delay.to_string()));
        }
        match line.align {
            Align::Request => {}
            Align::Sector => push(toml, "align", "\"sector\""),
            Align::Size(size) => push(toml, "align", &quoted(&size.to_string())),
        }
        if line.gap > 0 {
            push(toml, "gap", &quoted(&Bytes(line.gap).to_string()));
        }
    }
    if series.range != (0.0, 100.0) {
        let _ = writeln!(toml, "\n[{outer}address]");
        push(toml, "start", &series.range.0.to_string());
        push(toml, "end", &series.range.1.to_string());
    }
    push_distribution(toml, &series.distribution, outer);
    if series.data != (0.0, 0.0) {
        let _ = writeln!(toml, "\n[{outer}data]");
        push(toml, "compressible", &series.data.0.to_string());
        push(toml, "duplicate", &series.data.1.to_string());
    }
    if !series.durability.is_none() {
        let _ = writeln!(toml, "\n[{outer}durability]");
        if let Some(sync) = series.durability.sync {
            push(toml, "sync", &quoted(sync.name()));
        }
        if let Some(flush) = series.durability.flush {
            push(toml, "flush", &quoted(flush.call.name()));
            push(toml, "flush_every", &flush.every.to_string());
        }
    }
}

fn push_distribution(toml: &mut String, distribution: &Distribution, outer: &str) {
    match distribution {
        Distribution::Uniform => {}
        Distribution::Zipf { theta } => {
            let _ = writeln!(toml, "\n[{outer}distribution]");
            push(toml, "kind", "\"zipf\"");
            push(toml, "theta", &theta.to_string());
        }
        Distribution::Pareto { h } => {
            let _ = writeln!(toml, "\n[{outer}distribution]");
            push(toml, "kind", "\"pareto\"");
            push(toml, "h", &h.to_string());
        }
        Distribution::HotBand(bands) => {
            let _ = writeln!(toml, "\n[{outer}distribution]");
            push(toml, "kind", "\"hot-band\"");
            for band in bands {
                let _ = writeln!(toml, "\n[[{outer}distribution.band]]");
                push(toml, "range", &band.range.get().to_string());
                push(toml, "access", &band.access.get().to_string());
            }
        }
    }
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for char in text.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            '\n' => quoted.push_str("\\n"),
            char if char.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(char));
            }
            char => quoted.push(char),
        }
    }
    quoted + "\""
}

/// Text on one line without control characters.
pub(super) fn one_line(text: &str) -> String {
    let plain: String =
        text.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
    plain.trim().to_owned()
}

fn prose(text: &str) -> String {
    text.chars().filter(|char| !char.is_control() || *char == '\n').collect()
}

/// A title of what the file calls `text`.
fn title(text: &str) -> String {
    let text: String = one_line(text).chars().take(TITLE_CHARS_MAX).collect();
    if text.is_empty() { "Untitled".to_owned() } else { text }
}

/// Names that were given.
#[derive(Debug, Default)]
struct Names(std::collections::BTreeSet<String>);

impl Names {
    /// A name that no other has, made of `text`; it begins with `kind` if it would not with a letter.
    fn unique(&mut self, text: &str, kind: &str) -> String {
        // Room for a number behind.
        let stem = slug(text, kind, NAME_CHARS_MAX - 6);
        let mut name = stem.clone();
        let mut number = 2;
        while !self.0.insert(name.clone()) {
            name = format!("{stem}-{number}");
            number += 1;
        }
        name
    }
}

/// Lower-case letters, digits and single hyphens between them, a letter first.
fn slug(text: &str, kind: &str, chars_max: usize) -> String {
    let mut slug = String::new();
    for char in text.chars() {
        match char.to_ascii_lowercase() {
            char if char.is_ascii_lowercase() || char.is_ascii_digit() => slug.push(char),
            _ if slug.is_empty() || slug.ends_with('-') => {}
            _ => slug.push('-'),
        }
    }
    if !slug.starts_with(|char: char| char.is_ascii_lowercase()) {
        slug = format!("{kind}-{slug}");
    }
    slug.truncate(chars_max);
    slug.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_of_titles_and_unique() {
        let mut names = Names::default();
        assert_eq!(names.unique("4K; 100% Read", "io"), "io-4k-100-read");
        assert_eq!(names.unique("4k: 100 % read", "io"), "io-4k-100-read-2");
        assert_eq!(names.unique("File Server", "io"), "file-server");
        assert_eq!(names.unique("", "io"), "io");
        assert_eq!(names.unique("äöü", "io"), "io-2");
        assert_eq!(names.unique(&"a".repeat(99), "io").len(), NAME_CHARS_MAX - 6);
    }

    #[test]
    fn texts_are_quoted() {
        assert_eq!(quoted("a\"b\\c\nd\u{1}"), "\"a\\\"b\\\\c\\nd\\u0001\"");
        assert_eq!(title("\ta\rb "), "a b");
        assert_eq!(title(""), "Untitled");
    }
}
