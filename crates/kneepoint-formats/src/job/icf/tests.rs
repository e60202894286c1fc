//! Configurations of all ages, and what is wrong with them.

use kneepoint_core::spec::profile::Align;
use kneepoint_core::words::units::{Bytes, Nanos};
use proptest::prelude::*;

use crate::job::{Job, JobFormat, JobText, NoSurroundings, ToldBy, read};
use kneepoint_core::words::fault::Fault;

fn try_job(text: &str) -> Result<Job, Fault> {
    let told = (JobFormat::Iometer, ToldBy::Content);
    read(told, JobText { file: "lab.icf", text }, &NoSurroundings)
}

#[track_caller]
fn job(text: &str) -> Job {
    try_job(text).unwrap()
}

/// A section TEST SETUP with this cycle and type.
fn setup(cycle: &str, test_type: &str) -> String {
    format!(
        "'TEST SETUP ====\n'Test Description\n\tShelf 4, evening\n'Run Time\n\
         '\thours      minutes    seconds\n\t0          1          30\n'Ramp Up Time (s)\n\t10\n\
         'Default Disk Workers to Spawn\n\tNUMBER_OF_CPUS\n'Default Network Workers to Spawn\n\t0\n\
         'Record Results\n\tALL\n'Worker Cycling\n'\tstart      step       step type\n\
         \t1          1          LINEAR\n'Disk Cycling\n'\tstart      step       step type\n\
         \t1          1          LINEAR\n'Queue Depth Cycling\n\
         '\tstart      end        step       step type\n\t{cycle}\n'Test Type\n\t{test_type}\n\
         'END test setup\n"
    )
}

const SPECIFICATIONS: &str = "'ACCESS SPECIFICATIONS ====\n\
    'Access specification name,default assignment\n\tMail; pages, NONE\n\
    'size,% of size,% reads,% random,delay,burst,align,reply\n\
    \t4096,70,60,100,0,1,4096,0\n\t8192,30,0,50,20,8,0,0\n\
    'Access specification name,default assignment\n\tScan,NONE\n\
    'size,% of size,% reads,% random,delay,burst,align,reply\n\t65536,100,100,0,0,1,2048,0\n\
    'END access specifications\n";

/// A worker with its number of outstanding I/Os, on these targets.
fn worker(number: u32, outstanding: u32, targets: &[&str]) -> String {
    let targets: String = targets
        .iter()
        .map(|target| format!("'Target\n\t{target}\n'Target type\n\tDISK\n'End target\n"))
        .collect();
    format!(
        "'Worker\n\tWorker {number}\n'Worker type\n\tDISK\n'Default target settings for worker\n\
         'Number of outstanding IOs,test connection rate,transactions per connection\n\
         \t{outstanding},DISABLED,1\n'Disk maximum size,starting sector\n\t0,0\n\
         'End default target settings for worker\n'Assigned access specs\n\tScan\n\tMail; pages\n\
         'End assigned access specs\n'Target assignments\n{targets}'End target assignments\n\
         'End worker\n"
    )
}

fn managers(workers: &[String]) -> String {
    format!(
        "'MANAGER LIST ====\n'Manager ID, manager name\n\t1,HOST\n'Manager network address\n\t\n\
         {}'End manager\n'END manager list\n",
        workers.concat()
    )
}

fn whole(cycle: &str, test_type: &str, workers: &[String]) -> String {
    let version = "Version 2006.07.27 \n";
    format!("{version}{}{SPECIFICATIONS}{}{version}", setup(cycle, test_type), managers(workers))
}

#[track_caller]
fn check_load(text: &str, expected: &str) {
    let suite = job(text).suite;
    let loads: Vec<String> = (suite.series.iter())
        .map(|series| series.loads.as_ref().map_or("none".to_owned(), ToString::to_string))
        .collect();
    assert!(loads.iter().all(|loads| loads == expected), "{loads:?} for {text}");
}

#[test]
fn a_configuration_becomes_a_suite_in_the_order_of_its_workers() {
    let job = job(&whole("1 32 2 EXPONENTIAL", "NORMAL", &[worker(1, 8, &["E:"])]));
    let suite = &job.suite;
    assert_eq!(
        (suite.name.as_str(), suite.title.as_str()),
        ("shelf-4-evening", "Shelf 4, evening")
    );
    let names: Vec<&str> = suite.series.iter().map(|series| series.profile.as_str()).collect();
    assert_eq!(names, ["scan", "mail-pages"]);
    let mail = suite.profile("mail-pages").unwrap();
    assert_eq!(mail.title, "Mail; pages");
    assert_eq!(mail.lines.len(), 2);
    let [first, second] = mail.lines.as_slice() else { panic!() };
    assert_eq!((first.size, first.share.get(), first.read.get()), (Bytes(4096), 70.0, 60.0));
    assert_eq!((first.random.get(), first.align, first.burst), (100.0, Align::Request, 1));
    assert_eq!((second.delay, second.burst), (Nanos::from_millis(20), 8));
    assert_eq!((second.align, second.random.get()), (Align::Sector, 50.0));
    assert_eq!(suite.profile("scan").unwrap().lines[0].align, Align::Size(Bytes(2048)));
    assert_eq!(job.conduct.options(), "--time 90s --ramp 10s --workers 1");
    let told: Vec<String> = job.differences.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "lab.icf:60: 'E:' and other targets of the file are not touched: the command line names the targets"
        ]
    );
}

#[test]
fn outstanding_ios_are_those_of_all_workers_on_a_target() {
    let normal = |workers: &[String]| whole("1 1 1 LINEAR", "NORMAL", workers);
    check_load(&normal(&[worker(1, 8, &["E:"])]), "8");
    check_load(&normal(&[worker(1, 8, &["E:"]), worker(2, 4, &["E:"])]), "12");
    check_load(&normal(&[worker(1, 8, &["E:"]), worker(2, 8, &["F:"])]), "8");
    check_load(&normal(&[worker(1, 8, &[]), worker(2, 8, &[])]), "16");
    let unlike = normal(&[worker(1, 8, &["E:"]), worker(2, 2, &["F:"])]);
    check_load(&unlike, "8");
    assert!(
        job(&unlike).differences.iter().any(|one| one.what.contains("'F:' has a smaller load"))
    );
}

#[test]
fn managers_have_their_own_targets() {
    let two = |first: &[&str], second: &[&str]| {
        let text = whole("1 1 1 LINEAR", "NORMAL", &[worker(1, 16, first), worker(2, 16, second)]);
        let next = "'Manager ID, manager name\n\t2,HOSTB\n'Manager network address\n\t\n";
        text.replace("'Worker\n\tWorker 2", &format!("'End manager\n{next}'Worker\n\tWorker 2"))
    };
    let alike = two(&["D:"], &["D:"]);
    check_load(&alike, "16");
    let told = |text: &str| {
        let differences = job(text).differences;
        differences.iter().filter(|one| one.what.starts_with("another manager")).count()
    };
    assert_eq!(told(&alike), 1);
    for other in [two(&["D:"], &["E:"]), two(&[], &[])] {
        check_load(&other, "16");
        assert_eq!(told(&other), 0);
    }
    let both = [worker(1, 16, &["D:"]), worker(2, 16, &["D:"])];
    let one_manager = whole("1 1 1 LINEAR", "NORMAL", &both);
    check_load(&one_manager, "32");
    assert_eq!(told(&one_manager), 0);
}

#[test]
fn cycles_become_grids() {
    let two = [worker(1, 1, &["E:"]), worker(2, 1, &["E:"])];
    let cycled = |cycle: &str| whole(cycle, "CYCLE_OUTSTANDING_IOS", &two);
    check_load(&cycled("1 16 2 EXPONENTIAL"), "2,4,8,16,32");
    check_load(&cycled("1 10 4 LINEAR"), "2,10,18");
    check_load(&cycled("4 4 1 LINEAR"), "8");
    check_load(&whole("1 4 2 EXPONENTIAL", "CYCLE_WORKERS", &two), "1,2");
    check_load(&whole("1 4 2 EXPONENTIAL", "CYCLE_OUTSTANDING_IOS_AND_TARGETS", &two), "2,4,8");
    let fault = try_job(&cycled("1 20000 1 LINEAR")).unwrap_err();
    assert!(fault.to_string().starts_with("lab.icf:24: more than 10000 steps"), "{fault}");
    let fault = try_job(&cycled("1 99999 2 EXPONENTIAL")).unwrap_err();
    assert!(fault.to_string().contains("131072 outstanding I/Os"), "{fault}");
    let fault = try_job(&cycled("9 4 1 LINEAR")).unwrap_err();
    assert!(fault.to_string().contains("0 outstanding I/Os"), "{fault}");
}

#[test]
fn line_endings_and_the_case_of_keys_do_not_matter() {
    let text = whole("1 8 2 EXPONENTIAL", "cycle_outstanding_ios", &[worker(1, 1, &["E:"])]);
    let plain = job(&text);
    assert_eq!(job(&text.replace('\n', "\r\n")), plain);
    assert_eq!(job(&text.replace('\n', "  \n")), plain);
    assert_eq!(job(&text.replace("'End", "'END").replace("'Worker type", "'WORKER TYPE")), plain);
    let newer = text
        .replace(
            "transactions per connection\n",
            "transactions per connection,use fixed seed,fixed seed value\n",
        )
        .replace("DISABLED,1\n", "DISABLED,1,DISABLED,0\n")
        .replace("starting sector\n\t0,0\n", "starting sector,Data pattern\n\t0,0,2\n");
    assert_eq!(job(&newer), plain);
}

#[test]
fn specifications_without_names_are_called_by_what_they_do() {
    let text = "Version 1998.02.01\n'ACCESS SPECIFICATIONS ====\n\
                'size, % of size, % reads, % random, delay, burst\n2048 100 67 100 0 1\n\
                512 50 100 0 0 1\n65536 50 0 0 5 2\n1048576 100 0 0 0 1\n\
                'END access specifications\nVersion 1998.02.01\n";
    let suite = job(text).suite;
    let titles: Vec<&str> = suite.profiles.iter().map(|one| one.title.as_str()).collect();
    assert_eq!(titles, ["2 KiB random 67% reads", "Mix of line 5", "1 MiB sequential writes"]);
    assert_eq!(suite.profiles[1].lines.len(), 2);
    assert_eq!(suite.profiles[0].lines[0].align, Align::Sector);
    assert!(suite.series.iter().all(|series| series.loads.is_none()));
    let named = |name: &str| {
        format!("{text}'MANAGER LIST\n{}'END manager list\n", worker(1, 4, &[]))
            .replace("\tScan\n\tMail; pages\n", &format!("\t{name}\n"))
    };
    let one = job(&named("2KB random 67% reads")).suite;
    assert_eq!(one.profiles[0].title, "2 KiB random 67% reads");
    assert_eq!(one.profiles.len(), 1);
    let fault = try_job(&named("4KB random")).unwrap_err();
    assert!(
        fault.to_string().contains("no access specification is called '4KB random'"),
        "{fault}"
    );
}

#[test]
fn a_file_of_specifications_alone_is_measured_with_all_of_them() {
    let version = "Version 1.1.0 \n";
    let job = job(&format!("{version}{SPECIFICATIONS}{version}"));
    assert_eq!(job.suite.series.len(), 2);
    assert_eq!(job.conduct.options(), "");
    assert_eq!(job.differences.len(), 2, "{:?}", job.differences);
    assert!(job.differences[0].what.contains("all of the file are measured"));
    assert!(job.differences[1].what.starts_with("no number of outstanding I/Os is in it"));
}

#[test]
fn specifications_that_new_workers_get_are_those_of_a_file_without_workers() {
    let text = format!("Version 1.1.0\n{}", SPECIFICATIONS.replace("Scan,NONE", "Scan,ALL"));
    let job = job(&text);
    assert_eq!(job.suite.series.len(), 1);
    assert!(job.differences[0].what.starts_with("1 access specifications that no worker has"));
    assert!(job.toml.contains("[[line]]"), "a profile by itself: {}", job.toml);
}

#[test]
fn a_part_of_the_disk_is_a_size_and_a_range() {
    let text = whole("1 1 1 LINEAR", "NORMAL", &[worker(1, 1, &["E:"])]);
    let part = job(&text.replace("starting sector\n\t0,0", "starting sector\n\t2048,0"));
    assert_eq!(part.suite.size, Some(Bytes(1 << 20)));
    let part = job(&text.replace("starting sector\n\t0,0", "starting sector\n\t3072,1024"));
    assert_eq!(part.suite.size, Some(Bytes(2 << 20)));
    let range = part.suite.profiles[0].range;
    assert_eq!((range.start.get(), range.end.get()), (25.0, 100.0));
    let open = job(&text.replace("starting sector\n\t0,0", "starting sector\n\t0,1024"));
    assert_eq!(open.suite.size, None);
    assert!(open.differences.iter().any(|one| one.what.contains("begins at sector 1024")));
}

#[test]
fn what_is_not_done_is_listed() {
    let text = whole("1 1 1 LINEAR", "CYCLE_TARGETS", &[worker(1, 1, &["E:"])]);
    let has = |text: &str, what: &str| {
        let differences = job(text).differences;
        assert!(differences.iter().any(|one| one.what.contains(what)), "{what}: {differences:?}");
    };
    has(&text, "the number of targets changes");
    has(&text.replace("\t0          1          30", "\t0 0 0"), "until it is stopped");
    has(&text.replace("100,0,0,1,2048,0", "100,0,0,1,2048,512"), "no reply of 512 bytes");
    has(&text.replace("\tScan\n\tMail", "\tIdle\n\tMail"), "'Idle' is left out");
    has(
        &text.replace("'Worker type\n\tDISK", "'Strange key\n\t1\n'Worker type\n\tDISK"),
        "'strange key is not known",
    );
    let repeated = text.replace("starting sector\n\t0,0", "starting sector,Data pattern\n\t0,0,0");
    has(&repeated, "repeats a byte");
    let random = text.replace("starting sector\n\t0,0", "starting sector,Data pattern\n\t0,0,2");
    assert!(!job(&random).differences.iter().any(|one| one.what.contains("repeats a byte")));
    let network = worker(2, 1, &[]).replace("\tDISK", "\tTCP");
    let both = whole("1 1 1 LINEAR", "NORMAL", &[worker(1, 1, &["E:"]), network]);
    has(&both, "worker 'Worker 2' is left out: it loads a network");
    let other = worker(2, 1, &["E:"]).replace("\tScan\n", "");
    has(&whole("1 1 1 LINEAR", "NORMAL", &[worker(1, 1, &["E:"]), other]), "they run side by side");
}

#[test]
fn settings_of_workers_without_a_counterpart_are_listed() {
    let text = whole("1 1 1 LINEAR", "NORMAL", &[worker(1, 1, &["E:"])]).replace(
        "transactions per connection\n",
        "transactions per connection,use fixed seed,fixed seed value\n",
    );
    let told = |settings: &str| -> Vec<String> {
        let settings = format!("\t1,{settings}\n");
        let job = job(&text.replace("\t1,DISABLED,1\n", &settings));
        job.differences.into_iter().map(|one| one.what).collect()
    };
    let reopens =
        "the connection rate is tested, every 500 transactions, in Iometer; here targets stay open";
    let seed = "the fixed seed 1234 is left out: that of the command line is used (--seed)";
    let has = |told: &[String], what: &str| told.iter().any(|one| one == what);
    let both = told("ENABLED,500,ENABLED,1234");
    assert!(has(&both, reopens) && has(&both, seed), "{both:?}");
    let none = told("DISABLED,500,DISABLED,1234");
    assert!(!none.iter().any(|one| one.contains("rate is tested") || one.contains("seed")));
}

#[test]
fn places_where_workers_on_a_target_begin_are_listed() {
    let told = |workers: &[(u32, &[&str])], random: &str| {
        let workers: Vec<String> =
            workers.iter().map(|(number, on)| worker(*number, 4, on)).collect();
        let text = whole("1 1 1 LINEAR", "NORMAL", &workers);
        let text = text.replace("65536,100,100,0,0", &format!("65536,100,100,{random},0"));
        let differences = job(&text.replace("8192,30,0,50", "8192,30,0,100")).differences;
        differences.iter().any(|one| one.what.contains("here they begin at even distances"))
    };
    assert!(told(&[(1, &["D:"]), (2, &["E:", "D:"])], "0"));
    assert!(!told(&[(1, &["D:"]), (2, &["E:"])], "0"));
    assert!(!told(&[(1, &["D:"]), (2, &["D:"])], "100"));
    assert!(!told(&[(1, &["D:", "E:"])], "0"));
    // One of them has random I/O alone, or begins in another place.
    let second = worker(2, 4, &["D:"]);
    for other in [second.replace("\tScan\n", ""), second.replace("\t0,0\n", "\t0,64\n")] {
        let text = whole("1 1 1 LINEAR", "NORMAL", &[worker(1, 4, &["D:"]), other]);
        let differences = job(&text.replace("8192,30,0,50", "8192,30,0,100")).differences;
        assert!(!differences.iter().any(|one| one.what.contains("even distances")));
    }
}

#[test]
fn the_default_specification_need_not_be_defined() {
    let text = whole("1 1 1 LINEAR", "NORMAL", &[worker(1, 1, &["E:"])]);
    let suite = job(&text.replace("\tScan\n\tMail; pages\n'End", "\tDefault\n'End")).suite;
    let line = &suite.profiles[0].lines[0];
    assert_eq!((line.size, line.read.get(), line.random.get()), (Bytes(2048), 67.0, 100.0));
}

#[track_caller]
fn refused(text: &str, what: &str, fix: &str) {
    let fault = try_job(text).unwrap_err();
    assert_eq!((fault.what(), fault.fix_hint().unwrap_or_default()), (what, fix));
}

#[test]
fn malformed_files_are_refused_with_line_and_advice() {
    let text = whole("1 1 1 LINEAR", "NORMAL", &[worker(1, 1, &["E:"])]);
    refused(
        &text.replace("'End target\n", "'End target\n'End target\n"),
        "lab.icf:64: 'end target does not belong here",
        "remove line 64, or add what is missing before it",
    );
    refused(
        &text.replace("'End worker\n", ""),
        "lab.icf:66: 'end manager list does not belong here",
        "remove line 66, or add what is missing before it",
    );
    refused(
        text.split("'END manager list").next().unwrap(),
        "lab.icf:39: the section 'MANAGER LIST' has no end",
        "add the line 'END manager list, or take the file from its source again",
    );
    refused(
        &text.replace("65536,100,", "65536,90,"),
        "lab.icf:35: the shares of 'Scan' add up to 90 %, not 100 %",
        "change '% of size' of its lines",
    );
    refused(
        &text.replace("65536,100,100,0,0,1,2048,0", "64k,100,100,0,0,1,2048,0"),
        "lab.icf:37: value 1 is '64k', not a whole number",
        "write it in digits alone",
    );
    refused(
        &text.replace("65536,100,100,0,0,1,2048,0", "65536,100,100"),
        "lab.icf:37: 3 values are no line of an access specification",
        "write size, % of size, % reads, % random, delay, burst, align, reply",
    );
    refused(
        &text.replace("\tNORMAL", "\tSTRANGE"),
        "lab.icf:26: 'STRANGE' is no type of a test",
        "use NORMAL, CYCLE_OUTSTANDING_IOS or another type of Iometer",
    );
    refused(
        &text.replace("\t65536,100", "\t0,100"),
        "lab.icf:37: an I/O of 0 bytes",
        "use 1 to 1073741824 bytes",
    );
    refused(
        "Version 1.1.0\n'TEST SETUP\n'END test setup\n",
        "lab.icf: no access specification is in it",
        "save the configuration with its access specifications, and name that file",
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is changed in a configuration, the answer is a suite or a fault that names the file.
    #[test]
    fn any_change_is_read_or_refused(
        at in 0.0_f64..1.0, length in 0_usize..40, new in "['a-zA-Z0-9 ,\n\t%]{0,24}",
    ) {
        let text = whole("1 8 2 EXPONENTIAL", "CYCLE_OUTSTANDING_IOS", &[worker(1, 3, &["E:"])]);
        let start = (at * text.len() as f64) as usize;
        let end = (start + length).min(text.len());
        let changed = format!("{}{new}{}", &text[..start], &text[end..]);
        if let Err(fault) = try_job(&changed) {
            prop_assert!(fault.what().starts_with("lab.icf"), "{}", fault);
        }
    }

    /// Specifications come through as they are written.
    #[test]
    fn lines_keep_their_numbers(
        size in 1_u64..2_000_000, reads in 0_u64..=100, random in 0_u64..=100, delay in 0_u64..1000,
        burst in 1_u64..100,
    ) {
        let text = format!(
            "Version 1.1.0\n'ACCESS SPECIFICATIONS\n'Access specification name,default assignment\n\
             \tone,ALL\n'size,% of size,% reads,% random,delay,burst,align,reply\n\
             \t{size},100,{reads},{random},{delay},{burst},0,0\n'END access specifications\n"
        );
        let suite = try_job(&text).unwrap().suite;
        let line = &suite.profiles[0].lines[0];
        prop_assert_eq!(line.size, Bytes(size));
        prop_assert_eq!((line.read.get(), line.random.get()), (reads as f64, random as f64));
        prop_assert_eq!(line.delay, Nanos::from_millis(delay));
        prop_assert_eq!(u64::from(line.burst), if delay == 0 { 1 } else { burst });
    }
}
