//! The load of a series: block size, reads and writes, random and sequential.

use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::units::Nanos;
use serde_json::Value;

use super::view::{RunView, SeriesView, list, number, text};

use crate::language::Language;
use crate::language::texts::{advice, classes, common, profile, titles};
use crate::page::{Block, Column, Section, Table, TableCell, Text};

/// The chapter of load profiles: every series in one table, those that differ in settings alone in one row.
pub(super) fn section(survey: &RunView<'_>) -> Section {
    let language = survey.language;
    let measured: Vec<&SeriesView<'_>> =
        survey.series.iter().filter(|series| !series.points.is_empty()).collect();
    let titles = distinct(measured.iter().map(|series| series.load_title()));
    let loads = match titles.as_slice() {
        [only] => only,
        _ => profile::loads(language),
    };
    let columns = vec![
        Column::words(common::series(language)),
        Column::words(profile::profile(language)),
        Column::numbers(common::block_size(language)),
        Column::numbers(profile::read(language)),
        Column::numbers(profile::random(language)),
        Column::numbers(loads),
        Column::numbers(common::points_word(language)),
    ];
    let table = Table::plain(profile::caption(language), columns).filled(rows(survey, &measured));
    let mut blocks = Vec::new();
    if table.rows.is_empty() {
        blocks.push(Block::paragraph(common::nothing_measured(language)));
    } else {
        blocks.push(Block::paragraph(profile::intro(language)));
        blocks.push(Block::Table(table));
    }
    Section::new("profiles", profile::heading(language), blocks)
}

/// The rows of series: one for all that differ in nothing but their settings.
fn rows(survey: &RunView<'_>, measured: &[&SeriesView<'_>]) -> Vec<Vec<TableCell>> {
    let language = survey.language;
    let mut rows: Vec<(Vec<&SeriesView<'_>>, Vec<TableCell>)> = Vec::new();
    for series in measured {
        let cells = row(survey, series);
        let is_alike = |(alike, known): &&mut (Vec<&SeriesView<'_>>, Vec<TableCell>)| {
            alike[0].base_name() == series.base_name() && *known == cells
        };
        match rows.iter_mut().find(is_alike) {
            Some((alike, _)) => alike.push(series),
            None => rows.push((vec![series], cells)),
        }
    }
    let is_whole = |alike: &[&SeriesView<'_>]| {
        let base = alike[0].base_name();
        measured.iter().filter(|series| series.base_name() == base).count() == alike.len()
    };
    let named = |(alike, mut cells): (Vec<&SeriesView<'_>>, Vec<TableCell>)| {
        let first = alike[0];
        let name = match alike.len() {
            1 => TableCell::new(first.link()),
            many => {
                let points = language.count(first.points.len());
                cells.pop();
                cells.push(TableCell::new(profile::each(language, &points)));
                let series = common::all_series(language, many);
                let which = if is_whole(&alike) { String::new() } else { levels(&alike) };
                let name = profile::several(language, first.base_name(), &series);
                TableCell::new(name).detail(which)
            }
        };
        [name].into_iter().chain(cells).collect()
    };
    rows.into_iter().map(named).collect()
}

/// The levels that tell series apart from others of their name, each series behind the other.
fn levels(alike: &[&SeriesView<'_>]) -> String {
    let of_one = |series: &&SeriesView<'_>| {
        let factors = series.points[0].factors.iter();
        let levels = factors.map(|(name, at)| advice::at_level(series.language, name, at));
        levels.collect::<Vec<_>>().join(", ")
    };
    alike.iter().map(of_one).collect::<Vec<_>>().join("; ")
}

/// What a row says of a series behind its name.
fn row(survey: &RunView<'_>, series: &SeriesView<'_>) -> Vec<TableCell> {
    let language = survey.language;
    let first = series.points[0];
    let storage = first.storage;
    let known = |text: Option<String>| TableCell::new(common::known(text));
    let percent = |value: Option<f64>| known(value.map(|value| language.percent(value)));
    vec![
        TableCell::new(title(survey, series)),
        known(storage.map(|storage| language.bytes(storage.block_bytes))),
        percent(storage.map(|storage| storage.read_percent)),
        percent(storage.map(|storage| storage.random_percent)),
        TableCell::new(loads(series)),
        TableCell::new(language.count(series.points.len())),
    ]
}

/// The title of the profile, or else its name.
fn title(survey: &RunView<'_>, series: &SeriesView<'_>) -> Text {
    match survey.planned(series).and_then(|plan| text(plan, "/profile/title")) {
        Some(title) => titles::title(survey.language, title),
        None => series.profile.into(),
    }
}

/// From the lowest load to the highest.
fn loads(series: &SeriesView<'_>) -> String {
    let language = series.language;
    match (series.points.first(), series.points.last()) {
        (Some(first), Some(last)) if first.load != last.load => {
            let ends = [first, last].map(|point| language.level(point.load.value));
            common::range(language, &ends[0], &ends[1])
        }
        (Some(only), _) => language.level(only.load.value),
        _ => String::new(),
    }
}

/// The profile in sentences, with the mix where it has several lines.
pub(super) fn blocks(survey: &RunView<'_>, series: &SeriesView<'_>) -> Vec<Block> {
    let language = survey.language;
    if series.points.is_empty() {
        return vec![Block::paragraph(profile::not_measured(language))];
    }
    let mut words = sentence(survey, series).plain(extent(series));
    let factors = &series.points[0].factors;
    if !factors.is_empty() {
        let factors: Vec<String> =
            factors.iter().map(|(name, at)| advice::at_level_within(language, name, at)).collect();
        words = words.plain(profile::factors(language, &common::listed(language, &factors)));
    }
    words = words.plain(".");
    if let Some((start, end)) = survey.planned(series).and_then(range) {
        let [start, end] = [start, end].map(|end| language.percent(end));
        words = words.plain(profile::part(language, &start, &end));
    }
    if let Some(planned) = survey.planned(series) {
        words = words.plain(tree(language, planned));
        words = words.plain(positions(language, planned)).plain(pauses(language, planned));
        words = words.plain(durability(language, planned)).plain(dataless(language, planned));
    }
    words = words.plain(beside(series)).plain(judged(survey, series));
    let mut blocks = vec![Block::Paragraph(words)];
    blocks.extend(mix(survey, series));
    blocks.extend(operations(survey, series));
    blocks
}

/// The title of the profile and what it does.
fn sentence(survey: &RunView<'_>, series: &SeriesView<'_>) -> Text {
    let language = survey.language;
    let title = title(survey, series).words();
    let Some(point) = series.points[0].storage else {
        return Text::new().strong(title).plain(". ");
    };
    let is_mixed = mix_rows(survey, series).len() > 1;
    let blocks = if is_mixed { profile::blocks_on_average } else { profile::blocks };
    let reads = (profile::writes_only(language), profile::reads_only(language));
    let read = share(language, point.read_percent, reads, profile::reads);
    let orders = (profile::sequential(language), profile::all_random(language));
    let random = share(language, point.random_percent, orders, profile::partly_random);
    let size = blocks(language, &language.bytes(point.block_bytes));
    Text::new().strong(title).plain(format!(": {size}, {read}, {random}. "))
}

/// How many points at which loads.
fn extent(series: &SeriesView<'_>) -> String {
    let language = series.language;
    let loads = match (series.points.first(), series.points.last()) {
        (Some(first), Some(last)) if first.load != last.load => profile::from_to(
            language,
            &language.level(first.load.value),
            &common::at_level(language, last.load),
        ),
        (Some(only), _) => common::at(language, &common::at_level(language, only.load)),
        _ => String::new(),
    };
    let each = series.target_count().map_or("", |_| profile::each_target(language));
    format!("{}, {loads}{each}", common::points(language, series.points.len()))
}

/// A share, in other words where it is none or all.
fn share(
    language: Language,
    percent: f64,
    (none, all): (&str, &str),
    part: fn(Language, &str) -> String,
) -> String {
    match percent {
        p if p <= 0.0 => none.to_owned(),
        p if p >= 100.0 => all.to_owned(),
        p => part(language, &language.percent(p)),
    }
}

/// The used part of the target in percent of its size, if it is not all of it.
fn range(planned: &Value) -> Option<(f64, f64)> {
    let end = |name: &str| number(planned, &format!("/profile/range/{name}"));
    Some((end("start")?, end("end")?)).filter(|ends| *ends != (0.0, 100.0))
}

/// How positions differ from those that follow each other, or are alike, in sentences.
fn positions(language: Language, planned: &Value) -> String {
    let gaps = list(planned, "/profile/lines").filter_map(|line| number(line, "/gap_bytes"));
    let gap = gaps.filter(|gap| *gap > 0.0).reduce(f64::min);
    let gap = gap.map(|gap| profile::gap(language, &language.bytes(gap as u64)));
    let skew = number(planned, "/profile/distribution/zipf/theta");
    let zipf = skew.map(|theta| profile::zipf(language, &language.level(theta)));
    let pareto = number(planned, "/profile/distribution/pareto/h").map(|h| {
        let [h, rest] = [100.0 * h, 100.0 - 100.0 * h].map(|share| language.percent(share));
        profile::pareto(language, &h, &rest)
    });
    let count = list(planned, "/profile/distribution/hot-band").count();
    let bands = (count > 0).then(|| profile::bands(language, &language.count(count)));
    gap.into_iter().chain(zipf).chain(pareto).chain(bands).collect()
}

/// The files that a load of operations on files has, and what is done with them, in sentences.
fn tree(language: Language, planned: &Value) -> String {
    let whole = |name: &str| number(planned, &format!("/profile/tree/{name}")).map(|of| of as u64);
    let (Some(files), Some(directories)) = (whole("count"), whole("directories")) else {
        return String::new();
    };
    let [low, high, more] = ["bytes_min", "bytes_max", "append_bytes"]
        .map(|name| language.bytes(whole(name).unwrap_or(0)));
    let size = if low == high { low } else { profile::from_to(language, &low, &high) };
    let counts = [files, directories].map(|count| language.count_u64(count));
    let share = |part: &Value| {
        let class = classes::name_in_full(language, text(part, "/kind")?);
        Some(format!("{class} {}", language.percent(number(part, "/share")?)))
    };
    let shares: Vec<String> = list(planned, "/profile/tree/operations").filter_map(share).collect();
    let kinds = list(planned, "/profile/tree/operations").filter_map(|part| text(part, "/kind"));
    let appended =
        kinds.into_iter().any(|kind| kind == "append").then(|| profile::appended(language, &more));
    let is_reserved = text(planned, "/profile/tree/preallocation") == Some("fallocate");
    let reserved = is_reserved.then(|| profile::reserved(language).to_owned());
    let sync = text(planned, "/profile/tree/sync").filter(|sync| *sync != "none");
    let sync = sync.map(|sync| profile::synchronised(language, sync));
    let [files, directories] = &counts;
    let begun = profile::tree(language, files, directories, &size);
    let operations = profile::tree_operations(language, &common::listed(language, &shares));
    let rest = [appended, reserved, sync].into_iter().flatten();
    [begun, operations].into_iter().chain(rest).collect()
}

/// Whether a load profile pauses.
pub(super) fn pauses_somewhere(survey: &RunView<'_>) -> bool {
    let pauses = |planned| !pauses(survey.language, planned).is_empty();
    survey.series.iter().filter_map(|series| survey.planned(series)).any(pauses)
}

/// When nothing is issued although the load would let it, in sentences.
fn pauses(language: Language, planned: &Value) -> String {
    if list(planned, "/profile/operations").next().is_some() {
        // Users pause, too, and say so elsewhere.
        return String::new();
    }
    let time = |nanos: f64| {
        let text = Nanos(nanos as u64).to_string();
        let unit = text.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(text.len());
        language.written(&format!("{} {}", &text[..unit], &text[unit..]))
    };
    let burst = |line: &Value| {
        let delay = number(line, "/delay").filter(|delay| *delay > 0.0)?;
        let ios = language.count(number(line, "/burst").unwrap_or(1.0) as usize);
        Some(profile::burst_of(language, &time(delay), &ios))
    };
    let bursts = distinct(list(planned, "/profile/lines").filter_map(burst));
    let bursts =
        (!bursts.is_empty()).then(|| profile::bursts(language, &common::listed(language, &bursts)));
    let think = number(planned, "/profile/think").filter(|think| *think > 0.0);
    let think = think.map(|think| profile::think(language, &time(think)));
    let less = (bursts.is_some() || think.is_some()).then(|| profile::outstanding_less(language));
    bursts.into_iter().chain(think).chain(less.map(str::to_owned)).collect()
}

/// How writes are made durable, in sentences; nothing if that is left to the target.
fn durability(language: Language, planned: &Value) -> String {
    let sync = match text(planned, "/profile/durability/sync") {
        Some("dsync") => profile::synchronous(language, "O_DSYNC"),
        Some("sync") => profile::synchronous(language, "O_SYNC"),
        _ => String::new(),
    };
    let call = text(planned, "/profile/durability/flush/call");
    let every = number(planned, "/profile/durability/flush/every");
    let flush = match (call, every) {
        (Some(call), Some(1.0)) => profile::flushed(language, call),
        (Some(call), Some(every)) => profile::flushed_after(language, call, &language.level(every)),
        _ => String::new(),
    };
    let reach = match call {
        Some("sync_file_range") => profile::written_back(language),
        Some("sync_file_range_write") => profile::begun_to_be_written_back(language),
        _ => "",
    };
    sync + &flush + reach
}

/// What becomes of blocks that are written without data.
fn dataless(language: Language, planned: &Value) -> String {
    let kinds = || list(planned, "/profile/lines").filter_map(|line| text(line, "/write"));
    let trims = kinds().any(|kind| kind == "trim").then(|| profile::trims(language));
    let zeroes = kinds().any(|kind| kind == "zeroes").then(|| profile::zeroes(language));
    trims.into_iter().chain(zeroes).collect()
}

/// The series that were measured at the same moment, by their names in the group.
fn beside(series: &SeriesView<'_>) -> String {
    let language = series.language;
    let others = series.points.iter().flat_map(|point| &point.beside).map(|other| {
        let name = other.series.split_once('/').map_or(&*other.series, |(_, name)| name);
        format!("{name} ({})", common::level(language, other.load))
    });
    match distinct(others).as_slice() {
        [] => String::new(),
        others => profile::beside(language, &common::listed(language, others)),
    }
}

/// The rules that it has as its own.
fn judged(survey: &RunView<'_>, series: &SeriesView<'_>) -> String {
    let language = series.language;
    let rules = survey.own_rules(series).into_iter().map(|rule| common::rule(language, rule));
    match rules.collect::<Vec<_>>().as_slice() {
        [] => String::new(),
        rules => profile::own_rules(language, &common::listed(language, rules)),
    }
}

/// The operations of users, if they are the load.
fn operations(survey: &RunView<'_>, series: &SeriesView<'_>) -> Option<Block> {
    let language = survey.language;
    let planned = survey.planned(series)?;
    let operation = |operation: &Value| {
        Some(vec![
            TableCell::new(classes::name_in_full(language, text(operation, "/class")?)),
            TableCell::new(language.percent(number(operation, "/share")?)),
            TableCell::new(language.response_time(number(operation, "/demand")? / 1e6)),
        ])
    };
    let columns = vec![
        Column::words(common::class_word(language)),
        Column::numbers(profile::share(language)),
        Column::numbers(profile::processor_time(language)),
    ];
    let pause = language.response_time(number(planned, "/profile/think")? / 1e6);
    let table = Table::plain(profile::operations(language, series.name, &pause), columns)
        .filled(list(planned, "/profile/operations").filter_map(operation));
    (!table.rows.is_empty()).then_some(Block::Table(table))
}

/// The lines of a mix, if there are several.
fn mix(survey: &RunView<'_>, series: &SeriesView<'_>) -> Option<Block> {
    let language = survey.language;
    let columns = [
        profile::share(language),
        common::block_size(language),
        profile::read(language),
        profile::random(language),
    ]
    .map(Column::numbers);
    let table =
        Table::plain(profile::mix(language, series.name), columns).filled(mix_rows(survey, series));
    (table.rows.len() > 1).then_some(Block::Table(table))
}

fn mix_rows(survey: &RunView<'_>, series: &SeriesView<'_>) -> Vec<Vec<TableCell>> {
    let language = survey.language;
    let row = |line: &Value| {
        let percent = |name: &str| Some(TableCell::new(language.percent(number(line, name)?)));
        let size = TableCell::new(language.bytes(line.get("block_bytes")?.as_u64()?));
        Some(vec![percent("/share")?, size, percent("/read")?, percent("/random")?])
    };
    let planned = survey.planned(series).into_iter();
    planned.flat_map(|planned| list(planned, "/profile/lines")).filter_map(row).collect()
}
