//! The page: what a report says, as blocks that any format can render.

mod text;

pub use text::{Inline, Text};

use super::figure::Drawing;
use super::language::Language;

/// A whole report.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The language that it is written in.
    pub language: Language,
    /// The kind of document, above the title.
    pub kind: String,
    /// The title.
    pub title: String,
    /// When what it reports on began, in RFC 3339; may be empty.
    pub date: String,
    /// Whether it tells of what was measured, and how near a model comes to it; beside the kind.
    pub badge: Option<Note>,
    /// A word on the numbers that stands on every figure, table and printed page of them: `simulated`;
    /// may be empty.
    pub stamp: String,
    /// Facts below the title: targets, date, run, version.
    pub facts: Vec<Fact>,
    /// Notes that the reader must see before anything else.
    pub notes: Vec<Note>,
    /// After how many of the chapters the list of contents stands.
    pub contents_after: usize,
    /// The chapters.
    pub sections: Vec<Section>,
}

impl Page {
    /// The numbered figures in reading order.
    pub fn figures(&self) -> Vec<&Figure> {
        fn visit<'p>(section: &'p Section, found: &mut Vec<&'p Figure>) {
            for block in &section.blocks {
                if let Block::Figures(figures) = block {
                    found.extend(figures);
                }
            }
            section.sections.iter().for_each(|inner| visit(inner, found));
        }
        let mut found = Vec::new();
        self.sections.iter().for_each(|section| visit(section, &mut found));
        found
    }

    /// The page with as much as this shows. Links to what is left out become words.
    #[must_use]
    pub fn at(mut self, detail: Detail) -> Self {
        match detail {
            Detail::Standard => return self,
            Detail::Full => self.sections.iter_mut().for_each(Section::open),
            Detail::Summary => {
                let first = self.contents_after;
                let mut index = 0..;
                self.sections.retain(|section| {
                    index.next().is_some_and(|index| index < first) || section.id == TRUST
                });
                self.contents_after = usize::MAX;
            }
        }
        let mut ids = Vec::new();
        self.sections.iter().for_each(|section| section.ids(&mut ids));
        let mut unlink = |block: &mut Block| block.each_text(&mut |text| text.unlink(&ids));
        self.sections.iter_mut().for_each(|section| section.each_block(&mut unlink));
        self.numbered()
    }

    /// Puts the page's stamp on all figures and tables of results, and numbers them.
    pub(crate) fn stamped(mut self) -> Self {
        for section in &mut self.sections {
            if !WITHOUT_NUMBERS.contains(&section.id.as_str()) {
                section.stamp(&self.stamp);
            }
        }
        self.numbered()
    }

    /// Numbers figures and tables in reading order, each from 1.
    pub(crate) fn numbered(mut self) -> Self {
        let (mut figures, mut tables) = (1.., 1..);
        for section in &mut self.sections {
            section.each_block(&mut |block: &mut Block| match block {
                Block::Table(table) => table.number = tables.next().unwrap_or_default(),
                Block::Figures(all) => {
                    for (one, number) in all.iter_mut().zip(&mut figures) {
                        one.number = number;
                    }
                }
                _ => {}
            });
        }
        self
    }
}

kneepoint_core::named! {
    /// How much of a page is shown.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
    pub enum Detail {
        /// The first page, and how far it can be trusted.
        Summary = "summary",
        /// Everything; details are folded, and an appendix on paper.
        #[default]
        Standard = "standard",
        /// Everything, with all of it open.
        Full = "full",
    }
}

/// Ids of chapters whose tables hold no results.
const WITHOUT_NUMBERS: [&str; 5] = ["method", "profiles", "environment", TRUST, "reproduction"];

/// The name of a figure or table: `Figure 3`, `Table 1 (simulated)`.
pub(crate) fn numbered_name(kind: &str, number: usize, stamp: &str) -> String {
    match stamp {
        "" => format!("{kind} {number}"),
        stamp => format!("{kind} {number} ({stamp})"),
    }
}

/// Id of the chapter on trust, which every page has that reports on a run.
pub(crate) const TRUST: &str = "trust";

/// A chapter or a part of one.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Unique within the page; letters, digits and hyphens.
    pub id: String,
    /// The heading.
    pub title: String,
    /// The content before the first inner section.
    pub blocks: Vec<Block>,
    /// Inner sections.
    pub sections: Vec<Self>,
    /// Shown at once, or only on request; on paper what is folded is an appendix.
    pub fold: Fold,
}

impl Section {
    /// A section without inner ones.
    pub fn new(id: impl Into<String>, title: impl Into<String>, blocks: Vec<Block>) -> Self {
        let (id, title) = (id.into(), title.into());
        Self { id, title, blocks, sections: Vec::new(), fold: Fold::Open }
    }

    /// The section, shown on request only.
    #[must_use]
    pub fn folded(self) -> Self {
        Self { fold: Fold::Folded, ..self }
    }

    /// Shows the section with all that is in it at once.
    fn open(&mut self) {
        self.fold = Fold::Open;
        self.sections.iter_mut().for_each(Self::open);
        self.each_block(&mut |block| {
            if let Block::Listing(listing) = block {
                listing.fold = Fold::Open;
            }
        });
    }

    /// Puts a stamp on all figures and tables.
    pub(crate) fn stamp(&mut self, stamp: &str) {
        self.each_block(&mut |block: &mut Block| match block {
            Block::Table(table) => stamp.clone_into(&mut table.stamp),
            Block::Figures(all) => {
                all.iter_mut().for_each(|one| stamp.clone_into(&mut one.stamp));
            }
            _ => {}
        });
    }

    /// Puts `prefix` before the section's ids and before those that its links lead to.
    pub(crate) fn prefix(&mut self, prefix: &str) {
        self.prefix_ids(prefix);
        self.each_block(&mut |block: &mut Block| {
            block.each_text(&mut |text| text.prefix(prefix));
            if let Block::Table(table) = block {
                let anchors = table.rows.iter_mut().flatten().map(|cell| &mut cell.anchor);
                anchors.filter(|id| !id.is_empty()).for_each(|id| id.insert_str(0, prefix));
            }
        });
    }

    fn prefix_ids(&mut self, prefix: &str) {
        self.id.insert_str(0, prefix);
        self.sections.iter_mut().for_each(|inner| inner.prefix_ids(prefix));
    }

    /// Adds the ids that links can lead to.
    fn ids(&self, ids: &mut Vec<String>) {
        ids.push(self.id.clone());
        for block in &self.blocks {
            if let Block::Table(table) = block {
                let cells = table.rows.iter().flatten();
                ids.extend(cells.map(|cell| cell.anchor.clone()).filter(|id| !id.is_empty()));
            }
        }
        self.sections.iter().for_each(|inner| inner.ids(ids));
    }

    /// Visits the blocks, those of inner sections included, in reading order.
    fn each_block(&mut self, visit: &mut dyn FnMut(&mut Block)) {
        self.blocks.iter_mut().for_each(&mut *visit);
        self.sections.iter_mut().for_each(|inner| inner.each_block(visit));
    }
}

/// A piece of content.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// Running text.
    Paragraph(Text),
    /// Remarks on the block before, in small print.
    Remark(Text),
    /// An unordered list.
    List(Vec<Text>),
    /// Names and their values.
    Facts(Vec<Fact>),
    /// A table.
    Table(Table),
    /// Figures that belong together.
    Figures(Vec<Figure>),
    /// Small strips that belong together, without numbers of their own.
    Strips(Vec<Figure>),
    /// A remark that must not be overlooked.
    Note(Note),
    /// Text in which every character counts.
    Listing(Listing),
}

impl Block {
    /// A paragraph.
    pub fn paragraph(text: impl Into<Text>) -> Self {
        Self::Paragraph(text.into())
    }

    /// A remark on the block before.
    pub fn remark(text: impl Into<Text>) -> Self {
        Self::Remark(text.into())
    }

    /// Text in which every character counts.
    pub(crate) fn listing(title: &str, text: impl Into<String>, fold: Fold) -> Self {
        Self::Listing(Listing { title: title.to_owned(), text: text.into(), fold })
    }

    /// A titled list; nothing if it has no items.
    pub(crate) fn titled_list(title: &str, items: Vec<Text>) -> Vec<Self> {
        match items.is_empty() {
            true => Vec::new(),
            false => {
                vec![Self::Paragraph(Text::new().strong(format!("{title}:"))), Self::List(items)]
            }
        }
    }

    /// Visits all running text.
    fn each_text(&mut self, visit: &mut dyn FnMut(&mut Text)) {
        match self {
            Self::Paragraph(text) | Self::Remark(text) => visit(text),
            Self::List(items) => items.iter_mut().for_each(visit),
            Self::Facts(facts) => facts.iter_mut().for_each(|fact| visit(&mut fact.value)),
            Self::Table(table) => {
                visit(&mut table.caption);
                table.rows.iter_mut().flatten().for_each(|cell| visit(&mut cell.text));
            }
            Self::Figures(figures) | Self::Strips(figures) => {
                figures.iter_mut().for_each(|figure| visit(&mut figure.caption));
            }
            Self::Note(note) => visit(&mut note.text),
            Self::Listing(_) => {}
        }
    }

    /// Figures that belong together; nothing without any.
    pub(crate) fn figures(figures: Vec<Figure>) -> Option<Self> {
        (!figures.is_empty()).then_some(Self::Figures(figures))
    }
}

/// A name and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Text,
}

impl Fact {
    /// A fact in plain words.
    pub fn new(name: impl Into<String>, value: impl Into<Text>) -> Self {
        Self { name: name.into(), value: value.into() }
    }
}

/// A figure with its caption.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Number within the page; 0 until the page is numbered.
    pub number: usize,
    /// A word on its numbers behind its own: `simulated`; empty until the page is numbered.
    pub stamp: String,
    /// The caption.
    pub caption: Text,
    /// The figure itself.
    pub drawing: Drawing,
}

impl Figure {
    /// A figure that has no number yet.
    pub fn new(caption: impl Into<Text>, drawing: Drawing) -> Self {
        Self { number: 0, stamp: String::new(), caption: caption.into(), drawing }
    }

    /// Name of a file that holds the figure, without its ending: `figure-01-throughput-of`. A strip
    /// has no number and is named after what it shows.
    pub fn stem(&self) -> String {
        if self.number == 0 {
            return slug(self.drawing.title());
        }
        let words = slug(&self.caption.words());
        let end = words.char_indices().nth(STEM_WORDS_MAX).map_or(words.len(), |(end, _)| end);
        let whole = words[..end].rfind('-').filter(|_| end < words.len()).unwrap_or(end);
        format!("figure-{:02}-{}", self.number, &words[..whole]).trim_end_matches('-').to_owned()
    }
}

/// At most this many letters of a caption go into the name of its file.
const STEM_WORDS_MAX: usize = 48;

/// A remark that must not be overlooked.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// How bad it is.
    pub tone: Tone,
    /// The gist in a few words.
    pub title: String,
    /// The rest.
    pub text: Text,
}

impl Note {
    /// A note of this tone.
    pub fn new(tone: Tone, title: impl Into<String>, text: impl Into<Text>) -> Self {
        Self { tone, title: title.into(), text: text.into() }
    }
}

/// The colour of something; the words must do without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tone {
    /// Ordinary.
    #[default]
    Plain,
    /// Of little weight.
    Muted,
    /// As it should be.
    Good,
    /// To be read with a reservation.
    Caution,
    /// Not to be relied on.
    Bad,
}

/// Text in which every character counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// Its title.
    pub title: String,
    /// The text.
    pub text: String,
    /// Shown at once, or only on request.
    pub fold: Fold,
}

/// The visibility of content at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    /// Visible at once.
    Open,
    /// Visible when asked for; left out in print.
    Folded,
}

/// A name as an id: lower-case letters, digits and hyphens.
pub(crate) fn slug(name: &str) -> String {
    let mut slug = String::new();
    for character in name.chars() {
        match character {
            c if c.is_ascii_alphanumeric() => slug.push(c.to_ascii_lowercase()),
            'ä' | 'Ä' => slug.push_str("ae"),
            'ö' | 'Ö' => slug.push_str("oe"),
            'ü' | 'Ü' => slug.push_str("ue"),
            'ß' => slug.push_str("ss"),
            _ if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            _ => {}
        }
    }
    slug.truncate(60);
    slug.trim_end_matches('-').to_owned()
}

/// The id of the section at `index` among those of a kind: `series-3-database-8kib`.
pub(crate) fn numbered_id(kind: &str, index: usize, name: &str) -> String {
    format!("{kind}-{}-{}", index + 1, slug(name)).trim_end_matches('-').to_owned()
}

/// A table with a head that may have two rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Number within the page; 0 until the page is numbered.
    pub number: usize,
    /// A word on its numbers behind its own: `simulated`; empty until the page is numbered.
    pub stamp: String,
    /// The caption.
    pub caption: Text,
    /// Columns in groups; a group without a title has no upper head.
    pub groups: Vec<ColumnGroup>,
    /// The rows; each has a cell for every column. The first cell names the row.
    pub rows: Vec<Vec<TableCell>>,
}

impl Table {
    /// An empty table that has no number yet.
    pub fn new(caption: impl Into<Text>, groups: impl IntoIterator<Item = ColumnGroup>) -> Self {
        let groups = groups.into_iter().collect();
        let (stamp, rows) = (String::new(), Vec::new());
        Self { number: 0, stamp, caption: caption.into(), groups, rows }
    }

    /// An empty table of columns without upper heads.
    pub fn plain(caption: impl Into<Text>, columns: impl IntoIterator<Item = Column>) -> Self {
        Self::new(caption, [ColumnGroup::new("", columns)])
    }

    /// The table with these rows.
    #[must_use]
    pub fn filled(mut self, rows: impl IntoIterator<Item = Vec<TableCell>>) -> Self {
        rows.into_iter().for_each(|cells| self.push(cells));
        self
    }

    /// All columns from left to right.
    pub fn columns(&self) -> impl Iterator<Item = &Column> {
        self.groups.iter().flat_map(|group| &group.columns)
    }

    /// Adds a row.
    pub fn push(&mut self, cells: Vec<TableCell>) {
        debug_assert_eq!(cells.len(), self.columns().count(), "a cell for every column");
        self.rows.push(cells);
    }
}

/// Neighbouring columns under a common head.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnGroup {
    /// The common head; may be empty.
    pub title: String,
    /// The columns.
    pub columns: Vec<Column>,
}

impl ColumnGroup {
    /// A group of columns.
    pub fn new(title: impl Into<String>, columns: impl IntoIterator<Item = Column>) -> Self {
        Self { title: title.into(), columns: columns.into_iter().collect() }
    }
}

impl From<Column> for ColumnGroup {
    fn from(column: Column) -> Self {
        Self::new("", [column])
    }
}

/// One column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its head.
    pub title: String,
    /// On which side the cells line up.
    pub align: CellAlign,
}

impl Column {
    /// A column of words.
    pub fn words(title: impl Into<String>) -> Self {
        Self { title: title.into(), align: CellAlign::Start }
    }

    /// A column of numbers.
    pub fn numbers(title: impl Into<String>) -> Self {
        Self { title: title.into(), align: CellAlign::End }
    }
}

/// On which side cells line up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellAlign {
    /// Where lines start: words.
    Start,
    /// Where lines end: numbers.
    End,
}

/// One cell.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TableCell {
    /// The content.
    pub text: Text,
    /// A second line in small print; may be empty.
    pub detail: String,
    /// Its colour.
    pub tone: Tone,
    /// Length of a bar behind the text, as a share of the longest, from 0 to 1.
    pub bar: Option<f64>,
    /// Id by which links lead to its row; empty if none does.
    pub anchor: String,
}

impl TableCell {
    /// A cell.
    pub fn new(text: impl Into<Text>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Adds a second line in small print.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    /// Adds a bar, as a share of the longest.
    #[must_use]
    pub const fn bar(mut self, share: f64) -> Self {
        self.bar = Some(share.clamp(0.0, 1.0));
        self
    }

    /// Makes links to this id lead to the cell.
    #[must_use]
    pub fn anchor(mut self, id: impl Into<String>) -> Self {
        self.anchor = id.into();
        self
    }

    /// Gives the cell a colour.
    #[must_use]
    pub const fn tone(mut self, tone: Tone) -> Self {
        self.tone = tone;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn names_become_ids() {
        assert_eq!(slug("database/8KiB"), "database-8kib");
        assert_eq!(slug("<script>"), "script");
        assert_eq!(slug("Durchsatz über Last"), "durchsatz-ueber-last");
        assert_eq!(slug("§"), "");
    }
}
