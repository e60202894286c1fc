//! This machine as a testbed, driven by the run loop without the program around it.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::path::Path;

use kneepoint_core::measure::{Memory, Observer, Run, Stop, Task, Testbed};
use kneepoint_core::plan::TypedLoads;
use kneepoint_core::plan::resolve::{Draft, Wishes};
use kneepoint_core::spec::catalog;
use kneepoint_core::spec::grid::Loads;
use kneepoint_core::spec::suite::Suite;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::units::{Bytes, MIB, Nanos};
use kneepoint_device::testbed::DeviceTestbed;

/// Notes the tasks, and asks to stop while one of them goes on.
#[derive(Default)]
struct Witness {
    tasks: Vec<&'static str>,
    is_stopped_by_open: bool,
}

impl Observer for Witness {
    fn is_stop_asked(&self) -> bool {
        self.is_stopped_by_open && self.tasks.last() == Some(&"open")
    }

    fn task(&mut self, task: &Task<'_>) {
        self.tasks.push(match task {
            Task::Write { .. } => "write",
            Task::Look => "look",
            Task::Open => "open",
            Task::Close => "close",
            Task::Files { .. } => "files",
        });
    }
}

/// Measures one point on a file of 4 MiB.
fn measure(path: &Path, witness: &mut Witness) -> (Result<(), Stop>, Memory) {
    let suite = Suite::of_profile(catalog::profile("random-read").unwrap());
    let wishes = Wishes {
        size: Some(Bytes(4 * MIB)),
        loads: Some(TypedLoads::Of(Loads::parse("1", LoadUnit::OutstandingIos).unwrap())),
        time: Some(Nanos::from_millis(100)),
        ramp: Some(Nanos::ZERO),
        ..Wishes::default()
    };
    let draft = Draft::new(&suite, &wishes).unwrap();
    let names = [path.to_str().unwrap().to_owned()];
    let mut testbed = DeviceTestbed::look(&names, &draft.target_request(), Vec::new()).unwrap();
    let plan = draft.resolve(&testbed.site(&wishes)).unwrap();
    testbed.check(&plan).unwrap();
    let mut memory = Memory::default();
    let ended = Run::new(&plan).measure(&mut testbed, &mut memory, witness);
    let environment = testbed.environment(&plan);
    assert_eq!(environment.targets[0].size_bytes, 4 * MIB);
    testbed.finish(witness).unwrap();
    (ended, memory)
}

#[test]
fn a_test_file_is_written_once_and_measured_twice() {
    let folder = tempfile::tempdir_in(".").unwrap();
    let path = folder.path().join("k.dat");
    for tasks in [&["write", "open", "close"][..], &["open", "close"]] {
        let mut witness = Witness::default();
        let (ended, memory) = measure(&path, &mut witness);
        assert_eq!((ended, memory.points.len()), (Ok(()), 1));
        assert!(memory.points[0].rate.mean > 0.0);
        assert_eq!(witness.tasks, tasks);
    }
}

#[test]
fn a_run_that_is_stopped_has_no_points() {
    let folder = tempfile::tempdir_in(".").unwrap();
    let mut witness = Witness { is_stopped_by_open: true, ..Witness::default() };
    let (ended, memory) = measure(&folder.path().join("k.dat"), &mut witness);
    assert_eq!((ended, memory.points.len()), (Err(Stop::Asked), 0));
    assert_eq!(witness.tasks, ["write", "open", "close"]);
}
