//! Dense matrices: systems of equations solved in blocks, with the largest element of a column first.

use crate::member::{Class, Member, Scale};
use crate::output::Output;
use crate::random::Random;

pub(crate) const MEMBER: Member = Member {
    name: "dense",
    class: Class::Floating,
    title: "Dense matrices",
    work: "factors random matrices of 1,280 rows into triangles in blocks, with exchange of rows, and \
           solves a system of equations with each",
    unit: "a system of 1,280 equations",
    run,
};

/// Columns of a block.
const BLOCK: usize = 32;

fn run(scale: Scale) -> Output {
    let (rows, systems) = scale.choose((1280, 260), (1280, 8), (48, 2));
    let mut output = Output::default();
    let mut random = Random::new(0x5eed_0013);
    for _ in 0..systems {
        let matrix = Matrix::random(rows, &mut random);
        let solution: Vec<f64> = (0..rows).map(|_| random.between(1.0, 2.0)).collect();
        let right = matrix.times(&solution);
        let factors = Factors::of(matrix);
        let found = factors.solve(&right);
        output.real("log determinant", factors.log_determinant());
        output.real("sum", found.iter().sum());
        output.count("wrong", wrong(&solution, &found));
        output.real("largest factor", factors.matrix.largest());
    }
    output
}

/// How many elements of a solution are not near those that were chosen.
fn wrong(solution: &[f64], found: &[f64]) -> u64 {
    solution.iter().zip(found).filter(|(a, b)| (*a - *b).abs() > 1e-7).count() as u64
}

/// A square matrix, row by row.
#[derive(Debug, Clone)]
struct Matrix {
    rows: usize,
    values: Vec<f64>,
}

impl Matrix {
    fn random(rows: usize, random: &mut Random) -> Self {
        Self { rows, values: (0..rows * rows).map(|_| random.between(-1.0, 1.0)).collect() }
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.rows..][..self.rows]
    }

    fn times(&self, vector: &[f64]) -> Vec<f64> {
        self.values.chunks(self.rows).map(|row| dot(row, vector)).collect()
    }

    fn largest(&self) -> f64 {
        self.values.iter().fold(0.0, |largest, value| value.abs().max(largest))
    }

    /// Subtracts `factor` times a part of row `from` from the same part of row `to`, which is below.
    fn subtract(&mut self, [from, to]: [usize; 2], factor: f64, columns: std::ops::Range<usize>) {
        let (above, below) = self.values.split_at_mut(to * self.rows);
        let source = &above[from * self.rows..][columns.clone()];
        for (target, value) in below[columns].iter_mut().zip(source) {
            *target -= factor * value;
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A lower triangle with ones on its diagonal, and an upper one, in the same matrix.
#[derive(Debug)]
struct Factors {
    matrix: Matrix,
    /// The original row that each row is.
    order: Vec<usize>,
}

impl Factors {
    fn of(matrix: Matrix) -> Self {
        let rows = matrix.rows;
        let mut factors = Self { matrix, order: (0..rows).collect() };
        for start in (0..rows).step_by(BLOCK) {
            let end = (start + BLOCK).min(rows);
            for column in start..end {
                factors.eliminate(column, end);
            }
            for row in start + 1..end {
                for above in start..row {
                    let factor = factors.matrix.row(row)[above];
                    factors.matrix.subtract([above, row], factor, end..rows);
                }
            }
            factors.update(start, end);
        }
        factors
    }

    /// Makes zeros below the diagonal in one column of a block that ends at `end`.
    fn eliminate(&mut self, column: usize, end: usize) {
        let rows = self.matrix.rows;
        let mut pivot = column;
        for row in column + 1..rows {
            if self.matrix.row(row)[column].abs() > self.matrix.row(pivot)[column].abs() {
                pivot = row;
            }
        }
        if pivot != column {
            self.order.swap(pivot, column);
            let (above, below) = self.matrix.values.split_at_mut(pivot * rows);
            above[column * rows..][..rows].swap_with_slice(&mut below[..rows]);
        }
        let diagonal = self.matrix.row(column)[column];
        for row in column + 1..rows {
            let factor = self.matrix.row(row)[column] / diagonal;
            self.matrix.values[row * rows + column] = factor;
            self.matrix.subtract([column, row], factor, column + 1..end);
        }
    }

    /// Subtracts the product of a block's column and row from all that is below and right of it.
    fn update(&mut self, start: usize, end: usize) {
        let rows = self.matrix.rows;
        let (above, below) = self.matrix.values.split_at_mut(end * rows);
        for columns in (end..rows).step_by(8 * BLOCK) {
            let columns = columns..(columns + 8 * BLOCK).min(rows);
            for row in below.chunks_mut(rows) {
                let (factors, rest) = row.split_at_mut(end);
                let target = &mut rest[columns.start - end..columns.end - end];
                let factors = factors[start..end].chunks(4);
                for (group, factors) in factors.enumerate() {
                    let source = |index: usize| {
                        &above[(start + 4 * group + index) * rows..][columns.clone()]
                    };
                    match *factors {
                        [a, b, c, d] => {
                            let sources =
                                source(0).iter().zip(source(1)).zip(source(2)).zip(source(3));
                            for (target, (((p, q), r), s)) in target.iter_mut().zip(sources) {
                                *target -= a * p + b * q + (c * r + d * s);
                            }
                        }
                        _ => {
                            for (index, factor) in factors.iter().enumerate() {
                                for (target, value) in target.iter_mut().zip(source(index)) {
                                    *target -= factor * value;
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut values: Vec<f64> = self.order.iter().map(|row| right[*row]).collect();
        for row in 0..values.len() {
            values[row] -= dot(&self.matrix.row(row)[..row], &values[..row]);
        }
        for row in (0..values.len()).rev() {
            let factors = self.matrix.row(row);
            let rest = dot(&factors[row + 1..], &values[row + 1..]);
            values[row] = (values[row] - rest) / factors[row];
        }
        values
    }

    fn log_determinant(&self) -> f64 {
        (0..self.matrix.rows).map(|row| libm::log(self.matrix.row(row)[row].abs())).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_solutions_are_found() {
        for rows in [1, 2, 31, 33, 70] {
            let mut random = Random::new(rows as u64);
            let matrix = Matrix::random(rows, &mut random);
            let solution: Vec<f64> = (0..rows).map(|_| random.between(-1.0, 1.0)).collect();
            let right = matrix.times(&solution);
            assert_eq!(wrong(&solution, &Factors::of(matrix).solve(&right)), 0, "{rows}");
        }
    }

    /// The matrix min(i, j) has determinant 1; that of Hilbert with 4 rows has 1/6048000.
    #[test]
    fn known_determinants_are_found() {
        let of = |rows: usize, value: fn(f64, f64) -> f64| {
            let index = |place: usize| value((place / rows + 1) as f64, (place % rows + 1) as f64);
            let values = (0..rows * rows).map(index).collect();
            Factors::of(Matrix { rows, values }).log_determinant()
        };
        assert!(of(50, f64::min).abs() < 1e-9);
        let hilbert = of(4, |row, column| 1.0 / (row + column - 1.0));
        assert!((hilbert + libm::log(6_048_000.0)).abs() < 1e-9, "{hilbert}");
    }
}
