//! `kneepoint report`: the report of a stored run.

use std::path::Path;

use kneepoint_core::fault::Fault;
use kneepoint_core::result::RunDocument;
use kneepoint_report::ReportOptions;
use kneepoint_report::page::Page;

use super::stored;
use super::written::{check_writable, format_of, make_folder, write};
use crate::Outcome;
use crate::cli::{LanguageChoice, ReportArgs};
use crate::output::print::tell;

/// Writes the report.
pub(crate) fn report(args: &ReportArgs) -> anyhow::Result<Outcome> {
    check(&args.output)?;
    let document = stored::load(&args.store.store, &args.run.run)?;
    write_report(&document, &args.output, args.language)?;
    if let Some(folder) = &args.figures {
        write_figures(&document, folder, args.language)?;
    }
    tell(&format!("report of run {} written to {}", document.run.id, args.output.display()));
    Ok(Outcome::Done)
}

/// What the ending of a report's name asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Html,
    Markdown,
    Pdf,
}

/// Formats that a report can be written in, by the ending of the file's name.
const FORMATS: &[(&str, Format)] = &[
    ("html", Format::Html),
    ("htm", Format::Html),
    ("md", Format::Markdown),
    ("pdf", Format::Pdf),
];

/// Refuses a file that could not be written later.
pub(super) fn check(path: &Path) -> Result<(), Fault> {
    if format_of(path, FORMATS)? == Format::Pdf {
        pdf_is_built()?;
    }
    check_writable(path)
}

/// Writes the report of a run in the format that the file's name asks for.
pub(super) fn write_report(
    document: &RunDocument,
    path: &Path,
    language: LanguageChoice,
) -> anyhow::Result<()> {
    let options = ReportOptions { language: language.language() };
    write_page(&kneepoint_report::page(document, &options), path)
}

/// Writes a page in the format that the file's name asks for.
pub(super) fn write_page(page: &Page, path: &Path) -> anyhow::Result<()> {
    match format_of(path, FORMATS)? {
        Format::Html => write(path, kneepoint_report::html(page)),
        Format::Markdown => write_markdown(page, path),
        Format::Pdf => Ok(pdf_is_built()?),
    }
}

/// Every figure as a drawing and as data.
fn write_figures(
    document: &RunDocument,
    folder: &Path,
    language: LanguageChoice,
) -> anyhow::Result<()> {
    let page = kneepoint_report::page(document, &ReportOptions { language: language.language() });
    make_folder(folder)?;
    for figure in page.figures() {
        let file = |ending: &str| folder.join(format!("{}.{ending}", figure.stem()));
        write(&file("svg"), figure.drawing.svg_document())?;
        write(&file("csv"), figure.drawing.csv())?;
    }
    Ok(())
}

/// The text, and its figures in a folder beside it.
fn write_markdown(page: &Page, path: &Path) -> anyhow::Result<()> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = format!("{stem}-figures");
    let folder = path.with_file_name(&name);
    let figures = page.figures();
    if !figures.is_empty() {
        make_folder(&folder)?;
    }
    for figure in figures {
        let file = folder.join(figure.stem()).with_extension("svg");
        write(&file, figure.drawing.svg_document())?;
    }
    write(path, kneepoint_report::markdown(page, &name))
}

/// PDF needs a build that has it.
fn pdf_is_built() -> Result<(), Fault> {
    Err(Fault::new("this build of Kneepoint writes no PDF")
        .because("it was built without the feature `pdf`")
        .fix("write .html and print it from a browser, or build with `--features pdf`"))
}
