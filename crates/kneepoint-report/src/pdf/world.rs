//! The world as Typst sees it: the template, the page as values, and the embedded fonts.

use typst::diag::{FileError, FileResult};
use typst::foundations::{Bytes, Datetime};
use typst::syntax::{FileId, Source};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt, World};

use super::document;
use super::width::Ruler;
use crate::page::Page;

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
