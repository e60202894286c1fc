//! Bodies that attract each other: all pairs, leapfrog steps.

use crate::member::{Class, Member, Scale};
use crate::output::Output;
use crate::random::Random;

pub(crate) const MEMBER: Member = Member {
    name: "n-body",
    class: Class::Floating,
    title: "Gravitation",
    work: "moves 2,048 bodies by the forces between all pairs (leapfrog steps, softened gravitation)",
    unit: "a step of all bodies",
    run,
};

/// Distances are as if larger by this, in squares, so that close pairs do not fly apart.
const SOFTENING: f64 = 1e-3;

fn run(scale: Scale) -> Output {
    let (bodies, steps) = scale.choose((2048, 2400), (2048, 108), (32, 20));
    let mut output = Output::default();
    let mut system = System::new(bodies, &mut Random::new(0x5eed_0012));
    output.real("energy", system.energy());
    for step in 1..=steps {
        system.step(1e-4);
        if step % 10 == 0 {
            output.real("energy", system.energy());
            output.real("size", system.size());
        }
    }
    output
}

/// Places, velocities and accelerations by axis.
#[derive(Debug)]
struct System {
    masses: Vec<f64>,
    places: [Vec<f64>; 3],
    velocities: [Vec<f64>; 3],
    accelerations: [Vec<f64>; 3],
}

impl System {
    /// A cloud of bodies that turns.
    fn new(bodies: usize, random: &mut Random) -> Self {
        let zeros = || [(); 3].map(|()| vec![0.0; bodies]);
        let mut system = Self {
            masses: (0..bodies).map(|_| random.between(0.5, 1.5) / bodies as f64).collect(),
            places: zeros(),
            velocities: zeros(),
            accelerations: zeros(),
        };
        for body in 0..bodies {
            for axis in 0..3 {
                system.places[axis][body] = random.between(-1.0, 1.0);
                system.velocities[axis][body] = random.between(-0.1, 0.1);
            }
            system.velocities[0][body] -= 0.4 * system.places[1][body];
            system.velocities[1][body] += 0.4 * system.places[0][body];
        }
        system.accelerate();
        system
    }

    fn step(&mut self, time: f64) {
        self.push(time / 2.0);
        for (places, velocities) in self.places.iter_mut().zip(&self.velocities) {
            for (place, velocity) in places.iter_mut().zip(velocities) {
                *place += velocity * time;
            }
        }
        self.accelerate();
        self.push(time / 2.0);
    }

    fn push(&mut self, time: f64) {
        for (velocities, accelerations) in self.velocities.iter_mut().zip(&self.accelerations) {
            for (velocity, acceleration) in velocities.iter_mut().zip(accelerations) {
                *velocity += acceleration * time;
            }
        }
    }

    /// Adds up the attraction of one body after the other on all.
    fn accelerate(&mut self) {
        self.accelerations.iter_mut().for_each(|values| values.fill(0.0));
        let [xs, ys, zs] = &self.places;
        let [ax, ay, az] = &mut self.accelerations;
        for (body, mass) in self.masses.iter().enumerate() {
            let (x, y, z) = (xs[body], ys[body], zs[body]);
            let places = xs.iter().zip(ys).zip(zs);
            let sums = ax.iter_mut().zip(ay.iter_mut()).zip(az.iter_mut());
            for (((px, py), pz), ((ax, ay), az)) in places.zip(sums) {
                let (dx, dy, dz) = (x - px, y - py, z - pz);
                let square = dx * dx + dy * dy + dz * dz + SOFTENING;
                let pull = mass / (square * square.sqrt());
                *ax += dx * pull;
                *ay += dy * pull;
                *az += dz * pull;
            }
        }
    }

    /// The energy of motion and of attraction.
    fn energy(&self) -> f64 {
        let mut energy = 0.0;
        for (body, mass) in self.masses.iter().enumerate() {
            let square: f64 = self.velocities.iter().map(|axis| axis[body] * axis[body]).sum();
            energy += mass * square / 2.0;
            for other in 0..body {
                let distance: f64 = self
                    .places
                    .iter()
                    .map(|axis| (axis[body] - axis[other]) * (axis[body] - axis[other]))
                    .sum();
                energy -= mass * self.masses[other] / (distance + SOFTENING).sqrt();
            }
        }
        energy
    }

    /// The mean square of the distance from the middle.
    fn size(&self) -> f64 {
        let squares = self.places.iter().flatten().map(|place| place * place);
        squares.sum::<f64>() / self.masses.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn energy_is_kept() {
        let mut system = System::new(30, &mut Random::new(6));
        let before = system.energy();
        (0..400).for_each(|_| system.step(1e-3));
        let change = (system.energy() / before - 1.0).abs();
        assert!(change < 1e-4, "{change}");
    }

    /// Kepler: two bodies of mass 1/2 at distance 1 go around once in 2 pi.
    #[test]
    fn two_bodies_go_around() {
        let mut system = System::new(2, &mut Random::new(0));
        system.masses.fill(0.5);
        system.places = [vec![-0.5, 0.5], vec![0.0; 2], vec![0.0; 2]];
        // The softening weakens the pull: (1 + SOFTENING)^(-3/2).
        let speed = 0.5 * libm::pow(1.0 + SOFTENING, -0.75);
        system.velocities = [vec![0.0; 2], vec![-speed, speed], vec![0.0; 2]];
        system.accelerate();
        let turn = std::f64::consts::TAU * 0.5 / speed;
        (0..2000).for_each(|_| system.step(turn / 2000.0));
        assert!((system.places[0][1] - 0.5).abs() < 1e-4, "{:?}", system.places);
        assert!(system.places[1][1].abs() < 1e-4, "{:?}", system.places);
    }
}
