//! Loop devices on files of this test's own. Everything is taken down when the values go out of
//! scope, also after a failed assertion.

use std::fs::File;
use std::hash::{DefaultHasher, Hasher};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kneepoint_testkit::{has_tools, skipped};

/// One test at a time: loop devices are few.
static TURN: Mutex<()> = Mutex::new(());

/// Whether the tests can run here, and the turn of this one.
pub(crate) struct Bench {
    dir: tempfile::TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Bench {
    /// A place for images; nothing, with the reason said, if the tests are not root's or a tool is
    /// missing.
    #[track_caller]
    pub(crate) fn new(tools: &[&str]) -> Option<Self> {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        if std::fs::metadata("/proc/self").unwrap().uid() != 0 {
            skipped("not root");
            return None;
        }
        if !Path::new("/dev/loop-control").exists() {
            skipped("no loop devices");
            return None;
        }
        let tools = [&["losetup", "mount", "umount"], tools].concat();
        has_tools(&tools).then(|| Self { dir: tempfile::tempdir().unwrap(), _turn: turn })
    }

    /// A sparse image of that many MiB.
    pub(crate) fn image(&self, name: &str, mib: u64) -> PathBuf {
        let path = self.dir.path().canonicalize().unwrap().join(name);
        File::create(&path).unwrap().set_len(mib << 20).unwrap();
        path
    }

    /// A place to mount on.
    pub(crate) fn mount_point(&self) -> PathBuf {
        let path = self.dir.path().canonicalize().unwrap().join("mount point");
        std::fs::create_dir_all(&path).unwrap();
        path
    }
}

/// Runs a command that must succeed, and returns what it printed.
pub(crate) fn run(command: &str, arguments: &[&str]) -> String {
    let output = Command::new(command).args(arguments).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command} {arguments:?}: {text} {errors}");
    text
}

/// An attached loop device.
pub(crate) struct Loop {
    /// Its node.
    pub(crate) node: PathBuf,
    /// What it shows.
    pub(crate) image: PathBuf,
}

impl Loop {
    /// Attaches an image, with `options` for `losetup`.
    pub(crate) fn attach(image: &Path, options: &[&str]) -> Self {
        let image_name = image.to_str().unwrap();
        let arguments = [&["--find", "--show"], options, &[image_name]].concat();
        let node = PathBuf::from(run("losetup", &arguments));
        Self { node, image: image.to_owned() }
    }

    /// Attaches an image with a partition table, and shows its partitions.
    pub(crate) fn attach_partitioned(image: &Path) -> Self {
        let disk = Self::attach(image, &["--partscan"]);
        if !disk.partition(1).exists() {
            // A kernel without readers of partition tables takes partitions by command alone.
            run("partx", &["--add", disk.name()]);
        }
        disk
    }

    /// The node as text.
    pub(crate) fn name(&self) -> &str {
        self.node.to_str().unwrap()
    }

    /// The node of a partition.
    pub(crate) fn partition(&self, index: u32) -> PathBuf {
        PathBuf::from(format!("{}p{index}", self.name()))
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        let _ = Command::new("losetup").arg("--detach").arg(&self.node).status();
    }
}

/// Something to undo at the end of a test: the command that undoes it.
pub(crate) struct Undo(Vec<String>);

/// How often undoing is tried, and the pause between: the kernel lets go of the files of a ring a
/// moment after their process has ended.
const TRIES: usize = 50;
const PAUSE: Duration = Duration::from_millis(200);

impl Drop for Undo {
    #[expect(clippy::print_stderr, reason = "whoever runs the tests has to clean up")]
    fn drop(&mut self) {
        for _ in 0..TRIES {
            let output = Command::new(&self.0[0]).args(&self.0[1..]).output();
            if output.is_ok_and(|output| output.status.success()) {
                return;
            }
            std::thread::sleep(PAUSE);
        }
        eprintln!("left behind, as this failed: {}", self.0.join(" "));
    }
}

/// Mounts a device.
pub(crate) fn mount(device: &Path, place: &Path) -> Undo {
    run("mount", &[device.to_str().unwrap(), place.to_str().unwrap()]);
    Undo(vec!["umount".to_owned(), place.display().to_string()])
}

/// Write-protects a loop device, which would stay so beyond its file.
pub(crate) fn set_read_only(disk: &Loop) -> Undo {
    run("blockdev", &["--setro", disk.name()]);
    Undo(vec!["blockdev".to_owned(), "--setrw".to_owned(), disk.name().to_owned()])
}

/// Unmounts what is mounted there at the end of the test.
pub(crate) fn unmount_at_end(place: &Path) -> Undo {
    Undo(vec!["umount".to_owned(), place.display().to_string()])
}

/// Mounts a device that takes no writes.
pub(crate) fn mount_read_only(device: &Path, place: &Path) -> Undo {
    run("mount", &["-o", "ro,noload", device.to_str().unwrap(), place.to_str().unwrap()]);
    Undo(vec!["umount".to_owned(), place.display().to_string()])
}

/// Lays one folder over another, to be seen at `place`; nothing, with the reason on the terminal,
/// where the kernel cannot.
pub(crate) fn overlay([lower, upper, work]: [&Path; 3], place: &Path) -> Option<Undo> {
    let options = format!(
        "lowerdir={},upperdir={},workdir={}",
        lower.display(),
        upper.display(),
        work.display()
    );
    let place = place.to_str().unwrap();
    let arguments = ["-t", "overlay", "overlay", "-o", &options, place];
    let mounted = Command::new("mount").args(arguments).output().unwrap();
    if !mounted.status.success() {
        skipped(format_args!("no overlay here: {}", String::from_utf8_lossy(&mounted.stderr)));
        return None;
    }
    Some(Undo(vec!["umount".to_owned(), place.to_owned()]))
}

/// Swaps on a device.
pub(crate) fn swap_on(device: &Path) -> Undo {
    run("swapon", &[device.to_str().unwrap()]);
    Undo(vec!["swapoff".to_owned(), device.display().to_string()])
}

/// Marks a file as `chattr` does, until the end of the test.
pub(crate) fn mark(file: &Path, attribute: char) -> Undo {
    run("chattr", &[&format!("+{attribute}"), file.to_str().unwrap()]);
    Undo(vec!["chattr".to_owned(), format!("-{attribute}"), file.display().to_string()])
}

/// A checksum of each file, after everything that is still to be written has been.
pub(crate) fn checksums(files: &[&Path]) -> Vec<u64> {
    run("sync", &[]);
    files.iter().map(|file| checksum(file)).collect()
}

fn checksum(path: &Path) -> u64 {
    const CHUNK: usize = 1 << 20;
    let mut file = File::open(path).unwrap();
    let mut hasher = DefaultHasher::new();
    let (mut buffer, zeros) = (vec![0; CHUNK], vec![0; CHUNK]);
    for index in 0.. {
        let length = file.read(&mut buffer).unwrap();
        if length == 0 {
            break;
        }
        // Holes are long and hashing is slow: a chunk of zeros adds nothing but its absence.
        if buffer[..length] != zeros[..length] {
            hasher.write_usize(index);
            hasher.write(&buffer[..length]);
        }
    }
    hasher.finish()
}
