//! Parameter files in the shapes of the field, and what is refused.

use kneepoint_core::spec::profile::{Align, Line};
use kneepoint_core::spec::suite::Member;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Bytes;
use proptest::prelude::*;

use crate::job::{Job, JobFormat, JobText, NoSurroundings, Surroundings, ToldBy, read};

fn try_job(text: &str) -> Result<Job, Fault> {
    read_in(&NoSurroundings, text)
}

fn read_in(around: &dyn Surroundings, text: &str) -> Result<Job, Fault> {
    let told = (JobFormat::Vdbench, ToldBy::Content);
    read(told, JobText { file: "lab.vdb", text }, around)
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
fn a_count_makes_a_sequence_of_storage() {
    let text = "sd=sd,lun=/dev/rdsk/disk,count=(1,8),size=1g,openflags=o_direct\n\
                wd=wd1,sd=sd*,xfersize=8k\nrd=rd1,wd=wd1,iorate=8000,elapsed=60\n";
    assert_eq!(load(text), "1000");
    let told: Vec<String> = job(text).differences.iter().map(ToString::to_string).collect();
    assert!(told[0].contains("'/dev/rdsk/disk1' and other storage"), "{told:?}");
    assert!(told[1].contains("8 definitions of storage: name as many targets"), "{told:?}");
    let third = job(&text.replace("sd=sd*", "sd=sd3").replace("8000", "max"));
    assert!(third.differences.iter().any(|one| one.what.contains("uses 1 of 8 definitions")));
    let single = job(&text.replace("count=(1,8),", ""));
    assert!(!single.differences.iter().any(|one| one.what.contains("definitions of storage")));
    refused(
        &text.replace("(1,8)", "(1,0)"),
        "lab.vdb:1: count=(1,0): no sequence of storage",
        "write count=(1,8) for eight storages numbered from 1",
    );
    refused(
        &text.replace("disk,", "disk%s,"),
        "lab.vdb:1: '/dev/rdsk/disk%s' cannot be numbered",
        "use %d or, with leading zeros, %04d",
    );
    refused(
        &text.replace("sd=sd*", "sd=sd"),
        "lab.vdb:2: 'sd' is not defined",
        "define it above, or correct the name",
    );
    refused(
        &text.replace("wd=wd1,sd", "wd=wd1,count=(1,2),sd"),
        "lab.vdb:2: count: the parameter cannot be converted",
        "remove the parameter",
    );
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
}

#[test]
fn what_is_said_twice_is_refused() {
    refused(
        &file("xfersize=8k,xfersize=16k", "iorate=max"),
        "lab.vdb:3: xfersize is there twice",
        "remove one of them; the second is 16k",
    );
    refused(
        "compratio=2,compratio=3\n",
        "lab.vdb:1: compratio is there twice",
        "remove one of them; the second is 3",
    );
    let twice = "give them different names, or remove one";
    refused(
        &file("xfersize=8k", "iorate=max").replace("rd=", "wd=wd1,xfersize=4k\nrd="),
        "lab.vdb:4: wd=wd1 is defined twice",
        twice,
    );
    refused(
        &format!("{STORAGE}sd=(sd0-sd1),lun=/dev/x\n"),
        "lab.vdb:3: sd=sd1 is defined twice",
        twice,
    );
    refused(
        &file("range=(0,50),hotband=(10,20)", "iorate=max"),
        "lab.vdb:3: 'wd1' has both hotband and range",
        "remove one of them",
    );
    // Storage has another lun on each host, defaults are replaced, and runs may have one name.
    job("sd=default,openflags=o_direct\nsd=default,threads=2\n\
         sd=sd1,host=a,lun=/dev/x,host=b,lun=/dev/y,threads=3\nwd=wd1,sd=sd1\n\
         rd=rd1,iorate=max\nrd=rd1,iorate=max\n");
}

#[test]
fn workloads_on_the_same_storage_have_one_number_of_threads() {
    let text = |second: &str, run: &str| {
        format!(
            "{STORAGE}wd=wd1,sd=sd1,threads=2\nwd=wd2,sd=sd1,xfersize=16k{second}\nrd=rd1,wd=wd*,{run}\n"
        )
    };
    for second in [",threads=6", ""] {
        refused(
            &text(second, "iorate=max"),
            "lab.vdb:4: threads: 'wd2' has another number than 'wd1'",
            "write threads in the run, or the same for all of its workloads",
        );
    }
    assert_eq!(load(&text(",threads=2", "iorate=max")), "2");
    assert_eq!(load(&text(",threads=6", "iorate=max,threads=5")), "5");
    assert_eq!(load(&text(",threads=6", "iorate=100")), "100");
}

#[test]
fn what_a_run_does_not_keep_is_listed() {
    let told = |text: &str, what: &str| {
        job(text).differences.iter().any(|one| one.to_string().contains(what))
    };
    let no_effect = "lab.vdb:4: forthreads has no effect on a rate here";
    for rate in ["curve", "100"] {
        assert!(told(&file("xfersize=8k", &format!("iorate={rate},forthreads=(4,8)")), no_effect));
        assert!(!told(&file("xfersize=8k", &format!("iorate={rate}")), no_effect));
    }
    assert!(told(&two_drives("", "", "iorate=100,forthreads=(1,2)"), "forthreads has no effect"));
    assert!(!told(&file("xfersize=8k", "iorate=max,forthreads=(4,8)"), no_effect));

    let no_time = "the run 'rd1' has no elapsed, which is 30 s in vdbench";
    assert!(told(&file("xfersize=8k", "iorate=max"), no_time));
    assert!(!told(&file("xfersize=8k", "iorate=max,elapsed=9"), no_time));
    assert!(told(&file("xfersize=8k", "iorate=max"), "here a point ends when it is accurate"));
    let second = format!("{}rd=rd2,iorate=max\n", file("xfersize=8k", "iorate=max,elapsed=9"));
    assert!(told(&second, "in vdbench; here it has the time of the first run"));
    assert!(!told(&second, "when it is accurate"));

    let curves = |first: &str, second: &str| {
        let one = file("xfersize=8k", &format!("iorate=curve,elapsed=9{first}"));
        format!("{one}rd=rd2,wd=*,iorate=curve,elapsed=9{second}\n")
    };
    let of_all = "stopcurve=5 of one run is a rule of all of them here";
    let limit = ",stopcurve=5";
    assert!(told(&curves("", limit), of_all));
    assert!(told(&curves(limit, ",stopcurve=9"), of_all));
    assert!(!told(&curves(limit, limit), of_all));
    assert_eq!(job(&curves(limit, ",stopcurve=9")).suite.rules.len(), 2);
}

/// Two drives with a workload each, of which these are the parameters, and a run.
fn two_drives(first: &str, second: &str, run: &str) -> String {
    format!(
        "sd=default,openflags=o_direct\nsd=sd1,lun=/dev/x,threads=4\nsd=sd2,lun=/dev/y,threads=16\n\
         wd=one,sd=sd1,xfersize=4k{first}\nwd=two,sd=sd2,xfersize=64k,rdpct=0{second}\nrd=rd1,wd=*,{run}\n"
    )
}

/// Profile, load and target of all members, moment by moment.
fn moments(job: &Job) -> Vec<Vec<(String, String, Option<u32>)>> {
    let member = |member: &Member| {
        let levels: Vec<String> = member.loads.levels.iter().map(f64::to_string).collect();
        (member.profile.clone(), levels.join(","), member.target)
    };
    job.suite.together.iter().map(|group| group.members.iter().map(member).collect()).collect()
}

fn of(members: &[(&str, &str, Option<u32>)]) -> Vec<(String, String, Option<u32>)> {
    let owned = |(name, load, target): &(&str, &str, Option<u32>)| {
        ((*name).to_owned(), (*load).to_owned(), *target)
    };
    members.iter().map(owned).collect()
}

#[test]
fn workloads_on_different_storage_are_measured_at_the_same_moment() {
    let rates = job(&two_drives(",skew=70", "", "iorate=(1000,2000)"));
    let expected = [
        of(&[("rd1-i1000-one", "700", Some(1)), ("rd1-i1000-two", "300", Some(2))]),
        of(&[("rd1-i2000-one", "1400", Some(1)), ("rd1-i2000-two", "600", Some(2))]),
    ];
    assert_eq!(moments(&rates), expected);
    assert!(rates.suite.series.is_empty());
    let one = &rates.suite.profiles[1].lines;
    assert_eq!((one.len(), one[0].share.get(), one[0].read.get()), (1, 100.0, 0.0));
    let told: Vec<&str> = rates.differences.iter().map(|one| one.what.as_str()).collect();
    assert!(told.contains(
        &"the workloads of the run are measured at the same moment, each with its own load: name the targets in \
          the order sd1, sd2"
    ));
    assert!(
        !told.iter().any(|one| one.contains("they share one") || one.contains("all targets have")),
        "{told:?}"
    );
    // No share is kept at the highest rate if none is asked for: each has the threads of its storage.
    let free = job(&two_drives("", "", "iorate=max"));
    assert_eq!(moments(&free), [of(&[("rd1-one", "4", Some(1)), ("rd1-two", "16", Some(2))])]);
    let loops = job(&two_drives("", "", "iorate=max,forthreads=(1,2),forxfersize=(4k,8k)"));
    let groups = moments(&loops);
    assert_eq!(groups.len(), 4);
    assert_eq!(
        groups[3],
        of(&[("rd1-x8k-t2-one", "2", Some(1)), ("rd1-x8k-t2-two", "2", Some(2))])
    );
}

#[test]
fn a_workload_on_some_of_the_storage_is_a_member_on_each() {
    let text = "sd=(sd1-sd3),lun=/dev/x,openflags=o_direct\nwd=all,sd=*,xfersize=4k,skew=60\n\
                wd=some,sd=(sd1,sd3),xfersize=8k,skew=40\nrd=rd1,wd=*,iorate=600\nrd=rd2,wd=all,iorate=max\n";
    let some = job(&text
        .replace("rd=rd2,wd=all", "rd=rd2,wd=extra")
        .replace("rd=rd1", "wd=extra,sd=*\nrd=rd1")
        .replace("rd=rd1,wd=*", "rd=rd1,wd=(all,some)"));
    let expected = of(&[
        ("rd1-all", "120", None),
        ("rd1-some-sd1", "120", Some(1)),
        ("rd1-some-sd3", "120", Some(3)),
    ]);
    assert_eq!(moments(&some), [expected]);
    let after = "runs whose workloads have loads of their own are measured after the others";
    assert!(some.differences.iter().any(|one| one.what == after), "{:?}", some.differences);
}

#[test]
fn parts_of_the_storage_have_loads_of_their_own_at_a_rate() {
    let text = |rate: &str| {
        format!(
            "{STORAGE}wd=hot,sd=sd1,range=(0,10),skew=90\nwd=cold,sd=sd1,range=(10,100)\n\
             rd=rd1,wd=*,iorate={rate}\n"
        )
    };
    let parts = job(&text("1000"));
    assert_eq!(moments(&parts), [of(&[("rd1-hot", "900", None), ("rd1-cold", "100", None)])]);
    let ranges: Vec<(f64, f64)> = parts
        .suite
        .profiles
        .iter()
        .map(|profile| (profile.range.start.get(), profile.range.end.get()))
        .collect();
    assert_eq!(ranges, [(0.0, 10.0), (10.0, 100.0)]);
    refused(
        &text("max"),
        "lab.vdb:3: the workloads of a run use other parts of the storage",
        "use one range, write I/Os per second as the iorate, or make two runs",
    );
}

#[test]
fn storage_that_is_used_in_other_ways_is_measured_at_the_same_moment() {
    let text = |storage: [&str; 2], run: &str| {
        format!(
            "sd=default,openflags=o_direct,threads=4\nsd=sd1,lun=/dev/a{}\nsd=sd2,lun=/dev/b{}\n\
             wd=wd1,sd=sd*,xfersize=8k\nrd=rd1,wd=wd*,elapsed=9,{run}\n",
            storage[0], storage[1]
        )
    };
    let ranges = [",range=(0,50)", ",range=(50,100)"];
    let parts = job(&text(ranges, "iorate=max"));
    assert_eq!(
        moments(&parts),
        [of(&[("rd1-wd1-sd1", "4", Some(1)), ("rd1-wd1-sd2", "4", Some(2))])]
    );
    let starts = parts.suite.profiles.iter().map(|one| one.range.start.get());
    assert_eq!(starts.collect::<Vec<f64>>(), [0.0, 50.0]);
    assert!(parts.differences.iter().any(|one| one.what.ends_with(
        "has its own part or alignment, and all are measured at the same moment: name the targets in the order sd1, sd2"
    )));
    let aligns = job(&text([",align=4k", ",align=64k"], "iorate=(100,200)"));
    assert_eq!(moments(&aligns).len(), 2);
    let aligns = aligns.suite.profiles.iter().map(|one| one.lines[0].align);
    let sizes = [4096, 65536].map(|size| Align::Size(Bytes(size)));
    assert_eq!(aligns.take(2).collect::<Vec<Align>>(), sizes);
    // Alike as it counts: written in another way, or not used since the workload has its own part.
    for alike in [
        text([",align=4k", ",align=4096"], "iorate=max"),
        text(["", ",range=(0,100)"], "iorate=max"),
        text(ranges, "iorate=max").replace("8k", "8k,range=(0,10)"),
    ] {
        assert!(moments(&job(&alike)).is_empty(), "{alike}");
    }
    let fix = "for all storage of a run, or write I/Os per second as the iorate";
    refused(
        &text(ranges, "iorate=curve"),
        "lab.vdb:3: range: 'sd2' has another range than 'sd1'",
        &format!("use the same range {fix}"),
    );
    refused(
        &text(["", ",align=64k"], "iorate=max").replace("rd=", "wd=wd2,sd=sd*\nrd="),
        "lab.vdb:3: align: 'sd2' has another align than 'sd1'",
        &format!("use the same align {fix}"),
    );
}

#[test]
fn what_cannot_be_measured_at_the_same_moment_is_refused() {
    refused(
        &two_drives(",skew=70", "", "iorate=max"),
        "lab.vdb:4: the skew of 'one' cannot be converted at iorate=max",
        "write I/Os per second as the iorate, or remove skew",
    );
    refused(
        &two_drives(",priority=1", "", "iorate=max"),
        "lab.vdb:4: the priority of 'one' cannot be converted at iorate=max",
        "write I/Os per second as the iorate, or remove priority",
    );
    refused(
        &two_drives("", "", "iorate=curve"),
        "lab.vdb:6: iorate=curve of workloads on different storage cannot be converted",
        "write I/Os per second, such as iorate=(1000,2000,4000)",
    );
    refused(
        &two_drives("", "", "iorate=max").replace("wd=two,sd=sd2", "wd=two,sd=sd*"),
        "lab.vdb:5: 'two' uses some of the storage of 'one', and not all of it",
        "write I/Os per second as the iorate, or make two runs",
    );
    let many = "sd=(sd1-sd20),lun=/dev/x\nwd=a,sd=(sd1-sd19)\nwd=b,sd=sd20\nrd=rd1,wd=*,iorate=9\n";
    refused(
        many,
        "lab.vdb:4: the workloads of the run load 20 storages at the same moment, more than 16",
        "split the run, or let all of its workloads use the same storage",
    );
    refused(
        &two_drives(",skew=70", ",skew=20", "iorate=100"),
        "lab.vdb:4: the skews of the run add up to 90 %",
        "let them add up to 100, each above 0, or leave them out",
    );
}

/// Files beside the parameter file, by name.
struct Beside(Vec<(&'static str, &'static str)>);

impl Surroundings for Beside {
    fn included(&self, name: &str) -> Result<String, String> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map(|(_, text)| (*text).to_owned()).ok_or_else(|| "no such file".to_owned())
    }

    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
}

#[test]
fn files_are_included() {
    let around = Beside(vec![
        ("storage.inc", "* drives\nsd=sd1,lun=/dev/x,openflags=o_direct\n"),
        ("bad.inc", "sd=sd1,lun=/dev/x\n\nwd=wd1,stride=9\n"),
        ("loop.inc", "include=loop.inc\n"),
    ]);
    let job =
        read_in(&around, "include=storage.inc\nwd=wd1,xfersize=8k\nrd=rd1,iorate=max,pause=9\n")
            .unwrap();
    assert_eq!(lines(&job), [(100.0, 8192, 100.0, 100.0)]);
    let told: Vec<String> = job.differences.iter().map(ToString::to_string).collect();
    // Each is told by its own file, in the order in which they are read.
    assert!(told[0].starts_with("storage.inc:2: '/dev/x'"), "{told:?}");
    assert!(told[1].starts_with("lab.vdb:3: pause=9"), "{told:?}");
    let said = |text: &str| read_in(&around, text).unwrap_err().to_string();
    assert_eq!(
        said("rd=rd1,iorate=max\ninclude=bad.inc\n"),
        "bad.inc:3: stride: the parameter cannot be converted: a sequential I/O begins where the last one ended"
    );
    assert_eq!(said("* one\ninclude=no.inc\n"), "lab.vdb:2: cannot include no.inc: no such file");
    assert_eq!(
        said("include=loop.inc\n"),
        "loop.inc:1: cannot include loop.inc: more than 16 files are included"
    );
    refused(
        &format!("{STORAGE}wd=wd1,include=x\nrd=rd1,iorate=max\n"),
        "lab.vdb:3: include: the parameter cannot be converted",
        "remove the parameter",
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

    /// The same with workloads at the same moment.
    #[test]
    fn any_change_of_moments_is_read_or_refused(
        at in 0.0_f64..1.0, length in 0_usize..20, new in "[a-z0-9=,()*-]{0,16}",
    ) {
        let text = two_drives(",skew=70", ",range=(10,20)", "iorate=(100,200)");
        let start = (at * text.len() as f64) as usize;
        let end = (start + length).min(text.len());
        let changed = format!("{}{new}{}", &text[..start], &text[end..]);
        if let Err(fault) = try_job(&changed) {
            prop_assert!(fault.what().starts_with("lab.vdb"), "{}", fault);
        }
    }
}
