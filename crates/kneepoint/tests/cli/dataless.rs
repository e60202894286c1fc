//! Trims and writes of zeroes: on files of ours, on devices, with permission only, and what is refused.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use serde_json::Value;

use crate::loop_bench::{Bench as LoopBench, Loop};
use crate::program::Bench;
use crate::result::{check_points, check_schema, points};

/// A profile whose writes do this.
fn profile(kind: &str) -> String {
    format!(
        "name = \"{kind}-only\"\ntitle = \"Without data\"\n[[line]]\nshare = 100\nsize = \"64KiB\"\n\
         read = 0\nwrite = \"{kind}\"\nrandom = 100\n"
    )
}

/// A folder with a profile for each kind.
fn bench() -> Bench {
    let bench = Bench::new();
    for kind in ["trim", "zeroes"] {
        bench.write(&format!("{kind}.toml"), profile(kind));
    }
    bench
}

/// The rest of a short run.
const SHORT: [&str; 6] =
    ["--time=300ms", "--ramp=100ms", "--outstanding=2", "--buffered", "--json", "-"];

fn kibibytes_on_disk(path: &Path) -> u64 {
    std::fs::metadata(path).unwrap().blocks() / 2
}

/// Whether the file system of the temporary folders has no such call.
fn is_unsupported(result: &Value) -> bool {
    let errors = points(result).iter().any(|point| point["verdict"] == "failed");
    if errors {
        kneepoint_testkit::skipped("no holes or zeroes in the temporary directory");
    }
    errors
}

#[test]
fn a_file_of_ours_is_trimmed_and_written_again_before_it_is_read() {
    for kind in ["trim", "zeroes"] {
        let bench = bench();
        let work = format!("{kind}.toml");
        let planned = bench.succeed(&["plan", &work, "own.dat", "--size=4MiB"]).stdout;
        let told = match kind {
            "trim" => "without data: writes of trim-only/64KiB, which give blocks back\n",
            _ => "without data: writes of zeroes-only/64KiB, which set blocks to zero\n",
        };
        assert!(planned.contains(told), "{planned}");
        assert!(planned.contains("engine: sync"), "{planned}");
        let run = ["run", &work, "own.dat", "--size=4MiB", "--label=one"];
        let said = bench.run(&[&run[..], &SHORT].concat());
        let result: Value = serde_json::from_str(&said.stdout).unwrap();
        if is_unsupported(&result) {
            continue;
        }
        check_schema(&result);
        check_points(&result);
        let point = &points(&result)[0];
        assert_eq!(point["classes"].as_object().unwrap().keys().collect::<Vec<_>>(), [kind]);
        assert_eq!(point["classes"][kind]["operations"], point["operations"]);
        assert!(point["operations"].as_u64().unwrap() > 0, "{point}");
        let kinds = point["warnings"].as_array().unwrap().iter().map(|warning| &warning["kind"]);
        assert!(!kinds.into_iter().any(|kind| kind == "other_device_load"), "{point}");
        let data = std::fs::read(bench.path("own.dat")).unwrap();
        assert_eq!(data.len(), (4 << 20) + 4096, "neither shorter nor longer");
        let zeroes = data.chunks(65536).filter(|chunk| chunk.iter().all(|byte| *byte == 0)).count();
        assert!(zeroes > 8, "{zeroes} of 64 blocks");
        if kind == "trim" {
            assert!(kibibytes_on_disk(&bench.path("own.dat")) < 4096, "blocks were given back");
        }
        bench.succeed(&["export", "one", "-o", "one.csv"]);
        assert!(bench.read("one.csv").contains(&format!("{kind}_operations")));
        bench.succeed(&["report", "one", "-o", "one.md"]);
        let told = match kind {
            "trim" => "It gives blocks back (trims)",
            _ => "It sets blocks to zero without sending data",
        };
        assert!(bench.read("one.md").replace('\u{a0}', " ").contains(told));
        // Reads of what is no more there would say nothing: the file is whole again before them, and as large.
        let read = ["run", "random-read", "own.dat"];
        let said = bench.run(&[&read[..], &SHORT].concat());
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        let data = std::fs::read(bench.path("own.dat")).unwrap();
        assert_eq!(data.len(), (4 << 20) + 4096, "it has the size that it had");
        assert!(!data.chunks(65536).any(|chunk| chunk.iter().all(|byte| *byte == 0)));
    }
}

#[test]
fn a_file_that_is_given_up_has_the_size_that_it_had() {
    let bench = bench();
    bench.write("mine.dat", vec![7_u8; 1 << 20]);
    let plan = |more: &[&str]| {
        let words = ["plan", "random-write", "mine.dat", "--overwrite", "mine.dat"];
        bench.succeed(&[&words[..], more].concat()).stdout
    };
    assert!(plan(&[]).contains("1.0 MiB are written"), "{}", plan(&[]));
    assert!(plan(&["--size=2MiB"]).contains("2.0 MiB are written"));
}

#[test]
fn nothing_of_others_is_given_back_without_permission() {
    let bench = bench();
    let content = vec![7_u8; 1 << 20];
    bench.write("mine.dat", &content);
    for kind in ["trim", "zeroes"] {
        let work = format!("{kind}.toml");
        let run = ["run", &work, "mine.dat"];
        bench.refuse(&[&run[..], &SHORT].concat(), "mine.dat");
        bench.refuse(&[&run[..], &SHORT, &["--overwrite", "other.dat"]].concat(), "");
        assert_eq!(
            std::fs::read(bench.path("mine.dat")).unwrap(),
            content,
            "not a byte is changed"
        );
    }
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let bench = bench();
    let refuse = |words: &[&str], why: &str| {
        bench.refuse(words, why);
        assert!(!bench.path("k.dat").exists(), "{words:?}");
    };
    let plan = ["plan", "trim.toml"];
    refuse(&["plan", "trim.toml", "sim:analytic/mm1"], "sim:analytic/mm1 does not know trims");
    refuse(&["plan", "zeroes.toml", "sim:analytic/mm1"], "does not know writes of zeroes");
    refuse(
        &[&plan[..], &["k.dat", "--engine", "io_uring"]].concat(),
        "engine io_uring does not know trims",
    );
    refuse(
        &[&plan[..], &["k.dat", "--verify"]].concat(),
        "--verify is not for the profile 'trim-only'",
    );
    let mixed = "name = \"mixed\"\ntitle = \"Mixed\"\n[[series]]\nprofile = \"trim-only\"\n[[series]]\n\
                 profile = \"random-read\"\n";
    bench.write(
        "mixed.toml",
        format!("{mixed}[[profile]]\n{}", profile("trim").replace("[[line]]", "[[profile.line]]")),
    );
    refuse(&["plan", "mixed.toml", "k.dat"], "'random-read' reads in a run that has trims");
    refuse(&["convert", "trim.toml", "-o", "trim.fio"], "the trims or zeroes of 'trim-only'");
    bench.write("bad.toml", profile("discard"));
    refuse(&["plan", "bad.toml", "null:"], "'discard' is nothing that a write does");
    bench.write("reads.toml", profile("trim").replace("read = 0", "read = 100"));
    refuse(&["plan", "reads.toml", "null:"], "nothing of the line is written");
    assert_eq!(bench.run(&["plan", "trim.toml", "null:"]).code, Some(0));
}

#[test]
fn a_device_is_trimmed_where_it_was_said_and_nowhere_else() {
    let Some(images) = LoopBench::new(&[]) else { return };
    for kind in ["trim", "zeroes"] {
        let bench = bench();
        let part = profile(kind) + "[address]\nstart = 50\nend = 100\n";
        bench.write("half.toml", part);
        let image = images.image(kind, 16);
        std::fs::write(&image, vec![7_u8; 16 << 20]).unwrap();
        let disk = Loop::attach(&image, &[]);
        let run = ["run", "half.toml", disk.name()];
        bench.refuse(&[&run[..], &SHORT].concat(), disk.name());
        assert!(
            std::fs::read(&image).unwrap().iter().all(|byte| *byte == 7),
            "not a byte is changed"
        );
        // Its name alone is not enough: what is on it must be typed, too.
        let named = bench.run(&[&run[..], &SHORT, &["--overwrite", disk.name()]].concat());
        assert_eq!(named.code, Some(2), "{}", named.stderr);
        let known = format!("{}=content-", disk.name());
        let content = named.stderr.split_whitespace().find(|word| word.starts_with(&known));
        let allowed = ["--overwrite", content.unwrap()];
        let result = bench.json(&[&run[..], &SHORT, &allowed].concat());
        if is_unsupported(&result) {
            continue;
        }
        let point = &points(&result)[0];
        assert!(point["classes"][kind]["operations"].as_u64().unwrap() > 0, "{point}");
        let data = std::fs::read(disk.name()).unwrap();
        let (first, second) = data.split_at(8 << 20);
        assert!(first.iter().all(|byte| *byte == 7), "the other half is as it was");
        assert!(second.chunks(65536).any(|chunk| chunk.iter().all(|byte| *byte == 0)), "{kind}");
    }
}
