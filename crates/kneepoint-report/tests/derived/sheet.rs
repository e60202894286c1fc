//! A page as a reader has it: sentences and tables in plain words.

use kneepoint_report::page::{Block, Page, Section};

use super::number::{Number, first, plain};

/// A table in plain words.
#[derive(Debug, Clone, Default)]
pub(crate) struct Grid {
    pub(crate) caption: String,
    pub(crate) heads: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Grid {
    /// The column with this head.
    pub(crate) fn column(&self, head: &str) -> Option<usize> {
        self.heads.iter().position(|known| known.eq_ignore_ascii_case(head))
    }

    /// The columns that hold throughput.
    pub(crate) fn rates(&self) -> Vec<usize> {
        ["IO/s", "MiB/s"].iter().filter_map(|unit| self.column(unit)).collect()
    }

    /// The rows but those of points that failed, which are in no figure and no key figure.
    pub(crate) fn usable(&self) -> impl Iterator<Item = &Vec<String>> {
        self.rows
            .iter()
            .filter(|row| row.last().is_none_or(|verdict| !verdict.starts_with("failed")))
    }

    /// The rows of this name.
    pub(crate) fn named<'g>(&'g self, name: &'g str) -> impl Iterator<Item = &'g Vec<String>> {
        self.rows.iter().filter(move |row| row.first().is_some_and(|first| first == name))
    }
}

/// The number of a cell.
pub(crate) fn value(row: &[String], column: usize) -> Option<Number> {
    row.get(column).and_then(|cell| first(cell))
}

/// Sentences and tables of a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sheet {
    pub(crate) grids: Vec<Grid>,
    pub(crate) sentences: Vec<String>,
}

impl Sheet {
    /// A page before it is written.
    pub(crate) fn of_page(page: &Page) -> Self {
        fn add(section: &Section, sheet: &mut Sheet) {
            section.blocks.iter().for_each(|block| sheet.add(block));
            section.sections.iter().for_each(|inner| add(inner, sheet));
        }
        let mut sheet = Self::default();
        page.sections.iter().for_each(|section| add(section, &mut sheet));
        sheet
    }

    fn add(&mut self, block: &Block) {
        match block {
            Block::Paragraph(text) | Block::Remark(text) => {
                self.sentences.push(plain(&text.words()));
            }
            Block::List(items) => {
                self.sentences.extend(items.iter().map(|item| plain(&item.words())));
            }
            Block::Note(note) => self.sentences.push(plain(&note.text.words())),
            Block::Table(table) => self.grids.push(Grid {
                caption: plain(&table.caption.words()),
                heads: table.columns().map(|column| plain(&column.title)).collect(),
                rows: table
                    .rows
                    .iter()
                    .map(|row| {
                        let words = |text: &str, detail: &str| plain(&format!("{text} {detail}"));
                        row.iter().map(|cell| words(&cell.text.words(), &cell.detail)).collect()
                    })
                    .collect(),
            }),
            Block::Facts(_) | Block::Figures(_) | Block::Strips(_) | Block::Listing(_) => {}
        }
    }

    /// The tables that have all of these columns.
    pub(crate) fn with<'s>(&'s self, heads: &'s [&'s str]) -> impl Iterator<Item = &'s Grid> {
        self.grids.iter().filter(|grid| heads.iter().all(|head| grid.column(head).is_some()))
    }

    /// The table of a series, load by load.
    pub(crate) fn loads(&self, series: &str) -> Option<&Grid> {
        let of = |kind: &str| {
            let caption = format!("{kind} of {series}");
            self.grids.iter().find(|grid| {
                grid.caption.split(". ").last().unwrap_or_default().trim_end_matches('.') == caption
            })
        };
        of("Results").or_else(|| of("All points"))
    }

    /// The names of all series, the longest first.
    pub(crate) fn series(&self) -> Vec<&str> {
        let named = self
            .grids
            .iter()
            .filter(|grid| grid.heads.first().is_some_and(|head| head == "Series"));
        let mut names: Vec<&str> = named
            .flat_map(|grid| &grid.rows)
            .filter_map(|row| row.first())
            .map(String::as_str)
            .collect();
        names.sort_by_key(|name| (std::cmp::Reverse(name.len()), *name));
        names.dedup();
        names
    }
}
