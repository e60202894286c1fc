//! Tables of text.

use std::fmt::{self, Write as _};

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// In columns, for a terminal.
    Plain,
    Markdown,
}

/// A table: texts on the left, numbers on the right.
#[derive(Debug)]
pub(super) struct Table {
    head: Vec<&'static str>,
    /// This many columns at the start are texts.
    texts: usize,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub(super) fn new(head: &[&'static str], texts: usize) -> Self {
        Self { head: head.to_vec(), texts, rows: Vec::new() }
    }

    /// Adds a row.
    pub(super) fn push<const N: usize>(&mut self, row: [String; N]) {
        self.rows.push(row.into());
    }

    /// The table as text.
    pub(super) fn render(&self, style: Style) -> Result<String, fmt::Error> {
        match style {
            Style::Plain => self.plain(),
            Style::Markdown => self.markdown(),
        }
    }

    fn markdown(&self) -> Result<String, fmt::Error> {
        let mut text = format!("| {} |\n|", self.head.join(" | "));
        for column in 0..self.head.len() {
            text.push_str(if column < self.texts { "---|" } else { "--:|" });
        }
        text.push('\n');
        for row in &self.rows {
            writeln!(text, "| {} |", row.join(" | "))?;
        }
        Ok(text)
    }

    fn plain(&self) -> Result<String, fmt::Error> {
        let head: Vec<String> = self.head.iter().map(|word| (*word).to_owned()).collect();
        let lines = || std::iter::once(&head).chain(&self.rows);
        let width = |column: usize| lines().map(|row| row[column].chars().count()).max();
        let widths: Vec<usize> = (0..head.len()).filter_map(width).collect();
        let mut text = String::new();
        for row in lines() {
            let mut line = String::new();
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                match column < self.texts {
                    true => write!(line, "{cell:<width$}  ")?,
                    false => write!(line, "{cell:>width$}  ")?,
                }
            }
            writeln!(text, "{}", line.trim_end())?;
        }
        Ok(text)
    }
}

/// A number with three or four digits that count, and commas.
pub(super) fn digits(value: f64) -> String {
    match value {
        value if value < 10.0 => format!("{value:.2}"),
        value if value < 100.0 => format!("{value:.1}"),
        value => with_commas(&format!("{value:.0}")),
    }
}

fn with_commas(digits: &str) -> String {
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().flat_map(str::from_utf8).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(&["case", "IO/s"], 1);
        table.push(["a, 1".to_owned(), digits(1234.5)]);
        table.push(["longer".to_owned(), digits(9.876)]);
        table
    }

    #[test]
    fn markdown_aligns_numbers() {
        let expected = "| case | IO/s |\n|---|--:|\n| a, 1 | 1,234 |\n| longer | 9.88 |\n";
        assert_eq!(table().render(Style::Markdown).unwrap(), expected);
    }

    #[test]
    fn columns_are_as_wide_as_needed() {
        let expected = "case     IO/s\na, 1    1,234\nlonger   9.88\n";
        assert_eq!(table().render(Style::Plain).unwrap(), expected);
    }

    #[test]
    fn numbers_show_the_digits_that_count() {
        let numbers = [0.0, 9.994, 12.34, 100.4, 999_999.6, 12_345_678.0].map(digits);
        assert_eq!(numbers, ["0.00", "9.99", "12.3", "100", "1,000,000", "12,345,678"]);
    }
}
