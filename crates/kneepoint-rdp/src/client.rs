//! A connection as its client sees it: the machines of IronRDP, with encryption below.

use std::net::{Ipv4Addr, SocketAddr};

use ironrdp::connector::{
    ClientConnector, ClientConnectorState, Config, ConnectionResult, ConnectorErrorKind,
    Credentials, DesktopSize, Sequence, connection_activation::ConnectionActivationFactory,
    connection_activation::ConnectionActivationSequence,
    connection_activation::ConnectionActivationState,
};
use ironrdp::core::WriteBuf;
use ironrdp::graphics::image_processing::PixelFormat;
use ironrdp::pdu::gcc::KeyboardType;
use ironrdp::pdu::input::MousePdu;
use ironrdp::pdu::input::fast_path::FastPathInputEvent;
use ironrdp::pdu::input::mouse::PointerFlags;
use ironrdp::pdu::rdp::capability_sets::MajorPlatformType;
use ironrdp::pdu::rdp::client_info::{PerformanceFlags, TimezoneInfo};
use ironrdp::session::image::DecodedImage;
use ironrdp::session::{ActiveStage, ActiveStageBuilder, ActiveStageOutput};
use kneepoint_core::words::fault::Fault;

use crate::keys::{Way, events};
use crate::tls::{Tls, Trust};

/// Most bytes of a message that are waited for; those of RDP have lengths of 16 bits.
const MESSAGE_MAX: usize = 1 << 20;

/// The layout of the keyboard that keys are sent of: American English.
const KEYBOARD_LAYOUT: u32 = 0x0409;

/// Bytes of a pixel.
const PIXEL: usize = 4;

/// Who logs on where.
#[derive(Clone)]
pub struct Account {
    /// The user.
    pub user: String,
    /// The user's password.
    pub password: String,
    /// The host, as it is named in its certificate.
    pub host: String,
    /// Width and height of the screen that is asked for, in pixels.
    pub size: (u16, u16),
    /// Which certificate of the host is trusted.
    pub trust: Trust,
}

/// What has happened once bytes of the server were taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The connection is made, or made again; the screen has this width and height and is black.
    Ready(u16, u16),
    /// This part of the screen has been painted.
    Painted(Area),
}

/// A part of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// Left edge.
    pub x: u16,
    /// Upper edge.
    pub y: u16,
    /// Width.
    pub width: u16,
    /// Height.
    pub height: u16,
}

/// How far the connection is.
enum Stage {
    Connecting(Box<ClientConnector>),
    Active(Box<Session>),
    /// The server makes the session again, at another size for instance.
    Renewing(Box<Session>, Box<ConnectionActivationSequence>),
    Failed,
}

/// A session that is there.
struct Session {
    stage: ActiveStage,
    image: DecodedImage,
    renewal: ConnectionActivationFactory,
}

/// A connection as its client sees it.
pub struct Client {
    account: Account,
    stage: Stage,
    tls: Option<Tls>,
    /// Plain bytes of which no whole message is there yet.
    inbox: Vec<u8>,
    outbox: Vec<u8>,
}

impl Client {
    /// A client that logs on with `account`; its first output opens the connection.
    ///
    /// # Errors
    /// When the account cannot be said.
    pub fn new(account: Account) -> Result<Self, Fault> {
        // Servers are told an address, which none of them uses.
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let connector = ClientConnector::new(config(&account), address);
        let mut client = Self {
            account,
            stage: Stage::Connecting(Box::new(connector)),
            tls: None,
            inbox: Vec::new(),
            outbox: Vec::new(),
        };
        client.progress(&mut Vec::new())?;
        Ok(client)
    }

    /// The bytes for the server since the last call.
    pub fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.outbox)
    }

    /// Takes bytes of the server; gives what has happened.
    ///
    /// # Errors
    /// When the server refuses the client, ends the session, or says what is no RDP: the connection is of no more
    /// use.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Change>, Fault> {
        let mut changes = Vec::new();
        let fed = self.fed(bytes, &mut changes);
        if fed.is_err() {
            self.stage = Stage::Failed;
        }
        fed.map(|()| changes)
    }

    /// The pixels of an area line by line, as `0x00RRGGBB`; nothing outside the screen or without one.
    pub fn pixels(&self, area: Area) -> impl Iterator<Item = u32> {
        let (Stage::Active(session) | Stage::Renewing(session, _)) = &self.stage else {
            return Lines::default().flatten();
        };
        lines(&session.image, area).flatten()
    }

    /// Presses or releases a key, by its symbol in X.
    ///
    /// # Errors
    /// When it cannot be said.
    pub fn key(&mut self, symbol: u32, way: Way) -> Result<(), Fault> {
        self.act(&events(symbol, way))
    }

    /// Moves the pointer to a place with these buttons pressed, the first as bit 0, of which only it is sent.
    ///
    /// # Errors
    /// When it cannot be said.
    pub fn pointer(&mut self, (x, y): (u16, u16), buttons: u8) -> Result<(), Fault> {
        let event = |flags| {
            FastPathInputEvent::MouseEvent(MousePdu {
                flags,
                number_of_wheel_rotation_units: 0,
                x_position: x,
                y_position: y,
            })
        };
        let button = match buttons & 1 {
            1 => PointerFlags::LEFT_BUTTON | PointerFlags::DOWN,
            _ => PointerFlags::LEFT_BUTTON,
        };
        self.act(&[event(PointerFlags::MOVE), event(button)])
    }

    /// Says what a user does.
    fn act(&mut self, events: &[FastPathInputEvent]) -> Result<(), Fault> {
        let Stage::Active(session) = &mut self.stage else { return Ok(()) };
        let said = session.stage.process_fastpath_input(&mut session.image, events);
        for output in said.map_err(|error| broken(&error))? {
            if let ActiveStageOutput::ResponseFrame(frame) = output {
                self.say(&frame)?;
            }
        }
        self.flush()
    }

    fn fed(&mut self, bytes: &[u8], changes: &mut Vec<Change>) -> Result<(), Fault> {
        match &mut self.tls {
            Some(tls) => self.inbox.extend(tls.open(bytes)?),
            None => self.inbox.extend_from_slice(bytes),
        }
        self.progress(changes)?;
        match self.inbox.len() > MESSAGE_MAX {
            true => Err(nonsense("a message has no end")),
            false => Ok(()),
        }
    }

    /// Goes as far as the bytes that are there allow.
    fn progress(&mut self, changes: &mut Vec<Change>) -> Result<(), Fault> {
        while self.step(changes)? {}
        self.flush()
    }

    /// One step; gives whether another may be possible.
    fn step(&mut self, changes: &mut Vec<Change>) -> Result<bool, Fault> {
        match std::mem::replace(&mut self.stage, Stage::Failed) {
            Stage::Connecting(connector) => self.connect(connector, changes),
            Stage::Active(session) => self.heed(session, changes),
            Stage::Renewing(session, sequence) => self.renew(session, sequence, changes),
            Stage::Failed => Ok(false),
        }
    }

    /// A step of the connection.
    fn connect(
        &mut self,
        mut connector: Box<ClientConnector>,
        changes: &mut Vec<Change>,
    ) -> Result<bool, Fault> {
        if connector.should_perform_security_upgrade() {
            self.flush()?;
            self.tls = Some(Tls::new(&self.account.host, self.account.trust)?);
            connector.mark_security_upgrade_as_done();
        }
        let goes_on = self.sequence(&mut *connector)?;
        self.stage = match connector.state {
            ClientConnectorState::Connected { result } => {
                let size = result.desktop_size;
                changes.push(Change::Ready(size.width, size.height));
                Stage::Active(Box::new(Session::new(result)))
            }
            _ => Stage::Connecting(connector),
        };
        Ok(goes_on)
    }

    /// A step of a sequence of IronRDP; gives whether it was made.
    fn sequence(&mut self, sequence: &mut dyn Sequence) -> Result<bool, Fault> {
        let message = match sequence.next_pdu_hint() {
            None => Vec::new(),
            Some(hint) => {
                let found = hint.find_size(&self.inbox).map_err(|error| broken(&error))?;
                match found {
                    Some((_, length)) if length <= self.inbox.len() => {
                        self.inbox.drain(..length).collect()
                    }
                    _ => return Ok(false),
                }
            }
        };
        let mut output = WriteBuf::new();
        sequence.step(&message, &mut output).map_err(|error| refused(error.kind()))?;
        self.say(output.filled())?;
        Ok(true)
    }

    /// Heeds the next message of a session.
    fn heed(
        &mut self,
        mut session: Box<Session>,
        changes: &mut Vec<Change>,
    ) -> Result<bool, Fault> {
        let found = ironrdp::pdu::find_size(&self.inbox).map_err(|error| broken(&error))?;
        let Some(found) = found.filter(|found| found.length <= self.inbox.len()) else {
            self.stage = Stage::Active(session);
            return Ok(false);
        };
        let message: Vec<u8> = self.inbox.drain(..found.length).collect();
        let outputs = session.stage.process(&mut session.image, found.action, &message);
        let mut renewal = None;
        for output in outputs.map_err(|error| broken(&error))? {
            match output {
                ActiveStageOutput::ResponseFrame(frame) => self.say(&frame)?,
                ActiveStageOutput::GraphicsUpdate(area) => {
                    changes.push(Change::Painted(Area {
                        x: area.left,
                        y: area.top,
                        width: (area.right - area.left).saturating_add(1),
                        height: (area.bottom - area.top).saturating_add(1),
                    }));
                }
                ActiveStageOutput::DeactivateAll => renewal = Some(session.renewal.create()),
                ActiveStageOutput::Terminate(reason) => return Err(ended(&reason.description())),
                // Pointers are no part of the screen; the rest is not asked for.
                _ => {}
            }
        }
        self.stage = match renewal {
            Some(sequence) => Stage::Renewing(session, Box::new(sequence)),
            None => Stage::Active(session),
        };
        Ok(true)
    }

    /// A step of a session that is made again.
    fn renew(
        &mut self,
        mut session: Box<Session>,
        mut sequence: Box<ConnectionActivationSequence>,
        changes: &mut Vec<Change>,
    ) -> Result<bool, Fault> {
        let goes_on = self.sequence(&mut *sequence)?;
        self.stage = match sequence.connection_activation_state() {
            ConnectionActivationState::Finalized { desktop_size, share_id, .. } => {
                session.stage.set_share_id(share_id);
                session.image = image(desktop_size);
                changes.push(Change::Ready(desktop_size.width, desktop_size.height));
                Stage::Active(session)
            }
            _ => Stage::Renewing(session, sequence),
        };
        Ok(goes_on)
    }

    /// Sends plain bytes.
    fn say(&mut self, plain: &[u8]) -> Result<(), Fault> {
        match &mut self.tls {
            Some(tls) => tls.say(plain),
            None => {
                self.outbox.extend_from_slice(plain);
                Ok(())
            }
        }
    }

    /// Brings what was said to the outbox.
    fn flush(&mut self) -> Result<(), Fault> {
        if let Some(tls) = &mut self.tls {
            self.outbox.extend(tls.take_output()?);
        }
        Ok(())
    }
}

impl Session {
    fn new(result: ConnectionResult) -> Self {
        let image = image(result.desktop_size);
        let renewal = result.activation_factory;
        let stage = ActiveStageBuilder {
            static_channels: result.static_channels,
            user_channel_id: result.user_channel_id,
            io_channel_id: result.io_channel_id,
            message_channel_id: result.message_channel_id,
            share_id: result.share_id,
            compression_type: result.compression_type,
            enable_server_pointer: result.enable_server_pointer,
            pointer_software_rendering: result.pointer_software_rendering,
        };
        Self { stage: stage.build(), image, renewal }
    }
}

fn image(size: DesktopSize) -> DecodedImage {
    DecodedImage::new(PixelFormat::RgbA32, size.width, size.height)
}

/// Lines of pixels.
type Lines = std::vec::IntoIter<Vec<u32>>;

/// The lines of an area of an image; none if it is not all within.
fn lines(image: &DecodedImage, area: Area) -> Lines {
    let width = usize::from(image.width());
    let (x, count) = (usize::from(area.x), usize::from(area.width));
    let is_within = x + count <= width
        && usize::from(area.y) + usize::from(area.height) <= usize::from(image.height());
    let rows = if is_within { area.height } else { 0 };
    let line = |row: u16| -> Vec<u32> {
        let start = PIXEL * ((usize::from(area.y) + usize::from(row)) * width + x);
        let bytes = image.data().get(start..start + PIXEL * count).unwrap_or_default();
        let (pixels, _) = bytes.as_chunks::<PIXEL>();
        pixels
            .iter()
            .map(|[red, green, blue, _]| u32::from_be_bytes([0, *red, *green, *blue]))
            .collect()
    };
    (0..rows).map(line).collect::<Vec<_>>().into_iter()
}

/// What is asked of a server: a screen of this size and nothing else.
fn config(account: &Account) -> Config {
    let (width, height) = account.size;
    Config {
        credentials: Credentials::UsernamePassword {
            username: account.user.clone(),
            password: account.password.clone(),
        },
        domain: None,
        enable_tls: true,
        enable_credssp: false,
        keyboard_type: KeyboardType::IbmEnhanced,
        keyboard_subtype: 0,
        keyboard_layout: KEYBOARD_LAYOUT,
        keyboard_functional_keys_count: 12,
        ime_file_name: String::new(),
        dig_product_id: String::new(),
        desktop_size: DesktopSize { width, height },
        desktop_scale_factor: 0,
        bitmap: None,
        client_build: 0,
        client_name: "kneepoint".to_owned(),
        client_dir: String::new(),
        alternate_shell: String::new(),
        work_dir: String::new(),
        platform: MajorPlatformType::UNIX,
        hardware_id: None,
        request_data: None,
        autologon: true,
        enable_audio_playback: false,
        performance_flags: PerformanceFlags::default(),
        license_cache: None,
        timezone_info: TimezoneInfo::default(),
        compression_type: None,
        enable_server_pointer: false,
        pointer_software_rendering: false,
        multitransport_flags: None,
    }
}

fn broken(error: &dyn std::error::Error) -> Fault {
    nonsense(&chain(error))
}

/// An error with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}

fn nonsense(why: &str) -> Fault {
    Fault::new("the server breaks the RDP protocol")
        .because(why)
        .fix("report this, with the name and version of the server")
}

fn refused(kind: &ConnectorErrorKind) -> Fault {
    let fault = Fault::new("the desktop server refuses the connection");
    match kind {
        ConnectorErrorKind::Negotiation(failure) => fault.because(failure).fix(
            "let it offer TLS: Kneepoint speaks neither the old security of RDP nor authentication before the \
             session (NLA)",
        ),
        other => fault.because(chain(other)).fix("look at the server's log"),
    }
}

fn ended(why: &str) -> Fault {
    Fault::new("the server ended the session")
        .because(why)
        .fix("look at the server's log, and whether the user and the password are right")
}
