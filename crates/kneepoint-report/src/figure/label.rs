//! Places labels beside marks so that they cover as little as possible.

use super::svg::{self, Spot};

/// A rectangle of the drawing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Area {
    /// A square around `spot`.
    pub(super) fn around(spot: Spot, radius: f64) -> Self {
        Self {
            left: spot.x - radius,
            top: spot.y - radius,
            right: spot.x + radius,
            bottom: spot.y + radius,
        }
    }

    /// The rectangle of a line of text whose baseline starts at `spot`.
    pub(super) fn of_text(text: &str, spot: Spot) -> Self {
        let top = spot.y - svg::FONT_SIZE * 0.85;
        let bottom = spot.y + svg::FONT_SIZE * 0.25;
        Self { left: spot.x, top, right: spot.x + svg::text_width(text), bottom }
    }

    /// True if the rectangles have room in common.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn contains(&self, other: &Self) -> bool {
        self.left <= other.left
            && other.right <= self.right
            && self.top <= other.top
            && other.bottom <= self.bottom
    }
}

/// Things that labels should not cover.
#[derive(Debug)]
pub(super) struct Obstacles {
    bounds: Area,
    curves: Vec<Area>,
    texts: Vec<Area>,
}

impl Obstacles {
    /// Nothing yet; labels stay within `bounds`.
    pub(super) const fn within(bounds: Area) -> Self {
        Self { bounds, curves: Vec::new(), texts: Vec::new() }
    }

    /// Keeps labels off a line through `spots`.
    pub(super) fn add_line(&mut self, spots: &[Spot]) {
        for pair in spots.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let length = (to.x - from.x).abs().max((to.y - from.y).abs());
            let steps = (length / 5.0).ceil().clamp(1.0, 200.0);
            for step in 0..=steps as u32 {
                let share = f64::from(step) / steps;
                let spot = from.offset((to.x - from.x) * share, (to.y - from.y) * share);
                self.curves.push(Area::around(spot, 2.5));
            }
        }
        self.curves.extend(spots.iter().map(|spot| Area::around(*spot, 4.5)));
    }

    /// Keeps labels off another text or a mark.
    pub(super) fn add_text(&mut self, area: Area) {
        self.texts.push(area);
    }

    /// Start of the baseline for `text` near `spot`, where it covers least of the curves. Nothing
    /// where every place would cover other text.
    pub(super) fn place(&mut self, text: &str, spot: Spot) -> Option<Placed> {
        let near = beside(text, spot, &[10.0, 18.0, 28.0, 42.0]);
        if let Some(start) = self.best(text, near) {
            return Some(Placed { start, leader: None });
        }
        let start = self.best(text, self.far(text, spot))?;
        let area = Area::of_text(text, start);
        let end = Spot::new(
            spot.x.clamp(area.left, area.right),
            spot.y.clamp(area.top + 1.0, area.bottom),
        );
        Some(Placed { start, leader: Some([spot, end]) })
    }

    /// The same, but only where it cannot be taken for the label of anything else.
    pub(super) fn place_close(&mut self, text: &str, spot: Spot) -> Option<Placed> {
        let mut near = beside(text, spot, &[10.0, 18.0]).into_iter();
        let start = near.find(|start| {
            let area = Area::of_text(text, *start);
            self.is_free(&area) && self.covered(&area) == 0
        })?;
        self.add_text(Area::of_text(text, start));
        Some(Placed { start, leader: None })
    }

    /// Start of the baseline for `text` along a straight line, where it covers least of the
    /// curves. Nothing where every place would cover other text.
    pub(super) fn place_along(&mut self, text: &str, ends: [Spot; 2]) -> Option<Spot> {
        self.best(text, along(text, ends))
    }

    /// The first of the candidates that cover least of the curves, among those that cover no text.
    fn best(&mut self, text: &str, candidates: Vec<Spot>) -> Option<Spot> {
        let area = |baseline: &Spot| Area::of_text(text, *baseline);
        let free = candidates.into_iter().filter(|baseline| self.is_free(&area(baseline)));
        let best = free.min_by_key(|baseline| self.covered(&area(baseline)))?;
        self.add_text(area(&best));
        Some(best)
    }

    /// True if text may stand here: not cut off, and on no other text.
    fn is_free(&self, area: &Area) -> bool {
        self.bounds.contains(area) && !self.texts.iter().any(|text| text.overlaps(area))
    }

    /// How much of the curves lies below.
    fn covered(&self, area: &Area) -> usize {
        self.curves.iter().filter(|curve| curve.overlaps(area)).count()
    }

    /// Baselines all over the bounds, the nearest ones first.
    fn far(&self, text: &str, spot: Spot) -> Vec<Spot> {
        let (right, down) =
            (self.bounds.right - self.bounds.left, self.bounds.bottom - self.bounds.top);
        let centre = |baseline: &Spot| baseline.offset(svg::text_width(text) / 2.0, -4.0);
        let distance = |baseline: &Spot| {
            let centre = centre(baseline);
            libm::hypot(centre.x - spot.x, centre.y - spot.y)
        };
        let corner = Spot::new(self.bounds.left, self.bounds.top);
        let rows = (0..).map(|row| f64::from(row) * 15.0).take_while(|y| *y < down);
        let mut found: Vec<Spot> = rows
            .flat_map(|y| {
                let columns = (0..).map(|column| f64::from(column) * 24.0);
                columns.take_while(|x| *x < right).map(move |x| corner.offset(x, y))
            })
            .collect();
        found.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        found
    }
}

/// Where a label stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Placed {
    /// Start of the baseline.
    pub(super) start: Spot,
    /// A line from what is labelled to its label, where they are far apart.
    pub(super) leader: Option<[Spot; 2]>,
}

/// Baselines around `spot`, the preferred ones first.
fn beside(text: &str, spot: Spot, distances: &[f64]) -> Vec<Spot> {
    let width = svg::text_width(text);
    let mut found = Vec::new();
    for &distance in distances {
        let (above, below, middle) = (-distance, distance + 8.5, 4.0);
        let (left, right, centre) = (-distance - width, distance, -width / 2.0);
        let beside = [(left, above), (left, middle), (right, middle), (right, below)];
        let around = [(centre, above), (centre, below), (right, above), (left, below)];
        found.extend(beside.iter().chain(&around).map(|(x, y)| spot.offset(*x, *y)));
    }
    found
}

/// Baselines on both sides of a straight line, those near its start first.
fn along(text: &str, [from, to]: [Spot; 2]) -> Vec<Spot> {
    let width = svg::text_width(text);
    let sides = if from.y == to.y {
        [(6.0, -6.0), (6.0, 14.0)]
    } else {
        [(5.0, svg::FONT_SIZE), (-5.0 - width, svg::FONT_SIZE)]
    };
    let right = (to.x - from.x - width - 12.0).max(0.0);
    let down = (to.y - from.y - svg::LINE_HEIGHT).max(0.0);
    (0..=20)
        .map(|step| f64::from(step) / 20.0)
        .flat_map(|share| sides.map(|(x, y)| from.offset(x + right * share, y + down * share)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_off_each_other_and_inside() {
        let bounds = Area { left: 0.0, top: 0.0, right: 300.0, bottom: 200.0 };
        let mut obstacles = Obstacles::within(bounds);
        obstacles.add_line(&[Spot::new(0.0, 190.0), Spot::new(290.0, 10.0)]);
        let corner = Spot::new(290.0, 10.0);
        let mut place = |text: &str| {
            let placed = obstacles.place(text, corner)?;
            Some((Area::of_text(text, placed.start), placed.leader.is_some()))
        };
        let mut found: Vec<(Area, bool)> = Vec::new();
        while let Some(placed) = place("peak 15,200") {
            found.push(placed);
        }
        assert!(found.len() > 10, "{}", found.len());
        assert!(!found[0].1 && found[found.len() - 1].1, "only far labels need a line");
        for (index, (area, _)) in found.iter().enumerate() {
            assert!(bounds.contains(area));
            assert!(found[..index].iter().all(|(other, _)| !other.overlaps(area)));
        }
    }
}
