//! The permission to write one target.

use std::fs::{File, Metadata};
use std::io::{self, Seek, SeekFrom};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use kneepoint_core::words::fault::Fault;

use crate::facts::{DeviceNumber, FileId, disk_sequence};

use super::evidence::Evidence;

/// The permission to write exactly one file or device.
///
/// Only [`judge`](super::judge) makes one, and only where nothing refused.
#[derive(Debug)]
pub struct WriteConsent {
    path: PathBuf,
    scope: Scope,
    ground: Basis,
    /// What the target showed when it was judged; absent for a file that was still to be made.
    judged: Option<Evidence>,
}

/// What exactly may be written.
#[derive(Debug)]
pub(super) enum Scope {
    /// This file.
    File(FileId),
    /// This file, which must be empty when it is opened first.
    EmptyFile { id: FileId, taken: OnceLock<()> },
    /// This device, as long as the medium of that number is in it.
    Device(DeviceNumber, Option<u64>),
    /// The file that opening makes, in this directory; its identity is kept once it is made.
    NewFile { directory: FileId, made: OnceLock<FileId> },
}

kneepoint_core::named! {
    /// Why a target may be written.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Basis {
        /// It does not exist yet.
        NewFile = "the file does not exist yet",
        /// Kneepoint made it.
        OwnFile = "Kneepoint made this file",
        /// It is empty: nothing in it can be lost.
        EmptyFile = "the file is empty",
        /// The user named it, and nothing spoke against it.
        Named = "--overwrite names it",
    }
}

impl WriteConsent {
    /// To be called by the judgement alone.
    pub(super) fn grant(
        path: PathBuf,
        (scope, ground): (Scope, Basis),
        judged: Option<Evidence>,
    ) -> Self {
        Self { path, scope, ground, judged }
    }

    /// Canonical path of what may be written.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Why it may be written.
    pub const fn ground(&self) -> Basis {
        self.ground
    }

    /// Checks that an open descriptor leads to what the consent was given for.
    ///
    /// # Errors
    /// When it leads elsewhere: the path was given to something else after it was judged.
    pub fn check(&self, file: &File) -> Result<(), Fault> {
        let meta = file.metadata().map_err(|error| {
            Fault::new(format!("{} cannot be looked at", self.path.display())).because(error)
        })?;
        if self.covers(&meta, file) {
            return Ok(());
        }
        Err(Fault::new(format!("{} will not be written", self.path.display()))
            .because("it is no longer the file or device that was judged: something took its place")
            .fix("run inspect again, and find out what changes the path"))
    }

    /// Looks again, on the descriptor that will write, at all that was judged: whose the file is,
    /// what is recognised in it, what its samples hold. The descriptor must not yet be open for
    /// direct I/O.
    ///
    /// # Errors
    /// When something speaks against writing it that did not when it was judged.
    pub(super) fn check_again(&self, file: &File) -> Result<(), Fault> {
        let refused = || Fault::new(format!("{} will not be written", self.path.display()));
        let looked = match &self.scope {
            Scope::Device(..) => {
                size_of_device(file).and_then(|size| Evidence::of_device(file, size))
            }
            Scope::File(_) | Scope::EmptyFile { .. } | Scope::NewFile { .. } => {
                Evidence::of_file(file)
            }
        };
        let now = looked.map_err(|error| refused().because(error))?;
        match now.difference(self.judged.as_ref()) {
            None => Ok(()),
            Some(difference) => Err(refused()
                .because(difference)
                .fix("find out what else writes to it, and run inspect again")),
        }
    }

    fn covers(&self, meta: &Metadata, file: &File) -> bool {
        match &self.scope {
            Scope::File(id) | Scope::EmptyFile { id, .. } => {
                meta.is_file() && FileId::of(meta) == *id
            }
            Scope::Device(number, sequence) => {
                meta.file_type().is_block_device()
                    && DeviceNumber::from_raw(meta.rdev()) == *number
                    && disk_sequence(file) == *sequence
            }
            Scope::NewFile { made, .. } => meta.is_file() && made.get() == Some(&FileId::of(meta)),
        }
    }

    /// Whether the file is still to be made.
    pub(super) fn is_to_be_made(&self) -> bool {
        matches!(&self.scope, Scope::NewFile { made, .. } if made.get().is_none())
    }

    /// Remembers the identity of the file that was just made in the judged directory.
    pub(super) fn keep_made(&self, file: &File) -> Result<(), Fault> {
        if let Scope::NewFile { made, .. } = &self.scope {
            let meta = file.metadata().map_err(|error| {
                Fault::new(format!("{} cannot be looked at", self.path.display())).because(error)
            })?;
            made.get_or_init(|| FileId::of(&meta));
        }
        self.check(file)
    }

    /// Takes possession of an empty file, once: it must still be empty.
    pub(super) fn take_empty(&self, file: &File) -> Result<(), Fault> {
        let Scope::EmptyFile { taken, .. } = &self.scope else { return Ok(()) };
        let length = file.metadata().map(|meta| meta.len()).map_err(|error| {
            Fault::new(format!("{} cannot be looked at", self.path.display())).because(error)
        })?;
        if taken.set(()).is_ok() && length > 0 {
            return Err(Fault::new(format!("{} will not be written", self.path.display()))
                .because("it was empty when it was judged, and something wrote to it since")
                .fix("look into the file; name another one if its content matters"));
        }
        Ok(())
    }

    /// Whether it is for a file that is, or was, still to be made.
    pub(super) const fn is_for_new_file(&self) -> bool {
        matches!(&self.scope, Scope::NewFile { .. })
    }

    /// The directory of a file that is, or was, still to be made.
    pub(super) fn new_file_directory(&self) -> Option<FileId> {
        match &self.scope {
            Scope::NewFile { directory, .. } => Some(*directory),
            Scope::File(_) | Scope::EmptyFile { .. } | Scope::Device(..) => None,
        }
    }
}

/// Length of an open block device in bytes.
fn size_of_device(mut device: &File) -> io::Result<u64> {
    let size = device.seek(SeekFrom::End(0))?;
    device.rewind()?;
    Ok(size)
}
