//! Text for the terminal: spans with a tone, so that nothing but this module writes escape
//! sequences, and whatever else is in a text is shown instead of obeyed; how wide the page is, and
//! lines that are too long for it, broken at blanks.

use std::env;
use std::io::{IsTerminal, stdout};
use std::ops::Range;

use kneepoint_core::words::printable::printable_but;
use terminal_size::{Width as TerminalWidth, terminal_size_of};

/// The meaning of a span, apart from its words: shown as a colour where there are colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Tone {
    /// Nothing in particular.
    #[default]
    Plain,
    /// As it should be: green.
    Good,
    /// To be looked at: yellow.
    Caution,
    /// Wrong: red.
    Bad,
    /// By the way: dim.
    Faint,
}

impl Tone {
    /// The escape sequence that begins the tone.
    const fn sequence(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Good => "\x1b[32m",
            Self::Caution => "\x1b[33m",
            Self::Bad => "\x1b[31m",
            Self::Faint => "\x1b[2m",
        }
    }
}

/// Ends every tone.
const RESET: &str = "\x1b[0m";

/// Text under construction.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Text {
    spans: Vec<(Tone, String)>,
    /// Columns that the page had no room for.
    spared: Vec<String>,
}

impl Text {
    /// No text yet.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a span.
    #[must_use]
    pub(crate) fn with(mut self, tone: Tone, text: impl Into<String>) -> Self {
        self.push(tone, text);
        self
    }

    /// Adds a span.
    pub(crate) fn push(&mut self, tone: Tone, text: impl Into<String>) {
        self.spans.push((tone, text.into()));
    }

    /// Adds another text.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.spans.append(&mut other.spans);
        other.spared.drain(..).for_each(|title| self.spare(title));
    }

    /// Notes that a column was left out.
    pub(crate) fn spare(&mut self, title: String) {
        if !self.spared.contains(&title) {
            self.spared.push(title);
        }
    }

    /// Titles of the columns that were left out.
    pub(crate) fn spared(&self) -> &[String] {
        &self.spared
    }

    /// Texts with `between` between them.
    pub(crate) fn join(parts: Vec<Self>, between: &str) -> Self {
        let mut joined = Self::new();
        for (index, part) in parts.into_iter().enumerate() {
            if index > 0 {
                joined.push(Tone::Plain, between);
            }
            joined.append(part);
        }
        joined
    }

    /// Lines that begin with a word in a tone: `warning: ...`.
    pub(crate) fn marked(tone: Tone, mark: &str, rest: &str) -> Self {
        Self::new().with(tone, mark).with(Tone::Plain, rest)
    }

    /// The text with its lines broken at blanks where they are longer than `width`.
    pub(crate) fn wrapped(self, width: Width) -> Self {
        let Width::Columns(columns) = width else { return self };
        let mut wrapped = Self { spans: Vec::new(), spared: self.spared };
        let mut letters = Vec::new();
        for (tone, text) in self.spans {
            letters.extend(printable_but(&text, &['\n']).chars().map(|letter| (letter, tone)));
        }
        for (number, line) in letters.split(|(letter, _)| *letter == '\n').enumerate() {
            if number > 0 {
                wrapped.push(Tone::Plain, "\n");
            }
            wrapped.push_line(line, columns);
        }
        wrapped
    }

    /// Adds a line of letters with their tones, broken where it is too long.
    fn push_line(&mut self, line: &[(char, Tone)], columns: usize) {
        let plain: String = line.iter().map(|(letter, _)| letter).collect();
        for (number, part) in parts(&plain, columns).into_iter().enumerate() {
            if number > 0 {
                self.push(Tone::Plain, format!("\n{}", " ".repeat(part.indent)));
            }
            let first = plain[..part.place.start].chars().count();
            let part = &line[first..first + plain[part.place].chars().count()];
            for alike in part.chunk_by(|(_, one), (_, other)| one == other) {
                let text: String = alike.iter().map(|(letter, _)| letter).collect();
                self.push(alike[0].1, text);
            }
        }
    }

    /// True if there is nothing in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.spans.iter().all(|(_, text)| text.is_empty())
    }

    /// The text for a terminal or a pipe. Line feeds stay; every other character that would
    /// act on a terminal is spelled out, wherever it came from.
    pub(crate) fn rendered(&self, colours: Colours) -> String {
        let mut rendered = String::new();
        for (tone, text) in &self.spans {
            let shown = printable_but(text, &['\n']);
            match colours {
                Colours::On if *tone != Tone::Plain && !text.is_empty() => {
                    rendered.extend([tone.sequence(), &shown, RESET]);
                }
                _ => rendered.push_str(&shown),
            }
        }
        rendered
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::new().with(Tone::Plain, text)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

/// The use of colours for tones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colours {
    On,
    Off,
}

impl Colours {
    /// The wish of the user and the terminal for this stream: `NO_COLOR` (no-color.org), `CLICOLOR`
    /// and `CLICOLOR_FORCE` (bixense.com/clicolors) are honoured.
    pub(crate) fn of(stream: &impl IsTerminal) -> Self {
        Self::decided(stream.is_terminal(), |name| {
            env::var_os(name).map(|value| value.to_string_lossy().into_owned())
        })
    }

    fn decided(is_terminal: bool, variable: impl Fn(&str) -> Option<String>) -> Self {
        let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
        let is_zero = |name: &str| variable(name).as_deref() == Some("0");
        let is_forced = is_set("CLICOLOR_FORCE") && !is_zero("CLICOLOR_FORCE");
        let is_dumb = variable("TERM").as_deref() == Some("dumb");
        match () {
            () if is_set("NO_COLOR") => Self::Off,
            () if is_forced => Self::On,
            () if !is_terminal || is_dumb || is_zero("CLICOLOR") => Self::Off,
            () => Self::On,
        }
    }
}

/// A continued line is indented so far beyond the first.
const HANG: usize = 2;

/// A value that begins no further to the right keeps its lines below each other.
const VALUE_MAX: usize = 32;

/// One line of several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// Blanks before it.
    pub(super) indent: usize,
    /// Its place in the whole line, in bytes.
    pub(super) place: Range<usize>,
}

/// A line broken at blanks, so that no part is longer than `columns`. A word that is longer than
/// that alone is left where it is.
pub(super) fn parts(line: &str, columns: usize) -> Vec<Part> {
    let hang = indentation(line);
    let length = |place: Range<usize>| line[place].chars().count();
    let mut parts = vec![Part { indent: 0, place: 0..0 }];
    let mut is_begun = false;
    for (at, word) in words(line) {
        let end = at + word.len();
        let is_hopeless = length(at..end) > columns;
        match parts.last_mut() {
            Some(last)
                if !is_begun
                    || is_hopeless
                    || last.indent + length(last.place.start..end) <= columns =>
            {
                last.place.end = end;
            }
            _ => {
                let indent = hang.min(columns.saturating_sub(length(at..end)));
                parts.push(Part { indent, place: at..end });
            }
        }
        is_begun = true;
    }
    parts
}

/// The words of a line, each with the place where it begins.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    line.split(' ').filter_map(move |word| {
        let begin = at;
        at += word.len() + 1;
        (!word.is_empty()).then_some((begin, word))
    })
}

/// Blanks before whatever does not fit on the first line: below the value where a line is a name, a
/// gap and a value, otherwise a little further than the line itself.
fn indentation(line: &str) -> usize {
    let own = line.len() - line.trim_start().len();
    let name = line[own..].find("  ").map(|at| own + at);
    let value = name.and_then(|at| Some(at + line[at..].find(|letter| letter != ' ')?));
    match value.map(|at| line[..at].chars().count()) {
        Some(value) if value <= VALUE_MAX => value,
        _ => own + HANG,
    }
}

/// Columns where no one says how wide the page is: a pipe, a file.
const USUAL: usize = 80;

/// The narrowest page that is reckoned with.
const NARROWEST: usize = 40;

/// How wide something may become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    /// As wide as it takes.
    Unlimited,
    /// This many columns of characters.
    Columns(usize),
}

/// The page that is printed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Page {
    /// How wide tables may become.
    pub(crate) tables: Width,
    /// Where lines of text are broken.
    pub(crate) lines: Width,
}

impl Page {
    /// Everything as wide as it takes.
    pub(crate) const WIDE: Self = Self { tables: Width::Unlimited, lines: Width::Unlimited };

    /// Standard output. Tables are as wide as the terminal, elsewhere as `COLUMNS` says, or 80.
    /// Lines are broken on a terminal alone: what is piped may be searched for a line.
    pub(crate) fn of_output() -> Self {
        let out = stdout();
        let is_terminal = out.is_terminal();
        let terminal = match is_terminal {
            true => terminal_size_of(&out).map(|(TerminalWidth(width), _)| usize::from(width)),
            false => None,
        };
        let named = || env::var("COLUMNS").ok().and_then(|text| text.parse::<usize>().ok());
        let columns = terminal.filter(|width| *width > 0).or_else(named).unwrap_or(USUAL);
        let width = Width::Columns(columns.max(NARROWEST));
        Self { tables: width, lines: if is_terminal { width } else { Width::Unlimited } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_colours_reach_the_terminal() {
        let text = Text::new()
            .with(Tone::Good, "steady\u{1b}[31m")
            .with(Tone::Plain, "\n\u{1b}]0;owned\u{7}\r\u{202e}");
        let shown = "steady\\u{1b}[31m\n\\u{1b}]0;owned\\u{7}\\r\\u{202e}";
        assert_eq!(text.rendered(Colours::Off), shown);
        let coloured = text.rendered(Colours::On);
        assert_eq!(coloured.replacen("\x1b[32m", "", 1).replacen(RESET, "", 1), shown);
    }

    #[test]
    fn long_lines_are_broken_and_keep_their_tones() {
        let text = Text::marked(Tone::Caution, "warning: ", "one two\nthree\u{1b} four\n");
        assert_eq!(text.clone().wrapped(Width::Unlimited), text);
        let narrow = text.wrapped(Width::Columns(12));
        let shown = "warning: one\n  two\nthree\\u{1b}\n  four\n";
        assert_eq!(narrow.rendered(Colours::Off), shown);
        assert!(narrow.rendered(Colours::On).starts_with("\x1b[33mwarning: \x1b[0mone\n"));
    }

    #[test]
    fn the_environment_decides_about_colours() {
        let check = |is_terminal: bool, variables: &[(&str, &str)], expected: Colours| {
            let variable = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(Colours::decided(is_terminal, variable), expected, "{variables:?}");
        };
        check(true, &[], Colours::On);
        check(true, &[("TERM", "xterm"), ("NO_COLOR", "")], Colours::On);
        check(true, &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], Colours::Off);
        check(true, &[("CLICOLOR", "0")], Colours::Off);
        check(true, &[("TERM", "dumb")], Colours::Off);
        check(false, &[("CLICOLOR", "1")], Colours::Off);
        check(false, &[("CLICOLOR_FORCE", "1"), ("TERM", "dumb")], Colours::On);
        check(false, &[("CLICOLOR_FORCE", "0")], Colours::Off);
    }
}

#[cfg(test)]
mod lines_tests {
    use super::*;

    #[test]
    fn lines_end_at_blanks() {
        let check = |line: &str, columns: usize, expected: &[&str]| {
            let shown = |part: Part| " ".repeat(part.indent) + &line[part.place];
            let found: Vec<String> = parts(line, columns).into_iter().map(shown).collect();
            assert_eq!(found, expected, "{line}");
        };
        check("one two three", 13, &["one two three"]);
        check("one two three", 12, &["one two", "  three"]);
        check("one two three", 6, &["one", "  two", " three"]);
        check("one two three", 5, &["one", "  two", "three"]);
        check("  one two", 6, &["  one", "   two"]);
        check("kind  a file of it", 12, &["kind  a file", "      of it"]);
        // There is no line that such a word fits on.
        check("incomprehensibilities", 10, &["incomprehensibilities"]);
        check("is incomprehensibilities it", 10, &["is incomprehensibilities", "  it"]);
        check("", 10, &[""]);
    }

    #[test]
    fn values_stay_below_each_other() {
        let check = |line: &str, expected: usize| assert_eq!(indentation(line), expected);
        check("a sentence", 2);
        check("  a sentence", 4);
        check("kind     a file", 9);
        check("  kind     a file", 11);
        check(&format!("{}  far", "x".repeat(40)), 2);
    }
}
