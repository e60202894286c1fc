//! How it was measured and on what: method, environment, targets, and reproduction.

use kneepoint_core::measure::search::unseen_share;
use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{HostEnvironment, Imported, PointResult, RunState, TargetEnvironment};
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::number::{Fixed, Rate};
use kneepoint_core::words::storage_class::TargetClass;
use serde_json::Value;

use super::curves::extent;
use super::parts;
use super::recorded;
use super::summary::is_single_load;
use super::system;
use super::trust;
use super::view::{RunView, SeriesView};
use crate::language::Language;
use crate::language::texts::{
    abstract_text, advice as advice_text, common, environment, front, imported, method,
    reproduction, series, trust as trust_text,
};
use crate::page::{
    Block, Column, ColumnGroup, Fact, Fold, Note, Section, Table, TableCell, Text, Tone,
};

/// Whether `plan` has copies of Kneepoint's own programs, and of those of the suite's file.
fn programs(plan: &Value) -> (bool, bool) {
    let series = plan.get("series").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let is_of_file = |series: &&Value| series.pointer("/profile/external").is_some();
    let of_file = series.iter().filter(is_of_file).count();
    (of_file == 0 || of_file < series.len(), of_file > 0)
}

/// What copies of programs are, and how they are timed.
fn copies(survey: &RunView<'_>) -> Vec<Block> {
    let language = survey.language;
    let (own, of_file) = programs(&survey.document.plan);
    let mut blocks = Vec::new();
    if own {
        blocks.extend([term(method::copies(language)), term(method::ratio(language))]);
    }
    if of_file {
        blocks.extend([
            term(method::copies_of_file(language)),
            term(method::ratio_of_file(language)),
        ]);
    }
    blocks.push(match survey.has_passes() {
        true => term(method::passes(language)),
        false => term(method::rounds(language)),
    });
    blocks.push(term(method::time_of_copies(language)));
    blocks
}

pub(super) fn method(survey: &RunView<'_>) -> Section {
    let language = survey.language;
    let uses = |unit| survey.series.iter().any(|series| series.load_unit() == unit);
    let origin = survey.document.environment.imported.as_ref();
    let tool = match origin {
        Some(origin) => imported::method(language, &origin.measured_by()),
        None => method::tool(language, &survey.document.run.version),
    };
    let mut blocks = vec![Block::paragraph(tool)];
    if uses(LoadUnit::OutstandingIos) || survey.series.is_empty() {
        blocks.push(term(match super::profile::pauses_somewhere(survey) {
            true => method::outstanding_with_pauses(language),
            false => method::outstanding(language),
        }));
    }
    if uses(LoadUnit::OfferedIops) {
        blocks.push(term(method::offered(language)));
    }
    if uses(LoadUnit::Users) {
        blocks.push(term(match targets_are(survey, TargetKind::Desktop) {
            true => method::users_at_screens(language),
            false => method::users(language),
        }));
    }
    if uses(LoadUnit::Warehouses) {
        blocks.push(term(warehouses(survey)));
    }
    if uses(LoadUnit::OutstandingOperations) {
        blocks.push(term(method::outstanding_operations(language)));
    }
    if uses(LoadUnit::Copies) {
        blocks.extend(copies(survey));
    }
    match survey.is_io() {
        false if uses(LoadUnit::Copies) => {}
        true => blocks.extend([
            term(method::throughput(language)),
            boxed(method::judge_box(language)),
            term(match (uses(LoadUnit::OfferedIops), uses(LoadUnit::OutstandingIos)) {
                (true, true) => method::response_both(language),
                (true, false) => method::response_offered(language),
                (false, _) => method::response(language),
            }),
            term(method::percentiles(language)),
        ]),
        false => blocks.extend([
            term(method::operation_throughput(language)),
            term(method::operation_response(language)),
            term(method::operation_percentiles(language)),
        ]),
    }
    // Of a single load nothing is read off at a rule, and there is no peak.
    if !is_single_load(survey) {
        blocks.push(term((method::sustained(language), &sustained(survey))));
        blocks.extend(rules_of_class(survey));
        blocks.extend([term(peak_term(survey)), boxed(method::sustained_box(language))]);
    }
    if survey.is_io() && !is_single_load(survey) {
        blocks.push(boxed(method::mean_limit_box(language)));
    }
    if origin.is_none() {
        blocks.push(term((method::timing(language), &timing(survey))));
        blocks.extend([
            term(method::confidence(language)),
            boxed(method::confidence_box(language)),
            term(method::cpu(language)),
        ]);
    }
    Section::new("method", method::heading(language), blocks)
}

/// What warehouses are, in memory or in a database.
fn warehouses(survey: &RunView<'_>) -> (&'static str, &'static str) {
    match survey.targets().iter().any(|target| database_server(target).is_some()) {
        true => method::warehouses_in_database(survey.language),
        false => method::warehouses(survey.language),
    }
}

/// What a peak is, and where it is read.
fn peak_term(survey: &RunView<'_>) -> (&'static str, &'static str) {
    match survey.is_visited() {
        true => method::peak_of_visits(survey.language),
        false => method::peak(survey.language),
    }
}

/// A word and what it means.
fn term((term, text): (&str, &str)) -> Block {
    Block::Paragraph(Text::new().strong(format!("{term}. ")).plain(text))
}

/// A box: how to read the results.
fn boxed((title, text): (&str, &str)) -> Block {
    Block::Note(Note::new(Tone::Plain, title, text))
}

fn sustained(survey: &RunView<'_>) -> String {
    let language = survey.language;
    let rules: Vec<String> = survey.rules.iter().map(|rule| common::rule(language, rule)).collect();
    let rules = match rules.as_slice() {
        [] => method::no_rule(language).to_owned(),
        [only] => method::one_rule(language, only),
        several => method::several_rules(language, &common::listed(language, several)),
    };
    let own = match survey.has_own_rules() {
        true => method::own_rules(language),
        false => "",
    };
    let found = match survey.is_visited() {
        true => {
            let unseen = unseen_share(&survey.document.points);
            method::visits_text(language, &language.percent(100.0 * unseen))
        }
        false => method::points_text(language).to_owned(),
    };
    method::sustained_text(language, &rules) + own + &found + method::bound_text(language)
}

/// Why the rules are those that they are, where no one named any.
fn rules_of_class(survey: &RunView<'_>) -> Option<Block> {
    let language = survey.language;
    let class = survey.document.plan.get("target_class")?.clone();
    let class: TargetClass = serde_json::from_value(class).ok()?;
    let is_own = |series: &SeriesView<'_>| !survey.own_rules(series).is_empty();
    if survey.has_own_rules() && survey.series.iter().all(is_own) {
        return None;
    }
    let decides = match survey.has_own_rules() {
        true => method::class_decides_rest(language),
        false => method::class_decides(language),
    };
    let text = Text::new()
        .strong(format!("{}. ", method::class(language)))
        .plain(decides)
        .join(common::class(language, &class))
        .plain(format!(". {}", method::class_rules(language, class.class)));
    Some(Block::Paragraph(text))
}

/// The times as they were, from the shortest to the longest.
fn timing(survey: &RunView<'_>) -> String {
    let points = &survey.document.points;
    let ramp = range(survey.language, points.iter().map(|point| point.ramp_s));
    let measured = range(survey.language, points.iter().map(|point| point.measured_s));
    let times = match (ramp, measured) {
        (Some(ramp), Some(measured)) => method::times(survey.language, &ramp, &measured),
        _ => String::new(),
    };
    method::timing_text(survey.language, &times)
}

/// `2 s`, or `2 s to 30 s`.
fn range(language: Language, seconds: impl Iterator<Item = f64>) -> Option<String> {
    let (low, high) = extent(seconds);
    let text = |seconds: f64| {
        let text = Rate(seconds).to_string();
        let text = match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.'),
            false => &text,
        };
        language.written(&format!("{text} s"))
    };
    match (text(low), text(high)) {
        _ if low > high => None,
        (low, high) if low == high => Some(low),
        (low, high) => Some(common::range(language, &low, &high)),
    }
}

pub(super) fn environment(survey: &RunView<'_>) -> Section {
    let environment = &survey.document.environment;
    let mut section =
        Section::new("environment", environment::heading(survey.language), Vec::new());
    let limits = trust::limits(survey).into_iter();
    let limits: Vec<Fact> =
        limits.map(|limit| Fact::new(trust_text::limit(survey.language), limit)).collect();
    if !limits.is_empty() {
        section.blocks.push(Block::Facts(limits));
    }
    if let Some(origin) = &environment.imported {
        section.blocks.push(Block::Facts(origin_facts(survey.language, origin)));
        return section;
    }
    for (index, host) in environment.hosts.iter().enumerate() {
        section.sections.extend(machine(survey, host, index));
    }
    section.sections.extend(parts::section(survey));
    let mut first = 1;
    for alike in environment.targets.chunk_by(are_alike) {
        section.sections.push(alike_targets(survey, alike, first));
        first += alike.len();
    }
    if section.sections.is_empty() {
        section.blocks.push(Block::paragraph(environment::nothing(survey.language)));
    }
    section
}

/// Where an imported run comes from: all that is known of its environment.
fn origin_facts(language: Language, origin: &Imported) -> Vec<Fact> {
    let listed = |names: &[String]| common::recorded(language, &names.join(", "));
    let mut facts = vec![
        Fact::new(front::measured_by(language), origin.measured_by()),
        Fact::new(imported::file(language), Text::new().code(&origin.file)),
        Fact::new(imported::format(language), origin.format.as_str()),
    ];
    if !origin.targets.is_empty() {
        facts.push(Fact::new(imported::targets(language), listed(&origin.targets)));
    }
    if !origin.hosts.is_empty() {
        facts.push(Fact::new(imported::hosts(language), listed(&origin.hosts)));
    }
    facts
}

/// A machine that measured: itself, its processors, its engine.
fn machine(survey: &RunView<'_>, host: &HostEnvironment, index: usize) -> Vec<Section> {
    let language = survey.language;
    if targets_are(survey, TargetKind::Sim) {
        return simulated_on(survey, host, index);
    }
    let mut machine = recorded::facts(survey, &host.facts);
    if let Some(clock) = &host.clock {
        let [offset, bound] = [clock.offset_us, clock.bound_us].map(|us| clock_us(language, us));
        let text = environment::clock_offset(language, &offset, &bound);
        machine.push(Fact::new(environment::clock(language), text));
    }
    machine.extend(known(language, environment::kernel(language), &host.kernel));
    if host.memory_bytes > 0 {
        machine.push(Fact::new(environment::memory(language), language.bytes(host.memory_bytes)));
    }
    let parts = [
        ("host", environment::host(language), machine),
        ("cpu", environment::processor(language), recorded::facts(survey, &host.cpu)),
        ("engine", environment::engine(language), recorded::facts(survey, &host.engine)),
    ];
    let known = parts.into_iter().filter(|(_, _, facts)| !facts.is_empty());
    known
        .map(|(part, title, facts)| part_of(host, (part, title, index), vec![Block::Facts(facts)]))
        .collect()
}

/// A part of a machine at `index`. Hosts of a fleet are told apart by their names.
fn part_of(
    host: &HostEnvironment,
    (part, title, index): (&str, &str, usize),
    blocks: Vec<Block>,
) -> Section {
    let id = match index {
        0 => format!("environment-{part}"),
        _ => format!("environment-{part}-{}", index + 1),
    };
    let title = match host.clock {
        Some(_) => format!("{title} ({})", host.host),
        None => title.to_owned(),
    };
    Section::new(id, title, blocks)
}

/// A machine on which systems were simulated: what it is made of has no part in the numbers.
fn simulated_on(survey: &RunView<'_>, host: &HostEnvironment, index: usize) -> Vec<Section> {
    let language = survey.language;
    let name = host.facts.iter().filter(|(key, _)| *key == "name");
    let name = name.map(|(key, value)| (key.clone(), value.clone())).collect();
    let mut facts = recorded::facts(survey, &name);
    facts.extend(recorded::facts(survey, &host.engine));
    if facts.is_empty() {
        return Vec::new();
    }
    let blocks = vec![Block::paragraph(environment::virtual_time(language)), Block::Facts(facts)];
    vec![part_of(host, ("host", environment::host(language), index), blocks)]
}

/// A difference of clocks in µs, rounded to whole ones.
fn clock_us(language: Language, us: f64) -> String {
    language.written(&format!("{} us", Fixed(us, 0)))
}

/// True if two targets differ in nothing but their names.
fn are_alike(one: &TargetEnvironment, other: &TargetEnvironment) -> bool {
    let plain = |target: &TargetEnvironment| TargetEnvironment {
        target: String::new(),
        host: String::new(),
        ..target.clone()
    };
    plain(one) == plain(other)
}

/// Targets that are alike, numbered from `first`.
fn alike_targets(survey: &RunView<'_>, alike: &[TargetEnvironment], first: usize) -> Section {
    let language = survey.language;
    let target = &alike[0];
    let name = common::target(language);
    let label = if alike.len() > 1 { front::targets(language) } else { name };
    let mut facts = vec![Fact::new(label, names_of(survey, alike))];
    facts.extend(target_facts(survey, target));
    let mut blocks = vec![Block::Facts(facts)];
    for (title, map) in [
        (environment::device(language), &target.device),
        (environment::settings(language), &target.settings),
    ] {
        if !map.is_empty() {
            blocks.push(Block::Paragraph(Text::new().strong(title)));
            blocks.push(Block::Facts(recorded::facts(survey, map)));
        }
    }
    if target.kind == TargetKind::Sim {
        for (profile, settings) in system::own_settings(survey) {
            let title = environment::own_settings(language, profile);
            blocks.push(Block::Paragraph(Text::new().strong(title)));
            blocks.push(Block::Facts(recorded::own_facts(language, settings)));
        }
    }
    let last = first + alike.len() - 1;
    let name_of = |target: &TargetEnvironment| system::without_levels(survey, &target.target);
    let title = match alike {
        [.., end] if last > first => {
            let range = common::range(language, &first.to_string(), &last.to_string());
            let names = front::targets(language);
            format!("{names} {range}: {} … {}", name_of(target), name_of(end))
        }
        _ => format!("{name} {first}: {}", name_of(target)),
    };
    Section::new(format!("environment-target-{first}"), title, blocks)
}

/// What a target is: its kind, its size, its file system and its class.
fn target_facts(survey: &RunView<'_>, target: &TargetEnvironment) -> Vec<Fact> {
    let language = survey.language;
    let kind = match target.kind {
        TargetKind::File => environment::file(language),
        TargetKind::Block => environment::block_device(language),
        TargetKind::Sim if target.size_bytes == 0 => environment::simulated_server(language),
        TargetKind::Sim => environment::simulated_system(language),
        TargetKind::Null => environment::null_target(language),
        TargetKind::Database => environment::warehouses(language),
        TargetKind::Processor => environment::processors(language),
        TargetKind::Desktop => environment::desktop_server(language),
        TargetKind::Directory => environment::directory(language),
    };
    let kind = match database_server(target) {
        Some(server) => environment::warehouses_in(language, &server),
        None => kind.to_owned(),
    };
    let mut facts = vec![Fact::new(environment::kind(language), kind)];
    let bytes = target.size_bytes;
    if bytes > 0 || matches!(target.kind, TargetKind::File | TargetKind::Block | TargetKind::Null) {
        let rounded = language.bytes(bytes);
        let size = system::size_varies(survey).unwrap_or_else(|| {
            environment::size_in_bytes(language, &rounded, &language.count_u64(bytes))
        });
        facts.push(Fact::new(environment::size(language), size));
    }
    let name = environment::file_system(language);
    facts.extend(match system::varied(survey, FILE_SYSTEM) {
        Some(levels) => Some(Fact::new(name, recorded::varied(language, FILE_SYSTEM, &levels))),
        None => known(language, name, &target.file_system),
    });
    let class = target.class.iter().map(|class| common::class(language, class));
    facts.extend(class.map(|class| Fact::new(common::class_word(language), class)));
    facts
}

/// The names of targets.
fn names_of(survey: &RunView<'_>, targets: &[TargetEnvironment]) -> Text {
    let mut text = Text::new();
    for (index, target) in targets.iter().enumerate() {
        let before = if index == 0 { "" } else { ", " };
        text = text.plain(before).code(system::without_levels(survey, &target.target));
    }
    text
}

fn known(language: Language, name: &str, value: &str) -> Option<Fact> {
    (!value.is_empty()).then(|| Fact::new(name, common::recorded(language, value)))
}

/// The name of the setting that says on which file system a file is.
pub(super) const FILE_SYSTEM: &str = "file_system";

/// With more rows than this, only the peak of each series is listed.
const ROWS_MAX: usize = 600;
/// More targets than this are not named in running text.
const NAMES_MAX: usize = 4;

/// All targets by name, or the first few and how many more.
pub(super) fn target_names(survey: &RunView<'_>) -> Text {
    let targets = survey.targets();
    if targets.is_empty() {
        return Text::new().plain(common::not_recorded(survey.language));
    }
    let text = names_of(survey, &targets[..targets.len().min(NAMES_MAX)]);
    match targets.len().saturating_sub(NAMES_MAX) {
        0 => text,
        more => text.plain(front::more(survey.language, &survey.language.count(more))),
    }
}

/// The server that a database is on, such as `PostgreSQL 15.18`; `None` for warehouses in memory and whatever
/// is no database.
pub(super) fn database_server(target: &TargetEnvironment) -> Option<String> {
    let fact = |name: &str| target.device.get(name).filter(|value| !value.is_empty());
    match target.kind {
        TargetKind::Database => Some(format!("{} {}", fact("name")?, fact("version")?)),
        _ => None,
    }
}

/// The kind and size of a target: `a file of 8.0 GiB on ext4`.
pub(super) fn target_description(survey: &RunView<'_>, target: &TargetEnvironment) -> String {
    let language = survey.language;
    let size = language.bytes(target.size_bytes);
    match target.kind {
        TargetKind::File => {
            let file = abstract_text::file(language, &size);
            let system = target.file_system.split([' ', ',']).next().unwrap_or_default();
            match (system::setting(survey, target, FILE_SYSTEM), system) {
                (Some(levels), _) => {
                    format!("{file}, {} {levels}", advice_text::noun(language, FILE_SYSTEM))
                }
                (None, "") => file,
                (None, system) => abstract_text::file_on(language, &size, system),
            }
        }
        TargetKind::Block => abstract_text::block_device(language, &size),
        TargetKind::Sim if target.size_bytes == 0 => {
            abstract_text::simulated_server(language).to_owned()
        }
        TargetKind::Sim => abstract_text::simulated_system(language, &size),
        TargetKind::Null => abstract_text::null_target(language).to_owned(),
        TargetKind::Database => match database_server(target) {
            Some(server) => abstract_text::warehouses_in(language, &server),
            None => abstract_text::warehouses(language).to_owned(),
        },
        TargetKind::Processor => abstract_text::copies_of_programs(language).to_owned(),
        TargetKind::Desktop => abstract_text::desktop_server(language).to_owned(),
        TargetKind::Directory => {
            match target.file_system.split([' ', ',']).next().unwrap_or_default() {
                "" => abstract_text::directory(language).to_owned(),
                system => abstract_text::directory_on(language, system),
            }
        }
    }
}

/// True if any target is of this kind.
pub(super) fn targets_are(survey: &RunView<'_>, kind: TargetKind) -> bool {
    survey.targets().iter().any(|target| target.kind == kind)
}

/// Each target's part in every point, where there is more than one target.
pub(super) fn targets(survey: &RunView<'_>) -> Option<Section> {
    let language = survey.language;
    if survey.targets().len() < 2 {
        return None;
    }
    let rows: usize = survey.document.points.iter().map(|point| point.targets.len()).sum();
    let peaks_only = rows > ROWS_MAX;
    let mut blocks = vec![Block::paragraph(match peaks_only {
        true => series::targets_peaks(language),
        false => series::targets_all(language),
    })];
    for series in &survey.series {
        let points = if peaks_only { peak(series) } else { series.points.clone() };
        blocks.extend(target_table(survey, series, &points).map(Block::Table));
    }
    Some(Section::new("targets", series::targets_heading(language), blocks))
}

/// Each host's part in every point, where a fleet measured.
pub(super) fn hosts(survey: &RunView<'_>) -> Option<Section> {
    let language = survey.language;
    let rows: usize = survey.document.points.iter().map(|point| point.hosts.len()).sum();
    if rows == 0 {
        return None;
    }
    let peaks_only = rows > ROWS_MAX;
    let mut blocks = vec![Block::paragraph(match peaks_only {
        true => series::hosts_peaks(language),
        false => series::hosts_all(language),
    })];
    for series in &survey.series {
        let points = if peaks_only { peak(series) } else { series.points.clone() };
        blocks.extend(host_table(series, &points).map(Block::Table));
    }
    Some(Section::new("hosts", series::hosts_heading(language), blocks))
}

fn host_table(series: &SeriesView<'_>, points: &[&PointResult]) -> Option<Table> {
    let language = series.language;
    let responses = [common::mean(language), common::smallest(language), common::largest(language)]
        .map(Column::numbers);
    let groups = vec![
        Column::numbers(common::load_title(language, series.load_unit())).into(),
        Column::words(environment::host(language)).into(),
        Column::numbers(series.rate_unit().symbol()).into(),
        Column::numbers(series::share_of_total(language)).into(),
        ColumnGroup::new(series.unit.title(common::response_time(language)), responses),
    ];
    let mut table = Table::new(series::hosts_of(language, series.name), groups);
    for point in points {
        let load = language.level(point.load.value);
        let total: f64 = point.hosts.iter().map(|host| host.rate).sum();
        for (index, host) in point.hosts.iter().enumerate() {
            let tone = if index == 0 { Tone::Plain } else { Tone::Muted };
            let time = |ms: f64| TableCell::new(series.unit.print(language, ms));
            let share = if total > 0.0 { 100.0 * host.rate / total } else { 0.0 };
            table.push(vec![
                TableCell::new(load.clone()).tone(tone),
                TableCell::new(Text::new().code(&host.host)),
                TableCell::new(language.rate(host.rate)),
                TableCell::new(language.percent(share.round())),
                time(host.latency_ms.mean),
                time(host.latency_ms.min),
                time(host.latency_ms.max),
            ]);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// The measured point of highest throughput.
pub(super) fn peak<'a>(series: &SeriesView<'a>) -> Vec<&'a PointResult> {
    let rate = |point: &PointResult| series.judge.estimate(point).mean;
    let best = series.points.iter().copied().max_by(|a, b| rate(a).total_cmp(&rate(b)));
    best.into_iter().collect()
}

fn target_table(
    survey: &RunView<'_>,
    series: &SeriesView<'_>,
    points: &[&PointResult],
) -> Option<Table> {
    let language = series.language;
    let unit = series.rate_unit().symbol();
    let responses = [common::mean(language), common::smallest(language), common::largest(language)]
        .map(Column::numbers);
    let groups = vec![
        Column::numbers(series.load_title()).into(),
        Column::words(common::target(language)).into(),
        ColumnGroup::new(common::throughput(language), [unit, "MiB/s"].map(Column::numbers)),
        ColumnGroup::new(series.unit.title(common::response_time(language)), responses),
        Column::numbers(common::errors(language)).into(),
    ];
    let mut table = Table::new(series::targets_of(language, series.name), groups);
    for point in points {
        let load = language.level(point.load.value);
        for (index, target) in point.targets.iter().enumerate() {
            let tone = if index == 0 { Tone::Plain } else { Tone::Muted };
            let time = |ms: f64| TableCell::new(series.unit.print(language, ms));
            table.push(vec![
                TableCell::new(load.clone()).tone(tone),
                TableCell::new(Text::new().code(system::without_levels(survey, &target.target))),
                TableCell::new(language.rate(target.rate)),
                TableCell::new(common::volume(language, target.volume)),
                time(target.latency_ms.mean),
                time(target.latency_ms.min),
                time(target.latency_ms.max),
                TableCell::new(language.count_u64(target.errors)),
            ]);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

pub(super) fn reproduction(survey: &RunView<'_>) -> Section {
    let language = survey.language;
    let run = &survey.document.run;
    let origin = survey.document.environment.imported.as_ref();
    let intro = match origin {
        Some(origin) => imported::reproduction(language, &origin.measured_by()),
        None => reproduction::intro(language).to_owned(),
    };
    let mut blocks = vec![Block::paragraph(intro)];
    if !run.command.is_empty() {
        blocks.push(Block::listing(common::command(language), &run.command, Fold::Open));
    }
    blocks.push(Block::Facts(reproduction_facts(survey)));
    if survey.document.plan != Value::Null && origin.is_none() {
        let plan = format!("{:#}", survey.document.plan);
        blocks.push(Block::listing(reproduction::plan(language), plan, Fold::Folded));
    }
    Section::new("reproduction", reproduction::heading(language), blocks)
}

fn reproduction_facts(survey: &RunView<'_>) -> Vec<Fact> {
    let language = survey.language;
    let run = &survey.document.run;
    let label = if run.label.is_empty() { common::none(language) } else { &run.label };
    let state = match run.state {
        RunState::Complete => reproduction::complete(language),
        RunState::Interrupted => reproduction::interrupted(language),
        RunState::Failed => common::failed(language),
    };
    let time = |time: &str| match time {
        "" => common::not_recorded(language).to_owned(),
        time => time.to_owned(),
    };
    let mut facts = vec![
        Fact::new(front::run(language), Text::new().code(&run.id)),
        Fact::new(reproduction::label(language), label),
        Fact::new(reproduction::state(language), state),
        Fact::new(reproduction::started(language), time(&run.started_at)),
        Fact::new(reproduction::finished(language), time(&run.finished_at)),
    ];
    if survey.document.environment.imported.is_none() {
        facts.extend([
            Fact::new(reproduction::seed(language), Text::new().code(run.seed.to_string())),
            Fact::new(reproduction::plan_hash(language), Text::new().code(&run.plan_hash)),
        ]);
    }
    facts.extend([
        Fact::new(reproduction::version(language), format!("Kneepoint {}", run.version)),
        Fact::new(reproduction::format(language), Text::new().code(&survey.document.schema)),
    ]);
    facts
}
