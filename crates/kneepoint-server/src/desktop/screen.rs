//! What a user sees: the pixels of the server's screen.

/// Most pixels of a screen: 8K.
const PIXELS_MAX: usize = 8192 * 8192 / 2;

/// A rectangle of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rect {
    /// Left edge.
    pub x: u16,
    /// Upper edge.
    pub y: u16,
    /// Width.
    pub width: u16,
    /// Height.
    pub height: u16,
}

/// Pixels as `0x00RRGGBB`, line by line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Screen {
    width: u16,
    height: u16,
    pixels: Vec<u32>,
}

impl Screen {
    /// A black screen; `None` if it has no pixel, or too many.
    pub fn new(width: u16, height: u16) -> Option<Self> {
        let count = usize::from(width) * usize::from(height);
        let pixels = (1..=PIXELS_MAX).contains(&count).then(|| vec![0; count])?;
        Some(Self { width, height, pixels })
    }

    /// Its width and height.
    pub const fn size(&self) -> (u16, u16) {
        (self.width, self.height)
    }

    /// All pixels, line by line.
    pub fn pixels(&self) -> &[u32] {
        &self.pixels
    }

    /// The pixel at `x`, `y`; `None` outside.
    pub fn pixel(&self, x: u16, y: u16) -> Option<u32> {
        let is_inside = x < self.width && y < self.height;
        is_inside.then(|| self.pixels[usize::from(y) * usize::from(self.width) + usize::from(x)])
    }

    /// Whether all of `rect` is on the screen.
    pub fn holds(&self, rect: Rect) -> bool {
        let fits = |start: u16, length: u16, end: u16| {
            u32::from(start) + u32::from(length) <= u32::from(end)
        };
        fits(rect.x, rect.width, self.width) && fits(rect.y, rect.height, self.height)
    }

    /// Paints `rect` with pixels line by line; those that are not on the screen are left out.
    pub fn paint(&mut self, rect: Rect, pixels: impl IntoIterator<Item = u32>) {
        if !self.holds(rect) {
            return;
        }
        let mut pixels = pixels.into_iter();
        for y in 0..rect.height {
            self.line(rect, y)
                .iter_mut()
                .zip(&mut pixels)
                .for_each(|(place, pixel)| *place = pixel);
        }
    }

    /// The line `y` of `rect`, counted from its top. The rectangle is on the screen.
    pub(super) fn line(&mut self, rect: Rect, y: u16) -> &mut [u32] {
        let start = usize::from(rect.y + y) * usize::from(self.width) + usize::from(rect.x);
        &mut self.pixels[start..start + usize::from(rect.width)]
    }

    /// Moves what is at `from` to `rect`; both are on the screen.
    pub(super) fn copy(&mut self, rect: Rect, (from_x, from_y): (u16, u16)) {
        let width = usize::from(self.width);
        let start = |x: u16, y: u16, line: u16| usize::from(y + line) * width + usize::from(x);
        let mut copy = |line: u16| {
            let from = start(from_x, from_y, line);
            let to = start(rect.x, rect.y, line);
            self.pixels.copy_within(from..from + usize::from(rect.width), to);
        };
        // Lines that are still to be copied are not overwritten.
        match from_y >= rect.y {
            true => (0..rect.height).for_each(&mut copy),
            false => (0..rect.height).rev().for_each(&mut copy),
        }
    }

    /// A screen of other size with what of this one fits.
    pub(super) fn resized(&self, width: u16, height: u16) -> Option<Self> {
        let mut other = Self::new(width, height)?;
        for y in 0..height.min(self.height) {
            let common = Rect { x: 0, y, width: width.min(self.width), height: 1 };
            let start = usize::from(y) * usize::from(self.width);
            let line = &self.pixels[start..start + usize::from(common.width)];
            other.line(common, 0).copy_from_slice(line);
        }
        Some(other)
    }
}
