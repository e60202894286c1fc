//! Candidates and strokes as tables.

use super::{Calibration, Candidate, Demand, Stroke, limit, texts};
use crate::content::words;
use crate::language::Language;
use crate::page::{Cell, Column, ColumnGroup, Table, Text, Tone};

/// Below this headroom in percent a candidate has little to spare.
const HEADROOM_SMALL_PERCENT: f64 = 5.0;

/// All candidates.
pub(super) fn candidates(candidates: &[Candidate], demand: &Demand, language: Language) -> Table {
    let texts = texts(language);
    let heads = &texts.heads;
    let iops = language.iops(demand.iops);
    let caption =
        (texts.candidates_caption)(&iops, &demand.profile, &words::rule(language, &demand.rule));
    let groups = vec![
        ColumnGroup::new("", vec![Column::numbers(heads.number), Column::words(heads.system)]),
        ColumnGroup::new(
            heads.drives,
            vec![
                Column::numbers(heads.count),
                Column::words(heads.drive),
                Column::words("RAID"),
                Column::words(heads.write_cache),
                Column::numbers(heads.usable),
                Column::numbers(heads.stroke),
            ],
        ),
        ColumnGroup::new(heads.at_load, vec![Column::numbers((texts.response)(demand.metric))]),
        ColumnGroup::new(
            heads.at_rule,
            vec![
                Column::numbers(heads.sustained),
                Column::numbers(heads.headroom),
                Column::words(heads.saturates),
            ],
        ),
        ColumnGroup::new(heads.model, vec![Column::numbers(heads.margin)]),
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
        Cell::new(candidate.system.as_str()).detail(room(candidate, language)),
        Cell::new(language.count_u64(u64::from(candidate.drives))),
        Cell::new(drive(candidate, language)),
        Cell::new(candidate.raid.as_str()),
        Cell::new(candidate.write_cache.as_str()),
        Cell::new(language.bytes(candidate.usable_bytes)),
        Cell::new(language.percent(candidate.stroke_percent)),
        Cell::new(language.response_time(candidate.response_ms)),
        Cell::new(language.iops(candidate.sustained_iops)),
        Cell::new(language.change(candidate.headroom_percent)).tone(headroom),
        Cell::new(limit(&candidate.limit, language)),
        match candidate.calibration {
            Calibration::Calibrated => margin,
            Calibration::Uncalibrated => {
                margin.detail(texts(language).uncalibrated_cell).tone(Tone::Caution)
            }
        },
    ]
}

/// The drive's name; a system's own has none.
pub(super) fn drive(candidate: &Candidate, language: Language) -> &str {
    match candidate.drive.as_str() {
        "its own" => texts(language).own_drive,
        drive => drive,
    }
}

/// Servers with room for the drives.
fn room(candidate: &Candidate, language: Language) -> String {
    let names = candidate.servers.join(", ");
    match (candidate.servers.is_empty(), candidate.more_servers) {
        (true, _) => texts(language).enclosures.to_owned(),
        (false, 0) => names,
        (false, more) => (texts(language).and_more)(&names, &language.count(more)),
    }
}

/// The first candidate at other strokes.
pub(super) fn strokes(strokes: &[Stroke], target: &str, language: Language) -> Table {
    let texts = texts(language);
    let [before, behind] = texts.strokes_caption;
    let caption = Text::new().plain(before).code(target).plain(behind);
    let heads = &texts.heads;
    let columns = [heads.stroke, heads.data, heads.sustained, heads.multiplier];
    let columns = columns.map(Column::numbers).to_vec();
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
