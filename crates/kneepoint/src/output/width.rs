//! How wide the page is: its tables, and its sentences.

use std::env;
use std::io::{IsTerminal, stdout};

use terminal_size::{Width as TerminalWidth, terminal_size_of};

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
