//! What a terminal shows: colours, widths, lines above the bars.

use kneepoint_core::spec::catalog::{SUITES, suite};
use kneepoint_core::words::load::LoadUnit;
use kneepoint_testkit::has_tools;

use crate::processor::{MEMBERS_FOLDER, member_programs};
use crate::program::Bench;

/// Points that a queue of constant service time makes steady.
const RUN: &str = "run database sim:analytic/md1?service=1ms --outstanding 1,2 --min-time 1s";

/// A bench with a run in its store.
fn bench_with_a_run() -> Bench {
    let bench = Bench::new();
    bench.succeed(&RUN.split(' ').collect::<Vec<_>>());
    bench
}

/// What the program writes to a terminal of this many columns; nothing where there is none to be had.
fn on_terminal(
    bench: &Bench,
    columns: u32,
    arguments: &str,
    variables: &[(&str, &str)],
) -> Option<String> {
    let words: Vec<String> = arguments.split(' ').map(|word| format!("'{word}'")).collect();
    typed_on_terminal(bench, columns, &words.join(" "), variables)
}

/// As [`on_terminal`], the arguments as a shell reads them.
fn typed_on_terminal(
    bench: &Bench,
    columns: u32,
    arguments: &str,
    variables: &[(&str, &str)],
) -> Option<String> {
    if !has_tools(&["script", "stty"]) {
        return None;
    }
    let program = env!("CARGO_BIN_EXE_kneepoint");
    let line = format!("stty cols {columns} rows 24 && {program} {arguments}");
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
    for command in [&["show"][..], &["runs"], &["catalog", "parameters"]] {
        let narrow = show(command);
        assert!(narrow.stdout.lines().all(|line| line.chars().count() <= 80), "{narrow:?}");
        assert!(narrow.stderr.starts_with("--wide also shows: "), "{narrow:?}");
        let wide = show(&[command, &["--wide"]].concat());
        assert!(wide.stdout.lines().any(|line| line.chars().count() > 80), "{wide:?}");
        assert_eq!(wide.stderr, "");
    }
}

/// A simulated system whose arrays have names of 58 letters.
const LONG: &str = "sim:serveraid-m5025?drives=24&raid=raid10&write_cache=on";

/// A bench with three runs on arrays with long names, and what `validate` reads.
fn bench_of_long_names() -> Bench {
    let bench = Bench::new();
    for (label, drives) in
        [("before the update of the firmware", "24"), ("after", "12"), ("third", "24")]
    {
        let target = LONG.replace("24", drives);
        let run = ["run", "storagebench-2010", &target, "--time", "1s", "--rule", "mean<=20ms"];
        bench.succeed(&[&run[..], &["--rule", "p99.9<=50ms", "--label", label]].concat());
    }
    bench.write("cells.csv", CELLS);
    bench.write("factors.toml", FACTORS);
    bench
}

/// A published number with a long name, and one that nothing can stand for.
const CELLS: &str = "\
id,source,table,subsystem,drives,drive_type,raid,os_tool,cache,workload,access,read_pct,block_kib,outstanding_ios,criterion,iops,mbps,note
singledisk-capacity-businesscritical35-bcsata35-2000-queuedepth16,own,Drives of the business critical class,single disk,1,HDD SATA 3.5in 7200 rpm 2 TB,jbod,,disk_cache_on,database,random,67,8,4,at_qd,258,,
odd,own,Arrays,a box of cards,20,,RAID-5,,all_off,oltp,random,67,64,,avg_rt_20ms,1660,,
";

/// Settings whose levels and combinations are long.
const FACTORS: &str = "\
name = \"settings\"\ntitle = \"Settings\"\nrules = [\"mean<=20ms\"]\n\
[[series]]\nprofile = \"database\"\noutstanding = \"1..12\"\n\
[[factor]]\nname = \"write_cache\"\nlevels = [\"off\", \"on\"]\n\
[[factor]]\nname = \"read_ahead\"\nlevels = [\"off\", \"on\", \"adaptive\"]\n";

/// Something that the shipped suite `name` can be measured on, with a long name where there is a choice.
fn target_for(name: &str) -> String {
    let suite = suite(name).unwrap();
    match suite.profile(&suite.series[0].profile).unwrap().load_unit() {
        LoadUnit::OutstandingIos | LoadUnit::OfferedIops => format!("'{LONG}'"),
        LoadUnit::Users => "vnc://127.0.0.1:5901".to_owned(),
        LoadUnit::Warehouses => "memory:".to_owned(),
        LoadUnit::Copies => "cpu:".to_owned(),
        LoadUnit::OutstandingOperations => "files:kneepoint-files".to_owned(),
    }
}

/// What prints tables, with whatever is shipped and has a long name.
fn commands_with_tables() -> Vec<String> {
    let mut commands: Vec<String> = [
        "catalog",
        "catalog profiles",
        "catalog suites",
        "catalog systems",
        "catalog drives",
        "catalog parameters",
        "runs",
        "show",
        "compare third after --points",
        "compare third after 'before the update of the firmware' --points --fail-if 'iops -90%'",
        "validate cells.csv",
        "calibrate drive/hdd-sata35-7k2-2000 --cells cells.csv --steps 1 -o fitted.toml",
        "size --profile database --iops 3000 --rule 'mean<=20ms' --systems serveraid-m5025 \
         --drives hdd-sas25-10k-146 --raid raid10 --write-cache on --strokes 5%,10% --threads 1",
        "plan random-write null: --precondition",
        "plan ./factors.toml sim:serveraid-m5025",
    ]
    .map(str::to_owned)
    .to_vec();
    let plan = |name: &str| format!("plan {name} {}", target_for(name));
    commands.extend(SUITES.iter().map(|suite| plan(suite.name)));
    commands.push(format!("inspect '{LONG}'"));
    commands
}

/// Whether a line is a name that is printed to be copied: it has no blank to be broken at.
fn is_one_name(line: &str) -> bool {
    line.split(' ').any(|word| word.chars().count() > 70)
}

#[test]
fn no_line_is_longer_than_a_terminal_of_80_columns() {
    let bench = bench_of_long_names();
    member_programs(&bench, "$expected");
    let folder = bench.path(".");
    let variables = [("NO_COLOR", "1"), (MEMBERS_FOLDER, folder.to_str().unwrap())];
    for command in commands_with_tables() {
        let typed = format!("{command} 2>/dev/null");
        let Some(shown) = typed_on_terminal(&bench, 80, &typed, &variables) else { return };
        for line in shown.lines().filter(|line| !is_one_name(line)) {
            assert!(line.trim_end().chars().count() <= 80, "{command}: {line:?}\n{shown}");
        }
    }
}

#[test]
fn wide_prints_every_column_and_every_name_in_full() {
    let bench = bench_of_long_names();
    for (command, whole) in [
        (format!("plan storagebench '{LONG}'"), format!("\n{LONG}#0   ")),
        ("compare third after".to_owned(), "95 % interval".to_owned()),
        ("catalog parameters".to_owned(), "Limits".to_owned()),
    ] {
        let narrow = typed_on_terminal(&bench, 80, &command, &[]);
        let Some(narrow) = narrow else { return };
        assert!(narrow.contains("--wide also shows: "), "{narrow}");
        let table = narrow.replace('\r', "");
        let table = table.split("--wide also shows").next().unwrap();
        assert!(!table.contains(&whole), "{table}");
        let wide = typed_on_terminal(&bench, 80, &format!("{command} --wide"), &[]).unwrap();
        let wide = wide.replace('\r', "");
        assert!(wide.contains(&whole) && !wide.contains("--wide"), "{wide}");
    }
}
