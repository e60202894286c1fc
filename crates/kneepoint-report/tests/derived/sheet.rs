//! A page as a reader has it: sentences and tables in plain words.

use kneepoint_report::page::{Block, Inline, Page, Section, Text};

use super::number::{Number, RATES, first, plain};

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
        RATES.iter().filter_map(|unit| self.column(unit)).collect()
    }

    /// The rows but those of points that failed, which are in no figure and no key figure.
    pub(crate) fn usable(&self) -> impl Iterator<Item = &Vec<String>> {
        self.rows
            .iter()
            .filter(|row| row.last().is_none_or(|verdict| !verdict.starts_with("failed")))
    }

    /// A row with what another table says in its columns of the same heads.
    fn in_place_of(&self, row: &[String], (other, mean): (&Self, &[String])) -> Vec<String> {
        let cell = |(column, own): (usize, &String)| match column {
            0 => mean[0].clone(),
            _ => match other.column(&self.heads[column]).and_then(|known| mean.get(known)) {
                Some(known) => known.clone(),
                None => own.clone(),
            },
        };
        row.iter().enumerate().map(cell).collect()
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
                self.sentences.push(plain(&without_meanings(text)));
            }
            Block::List(items) => {
                self.sentences.extend(items.iter().map(|item| plain(&without_meanings(item))));
            }
            Block::Note(note) => self.sentences.push(plain(&without_meanings(&note.text))),
            Block::Table(table) => self.grids.push(Grid {
                caption: plain(&without_meanings(&table.caption)),
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

    /// The numbers of a series, load by load: means of what was repeated, and what was measured once.
    pub(crate) fn loads(&self, series: &str) -> Option<Grid> {
        let of = |kind: &str| {
            let caption = format!("{kind} of {series}");
            self.grids.iter().find(|grid| {
                grid.caption.split(". ").last().unwrap_or_default().trim_end_matches('.') == caption
            })
        };
        let all = of("All points")?;
        let mut known =
            Grid { caption: all.caption.clone(), heads: all.heads.clone(), rows: Vec::new() };
        let means = of("Results");
        for row in &all.rows {
            let mean =
                means.and_then(|grid| Some((grid, grid.named(row.first()?).next()?.as_slice())));
            let row = match mean {
                None => row.clone(),
                Some((grid, mean)) => all.in_place_of(row, (grid, mean)),
            };
            let is_known = known.rows.iter().any(|one| one.first() == row.first());
            if !is_known || mean.is_none() {
                known.rows.push(row);
            }
        }
        Some(known)
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

/// The words of a text without what its terms mean.
fn without_meanings(text: &Text) -> String {
    let own = text.0.iter().filter(|inline| !matches!(inline, Inline::Definition { .. }));
    Text(own.cloned().collect()).words()
}
