//! Tables.

use super::{Text, Tone};

/// A table with a head that may have two rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Number within the page; 0 until the page is numbered.
    pub number: usize,
    /// What the table shows.
    pub caption: Text,
    /// Columns in groups; a group without a title has no upper head.
    pub groups: Vec<ColumnGroup>,
    /// The rows; each has a cell for every column. The first cell names the row.
    pub rows: Vec<Row>,
}

impl Table {
    /// An empty table that has no number yet.
    pub fn new(caption: impl Into<Text>, groups: Vec<ColumnGroup>) -> Self {
        Self { number: 0, caption: caption.into(), groups, rows: Vec::new() }
    }

    /// All columns from left to right.
    pub fn columns(&self) -> impl Iterator<Item = &Column> {
        self.groups.iter().flat_map(|group| &group.columns)
    }

    /// Adds a row.
    pub fn push(&mut self, cells: Vec<Cell>) {
        debug_assert_eq!(cells.len(), self.columns().count(), "a cell for every column");
        self.rows.push(Row { cells });
    }
}

/// Neighbouring columns under a common head.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnGroup {
    /// The common head; may be empty.
    pub title: String,
    /// The columns.
    pub columns: Vec<Column>,
}

impl ColumnGroup {
    /// A group of columns.
    pub fn new(title: impl Into<String>, columns: Vec<Column>) -> Self {
        Self { title: title.into(), columns }
    }
}

/// One column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its head.
    pub title: String,
    /// On which side the cells line up.
    pub align: Align,
}

impl Column {
    /// A column of words.
    pub fn words(title: impl Into<String>) -> Self {
        Self { title: title.into(), align: Align::Start }
    }

    /// A column of numbers.
    pub fn numbers(title: impl Into<String>) -> Self {
        Self { title: title.into(), align: Align::End }
    }
}

/// On which side cells line up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Where lines start: words.
    Start,
    /// Where lines end: numbers.
    End,
}

/// One row.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// A cell for every column.
    pub cells: Vec<Cell>,
}

/// One cell.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cell {
    /// The content.
    pub text: Text,
    /// A second line in small print; may be empty.
    pub detail: String,
    /// Its colour.
    pub tone: Tone,
}

impl Cell {
    /// A cell.
    pub fn new(text: impl Into<Text>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Adds a second line in small print.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    /// Gives the cell a colour.
    #[must_use]
    pub const fn tone(mut self, tone: Tone) -> Self {
        self.tone = tone;
        self
    }
}
