//! What a report says of configurations, and of the parts of what was simulated.

use crate::program::Bench;

/// The report on a short run, as Markdown.
fn report(words: &[&str], language: &str) -> String {
    let bench = Bench::new();
    bench.succeed(&[&["run"], words, &["--time", "2s", "--label", "one"]].concat());
    bench.succeed(&["report", "one", "--language", language, "-o", "one.md"]);
    bench.read("one.md").replace('\u{a0}', " ")
}

#[test]
fn applications_stand_beside_configurations() {
    let words = ["storagebench-2007", "sim:rx100s4-sata", "--factor", "disk_cache=off,on"];
    let english = report(&words, "en");
    for text in [
        "Applications",
        "| Application | Disk cache off | Disk cache on |",
        "| Database, 8 KiB, IO/s |",
        "| Restore, 64 KiB, MiB/s |",
        "Best cache settings:",
        "Restore, 64 KiB**: Disk cache on, ",
        "as much as with Disk cache off.",
        "Streaming, 64 KiB**: no practical difference.",
    ] {
        assert!(english.contains(text), "{text}\n{english}");
    }
    let german = report(&words, "de");
    assert!(german.contains("| Anwendung |"), "{german}");
    assert!(german.contains("kein praktischer Unterschied."), "{german}");
}

/// One application is no table of applications, and without a cache there is no matrix of caches.
#[test]
fn what_was_not_varied_is_not_told() {
    let one = report(&["database", "sim:rx100s4-sata", "--factor", "disk_cache=off,on"], "en");
    assert!(!one.contains("| Application |"), "{one}");
    let plain = report(&["storagebench-2007", "sim:rx100s4-sata"], "en");
    assert!(!plain.contains("| Application |"), "{plain}");
    let raid =
        report(&["storagebench-2007", "sim:rx100s4-sata", "--factor", "raid=raid0,raid1"], "en");
    assert!(raid.contains("| Application | RAID-0 | RAID-1 |"), "{raid}");
    assert!(!raid.contains("Best cache settings:"), "{raid}");
}

#[test]
fn the_parts_of_a_simulated_system_are_listed() {
    let fast = ["oltp", "sim:fastt900?drives=20#0", "--outstanding", "8"];
    let english = report(&fast, "en");
    for text in [
        "Parts of the system",
        "| Host links | 4 × 195 MB/s |",
        "| Controllers | 2, write cache off |",
        "| Links to the drives | 4 × 190 MB/s |",
        "20 × 18.2 GB, FC, hard disks, 2 × 10 drives, RAID-5, stripe unit 64 KiB",
    ] {
        assert!(english.contains(text), "{text}\n{english}");
    }
    assert!(report(&fast, "de").contains("| Verbindungen zu Laufwerken | 4 × 190 MB/s |"));
    let queue = report(&["database", "sim:analytic/mm1", "--outstanding", "1"], "en");
    assert!(!queue.contains("Parts of the system"), "{queue}");
}
