//! The hosts of a fleet beside each other, and how well their clocks are known.

use std::collections::BTreeMap;

use kneepoint_core::result::{
    HostResult, HostStartResult, PointResult, Verdict, Warning, lags_behind, median_host,
};
use kneepoint_core::words::number::{Difference, Fixed, Measured, Rounding};

use super::setup;
use super::view::{RunView, SeriesView};
use crate::figure::{Axis, Dot, DotRow, Dots, Drawing, Lanes, RowWeight, Scale};
use crate::language::Language;
use crate::language::texts::{common, environment, figures, hosts};
use crate::page::{Block, Column, Figure, Section, Table, TableCell, Text};

/// More series than these have no figures.
const SERIES_MAX: usize = 6;

/// More hosts than these are in no figure and no table.
const HOSTS_MAX: usize = 24;

/// The chapter; nothing unless several hosts measured.
pub(super) fn section(survey: &RunView<'_>) -> Option<Section> {
    let language = survey.language;
    let points: Vec<KeyPoint<'_, '_>> = survey.series.iter().filter_map(KeyPoint::of).collect();
    if let Some(table) = points.iter().find_map(KeyPoint::table_of_users) {
        let intro = Block::paragraph(hosts::of_users(language));
        return Some(Section::new("fleet", hosts::heading(language), vec![intro, table]));
    }
    if points.is_empty() {
        return None;
    }
    let mut intro = match survey.rules.first() {
        Some(rule) => hosts::key_points_within(language, &common::within(language, rule)),
        None => hosts::key_points_at_peak(language).to_owned(),
    };
    let shown = widest(&points);
    if shown.len() < points.len() {
        let [few, all] = [shown.len(), points.len()].map(|count| language.count(count));
        intro += &hosts::widest(language, &few, &all);
    }
    let mut blocks = vec![Block::paragraph(intro)];
    blocks.extend(stragglers(language, &points));
    let figures = shown.iter().flat_map(|point| point.figures(survey)).collect();
    blocks.extend(Block::figures(figures));
    Some(Section::new("fleet", hosts::heading(language), blocks))
}

/// The points in which the slowest host is furthest behind, as many as are shown, in their order.
fn widest<'p, 's, 'a>(points: &'p [KeyPoint<'s, 'a>]) -> Vec<&'p KeyPoint<'s, 'a>> {
    let mut numbers: Vec<usize> = (0..points.len()).collect();
    numbers.sort_by(|a, b| points[*a].least_share().total_cmp(&points[*b].least_share()));
    numbers.truncate(SERIES_MAX);
    numbers.sort_unstable();
    numbers.into_iter().map(|number| &points[number]).collect()
}

/// Which hosts lag behind in which series, or that none does.
fn stragglers(language: Language, points: &[KeyPoint<'_, '_>]) -> Vec<Block> {
    let told = points.iter().flat_map(|point| {
        let lagging = point.hosts.iter().filter(|host| point.lags(host));
        lagging.map(|host| point.sentence(host)).collect::<Vec<Text>>()
    });
    let told: Vec<Text> = told.collect();
    match told.is_empty() {
        false => Block::titled_list(hosts::stragglers(language), told),
        true if points.iter().all(|point| point.median().is_some()) => {
            vec![Block::paragraph(hosts::none_lags(language))]
        }
        true => vec![Block::paragraph(hosts::two_hosts(language))],
    }
}

/// A host at a point.
struct HostPart<'a> {
    host: &'a str,
    targets: usize,
    /// Users who worked from there, if they are the load.
    users: Option<u64>,
    cpu_percent: Option<f64>,
    /// What each of its targets does on average, in operations per second.
    rate: f64,
    response_ms: f64,
}

/// The hosts at the point that the key figures of a series rest on.
struct KeyPoint<'s, 'a> {
    series: &'s SeriesView<'a>,
    load: f64,
    hosts: Vec<HostPart<'a>>,
}

impl<'s, 'a> KeyPoint<'s, 'a> {
    /// Nothing unless several hosts measured it.
    fn of(series: &'s SeriesView<'a>) -> Option<Self> {
        let load = key_load(series)?;
        let is_counted =
            |point: &&PointResult| point.load.value == load && point.verdict != Verdict::Failed;
        let points: Vec<&'a PointResult> =
            series.points.iter().copied().filter(is_counted).collect();
        let first = points.first().filter(|point| point.hosts.len() > 1)?;
        let hosts = first.hosts.iter().map(|host| part(&host.host, &points)).collect();
        Some(Self { series, load, hosts })
    }

    /// What the users of each host see, at the load with the most; nothing for other loads.
    fn table_of_users(&self) -> Option<Block> {
        let language = self.series.language;
        self.hosts.iter().find_map(|host| host.users)?;
        let columns = [
            Column::words(environment::host(language)),
            Column::numbers(hosts::users(language)),
            Column::numbers(format!(
                "{} ({})",
                hosts::responses(language),
                self.series.rate_unit().symbol()
            )),
            Column::numbers(common::mean_response(language)),
            Column::numbers(hosts::generator(language)),
        ];
        let row = |host: &HostPart<'_>| {
            let users = host.users.map(|users| language.count_u64(users));
            let percent = host.cpu_percent.map(|percent| language.percent(percent.round()));
            let response = (host.rate > 0.0).then(|| language.response_time(host.response_ms));
            vec![
                TableCell::new(host.host),
                TableCell::new(common::known(users)),
                TableCell::new(language.rate(host.rate * host.targets as f64)),
                TableCell::new(common::known(response)),
                TableCell::new(common::known(percent)),
            ]
        };
        let caption = hosts::users_of(language, self.series.name, &self.at_load());
        let rows: Vec<Vec<TableCell>> = self.hosts.iter().map(row).collect();
        Some(Block::Table(Table::plain(caption, columns).filled(rows)))
    }

    /// What each target of the median host does.
    fn median(&self) -> Option<f64> {
        median_host(&self.hosts.iter().map(|host| host.rate).collect::<Vec<f64>>())
    }

    fn lags(&self, host: &HostPart<'_>) -> bool {
        self.median().is_some_and(|median| lags_behind(host.rate, median))
    }

    /// What the slowest host does as a share of the fastest one.
    fn least_share(&self) -> f64 {
        let rates = || self.hosts.iter().map(|host| host.rate);
        rates().fold(f64::INFINITY, f64::min) / rates().fold(f64::MIN_POSITIVE, f64::max)
    }

    /// Whether hosts have different numbers of targets: only what each target does can be compared then.
    fn is_uneven(&self) -> bool {
        self.hosts.iter().any(|host| host.targets != self.hosts[0].targets)
    }

    /// The throughput that is shown of a host.
    fn shown_rate(&self, host: &HostPart<'_>) -> f64 {
        if self.is_uneven() { host.rate } else { host.rate * host.targets as f64 }
    }

    /// The load behind a preposition, with its unit.
    fn at_load(&self) -> String {
        let language = self.series.language;
        let load = common::at_load(language, self.load, self.series.load_unit());
        match self.series.total_load(self.load) {
            Some(total) => common::each_and_total(language, &load, &total),
            None => load,
        }
    }

    /// That a host lags behind.
    fn sentence(&self, host: &HostPart<'_>) -> Text {
        let language = self.series.language;
        let rate = language.throughput(host.rate, self.series.rate_unit());
        let percent = language.percent(self.percent_of_median(host).floor());
        let place = common::what_at(language, self.series.name, &self.at_load());
        Text::new().strong(host.host).plain(hosts::lags(language, &place, &rate, &percent))
    }

    fn percent_of_median(&self, host: &HostPart<'_>) -> f64 {
        self.median().map_or(100.0, |median| 100.0 * host.rate / median)
    }

    /// Throughput and response time of the hosts.
    fn figures(&self, survey: &RunView<'_>) -> [Figure; 2] {
        let language = self.series.language;
        let unit = self.series.unit;
        let throughput = figures::throughput_in(language, self.series.rate_unit().symbol());
        let (caption, title) = match self.is_uneven() {
            true => (
                hosts::target_throughput_of(language, self.series.name, &self.at_load()),
                common::each_target(language, &throughput),
            ),
            false => {
                (hosts::throughput_of(language, self.series.name, &self.at_load()), throughput)
            }
        };
        let of_rate = self.figure((survey, &caption, title), |host| {
            let value = self.shown_rate(host);
            let label = language.rate(value);
            let percent = language.percent(self.percent_of_median(host).floor());
            let label = match self.lags(host) {
                true => hosts::share_of_median(language, &label, &percent),
                false => label,
            };
            (value, label)
        });
        let caption = hosts::response_of(language, self.series.name, &self.at_load());
        let title = unit.title(common::mean_response(language));
        let of_response = self.figure((survey, &caption, title), |host| {
            (unit.convert(host.response_ms), unit.print(language, host.response_ms))
        });
        [of_rate, of_response]
    }

    /// A dot for each host: its value, and how that is written.
    fn figure(
        &self,
        (survey, caption, axis): (&RunView<'_>, &str, String),
        value: impl Fn(&HostPart<'_>) -> (f64, String),
    ) -> Figure {
        let language = self.series.language;
        let values: Vec<f64> = self.hosts.iter().map(|host| value(host).0).collect();
        let reference = median_host(&values);
        let shown = self.slowest();
        let has_stragglers = shown.iter().any(|host| self.lags(host));
        let row = |host: &&HostPart<'_>| {
            let (value, label) = value(host);
            let tooltip = format!("{}: {label}", host.host);
            let series = usize::from(self.lags(host));
            DotRow {
                name: host.host.to_owned(),
                weight: RowWeight::One,
                dots: vec![Dot { series, value, label, tooltip, ..Dot::default() }],
            }
        };
        let names = [hosts::other_hosts(language), hosts::straggler(language)];
        let dots = Dots {
            language,
            title: caption.trim_end_matches('.').to_owned(),
            source: survey.source(),
            // With zero in sight differences look as large as they are.
            value: Axis { include: vec![0.0], ..Axis::new(axis, Scale::Linear) },
            series: names[..1 + usize::from(has_stragglers)]
                .iter()
                .map(|name| (*name).to_owned())
                .collect(),
            reference,
            band: None,
            lanes: Lanes::Own,
            rows: shown.iter().map(row).collect(),
        };
        let line = reference.map_or("", |_| hosts::line(language));
        let mut caption = format!("{caption}{line}");
        if shown.len() < self.hosts.len() {
            let [few, all] = [shown.len(), self.hosts.len()].map(|count| language.count(count));
            caption += &hosts::lowest(language, &few, &all);
        }
        Figure::new(caption, Drawing::Dots(dots))
    }

    /// The hosts that are shown, in their order: those whose targets do the least if there are many.
    fn slowest(&self) -> Vec<&HostPart<'a>> {
        let mut numbers: Vec<usize> = (0..self.hosts.len()).collect();
        numbers.sort_by(|a, b| self.hosts[*a].rate.total_cmp(&self.hosts[*b].rate));
        numbers.truncate(HOSTS_MAX);
        numbers.sort_unstable();
        numbers.into_iter().map(|number| &self.hosts[number]).collect()
    }
}

/// The highest measured load within the first rule, or else the peak.
fn key_load(series: &SeriesView<'_>) -> Option<f64> {
    let within = series.summaries.first().and_then(|summary| {
        let load = summary.sustained.met()?.load?;
        let measured = series.curve.iter().map(|point| point.load.value);
        measured.filter(|value| *value <= load).max_by(f64::total_cmp)
    });
    let peak = || series.peak().map(|peak| peak.load);
    let highest = || setup::peak(series).first().map(|point| point.load.value);
    within.or_else(peak).or_else(highest)
}

/// A host in all measurements of one load together.
fn part<'a>(host: &'a str, points: &[&PointResult]) -> HostPart<'a> {
    let targets = points
        .first()
        .map_or(0, |point| point.targets.iter().filter(|target| target.host == host).count());
    let targets = targets.max(1);
    let of = |point: &PointResult| point.hosts.iter().find(|found| found.host == host).cloned();
    let first = points.first().and_then(|point| of(point));
    let (mut seconds, mut operations, mut response) = (0.0, 0.0, 0.0);
    for point in points {
        let found = point.hosts.iter().find(|found| found.host == host);
        if let Some(HostResult { rate, latency_ms, .. }) = found {
            seconds += point.measured_s;
            operations += rate * point.measured_s;
            response += latency_ms.mean * rate * point.measured_s;
        }
    }
    let per = |sum: f64, of: f64| if of > 0.0 { sum / of } else { 0.0 };
    HostPart {
        host,
        targets,
        users: first.as_ref().and_then(|host| host.users),
        cpu_percent: first.as_ref().and_then(|host| host.cpu_percent),
        rate: per(operations, seconds) / targets as f64,
        response_ms: per(response, operations),
    }
}

/// The clock of a host over the run, and how late it began with points.
struct HostClock<'a> {
    host: &'a str,
    /// How it began last.
    last: HostStartResult,
    /// The largest error of its clock at any point, in milliseconds.
    bound_ms: f64,
    /// Its latest start after the common one, in milliseconds.
    late_ms: f64,
    /// Points with the warning that it began late.
    late_points: usize,
}

/// How well the clocks of the hosts are known, and how late they began; nothing where one machine measured,
/// or time is virtual.
pub(super) fn clocks(survey: &RunView<'_>) -> Vec<Block> {
    let language = survey.language;
    let mut clocks = clocks_of(&survey.document.points);
    let most = |value: fn(&HostClock<'_>) -> f64| clocks.iter().map(value).fold(0.0, f64::max);
    let (bound, late) = (most(|clock| clock.bound_ms), most(|clock| clock.late_ms));
    if clocks.is_empty() {
        return Vec::new();
    }
    let all = clocks.len();
    if all > HOSTS_MAX {
        clocks.sort_by(|a, b| b.bound_ms.total_cmp(&a.bound_ms));
        clocks.truncate(HOSTS_MAX);
    }
    let [bound, late] = [bound, late].map(|ms| language.response_time(at_most(ms)));
    let mut blocks = vec![Block::paragraph(hosts::starts(language, &bound, &late))];
    blocks.push(Block::Table(table(language, &clocks)));
    if clocks.len() < all {
        let [few, all] = [clocks.len(), all].map(|count| language.count(count));
        blocks.push(Block::remark(hosts::worst_known(language, &few, &all)));
    }
    blocks
}

fn at_most(value: f64) -> Measured {
    Measured::from(value).rounded(Rounding::Up)
}

/// The clocks of all hosts with a start that is known, in the order in which they first appear.
fn clocks_of(points: &[PointResult]) -> Vec<HostClock<'_>> {
    let mut clocks: Vec<HostClock<'_>> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for point in points {
        for HostResult { host, start, .. } in &point.hosts {
            let Some(start) = *start else { continue };
            let place = *places.entry(host).or_insert(clocks.len());
            match clocks.get_mut(place) {
                Some(clock) => clock.take(start),
                None => clocks.push(HostClock::new(host, start)),
            }
        }
        let late = point
            .warnings
            .iter()
            .filter(|warning| matches!(warning.bare(), Warning::BeganLate { .. }));
        for host in late.filter_map(Warning::host) {
            if let Some(place) = places.get(host) {
                clocks[*place].late_points += 1;
            }
        }
    }
    clocks
}

impl<'a> HostClock<'a> {
    fn new(host: &'a str, start: HostStartResult) -> Self {
        let (bound_ms, late_ms) = (start.clock.bound_us / 1e3, start.late_ms);
        Self { host, last: start, bound_ms, late_ms, late_points: 0 }
    }

    /// Takes how it began with a later point.
    fn take(&mut self, start: HostStartResult) {
        let Self { bound_ms, late_ms, .. } = Self::new(self.host, start);
        self.last = start;
        self.bound_ms = self.bound_ms.max(bound_ms);
        self.late_ms = self.late_ms.max(late_ms);
    }
}

fn table(language: Language, clocks: &[HostClock<'_>]) -> Table {
    let columns = [
        Column::words(environment::host(language)),
        Column::numbers(hosts::ahead(language)),
        Column::numbers(hosts::known_to(language)),
        Column::numbers(hosts::drift(language)),
        Column::numbers(hosts::latest(language)),
        Column::numbers(hosts::late_points(language)),
    ];
    let row = |clock: &HostClock<'_>| {
        let drift = clock.last.drift.map(|drift| {
            language.written(&format!("{} ±{:.1} ppm", Fixed(drift.ppm, 1), drift.bound_ppm))
        });
        let ahead = format!("{} s", Difference(clock.last.clock.offset_us / 1e6, 3));
        vec![
            TableCell::new(Text::new().code(clock.host)),
            TableCell::new(language.written(&ahead)),
            TableCell::new(format!("±{}", language.response_time(at_most(clock.bound_ms)))),
            TableCell::new(common::known(drift)),
            TableCell::new(language.response_time(clock.late_ms)),
            TableCell::new(language.count(clock.late_points)),
        ]
    };
    Table::plain(hosts::clocks(language), columns).filled(clocks.iter().map(row))
}
