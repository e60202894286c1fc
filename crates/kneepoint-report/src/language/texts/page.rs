//! What renderers add to a page.

texts! {
    /// Heading of the list of chapters.
    contents: "Contents" | "Inhalt";
    /// Before the number of a figure.
    figure: "Figure" | "Abbildung";
    /// Before the number of a table.
    table: "Table" | "Tabelle";
    /// Before the number of a page.
    #[cfg_attr(not(feature = "pdf"), expect(dead_code, reason = "only paper has pages"))]
    page: "Page" | "Seite";
    /// Between the number of a page and that of all pages.
    #[cfg_attr(not(feature = "pdf"), expect(dead_code, reason = "only paper has pages"))]
    of_pages: "of" | "von";
}
