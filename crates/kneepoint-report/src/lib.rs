//! Performance reports: figures, the page model, and the page as HTML.
//!
//! A report is built in two steps. [`page::build`] turns a run into a [`page::Page`] of blocks
//! (paragraphs, tables, figures, notes) that knows nothing of HTML; [`html::render`] turns the
//! page into one self-contained file. Another format is another renderer of the same page.
//! Nothing here reads a clock, a file or the network: equal runs give equal bytes.

#![forbid(unsafe_code)]

pub mod figure;
