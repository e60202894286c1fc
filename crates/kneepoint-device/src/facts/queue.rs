//! The settings of a request queue that can change what is measured.

use std::collections::BTreeMap;

use super::SysDir;

/// Files of `queue/` that are kept as they stand, in the kernel's own units (ABI/stable/sysfs-block).
const SETTINGS: [&str; 15] = [
    "dma_alignment",
    "fua",
    "io_poll",
    "iostats",
    "max_sectors_kb",
    "minimum_io_size",
    "nomerges",
    "nr_requests",
    "optimal_io_size",
    "read_ahead_kb",
    "rq_affinity",
    "stable_writes",
    "virt_boundary_mask",
    "wbt_lat_usec",
    "write_cache",
];

/// Reads the queue settings of the disk whose sysfs directory is given.
pub(super) fn settings(disk: &SysDir) -> BTreeMap<String, String> {
    let queue = disk.dir("queue");
    let mut settings: BTreeMap<String, String> =
        SETTINGS.iter().filter_map(|name| Some(((*name).to_owned(), queue.text(name)?))).collect();
    if let Some(line) = queue.text("scheduler") {
        settings.insert("scheduler".to_owned(), active_choice(&line).to_owned());
    }
    settings
}

/// The chosen word of a line such as `none [mq-deadline] bfq`; the line itself where none is marked.
pub(crate) fn active_choice(line: &str) -> &str {
    line.split_once('[')
        .and_then(|(_, rest)| rest.split_once(']'))
        .map_or(line, |(choice, _)| choice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marked_scheduler_is_the_active_one() {
        assert_eq!(active_choice("none [mq-deadline] kyber bfq"), "mq-deadline");
        assert_eq!(active_choice("[none]"), "none");
        assert_eq!(active_choice("none"), "none");
    }
}
