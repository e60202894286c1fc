//! The client as a state machine.

use kneepoint_core::words::fault::Fault;

use super::decode::Fields;
use super::des::vnc_response;
use super::zrle::Zrle;
use crate::desktop::client::{Event, KeyWay};
use crate::desktop::screen::{Rect, Screen};

/// Most bytes of a message that are waited for: a raw screen of 8K.
const MESSAGE_MAX: usize = 160 << 20;

/// Longest name of a desktop or reason of a refusal.
const TEXT_MAX: usize = 1 << 20;

/// Longest payload of a fence.
const FENCE_MAX: usize = 64;

/// The kinds of messages of a server.
mod message {
    pub(super) const UPDATE: u8 = 0;
    pub(super) const COLOURS: u8 = 1;
    pub(super) const BELL: u8 = 2;
    pub(super) const CUT_TEXT: u8 = 3;
    pub(super) const END_OF_CONTINUOUS: u8 = 150;
    pub(super) const FENCE: u8 = 248;
}

/// Encodings of rectangles, and pseudo-encodings.
mod encoding {
    pub(super) const RAW: i32 = 0;
    pub(super) const COPY_RECT: i32 = 1;
    pub(super) const ZRLE: i32 = 16;
    pub(super) const DESKTOP_SIZE: i32 = -223;
    pub(super) const CURSOR: i32 = -239;
    pub(super) const FENCE: i32 = -312;
    pub(super) const CONTINUOUS: i32 = -313;
}

/// Those that the client takes, the best first.
const ENCODINGS: [i32; 7] = [
    encoding::COPY_RECT,
    encoding::ZRLE,
    encoding::RAW,
    encoding::DESKTOP_SIZE,
    // The pointer is then no part of the screen.
    encoding::CURSOR,
    encoding::FENCE,
    encoding::CONTINUOUS,
];

/// 32 bits, little-endian, `0x00RRGGBB`.
const PIXEL_FORMAT: [u8; 16] = [32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0];

/// The flag of a fence that asks for an answer, and those that the client heeds.
const FENCE_REQUEST: u32 = 1 << 31;
const FENCE_KNOWN: u32 = 0b111;

/// How far the connection is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Version,
    SecurityTypes,
    /// Version 3.3: the server chooses.
    SecurityType,
    Challenge,
    SecurityResult,
    ServerInit,
    Message,
    /// Within an update: rectangles that are still to come.
    Rectangles(u16),
    /// Within bytes that no one reads.
    Skip(usize),
}

/// Minor version that is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Minor {
    V3,
    V7,
    V8,
}

/// A step of reading: what was found out, once the bytes for it are there.
type Step = Result<Option<Option<Event>>, Fault>;

/// A connection as its client sees it.
pub struct Client {
    stage: Stage,
    minor: Minor,
    password: Option<Vec<u8>>,
    inbox: Vec<u8>,
    outbox: Vec<u8>,
    screen: Screen,
    name: String,
    zrle: Zrle,
    /// Updates come without being asked for.
    is_continuous: bool,
    /// The password was asked for.
    was_challenged: bool,
}

impl Client {
    /// A client that knows this password.
    pub fn new(password: Option<Vec<u8>>) -> Self {
        Self {
            stage: Stage::Version,
            minor: Minor::V3,
            password,
            inbox: Vec::new(),
            outbox: Vec::new(),
            screen: Screen::default(),
            name: String::new(),
            zrle: Zrle::default(),
            is_continuous: false,
            was_challenged: false,
        }
    }

    /// What the user sees.
    pub const fn screen(&self) -> &Screen {
        &self.screen
    }

    /// What the server calls its desktop.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the server sends updates unasked.
    pub const fn is_continuous(&self) -> bool {
        self.is_continuous
    }

    /// The bytes for the server since the last call.
    pub fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.outbox)
    }

    /// Presses or releases a key, by its symbol in X.
    pub fn key(&mut self, symbol: u32, way: KeyWay) {
        let is_down = u8::from(way == KeyWay::Down);
        self.outbox.extend([4, is_down, 0, 0]);
        self.outbox.extend(symbol.to_be_bytes());
    }

    /// Moves the pointer to a place with these buttons pressed, the first as bit 0.
    pub fn pointer(&mut self, (x, y): (u16, u16), buttons: u8) {
        self.outbox.extend([5, buttons]);
        self.outbox.extend(x.to_be_bytes());
        self.outbox.extend(y.to_be_bytes());
    }

    /// Takes bytes of the server; gives what has happened.
    ///
    /// # Errors
    /// When the server refuses the client or says what is no RFB: the connection is of no more use.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Event>, Fault> {
        self.inbox.extend_from_slice(bytes);
        let mut events = Vec::new();
        let inbox = std::mem::take(&mut self.inbox);
        let mut start = 0;
        loop {
            let mut fields = Fields::new(&inbox[start..]);
            let Some(event) = self.step(&mut fields)? else { break };
            start += fields.taken();
            events.extend(event);
        }
        self.inbox = inbox;
        self.inbox.drain(..start);
        if self.inbox.len() > MESSAGE_MAX {
            return Err(broken("a message has no end"));
        }
        Ok(events)
    }

    /// Reads the next piece; `None` if it is not whole.
    fn step(&mut self, fields: &mut Fields<'_>) -> Step {
        match self.stage {
            Stage::Version => self.version(fields),
            Stage::SecurityTypes => self.security_types(fields),
            Stage::SecurityType => self.security_type(fields),
            Stage::Challenge => Ok(fields.block().map(|challenge| {
                let password = self.password.as_deref().unwrap_or_default();
                self.outbox.extend(vnc_response(password, challenge));
                self.was_challenged = true;
                self.go_to(Stage::SecurityResult)
            })),
            Stage::SecurityResult => self.security_result(fields),
            Stage::ServerInit => self.server_init(fields),
            Stage::Message => self.message(fields),
            Stage::Rectangles(0) => {
                if !self.is_continuous {
                    self.ask(1);
                }
                self.stage = Stage::Message;
                Ok(Some(Some(Event::Updated)))
            }
            Stage::Rectangles(left) => {
                let rectangle = self.rectangle(fields)?;
                Ok(rectangle.map(|()| self.go_to(Stage::Rectangles(left - 1))))
            }
            Stage::Skip(left) => Ok(fields.take(left).map(|_| self.go_to(Stage::Message))),
        }
    }

    fn go_to(&mut self, stage: Stage) -> Option<Event> {
        self.stage = stage;
        None
    }

    fn version(&mut self, fields: &mut Fields<'_>) -> Step {
        let Some(text) = fields.take(12) else { return Ok(None) };
        let minor = std::str::from_utf8(text).ok().and_then(|text| {
            let (major, minor) = text.strip_prefix("RFB ")?.strip_suffix('\n')?.split_once('.')?;
            let (major, minor): (u32, u32) = (major.parse().ok()?, minor.parse().ok()?);
            (major >= 3).then_some(if major > 3 { u32::MAX } else { minor })
        });
        let Some(minor) = minor else {
            return Err(Fault::new("the server speaks no RFB")
                .because("it does not begin with the version of the protocol")
                .fix("name the address and port of a VNC server: vnc://HOST:5901"));
        };
        let (minor, answer) = match minor {
            8.. => (Minor::V8, b"RFB 003.008\n"),
            7 => (Minor::V7, b"RFB 003.007\n"),
            _ => (Minor::V3, b"RFB 003.003\n"),
        };
        self.minor = minor;
        self.outbox.extend(answer);
        let next = if minor == Minor::V3 { Stage::SecurityType } else { Stage::SecurityTypes };
        Ok(Some(self.go_to(next)))
    }

    fn security_types(&mut self, fields: &mut Fields<'_>) -> Step {
        let Some(count) = fields.u8() else { return Ok(None) };
        if count == 0 {
            return refused(fields);
        }
        let Some(types) = fields.take(usize::from(count)) else { return Ok(None) };
        let chosen = if types.contains(&1) {
            1
        } else if types.contains(&2) {
            2
        } else {
            return Err(unknown_security(types));
        };
        self.outbox.push(chosen);
        self.chosen(u32::from(chosen))
    }

    fn security_type(&mut self, fields: &mut Fields<'_>) -> Step {
        match fields.u32() {
            None => Ok(None),
            Some(0) => refused(fields),
            Some(kind) => self.chosen(kind),
        }
    }

    /// Goes on with a security type.
    fn chosen(&mut self, kind: u32) -> Step {
        match kind {
            1 if self.minor == Minor::V8 => Ok(Some(self.go_to(Stage::SecurityResult))),
            1 => {
                // Shared: others stay connected.
                self.outbox.push(1);
                Ok(Some(self.go_to(Stage::ServerInit)))
            }
            2 if self.password.is_none() => Err(Fault::new("the server asks for a password")
                .because("it lets no one in without, and none is known")
                .fix("put it into the environment: KNEEPOINT_VNC_PASSWORD")),
            2 => Ok(Some(self.go_to(Stage::Challenge))),
            other => Err(unknown_security(&[other as u8])),
        }
    }

    fn security_result(&mut self, fields: &mut Fields<'_>) -> Step {
        let Some(result) = fields.u32() else { return Ok(None) };
        if result == 0 {
            self.outbox.push(1);
            return Ok(Some(self.go_to(Stage::ServerInit)));
        }
        let reason = match self.minor {
            Minor::V8 => {
                let Some(reason) = text(fields)? else { return Ok(None) };
                reason
            }
            _ => String::new(),
        };
        let fault = match (self.was_challenged, result) {
            (true, 1) => Fault::new("the server refuses the password")
                .fix("set KNEEPOINT_VNC_PASSWORD to that of the server"),
            _ => Fault::new("the server refuses the connection")
                .fix("look at the server's log, and at how many connections it takes"),
        };
        Err(if reason.is_empty() { fault } else { fault.because(format!("it says: {reason}")) })
    }

    fn server_init(&mut self, fields: &mut Fields<'_>) -> Step {
        let (Some(width), Some(height)) = (fields.u16(), fields.u16()) else { return Ok(None) };
        if fields.take(PIXEL_FORMAT.len()).is_none() {
            return Ok(None);
        }
        let Some(name) = text(fields)? else { return Ok(None) };
        self.name = name;
        self.screen = screen_of(width, height)?;
        self.outbox.extend([0, 0, 0, 0]);
        self.outbox.extend(PIXEL_FORMAT);
        self.outbox.extend([2, 0]);
        self.outbox.extend((ENCODINGS.len() as u16).to_be_bytes());
        ENCODINGS.iter().for_each(|encoding| self.outbox.extend(encoding.to_be_bytes()));
        self.ask(0);
        self.stage = Stage::Message;
        Ok(Some(Some(Event::Ready)))
    }

    /// Asks for an update: of the whole screen, or of what has changed (1).
    fn ask(&mut self, incremental: u8) {
        self.outbox.extend([3, incremental]);
        self.whole_screen();
    }

    /// The area that is the whole screen, as messages have it.
    fn whole_screen(&mut self) {
        let (width, height) = self.screen.size();
        [0, 0, width, height].iter().for_each(|number| self.outbox.extend(number.to_be_bytes()));
    }

    fn message(&mut self, fields: &mut Fields<'_>) -> Step {
        let Some(kind) = fields.u8() else { return Ok(None) };
        let stage = match kind {
            message::UPDATE => {
                let (Some(_), Some(count)) = (fields.u8(), fields.u16()) else { return Ok(None) };
                Stage::Rectangles(count)
            }
            message::COLOURS => {
                let (Some(_), Some(count)) = (fields.take(3), fields.u16()) else {
                    return Ok(None);
                };
                Stage::Skip(6 * usize::from(count))
            }
            message::BELL => Stage::Message,
            message::CUT_TEXT => {
                let (Some(_), Some(length)) = (fields.take(3), fields.u32()) else {
                    return Ok(None);
                };
                if length as usize > MESSAGE_MAX {
                    return Err(broken("a text of the clipboard has no end"));
                }
                Stage::Skip(length as usize)
            }
            message::END_OF_CONTINUOUS => {
                self.continue_unasked();
                Stage::Message
            }
            message::FENCE => return self.fence(fields),
            other => {
                return Err(broken(&format!("it sends a message of the unknown kind {other}")));
            }
        };
        Ok(Some(self.go_to(stage)))
    }

    /// The server can send updates unasked, or has stopped to do so.
    fn continue_unasked(&mut self) {
        if self.is_continuous {
            self.is_continuous = false;
            self.ask(1);
        } else {
            self.is_continuous = true;
            self.outbox.extend([150, 1]);
            self.whole_screen();
        }
    }

    fn fence(&mut self, fields: &mut Fields<'_>) -> Step {
        let (Some(_), Some(flags)) = (fields.take(3), fields.u32()) else { return Ok(None) };
        let Some(length) = fields.u8() else { return Ok(None) };
        if usize::from(length) > FENCE_MAX {
            return Err(broken("a fence is longer than 64 bytes"));
        }
        let Some(payload) = fields.take(usize::from(length)) else { return Ok(None) };
        if flags & FENCE_REQUEST != 0 {
            self.outbox.extend([248, 0, 0, 0]);
            self.outbox.extend((flags & FENCE_KNOWN).to_be_bytes());
            self.outbox.push(length);
            self.outbox.extend(payload);
        }
        Ok(Some(self.go_to(Stage::Message)))
    }

    /// Paints the next rectangle of an update; `None` if it is not whole.
    fn rectangle(&mut self, fields: &mut Fields<'_>) -> Result<Option<()>, Fault> {
        let (Some(x), Some(y)) = (fields.u16(), fields.u16()) else { return Ok(None) };
        let (Some(width), Some(height)) = (fields.u16(), fields.u16()) else { return Ok(None) };
        let Some(encoding) = fields.i32() else { return Ok(None) };
        let rect = Rect { x, y, width, height };
        if encoding >= 0 && !self.screen.holds(rect) {
            return Err(broken("a rectangle is not on the screen"));
        }
        let pixels = usize::from(width) * usize::from(height);
        match encoding {
            encoding::RAW => Ok(fields.take(4 * pixels).map(|bytes| self.raw(rect, bytes))),
            encoding::COPY_RECT => {
                let (Some(x), Some(y)) = (fields.u16(), fields.u16()) else { return Ok(None) };
                if !self.screen.holds(Rect { x, y, ..rect }) {
                    return Err(broken("a copied rectangle is not on the screen"));
                }
                self.screen.copy(rect, (x, y));
                Ok(Some(()))
            }
            encoding::ZRLE => {
                let Some(length) = fields.u32() else { return Ok(None) };
                if length as usize > MESSAGE_MAX {
                    return Err(broken("a ZRLE rectangle has no end"));
                }
                let Some(packed) = fields.take(length as usize) else { return Ok(None) };
                let painted = self.zrle.paint(&mut self.screen, rect, packed);
                painted.map(Some).map_err(|why| broken(&why))
            }
            encoding::DESKTOP_SIZE => self.resize(width, height).map(Some),
            // Its picture and its mask.
            encoding::CURSOR => {
                let mask = usize::from(width).div_ceil(8) * usize::from(height);
                Ok(fields.take(4 * pixels + mask).map(|_| ()))
            }
            other => Err(broken(&format!("a rectangle has the encoding {other}"))),
        }
    }

    fn raw(&mut self, rect: Rect, bytes: &[u8]) {
        let (pixels, _) = bytes.as_chunks::<4>();
        let pixels = pixels.iter().map(|pixel| u32::from_le_bytes(*pixel) & 0x00ff_ffff);
        self.screen.paint(rect, pixels);
    }

    fn resize(&mut self, width: u16, height: u16) -> Result<(), Fault> {
        let resized = self.screen.resized(width, height);
        self.screen = resized.ok_or_else(|| too_large(width, height))?;
        if self.is_continuous {
            self.outbox.extend([150, 1]);
            self.whole_screen();
        }
        self.ask(0);
        Ok(())
    }
}

/// A text behind its length; `None` if it is not whole.
fn text(fields: &mut Fields<'_>) -> Result<Option<String>, Fault> {
    let Some(length) = fields.u32() else { return Ok(None) };
    if length as usize > TEXT_MAX {
        return Err(broken("a text has no end"));
    }
    let text = fields.take(length as usize).map(String::from_utf8_lossy);
    Ok(text.map(|text| text.chars().filter(|char| !char.is_control()).collect()))
}

/// The server ends the connection with a reason.
fn refused(fields: &mut Fields<'_>) -> Step {
    let Some(reason) = text(fields)? else { return Ok(None) };
    Err(Fault::new("the server refuses the connection")
        .because(format!("it says: {reason}"))
        .fix("look at the server's log, and at how many connections it takes"))
}

fn unknown_security(types: &[u8]) -> Fault {
    let types: Vec<String> = types.iter().map(u8::to_string).collect();
    Fault::new("the server offers no security that Kneepoint speaks")
        .because(format!(
            "it offers the types {}; known are None (1) and the VNC password (2)",
            types.join(", ")
        ))
        .fix("start it with -SecurityTypes None or VncAuth, bound to the loopback address")
}

fn broken(why: &str) -> Fault {
    Fault::new("the server breaks the RFB protocol")
        .because(why)
        .fix("report this, with the name and version of the server")
}

fn too_large(width: u16, height: u16) -> Fault {
    Fault::new(format!("a screen of {width} by {height} pixels cannot be watched"))
        .because("it has none, or more than those of 8K")
        .fix("start the server with another -geometry, such as 1024x768")
}

fn screen_of(width: u16, height: u16) -> Result<Screen, Fault> {
    Screen::new(width, height).ok_or_else(|| too_large(width, height))
}
