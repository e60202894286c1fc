//! Writes every kind of figure to a folder, to be looked at: one page in HTML, as reports have
//! them, and one file of SVG and of CSV for each figure.
//!
//!     cargo run -p kneepoint-report --example gallery -- DIR

#[path = "../tests/gallery/mod.rs"]
mod gallery;

use std::path::PathBuf;

use kneepoint_report::language::Language;
use kneepoint_report::page::{Block, Figure, Page, Section};

fn main() -> std::io::Result<()> {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        return Err(std::io::Error::other("name the folder that the gallery goes to"));
    };
    std::fs::create_dir_all(&folder)?;
    for (name, drawing) in gallery::all() {
        std::fs::write(folder.join(format!("{name}.svg")), drawing.svg_document())?;
        std::fs::write(folder.join(format!("{name}.csv")), drawing.csv())?;
    }
    std::fs::write(folder.join("gallery.html"), kneepoint_report::html(&page()))
}

fn page() -> Page {
    let is_strip = |name: &str| name.ends_with("strip");
    let (strips, figures): (Vec<_>, Vec<_>) =
        gallery::all().into_iter().partition(|(name, _)| is_strip(name));
    let figure = |(name, drawing): (&str, _)| Figure::new(name, drawing);
    let figures = Block::Figures(figures.into_iter().map(figure).collect());
    let strips = Block::Strips(strips.into_iter().map(figure).collect());
    Page {
        language: Language::English,
        kind: "Gallery".to_owned(),
        date: String::new(),
        title: "Every kind of figure".to_owned(),
        badge: None,
        stamp: String::new(),
        facts: Vec::new(),
        notes: Vec::new(),
        contents_after: 0,
        sections: vec![Section::new("figures", "Figures", vec![figures, strips])],
    }
}
