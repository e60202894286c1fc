//! A file that fails on request: errors, short transfers, and I/Os that hang until they are let go.
//!
//! A server of the kernel's FUSE protocol (man 4 fuse; linux/fuse.h) for a single file, which is
//! the root of its mount. It needs root, `/dev/fuse` and the programs mount and umount.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::Duration;

use crate::{has_tools, skipped};

/// What becomes of the reads and writes that the file gets, and of those who look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// Nothing: they are answered at once.
    None,
    /// Those that touch this byte fail with EIO.
    Error(u64),
    /// Writes fail with ENOSPC.
    Full,
    /// Half of the bytes are transferred.
    Short,
    /// They are not answered until the trouble changes.
    Hang,
    /// Writes are not answered until the trouble changes.
    HangWrites,
    /// Whoever looks at the file (stat) or opens it is not answered until the trouble changes.
    HangLooks,
}

impl Trouble {
    /// Whether a request of that number is not answered.
    const fn holds(self, number: u32) -> bool {
        match self {
            Self::None | Self::Error(_) | Self::Full | Self::Short => false,
            Self::Hang => matches!(number, request::READ | request::WRITE),
            Self::HangWrites => number == request::WRITE,
            Self::HangLooks => matches!(number, request::GETATTR | request::OPEN),
        }
    }
}

/// A mounted file; unmounted, and everything that hangs let go, when it is dropped.
#[derive(Debug)]
pub struct TroubledFile {
    path: PathBuf,
    shared: Arc<Shared>,
    server: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    trouble: Mutex<Trouble>,
    is_over: AtomicBool,
}

impl TroubledFile {
    /// Mounts a file of `bytes` zeros at `path`; nothing, with the reason said, if that is not
    /// possible here.
    #[track_caller]
    pub fn mount(path: &Path, bytes: usize) -> Option<Self> {
        if !has_tools(&["mount", "umount"]) {
            return None;
        }
        let mut options = OpenOptions::new();
        let device = match options.read(true).write(true).custom_flags(O_NONBLOCK).open("/dev/fuse")
        {
            Ok(device) => device,
            Err(error) => {
                skipped(format_args!("/dev/fuse cannot be opened: {error}"));
                return None;
            }
        };
        let made = File::create(path).and_then(|_| device.try_clone());
        let inherited = match made {
            Ok(inherited) => inherited,
            Err(error) => panic!("{}: {error}", path.display()),
        };
        let mut mount = Command::new("mount");
        mount.args(["-i", "-t", "fuse", "-o"]).arg("fd=0,rootmode=100644,user_id=0,group_id=0");
        let mounted = mount.arg("kneepoint-test").arg(path).stdin(Stdio::from(inherited)).output();
        match mounted {
            Ok(output) if output.status.success() => {}
            Ok(output) => {
                let said = String::from_utf8_lossy(&output.stderr);
                skipped(format_args!("FUSE cannot be mounted: {}", said.trim()));
                return None;
            }
            Err(error) => {
                skipped(format_args!("mount cannot be run: {error}"));
                return None;
            }
        }
        let is_over = AtomicBool::new(false);
        let shared = Arc::new(Shared { trouble: Mutex::new(Trouble::None), is_over });
        let server =
            Server { device, shared: Arc::clone(&shared), data: vec![0; bytes], held: Vec::new() };
        let server = Builder::new().spawn(|| server.serve()).expect("a thread for the server");
        Some(Self { path: path.to_owned(), shared, server: Some(server) })
    }

    /// Changes what becomes of requests; those that hang are answered accordingly.
    pub fn set(&self, trouble: Trouble) {
        *self.shared.trouble.lock().unwrap_or_else(PoisonError::into_inner) = trouble;
    }
}

impl Drop for TroubledFile {
    fn drop(&mut self) {
        // Without the server the kernel answers everything with an error, so nothing stays behind.
        self.shared.is_over.store(true, Ordering::Relaxed);
        if let Some(server) = self.server.take() {
            let _ = server.join();
        }
        let _ = Command::new("umount").arg("-l").arg(&self.path).output();
    }
}

/// `O_NONBLOCK` on Linux.
const O_NONBLOCK: i32 = 0o4000;
/// Error numbers of Linux.
const EIO: i32 = 5;
const ENOSPC: i32 = 28;
const ENOSYS: i32 = 38;

/// The page cache is passed by, or it would make up for short reads.
const FOPEN_DIRECT_IO: u64 = 1;

/// How often the server looks for requests.
const PAUSE: Duration = Duration::from_micros(200);

/// Bytes before the arguments of a request.
const HEADER: usize = 40;
/// Bytes before the data of a write: the header and the arguments.
const WRITE_HEADER: usize = HEADER + 40;
/// Largest write that is taken.
const WRITE_MAX: u32 = 128 << 10;

/// Numbers of the requests that are answered.
mod request {
    pub(super) const FORGET: u32 = 2;
    pub(super) const GETATTR: u32 = 3;
    pub(super) const SETATTR: u32 = 4;
    pub(super) const OPEN: u32 = 14;
    pub(super) const READ: u32 = 15;
    pub(super) const WRITE: u32 = 16;
    pub(super) const STATFS: u32 = 17;
    pub(super) const RELEASE: u32 = 18;
    pub(super) const FSYNC: u32 = 20;
    pub(super) const FLUSH: u32 = 25;
    pub(super) const INIT: u32 = 26;
    pub(super) const INTERRUPT: u32 = 36;
    pub(super) const BATCH_FORGET: u32 = 42;
}

struct Server {
    device: File,
    shared: Arc<Shared>,
    data: Vec<u8>,
    /// Requests that hang.
    held: Vec<Vec<u8>>,
}

impl Server {
    /// Answers requests until the file is dropped.
    fn serve(mut self) {
        let mut buffer = vec![0; WRITE_HEADER + WRITE_MAX as usize + 4096];
        while !self.shared.is_over.load(Ordering::Relaxed) {
            let trouble = self.trouble();
            for request in std::mem::take(&mut self.held) {
                self.answer(&request, trouble);
            }
            match self.device.read(&mut buffer) {
                Ok(length) => self.answer(&buffer[..length], self.trouble()),
                Err(_) => sleep(PAUSE),
            }
        }
    }

    fn trouble(&self) -> Trouble {
        *self.shared.trouble.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&mut self, request: &[u8], trouble: Trouble) {
        let reply: Result<Vec<u8>, i32> = match number(request, 4) {
            request::FORGET | request::BATCH_FORGET | request::INTERRUPT => return,
            number if trouble.holds(number) => return self.held.push(request.to_vec()),
            request::READ | request::WRITE => return self.transfer(request, trouble),
            request::INIT => Ok(welcome()),
            request::GETATTR | request::SETATTR => Ok(self.attributes()),
            request::OPEN => Ok([0, FOPEN_DIRECT_IO].map(u64::to_ne_bytes).concat()),
            request::STATFS => Ok(vec![0; 80]),
            request::RELEASE | request::FSYNC | request::FLUSH => Ok(Vec::new()),
            _ => Err(ENOSYS),
        };
        self.reply(request, reply);
    }

    /// Answers a read or a write.
    fn transfer(&mut self, request: &[u8], trouble: Trouble) {
        let (offset, bytes) = (wide(request, HEADER + 8), number(request, HEADER + 16));
        let wanted = offset..offset + u64::from(bytes);
        let bytes = match trouble {
            Trouble::Error(at) if wanted.contains(&at) => return self.reply(request, Err(EIO)),
            Trouble::Full if number(request, 4) == request::WRITE => {
                return self.reply(request, Err(ENOSPC));
            }
            Trouble::Short => bytes / 2,
            _ => bytes,
        };
        let start = (offset as usize).min(self.data.len());
        let end = (start + bytes as usize).min(self.data.len());
        let reply = match number(request, 4) {
            request::READ => self.data[start..end].to_vec(),
            _ => {
                let moved = end - start;
                self.data[start..end].copy_from_slice(&request[WRITE_HEADER..][..moved]);
                let mut reply = (moved as u32).to_ne_bytes().to_vec();
                reply.extend([0; 4]);
                reply
            }
        };
        self.reply(request, Ok(reply));
    }

    /// Sends a header and what belongs to it; who asked may be gone.
    fn reply(&mut self, request: &[u8], reply: Result<Vec<u8>, i32>) {
        let (error, body) = reply.map_or_else(|error| (-error, Vec::new()), |body| (0, body));
        let mut message = (16 + body.len() as u32).to_ne_bytes().to_vec();
        message.extend(error.to_ne_bytes());
        message.extend(&request[8..16]);
        message.extend(body);
        let _ = self.device.write(&message);
    }

    /// `struct fuse_attr_out`: a file of root's that everybody may read.
    fn attributes(&self) -> Vec<u8> {
        let size = self.data.len() as u64;
        let wide = [0, 0, 1, size, size.div_ceil(512), 0, 0, 0];
        let narrow: [u32; 10] = [0, 0, 0, 0o100_644, 1, 0, 0, 0, 4096, 0];
        let wide = wide.iter().flat_map(|value: &u64| value.to_ne_bytes());
        wide.chain(narrow.iter().flat_map(|value| value.to_ne_bytes())).collect()
    }
}

/// `struct fuse_init_out` of protocol 7.31: asynchronous reads and direct I/O.
fn welcome() -> Vec<u8> {
    const FLAGS: u32 = 1 | 1 << 15;
    let mut reply: Vec<u8> = [7, 31, 0, FLAGS, 0, WRITE_MAX, 1]
        .iter()
        .flat_map(|value: &u32| value.to_ne_bytes())
        .collect();
    // Limits of what is in flight in the background: 64, and congested from 48 on.
    reply[16..20].copy_from_slice(&(64_u32 | 48 << 16).to_ne_bytes());
    reply.resize(64, 0);
    reply
}

fn number(request: &[u8], at: usize) -> u32 {
    u32::from_ne_bytes(request[at..at + 4].try_into().expect("four bytes"))
}

fn wide(request: &[u8], at: usize) -> u64 {
    u64::from_ne_bytes(request[at..at + 8].try_into().expect("eight bytes"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::FileExt;

    use super::*;

    #[test]
    fn a_file_fails_as_it_is_told_and_works_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let Some(mounted) = TroubledFile::mount(&path, 1 << 20) else { return };
        let direct = 0o40_000;
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).custom_flags(direct).open(&path).unwrap();
        assert_eq!(file.metadata().unwrap().len(), 1 << 20);
        let mut buffer = [0; 8];
        let mut read = || file.read_at(&mut buffer, 4096);
        assert_eq!(read().unwrap(), 8);
        mounted.set(Trouble::Error(4100));
        assert_eq!(read().unwrap_err().raw_os_error(), Some(EIO));
        mounted.set(Trouble::Short);
        assert_eq!(read().unwrap(), 4);
        mounted.set(Trouble::Full);
        assert_eq!(file.write_at(b"abcd", 4096).unwrap_err().raw_os_error(), Some(ENOSPC));
        mounted.set(Trouble::None);
        assert_eq!(file.write_at(b"abcd", 4096).unwrap(), 4);
        file.read_at(&mut buffer, 4096).unwrap();
        assert_eq!(&buffer[..4], b"abcd");
        drop(mounted);
        assert!(file.read_at(&mut buffer, 0).is_err(), "nothing hangs without its server");
    }
}
