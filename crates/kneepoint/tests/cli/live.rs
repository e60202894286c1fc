//! Two targets, measured by turns until their difference is decided.

use kneepoint_core::result::RunDocument;
use kneepoint_store::{Store, StoreAccess};
use serde_json::{Value, json};

use crate::program::Bench;
use crate::result::number;

/// 1,000 IO/s with exponential service times, as many as are in flight.
const REFERENCE: &str = "sim:analytic/mm1?service=1ms";

fn live(bench: &Bench, targets: [&str; 2], options: &[&str]) -> Value {
    let command = [&["compare", "--live", "--json=-"][..], &targets, options].concat();
    serde_json::from_str(&bench.succeed(&command).stdout).expect("JSON")
}

/// The id of the run of a side.
fn run_of(found: &Value, side: usize) -> &str {
    found["sides"][side]["run"].as_str().expect("a run")
}

fn decision(found: &Value) -> &str {
    found["differences"][0]["ratio"]["decision"].as_str().unwrap_or("none")
}

#[test]
fn a_faster_target_is_found_and_both_runs_are_kept() {
    let bench = Bench::new();
    let faster = "sim:analytic/mm1?service=800us";
    let found = live(&bench, [REFERENCE, faster], &["--outstanding=4"]);
    assert_eq!(decision(&found), "larger");
    let ratio = &found["differences"][0]["ratio"];
    assert!(number(&ratio["low"]) < 1.25 && number(&ratio["high"]) > 1.25, "{ratio}");
    assert!(number(&ratio["pairs"]) < 49.0, "{ratio}");
    let runs = [0, 1].map(|side| run_of(&found, side));
    // The stored runs say the same.
    let stored = bench.succeed(&["compare", runs[0], runs[1], "--points"]).stdout;
    assert!(stored.contains("+2"), "{stored}");
}

#[test]
fn what_hardly_differs_has_no_practical_difference() {
    let bench = Bench::new();
    let alike = "sim:analytic/fixed?service=1005us";
    let targets = ["sim:analytic/fixed?service=1ms", alike];
    assert_eq!(decision(&live(&bench, targets, &["--outstanding=4"])), "same");
    // The same difference matters where the user says so.
    let strict = live(&bench, targets, &["--outstanding=4", "--band=0.1%"]);
    assert_eq!(decision(&strict), "smaller");
    let shown = bench.succeed(&["compare", "--live", targets[0], targets[1], "--outstanding=4"]);
    assert!(
        shown.stdout.contains("no practical") && !shown.stdout.contains("B is"),
        "{}",
        shown.stdout
    );
    assert!(!shown.stderr.contains("one of the targets is simulated"), "{}", shown.stderr);
}

#[test]
fn at_an_offered_rate_response_times_are_compared() {
    let bench = Bench::new();
    let slower = "sim:analytic/mm1?service=1500us";
    let found = live(&bench, [REFERENCE, slower], &["--rate=300"]);
    assert_eq!(found["differences"][0]["number"], "response_time");
    assert_eq!(decision(&found), "larger");
    let shown = bench.succeed(&["compare", "--live", REFERENCE, slower, "--rate=300"]).stdout;
    assert!(shown.contains("B is slower"), "{shown}");
}

#[test]
fn real_files_are_laid_out_and_measured_by_turns() {
    let bench = Bench::new();
    // Whatever the machine does meanwhile, five pairs decide.
    let measure = ["--outstanding=2", "--time=100ms", "--size=4MiB", "--band=99%"];
    let options = [&measure[..], &["--work=random-read"]].concat();
    let found = live(&bench, ["a.dat", "b.dat"], &options);
    assert!(number(&found["differences"][0]["means"][1]) > 0.0, "{found}");
    assert_eq!(bench.json(&["show", "last", "--json"])["run"]["state"], "complete");
}

#[test]
fn what_cannot_be_compared_by_turns_is_refused() {
    let bench = Bench::new();
    for (arguments, why) in [
        (&["a.dat", "a.dat"][..], "compared with itself"),
        (&["a.dat", "b.dat", "c.dat"], "two targets, not 3"),
        (&["a.dat", "b.dat", "--outstanding=auto"], "needs load levels"),
    ] {
        let said = bench.run(&[&["compare", "--live"][..], arguments].concat());
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        assert!(said.stderr.contains(why), "{}", said.stderr);
    }
}

#[test]
fn the_file_of_a_simulated_system_is_not_written_over() {
    let bench = Bench::new();
    bench.write("own.toml", "name = \"own\"\n");
    for target in ["sim:own.toml", "sim:own.toml?raid=raid5"] {
        let live = ["compare", "--live", "null:", target, "--json=own.toml", "--force"];
        let said = bench.run(&live);
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        assert!(
            said.stderr.contains("the input own.toml and --json own.toml are"),
            "{}",
            said.stderr
        );
        assert_eq!(bench.read("own.toml"), "name = \"own\"\n");
    }
}

#[test]
fn a_live_run_comes_in_again_from_its_file() {
    let bench = Bench::new();
    let found = live(&bench, [REFERENCE, REFERENCE], &["--outstanding=1,4"]);
    for side in [0, 1] {
        let run = run_of(&found, side);
        bench.succeed(&["export", run, "-o", "live.json", "--force"]);
        bench.succeed(&["import", "live.json", "--store=other.db"]);
        let again = bench.json(&["export", run, "--store=other.db"]);
        assert_eq!(again["points"], bench.json(&["export", run])["points"]);
    }
}

#[test]
fn a_report_says_that_loads_were_visited_where_they_were_and_that_none_was_searched_for() {
    let bench = Bench::new();
    live(&bench, [REFERENCE, REFERENCE], &["--outstanding=1,4"]);
    let report = |option: &str| {
        bench.succeed(&["report", "last", "-o", "report.md", option, "--force"]);
        bench.read("report.md")
    };
    let visited = ["visited several times", "mehrmals für kurze Zeit besucht"];
    for (language, visited) in ["--language=en", "--language=de"].into_iter().zip(visited) {
        let text = report(language);
        assert!(text.contains(visited), "{text}");
        assert!(!text.contains("searched for") && !text.contains("Gesuchte Lasten"), "{text}");
    }
    bench.succeed(&["run", "database", REFERENCE, "--outstanding=1,4", "--time=1s"]);
    assert!(!report("--language=en").contains(visited[0]));
    bench.succeed(&["knee", "database", REFERENCE, "--rule=mean<=20ms"]);
    assert!(report("--language=en").contains(visited[0]));
}

#[test]
fn a_live_run_is_not_resumed_without_the_other_one() {
    let bench = Bench::new();
    let found = live(&bench, [REFERENCE, REFERENCE], &["--outstanding=4"]);
    let refused = |run: &str, options: &[&str]| {
        let said = bench.run(&[&["resume", run][..], options].concat());
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        assert!(said.stderr.contains("by turns with those of another run"), "{}", said.stderr);
        assert!(said.stderr.contains("kneepoint compare --live A B"), "{}", said.stderr);
    };
    refused(run_of(&found, 0), &[]);
    let mut document = bench.json(&["export", run_of(&found, 0)]);
    document["run"]["id"] = json!("20260101-000000-0dd1");
    document["run"]["state"] = json!("interrupted");
    for point in document["points"].as_array_mut().expect("points") {
        point["verdict"] = json!("disturbed");
    }
    let document: RunDocument = serde_json::from_value(document).expect("a run");
    let mut store = Store::open(&bench.path("kneepoint.db"), StoreAccess::ReadWrite).expect("ours");
    store.import(&document).expect("a run of ours");
    refused("20260101-000000-0dd1", &[]);
    refused("20260101-000000-0dd1", &["--disturbed"]);
    let shown = bench.succeed(&["show", "20260101-000000-0dd1"]).stdout;
    assert!(shown.contains("are disturbed") || shown.contains("is disturbed"), "{shown}");
    assert!(!shown.contains("resume"), "{shown}");
}
