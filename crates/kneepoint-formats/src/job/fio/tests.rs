//! Job files in the shapes of the field, and what is refused.

use std::collections::BTreeMap;

use kneepoint_core::spec::profile::{Align, Distribution, Profile};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::{Bytes, Nanos};
use proptest::prelude::*;

use crate::job::{Job, JobFormat, JobText, Surroundings, ToldBy, read};

/// Files beside the job, and variables.
#[derive(Default)]
struct Around {
    files: BTreeMap<&'static str, String>,
    variables: BTreeMap<&'static str, &'static str>,
}

impl Surroundings for Around {
    fn included(&self, name: &str) -> Result<String, String> {
        self.files.get(name).cloned().ok_or_else(|| "no such file".to_owned())
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).map(|value| (*value).to_owned())
    }
}

fn read_in(around: &Around, text: &str) -> Result<Job, Fault> {
    read((JobFormat::Fio, ToldBy::Content), JobText { file: "lab.fio", text }, around)
}

fn try_job(text: &str) -> Result<Job, Fault> {
    read_in(&Around::default(), text)
}

#[track_caller]
fn job(text: &str) -> Job {
    try_job(text).unwrap()
}

/// The only profile of a job with these options.
#[track_caller]
fn profile(options: &str) -> Profile {
    let mut job = job(&format!("[one]\n{options}\n"));
    assert_eq!(job.suite.series.len(), 1);
    job.suite.profiles.remove(0)
}

/// Share, size, reads and random of each line.
fn lines(profile: &Profile) -> Vec<(f64, u64, f64, f64)> {
    let line = |line: &kneepoint_core::spec::profile::Line| {
        (line.share.get(), line.size.0, line.read.get(), line.random.get())
    };
    profile.lines.iter().map(line).collect()
}

#[track_caller]
fn load(job: &Job, series: usize) -> String {
    let of_series = job.suite.series[series].loads.clone();
    let loads = of_series.or_else(|| job.suite.profiles[series].loads.clone());
    loads.unwrap().to_string()
}

#[test]
fn jobs_become_series_with_the_options_that_apply_to_them() {
    let job = job("; a study\n[global]\nioengine=libaio ; not synchronous\ndirect=1\nsize=1g\n\
                   runtime=2m\ntime_based\nramp_time=5\nfilename=/dev/sdz\n\n[read]\nrw=randread\nbs=8k\n\
                   iodepth=16\nnorandommap\n\n[global]\nstonewall\nbs=64k\n# behind\n[scan]\nreadwrite=read\n\
                   numjobs=2\n[log]\nrw=write\nbs=128k\n");
    let names: Vec<&str> = job.suite.profiles.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["read", "scan", "log"]);
    assert_eq!(job.suite.size, Some(Bytes(1 << 30)));
    assert_eq!(lines(&job.suite.profiles[0]), [(100.0, 8192, 100.0, 100.0)]);
    assert_eq!(lines(&job.suite.profiles[1]), [(100.0, 65536, 100.0, 0.0)]);
    assert_eq!(lines(&job.suite.profiles[2]), [(100.0, 131_072, 0.0, 0.0)]);
    assert_eq!([load(&job, 0), load(&job, 1), load(&job, 2)], ["16", "2", "1"]);
    assert_eq!(job.conduct.options(), "--time 120s --ramp 5s --workers 2 --engine libaio");
    let told: Vec<String> = job.differences.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "lab.fio:9: '/dev/sdz' is not touched: the command line names the targets",
            "lab.fio:9: '/dev/sdz' is not touched: the command line names the targets",
            "lab.fio:21: each of the jobs begins at the start of the file in fio; here they begin at even distances",
            "lab.fio:9: '/dev/sdz' is not touched: the command line names the targets",
            "lab.fio: jobs differ in numjobs, which is one for all here: that of the first job, of numjobs the largest",
        ]
    );
}

#[test]
fn directions_and_mixes() {
    assert_eq!(lines(&profile("rw=randrw\nbs=4k")), [(100.0, 4096, 50.0, 100.0)]);
    assert_eq!(lines(&profile("rw=randrw\nrwmixread=70")), [(100.0, 4096, 70.0, 100.0)]);
    assert_eq!(lines(&profile("rw=randrw\nrwmixwrite=40")), [(100.0, 4096, 60.0, 100.0)]);
    assert_eq!(lines(&profile("rw=rw\nrwmixread=0")), [(100.0, 4096, 0.0, 0.0)]);
    assert_eq!(lines(&profile("rw=randwrite\npercentage_random=25")), [(100.0, 4096, 0.0, 25.0)]);
    assert_eq!(lines(&profile("rw=randread:8")), [(100.0, 4096, 100.0, 12.5)]);
    assert_eq!(
        lines(&profile("rw=randrw\npercentage_random=100,0")),
        [(50.0, 4096, 100.0, 100.0), (50.0, 4096, 0.0, 0.0)]
    );
}

#[test]
fn sizes_of_each_direction() {
    assert_eq!(
        lines(&profile("rw=randrw\nbs=4k,64k")),
        [(50.0, 4096, 100.0, 100.0), (50.0, 65536, 0.0, 100.0)]
    );
    assert_eq!(lines(&profile("rw=randwrite\nbs=4k,64k")), [(100.0, 65536, 0.0, 100.0)]);
    assert_eq!(
        lines(&profile("rw=randread\nbssplit=4k/10:64k/50:32k/")),
        [(10.0, 4096, 100.0, 100.0), (50.0, 65536, 100.0, 100.0), (40.0, 32768, 100.0, 100.0)]
    );
    assert_eq!(
        lines(&profile("rw=randrw\nrwmixread=80\nbssplit=4k/50:8k/50,16k/100")),
        [(40.0, 4096, 100.0, 100.0), (40.0, 8192, 100.0, 100.0), (20.0, 16384, 0.0, 100.0)]
    );
    let range = profile("rw=randread\nbsrange=2k-8k");
    assert_eq!(range.lines.len(), 4);
    assert!(range.lines.iter().all(|line| line.share.get() == 25.0));
    assert_eq!(range.lines[0].align, Align::Request);
    assert_eq!(range.lines[3].align, Align::Size(Bytes(2048)), "as the smallest size");
}

#[test]
fn gaps_between_sequential_positions() {
    let gap = |options: &str| {
        let line = &profile(options).lines[0];
        (line.gap, line.align)
    };
    assert_eq!(gap("rw=read\nbs=64k"), (Bytes(0), Align::Request));
    assert_eq!(gap("rw=read:64k\nbs=64k"), (Bytes(65536), Align::Request));
    assert_eq!(gap("rw=write:4k\nbs=64k"), (Bytes(4096), Align::Size(Bytes(4096))), "as in fio");
    assert_eq!(gap("rw=randread:8\nbs=64k").0, Bytes(0), "I/Os in a row");
    let pareto = profile("rw=randread\nrandom_distribution=pareto:0.1");
    assert_eq!(pareto.distribution, Distribution::Pareto { h: 0.1 });
}

#[test]
fn a_part_of_the_file() {
    let range = |options: &str| {
        let profile = profile(&format!("rw=randread\n{options}"));
        (profile.range.start.get(), profile.range.end.get())
    };
    assert_eq!(range("size=50%"), (0.0, 50.0));
    assert_eq!(range("size=25%\noffset=50%"), (50.0, 75.0));
    assert_eq!(range("size=10%\noffset=0"), (0.0, 10.0), "0 bytes are 0 %");
    assert_eq!(range("size=10%\noffset=0%"), (0.0, 10.0));
    assert_eq!(range("size=0\noffset=50%"), (50.0, 100.0), "as without a size");
    assert_eq!(range("size=0%\nfilesize=0"), (0.0, 100.0));
    assert_eq!(range("size=3m\noffset=1m"), (25.0, 100.0));
    assert_eq!(range("size=1m\nfilesize=4m"), (0.0, 25.0));
    assert_eq!(range("filesize=4m"), (0.0, 100.0));
    let two = job("[a]\nrw=read\nsize=1m\n[b]\nstonewall\nrw=read\nsize=4m\n");
    assert_eq!(two.suite.size, Some(Bytes(4 << 20)));
    assert_eq!(two.suite.profiles[0].range.end.get(), 25.0);
    let fault = try_job("[a]\nrw=read\nfilesize=1m\noffset=1m\n").unwrap_err();
    assert!(fault.what().starts_with("lab.fio:1: offset and size leave nothing"), "{fault}");
}

#[test]
fn distributions_and_data() {
    let zipf = profile("rw=randread\nrandom_distribution=zipf:1.2");
    assert_eq!(zipf.distribution, Distribution::Zipf { theta: 1.2 });
    let zoned = profile("rw=randread\nrandom_distribution=zoned:60/10:30/20:10/70");
    let Distribution::HotBand(bands) = zoned.distribution else { panic!() };
    assert_eq!((bands[0].access.get(), bands[0].range.get()), (60.0, 10.0));
    let data = profile("rw=write\nbuffer_compress_percentage=50\ndedupe_percentage=20").data;
    assert_eq!((data.compressible.get(), data.duplicate.get()), (50.0, 20.0));
}

#[test]
fn loads_are_those_of_all_jobs_of_a_target() {
    let of = |text: &str| load(&job(text), 0);
    assert_eq!(of("[a]\nrw=read\nioengine=io_uring\niodepth=8\nnumjobs=4\n"), "32");
    assert_eq!(of("[a]\nrw=read\niodepth=8\nnumjobs=4\n"), "4", "psync has one I/O in flight");
    let rate = job("[a]\nrw=randread\nioengine=libaio\nrate_iops=500\nnumjobs=2\n");
    assert_eq!(load(&rate, 0), "1000");
    assert!(rate.conduct.options().ends_with("--arrivals constant"), "{}", rate.conduct.options());
    let poisson = job("[a]\nrw=randwrite\nrate_iops=500,200\nrate_process=poisson\n");
    assert_eq!((load(&poisson, 0).as_str(), poisson.conduct.arrivals), ("200", None));
    assert_eq!(poisson.conduct.engine, None, "threads of synchronous I/O keep no pace");
    let global = "[global]\nrw=randread\nioengine=libaio\niodepth=4\n";
    assert_eq!(of(&format!("{global}[a]\nfilename=x\n[b]\nfilename=x\n")), "8");
    let two = job(&format!("{global}[a]\nfilename=x\n[b]\nfilename=y\n"));
    assert_eq!(load(&two, 0), "4");
    assert!(two.differences.iter().any(|one| one.what.contains("name as many targets")));
}

#[test]
fn what_is_not_the_same_is_listed() {
    let has = |options: &str, what: &str| {
        let job = job(&format!("[one]\n{options}\n"));
        let found = job.differences.iter().any(|one| one.what.contains(what));
        assert!(found, "{what}: {:?}", job.differences);
    };
    let lacks = |options: &str, what: &str| {
        let job = job(&format!("[one]\n{options}\n"));
        let found = job.differences.iter().any(|one| one.what.contains(what));
        assert!(!found, "{what}: {:?}", job.differences);
    };
    has("rw=rw", "each go on from their own position");
    lacks("rw=read", "each go on from their own position");
    has("rw=randread", "positions may repeat");
    lacks("rw=randread\nnorandommap=1", "positions may repeat");
    lacks("rw=read", "positions may repeat");
    has("rw=randread:4", "with a chance of 1 in 4");
    has("rw=read\niodepth=4", "has no effect with the engine psync");
    lacks("rw=read\nioengine=libaio\niodepth=4", "has no effect");
    has("rw=read\nsize=1m", "ends when its size is transferred in fio; here a point ends when");
    has("rw=read\nruntime=9\nloops=3", "3 times its size are transferred in fio; here the time");
    lacks("rw=read\nruntime=9\ntime_based=1", "transferred");
    has(
        "rw=read\nthread\ngroup_reporting",
        "concern output or preparation: group_reporting, thread",
    );
    has("rw=read\nnumjobs=2", "each of the 2 jobs has its own file");
    has("rw=read\nfilename=a:b", "shared by several files");
    has("rw=read\nioengine=posixaio", "the engine posixaio is not known here");
    has("rw=read\nioengine=libaio\nrate_iops=9", "offered whatever the target answers");
    has("rw=read\nsize=1m\noffset=10%", "depend on the size of the file");
    lacks("rw=read\nverify=0\nfsync=0\nnrfiles=1", "verify");
}

#[test]
fn files_are_included_and_variables_replaced() {
    let mut around = Around::default();
    around.files.insert("common.inc", "rw=randread\nbs=${BLOCK}\n".to_owned());
    around.variables.insert("BLOCK", "16k");
    let job = read_in(&around, "[global]\ninclude common.inc\n[a]\nsize=1m\n").unwrap();
    assert_eq!(lines(&job.suite.profiles[0]), [(100.0, 16384, 100.0, 100.0)]);
    let fault = try_job("[a]\nbs=${BLOCK}\n").unwrap_err();
    assert_eq!(fault.what(), "lab.fio:2: the variable BLOCK is not set");
    let fault = try_job("[a]\ninclude other.inc\n").unwrap_err();
    assert_eq!(fault.what(), "lab.fio:2: cannot include other.inc");
    around.files.insert("loop.inc", "include loop.inc\n".to_owned());
    let fault = read_in(&around, "[a]\ninclude loop.inc\n").unwrap_err();
    assert!(fault.to_string().contains("more than 16 files"), "{fault}");
    around.files.insert("bad.inc", "\nbs=many\n".to_owned());
    let fault = read_in(&around, "[a]\ninclude bad.inc\n").unwrap_err();
    assert!(fault.what().starts_with("bad.inc:2: bs: 'many' is no size"), "{fault}");
}

#[track_caller]
fn refused(text: &str, what: &str, why: &str, fix: &str) {
    let fault = try_job(text).unwrap_err();
    let parts =
        (fault.what(), fault.why().unwrap_or_default(), fault.fix_hint().unwrap_or_default());
    assert_eq!(parts, (what, why, fix));
}

#[test]
fn what_cannot_be_said_is_refused_by_name_and_line() {
    let option = |option: &str| format!("[one]\nrw=read\n{option}\n");
    let cannot = "the option cannot be converted";
    refused(
        &option("verify=crc32c"),
        &format!("lab.fio:3: verify: {cannot}"),
        "that data is right is asked for on the command line: --verify",
        "remove the line",
    );
    refused(
        &option("exec_prerun=reboot"),
        &format!("lab.fio:3: exec_prerun: {cannot}"),
        "commands in the files of others are never run",
        "remove the line",
    );
    refused(
        &option("iodept=4"),
        &format!("lab.fio:3: iodept: {cannot}"),
        "Kneepoint does not know what it would change",
        "did you mean 'iodepth'?",
    );
    refused(
        &option("ioengine=rbd"),
        "lab.fio:3: ioengine: the engine 'rbd' cannot be converted",
        "I/O goes to files and block devices here, by io_uring, libaio or synchronous calls",
        "remove the line, and name a file or block device that has the same storage",
    );
    refused(
        &option("ioengine=null"),
        "lab.fio:3: ioengine: the engine 'null' cannot be converted",
        "it transfers nothing",
        "remove the line, and name the target that transfers nothing: null:",
    );
    refused(
        &option("rw=trimread"),
        "lab.fio:3: rw: 'trimread' cannot be converted",
        "only reads, writes and trims, in order or at random, are known here",
        "use read, write, rw, trim, randread, randwrite, randrw or randtrim",
    );
    refused(
        &option("rw=read:2g"),
        "lab.fio:3: rw: a gap of 2147483648 bytes between sequential I/Os cannot be converted",
        "",
        "use at most 1 GiB",
    );
    refused(
        &option("random_distribution=pareto:0.7"),
        "lab.fio:3: random_distribution: '0.7' is no share that can be converted",
        "",
        "write it as pareto:0.2, above 0 and at most 0.5, without a centre",
    );
    refused(
        &option("random_distribution=normal:20"),
        "lab.fio:3: random_distribution: the distribution 'normal' cannot be converted",
        "random positions are uniform, by Zipf's law, by Pareto's, or in bands here",
        "use random, zipf:THETA, pareto:H, or zoned:ACCESS/RANGE:... in percent",
    );
    refused(
        &option("bssplit=4k/50:8k/20"),
        "lab.fio:3: bssplit: the shares add up to 70 %, not 100 %",
        "",
        "change them, or leave one out, which gets the rest",
    );
    refused(
        &option("rw=randrw\nrate_iops=100"),
        "lab.fio:4: rate_iops: the rate of a mix of reads and writes cannot be converted",
        "the limits of reads and of writes are apart; here the rate is that of all I/Os",
        "remove the line, and name the rate on the command line: --rate",
    );
}

#[test]
fn jobs_that_do_different_things_at_the_same_time_are_measured_so() {
    let told = |job: &Job| -> Vec<(String, String, Option<u32>)> {
        let group = &job.suite.together[0].members;
        let of = |member: &kneepoint_core::spec::suite::Member| {
            let loads = &member.loads;
            let load = format!("{} {}", loads.levels[0], loads.unit.name());
            (member.profile.clone(), load, member.target)
        };
        group.iter().map(of).collect()
    };
    let row = |name: &str, load: &str, target| (name.to_owned(), load.to_owned(), target);
    let has = |job: &Job, what: &str| job.differences.iter().any(|told| told.what.contains(what));
    let same =
        job("[global]\nfilename=/dev/sdz\nioengine=libaio\n[db]\nrw=randrw\nbs=8k\niodepth=16\n\
                    [log]\nrw=write\nrate_iops=100\n[db2]\nrw=randrw\nbs=8k\niodepth=16\n");
    let expected = [row("db", "32 outstanding_ios", None), row("log", "100 offered_iops", None)];
    assert_eq!(told(&same), expected, "the jobs that do the same are one member");
    assert_eq!((same.suite.series.len(), &*same.suite.together[0].name), (0, "db-and-log"));
    assert!(!has(&same, "name as many targets"), "{:?}", same.differences);
    let apart = job("[a]\nrw=read\nfilename=/dev/sdy\n[b]\nrw=write\nfilename=/dev/sdz\n\
                     [c]\nstonewall\nrw=randread\nfilename=/dev/sdy\n");
    let expected = [row("a", "1 outstanding_ios", Some(1)), row("b", "1 outstanding_ios", Some(2))];
    assert_eq!(told(&apart), expected);
    assert!(has(&apart, "load 2 files: name as many targets, in this order: /dev/sdy, /dev/sdz"));
    assert!(has(&apart, "jobs that run at the same time are measured after the others"));
    assert_eq!(apart.suite.series.len(), 1);
    let unnamed = job("[a]\nrw=read\n[b]\nrw=write\n");
    assert!(has(&unnamed, "each of the 2 kinds of jobs at the same time has its own file in fio"));
    let one = job("[a]\nrw=read\n[b]\nrw=read\n[c]\nstonewall\nrw=write\n");
    assert_eq!((one.suite.series.len(), one.suite.together.len()), (2, 0));
    let many: String =
        (0..17).map(|depth| format!("[j{depth}]\nrw=read\nbs={}k\n", depth + 1)).collect();
    assert!(try_job(&many).unwrap_err().to_string().contains("17 members are more than 16"));
}

#[test]
fn jobs_that_cannot_be_measured_are_refused_with_their_line() {
    refused(
        "rw=read\n",
        "lab.fio:1: rw: the option is in no section",
        "",
        "write [global] or the name of a job, such as [job], before it",
    );
    refused(
        "[global]\nrw=read\n",
        "lab.fio: there is no job in it",
        "",
        "add a section, such as [random-read] with rw=randread",
    );
    refused(
        "[one]\nrw=read\nnumjobs=70000\n",
        "lab.fio:1: 70000 outstanding I/Os",
        "it is iodepth times numjobs",
        "use 1 to 65536",
    );
    refused(
        "[one]\nrw=read\nbsrange=512-1m\n",
        "lab.fio:1: more than 100 sizes",
        "",
        "use a range with fewer multiples of its smallest size",
    );
}

#[test]
fn other_texts_with_sections_are_no_jobs() {
    assert!(super::is_one("# x\n[a]\nrw=read\n"));
    assert!(!super::is_one("name = \"a\"\n[[line]]\nshare = 1\n"));
    assert!(!super::is_one("[Unit]\nDescription=a service\n"));
    assert!(!super::is_one("rw=read\n"));
}

#[test]
fn durable_writes_become_flushes_and_flags() {
    let of = |options: &str| profile(&format!("rw=write\n{options}")).durability;
    let flush = |options: &str| of(options).flush.map(|one| (one.call.name(), one.every.get()));
    assert_eq!(flush("ioengine=sync\nfdatasync=1\nbs=2300"), Some(("fdatasync", 1)));
    assert_eq!(flush("fsync=32"), Some(("fsync", 32)));
    assert_eq!(flush("fsync=0\nfdatasync=4"), Some(("fdatasync", 4)));
    assert_eq!(flush("fdatasync=4\nfsync=0"), Some(("fdatasync", 4)));
    assert_eq!(flush("sync_file_range=write:8"), Some(("sync_file_range_write", 8)));
    let whole = "sync_file_range=wait_before,wait_after,write:1";
    assert_eq!(flush(whole), Some(("sync_file_range", 1)));
    assert_eq!(flush("sync_file_range=write:0"), None);
    assert_eq!(flush("end_fsync=1"), None, "once, behind what is measured");
    let sync = |options: &str| of(options).sync.map(kneepoint_core::spec::profile::WriteSync::name);
    assert_eq!(sync("sync=1"), Some("sync"));
    assert_eq!(sync("sync=dsync"), Some("dsync"));
    assert_eq!((sync("sync=0"), sync("sync=none")), (None, None));
    assert!(profile("rw=read\nfdatasync=1").durability.is_none(), "nothing is written");
    let told = |options: &str| {
        let job = job(&format!("[one]\nrw=write\nfdatasync=1\n{options}\n"));
        job.differences.iter().any(|one| one.what.contains("fio flushes when"))
    };
    assert!(told("ioengine=libaio\niodepth=4"));
    assert!(!told("ioengine=libaio\niodepth=1"));
    assert!(!told("ioengine=sync\niodepth=4"));
    let range = job("[one]\nrw=write\nsync_file_range=write:8\nioengine=libaio\n");
    assert_eq!(range.conduct.engine, None, "it has no such call");
    let tells = |what: &str| range.differences.iter().any(|one| one.what.contains(what));
    assert!(tells("the whole file") && tells("libaio has no call"));
}

#[test]
fn think_time_of_jobs_with_one_io_in_flight_is_that_of_a_profile() {
    let think = |options: &str| profile(&format!("rw=read\n{options}")).think;
    assert_eq!(think("thinktime=250"), Nanos(250_000));
    assert_eq!(think("thinktime=2ms\niodepth=1\nnumjobs=4"), Nanos::from_millis(2));
    assert_eq!(think("thinktime=2ms\niodepth=4\nioengine=psync"), Nanos::from_millis(2));
    assert_eq!(think("thinktime=0\niodepth=4\nioengine=libaio"), Nanos::ZERO);
    let refused = |options: &str, why: &str| {
        let fault = try_job(&format!("[one]\nrw=read\n{options}\n")).unwrap_err();
        assert!(fault.what().contains(why) && fault.what().starts_with("lab.fio:"), "{fault}");
        assert!(fault.fix_hint().is_some());
    };
    refused("thinktime=2ms\niodepth=4\nioengine=libaio", "thinktime beside iodepth=4");
    refused("thinktime=2ms\nrate_iops=10", "thinktime beside rate_iops");
    refused("thinktime=2x", "thinktime");
}

#[test]
fn flushes_that_cannot_be_converted_are_refused() {
    let refused = |options: &str, why: &str| {
        let fault = try_job(&format!("[one]\nrw=write\n{options}\n")).unwrap_err();
        assert!(fault.what().contains(why) && fault.what().starts_with("lab.fio:"), "{fault}");
        assert!(fault.fix_hint().is_some());
    };
    refused("fsync=1\nfdatasync=2", "several kinds of flushes together");
    refused("fdatasync=1000001", "the flushes are too rare");
    refused("fdatasync=99999999999", "the flushes are too rare");
    refused("sync=often", "the value is not known");
    refused("sync_file_range=wait_before,write:8", "the flags cannot be converted");
    refused("sync_file_range=8", "the flags cannot be converted");
    refused("sync_file_range=write", "the number of writes is not known");
    refused("sync_file_range=write:0x", "the number of writes is not known");
    refused("fsync=2\nsync_file_range=write:8", "several kinds of flushes together");
    refused("direct=1\nsync_file_range=write:8", "sync_file_range beside direct=1");
    refused("sync=dsync\nsync_file_range=write:8", "sync_file_range beside sync=dsync");
}

#[test]
fn buffers_lie_in_the_pages_that_the_job_names() {
    let options = |mem: &str| job(&format!("[j]\nrw=read\n{mem}\n")).conduct.options();
    assert!(options("mem=mmaphuge:/mnt/huge/a").contains("--huge-pages"));
    assert!(options("iomem=shmhuge").contains("--huge-pages"));
    for small in ["", "mem=malloc", "iomem=shm", "mem=mmap"] {
        assert!(!options(small).contains("huge"), "{small}");
    }
    let other = try_job("[j]\nrw=read\niomem=cudamalloc\n").unwrap_err();
    assert_eq!(other.what(), "lab.fio:3: iomem: buffers in 'cudamalloc' cannot be converted");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever stands behind the name of an option, the answer is a suite or a fault that names the place.
    #[test]
    fn any_value_is_read_or_refused(
        key in "rw|bs|bsrange|bssplit|size|offset|filesize|iodepth|numjobs|runtime|rate_iops|percentage_random|\
                random_distribution|rwmixread|direct|loops|ba",
        value in "[0-9a-z:,/%.-]{0,16}",
    ) {
        if let Err(fault) = try_job(&format!("[a]\nrw=randrw\n{key}={value}\n")) {
            prop_assert!(fault.what().starts_with("lab.fio"), "{}", fault);
        }
    }

    /// Shares of a split come through, and with them the sum.
    #[test]
    fn splits_keep_their_shares(first in 1_u32..99, read in 0_u32..=100) {
        let second = 100 - first;
        let text = format!("rw=randrw\nrwmixread={read}\nbssplit=4k/{first}:64k/{second}");
        let profile = profile(&text);
        let lines = lines(&profile);
        prop_assert_eq!(lines.len(), 2);
        prop_assert_eq!(lines[0].0, f64::from(first));
        prop_assert!(lines.iter().all(|line| line.2 == f64::from(read)));
    }
}

#[test]
fn trims_become_writes_without_data() {
    let of = |word: &str| {
        let job =
            try_job(&format!("[a]\nrw={word}\nbs=64k\nioengine=libaio\niodepth=4\n")).unwrap();
        let lines = job.suite.profiles[0].lines.iter();
        let line = |line: &kneepoint_core::spec::profile::Line| {
            (line.share.get(), line.read.get(), line.write.name(), line.random.get())
        };
        let told: Vec<String> = job.differences.iter().map(|one| one.what.clone()).collect();
        (lines.map(line).collect::<Vec<_>>(), told.join("; "), job.conduct.engine)
    };
    let (lines, told, engine) = of("trim");
    assert_eq!(lines, [(100.0, 0.0, "trim", 0.0)]);
    assert!(told.contains("trims are made by the sync engine here"), "{told}");
    assert_eq!(engine, None, "the one that knows trims is taken");
    assert_eq!(of("randtrim").0, [(100.0, 0.0, "trim", 100.0)]);
    assert!(!told.contains("sizes of their own"), "{told}");
    let sized = |sizes: &str| {
        let job = try_job(&format!("[a]\nrw=trimwrite\nbs={sizes}\n")).unwrap();
        job.differences.iter().any(|one| one.what.contains("sizes of their own in fio"))
    };
    assert_eq!(
        ["4k", "4k,8k", "4k,8k,8k", "4k,8k,", "4k,8k,64k"].map(sized),
        [false, false, false, false, true]
    );
    let (lines, told, _) = of("randtrimwrite");
    assert_eq!(lines, [(50.0, 0.0, "trim", 100.0), (50.0, 0.0, "data", 100.0)]);
    assert!(told.contains("each block is trimmed and then written in fio"), "{told}");
    let (lines, told, engine) = of("randwrite");
    assert_eq!(lines, [(100.0, 0.0, "data", 100.0)]);
    assert!(!told.contains("trim"), "{told}");
    assert!(engine.is_some());
}

#[test]
fn jobs_that_trim_beside_jobs_that_read_are_refused() {
    refused(
        "[a]\nrw=write\n[look]\nstonewall\nrw=randrw\n[c]\nstonewall\nrw=trim\n",
        "lab.fio:6: job 'c' trims, and job 'look' of this file reads",
        "blocks that were trimmed are answered without the medium, and reads of them say nothing of it",
        "put the jobs that trim into another file, and run it after this one",
    );
    assert!(try_job("[a]\nrw=write\n[c]\nstonewall\nrw=trim\n").is_ok());
}

#[test]
fn named_files_are_in_their_directory() {
    let told = |text: &str| -> Vec<String> {
        let common = "ioengine=libaio\nruntime=5\ntime_based\nnorandommap\nrw=randread\nsize=64m";
        let job = job(&format!("[global]\n{common}\n{text}"));
        job.differences.into_iter().map(|one| one.what).collect()
    };
    let apart = "the jobs from here on load 2 files: name as many targets";
    assert_eq!(
        told("[a]\nfilename=a\ndirectory=/d/\n[b]\ndirectory=/d\nfilename=b\n"),
        ["'/d/a' is not touched: the command line names the targets", apart]
    );
    assert_eq!(
        told("directory=/d:/e\n[a]\nfilename=a:b\\:c\n")[0],
        "'/d/a:/d/b:c' is not touched: the command line names the targets"
    );
    let own = "each of the 4 jobs has its own file in fio; here all load the target";
    let folder = "'/data' is not touched: the command line names the targets";
    assert_eq!(told("[j]\ndirectory=/data\nnumjobs=4\n"), [own, folder]);
    assert_eq!(told("[j]\ndirectory=/data\n"), [folder], "a single file");
    assert!(!told("[j]\ndirectory=/data\nfilename=x\nnumjobs=4\n").contains(&own.to_owned()));
    let kinds = told("[a]\ndirectory=/d\n[b]\ndirectory=/d\nbs=8k\n");
    assert!(kinds[0].starts_with("each of the 2 kinds of jobs at the same time has its own file"));
    let kinds = told("[a]\nfilename=x\n[b]\nfilename=x\nbs=8k\n");
    assert!(kinds.iter().all(|one| !one.contains("its own file")), "{kinds:?}");
}

#[test]
fn sections_whose_names_begin_with_global_are_no_jobs() {
    let job = job("[global]\nsize=1m\n[global-common]\nrw=randwrite\nbs=8k\n[j]\nruntime=5\n");
    assert_eq!(job.suite.series.len(), 1);
    assert_eq!(lines(&job.suite.profiles[0]), [(100.0, 8192, 0.0, 100.0)]);
    let capital = try_job("[Global]\nrw=randread\n[j]\nrw=randread\n").unwrap();
    assert_eq!(load(&capital, 0), "2", "a job as any other");
}

#[test]
fn values_that_ask_for_nothing_differ_from_option_to_option() {
    let of = |option: &str| try_job(&format!("[one]\nrw=write\n{option}\n"));
    for nothing in ["rate=0", "thinktime=0", "zonemode=none", "nrfiles=1", "iodepth_batch=1"] {
        assert!(of(nothing).is_ok(), "{nothing}");
    }
    let asking = [
        "cpus_allowed=0",
        "cpumask=0",
        "numa_cpu_nodes=0",
        "buffer_pattern=0",
        "ioscheduler=none",
        "exec_prerun=none",
        "read_iolog=0",
        "wait_for=none",
        "iodepth_batch=0",
        "cgroup=0",
    ];
    for option in asking {
        let fault = of(option).unwrap_err();
        assert!(fault.what().ends_with("the option cannot be converted"), "{fault}");
    }
}

#[test]
fn known_options_are_refused_with_their_reason_and_no_other_option_is_proposed() {
    let check = |option: &str, why: &str, fix: &str| {
        let key = option.split('=').next().unwrap();
        let what = format!("lab.fio:3: {key}: the option cannot be converted");
        refused(&format!("[one]\nrw=read\n{option}\n"), &what, why, fix);
    };
    let remove = "remove the line";
    let amount = "a point ends by its accuracy or its time, not by an amount of data";
    check("io_size=1g", amount, remove);
    check("ss=iops:5%", "steady state is asked for on the command line: --steady-state", remove);
    let part = "all workers use the same part of the target here";
    check("offset_increment=1g", part, remove);
    let limit = "the bandwidth of a job cannot be limited here; rate_iops can";
    check("rate=10m", limit, remove);
    check("rate_min=10m", "a job that is too slow is not ended here", remove);
    let pause = "each I/O is followed by the same idle pause here; thinktime alone is known";
    check("thinktime_blocks=8", pause, remove);
    check("flow=8", "jobs that run at the same time do not wait for one another here", remove);
    check("startdelay=8", "jobs that run at the same time begin together here", remove);
    let trims = "blocks that are verified are not trimmed here; rw=trim is known";
    check("trim_percentage=8", trims, remove);
    check("sise=8", "Kneepoint does not know what it would change", "did you mean 'size'?");
}

#[test]
fn files_with_different_numbers_of_jobs_are_targets_with_different_loads() {
    let global = "[global]\nrw=randread\nsize=64m\nnorandommap\ntime_based\nruntime=5\n";
    let uneven = job(&format!("{global}[a]\nfilename=a\n[a2]\nfilename=a\n[b]\nfilename=b\n"));
    let members: Vec<_> = uneven.suite.together[0]
        .members
        .iter()
        .map(|member| (member.loads.levels[0], member.target))
        .collect();
    assert_eq!(members, [(2.0, Some(1)), (1.0, Some(2))]);
    assert!(uneven.differences.iter().any(|one| one.what.ends_with("in this order: a, b")));
    let even = job(&format!("{global}[a]\nfilename=a\n[b]\nfilename=b\n"));
    assert!(even.suite.together.is_empty());
    assert_eq!(load(&even, 0), "1");
    let unnamed = job(&format!("{global}[a]\n[b]\n"));
    assert!(unnamed.suite.together.is_empty());
    assert_eq!(load(&unnamed, 0), "2");
}

#[test]
fn the_files_of_a_job_share_its_size() {
    let size = |options: &str| job(&format!("[a]\nrw=randread\n{options}\n")).suite.size;
    assert_eq!(size("size=10g\nfilename=/dev/sda:/dev/sdb"), Some(Bytes(5 << 30)));
    assert_eq!(size("filename=/dev/sda:/dev/sdb\nsize=10g"), Some(Bytes(5 << 30)));
    assert_eq!(size("size=10g\nfilename=/dev/sda\\:b"), Some(Bytes(10 << 30)));
    assert_eq!(size("size=10g\ndirectory=/a:/b"), Some(Bytes(10 << 30)), "that of a file");
}

#[test]
fn files_that_are_not_beside_the_job_are_not_included() {
    let mut around = Around::default();
    for name in ["/etc/secret", "../secret", "sub/../../secret", "sub/common.inc", "./common.inc"] {
        around.files.insert(name, "rw=randread\n".to_owned());
    }
    let of = |name: &str| read_in(&around, &format!("[a]\ninclude {name}\n"));
    for name in ["/etc/secret", "../secret", "sub/../../secret"] {
        let fault = of(name).unwrap_err();
        assert_eq!(fault.what(), format!("lab.fio:2: cannot include {name}"));
        let why = "only files beside the job, or in folders beside it, are read";
        assert_eq!(fault.why(), Some(why));
    }
    assert!(of("sub/common.inc").is_ok() && of("./common.inc").is_ok());
}
