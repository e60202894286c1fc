//! Small multiples: many small charts over the same two axes.

use kneepoint_core::words::distinct::distinct;

use super::axis::{Axis, Domain, Tick};
use super::chart::{Chart, ChartMark, ChartSeries, MarkKind, Names, RuleLine, SeriesLook};
use super::frame::Frame;
use super::label::{Area, Obstacles};
use super::legend::{Item, Legend, Look, Sample};
use super::svg::Svg;
use super::{chart, description, frame, svg};
use crate::language::Language;

/// Size of the text at the axes and over the panels.
const FONT_SIZE: f64 = 11.0;
/// Room between two panels of a row, and for the heading over a panel.
const GAP: f64 = 14.0;
const HEADING: f64 = 19.0;
/// Room between a row of panels and the next heading.
const ROW_GAP: f64 = 9.0;
/// Panels are about as wide as this, or wider.
const PANEL_MIN: f64 = 120.0;
/// Room for the tick labels below the last panel of a column.
const LABELS: f64 = 20.0;

/// Small charts in rows. All have the same axes, so that they can be compared at a glance; a
/// series of one name looks the same in all of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Multiples {
    /// Language of the texts, and of the numbers at the axes.
    pub language: Language,
    /// The figure in words, for readers who cannot see it.
    pub title: String,
    /// Small print below that names where the data come from; may be empty.
    pub source: String,
    /// The horizontal axis of every panel.
    pub x: Axis,
    /// The vertical axis of every panel.
    pub y: Axis,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
}

/// One small chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Text above the panel; short.
    pub heading: String,
    /// The curves.
    pub series: Vec<ChartSeries>,
    /// Straight lines across the panel; the first panel or the legend has their labels.
    pub rules: Vec<RuleLine>,
    /// Points that are singled out, without labels; their series is an index into `series`.
    pub marks: Vec<ChartMark>,
}

/// Where a series stands among the panels.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelPlace {
    /// Text above its panel; short.
    pub heading: String,
    /// Its name within the panel; may be empty where it is alone.
    pub name: String,
    /// How it is told apart from the others of the panel.
    pub look: SeriesLook,
}

/// Where the panels stand.
#[derive(Debug)]
struct PanelLayout {
    columns: usize,
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl PanelLayout {
    fn new(panels: usize, (left, top): (f64, f64), width: f64) -> Self {
        let columns = columns(panels).min((width / PANEL_MIN) as usize).max(1);
        let gaps = GAP * (columns - 1) as f64;
        let width = (width - 8.0 - left - gaps) / columns as f64;
        Self { columns, left, top, width, height: (width * 0.7).clamp(78.0, 190.0) }
    }

    fn area(&self, index: usize) -> Area {
        let (row, column) = ((index / self.columns) as f64, (index % self.columns) as f64);
        let left = self.left + column * (self.width + GAP);
        let top = self.top + HEADING + row * (self.height + HEADING + ROW_GAP);
        Area { left, top, right: left + self.width, bottom: top + self.height }
    }

    /// Lower edge of the last row.
    fn bottom(&self, panels: usize) -> f64 {
        self.area(panels.max(1) - 1).bottom
    }
}

/// Panels of one row: few enough to be read, and without a lonely one in the last row if that
/// can be had.
const fn columns(panels: usize) -> usize {
    match panels {
        0 | 1 => 1,
        2 | 4 => 2,
        3 | 5 | 6 | 9 => 3,
        _ => 4,
    }
}

/// The figure as an `<svg>` element without a namespace.
pub(super) fn draw(figure: &Multiples, width: f64) -> String {
    let few = figure.panels.iter().all(|panel| chart::is_direct(&panel.series));
    let names: &[Names] = if few { &[Names::Beside, Names::Legend] } else { &[Names::Legend] };
    let rules = [RuleNames::FirstPanel, RuleNames::Legend];
    let mut ways = rules.iter().flat_map(|rules| names.iter().map(move |names| (*names, *rules)));
    ways.find_map(|way| composed(figure, width, way)).unwrap_or_default()
}

/// Where the names of rules stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RuleNames {
    /// Along their lines in the first panel, where it has room; its neighbours have the same lines.
    FirstPanel,
    /// In the legend.
    Legend,
}

/// The figure with the names of curves in one of both places; nothing where one finds no room
/// beside its curve.
fn composed(figure: &Multiples, width: f64, (names, rules): (Names, RuleNames)) -> Option<String> {
    let looks = figure.looks();
    let legend = Legend::new(figure.legend_items(&looks, (names, rules)), 4.0, width - 4.0);
    let panels = || figure.panels.iter();
    let x = panels().flat_map(|panel| chart::xs(&panel.series, &panel.marks));
    let y = panels().flat_map(|panel| chart::ys(&panel.series, &panel.marks));
    let (x, y) = (figure.x.domain(x), figure.y.domain(y));
    let ticks = |axis: &Axis, domain: &Domain| axis.ticks_in(domain, figure.language);
    let (x_ticks, y_ticks) = (ticks(&figure.x, &x), ticks(&figure.y, &y));
    let widest = y_ticks.iter().map(|tick| svg::text_width_at(&tick.label, FONT_SIZE));
    let left = widest.fold(18.0, f64::max) + 12.0;
    let layout = PanelLayout::new(figure.panels.len(), (left, legend.height + 24.0), width);
    let bottom = layout.bottom(figure.panels.len()) + LABELS;
    let source = if figure.source.is_empty() { 0.0 } else { 17.0 };
    let mut svg = Svg::of_width(width);
    let words = (figure.title.as_str(), description::of_multiples(figure));
    chart::open(&mut svg, words, bottom + 22.0 + source);
    legend.draw(&mut svg, 2.0);
    frame::draw_y_title(&mut svg, &figure.y.title, legend.height + 17.0);
    let headings = headings(&figure.panels, layout.width);
    for (index, panel) in figure.panels.iter().enumerate() {
        let (x_ticks, y_ticks) = (sparse(&x_ticks, layout.width), y_ticks.clone());
        let frame =
            Frame { area: layout.area(index), x, y, x_ticks, y_ticks, limit: figure.y.limit };
        draw_heading(&mut svg, &headings[index], &frame.area);
        draw_panel(&mut svg, panel, &looks, &frame);
        let mut obstacles = obstacles(panel, &frame);
        if index == 0 && rules == RuleNames::FirstPanel {
            label_rules(&mut svg, figure, &frame, &mut obstacles)?;
        }
        let curves = (panel.series.as_slice(), names);
        chart::label_curves(&mut svg, curves, (&frame, figure.language), &mut obstacles)?;
        if index % layout.columns == 0 {
            frame::draw_y_labels(&mut svg, &frame, FONT_SIZE);
        }
        if index + layout.columns >= figure.panels.len() {
            let reach = (frame.area.left - 5.0, frame.area.right + 5.0);
            frame::draw_x_labels(&mut svg, &frame, FONT_SIZE, reach);
        }
    }
    let middle = (left + width - 8.0) / 2.0;
    frame::draw_x_title(&mut svg, &figure.x.title, middle, bottom + 13.0);
    chart::draw_source(&mut svg, &figure.source, bottom + 31.0);
    svg.close("svg");
    Some(svg.finish())
}

/// The names of all rules in the first panel; nothing where one finds no room, or where the panel
/// lacks a rule.
fn label_rules(
    svg: &mut Svg,
    figure: &Multiples,
    frame: &Frame,
    obstacles: &mut Obstacles,
) -> Option<()> {
    let own = &figure.panels.first()?.rules;
    for label in figure.rule_labels() {
        let rule = own.iter().find(|rule| rule.label == label)?;
        let start = obstacles.place_along(label, frame.rule(rule)?)?;
        chart::draw_label(svg, label, start, FONT_SIZE);
    }
    Some(())
}

/// What names in a panel keep off.
fn obstacles(panel: &Panel, frame: &Frame) -> Obstacles {
    let mut obstacles = Obstacles::within(frame.area);
    for series in &panel.series {
        chart::clipped(series, frame).iter().for_each(|line| obstacles.add_line(line));
    }
    for (_, spot) in chart::marks(&panel.marks, frame) {
        obstacles.add_text(Area::around(spot, 7.0));
    }
    for ends in panel.rules.iter().filter_map(|rule| frame.rule(rule)) {
        obstacles.add_line(&ends);
    }
    obstacles
}

/// In narrow panels every second tick, so that the grid stays light.
fn sparse(ticks: &[Tick], width: f64) -> Vec<Tick> {
    let most = (width / 22.0).max(2.0);
    let stride = (ticks.len() as f64 / most).ceil().max(1.0) as usize;
    ticks.iter().step_by(stride).cloned().collect()
}

/// What stands over each panel. Where one is too long and all begin with the same load profile, before their
/// settings in brackets or behind a comma, the settings stand alone.
fn headings(panels: &[Panel], width: f64) -> Vec<String> {
    // Bold letters are wider than the estimate.
    let room = width * 0.92;
    let whole = || panels.iter().map(|panel| panel.heading.as_str());
    let is_long = whole().any(|heading| svg::text_width_at(heading, FONT_SIZE) > room);
    let parted: Option<Vec<(&str, &str)>> =
        whole().map(|heading| heading.strip_suffix(']')?.split_once(" [")).collect();
    let listed: Option<Vec<(&str, &str)>> =
        whole().map(|heading| heading.split_once(", ")).collect();
    let are_alike =
        |parted: &Vec<(&str, &str)>| parted.windows(2).all(|pair| pair[0].0 == pair[1].0);
    let settings =
        [parted, listed].into_iter().flatten().find(|parted| is_long && are_alike(parted));
    let texts = settings.map_or_else(
        || whole().collect(),
        |parted| parted.into_iter().map(|(_, settings)| settings).collect::<Vec<_>>(),
    );
    texts.into_iter().map(|text| svg::fitted_at(text, room, FONT_SIZE)).collect()
}

fn draw_heading(svg: &mut Svg, heading: &str, area: &Area) {
    svg.open("text").length("x", area.left).length("y", area.top - 6.0);
    svg.attribute("font-weight", "600").length("font-size", FONT_SIZE).text("text", heading);
}

fn draw_panel(svg: &mut Svg, panel: &Panel, looks: &[(&str, Look)], frame: &Frame) {
    let area = &frame.area;
    frame::draw_lines(svg, frame);
    frame::draw_corner(svg, area);
    let rules: Vec<_> =
        panel.rules.iter().filter_map(|rule| Some((rule, frame.rule(rule)?))).collect();
    chart::draw_rules(svg, &rules);
    let look = |series: &ChartSeries| {
        let found = looks.iter().find(|(name, _)| *name == series.name);
        found.map_or(Look::of(0), |(_, look)| *look)
    };
    for series in &panel.series {
        chart::draw_series(svg, look(series), series, frame);
    }
    for (mark, spot) in chart::marks(&panel.marks, frame) {
        let look = panel.series.get(mark.series).map_or(Look::of(0), look);
        chart::draw_mark(svg, mark, look, spot);
    }
}

impl Multiples {
    /// The same chart with its series in panels; `places` are theirs in their order. Series of one
    /// heading share a panel. Marks lose their labels.
    pub fn grouped(chart: Chart, places: &[PanelPlace]) -> Self {
        let Chart { language, title, source, x, y, series, rules, marks, zones: _ } = chart;
        let mut panels: Vec<Panel> = Vec::new();
        for (index, (series, place)) in series.into_iter().zip(places).enumerate() {
            let own = panels.iter().position(|panel| panel.heading == place.heading);
            let own = own.unwrap_or_else(|| {
                panels.push(Panel {
                    heading: place.heading.clone(),
                    series: Vec::new(),
                    rules: rules.clone(),
                    marks: Vec::new(),
                });
                panels.len() - 1
            });
            let panel = &mut panels[own];
            let bare = |mark: &ChartMark| {
                let series = panel.series.len();
                ChartMark { series, label: String::new(), ..mark.clone() }
            };
            panel.marks.extend(marks.iter().filter(|mark| mark.series == index).map(bare));
            panel.series.push(ChartSeries { name: place.name.clone(), look: place.look, ..series });
        }
        Self { language, title, source, x, y, panels }
    }

    /// Names of all series, each once, in the order of first appearance, and how they look.
    fn looks(&self) -> Vec<(&str, Look)> {
        let series = || self.panels.iter().flat_map(|panel| &panel.series);
        let names = distinct(series().map(|series| series.name.as_str()));
        let own = |name: &str| series().find(|series| series.name == name);
        let look = |(index, name): (usize, &'_ str)| {
            own(name).map_or(Look::of(index), |series| series.look.at(index))
        };
        names.into_iter().enumerate().map(|(index, name)| (name, look((index, name)))).collect()
    }

    /// Labels of all rules, each once.
    fn rule_labels(&self) -> Vec<&str> {
        let rules = self.panels.iter().flat_map(|panel| &panel.rules);
        distinct(rules.map(|rule| rule.label.as_str()))
    }

    fn legend_items(
        &self,
        looks: &[(&str, Look)],
        (names, rules): (Names, RuleNames),
    ) -> Vec<Item> {
        let mut items = match names {
            Names::Margin | Names::Beside => Vec::new(),
            Names::Legend => {
                let names: Vec<&str> = looks.iter().map(|(name, _)| *name).collect();
                Item::series(&names, |index| Sample::Curve(looks[index].1))
            }
        };
        if rules == RuleNames::Legend {
            let labels = self.rule_labels().into_iter();
            items.extend(labels.map(|label| Item::new(Sample::Rule, label)));
        }
        let kinds: Vec<MarkKind> =
            self.panels.iter().flat_map(|panel| &panel.marks).map(|mark| mark.kind).collect();
        items.extend(Item::marks(&kinds, self.language));
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headings_of(headings: &[&str], width: f64) -> Vec<String> {
        let panel = |heading: &&str| Panel {
            heading: (*heading).to_owned(),
            series: Vec::new(),
            rules: Vec::new(),
            marks: Vec::new(),
        };
        super::headings(&headings.iter().map(panel).collect::<Vec<_>>(), width)
    }

    #[test]
    fn narrow_panels_of_one_profile_are_named_by_their_settings() {
        let one = ["oltp/8KiB [host=windows]", "oltp/8KiB [host=linux]"];
        assert_eq!(headings_of(&one, 400.0), one);
        assert_eq!(headings_of(&one, 140.0), ["host=windows", "host=linux"]);
    }

    #[test]
    fn narrow_panels_of_several_profiles_keep_them() {
        let several = ["oltp/8KiB [host=windows]", "database/8KiB [host=linux]"];
        assert!(headings_of(&several, 140.0)[0].starts_with("oltp/8KiB"));
        assert!(
            headings_of(&["oltp/8KiB [host=windows]", "database/8KiB"], 140.0)[0]
                .starts_with("oltp")
        );
    }
}
