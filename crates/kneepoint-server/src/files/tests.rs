//! Points of operations on files in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use kneepoint_core::load::files::{FileCalls, FilePlace};
use kneepoint_core::measure::{FileGround, Instrument, Observer, Stop};
use kneepoint_core::plan::resolve::{Draft, Wishes};
use kneepoint_core::plan::{Plan, TargetKind, TypedLoads};
use kneepoint_core::result::{TargetEnvironment, Warning};
use kneepoint_core::spec::grid::Loads;
use kneepoint_core::spec::profile::{FileTree, Profile};
use kneepoint_core::spec::suite::Suite;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::{LoadLevel, LoadUnit};
use kneepoint_core::words::units::Nanos;

use super::*;
use crate::fixture::{Unknown, point};

/// Calls by their names, and the files that are there.
#[derive(Debug, Default)]
struct GroundLog {
    calls: BTreeMap<&'static str, u64>,
    files: BTreeMap<FilePlace, u64>,
    /// Creations that still succeed.
    left: Option<u64>,
    clears: u64,
    /// Whether something of others is among the files.
    is_shared: bool,
    is_claimed: bool,
}

/// A directory in memory.
#[derive(Debug, Clone, Default)]
struct MemoryGround(Arc<Mutex<GroundLog>>);

impl MemoryGround {
    fn call(&self, name: &'static str) {
        *self.0.lock().unwrap().calls.entry(name).or_default() += 1;
    }

    fn count(&self, name: &str) -> u64 {
        self.0.lock().unwrap().calls.get(name).copied().unwrap_or(0)
    }
}

impl FileCalls for MemoryGround {
    fn create(&mut self, file: FilePlace, bytes: u64) -> Result<(), Fault> {
        self.call("create");
        let log = &mut *self.0.lock().unwrap();
        if let Some(left) = &mut log.left {
            *left = left.checked_sub(1).ok_or_else(|| Fault::new("create of x failed"))?;
        }
        log.files.insert(file, bytes);
        Ok(())
    }

    fn append(&mut self, _file: FilePlace, _bytes: u64) -> Result<(), Fault> {
        self.call("append");
        Ok(())
    }

    fn read(&mut self, _file: FilePlace) -> Result<(), Fault> {
        self.call("read");
        Ok(())
    }

    fn stat(&mut self, _file: FilePlace) -> Result<(), Fault> {
        self.call("stat");
        Ok(())
    }

    fn rename(&mut self, _file: FilePlace, _number: u64) -> Result<(), Fault> {
        self.call("rename");
        Ok(())
    }

    fn delete(&mut self, file: FilePlace) -> Result<(), Fault> {
        self.call("delete");
        self.0.lock().unwrap().files.remove(&file);
        Ok(())
    }

    fn list(&mut self, _directory: u32) -> Result<(), Fault> {
        self.call("list");
        Ok(())
    }
}

impl FileGround for MemoryGround {
    fn environment(&self, name: &str) -> Result<TargetEnvironment, Fault> {
        Ok(TargetEnvironment {
            target: name.to_owned(),
            host: String::new(),
            kind: TargetKind::Directory,
            size_bytes: 0,
            file_system: "memory".to_owned(),
            device: BTreeMap::new(),
            settings: BTreeMap::new(),
            class: None,
            model: None,
        })
    }

    fn claim(&mut self) -> Result<(), Fault> {
        self.0.lock().unwrap().is_claimed = true;
        Ok(())
    }

    fn lay_out(&mut self, _tree: &FileTree) -> Result<(), Fault> {
        self.0.lock().unwrap().calls.clear();
        Ok(())
    }

    fn calls(&self, _tree: &FileTree, _seed: u64) -> Result<Box<dyn FileCalls>, Fault> {
        Ok(Box::new(self.clone()))
    }

    fn settle(&self) -> Result<(), Fault> {
        Ok(())
    }

    fn clear(&mut self) -> Result<(), Fault> {
        let log = &mut *self.0.lock().unwrap();
        log.clears += 1;
        match log.is_shared {
            true => Err(Fault::new("mine is not ours")),
            false => Ok(()),
        }
    }

    fn remove(&mut self) -> Result<(), Fault> {
        self.0.lock().unwrap().is_claimed = false;
        Ok(())
    }
}

const PROFILE: &str = "name = \"mine\"\ntitle = \"Mine\"\n[files]\ncount = 40\ndirectories = 4\n\
    [[files.operation]]\nclass = \"create\"\nshare = 20\n\
    [[files.operation]]\nclass = \"delete\"\nshare = 20\n\
    [[files.operation]]\nclass = \"stat\"\nshare = 50\n\
    [[files.operation]]\nclass = \"list\"\nshare = 10\n";

fn testbed(names: &[&str], ground: &MemoryGround) -> Result<FilesTestbed<'static>, Fault> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    FilesTestbed::look(&names, &Unknown, &|_| Ok(Box::new(ground.clone())))
}

/// The plan of [`PROFILE`] with these loads.
fn plan(testbed: &FilesTestbed<'_>, loads: &str) -> Result<Plan, Fault> {
    use kneepoint_core::measure::Testbed as _;
    let suite = Suite::of_profile(Profile::parse(PROFILE, "mine.toml").unwrap());
    let loads = Loads::parse(loads, LoadUnit::OutstandingIos).unwrap();
    let wishes = Wishes {
        loads: Some(TypedLoads::Of(loads)),
        time: Some(Nanos::from_millis(200)),
        ramp: Some(Nanos::from_millis(100)),
        ..Wishes::default()
    };
    Draft::new(&suite, &wishes)?.resolve(&testbed.site(&wishes))
}

/// Asks for nothing, or to stop at once.
struct Obedient(bool);

impl Observer for Obedient {
    fn is_stop_asked(&self) -> bool {
        self.0
    }
}

#[test]
fn recorded_operations_are_those_that_were_done_in_their_shares() {
    let ground = MemoryGround::default();
    let testbed = testbed(&["files:a", "files:b"], &ground).unwrap();
    let plan = plan(&testbed, "1,3").unwrap();
    assert_eq!(plan.series[0].loads.unit, LoadUnit::OutstandingOperations);
    let point = point(&plan, LoadLevel::outstanding_operations(3));
    let grounds: Vec<Box<dyn FileGround>> =
        vec![Box::new(ground.clone()), Box::new(MemoryGround::default())];
    let mut instrument = FilesInstrument::new(&Unknown, grounds);
    let outcome = instrument.run_point(&point, &mut Obedient(false)).unwrap();
    assert_eq!(outcome.warnings, []);
    assert_eq!(outcome.measurement.targets.len(), 2);
    assert!(outcome.measurement.targets.iter().all(|target| target.operations > 100));
    let files = ground.0.lock().unwrap().files.len();
    assert!((20..=60).contains(&files), "{files} files");
    let count = |name| ground.count(name) as f64;
    // Those of the start are no operations.
    let (created, deleted) = (count("create") - 40.0, count("delete"));
    let all = created + deleted + count("stat") + count("list");
    assert!(((created + deleted) / all - 0.4).abs() < 0.05, "{created} and {deleted} of {all}");
    assert!((count("stat") / all - 0.5).abs() < 0.05);
    assert_eq!(count("rename") + count("append") + count("read"), 0.0);
    let recorded = outcome.measurement.targets[0].operations as f64;
    // The ramp and the end of the point were not recorded as measured.
    assert!(recorded <= all && recorded > 0.3 * all, "{recorded} of {all}");
    assert_eq!(ground.0.lock().unwrap().clears, 1);
}

#[test]
fn a_refused_operation_fails_the_point_and_the_files_are_removed_all_the_same() {
    let ground = MemoryGround::default();
    let testbed = testbed(&["files:a"], &ground).unwrap();
    let plan = plan(&testbed, "2").unwrap();
    ground.0.lock().unwrap().left = Some(100);
    let point = point(&plan, LoadLevel::outstanding_operations(2));
    let mut instrument = FilesInstrument::new(&Unknown, vec![Box::new(ground.clone())]);
    let outcome = instrument.run_point(&point, &mut Obedient(false)).unwrap();
    let first = "create of x failed".to_owned();
    assert_eq!(outcome.warnings, [Warning::FileOperationFailed { first }]);
    assert_eq!(ground.0.lock().unwrap().clears, 1);
    // There is no room for the files of the start.
    let ended = instrument.run_point(&point, &mut Obedient(false)).unwrap_err();
    assert!(ended.to_string().contains("create of x failed"), "{ended}");
    assert_eq!(ground.0.lock().unwrap().clears, 2);
}

#[test]
fn a_point_is_kept_whose_files_cannot_be_removed_and_no_other_is_measured_beside_them() {
    let ground = MemoryGround::default();
    let testbed = testbed(&["files:a", "files:b"], &ground).unwrap();
    let plan = plan(&testbed, "1,2").unwrap();
    ground.0.lock().unwrap().is_shared = true;
    let point = point(&plan, LoadLevel::outstanding_operations(1));
    let other = MemoryGround::default();
    let grounds: Vec<Box<dyn FileGround>> = vec![Box::new(ground.clone()), Box::new(other.clone())];
    let mut instrument = FilesInstrument::new(&Unknown, grounds);
    let outcome = instrument.run_point(&point, &mut Obedient(false)).unwrap();
    assert!(outcome.measurement.targets[0].operations > 0);
    assert_eq!(other.0.lock().unwrap().clears, 1, "the files beside them are gone");
    let ended = instrument.run_point(&point, &mut Obedient(false)).unwrap_err();
    assert!(ended.to_string().contains("mine is not ours"), "{ended}");
}

#[test]
fn whoever_asks_to_stop_is_heard_while_files_are_made() {
    let ground = MemoryGround::default();
    let testbed = testbed(&["files:a"], &ground).unwrap();
    let plan = plan(&testbed, "2").unwrap();
    let point = point(&plan, LoadLevel::outstanding_operations(2));
    let mut instrument = FilesInstrument::new(&Unknown, vec![Box::new(ground.clone())]);
    assert_eq!(instrument.run_point(&point, &mut Obedient(true)).unwrap_err(), Stop::Asked);
    assert_eq!((ground.count("create"), ground.0.lock().unwrap().clears), (1, 1));
}

#[test]
fn targets_and_loads_that_cannot_be_are_refused() {
    let ground = MemoryGround::default();
    let refused = |names: &[&str], why: &str| {
        let fault = testbed(names, &ground).err().expect("a fault").to_string();
        assert!(fault.contains(why), "{fault}");
    };
    refused(&["files:"], "names no directory");
    refused(&["files:a", "files:a"], "is named twice");
    refused(&["files:a", "/data/k.dat"], "cannot be measured together");
    let testbed = testbed(&["files:a"], &ground).unwrap();
    let fault = plan(&testbed, "1,41").unwrap_err().to_string();
    assert!(fault.contains("cannot have 41 outstanding operations"), "{fault}");
    let searched = plan(&testbed, "rising").unwrap();
    assert_eq!(searched.series[0].loads.levels.last(), Some(&32.0));
}
