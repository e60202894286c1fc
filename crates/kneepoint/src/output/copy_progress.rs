//! Progress of the copies of files on standard error.

use std::io::{IsTerminal, stderr};
use std::path::Path;

use indicatif::ProgressBar;
use kneepoint_core::measure::NextCopy;
use kneepoint_core::plan::Plan;
use kneepoint_core::result::CopyResult;
use kneepoint_core::spec::file_copy::FileSetPlan;
use kneepoint_core::words::number::{MibPerS, RoundedBytes};
use kneepoint_core::words::units::Bytes;

use super::print::tell;
use super::progress::style;

/// Shows how far the copies are; the bar goes away with it.
pub(crate) struct CopyProgress {
    bar: Option<ProgressBar>,
    total: usize,
}

impl CopyProgress {
    /// Progress over all copies of `plan`, of which `made` are made.
    pub(crate) fn new(plan: &Plan, made: usize) -> Self {
        let targets = plan.targets.iter().filter(|target| target.takes_copies()).count();
        let total = targets * plan.file_copy.as_ref().map_or(0, |copy| copy.count());
        let bar = stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total as u64);
            bar.set_style(style("{bar:40.cyan/blue} {pos}/{len} copies  {msg}"));
            bar.set_position(made as u64);
            bar
        });
        Self { bar, total }
    }

    /// A copy begins.
    pub(crate) fn begin(&self, next: &NextCopy<'_>) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{}, {}", next.method.name(), next.cache.name()));
        }
    }

    /// A copy has ended; `made` are made now.
    pub(crate) fn end(&self, copy: &CopyResult, made: usize) {
        let kind = format!("{}, {}", copy.method.name(), copy.cache.name());
        let line = match (&copy.error, copy.elapsed_s) {
            (Some(error), _) => format!("{kind}: failed: {error}"),
            (None, elapsed) => {
                let rate = Bytes(copy.bytes).as_mib_f64() / elapsed.unwrap_or(f64::NAN);
                format!("{kind}: {}", MibPerS(rate))
            }
        };
        let line = format!("[copy {made}/{}] {line}", self.total);
        match &self.bar {
            Some(bar) => {
                bar.set_position(made as u64);
                bar.suspend(|| tell(line));
            }
            None => tell(line),
        }
    }
}

impl Drop for CopyProgress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A bar for writing the files that are copied; moves by bytes.
pub(crate) fn source_bar(path: &Path, set: &FileSetPlan) -> ProgressBar {
    let what = format!("{} files of the file copy in {}", set.files, path.display());
    if !stderr().is_terminal() {
        tell(format!("preparing {what}, {}", RoundedBytes(set.bytes)));
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(set.bytes);
    bar.set_style(style(
        "writing {msg}  {bar:30.cyan/blue} {binary_bytes}/{binary_total_bytes}  {eta} left",
    ));
    bar.set_message(what);
    bar
}
