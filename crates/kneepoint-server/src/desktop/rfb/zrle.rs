//! ZRLE: tiles of 64 by 64 pixels in one compressed stream.

use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};

use crate::desktop::screen::{Rect, Screen};

/// Edge of a tile.
const TILE: u16 = 64;

/// Bytes of a pixel: the three that count.
const PIXEL_BYTES: usize = 3;

/// The stream of a connection.
pub(super) struct Zrle {
    inflater: Box<InflateState>,
    plain: Vec<u8>,
}

impl Default for Zrle {
    fn default() -> Self {
        Self { inflater: InflateState::new_boxed(DataFormat::Zlib), plain: Vec::new() }
    }
}

impl Zrle {
    /// Paints `rect`, which is on the `screen`, with what `packed` holds.
    ///
    /// # Errors
    /// When it holds something else.
    pub(super) fn paint(
        &mut self,
        screen: &mut Screen,
        rect: Rect,
        packed: &[u8],
    ) -> Result<(), String> {
        self.unpack(packed, rect)?;
        let mut tiles = Tiles { bytes: &self.plain };
        for y in (0..rect.height).step_by(usize::from(TILE)) {
            for x in (0..rect.width).step_by(usize::from(TILE)) {
                let tile = Rect {
                    x: rect.x + x,
                    y: rect.y + y,
                    width: (rect.width - x).min(TILE),
                    height: (rect.height - y).min(TILE),
                };
                let painted = tiles.paint(screen, tile);
                painted.ok_or("a tile of a ZRLE rectangle is not whole")?;
            }
        }
        Ok(())
    }

    /// Unpacks `packed` into `plain`.
    fn unpack(&mut self, packed: &[u8], rect: Rect) -> Result<(), String> {
        let pixels = usize::from(rect.width) * usize::from(rect.height);
        // A tile is never larger than its pixels as runs of one, with a palette and its kind.
        let most = pixels * (PIXEL_BYTES + 1) + (pixels / 64 + 64) * 400;
        self.plain.clear();
        let (mut rest, mut chunk) = (packed, vec![0; 64 << 10]);
        loop {
            let step = inflate(&mut self.inflater, rest, &mut chunk, MZFlush::None);
            self.plain.extend_from_slice(&chunk[..step.bytes_written]);
            rest = &rest[step.bytes_consumed..];
            match step.status {
                Ok(MZStatus::Ok) | Err(MZError::Buf) => {}
                _ => return Err("the compressed stream of ZRLE is damaged".to_owned()),
            }
            if self.plain.len() > most {
                return Err("a ZRLE rectangle is larger than its pixels".to_owned());
            }
            if rest.is_empty() && step.bytes_written < chunk.len() {
                return Ok(());
            }
            if step.bytes_consumed == 0 && step.bytes_written == 0 {
                return Err("the compressed stream of ZRLE is damaged".to_owned());
            }
        }
    }
}

/// What is left of the tiles of a rectangle.
struct Tiles<'a> {
    bytes: &'a [u8],
}

impl Tiles<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    /// A pixel: blue, green, red.
    fn pixel(&mut self) -> Option<u32> {
        let (pixel, rest) = self.bytes.split_first_chunk::<PIXEL_BYTES>()?;
        self.bytes = rest;
        Some(u32::from_le_bytes([pixel[0], pixel[1], pixel[2], 0]))
    }

    /// Length of a run.
    fn run(&mut self) -> Option<usize> {
        let mut length = 1;
        loop {
            let byte = self.byte()?;
            length += usize::from(byte);
            if byte != 255 {
                return Some(length);
            }
        }
    }

    /// Paints a tile; `None` if it is no whole one.
    fn paint(&mut self, screen: &mut Screen, tile: Rect) -> Option<()> {
        match self.byte()? {
            0 => self.raw(screen, tile),
            1 => {
                let color = self.pixel()?;
                (0..tile.height).for_each(|y| screen.line(tile, y).fill(color));
                Some(())
            }
            count @ 2..=16 => self.packed_palette(screen, tile, count),
            128 => self.runs(screen, tile, &[]),
            count @ 130..=255 => {
                let palette = self.palette(count - 128)?;
                self.runs(screen, tile, &palette)
            }
            17..=127 | 129 => None,
        }
    }

    fn palette(&mut self, count: u8) -> Option<Vec<u32>> {
        (0..count).map(|_| self.pixel()).collect()
    }

    fn raw(&mut self, screen: &mut Screen, tile: Rect) -> Option<()> {
        for y in 0..tile.height {
            for place in screen.line(tile, y) {
                *place = self.pixel()?;
            }
        }
        Some(())
    }

    fn packed_palette(&mut self, screen: &mut Screen, tile: Rect, count: u8) -> Option<()> {
        let palette = self.palette(count)?;
        let bits = match count {
            2 => 1,
            3..=4 => 2,
            _ => 4,
        };
        for y in 0..tile.height {
            let (mut byte, mut left) = (0, 0);
            for place in screen.line(tile, y) {
                if left == 0 {
                    (byte, left) = (self.byte()?, 8);
                }
                left -= bits;
                let index = byte >> left & ((1 << bits) - 1);
                *place = *palette.get(usize::from(index))?;
            }
        }
        Some(())
    }

    /// Runs of colours, by their index in the palette if there is one.
    fn runs(&mut self, screen: &mut Screen, tile: Rect, palette: &[u32]) -> Option<()> {
        let width = usize::from(tile.width);
        let count = width * usize::from(tile.height);
        let mut done = 0;
        while done < count {
            let (color, length) = if palette.is_empty() {
                (self.pixel()?, self.run()?)
            } else {
                let index = self.byte()?;
                let color = *palette.get(usize::from(index & 0x7f))?;
                (color, if index >= 128 { self.run()? } else { 1 })
            };
            let end = done.checked_add(length).filter(|end| *end <= count)?;
            while done < end {
                let (x, y) = (done % width, done / width);
                let part = (width - x).min(end - done);
                screen.line(tile, y as u16)[x..x + part].fill(color);
                done += part;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use miniz_oxide::deflate::compress_to_vec_zlib;

    use super::*;

    fn painted((width, height): (u16, u16), plain: &[u8]) -> Result<Vec<u32>, String> {
        let mut screen = Screen::new(width, height).unwrap();
        let rect = Rect { x: 0, y: 0, width, height };
        let packed = compress_to_vec_zlib(plain, 6);
        // A stream that ends is none of a server's; what is before its end is the same.
        Zrle::default().paint(&mut screen, rect, &packed[..packed.len() - 4])?;
        Ok(screen.pixels().to_vec())
    }

    #[test]
    fn every_kind_of_tile_is_painted() {
        let check = |plain: &[u8], pixels: [u32; 6]| {
            assert_eq!(painted((3, 2), plain), Ok(pixels.to_vec()), "{plain:?}");
        };
        check(&[1, 3, 2, 1], [0x01_0203; 6]);
        let mut raw = vec![0];
        (1..=6).for_each(|blue| raw.extend([blue, 0, 0]));
        check(&raw, [1, 2, 3, 4, 5, 6]);
        check(&[2, 1, 0, 0, 2, 0, 0, 0b0100_0000, 0b1010_0000], [1, 2, 1, 2, 1, 2]);
        check(&[3, 1, 0, 0, 2, 0, 0, 3, 0, 0, 0b0001_1000, 0b1001_0000], [1, 2, 3, 3, 2, 1]);
        check(&[128, 7, 0, 0, 3, 9, 0, 0, 1], [7, 7, 7, 7, 9, 9]);
        check(&[130, 7, 0, 0, 9, 0, 0, 0x80, 3, 1, 0], [7, 7, 7, 7, 9, 7]);
    }

    #[test]
    fn what_is_no_tile_is_refused() {
        for plain in [
            &[0, 1][..],
            &[17],
            &[129],
            &[3, 1, 0, 0, 2, 0, 0, 3, 0, 0, 0xff, 0xff],
            &[128, 7, 0, 0, 6],
            &[130, 7, 0, 0, 9, 0, 0, 2],
            &[],
        ] {
            assert!(painted((3, 2), plain).is_err(), "{plain:?}");
        }
        let bomb = vec![0; 1 << 20];
        assert!(painted((3, 2), &bomb).unwrap_err().contains("larger"));
    }

    #[test]
    fn a_run_goes_on_after_255() {
        let pixels = painted((64, 8), &[128, 7, 0, 0, 255, 255, 1]).unwrap();
        assert_eq!(pixels, vec![7; 512]);
    }
}
