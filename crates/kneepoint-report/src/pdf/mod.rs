//! The page as PDF, set by Typst with embedded fonts.
//!
//! The template is fixed text; everything that a run says reaches it as values, which are shown
//! and never read as markup. Nothing comes from the machine: no font, no file, no clock. Equal
//! pages give equal bytes.

mod document;
mod figure;
mod table;
mod text;
mod width;
mod world;

use kneepoint_core::words::fault::Fault;
use typst::diag::SourceDiagnostic;
use typst::layout::PagedDocument;
use typst_pdf::PdfOptions;

use super::page::Page;
use world::Shelf;

/// The page as a PDF document: A4, with bookmarks, links and tags for screen readers.
///
/// # Errors
///
/// When the page cannot be set, which is a mistake of the program and not of the run.
pub fn render(page: &Page) -> Result<Vec<u8>, Fault> {
    // What the compiler remembers of the page before would not help; forgetting it at the end would
    // only delay the end of a program that writes one page.
    typst::comemo::evict(0);
    let shelf = Shelf::new(page);
    let set = typst::compile::<PagedDocument>(&shelf).output;
    set.and_then(|document| typst_pdf::pdf(&document, &PdfOptions::default()))
        .map_err(|diagnostics| fault(&diagnostics))
}

fn fault(diagnostics: &[SourceDiagnostic]) -> Fault {
    let why: Vec<&str> = diagnostics.iter().map(|found| found.message.as_str()).collect();
    Fault::new("cannot set the report as PDF")
        .because(why.join("; "))
        .fix("write the report as HTML and print it, and report this as a bug")
}
