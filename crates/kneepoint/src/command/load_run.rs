//! A run from the store, with its analysis.

use std::path::Path;

use kneepoint_core::result::{RunAnalysis, RunDocument};
use kneepoint_store::{Access, RunName, Store};

/// Loads the run that `name` means.
pub(super) fn load(store: &Path, name: &str) -> anyhow::Result<RunDocument> {
    let store = Store::open(store, Access::ReadOnly)?;
    let name: RunName = name.parse()?;
    let overview = store.find(&name)?;
    analysed(store.load(&overview.id)?)
}

/// A run with its analysis.
pub(super) fn analysed(mut document: RunDocument) -> anyhow::Result<RunDocument> {
    let (points, copies) = (&document.points, &document.copies);
    document.analysis = RunAnalysis::of(points, copies, &document.plan)?;
    Ok(document)
}
