//! A connection to a screen as its client sees it, whatever protocol it speaks.

use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use super::rfb;
use super::screen::Screen;

/// What has happened once bytes of the server were taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The connection is made; the screen has its size and is black.
    Ready,
    /// A whole update has been painted.
    Updated,
}

/// Which way a key goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyWay {
    /// It is pressed.
    Down,
    /// It is released.
    Up,
}

/// How long a server may take to end a session that it was asked to end.
pub(crate) const FAREWELL: Nanos = Nanos::from_secs(10);

/// How a session is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leave {
    /// The connection is closed.
    Close,
    /// The server was asked to end the session, and closes the connection then.
    Await,
}

/// A connection as its client sees it: bytes come and go, and there is a screen, a keyboard and a pointer.
pub trait ScreenClient: Send {
    /// What the user sees.
    fn screen(&self) -> &Screen;

    /// The bytes for the server since the last call; the first ones open the connection.
    fn take_output(&mut self) -> Vec<u8>;

    /// Presses or releases a key, by its symbol in X.
    fn key(&mut self, symbol: u32, way: KeyWay);

    /// Moves the pointer to a place with these buttons pressed, the first as bit 0.
    fn pointer(&mut self, place: (u16, u16), buttons: u8);

    /// Takes bytes of the server; gives what has happened.
    ///
    /// # Errors
    /// When the server refuses the client, ends the session, or breaks the protocol: the connection is of no more
    /// use.
    fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Event>, Fault>;

    /// Does what has to be done before the connection is closed.
    fn leave(&mut self) -> Leave;
}

/// Where users get their clients from.
pub trait Door: Send + Sync {
    /// A client for the user of this number, from 0.
    ///
    /// # Errors
    /// When this user cannot come in.
    fn client(&self, user: usize) -> Result<Box<dyn ScreenClient>, Fault>;
}

/// The door of a VNC server.
#[derive(Debug, Clone, Default)]
pub(crate) struct VncDoor {
    /// The server's password, if one is known.
    pub(crate) password: Option<Vec<u8>>,
}

impl Door for VncDoor {
    fn client(&self, _user: usize) -> Result<Box<dyn ScreenClient>, Fault> {
        Ok(Box::new(rfb::Client::new(self.password.clone())))
    }
}

impl ScreenClient for rfb::Client {
    fn screen(&self) -> &Screen {
        self.screen()
    }

    fn take_output(&mut self) -> Vec<u8> {
        self.take_output()
    }

    fn key(&mut self, symbol: u32, way: KeyWay) {
        self.key(symbol, way);
    }

    fn pointer(&mut self, place: (u16, u16), buttons: u8) {
        self.pointer(place, buttons);
    }

    fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Event>, Fault> {
        self.feed(bytes)
    }

    fn leave(&mut self) -> Leave {
        Leave::Close
    }
}
