//! Operations on files, through every command.

use std::fs;
use std::io::Read;
use std::process::Stdio;

use serde_json::Value;

use crate::interrupt::await_first_point;
use crate::program::{Bench, signal};
use crate::result::{check_schema, number, points};

const TIMES: [&str; 2] = ["--time=200ms", "--ramp=100ms"];

#[test]
fn operations_on_files_are_run_stored_shown_compared_and_reported() {
    let bench = Bench::new();
    for label in ["one", "two"] {
        let json = format!("--json={label}.json");
        let run = ["run", "metadata", "files:tree", "--outstanding=1,2", "--label", label, &json];
        let said = bench.succeed(&[&run[..], &TIMES].concat());
        assert!(said.stderr.contains("metadata, 2 outstanding operations: "), "{}", said.stderr);
        assert!(!said.stderr.contains("IO/s"), "{}", said.stderr);
        assert!(!bench.path("tree").exists(), "it is removed");
    }
    let result: Value = serde_json::from_str(&bench.read("one.json")).unwrap();
    check_schema(&result);
    assert_eq!(points(&result).len(), 2);
    for point in points(&result) {
        let load = &point["load"];
        assert_eq!(load["unit"], "outstanding_operations");
        assert_eq!(load["per"], "target");
        assert_eq!(point["rate"]["unit"], "op/s");
        assert_eq!((&point["volume"], &point["storage"]), (&Value::Null, &Value::Null));
        let all = number(&point["operations"]);
        let share = |class: &str| number(&point["classes"][class]["operations"]) / all;
        assert!((share("stat") - 0.4).abs() < 0.1, "{point}");
        assert!((share("create") + share("delete") - 0.4).abs() < 0.1, "{point}");
        assert!(number(&point["classes"]["list"]["latency_ms"]["mean"]) > 0.0);
    }
    let target = &result["environment"]["targets"][0];
    assert_eq!(target["kind"], "directory");
    assert!(!target["file_system"].as_str().unwrap().is_empty());
    let shown = bench.succeed(&["show", "one"]).stdout;
    assert!(shown.contains("files of a directory on ") && shown.contains("op/s"), "{shown}");
    assert!(!shown.contains("IO/s") && !shown.contains("MiB/s"), "{shown}");
    let compared = bench.succeed(&["compare", "one", "two"]).stdout;
    assert!(compared.contains("op/s") && !compared.contains("IO/s"), "{compared}");
    for (file, language) in [("files.md", "en"), ("dateien.md", "de")] {
        bench.succeed(&["report", "one", "-o", file, "--language", language]);
    }
    let report = bench.read("files.md");
    assert!(report.contains("operations on files that are outstanding per target"), "{report}");
    for of_storage in ["IO/s", "MiB/s", "outstanding I/O"] {
        assert!(!report.contains(of_storage), "{of_storage}: {report}");
    }
    let german = bench.read("dateien.md");
    assert!(
        german.contains("Ausstehende Operationen") && german.contains("Umbenennen"),
        "{german}"
    );
    assert!(german.contains("Dateien eines Verzeichnisses auf "), "{german}");
    bench.succeed(&["delete", "one"]);
    bench.succeed(&["import", "one.json"]);
    assert_eq!(bench.succeed(&["show", "one"]).stdout, shown);
}

#[test]
fn files_with_data_are_read_and_extended_on_two_targets() {
    let bench = Bench::new();
    let run = ["run", "small-files", "files:a", "files:b", "--load=2", "--json=r.json"];
    bench.succeed(&[&run[..], &TIMES].concat());
    let result: Value = serde_json::from_str(&bench.read("r.json")).unwrap();
    let point = &points(&result)[0];
    for class in ["create", "append", "read", "delete"] {
        assert!(number(&point["classes"][class]["operations"]) > 0.0, "{point}");
    }
    assert_eq!(point["targets"].as_array().unwrap().len(), 2);
    assert!(!bench.path("a").exists() && !bench.path("b").exists());
}

#[test]
fn a_directory_of_someone_else_is_left_alone() {
    let bench = Bench::new();
    fs::create_dir(bench.path("theirs")).unwrap();
    fs::write(bench.path("theirs/letter"), "precious").unwrap();
    let run = ["run", "metadata", "files:theirs", "--outstanding=1"];
    bench.refuse(&[&run[..], &TIMES].concat(), "is not Kneepoint's");
    assert_eq!(bench.read("theirs/letter"), "precious");
    bench.refuse(&["inspect", "files:theirs"], "is not Kneepoint's");
    let inspected = bench.succeed(&["inspect", "files:new"]).stdout;
    assert!(inspected.contains("directory") && inspected.contains("file system"), "{inspected}");
    let planned = bench.succeed(&["plan", "metadata", "files:new"]).stdout;
    assert!(planned.contains("Kneepoint makes and removes it"), "{planned}");
    assert!(planned.contains("a thread for each outstanding operation"), "{planned}");
    assert!(planned.contains("the files are made before each, and removed after it"), "{planned}");
    assert!(!planned.contains("warehouse"), "{planned}");
    assert!(!bench.path("new").exists());
    bench.refuse(
        &["run", "metadata", "k.dat"],
        "it takes I/O, and the profile is operations on files",
    );
    bench.refuse(&["run", "database", "files:new"], "files are created and deleted in it");
    let many = ["run", "metadata", "files:new", "--outstanding=3000"];
    bench.refuse(&many, "cannot have 3000 outstanding operations");
    bench.refuse(&["run", "metadata", "files:new", "--rate=5"], "cannot be loaded by");
    bench.refuse(&["run", "metadata", "files:no/where"], "nor can its directory be found");
}

#[test]
fn ctrl_c_keeps_what_was_measured_and_removes_the_files() {
    let bench = Bench::new();
    let run = ["run", "metadata", "files:tree", "--outstanding=1..1000"];
    let mut command = bench.command(&[&run[..], &TIMES].concat());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    await_first_point(&mut child);
    assert!(bench.path("tree/KNEEPOINT-FILES").exists());
    signal("INT", child.id());
    let mut rest = String::new();
    child.stderr.take().unwrap().read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1), "{rest}");
    assert!(rest.contains("see `kneepoint show "), "{rest}");
    assert!(!bench.path("tree").exists());
}
