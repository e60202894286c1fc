//! The page as PDF, set by Typst with embedded fonts.
//!
//! The template is fixed text; everything that a run says reaches it as values, which are shown
//! and never read as markup. Nothing comes from the machine: no font, no file, no clock. Equal
//! pages give equal bytes.

mod document;
mod table;

use kneepoint_core::words::fault::Fault;
use typst::diag::{FileError, FileResult, SourceDiagnostic};
use typst::foundations::{Bytes, Datetime};
use typst::layout::PagedDocument;
use typst::syntax::{FileId, Source};
use typst::text::{Font, FontBook, FontStyle, FontWeight};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt, World};
use typst_pdf::PdfOptions;

use super::page::Page;

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

/// The whole style: paper, type, and where each part of a page goes.
const TEMPLATE: &str = include_str!("template.typ");

/// Families of the embedded fonts that the template names; the others are for mathematics.
const FAMILIES: [&str; 2] = ["Libertinus Serif", "DejaVu Sans Mono"];

/// Everything that one page needs, and nothing else.
pub(super) struct Shelf {
    library: LazyHash<Library>,
    book: LazyHash<FontBook>,
    fonts: Vec<Font>,
    template: Source,
}

impl Shelf {
    pub(super) fn new(page: &Page) -> Self {
        let fonts = fonts();
        let inputs = document::values(page, &Ruler::new(&fonts));
        Self {
            library: LazyHash::new(Library::builder().with_inputs(inputs).build()),
            book: LazyHash::new(FontBook::from_fonts(&fonts)),
            template: Source::detached(TEMPLATE),
            fonts,
        }
    }
}

/// The embedded fonts.
fn fonts() -> Vec<Font> {
    typst_assets::fonts()
        .flat_map(|data| Font::iter(Bytes::new(data)))
        .filter(|font| FAMILIES.contains(&font.info().family.as_str()))
        .collect()
}

impl World for Shelf {
    fn library(&self) -> &LazyHash<Library> {
        &self.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &self.book
    }

    fn main(&self) -> FileId {
        self.template.id()
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        if id == self.template.id() { Ok(self.template.clone()) } else { Err(absent(id)) }
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        Err(absent(id))
    }

    fn font(&self, index: usize) -> Option<Font> {
        self.fonts.get(index).cloned()
    }

    /// There is no clock.
    fn today(&self, _offset: Option<i64>) -> Option<Datetime> {
        None
    }
}

/// There are no files.
fn absent(id: FileId) -> FileError {
    FileError::NotFound(id.vpath().as_rootless_path().into())
}

/// Measures text in the upright text font.
#[derive(Debug)]
pub(super) struct Ruler<'a> {
    font: Option<&'a Font>,
}

impl<'a> Ruler<'a> {
    /// A ruler for the first upright font of regular weight.
    pub(super) fn new(fonts: &'a [Font]) -> Self {
        let upright = |font: &&Font| {
            let variant = font.info().variant;
            variant.style == FontStyle::Normal && variant.weight == FontWeight::REGULAR
        };
        Self { font: fonts.iter().find(upright) }
    }

    /// Width of `text` on one line, in multiples of the font size.
    pub(super) fn width(&self, text: &str) -> f64 {
        text.chars().map(|character| self.advance(character)).sum()
    }

    /// Width of the widest part of `text` that is not broken at a space.
    pub(super) fn widest_word(&self, text: &str) -> f64 {
        text.split([' ', '\u{200b}']).map(|word| self.width(word)).fold(0.0, f64::max)
    }

    /// A character that the font lacks counts as a wide one.
    fn advance(&self, character: char) -> f64 {
        let glyph = |font: &Font| font.ttf().glyph_index(character);
        self.font
            .and_then(|font| font.x_advance(glyph(font)?.0))
            .map_or(0.8, |advance| advance.get())
    }
}
