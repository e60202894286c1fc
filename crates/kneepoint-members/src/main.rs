//! `kneepoint-members`: one member of the processor suite at a time, its output verified.

#![forbid(unsafe_code)]

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use kneepoint_members::reference::reference;
use kneepoint_members::usage::{Start, Usage};
use kneepoint_members::{Class, MEMBERS, Member, Scale, Verdict, about, member};
use serde::Serialize;
use serde_json::{Value, json};

/// The member programs of Kneepoint's processor suite
#[derive(Debug, Parser)]
#[command(name = "kneepoint-members", version, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Job,
}

#[derive(Debug, Subcommand)]
enum Job {
    /// Print all members as JSON
    List,
    /// Print how this program was compiled, as JSON
    About,
    /// Run a member, compare its output with the expected one, and print a line of JSON
    ///
    /// Exit code 1 says that the output is another one.
    Run(RunArguments),
    /// Print the output of a member as text: what digests are of
    Show {
        /// Name of the member
        #[arg(value_parser = known)]
        member: &'static Member,
        /// How much it does
        #[arg(long, value_enum, default_value_t = Scale::Full)]
        scale: Scale,
    },
}

#[derive(Debug, clap::Args)]
struct RunArguments {
    /// Name of the member
    #[arg(value_parser = known)]
    member: &'static Member,
    /// How much it does
    #[arg(long, value_enum, default_value_t = Scale::Full)]
    scale: Scale,
    /// Digest that the output must have, instead of the known one
    #[arg(long, value_name = "DIGEST")]
    expect: Option<String>,
    /// Print {"ready":true}, and begin after a line on standard input
    #[arg(long)]
    wait: bool,
}

/// What `run` prints.
#[derive(Debug, Serialize)]
struct Report {
    member: &'static str,
    class: Class,
    scale: Scale,
    #[serde(flatten)]
    verdict: Verdict,
    output_bytes: usize,
    #[serde(flatten)]
    usage: Usage,
}

fn known(name: &str) -> Result<&'static Member, String> {
    let names = || MEMBERS.iter().map(|member| member.name).collect::<Vec<_>>().join(", ");
    member(name).ok_or_else(|| format!("no member is called '{name}'; there are: {}", names()))
}

fn main() -> ExitCode {
    match done(&Arguments::parse().command) {
        Ok(code) => code,
        Err(error) => {
            // A closed stream has no one to tell.
            let _ = writeln!(io::stderr().lock(), "error: {error}");
            ExitCode::from(2)
        }
    }
}

fn done(job: &Job) -> io::Result<ExitCode> {
    match job {
        Job::List => print(&list())?,
        Job::About => print(&about::about())?,
        Job::Show { member, scale } => {
            io::stdout().lock().write_all(member.run(*scale).as_bytes())?;
        }
        Job::Run(arguments) => {
            let report = run(arguments)?;
            print(&report)?;
            if !report.verdict.verified {
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// One line of JSON.
fn print(value: &impl Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, value)?;
    out.write_all(b"\n")?;
    out.flush()
}

fn list() -> Value {
    let digests = |member: &Member| {
        let [full, quick, test] =
            [Scale::Full, Scale::Quick, Scale::Test].map(|scale| member.expected(scale));
        json!({"full": full, "quick": quick, "test": test})
    };
    let entry = |member: &Member| {
        let mut entry = serde_json::to_value(member).unwrap_or_default();
        entry["digests"] = digests(member);
        entry
    };
    json!({"reference": reference(), "members": MEMBERS.iter().map(entry).collect::<Vec<_>>()})
}

fn run(arguments: &RunArguments) -> io::Result<Report> {
    let RunArguments { member, scale, expect, wait } = arguments;
    if *wait {
        wait_for_start()?;
    }
    let start = Start::now()?;
    let output = member.run(*scale);
    let usage = start.usage()?;
    let expected = expect.clone().unwrap_or_else(|| member.expected(*scale));
    Ok(Report {
        member: member.name,
        class: member.class,
        scale: *scale,
        verdict: member.judge(&output, &expected),
        output_bytes: output.as_bytes().len(),
        usage,
    })
}

/// Lets copies begin together: each has been loaded, and waits for its line.
fn wait_for_start() -> io::Result<()> {
    print(&json!({"ready": true}))?;
    let mut line = String::new();
    match io::stdin().lock().read_line(&mut line)? {
        0 => Err(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            "standard input ended before a line came",
        )),
        _ => Ok(()),
    }
}
