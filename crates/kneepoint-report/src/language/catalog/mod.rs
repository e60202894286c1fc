//! The catalog: every text that a report can print, as fields that each language must fill.
//!
//! A chapter's texts are a struct of words and of functions that build sentences around values.
//! The values come as text that the language has already written; numbers that decide over singular
//! and plural come as numbers. A text that one language lacks does not compile.

mod grids;
mod page;

pub(crate) use grids::GridTexts;
pub(crate) use page::PageTexts;

/// Every text of one language.
#[derive(Debug)]
pub(crate) struct Catalog {
    /// Figures of several block sizes, and of series side by side.
    pub(crate) grids: GridTexts,
    /// What renderers add to a page.
    pub(crate) page: PageTexts,
}
