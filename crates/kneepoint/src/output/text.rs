//! Text for the terminal: spans with a tone, so that nothing but this module writes escape
//! sequences, and whatever else is in a text is shown instead of obeyed.

use std::env;
use std::io::IsTerminal;

use kneepoint_core::words::printable::printable_but;

use super::lines;
use super::width::Width;

/// What a span says, apart from its words: shown as a colour where there are colours.
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
        for (number, part) in lines::parts(&plain, columns).into_iter().enumerate() {
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

    /// Whether there is nothing in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.spans.iter().all(|(_, text)| text.is_empty())
    }

    /// What is written to a terminal or a pipe. Line feeds stay; every other character that would
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

impl From<&String> for Text {
    fn from(text: &String) -> Self {
        Self::from(text.clone())
    }
}

/// Whether tones become colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colours {
    On,
    Off,
}

impl Colours {
    /// What the user and the terminal want of this stream: `NO_COLOR` (no-color.org), `CLICOLOR`
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
