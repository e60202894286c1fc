//! What stays on a machine of a fleet between runs: keys, who belongs to it, and the record of an agent. No
//! other user can read any of it.

mod membership;
mod points;
mod record;
mod roster;

pub(crate) use membership::Membership;
pub(crate) use points::PointsFile;
pub(crate) use record::{AgentRecord, settings_journal, signing_key};
pub(crate) use roster::Roster;

use std::fs::{self, DirBuilder};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use kneepoint_core::words::fault::Fault;
use kneepoint_net::write_private;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Permissions of the others, in a mode (inode(7)).
const OTHERS: u32 = 0o077;

/// Names the folder of what is kept.
const STATE: &str = "KNEEPOINT_STATE";

/// The folder of what is kept, if no option names one: that of the environment, or in the folder for state of the XDG Base Directory
/// Specification.
pub(crate) fn usual_folder() -> PathBuf {
    let path =
        |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = path("XDG_STATE_HOME").filter(|path| path.is_absolute());
    let home = || path("HOME").unwrap_or_default().join(".local/state");
    path(STATE).unwrap_or_else(|| state.unwrap_or_else(home).join("kneepoint"))
}

/// A folder that no other user can read.
///
/// # Errors
/// When it cannot be made, or others can read it.
fn private_folder(path: &Path) -> Result<(), Fault> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(path);
    let mode = made.and_then(|()| fs::metadata(path)).map(|metadata| metadata.permissions().mode());
    let mode = mode.map_err(|error| {
        Fault::new(format!("cannot make the folder {}", path.display()))
            .because(error)
            .fix("name another one with --state")
    })?;
    match mode & OTHERS {
        0 => Ok(()),
        _ => Err(Fault::new(format!("other users can read {}", path.display()))
            .because("keys are kept there")
            .fix(format!("chmod go= {}", path.display()))),
    }
}

fn write_document(path: &Path, document: &impl Serialize) -> Result<(), Fault> {
    let text = serde_json::to_string_pretty(document).expect("documents are plain data");
    write_private(path, &format!("{text}\n"))
}

/// The text of a file; `None` if there is none.
fn read_private(path: &Path) -> Result<Option<String>, Fault> {
    match crate::work::read_text(path, crate::work::TEXT_MAX) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Fault::new(format!("cannot read {}", path.display())).because(error)),
    }
}

fn read_document<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, Fault> {
    let Some(text) = read_private(path)? else { return Ok(None) };
    serde_json::from_str(&text).map(Some).map_err(|error| {
        Fault::new(format!("{} cannot be understood", path.display()))
            .because(error)
            .fix("move it away, and let the hosts join again")
    })
}
