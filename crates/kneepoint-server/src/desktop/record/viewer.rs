//! The side of a recording that a viewer sees: a server of RFB without security, whose screen is that of the
//! real one, in the encoding that every viewer takes.

use kneepoint_core::words::fault::Fault;

use super::super::client::KeyWay;
use super::super::screen::{Rect, Screen};

/// Versions that are spoken; the first is offered.
const VERSION: &[u8; 12] = b"RFB 003.008\n";

/// Longest message of a viewer: a text of its clipboard.
const MESSAGE_MAX: usize = 16 << 20;

/// 32 bits, little-endian, `0x00RRGGBB`: what a viewer gets that asks for nothing else.
const PIXEL_FORMAT: [u8; 16] = [32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0];

/// The pseudo-encoding of viewers whose screen may change its size.
const DESKTOP_SIZE: i32 = -223;

/// What the user of a viewer does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViewerInput {
    /// A key, by its symbol in X, goes down or up.
    Key(u32, KeyWay),
    /// The pointer is at a place, with these buttons pressed, the first as bit 0.
    Pointer((u16, u16), u8),
}

/// How far the connection is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Version,
    Security,
    Init,
    Message,
    /// Within a text that no one reads.
    Skip(usize),
}

/// How a viewer wants its pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Format {
    bytes: usize,
    is_big_endian: bool,
    /// Largest value and place of red, green and blue.
    colours: [(u16, u8); 3],
}

/// A viewer.
#[derive(Debug)]
pub struct Viewer {
    stage: Stage,
    inbox: Vec<u8>,
    outbox: Vec<u8>,
    format: Format,
    /// Whether it is spoken to as to one of version 3.8.
    says_result: bool,
    takes_sizes: bool,
    /// What it has of the screen; `None` before it has seen it.
    shown: Option<Screen>,
    size: (u16, u16),
    is_asking: bool,
}

impl Viewer {
    /// One that has just connected, and whose screen has this size.
    pub fn new(size: (u16, u16)) -> Self {
        Self {
            stage: Stage::Version,
            inbox: Vec::new(),
            outbox: VERSION.to_vec(),
            format: Format::of(&PIXEL_FORMAT).unwrap_or(Format::PLAIN),
            says_result: true,
            takes_sizes: false,
            shown: None,
            size,
            is_asking: false,
        }
    }

    /// The bytes for it since the last call.
    pub fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.outbox)
    }

    /// Takes bytes of it; gives what its user did.
    ///
    /// # Errors
    /// When it says what no viewer says to such a server: the connection is of no more use.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Vec<ViewerInput>, Fault> {
        self.inbox.extend_from_slice(bytes);
        let mut inputs = Vec::new();
        while let Some((length, input)) = self.step()? {
            inputs.extend(input);
            self.inbox.drain(..length);
        }
        if self.inbox.len() > MESSAGE_MAX {
            return Err(strange("a message has no end"));
        }
        Ok(inputs)
    }

    /// The next piece, if it is whole: its length and what it does.
    fn step(&mut self) -> Result<Option<(usize, Option<ViewerInput>)>, Fault> {
        let Some(first) = self.inbox.first().copied() else { return Ok(None) };
        let length = match self.stage {
            Stage::Version => 12,
            Stage::Security | Stage::Init => 1,
            Stage::Skip(left) => left.min(self.inbox.len()),
            Stage::Message => match self.message_length(first)? {
                Some(length) => length,
                None => return Ok(None),
            },
        };
        if self.inbox.len() < length {
            return Ok(None);
        }
        let input = match self.stage {
            Stage::Version => self.version()?,
            Stage::Security => self.chosen(first)?,
            Stage::Init => self.greet(),
            Stage::Skip(left) if left == length => self.go_to(Stage::Message),
            Stage::Skip(left) => self.go_to(Stage::Skip(left - length)),
            Stage::Message => self.message(first)?,
        };
        Ok(Some((length, input)))
    }

    /// How long a message of this kind is, without a text that follows; `None` if that is not known yet.
    fn message_length(&self, kind: u8) -> Result<Option<usize>, Fault> {
        Ok(match kind {
            0 => Some(20),
            2 => self.number(2).map(|count| 4 + 4 * usize::from(count)),
            3 => Some(10),
            4 => Some(8),
            5 => Some(6),
            6 => Some(8),
            other => return Err(strange(&format!("a message of the unknown kind {other}"))),
        })
    }

    /// The number of two bytes at `place` of what came.
    fn number(&self, place: usize) -> Option<u16> {
        let bytes = self.inbox.get(place..place + 2)?;
        Some(u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    /// The number of four bytes at `place` of what came.
    fn long(&self, place: usize) -> u32 {
        let [high, low] = [place, place + 2].map(|place| self.number(place).unwrap_or_default());
        u32::from(high) << 16 | u32::from(low)
    }

    fn go_to(&mut self, stage: Stage) -> Option<ViewerInput> {
        self.stage = stage;
        None
    }

    fn version(&mut self) -> Result<Option<ViewerInput>, Fault> {
        if !self.inbox.starts_with(b"RFB 003.") {
            return Err(strange("it does not begin with a version of RFB"));
        }
        self.says_result = self.inbox.starts_with(VERSION);
        if self.inbox.starts_with(b"RFB 003.007") || self.says_result {
            // One type: none.
            self.outbox.extend([1, 1]);
            return Ok(self.go_to(Stage::Security));
        }
        self.outbox.extend([0, 0, 0, 1]);
        Ok(self.go_to(Stage::Init))
    }

    fn chosen(&mut self, kind: u8) -> Result<Option<ViewerInput>, Fault> {
        if kind != 1 {
            return Err(strange("it chooses a security that was not offered"));
        }
        if self.says_result {
            self.outbox.extend([0; 4]);
        }
        Ok(self.go_to(Stage::Init))
    }

    /// Tells the screen, once the viewer has said whether it shares it.
    fn greet(&mut self) -> Option<ViewerInput> {
        const NAME: &[u8] = b"Kneepoint records";
        let (width, height) = self.size;
        [width, height].iter().for_each(|number| self.outbox.extend(number.to_be_bytes()));
        self.outbox.extend(PIXEL_FORMAT);
        self.outbox.extend((NAME.len() as u32).to_be_bytes());
        self.outbox.extend(NAME);
        self.go_to(Stage::Message)
    }

    fn message(&mut self, kind: u8) -> Result<Option<ViewerInput>, Fault> {
        Ok(match kind {
            0 => {
                self.format = Format::of(&self.inbox[4..20])
                    .ok_or_else(|| strange("it asks for pixels other than of true colours"))?;
                self.shown = None;
                None
            }
            2 => {
                let count = usize::from(self.number(2).unwrap_or_default());
                let mut encodings = (0..count).map(|index| self.long(4 + 4 * index).cast_signed());
                self.takes_sizes = encodings.any(|encoding| encoding == DESKTOP_SIZE);
                None
            }
            3 => {
                self.is_asking = true;
                if self.inbox[1] == 0 {
                    self.shown = None;
                }
                None
            }
            4 => {
                let way = if self.inbox[1] == 0 { KeyWay::Up } else { KeyWay::Down };
                Some(ViewerInput::Key(self.long(4), way))
            }
            5 => {
                let [x, y] = [2, 4].map(|place| self.number(place).unwrap_or_default());
                Some(ViewerInput::Pointer((x, y), self.inbox[1]))
            }
            _ => {
                let length = self.long(4) as usize;
                if length > MESSAGE_MAX {
                    return Err(strange("a text of its clipboard has no end"));
                }
                self.go_to(if length == 0 { Stage::Message } else { Stage::Skip(length) })
            }
        })
    }

    /// Sends what of `screen` the viewer does not have yet, if it asks for it.
    ///
    /// # Errors
    /// When the screen has another size, and the viewer cannot follow.
    pub fn show(&mut self, screen: &Screen) -> Result<(), Fault> {
        if !self.is_asking {
            return Ok(());
        }
        if screen.size() != self.size {
            return self.resize(screen.size());
        }
        let (width, height) = self.size;
        let changed = match &self.shown {
            None => Some(Rect { x: 0, y: 0, width, height }),
            Some(shown) => changed(shown, screen),
        };
        let Some(rect) = changed else { return Ok(()) };
        self.is_asking = false;
        self.outbox.extend([0, 0, 0, 1]);
        self.rectangle(rect, 0);
        for y in rect.y..rect.y + rect.height {
            for x in rect.x..rect.x + rect.width {
                let pixel = screen.pixel(x, y).unwrap_or_default();
                self.format.push(&mut self.outbox, pixel);
            }
        }
        self.shown = Some(screen.clone());
        Ok(())
    }

    /// The head of a rectangle.
    fn rectangle(&mut self, rect: Rect, encoding: i32) {
        let Rect { x, y, width, height } = rect;
        [x, y, width, height].iter().for_each(|number| self.outbox.extend(number.to_be_bytes()));
        self.outbox.extend(encoding.to_be_bytes());
    }

    /// Tells that the screen has another size.
    fn resize(&mut self, size: (u16, u16)) -> Result<(), Fault> {
        if !self.takes_sizes {
            return Err(Fault::new("the screen has got another size")
                .because("the viewer cannot follow it")
                .fix("record with a viewer that can, or keep the size of the screen"));
        }
        (self.size, self.shown, self.is_asking) = (size, None, false);
        self.outbox.extend([0, 0, 0, 1]);
        let (width, height) = size;
        self.rectangle(Rect { x: 0, y: 0, width, height }, DESKTOP_SIZE);
        Ok(())
    }
}

impl Format {
    /// The one of [`PIXEL_FORMAT`].
    const PLAIN: Self =
        Self { bytes: 4, is_big_endian: false, colours: [(255, 16), (255, 8), (255, 0)] };

    /// The one in the 16 bytes of a message; `None` if it is not of true colours.
    fn of(bytes: &[u8]) -> Option<Self> {
        let bits = *bytes.first()?;
        let largest = |place: usize| u16::from_be_bytes([bytes[place], bytes[place + 1]]);
        let is_true = bytes.get(3)? != &0 && [8, 16, 32].contains(&bits) && bytes.len() >= 13;
        let colours = is_true
            .then(|| [(largest(4), bytes[10]), (largest(6), bytes[11]), (largest(8), bytes[12])])?;
        let fits = colours.iter().all(|(largest, shift)| *shift < 32 && *largest > 0);
        fits.then_some(Self { bytes: usize::from(bits) / 8, is_big_endian: bytes[2] != 0, colours })
    }

    /// Writes a pixel `0x00RRGGBB`.
    fn push(&self, into: &mut Vec<u8>, pixel: u32) {
        let [_, red, green, blue] = pixel.to_be_bytes();
        let parts = [red, green, blue].into_iter().zip(self.colours);
        let value = parts.fold(0, |value, (part, (largest, shift))| {
            value | (u32::from(part) * u32::from(largest) / 255) << shift
        });
        match self.is_big_endian {
            true => into.extend(&value.to_be_bytes()[4 - self.bytes..]),
            false => into.extend(&value.to_le_bytes()[..self.bytes]),
        }
    }
}

/// The smallest rectangle that holds all pixels in which two screens of one size differ; `None` if there are
/// none.
fn changed(old: &Screen, new: &Screen) -> Option<Rect> {
    bounds(old, new, |old, new| old != new)
}

/// The smallest rectangle that holds all pixels of which `differ` says so; `None` if there are none. The
/// screens have one size.
pub(super) fn bounds(
    old: &Screen,
    new: &Screen,
    differ: impl Fn(u32, u32) -> bool,
) -> Option<Rect> {
    let width = usize::from(new.size().0);
    let lines = old.pixels().chunks(width).zip(new.pixels().chunks(width));
    let mut found: Option<[usize; 4]> = None;
    for (y, (old, new)) in lines.enumerate() {
        if old == new {
            continue;
        }
        let differs = |x: &usize| differ(old[*x], new[*x]);
        let Some(left) = (0..width).find(differs) else { continue };
        let right = (0..width).rev().find(differs).unwrap_or(left);
        let [x0, y0, x1, _] = found.unwrap_or([left, y, right, y]);
        found = Some([x0.min(left), y0, x1.max(right), y]);
    }
    let [x0, y0, x1, y1] = found?.map(|place| place as u16);
    Some(Rect { x: x0, y: y0, width: x1 - x0 + 1, height: y1 - y0 + 1 })
}

fn strange(what: &str) -> Fault {
    Fault::new("what connects is no viewer of VNC")
        .because(what)
        .fix("connect a viewer to the address that `kneepoint record` tells")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A viewer that has said everything up to its first request.
    fn connected(size: (u16, u16)) -> Viewer {
        let mut viewer = Viewer::new(size);
        assert_eq!(viewer.take_output(), VERSION);
        viewer.feed(b"RFB 003.008\n\x01\x01").unwrap();
        let said = viewer.take_output();
        assert!(said.starts_with(&[1, 1, 0, 0, 0, 0]), "{said:?}");
        viewer
    }

    fn screen(pixels: &[(u16, u16)]) -> Screen {
        let mut client = super::super::super::rfb::Client::new(None);
        let mut bytes = b"RFB 003.008\n\x01\x01\0\0\0\0\0\x08\0\x04".to_vec();
        bytes.extend([0; 20]);
        client.feed(&bytes).unwrap();
        for (x, y) in pixels {
            let mut update = vec![0, 0, 0, 1, 0, *x as u8, 0, *y as u8, 0, 1, 0, 1, 0, 0, 0, 0];
            update.extend([3, 2, 1, 0]);
            client.feed(&update).unwrap();
        }
        client.screen().clone()
    }

    #[test]
    fn a_viewer_gets_what_has_changed_once_it_asks() {
        let mut viewer = connected((8, 4));
        viewer.show(&screen(&[])).unwrap();
        assert!(viewer.take_output().is_empty(), "it has not asked");
        viewer.feed(&[3, 0, 0, 0, 0, 0, 0, 8, 0, 4]).unwrap();
        viewer.show(&screen(&[])).unwrap();
        assert_eq!(viewer.take_output().len(), 4 + 12 + 8 * 4 * 4);
        viewer.feed(&[3, 1, 0, 0, 0, 0, 0, 8, 0, 4]).unwrap();
        viewer.show(&screen(&[])).unwrap();
        assert!(viewer.take_output().is_empty(), "nothing has changed");
        viewer.show(&screen(&[(2, 1), (3, 3)])).unwrap();
        let said = viewer.take_output();
        assert_eq!(said[..16], [0, 0, 0, 1, 0, 2, 0, 1, 0, 2, 0, 3, 0, 0, 0, 0]);
        assert_eq!(said[16..20], [3, 2, 1, 0]);
    }

    #[test]
    fn pixels_come_as_the_viewer_wants_them() {
        let mut viewer = connected((8, 4));
        // 16 bits, big-endian, 5-6-5.
        let format = [16, 16, 1, 1, 0, 31, 0, 63, 0, 31, 11, 5, 0, 0, 0, 0];
        viewer.feed(&[&[0, 0, 0, 0][..], &format].concat()).unwrap();
        let mut bytes = Vec::new();
        viewer.format.push(&mut bytes, 0x00ff_0000);
        viewer.format.push(&mut bytes, 0x0000_00ff);
        assert_eq!(bytes, [0xf8, 0, 0, 0x1f]);
        let mapped = [8, 8, 0, 0, 0, 7, 0, 7, 0, 3, 0, 3, 6, 0, 0, 0];
        let said = viewer.feed(&[&[0, 0, 0, 0][..], &mapped].concat()).unwrap_err().to_string();
        assert!(said.contains("true colours"), "{said}");
    }

    #[test]
    fn inputs_are_heard_however_they_are_cut() {
        let mut viewer = connected((8, 4));
        let mut inputs = Vec::new();
        let said = [
            &[2, 0, 0, 1, 0xff, 0xff, 0xff, 0x21][..],
            &[6, 0, 0, 0, 0, 0, 0, 3, b'a', b'b', b'c'],
            &[4, 1, 0, 0, 0, 0, 0, b'x', 4, 0, 0, 0, 0, 0, 0, b'x', 5, 1, 0, 7, 0, 3],
        ]
        .concat();
        said.iter().for_each(|byte| inputs.extend(viewer.feed(&[*byte]).unwrap()));
        let key = |way| ViewerInput::Key(u32::from(b'x'), way);
        assert_eq!(inputs, [key(KeyWay::Down), key(KeyWay::Up), ViewerInput::Pointer((7, 3), 1)]);
        assert!(viewer.takes_sizes);
        assert!(viewer.feed(&[77]).unwrap_err().to_string().contains("unknown kind 77"));
        assert!(Viewer::new((8, 4)).feed(b"GET / HTTP/1.").is_err());
    }

    proptest::proptest! {
        #[test]
        fn no_viewer_makes_it_panic(
            bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..400),
        ) {
            let _ = Viewer::new((8, 4)).feed(&bytes);
            let mut viewer = connected((8, 4));
            if viewer.feed(&bytes).is_ok() {
                let _ = viewer.show(&screen(&[(1, 1)]));
            }
        }
    }
}
