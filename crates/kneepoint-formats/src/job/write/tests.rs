//! Written jobs, and what comes back when they are read.

use kneepoint_core::spec::catalog;
use kneepoint_core::spec::profile::{Profile, ResolvedProfile};
use kneepoint_core::spec::suite::Suite;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;
use proptest::prelude::*;

use super::*;
use crate::job::{Job, JobText, NoSurroundings, Surroundings, ToldBy, read};

/// Variables of the environment, all with the same value.
struct Target;

impl Surroundings for Target {
    fn included(&self, _name: &str) -> Result<String, String> {
        Err("none".to_owned())
    }

    fn variable(&self, _name: &str) -> Option<String> {
        Some("./k.dat".to_owned())
    }
}

fn written(format: JobFormat, suite: &Suite) -> Result<WrittenJob, Fault> {
    write(format, (suite, "own.toml"), None)
}

#[track_caller]
fn read_back(format: JobFormat, job: &WrittenJob) -> Job {
    let text = JobText { file: "back", text: &job.text };
    assert_eq!(JobFormat::told("back", &job.text), Some((format, ToldBy::Content)), "{}", job.text);
    read((format, ToldBy::Content), text, &Target).unwrap()
}

/// The profile of each series of a suite, without its name.
fn profiles(suite: &Suite) -> Vec<ResolvedProfile> {
    let unnamed = |series: WrittenSeries| ResolvedProfile {
        name: String::new(),
        title: String::new(),
        ..series.profile
    };
    all_series(suite, "x").unwrap().into_iter().map(unnamed).collect()
}

fn own(line: &str, more: &str) -> Suite {
    let text = format!("name = \"own\"\ntitle = \"Own\"\noutstanding = \"1..8x2\"\n{line}\n{more}");
    Suite::of_profile(Profile::parse(&text, "own.toml").unwrap())
}

fn line(share: u32, size: u64, read: u32, random: u32) -> String {
    format!("[[line]]\nshare = {share}\nsize = {size}\nread = {read}\nrandom = {random}\n")
}

#[test]
fn shipped_profiles_come_back_from_iometer() {
    for shipped in catalog::PROFILES {
        let profile = catalog::profile(shipped.name).unwrap();
        let suite = Suite::of_profile(profile.clone());
        let is_said = profile.loads.is_none() && profile.durability.is_none();
        let has_words = profile.does_io() && is_said;
        if !has_words {
            continue;
        }
        let job = written(JobFormat::Iometer, &suite).unwrap();
        let back = read_back(JobFormat::Iometer, &job);
        assert_eq!(profiles(&back.suite), profiles(&suite), "{}", shipped.name);
        let loads = back.suite.series[0].loads.as_ref().or(back.suite.profiles[0].loads.as_ref());
        assert_eq!(loads.unwrap().to_string(), "1,2,4,8,16,32,64,128,256,512");
    }
}

#[test]
fn durable_writes_come_back_from_fio_and_have_no_word_in_iometer() {
    for durability in [
        "flush = \"fdatasync\"",
        "flush_every = 16",
        "flush = \"sync_file_range\"",
        "flush = \"sync_file_range_write\"\nflush_every = 8",
        "sync = \"dsync\"",
        "sync = \"sync\"",
    ] {
        let suite = own(&line(100, 4096, 0, 0), &format!("[durability]\n{durability}\n"));
        let job = written(JobFormat::Fio, &suite).unwrap();
        let back = read_back(JobFormat::Fio, &job);
        assert!(
            profiles(&back.suite).iter().all(|one| *one == profiles(&suite)[0]),
            "{}",
            job.text
        );
        let told = job.differences.iter().any(|one| one.what.starts_with("fio flushes when"));
        assert_eq!(told, durability.starts_with("flush"));
        let fault = written(JobFormat::Iometer, &suite).unwrap_err();
        assert!(fault.what().contains("the durability of writes cannot be said"), "{fault}");
    }
}

#[test]
fn a_profile_becomes_a_job_for_each_load() {
    let suite = own(&line(100, 8192, 67, 100), "");
    let job = written(JobFormat::Fio, &suite).unwrap();
    let back = read_back(JobFormat::Fio, &job);
    assert_eq!(back.suite.series.len(), 4);
    assert!(profiles(&back.suite).iter().all(|one| *one == profiles(&suite)[0]));
    let loads = back.suite.series.iter().map(|series| series.loads.as_ref().unwrap().to_string());
    assert_eq!(loads.collect::<Vec<_>>(), ["1", "2", "4", "8"]);
    assert_eq!(back.conduct.options(), "--time 30s --ramp 1s --workers 1 --engine libaio");
    let told: Vec<&str> = job.differences.iter().map(|one| one.what.as_str()).collect();
    assert_eq!(
        told,
        [
            "each job takes 30 s and a ramp of 1 s; Kneepoint ends a point when it is accurate",
            "the engine is libaio there",
            "the target must be there already: no size is given, and fio uses all of it",
        ]
    );
}

#[test]
fn what_fio_can_say_comes_back() {
    let two = format!("{}{}", line(40, 4096, 100, 50), line(60, 65536, 0, 50));
    let check = |lines: &str, more: &str| {
        let suite = own(lines, more);
        let job = written(JobFormat::Fio, &suite).unwrap();
        let back = read_back(JobFormat::Fio, &job);
        assert_eq!(profiles(&back.suite)[0], profiles(&suite)[0], "{}", job.text);
    };
    check(&two, "");
    check(&line(100, 4096, 0, 0), "[data]\ncompressible = 50\nduplicate = 10\n");
    check(&line(100, 4096, 50, 100), "[distribution]\nkind = \"zipf\"\ntheta = 0.9\n");
    check(
        &line(100, 4096, 100, 100),
        "[distribution]\nkind = \"hot-band\"\n[[distribution.band]]\nrange = 10\naccess = 90\n\
         [[distribution.band]]\nrange = 90\naccess = 10\n",
    );
    check(&line(100, 4096, 100, 100), "[address]\nstart = 10\nend = 30\n");
    let sectors = line(100, 4096, 100, 100) + "align = \"sector\"\n";
    check(&sectors, "");
}

#[track_caller]
fn refused(format: JobFormat, suite: &Suite, part: &str) {
    let fault = written(format, suite).unwrap_err();
    assert_eq!(fault.what(), format!("own.toml: {part} cannot be said in that format"));
}

#[test]
fn what_cannot_be_said_is_refused() {
    let plain = line(100, 4096, 67, 100);
    let (icf, fio) = (JobFormat::Iometer, JobFormat::Fio);
    let zipf = "[distribution]\nkind = \"zipf\"\ntheta = 0.9\n";
    refused(icf, &own(&plain, zipf), "the distribution");
    refused(icf, &own(&plain, "[address]\nstroke = 8\n"), "the part of the target");
    refused(icf, &own(&plain, "[data]\ncompressible = 5\n"), "compressible or repeated data");
    refused(icf, &own(&plain.replace("67", "66.5"), ""), "reads of 66.5 %");
    refused(fio, &own(&plain.replace("67", "66.5"), ""), "reads of 66.5 %");
    let unlike = format!("{}{}", line(50, 4096, 100, 100), line(50, 8192, 100, 0));
    refused(fio, &own(&unlike, ""), "sizes that are more random than others");
    let delayed = plain + "burst = 1\ndelay = \"1500us\"\n";
    refused(icf, &own(&delayed, ""), "a delay of 1.5ms");
    refused(fio, &own(&delayed, ""), "a delay");
    let thinking = format!("think = \"1ms\"\n{}", line(100, 4096, 0, 0));
    refused(icf, &own(&thinking, ""), "think time");
    refused(fio, &own(&thinking, ""), "think time");
    let rate = |text: &str| {
        let mut suite = own(&line(100, 4096, 100, 100), "");
        suite.profiles[0].loads = Some(Loads::parse(text, LoadUnit::OfferedIops).unwrap());
        suite
    };
    refused(icf, &rate("100"), "an offered rate");
    refused(fio, &rate("0.5"), "a rate of 0.5");
    let job = written(fio, &rate("100,200")).unwrap();
    let back = read_back(fio, &job);
    assert_eq!(back.suite.series[1].loads.as_ref().unwrap().to_string(), "200");
    let mut uneven = own(&line(100, 4096, 100, 100), "");
    uneven.profiles[0].loads = Some(Loads::parse("1,2,5", LoadUnit::OutstandingIos).unwrap());
    refused(icf, &uneven, "the load levels");
    let fault = written(icf, &Suite::of_profile(catalog::profile("office").unwrap())).unwrap_err();
    assert_eq!(fault.what(), "profile 'office' does no I/O");
    let fault = written(JobFormat::Vdbench, &own(&line(100, 4096, 0, 0), "")).unwrap_err();
    assert_eq!(fault.what(), "own.toml cannot be written as a vdbench parameter file");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Specifications with whole percentages come back from Iometer as they were.
    #[test]
    fn any_specification_comes_back_from_iometer(
        first in 1_u32..100, sizes in (1_u64..100_000, 1_u64..100_000), reads in (0_u32..=100, 0_u32..=100),
        random in (0_u32..=100, 0_u32..=100), step in 1_u32..9, steps in 1_u32..9,
    ) {
        let lines = line(first, sizes.0, reads.0, random.0)
            + "align = \"sector\"\nburst = 3\ndelay = \"2ms\"\n"
            + &line(100 - first, sizes.1, reads.1, random.1);
        let mut suite = own(&lines, "");
        let grid = format!("{step}..{}+{step}", step * (steps + 1));
        suite.profiles[0].loads = Some(Loads::parse(&grid, LoadUnit::OutstandingIos).unwrap());
        let job = written(JobFormat::Iometer, &suite).unwrap();
        let back = read_back(JobFormat::Iometer, &job);
        prop_assert_eq!(profiles(&back.suite), profiles(&suite));
        let loads = back.suite.series[0].loads.as_ref().or(back.suite.profiles[0].loads.as_ref());
        let levels = suite.profiles[0].loads.as_ref().unwrap().resolve();
        prop_assert_eq!(loads.unwrap().resolve(), levels);
    }

    /// Profiles of one size come back from fio as they were.
    #[test]
    fn any_profile_of_one_size_comes_back_from_fio(
        size in 1_u64..1_000_000, read in 0_u32..=100, random in 0_u32..=100, depth in 1_u32..999,
    ) {
        let mut suite = own(&line(100, size, read, random), "");
        let levels = Loads::parse(&depth.to_string(), LoadUnit::OutstandingIos).unwrap();
        suite.profiles[0].loads = Some(levels.clone());
        let job = written(JobFormat::Fio, &suite).unwrap();
        let back = read_back(JobFormat::Fio, &job);
        prop_assert_eq!(profiles(&back.suite), profiles(&suite));
        let loads = back.suite.series[0].loads.as_ref().or(back.suite.profiles[0].loads.as_ref());
        prop_assert_eq!(loads.unwrap().resolve(), levels.resolve());
    }
}

/// What is written of a job of fio, and the sentences that are told of it.
fn rewritten(format: JobFormat, source: &str) -> (WrittenJob, Job, Vec<String>) {
    let text = JobText { file: "s.fio", text: source };
    let job = read((JobFormat::Fio, ToldBy::Content), text, &NoSurroundings).unwrap();
    let written = write(format, (&job.suite, "s.fio"), Some(job.conduct)).unwrap();
    let told = written.differences.iter().map(|one| one.what.clone()).collect();
    (written, job, told)
}

#[test]
fn a_job_is_measured_in_fio_as_its_source_says() {
    let check = |options: &str, expected: &[&str], told: &[&str]| {
        let source = format!("[j]\nfilename=x\nsize=1g\nbs=4k\nnorandommap\n{options}\n");
        let (written, job, differences) = rewritten(JobFormat::Fio, &source);
        let has = |line: &&str| written.text.lines().any(|other| other == *line);
        assert!(expected.iter().all(has), "{expected:?}: {}", written.text);
        assert_eq!(differences, told, "{options}");
        let back = read_back(JobFormat::Fio, &written);
        let time = job.conduct.time.or(Some(Nanos::from_secs(30)));
        assert_eq!(back.conduct, Conduct { time, ..job.conduct }, "{}", written.text);
        let loads = |job: &Job| job.suite.series[0].loads.clone();
        assert_eq!(loads(&back), loads(&job));
    };
    let psync =
        "rw=randwrite\ndirect=0\nioengine=psync\nnumjobs=16\ntime_based\nruntime=120\nramp_time=20";
    check(
        psync,
        &["ioengine=psync", "direct=0", "numjobs=16", "iodepth=1", "runtime=120", "ramp_time=20"],
        &[],
    );
    let uring = "rw=randread\ndirect=1\nioengine=io_uring\niodepth=8\nnumjobs=2\nruntime=1500ms";
    check(
        uring,
        &["ioengine=io_uring", "direct=1", "numjobs=2", "iodepth=8", "runtime=1500000us"],
        &[],
    );
    let huge = "rw=randread\ndirect=1\nioengine=libaio\niodepth=8\niomem=shmhuge\nruntime=5";
    check(
        huge,
        &["mem=mmaphuge"],
        &["huge pages are taken there from those that are set aside: sysctl vm.nr_hugepages"],
    );
    let linear =
        "rw=randread\ndirect=1\nioengine=libaio\nnumjobs=4\niodepth=8\nrate_iops=500\nruntime=5";
    check(
        linear,
        &["rate_iops=500", "numjobs=4", "rate_process=linear", "iodepth=128"],
        &["at most 512 I/Os are in flight there, which a rate can exceed here"],
    );
    let sequential = "rw=read\nioengine=libaio\ndirect=1\nnumjobs=2\niodepth=3";
    check(
        sequential,
        &["numjobs=2", "iodepth=3", "runtime=30"],
        &[
            "each job takes 30 s, for the file does not say how long",
            "each of the jobs begins at the start of the file in fio; here they begin at even distances",
        ],
    );
}

#[test]
fn workers_that_do_not_divide_a_load_are_listed() {
    let source = "[global]\nfilename=x\nsize=1g\nrw=randread\nioengine=libaio\ndirect=1\nruntime=9\n\
                  [a]\nnumjobs=4\n[b]\nstonewall\niodepth=3\n";
    let (written, _, told) = rewritten(JobFormat::Fio, source);
    assert_eq!(told, ["a load that 4 jobs cannot share evenly is that of one job there"]);
    assert!(written.text.contains("numjobs=4\niodepth=1\n"), "{}", written.text);
    assert!(written.text.ends_with("rw=randread\nbs=4096\niodepth=3\n"), "{}", written.text);
    assert!(!written.text.contains("ramp_time"), "the source has none");
    let unknown = "[a]\nrw=randread\nioengine=posixaio\nruntime=9\nfilename=x\nsize=1g\n";
    let (_, _, told) = rewritten(JobFormat::Fio, unknown);
    assert_eq!(told, ["the engine is libaio there"]);
    let many = "[a]\nrw=randread\nnumjobs=5000\nfilename=x\n";
    let text = JobText { file: "s.fio", text: many };
    let job = read((JobFormat::Fio, ToldBy::Content), text, &NoSurroundings).unwrap();
    let fault = write(JobFormat::Fio, (&job.suite, "s.fio"), Some(job.conduct)).unwrap_err();
    assert!(fault.what().contains("5000 synchronous I/Os in flight cannot be said"), "{fault}");
}

#[test]
fn a_job_is_measured_in_iometer_as_its_source_says() {
    let common = "[j]\nfilename=x\nsize=1g\nrw=randread\ntime_based\n";
    let full = "direct=0\nioengine=psync\nnumjobs=4\nruntime=3700\nramp_time=2500ms\n";
    let (written, _, told) = rewritten(JobFormat::Iometer, &format!("{common}{full}"));
    let back = read_back(JobFormat::Iometer, &written);
    assert_eq!(back.conduct.options(), "--time 3700s --ramp 3s");
    let own = [
        "times are whole seconds there: 2.5s become 3 s",
        "the 4 workers become one there, which has the outstanding I/Os of all",
        "I/O is issued as Iometer does it there, not by sync",
        "I/O does not pass the page cache there; in the file it does",
    ];
    assert_eq!(told[..4], own);
    let plain = format!("{common}direct=1\nioengine=posixaio\nruntime=60\nramp_time=20\n");
    let (written, _, told) = rewritten(JobFormat::Iometer, &plain);
    assert_eq!(read_back(JobFormat::Iometer, &written).conduct.options(), "--time 60s --ramp 20s");
    assert_eq!(told.len(), 2, "targets and size: {told:?}");
}
