//! What a series does: block size, reads and writes, random and sequential.

use kneepoint_core::number::{Percentage, RoundedBytes};
use kneepoint_core::units::Bytes;

use super::survey::{SeriesView, Survey};
use super::words;
use crate::page::{Block, Cell, Column, ColumnGroup, Table, Text};

/// The profile in a few words: `8 KiB blocks, 67% read, random`.
pub(super) fn short(series: &SeriesView<'_>) -> Option<String> {
    let point = series.points.first()?;
    let read = share(point.read_percent, ["writes only", "reads only"], "read");
    let random = share(point.random_percent, ["sequential", "random"], "random");
    Some(format!("{} blocks, {read}, {random}", block_size(point.block_bytes)))
}

/// The profile in sentences, with the mix where it has several lines.
pub(super) fn blocks(survey: &Survey<'_>, series: &SeriesView<'_>) -> Vec<Block> {
    let Some(point) = series.points.first() else {
        return vec![Block::paragraph("No point of this series was measured.")];
    };
    let planned = survey.planned(series);
    let mut text = Text::new().strong(match planned.filter(|facts| !facts.title.is_empty()) {
        Some(facts) => facts.title.clone(),
        None => series.profile.to_owned(),
    });
    let size = block_size(point.block_bytes);
    let mixed = planned.is_some_and(|facts| !facts.mix.is_empty());
    let blocks =
        if mixed { format!("blocks of {size} on average") } else { format!("blocks of {size}") };
    text = text.plain(format!(
        ": {blocks}, {}, {}. ",
        share(point.read_percent, ["writes only", "reads only"], "reads and the rest writes"),
        share(
            point.random_percent,
            ["all sequential", "all at random positions"],
            "at random positions and the rest sequential"
        ),
    ));
    text = text.plain(extent(survey, series));
    if !point.factors.is_empty() {
        let factors = point.factors.iter().map(|(name, value)| format!("{name} = {value}"));
        let factors: Vec<String> = factors.collect();
        text = text.plain(format!(" Set on purpose: {}.", words::listed(&factors)));
    }
    if let Some((start, end)) = planned.and_then(|facts| facts.range_percent) {
        let (start, end) = (Percentage(start), Percentage(end));
        text = text.plain(format!(" Only the part from {start} to {end} of each target is used."));
    }
    let mut blocks = vec![Block::Paragraph(text)];
    blocks.extend(mix(survey, series));
    blocks
}

/// How many points at which loads.
fn extent(survey: &Survey<'_>, series: &SeriesView<'_>) -> String {
    let ends = (series.points.first(), series.points.last());
    let loads = match ends {
        (Some(first), Some(last)) if first.load() != last.load() => format!(
            "from {} to {}",
            kneepoint_core::number::Level(first.load().value),
            words::level(last.load())
        ),
        (Some(only), _) => format!("at {}", words::level(only.load())),
        _ => String::new(),
    };
    let each = if survey.targets().len() > 1 { " per target" } else { "" };
    format!("{}, {loads}{each}.", words::counted(series.points.len(), "point", "points"))
}

/// `67% reads and the rest writes`, or the word for none or all.
fn share(percent: f64, [none, all]: [&str; 2], part: &str) -> String {
    match percent {
        p if p <= 0.0 => none.to_owned(),
        p if p >= 100.0 => all.to_owned(),
        p => format!("{} {part}", Percentage(p)),
    }
}

/// `8 KiB`, or rounded where the size is a mean: `10.7 KiB`.
pub(super) fn block_size(bytes: u64) -> String {
    let exact = Bytes(bytes).to_string();
    match exact.find(|c: char| c.is_ascii_alphabetic()) {
        Some(unit) if unit <= 4 && !(bytes > 1024 && exact.ends_with("0B")) => {
            format!("{} {}", &exact[..unit], &exact[unit..])
        }
        _ => RoundedBytes(bytes).to_string(),
    }
}

/// The lines of a mix.
fn mix(survey: &Survey<'_>, series: &SeriesView<'_>) -> Option<Block> {
    let facts = survey.planned(series).filter(|facts| !facts.mix.is_empty())?;
    let columns = ["Share", "Block size", "Read", "Random"].map(Column::numbers);
    let caption = Text::new().plain("The mix of ").strong(series.name);
    let mut table = Table::new(caption, vec![ColumnGroup::new("", columns.into())]);
    for line in &facts.mix {
        let percent = |value: f64| Cell::new(Percentage(value).to_string());
        let size = Cell::new(block_size(line.block_bytes));
        table.push(vec![percent(line.share), size, percent(line.read), percent(line.random)]);
    }
    Some(Block::Table(table))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_sizes_are_exact_where_they_are_round() {
        assert_eq!(block_size(8192), "8 KiB");
        assert_eq!(block_size(512), "512 B");
        assert_eq!(block_size(1 << 20), "1 MiB");
        assert_eq!(block_size(10_936), "10.7 KiB");
    }
}
