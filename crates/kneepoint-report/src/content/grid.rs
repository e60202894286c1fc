//! Figures of a profile that was measured at several block sizes.

use kneepoint_core::result::PointResult;
use kneepoint_core::words::load::LoadUnit;

use super::curves::{chart, extent, ratio, spread, style};
use super::view::{Group, PrimaryMetric, RunView, SeriesView};
use crate::figure::{
    Axis, Categories, ChartPoint, ChartSeries, Drawing, HeatCell, HeatMap, PointStyle, Scale, Ticks,
};
use crate::language::Language;
use crate::language::texts::{common, figures};
use crate::page::Figure;

/// A grid has at least this many block sizes and loads.
const SIDE_MIN: usize = 3;
/// At most this many loads side by side in a heat map, and as curves over block size; with more, the
/// caption says how many there are.
const COLUMNS_MAX: usize = 64;
const LOADS_MAX: usize = 5;
/// From this ratio of the largest to the smallest value on, shades spread over decades.
const SHADE_RATIO_LOG: f64 = 20.0;

/// Throughput over block sizes and loads of a profile, if it has a grid of them.
pub(super) fn heat_map(survey: &RunView<'_>, group: &Group<'_, '_>) -> Option<Figure> {
    Grid::of(survey, group).map(|grid| grid.heat_map())
}

/// Curves over the block sizes of a profile, if it has a grid of them.
pub(super) fn over_block_size(survey: &RunView<'_>, group: &Group<'_, '_>) -> Option<Figure> {
    Grid::of(survey, group).map(|grid| grid.over_block_size())
}

/// A profile at several block sizes, each at several loads.
#[derive(Debug)]
struct Grid<'g> {
    survey: &'g RunView<'g>,
    profile: &'g str,
    language: Language,
    judge: PrimaryMetric,
    unit: LoadUnit,
    /// The title of the loads.
    load_title: String,
    /// Every block size with its points, by rising size.
    rows: Vec<(u64, Vec<&'g PointResult>)>,
    /// Every load, rising.
    loads: Vec<f64>,
}

impl<'g> Grid<'g> {
    fn of(survey: &'g RunView<'_>, group: &Group<'g, '_>) -> Option<Self> {
        let first = group.series.first()?;
        let row = |series: &&'g SeriesView<'_>| {
            let curve = series.curve();
            Some((curve.first()?.storage?.block_bytes, curve.clone()))
        };
        let mut rows: Vec<_> = group.series.iter().filter_map(row).collect();
        rows.sort_by_key(|(bytes, _)| *bytes);
        let alike = group.series.iter().all(|series| series.load_unit() == first.load_unit());
        let apart = rows.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let known = rows.first().is_some_and(|(bytes, _)| *bytes > 0);
        let points = rows.iter().flat_map(|(_, points)| points);
        let mut loads: Vec<f64> = points.map(|point| point.load.value).collect();
        loads.sort_by(f64::total_cmp);
        loads.dedup();
        let large = rows.len() >= SIDE_MIN && loads.len() >= SIDE_MIN;
        (alike && apart && known && large).then(|| Self {
            survey,
            profile: group.profile,
            language: survey.language,
            judge: first.judge,
            unit: first.load_unit(),
            load_title: first.load_title(),
            rows,
            loads,
        })
    }

    fn size(&self, bytes: u64) -> String {
        self.language.bytes(bytes)
    }

    fn load(&self, value: f64) -> String {
        let language = self.language;
        let number = language.level(value);
        let load = match self.unit.is_offered() {
            true => figures::load_offered(language, &number),
            false => figures::load_outstanding(language, &number),
        };
        match self.survey.targets() {
            [_, _, ..] => common::each_target(language, &load),
            _ => load,
        }
    }

    fn tooltip(&self, point: &PointResult) -> String {
        let language = self.language;
        let at =
            figures::at(language, &self.size(block_bytes(point)), &self.load(point.load.value));
        let mib = point.volume.unwrap_or_default().estimate();
        let iops = point.rate.estimate();
        format!("{at}: {}, {}", language.iops(iops), language.mib_per_s(mib))
    }

    fn points(&self) -> impl Iterator<Item = &'g PointResult> {
        self.rows.iter().flat_map(|(_, points)| points.iter().copied())
    }

    /// Throughput for every block size and load.
    fn heat_map(&self) -> Figure {
        let loads = spread(&self.loads, COLUMNS_MAX);
        let title = figures::heat(self.language, self.profile);
        let cells = self.rows.iter().enumerate().flat_map(|(row, (_, points))| {
            let place = |point: &&PointResult| {
                let column = loads.iter().position(|load| *load == point.load.value)?;
                Some(self.cell(point, column, row))
            };
            points.iter().filter_map(place).collect::<Vec<_>>()
        });
        let cells: Vec<HeatCell> = cells.collect();
        let mut caption = format!("{title}. {}", figures::heat_note(self.language));
        if cells.len() < loads.len() * self.rows.len() {
            caption = format!("{caption} {}", figures::heat_empty(self.language));
        }
        caption += &self.left_out(loads.len());
        if cells.iter().any(|cell| cell.style == PointStyle::Hollow) {
            caption = format!("{caption} {}", figures::heat_reservation(self.language));
        }
        let map = HeatMap {
            language: self.language,
            title,
            source: self.survey.source(),
            x: Categories {
                title: self.load_title.clone(),
                names: loads.iter().map(|load| self.language.level(*load)).collect(),
            },
            y: Categories {
                title: common::block_size(self.language).to_owned(),
                names: self.rows.iter().map(|(bytes, _)| self.size(*bytes)).collect(),
            },
            value: figures::throughput_in(self.language, self.judge.unit()),
            scale: shade_scale(&cells),
            cells,
        };
        Figure::new(caption, Drawing::HeatMap(map))
    }

    /// How many of the loads are drawn, if not all are.
    fn left_out(&self, drawn: usize) -> String {
        let all = self.loads.len();
        if drawn < all { figures::some_loads(self.language, drawn, all) } else { String::new() }
    }

    fn cell(&self, point: &PointResult, column: usize, row: usize) -> HeatCell {
        let value = self.judge.estimate(point);
        HeatCell {
            column,
            row,
            value: value.mean,
            label: self.language.rate(value),
            style: style(point),
            tooltip: self.tooltip(point),
        }
    }

    /// MiB/s over block size, a curve for each of a few loads.
    fn over_block_size(&self) -> Figure {
        let title = figures::over_block_size(self.language, self.profile);
        let curve = |load: &f64| {
            let at_load = self.points().filter(|point| point.load.value == *load);
            ChartSeries::new(self.load(*load), at_load.map(|point| self.point(point)).collect())
        };
        let (low, high) = extent(self.rows.iter().map(|(bytes, _)| *bytes as f64));
        let mut x = Axis::new(common::block_size(self.language), Scale::Log2);
        x.ticks = Ticks::binary_sizes(low, high);
        let y = Axis::new(figures::throughput_in(self.language, "MiB/s"), Scale::Linear);
        let loads = spread(&self.loads, LOADS_MAX);
        let curves = loads.iter().map(curve).collect();
        let chart = chart(self.survey, &title, (x, y), curves);
        let note = figures::over_block_size_note(self.language);
        let caption = format!("{title}. {note}{}", self.left_out(loads.len()));
        Figure::new(caption, Drawing::Chart(chart))
    }

    fn point(&self, point: &PointResult) -> ChartPoint {
        ChartPoint {
            x: block_bytes(point) as f64,
            y: point.mib_s().unwrap_or(0.0),
            margin: point.volume.and_then(|volume| volume.ci95),
            style: style(point),
            tooltip: self.tooltip(point),
            ..ChartPoint::default()
        }
    }
}

/// The block size of a point of storage.
fn block_bytes(point: &PointResult) -> u64 {
    point.storage.map_or(0, |storage| storage.block_bytes)
}

/// Values over many decades need shades that spread over decades.
fn shade_scale(cells: &[HeatCell]) -> Scale {
    match ratio(cells.iter().map(|cell| cell.value)) >= SHADE_RATIO_LOG {
        true => Scale::Log10,
        false => Scale::Linear,
    }
}

/// Length of the profile's name with its slash, where all names begin with the same.
pub(super) fn common_profile(names: &[&str]) -> usize {
    let prefix = |name: &str| name.find('/').map_or(0, |slash| slash + 1);
    let Some(first) = names.first() else { return 0 };
    let profile = &first[..prefix(first)];
    if names.iter().all(|name| name.starts_with(profile)) { profile.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use kneepoint_core::result::{Estimate, Latency, RunDocument, StorageResult, Throughput};
    use kneepoint_core::words::load::LoadLevel;
    use serde_json::json;

    use super::*;

    #[test]
    fn headings_leave_out_what_all_names_share() {
        assert_eq!(common_profile(&["database/8KiB", "database/64KiB"]), 9);
        assert_eq!(common_profile(&["database/8KiB", "restore/64KiB"]), 0);
        assert_eq!(common_profile(&["plain", "names"]), 0);
        assert_eq!(common_profile(&[]), 0);
    }

    /// A profile at three block sizes, each at these loads.
    fn figures_of(loads: &[u32]) -> [Figure; 2] {
        let sizes = [4096, 8192, 16384];
        let point = |bytes: u64, load: u32| PointResult {
            series: format!("p/{bytes}"),
            profile: "p".to_owned(),
            load: LoadLevel::outstanding(load),
            rate: Throughput::iops(Estimate { mean: f64::from(load), ci95: None }),
            latency_ms: Latency { mean: 1.0, ..Latency::default() },
            storage: Some(StorageResult { block_bytes: bytes, ..StorageResult::default() }),
            ..PointResult::default()
        };
        let at = |bytes: u64| loads.iter().map(move |load| point(bytes, *load));
        let document = json!({
            "schema": "kneepoint.run/2",
            "run": {"id": "r", "label": "", "work": "w", "state": "complete", "started_at": "",
                    "finished_at": "", "plan_hash": "", "seed": 1, "version": "", "command": ""},
            "environment": {"hosts": [], "targets": []}, "plan": null, "points": [],
            "analysis": {"summaries": []}, "copies": [], "warnings": []
        });
        let mut document: RunDocument = serde_json::from_value(document).unwrap();
        document.points = sizes.into_iter().flat_map(at).collect();
        let survey = RunView::new(&document, Language::English);
        let groups = survey.groups();
        [heat_map(&survey, &groups[0]).unwrap(), over_block_size(&survey, &groups[0]).unwrap()]
    }

    #[test]
    fn a_heat_map_drops_no_load_in_silence() {
        // Of 16 loads four were missing once, as if they had not been measured.
        let loads: Vec<u32> = (0..16).map(|step| 1 + 8 * step).collect();
        let [map, curves] = figures_of(&loads);
        let csv = |figure: &Figure| figure.drawing.csv();
        assert!(loads.iter().all(|load| csv(&map).contains(&format!("cell,{load},"))));
        assert!(!map.caption.words().contains("Empty"), "{}", map.caption.words());
        assert!(!map.caption.words().contains(" of 16 loads"), "{}", map.caption.words());
        assert!(curves.caption.words().contains(" 5 of 16 loads."));
        let many: Vec<u32> = (1..=100).collect();
        assert!(figures_of(&many)[0].caption.words().contains(" 64 of 100 loads."));
    }

    #[test]
    fn loads_are_spread_from_the_first_to_the_last() {
        let values: Vec<f64> = (0..21).map(f64::from).collect();
        assert_eq!(spread(&values, 5), [0.0, 5.0, 10.0, 15.0, 20.0]);
        assert_eq!(spread(&values[..2], 5), [0.0, 1.0]);
        assert_eq!(spread::<f64>(&[], 5), Vec::<f64>::new());
    }
}
