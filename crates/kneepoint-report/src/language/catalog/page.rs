//! What renderers add to a page.

/// Words around the blocks of a page.
#[derive(Debug)]
pub(crate) struct PageTexts {
    /// Heading of the list of chapters.
    pub(crate) contents: &'static str,
    /// Before the number of a figure.
    pub(crate) figure: &'static str,
    /// Before the number of a table.
    pub(crate) table: &'static str,
    /// Before the number of a page.
    #[cfg_attr(not(feature = "pdf"), expect(dead_code, reason = "only paper has pages"))]
    pub(crate) page: &'static str,
    /// Between the number of a page and that of all pages.
    #[cfg_attr(not(feature = "pdf"), expect(dead_code, reason = "only paper has pages"))]
    pub(crate) of_pages: &'static str,
}
