//! Vectors of space.

use std::ops::{Add, AddAssign, Mul, Sub};

/// A vector, a place or a colour.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Vector {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) z: f64,
}

impl Vector {
    pub(super) const fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }

    pub(super) fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    pub(super) fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    pub(super) fn unit(self) -> Self {
        self * (1.0 / self.length())
    }

    /// Each coordinate changed by `change`.
    pub(super) fn map(self, change: impl Fn(f64) -> f64) -> Self {
        Self::new(change(self.x), change(self.y), change(self.z))
    }

    /// Each coordinate by that of the other.
    pub(super) fn zip(self, other: Self, join: impl Fn(f64, f64) -> f64) -> Self {
        Self::new(join(self.x, other.x), join(self.y, other.y), join(self.z, other.z))
    }
}

impl Add for Vector {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
}

impl AddAssign for Vector {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Vector {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
}

impl Mul<f64> for Vector {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        self.map(|value| value * factor)
    }
}
