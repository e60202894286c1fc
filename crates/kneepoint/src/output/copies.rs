//! The copies of files as a table.

use kneepoint_core::result::{CopySummary, Estimate, RunDocument, Warning};
use kneepoint_core::words::number::{Rate, RoundedBytes};

use super::result::warning_line;
use super::table::{Align, TextTable};
use super::text::{Text, Tone};
use super::width::Width;

/// What was copied, and how fast; nothing where nothing was.
pub(crate) fn copies_text(document: &RunDocument, width: Width) -> Option<Text> {
    let first = document.copies.first()?;
    let right = Align::Right;
    let mut table = TextTable::new(&[
        ("File copy", Align::Left),
        ("Cache", Align::Left),
        ("MiB/s", right),
        ("+-", right),
        ("median", right),
        ("files/s", right),
        ("+-", right),
        ("Copies", right),
        ("Target", Align::Left),
    ]);
    table.can_spare(&["+-", "median", "Copies"]);
    for summary in &document.analysis.copies {
        table.row(row(summary));
    }
    let set = format!(
        "{} files in {} directories, {} ({} bytes); +- is the 95 % confidence interval\n",
        first.files,
        first.directories,
        RoundedBytes(first.bytes),
        first.bytes
    );
    let mut text = table.fitted(width);
    text.push(Tone::Plain, set);
    for summary in &document.analysis.copies {
        if let Some(error) = &summary.error {
            let failed = format!("{}: {error}\n", kind(summary));
            text.append(Text::marked(Tone::Bad, "failed: ", &failed));
        }
    }
    Some(text)
}

/// The warnings of copies, each once with the kinds that have it.
pub(crate) fn copy_warnings(document: &RunDocument) -> Text {
    let mut kinds: Vec<(&Warning, Vec<String>)> = Vec::new();
    for summary in &document.analysis.copies {
        for warning in &summary.warnings {
            match kinds.iter_mut().find(|(known, _)| *known == warning) {
                Some((_, of)) => of.push(kind(summary)),
                None => kinds.push((warning, vec![kind(summary)])),
            }
        }
    }
    let mut lines = Text::new();
    for (warning, of) in kinds {
        lines.append(warning_line(&format!("{}: {}", of.join(", "), warning.text())));
    }
    lines
}

fn kind(summary: &CopySummary) -> String {
    format!("file copy by {} ({})", summary.method.name(), summary.cache.name())
}

fn row(summary: &CopySummary) -> Vec<String> {
    let mut row = vec![summary.method.name().to_owned(), summary.cache.name().to_owned()];
    let margin = |estimate: Estimate| {
        estimate.ci95.map_or_else(|| "-".to_owned(), |width| Rate(width).to_string())
    };
    match summary.rates {
        Some(rates) => row.extend([
            Rate(rates.throughput_mib_s.mean).to_string(),
            margin(rates.throughput_mib_s),
            Rate(rates.throughput_mib_s_median).to_string(),
            Rate(rates.files_per_s.mean).to_string(),
            margin(rates.files_per_s),
        ]),
        None => row.extend(["failed", "-", "-", "-", "-"].map(str::to_owned)),
    }
    row.extend([summary.copies.to_string(), summary.target.clone()]);
    row
}
