//! Users at the screens of a server: how many work under which rule, what they wait for, and what they take.

use kneepoint_core::result::warning::{MemoryFit, Metered};
use kneepoint_core::result::{PointResult, SustainedStatus, UserCount, Verdict, Warning};
use kneepoint_core::words::class::ClassName;
use kneepoint_core::words::rule::{Metric, Rule};
use kneepoint_core::words::units::{KIB, MIB};

use super::chapters::Reached;
use super::curves::{chart, style};
use super::view::{RunView, SeriesView, sign};
use crate::figure::{Axis, Chart, ChartPoint, ChartSeries, Drawing, RuleLine, Scale, SeriesLook};
use crate::language::Language;
use crate::language::texts::{chapters, classes, common, users};
use crate::page::{Block, Column, Figure, Section, Table, TableCell, Text};

/// Id of the chapter.
pub(super) const ID: &str = "users";

/// From this share of the processors on that sessions may use, they limit.
const BUSY: f64 = 0.85;
/// A limit further above the response times than this would squeeze their curves.
const LIMIT_RATIO_MAX: f64 = 2.5;

/// The chapter; nothing for other work.
pub(super) fn section(survey: &RunView<'_>) -> Option<Section> {
    let typed = survey.series.iter().filter_map(|series| Typed::of(survey, series));
    let blocks: Vec<Block> = typed.flat_map(|typed| typed.blocks()).collect();
    if blocks.is_empty() {
        return None;
    }
    let bounded = bounded(survey).map(Block::paragraph);
    let blocks = bounded.into_iter().chain(blocks).collect();
    Some(Section::new(ID, users::heading(survey.language), blocks))
}

/// How many users work within the rules that were asked for, for the first page; nothing if all points were
/// disturbed.
pub(super) fn findings(survey: &RunView<'_>) -> Vec<Text> {
    let counts = survey.document.analysis.users.iter();
    let asked = counts.filter(|count| count.is_asked && !survey.is_disturbed());
    asked.map(|count| Text::new().strong(answer(survey.language, count))).collect()
}

/// The numbers of users under the rules that were asked for, as rows of the first page over several runs.
pub(super) fn reached(survey: &RunView<'_>) -> Vec<Reached> {
    let language = survey.language;
    let row = |count: &UserCount| {
        let rule = common::rule(language, &count.rule);
        Reached {
            what: chapters::users_within(language, &count.series, &rule),
            number: common::known(number(language, count)),
            unit: chapters::users_in_title(language).to_owned(),
            margin: None,
        }
    };
    asked(survey).map(row).collect()
}

/// The numbers of users under the rules that were asked for.
fn asked<'a>(survey: &RunView<'a>) -> impl Iterator<Item = &'a UserCount> {
    survey.document.analysis.users.iter().filter(|count| count.is_asked)
}

/// That sessions may use a part of the processors alone, if they may not use all of them.
pub(super) fn bounded(survey: &RunView<'_>) -> Option<String> {
    let all = survey.document.environment.first_host()?.cpu.get("logical_cpus")?;
    let points = survey.document.points.iter().flat_map(|point| &point.warnings);
    let available = points.filter_map(|warning| match *warning.bare() {
        Warning::SessionProcessor { available, of: Metered::OwnSessions, .. } => Some(available),
        _ => None,
    });
    let least = available.min_by(f64::total_cmp)?;
    let language = survey.language;
    let is_part = all.parse().is_ok_and(|all: f64| least < all);
    is_part.then(|| users::bounded(language, &language.written(&least.to_string()), all))
}

/// A series of users who type.
struct Typed<'s, 'a> {
    survey: &'s RunView<'a>,
    series: &'s SeriesView<'a>,
    counts: Vec<&'a UserCount>,
}

/// What sessions took of the processors at a number of users.
struct Taken {
    users: f64,
    used: f64,
    available: f64,
    stalled_percent: Option<f64>,
    of: Metered,
}

/// Memory that was taken, as of the number of users or sessions.
struct Held {
    users: f64,
    mib: f64,
    fit: Option<MemoryFit>,
    of: Metered,
    /// Memory of the server's machine, if that is not the one that measures.
    machine_bytes: Option<u64>,
}

impl<'s, 'a> Typed<'s, 'a> {
    fn of(survey: &'s RunView<'a>, series: &'s SeriesView<'a>) -> Option<Self> {
        let own = survey.document.analysis.users.iter();
        let counts: Vec<&UserCount> = own.filter(|count| count.series == series.name).collect();
        (!counts.is_empty()).then_some(Self { survey, series, counts })
    }

    fn language(&self) -> Language {
        self.survey.language
    }

    fn blocks(&self) -> Vec<Block> {
        let asked = self.counts.iter().filter(|count| count.is_asked);
        let mut told: Vec<Text> =
            asked.map(|count| Text::from(answer(self.language(), count))).collect();
        let memory = self.memory();
        let last = memory.last();
        told.extend(last.and_then(|last| self.formula(last)).map(Text::from));
        told.extend(last.and_then(|last| self.advice(last)).map(Text::from));
        told.extend(self.metered().into_iter().map(Text::from));
        let (processors, memory) = (self.processors(), self.memory_figure(&memory));
        let figures = [self.strokes(), self.others(), processors, memory, self.network()];
        let table = [Block::Table(self.table()), Block::remark(users::bounds(self.language()))];
        let told = (!told.is_empty()).then_some(Block::List(told));
        let figures = Block::figures(figures.into_iter().flatten().collect());
        told.into_iter().chain(table).chain(figures).collect()
    }

    fn table(&self) -> Table {
        let language = self.language();
        let columns = [
            Column::words(users::rule(language)),
            Column::numbers(users::users(language)),
            Column::words(users::between(language)),
            Column::numbers(users::limit(language)),
            Column::numbers(users::responses(language)),
        ];
        let row = |count: &&UserCount| {
            let rule = TableCell::new(common::rule(language, &count.rule));
            let rule = if count.is_asked { rule.detail(users::asked(language)) } else { rule };
            let bracket = count.bracket.map(|[low, high]| {
                common::listed(language, &[language.level(low), language.level(high)])
            });
            let limit = count.limit_ms.map(|ms| language.response_time(ms));
            vec![
                rule,
                TableCell::new(common::known(number(language, count))),
                TableCell::new(common::known(bracket)),
                TableCell::new(common::known(limit)),
                TableCell::new(language.count_u64(count.responses)),
            ]
        };
        let caption = users::caption(language, self.series.name);
        Table::plain(caption, columns).filled(self.counts.iter().map(row))
    }

    /// Points that are good for curves: one for each number of users.
    fn points(&self) -> impl Iterator<Item = &PointResult> {
        self.series.curve.iter().filter(|point| point.verdict != Verdict::Failed)
    }

    /// A curve of a number of a class over users; nothing where fewer than two points know it.
    fn curve(&self, class: &str, metric: Metric, name: String) -> Option<ChartSeries> {
        let language = self.language();
        let point = |point: &PointResult| {
            let times = &point.class(class)?.latency_ms;
            let y = times.of(metric)?;
            let users = common::level(language, point.load);
            let tooltip = format!("{users}: {}", language.response_time(y));
            let x = point.load.value;
            let margin = times.ci95_of(metric);
            Some(ChartPoint { x, y, margin, style: style(point), tooltip, ..ChartPoint::default() })
        };
        let points: Vec<ChartPoint> = self.points().filter_map(point).collect();
        (points.len() > 1).then(|| ChartSeries::new(name, points))
    }

    fn figure(
        &self,
        title: &str,
        y: Axis,
        (curves, rules): (Vec<ChartSeries>, Vec<RuleLine>),
    ) -> Option<Figure> {
        if curves.is_empty() {
            return None;
        }
        let x = Axis::new(users::users(self.language()), Scale::Linear);
        let chart = Chart { rules, ..chart(self.survey, title, (x, y), curves) };
        Some(Figure::new(format!("{title}."), Drawing::Chart(chart)))
    }

    /// Mean and 95th percentile of a stroke, with the limits of the rules that look at them.
    fn strokes(&self) -> Option<Figure> {
        let language = self.language();
        let class = ClassName::KEYSTROKE;
        let curves = [Metric::Mean, Metric::P95].into_iter().filter_map(|metric| {
            self.curve(class.as_str(), metric, common::metric(language, metric))
        });
        let curves: Vec<ChartSeries> = curves.collect();
        let all = curves.iter().flat_map(|curve| &curve.points).map(|point| point.y);
        let largest = all.fold(0.0, f64::max);
        let line = |count: &&&UserCount| {
            let rule: Rule = count.rule.parse().ok()?;
            let value = count.limit_ms.filter(|limit| *limit <= LIMIT_RATIO_MAX * largest)?;
            let is_stroke = rule.class == Some(class);
            is_stroke.then(|| RuleLine { value, label: common::rule(language, &count.rule) })
        };
        let rules = self.counts.iter().filter(|count| count.is_asked);
        let rules: Vec<RuleLine> = rules.filter_map(|count| line(&count)).collect();
        let mut y = Axis::new(milliseconds(language), Scale::Linear);
        y.include = rules.iter().map(|rule| rule.value).chain([0.0]).collect();
        self.figure(&users::strokes(language, self.series.name), y, (curves, rules))
    }

    /// Means of all other classes, by decades: a start takes longer than a menu.
    fn others(&self) -> Option<Figure> {
        let language = self.language();
        let mut classes: Vec<&String> =
            self.points().flat_map(|point| point.classes.keys()).collect();
        classes.sort_unstable();
        classes.dedup();
        let others = classes.into_iter().filter(|class| *class != ClassName::KEYSTROKE.as_str());
        let curves = others.filter_map(|class| {
            self.curve(class, Metric::Mean, classes::name(language, class).to_owned())
        });
        let y = Axis::new(milliseconds(language), Scale::Log10);
        let title = users::others(language, self.series.name);
        self.figure(&title, y, (curves.collect(), Vec::new()))
    }

    /// What sessions took of the processors, by number of users.
    fn taken(&self) -> Vec<Taken> {
        let of = |point: &&PointResult| {
            point.warnings.iter().find_map(|warning| match *warning.bare() {
                Warning::SessionProcessor { used, available, stalled_percent, of, .. } => {
                    Some(Taken { users: point.load.value, used, available, stalled_percent, of })
                }
                _ => None,
            })
        };
        let known = self.series.points.iter().filter(|point| point.verdict != Verdict::Failed);
        known.filter_map(of).filter(|taken| taken.available > 0.0).collect()
    }

    fn processors(&self) -> Option<Figure> {
        let language = self.language();
        let taken = self.taken();
        let curve = |name: &str, value: &dyn Fn(&Taken) -> Option<f64>| {
            let point = |taken: &Taken| {
                let (x, y) = (taken.users, value(taken)?);
                let tooltip = format!("{}: {}", language.level(x), language.percent(y));
                Some(ChartPoint { x, y, tooltip, ..ChartPoint::default() })
            };
            ChartSeries::new(name, taken.iter().filter_map(point).collect())
        };
        let mut curves = vec![
            curve(users::used(language), &|taken| Some(100.0 * taken.used / taken.available)),
            curve(users::stalled(language), &|taken| taken.stalled_percent),
        ];
        curves.retain(|curve| curve.points.len() > 1);
        let y = Axis {
            include: vec![0.0, 100.0],
            ..Axis::new(users::percent(language), Scale::Linear)
        };
        let is_machine = taken.iter().any(|taken| taken.of == Metered::Machine);
        let title = match is_machine {
            true => users::machine_processors(language, self.series.name),
            false => users::processors(language, self.series.name),
        };
        self.figure(&title, y, (curves, Vec::new()))
    }

    /// Memory in the order measured.
    fn memory(&self) -> Vec<Held> {
        let notes = self.series.in_order.iter().flat_map(|point| &point.warnings);
        let of = |warning: &Warning| match *warning.bare() {
            Warning::SessionMemory { sessions, bytes, fit, of, machine_bytes } => Some(Held {
                users: sessions as f64,
                mib: bytes as f64 / MIB as f64,
                fit,
                of,
                machine_bytes,
            }),
            _ => None,
        };
        notes.filter_map(of).collect()
    }

    fn memory_figure(&self, memory: &[Held]) -> Option<Figure> {
        let language = self.language();
        let mut seen: Vec<(f64, f64)> = memory.iter().map(|held| (held.users, held.mib)).collect();
        seen.sort_by(|a, b| a.0.total_cmp(&b.0));
        let point = |(x, y): &(f64, f64)| ChartPoint {
            x: *x,
            y: *y,
            tooltip: format!("{}: {} MiB", language.level(*x), language.rate(*y)),
            ..ChartPoint::default()
        };
        let (first, last) = (seen.first()?.0, seen.last()?.0);
        if first == last {
            return None;
        }
        let mut curves =
            vec![ChartSeries::new(users::measured(language), seen.iter().map(point).collect())];
        let newest = memory.last()?;
        if let Some((base, each)) = newest.fit.map(|fit| fit.mib()) {
            let ends = [first, last].map(|x| point(&(x, base + each * x)));
            let line = ChartSeries::new(users::line(language), ends.to_vec());
            curves.push(ChartSeries { look: SeriesLook::Guide, ..line });
        }
        let y = Axis { include: vec![0.0], ..Axis::new(users::mib(language), Scale::Linear) };
        let title = match newest.of.is_own() {
            true => users::memory(language, self.series.name),
            false => users::server_memory(language, self.series.name),
        };
        self.figure(&title, y, (curves, Vec::new()))
    }

    /// What went over the network of the server's machine, by number of users.
    fn network(&self) -> Option<Figure> {
        let language = self.language();
        let known = self.series.points.iter().filter(|point| point.verdict != Verdict::Failed);
        let moved = |point: &&PointResult| {
            point.warnings.iter().find_map(|warning| match *warning.bare() {
                Warning::ServerNetwork { received_per_s, sent_per_s, .. } => {
                    Some((point.load.value, [received_per_s, sent_per_s]))
                }
                _ => None,
            })
        };
        let moved: Vec<(f64, [f64; 2])> = known.filter_map(moved).collect();
        if moved.len() < 2 {
            return None;
        }
        let curve = |name: &str, which: usize| {
            let point = |(x, bytes): &(f64, [f64; 2])| {
                let y = bytes[which] / KIB as f64;
                let tooltip = format!("{}: {} KiB/s", language.level(*x), language.rate(y));
                ChartPoint { x: *x, y, tooltip, ..ChartPoint::default() }
            };
            ChartSeries::new(name, moved.iter().map(point).collect())
        };
        let curves = vec![curve(users::received(language), 0), curve(users::sent(language), 1)];
        let y = Axis { include: vec![0.0], ..Axis::new(users::kib_per_s(language), Scale::Linear) };
        self.figure(&users::network(language, self.series.name), y, (curves, Vec::new()))
    }

    /// Who metered the server and what of it, and where it was not metered.
    fn metered(&self) -> Vec<String> {
        let language = self.language();
        let notes = || self.series.in_order.iter().flat_map(|point| &point.warnings);
        let what = |of: Metered| match of {
            Metered::OwnSessions => None,
            Metered::Sessions => Some(users::of_sessions(language)),
            Metered::Accounts => Some(users::of_accounts(language)),
            Metered::Machine => Some(users::of_machine(language)),
        };
        let processors = notes().find_map(|warning| match *warning.bare() {
            Warning::SessionProcessor { of, .. } => {
                Some(users::metered_processors(language, warning.host()?, what(of)?))
            }
            _ => None,
        });
        let memory = notes().find_map(|warning| match *warning.bare() {
            Warning::SessionMemory { of, .. } => {
                Some(users::metered_memory(language, warning.host()?, what(of)?))
            }
            _ => None,
        });
        let is_missing = |point: &&&PointResult| {
            let mut kinds = point.warnings.iter().map(Warning::bare);
            kinds.any(|warning| matches!(warning, Warning::ServerNotMetered { .. }))
        };
        let missing = self.series.in_order.iter().filter(is_missing);
        let missing: Vec<String> = missing.map(|point| language.level(point.load.value)).collect();
        let missing = (!missing.is_empty())
            .then(|| users::not_metered(language, &common::listed(language, &missing)));
        [processors, memory, missing].into_iter().flatten().collect()
    }

    /// The line through the memory that was taken, if one is known.
    fn formula(&self, held: &Held) -> Option<String> {
        let language = self.language();
        let fit = held.fit?;
        let (base, each) = fit.mib();
        let [base, each] =
            [format!("{base:.0}"), format!("{each:.1}")].map(|text| language.written(&text));
        let error = language.percent(fit.error_percent);
        Some(match held.of.is_own() {
            true => users::formula(language, &base, &each, &error),
            false => users::server_formula(language, &base, &each, &error),
        })
    }

    /// Whether processors or memory limit first; nothing unless both are known.
    fn advice(&self, held: &Held) -> Option<String> {
        let language = self.language();
        let fit = held.fit.filter(|fit| fit.session_bytes > 0.0)?;
        let memory = match held.of.is_own() {
            true => self.survey.document.environment.first_host()?.memory_bytes,
            false => held.machine_bytes?,
        };
        let full = (memory as f64 - fit.base_bytes) / fit.session_bytes;
        if memory == 0 || full < 1.0 {
            return None;
        }
        let asked = self.counts.iter().find(|count| count.is_asked)?;
        let carried = asked.users?;
        let taken = self.taken();
        // The fewest that break the rule, or the most that were measured.
        let reached = asked.bracket.map_or(carried, |[_, high]| high);
        let at = taken.iter().find(|taken| taken.users >= reached).or_else(|| taken.last())?;
        let share = at.used / at.available;
        let full_text = language.level(full.floor());
        if full < carried {
            return Some(users::memory_first(language, &full_text, &language.bytes(memory)));
        }
        let (at, percent) = (language.level(at.users), language.percent((100.0 * share).round()));
        Some(match share >= BUSY {
            true => users::processors_first(language, &at, &percent, &full_text),
            false => users::neither_first(language, &at, &percent, &full_text),
        })
    }
}

fn milliseconds(language: Language) -> String {
    format!("{} in ms", common::response_time(language))
}

/// The number of users with its sign; nothing if it is not known.
fn number(language: Language, count: &UserCount) -> Option<String> {
    let users = language.level(count.users?.floor());
    Some(match sign(count.status) {
        "" => users,
        sign => format!("{sign} {users}"),
    })
}

/// The answer under a rule.
fn answer(language: Language, count: &UserCount) -> String {
    let rule = common::rule(language, &count.rule);
    let users = count.users.map(|users| language.level(users.floor()));
    match (count.status, users, count.bracket) {
        (SustainedStatus::Met, Some(users), Some([low, high])) => {
            let sides = users::sides(language, &language.level(low), &language.level(high));
            users::carries(language, &users, &rule, &sides)
        }
        (SustainedStatus::AllMeet, Some(users), _) => users::at_least(language, &users, &rule),
        (SustainedStatus::NoneMeets, Some(users), _) => users::fewer(language, &users, &rule),
        _ => users::not_known(language, &rule),
    }
}
