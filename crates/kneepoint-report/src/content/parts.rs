//! The parts of a simulated system as a block diagram and as a list.

use kneepoint_core::result::{Links, SystemParts, TargetEnvironment};
use kneepoint_core::words::units::MIB;

use super::badge;
use super::system::{is_one, setting, varied};
use super::view::RunView;
use crate::figure::{Diagram, Drawing, Layer, LayerShape};
use crate::language::Language;
use crate::language::texts::advice::raid_level;
use crate::language::texts::{common, parts, titles};
use crate::page::{Block, Column, Figure, Section, Table, TableCell};

/// The section; nothing unless all that was simulated is of one system whose parts are known.
pub(super) fn section(survey: &RunView<'_>) -> Option<Section> {
    let language = survey.language;
    let target = survey.targets().first()?;
    let [model] = badge::models(survey)[..] else { return None };
    let layers = layers(survey, target, (model.parts.as_ref()?, &model.drive));
    let table = table(language, &layers);
    let title = parts::title(language, &titles::system(language, &model.title));
    let caption = match layers.iter().all(Layer::is_whole) {
        true => parts::caption(language).to_owned(),
        false => format!("{}{}", parts::caption(language), parts::first_drawn(language)),
    };
    let diagram = Diagram { language, title, source: survey.source(), layers };
    let figure = Figure::new(caption, Drawing::Diagram(diagram));
    let blocks = vec![Block::Figures(vec![figure]), Block::Table(table)];
    Some(Section::new("environment-parts", parts::heading(language), blocks))
}

/// From the host to the drives; of what the run varied, its levels.
fn layers(
    survey: &RunView<'_>,
    target: &TargetEnvironment,
    (known, drive): (&SystemParts, &str),
) -> Vec<Layer> {
    let language = survey.language;
    let link = |name: &str, links: &Links| Layer {
        name: name.to_owned(),
        details: vec![parts::links(language, links)],
        shape: LayerShape::Links,
        count: links.count,
    };
    let boxes = |name: &str, details: Vec<String>, count: u32| Layer {
        name: name.to_owned(),
        details,
        shape: LayerShape::Boxes,
        count,
    };
    let controllers = format!(
        "{}, {}",
        language.count(known.controllers as usize),
        write_cache(survey, target, known.write_cache_mib)
    );
    vec![
        boxes(parts::host(language), setting(survey, target, "host").into_iter().collect(), 1),
        link(parts::host_links(language), &known.host_links),
        boxes(parts::controllers(language), vec![controllers], known.controllers),
        link(parts::back_end_links(language), &known.back_end_links),
        Layer {
            name: parts::arrays(language).to_owned(),
            details: arrays(survey, target, (known, drive)),
            shape: LayerShape::Groups(known.drives_per_array),
            count: known.arrays,
        },
    ]
}

/// The state of the write cache, with its size unless it is off.
fn write_cache(survey: &RunView<'_>, target: &TargetEnvironment, mib: f64) -> String {
    let language = survey.language;
    let state = setting(survey, target, "write_cache").unwrap_or_default();
    let is_off = target.settings.get("write_cache").is_some_and(|state| state == "off")
        && is_one(survey, "write_cache");
    let size = language.bytes((mib * MIB as f64) as u64);
    parts::cache(language, &state, (is_off, &size))
}

/// How many drives of which kind, and how they hold the data.
fn arrays(
    survey: &RunView<'_>,
    target: &TargetEnvironment,
    (known, drive): (&SystemParts, &str),
) -> Vec<String> {
    let language = survey.language;
    let medium = parts::medium(language, &known.medium);
    let kind: Vec<String> = drive.split(", ").map(|part| language.written(part)).collect();
    let (kind, medium) = match drive {
        "" => (medium.to_owned(), None),
        _ => (kind.join(", "), Some(medium.to_owned())),
    };
    let drives = setting(survey, target, "drives");
    let drives = drives.unwrap_or_else(|| language.count(known.drives as usize));
    let count = language.count(known.arrays as usize);
    // With a number of drives that varies, so does that of the arrays.
    let of_drives = varied(survey, "drives")
        .is_none()
        .then(|| parts::of_drives(language, &count, known.drives_per_array));
    let raid = setting(survey, target, "raid").unwrap_or_else(|| raid_level(&known.raid));
    let raid = match varied(survey, "raid") {
        Some(_) => format!("{} {raid}", common::key(language, "raid")),
        None => raid,
    };
    let stripe = match is_one(survey, "stripe") {
        false => setting(survey, target, "stripe").unwrap_or_default(),
        true => language.bytes(known.stripe_bytes),
    };
    let stripe = parts::stripe(language, &stripe);
    let all = [Some(parts::drives(language, &drives, &kind)), medium, of_drives];
    all.into_iter().flatten().chain([raid, stripe]).collect()
}

/// The same as a list.
fn table(language: Language, layers: &[Layer]) -> Table {
    let columns = [parts::part(language), parts::details(language)].map(Column::words);
    let row = |layer: &Layer| {
        let details = layer.details.iter().filter(|detail| !detail.is_empty());
        let details: Vec<&str> = details.map(String::as_str).collect();
        vec![TableCell::new(layer.name.clone()), TableCell::new(details.join(", "))]
    };
    Table::plain(parts::list(language), columns).filled(layers.iter().map(row))
}
