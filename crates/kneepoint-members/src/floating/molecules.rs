//! Molecular dynamics: atoms of Lennard and Jones in a box without walls, found by cells.

use super::vector::Vector;
use crate::member::{Class, Member, Scale};
use crate::output::Output;
use crate::random::Random;

pub(crate) const MEMBER: Member = Member {
    name: "molecules",
    class: Class::Floating,
    title: "Molecular dynamics",
    work: "moves 4,000 atoms with the forces of Lennard and Jones between neighbours that cells find \
           (velocity Verlet)",
    unit: "a step of all atoms",
    run,
};

/// Distance beyond which atoms do not see each other.
const CUTOFF: f64 = 2.5;

/// Atoms in a unit of volume: a liquid.
const DENSITY: f64 = 0.8442;

/// Time of a step.
const STEP: f64 = 0.002;

fn run(scale: Scale) -> Output {
    let (cells, steps) = scale.choose((10, 3100), (10, 120), (3, 20));
    let mut output = Output::default();
    let mut liquid = Liquid::new(cells, &mut Random::new(0x5eed_0017));
    output.real("energy", liquid.energy());
    for step in 1..=steps {
        liquid.step();
        if step % 10 == 0 {
            output.real("energy", liquid.energy());
            output.real("motion", liquid.motion());
            output.real("pressure", liquid.virial);
        }
    }
    output
}

#[derive(Debug)]
struct Liquid {
    /// Side of the box.
    side: f64,
    places: Vec<Vector>,
    velocities: Vec<Vector>,
    forces: Vec<Vector>,
    /// Energy of attraction.
    potential: f64,
    /// Sum of forces times distances.
    virial: f64,
}

impl Liquid {
    /// Atoms on the corners and faces of `cells`^3 cubes, with random velocities.
    fn new(cells: usize, random: &mut Random) -> Self {
        let atoms = 4 * cells * cells * cells;
        let side = libm::cbrt(atoms as f64 / DENSITY);
        let unit = side / cells as f64;
        let corners = [(0.0, 0.0, 0.0), (0.5, 0.5, 0.0), (0.5, 0.0, 0.5), (0.0, 0.5, 0.5)];
        let mut places = Vec::with_capacity(atoms);
        for cell in 0..cells * cells * cells {
            let corner =
                [cell % cells, cell / cells % cells, cell / cells / cells].map(|n| n as f64);
            for (x, y, z) in corners {
                places.push(Vector::new(corner[0] + x, corner[1] + y, corner[2] + z) * unit);
            }
        }
        let mut any = || random.between(-2.0, 2.0);
        let mut velocities: Vec<Vector> =
            (0..atoms).map(|_| Vector::new(any(), any(), any())).collect();
        let sum = velocities.iter().fold(Vector::default(), |sum, velocity| sum + *velocity);
        for velocity in &mut velocities {
            *velocity = *velocity - sum * (1.0 / atoms as f64);
        }
        let forces = vec![Vector::default(); atoms];
        let mut liquid = Self { side, places, velocities, forces, potential: 0.0, virial: 0.0 };
        liquid.attract();
        liquid
    }

    fn step(&mut self) {
        self.push();
        let side = self.side;
        for (place, velocity) in self.places.iter_mut().zip(&self.velocities) {
            *place = (*place + *velocity * STEP).map(|value| value - side * (value / side).floor());
        }
        self.attract();
        self.push();
    }

    fn push(&mut self) {
        for (velocity, force) in self.velocities.iter_mut().zip(&self.forces) {
            *velocity += *force * (STEP / 2.0);
        }
    }

    /// The forces between all pairs that are near each other.
    fn attract(&mut self) {
        self.forces.fill(Vector::default());
        (self.potential, self.virial) = (0.0, 0.0);
        let cells = (self.side / CUTOFF) as usize;
        if cells < 3 {
            for first in 0..self.places.len() {
                (0..first).for_each(|second| self.pair(first, second));
            }
            return;
        }
        let lists = self.lists(cells);
        for (cell, list) in lists.iter().enumerate() {
            for (index, first) in list.iter().enumerate() {
                list[..index].iter().for_each(|second| self.pair(*first, *second));
            }
            for other in neighbours(cell, cells) {
                for first in list {
                    lists[other].iter().for_each(|second| self.pair(*first, *second));
                }
            }
        }
    }

    /// The atoms of each cell.
    fn lists(&self, cells: usize) -> Vec<Vec<usize>> {
        let mut lists = vec![Vec::new(); cells * cells * cells];
        for (atom, place) in self.places.iter().enumerate() {
            let index = |value: f64| ((value / self.side * cells as f64) as usize).min(cells - 1);
            lists[index(place.x) + cells * (index(place.y) + cells * index(place.z))].push(atom);
        }
        lists
    }

    fn pair(&mut self, first: usize, second: usize) {
        let (side, half) = (self.side, self.side / 2.0);
        let nearest = |value: f64| {
            if value > half {
                value - side
            } else if value < -half {
                value + side
            } else {
                value
            }
        };
        let distance = (self.places[first] - self.places[second]).map(nearest);
        let square = distance.dot(distance);
        if square >= CUTOFF * CUTOFF {
            return;
        }
        let (energy, force) = lennard_jones(square);
        self.potential += energy;
        self.virial += force * square;
        let force = distance * force;
        self.forces[first] += force;
        self.forces[second] = self.forces[second] - force;
    }

    /// Energy of motion.
    fn motion(&self) -> f64 {
        self.velocities.iter().map(|velocity| velocity.dot(*velocity)).sum::<f64>() / 2.0
    }

    fn energy(&self) -> f64 {
        self.motion() + self.potential
    }
}

/// Energy of a pair, zero at the cut-off, and its force as a multiple of the distance.
fn lennard_jones(square: f64) -> (f64, f64) {
    let inverse = 1.0 / square;
    let sixth = inverse * inverse * inverse;
    let far = 1.0 / (CUTOFF * CUTOFF * CUTOFF * CUTOFF * CUTOFF * CUTOFF);
    let energy = 4.0 * sixth * (sixth - 1.0) - 4.0 * far * (far - 1.0);
    (energy, 24.0 * sixth * (2.0 * sixth - 1.0) * inverse)
}

/// Half of the cells around a cell, so that each pair of cells is met once.
fn neighbours(cell: usize, cells: usize) -> impl Iterator<Item = usize> {
    let (x, y, z) = (cell % cells, cell / cells % cells, cell / cells / cells);
    (14..27).map(move |number| {
        let step = |value: usize, by: usize| (value + cells + by - 1) % cells;
        step(x, number % 3) + cells * (step(y, number / 3 % 3) + cells * step(z, number / 9))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At distance 2^(1/6) there is no force, and the energy is -1 less that at the cut-off.
    #[test]
    fn pairs_have_the_known_minimum() {
        let (energy, force) = lennard_jones(libm::cbrt(2.0));
        let far = libm::pow(CUTOFF, -6.0);
        assert!((energy + 1.0 + 4.0 * far * (far - 1.0)).abs() < 1e-12);
        assert!(force.abs() < 1e-12);
    }

    #[test]
    fn cells_find_all_pairs() {
        let mut liquid = Liquid::new(5, &mut Random::new(3));
        (0..5).for_each(|_| liquid.step());
        let (potential, forces) = (liquid.potential, liquid.forces.clone());
        liquid.forces.fill(Vector::default());
        (liquid.potential, liquid.virial) = (0.0, 0.0);
        for first in 0..liquid.places.len() {
            (0..first).for_each(|second| liquid.pair(first, second));
        }
        assert!((liquid.potential / potential - 1.0).abs() < 1e-12);
        for (force, expected) in forces.iter().zip(&liquid.forces) {
            assert!((*force - *expected).length() < 1e-9);
        }
    }

    #[test]
    fn energy_is_kept_while_it_changes_its_form() {
        let mut liquid = Liquid::new(3, &mut Random::new(5));
        let (before, motion) = (liquid.energy(), liquid.motion());
        (0..200).for_each(|_| liquid.step());
        assert!((liquid.energy() - before).abs() < 0.002 * motion, "{before} {}", liquid.energy());
        assert!((liquid.motion() / motion - 1.0).abs() > 0.1);
    }
}
