//! Builds the member programs of the processor suite, with each set of flags, beside the program.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, ensure};
use clap::Args;

/// The package, and the start of the names of what is built.
const PACKAGE: &str = "kneepoint-members";

/// How the member programs are built.
#[derive(Debug, Args)]
pub struct MembersArgs {
    /// Processor that the peak flags are for; `native` is this one, and may not run on others
    #[arg(long, value_name = "CPU", default_value = "native")]
    cpu: String,
    /// Platform to build for, as rustc calls it; otherwise that of this machine
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    /// Folder for the programs: that of kneepoint
    #[arg(long, value_name = "FOLDER", default_value = "target/release")]
    into: PathBuf,
}

/// A set of flags.
struct Flags {
    /// The profile in `Cargo.toml`, and the end of the program's name.
    profile: &'static str,
    /// Variables of the compilers, by name.
    variables: Vec<(&'static str, String)>,
}

/// Builds both programs; their places, and what they say of themselves.
///
/// # Errors
/// When a program cannot be built, copied or started.
pub fn build(args: &MembersArgs, root: &Path) -> anyhow::Result<String> {
    let cpu = &args.cpu;
    let sets = [
        Flags { profile: "base", variables: Vec::new() },
        Flags {
            profile: "peak",
            variables: vec![
                ("RUSTFLAGS", format!("-C target-cpu={cpu}")),
                ("CFLAGS", c_flag(args, cpu)),
            ],
        },
    ];
    let mut text = String::new();
    fs::create_dir_all(&args.into).with_context(|| args.into.display().to_string())?;
    for flags in &sets {
        let built = compile(args, root, flags)?;
        let place = args.into.join(format!("{PACKAGE}-{}", flags.profile));
        fs::copy(&built, &place)
            .with_context(|| format!("{} to {}", built.display(), place.display()))?;
        writeln!(text, "{}\n{}", place.display(), about(&place)?)?;
    }
    Ok(text)
}

/// The flag by which compilers of C take a processor. Those for x86 have `-mcpu` for something else, the others
/// know by `-march` no processors.
fn c_flag(args: &MembersArgs, cpu: &str) -> String {
    let platform = args.target.as_deref().unwrap_or(env::consts::ARCH);
    let is_x86 = ["x86_64", "i686", "x86"].iter().any(|name| platform.starts_with(name));
    if is_x86 { format!("-march={cpu}") } else { format!("-mcpu={cpu}") }
}

/// Builds with one set of flags; the program. What the environment sets for compilers is left out.
fn compile(args: &MembersArgs, root: &Path, flags: &Flags) -> anyhow::Result<PathBuf> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root).args(["build", "--locked", "--package", PACKAGE]);
    cargo.args(["--profile", flags.profile]);
    for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CFLAGS"] {
        cargo.env_remove(name);
    }
    for (name, value) in &flags.variables {
        cargo.env(name, value);
    }
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let mut folder = target;
    if let Some(triple) = &args.target {
        cargo.args(["--target", triple]);
        folder.push(triple);
    }
    let status = cargo.status().context("cargo")?;
    ensure!(status.success(), "cargo could not build {PACKAGE} with the profile {}", flags.profile);
    Ok(folder.join(flags.profile).join(PACKAGE))
}

/// What a program says of its flags: a line of JSON.
fn about(program: &Path) -> anyhow::Result<String> {
    let place = fs::canonicalize(program).with_context(|| program.display().to_string())?;
    let output = Command::new(&place).arg("about").output();
    let output = output.with_context(|| program.display().to_string())?;
    ensure!(output.status.success(), "{} ended with {}", program.display(), output.status);
    Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}
