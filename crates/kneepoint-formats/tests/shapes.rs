//! Results in the shapes that other tools of several versions write.

use kneepoint_core::result::{ImportNote, READ, Verdict, WRITE};
use kneepoint_core::words::load::LoadLevel;
use kneepoint_formats::result::{Reading, Start, read};
use serde_json::{Value, json};

fn reading(text: &str) -> Reading {
    read(text.as_bytes()).expect("the format is known").unwrap_or_else(|fault| panic!("{fault}"))
}

fn fault(text: &str) -> String {
    let fault = read(text.as_bytes()).expect("the format is known").expect_err("a fault");
    assert!(fault.fix_hint().is_some(), "{fault}");
    fault.to_string()
}

/// A direction with `ios` I/Os of 4 KiB in 10 seconds, whose completion latency is `us` on average.
fn section(ios: u64, us: u64) -> Value {
    let times = |us: u64| json!({"min": us * 100, "max": us * 5000, "mean": us as f64 * 1e3, "stddev": 1.0, "N": ios});
    let mut completion = times(us);
    completion["percentile"] = json!({
        "1.000000": us * 500, "50.000000": us * 900, "90.000000": us * 1500, "95.000000": us * 2000,
        "99.000000": us * 3000, "99.900000": us * 4000, "99.990000": us * 9000, "0.00": 0
    });
    json!({
        "io_bytes": ios * 4096, "bw": ios * 4 / 10, "iops": ios as f64 / 10.0, "runtime": 10_000,
        "total_ios": ios, "slat_ns": times(1), "clat_ns": completion, "lat_ns": times(us + 1),
    })
}

fn job(name: &str, group: u64, options: Value) -> Value {
    json!({
        "jobname": name, "groupid": group, "error": 0, "elapsed": 11, "usr_cpu": 2.0, "sys_cpu": 3.0,
        "job options": options, "read": section(5000, 200), "write": section(0, 0), "trim": section(0, 0),
    })
}

fn fio(jobs: Vec<Value>) -> Value {
    json!({
        "fio version": "fio-3.1", "timestamp": 1_600_000_011, "time": "some day",
        "global options": {"bs": "4k", "ioengine": "libaio", "direct": "1"}, "jobs": jobs,
    })
}

fn depth(depth: &str) -> Value {
    json!({"rw": "randread", "iodepth": depth, "filename": "/dev/sdx", "ramp_time": "2"})
}

#[test]
fn jobs_one_after_the_other_are_a_curve() {
    let json = fio(vec![job("d1", 0, depth("1")), job("d8", 1, depth("8"))]);
    let text =
        format!("fio: this platform does not support {{cpu}} affinity\n{json:#}\nfio: done\n");
    // Version 3.1 repeats a key.
    let text = text.replace("\"0.00\": 0", "\"0.00\": 0,\n\"0.00\": 0");
    let reading = reading(&text);
    assert_eq!((reading.tool.as_str(), reading.version.as_str()), ("fio", "3.1"));
    assert_eq!(reading.targets, ["/dev/sdx"]);
    let begin = "2020-09-13T12:26:40Z".to_owned();
    assert_eq!(reading.start, Start::Utc(begin, Some("2020-09-13T12:26:51Z".to_owned())));
    assert_eq!(reading.notes, [ImportNote::CompletionPercentiles]);
    let [one, eight] = reading.points.as_slice() else { panic!("{:?}", reading.points) };
    assert_eq!((one.series.as_str(), one.profile.as_str()), ("randread/4KiB", "randread"));
    assert_eq!((&one.series, eight.load), (&eight.series, LoadLevel::outstanding(8)));
    assert_eq!((one.operations, one.rate.mean, one.measured_s), (5000, 500.0, 10.0));
    assert_eq!((one.ramp_s, one.cpu_percent, one.verdict), (2.0, Some(5.0), Verdict::Fixed));
    let latency = one.latency_ms;
    assert_eq!((latency.mean, latency.min, latency.max), (0.201, Some(0.0201), 1.005));
    assert_eq!((latency.p50, latency.p99), (Some(0.18), Some(0.6)));
    // No percentile is above the largest time, although fio's buckets end beyond it.
    assert_eq!(latency.p99_99, Some(1.005));
    let storage = one.storage.expect("it is there");
    assert_eq!(
        (storage.block_bytes, storage.read_percent, storage.random_percent),
        (4096, 100.0, 100.0)
    );
    assert!(one.intervals.is_empty() && one.rate.ci95.is_none() && latency.ci95.is_none());
    assert_eq!(one.classes.keys().collect::<Vec<_>>(), [READ]);
}

#[test]
fn percentiles_of_the_whole_latency_are_preferred() {
    let mut job = job("a", 0, depth("1"));
    let clat = job["read"]["clat_ns"]["percentile"].clone();
    job["read"]["lat_ns"]["percentile"] = clat;
    let reading = reading(&fio(vec![job]).to_string());
    assert!(reading.notes.is_empty(), "{:?}", reading.notes);
    assert_eq!(reading.points[0].latency_ms.mean, 0.201);
}

#[test]
fn times_without_the_submission_are_told_of() {
    let mut job = job("a", 0, depth("1"));
    job["read"].as_object_mut().expect("an object").remove("lat_ns");
    let reading = reading(&fio(vec![job]).to_string());
    assert_eq!(reading.notes, [ImportNote::CompletionTime]);
    let latency = reading.points[0].latency_ms;
    assert_eq!((latency.mean, latency.max, latency.p50), (0.2, 1.0, Some(0.18)));
}

#[test]
fn clones_are_added_up() {
    let mut options = depth("4");
    options["numjobs"] = json!("2");
    let mut slow = job("w", 0, options.clone());
    slow["read"] = section(2500, 400);
    let reading = reading(&fio(vec![job("w", 0, options), slow]).to_string());
    let [point] = reading.points.as_slice() else { panic!("{:?}", reading.points) };
    assert_eq!((point.operations, point.rate.mean), (7500, 750.0));
    assert_eq!(point.load, LoadLevel::outstanding(8));
    // 5000 at 0.201 ms and 2500 at 0.401 ms.
    assert!((point.latency_ms.mean - 2.0075 / 7.5).abs() < 1e-12);
    assert_eq!((point.latency_ms.min, point.latency_ms.max), (Some(0.0201), 2.005));
    // Percentiles of both together cannot be told.
    assert_eq!((point.latency_ms.p50, point.latency_ms.p99_9), (None, None));
    assert_eq!(point.cpu_percent, Some(10.0));
}

#[test]
fn bins_tell_the_percentiles_of_clones_and_mixes() {
    let mut mixed = job("m", 0, json!({"rw": "randrw", "rwmixread": "70", "iodepth": "2"}));
    mixed["write"] = section(10, 100);
    mixed["read"] = section(30, 100);
    mixed["read"]["clat_ns"]["bins"] = json!({"100000": 30});
    mixed["write"]["clat_ns"]["bins"] = json!({"100000": 5, "300000": 5});
    let reading = reading(&fio(vec![mixed]).to_string());
    let point = &reading.points[0];
    assert_eq!(point.series, "randrw-70/4KiB");
    assert_eq!(point.classes.keys().collect::<Vec<_>>(), [READ, WRITE]);
    let near = |value: Option<f64>, expected: f64| {
        (value.expect("it is there") / expected - 1.0).abs() < 1e-3
    };
    assert!(near(point.latency_ms.p50, 0.1), "{:?}", point.latency_ms);
    assert!(near(point.latency_ms.p90, 0.3), "{:?}", point.latency_ms);
    assert_eq!(point.histograms.as_ref().expect("it is there").0.len(), 2);
}

#[test]
fn hosts_are_one_point_by_the_sum_that_fio_made() {
    let mut entries = vec![job("j", 0, depth("4")), job("j", 0, depth("4"))];
    entries[0]["hostname"] = json!("a");
    entries[1]["hostname"] = json!("b");
    let mut all = job("All clients", 0, json!({}));
    all["read"] = section(10_000, 300);
    entries.push(all);
    let mut json = fio(Vec::new());
    json["client_stats"] = json!(entries);
    let both = reading(&json.to_string());
    assert_eq!(both.hosts, ["a", "b"]);
    let [point] = both.points.as_slice() else { panic!("{:?}", both.points) };
    assert_eq!((point.operations, point.load), (10_000, LoadLevel::outstanding(4)));
    assert_eq!((point.latency_ms.mean, point.latency_ms.p50), (0.301, Some(0.27)));
    // 1000 I/Os per second of 0.301 ms, on two hosts.
    assert!((point.storage.expect("it is there").achieved_outstanding - 0.1505).abs() < 1e-12);
    // Several jobs: the sum is that of both, and of no use.
    let other = |mut job: Value| {
        job["jobname"] = json!("k");
        job
    };
    entries.splice(1..1, [other(entries[0].clone())]);
    json["client_stats"] = json!(entries);
    let several = reading(&json.to_string());
    assert_eq!(several.points.len(), 2);
    assert_eq!(several.points[0].operations, 10_000);
    assert!(several.notes.contains(&ImportNote::SideBySide));
}

#[test]
fn flushes_are_a_class_and_no_part_of_the_throughput() {
    let mut log = job("log", 0, json!({"rw": "write", "fdatasync": "1", "ioengine": "sync"}));
    log["read"] = section(0, 0);
    log["write"] = section(5000, 200);
    let times = json!({"min": 900_000, "max": 9_000_000, "mean": 1.5e6, "N": 5000,
                       "percentile": {"50.000000": 1_400_000, "99.000000": 4_000_000}});
    log["sync"] = json!({"total_ios": 5000, "lat_ns": times});
    let point = reading(&fio(vec![log.clone()]).to_string()).points.remove(0);
    assert_eq!((point.operations, point.rate.mean), (5000, 500.0));
    let flush = point.class("flush").expect("it is there");
    assert_eq!((flush.operations, flush.rate, flush.volume), (5000, 500.0, None));
    assert_eq!((flush.latency_ms.mean, flush.latency_ms.p99), (1.5, Some(4.0)));
    assert!(point.flushes());
    // Of a job without flushes fio writes a count of zero.
    log["sync"] = json!({"total_ios": 0, "lat_ns": {"min": 0, "max": 0, "mean": 0.0, "N": 0}});
    let point = reading(&fio(vec![log]).to_string()).points.remove(0);
    assert!(point.class("flush").is_none());
}

#[test]
fn times_before_version_3_are_in_microseconds() {
    let mut job = job("old", 0, depth("1"));
    let read = job["read"].as_object_mut().expect("it is there");
    read.remove("lat_ns");
    read.remove("clat_ns");
    read.insert(
        "clat".to_owned(),
        json!({"min": 20, "max": 900, "mean": 150.5, "percentile": {"99.000000": 400}}),
    );
    read.insert("lat".to_owned(), json!({"min": 21, "max": 901, "mean": 151.5}));
    let mut json = fio(vec![job]);
    json["fio version"] = json!("fio-2.16");
    let reading = reading(&json.to_string());
    assert_eq!(reading.version, "2.16");
    let latency = reading.points[0].latency_ms;
    assert_eq!(
        (latency.mean, latency.max, latency.p99, latency.p50),
        (0.1515, 0.901, Some(0.4), None)
    );
    assert_eq!(reading.notes, [ImportNote::CompletionPercentiles]);
}

#[test]
fn depth_does_not_count_for_synchronous_engines() {
    let options =
        json!({"rw": "write", "iodepth": "32", "ioengine": "psync", "numjobs": "3", "bs": "1m"});
    let reading = reading(&fio(vec![job("s", 0, options)]).to_string());
    let point = &reading.points[0];
    assert_eq!((point.load, point.series.as_str()), (LoadLevel::outstanding(3), "write/1MiB"));
    assert_eq!(point.storage.expect("it is there").random_percent, 0.0);
}

#[test]
fn different_jobs_of_one_load_keep_their_names() {
    let json = fio(vec![job("disk", 0, depth("4")), job("flash", 1, depth("4"))]);
    let reading = reading(&json.to_string());
    let names: Vec<&str> = reading.points.iter().map(|point| point.series.as_str()).collect();
    assert_eq!(names, ["disk: randread/4KiB", "flash: randread/4KiB"]);
}

#[test]
fn a_job_without_times_is_left_out_and_a_failed_one_says_so() {
    let mut blind = job("blind", 0, depth("1"));
    blind["read"].as_object_mut().expect("it is there").retain(|key, _| !key.ends_with("lat_ns"));
    assert!(
        fault(&fio(vec![blind.clone()]).to_string()).contains("no job with I/O and response times")
    );
    let mut failed = job("failed", 1, depth("1"));
    failed["error"] = json!(5);
    let reading = reading(&fio(vec![blind, failed]).to_string());
    assert!(reading.notes.contains(&ImportNote::LeftOut { what: "blind".to_owned() }));
    assert_eq!((reading.points[0].verdict, reading.points[0].errors), (Verdict::Failed, 1));
    assert!(fault(&fio(vec![job("x", 0, depth("many"))]).to_string()).contains("iodepth 'many'"));
}

/// A result of Iometer with the names of its columns of throughput.
fn iometer(version: &str, volumes: &str) -> String {
    let names = format!(
        "'Target Type,Target Name,Access Specification Name,# Managers,# Workers,# Disks,IOps,Read IOps,Write IOps,\
         {volumes},Average Response Time,Average Read Response Time,Average Write Response Time,\
         Maximum Response Time,Maximum Read Response Time,Maximum Write Response Time,Errors,Bytes Read,\
         Bytes Written,Read I/Os,Write I/Os,Queue Depth"
    );
    let per_volume = volumes.split(',').count() / 3;
    let volume = |row: &str| vec![row; per_volume].join(",");
    let (all, disk) = (volume("2.5,1.75,0.75"), volume("9,9,9"));
    [
        "'Test Type,Test Description",
        "0,nightly",
        "'Version",
        version,
        "'Time Stamp",
        "2010-02-28 13:05:09:123",
        "'Access specifications",
        "'Access specification name,default assignment",
        "8K; 70% Read; 100% random,2",
        "'size,% of size,% reads,% random,delay,burst,align,reply",
        "8192,100,70,100,0,1,0,0,",
        "'End access specifications",
        "'Results",
        &names,
        &format!("ALL,All,8K; 70% Read; 100% random,1,2,2,320,224,96,{all},25,20,36.6666667,130.5,120,130.5,3,110100480,47185920,13440,5760,"),
        &format!("MANAGER,HOST,8K; 70% Read; 100% random,,2,2,320,224,96,{all},25,20,36.7,130.5,120,130.5,3,0,0,1,1,"),
        "PROCESSOR,CPU 0",
        &format!("WORKER,Worker 1,8K; 70% Read; 100% random,,,1,160,112,48,{all},25,20,36,130.5,120,130.5,0,0,0,1,1,4"),
        &format!("DISK,8: \"Maker X-1\",,,,1,160,112,48,{disk},99,99,99,99,99,99,0,0,0,1,1,"),
        &format!("WORKER,Worker 2,8K; 70% Read; 100% random,,,1,160,112,48,{all},25,20,36,130.5,120,130.5,0,0,0,1,1,4"),
        &format!("DISK,9: \"Maker X-1\",,,,1,160,112,48,{disk},99,99,99,99,99,99,-1,0,0,1,1,"),
        "'Time Stamp",
        "2010-02-28 13:06:09:123",
        "'End Test",
    ]
    .join("\r\n")
}

const VOLUMES_2006: &str = "MBps,Read MBps,Write MBps";
const VOLUMES_1_1: &str = "MiBps (Binary),Read MiBps (Binary),Write MiBps (Binary),MBps (Decimal),\
                           Read MBps (Decimal),Write MBps (Decimal)";

#[test]
fn iometer_results_are_read_by_the_names_of_their_columns() {
    for (version, volumes) in [("2006.07.27", VOLUMES_2006), ("1.1.0", VOLUMES_1_1)] {
        let reading = reading(&iometer(version, volumes));
        assert_eq!((reading.tool.as_str(), reading.version.as_str()), ("Iometer", version));
        assert_eq!(reading.start, Start::Local("2010-02-28T13:05:09Z".to_owned()));
        assert_eq!(reading.targets, ["8: \"Maker X-1\"", "9: \"Maker X-1\""]);
        let [point] = reading.points.as_slice() else { panic!("{:?}", reading.points) };
        assert_eq!(
            (point.series.as_str(), point.load),
            ("8K; 70% Read; 100% random", LoadLevel::outstanding(4))
        );
        assert_eq!((point.rate.mean, point.operations, point.measured_s), (320.0, 19_200, 60.0));
        assert_eq!((point.mib_s(), point.errors), (Some(2.5), 3));
        let latency = point.latency_ms;
        assert_eq!(
            (latency.mean, latency.max, latency.min, latency.p99),
            (25.0, 130.5, None, None)
        );
        assert_eq!(point.class(READ).expect("it is there").latency_ms.mean, 20.0);
        assert_eq!(point.class(WRITE).expect("it is there").volume, Some(0.75));
        let storage = point.storage.expect("it is there");
        assert_eq!((storage.block_bytes, storage.read_percent), (8192, 70.0));
        // 320 I/Os per second of 25 ms on two disks.
        assert_eq!(storage.achieved_outstanding, 4.0);
        // The load of the processors of the host is not that of the generator.
        assert_eq!(point.cpu_percent, None);
    }
}

#[test]
fn aborted_iometer_tests_are_said() {
    let text = iometer("1.1.0", VOLUMES_1_1);
    assert_eq!(reading(&text).notes, []);
    let named = text.replace("0,nightly", "0,nightly\nAborted test");
    assert_eq!(reading(&named).notes, [], "a description");
    let aborted = reading(&text.replace("'End Test", "Aborted test"));
    assert_eq!((aborted.notes, aborted.points.len()), (vec![ImportNote::Aborted], 1));
}

#[test]
fn what_is_wrong_in_an_iometer_result_is_said_with_its_line() {
    let text = iometer("1.1.0", VOLUMES_1_1);
    let check = |from: &str, to: &str, parts: &[&str]| {
        assert!(text.contains(from), "{from}");
        let said = fault(&text.replace(from, to));
        assert!(parts.iter().all(|part| said.contains(part)), "{said}");
    };
    check(",2,2,320,", ",2,2,3_2,", &["line 15", "iops is '3_2'", "a number"]);
    check("130.5,0,0,0,1,1,4", "130.5,0,0,0,1,1,", &["line 15", "no worker has a Queue Depth"]);
    check(
        ",2,2,320,",
        ",2,2,320,0,",
        &["line 15", "28 fields are below a header of 27", "a comma divides"],
    );
    check(
        ",,,1,160,112,",
        ",,,160,112,",
        &["line 18", "26 fields are below a header of 27", "ends early"],
    );
    let comma = text.replace("DISK,8: \"Maker X", "DISK,8: \"Maker, X");
    assert_eq!(reading(&comma).points, reading(&text).points, "rows of disks are not read");
    check("8192,100,70", "8192,100,seventy", &["line 11", "seventy"]);
    check("'size,", "'sizes,", &["line 15", "is not described"]);
    check("ALL,All", "NONE,All", &["no row of type ALL"]);
}

/// A flat file with a run of 4 intervals and one as fast as it goes.
fn flat_file() -> String {
    let rows = |run: &str, rate: &str, threads: &str| {
        let mut rows = String::new();
        for (interval, second) in [("1", 5), ("2", 10), ("3", 15), ("4", 20), ("avg_2-4", 20)] {
            rows += &format!(
                "23:59:{:02}.500 10/14/2013-23:59:{:02}-PDT {run} {interval} {rate} 200.00 0.78 4096 70.00 \
                 1.500 1.200 2.200 9.900 0.800 4096 {threads} 70.0 n/a n/a 100.00 1073741824 vdbench50403 n/a \
                 n/a 0.3\n",
                30 + second,
                30 + second
            );
        }
        rows
    };
    format!(
        "<title>Vdbench flatfile</title><pre>\n* A comment\n*\n\
         tod timestamp Run Interval reqrate rate MB/sec bytes/io read% resp read_resp write_resp resp_max \
         resp_std xfersize threads rdpct rhpct whpct seekpct lunsize version compratio dedupratio queue_depth\n\
         {}{}",
        rows("rd1_(1)", "999988", "8"),
        rows("rd1_(2)", "200", "n/a")
    )
}

#[test]
fn vdbench_averages_become_points() {
    let reading = reading(&flat_file());
    assert_eq!((reading.tool.as_str(), reading.version.as_str()), ("vdbench", "vdbench50403"));
    assert_eq!(reading.start, Start::Local("2013-10-14T23:59:35Z".to_owned()));
    let [threads, offered] = reading.points.as_slice() else { panic!("{:?}", reading.points) };
    assert_eq!(
        (threads.series.as_str(), threads.load),
        ("read70-seek100/4KiB", LoadLevel::outstanding(8))
    );
    assert_eq!(
        (offered.series.as_str(), offered.load),
        ("read70-seek100-offered/4KiB", LoadLevel::offered(200.0))
    );
    assert_eq!((threads.rate.mean, threads.measured_s, threads.operations), (200.0, 15.0, 3000));
    assert_eq!((threads.latency_ms.mean, threads.latency_ms.max), (1.5, 9.9));
    assert_eq!((threads.latency_ms.p99, threads.latency_ms.min), (None, None));
    // Of a mix the largest time of reads is not known.
    assert!(threads.classes.is_empty());
}

#[test]
fn what_is_wrong_in_a_flat_file_is_said_with_its_line() {
    let text = flat_file();
    let check = |from: &str, to: &str, parts: &[&str]| {
        assert!(text.contains(from), "{from}");
        let said = fault(&text.replace(from, to));
        assert!(parts.iter().all(|part| said.contains(part)), "{said}");
    };
    check(" 1.500 ", " fast ", &["line 9", "resp is 'fast'"]);
    let first = |line: &&str| {
        !line.contains("rd1_(1) ") || [" 1 999", "avg"].iter().any(|row| line.contains(row))
    };
    let single: Vec<&str> = text.lines().filter(first).collect();
    let single = fault(&single.join("\n").replacen("avg_2-4", "avg_1-1", 1));
    assert!(
        single.contains("run 'rd1_(1)' has one interval") && single.contains("times of two"),
        "{single}"
    );
    check("23:59:", "23-59-", &["'rd1_(1)' has no two intervals"]);
    let without = text.replace("999988", "n/a").replace(" 8 70.0", " n/a 70.0");
    assert!(fault(&without).contains("a rate, or a number of threads"));
    check("avg_2-4", "5", &["no run with averages"]);
    check(" 200.00 ", " 0.00 ", &["no run with averages"]);
}

#[test]
fn other_texts_are_of_no_known_format() {
    for text in
        ["", "{}", "{\"schema\": \"kneepoint.run/2\", \"jobs\": []}", "a,b\n1,2\n", "[1]", "'Test"]
    {
        assert!(read(text.as_bytes()).is_none(), "{text}");
    }
}
