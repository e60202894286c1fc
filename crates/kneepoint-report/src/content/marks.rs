//! What is singled out on the curves: sustained at each rule, and the peak.

use kneepoint_core::result::{Peak, Summary};
use kneepoint_core::words::rule::{Metric, Rule};

use super::curves::CurveSet;
use super::survey::SeriesView;
use super::words;
use crate::figure::{Mark, MarkKind};
use crate::language::texts;

/// Where a mark stands, and the text beside it.
#[derive(Debug)]
struct Place {
    x: f64,
    y: f64,
    label: String,
}

impl CurveSet<'_, '_> {
    /// Sustained at every rule, and the peak, over load.
    pub(super) fn throughput_marks(&self) -> Vec<Mark> {
        let place = |summary: &Summary| {
            let y = self.judge.sustained(&summary.sustained)?;
            let x = summary.sustained.load?;
            Some(Place { x, y, label: self.sustained_text(summary) })
        };
        let peak = |_: &SeriesView<'_>, peak: &Peak| {
            let (x, y) = (peak.load, self.judge.peak(peak));
            Some(Place { x, y, label: self.peak_text(peak) })
        };
        self.marks(place, peak)
    }

    /// Sustained at the rules on `metric`, and the peak, over throughput.
    pub(super) fn response_marks(&self, metric: Metric) -> Vec<Mark> {
        let place = |summary: &Summary| {
            let line = summary.rule.parse::<Rule>().ok()?.line_ms();
            let (_, limit) = line.filter(|(of, _)| *of == metric)?;
            let x = self.judge.sustained(&summary.sustained)?;
            let y = self.time.convert(limit);
            Some(Place { x, y, label: self.judge.print(self.language, x) })
        };
        let peak = |series: &SeriesView<'_>, peak: &Peak| {
            let mut curve = series.curve().into_iter();
            let point = curve.find(|point| point.load.value == peak.load)?;
            let (x, y) = (self.judge.peak(peak), self.time.convert(point.latency_ms.of(metric)));
            Some(Place { x, y, label: self.peak_text(peak) })
        };
        self.marks(place, peak)
    }

    /// Marks of all series; they carry labels where there is only one series.
    fn marks(
        &self,
        place: impl Fn(&Summary) -> Option<Place>,
        place_peak: impl Fn(&SeriesView<'_>, &Peak) -> Option<Place>,
    ) -> Vec<Mark> {
        let mut marks = Vec::new();
        for (index, series) in self.series.iter().enumerate() {
            let mark = |kind: MarkKind, place: Place, text: String| Mark {
                kind,
                series: index,
                x: place.x,
                y: place.y,
                label: if self.series.len() == 1 { place.label } else { String::new() },
                tooltip: format!("{}: {text}", series.name),
            };
            for summary in &series.summaries {
                let place = place(summary);
                let text = || self.sustained_text(summary);
                marks.extend(place.map(|place| mark(MarkKind::Sustained, place, text())));
            }
            let Some(peak) = series.summaries.iter().find_map(|summary| summary.peak) else {
                continue;
            };
            let place = place_peak(series, &peak);
            marks.extend(place.map(|place| mark(MarkKind::Peak, place, self.peak_text(&peak))));
        }
        marks
    }

    /// `14,320 IO/s at mean ≤ 20 ms`.
    fn sustained_text(&self, summary: &Summary) -> String {
        let language = self.language;
        let value = self.judge.sustained(&summary.sustained).unwrap_or_default();
        let throughput = self.judge.print(language, value);
        let rule = words::rule(language, &summary.rule);
        texts::figures::sustained_at(language, &throughput, &rule)
    }

    /// `peak 15,200 IO/s`.
    fn peak_text(&self, peak: &Peak) -> String {
        texts::figures::peak(self.language, &self.judge.print(self.language, self.judge.peak(peak)))
    }
}
