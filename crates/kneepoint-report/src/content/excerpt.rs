//! The report on a run as a chapter of a longer one: what of it is read, and what is looked up.

use super::{key_figures, summary, users};
use crate::language::Language;
use crate::language::texts::{chapters, common};
use crate::page::{Block, Fold, Section, TRUST, Text};

/// Behind the id of a section, that of its rest.
const REST: &str = "-rest";

/// The sections of a run in two parts. No block is in both, and none is lost but the table of the first page, whose
/// numbers the key figures have.
#[derive(Debug, Default)]
pub(super) struct Excerpt {
    /// The first page, which leads.
    pub(super) lead: Vec<Block>,
    /// What else is read.
    pub(super) read: Vec<Section>,
    /// What is looked up, in the order of the run's own report.
    pub(super) looked_up: Vec<Section>,
}

impl Excerpt {
    /// Of a page's sections the first page, tables of key figures, what users do, and reservations are read.
    pub(super) fn of(sections: Vec<Section>, language: Language) -> Self {
        let mut excerpt = Self::default();
        for section in sections {
            match section.id.as_str() {
                summary::ID => excerpt.lead = section.blocks,
                key_figures::ID => {
                    let end = end_of_tables(&section.blocks);
                    excerpt.divide(section, |index, _| index < end);
                }
                TRUST => excerpt.trust(section, language),
                users::ID => excerpt.read.insert(0, section),
                _ => excerpt.looked_up.push(Section { fold: Fold::Open, ..section }),
            }
        }
        excerpt.without_repeats();
        excerpt
    }

    /// Reads the blocks that are chosen by their index; the rest of the section is looked up.
    fn divide(&mut self, section: Section, is_read: impl Fn(usize, &Block) -> bool) {
        let (id, title) = (section.id, section.title);
        let all = section.blocks.into_iter().enumerate();
        let (read, rest): (Vec<_>, Vec<_>) = all.partition(|(index, block)| is_read(*index, block));
        let [read, rest]: [Vec<Block>; 2] =
            [read, rest].map(|part| part.into_iter().map(|(_, block)| block).collect());
        let rest_id = if read.is_empty() { id.clone() } else { format!("{id}{REST}") };
        if !rest.is_empty() {
            self.looked_up.push(Section::new(rest_id, title.clone(), rest));
        }
        if !read.is_empty() {
            self.read.push(Section::new(id, title, read));
        }
    }

    /// Reservations, and warnings on the whole run, are read. Tables of points, and that there is nothing of a kind,
    /// are looked up: the first page counts them.
    fn trust(&mut self, section: Section, language: Language) {
        let none = format!(": {}.", common::none(language));
        self.divide(section, |_, block| match block {
            Block::Table(_) | Block::Remark(_) => false,
            Block::Paragraph(text) => !text.words().ends_with(&none),
            _ => true,
        });
        let is_divided = self.looked_up.last().is_some_and(|last| last.id.ends_with(REST));
        if let (true, Some(read)) = (is_divided, self.read.last_mut().filter(|one| one.id == TRUST))
        {
            let rest = format!("{TRUST}{REST}");
            read.blocks.push(Block::Remark(chapters::verdicts(language, &rest)));
        }
    }

    /// A chapter tells nothing twice: what leads is not told again, and where users have figures there is none of
    /// their throughput.
    fn without_repeats(&mut self) {
        let has_table = |section: &Section| section.blocks.iter().any(is_table);
        let has_key_figures =
            self.read.iter().any(|section| section.id == key_figures::ID && has_table(section));
        let has_users = self.read.iter().any(|section| section.id == users::ID);
        self.lead.retain(|block| match block {
            Block::Table(_) => !has_key_figures,
            Block::Figures(_) => !has_users,
            _ => true,
        });
        let told: Vec<String> = self.lead.iter().flat_map(items).map(Text::words).collect();
        for section in &mut self.read {
            for block in &mut section.blocks {
                if let Block::List(items) = block {
                    items.retain(|item| !told.contains(&item.words()));
                }
            }
            section.blocks.retain(|block| !matches!(block, Block::List(items) if items.is_empty()));
        }
    }
}

const fn is_table(block: &Block) -> bool {
    matches!(block, Block::Table(_))
}

fn items(block: &Block) -> &[Text] {
    match block {
        Block::List(items) => items,
        _ => &[],
    }
}

/// Where the tables of key figures end, with the remarks on them: figures behind them show the same numbers. Without
/// a table, how it is read is of no use.
fn end_of_tables(blocks: &[Block]) -> usize {
    let is_remark = |block: &Block| matches!(block, Block::Remark(_));
    let Some(last) = blocks.iter().rposition(is_table) else {
        return blocks.iter().position(is_remark).unwrap_or(blocks.len());
    };
    let behind = blocks[last + 1..].iter().take_while(|block| is_remark(block));
    last + 1 + behind.count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Column, Figure, Table};

    fn section(id: &str, blocks: Vec<Block>) -> Section {
        Section::new(id, id, blocks)
    }

    fn table() -> Block {
        Block::Table(Table::plain("Numbers", [Column::words("Series")]))
    }

    fn figures() -> Block {
        Block::Figures(Vec::<Figure>::new())
    }

    fn list(items: &[&str]) -> Block {
        Block::List(items.iter().map(|item| Text::from(*item)).collect())
    }

    fn excerpt(sections: Vec<Section>) -> Excerpt {
        Excerpt::of(sections, Language::English)
    }

    fn ids(sections: &[Section]) -> Vec<&str> {
        sections.iter().map(|section| section.id.as_str()).collect()
    }

    #[test]
    fn figures_of_key_figures_are_looked_up_and_tables_are_read() {
        let blocks = vec![Block::paragraph("Score."), table(), Block::remark("±"), figures()];
        let all = excerpt(vec![
            section(summary::ID, vec![list(&["Found."]), figures(), table()]),
            section(key_figures::ID, blocks),
            section("results", vec![figures()]),
        ]);
        assert_eq!(all.lead, [list(&["Found."]), figures()], "its table is that of key figures");
        assert_eq!(ids(&all.read), ["key-figures"]);
        assert_eq!(all.read[0].blocks.len(), 3);
        assert_eq!(ids(&all.looked_up), ["key-figures-rest", "results"]);
    }

    #[test]
    fn without_a_table_of_key_figures_that_of_the_first_page_stays() {
        let blocks = vec![figures(), Block::remark("A table, in the appendix."), figures()];
        let all =
            excerpt(vec![section(summary::ID, vec![table()]), section(key_figures::ID, blocks)]);
        assert_eq!(all.lead, [table()]);
        assert_eq!((all.read[0].blocks.len(), all.looked_up[0].blocks.len()), (1, 2));
    }

    #[test]
    fn warnings_are_read_and_verdicts_are_looked_up() {
        let none = Block::paragraph("Warnings on points: none.");
        let warned = [Block::paragraph("Warnings:"), list(&["write cache on"])];
        let blocks = [&[table()], &warned[..], std::slice::from_ref(&none)].concat();
        let all = excerpt(vec![section(TRUST, blocks)]);
        assert_eq!(all.read[0].blocks[..2], warned);
        assert_eq!(all.read[0].blocks.len(), 3, "and where the verdicts are");
        assert_eq!(all.looked_up, [section_of_rest(vec![table(), none.clone()])]);
        let all = excerpt(vec![section(TRUST, vec![table(), none])]);
        assert!(all.read.is_empty());
        assert_eq!(ids(&all.looked_up), [TRUST], "links lead to it");
    }

    fn section_of_rest(blocks: Vec<Block>) -> Section {
        Section::new("trust-rest", TRUST, blocks)
    }

    #[test]
    fn what_leads_is_not_told_again() {
        let all = excerpt(vec![
            section(summary::ID, vec![list(&["Up to 20."]), figures()]),
            section(users::ID, vec![list(&["Up to 20.", "More."]), figures()]),
        ]);
        assert_eq!(all.lead, [list(&["Up to 20."])]);
        assert_eq!(all.read[0].blocks, [list(&["More."]), figures()]);
        let all = excerpt(vec![
            section(summary::ID, vec![list(&["Up to 20."])]),
            section(users::ID, vec![list(&["Up to 20."]), table()]),
        ]);
        assert_eq!(all.read[0].blocks, [table()]);
    }
}
