//! Ray tracing: mirrors and coloured spheres over a floor, found in a tree of boxes.

use super::vector::Vector;
use crate::member::{Class, Member, Scale};
use crate::output::Output;
use crate::random::Random;

pub(crate) const MEMBER: Member = Member {
    name: "rays",
    class: Class::Floating,
    title: "Ray tracing",
    work: "draws a scene of 2,000 spheres over a floor, with shadows, reflections and smooth edges; a tree \
           of boxes finds what a ray meets",
    unit: "a row of pixels",
    run,
};

/// How often a ray is reflected at most.
const REFLECTIONS: u32 = 4;

/// Rays for each pixel, in each direction.
const SUBPIXELS: usize = 3;

fn run(scale: Scale) -> Output {
    let (width, height, spheres) = scale.choose((1280, 1100, 2000), (288, 192, 2000), (12, 8, 40));
    let mut output = Output::default();
    let scene = Scene::new(spheres, &mut Random::new(0x5eed_0016));
    let mut bytes = Vec::new();
    let mut sum = Vector::default();
    for row in 0..height {
        for column in 0..width {
            let colour = pixel(&scene, (column, row), (width, height));
            sum += colour;
            let values = [colour.x, colour.y, colour.z];
            bytes.extend(values.map(|value| (value.clamp(0.0, 1.0) * 255.0).round() as u8));
        }
    }
    output.content("picture", &bytes);
    [sum.x, sum.y, sum.z].iter().for_each(|sum| output.real("light", *sum));
    output
}

/// The mean colour of a pixel.
fn pixel(scene: &Scene, (column, row): (usize, usize), (width, height): (usize, usize)) -> Vector {
    let mut colour = Vector::default();
    for part in 0..SUBPIXELS * SUBPIXELS {
        let (right, down) = (part % SUBPIXELS, part / SUBPIXELS);
        let share =
            |place: usize, part: usize| place as f64 + (part as f64 + 0.5) / SUBPIXELS as f64;
        let x = (share(column, right) - width as f64 / 2.0) / height as f64;
        let y = (height as f64 / 2.0 - share(row, down)) / height as f64;
        let ray = Ray {
            from: Vector::new(0.0, 3.0, -12.0),
            towards: Vector::new(x, y - 0.15, 1.0).unit(),
        };
        colour += scene.colour(ray, REFLECTIONS);
    }
    colour * (1.0 / (SUBPIXELS * SUBPIXELS) as f64)
}

#[derive(Debug, Clone, Copy)]
struct Ray {
    from: Vector,
    /// Of length 1.
    towards: Vector,
}

#[derive(Debug, Clone, Copy)]
struct Sphere {
    middle: Vector,
    radius: f64,
    colour: Vector,
    /// Share of the light that is reflected.
    mirror: f64,
}

impl Sphere {
    /// The distance at which a ray enters or leaves.
    fn met_by(&self, ray: Ray) -> Option<f64> {
        let to_middle = self.middle - ray.from;
        let along = to_middle.dot(ray.towards);
        let root = along * along - to_middle.dot(to_middle) + self.radius * self.radius;
        if root < 0.0 {
            return None;
        }
        let root = root.sqrt();
        [along - root, along + root].into_iter().find(|distance| *distance > 1e-6)
    }
}

/// A box with its sides along the axes.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    low: Vector,
    high: Vector,
}

impl Bounds {
    fn of(spheres: &[Sphere]) -> Self {
        let start = Self {
            low: Vector::new(f64::MAX, f64::MAX, f64::MAX),
            high: Vector::new(f64::MIN, f64::MIN, f64::MIN),
        };
        spheres.iter().fold(start, |bounds, sphere| Self {
            low: bounds.low.zip(sphere.middle, |low, middle| low.min(middle - sphere.radius)),
            high: bounds.high.zip(sphere.middle, |high, middle| high.max(middle + sphere.radius)),
        })
    }

    /// Whether a ray passes before it has gone `distance`; `inverse` is one over its direction.
    fn met_by(&self, ray: Ray, inverse: Vector, distance: f64) -> bool {
        let multiply = |a: f64, b: f64| a * b;
        let first = (self.low - ray.from).zip(inverse, multiply);
        let second = (self.high - ray.from).zip(inverse, multiply);
        let (near, far) = (first.zip(second, f64::min), first.zip(second, f64::max));
        let enters = near.x.max(near.y).max(near.z).max(0.0);
        let leaves = far.x.min(far.y).min(far.z);
        enters <= leaves && enters < distance
    }
}

/// A part of the tree: spheres in a box, or two parts that follow it in the list.
#[derive(Debug)]
struct Node {
    bounds: Bounds,
    /// The first sphere and the number of spheres; none where there are parts.
    spheres: (usize, usize),
    /// The part behind this one and all that is in it.
    next: usize,
}

#[derive(Debug)]
struct Scene {
    spheres: Vec<Sphere>,
    nodes: Vec<Node>,
    light: Vector,
}

/// What a ray has met.
#[derive(Debug, Clone, Copy)]
struct Meeting {
    distance: f64,
    /// The sphere; none is the floor.
    sphere: Option<usize>,
}

impl Scene {
    fn new(spheres: usize, random: &mut Random) -> Self {
        let mut sphere = |_| Sphere {
            middle: Vector::new(
                random.between(-8.0, 8.0),
                random.between(0.3, 7.0),
                random.between(-2.0, 20.0),
            ),
            radius: random.between(0.08, 0.35),
            colour: Vector::new(random.unit(), random.unit(), random.unit()),
            mirror: if random.once_in(3) { 0.7 } else { 0.1 },
        };
        let spheres = (0..spheres).map(&mut sphere).collect();
        let light = Vector::new(0.5, 1.0, -0.6).unit();
        let mut scene = Self { spheres, nodes: Vec::new(), light };
        scene.divide(0, scene.spheres.len());
        scene
    }

    /// Makes the tree of the spheres from `start` to `end`.
    fn divide(&mut self, start: usize, end: usize) {
        let spheres = &mut self.spheres[start..end];
        let bounds = Bounds::of(spheres);
        let place = self.nodes.len();
        let few = spheres.len() <= 4;
        self.nodes.push(Node {
            bounds,
            spheres: (start, if few { end - start } else { 0 }),
            next: 0,
        });
        if !few {
            let size = bounds.high - bounds.low;
            let axis: fn(&Sphere) -> f64 = match size {
                _ if size.x >= size.y && size.x >= size.z => |sphere| sphere.middle.x,
                _ if size.y >= size.z => |sphere| sphere.middle.y,
                _ => |sphere| sphere.middle.z,
            };
            spheres.sort_by(|a, b| axis(a).total_cmp(&axis(b)));
            let middle = usize::midpoint(start, end);
            self.divide(start, middle);
            self.divide(middle, end);
        }
        self.nodes[place].next = self.nodes.len();
    }

    /// The first thing that a ray meets.
    fn first(&self, ray: Ray) -> Option<Meeting> {
        let inverse = ray.towards.map(|value| 1.0 / value);
        let floor = -ray.from.y * inverse.y;
        let mut found =
            (floor > 1e-6 && floor < 100.0).then_some(Meeting { distance: floor, sphere: None });
        let mut distance = found.map_or(f64::MAX, |meeting| meeting.distance);
        let mut place = 0;
        while let Some(node) = self.nodes.get(place) {
            if !node.bounds.met_by(ray, inverse, distance) {
                place = node.next;
                continue;
            }
            let (start, count) = node.spheres;
            for (index, sphere) in self.spheres[start..start + count].iter().enumerate() {
                if let Some(met) = sphere.met_by(ray).filter(|met| *met < distance) {
                    distance = met;
                    found = Some(Meeting { distance, sphere: Some(start + index) });
                }
            }
            place += 1;
        }
        found
    }

    /// The colour that comes along a ray, reflected as often as is said.
    fn colour(&self, ray: Ray, reflections: u32) -> Vector {
        let Some(meeting) = self.first(ray) else {
            let height = 0.5 * (ray.towards.y + 1.0);
            return Vector::new(0.9, 0.95, 1.0) * (1.0 - height)
                + Vector::new(0.3, 0.5, 0.9) * height;
        };
        let place = ray.from + ray.towards * meeting.distance;
        let (upright, colour, mirror) = match meeting.sphere {
            Some(index) => {
                let sphere = &self.spheres[index];
                ((place - sphere.middle) * (1.0 / sphere.radius), sphere.colour, sphere.mirror)
            }
            None => (Vector::new(0.0, 1.0, 0.0), floor(place), 0.2),
        };
        let shade = Ray { from: place + upright * 1e-5, towards: self.light };
        let bright = upright.dot(self.light).max(0.0);
        let lit = bright > 0.0 && self.first(shade).is_none();
        let mut seen = colour * (0.2 + if lit { 0.8 * bright } else { 0.0 });
        if reflections > 0 {
            let towards = ray.towards - upright * (2.0 * upright.dot(ray.towards));
            let reflected = Ray { from: shade.from, towards: towards.unit() };
            seen = seen * (1.0 - mirror) + self.colour(reflected, reflections - 1) * mirror;
        }
        seen
    }
}

/// The colour of the floor: squares.
fn floor(place: Vector) -> Vector {
    let even = (place.x.floor() + place.z.floor()) % 2.0 == 0.0;
    if even { Vector::new(0.9, 0.9, 0.85) } else { Vector::new(0.25, 0.3, 0.3) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn any_ray(random: &mut Random) -> Ray {
        let mut any = || random.between(-1.0, 1.0);
        let from = Vector::new(6.0 * any(), 3.0 + 2.0 * any(), 10.0 * any());
        Ray { from, towards: Vector::new(any(), any(), any()).unit() }
    }

    #[test]
    fn a_sphere_is_met_where_geometry_says() {
        let sphere = Sphere {
            middle: Vector::new(0.0, 0.0, 5.0),
            radius: 1.0,
            colour: Vector::default(),
            mirror: 0.0,
        };
        let ray =
            |x: f64| Ray { from: Vector::new(x, 0.0, 0.0), towards: Vector::new(0.0, 0.0, 1.0) };
        assert_eq!(sphere.met_by(ray(0.0)), Some(4.0));
        assert!((sphere.met_by(ray(0.6)).unwrap() - 4.2).abs() < 1e-12);
        assert_eq!(sphere.met_by(ray(1.1)), None);
    }

    #[test]
    fn the_tree_finds_what_a_look_at_all_spheres_finds() {
        let mut random = Random::new(12);
        let scene = Scene::new(300, &mut random);
        let mut met = 0;
        for _ in 0..2000 {
            let ray = any_ray(&mut random);
            let all = scene.spheres.iter().filter_map(|sphere| sphere.met_by(ray));
            let nearest = all.fold(f64::MAX, f64::min);
            let found = scene.first(ray).filter(|found| found.sphere.is_some());
            if let Some(found) = found {
                assert_eq!(found.distance, nearest);
                met += 1;
            } else {
                let floor = -ray.from.y / ray.towards.y;
                assert!(nearest == f64::MAX || (floor > 0.0 && floor < nearest));
            }
        }
        assert!(met > 100, "{met}");
    }
}
