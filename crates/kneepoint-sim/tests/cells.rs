//! Whatever is in a file of cells, the answer is a cell or a reason.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use kneepoint_sim::SimTarget;
use kneepoint_sim::cells::{Cell, DriveCatalog, group, parse};
use proptest::prelude::*;

const HEADER: &str = "id,source,subsystem,drives,drive_type,raid,os_tool,cache,workload,access,\
                      read_pct,block_kib,outstanding_ios,criterion,iops,mbps,note";

/// Words that rows are made of, sensible ones and others.
fn word() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "",
        "FAStT900",
        "ServeRAID M5025",
        "single disk",
        "60",
        "12",
        "raid5",
        "RAID-10",
        "oltp",
        "random",
        "sequential",
        "67",
        "8",
        "64",
        "peak",
        "avg_rt_20ms",
        "at_qd",
        "write_cache_on",
        "all_off",
        "linux-fio",
        "stroke 30 %",
        "file_server",
        "SAS 6Gbps HDD 15000 rpm",
        "1e300",
        "-1",
        "0",
        "NaN",
        "%",
        "15 k",
        "1.5.2",
        "٣",
        "…",
    ]);
    prop_oneof![4 => known.prop_map(str::to_owned), 1 => "[^\"\r\n]{0,12}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_is_a_table_or_a_fault(text in "\\PC{0,200}") {
        let _ = parse(&text, "any.csv");
        let _ = parse(&format!("{HEADER}\n{text}"), "any.csv");
    }

    #[test]
    fn any_row_is_a_cell_of_a_known_system_or_a_reason(words in prop::collection::vec(word(), 17)) {
        let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        let table = parse(&format!("{HEADER}\n{}\n", quoted.join(",")), "row.csv").unwrap();
        prop_assert_eq!(table.rows.len(), 1);
        match Cell::of(&table.rows[0], &DriveCatalog::default()) {
            Ok(cell) => {
                prop_assert!(cell.published.iops(cell.profile.block_bytes_mean()) > 0.0);
                prop_assert!(cell.target.starts_with("sim:"));
                prop_assert!(cell.outstanding_max >= 1);
                prop_assert_eq!(group(&[Some(cell)]).len(), 1);
            }
            Err(reason) => prop_assert!(!reason.is_empty()),
        }
    }
}

/// The rows say what is simulated, and their words say the same.
#[test]
fn every_shipped_row_names_a_system_that_can_be_simulated() {
    let text = include_str!("../../../systems/data/calibration.csv");
    let table = parse(text, "calibration.csv").unwrap();
    assert_eq!((table.rows.len(), table.remarks.len()), (154, 0));
    // Columns of other names are not read.
    let words = text.replacen(",target,relative_to\n", ",a,b\n", 1);
    let words = parse(&words, "words.csv").unwrap();
    assert_eq!(words.remarks.len(), 2, "{:?}", words.remarks);
    let catalog = DriveCatalog::shipped().unwrap();
    for (row, of_words) in table.rows.iter().zip(&words.rows) {
        let cell = Cell::of(row, &catalog).unwrap();
        SimTarget::parse(&cell.target).unwrap();
        assert_eq!(cell.target, row.get("target"), "{}", row.id());
        assert_eq!(cell, Cell::of(of_words, &catalog).unwrap(), "{}", row.id());
    }
}

#[test]
fn a_row_may_say_what_is_simulated() {
    let text = include_str!("../../../systems/data/calibration.csv");
    let other = text.replacen("sim:fastt900?drives=20&", "sim:fastt900?drives=10&", 1);
    let first = |text: &str| {
        let rows = parse(text, "t.csv").unwrap().rows;
        Cell::of(&rows[0], &DriveCatalog::shipped().unwrap()).unwrap().target
    };
    assert_eq!(first(&other), first(text).replace("drives=20", "drives=10"));
}
