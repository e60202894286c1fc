//! Connections to screens, and the time by which they are watched.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use kneepoint_core::plan::HostShare;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(10);

/// Bytes that are read at once.
const CHUNK: usize = 256 << 10;

/// The time by the clock of this machine that hosts of a fleet begin by.
pub(crate) fn monotonic() -> Nanos {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    Nanos(now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64)
}

/// What came on a connection.
#[derive(Debug)]
pub(crate) struct Arrival {
    /// Whose.
    pub(crate) user: usize,
    /// When.
    pub(crate) at: Nanos,
    /// What.
    pub(crate) what: What,
}

/// What comes on connections.
#[derive(Debug)]
pub(crate) enum What {
    /// Bytes of the server.
    Bytes(Vec<u8>),
    /// The end, and why.
    Closed(String),
}

/// Connections of users to their screens.
pub(crate) trait Net {
    /// The time since a start that stays the same.
    fn now(&mut self) -> Nanos;

    /// Connects a user to its screen.
    ///
    /// # Errors
    /// When no one answers there.
    fn connect(&mut self, user: usize) -> Result<(), Fault>;

    /// Sends bytes to the server of a user.
    fn send(&mut self, user: usize, bytes: &[u8]);

    /// Ends the connection of a user.
    fn close(&mut self, user: usize);

    /// Waits until `deadline` or until something comes; adds what came.
    fn wait(&mut self, deadline: Nanos, arrivals: &mut Vec<Arrival>);
}

/// Where a screen is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ScreenPlace {
    /// At a port.
    Tcp(SocketAddr),
    /// At a socket of this machine.
    Unix(PathBuf),
}

impl ScreenPlace {
    /// Whether it is on this machine.
    pub(crate) const fn is_here(&self) -> bool {
        match self {
            Self::Tcp(address) => address.ip().is_loopback(),
            Self::Unix(_) => true,
        }
    }
}

impl std::fmt::Display for ScreenPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Tcp(address) => address.fmt(f),
            Self::Unix(path) => path.display().fmt(f),
        }
    }
}

/// Real connections and the monotonic clock.
pub(crate) struct Sockets {
    epoch: Instant,
    /// Where the screen of each user is.
    pub(crate) places: Vec<ScreenPlace>,
    /// Which of all users these are.
    pub(crate) share: HostShare,
    lines: Vec<Option<Line>>,
    chunk: Vec<u8>,
}

/// A connection with what could not be sent yet.
struct Line {
    stream: Stream,
    unsent: Vec<u8>,
}

enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Stream {
    fn open(place: &ScreenPlace) -> io::Result<Self> {
        match place {
            ScreenPlace::Tcp(address) => {
                let stream = TcpStream::connect_timeout(address, CONNECT)?;
                // A stroke is not held back to be sent with the next one.
                stream.set_nodelay(true)?;
                stream.set_nonblocking(true)?;
                Ok(Self::Tcp(stream))
            }
            ScreenPlace::Unix(path) => {
                let stream = UnixStream::connect(path)?;
                stream.set_nonblocking(true)?;
                Ok(Self::Unix(stream))
            }
        }
    }

    fn fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Tcp(stream) => stream.as_fd(),
            Self::Unix(stream) => stream.as_fd(),
        }
    }

    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.read(bytes),
            Self::Unix(stream) => stream.read(bytes),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.write(bytes),
            Self::Unix(stream) => stream.write(bytes),
        }
    }
}

impl Line {
    /// Sends what it can. An error shows when the connection is read.
    fn flush(&mut self) {
        while !self.unsent.is_empty() {
            match self.stream.write(&self.unsent) {
                Ok(0) | Err(_) => return,
                Ok(count) => drop(self.unsent.drain(..count)),
            }
        }
    }
}

impl Sockets {
    /// No connection yet to any of `places`.
    pub(crate) fn new(places: Vec<ScreenPlace>) -> Self {
        let share = HostShare::WHOLE;
        Self { epoch: Instant::now(), places, share, lines: Vec::new(), chunk: vec![0; CHUNK] }
    }

    fn line(&mut self, user: usize) -> Option<&mut Line> {
        self.lines.get_mut(user)?.as_mut()
    }

    /// Reads what has come for `user`.
    fn read(&mut self, user: usize, at: Nanos) -> Option<Arrival> {
        let line = self.lines.get_mut(user)?.as_mut()?;
        let what = match line.stream.read(&mut self.chunk) {
            Ok(0) => What::Closed("it closed the connection".to_owned()),
            Ok(count) => What::Bytes(self.chunk[..count].to_vec()),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return None,
            Err(error) => What::Closed(error.to_string()),
        };
        if matches!(what, What::Closed(_)) {
            self.lines[user] = None;
        }
        Some(Arrival { user, at, what })
    }
}

impl Net for Sockets {
    fn now(&mut self) -> Nanos {
        Nanos(u64::try_from(self.epoch.elapsed().as_nanos()).unwrap_or(u64::MAX))
    }

    fn connect(&mut self, user: usize) -> Result<(), Fault> {
        let number = self.share.number(user) + 1;
        let place = self.places.get(user).ok_or_else(|| {
            Fault::new(format!("there is no screen for user {number}"))
                .because(format!("the target has {} screens", self.places.len()))
                .fix("use fewer --users, or start more sessions")
        })?;
        let stream = Stream::open(place).map_err(|error| {
            Fault::new(format!("user {number} cannot reach the screen at {place}"))
                .because(error)
                .fix("look whether its server runs, and how many connections it takes")
        })?;
        if self.lines.len() <= user {
            self.lines.resize_with(user + 1, || None);
        }
        self.lines[user] = Some(Line { stream, unsent: Vec::new() });
        Ok(())
    }

    fn send(&mut self, user: usize, bytes: &[u8]) {
        if let Some(line) = self.line(user) {
            line.unsent.extend_from_slice(bytes);
            line.flush();
        }
    }

    fn close(&mut self, user: usize) {
        if let Some(line) = self.lines.get_mut(user) {
            *line = None;
        }
    }

    fn wait(&mut self, deadline: Nanos, arrivals: &mut Vec<Arrival>) {
        let left = deadline.since(self.now());
        let open: Vec<usize> =
            (0..self.lines.len()).filter(|user| self.lines[*user].is_some()).collect();
        let lines = self.lines.iter().flatten();
        let mut fds: Vec<PollFd<'_>> = lines
            .map(|line| {
                let more = if line.unsent.is_empty() { PollFlags::empty() } else { PollFlags::OUT };
                PollFd::from_borrowed_fd(line.stream.fd(), PollFlags::IN | more)
            })
            .collect();
        let time = Timespec {
            tv_sec: (left.0 / 1_000_000_000) as i64,
            tv_nsec: (left.0 % 1_000_000_000) as i64,
        };
        // What interrupts it is found out by whoever waits.
        if poll(&mut fds, Some(&time)).is_err() {
            return;
        }
        let ready: Vec<PollFlags> = fds.iter().map(PollFd::revents).collect();
        let at = self.now();
        for (user, ready) in open.into_iter().zip(ready) {
            if ready.contains(PollFlags::OUT)
                && let Some(line) = self.line(user)
            {
                line.flush();
            }
            if ready.intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR) {
                arrivals.extend(self.read(user, at));
            }
        }
    }
}
