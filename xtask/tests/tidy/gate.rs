//! What must hold before a merge begins with what the README promises.

use std::fs;
use std::process::Command;

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

/// What the commands in a document's code write into the folder that they are typed in.
fn written(document: &str) -> Vec<&str> {
    const OPTIONS: [&str; 6] = ["-o", "--report", "--json", "--csv", "--junit", "--figures"];
    let commands = document.lines().filter_map(|line| line.strip_prefix("    "));
    let mut names = Vec::new();
    for line in commands {
        let words: Vec<&str> = line.split_whitespace().collect();
        let values = words.windows(2).filter(|pair| OPTIONS.contains(&pair[0]));
        names.extend(values.map(|pair| pair[1]).filter(|name| *name != "-"));
    }
    names
}

#[test]
fn what_the_documents_commands_write_is_ignored() {
    if !kneepoint_testkit::has_tools(&["git"]) {
        return;
    }
    let mut found = 0;
    for document in ["README.md", "docs/guide.md"] {
        let text = fs::read_to_string(workspace_root().join(document)).unwrap();
        for name in written(&text) {
            let mut git = Command::new("git");
            git.args(["check-ignore", "--quiet", "--no-index", name]).current_dir(workspace_root());
            match git.status().unwrap().code() {
                Some(0) => found += 1,
                Some(1) => panic!("{document}: {name} would be committed: name it in .gitignore"),
                _ => return kneepoint_testkit::skipped("this is no work tree of git"),
            }
        }
    }
    assert!(found > 0, "no command writes anything");
}
