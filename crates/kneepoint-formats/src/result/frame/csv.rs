//! Frames as CSV: RFC 4180 with line feeds, numbers in the C locale.
//!
//! Numbers stand as they are. A text that a spreadsheet would take for a formula gets an apostrophe
//! before it, which spreadsheets read as "this is text".

use csv::Writer;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::printable::printable;

use super::{Frame, FrameValues};

/// The frame as CSV; fields are quoted where they need it, and empty where nothing is known.
///
/// # Errors
/// When the rows have no form in CSV.
pub fn write(frame: &Frame) -> Result<Vec<u8>, Fault> {
    let header = frame.columns.iter().map(|column| cell_text(&column.name));
    let rows = (0..frame.rows).map(|row| {
        frame.columns.iter().map(|column| cell(&column.values, row)).collect::<Vec<_>>()
    });
    rows_csv(std::iter::once(header.collect()).chain(rows))
}

fn rows_csv(rows: impl Iterator<Item = Vec<String>>) -> Result<Vec<u8>, Fault> {
    let failed = |why: String| Fault::new("cannot write the rows as CSV").because(why);
    let mut writer = Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).map_err(|error| failed(error.to_string()))?;
    }
    writer.into_inner().map_err(|error| failed(error.to_string()))
}

fn cell(values: &FrameValues, row: usize) -> String {
    match values {
        FrameValues::Text(texts) => cell_text(&texts[row]),
        FrameValues::Whole(counts) => maybe(counts[row]),
        FrameValues::Number(numbers) => maybe(numbers[row]),
    }
}

/// A number where there is one.
fn maybe<T: ToString>(number: Option<T>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

/// A text that no spreadsheet computes and that stays on one line: control characters are spelled
/// out.
fn cell_text(text: &str) -> String {
    const FORMULA: [char; 4] = ['=', '+', '-', '@'];
    let text = printable(text);
    if text.trim_start().starts_with(FORMULA) { format!("'{text}") } else { text.into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_no_formulas() {
        let check = |given: &str, written: &str| assert_eq!(cell_text(given), written);
        check("database/8KiB", "database/8KiB");
        check("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0");
        check("+1", "'+1");
        check("-1", "'-1");
        check("@SUM(A1)", "'@SUM(A1)");
        check("\t=1", "\\t=1");
        check("\r\n=1", "\\r\\n=1");
        check(" =1", "' =1");
        check("", "");
    }

    #[test]
    fn fields_are_quoted_where_they_need_it() {
        let row = ["a,b", "c\"d", "e\nf", "g\rh", "i"].map(str::to_owned).to_vec();
        let written = rows_csv(std::iter::once(row)).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), "\"a,b\",\"c\"\"d\",\"e\nf\",\"g\rh\",i\n");
    }
}
