//! Where the lines of a parameter file are that includes others.

use std::fmt;

use kneepoint_core::words::fault::Fault;

/// The lines of all files in the order in which they were read, numbered from 1 on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Source {
    /// Names of the files, that of the parameter file first.
    files: Vec<String>,
    /// File and line of each number.
    places: Vec<(usize, usize)>,
}

impl Source {
    /// Begins a file and gives its number.
    pub(super) fn open(&mut self, file: &str) -> usize {
        self.files.push(file.to_owned());
        self.files.len() - 1
    }

    /// The number of a line of a file.
    pub(super) fn number(&mut self, file: usize, line: usize) -> usize {
        self.places.push((file, line));
        self.places.len()
    }

    /// The name of the parameter file.
    pub(super) fn file(&self) -> &str {
        self.files.first().map_or("", String::as_str)
    }

    /// Files that were included so far.
    pub(super) fn included(&self) -> usize {
        self.files.len().saturating_sub(1)
    }

    /// File and line of a number; 0 stands for the parameter file as a whole.
    pub(super) fn place(&self, number: usize) -> String {
        match number.checked_sub(1).and_then(|index| self.places.get(index)) {
            Some((file, line)) => format!("{}:{line}", self.files[*file]),
            None => self.file().to_owned(),
        }
    }

    /// A fault about a line.
    pub(super) fn fault(&self, number: usize, what: impl fmt::Display) -> Fault {
        Fault::new(what.to_string()).behind(self.place(number))
    }
}
