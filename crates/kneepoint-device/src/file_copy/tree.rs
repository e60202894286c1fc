//! The tree of a file set in a directory.

use std::collections::BTreeMap;
use std::io::ErrorKind;

use kneepoint_core::plan::FileSet;
use kneepoint_core::words::fault::Fault;

use crate::own_dir::{Folder, kept, trouble};

/// Makes the directories of `set` in a new directory `name` of `folder`, and gives that.
pub(super) fn make_tree(folder: &Folder, name: &str, set: &FileSet) -> Result<Folder, Fault> {
    let made = folder.make_folder(name).and_then(|()| folder.below(name));
    let root = made.map_err(|error| trouble("making", &folder.path_of(name), &error))?;
    for directory in &set.directories {
        root.make_folder(directory)
            .map_err(|error| trouble("making", &root.path_of(directory), &error))?;
    }
    Ok(root)
}

/// Removes the files and directories of `set` in the directory `name` of `folder`, and that
/// directory. What is of another name stays, and with it the directories above.
///
/// # Errors
/// When something cannot be removed, or something stays.
pub(super) fn remove_tree(folder: &Folder, name: &str, set: &FileSet) -> Result<(), Fault> {
    let root = match folder.below(name) {
        Ok(root) => root,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(trouble("removing", &folder.path_of(name), &error)),
    };
    let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for file in &set.files {
        let (directory, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        files.entry(directory).or_default().push(name);
    }
    // Every directory comes after the one that it is in.
    for directory in set.directories.iter().rev() {
        let inside = match root.below(directory) {
            Ok(inside) => inside,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(trouble("removing", &root.path_of(directory), &error)),
        };
        for name in files.get(directory.as_str()).into_iter().flatten() {
            remove_file(&inside, name)?;
        }
        root.remove_folder(directory).map_err(|error| kept(&inside, &error))?;
    }
    folder.remove_folder(name).map_err(|error| kept(&root, &error))
}

fn remove_file(folder: &Folder, name: &str) -> Result<(), Fault> {
    match folder.remove_name(name) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        // Not ours: removing the directory tells of it.
        Err(error) if error.kind() == ErrorKind::IsADirectory => Ok(()),
        removed => removed.map_err(|error| trouble("removing", &folder.path_of(name), &error)),
    }
}
