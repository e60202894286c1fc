//! Settings in a tree of their own: found, set, read back, put back.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kneepoint_core::measure::journal::{
    Form, JOURNAL_SCHEMA, Journal, Origin, Record, SettingPlace, Undo,
};
use kneepoint_core::result::warning::SettingChange;
use kneepoint_core::spec::factor::{Combination, Commands, Factor};
use kneepoint_core::words::fault::Fault;

use super::*;
use crate::facts::fake::FakeTree;
use crate::facts::{SysRoot, TargetFacts};

/// A disk `sda` with a partition, and an md array on `sdb`, in a folder with a journal.
struct Bench {
    tree: FakeTree,
    dir: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let tree = FakeTree::quiet();
        for (name, number) in [("sda", "8:0"), ("sdb", "8:16")] {
            tree.disk(name, number);
            tree.attribute(name, "queue/scheduler", "none mq-deadline [bfq]\n");
            tree.attribute(name, "queue/read_ahead_kb", "128\n");
            tree.attribute(name, "queue/nr_requests", "64\n");
            tree.attribute(name, "queue/write_cache", "write back\n");
        }
        tree.partition("sda", "sda1", "8:1");
        tree.virtual_disk("md0", "9:0");
        tree.attribute("md0", "md/level", "raid1\n");
        tree.attribute("md0", "queue/read_ahead_kb", "512\n");
        tree.stack("md0", "sdb");
        tree.file("/proc/self/mounts", "cgroup /cg/blkio cgroup rw,blkio 0 0\n");
        tree.file("/proc/self/cgroup", "7:blkio:/lab\n0::/\n");
        tree.file("/cg/blkio/lab/blkio.throttle.read_iops_device", "");
        Self { tree, dir: tempfile::tempdir().unwrap() }
    }

    /// Processors with three clocks.
    fn policies(&self) {
        for policy in ["policy10", "policy0", "policy2"] {
            let folder = format!("/sys/devices/system/cpu/cpufreq/{policy}");
            self.tree.file(&format!("{folder}/scaling_max_freq"), "3600000\n");
            self.tree.file(&format!("{folder}/cpuinfo_min_freq"), "800000\n");
            self.tree.file(&format!("{folder}/cpuinfo_max_freq"), "3600000\n");
        }
    }

    /// A control group of the second version.
    fn quota(&self) {
        self.tree.file("/proc/self/mounts", "cgroup2 /cg cgroup2 rw 0 0\n");
        self.tree.file("/proc/self/cgroup", "0::/lab\n");
        self.tree.file("/cg/lab/cpu.max", "max 100000\n");
    }

    fn root(&self) -> SysRoot {
        self.tree.root()
    }

    fn facts(&self, number: &str) -> TargetFacts {
        self.tree.facts(number, Path::new("/dev/x"))
    }

    fn journal(&self) -> PathBuf {
        self.dir.path().join("k.db-settings")
    }

    fn find(&self, factor: &str, number: &str) -> Result<Vec<VariedSetting>, Fault> {
        let factor: Factor = factor.parse().unwrap();
        find(&self.root(), &factor, &[&self.facts(number)])
    }

    fn begin(&self, varied: Vec<VariedSetting>) -> Changes {
        Changes::begin(&self.root(), &self.journal(), self.origin(), varied).unwrap()
    }

    fn origin(&self) -> Origin {
        Origin {
            schema: JOURNAL_SCHEMA.to_owned(),
            run: "r1".to_owned(),
            host: "here".to_owned(),
            started_at: String::new(),
            directory: self.dir.path().to_string_lossy().into_owned(),
            boot_id: BOOT.to_owned(),
        }
    }

    /// A file of the tree.
    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root().path(path)).unwrap().trim().to_owned()
    }

    /// The journal that a process left that was killed.
    fn left(&self) -> (Journal, JournalFile) {
        match look_again(&self.journal(), Duration::from_secs(30)).unwrap() {
            FoundJournal::Left(journal, file) => (*journal, file),
            other => panic!("{other:?}"),
        }
    }

    fn put_back(&self) -> Restoration {
        self.put_back_by(&[]).unwrap()
    }

    /// Puts back by a user who names a file with these factors.
    fn put_back_by(&self, own: &[Factor]) -> Result<Restoration, Fault> {
        self.put_back_after(BOOT, own)
    }

    /// The same in a certain start of the machine.
    fn put_back_after(&self, boot_id: &str, own: &[Factor]) -> Result<Restoration, Fault> {
        let here = Here { host: "here", boot_id, directory: self.dir.path(), own };
        put_back(&self.root(), self.left(), here)
    }

    /// Leaves `scheduler` of `sda` at `none`, as a killed process does.
    fn leave_scheduler(&self) {
        self.tree.attribute("sda", "queue/scheduler", "none mq-deadline [bfq]\n");
        let mut changes = self.begin(self.find("scheduler=none", "8:0").unwrap());
        changes.set(&at(&[("scheduler", "none")]), Renewal::Changed).unwrap();
        kill(changes);
        assert_eq!(self.read(SCHEDULER), "none");
    }
}

/// The start of the machine in which everything happens.
const BOOT: &str = "boot-1";

const SCHEDULER: &str = "/sys/block/sda/queue/scheduler";

fn at(pairs: &[(&str, &str)]) -> Combination {
    pairs.iter().map(|(name, level)| ((*name).to_owned(), (*level).to_owned())).collect()
}

/// The state after a process was killed: nothing is put back, and the lock is gone.
fn kill(mut changes: Changes) {
    changes.abandon();
}

#[test]
fn settings_are_found_under_the_target() {
    let bench = Bench::new();
    let check = |factor: &str, number: &str, expected: &[&str]| {
        let file = |varied: &VariedSetting| match &varied.what {
            What::Place(place) => place.file.clone(),
            What::Commands { .. } => panic!(),
        };
        let found: Vec<String> = bench.find(factor, number).unwrap().iter().map(file).collect();
        assert_eq!(found, expected, "{factor}");
    };
    check("scheduler=none", "8:0", &[SCHEDULER]);
    check("scheduler=none", "8:1", &[SCHEDULER]);
    check("read_ahead=0", "9:0", &["/sys/block/md0/queue/read_ahead_kb"]);
    check("scheduler=none", "9:0", &["/sys/block/sdb/queue/scheduler"]);
    check("kernel_flushes=on", "8:0", &["/sys/block/sda/queue/write_cache"]);
    bench.tree.attribute("sda", "device/scsi_disk/0:0:0:0/cache_type", "write back\n");
    let drive = "/sys/block/sda/device/scsi_disk/0:0:0:0/cache_type";
    check("write_cache=on", "8:0", &[drive]);
    check("kernel_flushes=on", "8:0", &["/sys/block/sda/queue/write_cache"]);
    check("cgroup.read_iops=200", "8:1", &["/cg/blkio/lab/blkio.throttle.read_iops_device"]);
}

#[test]
fn what_cannot_be_set_says_why() {
    let bench = Bench::new();
    let check = |factor: &str, expected: &str| {
        let fault = bench.find(factor, "8:0").unwrap_err();
        let text = format!("{fault}; {}", fault.fix_hint().unwrap_or_default());
        assert!(text.contains(expected), "{text}");
    };
    check("scheduler=cfq", "the kernel offers none, mq-deadline, bfq");
    check("schedular=none", "did you mean 'scheduler'");
    check("read_ahead=much", "use a whole number");
    check("kernel_flushes=maybe", "use on or off");
    check("write_cache=off", "no file that switches this drive's own cache");
    check("cgroup.read_iops=0", "above zero, or max");
    check("cgroup.write_iops=5", "no control group");
    check("cgroup.cpu_quota=1", "whose processor time can be limited");
    bench.quota();
    check("cgroup.cpu_quota=half", "use numbers such as 0.5");
    check("cgroup.cpu_quota=0.001", "no less than 0.01");
    check("cgroup.cpu_quota=-1", "use numbers such as 0.5");
    check("frequency=2GHz", "the kernel has no limit of it");
    bench.policies();
    check("frequency=2", "write a number with its unit: 2.4GHz");
    check("frequency=nanGHz", "does not start with a number");
    check("frequency=5GHz", "they do 800000 to 3600000 kHz");
}

#[test]
fn the_clock_of_all_processors_is_limited_and_put_back() {
    let bench = Bench::new();
    bench.policies();
    let limits = ["policy0", "policy2", "policy10"]
        .map(|policy| format!("/sys/devices/system/cpu/cpufreq/{policy}/scaling_max_freq"));
    let varied = bench.find("frequency=1.8GHz,2400MHz", "8:0").unwrap();
    let names: Vec<String> = varied.iter().map(VariedSetting::name).collect();
    assert_eq!(
        names,
        ["policy0", "policy2", "policy10"].map(|name| format!("frequency of {name}"))
    );
    let mut changes = bench.begin(varied.clone());
    for (level, khz) in [("1.8GHz", "1800000"), ("2400MHz", "2400000")] {
        changes.set(&at(&[("frequency", level)]), Renewal::Changed).unwrap();
        assert!(limits.iter().all(|limit| bench.read(limit) == khz), "{level}");
    }
    assert!(changes.restore().failed.is_empty());
    assert!(limits.iter().all(|limit| bench.read(limit) == "3600000"));
    // As after a kill.
    let mut changes = bench.begin(varied);
    changes.set(&at(&[("frequency", "1.8GHz")]), Renewal::Changed).unwrap();
    kill(changes);
    let restoration = bench.put_back();
    assert_eq!((restoration.restored.len(), restoration.failed.len()), (3, 0), "{restoration:?}");
    assert!(limits.iter().all(|limit| bench.read(limit) == "3600000"));
}

#[test]
fn the_processor_time_of_the_group_is_limited_and_put_back() {
    let new = Bench::new();
    new.quota();
    let old = Bench::new();
    old.tree.file("/proc/self/mounts", "cgroup /cg/cpu cgroup rw,cpu 0 0\n");
    old.tree.file("/proc/self/cgroup", "1:cpu:/lab\n");
    old.tree.file("/cg/cpu/lab/cpu.cfs_quota_us", "-1\n");
    old.tree.file("/cg/cpu/lab/cpu.cfs_period_us", "50000\n");
    for (bench, file, [half, two], after) in [
        (&new, "/cg/lab/cpu.max", ["50000", "200000"], "max"),
        (&old, "/cg/cpu/lab/cpu.cfs_quota_us", ["25000", "100000"], "-1"),
    ] {
        let varied = bench.find("cgroup.cpu_quota=0.5,2,max", "8:0").unwrap();
        let names: Vec<String> = varied.iter().map(VariedSetting::name).collect();
        assert_eq!(names, ["cgroup.cpu_quota of this control group"]);
        let mut changes = bench.begin(varied.clone());
        for (level, value) in [("0.5", half), ("2", two), ("max", after), ("2", two)] {
            changes.set(&at(&[("cgroup.cpu_quota", level)]), Renewal::Changed).unwrap();
            assert_eq!(bench.read(file), value, "{level}");
        }
        assert!(changes.restore().failed.is_empty());
        assert_eq!(bench.read(file), after);
        // As after a kill.
        let mut changes = bench.begin(varied);
        changes.set(&at(&[("cgroup.cpu_quota", "0.5")]), Renewal::Changed).unwrap();
        kill(changes);
        let restoration = bench.put_back();
        assert_eq!((restoration.restored.len(), restoration.failed.len()), (1, 0));
        assert_eq!(bench.read(file), after);
    }
}

#[test]
fn settings_are_set_read_back_and_put_back() {
    let bench = Bench::new();
    let factors = ["scheduler=none,mq-deadline", "read_ahead=0,4096", "cgroup.read_iops=max,200"];
    let varied = factors.iter().flat_map(|factor| bench.find(factor, "8:0").unwrap()).collect();
    let mut changes = bench.begin(varied);
    let first = at(&[("scheduler", "none"), ("read_ahead", "4096"), ("cgroup.read_iops", "200")]);
    assert_eq!(changes.set(&first, Renewal::Changed).unwrap().len(), 3);
    assert_eq!(bench.read(SCHEDULER), "none");
    assert_eq!(bench.read("/sys/block/sda/queue/read_ahead_kb"), "4096");
    assert_eq!(bench.read("/cg/blkio/lab/blkio.throttle.read_iops_device"), "8:0 200");
    let second = at(&[("scheduler", "mq-deadline"), ("read_ahead", "4096")]);
    assert_eq!(changes.set(&second, Renewal::Changed).unwrap(), ["scheduler"]);
    assert_eq!(changes.set(&second, Renewal::All).unwrap().len(), 2);
    assert!(matches!(look(&bench.journal()).unwrap(), FoundJournal::InUse));
    let restoration = changes.restore();
    assert_eq!(restoration.failed, []);
    assert_eq!(restoration.restored.len(), 3, "{restoration:?}");
    assert_eq!(bench.read(SCHEDULER), "bfq");
    assert_eq!(bench.read("/sys/block/sda/queue/read_ahead_kb"), "128");
    assert!(!bench.journal().exists());
}

#[test]
fn a_panic_puts_back_as_well() {
    let bench = Bench::new();
    let varied = bench.find("scheduler=none", "8:0").unwrap();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut changes = bench.begin(varied);
        changes.set(&at(&[("scheduler", "none")]), Renewal::Changed).unwrap();
        panic!("on purpose");
    }));
    assert!(panicked.is_err());
    assert_eq!(bench.read(SCHEDULER), "bfq");
    assert!(!bench.journal().exists());
}

#[test]
fn what_somebody_else_changed_is_left_alone_and_said() {
    let bench = Bench::new();
    let mut changes = bench.begin(bench.find("scheduler=none", "8:0").unwrap());
    changes.set(&at(&[("scheduler", "none")]), Renewal::Changed).unwrap();
    bench.tree.attribute("sda", "queue/scheduler", "[mq-deadline] none bfq\n");
    let fault = changes.set(&at(&[("scheduler", "none")]), Renewal::Changed).unwrap_err();
    assert!(fault.to_string().contains("reads back as 'mq-deadline'"), "{fault}");
    let restoration = changes.restore();
    assert_eq!(restoration.restored, [""; 0]);
    assert!(restoration.left[0].contains("is 'mq-deadline', which someone else set"));
    assert_eq!(bench.read(SCHEDULER), "[mq-deadline] none bfq");
}

#[test]
fn a_killed_process_leaves_a_journal_that_puts_back() {
    let bench = Bench::new();
    let mut changes = bench.begin(bench.find("scheduler=none,mq-deadline", "8:0").unwrap());
    changes.set(&at(&[("scheduler", "none")]), Renewal::Changed).unwrap();
    kill(changes);
    assert_eq!(bench.read(SCHEDULER), "none");
    let whole = fs::read(bench.journal()).unwrap();
    let elsewhere =
        Here { host: "elsewhere", boot_id: BOOT, directory: bench.dir.path(), own: &[] };
    let refused = put_back(&bench.root(), bench.left(), elsewhere).unwrap_err();
    assert!(refused.to_string().contains("another host"), "{refused}");
    assert_eq!(bench.put_back().restored, ["scheduler of sda is 'bfq' again"]);
    assert_eq!(bench.read(SCHEDULER), "bfq");
    assert!(!bench.journal().exists());
    // Cut off at any byte, it restores what it announces, and never fails.
    let first = whole.iter().position(|byte| *byte == b'\n').unwrap();
    for cut in 0..=whole.len() {
        bench.tree.attribute("sda", "queue/scheduler", "none\n");
        fs::write(bench.journal(), &whole[..cut]).unwrap();
        if cut <= first {
            // It may be anyone's: it stays.
            let fault = bench.put_back_by(&[]).unwrap_err();
            assert!(fault.to_string().contains("is no journal of Kneepoint"), "{fault}");
            assert_eq!(fs::read(bench.journal()).unwrap(), whole[..cut]);
            continue;
        }
        let is_announced = Journal::parse(&whole[..cut]).is_open();
        let restoration = bench.put_back();
        assert_eq!((&restoration.left, &restoration.failed), (&vec![], &vec![]), "{cut}");
        assert_eq!(bench.read(SCHEDULER) == "bfq", is_announced, "{cut}");
    }
}

/// Nothing is put back onto `sda` by a journal that is from before `happened`, and that is said.
fn check_left(happened: impl Fn(&Bench), boot_id: &str, reason: &str) {
    let bench = Bench::new();
    bench.tree.attribute("sda", "diskseq", "7\n");
    bench.leave_scheduler();
    happened(&bench);
    let restoration = bench.put_back_after(boot_id, &[]).unwrap();
    assert_eq!((&restoration.restored, &restoration.failed), (&vec![], &vec![]), "{reason}");
    let [left] = restoration.left.as_slice() else { panic!("{restoration:?}") };
    assert!(left.starts_with("scheduler of sda is left as it is, 'none': "), "{left}");
    assert!(left.contains(reason), "{left}");
    assert!(left.contains("`echo 'bfq' > /sys/block/sda/queue/scheduler`"), "{left}");
    assert_eq!(bench.read(SCHEDULER), "none");
    assert!(!bench.journal().exists());
}

#[test]
fn a_value_is_not_written_to_a_device_that_took_the_name() {
    let another = "another device, or none, has that name now";
    check_left(|bench| bench.tree.attribute("sda", "diskseq", "8\n"), BOOT, another);
    check_left(|bench| bench.tree.attribute("sda", "dev", "8:160\n"), BOOT, another);
    let replace = |bench: &Bench| {
        let path = bench.root().path(SCHEDULER);
        fs::rename(&path, path.with_extension("before")).unwrap();
        fs::write(&path, "none\n").unwrap();
    };
    check_left(replace, BOOT, another);
    check_left(|_| {}, "boot-2", "the machine was restarted since");
    check_left(|_| {}, "", "the journal does not say");
    // A journal of the version before has neither.
    let make_old = |bench: &Bench| {
        let (journal, _) = bench.left();
        let Some(mut origin) = journal.origin else { panic!() };
        (origin.schema, origin.boot_id) = ("kneepoint.journal/1".to_owned(), String::new());
        let mut text = Record::Begin(origin).line();
        for left in journal.settings {
            let Undo::Write { place, previous, .. } = left.undo else { panic!() };
            let undo = Undo::Write { place, previous, identity: None };
            let change = Record::Change { setting: 0, change: left.changes[0].clone() };
            text += &(Record::Setting(undo).line() + &change.line());
        }
        fs::write(bench.journal(), text).unwrap();
    };
    check_left(make_old, BOOT, "the journal does not say");
    // What has its former value is not worth a word, and neither is the very device.
    let bench = Bench::new();
    bench.leave_scheduler();
    bench.tree.attribute("sda", "queue/scheduler", "none [bfq]\n");
    assert_eq!(bench.put_back_after("boot-2", &[]).unwrap(), Restoration::default());
    bench.leave_scheduler();
    assert_eq!(bench.put_back().restored, ["scheduler of sda is 'bfq' again"]);
}

#[test]
fn a_device_that_is_gone_keeps_no_journal() {
    for boot in [BOOT, "boot-2"] {
        let bench = Bench::new();
        bench.leave_scheduler();
        fs::remove_file(bench.root().path(SCHEDULER)).unwrap();
        let restoration = bench.put_back_after(boot, &[]).unwrap();
        assert_eq!(restoration.failed, []);
        assert!(restoration.left[0].contains("cannot be read"), "{restoration:?}");
        assert!(!bench.journal().exists());
    }
}

#[test]
fn a_device_that_takes_the_name_during_a_run_is_not_set() {
    let bench = Bench::new();
    let mut changes = bench.begin(bench.find("scheduler=none,mq-deadline", "8:0").unwrap());
    changes.set(&at(&[("scheduler", "none")]), Renewal::Changed).unwrap();
    bench.tree.attribute("sda", "diskseq", "8\n");
    let another = "another device, or none, has that name now";
    assert!(changes.foreign()[0].to_string().contains(another), "{:?}", changes.foreign());
    let level = at(&[("scheduler", "mq-deadline")]);
    let fault = changes.set(&level, Renewal::Changed).unwrap_err();
    assert!(fault.to_string().contains(another), "{fault}");
    assert_eq!(bench.read(SCHEDULER), "none");
    assert!(changes.restore().left[0].contains(another));
    assert_eq!(bench.read(SCHEDULER), "none");
}

#[test]
fn after_a_restart_commands_put_back_what_is_still_as_the_run_left_it() {
    let left_by = |bench: &Bench| {
        let mut changes = bench.begin(own(bench));
        changes.set(&at(&[("mode", "b")]), Renewal::Changed).unwrap();
        kill(changes);
    };
    let setting = |bench: &Bench| fs::read_to_string(bench.dir.path().join("setting")).unwrap();
    let bench = Bench::new();
    left_by(&bench);
    let restoration = bench.put_back_after("boot-2", &[own_factor()]).unwrap();
    assert_eq!((restoration.restored.len(), setting(&bench).as_str()), (1, "before"));
    // Not even if the change was never read back: the value may be anyone's.
    left_by(&bench);
    let whole = fs::read_to_string(bench.journal()).unwrap();
    let lines = whole.lines().filter(|line| !line.contains("verified"));
    fs::write(bench.journal(), lines.map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    fs::write(bench.dir.path().join("setting"), "mine").unwrap();
    let restoration = bench.put_back_after("boot-2", &[own_factor()]).unwrap();
    assert!(restoration.left[0].contains("is not 'b' now: it is 'mine'"), "{restoration:?}");
    assert_eq!(setting(&bench), "mine");
}

#[test]
fn after_a_restart_no_command_runs_for_a_block_device() {
    let doubt = |device: Option<&str>, boot| {
        place::doubt_of_device(device.map(str::to_owned).as_ref(), boot).is_some()
    };
    use place::Boot::{Earlier, This, Unknown};
    for (boot, expected) in [(This, false), (Earlier, true), (Unknown, true)] {
        assert_eq!(doubt(Some("/dev/sda"), boot), expected, "{boot:?}");
        assert!(!doubt(None, boot), "{boot:?}");
    }
    assert_eq!(place::device_named(Path::new("/"), "/dev/null"), None);
    let names = fs::read_dir("/dev").unwrap().filter_map(Result::ok);
    let is_block = |entry: &fs::DirEntry| {
        std::os::unix::fs::FileTypeExt::is_block_device(&entry.file_type().unwrap())
    };
    match names.filter(is_block).find_map(|entry| entry.path().to_str().map(str::to_owned)) {
        Some(node) => assert_eq!(place::device_named(Path::new("/"), &node), Some(node)),
        None => kneepoint_testkit::skipped("there is no block device"),
    }
}

#[test]
fn a_journal_that_others_could_have_written_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new();
    kill(bench.begin(bench.find("scheduler=none", "8:0").unwrap()));
    fs::set_permissions(bench.journal(), fs::Permissions::from_mode(0o666)).unwrap();
    let fault = look(&bench.journal()).unwrap_err();
    assert!(fault.to_string().contains("others may write to it"), "{fault}");
}

#[test]
fn a_journal_cannot_make_other_files_be_written() {
    let bench = Bench::new();
    bench.tree.file("/etc/victim", "1\n");
    let mut varied = bench.find("read_ahead=0", "8:0").unwrap();
    let What::Place(SettingPlace { file, .. }) = &mut varied[0].what else { panic!() };
    *file = "/etc/victim".to_owned();
    let mut changes = bench.begin(varied);
    changes.set(&at(&[("read_ahead", "0")]), Renewal::Changed).unwrap();
    let restoration = changes.restore();
    assert!(restoration.failed[0].to_string().contains("is no file of a setting"));
    assert_eq!(bench.read("/etc/victim"), "0");
}

#[test]
fn a_journal_names_files_of_settings_and_no_others() {
    let bench = Bench::new();
    let number = || "8:0".to_owned();
    let throttle = || Form::Throttle { number: number() };
    let limit = || Form::Limit { number: number(), key: "rbps".to_owned() };
    for (file, form, expected) in [
        ("/cg/lab/blkio.throttle.read_bps_device", throttle(), true),
        ("/ev/blkio.throttle.x", throttle(), false),
        ("/cg/lab/cpu.max", Form::Quota, true),
        ("/cg/lab/cpu.cfs_quota_us", Form::Quota, true),
        ("/cg/../lab/cpu.max", Form::Quota, false),
        ("/cg/lab/memory.max", Form::Quota, false),
        ("/cg/../ev/io.max", limit(), false),
        ("/sys/block/sda/queue/scheduler", Form::Choice, true),
        ("/sys/block/sda/../../../etc/scheduler", Form::Choice, false),
        ("/ev/scheduler", Form::Choice, false),
        ("/sys/devices/system/cpu/cpufreq/policy3/scaling_max_freq", Form::Plain, true),
        ("/sys/devices/system/cpu/cpufreq/../x/scaling_max_freq", Form::Plain, false),
        ("/sys/devices/system/cpu/cpufreq/policy3/../scaling_max_freq", Form::Plain, false),
        ("/ev/policy3/scaling_max_freq", Form::Plain, false),
    ] {
        let (factor, device) = ("f".to_owned(), "sda".to_owned());
        let place = SettingPlace { factor, device, file: file.to_owned(), form };
        assert_eq!(super::find::is_ours(&place), expected, "{file}");
    }
    drop(bench);
}

#[test]
fn a_setting_has_one_owner_whatever_the_store() {
    let bench = Bench::new();
    bench.tree.file("/cg/blkio/lab/blkio.throttle.write_iops_device", "");
    let both = |factors: [&str; 2]| -> Vec<VariedSetting> {
        factors.iter().flat_map(|factor| bench.find(factor, "8:0").unwrap()).collect()
    };
    // Two limits of one device do not get into each other's way within a run.
    let limits = || both(["cgroup.read_iops=200", "cgroup.write_iops=200"]);
    for varied in [both(["scheduler=none", "read_ahead=0"]), limits()] {
        let mut first = bench.begin(varied.clone());
        let other = bench.dir.path().join("other.db-settings");
        let begin = || Changes::begin(&bench.root(), &other, bench.origin(), varied.clone());
        // The kernel's list can miss a lock while others come and go.
        let names_the_holder = |fault: &Fault| {
            let locks = fs::read("/proc/locks").unwrap_or_default();
            locks.is_empty() || fault.to_string().contains(&std::process::id().to_string())
        };
        let mut tries = (0..100).map(|_| {
            bench.tree.file("/proc/locks", fs::read("/proc/locks").unwrap_or_default());
            begin().unwrap_err()
        });
        let fault = tries.find(names_the_holder).expect("the holder is named");
        assert!(fault.what().ends_with("is in use"), "{fault}");
        assert!(fault.to_string().contains("is varying it"), "{fault}");
        assert!(!other.exists());
        // Other settings of the same device are free, and so are these once they are back.
        let free = bench.find("nr_requests=8", "8:0").unwrap();
        drop(Changes::begin(&bench.root(), &other, bench.origin(), free).unwrap());
        let level = at(&[("scheduler", "none"), ("cgroup.read_iops", "200")]);
        first.set(&level, Renewal::Changed).unwrap();
        first.restore();
        drop(begin().unwrap());
    }
}

#[test]
fn what_someone_else_sets_is_noticed_and_left() {
    let bench = Bench::new();
    let varied = || bench.find("read_ahead=0,64", "8:0").unwrap();
    let foreign = || bench.tree.attribute("sda", "queue/read_ahead_kb", "512\n");
    let mut changes = bench.begin(varied());
    assert_eq!(changes.foreign(), []);
    changes.set(&at(&[("read_ahead", "0")]), Renewal::Changed).unwrap();
    assert_eq!(changes.foreign(), []);
    foreign();
    let text = "read_ahead of sda is '512': someone else changed it, this run had set it to '0'";
    let texts: Vec<String> = changes.foreign().iter().map(SettingChange::to_string).collect();
    assert_eq!(texts, [text]);
    let fault = changes.set(&at(&[("read_ahead", "64")]), Renewal::Changed).unwrap_err();
    assert!(fault.to_string().contains(text), "{fault}");
    assert_eq!(changes.restore().left.len(), 1);
    assert_eq!(bench.read("/sys/block/sda/queue/read_ahead_kb"), "512");
    // Before the first change, too.
    bench.tree.attribute("sda", "queue/read_ahead_kb", "128\n");
    let mut changes = bench.begin(varied());
    foreign();
    let fault = changes.set(&at(&[("read_ahead", "64")]), Renewal::Changed).unwrap_err();
    assert!(fault.to_string().contains("it was '128'"), "{fault}");
    drop(changes);
    assert_eq!(bench.read("/sys/block/sda/queue/read_ahead_kb"), "512");
}

#[test]
fn commands_of_a_journal_run_only_for_whoever_names_them() {
    let bench = Bench::new();
    let mut changes = bench.begin(own(&bench));
    changes.set(&at(&[("mode", "b")]), Renewal::Changed).unwrap();
    kill(changes);
    let setting = || fs::read_to_string(bench.dir.path().join("setting")).unwrap();
    let refused = |own: &[Factor], expected: &str| {
        let fault = bench.put_back_by(own).unwrap_err();
        let text = format!("{fault}; {}", fault.fix_hint().unwrap_or_default());
        assert!(text.contains(expected), "{text}");
        assert_eq!(setting(), "b", "nothing was run");
        assert!(bench.journal().exists());
    };
    refused(&[], "--commands FILE.toml");
    let mut other = own_factor();
    other.commands.as_mut().unwrap().restore[0] = "bash".to_owned();
    refused(&[other], "the journal has other commands for mode");
    let mut other = own_factor();
    other.commands.as_mut().unwrap().check[0] = "tac".to_owned();
    refused(&[other], "the journal has other commands for mode");
    let mut other = own_factor();
    other.levels = vec!["a".to_owned()];
    refused(&[other], "the journal has other commands for mode");
    let factors = [own_factor()];
    let here = Here { host: "here", boot_id: BOOT, directory: Path::new("/"), own: &factors };
    let fault = put_back(&bench.root(), bench.left(), here).unwrap_err();
    assert!(fault.to_string().contains("is not put back from here"), "{fault}");
    assert_eq!(bench.put_back_by(&factors).unwrap().restored.len(), 1);
    assert_eq!(setting(), "before");
}

/// A setting of one's own: the content of a file.
fn own(bench: &Bench) -> Vec<VariedSetting> {
    fs::write(bench.dir.path().join("setting"), "before").unwrap();
    let factor = own_factor();
    VariedSetting::by_commands(&factor, factor.commands.as_ref().unwrap(), &["/one", "/two"])
}

/// The factor that sets it.
fn own_factor() -> Factor {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let commands = Commands {
        set: words(&["sh", "-c", "printf %s \"$0\" > setting", "{level}"]),
        check: words(&["cat", "setting"]),
        expect: "{level}".to_owned(),
        restore: words(&["sh", "-c", "printf before > setting"]),
    };
    let mut factor: Factor = "mode=a,b".parse().unwrap();
    factor.commands = Some(commands);
    factor
}

#[test]
fn commands_of_ones_own_set_check_and_restore() {
    let bench = Bench::new();
    let setting = || fs::read_to_string(bench.dir.path().join("setting")).unwrap();
    let mut changes = bench.begin(own(&bench));
    changes.set(&at(&[("mode", "b")]), Renewal::Changed).unwrap();
    assert_eq!(setting(), "b");
    assert_eq!(changes.restore().restored.len(), 1);
    assert_eq!(setting(), "before");
    let mut varied = own(&bench);
    let What::Commands { commands, .. } = &mut varied[0].what else { panic!() };
    commands.check = vec!["echo".to_owned(), "other".to_owned()];
    let mut changes = bench.begin(varied.clone());
    let fault = changes.set(&at(&[("mode", "a")]), Renewal::Changed).unwrap_err();
    assert_eq!(fault.to_string(), "mode is not 'a': it reads back as 'other'");
    drop(changes);
    assert_eq!(setting(), "before");
    let What::Commands { commands, .. } = &mut varied[0].what else { panic!() };
    commands.set = vec!["sh".to_owned(), "-c".to_owned(), "echo no room >&2; exit 3".to_owned()];
    let mut changes = bench.begin(varied);
    let fault = changes.set(&at(&[("mode", "a")]), Renewal::Changed).unwrap_err();
    assert!(fault.to_string().ends_with("exit status: 3: no room"), "{fault}");
}

#[test]
fn a_command_that_outlives_its_process_is_waited_for() {
    let bench = Bench::new();
    let mut varied = own(&bench);
    let What::Commands { commands, .. } = &mut varied[0].what else { panic!() };
    // It goes on in the background after `set` has ended, as after a kill of the process.
    let later = "printf a > setting; \
                 (until [ -e go ]; do sleep 0.01; done; printf a > setting) > /dev/null 2>&1 &";
    commands.set = ["sh", "-c", later].map(str::to_owned).to_vec();
    let mut changes = bench.begin(varied);
    changes.set(&at(&[("mode", "a")]), Renewal::Changed).unwrap();
    kill(changes);
    assert!(matches!(look(&bench.journal()).unwrap(), FoundJournal::InUse));
    fs::write(bench.dir.path().join("go"), "").unwrap();
    let mut factor = own_factor();
    factor.commands.as_mut().unwrap().set.clear();
    assert_eq!(bench.put_back_by(&[factor]).unwrap().restored.len(), 1);
    assert_eq!(fs::read_to_string(bench.dir.path().join("setting")).unwrap(), "before");
}
