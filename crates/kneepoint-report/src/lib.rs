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

pub use content::chapters::page as chapters_page;
pub use content::comparison::page as comparison_page;
pub use content::page;
pub use html::render as html;
pub use language::Language;
pub use markdown::render as markdown;

#[cfg(feature = "pdf")]
pub use pdf::render as pdf;

/// The comment at the end of drawings and Markdown texts, by which it is told who wrote them.
pub const MARK: &str = "<!-- Written by Kneepoint -->";
