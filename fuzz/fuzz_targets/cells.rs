//! Any text is a table of cells or a fault, and any row a cell or a reason.
//!
//! `cargo +nightly fuzz run cells fuzz/corpus/cells systems/data`

#![no_main]

use kneepoint_sim::cells::{Cell, DriveCatalog, group, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(table) = parse(text, "fuzz.csv") else { return };
    let catalog = DriveCatalog::default();
    let cells: Vec<Option<Cell>> =
        table.rows.iter().map(|row| Cell::of(row, &catalog).ok()).collect();
    let grouped: usize = group(&cells).iter().map(|series| series.cells.len()).sum();
    assert_eq!(grouped, cells.iter().flatten().count());
});
