//! Operations on files as system calls, from the descriptors of their directories.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::sync::Arc;

use kneepoint_core::load::files::{FileCalls, FilePlace};
use kneepoint_core::spec::profile::{FileSync, FileTree, Preallocation};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed::Rng;
use rand_core::Rng as _;
use rustix::fs::{AtFlags, Dir, FallocateFlags, Mode, OFlags};

use super::file_name;
use crate::own_dir::{Folder, trouble};

/// Bytes that are read and written at once.
const CHUNK: usize = 128 << 10;

/// Mode of new files, before the umask.
const MODE: Mode = Mode::from_raw_mode(0o644);

/// The operations of one thread.
pub(super) struct TreeCalls {
    directories: Arc<Vec<Folder>>,
    preallocation: Preallocation,
    sync: FileSync,
    /// What is written: random bytes, which do not compress.
    data: Vec<u8>,
    /// Room for what is read.
    room: Vec<u8>,
}

impl TreeCalls {
    /// The operations on the files of `tree`, whose data is drawn from `rng`.
    pub(super) fn new(directories: Arc<Vec<Folder>>, tree: &FileTree, mut rng: Rng) -> Self {
        let FileTree { preallocation, sync, bytes_max, append_bytes, .. } = *tree;
        let mut data = vec![0; bytes_max.max(append_bytes).clamp(1, CHUNK as u64) as usize];
        rng.fill_bytes(&mut data);
        Self { directories, preallocation, sync, data, room: vec![0; CHUNK] }
    }

    fn folder(&self, directory: u32) -> &Folder {
        &self.directories[directory as usize]
    }

    /// Opens a file of its directory; no link is followed.
    fn open(&self, place: FilePlace, flags: OFlags) -> io::Result<File> {
        let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = &self.folder(place.directory).file;
        Ok(rustix::fs::openat(folder, file_name(place.number), flags, MODE)?.into())
    }

    /// Writes from byte `start` of a file on, durably if that is asked for.
    fn write(&self, mut file: File, (start, bytes): (u64, u64)) -> io::Result<()> {
        if self.preallocation == Preallocation::Fallocate && bytes > 0 {
            rustix::fs::fallocate(&file, FallocateFlags::KEEP_SIZE, start, bytes)?;
        }
        let mut left = bytes;
        while left > 0 {
            let part = left.min(self.data.len() as u64);
            file.write_all(&self.data[..part as usize])?;
            left -= part;
        }
        match self.sync {
            FileSync::None => Ok(()),
            FileSync::Fdatasync => file.sync_data(),
            FileSync::Fsync => file.sync_all(),
        }
    }

    /// That an operation on a file failed.
    fn failed(&self, what: &str, place: FilePlace) -> impl Fn(io::Error) -> Fault {
        let path = self.folder(place.directory).path_of(&file_name(place.number));
        let what = format!("{what} of");
        move |error| match error.kind() {
            ErrorKind::Unsupported => trouble(&what, &path, &error)
                .fix("leave out 'preallocation': this file system cannot reserve blocks"),
            ErrorKind::NotFound => trouble(&what, &path, &error)
                .fix("let no one else move or delete files below the target meanwhile"),
            _ => trouble(&what, &path, &error),
        }
    }

    fn read_whole(&mut self, place: FilePlace) -> io::Result<()> {
        let mut file = self.open(place, OFlags::RDONLY)?;
        while file.read(&mut self.room)? > 0 {}
        Ok(())
    }
}

impl FileCalls for TreeCalls {
    fn create(&mut self, place: FilePlace, bytes: u64) -> Result<(), Fault> {
        let made = self.open(place, OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY);
        made.and_then(|file| self.write(file, (0, bytes))).map_err(self.failed("create", place))
    }

    fn append(&mut self, place: FilePlace, bytes: u64) -> Result<(), Fault> {
        let opened = self.open(place, OFlags::WRONLY | OFlags::APPEND);
        let written = opened.and_then(|file| {
            let end = match self.preallocation {
                Preallocation::None => 0,
                Preallocation::Fallocate => file.metadata()?.len(),
            };
            self.write(file, (end, bytes))
        });
        written.map_err(self.failed("append", place))
    }

    fn read(&mut self, place: FilePlace) -> Result<(), Fault> {
        self.read_whole(place).map_err(self.failed("read", place))
    }

    fn stat(&mut self, place: FilePlace) -> Result<(), Fault> {
        let folder = &self.folder(place.directory).file;
        let found = rustix::fs::statat(folder, file_name(place.number), AtFlags::SYMLINK_NOFOLLOW);
        found.map(|_| ()).map_err(io::Error::from).map_err(self.failed("stat", place))
    }

    fn rename(&mut self, place: FilePlace, number: u64) -> Result<(), Fault> {
        let folder = &self.folder(place.directory).file;
        let (from, to) = (file_name(place.number), file_name(number));
        let renamed = rustix::fs::renameat(folder, from, folder, to);
        renamed.map_err(io::Error::from).map_err(self.failed("rename", place))
    }

    fn delete(&mut self, place: FilePlace) -> Result<(), Fault> {
        let folder = &self.folder(place.directory).file;
        let deleted = rustix::fs::unlinkat(folder, file_name(place.number), AtFlags::empty());
        deleted.map_err(io::Error::from).map_err(self.failed("delete", place))
    }

    fn list(&mut self, directory: u32) -> Result<(), Fault> {
        let folder = self.folder(directory);
        let listed = Dir::read_from(&folder.file).and_then(|mut entries| {
            entries.try_for_each(|entry| entry.map(|entry| drop(std::hint::black_box(entry))))
        });
        listed.map_err(|error| trouble("list of", &folder.path, &error.into()))
    }
}
