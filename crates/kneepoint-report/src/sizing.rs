//! Which systems sustain a load: candidates, what they do with other numbers of drives, and with
//! their data on other parts of the drives.

pub use kneepoint_core::result::Order;
use kneepoint_core::words::rule::Metric;

use super::figure::{
    Axis, Chart, Drawing, Mark, MarkKind, Point, PointStyle, RuleLine, Scale, Series,
};
use super::language::Language;
use super::language::texts::common;
use super::language::texts::sizing::{self, heads};
use super::page::{
    Block, Cell, Column, ColumnGroup, Fact, Figure, Fold, Listing, Note, Page, Section, Table,
    Text, Tone,
};

/// The busiest part, in the words of the language: the number stands last.
fn limit(limit: &str, language: Language) -> String {
    let parts = limit.strip_suffix(" %").and_then(|limit| limit.rsplit_once(' '));
    parts.map_or_else(
        || limit.to_owned(),
        |(part, busy)| {
            format!("{} {}", sizing::part(language, part), language.written(&format!("{busy}%")))
        },
    )
}

/// A demand and the systems that were found for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Sizing {
    /// The load and the condition.
    pub demand: Demand,
    /// Systems that sustain it, in the order in which they are shown.
    pub candidates: Vec<Candidate>,
    /// Throughput over drives of some of the candidates.
    pub growth: Vec<Growth>,
    /// The first candidate at other strokes; may be empty.
    pub strokes: Vec<Stroke>,
    /// The command as it was typed.
    pub command: String,
    /// The program's version.
    pub version: String,
}

/// A load that a system has to sustain.
#[derive(Debug, Clone, PartialEq)]
pub struct Demand {
    /// The load profile.
    pub profile: String,
    /// Mean size of its blocks.
    pub block_bytes: f64,
    /// Share of reads, percent.
    pub read_percent: f64,
    /// Order of access.
    pub order: Order,
    /// I/Os per second.
    pub iops: f64,
    /// MiB/s, the same by the mean block size.
    pub mib_s: f64,
    /// The condition as typed: `mean<=20ms`.
    pub rule: String,
    /// The response time that the condition is on.
    pub metric: Metric,
    /// Bytes that have to fit, where that was asked.
    pub capacity_bytes: Option<u64>,
}

/// A system that sustains the load.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The target, as `kneepoint run` takes it.
    pub target: String,
    /// The system whose controllers and links are used.
    pub system: String,
    /// Drives of all arrays.
    pub drives: u32,
    /// Name of the drive.
    pub drive: String,
    /// RAID level.
    pub raid: String,
    /// Setting of the write cache.
    pub write_cache: String,
    /// Bytes that can be stored.
    pub usable_bytes: u64,
    /// Share of each drive that holds the data, percent.
    pub stroke_percent: f64,
    /// The condition's response time at the load that was asked for, ms.
    pub response_ms: f64,
    /// I/Os per second that it sustains at the condition.
    pub sustained_iops: f64,
    /// That above what was asked for, percent.
    pub headroom_percent: f64,
    /// Added to the load before it was tried: the model's error, percent.
    pub margin_percent: f64,
    /// The calibration of its model.
    pub calibration: Calibration,
    /// The part that is busiest where it ends, and how busy that is in percent: `drives 97 %`.
    pub limit: String,
    /// The first servers with room for the drives; where there are none, enclosures are needed.
    pub servers: Vec<String>,
    /// How many more there are.
    pub more_servers: usize,
}

/// Calibration of a model: whether it was fitted to measurements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calibration {
    /// It was.
    Calibrated,
    /// Its parameters come from data sheets and similar parts.
    Uncalibrated,
}

/// Throughput of a candidate with other numbers of drives.
#[derive(Debug, Clone, PartialEq)]
pub struct Growth {
    /// Index of the candidate.
    pub candidate: usize,
    /// Drives and I/Os per second, rising.
    pub points: Vec<(u32, f64)>,
}

/// Throughput of a system with its data on a share of each drive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    /// Share of each drive's capacity, percent.
    pub percent: f64,
    /// Bytes of data.
    pub data_bytes: u64,
    /// I/Os per second at the condition.
    pub sustained_iops: f64,
    /// That as a share of the first row's.
    pub multiplier: f64,
}

/// The page in a language.
pub fn page(sizing: &Sizing, language: Language) -> Page {
    let demand = &sizing.demand;
    let mut sections = vec![abstract_section(sizing, language), candidates(sizing, language)];
    sections.extend(strokes(sizing, language));
    sections.push(method(sizing, language));
    Page {
        language,
        kind: sizing::kind(language).to_owned(),
        title: sizing::title(
            language,
            &language.iops(demand.iops),
            &common::rule(language, &demand.rule),
        ),
        date: String::new(),
        facts: facts(sizing, language),
        notes: notes(&sizing.candidates, language),
        contents_after: 1,
        sections,
    }
    .numbered()
}

fn facts(sizing: &Sizing, language: Language) -> Vec<Fact> {
    let Demand { profile, block_bytes, read_percent, order, iops, mib_s, .. } = &sizing.demand;
    let block = format!("{:.4}", block_bytes / 1024.0);
    let block = block.trim_end_matches('0').trim_end_matches('.');
    let order = match order {
        Order::Sequential => sizing::sequential(language),
        Order::Random => sizing::random(language),
    };
    let load = sizing::load_of(
        language,
        &language.written(&format!("{block} KiB")),
        &language.written(&format!("{read_percent:.0}%")),
        order,
    );
    let asked = format!("{}, {}", language.iops(*iops), language.mib_per_s(*mib_s));
    let mut facts = vec![
        Fact::new(sizing::load(language), format!("{profile}: {load}")),
        Fact::new(sizing::asked_for(language), asked),
        Fact::new(sizing::rule(language), Text::new().code(&sizing.demand.rule)),
    ];
    let capacity = sizing.demand.capacity_bytes;
    facts
        .extend(capacity.map(|bytes| Fact::new(sizing::capacity(language), language.bytes(bytes))));
    facts.push(Fact::new(sizing::simulated_by(language), format!("Kneepoint {}", sizing.version)));
    facts
}

fn notes(candidates: &[Candidate], language: Language) -> Vec<Note> {
    let is_uncalibrated =
        |candidate: &&Candidate| candidate.calibration == Calibration::Uncalibrated;
    let uncalibrated = candidates.iter().filter(is_uncalibrated).count();
    if uncalibrated == 0 {
        return Vec::new();
    }
    vec![Note {
        tone: Tone::Caution,
        title: sizing::uncalibrated_title(
            language,
            &language.count(uncalibrated),
            &language.count(candidates.len()),
        ),
        text: sizing::uncalibrated(language).into(),
    }]
}

fn abstract_section(sizing: &Sizing, language: Language) -> Section {
    let abstract_text = match sizing.candidates.first() {
        None => Text::new().plain(sizing::nothing(language)),
        Some(first) => Text::new()
            .plain(sizing::fewest(language))
            .strong(sizing::winner(language, first, drive(first, language)))
            .plain(sizing::outcome(
                language,
                sizing.demand.metric,
                (first, &limit(&first.limit, language)),
            )),
    };
    Section::new(
        "abstract",
        sizing::abstract_title(language),
        vec![Block::paragraph(abstract_text)],
    )
}

fn candidates(sizing: &Sizing, language: Language) -> Section {
    let mut blocks = vec![
        Block::Table(candidate_table(&sizing.candidates, &sizing.demand, language)),
        Block::remark(sizing::candidates_remark(language)),
    ];
    blocks.extend(growth_figure(sizing, language).map(|figure| Block::Figures(vec![figure])));
    let targets: Vec<&str> =
        sizing.candidates.iter().map(|candidate| candidate.target.as_str()).collect();
    blocks.push(Block::Listing(Listing {
        title: sizing::as_targets(language).to_owned(),
        text: targets.join("\n"),
        fold: Fold::Open,
    }));
    Section::new("candidates", sizing::candidates(language), blocks)
}

fn strokes(sizing: &Sizing, language: Language) -> Option<Section> {
    let first = sizing.candidates.first().filter(|_| !sizing.strokes.is_empty())?;
    let mut blocks = vec![Block::Table(stroke_table(&sizing.strokes, &first.target, language))];
    blocks.extend(stroke_figure(sizing, language).map(|figure| Block::Figures(vec![figure])));
    Some(Section::new("strokes", sizing::strokes(language), blocks))
}

fn method(sizing: &Sizing, language: Language) -> Section {
    let blocks = vec![
        Block::paragraph(sizing::method_text(language)),
        Block::Listing(Listing {
            title: sizing::command(language).to_owned(),
            text: sizing.command.clone(),
            fold: Fold::Open,
        }),
    ];
    Section::new("method", sizing::method(language), blocks)
}

/// Below this headroom in percent a candidate has little to spare.
const HEADROOM_SMALL_PERCENT: f64 = 5.0;

/// All candidates.
fn candidate_table(candidates: &[Candidate], demand: &Demand, language: Language) -> Table {
    let iops = language.iops(demand.iops);
    let caption = sizing::candidates_caption(
        language,
        &iops,
        &demand.profile,
        &common::rule(language, &demand.rule),
    );
    let groups = vec![
        ColumnGroup::new(
            "",
            [Column::numbers(heads::number(language)), Column::words(heads::system(language))],
        ),
        ColumnGroup::new(
            heads::drives(language),
            [
                Column::numbers(heads::count(language)),
                Column::words(heads::drive(language)),
                Column::words("RAID"),
                Column::words(heads::write_cache(language)),
                Column::numbers(heads::usable(language)),
                Column::numbers(heads::stroke(language)),
            ],
        ),
        ColumnGroup::new(
            heads::at_load(language),
            [Column::numbers(sizing::response(language, demand.metric))],
        ),
        ColumnGroup::new(
            heads::at_rule(language),
            [
                Column::numbers(heads::sustained(language)),
                Column::numbers(heads::headroom(language)),
                Column::words(heads::saturates(language)),
            ],
        ),
        ColumnGroup::new(heads::model(language), [Column::numbers(heads::margin(language))]),
    ];
    Table::new(caption, groups)
        .filled((1..).zip(candidates).map(|(number, candidate)| row(number, candidate, language)))
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
                margin.detail(sizing::uncalibrated_cell(language)).tone(Tone::Caution)
            }
        },
    ]
}

/// The drive's name; a system's own has none.
fn drive(candidate: &Candidate, language: Language) -> &str {
    match candidate.drive.as_str() {
        "its own" => sizing::own_drive(language),
        drive => drive,
    }
}

/// Servers with room for the drives.
fn room(candidate: &Candidate, language: Language) -> String {
    let names = candidate.servers.join(", ");
    match (candidate.servers.is_empty(), candidate.more_servers) {
        (true, _) => sizing::enclosures(language).to_owned(),
        (false, 0) => names,
        (false, more) => sizing::and_more(language, &names, &language.count(more)),
    }
}

/// The first candidate at other strokes.
fn stroke_table(strokes: &[Stroke], target: &str, language: Language) -> Table {
    let [before, behind] = sizing::strokes_caption(language);
    let caption = Text::new().plain(before).code(target).plain(behind);
    let columns = [
        heads::stroke(language),
        heads::data(language),
        heads::sustained(language),
        heads::multiplier(language),
    ];
    Table::plain(caption, columns.map(Column::numbers)).filled(strokes.iter().map(|stroke| {
        vec![
            Cell::new(language.percent(stroke.percent)),
            Cell::new(language.bytes(stroke.data_bytes)),
            Cell::new(language.iops(stroke.sustained_iops)),
            Cell::new(language.written(&format!("{:.2}", stroke.multiplier))),
        ]
    }))
}

/// Throughput of the candidates over drives; `None` if no curve has two points.
fn growth_figure(sizing: &Sizing, language: Language) -> Option<Figure> {
    if !sizing.growth.iter().any(|growth| growth.points.len() > 1) {
        return None;
    }
    let mut series = Vec::new();
    let mut marks = Vec::new();
    for growth in &sizing.growth {
        let candidate = sizing.candidates.get(growth.candidate)?;
        let name = candidate_name(growth.candidate, candidate);
        let own = f64::from(candidate.drives);
        let points = growth.points.iter().map(|(drives, iops)| {
            point(
                (f64::from(*drives), *iops),
                sizing::growth_point(language, &name, &drives.to_string(), &language.iops(*iops)),
            )
        });
        marks.extend(growth.points.iter().filter(|(drives, _)| f64::from(*drives) == own).map(
            |(_, iops)| Mark {
                kind: MarkKind::Sustained,
                series: series.len(),
                x: own,
                y: *iops,
                label: String::new(),
                tooltip: sizing::growth_mark(language, &name),
            },
        ));
        series.push(Series { name: name.clone(), points: points.collect() });
    }
    let chart = Chart {
        language,
        title: sizing::growth_title(language).to_owned(),
        source: source(&sizing.demand, language),
        x: zero_based(sizing::drives_axis(language)),
        y: zero_based(sizing::sustained_axis(language)),
        series,
        rules: vec![asked(&sizing.demand, language)],
        marks,
    };
    Some(Figure::new(sizing::growth_caption(language), Drawing::Chart(chart)))
}

/// Throughput of the first candidate over strokes; `None` if there are fewer than two.
fn stroke_figure(sizing: &Sizing, language: Language) -> Option<Figure> {
    let [first, _, ..] = sizing.strokes.as_slice() else { return None };
    let points = sizing.strokes.iter().map(|stroke| {
        let words = sizing::stroke_point(
            language,
            &language.percent(stroke.percent),
            &language.iops(stroke.sustained_iops),
        );
        point((stroke.percent, stroke.sustained_iops), words)
    });
    let chart = Chart {
        language,
        title: sizing::stroke_title(language).to_owned(),
        source: source(&sizing.demand, language),
        x: zero_based(sizing::stroke_axis(language)),
        y: zero_based(sizing::sustained_axis(language)),
        series: vec![Series {
            name: candidate_name(0, sizing.candidates.first()?),
            points: points.collect(),
        }],
        rules: vec![asked(&sizing.demand, language)],
        marks: Vec::new(),
    };
    let caption = sizing::stroke_caption(
        language,
        &language.percent(first.percent),
        &language.bytes(first.data_bytes),
    );
    Some(Figure::new(caption, Drawing::Chart(chart)))
}

/// `1: hdd-sas25-15k-146, raid5`, short enough for a legend; the number is that of the table's row.
fn candidate_name(index: usize, candidate: &Candidate) -> String {
    let Candidate { system, drive, raid, .. } = candidate;
    let drive = if drive == "its own" { system.as_str() } else { drive.as_str() };
    format!("{}: {drive}, {raid}", index + 1)
}

fn point((x, y): (f64, f64), tooltip: String) -> Point {
    Point { x, y, margin: None, x_margin: None, style: PointStyle::Filled, tooltip }
}

fn zero_based(title: &str) -> Axis {
    let mut axis = Axis::new(title, Scale::Linear);
    axis.include.push(0.0);
    axis
}

fn asked(demand: &Demand, language: Language) -> RuleLine {
    RuleLine {
        value: demand.iops,
        label: sizing::asked_line(language, &language.iops(demand.iops)),
    }
}

fn source(demand: &Demand, language: Language) -> String {
    sizing::source(language, &demand.profile, &common::rule(language, &demand.rule))
}
