//! What a response looks like: pixels that have changed, and stay.

use kneepoint_core::spec::profile::Region;

use super::screen::Screen;

/// By how much each of the three colours of a pixel may differ from what is expected: codecs lose a little.
const TOLERANCE: u8 = 40;

/// Share of the marks that have to be there.
const SHOWN: f64 = 0.9;

/// Most marks of a picture.
const MARKS_MAX: usize = 160;

/// Work that ends with more of the screen changed than this does not end as it began.
pub(crate) const CHANGED_MAX: f64 = 0.002;

/// Fewer changed pixels are no picture.
const MARKS_MIN: usize = 3;

/// A pixel that shows the response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    x: u16,
    y: u16,
    before: u32,
    after: u32,
}

/// The pixels by which a response is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Picture {
    marks: Vec<Mark>,
}

/// What is there in the place of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sight {
    /// The picture.
    Shown,
    /// What was there before.
    Before,
    /// Something else.
    Other,
}

impl Picture {
    /// What of `region` has changed from `before` to `after` and is still so `later`; `None` if that is
    /// nothing that could be told.
    pub(crate) fn of_change(
        (before, after, later): (&Screen, &Screen, &Screen),
        region: Region,
    ) -> Option<Self> {
        if before.size() != after.size() || after.size() != later.size() {
            return None;
        }
        let (columns, rows) = area(after.size(), region);
        let width = usize::from(after.size().0);
        let mut changed = Vec::new();
        for y in rows {
            for x in columns.clone() {
                let place = usize::from(y) * width + usize::from(x);
                let pixels = [before, after, later].map(|screen| screen.pixels()[place]);
                let is_clear = distance(pixels[0], pixels[1]) > 2 * TOLERANCE;
                if is_clear && distance(pixels[1], pixels[2]) <= TOLERANCE {
                    changed.push(Mark { x, y, before: pixels[0], after: pixels[1] });
                }
            }
        }
        let step = changed.len().div_ceil(MARKS_MAX).max(1);
        let is_enough = changed.len() >= MARKS_MIN;
        is_enough.then(|| Self { marks: changed.into_iter().step_by(step).collect() })
    }

    /// What is on `screen` now.
    pub(crate) fn on(&self, screen: &Screen) -> Sight {
        let share = |color: fn(&Mark) -> u32| {
            let is_there = |mark: &&Mark| {
                let pixel = screen.pixel(mark.x, mark.y);
                pixel.is_some_and(|pixel| distance(pixel, color(mark)) <= TOLERANCE)
            };
            self.marks.iter().filter(is_there).count() as f64 / self.marks.len() as f64
        };
        if share(|mark| mark.after) >= SHOWN {
            Sight::Shown
        } else if share(|mark| mark.before) >= SHOWN {
            Sight::Before
        } else {
            Sight::Other
        }
    }
}

/// Columns and rows of a region.
fn area(
    (width, height): (u16, u16),
    region: Region,
) -> (std::ops::Range<u16>, std::ops::Range<u16>) {
    let edge = |length: u16, share: f64| (f64::from(length) * share).round() as u16;
    (
        edge(width, region.left.fraction())..edge(width, region.right.fraction()),
        edge(height, region.top.fraction())..edge(height, region.bottom.fraction()),
    )
}

/// A part of a screen as it was at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Moment {
    size: (u16, u16),
    pixels: Vec<u32>,
}

impl Moment {
    /// `region` of `screen` as it is now.
    pub(crate) fn of(screen: &Screen, region: Region) -> Self {
        Self { size: screen.size(), pixels: pixels(screen, region).collect() }
    }

    /// Whether `region`, the same, shows something else on `screen` now; another size of the screen is.
    pub(crate) fn differs_from(&self, screen: &Screen, region: Region) -> bool {
        if self.size != screen.size() {
            return true;
        }
        let pairs = self.pixels.iter().zip(pixels(screen, region));
        let differing = pairs.filter(|(then, now)| is_other(**then, *now));
        differing.take(MARKS_MIN).count() == MARKS_MIN
    }
}

/// The pixels of a region, line by line.
fn pixels(screen: &Screen, region: Region) -> impl Iterator<Item = u32> {
    let (columns, rows) = area(screen.size(), region);
    let width = usize::from(screen.size().0);
    rows.flat_map(move |y| {
        let line = usize::from(y) * width;
        let columns = line + usize::from(columns.start)..line + usize::from(columns.end);
        screen.pixels()[columns].iter().copied()
    })
}

/// The largest difference of a colour of two pixels.
fn distance(a: u32, b: u32) -> u8 {
    let (a, b) = (a.to_be_bytes(), b.to_be_bytes());
    a.into_iter().zip(b).map(|(a, b)| a.abs_diff(b)).max().unwrap_or(0)
}

/// Whether two pixels differ clearly.
pub(crate) fn is_other(a: u32, b: u32) -> bool {
    distance(a, b) > 2 * TOLERANCE
}

/// A screen of which every third pixel of every third line is kept: enough to tell whether it is the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Thin {
    size: (u16, u16),
    pixels: Vec<u32>,
}

impl Thin {
    const STEP: usize = 3;

    pub(crate) fn of(screen: &Screen) -> Self {
        let lines = screen.pixels().chunks(usize::from(screen.size().0)).step_by(Self::STEP);
        let pixels = lines.flat_map(|line| line.iter().copied().step_by(Self::STEP)).collect();
        Self { size: screen.size(), pixels }
    }

    /// Share of the pixels that differ clearly; all of them if the screens have other sizes.
    pub(crate) fn differs_by(&self, other: &Self) -> f64 {
        if self.size != other.size {
            return 1.0;
        }
        let pairs = self.pixels.iter().zip(&other.pixels);
        let differing = pairs.filter(|(a, b)| is_other(**a, **b)).count();
        differing as f64 / self.pixels.len().max(1) as f64
    }
}

/// Share of the pixels in which two screens differ clearly; all of them if their sizes differ.
pub(crate) fn difference(a: &Screen, b: &Screen) -> f64 {
    if a.size() != b.size() {
        return 1.0;
    }
    let pairs = a.pixels().iter().zip(b.pixels());
    let differing = pairs.filter(|(a, b)| is_other(**a, **b)).count();
    differing as f64 / a.pixels().len() as f64
}
