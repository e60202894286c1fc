//! What a terminal shows: colours, widths, lines above the bars.

use kneepoint_testkit::has_tools;

use crate::program::Bench;

/// Points that a queue of constant service time makes steady.
const RUN: &str = "run database sim:analytic/md1?service=1ms --outstanding 1,2 --min-time 1s";

/// A bench with a run in its store.
fn bench_with_a_run() -> Bench {
    let bench = Bench::new();
    bench.succeed(&RUN.split(' ').collect::<Vec<_>>());
    bench
}

/// What the program writes to a terminal of so many columns; nothing where there is none to be had.
fn on_terminal(
    bench: &Bench,
    columns: u32,
    arguments: &str,
    variables: &[(&str, &str)],
) -> Option<String> {
    if !has_tools(&["script", "stty"]) {
        return None;
    }
    let program = env!("CARGO_BIN_EXE_kneepoint");
    let words: Vec<String> = arguments.split(' ').map(|word| format!("'{word}'")).collect();
    let line = format!("stty cols {columns} rows 24 && {program} {}", words.join(" "));
    let mut command = bench.command_of("script", &["-qec", &line, "/dev/null"]);
    command.env_remove("NO_COLOR").env_remove("COLUMNS").env("TERM", "xterm");
    for (name, value) in variables {
        command.env(name, value);
    }
    let said = bench.said(command.output().unwrap());
    assert_eq!(said.code, Some(0), "{said:?}");
    Some(said.stdout)
}

/// The lines without escape sequences.
fn plain_lines(text: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' => {
                letters.by_ref().find(char::is_ascii_alphabetic);
            }
            letter => plain.push(letter),
        }
    }
    plain.split(['\n', '\r']).map(str::to_owned).collect()
}

#[test]
fn finished_points_stay_above_the_bars_with_their_verdicts_in_colour() {
    let bench = Bench::new();
    let Some(shown) = on_terminal(&bench, 80, RUN, &[]) else { return };
    let lines = plain_lines(&shown);
    for start in
        ["[1/2] database/8KiB, 1 outstanding I/O: ", "[2/2] database/8KiB, 2 outstanding I/Os: "]
    {
        assert!(lines.iter().any(|line| line.starts_with(start)), "{start}: {shown:?}");
    }
    assert!(shown.matches("\u{1b}[32msteady\u{1b}[0m").count() >= 4, "{shown:?}");
}

#[test]
fn no_color_means_no_colours() {
    let bench = bench_with_a_run();
    for variables in [&[("NO_COLOR", "1")][..], &[("TERM", "dumb")], &[("CLICOLOR", "0")]] {
        let Some(shown) = on_terminal(&bench, 80, "show", variables) else { return };
        assert!(shown.contains("steady") && !shown.contains('\u{1b}'), "{variables:?} {shown:?}");
    }
    let piped = bench.command(&["show"]).env_remove("NO_COLOR").output().unwrap();
    assert!(!bench.said(piped).stdout.contains('\u{1b}'));
}

#[test]
fn tables_fit_the_terminal() {
    let bench = bench_with_a_run();
    for columns in [80, 100, 200] {
        let Some(shown) = on_terminal(&bench, columns, "show", &[]) else { return };
        let lines = plain_lines(&shown);
        assert!(lines.iter().all(|line| line.chars().count() <= columns as usize), "{shown}");
        assert_eq!(shown.contains("achieved   CPU"), columns == 200, "{shown}");
    }
}

#[test]
fn without_a_terminal_tables_have_80_columns_unless_all_are_asked_for() {
    let bench = bench_with_a_run();
    let show = |arguments: &[&str]| {
        let output = bench.command(arguments).env_remove("COLUMNS").output().unwrap();
        bench.said(output)
    };
    for command in ["show", "runs"] {
        let narrow = show(&[command]);
        assert!(narrow.stdout.lines().all(|line| line.chars().count() <= 80), "{narrow:?}");
        assert!(narrow.stderr.starts_with("--wide also shows: "), "{narrow:?}");
        let wide = show(&[command, "--wide"]);
        assert!(wide.stdout.lines().any(|line| line.chars().count() > 80), "{wide:?}");
        assert_eq!(wide.stderr, "");
    }
}
