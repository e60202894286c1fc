//! A stencil: a flow by the lattice Boltzmann method, nine directions on a plane.

use std::f64::consts::TAU;

use crate::member::{Class, Member, Scale};
use crate::output::Output;

pub(crate) const MEMBER: Member = Member {
    name: "lattice",
    class: Class::Floating,
    title: "Flow on a lattice",
    work: "lets vortices decay in a fluid on a grid of 384 x 384 points, by the lattice Boltzmann method \
           with nine directions",
    unit: "a step of all points",
    run,
};

/// Directions: how far right, how far down, and the weight at rest (Qian, d'Humieres and Lallemand 1992).
const DIRECTIONS: [(isize, isize, f64); 9] = [
    (0, 0, 4.0 / 9.0),
    (1, 0, 1.0 / 9.0),
    (0, 1, 1.0 / 9.0),
    (-1, 0, 1.0 / 9.0),
    (0, -1, 1.0 / 9.0),
    (1, 1, 1.0 / 36.0),
    (-1, 1, 1.0 / 36.0),
    (-1, -1, 1.0 / 36.0),
    (1, -1, 1.0 / 36.0),
];

/// Steps in which a fluid comes to rest locally; viscosity is (it - 1/2) / 3.
const RELAXATION: f64 = 0.8;

fn run(scale: Scale) -> Output {
    let (side, steps, waves) = scale.choose((384, 4400, 4), (384, 150, 4), (16, 40, 1));
    let mut output = Output::default();
    let mut fluid = Fluid::vortices(side, waves);
    for step in 0..=steps {
        if step % (steps / 20) == 0 {
            output.real("mass", fluid.mass());
            output.real("energy", fluid.energy());
            output.real("fastest", fluid.fastest());
        }
        fluid.step();
    }
    output
}

/// How much moves into each direction, by direction, row and column.
#[derive(Debug)]
struct Fluid {
    side: usize,
    now: [Vec<f64>; 9],
    next: [Vec<f64>; 9],
}

impl Fluid {
    /// The vortices of Taylor and Green, which decay without a change of their form.
    fn vortices(side: usize, waves: usize) -> Self {
        let zeros = || [(); 9].map(|()| vec![0.0; side * side]);
        let mut fluid = Self { side, now: zeros(), next: zeros() };
        let angle = TAU * waves as f64 / side as f64;
        for point in 0..side * side {
            let (x, y) = (angle * (point % side) as f64, angle * (point / side) as f64);
            let right = -0.04 * libm::cos(x) * libm::sin(y);
            let down = 0.04 * libm::sin(x) * libm::cos(y);
            let pressure = -0.25 * 0.04 * 0.04 * (libm::cos(2.0 * x) + libm::cos(2.0 * y));
            let at_rest = equilibrium(1.0 + 3.0 * pressure, right, down);
            for (values, value) in fluid.now.iter_mut().zip(at_rest) {
                values[point] = value;
            }
        }
        fluid
    }

    /// Moves what goes into each direction by a point, and lets it meet there.
    fn step(&mut self) {
        for ((now, next), (right, down, _)) in self.now.iter().zip(&mut self.next).zip(DIRECTIONS) {
            stream(now, next, self.side, (right, down));
        }
        std::mem::swap(&mut self.now, &mut self.next);
        let [f0, f1, f2, f3, f4, f5, f6, f7, f8] = &mut self.now;
        let first = f0.iter_mut().zip(f1).zip(f2).zip(f3).zip(f4);
        let second = f5.iter_mut().zip(f6).zip(f7).zip(f8);
        for (((((f0, f1), f2), f3), f4), (((f5, f6), f7), f8)) in first.zip(second) {
            let density = *f0 + *f1 + *f2 + *f3 + *f4 + *f5 + *f6 + *f7 + *f8;
            let right = (*f1 + *f5 + *f8 - *f3 - *f6 - *f7) / density;
            let down = (*f2 + *f5 + *f6 - *f4 - *f7 - *f8) / density;
            let at_rest = equilibrium(density, right, down);
            for (value, rest) in [f0, f1, f2, f3, f4, f5, f6, f7, f8].into_iter().zip(at_rest) {
                *value += (rest - *value) / RELAXATION;
            }
        }
    }

    fn mass(&self) -> f64 {
        self.now.iter().flatten().sum()
    }

    /// Squares of the velocity at each point.
    fn squares(&self) -> impl Iterator<Item = f64> {
        (0..self.side * self.side).map(|point| {
            let mut sums = (0.0, 0.0, 0.0);
            for (values, (right, down, _)) in self.now.iter().zip(DIRECTIONS) {
                let value = values[point];
                sums =
                    (sums.0 + value, sums.1 + value * right as f64, sums.2 + value * down as f64);
            }
            (sums.1 * sums.1 + sums.2 * sums.2) / (sums.0 * sums.0)
        })
    }

    fn energy(&self) -> f64 {
        self.squares().sum::<f64>() / 2.0
    }

    fn fastest(&self) -> f64 {
        self.squares().fold(0.0, f64::max).sqrt()
    }
}

/// Copies all rows to where they have moved, around the edges.
fn stream(now: &[f64], next: &mut [f64], side: usize, (right, down): (isize, isize)) {
    for (row, source) in now.chunks(side).enumerate() {
        let target = (row + side).wrapping_add_signed(down) % side * side;
        let target = &mut next[target..target + side];
        match right {
            1 => {
                target[1..].copy_from_slice(&source[..side - 1]);
                target[0] = source[side - 1];
            }
            -1 => {
                target[..side - 1].copy_from_slice(&source[1..]);
                target[side - 1] = source[0];
            }
            _ => target.copy_from_slice(source),
        }
    }
}

/// What moves into each direction where nothing changes any more.
fn equilibrium(density: f64, right: f64, down: f64) -> [f64; 9] {
    let square = 1.5 * (right * right + down * down);
    DIRECTIONS.map(|(x, y, weight)| {
        let along = 3.0 * (x as f64 * right + y as f64 * down);
        weight * density * (1.0 + along + 0.5 * along * along - square)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Velocities decay by exp(-2 viscosity k^2 t), energy by the square of it.
    #[test]
    fn vortices_decay_as_the_viscosity_says() {
        let (side, steps) = (32, 200);
        let mut fluid = Fluid::vortices(side, 1);
        let (mass, before) = (fluid.mass(), fluid.energy());
        (0..steps).for_each(|_| fluid.step());
        let viscosity = (RELAXATION - 0.5) / 3.0;
        let wave = TAU / side as f64;
        let decay = libm::log(before / fluid.energy());
        let found = decay / (4.0 * wave * wave * f64::from(steps));
        assert!((found / viscosity - 1.0).abs() < 0.01, "{found} {viscosity}");
        assert!((fluid.mass() / mass - 1.0).abs() < 1e-12);
    }
}
