//! Candidates and strokes as tables.

use super::{Calibration, Candidate, Demand, Stroke, limit};
use crate::content::words;
use crate::language::Language;
use crate::language::texts;
use crate::page::{Cell, Column, ColumnGroup, Table, Text, Tone};

/// Below this headroom in percent a candidate has little to spare.
const HEADROOM_SMALL_PERCENT: f64 = 5.0;

/// All candidates.
pub(super) fn candidates(candidates: &[Candidate], demand: &Demand, language: Language) -> Table {
    let iops = language.iops(demand.iops);
    let caption = texts::sizing::candidates_caption(
        language,
        &iops,
        &demand.profile,
        &words::rule(language, &demand.rule),
    );
    let groups = vec![
        ColumnGroup::new(
            "",
            vec![
                Column::numbers(texts::sizing::heads::number(language)),
                Column::words(texts::sizing::heads::system(language)),
            ],
        ),
        ColumnGroup::new(
            texts::sizing::heads::drives(language),
            vec![
                Column::numbers(texts::sizing::heads::count(language)),
                Column::words(texts::sizing::heads::drive(language)),
                Column::words("RAID"),
                Column::words(texts::sizing::heads::write_cache(language)),
                Column::numbers(texts::sizing::heads::usable(language)),
                Column::numbers(texts::sizing::heads::stroke(language)),
            ],
        ),
        ColumnGroup::new(
            texts::sizing::heads::at_load(language),
            vec![Column::numbers(texts::sizing::response(language, demand.metric))],
        ),
        ColumnGroup::new(
            texts::sizing::heads::at_rule(language),
            vec![
                Column::numbers(texts::sizing::heads::sustained(language)),
                Column::numbers(texts::sizing::heads::headroom(language)),
                Column::words(texts::sizing::heads::saturates(language)),
            ],
        ),
        ColumnGroup::new(
            texts::sizing::heads::model(language),
            vec![Column::numbers(texts::sizing::heads::margin(language))],
        ),
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
                margin.detail(texts::sizing::uncalibrated_cell(language)).tone(Tone::Caution)
            }
        },
    ]
}

/// The drive's name; a system's own has none.
pub(super) fn drive(candidate: &Candidate, language: Language) -> &str {
    match candidate.drive.as_str() {
        "its own" => texts::sizing::own_drive(language),
        drive => drive,
    }
}

/// Servers with room for the drives.
fn room(candidate: &Candidate, language: Language) -> String {
    let names = candidate.servers.join(", ");
    match (candidate.servers.is_empty(), candidate.more_servers) {
        (true, _) => texts::sizing::enclosures(language).to_owned(),
        (false, 0) => names,
        (false, more) => texts::sizing::and_more(language, &names, &language.count(more)),
    }
}

/// The first candidate at other strokes.
pub(super) fn strokes(strokes: &[Stroke], target: &str, language: Language) -> Table {
    let [before, behind] = texts::sizing::strokes_caption(language);
    let caption = Text::new().plain(before).code(target).plain(behind);
    let columns = [
        texts::sizing::heads::stroke(language),
        texts::sizing::heads::data(language),
        texts::sizing::heads::sustained(language),
        texts::sizing::heads::multiplier(language),
    ];
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
