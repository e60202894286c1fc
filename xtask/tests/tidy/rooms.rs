//! The rooms of core: each uses only those before it, in the order of the data flow.

use crate::finding::{Finding, assert_none};
use crate::source::of_crate;
use crate::tokens::names;

/// The rooms, in the order of the data flow.
const ROOMS: [&str; 7] = ["words", "spec", "plan", "load", "result", "measure", "analysis"];

/// The folder that has them.
const FOLDER: &str = "crates/kneepoint-core/src/";

#[test]
fn a_room_uses_only_those_before_it() {
    let mut findings = Vec::new();
    for file in of_crate("kneepoint-core") {
        let Some(room) = room_of(file.path.trim_start_matches(FOLDER), "/") else { continue };
        for name in names(file) {
            let used = name.path.strip_prefix("crate::").and_then(|path| room_of(path, "::"));
            if let Some(used) = used.filter(|used| *used > room) {
                findings.push(Finding {
                    path: file.path.clone(),
                    line: name.line,
                    what: format!("{} uses {}", ROOMS[room], ROOMS[used]),
                });
            }
        }
    }
    assert_none(&findings, "move what both need to the earlier room");
}

#[test]
fn core_has_these_rooms_and_no_others() {
    let paths = of_crate("kneepoint-core").map(|file| file.path.trim_start_matches(FOLDER));
    let others: Vec<&str> =
        paths.filter(|path| *path != "lib.rs" && room_of(path, "/").is_none()).collect();
    assert!(others.is_empty(), "{others:?}: move them into one of {ROOMS:?}");
}

/// The number of the room that the first part of `path` names.
fn room_of(path: &str, separator: &str) -> Option<usize> {
    let (first, _) = path.split_once(separator)?;
    ROOMS.iter().position(|room| *room == first)
}
