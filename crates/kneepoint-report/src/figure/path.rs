//! Path data, written as short as it can be without loss: whole tenths of a unit, and steps
//! instead of places wherever those are fewer characters.

use super::svg::Spot;

/// A place in tenths of a unit.
type Place = (i64, i64);

/// Writes path data.
#[derive(Debug, Default)]
struct Pen {
    data: String,
    at: Option<Place>,
}

/// A path through `spots` by straight lines.
pub(super) fn path(spots: impl IntoIterator<Item = Spot>) -> String {
    let mut pen = Pen::default();
    pen.polyline(spots.into_iter().map(place));
    pen.data
}

/// A closed path through `spots`.
pub(super) fn closed(spots: impl IntoIterator<Item = Spot>) -> String {
    let mut data = path(spots);
    data.push('z');
    data
}

/// Separate lines as one path; each may be drawn in either direction.
pub(super) fn lines(lines: impl IntoIterator<Item = [Spot; 2]>) -> String {
    let mut pen = Pen::default();
    for [from, to] in lines {
        let ends = [place(from), place(to)];
        let (forth, back) = (pen.with(ends), pen.with([ends[1], ends[0]]));
        pen = if back.data.len() < forth.data.len() { back } else { forth };
    }
    pen.data
}

fn place(spot: Spot) -> Place {
    (tenths(spot.x), tenths(spot.y))
}

fn tenths(value: f64) -> i64 {
    (value * 10.0).round() as i64
}

/// Tenths as a number: `12.5`, `12`, never `-0`.
fn number(tenths: i64) -> String {
    let (sign, size) = (if tenths < 0 { "-" } else { "" }, tenths.unsigned_abs());
    match size % 10 {
        0 => format!("{sign}{}", size / 10),
        rest => format!("{sign}{}.{rest}", size / 10),
    }
}

/// Two numbers; a minus parts them as well as a space does.
fn pair((x, y): Place) -> String {
    let gap = if y < 0 { "" } else { " " };
    format!("{}{gap}{}", number(x), number(y))
}

impl Pen {
    /// This pen after one more line.
    fn with(&self, ends: [Place; 2]) -> Self {
        let mut pen = Self { data: String::new(), at: self.at };
        pen.polyline(ends.into_iter());
        pen.data.insert_str(0, &self.data);
        pen
    }

    fn polyline(&mut self, mut places: impl Iterator<Item = Place>) {
        let Some(first) = places.next() else { return };
        self.start(first);
        places.for_each(|place| self.draw(place));
    }

    fn start(&mut self, to: Place) {
        let step = self.at.map(|from| format!("m{}", pair((to.0 - from.0, to.1 - from.1))));
        self.shorter(to, format!("M{}", pair(to)), step);
    }

    fn draw(&mut self, to: Place) {
        let Some(from) = self.at else { return self.start(to) };
        let step = (to.0 - from.0, to.1 - from.1);
        let (absolute, relative) = match step {
            (_, 0) => (format!("H{}", number(to.0)), format!("h{}", number(step.0))),
            (0, _) => (format!("V{}", number(to.1)), format!("v{}", number(step.1))),
            _ => (format!("L{}", pair(to)), format!("l{}", pair(step))),
        };
        self.shorter(to, absolute, Some(relative));
    }

    fn shorter(&mut self, to: Place, absolute: String, relative: Option<String>) {
        let relative = relative.filter(|relative| relative.len() < absolute.len());
        self.data += &relative.unwrap_or(absolute);
        self.at = Some(to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spots<const N: usize>(places: [(f64, f64); N]) -> [Spot; N] {
        places.map(|(x, y)| Spot::new(x, y))
    }

    #[test]
    fn the_shorter_of_place_and_step_is_written() {
        let check = |data: String, text: &str| assert_eq!(data, text);
        check(path(spots([(1.0, 2.0), (3.26, 4.0)])), "M1 2L3.3 4");
        check(path(spots([(300.0, 200.0), (303.0, 198.0)])), "M300 200l3-2");
        check(path(spots([(1.0, 2.0), (1.0, 4.0), (5.0, 4.01)])), "M1 2V4H5");
        check(path(spots([(-0.01, 0.04)])), "M0 0");
        check(path([]), "");
        let square = [(11.0, 11.0), (12.5, 11.0), (12.5, 12.5), (11.0, 12.5)];
        check(closed(spots(square)), "M11 11h1.5v1.5H11z");
    }

    #[test]
    fn lines_go_to_and_fro() {
        let level = |y: f64| spots([(45.8, y), (537.4, y)]);
        let data = lines([level(316.0), level(282.8), level(257.8)]);
        assert_eq!(data, "M45.8 316H537.4m0-33.2H45.8m0-25H537.4");
    }
}
