//! One way through a frame for coding and for decoding it.

use super::coder::{Chance, Coder};
use super::transform::{Square, forward, inverse};

pub(super) const WIDTH: usize = 352;
pub(super) const HEIGHT: usize = 288;

/// Side of the part of a frame that moves as a whole.
const BLOCK: usize = 16;

/// How far a block may have moved in each direction, in pixels.
const REACH: i32 = 7;

/// Step of quantisation.
const STEP: i32 = 10;

/// Coefficients by ascending frequency: index of the row by row order.
const ZIGZAG: [usize; 64] = zigzag();

const fn zigzag() -> [usize; 64] {
    let mut order = [0; 64];
    let (mut index, mut sum) = (0, 0);
    while sum < 15 {
        let mut step = 0;
        while step <= sum {
            let (row, column) = if sum % 2 == 0 { (sum - step, step) } else { (step, sum - step) };
            if row < 8 && column < 8 {
                order[index] = row * 8 + column;
                index += 1;
            }
            step += 1;
        }
        sum += 1;
    }
    order
}

/// What the coder knows of what comes next.
#[derive(Debug, Default)]
struct Chances {
    motion: [[Chance; 16]; 2],
    coded: [Chance; 3],
    last: [[Chance; 32]; 2],
    zero: [[Chance; 16]; 2],
    sign: Chance,
    size: [[Chance; 16]; 4],
    rest: [Chance; 16],
}

/// A codec with the picture that it made last.
#[derive(Debug)]
pub(super) struct Codec {
    picture: Vec<u8>,
    before: Vec<u8>,
    chances: Chances,
}

impl Codec {
    pub(super) fn new() -> Self {
        let grey = vec![128; WIDTH * HEIGHT];
        Self { picture: grey.clone(), before: grey, chances: Chances::default() }
    }

    /// The last picture, as a decoder sees it.
    pub(super) fn picture(&self) -> &[u8] {
        &self.picture
    }

    /// Codes a frame, or decodes one if there is none.
    pub(super) fn code(&mut self, coder: &mut impl Coder, frame: Option<&[u8]>) {
        std::mem::swap(&mut self.picture, &mut self.before);
        for row in (0..HEIGHT).step_by(BLOCK) {
            for column in (0..WIDTH).step_by(BLOCK) {
                let at = row * WIDTH + column;
                let found = frame.map(|frame| search(frame, &self.before, (row, column)));
                let motion = self.motion(coder, found.unwrap_or_default());
                let from =
                    at.wrapping_add_signed(motion.0 as isize * WIDTH as isize + motion.1 as isize);
                for quarter in 0..4 {
                    let offset = quarter / 2 * 8 * WIDTH + quarter % 2 * 8;
                    self.square(coder, frame, [at + offset, from + offset]);
                }
            }
        }
    }

    /// How far a block has moved, down and to the right.
    fn motion(&mut self, coder: &mut impl Coder, found: (i32, i32)) -> (i32, i32) {
        let [down, right] = &mut self.chances.motion;
        let down_code = tree(coder, down, (found.0 + REACH) as usize);
        let right_code = tree(coder, right, (found.1 + REACH) as usize);
        (down_code as i32 - REACH, right_code as i32 - REACH)
    }

    /// Codes the difference between 8 x 8 pixels and what they were elsewhere; adds it up.
    fn square(&mut self, coder: &mut impl Coder, frame: Option<&[u8]>, [at, from]: [usize; 2]) {
        let predicted = square_at(&self.before, from);
        let mut levels = frame.map_or([0; 64], |frame| {
            let pixels = square_at(frame, at);
            quantised(&forward(&std::array::from_fn(|index| pixels[index] - predicted[index])))
        });
        self.chances.levels(coder, &mut levels);
        let difference = inverse(&levels.map(|level| level * STEP));
        for (row, (before, change)) in predicted.chunks(8).zip(difference.chunks(8)).enumerate() {
            let start = at + row * WIDTH;
            let target = &mut self.picture[start..start + 8];
            for ((pixel, before), change) in target.iter_mut().zip(before).zip(change) {
                *pixel = (before + change).clamp(0, 255) as u8;
            }
        }
    }
}

fn square_at(picture: &[u8], at: usize) -> Square {
    std::array::from_fn(|index| i32::from(picture[at + index / 8 * WIDTH + index % 8]))
}

/// Multiples of the step, those near zero as zero.
fn quantised(coefficients: &Square) -> Square {
    coefficients.map(|coefficient| {
        let level = ((coefficient.abs() >> 10) + STEP * 11) / (STEP * 32);
        if coefficient < 0 { -level } else { level }
    })
}

/// The motion with the least sum of differences; the smallest of those that are equal.
fn search(frame: &[u8], before: &[u8], (row, column): (usize, usize)) -> (i32, i32) {
    let at = row * WIDTH + column;
    let mut best = (difference(frame, before, [at, at]), 0, (0, 0));
    for down in -REACH..=REACH {
        for right in -REACH..=REACH {
            let (y, x) = (row as i32 + down, column as i32 + right);
            let inside =
                y >= 0 && x >= 0 && y as usize <= HEIGHT - BLOCK && x as usize <= WIDTH - BLOCK;
            if inside {
                let sum = difference(frame, before, [at, y as usize * WIDTH + x as usize]);
                best = best.min((sum, down.abs() + right.abs(), (down, right)));
            }
        }
    }
    best.2
}

fn difference(frame: &[u8], before: &[u8], [at, from]: [usize; 2]) -> u32 {
    let mut sum = 0;
    for row in 0..BLOCK {
        let (start, other) = (at + row * WIDTH, from + row * WIDTH);
        let pairs = frame[start..start + BLOCK].iter().zip(&before[other..other + BLOCK]);
        sum += pairs.map(|(a, b)| u32::from(a.abs_diff(*b))).sum::<u32>();
    }
    sum
}

/// A number of as many bits as there are chances for, highest bit first.
fn tree(coder: &mut impl Coder, chances: &mut [Chance], number: usize) -> usize {
    let bits = chances.len().trailing_zeros();
    let found = (0..bits).rev().fold(1, |found, bit| {
        let is_set = coder.bit(&mut chances[found], number >> bit & 1 != 0);
        found << 1 | usize::from(is_set)
    });
    found - chances.len()
}

impl Chances {
    fn levels(&mut self, coder: &mut impl Coder, levels: &mut Square) {
        let last = ZIGZAG.iter().rposition(|index| levels[*index] != 0);
        if !coder.bit(&mut self.coded[0], last.is_some()) {
            return;
        }
        let last = last.unwrap_or_default();
        let far = coder.bit(&mut self.coded[1], last >= 32);
        let last = tree(coder, &mut self.last[usize::from(far)], last % 32) + 32 * usize::from(far);
        let mut neighbour = 0;
        for (place, index) in ZIGZAG.iter().enumerate().take(last + 1) {
            let level = &mut levels[*index];
            let kind = usize::from(neighbour == 0);
            if place < last && coder.bit(&mut self.zero[kind][place / 4], *level == 0) {
                neighbour = 0;
                continue;
            }
            let size = self.size(coder, level.unsigned_abs(), neighbour.min(3));
            let negative = coder.bit(&mut self.sign, *level < 0);
            *level = if negative { -(size as i32) } else { size as i32 };
            neighbour = size as usize;
        }
    }

    /// A number from 1: in unary up to 15, and then by the number of its bits.
    fn size(&mut self, coder: &mut impl Coder, size: u32, neighbour: usize) -> u32 {
        let mut found = 1;
        while found < 16 {
            if !coder.bit(&mut self.size[neighbour][found as usize], size > found) {
                return found;
            }
            found += 1;
        }
        let mut even = Chance::default();
        let rest = size.saturating_sub(15);
        let mut bits = 0;
        while coder.bit(&mut self.rest[bits], rest >> (bits + 1) != 0) {
            bits += 1;
        }
        let low = (0..bits).rev().fold(1, |low, bit| {
            even = Chance::default();
            low << 1 | u32::from(coder.bit(&mut even, rest >> bit & 1 != 0))
        });
        15 + low
    }
}
