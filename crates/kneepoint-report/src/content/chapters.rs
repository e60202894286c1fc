//! The report on several runs that measured different things of one machine: a first page over all, and
//! each run in its chapter.

use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::RunDocument;
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::load::LoadUnit;

use super::excerpt::Excerpt;
use super::glossary::{Field, explained};
use super::summary::{self, Standing};
use super::view::{RunView, SeriesView};
use super::{badge, processor, setup, statements, system, users};
use crate::language::Language;
use crate::language::texts::{chapters, common, environment, front, key_figures};
use crate::page::{Block, Column, Fact, Note, Page, Section, Table, TableCell, Text, Tone};

/// The report on `documents`, a chapter each in this order.
pub fn page(documents: &[&RunDocument], language: Language) -> Page {
    let surveys: Vec<RunView<'_>> =
        documents.iter().map(|document| RunView::new(document, language)).collect();
    let titles = titles(&surveys);
    let parts: Vec<Part<'_, '_>> = surveys
        .iter()
        .zip(&titles)
        .enumerate()
        .map(|(index, (survey, title))| Part {
            survey,
            title,
            prefix: format!("part-{}-", index + 1),
        })
        .collect();
    let first_facts = facts(&surveys);
    let started = documents.iter().map(|document| document.run.started_at.as_str()).min();
    let (mut open, mut details) = (Vec::new(), Vec::new());
    let mut notes = Vec::new();
    for part in &parts {
        let mut page = super::unexplained(part.survey.document, language);
        notes.extend(page.notes.iter().map(|note| part.note(note)));
        let Excerpt { lead, read, looked_up } = Excerpt::of(page.sections, language);
        page.facts.retain(|fact| !first_facts.contains(fact));
        let lead = [Block::Facts(page.facts)].into_iter().chain(lead).collect();
        open.push(part.chapter(lead, read));
        details.push(part.details(looked_up));
    }
    let (stamp, badge) = provenance(&surveys, &titles);
    let mut first = first_page(&parts, language);
    first.stamp(stamp);
    let page = Page {
        language,
        kind: front::kind_of_server(language).to_owned(),
        title: title(&surveys),
        date: started.unwrap_or_default().to_owned(),
        badge: Some(badge),
        stamp: stamp.to_owned(),
        facts: first_facts,
        notes,
        contents_after: 1,
        sections: [first].into_iter().chain(open).chain(details).collect(),
    };
    // Among several kinds of load there are words that mean more than one thing.
    let field = match surveys.iter().all(RunView::is_io) {
        true => Field::Io,
        false => Field::Work,
    };
    explained(page.numbered(), field)
}

/// A run, and how it is told of.
struct Part<'s, 'a> {
    survey: &'s RunView<'a>,
    title: &'s str,
    /// Before all ids of its chapter.
    prefix: String,
}

/// Id of a chapter, behind its prefix.
const CHAPTER: &str = "chapter";

impl Part<'_, '_> {
    /// A note of the run, under the name of its chapter.
    fn note(&self, note: &Note) -> Note {
        let mut text = note.text.clone();
        text.prefix(&self.prefix);
        Note { title: format!("{}: {}", self.title, note.title), text, tone: note.tone }
    }

    /// What is read of the run.
    fn chapter(&self, lead: Vec<Block>, read: Vec<Section>) -> Section {
        let mut chapter = Section::new(CHAPTER, self.title, lead);
        chapter.sections = read;
        chapter.prefix(&self.prefix);
        chapter
    }

    /// What is looked up, as one chapter.
    fn details(&self, looked_up: Vec<Section>) -> Section {
        let title = chapters::details(self.survey.language, self.title);
        let mut section = Section::new("details", title, Vec::new());
        section.sections = looked_up;
        section.prefix(&self.prefix);
        section.folded()
    }

    /// The title, which leads to the chapter.
    fn link(&self) -> Text {
        Text::new().link(self.title, format!("{}{CHAPTER}", self.prefix))
    }
}

/// What each run measured, in words; with its targets where two measured the same kind.
fn titles(surveys: &[RunView<'_>]) -> Vec<String> {
    let kinds: Vec<&str> = surveys.iter().map(kind).collect();
    let title = |(survey, kind): (&RunView<'_>, &&str)| {
        let alike = kinds.iter().filter(|other| *other == kind).count();
        let targets = survey.targets().iter().map(|target| target.target.as_str());
        match alike {
            1 => (*kind).to_owned(),
            _ => chapters::on(survey.language, kind, &distinct(targets).join(", ")),
        }
    };
    surveys.iter().zip(&kinds).map(title).collect()
}

/// What a run measured, as a heading.
fn kind(survey: &RunView<'_>) -> &'static str {
    kind_names(survey)[0]
}

/// What a run measured, as a heading and within a title.
fn kind_names(survey: &RunView<'_>) -> [&'static str; 2] {
    let names: [fn(Language) -> &'static str; 2] =
        match survey.series.first().map(SeriesView::load_unit) {
            Some(LoadUnit::Copies) => [chapters::processor, chapters::processor_in_title],
            Some(LoadUnit::Warehouses) => [chapters::business, chapters::business_in_title],
            Some(LoadUnit::Users) => [chapters::users, chapters::users_in_title],
            Some(LoadUnit::OutstandingOperations) => [chapters::files, chapters::files_in_title],
            Some(LoadUnit::OutstandingIos | LoadUnit::OfferedIops) | None => {
                [chapters::storage, chapters::storage_in_title]
            }
        };
    names.map(|name| name(survey.language))
}

/// The user's name for all runs, which stands before a colon in the label of each; or else what was measured.
fn title(surveys: &[RunView<'_>]) -> String {
    let labels = surveys.iter().map(|survey| survey.document.run.label.rsplit_once(": "));
    let names: Option<Vec<&str>> = labels.map(|label| label.map(|(name, _)| name)).collect();
    match names.map(distinct).as_deref() {
        Some([name]) => (*name).to_owned(),
        _ => {
            let language = surveys.first().map_or(Language::English, |survey| survey.language);
            let kinds = surveys.iter().map(|survey| kind_names(survey)[1].to_owned());
            chapters::title(language, &common::listed(language, &distinct(kinds)))
        }
    }
}

/// The word on the numbers of the first page, and the badge.
fn provenance(surveys: &[RunView<'_>], titles: &[String]) -> (&'static str, Note) {
    let language = surveys.first().map_or(Language::English, |survey| survey.language);
    let simulated = surveys.iter().filter(|survey| !survey.stamp().is_empty()).count();
    let stamp = match simulated {
        0 => "",
        all if all == surveys.len() => front::stamp_simulated(language),
        _ => front::stamp_partly_simulated(language),
    };
    let names: Vec<&str> = titles.iter().map(String::as_str).collect();
    (stamp, badge::of_runs(surveys, (&names, language), &[]))
}

/// The machine that was measured, as far as it was the same in all runs, and when. Each chapter has its target.
fn facts(surveys: &[RunView<'_>]) -> Vec<Fact> {
    let is_measured = |survey: &&RunView<'_>| !setup::targets_are(survey, TargetKind::Sim);
    let measured = || surveys.iter().filter(is_measured);
    let machine = [processor_fact, memory_fact, system::software];
    let facts = machine.iter().filter_map(|fact| common_fact(measured().map(fact)));
    facts.chain(period(surveys)).collect()
}

/// A fact that all runs have, without what only some of them add at its end.
fn common_fact(facts: impl Iterator<Item = Option<Fact>>) -> Option<Fact> {
    let facts: Vec<Fact> = facts.collect::<Option<_>>()?;
    let shortest = facts.iter().min_by_key(|fact| fact.value.words().len())?;
    let start = shortest.value.words();
    let has_start = |fact: &Fact| {
        let words = fact.value.words();
        words.strip_prefix(&start).is_some_and(|rest| rest.is_empty() || rest.starts_with(", "))
    };
    facts.iter().all(has_start).then(|| shortest.clone())
}

/// The model of the processors, and how many there are.
fn processor_fact(survey: &RunView<'_>) -> Option<Fact> {
    let language = survey.language;
    let cpu = &survey.document.environment.first_host()?.cpu;
    let count = cpu.get("logical_cpus").map(|count| chapters::of_processors(language, count));
    let name = common::recorded(language, cpu.get("model")?).plain(count.unwrap_or_default());
    Some(Fact::new(environment::processor(language), name))
}

fn memory_fact(survey: &RunView<'_>) -> Option<Fact> {
    let bytes = survey.document.environment.first_host()?.memory_bytes;
    let language = survey.language;
    (bytes > 0).then(|| Fact::new(environment::memory(language), language.bytes(bytes)))
}

/// From the first beginning to the last end.
fn period(surveys: &[RunView<'_>]) -> Option<Fact> {
    let runs = || surveys.iter().map(|survey| &survey.document.run);
    let start = runs().map(|run| run.started_at.as_str()).min()?;
    let end = runs().map(|run| run.finished_at.as_str()).max()?;
    let language = surveys.first()?.language;
    Some(Fact::new(front::date(language), language.period(start, end)))
}

/// If no run began before another one had ended.
fn is_one_by_one(parts: &[Part<'_, '_>]) -> bool {
    let times = parts.iter().map(|part| {
        let run = &part.survey.document.run;
        (run.started_at.as_str(), run.finished_at.as_str())
    });
    let mut times: Vec<(&str, &str)> = times.collect();
    times.sort_unstable();
    times.windows(2).all(|pair| pair[0].1 <= pair[1].0)
}

/// The first page: what was found in each part, one table, and how far it goes.
fn first_page(parts: &[Part<'_, '_>], language: Language) -> Section {
    let most = (FINDINGS_MAX / parts.len().max(1)).max(1);
    let findings: Vec<Text> = parts.iter().flat_map(|part| findings(part, most)).collect();
    let mut blocks = Vec::new();
    if !findings.is_empty() {
        blocks.push(Block::List(findings));
    }
    let reached: Vec<Vec<Reached>> = parts.iter().map(reached).collect();
    let needed: Vec<usize> = reached.iter().map(Vec::len).collect();
    let rows = parts.iter().zip(reached).zip(allotted(&needed));
    let rows: Vec<Vec<TableCell>> =
        rows.flat_map(|((part, reached), most)| rows_of(part, reached, most)).collect();
    if !rows.is_empty() {
        let columns = [
            Column::words(chapters::part(language)),
            Column::words(chapters::what(language)),
            Column::numbers(chapters::result(language)),
            Column::words(chapters::unit(language)),
            Column::numbers("±"),
        ];
        let table = Table::plain(chapters::caption(language), columns).filled(rows);
        blocks.push(Block::Table(table));
    }
    for part in parts {
        let mut trust = statements::trust_in_short(part.survey);
        trust.prefix(&part.prefix);
        let own = processor::remark(part.survey);
        let own = own.or_else(|| users::bounded(part.survey).map(Text::from));
        let own = own.map(|text| Text::from(" ").join(text)).unwrap_or_default();
        blocks.push(Block::Remark(part.link().plain(": ").join(trust).join(own)));
    }
    let one_by_one = is_one_by_one(parts).then(|| chapters::one_by_one(language).to_owned());
    let remarks: Vec<String> = one_by_one.into_iter().chain(short(parts, language)).collect();
    if !remarks.is_empty() {
        blocks.push(Block::remark(remarks.join(" ")));
    }
    Section::new(summary::ID, crate::language::texts::summary::heading(language), blocks)
}

/// Loads of real systems that are measured for less than this, in seconds, are measured for a first impression.
const FIRST_IMPRESSION_S: f64 = 5.0;

/// Says that loads were measured briefly, if all of them were. Copies of programs have their own remark.
fn short(parts: &[Part<'_, '_>], language: Language) -> Option<String> {
    let real = parts.iter().filter(|part| !setup::targets_are(part.survey, TargetKind::Sim));
    let points: Vec<_> = real.flat_map(|part| &part.survey.document.points).collect();
    let loads = points.iter().filter(|point| point.load.unit != LoadUnit::Copies);
    let times: Vec<f64> = loads.map(|point| point.measured_s).collect();
    let said = match times.len() < points.len() {
        true => chapters::short_besides_programs,
        false => chapters::short,
    };
    let longest = times.iter().copied().reduce(f64::max)?;
    let shortest = times.into_iter().fold(longest, f64::min);
    let [least, most] = [shortest, longest].map(|seconds| {
        let tenths = (10.0 * seconds).round() / 10.0;
        language.written(&tenths.to_string())
    });
    let range = if least == most { most } else { common::range(language, &least, &most) };
    (longest < FIRST_IMPRESSION_S).then(|| said(language, &range))
}

/// The first page has this number of findings, as many of each part; more are for the chapters.
const FINDINGS_MAX: usize = 4;

/// What was found in a part, `most` at the most, behind the name of its chapter.
fn findings(part: &Part<'_, '_>, most: usize) -> Vec<Text> {
    let found = summary::findings(part.survey).into_iter().take(most);
    let told = found.map(|mut text| {
        text.prefix(&part.prefix);
        part.link().plain(": ").join(text)
    });
    told.collect()
}

/// The table of the first page has this number of rows at the most, and a few of each part in any case.
const ROWS_MAX: usize = 11;
const ROWS_OF_PART_MIN: usize = 2;

/// The number of rows that each part gets of those it needs: what there is room for, shared evenly.
fn allotted(needed: &[usize]) -> Vec<usize> {
    let mut given: Vec<usize> = needed.iter().map(|rows| (*rows).min(ROWS_OF_PART_MIN)).collect();
    let mut left = ROWS_MAX.saturating_sub(given.iter().sum());
    while left > 0 {
        let short = given.iter_mut().zip(needed).filter(|(given, needed)| **given < **needed);
        let Some((fewest, _)) = short.min_by_key(|(given, _)| **given) else { break };
        *fewest += 1;
        left -= 1;
    }
    given
}

/// What a part reaches.
fn reached(part: &Part<'_, '_>) -> Vec<Reached> {
    let mut reached = processor::reached(part.survey);
    if reached.is_empty() {
        reached = part.survey.series.iter().filter_map(scored).collect();
    }
    if reached.is_empty() {
        reached = users::reached(part.survey);
    }
    if reached.is_empty() {
        let place = summary::standings(part.survey);
        reached = place.iter().map(|standing| Reached::of(part.survey, standing)).collect();
    }
    reached
}

/// What a part reaches in `most` rows, under the name of its chapter; with more the last says how many.
fn rows_of(part: &Part<'_, '_>, reached: Vec<Reached>, most: usize) -> Vec<Vec<TableCell>> {
    let language = part.survey.language;
    let shown = if reached.len() > most { most.saturating_sub(1) } else { most };
    let more = reached.len().saturating_sub(shown);
    // Every row says what it is of: to a reader of the screen a row without a name is none.
    let name = || TableCell::new(part.title).tone(Tone::Muted);
    let mut rows: Vec<Vec<TableCell>> = Vec::new();
    for (index, one) in reached.into_iter().take(shown).enumerate() {
        rows.push(vec![
            if index == 0 { TableCell::new(part.link()) } else { name() },
            TableCell::new(one.what),
            TableCell::new(Text::new().strong(one.number)),
            TableCell::new(one.unit),
            TableCell::new(common::known(one.margin)),
        ]);
    }
    if more > 0 {
        let mut row = vec![TableCell::default(); 5];
        row[0] = name();
        row[1] = TableCell::new(chapters::more(language, &language.count(more)));
        rows.push(row);
    }
    rows
}

/// A row of the table.
pub(super) struct Reached {
    /// What reached it, and where.
    pub(super) what: String,
    /// The number with its sign.
    pub(super) number: String,
    pub(super) unit: String,
    /// Half of the interval in percent of the number.
    pub(super) margin: Option<String>,
}

impl Reached {
    fn of(survey: &RunView<'_>, standing: &Standing<'_, '_>) -> Self {
        let language = survey.language;
        let series = standing.series;
        let rule = series.first_rule().filter(|_| !summary::is_single_load(survey));
        let what = match rule {
            _ if summary::is_single_load(survey) => series.name.to_owned(),
            Some(rule) => {
                chapters::series_within(language, series.name, &common::within(language, rule))
            }
            None => chapters::series_peak(language, series.name),
        };
        let half = standing.margin.filter(|_| standing.value > 0.0);
        Self {
            what,
            number: standing.number(language),
            unit: series.judge.unit().to_owned(),
            margin: half.map(|half| language.percent(100.0 * half / standing.value)),
        }
    }
}

/// The score of a series of business operations, if it has one.
fn scored(series: &SeriesView<'_>) -> Option<Reached> {
    let language = series.language;
    let score = series.summaries.first()?.score?;
    let [from, to] = [score.from, score.to].map(|count| language.count_u64(count.into()));
    let range = key_figures::range(language, &from, &to);
    Some(Reached {
        what: chapters::score(language, series.name, &range),
        number: language.rate(score.rate),
        unit: series.judge.unit().to_owned(),
        margin: score
            .rate
            .ci95
            .filter(|_| score.rate.mean > 0.0)
            .map(|half| language.percent(100.0 * half / score.rate.mean)),
    })
}

#[cfg(test)]
mod tests {
    use super::allotted;

    #[test]
    fn rows_are_shared_evenly_and_each_part_has_some() {
        assert_eq!(allotted(&[4, 1, 5, 1]), [4, 1, 5, 1]);
        assert_eq!(allotted(&[4, 1, 14, 1]), [4, 1, 5, 1]);
        assert_eq!(allotted(&[9, 9]), [6, 5]);
        assert_eq!(allotted(&[9; 8]), [2; 8]);
        assert_eq!(allotted(&[0, 30]), [0, 11]);
    }
}
