//! Figures against their checked-in drawings, and what must hold for all of them.

#[allow(dead_code, reason = "the example takes all of it")]
mod gallery;

use gallery::{all, classic, many_points};
use kneepoint_report::figure::{Breadth, Drawing, Scale};

/// Figures that are compared with their checked-in drawings: each kind in several shapes.
const LOOKED_AT: [&str; 18] = [
    "classic",
    "one_point",
    "crowded",
    "seven_series",
    "german",
    "over_block_size",
    "nines",
    "five_panels",
    "beyond",
    "scaling",
    "key_figures",
    "cache",
    "forest",
    "changes",
    "no_dot",
    "heat",
    "heat_small",
    "strip",
];

#[test]
fn figures_look_as_they_did() {
    for name in LOOKED_AT {
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
        let (page, phone) = (drawing.svg(), drawing.svg_for(Breadth::Phone));
        let elements =
            |svg: &'_ str| svg.split("<text ").skip(1).map(str::to_owned).collect::<Vec<String>>();
        for element in elements(&page) {
            let x: f64 =
                element.split("x=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
            assert!((0.0..=560.0).contains(&x), "{name}: text at {x}");
        }
        let is_strip = matches!(drawing, Drawing::Strip(_));
        for element in elements(&phone).iter().filter(|_| !is_strip) {
            let x: f64 =
                element.split("x=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
            assert!((0.0..=350.0).contains(&x), "{name}: text at {x} on a phone");
        }
    }
}

/// The sizes of all letters of a drawing.
fn sizes(svg: &str) -> Vec<f64> {
    let sizes = svg.split("font-size=\"").skip(1);
    let size = |rest: &str| rest.split('"').next().and_then(|size| size.parse().ok());
    sizes.map(|rest| size(rest).expect("a size")).collect()
}

#[test]
fn letters_can_be_read_on_a_phone_where_nothing_can_be_pointed_at() {
    for (name, drawing) in all().into_iter().filter(|(_, one)| !matches!(one, Drawing::Strip(_))) {
        let phone = drawing.svg_for(Breadth::Phone);
        assert!(phone.contains("viewBox=\"0 0 350 "), "{name}: {phone}");
        assert!(sizes(&phone).iter().all(|size| *size >= 11.0), "{name}: {:?}", sizes(&phone));
        assert!(!phone.contains("<title>"), "{name}");
    }
    let dense = Drawing::HeatMap(gallery::heat_map(4, 16, Scale::Linear));
    assert!(sizes(&dense.svg()).iter().any(|size| *size < 11.0), "on a page they may be smaller");
}

#[test]
fn a_map_with_too_many_columns_for_a_phone_is_turned() {
    let map = |rows, columns| Drawing::HeatMap(gallery::heat_map(rows, columns, Scale::Linear));
    let values = |drawing: &Drawing| {
        let phone = drawing.svg_for(Breadth::Phone);
        phone.split("class=\"kp-pale\"").count() + phone.split("class=\"kp-deep\"").count() > 2
    };
    let turned = |drawing: &Drawing| {
        let phone = drawing.svg_for(Breadth::Phone);
        let [load, size] = ["Outstanding I/Os", "Block size"].map(|title| phone.find(title));
        load.unwrap() < size.unwrap()
    };
    assert!(values(&map(4, 12)) && turned(&map(4, 12)));
    assert!(values(&map(12, 4)) && !turned(&map(12, 4)), "its values fit as it is");
    assert!(!turned(&map(12, 12)), "its values fit in neither way");
}

#[test]
fn a_figure_of_its_own_names_its_format() {
    let document = Drawing::Chart(classic()).svg_document();
    assert!(document.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" "));
}

#[test]
fn the_data_of_every_figure_are_a_table() {
    for (name, drawing) in all() {
        let csv = drawing.csv();
        assert!(csv.starts_with("kind,") && csv.ends_with('\n'), "{name}: {csv}");
        assert!(!csv.contains("NaN") && !csv.contains("inf"), "{name}: {csv}");
    }
    insta::assert_snapshot!("classic_data", Drawing::Chart(classic()).csv().replace('\r', ""));
}
