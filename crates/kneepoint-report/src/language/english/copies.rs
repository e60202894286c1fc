//! Copies of files.

use kneepoint_core::spec::file_copy::CopyCache;

use crate::language::catalog::CopyTexts;

pub(super) const TEXTS: CopyTexts = CopyTexts {
    heading: "File copy",
    introduction: |set| {
        format!(
            "After the load profiles, a tree of {} files in {} directories, {} ({} bytes) together, \
             was copied by functions of the operating system to another directory of the same file \
             system. That is no block load at a given depth: the file system, its journal and the \
             page cache have their part in it.",
            set.files, set.directories, set.size, set.bytes,
        )
    },
    caches: "With the page cache, the source lies in memory and a copy ends when memory has it. \
             Without it, the source was dropped from memory, and a copy ends when the storage has \
             every file; reading and writing (read-write) then goes past the page cache.",
    caption: "Copies of files",
    caption_of: |target| format!("Copies of files beside {target}"),
    method: "Function",
    cache: "Page cache",
    cache_name: |cache| match cache {
        CopyCache::Cached => "with",
        CopyCache::Uncached => "without",
    },
    median: "Median",
    files: "Files/s",
    copies: "Copies",
    duration: "Time of a copy in s",
    failed: "failed",
    reading: "MiB/s count each byte of the files once, although it is read and written. ± is half of \
              the 95\u{a0}% confidence interval of the mean (Student's t over the copies). Whether something else used \
              the machine meanwhile is not judged here; wide intervals tell of it.",
    bars: "Throughput of copying files",
    bars_note: "Error bars: 95\u{a0}% confidence interval of the mean, where more than one copy was \
                made.",
    failures: "Copies that failed",
    warnings: "Warnings about copies",
};
