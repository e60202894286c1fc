//! Every kind of figure in several shapes: few and many points, and what no axis can show.

use kneepoint_report::figure::{
    Axis, AxisLimit, Categories, Chart, ChartMark, ChartPoint, ChartSeries, Diagram, Dot, DotRow,
    Dots, Drawing, HeatCell, HeatMap, Interval, Lanes, Layer, LayerShape, MarkKind, Multiples,
    Panel, PointStyle, Reach, RowWeight, RuleLine, Scale, SeriesLook, Strip, Tick, Ticks, Zone,
};
use kneepoint_report::language::Language;

pub(crate) fn series(name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> ChartSeries {
    let point = |(x, y): (f64, f64)| ChartPoint {
        x,
        y,
        margin: Some(y * 0.05),
        x_margin: None,
        style: PointStyle::Filled,
        place: String::new(),
        tooltip: format!("{x}: {y:.1}"),
    };
    ChartSeries::new(name, points.into_iter().map(point).collect())
}

pub(crate) fn chart(series: Vec<ChartSeries>) -> Chart {
    Chart {
        language: Language::English,
        title: "Response time over throughput".to_owned(),
        source: "Kneepoint run example".to_owned(),
        x: Axis::new("Throughput in IO/s", Scale::Linear),
        y: Axis::new("Response time in ms", Scale::Linear),
        series,
        rules: Vec::new(),
        marks: Vec::new(),
        zones: Vec::new(),
    }
}

fn rule(value: f64, label: &str) -> RuleLine {
    RuleLine { value, label: label.to_owned() }
}

fn mark(kind: MarkKind, series: usize, (x, y): (f64, f64), label: &str) -> ChartMark {
    ChartMark { kind, series, x, y, label: label.to_owned(), tooltip: label.to_owned() }
}

/// The classic curve: rules, sustained, peak, and margins of both quantities.
pub(crate) fn classic() -> Chart {
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
    for point in &mut chart.series[0].points {
        point.x_margin = Some(point.x * 0.02);
    }
    chart.series[0].points[5].style = PointStyle::Hollow;
    chart.rules =
        vec![rule(15.0, "mean ≤ 15 ms"), rule(20.0, "mean ≤ 20 ms"), rule(900.0, "never")];
    chart.marks = vec![
        mark(MarkKind::Sustained, 0, (1_381.0, 15.0), "1,381 IO/s"),
        mark(MarkKind::Sustained, 0, (1_447.0, 20.0), "1,447 IO/s"),
        mark(MarkKind::Peak, 0, (1_520.0, 42.1), "peak 1,520 IO/s"),
    ];
    chart
}

pub(crate) fn one_point() -> Chart {
    chart(vec![series("alone", [(120.0, 8.0)])])
}

/// Throughput that nears a limit as the load rises.
fn saturating(limit: f64, load: f64, half: f64) -> f64 {
    limit * load / (load + half)
}

/// This many curves over load.
pub(crate) fn curves(count: usize, points: u32) -> Chart {
    let line = |index: usize| {
        let limit = 900.0 + 700.0 * index as f64;
        let load = |step: u32| f64::from(1_u32 << step);
        series(
            &format!("series-{index}/8KiB"),
            (0..points).map(|step| (load(step), saturating(limit, load(step), 4.0))),
        )
    };
    let mut chart = chart((0..count).map(line).collect());
    chart.title = "Throughput over load".to_owned();
    chart.x = Axis::new("Outstanding I/Os", Scale::Log2);
    chart.y = Axis::new("Throughput in IO/s", Scale::Linear);
    chart
}

/// The response time of all loads shares one place, with many labels.
pub(crate) fn crowded() -> Chart {
    let mut chart = classic();
    chart.rules = (1..=9).map(|ms| rule(f64::from(ms), &format!("mean ≤ {ms} ms"))).collect();
    chart.marks = (0..14)
        .map(|index| {
            let place = (1_300.0 + f64::from(index) * 4.0, 11.0 + f64::from(index) * 0.3);
            mark(MarkKind::Sustained, 0, place, &format!("1,3{index:02} IO/s"))
        })
        .collect();
    chart
}

pub(crate) fn many_points() -> Chart {
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

/// Throughput over the size of a transfer, in binary sizes.
pub(crate) fn over_block_size() -> Chart {
    let sizes = (0..11).map(|step| f64::from(1024_u32 << step));
    let line = |outstanding: f64, name: &str| {
        series(
            name,
            sizes.clone().map(|size| (size, 180.0 * size / (size + 65_536.0 / outstanding))),
        )
    };
    let mut chart = chart(vec![
        line(1.0, "1 outstanding"),
        line(8.0, "8 outstanding"),
        line(64.0, "64 outstanding"),
    ]);
    chart.title = "Throughput over block size".to_owned();
    chart.x = Axis::new("Block size", Scale::Log2);
    chart.x.ticks = Ticks::binary_sizes(1024.0, 1_048_576.0);
    chart.y = Axis::new("Throughput in MiB/s", Scale::Linear);
    chart
}

/// Percentiles with the nines evenly spaced.
pub(crate) fn nines() -> Chart {
    let line = |load: f64| {
        series(
            &format!("{load} outstanding"),
            (0..5).map(|nines| (f64::from(nines), load * 0.3 * f64::from(1 + nines * nines))),
        )
    };
    let mut chart = chart([1.0, 4.0, 16.0, 64.0].map(line).into());
    chart.title = "Response-time distribution".to_owned();
    let ticks = ["p0", "p90", "p99", "p99.9", "p99.99"].into_iter().zip(0..);
    let tick = |(label, value): (&str, u8)| Tick { value: value.into(), label: label.to_owned() };
    chart.x = Axis::new("Percentile", Scale::Linear);
    chart.x.ticks = Ticks::At(ticks.map(tick).collect());
    chart.y = Axis::new("Response time in ms", Scale::Log10);
    chart
}

/// Zeros, numbers that no axis can show, and text that must be escaped.
pub(crate) fn hostile() -> Chart {
    let points = [(0.0, 0.0), (f64::NAN, 1.0), (1.0, f64::INFINITY), (-1.0, 3.0), (5.0, 1e300)];
    let mut chart =
        chart(vec![series("<script>alert(\"1\")</script>", points), series("empty", [])]);
    chart.x.scale = Scale::Log2;
    chart.title = "\"><img src=x>".to_owned();
    chart
}

/// This many panels with up to three curves each.
pub(crate) fn multiples(count: usize) -> Multiples {
    let panel = |index: usize| {
        let limit = 700.0 + 350.0 * (index % 7) as f64;
        let line = |name: &str, factor: f64| {
            let loads = (0..8_u32).map(|step| f64::from(1_u32 << step));
            series(name, loads.map(|load| (load, saturating(limit * factor, load, 5.0))))
        };
        let mut series = vec![line("read", 1.0), line("write", 0.6)];
        if index.is_multiple_of(3) {
            series.push(line("mixed", 0.8));
        }
        Panel {
            heading: format!("random-read/{}KiB", 1 << (index % 11)),
            series,
            rules: vec![rule(1_500.0, "1,500 IO/s wanted")],
            marks: vec![mark(MarkKind::Peak, 0, (128.0, saturating(limit, 128.0, 5.0)), "")],
        }
    };
    Multiples {
        language: Language::English,
        title: "Throughput over load, by block size".to_owned(),
        source: "Kneepoint run example".to_owned(),
        x: Axis::new("Outstanding I/Os", Scale::Log2),
        y: Axis::new("Throughput in IO/s", Scale::Linear),
        panels: (0..count).map(panel).collect(),
    }
}

/// This many rows of this many dots, on shared lines or each on its own.
pub(crate) fn dots(rows: usize, count: usize, lanes: Lanes) -> Dots {
    let dot = |row: usize, index: usize| {
        let value = 1_447.0 + 310.0 * (row * 5 % 7) as f64 + 160.0 * (index * 3 % 5) as f64;
        let reach = if row == 2 && index == 1 { Reach::AtLeast } else { Reach::Exact };
        let sign = if reach == Reach::AtLeast { "≥\u{a0}" } else { "" };
        Dot {
            series: index,
            value,
            interval: (reach == Reach::Exact).then_some([value * 0.97, value * 1.03]),
            reach,
            label: format!("{sign}{value:.0}"),
            style: if index == 3 { PointStyle::Hollow } else { PointStyle::Filled },
            tooltip: format!("{value:.0} IO/s"),
        }
    };
    let names = ["database", "file-server", "oltp/4KiB [raid10, write_cache=on]", "streaming"];
    let row = |index: usize| DotRow {
        name: names[index % names.len()].to_owned(),
        weight: RowWeight::One,
        dots: (0..count).map(|dot_index| dot(index, dot_index)).collect(),
    };
    let series = ["sustained at mean ≤ 15 ms", "sustained at mean ≤ 20 ms", "peak", "RAID-10"];
    let name = |index: usize| {
        series.get(index).map_or(format!("setting {index}"), |name| name.to_string())
    };
    Dots {
        language: Language::English,
        title: "Sustained and peak throughput".to_owned(),
        source: "Kneepoint runs example".to_owned(),
        value: Axis::new("Throughput in IO/s", Scale::Linear),
        series: (0..count).map(name).collect(),
        reference: None,
        band: None,
        lanes,
        rows: (0..rows).map(row).collect(),
    }
}

/// Ratios to a reference, with their mean: a forest plot.
pub(crate) fn forest() -> Dots {
    let ratios = [(0.71, 0.03), (0.98, 0.02), (1.06, 0.05), (1.59, 0.02), (1.31, 0.1)];
    let dot = |(ratio, margin): (f64, f64)| Dot {
        value: ratio,
        interval: Some([ratio - margin, ratio + margin]),
        label: format!("{ratio:.2} ({:.2} to {:.2})", ratio - margin, ratio + margin),
        tooltip: format!("{ratio:.2}"),
        ..Dot::default()
    };
    let mut rows = dots(5, 0, Lanes::Own).rows;
    for (row, ratio) in rows.iter_mut().zip(ratios) {
        row.dots = vec![dot(ratio)];
    }
    rows[1].dots[0].style = PointStyle::Hollow;
    rows[4].dots[0] = Dot {
        reach: Reach::AtLeast,
        interval: None,
        label: "at least 1.31".to_owned(),
        ..dot((1.31, 0.1))
    };
    rows.push(DotRow {
        name: "Geometric mean".to_owned(),
        weight: RowWeight::Overall,
        dots: vec![dot((1.09, 0.04))],
    });
    Dots {
        title: "Ratio to the reference".to_owned(),
        value: Axis::new("Ratio to before", Scale::Ratio),
        series: vec!["after".to_owned()],
        reference: Some(1.0),
        band: Some([0.95, 1.05]),
        rows,
        ..dots(0, 0, Lanes::Own)
    }
}

/// Changes in percent on both sides of zero.
pub(crate) fn changes() -> Dots {
    let values = [-23.4, -4.0, 0.0, 7.5, 31.0];
    let names =
        ["scheduler none", "read-ahead 0", "unchanged", "nr_requests 256", "write cache on"];
    let row = |(name, value): (&str, f64)| DotRow {
        name: name.to_owned(),
        weight: RowWeight::One,
        dots: vec![Dot {
            value,
            interval: Some([value - 3.0, value + 3.0]),
            label: format!("{value:+.1} %"),
            ..Dot::default()
        }],
    };
    Dots {
        title: "Main effects".to_owned(),
        value: Axis::new("Change in %", Scale::Linear),
        reference: Some(0.0),
        band: Some([-5.0, 5.0]),
        series: vec!["effect".to_owned()],
        rows: names.into_iter().zip(values).map(row).collect(),
        ..dots(0, 0, Lanes::Own)
    }
}

/// The knee with most of the overload beyond the axis.
pub(crate) fn beyond() -> Chart {
    let curve = |factor: f64| {
        let points = [4.7, 5.0, 5.7, 7.4, 11.9, 21.7, 47.1, 118.0, 292.0];
        let rates = [210.0, 401.0, 702.0, 1_080.0, 1_340.0, 1_470.0, 1_540.0, 1_562.0, 1_570.0];
        rates.into_iter().zip(points).map(move |(x, y)| (x * factor, y))
    };
    let names = ["raid5", "raid10", "raid0"].into_iter().zip([0.7, 1.0, 1.3]);
    let mut chart = chart(names.map(|(name, factor)| series(name, curve(factor))).collect());
    chart.y.limit = Some(AxisLimit { value: 60.0, unit: "ms" });
    chart.rules = vec![rule(15.0, "mean ≤ 15 ms"), rule(20.0, "mean ≤ 20 ms")];
    chart.marks = vec![mark(MarkKind::Peak, 1, (1_570.0, 292.0), "")];
    chart
}

/// What is gained by more drives: with a line that guides the eye, and parts of the axis.
pub(crate) fn scaling() -> Chart {
    let drives = [20.0, 40.0, 60.0, 100.0, 140.0, 180.0];
    let rates = [3_400.0, 6_800.0, 10_100.0, 16_200.0, 20_000.0, 20_300.0];
    let mut guide = series("linear", [(20.0, 3_400.0), (180.0, 30_600.0)]);
    guide.look = SeriesLook::Guide;
    let mut chart = chart(vec![series("oltp/4KiB", drives.into_iter().zip(rates)), guide]);
    chart.x = Axis::new("Drives", Scale::Linear);
    chart.y = Axis::new("Throughput in IO/s", Scale::Linear);
    let zone = |ends, label: &str| Zone { ends, label: label.to_owned() };
    chart.zones = vec![zone([20.0, 120.0], "drives"), zone([120.0, 180.0], "controllers")];
    chart
}

/// This many block sizes by this many loads.
pub(crate) fn heat_map(rows: usize, columns: usize, scale: Scale) -> HeatMap {
    let cell = |row: usize, column: usize| {
        let value =
            saturating(16_000.0 / (1.0 + row as f64 * 0.35), 2.0_f64.powi(column as i32), 6.0);
        HeatCell {
            column,
            row,
            value,
            label: if value >= 1_000.0 {
                format!("{},{:03.0}", (value as u64) / 1_000, value % 1_000.0 - 0.5)
            } else {
                format!("{value:.0}")
            },
            style: if row == 1 && column == 2 { PointStyle::Hollow } else { PointStyle::Filled },
            tooltip: format!("{value:.0} IO/s"),
        }
    };
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let present = cells.filter(|(row, column)| (row + 2 * column) % 17 != 9);
    HeatMap {
        language: Language::English,
        title: "Throughput by block size and load".to_owned(),
        source: "Kneepoint run example".to_owned(),
        x: Categories {
            title: "Outstanding I/Os".to_owned(),
            names: (0..columns).map(|column| (1_u64 << column).to_string()).collect(),
        },
        y: Categories {
            title: "Block size".to_owned(),
            names: (0..rows).map(|row| format!("{} KiB", 4 * (row + 1))).collect(),
        },
        value: "Throughput in IO/s".to_owned(),
        scale,
        cells: present.map(|(row, column)| cell(row, column)).collect(),
    }
}

pub(crate) fn strip(intervals: u32) -> Strip {
    let interval = |second: u32| Interval {
        start_s: f64::from(second),
        length_s: 1.0,
        value: 800.0 + 40.0 * f64::from(second % 10),
        tooltip: format!("{second} s"),
    };
    Strip {
        language: Language::English,
        title: "Throughput over time".to_owned(),
        heading: "8 outstanding: drifting, mean 980 IO/s".to_owned(),
        value: "Throughput in IO/s".to_owned(),
        intervals: (0..intervals).map(interval).collect(),
        mean: if intervals > 0 { 980.0 } else { 0.0 },
        margin: (intervals > 100).then_some(40.0),
        verdict: "drifting".to_owned(),
        style: if intervals > 100 { PointStyle::Filled } else { PointStyle::Hollow },
    }
}

/// Controllers over arrays of drives.
fn diagram(controllers: u32, arrays: u32) -> Diagram {
    let layer = |name: &str, detail: &str, shape: LayerShape, count: u32| Layer {
        name: name.to_owned(),
        details: vec![
            detail.to_owned(),
            "another line that may be too long for its place".to_owned(),
        ],
        shape,
        count,
    };
    let layers = vec![
        layer("Host", "windows", LayerShape::Boxes, 1),
        layer("Host links", "4 × 195 MB/s", LayerShape::Links, controllers * 2),
        layer("Controllers", "write cache on, 30 MiB", LayerShape::Boxes, controllers),
        layer("Arrays", "RAID-5, stripe unit 64 KiB", LayerShape::Groups(10), arrays),
    ];
    Diagram {
        language: Language::English,
        title: "Parts of a system".to_owned(),
        source: "Kneepoint run example".to_owned(),
        layers: if arrays == 0 { Vec::new() } else { layers },
    }
}

/// Every figure under its own name.
pub(crate) fn all() -> Vec<(&'static str, Drawing)> {
    let german = Chart { language: Language::German, ..curves(3, 9) };
    vec![
        ("classic", Drawing::Chart(classic())),
        ("one_point", Drawing::Chart(one_point())),
        ("no_point", Drawing::Chart(chart(Vec::new()))),
        ("five_points", Drawing::Chart(curves(1, 5))),
        ("many_points", Drawing::Chart(many_points())),
        ("crowded", Drawing::Chart(crowded())),
        ("two_series", Drawing::Chart(curves(2, 8))),
        ("seven_series", Drawing::Chart(curves(7, 8))),
        ("twelve_series", Drawing::Chart(curves(12, 8))),
        ("twenty_series", Drawing::Chart(curves(20, 6))),
        ("german", Drawing::Chart(german)),
        ("over_block_size", Drawing::Chart(over_block_size())),
        ("nines", Drawing::Chart(nines())),
        ("hostile", Drawing::Chart(hostile())),
        ("one_panel", Drawing::Multiples(multiples(1))),
        ("five_panels", Drawing::Multiples(multiples(5))),
        ("six_panels", Drawing::Multiples(multiples(6))),
        ("many_panels", Drawing::Multiples(multiples(25))),
        ("no_panel", Drawing::Multiples(multiples(0))),
        ("beyond", Drawing::Chart(beyond())),
        ("scaling", Drawing::Chart(scaling())),
        ("key_figures", Drawing::Dots(dots(4, 3, Lanes::Shared))),
        ("one_dot", Drawing::Dots(dots(1, 1, Lanes::Shared))),
        ("cache", Drawing::Dots(dots(4, 2, Lanes::Own))),
        ("settings", Drawing::Dots(dots(3, 12, Lanes::Own))),
        ("forest", Drawing::Dots(forest())),
        ("changes", Drawing::Dots(changes())),
        ("no_dot", Drawing::Dots(dots(0, 0, Lanes::Own))),
        ("heat", Drawing::HeatMap(heat_map(7, 9, Scale::Linear))),
        ("heat_decades", Drawing::HeatMap(heat_map(25, 12, Scale::Log10))),
        ("heat_small", Drawing::HeatMap(heat_map(3, 3, Scale::Linear))),
        ("no_heat", Drawing::HeatMap(heat_map(0, 0, Scale::Linear))),
        ("diagram", Drawing::Diagram(diagram(2, 6))),
        ("large_diagram", Drawing::Diagram(diagram(16, 400))),
        ("no_diagram", Drawing::Diagram(diagram(0, 0))),
        ("strip", Drawing::Strip(strip(10))),
        ("long_strip", Drawing::Strip(strip(500))),
        ("empty_strip", Drawing::Strip(strip(0))),
    ]
}
