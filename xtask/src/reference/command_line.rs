//! The command line as Markdown, as manual pages (one per command), and as what shells can
//! complete.

use std::io;

use clap::{Arg, Command};
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use super::{GeneratedFile, command, visible_subcommands};

/// Text before the commands.
const HEAD: &str = "\
# Command line

Generated from the program's own definition by `cargo xtask generate`; `kneepoint --help` and \
`kneepoint COMMAND --help` say the same.
";

/// `cli.md`.
pub(super) fn file() -> GeneratedFile {
    let command = command();
    let mut text = HEAD.to_owned();
    sections(&command, &mut text);
    GeneratedFile::new("cli.md", text)
}

/// A command, and those below it.
fn sections(command: &Command, text: &mut String) {
    section(command, text);
    visible_subcommands(command).for_each(|subcommand| sections(subcommand, text));
}

/// One command: what it does, how it is called, its commands, arguments and options.
fn section(command: &Command, text: &mut String) {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    text.push_str(&format!("\n## {name}\n\n{}\n", paragraph(about(command))));
    let usage = command.clone().render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage);
    text.push_str(&format!("\n```text\n{usage}\n```\n"));
    commands(command, text);
    for (heading, arguments) in groups(command) {
        text.push_str(&format!("\n**{heading}**\n\n"));
        arguments.iter().for_each(|argument| text.push_str(&item(argument)));
    }
    if let Some(after) = command.get_after_long_help() {
        text.push_str(&format!("\n```text\n{}\n```\n", after.to_string().trim_end()));
    }
}

fn commands(command: &Command, text: &mut String) {
    let mut names = visible_subcommands(command).peekable();
    if names.peek().is_none() {
        return;
    }
    text.push_str("\n**Commands**\n\n");
    for subcommand in names {
        let name = subcommand.get_name();
        let full_name = command.get_bin_name().unwrap_or_else(|| command.get_name());
        let anchor = format!("{full_name} {name}").replace(' ', "-");
        text.push_str(&format!("- [`{name}`](#{anchor}): {}\n", paragraph(about(subcommand))));
    }
}

/// The long description where there is one.
fn about(command: &Command) -> String {
    let about = command.get_long_about().or_else(|| command.get_about());
    about.map(ToString::to_string).unwrap_or_default()
}

/// Arguments and options under their headings, in the order in which they are defined.
fn groups(command: &Command) -> Vec<(&str, Vec<&Arg>)> {
    let mut groups: Vec<(&str, Vec<&Arg>)> = Vec::new();
    for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
        let heading = match argument.get_help_heading() {
            Some(heading) => heading,
            None if argument.is_positional() => "Arguments",
            None => "Options",
        };
        match groups.iter_mut().find(|(name, _)| *name == heading) {
            Some((_, arguments)) => arguments.push(argument),
            None => groups.push((heading, vec![argument])),
        }
    }
    groups
}

/// One argument: how it is typed, what it means, its default, its values.
fn item(argument: &Arg) -> String {
    let help = argument.get_long_help().or_else(|| argument.get_help());
    let mut text = paragraph(help.map(ToString::to_string).unwrap_or_default());
    let defaults: Vec<_> =
        argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if takes_value(argument) && defaults.iter().any(|value| !value.is_empty()) {
        text.push_str(&format!(". Default: `{}`", defaults.join(" ")));
    }
    if let Some(variable) = argument.get_env() {
        text.push_str(&format!(". Environment: `{}`", variable.to_string_lossy()));
    }
    format!("- `{}`: {text}\n{}", typed(argument), values(argument))
}

/// How an argument is typed: `-o, --output <FILE>`.
fn typed(argument: &Arg) -> String {
    let names: Vec<&str> = argument
        .get_value_names()
        .unwrap_or_default()
        .iter()
        .map(|name| name.as_str())
        .filter(|_| takes_value(argument))
        .collect();
    let value = names.iter().map(|name| format!("<{name}>")).collect::<Vec<_>>().join(" ");
    let short = argument.get_short().map(|short| format!("-{short}"));
    let long = argument.get_long().map(|long| format!("--{long}"));
    let flags = [short, long].into_iter().flatten().collect::<Vec<_>>().join(", ");
    [flags, value].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

fn takes_value(argument: &Arg) -> bool {
    argument.get_action().takes_values()
}

/// The values that an argument can take, where they are a fixed set.
fn values(argument: &Arg) -> String {
    if !takes_value(argument) {
        return String::new();
    }
    let possible = argument.get_possible_values();
    possible
        .iter()
        .map(|value| {
            let help = value.get_help().map(|help| format!(": {help}")).unwrap_or_default();
            format!("  - `{}`{help}\n", value.get_name())
        })
        .collect()
}

/// Text as one paragraph of Markdown; what looks like HTML or emphasis is kept as it is.
fn paragraph(text: impl AsRef<str>) -> String {
    let joined = text.as_ref().split_whitespace().collect::<Vec<_>>().join(" ");
    joined.replace('<', "\\<").replace('*', "\\*")
}

/// `kneepoint.1`, and `kneepoint-run.1` and the like for every command.
pub(super) fn manual() -> io::Result<Vec<GeneratedFile>> {
    let command = command();
    std::iter::once(&command).chain(visible_subcommands(&command)).map(page).collect()
}

fn page(command: &Command) -> io::Result<GeneratedFile> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let mut text = Vec::new();
    let version = command.get_version().unwrap_or_default();
    let page = Man::new(command.clone()).source(format!("Kneepoint {version}")).manual("Kneepoint");
    page.render(&mut text)?;
    let text = String::from_utf8_lossy(&text).into_owned();
    Ok(GeneratedFile::new(&format!("man/{name}.1"), text))
}

/// The shells and the names that their files must have.
const SHELLS: [(Shell, &str); 3] =
    [(Shell::Bash, "kneepoint.bash"), (Shell::Zsh, "_kneepoint"), (Shell::Fish, "kneepoint.fish")];

/// A completion script for each shell: what `kneepoint completions` prints.
pub(super) fn completions() -> Vec<GeneratedFile> {
    let completion = |(shell, name): (Shell, &str)| {
        let mut script = Vec::new();
        let mut command = <kneepoint::cli::Cli as clap::CommandFactory>::command();
        generate(shell, &mut command, "kneepoint", &mut script);
        let text = String::from_utf8_lossy(&script).into_owned();
        GeneratedFile::new(&format!("completions/{name}"), text)
    };
    SHELLS.into_iter().map(completion).collect()
}
