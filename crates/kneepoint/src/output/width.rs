//! How wide a table may become.

use std::env;
use std::io::{IsTerminal, stdout};

use terminal_size::{Width as TerminalWidth, terminal_size_of};

/// Columns where nobody says how wide the page is: a pipe, a file.
const USUAL: usize = 80;

/// The narrowest page that is reckoned with.
const NARROWEST: usize = 40;

/// How wide a table may become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    /// As wide as it takes.
    Unlimited,
    /// So many columns of characters.
    Columns(usize),
}

impl Width {
    /// The width of standard output: that of the terminal, elsewhere what `COLUMNS` says, or 80.
    pub(crate) fn of_output() -> Self {
        let out = stdout();
        let terminal = match out.is_terminal() {
            true => terminal_size_of(&out).map(|(TerminalWidth(width), _)| usize::from(width)),
            false => None,
        };
        let named = || env::var("COLUMNS").ok().and_then(|text| text.parse::<usize>().ok());
        let columns = terminal.filter(|width| *width > 0).or_else(named).unwrap_or(USUAL);
        Self::Columns(columns.max(NARROWEST))
    }
}
