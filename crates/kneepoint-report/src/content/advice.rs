//! What the factors of a run do, in words: what was found, what it means, and what to do.
//!
//! Nothing is claimed of a change that is not significant, and one below [`PRACTICAL_PERCENT`] is no
//! difference, whatever its significance.

#[cfg(test)]
mod tests;

use kneepoint_core::result::{
    Bound, EffectOn, Effects, FactorEffect, Interaction, LevelEffect, PRACTICAL_PERCENT,
    Significance, Warning,
};
use kneepoint_core::words::distinct::distinct;

use super::factors::row_id;
use super::summary::is_single_load;
use super::view::RunView;
use crate::language::Language;
use crate::language::texts::advice::{self, Choice, Knob};
use crate::language::texts::common;
use crate::page::{Block, Section, Text, slug};

/// What a level of a factor does to a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It is faster, significantly and by a difference that matters.
    Faster,
    /// The same the other way round.
    Slower,
    /// The whole confidence interval is too small to matter.
    Same,
    /// None of these was shown.
    Unclear,
    /// None of these can be told: something disturbed the points.
    Disturbed,
}

impl Outcome {
    pub(super) fn of(level: &LevelEffect) -> Self {
        let change = level.change_percent;
        let is_significant = level.significance == Significance::Significant;
        let is_within = level.change_bound() == Some(Bound::Exact)
            && level.ci95_percent.is_some_and(|half| change.abs() + half < PRACTICAL_PERCENT);
        match is_significant {
            _ if level.significance == Significance::Disturbed => Self::Disturbed,
            true if change >= PRACTICAL_PERCENT => Self::Faster,
            true if change <= -PRACTICAL_PERCENT => Self::Slower,
            _ if is_within => Self::Same,
            _ => Self::Unclear,
        }
    }

    const fn reversed(self) -> Self {
        match self {
            Self::Faster => Self::Slower,
            Self::Slower => Self::Faster,
            other => other,
        }
    }
}

/// What a level of a factor does to a series, and where the table says so.
#[derive(Debug, Clone)]
pub(super) struct SeriesEffect<'a> {
    pub(super) series: &'a str,
    pub(super) on: &'a EffectOn,
    pub(super) level: &'a LevelEffect,
    pub(super) outcome: Outcome,
    /// Another setting that the effect depends on, if any was shown to be.
    pub(super) depends_on: Option<&'a str>,
    /// The same of one at whose levels it is faster here and slower there.
    pub(super) turns_with: Option<&'a str>,
    /// Id of the row.
    pub(super) row: String,
}

impl SeriesEffect<'_> {
    /// How large the change is, whatever its direction: halves and doubles are alike.
    fn size(&self) -> f64 {
        libm::log((1.0 + self.level.change_percent / 100.0).max(1e-9)).abs()
    }

    /// The ends of the confidence interval in percent; `None` of disturbed points.
    fn interval(&self) -> Option<[f64; 2]> {
        if self.outcome == Outcome::Disturbed {
            return None;
        }
        let (change, half) = (self.level.change_percent, self.level.ci95_percent?);
        Some(match self.level.change_bound()? {
            Bound::Exact => [change - half, change + half],
            Bound::AtLeast => [change - half, f64::INFINITY],
            Bound::AtMost => [-100.0, change + half],
        })
    }

    /// The change with its interval; of a bound, the bound.
    fn change(&self, language: Language) -> String {
        let percent = self.level.change_percent;
        match self.level.change_bound() {
            Some(Bound::Exact) => advice::change(language, percent, self.interval()),
            Some(bound) => advice::bounded_change(language, percent, bound),
            None => common::unknown(language).to_owned(),
        }
    }
}

/// A level of a factor beside the base, on all series.
#[derive(Debug)]
pub(super) struct LevelDigest<'a> {
    pub(super) factor: &'a str,
    pub(super) base: &'a str,
    pub(super) level: &'a str,
    /// The largest effect first.
    pub(super) effects: Vec<SeriesEffect<'a>>,
}

impl LevelDigest<'_> {
    pub(super) fn with(&self, outcome: Outcome) -> Vec<&SeriesEffect<'_>> {
        self.effects.iter().filter(|effect| effect.outcome == outcome).collect()
    }

    fn has(&self, outcome: Outcome) -> bool {
        self.effects.iter().any(|effect| effect.outcome == outcome)
    }

    /// How large the largest effect is that matters; 0 where none does.
    pub(super) fn size(&self) -> f64 {
        let known = self.effects.iter();
        let known = known.filter(|e| matches!(e.outcome, Outcome::Faster | Outcome::Slower));
        known.map(SeriesEffect::size).fold(0.0, f64::max)
    }

    /// The effects that have no direction because another setting turns them.
    fn turning(&self) -> impl Iterator<Item = &SeriesEffect<'_>> {
        let undirected = [Outcome::Same, Outcome::Unclear];
        let all = self.effects.iter();
        all.filter(move |one| one.turns_with.is_some() && undirected.contains(&one.outcome))
    }

    /// Which of base and level is to be preferred.
    fn choice(&self) -> Choice {
        let (faster, slower) = (self.has(Outcome::Faster), self.has(Outcome::Slower));
        match (faster, slower) {
            (true, true) => Choice::ByWorkload,
            (true, false) => Choice::Level,
            (false, true) => Choice::Base,
            (false, false) if self.turning().next().is_some() => Choice::ByOther,
            (false, false) if self.has(Outcome::Unclear) => Choice::Unknown,
            (false, false) if self.has(Outcome::Disturbed) => Choice::Disturbed,
            (false, false) => Choice::Neither,
        }
    }

    /// The same comparison seen from the level.
    fn reversed(&self) -> LevelDigest<'_> {
        let effects = self
            .effects
            .iter()
            .map(|effect| SeriesEffect { outcome: effect.outcome.reversed(), ..effect.clone() });
        LevelDigest {
            factor: self.factor,
            base: self.level,
            level: self.base,
            effects: effects.collect(),
        }
    }
}

/// All levels of all factors beside their bases, factors in the order of the plan. A series is judged
/// by the number whose changes are known for the most levels; of equals by the first, which is what
/// it sustains at the first rule.
pub(super) fn digests(effects: &[Effects]) -> Vec<Vec<LevelDigest<'_>>> {
    let factors = effects.iter().flat_map(|effect| &effect.factors);
    let names = distinct(factors.map(|factor| factor.factor.as_str()));
    names.into_iter().map(|name| of_factor(name, effects)).collect()
}

/// The setting that the effect of a level was shown to depend on.
fn depends_on<'a>(effect: &'a Effects, factor: &str, level: &str) -> Option<&'a str> {
    effect.interactions.iter().find_map(|found| {
        if found.factor == factor && found.level == level {
            return Some(found.other.as_str());
        }
        (found.other == factor && found.at_level.0 == level).then_some(found.factor.as_str())
    })
}

/// The setting with whose levels that of a factor turns from faster to slower, or the other way.
fn turns_with<'a>(effect: &'a Effects, factor: &str, level: &str) -> Option<&'a str> {
    let mut of_level =
        effect.interactions.iter().filter(|found| found.factor == factor && found.level == level);
    let turns = |found: &&Interaction| {
        let (one, other) = (found.at_base.1, found.at_level.1);
        one.min(other) <= -PRACTICAL_PERCENT && one.max(other) >= PRACTICAL_PERCENT
    };
    of_level.find(turns).map(|found| found.other.as_str())
}

/// Levels of a factor whose change the bounds of both numbers do not leave open.
pub(super) fn told(factor: &FactorEffect) -> usize {
    factor.levels.iter().filter(|level| level.change_bound().is_some()).count()
}

fn of_factor<'a>(name: &'a str, effects: &'a [Effects]) -> Vec<LevelDigest<'a>> {
    let mut digests: Vec<LevelDigest<'a>> = Vec::new();
    for series in distinct(effects.iter().map(|effect| effect.series.as_str())) {
        let of_series = effects.iter().enumerate().filter_map(|(index, effect)| {
            let factor = effect.factors.iter().find(|factor| factor.factor == name)?;
            (effect.series == series).then_some((index, effect, factor))
        });
        // Of equals the first: max_by_key gives the last.
        let chosen = of_series.rev().max_by_key(|(_, _, factor)| told(factor));
        let Some((index, effect, factor)) = chosen else { continue };
        for level in &factor.levels {
            let found = SeriesEffect {
                series: &effect.series,
                on: &effect.measure,
                level,
                outcome: Outcome::of(level),
                depends_on: depends_on(effect, name, &level.level),
                turns_with: turns_with(effect, name, &level.level),
                row: row_id(index, name, &level.level),
            };
            match digests.iter_mut().find(|digest| digest.level == level.level) {
                Some(digest) => digest.effects.push(found),
                None => digests.push(LevelDigest {
                    factor: name,
                    base: &factor.base,
                    level: &level.level,
                    effects: vec![found],
                }),
            }
        }
    }
    for digest in &mut digests {
        digest.effects.sort_by(|a, b| b.size().total_cmp(&a.size()));
    }
    digests
}

/// What to do about each setting, with a link to what was found.
pub(super) fn conclusions(survey: &RunView<'_>) -> Vec<Text> {
    let all = digests(&survey.document.analysis.effects);
    let of_factor = |levels: &Vec<LevelDigest<'_>>| {
        let name = levels.first()?.factor;
        let advice = advice_on(survey, Knob::of(name), levels);
        let title = advice::setting(survey.language, name);
        Some(Text::new().link(title, id_of(name)).plain(format!(": {advice}")))
    };
    all.iter().filter_map(of_factor).collect()
}

/// Id of the part on a factor.
fn id_of(factor: &str) -> String {
    format!("factor-{}", slug(factor))
}

/// A part for each factor: what was found, what it means, and what to do.
pub(super) fn sections(survey: &RunView<'_>) -> Vec<Section> {
    let all = digests(&survey.document.analysis.effects);
    let sections = all.iter().filter(|levels| !levels.is_empty()).map(|levels| {
        let name = levels[0].factor;
        let mut blocks = vec![Block::List(findings(survey, levels))];
        let knob = Knob::of(name);
        blocks.extend(
            meaning(survey, knob)
                .map(|text| labelled(advice::meaning_label(survey.language), &text)),
        );
        let text = advice_on(survey, knob, levels);
        blocks.push(labelled(advice::advice_label(survey.language), &text));
        let title = advice::setting(survey.language, name);
        Section::new(id_of(name), title, blocks)
    });
    sections.collect()
}

/// What a setting does, and what it does otherwise where the file system makes it.
fn meaning(survey: &RunView<'_>, knob: Knob) -> Option<String> {
    let language = survey.language;
    let is_btrfs = survey.targets().iter().any(|target| target.file_system.starts_with("btrfs"));
    let own = match knob {
        Knob::Raid if is_btrfs => advice::raid_of_btrfs(language),
        _ => "",
    };
    advice::meaning(language, knob).map(|text| text.to_owned() + own)
}

/// Whether something from outside limits the rate of I/Os.
fn is_limited(survey: &RunView<'_>) -> bool {
    let is_limit = |warning: &Warning| matches!(warning.bare(), Warning::IoLimited { .. });
    survey.document.warnings.iter().any(is_limit)
}

/// A sentence behind a word that says what it is.
fn labelled(label: &str, text: &str) -> Block {
    Block::Paragraph(Text::new().strong(format!("{label}: ")).plain(text))
}

/// A sentence for each level.
fn findings(survey: &RunView<'_>, levels: &[LevelDigest<'_>]) -> Vec<Text> {
    levels.iter().map(|digest| finding(survey, digest, usize::MAX)).collect()
}

/// What a level does: at most `most` series by name, the largest effects first.
pub(super) fn finding(survey: &RunView<'_>, digest: &LevelDigest<'_>, most: usize) -> Text {
    let language = survey.language;
    let mut text = Text::new()
        .strong(advice::instead(language, digest.factor, digest.level, digest.base))
        .plain(": ");
    let known: Vec<&SeriesEffect<'_>> = digest
        .effects
        .iter()
        .filter(|effect| matches!(effect.outcome, Outcome::Faster | Outcome::Slower))
        .collect();
    let shared = shared_dependence(&known[..known.len().min(most)]);
    for (index, effect) in known.iter().take(most).enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        let place = match effect.on {
            EffectOn::Sustained(rule) if survey.common_rule() == Some(rule.as_str()) => {
                String::new()
            }
            EffectOn::Sustained(rule) => format!(" ({})", common::within(language, rule)),
            EffectOn::Peak if is_single_load(survey) => String::new(),
            EffectOn::Peak => advice::at_peak(language).to_owned(),
        };
        let change = effect.change(language);
        let change = match effect.depends_on.filter(|_| shared.is_none()) {
            Some(other) => advice::depending(language, &change, &advice::noun(language, other)),
            None => change,
        };
        text = text
            .plain(separator)
            .link(effect.series, &effect.row)
            .plain(format!("{place} {change}"));
    }
    let is_cut = known.len() > most;
    if is_cut {
        text = text.plain(advice::more_series(language, &language.count(known.len() - most)));
    }
    if let Some(other) = shared {
        let depending = if is_cut { advice::named_depending } else { advice::all_depending };
        text = text.plain(depending(language, &advice::noun(language, other)));
    }
    let mut is_first = known.is_empty();
    for other in distinct(digest.turning().filter_map(|effect| effect.turns_with)) {
        let series = digest.turning().filter(|effect| effect.turns_with == Some(other));
        let series: Vec<String> = series.map(|effect| effect.series.to_owned()).collect();
        let other = advice::noun(language, other);
        let said = advice::turning_for(language, &common::listed(language, &series), &other);
        text = text.plain(if is_first { "" } else { "; " }).plain(said);
        is_first = false;
    }
    for (outcome, sentence) in [
        (Outcome::Same, advice::same as fn(_, &[String]) -> String),
        (Outcome::Unclear, advice::unclear),
        (Outcome::Disturbed, advice::disturbed),
    ] {
        let names = names(digest, outcome);
        if !names.is_empty() {
            text = text.plain(if is_first { "" } else { "; " }).plain(sentence(language, &names));
            is_first = false;
        }
    }
    text.plain(".")
}

/// The setting that all of several effects depend on; nothing if they are not told together.
fn shared_dependence<'a>(effects: &[&SeriesEffect<'a>]) -> Option<&'a str> {
    let (first, others) = effects.split_first()?;
    let is_shared = others.iter().all(|effect| effect.depends_on == first.depends_on);
    first.depends_on.filter(|_| is_shared && !others.is_empty())
}

/// The series with an outcome, but for those that another setting turns.
fn names(digest: &LevelDigest<'_>, outcome: Outcome) -> Vec<String> {
    let is_turned =
        |effect: &SeriesEffect<'_>| digest.turning().any(|other| other.series == effect.series);
    let all = digest.with(outcome).into_iter().filter(|effect| !is_turned(effect));
    all.map(|effect| effect.series.to_owned()).collect()
}

/// What to do.
fn advice_on(survey: &RunView<'_>, knob: Knob, levels: &[LevelDigest<'_>]) -> String {
    let language = survey.language;
    if knob == Knob::Raid {
        return raid(survey, levels);
    }
    // A switch is judged by what turning it on does.
    let is_seen_from_on = |digest: &LevelDigest<'_>| knob.is_switch() && digest.level == "off";
    let reversed = levels.iter().map(|one| is_seen_from_on(one).then(|| one.reversed()));
    let reversed: Vec<Option<LevelDigest<'_>>> = reversed.collect();
    let seen = levels.iter().zip(&reversed);
    let seen: Vec<&LevelDigest<'_>> =
        seen.map(|(digest, reversed)| reversed.as_ref().unwrap_or(digest)).collect();
    let Some(leading) = PRECEDENCE.into_iter().find(|c| seen.iter().any(|d| d.choice() == *c))
    else {
        return String::new();
    };
    let is_told = |choice: Choice| {
        choice == leading
            || choice == Choice::ByWorkload && matches!(leading, Choice::Level | Choice::Base)
    };
    let mut told: Vec<&LevelDigest<'_>> =
        seen.into_iter().filter(|digest| is_told(digest.choice())).collect();
    if leading == Choice::Level {
        let best = unbeaten(&survey.document.analysis.effects, levels, &told);
        // Of numbers the first will do; of names all are told.
        if best.len() > 1 && best.iter().all(|level| starts_with_digit(level)) {
            told.retain(|digest| digest.level == best[0] || digest.choice() != Choice::Level);
        } else if best.len() > 1 {
            return advice::prefer_several(language, levels[0].factor, &best);
        } else {
            told.retain(|digest| best.contains(&digest.level) || digest.choice() != Choice::Level);
        }
    }
    let sentences = told.into_iter().map(|digest| {
        let by_series = [names(digest, Outcome::Faster), names(digest, Outcome::Slower)];
        let levels = [digest.base, digest.level];
        advice::advice(language, digest.factor, (digest.choice(), levels), &by_series)
    });
    let said = distinct(sentences.collect::<Vec<_>>()).join(" ");
    let is_same = matches!(leading, Choice::Neither | Choice::Unknown);
    match is_same && is_limited(survey) {
        true => said + advice::under_limit(language),
        false => said,
    }
}

fn starts_with_digit(level: &str) -> bool {
    level.starts_with(|letter: char| letter.is_ascii_digit())
}

/// Of several levels the advice follows from the first of these that one of them has: what would
/// contradict it is left out.
const PRECEDENCE: [Choice; 7] = [
    Choice::Level,
    Choice::Base,
    Choice::ByWorkload,
    Choice::ByOther,
    Choice::Unknown,
    Choice::Disturbed,
    Choice::Neither,
];

/// The levels that are to be preferred and than which no other such level is faster.
fn unbeaten<'d>(
    effects: &[Effects],
    levels: &[LevelDigest<'_>],
    told: &[&'d LevelDigest<'d>],
) -> Vec<&'d str> {
    let preferred: Vec<&str> =
        told.iter().filter(|one| one.choice() == Choice::Level).map(|one| one.level).collect();
    let is_beaten =
        |name: &str| preferred.iter().any(|other| is_better(effects, levels, [other, name]));
    preferred.iter().copied().filter(|name| !is_beaten(name)).collect()
}

/// What to do about RAID levels: the fastest, and the fastest that survives a failed drive.
fn raid(survey: &RunView<'_>, levels: &[LevelDigest<'_>]) -> String {
    let language = survey.language;
    let Some(first) = levels.first() else { return String::new() };
    if levels.iter().all(|digest| digest.choice() == Choice::Disturbed) {
        return advice::none_of_disturbed(language).to_owned();
    }
    let names = [first.base].into_iter().chain(levels.iter().map(|digest| digest.level));
    let names: Vec<&str> = names.collect();
    let redundant: Vec<&str> =
        names.iter().copied().filter(|name| advice::is_redundant(name)).collect();
    let effects = &survey.document.analysis.effects;
    let is_faster = |pair: [&str; 2]| is_better(effects, levels, pair);
    let fastest = |names: &[&str]| {
        let best = names
            .iter()
            .copied()
            .find(|name| names.iter().all(|other| other == name || is_faster([name, other])));
        best.filter(|_| names.len() > 1).map(str::to_owned)
    };
    let is_all_redundant = redundant.len() == names.len();
    let of_redundant = (redundant.len() > 1).then(|| fastest(&redundant));
    advice::raid(language, fastest(&names), of_redundant, is_all_redundant)
}

/// True if the first of two levels is faster than the other for some series, and slower for none, whatever the
/// other settings: the intervals do not overlap.
fn is_better(effects: &[Effects], levels: &[LevelDigest<'_>], pair: [&str; 2]) -> bool {
    let series = distinct(levels.iter().flat_map(|digest| &digest.effects).map(|e| e.series));
    let pairs: Vec<_> =
        series.iter().map(|name| intervals(effects, levels, (name, pair))).collect();
    let is_faster = |pair: &Option<[[f64; 2]; 2]>| {
        pair.is_some_and(|[one, other]| one[0] - other[1] >= PRACTICAL_PERCENT)
    };
    let is_slower =
        |pair: &Option<[[f64; 2]; 2]>| pair.is_none_or(|[one, other]| one[1] < other[0]);
    let mut of_pair = levels.iter().filter(|digest| pair.contains(&digest.level));
    let is_turned = of_pair.any(|digest| digest.turning().next().is_some());
    pairs.iter().any(is_faster) && !pairs.iter().any(is_slower) && !is_turned
}

/// How far two levels are from the base for a series, in percent: by the first number that is known, and no
/// bound, at both; or else by the one that the series is judged by.
fn intervals(
    effects: &[Effects],
    levels: &[LevelDigest<'_>],
    (series, pair): (&str, [&str; 2]),
) -> Option<[[f64; 2]; 2]> {
    let digests = pair.map(|name| levels.iter().find(|digest| digest.level == name));
    let exact = |effect: &Effects| {
        let factor = effect.factors.iter().find(|factor| factor.factor == levels[0].factor)?;
        let one = |name: &str| match factor.levels.iter().find(|level| level.level == name) {
            None => (factor.base == name).then_some([0.0, 0.0]),
            Some(level) => {
                let half = level.ci95_percent?;
                let is_exact = level.change_bound() == Some(Bound::Exact)
                    && level.significance != Significance::Disturbed;
                is_exact.then_some([level.change_percent - half, level.change_percent + half])
            }
        };
        Some([one(pair[0])?, one(pair[1])?])
    };
    let mut of_series = effects.iter().filter(|effect| effect.series == series);
    of_series.find_map(exact).or_else(|| {
        let judged = |digest: Option<&LevelDigest<'_>>| match digest {
            None => Some([0.0, 0.0]),
            Some(digest) => digest.effects.iter().find(|e| e.series == series)?.interval(),
        };
        Some([judged(digests[0])?, judged(digests[1])?])
    })
}
