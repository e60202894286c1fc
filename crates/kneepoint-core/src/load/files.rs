//! Operations on files: what is done with which file next, and the seam to whatever does it.

use rand_core::Rng as _;

use crate::spec::profile::{FileOperation, FileTree};
use crate::words::fault::Fault;
use crate::words::seed::Rng;

/// A file of a target: the directory that it is in, and a number that no other file of the point has or had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FilePlace {
    /// Number of the directory.
    pub directory: u32,
    /// Number of the file.
    pub number: u64,
}

/// Does operations on the files of a target, for one thread.
pub trait FileCalls: Send {
    /// Makes a file with that many bytes.
    ///
    /// # Errors
    /// When the file system refuses it.
    fn create(&mut self, file: FilePlace, bytes: u64) -> Result<(), Fault>;

    /// Writes that many bytes behind the end of a file.
    ///
    /// # Errors
    /// When the file system refuses it.
    fn append(&mut self, file: FilePlace, bytes: u64) -> Result<(), Fault>;

    /// Reads a whole file.
    ///
    /// # Errors
    /// When the file system refuses it.
    fn read(&mut self, file: FilePlace) -> Result<(), Fault>;

    /// Looks up a file by its name.
    ///
    /// # Errors
    /// When the file system refuses it.
    fn stat(&mut self, file: FilePlace) -> Result<(), Fault>;

    /// Gives a file another number, in the same directory.
    ///
    /// # Errors
    /// When the file system refuses it.
    fn rename(&mut self, file: FilePlace, number: u64) -> Result<(), Fault>;

    /// Removes a file.
    ///
    /// # Errors
    /// When the file system refuses it.
    fn delete(&mut self, file: FilePlace) -> Result<(), Fault>;

    /// Reads all names of a directory.
    ///
    /// # Errors
    /// When the file system refuses it.
    fn list(&mut self, directory: u32) -> Result<(), Fault>;
}

/// The files of one thread. No other thread has one of them, so that an operation never meets a file that
/// another has just deleted.
///
/// Creating and deleting have equal shares, but their order is drawn, and the number of files would wander off.
/// Where half of them are left, a file is created instead of deleted, and where there are half as many again, one is
/// deleted instead of created; the shares stay equal.
#[derive(Debug, Clone)]
pub struct ThreadFiles {
    files: Vec<FilePlace>,
    directories: u32,
    /// The number of the next file, and how far it is to the one after it.
    next: u64,
    stride: u64,
    /// Fewest and most files.
    bounds: (usize, usize),
    sizes: (u64, u64),
    append_bytes: u64,
}

impl ThreadFiles {
    /// The files of thread `thread` of `threads`, which are to be created with [`Self::populate`].
    pub fn new(tree: &FileTree, (thread, threads): (u32, u32)) -> Self {
        let numbers = (u64::from(thread)..u64::from(tree.count)).step_by(threads as usize);
        let place =
            |number| FilePlace { directory: (number % u64::from(tree.directories)) as u32, number };
        let files: Vec<FilePlace> = numbers.map(place).collect();
        let count = files.len();
        let least = (count / 2).max(1);
        Self {
            next: (count as u64) * u64::from(threads) + u64::from(thread),
            stride: u64::from(threads),
            bounds: (least, (count + count / 2).max(least + 1)),
            directories: tree.directories,
            sizes: (tree.bytes_min, tree.bytes_max),
            append_bytes: tree.append_bytes,
            files,
        }
    }

    /// Creates the files that are there at the start; `created` hears of each.
    ///
    /// # Errors
    /// When one cannot be created, or `created` says so.
    pub fn populate<E: From<Fault>>(
        &self,
        calls: &mut dyn FileCalls,
        rng: &mut Rng,
        mut created: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<(), E> {
        for file in &self.files {
            let bytes = self.size(rng);
            calls.create(*file, bytes)?;
            created(bytes)?;
        }
        Ok(())
    }

    /// The files that are there now.
    pub fn files(&self) -> &[FilePlace] {
        &self.files
    }

    /// What is done when the operation `drawn` is to be done.
    pub fn turn(&self, drawn: FileOperation) -> FileOperation {
        let (least, most) = self.bounds;
        match drawn {
            FileOperation::Delete if self.files.len() <= least => FileOperation::Create,
            FileOperation::Create if self.files.len() >= most => FileOperation::Delete,
            other => other,
        }
    }

    /// Does `operation` on a file that is drawn.
    ///
    /// # Errors
    /// When the file system refuses it.
    pub fn act(
        &mut self,
        operation: FileOperation,
        (calls, rng): (&mut dyn FileCalls, &mut Rng),
    ) -> Result<(), Fault> {
        match operation {
            FileOperation::Create => {
                let directory = below(rng, u64::from(self.directories)) as u32;
                let file = FilePlace { directory, number: self.new_number() };
                calls.create(file, self.size(rng))?;
                self.files.push(file);
                Ok(())
            }
            FileOperation::Delete => {
                let index = self.draw(rng);
                calls.delete(self.files[index])?;
                self.files.swap_remove(index);
                Ok(())
            }
            FileOperation::Rename => {
                let (index, number) = (self.draw(rng), self.new_number());
                calls.rename(self.files[index], number)?;
                self.files[index].number = number;
                Ok(())
            }
            FileOperation::Append => calls.append(self.files[self.draw(rng)], self.append_bytes),
            FileOperation::Read => calls.read(self.files[self.draw(rng)]),
            FileOperation::Stat => calls.stat(self.files[self.draw(rng)]),
            FileOperation::List => calls.list(below(rng, u64::from(self.directories)) as u32),
        }
    }

    fn new_number(&mut self) -> u64 {
        let number = self.next;
        self.next += self.stride;
        number
    }

    /// The index of any file, each alike; there is always one.
    fn draw(&self, rng: &mut Rng) -> usize {
        below(rng, self.files.len() as u64) as usize
    }

    /// The size of a file that is created.
    fn size(&self, rng: &mut Rng) -> u64 {
        let (least, most) = self.sizes;
        least + below(rng, most - least + 1)
    }
}

/// A number below `end`, each alike but for 2^-32.
fn below(rng: &mut Rng, end: u64) -> u64 {
    rng.next_u64() % end
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::spec::profile::{FileSync, Preallocation};
    use crate::words::seed;

    /// Files in memory, which refuse what a file system would.
    #[derive(Default)]
    struct MemoryFiles {
        sizes: BTreeMap<FilePlace, u64>,
        lists: u64,
    }

    impl MemoryFiles {
        fn find(&mut self, file: FilePlace) -> Result<&mut u64, Fault> {
            self.sizes.get_mut(&file).ok_or_else(|| Fault::new("no such file"))
        }
    }

    impl FileCalls for MemoryFiles {
        fn create(&mut self, file: FilePlace, bytes: u64) -> Result<(), Fault> {
            match self.sizes.insert(file, bytes) {
                None => Ok(()),
                Some(_) => Err(Fault::new("it exists")),
            }
        }

        fn append(&mut self, file: FilePlace, bytes: u64) -> Result<(), Fault> {
            *self.find(file)? += bytes;
            Ok(())
        }

        fn read(&mut self, file: FilePlace) -> Result<(), Fault> {
            self.find(file).map(|_| ())
        }

        fn stat(&mut self, file: FilePlace) -> Result<(), Fault> {
            self.find(file).map(|_| ())
        }

        fn rename(&mut self, file: FilePlace, number: u64) -> Result<(), Fault> {
            let bytes = *self.find(file)?;
            self.sizes.remove(&file);
            self.create(FilePlace { number, ..file }, bytes)
        }

        fn delete(&mut self, file: FilePlace) -> Result<(), Fault> {
            self.find(file)?;
            self.sizes.remove(&file);
            Ok(())
        }

        fn list(&mut self, _directory: u32) -> Result<(), Fault> {
            self.lists += 1;
            Ok(())
        }
    }

    fn tree(count: u32) -> FileTree {
        FileTree {
            count,
            directories: 3,
            bytes_min: 10,
            bytes_max: 20,
            append_bytes: 5,
            preallocation: Preallocation::None,
            sync: FileSync::None,
            operations: Vec::new(),
        }
    }

    #[test]
    fn threads_have_all_files_and_none_in_common() {
        let mut calls = MemoryFiles::default();
        let mut rng = seed::rng(1);
        let mut threads: Vec<ThreadFiles> =
            (0..3).map(|thread| ThreadFiles::new(&tree(10), (thread, 3))).collect();
        let counts: Vec<usize> = threads.iter().map(|own| own.files().len()).collect();
        assert_eq!(counts, [4, 3, 3]);
        for own in &threads {
            own.populate(&mut calls, &mut rng, |_| Ok::<(), Fault>(())).unwrap();
        }
        assert_eq!(calls.sizes.len(), 10);
        for round in 0..3_000 {
            let operation = FileOperation::ALL[round % FileOperation::ALL.len()];
            for own in &mut threads {
                let turn = own.turn(operation);
                own.act(turn, (&mut calls, &mut rng)).unwrap();
            }
        }
        let mut all: Vec<FilePlace> =
            threads.iter().flat_map(|own| own.files().iter().copied()).collect();
        all.sort();
        assert_eq!(all, calls.sizes.keys().copied().collect::<Vec<_>>());
        assert!(calls.sizes.keys().all(|file| file.directory < 3));
        assert!(calls.sizes.values().all(|bytes| *bytes >= 10));
    }

    #[test]
    fn the_number_of_files_stays_near_its_start_and_the_shares_equal() {
        for count in [1, 2, 7, 100] {
            let mut calls = MemoryFiles::default();
            let mut rng = seed::rng(2);
            let mut own = ThreadFiles::new(&tree(count), (0, 1));
            own.populate(&mut calls, &mut rng, |_| Ok::<(), Fault>(())).unwrap();
            let mut created = 0;
            for _ in 0..20_000 {
                let drawn =
                    [FileOperation::Create, FileOperation::Delete][below(&mut rng, 2) as usize];
                let turn = own.turn(drawn);
                created += u32::from(turn == FileOperation::Create);
                own.act(turn, (&mut calls, &mut rng)).unwrap();
                let files = own.files().len();
                assert!(
                    files >= 1 && files <= (count as usize * 3 / 2).max(2),
                    "{files} of {count}"
                );
            }
            assert!(created.abs_diff(10_000) < 300, "{created} of 20,000 at {count} files");
        }
    }

    #[test]
    fn a_refusal_changes_nothing() {
        let mut calls = MemoryFiles::default();
        let mut rng = seed::rng(3);
        let mut own = ThreadFiles::new(&tree(4), (0, 1));
        let before = own.files().to_vec();
        for operation in [FileOperation::Delete, FileOperation::Rename, FileOperation::Stat] {
            assert!(own.act(operation, (&mut calls, &mut rng)).is_err());
        }
        assert_eq!(own.files(), before);
    }
}
