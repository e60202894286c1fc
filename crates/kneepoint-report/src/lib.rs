//! Performance reports: figures, the page model, and the page as HTML.
//!
//! A report is built in two steps. [`page()`] turns a run into a [`Page`] of blocks (paragraphs,
//! tables, figures, notes) that knows nothing of HTML; [`html::render`] turns the page into one
//! self-contained file. Another format is another renderer of the same page. Nothing here reads a
//! clock, a file or the network: equal runs give equal bytes.

#![forbid(unsafe_code)]

mod content;
pub mod figure;
pub mod html;
pub mod page;

use kneepoint_core::result::RunDocument;

use page::Page;

/// The report on one run, as blocks that any format can render.
pub fn page(run: &RunDocument) -> Page {
    content::build(run)
}

/// The report on one run, as one self-contained HTML file.
pub fn html(run: &RunDocument) -> String {
    html::render(&page(run))
}
