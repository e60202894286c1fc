//! How far the benchmark is, on standard error: a bar on a terminal, a line per case elsewhere.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

/// Counts runs of tools.
#[derive(Debug)]
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    started: Instant,
    done: u32,
    total: u32,
}

impl Progress {
    /// None of `total` runs is done.
    pub(super) fn new(total: u32) -> anyhow::Result<Self> {
        let style = ProgressStyle::with_template("{bar:20} {pos}/{len}  {eta} left  {msg}")?;
        let bar = || ProgressBar::new(total.into()).with_style(style);
        let bar = io::stderr().is_terminal().then(bar);
        Ok(Self { bar, started: Instant::now(), done: 0, total })
    }

    /// Something long begins.
    pub(super) fn begin(&self, what: &dyn Display) {
        match &self.bar {
            Some(bar) => bar.set_message(what.to_string()),
            None => {
                let left = self.left().map(|left| format!(", {} left", HumanDuration(left)));
                let left = left.unwrap_or_default();
                let line = format!("[{}/{}{left}] {what}", self.done, self.total);
                // Progress that no one takes is no reason to stop.
                let _ = writeln!(io::stderr().lock(), "{line}");
            }
        }
    }

    /// A run has ended.
    pub(super) fn advance(&mut self) {
        self.done += 1;
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    /// At the pace so far.
    fn left(&self) -> Option<Duration> {
        let pace = self.started.elapsed().checked_div(self.done)?;
        Some(pace * self.total.saturating_sub(self.done))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
