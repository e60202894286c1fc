//! What the published reports claim in words holds in simulation; each test names its report.
//!
//! fastt900: IBM, Comparison of the Raw Performance of the FAStT900 and FAStT700 Storage Servers,
//! 2004. m5025: IBM, Performance Analysis Update for the ServeRAID M5025, 2011. singledisk: Fujitsu,
//! White Paper PRIMERGY Server Single Disk Performance, 2011. sx940: Fujitsu, Performance Report
//! PRIMERGY SX940 S1, 2010. rx100s4: Fujitsu Siemens, Performance Report PRIMERGY RX100 S4, 2007.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod rig;

use rig::{iops, load, measure, mib_s};

/// sx940, fastt900: write-back on RAID-5 random writes.
#[test]
fn write_back_raises_random_writes_on_raid5() {
    let check = |system: &str, outstanding: u32| {
        let writes = load("random-write", "8KiB", outstanding);
        let through = iops(&format!("{system}write_cache=off"), writes);
        let back = iops(&format!("{system}write_cache=on"), writes);
        assert!(back > 1.3 * through, "{system}: {through} IO/s, {back} with write-back");
    };
    check("sim:sx940-lsi1078?", 3);
    check("sim:fastt900?drives=20&", 8);
    check("sim:serveraid-m5025?drives=12&", 8);
}

/// sx940: the optimal setting for RAID-5 is write-back with the disk cache on, random and sequential.
#[test]
fn raid5_writes_are_best_with_both_caches() {
    let at = |settings: &str, profile| {
        let target = format!("sim:sx940-lsi1078?raid=raid5&{settings}");
        iops(&target, load(profile, if profile == "restore" { "64KiB" } else { "8KiB" }, 3))
    };
    for profile in ["random-write", "restore"] {
        let best = at("write_cache=on&disk_cache=on", profile);
        let none = at("write_cache=off&disk_cache=off", profile);
        assert!(best > 1.3 * none, "{profile}: {none} IO/s without caches, {best} with both");
    }
}

/// rx100s4, singledisk: sequential writes without the disk's cache fall to about a tenth on SATA.
#[test]
fn sequential_writes_need_the_disk_cache() {
    let restore = load("restore", "64KiB", 1);
    let check = |system: &str, low: f64, high: f64| {
        let on = mib_s(&format!("{system}disk_cache=on"), restore);
        let off = mib_s(&format!("{system}disk_cache=off"), restore);
        assert!((low..high).contains(&(off / on)), "{system}: {on} MiB/s on, {off} off");
    };
    check("sim:drive/wd5000ks?", 0.05, 0.2);
    check("sim:rx100s4-sata?", 0.05, 0.2);
    check("sim:drive/hdd-sata35-7k2-500?", 0.03, 0.2);
}

/// singledisk, rx100s4: 15,000 rpm against 10,000 rpm.
#[test]
fn faster_rotation_gives_more_transactions() {
    let database = load("database", "8KiB", 4);
    let slow = iops("sim:drive/st3146755ss", database);
    let fast = iops("sim:drive/st3146855ss", database);
    assert!((1.15..1.7).contains(&(fast / slow)), "{slow} IO/s at 10k, {fast} at 15k");
}

/// sx940, rx100s4: RAID-0 and RAID-1 against a single disk (JBOD).
#[test]
fn striping_multiplies_and_mirroring_helps_reads() {
    let check = |load, (level, low, high): (&str, f64, f64)| {
        let one = iops("sim:sx940-lsi1064?drives=1&drives_per_array=1&raid=jbod", load);
        let many =
            iops(&format!("sim:sx940-lsi1064?drives=2&drives_per_array=2&raid={level}"), load);
        assert!((low..high).contains(&(many / one)), "{level}: {one} IO/s, {many}");
    };
    check(load("random-read", "8KiB", 8), ("raid0", 1.5, 2.1));
    check(load("random-read", "8KiB", 8), ("raid1", 1.5, 2.1));
    check(load("random-write", "8KiB", 8), ("raid0", 1.4, 2.4));
    check(load("random-write", "8KiB", 8), ("raid1", 0.7, 1.15));
}

/// A drive that reads a stream ahead reads the parity among it as well, so that four drives with parity read
/// at least as much as three drives without. Parity that ended the stream would leave less than one drive's. Random reads are not helped.
#[test]
fn a_stream_reads_over_parity() {
    let streaming = load("stream-read", "64KiB", 16);
    let array = |setting: &str| mib_s(&format!("sim:sx940-lsi1078?{setting}"), streaming);
    let (with_parity, three) =
        (array("raid=raid5"), array("raid=raid0&drives=3&drives_per_array=3"));
    assert!(with_parity > 0.9 * three, "{with_parity} {three}");
    assert!(with_parity < 1.1 * array("raid=raid0"), "{with_parity}");
    let random = load("random-read", "64KiB", 16);
    let random = mib_s("sim:sx940-lsi1078?raid=raid5", random);
    assert!(random < 0.5 * with_parity, "{random} {with_parity}");
}

/// Mirrors share a stream, so that each drive leaves out what the other reads. No request waits for as long
/// as the stream goes on.
#[test]
fn a_stream_over_gaps_starves_no_request() {
    let (result, _) = measure("sim:rx100s4-sata", load("stream-read", "64KiB", 64), 3);
    assert!(result.latency_ms.max < 500.0, "{:?}", result.latency_ms);
    assert!(result.warnings.iter().all(|warning| !warning.text().starts_with("stalled")));
}

/// m5025: an x4 link of 3 Gb/s limits streaming reads to about 1,000 MB/s; at 6 Gb/s the limit is
/// the drives with few of them and the controller with many.
#[test]
fn streaming_meets_its_bottleneck() {
    let streaming = load("stream-read", "256KiB", 32);
    let bottleneck = |query: &str| {
        let target = format!("sim:serveraid-m5025?write_cache=off&{query}");
        let (result, _) = measure(&target, streaming, 2);
        let simulated = result.simulated.as_ref().unwrap();
        (result.mib_s().unwrap(), simulated.bottleneck().unwrap().name.clone())
    };
    let three = "param.link.drive=300&param.link.back_end=1100&param.link.back_ends=1";
    for drives in [48, 120] {
        let (mib_s, part) = bottleneck(&format!("drives={drives}&{three}"));
        assert!((900.0..1100.0).contains(&mib_s), "{mib_s} MiB/s");
        assert_eq!(part, "links to drives");
    }
    let (few, part) = bottleneck("drives=12");
    assert_eq!(part, "drives");
    let (many, part) = bottleneck("drives=120");
    assert!(["controllers", "host links, reading"].contains(&part.as_str()), "{part}");
    assert!(many > 1.1 * few, "{few} MiB/s with 12 drives, {many} with 120");
}

/// fastt900: throughput saturates and rises no more with drives; larger blocks saturate sooner.
#[test]
fn throughput_saturates_with_drives() {
    let at = |drives: u32, block: &'static str| {
        iops(&format!("sim:fastt900?drives={drives}"), load("oltp", block, 24))
    };
    let small: Vec<f64> = [20, 60, 140].map(|drives| at(drives, "4KiB")).to_vec();
    assert!(small[1] > 2.5 * small[0], "{small:?}");
    let large: Vec<f64> = [60, 100, 180].map(|drives| at(drives, "64KiB")).to_vec();
    assert!(large[2] < 1.05 * large[0], "{large:?}");
}

/// fastt900: IO/s falls with the disk stroke for random access, not for sequential.
#[test]
fn a_longer_stroke_costs_random_access_only() {
    let at = |stroke: &str, load| iops(&format!("sim:fastt900?drives=20&stroke={stroke}"), load);
    let random = load("random-read", "8KiB", 40);
    let strokes: Vec<f64> = ["8%", "30%", "90%"].map(|stroke| at(stroke, random)).to_vec();
    assert!(strokes[1] < 0.95 * strokes[0] && strokes[2] < 0.9 * strokes[1], "{strokes:?}");
    let streaming = load("stream-read", "64KiB", 8);
    let ratio = at("90%", streaming) / at("8%", streaming);
    assert!((ratio - 1.0).abs() < 0.05, "{ratio}");
}

/// singledisk: native command queueing gains with depth, a drive without queueing does not.
#[test]
fn queueing_gains_with_depth() {
    let at = |query: &str, outstanding| {
        let target = format!("sim:drive/hdd-sas35-15k-600?{query}");
        iops(&target, load("random-read", "8KiB", outstanding))
    };
    let with: Vec<f64> = [1, 4, 32].map(|outstanding| at("", outstanding)).to_vec();
    assert!(with[1] > 1.2 * with[0] && with[2] > 1.2 * with[1], "{with:?}");
    let without = at("param.disk.queue=1", 32);
    assert!(without < 1.1 * with[0], "{without} IO/s without queueing, {with:?}");
}

/// m5025: single-threaded reads gain from adaptive read-ahead.
#[test]
fn adaptive_read_ahead_helps_one_reader() {
    let one = load("single-stream-read", "64KiB", 1);
    let at =
        |setting: &str| mib_s(&format!("sim:serveraid-m5025?drives=12&read_ahead={setting}"), one);
    let (off, adaptive) = (at("off"), at("adaptive"));
    assert!(adaptive > 1.5 * off, "{off} MiB/s without read-ahead, {adaptive} with");
}

/// singledisk: solid-state drives lie far above disks at random access and are measured settled.
#[test]
fn solid_state_drives_outrun_disks_at_random_access() {
    let database = load("database", "8KiB", 4);
    let disk = iops("sim:drive/hdd-sas35-15k-600", database);
    let flash = iops("sim:drive/ssd-sata25-32", database);
    assert!(flash > 3.0 * disk, "{disk} IO/s, {flash}");
    let writes = load("random-write", "64KiB", 4);
    let fresh = iops("sim:drive/ssd-sata25-32?flash_state=fresh", writes);
    let steady = iops("sim:drive/ssd-sata25-32?flash_state=steady", writes);
    assert!(fresh > 1.3 * steady, "{fresh} IO/s fresh, {steady} steady");
}

/// A failed drive costs throughput, and rebuilding it costs more.
#[test]
fn a_failed_drive_costs_throughput() {
    let at = |condition: &str| {
        let target = format!("sim:fastt900?drives=10&condition={condition}");
        iops(&target, load("random-read", "8KiB", 20))
    };
    let [optimal, degraded, rebuilding] = ["optimal", "degraded", "rebuilding"].map(at);
    assert!(degraded < 0.9 * optimal, "{optimal} IO/s, {degraded} degraded");
    assert!(rebuilding < 0.99 * degraded, "{degraded} IO/s degraded, {rebuilding} rebuilding");
}

/// A point with write-back begins where a long run would end.
#[test]
fn short_points_agree_with_long_ones() {
    for outstanding in [35, 121] {
        let oltp = load("oltp", "8KiB", outstanding);
        let at = |seconds| measure("sim:serveraid-m5025?drives=12", oltp, seconds).0.rate.mean;
        let (short, long) = (at(4), at(60));
        assert!((short / long - 1.0).abs() < 0.06, "{outstanding}: {short} IO/s, then {long}");
    }
}

/// Reads that outrun what is read ahead ask the drives themselves; the controller reads none of it once more.
#[test]
fn a_deep_queue_does_not_make_read_ahead_read_twice() {
    let target = "sim:fastt900?drives=10&stripe=128KiB&read_ahead=on";
    let rates =
        [16, 64, 256].map(|outstanding| mib_s(target, load("stream-read", "8KiB", outstanding)));
    assert!(rates[1] > 0.95 * rates[0] && rates[2] > 0.95 * rates[0], "{rates:?}");
}
