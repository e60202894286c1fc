//! Sparse matrices: Poisson's equation in space by conjugate gradients.

use std::f64::consts::PI;

use crate::member::{Class, Member, Scale};
use crate::output::Output;
use crate::random::Random;

pub(crate) const MEMBER: Member = Member {
    name: "sparse",
    class: Class::Floating,
    title: "Sparse matrices",
    work: "solves Poisson's equation on a grid of 80 x 80 x 80 points by conjugate gradients, with a matrix \
           in compressed rows",
    unit: "a right-hand side solved to 1e-8 of its size",
    run,
};

fn run(scale: Scale) -> Output {
    let (side, systems) = scale.choose((80, 18), (56, 2), (8, 2));
    let mut output = Output::default();
    let matrix = Matrix::poisson(side);
    let mut random = Random::new(0x5eed_0014);
    let lowest = lowest(side);
    for _ in 0..systems {
        let noise = random.between(0.1, 0.5);
        let right: Vec<f64> =
            lowest.iter().map(|value| value + noise * random.between(-1.0, 1.0)).collect();
        let solved = solve(&matrix, &right, 1e-8);
        output.count("iterations", solved.iterations);
        output.real("norm", norm(&solved.solution));
        output.real("share of the lowest", dot(&solved.solution, &lowest));
        output.real("middle", solved.solution[right.len() / 2]);
    }
    output
}

/// A matrix by rows of which only the values that are not zero are kept.
#[derive(Debug)]
struct Matrix {
    /// The first value of each row, and the number of all.
    first: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl Matrix {
    /// Six times each point less its six neighbours; zero outside of the cube.
    fn poisson(side: usize) -> Self {
        let mut matrix = Self { first: vec![0], columns: Vec::new(), values: Vec::new() };
        for point in 0..side * side * side {
            let mut add = |column: usize, value: f64| {
                matrix.columns.push(column as u32);
                matrix.values.push(value);
            };
            add(point, 6.0);
            for step in [1, side, side * side] {
                let place = point / step % side;
                if place > 0 {
                    add(point - step, -1.0);
                }
                if place + 1 < side {
                    add(point + step, -1.0);
                }
            }
            matrix.first.push(matrix.columns.len() as u32);
        }
        matrix
    }

    fn multiply(&self, vector: &[f64], result: &mut [f64]) {
        for (sum, ends) in result.iter_mut().zip(self.first.windows(2)) {
            let range = ends[0] as usize..ends[1] as usize;
            let terms = self.columns[range.clone()].iter().zip(&self.values[range]);
            *sum = terms.map(|(column, value)| value * vector[*column as usize]).sum();
        }
    }
}

/// The eigenvector of the lowest eigenvalue: a product of sines.
fn lowest(side: usize) -> Vec<f64> {
    let sine: Vec<f64> =
        (1..=side).map(|index| libm::sin(PI * index as f64 / (side + 1) as f64)).collect();
    let value =
        |point: usize| sine[point % side] * sine[point / side % side] * sine[point / side / side];
    (0..side * side * side).map(value).collect()
}

#[derive(Debug)]
struct Solved {
    solution: Vec<f64>,
    iterations: u32,
}

/// Solves a system until the residual is `accuracy` times the right-hand side.
fn solve(matrix: &Matrix, right: &[f64], accuracy: f64) -> Solved {
    let mut solution = vec![0.0; right.len()];
    let mut residual = right.to_vec();
    let mut direction = residual.clone();
    let mut product = vec![0.0; right.len()];
    let mut square = dot(&residual, &residual);
    let goal = square * accuracy * accuracy;
    let mut iterations = 0;
    while square > goal && iterations < 10_000 {
        matrix.multiply(&direction, &mut product);
        let step = square / dot(&direction, &product);
        add(&mut solution, step, &direction);
        add(&mut residual, -step, &product);
        let next = dot(&residual, &residual);
        let turn = next / square;
        for (direction, residual) in direction.iter_mut().zip(&residual) {
            *direction = residual + turn * *direction;
        }
        square = next;
        iterations += 1;
    }
    Solved { solution, iterations }
}

fn add(target: &mut [f64], factor: f64, values: &[f64]) {
    for (target, value) in target.iter_mut().zip(values) {
        *target += factor * value;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(values: &[f64]) -> f64 {
    dot(values, values).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lowest eigenvalue is 3 (2 - 2 cos(pi / (side + 1))).
    #[test]
    fn an_eigenvector_is_solved_by_its_eigenvalue() {
        let side = 7;
        let (matrix, vector) = (Matrix::poisson(side), lowest(side));
        let eigenvalue = 6.0 - 6.0 * libm::cos(PI / (side + 1) as f64);
        let solved = solve(&matrix, &vector, 1e-10);
        assert_eq!(solved.iterations, 1);
        for (found, value) in solved.solution.iter().zip(&vector) {
            assert!((found - value / eigenvalue).abs() < 1e-12);
        }
    }

    #[test]
    fn residuals_become_as_small_as_was_asked() {
        let matrix = Matrix::poisson(6);
        let mut random = Random::new(8);
        let right: Vec<f64> = (0..216).map(|_| random.between(-1.0, 1.0)).collect();
        let solved = solve(&matrix, &right, 1e-9);
        let mut product = vec![0.0; right.len()];
        matrix.multiply(&solved.solution, &mut product);
        add(&mut product, -1.0, &right);
        assert!(norm(&product) < 1.1e-9 * norm(&right));
        assert!(solved.iterations > 10 && solved.iterations < 216);
    }
}
