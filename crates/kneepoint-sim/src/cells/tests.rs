//! Rows as papers write them, to targets.

use super::*;

const HEADER: &str = "id,source,table,subsystem,drives,drive_type,raid,os_tool,cache,workload,\
                      access,read_pct,block_kib,outstanding_ios,criterion,iops,mbps,latency_ms,\
                      confidence,note\n";

/// The cell of one line of a file.
fn cell(line: &str) -> Result<Cell, String> {
    let table = parse(&format!("{HEADER}{line}\n"), "cells.csv").unwrap();
    Cell::of(&table.rows[0], &DriveCatalog::shipped().unwrap())
}

fn check_target(line: &str, expected: &str) {
    assert_eq!(cell(line).unwrap().target, expected, "{line}");
}

#[test]
fn rows_name_systems_with_their_settings() {
    check_target(
        "a,fastt900,Table 1,FAStT900 dual controllers,60,FC HDD 18.2 GB 15000 rpm (EXP700),raid5,\
         windows-iometer,all_off,oltp,random,67,4,,avg_rt_20ms,9280,36,,high,",
        "sim:fastt900?drives=60&raid=raid5&write_cache=off",
    );
    check_target(
        "a,fastt900,Table 2,FAStT900 dual controllers,60,FC HDD 18.2 GB 15000 rpm,RAID-10,\
         windows-iometer,Write Cache Enabled,file_server,random,80,mixed,,avg_rt_20ms,9280,,,,\
         stroke 30 %",
        "sim:fastt900?drives=60&raid=raid10&write_cache=on&stroke=30%",
    );
    check_target(
        "a,m5025,Table 5,ServeRAID M5025,48,SAS 6Gbps HDD 15000 rpm (EXP2524),raid5,linux-fio,\
         write_cache_on,random_read,random,100,8,,peak,9280,36,,high,",
        "sim:serveraid-m5025?drives=48&raid=raid5&write_cache=on&host=linux",
    );
}

#[test]
fn a_multiplier_is_relative_to_the_stroke_of_the_other_tables() {
    let line = |criterion: &str, iops: &str| {
        cell(&format!(
            "a,fastt900,Table 2,FAStT900,60,FC HDD,raid5,iometer,all_off,oltp,random,67,8,,\
             {criterion},{iops},,,,stroke multiplier; 30 % stroke"
        ))
        .unwrap()
    };
    let share = line("avg_rt_20ms", "0.85");
    assert!(share.target.ends_with("stroke=30%"), "{}", share.target);
    assert!(share.relative_to.unwrap().ends_with("stroke=8%"));
    assert_eq!(line("avg_rt_20ms", "7000").relative_to, None);
}

#[test]
fn a_rate_in_mib_per_second_stands_for_a_missing_number() {
    let line = "a,fastt900,Table 3,FAStT900,60,FC HDD,raid5,iometer,write_cache_on,stream_write,\
                sequential,0,64,,peak,,200,,,";
    let cell = cell(line).unwrap();
    assert_eq!(cell.published, Published::MibPerS(200.0));
    assert_eq!(cell.published.iops(65_536.0), 3200.0);
}

#[test]
fn what_no_system_can_stand_for_says_why() {
    let check = |line: &str, text: &str| {
        let reason = cell(line).unwrap_err();
        assert!(reason.contains(text), "{reason}");
    };
    let row = |subsystem: &str, drives: &str, drive: &str, rest: &str| {
        format!("a,,,{subsystem},{drives},{drive},raid5,,,oltp,random,67,8,,{rest},,,,")
    };
    check(
        &row("EMC CX700", "60", "", "peak,1"),
        "no simulated system stands for the subsystem 'EMC CX700'",
    );
    check(&row("FAStT900", "many", "", "peak,1"), "'many' is no number of drives");
    check(&row("FAStT900", "", "", "peak,1"), "number of drives is not given");
    check(&row("FAStT900", "60", "10000 rpm", "peak,1"), "drives of 15000 rpm, not of 10000 rpm");
    check(&row("FAStT900", "60", "73 GB", "peak,1"), "not of 73 GB");
    check(&row("FAStT900", "60", "SSD", "peak,1"), "not solid-state drives");
    check(&row("FAStT900", "60", "", "peak,"), "there is no published number");
    check(&row("FAStT900", "60", "", "peak,fast"), "'fast' in the column iops");
    check(&row("FAStT900", "60", "", "somehow,1"), "criterion 'somehow'");
}

#[test]
fn cells_of_one_curve_are_one_series() {
    let line = |block: u32, criterion: &str| {
        let text = format!(
            "x,m5025,T,ServeRAID M5025,12,,raid5,,write_cache_on,oltp,random,67,{block},,\
             {criterion},1,,,,"
        );
        cell(&text).ok()
    };
    let cells = [line(4, "avg_rt_15ms"), line(8, "peak"), None, line(4, "peak"), line(4, "peak")];
    let series = group(&cells);
    assert_eq!(series.len(), 2);
    assert_eq!(series[0].cells, [0, 3, 4]);
    assert_eq!((series[0].criteria.len(), series[0].wants_peak()), (2, true));
    assert_eq!(series[1].cells, [1]);
}

#[test]
fn files_that_cannot_be_read_say_where_and_why() {
    let check = |text: &str, parts: &[&str]| {
        let fault = parse(text, "cells.csv").unwrap_err().to_string();
        assert!(parts.iter().all(|part| fault.contains(part)), "{fault}");
    };
    check("", &["cells.csv:1", "no column 'subsystem'"]);
    check("subsystem,drives,workload,criterion\n", &["neither 'iops' nor 'mbps'"]);
    check("subsystem,drives,drives,workload,criterion,iops\n", &["'drives' is there twice"]);
    check(&format!("{HEADER}a,b\n"), &["cells.csv:2", "cannot be read"]);
}

#[test]
fn odd_files_are_read_with_a_remark() {
    let text = "\u{feff}ID,Subsystem,drives,workload,criterion,iops,colour\n a , x,1,y,z,1,red\na,x,1,y,z,1,\n";
    let table = parse(text, "cells.csv").unwrap();
    assert_eq!((table.rows[0].id(), table.rows[0].get("subsystem")), ("a".to_owned(), "x"));
    assert_eq!(table.rows[1].line, 3);
    let [colour, twice] = table.remarks.as_slice() else { panic!("{:?}", table.remarks) };
    assert!(colour.contains("'colour'") && twice.contains("lines 2 and 3"));
}

#[test]
fn every_row_of_the_shipped_data_is_read() {
    let text = include_str!("../../../../systems/data/calibration.csv");
    let table = parse(text, "calibration.csv").unwrap();
    assert_eq!((table.rows.len(), table.remarks.len()), (154, 0));
}

#[test]
fn single_disks_are_told_apart_by_class() {
    let check = |drive: &str, expected: &str| {
        let line = format!(
            "a,singledisk,T,single disk,1,{drive},jbod,,,database,random,67,8,4,at_qd,1,,,,"
        );
        assert_eq!(cell(&line).unwrap().target, expected, "{drive}");
    };
    check("ECO HDD SATA 3 Gbit/s 3.5in 7200 rpm 250 GB", "sim:drive/hdd-eco-sata35-7k2-250");
    check("BC HDD SATA 3 Gbit/s 3.5in 7200 rpm 250 GB", "sim:drive/hdd-sata35-7k2-250");
    check("EP HDD SAS 6 Gbit/s 2.5in 15000 rpm 146 GB", "sim:drive/hdd-sas25-15k-146");
    check("EP SSD SATA 3 Gbit/s 2.5in 64 GB", "sim:drive/ssd-sata25-64");
}
