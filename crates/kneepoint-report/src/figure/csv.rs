//! The data of a figure as comma-separated values.

use super::Drawing;
use super::axis::Axis;
use super::chart::{Chart, ChartMark, ChartSeries, PointStyle, RuleLine};
use super::diagram::Diagram;
use super::dots::{Dots, Reach};
use super::heat::HeatMap;
use super::multiples::Multiples;
use super::strip::Strip;
use crate::language::Language;

/// The data of a drawing.
pub(super) fn of(drawing: &Drawing) -> String {
    match drawing {
        Drawing::Chart(chart) => of_chart(chart),
        Drawing::Multiples(multiples) => of_multiples(multiples),
        Drawing::Dots(dots) => of_dots(dots),
        Drawing::HeatMap(map) => of_heat_map(map),
        Drawing::Strip(strip) => of_strip(strip),
        Drawing::Diagram(diagram) => of_diagram(diagram),
    }
}

/// Lines of fields, quoted as RFC 4180 has it; the first one is the header. The data stand in an
/// address in which every line end is three characters, so that there is one and not two.
#[derive(Debug)]
struct Lines {
    lines: Vec<Vec<String>>,
}

impl Lines {
    fn new(header: &[&str]) -> Self {
        let mut lines = Self { lines: Vec::new() };
        lines.push(header);
        lines
    }

    fn push(&mut self, fields: &[&str]) {
        self.lines.push(fields.iter().map(|field| (*field).to_owned()).collect());
    }

    /// The text, without the columns that are empty in every line but the header.
    fn text(&self) -> String {
        let columns = self.lines.first().map_or(0, Vec::len);
        let is_used = |column: &usize| {
            self.lines.len() < 2 || self.lines[1..].iter().any(|line| !line[*column].is_empty())
        };
        let used: Vec<usize> = (0..columns).filter(is_used).collect();
        let mut text = String::new();
        for line in &self.lines {
            let fields: Vec<String> = used.iter().map(|column| quoted(&line[*column])).collect();
            text += &fields.join(",");
            text.push('\n');
        }
        text
    }
}

/// A field, in quotes where it needs them. A text that a spreadsheet would compute gets an
/// apostrophe, which says that it is text.
fn quoted(field: &str) -> String {
    let is_formula = field.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula && field.parse::<f64>().is_err() {
        return quoted(&format!("'{field}"));
    }
    if field.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

/// Seven significant digits, without an exponent; nothing for what is not a number.
fn number(value: f64) -> String {
    shortest(value, format!("{value:.6e}"))
}

/// A margin is itself an estimate: three significant digits.
fn margin(value: Option<f64>) -> String {
    value.map(|value| shortest(value, format!("{value:.2e}"))).unwrap_or_default()
}

fn shortest(value: f64, rounded: String) -> String {
    if !value.is_finite() {
        return String::new();
    }
    let digits: f64 = rounded.parse().unwrap_or(value);
    if digits == 0.0 { "0".to_owned() } else { digits.to_string() }
}

/// The column that marks a reservation.
const fn reservation(style: PointStyle) -> &'static str {
    match style {
        PointStyle::Filled => "",
        PointStyle::Hollow => "yes",
    }
}

/// Lines of points, marks and rules over two axes, behind columns that say where they belong.
fn plane_lines(places: &[&str], (x, y): (&Axis, &Axis)) -> Lines {
    let half = |axis: &Axis| format!("95 % margin of {}", axis.title);
    let (half_x, half_y) = (half(x), half(y));
    let axes: [&str; 6] = [&x.title, &y.title, &half_x, &half_y, "reservation", "label"];
    Lines::new(&[places, &axes].concat())
}

/// Adds what lies over two axes; `place` stands behind the kind.
fn push_plane(
    lines: &mut Lines,
    place: &[&str],
    (series, marks, rules): (&[ChartSeries], &[ChartMark], &[RuleLine]),
) {
    let mut push = |kind: &str, series: &str, fields: [&str; 6]| {
        lines.push(&[&[kind], place, &[series], &fields[..]].concat());
    };
    for ChartSeries { name, points, look: _ } in series {
        for point in points {
            let (x, y) = (number(point.x), number(point.y));
            let margins = [margin(point.x_margin), margin(point.margin)];
            let style = reservation(point.style);
            push("point", name, [&x, &y, &margins[0], &margins[1], style, ""]);
        }
    }
    for mark in marks {
        let kind = mark.kind.name(Language::English);
        let name = series.get(mark.series).map_or("", |series| &series.name);
        push(kind, name, [&number(mark.x), &number(mark.y), "", "", "", &mark.label]);
    }
    for rule in rules {
        push("rule", "", ["", &number(rule.value), "", "", "", &rule.label]);
    }
}

fn of_chart(chart: &Chart) -> String {
    let mut lines = plane_lines(&["kind", "series"], (&chart.x, &chart.y));
    push_plane(&mut lines, &[], (&chart.series, &chart.marks, &chart.rules));
    lines.text()
}

fn of_multiples(multiples: &Multiples) -> String {
    let mut lines = plane_lines(&["kind", "panel", "series"], (&multiples.x, &multiples.y));
    for panel in &multiples.panels {
        push_plane(&mut lines, &[&panel.heading], (&panel.series, &panel.marks, &panel.rules));
    }
    lines.text()
}

fn of_dots(dots: &Dots) -> String {
    let value = &dots.value.title;
    let mut lines = Lines::new(&[
        "kind",
        "row",
        "series",
        value,
        "95 % interval from",
        "95 % interval to",
        "bound",
        "reservation",
        "label",
    ]);
    for row in &dots.rows {
        for dot in &row.dots {
            let series = dots.series.get(dot.series).map_or("", String::as_str);
            let ends = dot.interval.map(|ends| ends.map(number)).unwrap_or_default();
            let bound = match dot.reach {
                Reach::Exact => "",
                Reach::AtLeast => "at least",
                Reach::AtMost => "at most",
            };
            let (number, style) = (number(dot.value), reservation(dot.style));
            let [low, high] = &ends;
            lines.push(&["dot", &row.name, series, &number, low, high, bound, style, &dot.label]);
        }
    }
    lines.text()
}

fn of_heat_map(map: &HeatMap) -> String {
    let mut lines =
        Lines::new(&["kind", &map.x.title, &map.y.title, &map.value, "reservation", "label"]);
    for cell in &map.cells {
        let name = |names: &[String], index: usize| names.get(index).cloned().unwrap_or_default();
        let (x, y) = (name(&map.x.names, cell.column), name(&map.y.names, cell.row));
        let style = reservation(cell.style);
        lines.push(&["cell", &x, &y, &number(cell.value), style, &cell.label]);
    }
    lines.text()
}

fn of_strip(strip: &Strip) -> String {
    let mut lines =
        Lines::new(&["kind", "start in s", "length in s", &strip.value, "95 % margin", "verdict"]);
    for interval in &strip.intervals {
        let [start, length, value] =
            [interval.start_s, interval.length_s, interval.value].map(number);
        lines.push(&["interval", &start, &length, &value, "", ""]);
    }
    lines.push(&["mean", "", "", &number(strip.mean), &margin(strip.margin), &strip.verdict]);
    lines.text()
}

fn of_diagram(diagram: &Diagram) -> String {
    let mut lines = Lines::new(&["kind", "part", "count", "details"]);
    for layer in &diagram.layers {
        let details = layer.details.join("; ");
        lines.push(&["part", &layer.name, &layer.count.to_string(), &details]);
    }
    lines.text()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        let mut lines = Lines::new(&["a", "b,c"]);
        lines.push(&["say \"no\"", "two\nlines"]);
        assert_eq!(lines.text(), "a,\"b,c\"\n\"say \"\"no\"\"\",\"two\nlines\"\n");
    }

    #[test]
    fn columns_without_a_value_are_left_out() {
        let mut lines = Lines::new(&["a", "b", "c"]);
        assert_eq!(lines.text(), "a,b,c\n");
        lines.push(&["1", "", "2"]);
        lines.push(&["", "", "3"]);
        assert_eq!(lines.text(), "a,c\n1,2\n,3\n");
    }

    #[test]
    fn numbers_have_seven_significant_digits_and_a_point() {
        let check = |value: f64, text: &str| assert_eq!(number(value), text);
        check(0.1 + 0.2, "0.3");
        check(1_234.567_89, "1234.568");
        check(14_320.0, "14320");
        check(-0.000_012_345_678_9, "-0.00001234568");
        check(-0.0, "0");
        check(f64::NAN, "");
        assert_eq!(margin(Some(0.000_948_225_8)), "0.000948");
    }
}
