//! `kneepoint catalog`.

use kneepoint_core::spec::catalog::{PROFILES, SUITES};

use crate::program::Bench;
use crate::snapshot::check;

#[test]
fn the_catalog_lists_everything() {
    check("catalog", &["catalog"]);
}

#[test]
fn an_entry_is_a_file_to_be_changed() {
    check(
        "catalog-entry",
        &["catalog database", "catalog systems analytic/md1", "catalog databse"],
    );
}

#[test]
fn whatever_is_shipped_can_be_planned() {
    let bench = Bench::new();
    for shipped in PROFILES.iter().chain(SUITES) {
        let target = match shipped.name {
            "office" => "sim:analytic/desktop",
            "medium-230" | "light" | "heavy" | "writer-230" | "users" => "vnc://127.0.0.1:5901",
            "business-operations" => "memory:",
            "metadata" | "small-files" => "files:tree",
            // It wants programs: see the tests of copies.
            "processor" => continue,
            _ => "null:",
        };
        bench.succeed(&["plan", shipped.name, target]);
    }
}

#[test]
fn an_entry_can_be_saved_and_run() {
    let bench = Bench::new();
    bench.write("saved.toml", bench.succeed(&["catalog", "iometer-file-server"]).stdout);
    bench.succeed(&["plan", "./saved.toml", "null:"]);
}
