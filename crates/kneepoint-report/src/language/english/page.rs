//! What renderers add to a page.

use crate::language::catalog::PageTexts;

pub(super) const TEXTS: PageTexts = PageTexts {
    contents: "Contents",
    figure: "Figure",
    table: "Table",
    page: "Page",
    of_pages: "of",
};
