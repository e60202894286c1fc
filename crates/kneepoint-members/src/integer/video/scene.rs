//! Generated frames: a textured ground that moves slowly, things that move faster, and noise.

use super::codec::{HEIGHT, WIDTH};
use crate::random::Random;

/// Side of the ground, which repeats.
const GROUND: usize = 512;

/// A thing: its size, where it is at first, and by how much it moves in a frame.
#[derive(Debug)]
struct Thing {
    radius: i64,
    place: (i64, i64),
    step: (i64, i64),
    shade: u8,
}

/// What is seen.
#[derive(Debug)]
pub(super) struct Scene {
    ground: Vec<u8>,
    things: Vec<Thing>,
}

impl Scene {
    pub(super) fn new() -> Self {
        let mut random = Random::new(0x5eed_0007);
        let things = (0..12).map(|_| Thing {
            radius: 10 + random.below(30) as i64,
            place: (random.below(WIDTH as u64) as i64, random.below(HEIGHT as u64) as i64),
            step: (random.below(9) as i64 - 4, random.below(7) as i64 - 3),
            shade: random.below(256) as u8,
        });
        let things = things.collect();
        Self { ground: ground(&mut random), things }
    }

    /// The luminance of all pixels, row by row.
    pub(super) fn frame(&self, number: u64) -> Vec<u8> {
        let mut frame = Vec::with_capacity(WIDTH * HEIGHT);
        let (right, down) = (number as usize, number as usize / 2);
        for row in 0..HEIGHT {
            let start = (row + down) % GROUND * GROUND;
            frame.extend((0..WIDTH).map(|column| self.ground[start + (column + right) % GROUND]));
        }
        for thing in &self.things {
            thing.draw(&mut frame, number as i64);
        }
        let mut random = Random::new(number);
        for pixels in frame.chunks_mut(32) {
            let noise = random.bits();
            for (index, pixel) in pixels.iter_mut().enumerate() {
                *pixel = pixel.saturating_add((noise >> (2 * index) & 3) as u8);
            }
        }
        frame
    }
}

impl Thing {
    fn draw(&self, frame: &mut [u8], time: i64) {
        let column = (self.place.0 + time * self.step.0).rem_euclid(WIDTH as i64);
        let row = (self.place.1 + time * self.step.1).rem_euclid(HEIGHT as i64);
        for down in -self.radius..=self.radius {
            for right in -self.radius..=self.radius {
                let (x, y) = (column + right, row + down);
                let inside = down * down + right * right <= self.radius * self.radius;
                if inside && (0..WIDTH as i64).contains(&x) && (0..HEIGHT as i64).contains(&y) {
                    let stripe = if (right + 2 * down).rem_euclid(12) < 6 { 40 } else { 0 };
                    frame[y as usize * WIDTH + x as usize] = self.shade.wrapping_add(stripe);
                }
            }
        }
    }
}

/// Random heights on a grid, with straight lines between them, at three sizes.
fn ground(random: &mut Random) -> Vec<u8> {
    let mut ground = vec![0_u32; GROUND * GROUND];
    for (size, weight) in [(64, 130), (16, 70), (4, 40)] {
        let side = GROUND / size;
        let grid: Vec<u32> = (0..side * side).map(|_| random.below(weight) as u32).collect();
        for (index, pixel) in ground.iter_mut().enumerate() {
            let (row, column) = (index / GROUND, index % GROUND);
            let at = |down: usize, right: usize| {
                grid[(row / size + down) % side * side + (column / size + right) % side]
            };
            let (y, x) = ((row % size) as u32, (column % size) as u32);
            let size = size as u32;
            let above = at(0, 0) * (size - x) + at(0, 1) * x;
            let below = at(1, 0) * (size - x) + at(1, 1) * x;
            *pixel += (above * (size - y) + below * y) / (size * size);
        }
    }
    ground.into_iter().map(|height| height.min(252) as u8).collect()
}
