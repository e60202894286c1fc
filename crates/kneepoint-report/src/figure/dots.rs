//! Dots: values on one axis, a row for each thing, with their intervals.
//!
//! A dot needs no zero and no area, so that values that lie close together can be told apart, and
//! what is known as a bound alone is drawn open.

use super::axis::{Axis, AxisLimit, Domain, Scale};
use super::chart::PointStyle;
use super::frame::Frame;
use super::label::Area;
use super::legend::{Item, Legend, Look, Sample};
use super::svg::{Spot, Svg, closed, lines, path};
use super::{chart, description, frame, svg};
use crate::language::Language;

/// Height of a lane of dots, and room between two rows.
const LANE: f64 = 19.0;
const ROW_GAP: f64 = 5.0;
/// Radius of a dot.
const RADIUS: f64 = 4.2;
/// Size of the text beside a dot.
const VALUE_SIZE: f64 = 11.5;
/// Length of the arrow of a bound, and of the head of one that leads to a value beyond the axis.
const ARROW: f64 = 22.0;
const HEAD: f64 = 8.0;
/// Names of rows get no more than this share of the width; in a narrow drawing they stand above.
const NAME_SHARE: f64 = 0.44;
const NARROW: f64 = 450.0;
/// Size of names where one of them needs two lines, and from line to line.
const NAME_SIZE: f64 = 11.5;
const NAME_LINE: f64 = 13.5;
/// Room that bold text has, as a share of that of other text.
const BOLD_SHARE: f64 = 0.94;
/// Text beside the dots gets no more than this share of the width.
const VALUE_SHARE: f64 = 0.36;
/// Values that differ from the reference by this many times as much as all others do lie beyond the axis:
/// with them the others could not be told apart.
const FAR_TIMES: f64 = 4.0;
/// At most one value of this number lies there.
const FAR_ONE_OF: usize = 3;

/// Values on one axis, a row for each thing that has some.
#[derive(Debug, Clone, PartialEq)]
pub struct Dots {
    /// Language of the texts, and of the numbers at the axis.
    pub language: Language,
    /// The figure in words, for readers who cannot see it.
    pub title: String,
    /// Small print below that names where the data come from; may be empty.
    pub source: String,
    /// The axis of all values.
    pub value: Axis,
    /// Names of the kinds of dots; the legend has them if there are several.
    pub series: Vec<String>,
    /// What the values are compared with: a line through all rows.
    pub reference: Option<f64>,
    /// Values between these two make no practical difference: a grey band.
    pub band: Option<[f64; 2]>,
    /// Whether the dots of a row share a line.
    pub lanes: Lanes,
    /// The rows from top to bottom.
    pub rows: Vec<DotRow>,
}

/// Where the dots of a row stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lanes {
    /// All on one line; the least and the greatest carry their labels.
    Shared,
    /// Each dot on a separate line, with its label at the right edge.
    Own,
}

/// The dots of one thing.
#[derive(Debug, Clone, PartialEq)]
pub struct DotRow {
    /// Name before the dots; may be empty.
    pub name: String,
    /// What the row stands for.
    pub weight: RowWeight,
    /// The dots; in separate lanes they go from top to bottom.
    pub dots: Vec<Dot>,
}

/// What a row stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowWeight {
    /// One of the things that are compared.
    One,
    /// All of them together: a diamond as wide as its interval.
    Overall,
}

/// One value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dot {
    /// Index of its kind.
    pub series: usize,
    /// The value.
    pub value: f64,
    /// The ends of its interval.
    pub interval: Option<[f64; 2]>,
    /// Whether it is the value or a bound of it.
    pub reach: Reach,
    /// A dot with a reservation is hollow.
    pub style: PointStyle,
    /// The value as it stands beside the dot.
    pub label: String,
    /// Shown where the pointer rests on the dot; may be empty.
    pub tooltip: String,
}

/// Whether a number is the value or a bound of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// The value.
    #[default]
    Exact,
    /// The value is this or more: open to the right.
    AtLeast,
    /// The value is this or less: open to the left.
    AtMost,
}

impl Dots {
    /// Ends the axis before a few values that are so far from the reference that the others could not be told
    /// apart: they are arrows at its edge.
    #[must_use]
    pub fn cut(mut self) -> Self {
        self.value.limit = self.end().map(|value| AxisLimit { value, unit: "" });
        self
    }

    /// Whether values lie beyond the axis.
    pub const fn is_cut(&self) -> bool {
        self.value.limit.is_some()
    }

    /// The greatest of the values that are not far beyond all others; nothing if none is.
    fn end(&self) -> Option<f64> {
        let reference = self.reference.filter(|_| self.value.scale == Scale::Linear)?;
        let dots = self.rows.iter().flat_map(|row| &row.dots);
        let mut dots: Vec<&Dot> = dots.filter(|dot| dot.value.is_finite()).collect();
        dots.sort_by(|a, b| b.value.total_cmp(&a.value));
        let ends =
            |dot: &Dot| dot.interval.unwrap_or([dot.value; 2]).into_iter().chain([dot.value]);
        let most = dots.len() / FAR_ONE_OF;
        let others = (1..=most).map(|count| dots.split_at(count));
        let mut ends_of_others = others.filter_map(|(far, others)| {
            let band = self.band.into_iter().flatten();
            let values: Vec<f64> = others.iter().flat_map(|dot| ends(dot)).chain(band).collect();
            let off = values.iter().map(|value| (value - reference).abs()).fold(0.0, f64::max);
            let is_far = far.iter().all(|dot| dot.value - reference > FAR_TIMES * off);
            is_far.then(|| values.into_iter().fold(reference, f64::max))
        });
        ends_of_others.next()
    }

    /// Everything that must be seen.
    fn values(&self) -> impl Iterator<Item = f64> {
        let dots = self.rows.iter().flat_map(|row| &row.dots).flat_map(|dot| {
            let open = match dot.reach {
                Reach::AtLeast => dot.value * 1.08,
                Reach::Exact | Reach::AtMost => dot.value,
            };
            [dot.value, open].into_iter().chain(dot.interval.into_iter().flatten())
        });
        dots.chain(self.reference).chain(self.band.into_iter().flatten())
    }

    /// The name of a row in lines, and their size. Where a name is too long for a line, all of
    /// them are smaller, and what is in brackets gets its own line.
    fn name_lines<'a>(&self, row: &'a DotRow, room: f64) -> (Vec<&'a str>, f64) {
        if self.rows.iter().all(|row| svg::text_width(&row.name) <= room) {
            return (vec![&row.name], svg::FONT_SIZE);
        }
        let lines = match row.name.find(" [") {
            Some(end) => vec![&row.name[..end], &row.name[end + 1..]],
            None => vec![row.name.as_str()],
        };
        let lines = lines.into_iter().flat_map(|line| svg::in_lines(line, room, NAME_SIZE));
        (lines.collect(), NAME_SIZE)
    }

    /// The name of a row in lines above it, and their size.
    fn lines_above(row: &DotRow, room: f64) -> (Vec<&str>, f64) {
        let share = match row.weight {
            RowWeight::One => 1.0,
            RowWeight::Overall => BOLD_SHARE,
        };
        (svg::in_lines(&row.name, room * share, NAME_SIZE), NAME_SIZE)
    }

    /// Lines of dots that a row has.
    fn lanes(&self, row: &DotRow) -> usize {
        match self.lanes {
            Lanes::Shared => 1,
            Lanes::Own => row.dots.len().max(1),
        }
    }
}

/// Where everything stands.
struct DotLayout {
    frame: Frame,
    /// Height of names above their rows; nothing where names stand before the rows.
    name_above: f64,
    /// Room for a name.
    name_room: f64,
}

impl DotLayout {
    fn new(dots: &Dots, top: f64, width: f64) -> Self {
        let is_narrow = width < NARROW;
        let name_room = if is_narrow { width - 8.0 } else { width * NAME_SHARE };
        let names = dots.rows.iter().flat_map(|row| {
            let (lines, size) = dots.name_lines(row, name_room);
            lines.into_iter().map(move |line| svg::text_width_at(line, size))
        });
        let name = names.fold(0.0, f64::max).min(name_room);
        let labels = dots.rows.iter().flat_map(|row| &row.dots).map(|dot| &dot.label);
        let label = labels.map(|label| svg::text_width_at(label, VALUE_SIZE)).fold(0.0, f64::max);
        let named = dots.rows.iter().filter(|row| is_narrow && !row.name.is_empty());
        let lines_above = named.map(|row| Dots::lines_above(row, name_room).0.len()).max();
        let name_above = lines_above.map_or(0.0, |lines| NAME_LINE * lines as f64 + 2.0);
        let x = dots.value.domain(dots.values());
        let x_ticks = dots.value.ticks_in(&x, dots.language);
        let mut layout = Self {
            frame: Frame {
                area: Area {
                    left: if is_narrow { 14.0 } else { (name + 14.0).max(24.0) },
                    top,
                    right: width - (label.min(width * VALUE_SHARE) + 18.0).max(24.0),
                    bottom: top,
                },
                x,
                y: Domain::around(Scale::Linear, [0.0, 1.0]),
                x_ticks,
                y_ticks: Vec::new(),
                limit: None,
            },
            name_above,
            name_room: if is_narrow { name_room } else { name + 2.0 },
        };
        let heights = dots.rows.iter().map(|row| layout.height(dots, row));
        layout.frame.area.bottom = top + heights.sum::<f64>().max(LANE) + ROW_GAP;
        layout
    }

    /// Height of a row.
    fn height(&self, dots: &Dots, row: &DotRow) -> f64 {
        let (lines, _) = dots.name_lines(row, self.name_room);
        let names = NAME_LINE * lines.len() as f64 + 4.0;
        let lanes = LANE * dots.lanes(row) as f64;
        self.name_above + if self.name_above > 0.0 { lanes } else { lanes.max(names) } + ROW_GAP
    }
}

/// The figure as an `<svg>` element without a namespace.
pub(super) fn draw(dots: &Dots, width: f64) -> String {
    let names: Vec<&str> = dots.series.iter().map(String::as_str).collect();
    let legend = Legend::new(Item::series(&names, Sample::Dot), 4.0, width - 4.0);
    let layout = DotLayout::new(dots, legend.height + 10.0, width);
    let area = &layout.frame.area;
    let source = if dots.source.is_empty() { 0.0 } else { 15.0 };
    let mut svg = Svg::of_width(width);
    let words = (dots.title.as_str(), description::of_dots(dots));
    chart::open(&mut svg, words, area.bottom + 44.0 + source);
    legend.draw(&mut svg, 2.0);
    draw_band(&mut svg, dots, &layout.frame);
    frame::draw_lines(&mut svg, &layout.frame);
    draw_reference(&mut svg, dots, &layout.frame);
    let mut top = area.top + ROW_GAP;
    for row in &dots.rows {
        draw_row(&mut svg, dots, row, (&layout, top));
        top += layout.height(dots, row);
    }
    frame::draw_x_labels(&mut svg, &layout.frame, svg::FONT_SIZE, (2.0, width - 2.0));
    let middle = (area.left + area.right) / 2.0;
    frame::draw_x_title(&mut svg, &dots.value.title, middle, area.bottom + 38.0);
    chart::draw_source(&mut svg, &dots.source, area.bottom + 54.0);
    svg.close("svg");
    svg.finish()
}

/// Values that make no practical difference.
fn draw_band(svg: &mut Svg, dots: &Dots, frame: &Frame) {
    let Some([low, high]) = dots.band.map(|ends| ends.map(|end| at(end, frame))) else { return };
    svg.open("rect").attribute("class", "kp-band").length("x", low).length("y", frame.area.top);
    svg.length("width", high - low).length("height", frame.area.bottom - frame.area.top);
    svg.attribute("fill", "currentColor").attribute("fill-opacity", ".1").empty();
}

fn draw_reference(svg: &mut Svg, dots: &Dots, frame: &Frame) {
    let Some(x) = dots.reference.filter(|value| frame.x.contains(*value)) else { return };
    let x = frame.x(x);
    let line = path([Spot::new(x, frame.area.top), Spot::new(x, frame.area.bottom)]);
    svg.open("path").attribute("d", line).attribute("stroke", "currentColor");
    svg.attribute("stroke-width", "1.3").attribute("stroke-opacity", ".8").empty();
}

fn draw_row(svg: &mut Svg, dots: &Dots, row: &DotRow, (layout, top): (&DotLayout, f64)) {
    let frame = &layout.frame;
    draw_name(svg, dots, row, (layout, top));
    let first = top
        + match layout.name_above {
            0.0 => (layout.height(dots, row) - ROW_GAP - LANE * dots.lanes(row) as f64) / 2.0,
            above => above,
        };
    let lane = |index: usize| first + LANE * (index as f64 + 0.5);
    let shown = || row.dots.iter().filter(|dot| frame.x.scale.shows(dot.value));
    match dots.lanes {
        Lanes::Shared => {
            draw_guide(svg, frame, lane(0));
            shown().for_each(|dot| draw_interval(svg, dot, frame, lane(0)));
            shown().for_each(|dot| draw_dot(svg, dot, row.weight, (frame, lane(0))));
            label_ends(svg, &shown().collect::<Vec<_>>(), frame, lane(0));
        }
        Lanes::Own => {
            for (index, dot) in row.dots.iter().enumerate() {
                draw_guide(svg, frame, lane(index));
                let start = Spot::new(frame.area.right + 8.0, lane(index) + VALUE_SIZE * 0.345);
                let text = svg::fitted_at(&dot.label, svg.width - 2.0 - start.x, VALUE_SIZE);
                chart::draw_label(svg, &text, start, VALUE_SIZE);
                if frame.x.scale.shows(dot.value) {
                    draw_interval(svg, dot, frame, lane(index));
                    draw_dot(svg, dot, row.weight, (frame, lane(index)));
                }
            }
        }
    }
}

/// The name before the row, or above it.
fn draw_name(svg: &mut Svg, dots: &Dots, row: &DotRow, (layout, top): (&DotLayout, f64)) {
    let is_above = layout.name_above > 0.0;
    let (lines, size) = match is_above {
        true => Dots::lines_above(row, layout.name_room),
        false => dots.name_lines(row, layout.name_room),
    };
    let middle = top + (layout.height(dots, row) - ROW_GAP) / 2.0;
    let first = middle + size * 0.345 - NAME_LINE * (lines.len() - 1) as f64 / 2.0;
    let (x, first) = match is_above {
        true => (4.0, top + layout.name_above - NAME_LINE * (lines.len() - 1) as f64 - 4.0),
        false => (layout.frame.area.left - 10.0, first),
    };
    for (index, line) in lines.into_iter().enumerate() {
        svg.open("text").length("x", x).length("y", first + NAME_LINE * index as f64);
        frame::sized(svg, size);
        match is_above {
            true => chart::halo(svg),
            false => svg.attribute("text-anchor", "end"),
        };
        let room = match row.weight {
            RowWeight::One => layout.name_room,
            RowWeight::Overall => {
                svg.attribute("font-weight", "600");
                layout.name_room * BOLD_SHARE
            }
        };
        svg.text("text", &svg::fitted_at(line, room, size));
    }
}

/// A faint line that leads from the name to the dots.
fn draw_guide(svg: &mut Svg, frame: &Frame, y: f64) {
    let line = path([Spot::new(frame.area.left, y), Spot::new(frame.area.right, y)]);
    svg.open("path").attribute("d", line).attribute("stroke", "currentColor");
    svg.attribute("stroke-opacity", ".22").attribute("stroke-dasharray", "1 3").empty();
}

/// Whether a value lies beyond the end of an axis that was cut.
fn is_beyond(dot: &Dot, frame: &Frame) -> bool {
    frame.x(dot.value) > frame.area.right + 0.05
}

/// The interval with caps, and the arrow of a bound; of a value beyond the axis the shaft of its arrow.
fn draw_interval(svg: &mut Svg, dot: &Dot, frame: &Frame, y: f64) {
    let mut strokes = Vec::new();
    if is_beyond(dot, frame) {
        let ends = [ARROW, HEAD].map(|back| Spot::new(frame.area.right - back, y));
        strokes.push(ends);
    } else if let Some([low, high]) = interval(dot, frame) {
        let cap = |x: f64| [Spot::new(x, y - 3.5), Spot::new(x, y + 3.5)];
        strokes.extend([[Spot::new(low, y), Spot::new(high, y)], cap(high), cap(low)]);
    }
    if let Some(tip) = tip(dot, frame).filter(|_| !is_beyond(dot, frame)) {
        let back = if tip > at(dot.value, frame) { -5.0 } else { 5.0 };
        let tip = Spot::new(tip, y);
        strokes.push([Spot::new(at(dot.value, frame), y), tip]);
        strokes.extend([-4.0, 4.0].map(|side| [tip.offset(back, side), tip]));
    }
    if strokes.is_empty() {
        return;
    }
    Look::of(dot.series).open_group(svg);
    svg.open("path").attribute("d", lines(strokes)).attribute("stroke-width", "1.8").empty();
    svg.close("g");
}

/// Where a value lies; one beyond the axis at its end.
fn at(value: f64, frame: &Frame) -> f64 {
    frame.x(value).clamp(frame.area.left, frame.area.right)
}

/// Both ends of the interval, where it is wide enough to be seen beside its dot.
fn interval(dot: &Dot, frame: &Frame) -> Option<[f64; 2]> {
    let ends = dot.interval?;
    if !ends.iter().all(|end| frame.x.scale.shows(*end)) {
        return None;
    }
    let [low, high] = ends.map(|end| at(end, frame));
    (high - low > 2.0).then_some([low, high])
}

/// Where the arrow of a bound ends.
fn tip(dot: &Dot, frame: &Frame) -> Option<f64> {
    let x = at(dot.value, frame);
    match dot.reach {
        Reach::Exact => None,
        Reach::AtLeast => Some((x + ARROW).min(frame.area.right + 6.0)),
        Reach::AtMost => Some((x - ARROW).max(frame.area.left)),
    }
}

fn draw_dot(svg: &mut Svg, dot: &Dot, weight: RowWeight, (frame, y): (&Frame, f64)) {
    let spot = Spot::new(at(dot.value, frame), y);
    let look = Look::of(dot.series);
    look.open_group(svg);
    let element = match weight {
        _ if is_beyond(dot, frame) => {
            let corners = [spot, spot.offset(-HEAD, -4.0), spot.offset(-HEAD, 4.0)];
            svg.open("path").attribute("d", closed(corners));
            "path"
        }
        RowWeight::One => look.open_point(svg, spot, RADIUS),
        RowWeight::Overall => {
            let [low, high] = interval(dot, frame).unwrap_or([spot.x - 6.0, spot.x + 6.0]);
            let [low, high] = [low.min(spot.x - 4.0), high.max(spot.x + 4.0)];
            let corners = [(low, y), (spot.x, y - 7.0), (high, y), (spot.x, y + 7.0)];
            svg.open("path").attribute("d", closed(corners.map(|(x, y)| Spot::new(x, y))));
            "path"
        }
    };
    if dot.style == PointStyle::Hollow || dot.reach != Reach::Exact {
        svg.attribute("class", "kp-hollow").attribute("fill", "#fff");
        svg.attribute("stroke-width", "1.8");
    }
    svg.tooltip(element, &dot.tooltip);
    svg.close("g");
}

/// The labels of the least and of the greatest dot of a line.
fn label_ends(svg: &mut Svg, dots: &[&Dot], frame: &Frame, y: f64) {
    let by_value = |a: &&&Dot, b: &&&Dot| a.value.total_cmp(&b.value);
    let (Some(least), Some(most)) = (dots.iter().min_by(by_value), dots.iter().max_by(by_value))
    else {
        return;
    };
    let ends = |dot: &Dot| {
        let [low, high] = interval(dot, frame).unwrap_or([at(dot.value, frame); 2]);
        let tip = tip(dot, frame).unwrap_or(low);
        [low.min(tip).min(at(dot.value, frame) - RADIUS), high.max(tip)]
    };
    let left = dots.iter().map(|dot| ends(dot)[0]).fold(f64::INFINITY, f64::min);
    let right = dots.iter().map(|dot| ends(dot)[1]).fold(frame.area.left, f64::max);
    let baseline = y + VALUE_SIZE * 0.345;
    let start = Spot::new(right + RADIUS + 4.0, baseline);
    let text = svg::fitted_at(&most.label, svg.width - 2.0 - start.x, VALUE_SIZE);
    chart::draw_label(svg, &text, start, VALUE_SIZE);
    let start = Spot::new(left - 5.0 - svg::text_width_at(&least.label, VALUE_SIZE), baseline);
    if most.label != least.label && start.x >= frame.area.left + 2.0 {
        chart::draw_label(svg, &least.label, start, VALUE_SIZE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_of_narrow_drawings_are_told_whole() {
        let name = "oltp/8KiB [drives=120, host=windows], highest up to 121 outstanding per array";
        let row = |name: &str| DotRow {
            name: name.to_owned(),
            weight: RowWeight::One,
            dots: vec![Dot { value: 1.0, ..Dot::default() }],
        };
        let dots = Dots { rows: vec![row("short"), row(name)], ..of(Vec::new()) };
        let svg = draw(&dots, NARROW - 90.0);
        assert!(svg.contains(">outstanding per array<") || svg.contains(">per array<"), "{svg}");
        assert!(!svg.contains('…'), "{svg}");
    }

    /// Where the axis of changes ends that are these, in percent; nothing if it shows all of them.
    fn end(changes: &[f64]) -> Option<f64> {
        let row = |value: &f64| DotRow {
            name: String::new(),
            weight: RowWeight::One,
            dots: vec![Dot { value: *value, ..Dot::default() }],
        };
        of(changes.iter().map(row).collect()).end()
    }

    fn of(rows: Vec<DotRow>) -> Dots {
        Dots {
            language: Language::English,
            title: String::new(),
            source: String::new(),
            value: Axis::new("Change in %", Scale::Linear),
            series: Vec::new(),
            reference: Some(0.0),
            band: Some([-5.0, 5.0]),
            lanes: Lanes::Own,
            rows,
        }
    }

    #[test]
    fn an_axis_ends_before_what_is_far_beyond_all_others() {
        assert_eq!(end(&[0.0, 1_650.0, 35.0, 93.0]), Some(93.0));
        assert_eq!(end(&[0.0, 1.0, 50.0]), Some(5.0), "no less than the band");
        assert_eq!(end(&[900.0, 2.0, 800.0, 3.0, 9.0, 8.0]), Some(9.0));
    }

    #[test]
    fn an_axis_shows_what_can_be_told_apart() {
        assert_eq!(end(&[0.0, 300.0, 35.0, 93.0]), None);
        assert_eq!(end(&[0.0, 1_650.0]), None, "one of two is no exception");
        assert_eq!(end(&[900.0, 800.0, 2.0, 3.0, 9.0]), None, "nor are two of five");
        assert_eq!(end(&[-90.0, 93.0, 35.0]), None);
        assert_eq!(end(&[]), None);
    }
}
