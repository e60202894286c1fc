//! A machine with other programs: points are disturbed as far as asked for, and runs can wait.

use std::process::{Child, Command, Stdio};
use std::thread::available_parallelism;

use crate::program::Bench;
use crate::result::points;

/// Programs that keep at least an eighth of the processors busy; ended when dropped.
pub(crate) struct Busy(Vec<Child>);

impl Busy {
    pub(crate) fn keep() -> Self {
        let spin = || {
            let mut shell = Command::new("sh");
            shell.args(["-c", "while :; do :; done"]).stdin(Stdio::null()).spawn().unwrap()
        };
        let count = available_parallelism().unwrap().get().div_ceil(8);
        Self((0..count).map(|_| spin()).collect())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

const RUN: [&str; 9] =
    ["run", "random-read", "null:", "--outstanding", "1,2", "--ramp", "0s", "--time", "700ms"];

#[test]
fn a_limit_on_other_programs_disturbs_points() {
    let bench = Bench::new();
    let busy = Busy::keep();
    bench.succeed(&[&RUN[..], &["--max-foreign-cpu", "2%"]].concat());
    drop(busy);
    let result = bench.json(&["export", "last"]);
    for point in points(&result) {
        assert_eq!(point["verdict"], "disturbed");
        assert!(point["disturbed_percent"].as_f64().unwrap() > 2.0, "{point}");
        let warnings = point["warnings"].to_string();
        assert!(warnings.contains("more than the 2 % of --max-foreign-cpu"), "{warnings}");
    }
}

#[test]
fn a_run_waits_for_a_quiet_machine_as_long_as_asked() {
    let bench = Bench::new();
    let busy = Busy::keep();
    let said = bench.succeed(&[&RUN[..], &["--wait-quiet", "1s"]].concat()).stderr;
    drop(busy);
    let waited = "waiting for a quiet machine, at most 1 s: other programs use ";
    assert_eq!(said.matches(waited).count(), 1, "{said}");
    assert!(said.contains("measuring all the same, without further waiting"), "{said}");
    assert_eq!(points(&bench.json(&["export", "last"])).len(), 2);
}

#[test]
fn nothing_waits_unasked_or_in_virtual_time() {
    let bench = Bench::new();
    let _busy = Busy::keep();
    let said = bench.succeed(&RUN).stderr;
    assert!(!said.contains("waiting for a quiet machine"), "{said}");
    let simulated = ["run", "random-read", "sim:analytic/md1", "--quick", "--wait-quiet", "60s"];
    let said = bench.succeed(&simulated).stderr;
    assert!(!said.contains("waiting for a quiet machine"), "{said}");
    assert!(!said.contains("the machine is busy"), "{said}");
}
