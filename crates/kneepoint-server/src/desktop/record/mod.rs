//! Recording: between a viewer and a server stands this program, which is a server to the one and a client to
//! the other, and notes what is done and where the screen answers.

mod notebook;
mod viewer;

pub use notebook::{Notebook, Recorded};
pub use viewer::{Viewer, ViewerInput};

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use super::address::{Address, Place, places};
use super::client::Event;
use super::net::{Arrival, Net, Sockets, What};
use super::rfb::Client;

/// How long what comes from the server is waited for before it is looked what comes from the viewer.
const TURN: Nanos = Nanos::from_millis(4);
/// How often it is looked whether a viewer has come.
const LOOK: Duration = Duration::from_millis(20);
/// Bytes that are read at once.
const CHUNK: usize = 64 << 10;

/// A server of screens with an address for a viewer.
#[derive(Debug)]
pub struct Recording {
    listener: TcpListener,
    server: (String, u16),
    password: Option<Vec<u8>>,
}

impl Recording {
    /// Waits at `port` of this machine, or at any that is free if that is 0, for a viewer of `target`, a server
    /// that runs and whose password this is.
    ///
    /// # Errors
    /// When the target is none, or the port is taken.
    pub fn open(target: &str, port: u16, password: Option<String>) -> Result<Self, Fault> {
        let server = match Address::parse(target)?.place {
            Place::Running { host, port } => (host, port),
            Place::Accounts(_) => {
                return Err(Fault::new("a recording is made at a screen of VNC")
                    .because("viewers of RDP are not spoken to")
                    .fix("record the same work at vnc://HOST:PORT; its script can be played over RDP"));
            }
            Place::Temporary(_) => {
                return Err(Fault::new("a recording is made at a server that runs")
                    .because("the sessions of vnc:temp run as long as a run that measures")
                    .fix(
                        "start one with `kneepoint sessions start --users 1`, and record at \
                          vnc://localhost:5901",
                    ));
            }
        };
        let listen = |error: io::Error| {
            Fault::new(format!("cannot wait for a viewer at port {port}"))
                .because(error)
                .fix("choose another one with --port, or 0 for one that is free")
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(listen)?;
        listener.set_nonblocking(true).map_err(listen)?;
        Ok(Self { listener, server, password: password.map(String::into_bytes) })
    }

    /// Where the viewer finds the screen.
    ///
    /// # Errors
    /// When the kernel does not tell.
    pub fn address(&self) -> Result<SocketAddr, Fault> {
        self.listener
            .local_addr()
            .map_err(|error| Fault::new("the address for the viewer is not known").because(error))
    }

    /// Records until the viewer leaves or `is_ended` says so; `None` if nothing was done that could be timed.
    ///
    /// # Errors
    /// When the server cannot be reached or leaves, or what comes is no viewer.
    pub fn run(&self, is_ended: &dyn Fn() -> bool) -> Result<Option<Recorded>, Fault> {
        let (host, port) = &self.server;
        let mut net = Sockets::new(places((host, *port), 1)?);
        net.connect(0)?;
        let client = Client::new(self.password.clone());
        let mut desk = Desk { net, client, is_ready: false, notebook: Notebook::default() };
        desk.await_screen(is_ended)?;
        let Some(stream) = self.viewer(&mut desk, is_ended)? else { return Ok(None) };
        let mut guest = Guest::new(stream, desk.client.screen().size())?;
        while !is_ended() && desk.take_turn(&mut guest)? {}
        desk.net.close(0);
        let screen = desk.client.screen().clone();
        Ok(desk.notebook.finish(&screen))
    }

    /// The viewer, once it has come; `None` if it was ended before.
    fn viewer(
        &self,
        desk: &mut Desk,
        is_ended: &dyn Fn() -> bool,
    ) -> Result<Option<TcpStream>, Fault> {
        loop {
            if is_ended() {
                return Ok(None);
            }
            match self.listener.accept() {
                Ok((stream, _)) => return Ok(Some(stream)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    desk.hear()?;
                    thread::sleep(LOOK);
                }
                Err(error) => {
                    return Err(Fault::new("a viewer could not connect").because(error));
                }
            }
        }
    }
}

/// The screen of the server.
struct Desk {
    net: Sockets,
    client: Client,
    is_ready: bool,
    notebook: Notebook,
}

impl Desk {
    /// Waits until the screen has been painted.
    fn await_screen(&mut self, is_ended: &dyn Fn() -> bool) -> Result<(), Fault> {
        let begun = self.net.now();
        while !self.is_ready && !is_ended() {
            self.hear()?;
            if self.net.now().since(begun) > Nanos::from_secs(30) {
                return Err(Fault::new("the server sent no screen within 30 s")
                    .fix("look at its log, and at how many connections it takes"));
            }
        }
        Ok(())
    }

    /// Takes what the server says.
    fn hear(&mut self) -> Result<(), Fault> {
        let mut arrivals: Vec<Arrival> = Vec::new();
        let until = self.net.now() + TURN;
        self.net.wait(until, &mut arrivals);
        for arrival in arrivals {
            let bytes = match arrival.what {
                What::Bytes(bytes) => bytes,
                What::Closed(why) => {
                    return Err(Fault::new("the server ended the session that is recorded")
                        .because(why)
                        .fix("look at its log: it has ended, or takes no more sessions"));
                }
            };
            if self.client.feed(&bytes)?.contains(&Event::Updated) {
                self.is_ready = true;
                self.notebook.changed(arrival.at);
            }
        }
        self.answer();
        Ok(())
    }

    /// Sends what the client has to say.
    fn answer(&mut self) {
        let output = self.client.take_output();
        if !output.is_empty() {
            self.net.send(0, &output);
        }
    }

    /// Takes from both sides what has come, and gives it to the other; `false` once the viewer has left.
    fn take_turn(&mut self, guest: &mut Guest) -> Result<bool, Fault> {
        self.hear()?;
        let Some(inputs) = guest.hear()? else { return Ok(false) };
        for input in inputs {
            let at = self.net.now();
            self.notebook.input(input, at, self.client.screen());
            match input {
                ViewerInput::Key(symbol, way) => self.client.key(symbol, way),
                ViewerInput::Pointer(place, buttons) => self.client.pointer(place, buttons),
            }
            self.answer();
        }
        guest.viewer.show(self.client.screen())?;
        guest.answer();
        Ok(true)
    }
}

/// The viewer with its connection.
struct Guest {
    stream: TcpStream,
    viewer: Viewer,
    unsent: Vec<u8>,
}

impl Guest {
    fn new(stream: TcpStream, size: (u16, u16)) -> Result<Self, Fault> {
        let ready = stream.set_nodelay(true).and_then(|()| stream.set_nonblocking(true));
        ready.map_err(|error| Fault::new("a viewer could not connect").because(error))?;
        Ok(Self { stream, viewer: Viewer::new(size), unsent: Vec::new() })
    }

    /// What its user has done; `None` once it has left.
    fn hear(&mut self) -> Result<Option<Vec<ViewerInput>>, Fault> {
        let mut inputs = Vec::new();
        let mut chunk = [0; CHUNK];
        loop {
            match self.stream.read(&mut chunk) {
                Ok(0) => return Ok(None),
                Ok(count) => inputs.extend(self.viewer.feed(&chunk[..count])?),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(Some(inputs)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // It is gone, however it went.
                Err(_) => return Ok(None),
            }
        }
    }

    /// Sends what it can of what the viewer is to get. That it has left shows when it is read.
    fn answer(&mut self) {
        self.unsent.extend(self.viewer.take_output());
        while !self.unsent.is_empty() {
            match self.stream.write(&self.unsent) {
                Ok(0) | Err(_) => return,
                Ok(count) => drop(self.unsent.drain(..count)),
            }
        }
    }
}
