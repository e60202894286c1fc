//! `kneepoint report`: the report on one stored run, or on several side by side.

use std::path::{Path, PathBuf};

use kneepoint_core::analysis::comparison::{CompareOptions, Profiles, compare};
use kneepoint_core::result::RunDocument;
use kneepoint_core::words::fault::Fault;
use kneepoint_report::page::Page;

use crate::cli::{LanguageChoice, ReportArgs};
use crate::destination::{
    Parties, Replace, check_folder, format_of, make_folder, marked_pdf, write,
};
use crate::output::print::tell;
use crate::{Outcome, command, destination};

/// Writes the report.
pub(crate) fn report(args: &ReportArgs) -> anyhow::Result<Outcome> {
    let replace = Replace::forced(args.force.force);
    let mut parties = Parties::with_store(&args.store.store);
    add(&mut parties, "-o", &args.output);
    parties.output("--figures", args.figures.as_deref());
    parties.check()?;
    check(&args.output, replace)?;
    args.figures.iter().try_for_each(|folder| check_folder(folder))?;
    let documents = command::load_runs(&args.store.store, &args.runs)?;
    let documents: Vec<&RunDocument> = documents.iter().collect();
    let page = match documents.as_slice() {
        [document] => page_of(document, args.language),
        documents if args.chapters => chapters_page(documents, args.language),
        documents => comparison_page(documents, args)?,
    };
    let page = page.at(args.detail.detail());
    // All are looked at before the first is written.
    args.figures.iter().try_for_each(|folder| check_figures(&page, (folder, replace)))?;
    write_page(&page, (&args.output, replace))?;
    args.figures.iter().try_for_each(|folder| write_figures(&page, (folder, replace)))?;
    let ids: Vec<&str> = documents.iter().map(|document| document.run.id.as_str()).collect();
    let noun = if ids.len() > 1 { "runs" } else { "run" };
    tell(format!("report of {noun} {} written to {}", ids.join(", "), args.output.display()));
    Ok(Outcome::Done)
}

/// The report on several runs; the first is the reference.
fn comparison_page(documents: &[&RunDocument], args: &ReportArgs) -> anyhow::Result<Page> {
    let profiles = if args.different_profiles { Profiles::Different } else { Profiles::Same };
    let options = CompareOptions { profiles, ..CompareOptions::default() };
    let comparison = compare(documents, &options)?;
    Ok(kneepoint_report::comparison_page(documents, &comparison, args.language.language()))
}

/// The report on several runs, each in its chapter.
pub(super) fn chapters_page(documents: &[&RunDocument], language: LanguageChoice) -> Page {
    kneepoint_report::chapters_page(documents, language.language())
}

/// The report on one run.
pub(super) fn page_of(document: &RunDocument, language: LanguageChoice) -> Page {
    kneepoint_report::page(document, language.language())
}

/// The format that the ending of a report's name asks for.
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

/// Adds what is written for the report that `option` names.
pub(super) fn add(parties: &mut Parties, option: &str, path: &Path) {
    parties.output(option, Some(path));
    if format_of(path, FORMATS) == Ok(Format::Markdown) {
        parties.output(&format!("the figures of {option}"), Some(&folder_beside(path)));
    }
}

/// Refuses a file that could not be written later.
pub(super) fn check(path: &Path, replace: Replace) -> Result<(), Fault> {
    match format_of(path, FORMATS)? {
        Format::Pdf if cfg!(not(feature = "pdf")) => return Err(no_pdf()),
        Format::Markdown => check_folder(&folder_beside(path))?,
        Format::Html | Format::Pdf => {}
    }
    destination::check(path, replace)
}

/// Writes a page in the format that the file's name asks for.
pub(super) fn write_page(page: &Page, (path, replace): (&Path, Replace)) -> anyhow::Result<()> {
    match format_of(path, FORMATS)? {
        Format::Html => write(path, replace, kneepoint_report::html(page)),
        Format::Markdown => write_markdown(page, (path, replace)),
        Format::Pdf => write(path, replace, marked_pdf(pdf(page)?)),
    }
}

/// The file of a figure in a folder.
fn figure_file(folder: &Path, stem: &str, ending: &str) -> PathBuf {
    folder.join(format!("{stem}.{ending}"))
}

/// Refuses figures and data that could not be written later.
fn check_figures(page: &Page, (folder, replace): (&Path, Replace)) -> Result<(), Fault> {
    if !folder.is_dir() {
        return Ok(());
    }
    for (figure, ending) in
        page.figures().into_iter().flat_map(|figure| ["svg", "csv"].map(|ending| (figure, ending)))
    {
        destination::check(&figure_file(folder, &figure.stem(), ending), replace)?;
    }
    Ok(())
}

/// Every figure as a drawing and as data.
fn write_figures(page: &Page, (folder, replace): (&Path, Replace)) -> anyhow::Result<()> {
    make_folder(folder)?;
    for figure in page.figures() {
        let file = |ending: &str| figure_file(folder, &figure.stem(), ending);
        write(&file("svg"), replace, figure.drawing.svg_document())?;
        write(&file("csv"), replace, figure.drawing.csv())?;
    }
    Ok(())
}

/// The folder for the figures of a text, beside it.
fn folder_beside(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-figures"))
}

/// The text, and its figures in a folder beside it.
fn write_markdown(page: &Page, (path, replace): (&Path, Replace)) -> anyhow::Result<()> {
    let folder = folder_beside(path);
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let figures = page.figures();
    if !figures.is_empty() {
        make_folder(&folder)?;
    }
    let files = figures.iter().map(|figure| figure_file(&folder, &figure.stem(), "svg"));
    let files: Vec<PathBuf> = files.collect();
    // All are looked at before the first is replaced.
    files.iter().try_for_each(|file| destination::check(file, replace))?;
    for (figure, file) in figures.iter().zip(&files) {
        write(file, replace, figure.drawing.svg_document())?;
    }
    write(path, replace, kneepoint_report::markdown(page, &name))
}

/// The page as PDF.
#[cfg(feature = "pdf")]
fn pdf(page: &Page) -> Result<Vec<u8>, Fault> {
    kneepoint_report::pdf(page)
}

/// PDF needs a build that has it.
#[cfg(not(feature = "pdf"))]
fn pdf(_page: &Page) -> Result<Vec<u8>, Fault> {
    Err(no_pdf())
}

/// Why there is no PDF.
fn no_pdf() -> Fault {
    Fault::new("this build of Kneepoint writes no PDF")
        .because("it was built without the feature `pdf`")
        .fix("write .html and print it from a browser, or build with `--features pdf`")
}
