//! The member programs beside this one: where they are, and how they were compiled.

use std::collections::BTreeMap;
use std::env;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use kneepoint_core::spec::profile::FlagSet;
use kneepoint_core::words::fault::Fault;
use rustix::process::Signal;
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// Names a folder with the member programs.
const MEMBERS_FOLDER: &str = "KNEEPOINT_MEMBERS";

/// The member programs.
#[derive(Debug, Clone)]
pub(crate) struct Programs {
    base: Program,
    peak: Program,
}

/// A program with members.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    /// Where it is.
    pub(crate) path: PathBuf,
    about: About,
    /// SHA-256 of the file.
    sha256: String,
}

/// What a program says of how it was compiled.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct About {
    version: String,
    profile: String,
    flags: Flags,
    compiler: String,
    target_cpu: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct Flags {
    opt_level: String,
    lto: Option<String>,
    codegen_units: Option<u32>,
    rustflags: String,
    cflags: String,
}

impl Programs {
    /// Finds the programs in the folder that the environment names, or else beside the running program.
    ///
    /// # Errors
    /// When one is missing, cannot be started, or is of another version or set of flags.
    pub(crate) fn find() -> Result<Self, Fault> {
        let folder = match env::var_os(MEMBERS_FOLDER) {
            Some(folder) => PathBuf::from(folder),
            None => {
                let own = env::current_exe();
                let own =
                    own.map_err(|error| Fault::new("cannot find this program").because(error))?;
                own.parent().map_or_else(PathBuf::new, Path::to_owned)
            }
        };
        Self::in_folder(&folder)
    }

    /// The programs in `folder`.
    pub(super) fn in_folder(folder: &Path) -> Result<Self, Fault> {
        let program = |flags| Program::look(folder, flags);
        Ok(Self { base: program(FlagSet::Base)?, peak: program(FlagSet::Peak)? })
    }

    /// The program with these flags.
    pub(crate) const fn get(&self, flags: FlagSet) -> &Program {
        match flags {
            FlagSet::Base => &self.base,
            FlagSet::Peak => &self.peak,
        }
    }

    /// How they were compiled, for the environment of a result.
    pub(crate) fn facts(&self) -> BTreeMap<String, String> {
        FlagSet::ALL.into_iter().flat_map(|flags| self.get(flags).facts(flags)).collect()
    }
}

impl Program {
    /// The program with these flags in `folder`.
    fn look(folder: &Path, flags: FlagSet) -> Result<Self, Fault> {
        let path = folder.join(format!("kneepoint-members-{}", flags.name()));
        let file = std::fs::read(&path).map_err(|error| missing(&path, &error))?;
        let asked = Command::new(&path).arg("about").stdin(Stdio::null()).output();
        let output = asked.map_err(|error| unusable(&path).because(error))?;
        if output.status.signal() == Some(Signal::ILL.as_raw()) {
            return Err(foreign(&path));
        }
        let about: About = serde_json::from_slice(&output.stdout)
            .map_err(|_| unusable(&path).because("it does not say how it was compiled"))?;
        if about.version != env!("CARGO_PKG_VERSION") {
            let why = format!(
                "it is version {}, and this is {}",
                about.version,
                env!("CARGO_PKG_VERSION")
            );
            return Err(unusable(&path).because(why));
        }
        if about.profile != flags.name() {
            let why = format!("it was compiled with the profile '{}'", about.profile);
            return Err(unusable(&path).because(why));
        }
        let sha256 = Sha256::digest(&file).iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { path, about, sha256 })
    }

    fn facts(&self, flags: FlagSet) -> [(String, String); 4] {
        let About { flags: set, compiler, target_cpu, .. } = &self.about;
        let mut words = vec![format!("opt-level={}", set.opt_level)];
        words.extend(set.lto.as_ref().map(|lto| format!("lto={lto}")));
        words.extend(set.codegen_units.map(|units| format!("codegen-units={units}")));
        words.extend((!set.rustflags.is_empty()).then(|| set.rustflags.clone()));
        words.extend((!set.cflags.is_empty()).then(|| format!("C: {}", set.cflags)));
        let name = |what: &str| format!("{} {what}", flags.name());
        [
            (name("flags"), words.join(" ")),
            (name("compiler"), compiler.clone()),
            (name("code for"), target_cpu.clone()),
            (name("program SHA-256"), self.sha256.clone()),
        ]
    }
}

fn missing(path: &Path, error: &std::io::Error) -> Fault {
    Fault::new(format!("there is no member program {}", path.display()))
        .because(error)
        .fix(format!(
            "take them from the archive or the Debian package of this version, or build them by `cargo xtask \
             members`; they are looked for beside this program, or in the folder that {MEMBERS_FOLDER} names"
        ))
}

fn foreign(path: &Path) -> Fault {
    Fault::new(format!("the member program {} does not run on this processor", path.display()))
        .because("it has instructions that this processor does not know")
        .fix("build the programs on this machine by `cargo xtask members`")
}

fn unusable(path: &Path) -> Fault {
    Fault::new(format!(
        "the member program {} is none of this version of Kneepoint",
        path.display()
    ))
    .fix("take both from the package of this version, or build them again by `cargo xtask members`")
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_missing_program_says_how_to_get_it() {
        let fault = Programs::in_folder(Path::new("/nowhere")).unwrap_err();
        assert!(fault.to_string().contains("/nowhere/kneepoint-members-base"), "{fault}");
        for way in ["cargo xtask members", "archive", "Debian package"] {
            assert!(fault.fix_hint().is_some_and(|fix| fix.contains(way)), "{way}: {fault}");
        }
    }

    #[test]
    fn a_program_for_another_processor_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kneepoint-members-base");
        std::fs::write(&path, "#!/bin/sh\nkill -s ILL $$\n").unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        let fault = Programs::in_folder(folder.path()).unwrap_err();
        assert!(fault.to_string().contains("does not run on this processor"), "{fault}");
    }
}
