//! Figures against their checked-in drawings, and what must hold for all of them.

use kneepoint_report::figure::{
    Axis, Chart, Drawing, Interval, Mark, MarkKind, Orientation, Point, PointStyle, RuleLine,
    Scale, Series, Strip,
};
use kneepoint_report::language::Language;

fn series(name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
    let point = |(x, y): (f64, f64)| Point {
        x,
        y,
        margin: Some(y * 0.05),
        style: PointStyle::Filled,
        tooltip: format!("{x}: {y:.1}"),
    };
    Series { name: name.to_owned(), points: points.into_iter().map(point).collect() }
}

fn chart(series: Vec<Series>) -> Chart {
    Chart {
        language: Language::English,
        title: "Response time over throughput".to_owned(),
        source: "Kneepoint run example".to_owned(),
        x: Axis::new("Throughput in IO/s", Scale::Linear),
        y: Axis::new("Response time in ms", Scale::Linear),
        series,
        rules: Vec::new(),
        marks: Vec::new(),
    }
}

fn classic() -> Chart {
    let curve = [
        (210.0, 4.7),
        (401.0, 5.0),
        (702.0, 5.7),
        (1_080.0, 7.4),
        (1_340.0, 11.9),
        (1_470.0, 21.7),
        (1_520.0, 42.1),
    ];
    let mut chart = chart(vec![series("database/8KiB", curve)]);
    let rule = |value: f64, label: &str| RuleLine {
        orientation: Orientation::Horizontal,
        value,
        label: label.to_owned(),
    };
    chart.rules =
        vec![rule(15.0, "mean ≤ 15 ms"), rule(20.0, "mean ≤ 20 ms"), rule(900.0, "never")];
    let mark = |kind: MarkKind, (x, y): (f64, f64), label: &str| Mark {
        kind,
        series: 0,
        x,
        y,
        label: label.to_owned(),
        tooltip: label.to_owned(),
    };
    chart.marks = vec![
        mark(MarkKind::Sustained, (1_381.0, 15.0), "1,381 IO/s"),
        mark(MarkKind::Sustained, (1_447.0, 20.0), "1,447 IO/s"),
        mark(MarkKind::Peak, (1_520.0, 42.1), "peak 1,520 IO/s"),
    ];
    chart
}

fn one_point() -> Chart {
    chart(vec![series("alone", [(120.0, 8.0)])])
}

fn many_series() -> Chart {
    let line = |index: usize| {
        let scale = 1.0 + index as f64;
        series(
            &format!("series {index}"),
            (0..6).map(|x| (f64::from(1 << x), scale * f64::from(x + 1))),
        )
    };
    let mut chart = chart((0..20).map(line).collect());
    chart.x = Axis::new("Outstanding I/Os", Scale::Log2);
    chart
}

fn many_points() -> Chart {
    let mut chart = chart(vec![series(
        "dense",
        (1..=300).map(|x| {
            let load = f64::from(x);
            (load * 1e9 / (load + 20.0), 0.01 * load * load)
        }),
    )]);
    chart.y = Axis::new("Response time in ms", Scale::Log10);
    chart
}

/// Zeros, numbers that no axis can show, and text that must be escaped.
fn hostile() -> Chart {
    let points = [(0.0, 0.0), (f64::NAN, 1.0), (1.0, f64::INFINITY), (-1.0, 3.0), (5.0, 1e300)];
    let mut chart =
        chart(vec![series("<script>alert(\"1\")</script>", points), series("empty", [])]);
    chart.x.scale = Scale::Log2;
    chart.title = "\"><img src=x>".to_owned();
    chart
}

fn strip() -> Strip {
    let interval = |second: u32| Interval {
        start_s: f64::from(second),
        length_s: 1.0,
        value: 800.0 + 40.0 * f64::from(second),
        tooltip: format!("{second} s"),
    };
    Strip {
        language: Language::English,
        title: "Throughput over time".to_owned(),
        heading: "8 outstanding: drifting, mean 980 IO/s".to_owned(),
        intervals: (0..10).map(interval).collect(),
        mean: 980.0,
    }
}

fn all() -> Vec<(&'static str, Drawing)> {
    let long = Strip {
        intervals: (0..500)
            .map(|i| Interval { start_s: f64::from(i), ..strip().intervals[3].clone() })
            .collect(),
        ..strip()
    };
    let nothing = Strip { intervals: Vec::new(), mean: 0.0, ..strip() };
    vec![
        ("classic", Drawing::Chart(classic())),
        ("one_point", Drawing::Chart(one_point())),
        ("no_point", Drawing::Chart(chart(Vec::new()))),
        ("many_series", Drawing::Chart(many_series())),
        ("many_points", Drawing::Chart(many_points())),
        ("hostile", Drawing::Chart(hostile())),
        ("strip", Drawing::Strip(strip())),
        ("long_strip", Drawing::Strip(long)),
        ("empty_strip", Drawing::Strip(nothing)),
    ]
}

#[test]
fn figures_look_as_they_did() {
    for name in ["classic", "one_point", "strip"] {
        let (_, drawing) = all().into_iter().find(|(known, _)| *known == name).unwrap();
        insta::assert_snapshot!(name, drawing.svg().replace("><", ">\n<"));
    }
}

#[test]
fn every_figure_is_finite_escaped_and_balanced() {
    for (name, drawing) in all() {
        let svg = drawing.svg();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}: {svg}");
        assert!(!svg.contains("<script") && !svg.contains("<img"), "{name}");
        assert!(!svg.contains(" id="), "{name}: a figure has no id");
        for tag in ["svg", "g", "text", "title", "path", "rect", "circle"] {
            let opened =
                svg.matches(&format!("<{tag} ")).count() + svg.matches(&format!("<{tag}>")).count();
            let closed = svg.matches(&format!("</{tag}>")).count();
            let empty = svg
                .split('<')
                .filter(|element| element.starts_with(&format!("{tag} ")) && element.contains("/>"))
                .count();
            assert_eq!(opened, closed + empty, "{name}: <{tag}>");
        }
    }
}

#[test]
fn every_point_has_its_tooltip_and_equal_values_give_equal_bytes() {
    for (name, drawing) in all() {
        assert_eq!(drawing.svg(), drawing.clone().svg(), "{name}");
    }
    let svg = Drawing::Chart(many_points()).svg();
    assert_eq!(svg.matches("<title>").count(), 300);
}

#[test]
fn text_stays_within_the_drawing() {
    for (name, drawing) in all() {
        let svg = drawing.svg();
        for element in svg.split("<text ").skip(1) {
            let x: f64 =
                element.split("x=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
            assert!((0.0..=560.0).contains(&x), "{name}: text at {x}");
        }
    }
}

#[test]
fn a_figure_of_its_own_names_its_format() {
    let document = Drawing::Chart(classic()).svg_document();
    assert!(document.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" "));
}
