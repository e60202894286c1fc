//! The cosine transform of 8 x 8 pixels in integers, with the matrix of ITU-T H.265.

/// Pixels or coefficients, row by row.
pub(super) type Square = [i32; 64];

/// 64 times the square root of 8 times the orthonormal matrix, rounded.
const MATRIX: [[i32; 8]; 8] = [
    [64, 64, 64, 64, 64, 64, 64, 64],
    [89, 75, 50, 18, -18, -50, -75, -89],
    [83, 36, -36, -83, -83, -36, 36, 83],
    [75, -18, -89, -50, 50, 89, 18, -75],
    [64, -64, -64, 64, 64, -64, -64, 64],
    [50, -89, 18, 75, -75, -18, 89, -50],
    [36, -83, 83, -36, -36, 83, -83, 36],
    [18, -50, 75, -89, 89, -75, 50, -18],
];

/// Coefficients, 2^15 times the orthonormal ones.
pub(super) fn forward(pixels: &Square) -> Square {
    let mut rows = [0; 64];
    for (row, pixels) in rows.chunks_mut(8).zip(pixels.chunks(8)) {
        for (sum, factors) in row.iter_mut().zip(&MATRIX) {
            *sum = factors.iter().zip(pixels).map(|(factor, pixel)| factor * pixel).sum();
        }
    }
    let mut coefficients = [0; 64];
    for (target, factors) in coefficients.chunks_mut(8).zip(&MATRIX) {
        for (row, factor) in rows.chunks(8).zip(factors) {
            for (sum, value) in target.iter_mut().zip(row) {
                *sum += factor * value;
            }
        }
    }
    coefficients
}

/// Pixels of orthonormal coefficients.
pub(super) fn inverse(coefficients: &Square) -> Square {
    let mut columns = [0; 64];
    for (row, factors) in coefficients.chunks(8).zip(&MATRIX) {
        for (target, factor) in columns.chunks_mut(8).zip(factors) {
            for (sum, value) in target.iter_mut().zip(row) {
                *sum += factor * value;
            }
        }
    }
    let mut pixels = [0; 64];
    for (target, row) in pixels.chunks_mut(8).zip(columns.chunks(8)) {
        for (value, factors) in row.iter().zip(&MATRIX) {
            let value = (value + 64) >> 7;
            for (sum, factor) in target.iter_mut().zip(factors) {
                *sum += factor * value;
            }
        }
        target.iter_mut().for_each(|sum| *sum = (*sum + 128) >> 8);
    }
    pixels
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::random::Random;

    /// The cosine transform as it is defined.
    fn defined(pixels: &Square) -> [f64; 64] {
        std::array::from_fn(|index| {
            let scale = |k: usize| if k == 0 { (1.0 / 8.0_f64).sqrt() } else { 0.5 };
            let cosine = |k: usize, n: usize| libm::cos(PI * (2 * n + 1) as f64 * k as f64 / 16.0);
            let (v, u) = (index / 8, index % 8);
            let terms = pixels.iter().enumerate().map(|(place, pixel)| {
                f64::from(*pixel) * cosine(v, place / 8) * cosine(u, place % 8)
            });
            scale(v) * scale(u) * terms.sum::<f64>()
        })
    }

    #[test]
    fn coefficients_are_those_of_the_cosine_transform() {
        let mut random = Random::new(2);
        for _ in 0..20 {
            let pixels: Square = std::array::from_fn(|_| random.below(511) as i32 - 255);
            let expected = defined(&pixels);
            // The matrix has whole numbers: 36 for 34.6.
            let squares = expected.iter().map(|value| value * value);
            let tolerance = 0.01 * squares.sum::<f64>().sqrt();
            let coefficients = forward(&pixels);
            for (found, expected) in coefficients.iter().zip(&expected) {
                let error = (f64::from(*found) / 32_768.0 - expected).abs();
                assert!(error < tolerance, "{found} {expected}");
            }
            let back = inverse(&expected.map(|value| value.round() as i32));
            for (found, pixel) in back.iter().zip(&pixels) {
                assert!(f64::from(found - pixel).abs() < tolerance, "{found} {pixel}");
            }
        }
    }
}
