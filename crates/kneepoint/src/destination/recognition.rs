//! How a file that Kneepoint wrote is recognised.

/// What SQLite begins its files with, and where its header has the store's mark ("Knee").
const SQLITE: &[u8] = b"SQLite format 3\0";
const STORE_MARK: (usize, &[u8]) = (68, b"Knee");

/// The comment that the texts of reports and drawings end in.
const COMMENT: &[u8] = kneepoint_report::MARK.as_bytes();

/// The comment in a PDF, before the place of its table of contents (ISO 32000, 7.5.5).
const PDF_COMMENT: &[u8] = b"% Written by Kneepoint\n";

/// What a PDF ends in: the keyword before the place of its cross-reference table.
const PDF_END: &[u8] = b"startxref";

/// What files of ours contain near their beginning or end, by what they begin with.
const MARKS: &[(&[u8], &[u8])] = &[
    (b"<!DOCTYPE html>", b"<meta name=\"generator\" content=\"Kneepoint\">"),
    (b"<svg", COMMENT),
    (b"# ", COMMENT),
    (b"<?xml", b"<testsuites name=\"kneepoint compare\""),
    (b"%PDF-", PDF_COMMENT),
    (b"", b"\n# Residuals of the calibration, in percent of the measured number:"),
];

/// What the tables of an export begin with: one column of each line, today's or an earlier one.
const COLUMNS: &[&[&str]] =
    &[&["series"], &["profile", "start_s"], &["rate", "iops"], &["latency_mean_ms"]];

/// What the tables of figures begin with, and what their first line of data does.
const FIGURE: (&str, &[&str]) = (
    "kind,",
    &["point,", "rule,", "bar,", "cell,", "interval,", "mean,", "knee,", "crossing,", "peak,"],
);

/// Whether a file that begins so is a Kneepoint store.
pub(super) fn is_store(head: &[u8]) -> bool {
    let (at, mark) = STORE_MARK;
    head.starts_with(SQLITE) && head.get(at..at + mark.len()) == Some(mark)
}

/// Whether a file that begins and ends so is an output of Kneepoint, or empty.
pub(super) fn is_output(head: &[u8], tail: &[u8]) -> bool {
    let marked = |(start, mark): &(&[u8], &[u8])| {
        head.starts_with(start) && (contains(head, mark) || contains(tail, mark))
    };
    head.is_empty() || is_document(head) || is_table(head) || MARKS.iter().any(marked)
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    part.is_empty() || text.windows(part.len()).any(|window| window == part)
}

/// JSON whose first key is the schema, one of ours.
fn is_document(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let mut rest = text.as_ref();
    for part in ["{", "\"schema\"", ":"] {
        match rest.trim_start().strip_prefix(part) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    rest.trim_start().starts_with("\"kneepoint.")
}

/// CSV with the columns of an export, or with the data of a figure.
fn is_table(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let mut lines = text.lines();
    let (header, data) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let columns: Vec<&str> = header.split(',').collect();
    let is_figure =
        header.starts_with(FIGURE.0) && FIGURE.1.iter().any(|kind| data.starts_with(kind));
    is_figure || COLUMNS.iter().all(|any| any.iter().any(|name| columns.contains(name)))
}

/// A PDF with the comment by which it is recognised; no offset in it changes.
pub(crate) fn marked_pdf(mut pdf: Vec<u8>) -> Vec<u8> {
    let end = pdf.windows(PDF_END.len()).rposition(|window| window == PDF_END);
    if let Some(end) = end {
        pdf.splice(end..end, PDF_COMMENT.iter().copied());
    }
    pdf
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content: &str, expected: bool) {
        assert_eq!(is_output(content.as_bytes(), content.as_bytes()), expected, "{content}");
    }

    #[test]
    fn outputs_are_recognised() {
        check("", true);
        check("{\n  \"schema\": \"kneepoint.run/1\",", true);
        check("{\"schema\":\"kneepoint.validate/1\"}", true);
        check("# Report\n\ntext\n\n<!-- Written by Kneepoint -->\n", true);
        check("<svg xmlns=\"x\"></svg>\n<!-- Written by Kneepoint -->\n", true);
        check("kind,group,series\nbar,a,b\n", true);
        check("run,series,profile,rate,latency_mean_ms\n", true);
        check("run,series,profile,iops,latency_mean_ms\n", true);
        check(
            "name = \"a\"\n\n# Residuals of the calibration, in percent of the measured number:\n",
            true,
        );
    }

    #[test]
    fn files_of_others_are_not() {
        check("diary", false);
        check("# Notes\n\nabout Kneepoint\n", false);
        check("{\"name\":\"kneepoint.run/1\",\"schema\":\"other\"}", false);
        check("<!DOCTYPE html><title>Kneepoint</title>", false);
        check("kind,colour\nwood,brown\n", false);
        check("series,season\n", false);
        check("%PDF-1.7 about Kneepoint", false);
    }

    #[test]
    fn a_pdf_is_marked_before_its_end() {
        let pdf = marked_pdf(b"%PDF-1.7\nstartxref\n9\n%%EOF".to_vec());
        assert_eq!(pdf, b"%PDF-1.7\n% Written by Kneepoint\nstartxref\n9\n%%EOF");
        assert!(is_output(&pdf, &pdf));
    }

    #[test]
    fn a_store_is_recognised_by_its_header() {
        let mut header = [0; 100];
        header[..16].copy_from_slice(SQLITE);
        assert!(!is_store(&header));
        header[68..72].copy_from_slice(b"Knee");
        assert!(is_store(&header));
    }
}
