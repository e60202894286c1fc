//! What must hold before a merge begins with what the README promises.

use std::fs;

use xtask::workspace_root;

/// The command of the README that runs the tests.
fn promised(readme: &str) -> &str {
    let commands = readme.lines().filter_map(|line| line.strip_prefix("    "));
    commands.into_iter().find(|line| line.starts_with("cargo test")).unwrap()
}

/// The lines of a function of a shell script.
fn body<'a>(script: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!("{name}() {{");
    let lines = script.lines().skip_while(|line| *line != start).skip(1);
    lines.take_while(|line| *line != "}").map(str::trim).collect()
}

#[test]
fn the_readmes_tests_run_first_as_on_a_new_machine() {
    let read = |name: &str| fs::read_to_string(workspace_root().join(name)).unwrap();
    let (readme, script) = (read("README.md"), read(".ci/run"));
    let run = format!("PATH=\"$(bare_path)\" {}", promised(&readme));
    let tests = body(&script, "test_as_new");
    assert!(tests.contains(&run.as_str()), "test_as_new does not run `{run}`: {tests:?}");
    let steps = script.lines().skip_while(|line| !line.starts_with("step \""));
    let steps: Vec<&str> = steps.collect();
    let place = |name: &str| steps.iter().position(|line| *line == name).unwrap();
    assert!(place("test_as_new") < place("install_tools"), "tools are installed before: {steps:?}");
}
