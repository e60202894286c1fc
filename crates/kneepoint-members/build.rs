//! Tells the program how it was compiled, for `kneepoint-members about`.

#![allow(clippy::print_stdout, reason = "this is how cargo is told")]

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CFLAGS");
    let flags = variable("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " ");
    tell("PROFILE", &profile());
    tell("OPT_LEVEL", &variable("OPT_LEVEL"));
    tell("TARGET", &variable("TARGET"));
    tell("TARGET_CPU", &target_cpu(&flags));
    tell("RUSTFLAGS", &flags);
    tell("CFLAGS", &variable("CFLAGS"));
    tell("FEATURES", &variable("CARGO_CFG_TARGET_FEATURE"));
    let compiler = said(&["--version"]);
    tell("COMPILER", compiler.as_deref().map_or("unknown", str::trim));
}

fn tell(name: &str, value: &str) {
    println!("cargo::rustc-env=KNEEPOINT_MEMBERS_{name}={value}");
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

/// The profile by its own name. `PROFILE` has the name of the profile that it inherits from; the folder of
/// the build, `target/NAME/build/CRATE/out`, has its own.
fn profile() -> String {
    let out = variable("OUT_DIR");
    let folder = Path::new(&out).ancestors().nth(3).and_then(Path::file_name);
    folder.map_or_else(|| variable("PROFILE"), |name| name.to_string_lossy().into_owned())
}

/// The processor that the compiler generates code for; `native` with its name.
fn target_cpu(flags: &str) -> String {
    let Some((_, rest)) = flags.split_once("target-cpu=") else {
        return "default".to_owned();
    };
    let name = rest.split(' ').next().unwrap_or_default();
    if name != "native" {
        return name.to_owned();
    }
    let list = said(&["--print", "target-cpus"]).unwrap_or_default();
    let line = list.lines().find(|line| line.trim_start().starts_with("native "));
    let here = line.and_then(|line| line.split_once("(currently ")?.1.split(')').next());
    here.map_or_else(|| name.to_owned(), |here| here.trim_end_matches('.').to_owned())
}

/// Output of the compiler.
fn said(arguments: &[&str]) -> Option<String> {
    let output = Command::new(env::var_os("RUSTC")?).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
