//! Long tables, which are looked up and not read, and the ends of long lists: they go into an appendix.

use crate::language::Language;
use crate::language::texts::series;
use crate::page::{Block, Fold, Section, Text};

/// A table with more rows than these is moved.
const ROWS_MAX: usize = 20;

/// Of a list with more items than these ...
const ITEMS_MAX: usize = 10;
/// ... these are left.
const ITEMS_LEFT: usize = 7;

/// Id of the appendix.
const ID: &str = "tables";

/// Takes what is long out of what is read, and leaves word where it is; the appendix with it, if there is any.
pub(super) fn long_tables(sections: &mut [Section], language: Language) -> Option<Section> {
    let mut appendix = Section::new(ID, series::tables_heading(language), Vec::new());
    for section in sections.iter_mut().filter(|section| section.fold == Fold::Open) {
        take(section, language, &mut appendix.blocks);
    }
    (!appendix.blocks.is_empty()).then_some(appendix)
}

fn take(section: &mut Section, language: Language, taken: &mut Vec<Block>) {
    let mut blocks = Vec::new();
    for mut block in std::mem::take(&mut section.blocks) {
        let word = match &mut block {
            Block::Table(table) if table.rows.len() > ROWS_MAX => {
                let rows = language.count(table.rows.len());
                let word = series::long_table(language, (&table.caption.words(), &rows), ID);
                taken.push(std::mem::replace(&mut block, Block::Remark(word)));
                None
            }
            Block::List(items) if items.len() > ITEMS_MAX => {
                let rest = items.split_off(ITEMS_LEFT);
                let word = series::long_list(language, &language.count(rest.len()), ID);
                let title = Text::new().strong(format!("{}:", section.title));
                taken.extend([Block::Paragraph(title), Block::List(rest)]);
                Some(Block::Remark(word))
            }
            _ => None,
        };
        blocks.push(block);
        blocks.extend(word);
    }
    section.blocks = blocks;
    section.sections.iter_mut().for_each(|inner| take(inner, language, taken));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Column, Table, TableCell};

    fn section(rows: usize) -> Section {
        let table = Table::plain("Numbers, in IO/s", [Column::words("Series")]);
        let table = table.filled((0..rows).map(|row| vec![TableCell::new(row.to_string())]));
        Section::new("a", "A", vec![Block::Table(table)])
    }

    #[test]
    fn a_long_table_is_in_the_appendix_and_a_short_one_is_not() {
        let mut sections = [section(ROWS_MAX)];
        assert_eq!(long_tables(&mut sections, Language::English), None);
        let mut sections = [section(ROWS_MAX + 1), section(99).folded()];
        let appendix = long_tables(&mut sections, Language::English).unwrap();
        assert_eq!(appendix.blocks.len(), 1);
        let Block::Remark(word) = &sections[0].blocks[0] else { panic!("{sections:?}") };
        let said = "Numbers, in IO/s: a table of 21 rows, in the appendix Long tables and lists.";
        assert_eq!(word.words().replace('\u{a0}', " "), said);
        assert!(matches!(sections[1].blocks[0], Block::Table(_)));
    }

    #[test]
    fn the_end_of_a_long_list_is_in_the_appendix() {
        let list = |count: usize| {
            let items = (0..count).map(|item| Text::from(item.to_string())).collect();
            [Section::new("a", "Findings", vec![Block::List(items)])]
        };
        assert_eq!(long_tables(&mut list(ITEMS_MAX), Language::English), None);
        let mut sections = list(ITEMS_MAX + 1);
        let appendix = long_tables(&mut sections, Language::English).unwrap();
        let Block::List(left) = &sections[0].blocks[0] else { panic!("{sections:?}") };
        let Block::List(rest) = &appendix.blocks[1] else { panic!("{appendix:?}") };
        assert_eq!((left.len(), rest.len()), (ITEMS_LEFT, ITEMS_MAX + 1 - ITEMS_LEFT));
        let Block::Remark(word) = &sections[0].blocks[1] else { panic!("{sections:?}") };
        assert_eq!(word.words(), "4 more are in the appendix Long tables and lists.");
    }
}
