//! Whatever is drawn: no two texts touch, and none is cut off.
//!
//! The rectangles of all texts are taken from the finished drawing.

use proptest::prelude::*;
use roxmltree::{Document, Node};

use super::label::Area;
use super::svg::Spot;
use super::{
    Axis, AxisLimit, Breadth, Categories, Chart, ChartMark, ChartPoint, ChartSeries, Diagram, Dot,
    DotRow, Dots, Drawing, HeatCell, HeatMap, Lanes, Layer, LayerShape, MarkKind, Multiples, Panel,
    PointStyle, Reach, RowWeight, RuleLine, Scale, Zone, svg,
};
use crate::language::Language;

/// An attribute of the element, or of the nearest one around it that has it.
fn inherited<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.ancestors().find_map(|node| node.attribute(name))
}

/// The rectangle of a text.
fn area(node: Node<'_, '_>) -> Area {
    let length = |name: &str| -> f64 { inherited(node, name).unwrap().parse().unwrap() };
    let (size, words) = (length("font-size"), node.text().unwrap_or_default());
    let width = svg::text_width_at(words, size);
    let shift = match inherited(node, "text-anchor") {
        Some("middle") => width / 2.0,
        Some("end") => width,
        _ => 0.0,
    };
    let scale = size / svg::FONT_SIZE;
    let start = Spot::new(length("x") - shift, length("y"));
    let line = Area::of_text("", start);
    Area {
        left: start.x,
        right: start.x + width,
        top: start.y + (line.top - start.y) * scale,
        bottom: start.y + (line.bottom - start.y) * scale,
    }
}

/// Returns the fault in the texts of the drawing: two overlap, or one lies outside.
fn fault_of(drawing: &Drawing) -> Option<String> {
    let drawn = [Breadth::Page, Breadth::Phone].map(|breadth| drawing.svg_for(breadth));
    drawn.into_iter().find_map(fault_in)
}

fn fault_in(svg: String) -> Option<String> {
    let document = Document::parse(&svg).expect("well-formed XML");
    let view = document.root_element().attribute("viewBox").unwrap();
    let sides: Vec<f64> = view.split(' ').map(|side| side.parse().unwrap()).collect();
    // A tenth of a unit is lost in rounding.
    let within = |area: &Area| {
        area.left >= -0.1
            && area.top >= -0.1
            && area.right <= sides[2] + 0.1
            && area.bottom <= sides[3] + 0.1
    };
    let texts: Vec<(Area, &str)> = document
        .descendants()
        .filter(|node| node.has_tag_name("text") || node.tag_name().name() == "text")
        .filter(|node| node.text().is_some_and(|words| !words.trim().is_empty()))
        .map(|node| (area(node), node.text().unwrap_or_default()))
        .collect();
    for (index, (area, words)) in texts.iter().enumerate() {
        if !within(area) {
            return Some(format!("{words:?} is cut off: {area:?}\n{svg}"));
        }
        for (other, others) in &texts[..index] {
            let smaller = Area {
                left: area.left + 0.2,
                top: area.top + 0.2,
                right: area.right - 0.2,
                bottom: area.bottom - 0.2,
            };
            if other.overlaps(&smaller) {
                return Some(format!("{words:?} {area:?} is on {others:?} {other:?}\n{svg}"));
            }
        }
    }
    None
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,12}/[0-9]{1,4}KiB",
        "[A-Za-z0-9 ,.<>&\"äöüß_-]{0,60}",
        Just("database".to_owned()),
    ]
}

/// Quantities of all sizes, among them what no axis can show.
fn quantity() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => 0.001..2e6_f64,
        2 => (0..12_i32).prop_map(|power| libm::exp2(f64::from(power))),
        1 => prop_oneof![Just(0.0), Just(f64::NAN), Just(1e15), Just(-3.0)],
    ]
}

fn scale() -> impl Strategy<Value = Scale> {
    prop_oneof![Just(Scale::Linear), Just(Scale::Log2), Just(Scale::Log10), Just(Scale::Ratio)]
}

fn style() -> impl Strategy<Value = PointStyle> {
    prop_oneof![4 => Just(PointStyle::Filled), 1 => Just(PointStyle::Hollow)]
}

fn axis() -> impl Strategy<Value = Axis> {
    let limit =
        proptest::option::of((1.0..1e6_f64).prop_map(|value| AxisLimit { value, unit: "ms" }));
    (name(), scale(), limit)
        .prop_map(|(title, scale, limit)| Axis { limit, ..Axis::new(title, scale) })
}

fn diagram() -> impl Strategy<Value = Diagram> {
    let shape = prop_oneof![
        Just(LayerShape::Boxes),
        Just(LayerShape::Links),
        (0..200_u32).prop_map(LayerShape::Groups),
    ];
    let details = proptest::collection::vec(name(), 0..5);
    let layer = (name(), details, shape, 0..500_u32)
        .prop_map(|(name, details, shape, count)| Layer { name, details, shape, count });
    let layers = proptest::collection::vec(layer, 0..6);
    (language(), name(), name(), layers).prop_map(|(language, title, source, layers)| Diagram {
        language,
        title,
        source,
        layers,
    })
}

fn language() -> impl Strategy<Value = Language> {
    prop_oneof![Just(Language::English), Just(Language::German)]
}

fn point() -> impl Strategy<Value = ChartPoint> {
    let margin = || proptest::option::of(0.0..100.0_f64);
    (quantity(), quantity(), margin(), margin(), style()).prop_map(
        |(x, y, margin, x_margin, style)| ChartPoint {
            x,
            y,
            margin,
            x_margin,
            style,
            place: String::new(),
            tooltip: String::new(),
        },
    )
}

fn series(points: usize) -> impl Strategy<Value = ChartSeries> {
    (name(), proptest::collection::vec(point(), 0..points))
        .prop_map(|(name, points)| ChartSeries::new(name, points))
}

fn rule() -> impl Strategy<Value = RuleLine> {
    (quantity(), name()).prop_map(|(value, label)| RuleLine { value, label })
}

fn mark() -> impl Strategy<Value = ChartMark> {
    let kind = prop_oneof![Just(MarkKind::Sustained), Just(MarkKind::Peak)];
    (kind, 0..3_usize, quantity(), quantity(), name()).prop_map(|(kind, series, x, y, label)| {
        ChartMark { kind, series, x, y, label, tooltip: String::new() }
    })
}

fn many<T: std::fmt::Debug>(
    most: usize,
    item: impl Strategy<Value = T>,
) -> impl Strategy<Value = Vec<T>> {
    proptest::collection::vec(item, 0..=most)
}

fn chart() -> impl Strategy<Value = Chart> {
    let zone = ((quantity(), quantity()), name())
        .prop_map(|((from, to), label)| Zone { ends: [from, to], label });
    let content = (many(12, series(30)), many(4, rule()), many(12, mark()), many(1, zone));
    (language(), name(), name(), axis(), axis(), content).prop_map(
        |(language, title, source, x, y, (series, rules, marks, zones))| Chart {
            language,
            title,
            source,
            x,
            y,
            series,
            rules,
            marks,
            zones,
        },
    )
}

fn multiples() -> impl Strategy<Value = Multiples> {
    let panel = (name(), many(4, series(9)), many(2, rule()), many(3, mark()));
    let panel =
        panel.prop_map(|(heading, series, rules, marks)| Panel { heading, series, rules, marks });
    (language(), name(), name(), axis(), axis(), many(25, panel)).prop_map(
        |(language, title, source, x, y, panels)| Multiples {
            language,
            title,
            source,
            x,
            y,
            panels,
        },
    )
}

fn dots() -> impl Strategy<Value = Dots> {
    let reach = prop_oneof![Just(Reach::Exact), Just(Reach::AtLeast), Just(Reach::AtMost)];
    let interval = proptest::option::of((quantity(), quantity()));
    let dot = (0..12_usize, quantity(), interval, name(), reach, style());
    let dot = dot.prop_map(|(series, value, interval, label, reach, style)| Dot {
        series,
        value,
        interval: interval.map(|(low, high)| [low, high]),
        reach,
        style,
        label,
        tooltip: String::new(),
    });
    let weight = prop_oneof![Just(RowWeight::One), Just(RowWeight::Overall)];
    let row = (name(), weight, many(6, dot)).prop_map(|(name, weight, dots)| DotRow {
        name,
        weight,
        dots,
    });
    let lanes = prop_oneof![Just(Lanes::Shared), Just(Lanes::Own)];
    let drawn = (proptest::option::of(quantity()), lanes, many(8, row));
    (language(), name(), axis(), many(12, name()), drawn).prop_map(
        |(language, title, value, series, (reference, lanes, rows))| Dots {
            language,
            source: title.clone(),
            title,
            value,
            series,
            reference,
            band: reference.map(|value| [value * 0.95, value * 1.05]),
            lanes,
            rows,
        },
    )
}

fn heat_map() -> impl Strategy<Value = HeatMap> {
    let categories = || (name(), proptest::collection::vec(name(), 0..26));
    let categories = || categories().prop_map(|(title, names)| Categories { title, names });
    let cell = (0..26_usize, 0..26_usize, quantity(), "[0-9,.]{1,7}", style());
    let cell = cell.prop_map(|(column, row, value, label, style)| HeatCell {
        column,
        row,
        value,
        label,
        style,
        tooltip: String::new(),
    });
    (language(), name(), categories(), categories(), name(), scale(), many(80, cell)).prop_map(
        |(language, title, x, y, value, scale, mut cells)| {
            cells.sort_by_key(|cell| (cell.row, cell.column));
            cells.dedup_by_key(|cell| (cell.row, cell.column));
            HeatMap { language, source: title.clone(), title, x, y, value, scale, cells }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, max_shrink_iters: 300, ..ProptestConfig::default() })]

    #[test]
    fn of_charts(chart in chart()) {
        prop_assert_eq!(fault_of(&Drawing::Chart(chart)), None);
    }

    #[test]
    fn of_small_multiples(multiples in multiples()) {
        prop_assert_eq!(fault_of(&Drawing::Multiples(multiples)), None);
    }

    #[test]
    fn of_dots(dots in dots()) {
        prop_assert_eq!(fault_of(&Drawing::Dots(dots)), None);
    }

    #[test]
    fn of_heat_maps(map in heat_map()) {
        prop_assert_eq!(fault_of(&Drawing::HeatMap(map)), None);
    }

    #[test]
    fn of_diagrams(diagram in diagram()) {
        prop_assert_eq!(fault_of(&Drawing::Diagram(diagram)), None);
    }
}
