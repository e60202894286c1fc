//! What `kneepoint plan` says of the file copy.

use std::path::Path;

use kneepoint_core::spec::file_copy::FileCopy;
use kneepoint_core::words::number::RoundedBytes;
use kneepoint_device::file_copy::{SourceWork, source_work};

use crate::work::Prepared;

/// What is copied, how, where, and what that writes; empty where nothing is copied.
pub(super) fn copies_text(prepared: &Prepared) -> String {
    let plan = &prepared.plan;
    let Some(copy) = &plan.file_copy else { return String::new() };
    let mut text = kinds_text(copy);
    for (target, real) in plan.targets.iter().zip(prepared.place.real_targets()) {
        if target.takes_copies() {
            let path = real.ground();
            let work = source_work(&path, copy.set, plan.seed);
            text.push_str(&place_text(&path, copy, work));
        }
    }
    text
}

fn kinds_text(copy: &FileCopy) -> String {
    let methods: Vec<&str> = copy.methods.iter().map(|method| method.name()).collect();
    let caches: Vec<&str> = copy.caches.iter().map(|cache| cache.name()).collect();
    format!(
        "file copy: {} files in {} directories, {} ({} bytes), after the points\n  by {}; {}; {} \
         copies of each\n",
        copy.set.files,
        copy.set.directories,
        RoundedBytes(copy.set.bytes),
        copy.set.bytes,
        methods.join(", "),
        caches.join(" and "),
        copy.repetitions,
    )
}

fn place_text(path: &Path, copy: &FileCopy, work: SourceWork) -> String {
    let bytes = RoundedBytes(copy.set.bytes);
    let source = match work {
        SourceWork::Reuse => "the source is there".to_owned(),
        SourceWork::Write => format!("{bytes} of source are written, and stay"),
    };
    format!(
        "  in {}: {source}; {} copies write {} in all, each removed before the next\n",
        path.display(),
        copy.count(),
        RoundedBytes(copy.set.bytes.saturating_mul(copy.count() as u64)),
    )
}
