//! The parts of a simulated system.

use kneepoint_core::result::Links;

use crate::language::Language;

texts! {
    heading: "Parts of the system" | "Teile des Systems";
    title(system: &str): "Parts of {system}" | "Teile von {system}";
    caption:
        "The simulated system from the host to the drives."
        | "Das simulierte System vom Host bis zu den Laufwerken.";
    /// After it, where a layer has more parts than are drawn.
    first_drawn:
        " Of parts that are many, the first are drawn."
        | " Von vielen Teilen sind die ersten gezeichnet.";
    list: "Parts list of the simulated system" | "Stückliste des simulierten Systems";
    part: "Part" | "Teil";
    details: "Details" | "Angaben";
    host: "Host" | "Host";
    host_links: "Host links" | "Host-Verbindungen";
    controllers: "Controllers" | "Controller";
    back_end_links: "Links to the drives" | "Verbindungen zu Laufwerken";
    arrays: "Arrays and drives" | "Arrays und Laufwerke";
    rate(count: &str, rate: &str): "{count} × {rate} MB/s" | "{count} × {rate} MB/s";
    array_of(arrays: &str, drives: &str): "{arrays} × {drives} drives" | "{arrays} × {drives} Laufwerke";
    array_of_one(arrays: &str): "{arrays} × 1 drive" | "{arrays} × 1 Laufwerk";
    stripe(size: &str): "stripe unit {size}" | "Streifengröße {size}";
    /// The state of the write cache, and how much written data it holds.
    cache_of(state: &str, size: &str): "write cache {state}, {size}" | "Schreibcache {state}, {size}";
    /// Where it is off.
    cache_off(state: &str): "write cache {state}" | "Schreibcache {state}";
    disk: "hard disks" | "Festplatten";
    flash: "solid-state drives" | "SSDs";
    drives(count: &str, kind: &str): "{count} × {kind}" | "{count} × {kind}";
}

/// `4 × 195 MB/s`.
pub(crate) fn links(language: Language, links: &Links) -> String {
    let count = language.count(links.count as usize);
    rate(language, &count, &language.rate(links.mb_per_s))
}

/// `6 × 10 drives`: of how many drives the arrays are.
pub(crate) fn of_drives(language: Language, arrays: &str, drives: u32) -> String {
    match drives {
        1 => array_of_one(language, arrays),
        many => array_of(language, arrays, &language.count(many as usize)),
    }
}

/// The write cache; its size does not matter where it is off.
pub(crate) fn cache(language: Language, state: &str, (is_off, size): (bool, &str)) -> String {
    match is_off {
        true => cache_off(language, state),
        false => cache_of(language, state, size),
    }
}

/// The medium of drives.
pub(crate) fn medium(language: Language, medium: &str) -> &str {
    match medium {
        "disk" => disk(language),
        "flash" => flash(language),
        other => other,
    }
}
