//! Explains the terms of the field where a page uses them first, behind the sentence or the caption that does.

use crate::language::Language;
use crate::language::texts::{glossary, trust};
use crate::page::{Block, Inline, Page, Section, Table, Text};

/// What a page is about: words mean different things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    /// I/O on storage.
    Io,
    /// Operations of a server.
    Work,
}

/// A term as it is searched for.
struct Term {
    /// Words that use it, in small letters.
    uses: &'static [&'static str],
    name: &'static str,
    meaning: &'static str,
}

impl Term {
    const fn new(
        uses: &'static [&'static str],
        (name, meaning): (&'static str, &'static str),
    ) -> Self {
        Self { uses, name, meaning }
    }
}

/// The page with all of its terms explained once.
pub(crate) fn explained(mut page: Page, field: Field) -> Page {
    let mut glossary = Glossary::new(page.language, field);
    for fact in &mut page.facts {
        glossary.explain(&mut fact.value, &[&fact.name]);
    }
    for note in &mut page.notes {
        glossary.explain(&mut note.text, &[&note.title]);
    }
    page.sections.iter_mut().for_each(|section| glossary.section(section));
    page
}

/// The terms that were not explained yet.
struct Glossary {
    language: Language,
    field: Field,
    terms: Vec<Term>,
    /// False once a percentile was explained.
    percentile: bool,
}

impl Glossary {
    fn new(language: Language, field: Field) -> Self {
        let uses = |words: [&'static [&'static str]; 2]| language.choose(words);
        let mut terms = vec![
            Term::new(
                uses([&["series"], &["messreihe", "messreihen"]]),
                match field {
                    Field::Io => glossary::series(language),
                    Field::Work => glossary::series_of_work(language),
                },
            ),
            Term::new(uses([&["rule", "rules"], &["regel", "regeln"]]), glossary::rule(language)),
            Term::new(
                uses([
                    &["sustained", "sustain", "sustains"],
                    &["nutzbar", "nutzbare", "nutzbarer", "nutzbaren"],
                ]),
                glossary::sustained(language),
            ),
            Term::new(
                uses([&["plateau", "plateaus"], &["plateau", "plateaus"]]),
                glossary::plateau(language),
            ),
            Term::new(
                uses([
                    &["saturation knee", "saturation knees", "knee"],
                    &["sättigungspunkt", "sättigungspunkte", "sättigungspunkts"],
                ]),
                glossary::knee(language),
            ),
            Term::new(uses([&["time limit"], &["zeitgrenze"]]), glossary::time_limit(language)),
        ];
        if field == Field::Io {
            // Of processors a peak is one of flags, of users a stroke is one of a key.
            let peak = uses([&["peak"], &["spitze", "spitzendurchsatz"]]);
            terms.push(Term::new(peak, glossary::peak(language)));
            let stroke = uses([&["disk stroke", "stroke"], &["hub"]]);
            terms.push(Term::new(stroke, glossary::stroke(language)));
        }
        Self { language, field, terms, percentile: true }
    }

    fn section(&mut self, section: &mut Section) {
        section.blocks.iter_mut().for_each(|block| self.block(block));
        section.sections.iter_mut().for_each(|inner| self.section(inner));
    }

    fn block(&mut self, block: &mut Block) {
        match block {
            Block::Paragraph(text) | Block::Remark(text) => self.explain(text, &[]),
            Block::List(items) => items.iter_mut().for_each(|item| self.explain(item, &[])),
            Block::Facts(facts) => {
                for fact in facts {
                    self.explain(&mut fact.value, &[&fact.name]);
                }
            }
            Block::Table(table) => self.table(table),
            Block::Figures(figures) => {
                figures.iter_mut().for_each(|figure| self.explain(&mut figure.caption, &[]));
            }
            Block::Note(note) => self.explain(&mut note.text, &[&note.title]),
            Block::Strips(_) | Block::Listing(_) => {}
        }
    }

    /// Explains what a table uses in its caption, which stands before it. A table of meanings explains what its
    /// rows are named after.
    fn table(&mut self, table: &mut Table) {
        if table.columns().any(|column| column.title == trust::meaning(self.language)) {
            let names = table.rows.iter().filter_map(|row| row.first());
            let names: Vec<String> = names.map(|cell| cell.text.words().to_lowercase()).collect();
            self.terms.retain(|term| !names.iter().any(|name| term.uses.contains(&name.as_str())));
        }
        let groups = table.groups.iter().map(|group| group.title.clone());
        let heads = table.columns().map(|column| column.title.clone());
        let cells = table.rows.iter().flatten();
        let cells = cells.flat_map(|cell| [own_words(&cell.text), cell.detail.clone()]);
        let inside: Vec<String> = groups.chain(heads).chain(cells).collect();
        let inside: Vec<&str> = inside.iter().map(String::as_str).collect();
        self.explain(&mut table.caption, &inside);
    }

    /// A paragraph under the name of a term explains it at length.
    fn leave_out_what_is_defined(&mut self, text: &Text) {
        let Some(Inline::Strong(head)) = text.0.first() else { return };
        let head = head.to_lowercase();
        if head.trim_end().ends_with('.') {
            self.terms.retain(|term| !term.uses.iter().any(|form| has_word(&head, form)));
            self.percentile &= !is_of_percentiles(&head);
        }
    }

    /// Puts the explanation of each new term that a text or what belongs to it uses behind the text.
    fn explain(&mut self, text: &mut Text, others: &[&str]) {
        self.leave_out_what_is_defined(text);
        let own = own_words(text);
        let words: Vec<String> = [own.as_str()]
            .iter()
            .chain(others)
            .map(|words| words.replace('\u{a0}', " ").to_lowercase())
            .collect();
        let is_used = |term: &Term| {
            term.uses.iter().any(|form| words.iter().any(|words| has_word(words, form)))
        };
        let all = std::mem::take(&mut self.terms).into_iter();
        let (used, rest): (Vec<Term>, Vec<Term>) = all.partition(is_used);
        self.terms = rest;
        let mut found: Vec<(String, String)> =
            used.into_iter().map(|term| (term.name.to_owned(), term.meaning.to_owned())).collect();
        if let Some(name) =
            words.iter().find_map(|words| percentile(words)).filter(|_| self.percentile)
        {
            self.percentile = false;
            let share = name.trim_start_matches('p').replace(',', ".");
            let share = self.language.written(&format!("{share}%"));
            let meaning = match self.field {
                Field::Io => glossary::percentile(self.language, &share),
                Field::Work => glossary::percentile_of_work(self.language, &share),
            };
            found.push((name, meaning));
        }
        if found.is_empty() {
            return;
        }
        let whole = text.words();
        if !whole.is_empty() && !whole.trim_end().ends_with(['.', '!', '?', ':']) {
            text.0.push(Inline::Plain(".".to_owned()));
        }
        for (term, meaning) in found {
            text.0.push(Inline::Definition { term, meaning });
        }
    }
}

/// If a head names percentiles.
fn is_of_percentiles(head: &str) -> bool {
    ["percentile", "perzentil"].iter().any(|word| head.starts_with(word))
}

/// The words of a text but for names: those of series have their settings in them.
fn own_words(text: &Text) -> String {
    let words = |inline: &Inline| match inline {
        Inline::Plain(words) | Inline::Strong(words) => words.clone(),
        Inline::Code(_) | Inline::English(_) | Inline::Link { .. } | Inline::Definition { .. } => {
            " ".to_owned()
        }
    };
    text.0.iter().map(words).collect()
}

/// If a text has these words, and not as a part of longer ones.
fn has_word(text: &str, words: &str) -> bool {
    let is_end = |letter: Option<char>| {
        letter.is_none_or(|letter| !letter.is_alphanumeric() && !"-_=/".contains(letter))
    };
    text.match_indices(words).any(|(at, _)| {
        is_end(text[..at].chars().next_back()) && is_end(text[at + words.len()..].chars().next())
    })
}

/// The first percentile that a text names: `p99.9`.
fn percentile(text: &str) -> Option<String> {
    let mut words = text.split(|letter: char| !letter.is_alphanumeric() && !".,".contains(letter));
    let found = words.find(|word| {
        let digits = word.trim_end_matches(['.', ',']).strip_prefix('p');
        digits.is_some_and(|digits| {
            digits.starts_with(|first: char| first.is_ascii_digit())
                && digits.chars().all(|letter| letter.is_ascii_digit() || ".,".contains(letter))
        })
    });
    found.map(|word| word.trim_end_matches(['.', ',']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_words_and_no_parts_of_words() {
        assert!(has_word("a series of 3", "series"));
        assert!(!has_word("restore [stroke=8%]", "stroke"));
        assert!(!has_word("keystroke", "stroke"));
        assert_eq!(percentile("p99 within 1 ms").as_deref(), Some("p99"));
        assert_eq!(percentile("die p99,9.").as_deref(), Some("p99,9"));
        assert_eq!(percentile("pages, psync, p, 99"), None);
    }

    fn explained_words(sentences: &[&str], language: Language) -> Vec<String> {
        let mut glossary = Glossary::new(language, Field::Io);
        let mut texts: Vec<Text> = sentences.iter().map(|words| Text::from(*words)).collect();
        texts.iter_mut().for_each(|text| glossary.explain(text, &[]));
        texts.iter().map(Text::words).collect()
    }

    #[test]
    fn a_term_is_explained_where_it_is_used_first_and_nowhere_else() {
        let told = explained_words(
            &["Nothing.", "A plateau in IO/s", "Another plateau.", "p99.9 is 3"],
            Language::English,
        );
        assert_eq!(
            told,
            [
                "Nothing.",
                "A plateau in IO/s. Plateau: more load adds no throughput.",
                "Another plateau.",
                "p99.9 is 3. p99.9: 99.9\u{a0}% of the I/Os were at least as fast.",
            ]
        );
        let told = explained_words(&["Die Messreihen.", "p99,9"], Language::German);
        assert!(told[0].starts_with("Die Messreihen. Messreihe: ein Lastprofil "), "{told:?}");
        assert_eq!(told[1], "p99,9. p99,9: 99,9\u{a0}% der I/Os waren mindestens so schnell.");
    }
}
