//! Parameter files in the shapes of the field, and what is refused.

use kneepoint_core::spec::profile::{Align, Line};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Bytes;
use proptest::prelude::*;

use crate::job::{Job, JobFormat, JobText, NoSurroundings, ToldBy, read};

fn try_job(text: &str) -> Result<Job, Fault> {
    let told = (JobFormat::Vdbench, ToldBy::Content);
    read(told, JobText { file: "lab.vdb", text }, &NoSurroundings)
}

#[track_caller]
fn job(text: &str) -> Job {
    try_job(text).unwrap()
}

const STORAGE: &str = "sd=default,openflags=o_direct,threads=4\nsd=sd1,lun=/dev/sdy,size=2g\n";

/// Storage, a workload with these parameters, and a run with those.
fn file(workload: &str, run: &str) -> String {
    format!("{STORAGE}wd=wd1,sd=sd*,{workload}\nrd=rd1,wd=wd*,{run}\n")
}

/// Share, size, reads and random of each line of the first profile.
fn lines(job: &Job) -> Vec<(f64, u64, f64, f64)> {
    let line = |line: &Line| (line.share.get(), line.size.0, line.read.get(), line.random.get());
    job.suite.profiles[0].lines.iter().map(line).collect()
}

#[track_caller]
fn load(text: &str) -> String {
    let job = job(text);
    job.suite.series[0].loads.as_ref().unwrap().to_string()
}

#[test]
fn a_run_becomes_a_series() {
    let text = "* a study\n# of two\nsd=sd1,lun=/dev/sdy,size=2g,openflags=o_direct\n\
                wd=wd1,sd=sd1,xfersize=8k,rdpct=70,   a comment\n  seekpct=100   another one\n\
                rd=rd1,wd=wd1,iorate=max,elapsed=60,interval=5,\nwarmup=10,forthreads=(1-16,d)\n";
    let job = job(text);
    assert_eq!(lines(&job), [(100.0, 8192, 70.0, 100.0)]);
    assert_eq!(job.suite.size, Some(Bytes(2 << 30)));
    assert_eq!(load(text), "1,2,4,8,16");
    assert_eq!(job.conduct.options(), "--time 60s --ramp 10s");
    let told: Vec<String> = job.differences.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "lab.vdb:3: '/dev/sdy' and other storage of the file is not touched: the command line names the targets",
            "lab.vdb:6: interval is left out: intervals are of about a second here",
        ]
    );
}

#[test]
fn defaults_ranges_and_wildcards() {
    let text = "sd=default,openflags=o_direct,threads=2\nsd=(sd1-sd3),lun=/dev/x\nsd=other,lun=/dev/y\n\
                wd=default,xfersize=64k,seekpct=seq\nwd=a,sd=(sd1-sd2,sd3)\nwd=b,sd=sd*,rdpct=0\n\
                rd=default,iorate=max,elapsed=5\nrd=one,wd=a\nrd=both,wd=(a,b)\n";
    let job = job(text);
    assert_eq!(job.suite.profiles.len(), 2);
    assert_eq!(lines(&job), [(100.0, 65536, 100.0, 0.0)]);
    let both = &job.suite.profiles[1].lines;
    assert_eq!((both[0].share.get(), both[0].read.get()), (50.0, 100.0));
    assert_eq!((both[1].share.get(), both[1].read.get()), (50.0, 0.0));
    assert!(job.differences.iter().any(|one| one.what.contains("they share one")));
}

#[test]
fn a_run_may_name_its_storage_and_hosts_have_two_names() {
    let text = "hd=one,system=a\nsd=sd1,hd=one,lun=/dev/x\nsd=sd2,host=one,lun=/dev/y\n\
                wd=wd1,hd=one,xfersize=4k\nrd=rd1,wd=wd1,sd=sd1,iorate=max\nrd=rd2,wd=wd1,sd=(sd1-sd2),iorate=max\n";
    let told: Vec<String> = job(text).differences.iter().map(ToString::to_string).collect();
    let some =
        "lab.vdb:5: the run uses 1 of 2 definitions of storage; here all targets have its load";
    assert!(told.iter().any(|one| one == some), "{told:?}");
    assert!(!told.iter().any(|one| one.contains("2 of 2")), "{told:?}");
    let fault = try_job("sd=sd1,lun=/dev/x\nwd=wd1\nrd=rd1,wd=wd1,sd=sd7\n").unwrap_err();
    assert_eq!(fault.what(), "lab.vdb:3: 'sd7' is not defined");
}

#[test]
fn shares_that_are_rounded_up_are_scaled_as_far_as_vdbench_takes_them() {
    let mix = job(&file("xfersize=(4k,60.01,8k,40)", "iorate=max"));
    let shares: f64 = lines(&mix).iter().map(|(share, ..)| share).sum();
    assert!((shares - 100.0).abs() < 1e-9, "{shares}");
    let told = "the shares of the sizes add up to 100.0100 %; each is made smaller by as much";
    assert!(mix.differences.iter().any(|one| one.what == told), "{:?}", mix.differences);
    let exact = job(&file("xfersize=(4k,60,8k,40)", "iorate=max"));
    assert!(!exact.differences.iter().any(|one| one.what.contains("add up")));
    for shares in ["(4k,60,8k,41)", "(4k,59.9,8k,40)"] {
        let said = try_job(&file(&format!("xfersize={shares}"), "iorate=max")).unwrap_err();
        assert!(said.what().contains("not 100 %"), "{said}");
    }
}

#[test]
fn mixes_of_sizes_and_workloads() {
    let mix = job(&file("xfersize=(4k,75,64k,25),rdpct=50", "iorate=max"));
    assert_eq!(lines(&mix), [(75.0, 4096, 50.0, 100.0), (25.0, 65536, 50.0, 100.0)]);
    let range = job(&file("xfersize=(4k,16k,4k)", "iorate=max"));
    assert_eq!(range.suite.profiles[0].lines.len(), 4);
    let skewed = format!(
        "{STORAGE}wd=wd1,sd=*,skew=80,xfersize=4k\nwd=wd2,sd=*,xfersize=8k,operations=write\n\
         rd=rd1,wd=*,iorate=max\n"
    );
    assert_eq!(lines(&job(&skewed)), [(80.0, 4096, 100.0, 100.0), (20.0, 8192, 0.0, 100.0)]);
}

#[test]
fn rates_are_offered_to_each_target() {
    assert_eq!(load(&file("xfersize=4k", "iorate=1000")), "1000");
    assert_eq!(load(&file("xfersize=4k", "iorate=MAX")), load(&file("xfersize=4k", "iorate=max")));
    assert_eq!(load(&file("xfersize=4k", "iorate=(3000,1000)")), "1000,3000");
    assert_eq!(load(&file("xfersize=4k", "iorate=(100-300,100)")), "100,200,300");
    let two = file("xfersize=4k", "iorate=900").replace("sd=sd1,", "sd=(sd1,sd2),");
    assert_eq!(load(&two), "450");
    assert!(job(&two).differences.iter().any(|one| one.what.contains("that of 2 targets")));
    let curve = job(&file("xfersize=4k", "iorate=curve,curve=(10-90,20),stopcurve=15"));
    assert_eq!(curve.suite.series[0].loads.as_ref().unwrap().to_string(), "auto");
    assert_eq!(curve.suite.rules[0].to_string(), "mean<=15ms");
    let constant = job(&file("xfersize=4k", "iorate=9,distribution=deterministic"));
    assert!(constant.conduct.options().contains("--arrivals constant"));
}

#[test]
fn loads_come_from_where_they_are_said_last() {
    assert_eq!(load(&file("xfersize=4k", "iorate=max")), "4");
    assert_eq!(load(&file("xfersize=4k,threads=6", "iorate=max")), "6");
    assert_eq!(load(&file("xfersize=4k,threads=6", "iorate=max,threads=7")), "7");
    assert_eq!(load(&file("xfersize=4k", "iorate=max").replace(",threads=4", "")), "8");
}

#[test]
fn loops_make_a_series_each() {
    let job = job(&file("seekpct=0", "iorate=max,forxfersize=(4k,8k),forrdpct=(0,100)"));
    let names: Vec<&str> = job.suite.profiles.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["rd1-x4k-r0", "rd1-x4k-r100", "rd1-x8k-r0", "rd1-x8k-r100"]);
    assert_eq!(lines(&job), [(100.0, 4096, 0.0, 0.0)]);
}

#[test]
fn a_part_of_the_storage() {
    let range = |workload: &str| {
        let range = job(&file(workload, "iorate=max")).suite.profiles[0].range;
        (range.start.get(), range.end.get())
    };
    assert_eq!(range("range=(10,30)"), (10.0, 30.0));
    assert_eq!(range("hotband=(0,5)"), (0.0, 5.0));
    let hot = job(&file("hotband=(0,5)", "iorate=max"));
    assert!(hot.differences.iter().any(|one| one.what.contains("prefers some positions")));
    let aligned = file("xfersize=8k", "iorate=max").replace("size=2g", "size=2g,align=4096");
    assert_eq!(job(&aligned).suite.profiles[0].lines[0].align, Align::Size(Bytes(4096)));
}

#[test]
fn what_is_not_the_same_is_listed() {
    let has = |text: &str, what: &str| {
        let differences = job(text).differences;
        assert!(differences.iter().any(|one| one.what.contains(what)), "{what}: {differences:?}");
    };
    let plain = file("xfersize=4k", "iorate=max");
    has(&format!("hd=h1,system=a,user=b\n{plain}"), "1 hosts are not used");
    has(
        &format!("messagescan=no\ndata_errors=9\n{plain}"),
        "concern output and errors: messagescan, data_errors",
    );
    has(&file("xfersize=4k,rhpct=30", "iorate=max"), "rhpct=30 is left out");
    has(&file("seekpct=seqnz", "iorate=max"), "seekpct=seqnz");
    has(&file("xfersize=4k", "iorate=max,pause=9"), "pause=9 is left out");
    has(&format!("{plain}rd=rd2,wd=*,iorate=max,elapsed=9\n"), "runs differ in elapsed");
    let buffered = job(&plain.replace("openflags=o_direct,", ""));
    assert!(buffered.conduct.options().contains("--buffered"));
    let data = job(&format!("compratio=2\ndedupratio=4\n{}", file("rdpct=0", "iorate=max")));
    let pattern = data.suite.profiles[0].data;
    assert_eq!((pattern.compressible.get(), pattern.duplicate.get()), (50.0, 75.0));
}

#[track_caller]
fn refused(text: &str, what: &str, fix: &str) {
    let fault = try_job(text).unwrap_err();
    assert_eq!((fault.what(), fault.fix_hint().unwrap_or_default()), (what, fix));
}

#[test]
fn what_cannot_be_said_is_refused_by_name_and_line() {
    refused(
        "fsd=fsd1,anchor=/dir,depth=1\n",
        "lab.vdb:1: fsd=: loads of file systems cannot be converted",
        "describe the storage by sd= and its load by wd=",
    );
    refused(
        &file("xfersize=4k,stride=9", "iorate=max"),
        "lab.vdb:3: stride: the parameter cannot be converted",
        "remove the parameter",
    );
    refused(
        &format!("startcmd=\"reboot\"\n{STORAGE}"),
        "lab.vdb:1: startcmd: the parameter cannot be converted",
        "remove the parameter",
    );
    refused(
        STORAGE,
        "lab.vdb: there is no run (rd=) in it",
        "add one, such as rd=rd1,wd=wd1,iorate=max,elapsed=60,interval=5",
    );
    refused(
        &file("xfersize=4k", "elapsed=5"),
        "lab.vdb:4: the run 'rd1' has no iorate",
        "add iorate=max, iorate=curve or a number of I/Os per second",
    );
    refused(
        &file("xfersize=(4k,50,8k,20)", "iorate=max"),
        "lab.vdb:3: the shares of the sizes add up to 70 %, not 100 %",
        "change the shares of xfersize",
    );
    refused(
        &file("xfersize=4k", "iorate=max").replace("sd=sd*", "sd=none"),
        "lab.vdb:3: 'none' is not defined",
        "define it above, or correct the name",
    );
    refused(
        &file("xfersize=4k,rdpct=120", "iorate=max"),
        "lab.vdb:3: '120' is no percentage",
        "write a number from 0 to 100",
    );
    refused(
        &file("xfersize=4k", "iorate=max,forthreads=(0,1)"),
        "lab.vdb:4: '(0,1)' is no number of threads",
        "write 8, (1,2,4), (1-64,d) or (8-64,8)",
    );
    refused(
        &file("xfersize=4k", "iorate=max").replace("o_direct", "fsync"),
        "lab.vdb:1: openflags=fsync: the flags cannot be converted",
        "use openflags=o_direct, or openflags=(o_direct,o_dsync)",
    );
    refused(
        "sd=sd1,lun=/dev/x what\nwd=wd1,oops\n",
        "lab.vdb:2: 'oops' is no parameter",
        "write it as key=value; a comment begins with *",
    );
    let other = format!(
        "{STORAGE}sd=sd2,lun=/dev/z\nwd=wd1,sd=sd1\nwd=wd2,sd=sd2\nrd=rd1,wd=*,iorate=max\n"
    );
    refused(
        &other,
        "lab.vdb:5: the workload 'wd2' uses other storage",
        "name the same storage in all workloads of a run, or make two runs",
    );
}

#[test]
fn flags_of_storage_make_writes_durable() {
    let of = |flags: &str, reads: &str| {
        let text = file(&format!("xfersize=4k,rdpct={reads}"), "iorate=max");
        let job = try_job(&text.replace("o_direct", flags)).unwrap();
        let caching = job.conduct.options().contains("--buffered");
        (job.suite.profiles[0].durability.sync.map(|sync| sync.name()), caching)
    };
    assert_eq!(of("(o_direct,o_dsync)", "0"), (Some("dsync"), false));
    assert_eq!(of("o_sync", "50"), (Some("sync"), true));
    assert_eq!(of("(o_direct,o_dsync)", "100"), (None, false), "nothing is written");
    assert_eq!(of("o_direct", "0"), (None, false));
    let two = "sd=sd1,lun=/dev/a,openflags=o_direct\nsd=sd2,lun=/dev/b,openflags=(o_direct,o_dsync)\n\
               wd=wd1,sd=sd*,xfersize=4k,rdpct=0\nrd=rd1,wd=wd1,iorate=max\n";
    let fault = try_job(two).unwrap_err();
    assert!(fault.what().starts_with("lab.vdb:2: openflags"), "{fault}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is changed in a file, the answer is a suite or a fault that names the file.
    #[test]
    fn any_change_is_read_or_refused(
        at in 0.0_f64..1.0, length in 0_usize..20, new in "[a-z0-9=,()*-]{0,16}",
    ) {
        let text = file("xfersize=(4k,75,64k,25),rdpct=50", "iorate=(1-9,2),forthreads=(1-8,d)");
        let start = (at * text.len() as f64) as usize;
        let end = (start + length).min(text.len());
        let changed = format!("{}{new}{}", &text[..start], &text[end..]);
        if let Err(fault) = try_job(&changed) {
            prop_assert!(fault.what().starts_with("lab.vdb"), "{}", fault);
        }
    }
}
