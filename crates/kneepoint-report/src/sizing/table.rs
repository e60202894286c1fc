//! Candidates and strokes as tables.

use super::{Calibration, Candidate, Demand, Stroke};
use crate::language::Language;
use crate::page::{Cell, Column, ColumnGroup, Table, Text, Tone};

/// Below this headroom in percent a candidate has little to spare.
const HEADROOM_SMALL_PERCENT: f64 = 5.0;

/// All candidates.
pub(super) fn candidates(candidates: &[Candidate], demand: &Demand, language: Language) -> Table {
    let caption = format!(
        "What sustains {} of {} at {}, fewest drives first.",
        language.iops(demand.iops),
        demand.profile,
        demand.rule
    );
    let groups = vec![
        ColumnGroup::new("", vec![Column::numbers("No."), Column::words("System")]),
        ColumnGroup::new(
            "Drives",
            vec![
                Column::numbers("count"),
                Column::words("drive"),
                Column::words("RAID"),
                Column::words("write cache"),
                Column::numbers("usable"),
                Column::numbers("stroke"),
            ],
        ),
        ColumnGroup::new(
            "At the load asked for",
            vec![Column::numbers(format!("{} response time", demand.metric))],
        ),
        ColumnGroup::new(
            "At the rule",
            vec![
                Column::numbers("sustained"),
                Column::numbers("headroom"),
                Column::words("saturates first"),
            ],
        ),
        ColumnGroup::new("Model", vec![Column::numbers("margin")]),
    ];
    let mut table = Table::new(caption, groups);
    for (number, candidate) in (1..).zip(candidates) {
        table.push(row(number, candidate, language));
    }
    table
}

fn row(number: usize, candidate: &Candidate, language: Language) -> Vec<Cell> {
    let headroom = match candidate.headroom_percent < HEADROOM_SMALL_PERCENT {
        true => Tone::Caution,
        false => Tone::Plain,
    };
    let margin = Cell::new(language.percent(candidate.margin_percent));
    vec![
        Cell::new(language.count(number)),
        Cell::new(candidate.system.as_str()).detail(candidate.room.as_str()),
        Cell::new(language.count_u64(u64::from(candidate.drives))),
        Cell::new(candidate.drive.as_str()),
        Cell::new(candidate.raid.as_str()),
        Cell::new(candidate.write_cache.as_str()),
        Cell::new(language.bytes(candidate.usable_bytes)),
        Cell::new(language.percent(candidate.stroke_percent)),
        Cell::new(language.response_time(candidate.response_ms)),
        Cell::new(language.iops(candidate.sustained_iops)),
        Cell::new(language.change(candidate.headroom_percent)).tone(headroom),
        Cell::new(candidate.limit.as_str()),
        match candidate.calibration {
            Calibration::Calibrated => margin,
            Calibration::Uncalibrated => margin.detail("uncalibrated").tone(Tone::Caution),
        },
    ]
}

/// The first candidate at other strokes.
pub(super) fn strokes(strokes: &[Stroke], target: &str, language: Language) -> Table {
    let caption = Text::new().plain("What ").code(target).plain(
        " would sustain with its data spread over more or less of each drive. The multiplier is \
         the share of the first row.",
    );
    let columns = ["stroke", "data", "sustained", "multiplier"].map(Column::numbers).to_vec();
    let mut table = Table::new(caption, vec![ColumnGroup::new("", columns)]);
    for stroke in strokes {
        table.push(vec![
            Cell::new(language.percent(stroke.percent)),
            Cell::new(language.bytes(stroke.data_bytes)),
            Cell::new(language.iops(stroke.sustained_iops)),
            Cell::new(language.written(&format!("{:.2}", stroke.multiplier))),
        ]);
    }
    table
}
