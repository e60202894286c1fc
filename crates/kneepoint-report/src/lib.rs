//! Performance reports: figures, the page model, and the page as HTML, Markdown and PDF.
//!
//! A report is built in two steps. [`page()`] turns a run into a [`Page`] of blocks (paragraphs,
//! tables, figures, notes) in one [`Language`] that knows nothing of formats; [`html()`] turns the
//! page into one self-contained file, [`markdown()`] into text beside which the figures lie as
//! files of their own, and with the feature `pdf` `pdf()` sets it on paper. Another format is
//! another renderer of the same page. Nothing here reads a clock, a file or the network: equal runs
//! give equal bytes.

#![forbid(unsafe_code)]

mod content;
pub mod figure;
mod html;
pub mod language;
mod markdown;
pub mod page;
#[cfg(feature = "pdf")]
mod pdf;
pub mod sizing;

use kneepoint_core::analysis::comparison::Comparison;
use kneepoint_core::result::RunDocument;

pub use html::render as html;
pub use language::Language;
pub use markdown::render as markdown;
use page::Page;

#[cfg(feature = "pdf")]
pub use pdf::render as pdf;

/// The comment at the end of drawings and Markdown texts, by which it is told who wrote them.
pub const MARK: &str = "<!-- Written by Kneepoint -->";

/// Choices of the reader of a report.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportOptions {
    /// Language of all texts and numbers.
    pub language: Language,
}

/// The report on one run, as blocks that any format can render.
pub fn page(run: &RunDocument, options: &ReportOptions) -> Page {
    content::build(run, options.language)
}

/// The report on `comparison`, which was made of `runs` in this order.
pub fn comparison_page(
    runs: &[&RunDocument],
    comparison: &Comparison,
    options: &ReportOptions,
) -> Page {
    content::comparison::build(runs, comparison, options.language)
}
