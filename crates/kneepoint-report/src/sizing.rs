//! Which systems sustain a load: candidates, what they do with other numbers of drives, and with
//! their data on other parts of the drives.

use kneepoint_core::result::sizing::{Candidate, Demand, GrowthPoint, Sizing, StrokeRow};
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::units::{Bytes, MIB};

use super::content::glossary::{Field, explained};
use super::figure::{
    Axis, Chart, ChartMark, ChartPoint, ChartSeries, Drawing, MarkKind, RuleLine, Scale,
};
use super::language::Language;
use super::language::texts::sizing::{self, heads};
use super::language::texts::{advice, common, findings, front, summary};
use super::page::{
    Block, Column, ColumnGroup, Fact, Figure, Fold, Note, Page, Section, Table, TableCell, Text,
    Tone,
};

/// The busiest part, in the words of the language: the number stands last.
fn limit(limit: &str, language: Language) -> String {
    match limit.strip_suffix(" %").and_then(|limit| limit.rsplit_once(' ')) {
        Some((part, busy)) => {
            format!("{} {}", findings::part(language, part), language.written(&format!("{busy}%")))
        }
        None => limit.to_owned(),
    }
}

/// The page in a language.
pub fn page(sizing: &Sizing, language: Language) -> Page {
    let demand = &sizing.demand;
    let mut sections = vec![abstract_section(sizing, language), candidates(sizing, language)];
    sections.extend(strokes(sizing, language));
    sections.push(method(sizing, language));
    let within = common::within(language, &demand.rule.to_string());
    let page = Page {
        language,
        kind: sizing::kind(language).to_owned(),
        title: format!("{} {within}", language.iops(demand.iops)),
        date: String::new(),
        badge: Some(Note::new(
            Tone::Caution,
            summary::simulated(language),
            summary::simulated_text(language),
        )),
        stamp: front::stamp_simulated(language).to_owned(),
        facts: facts(sizing, language),
        notes: notes(&sizing.candidates, language),
        contents_after: 1,
        sections,
    };
    explained(page.stamped(), Field::Io)
}

fn facts(sizing: &Sizing, language: Language) -> Vec<Fact> {
    let Demand { profile, iops, rule, capacity, .. } = &sizing.demand;
    let block_bytes = profile.block_bytes_mean();
    let block = format!("{:.4}", block_bytes / 1024.0);
    let block = block.trim_end_matches('0').trim_end_matches('.');
    let order = match profile.is_sequential() {
        true => sizing::sequential(language),
        false => sizing::random(language),
    };
    let block = language.written(&format!("{block} KiB"));
    let read = language.written(&format!("{:.0}%", profile.read_percent()));
    let load = sizing::load_of(language, &block, &read, order);
    let mib_s = iops * block_bytes / MIB as f64;
    let asked = format!("{}, {}", language.iops(*iops), language.mib_per_s(mib_s));
    let mut facts = vec![
        Fact::new(common::load_word(language), format!("{}: {load}", profile.name)),
        Fact::new(sizing::asked_for(language), asked),
        Fact::new(common::rule_word(language), common::rule(language, &rule.to_string())),
    ];
    let usable = |Bytes(bytes)| Fact::new(sizing::capacity(language), language.bytes(bytes));
    facts.extend(capacity.map(usable));
    facts.push(Fact::new(sizing::simulated_by(language), format!("Kneepoint {}", sizing.version)));
    facts
}

fn notes(candidates: &[Candidate], language: Language) -> Vec<Note> {
    let uncalibrated = candidates.iter().filter(|candidate| !candidate.is_calibrated).count();
    if uncalibrated == 0 {
        return Vec::new();
    }
    let [some, all] = [uncalibrated, candidates.len()].map(|count| language.count(count));
    let title = sizing::uncalibrated_title(language, &some, &all);
    vec![Note::new(Tone::Caution, title, sizing::uncalibrated(language))]
}

fn abstract_section(sizing: &Sizing, language: Language) -> Section {
    let abstract_text = match sizing.candidates.first() {
        None => Text::new().plain(sizing::nothing(language)),
        Some(first) => Text::new()
            .plain(match first.arrays {
                0 | 1 => sizing::fewest(language),
                _ => sizing::fewest_whole(language),
            })
            .strong(sizing::winner(language, first, drive(first, language)))
            .plain(sizing::outcome(
                language,
                sizing.demand.rule.metric,
                (first, &limit(&first.limit, language)),
            ))
            .plain(match as_few(sizing) {
                0 => String::new(),
                count => sizing::as_few(language, count),
            }),
    };
    let blocks = vec![Block::Paragraph(abstract_text)];
    Section::new("abstract", summary::heading(language), blocks)
}

/// Number of other candidates with as many drives as the first, which has the largest headroom of them.
fn as_few(sizing: &Sizing) -> usize {
    let [first, others @ ..] = sizing.candidates.as_slice() else { return 0 };
    others.iter().filter(|other| other.drives == first.drives).count()
}

fn candidates(sizing: &Sizing, language: Language) -> Section {
    let mut blocks = vec![
        Block::Table(candidate_table(sizing, language)),
        Block::remark(sizing::candidates_remark(language)),
    ];
    blocks.extend(Block::figures(growth_figure(sizing, language).into_iter().collect()));
    let targets: Vec<&str> =
        sizing.candidates.iter().map(|candidate| candidate.target.as_str()).collect();
    blocks.push(Block::listing(sizing::as_targets(language), targets.join("\n"), Fold::Open));
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
        Block::paragraph(sizing::method_text(language).to_owned() + &steps(sizing, language)),
        Block::listing(common::command(language), &sizing.command, Fold::Open),
    ];
    Section::new("method", sizing::method(language), blocks)
}

/// Of how many drives the whole arrays of each system are; nothing where no candidate has several.
fn steps(sizing: &Sizing, language: Language) -> String {
    let several = sizing.candidates.iter().filter(|candidate| candidate.arrays > 1);
    let step = |candidate: &Candidate| {
        let drives = u64::from(candidate.drives / candidate.arrays);
        sizing::step(language, &language.count_u64(drives), &candidate.system)
    };
    let steps = distinct(several.map(step));
    match steps.is_empty() {
        true => String::new(),
        false => sizing::steps(language, &common::listed(language, &steps)),
    }
}

/// Below this headroom in percent a candidate has little to spare.
const HEADROOM_SMALL_PERCENT: f64 = 5.0;

/// All candidates.
fn candidate_table(sizing: &Sizing, language: Language) -> Table {
    let Sizing { candidates, demand, found, .. } = sizing;
    let iops = language.iops(demand.iops);
    let rule = common::within(language, &demand.rule.to_string());
    let caption = sizing::candidates_caption(language, &iops, &demand.profile.name, &rule);
    let first = match candidates.len() < *found {
        true => {
            sizing::first_of(language, &language.count(candidates.len()), &language.count(*found))
        }
        false => String::new(),
    };
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
            [Column::numbers(sizing::response(language, demand.rule.metric))],
        ),
        ColumnGroup::new(
            heads::at_rule(language),
            [
                Column::numbers(format!("{}, IO/s", heads::sustained(language))),
                Column::numbers(heads::headroom(language)),
                Column::words(heads::saturates(language)),
            ],
        ),
        ColumnGroup::new(heads::model(language), [Column::numbers(heads::margin(language))]),
    ];
    Table::new(caption + &first, groups)
        .filled((1..).zip(candidates).map(|(number, candidate)| row(number, candidate, language)))
}

fn row(number: usize, candidate: &Candidate, language: Language) -> Vec<TableCell> {
    let headroom = match candidate.headroom_percent < HEADROOM_SMALL_PERCENT {
        true => Tone::Caution,
        false => Tone::Plain,
    };
    let margin = TableCell::new(language.percent(candidate.margin_percent));
    vec![
        TableCell::new(language.count(number)),
        TableCell::new(candidate.system.as_str()).detail(room(candidate, language)),
        TableCell::new(language.count_u64(u64::from(candidate.drives))),
        TableCell::new(drive(candidate, language)),
        TableCell::new(advice::raid_level(&candidate.raid)),
        TableCell::new(advice::level(language, "write_cache", &candidate.write_cache)),
        TableCell::new(language.bytes(candidate.usable.0)),
        TableCell::new(language.percent(candidate.stroke_percent)),
        TableCell::new(language.response_time(candidate.response_ms)),
        TableCell::new(language.rate(candidate.sustained_iops)),
        TableCell::new(language.change(candidate.headroom_percent)).tone(headroom),
        TableCell::new(limit(&candidate.limit, language)),
        match candidate.is_calibrated {
            true => margin,
            false => margin.detail(sizing::uncalibrated_cell(language)).tone(Tone::Caution),
        },
    ]
}

/// The drive's name; a system's own has none.
fn drive(candidate: &Candidate, language: Language) -> &str {
    candidate.drive.as_deref().unwrap_or_else(|| sizing::own_drive(language))
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
fn stroke_table(strokes: &[StrokeRow], target: &str, language: Language) -> Table {
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
            TableCell::new(language.percent(stroke.stroke_percent)),
            TableCell::new(language.bytes(stroke.data.0)),
            TableCell::new(language.iops(stroke.sustained_iops)),
            TableCell::new(language.written(&format!("{:.2}", stroke.multiplier))),
        ]
    }))
}

/// Throughput of the candidates over drives; `None` if no curve has two points.
fn growth_figure(sizing: &Sizing, language: Language) -> Option<Figure> {
    if !sizing.growth.iter().any(|growth| growth.len() > 1) {
        return None;
    }
    let mut series = Vec::new();
    let mut marks = Vec::new();
    for (index, (candidate, growth)) in sizing.candidates.iter().zip(&sizing.growth).enumerate() {
        let name = candidate_name(index, candidate);
        let points = growth.iter().map(|GrowthPoint { drives, sustained_iops }| {
            let iops = language.iops(*sustained_iops);
            let at = (f64::from(*drives), *sustained_iops);
            let drives = language.count_u64(u64::from(*drives));
            ChartPoint {
                place: sizing::with_drives(language, &drives),
                ..point(at, sizing::growth_point(language, &name, &drives, &iops))
            }
        });
        let own = growth.iter().filter(|point| point.drives == candidate.drives);
        marks.extend(own.map(|own| ChartMark {
            kind: MarkKind::Sustained,
            series: index,
            x: f64::from(own.drives),
            y: own.sustained_iops,
            label: String::new(),
            tooltip: sizing::growth_mark(language, &name),
        }));
        series.push(ChartSeries::new(name.clone(), points.collect()));
    }
    let [title, x] = [sizing::growth_title(language), heads::drives(language)];
    let chart = Chart { marks, ..chart(sizing, language, [title, x], series) };
    Some(Figure::new(growth_caption(sizing, language), Drawing::Chart(chart)))
}

/// Where the data lie with each number of drives, and which candidates have rings.
fn growth_caption(sizing: &Sizing, language: Language) -> String {
    let Demand { capacity, stroke_percent, .. } = sizing.demand;
    let data = match (stroke_percent, capacity) {
        (None, Some(_)) => sizing::growth_of_data(language).to_owned(),
        (stroke, _) => {
            sizing::growth_of_stroke(language, &language.percent(stroke.unwrap_or(100.0)))
        }
    };
    let shown = sizing.growth.len().min(sizing.candidates.len());
    data + &match shown < sizing.candidates.len() {
        true => sizing::growth_some_rings(language, &language.count(shown)),
        false => sizing::growth_rings(language).to_owned(),
    }
}

/// Throughput of the first candidate over strokes; `None` if there are fewer than two.
fn stroke_figure(sizing: &Sizing, language: Language) -> Option<Figure> {
    let [first, _, ..] = sizing.strokes.as_slice() else { return None };
    let points = sizing.strokes.iter().map(|stroke| {
        let percent = language.percent(stroke.stroke_percent);
        let iops = language.iops(stroke.sustained_iops);
        let words = sizing::stroke_point(language, &percent, &iops);
        ChartPoint {
            place: percent,
            ..point((stroke.stroke_percent, stroke.sustained_iops), words)
        }
    });
    let name = candidate_name(0, sizing.candidates.first()?);
    let [title, x] = [sizing::stroke_title(language), sizing::stroke_axis(language)];
    let series = vec![ChartSeries::new(name, points.collect())];
    let chart = chart(sizing, language, [title, x], series);
    let stroke = language.percent(first.stroke_percent);
    let caption = sizing::stroke_caption(language, &stroke, &language.bytes(first.data.0));
    Some(Figure::new(caption, Drawing::Chart(chart)))
}

/// `1: hdd-sas25-15k-146, RAID-5`, short enough for a legend; the number is that of the table's row.
fn candidate_name(index: usize, candidate: &Candidate) -> String {
    let Candidate { system, drive, raid, .. } = candidate;
    let drive = drive.as_ref().unwrap_or(system);
    format!("{}: {drive}, {}", index + 1, advice::raid_level(raid))
}

fn point((x, y): (f64, f64), tooltip: String) -> ChartPoint {
    ChartPoint { x, y, tooltip, ..ChartPoint::default() }
}

fn zero_based(title: &str) -> Axis {
    let mut axis = Axis::new(title, Scale::Linear);
    axis.include.push(0.0);
    axis
}

/// Throughput over what the title of the axis names, with the line that was asked for.
fn chart(
    sizing: &Sizing,
    language: Language,
    [title, x]: [&str; 2],
    series: Vec<ChartSeries>,
) -> Chart {
    let Demand { profile, iops, rule, .. } = &sizing.demand;
    let label = sizing::asked_line(language, &language.iops(*iops));
    let rule = common::within(language, &rule.to_string());
    Chart {
        language,
        title: title.to_owned(),
        source: sizing::source(language, &profile.name, &rule),
        x: zero_based(x),
        y: zero_based(sizing::sustained_axis(language)),
        series,
        rules: vec![RuleLine { value: *iops, label }],
        marks: Vec::new(),
        zones: Vec::new(),
    }
}
