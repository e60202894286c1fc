//! Findings: what the numbers show, in sentences that lead to where they stand.

use std::collections::BTreeMap;

use kneepoint_core::result::{Between, Change, Contrast, Finding, Place, Plateau, Quantity};

use super::survey::RunView;
use super::words;
use crate::language::Language;
use crate::language::texts;
use crate::language::texts::findings::{
    Amount, ChangeWords, ChangedWhat, ContrastWords, SaturationWords,
};
use crate::page::{Block, Section, Text};

/// From this change in percent on, multiples say more than percent.
const TIMES_FROM_PERCENT: f64 = 100.0;

/// What a single run shows; nothing where it shows nothing.
pub(super) fn section(survey: &RunView<'_>) -> Option<Section> {
    let writer = Writer { language: survey.language };
    let ids: BTreeMap<&str, &str> =
        survey.series.iter().map(|view| (view.name, view.id.as_str())).collect();
    let id_of = |series: &str| ids.get(series).copied().unwrap_or("results").to_owned();
    let sentences: Vec<Text> = survey
        .document
        .analysis
        .findings
        .iter()
        .map(|finding| writer.sentence(finding, &[], &id_of))
        .collect();
    (!sentences.is_empty()).then(|| writer.section(sentences))
}

/// What a comparison shows, of runs with these names.
pub(super) fn between(
    findings: &[Finding],
    runs: &[&str],
    (language, id_of): (Language, &dyn Fn(&str) -> String),
) -> Section {
    let writer = Writer { language };
    let sentences: Vec<Text> =
        findings.iter().map(|finding| writer.sentence(finding, runs, id_of)).collect();
    match sentences.is_empty() {
        true => {
            let blocks = vec![Block::paragraph(texts::findings::none_between(writer.language))];
            Section::new("findings", texts::findings::heading(writer.language), blocks)
        }
        false => writer.section(sentences),
    }
}

/// Makes sentences in one language.
struct Writer {
    language: Language,
}

impl Writer {
    fn section(&self, sentences: Vec<Text>) -> Section {
        let blocks =
            vec![Block::List(sentences), Block::remark(texts::findings::confidence(self.language))];
        Section::new("findings", texts::findings::heading(self.language), blocks)
    }

    /// One finding; the names of series lead to their sections.
    fn sentence(&self, finding: &Finding, runs: &[&str], id_of: &dyn Fn(&str) -> String) -> Text {
        match finding {
            Finding::Saturation(found) => {
                let name = Text::new().link(&found.series, id_of(&found.series));
                name.plain(format!(": {}", self.saturation(found)))
            }
            Finding::Contrast(found) => Text::new()
                .link(&found.faster, id_of(&found.faster))
                .plain(" / ")
                .link(&found.slower, id_of(&found.slower))
                .plain(format!(": {}", self.contrast(found))),
            Finding::Change(found) => {
                let name = Text::new().link(&found.series, id_of(&found.series));
                name.plain(format!(": {}", self.change(found, runs)))
            }
        }
    }

    fn saturation(&self, found: &Plateau) -> String {
        let load = |load: f64| {
            texts::findings::load(self.language, &self.language.level(load), found.unit)
        };
        let rate = self.language.throughput(found.rate, found.rate_unit);
        let plateau = match found.volume {
            Some(volume) => format!("{rate} ({})", self.language.mib_per_s(volume)),
            None => rate,
        };
        let sentence = texts::findings::saturation(
            self.language,
            &SaturationWords {
                from: &load(found.from_load),
                to: &load(found.to_load),
                plateau: &plateau,
                rise: &self.language.percent(found.rise_percent_max.max(0.0)),
            },
        );
        let limit = found.bottleneck.as_ref().map(|part| {
            let busy = self.language.percent(part.busy_percent);
            format!(
                " {}",
                texts::findings::bottleneck(self.language, &part.part, part.count, &busy)
            )
        });
        sentence + &limit.unwrap_or_default()
    }

    fn contrast(&self, found: &Contrast) -> String {
        let [low, high] = found.interval.map(|end| self.language.rate(end));
        let words = ContrastWords {
            ratio: &self.language.rate(found.ratio),
            interval: [&low, &high],
            unit: match found.measure.quantity {
                Quantity::Iops => "IO/s",
                Quantity::Throughput | Quantity::Latency(_) => "MiB/s",
            },
        };
        match found.between {
            Between::Order { faster } => texts::findings::order(self.language, faster, &words),
            Between::Direction { faster } => {
                texts::findings::direction(self.language, faster, &words)
            }
            Between::BlockSize { faster_bytes, slower_bytes } => {
                let size = |bytes| self.language.bytes(bytes);
                texts::findings::block_size(
                    self.language,
                    &size(faster_bytes),
                    &size(slower_bytes),
                    &words,
                )
            }
        }
    }

    fn change(&self, found: &Change, runs: &[&str]) -> String {
        let rule =
            found.rule.as_deref().map(|rule| words::rule(self.language, rule)).unwrap_or_default();
        let what = match (found.measure.place, found.measure.quantity) {
            (Place::Sustained, _) => ChangedWhat::Sustained(&rule),
            (Place::Peak, _) => ChangedWhat::Peak,
            (Place::EqualLoad, Quantity::Latency(_)) => ChangedWhat::ResponseTime,
            (Place::EqualLoad, _) => ChangedWhat::Rate,
        };
        let is_multiple = found.percent >= TIMES_FROM_PERCENT;
        let end = |percent: f64| match is_multiple {
            true => self.language.rate(1.0 + percent / 100.0),
            false => self.language.percent(percent.abs()),
        };
        let mut interval = found.interval_percent.map(end);
        if found.percent < 0.0 {
            interval.reverse();
        }
        let size = end(found.percent);
        let name = |run: usize| runs.get(run).copied().unwrap_or_default();
        let sentence = texts::findings::change(
            self.language,
            &ChangeWords {
                run: name(found.run),
                reference: name(0),
                what,
                amount: match found.percent {
                    _ if is_multiple => Amount::Times(&size),
                    percent if percent >= 0.0 => Amount::More(&size),
                    _ => Amount::Less(&size),
                },
                interval: [&interval[0], &interval[1]],
            },
        );
        let factor = found.factor.as_ref().map(|factor| {
            texts::findings::factor(self.language, &factor.name, &factor.from, &factor.to)
        });
        factor.map_or(sentence.clone(), |factor| format!("{factor}: {sentence}"))
    }
}
