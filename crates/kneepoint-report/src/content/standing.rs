//! Where a series stands at a rule and at its peak, in words.

use kneepoint_core::result::{
    DoubtAbout, PointResult, Saturation, SaturationStatus, Summary, SustainedStatus,
};
use kneepoint_core::words::rule::Rule;

use super::survey::SeriesView;
use super::words;
use crate::language::texts;
use crate::page::Tone;

/// A result with what it needs to be understood.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SeriesReadout {
    /// The result: a number with its unit, which may be a bound, or why there is none.
    pub(super) headline: String,
    /// At which load; may be empty.
    pub(super) detail: String,
    pub(super) tone: Tone,
}

impl SeriesReadout {
    /// A result that is no number.
    fn muted(headline: impl Into<String>, detail: String) -> Self {
        Self { headline: headline.into(), detail, tone: Tone::Muted }
    }

    /// A number that is only a bound, with the response time that makes it one.
    fn bound(headline: Option<String>, detail: String) -> Self {
        let headline = headline.unwrap_or_else(|| words::NOTHING.to_owned());
        Self { headline, detail, tone: Tone::Plain }
    }

    /// The number with what it rests on, if that has a reservation.
    fn doubted(self, doubt: Option<String>) -> Self {
        let Some(doubt) = doubt else { return self };
        let detail = [self.detail, format!("({doubt})")];
        let detail = detail.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>();
        Self { detail: detail.join(" "), tone: Tone::Caution, ..self }
    }
}

/// Where the series meets the summary's rule.
pub(super) fn sustained(series: &SeriesView<'_>, summary: &Summary) -> SeriesReadout {
    let (found, curve) = (&summary.sustained, series.curve());
    let response = |point: &&PointResult| response(series, point, summary);
    let standing = match found.status {
        SustainedStatus::Met => met(series, summary),
        SustainedStatus::NoneMeets => {
            let response = curve.first().map_or_else(String::new, response);
            SeriesReadout::bound(series.judge.bounded(series.language, found), response)
        }
        SustainedStatus::AllMeet => {
            let response = curve.last().map(response);
            let response = response.map_or_else(String::new, |response| {
                texts::standing::still(series.language, &response)
            });
            SeriesReadout::bound(series.judge.bounded(series.language, found), response)
        }
        SustainedStatus::Unknown => {
            SeriesReadout::muted(texts::standing::unknown(series.language), String::new())
        }
    };
    standing.doubted(doubtful(series, summary, DoubtAbout::Sustained))
}

fn met(series: &SeriesView<'_>, summary: &Summary) -> SeriesReadout {
    let language = series.language;
    let Some(value) = series.judge.sustained(&summary.sustained) else {
        return SeriesReadout::muted(texts::standing::unknown(language), String::new());
    };
    let found = &summary.sustained;
    let volume = found.volume.map(|volume| volume.mean);
    let other = found.rate.and_then(|rate| series.judge.both(language, (rate.mean, volume)).1);
    let load = summary.sustained.load;
    let load = load.map(|load| {
        texts::standing::at(language, &texts::words::at_load(language, load, summary.load_unit))
    });
    SeriesReadout {
        headline: series.judge.print(language, value),
        tone: Tone::Plain,
        detail: [other, load].into_iter().flatten().collect::<Vec<_>>().join(" "),
    }
}

/// The response time that the rule looks at, and the load: `3.20 ms at 64 outstanding`.
fn response(series: &SeriesView<'_>, point: &PointResult, summary: &Summary) -> String {
    let language = series.language;
    let rule = summary.rule.parse::<Rule>().ok();
    let time = rule.and_then(|rule| rule.value_ms(point)).unwrap_or(point.latency_ms.mean);
    let time = language.response_time(time);
    let load = words::at_level(language, point.load);
    texts::standing::response_at(language, &time, &load)
}

/// Why a number of the summary is to be read with a reservation, if it is.
pub(super) fn doubtful(
    series: &SeriesView<'_>,
    summary: &Summary,
    about: DoubtAbout,
) -> Option<String> {
    let doubts = summary.doubts.iter().filter(|doubt| doubt.about == about);
    let phrases: Vec<String> = doubts
        .map(|doubt| {
            let load = texts::words::at_load(series.language, doubt.load, summary.load_unit);
            texts::standing::doubt(
                series.language,
                &load,
                texts::words::verdict(series.language, doubt.verdict),
            )
        })
        .collect();
    (!phrases.is_empty()).then(|| words::listed(series.language, &phrases))
}

/// The peak as three texts: throughput, load behind a preposition, response time.
pub(super) fn peak(series: &SeriesView<'_>) -> Option<(SeriesReadout, String, String)> {
    let language = series.language;
    let summary = series.summaries.iter().find(|summary| summary.peak.is_some())?;
    let peak = summary.peak?;
    let volume = peak.volume.map(|volume| volume.mean);
    let standing = throughput(series, (peak.rate.mean, volume), DoubtAbout::Peak);
    let mut load = texts::words::at_load(language, peak.load, summary.load_unit);
    if let Some(collapse) = peak.collapse() {
        let percent = language.percent(collapse.percent.round());
        let at = texts::words::at_load(language, collapse.load, summary.load_unit);
        load = format!("{load}{}", texts::standing::collapse(language, &percent, &at));
    }
    Some((standing, load, language.response_time(peak.latency_ms)))
}

/// The saturation knee: throughput and response time.
pub(super) fn saturation(series: &SeriesView<'_>) -> Option<(SeriesReadout, Saturation, String)> {
    let found = series.summaries.iter().find_map(|summary| summary.saturation)?;
    let rates = (found.rate, found.volume);
    let mut standing = throughput(series, rates, DoubtAbout::Peak);
    if found.status == SaturationStatus::Rising {
        standing.headline = format!("≥ {}", standing.headline);
        standing.detail = texts::standing::rising(series.language).to_owned();
    }
    let response = |ms| series.language.response_time(ms);
    let response = found.latency_ms.map_or_else(|| words::NOTHING.to_owned(), response);
    Some((standing, found, response))
}

/// A throughput in the unit that the series is judged by, with the other unit below.
fn throughput(
    series: &SeriesView<'_>,
    rates: (f64, Option<f64>),
    about: DoubtAbout,
) -> SeriesReadout {
    let (own, other) = series.judge.both(series.language, rates);
    let doubt = series.summaries.first().and_then(|summary| doubtful(series, summary, about));
    SeriesReadout { headline: own, detail: other.unwrap_or_default(), tone: Tone::Plain }
        .doubted(doubt)
}
