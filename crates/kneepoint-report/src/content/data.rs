//! The appendix of complete data: every measurement of every series.

use super::points;
use super::survey::RunView;
use crate::language::texts;
use crate::page::{Block, Section};

/// Id of the appendix.
pub(super) const ID: &str = "data";

/// The appendix, where anything was measured.
pub(super) fn section(survey: &RunView<'_>) -> Option<Section> {
    if survey.document.points.is_empty() {
        return None;
    }
    let mut section = Section::new(
        ID,
        texts::data::heading(survey.language),
        vec![Block::paragraph(texts::data::intro(survey.language))],
    );
    for series in survey.series.iter().filter(|series| !series.points.is_empty()) {
        let id = format!("{ID}-{}", series.id);
        section.sections.push(Section::new(id, series.name, points::complete(series)));
    }
    Some(section)
}
