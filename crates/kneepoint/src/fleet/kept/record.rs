//! The record of an agent: what it was asked and what it refused, in lines of JSON that are only ever added.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use kneepoint_core::words::fault::Fault;
use kneepoint_net::{AgentEvent, PublicKey, SecretKey, write_private};
use serde::Serialize;

use super::{private_folder, read_private};
use crate::session::now;

/// File with the record.
const RECORD: &str = "record.jsonl";

/// File in which settings are noted before they are changed.
const SETTINGS: &str = "settings";

/// File with the key that answers are signed with where no host joins.
const SIGNING: &str = "signing.seed";

/// This number of refusals in a row is told; a flood of them fills no disk.
const REFUSALS_MAX: usize = 1000;

#[derive(Serialize)]
struct Line<'a> {
    time: String,
    controller: &'a PublicKey,
    #[serde(flatten)]
    event: &'a AgentEvent,
}

/// What an agent on a server of the user's own, where no host joins, signs its answers with: the same after it was
/// started again.
///
/// # Errors
/// When it cannot be kept below `state`.
pub(crate) fn signing_key(state: &Path) -> Result<SecretKey, Fault> {
    let folder = state.join("agent");
    private_folder(&folder)?;
    let path = folder.join(SIGNING);
    if let Some(seed) = read_private(&path)? {
        return SecretKey::from_seed(&seed);
    }
    let key = SecretKey::generate();
    write_private(&path, &key.seed())?;
    Ok(key)
}

/// Where an agent whose state is below `state` notes settings before it changes them.
///
/// # Errors
/// When the folder cannot be made, or others can read it.
pub(crate) fn settings_journal(state: &Path) -> Result<PathBuf, Fault> {
    let folder = state.join("agent");
    private_folder(&folder)?;
    Ok(folder.join(SETTINGS))
}

/// The record of an agent, and where it is kept.
#[derive(Debug)]
pub(crate) struct AgentRecord {
    controller: PublicKey,
    file: Mutex<Kept>,
}

#[derive(Debug)]
struct Kept {
    file: File,
    refusals: usize,
}

impl AgentRecord {
    /// Adds to the record below `state`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn open(state: &Path, controller: &PublicKey) -> Result<Self, Fault> {
        let folder = state.join("agent");
        private_folder(&folder)?;
        let path = folder.join(RECORD);
        let opened = OpenOptions::new().append(true).create(true).mode(0o600).open(&path);
        let file = opened.map_err(|error| {
            Fault::new(format!("cannot write {}", path.display()))
                .because(error)
                .fix("an agent keeps a record of what it is asked: make room there, or permit it")
        })?;
        let file = Mutex::new(Kept { file, refusals: 0 });
        Ok(Self { controller: controller.clone(), file })
    }

    /// Adds a line.
    pub(crate) fn add(&self, event: &AgentEvent) {
        let mut kept = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            AgentEvent::Refused { .. } => kept.refusals += 1,
            AgentEvent::Joined { .. }
            | AgentEvent::Adopted { .. }
            | AgentEvent::Left { .. }
            | AgentEvent::Metered { .. }
            | AgentEvent::NotPutBack { .. } => kept.refusals = 0,
        }
        if kept.refusals > REFUSALS_MAX {
            return;
        }
        let line = Line { time: now(), controller: &self.controller, event };
        let line = serde_json::to_string(&line).expect("events are plain data");
        // A full disk must not end what is measured on another one.
        let _ = writeln!(kept.file, "{line}");
    }
}

#[cfg(test)]
mod tests {
    use kneepoint_net::SecretKey;

    use super::*;

    #[test]
    fn a_flood_of_refusals_is_cut_and_the_record_goes_on() {
        let state = tempfile::tempdir().unwrap();
        let key = SecretKey::generate().public();
        let record = AgentRecord::open(state.path(), &key).unwrap();
        let refused = AgentEvent::Refused { fault: Fault::new("no") };
        (0..REFUSALS_MAX + 50).for_each(|_| record.add(&refused));
        record.add(&AgentEvent::Left { bytes_written: 7 });
        let text = std::fs::read_to_string(state.path().join("agent/record.jsonl")).unwrap();
        assert_eq!(text.lines().count(), REFUSALS_MAX + 1);
        let last: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        assert_eq!((&last["event"], &last["bytes_written"]), (&"left".into(), &7.into()));
        assert_eq!(last["controller"], key.to_string());
    }
}
