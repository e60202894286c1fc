//! What renderers add to a page.

use crate::language::catalog::PageTexts;

pub(super) const TEXTS: PageTexts = PageTexts {
    contents: "Inhalt",
    figure: "Abbildung",
    table: "Tabelle",
    page: "Seite",
    of_pages: "von",
};
