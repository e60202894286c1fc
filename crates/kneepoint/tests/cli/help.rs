//! What newcomers read first.

use crate::program::Bench;
use crate::snapshot::check;

#[test]
fn short_help_fits_on_a_page() {
    check("help-short", &["-h"]);
}

#[test]
fn the_long_version_says_which_build_it_is() {
    let (bench, version) = (Bench::new(), env!("CARGO_PKG_VERSION"));
    assert_eq!(bench.succeed(&["-V"]).stdout, format!("kneepoint {version}\n"));
    let build = env!("KNEEPOINT_VERSION");
    assert!(build == version || build.starts_with(&format!("{version} (")), "{build}");
    assert_eq!(bench.succeed(&["--version"]).stdout, format!("kneepoint {build}\n"));
    assert_eq!(bench.succeed(&["run", "--version"]).stdout, format!("kneepoint-run {build}\n"));
}

#[test]
fn long_help_leads_to_a_report() {
    check("help-long", &["--help"]);
}

#[test]
fn help_of_run() {
    check("help-run", &["run --help"]);
}

#[test]
fn help_of_plan() {
    check("help-plan", &["plan -h"]);
}

#[test]
fn help_of_the_commands_for_stored_runs() {
    check(
        "help-stored",
        &[
            "runs -h",
            "show -h",
            "export -h",
            "import -h",
            "delete -h",
            "report -h",
            "compare --help",
        ],
    );
}

#[test]
fn without_a_command_there_is_help() {
    let said = Bench::new().run(&[]);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("Usage: kneepoint <COMMAND>"), "{}", said.stderr);
}

#[test]
fn completions_are_for_this_program() {
    for shell in ["bash", "zsh", "fish"] {
        let script = Bench::new().succeed(&["completions", shell]).stdout;
        assert!(script.contains("kneepoint") && script.contains("outstanding"), "{shell}");
    }
}
