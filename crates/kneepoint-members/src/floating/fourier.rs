//! The fast Fourier transform: signals filtered in the frequency domain.

use std::f64::consts::TAU;

use crate::member::{Class, Member, Scale};
use crate::output::Output;
use crate::random::Random;

pub(crate) const MEMBER: Member = Member {
    name: "fft",
    class: Class::Floating,
    title: "Fourier transform",
    work: "transforms noisy signals of 2^20 complex numbers (Stockham's algorithm, radix 2), filters them \
           and transforms them back",
    unit: "a signal there and back",
    run,
};

fn run(scale: Scale) -> Output {
    let (bits, signals) = scale.choose((20, 310), (20, 6), (8, 2));
    let mut output = Output::default();
    let mut transform = Transform::new(bits);
    let mut random = Random::new(0x5eed_0011);
    for _ in 0..signals {
        let tones: [usize; 3] = std::array::from_fn(|_| 1 + random.index(transform.size() / 4));
        let mut signal = signal(transform.size(), &tones, &mut random);
        transform.forward(&mut signal);
        output.real("power", power(&signal));
        for tone in tones {
            output.real("tone", signal[tone].norm());
        }
        let kept = transform.size() / 4;
        signal[kept..].fill(Complex::default());
        transform.inverse(&mut signal);
        output.real("filtered power", power(&signal));
        output.real("first", signal[0].re);
    }
    output
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Complex {
    re: f64,
    im: f64,
}

impl Complex {
    fn turn(angle: f64) -> Self {
        Self { re: libm::cos(angle), im: libm::sin(angle) }
    }

    fn plus(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }

    fn minus(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }

    fn times(self, other: Self) -> Self {
        Self {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }

    fn norm(self) -> f64 {
        (self.re * self.re + self.im * self.im).sqrt()
    }
}

/// Tones in noise.
fn signal(size: usize, tones: &[usize], random: &mut Random) -> Vec<Complex> {
    let mut signal: Vec<Complex> = (0..size)
        .map(|_| Complex { re: random.between(-0.5, 0.5), im: random.between(-0.5, 0.5) })
        .collect();
    for tone in tones {
        let step = Complex::turn(TAU * *tone as f64 / size as f64);
        let mut now = Complex { re: 1.0, im: 0.0 };
        for value in &mut signal {
            *value = value.plus(now);
            now = now.times(step);
        }
    }
    signal
}

fn power(signal: &[Complex]) -> f64 {
    signal.iter().map(|value| value.re * value.re + value.im * value.im).sum()
}

/// The transform of signals of one size.
#[derive(Debug)]
struct Transform {
    /// Roots of one, half of the turn.
    roots: Vec<Complex>,
    other: Vec<Complex>,
}

impl Transform {
    /// For signals of 2^`bits` numbers.
    fn new(bits: u32) -> Self {
        let size = 1_usize << bits;
        let roots = (0..size / 2).map(|index| Complex::turn(-TAU * index as f64 / size as f64));
        Self { roots: roots.collect(), other: vec![Complex::default(); size] }
    }

    fn size(&self) -> usize {
        self.other.len()
    }

    fn forward(&mut self, signal: &mut Vec<Complex>) {
        let half = self.size() / 2;
        // The number of parts, and how many values of each are neighbours.
        let (mut parts, mut stride) = (half, 1);
        while parts >= 1 {
            let (low, high) = signal.split_at(half);
            let inputs = low.chunks_exact(stride).zip(high.chunks_exact(stride));
            let outputs = self.other.chunks_exact_mut(2 * stride);
            for ((part, (low, high)), output) in inputs.enumerate().zip(outputs) {
                let root = self.roots[part * stride];
                let (sums, differences) = output.split_at_mut(stride);
                let targets = sums.iter_mut().zip(differences);
                for ((a, b), (sum, difference)) in low.iter().zip(high).zip(targets) {
                    *sum = a.plus(*b);
                    *difference = a.minus(*b).times(root);
                }
            }
            std::mem::swap(signal, &mut self.other);
            parts /= 2;
            stride *= 2;
        }
    }

    /// The transform of which [`Self::forward`] is the inverse.
    fn inverse(&mut self, signal: &mut Vec<Complex>) {
        signal.iter_mut().for_each(|value| value.im = -value.im);
        self.forward(signal);
        let scale = 1.0 / self.size() as f64;
        for value in signal {
            *value = Complex { re: value.re * scale, im: -value.im * scale };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: Complex, b: Complex) -> bool {
        a.minus(b).norm() < 1e-11
    }

    /// The sum that defines the transform.
    fn defined(signal: &[Complex]) -> Vec<Complex> {
        let term = |k: usize, n: usize| Complex::turn(-TAU * (k * n) as f64 / signal.len() as f64);
        let value = |k: usize| {
            let terms = signal.iter().enumerate().map(|(n, value)| value.times(term(k, n)));
            terms.fold(Complex::default(), Complex::plus)
        };
        (0..signal.len()).map(value).collect()
    }

    #[test]
    fn the_transform_is_the_defined_one() {
        for bits in [1, 2, 3, 6] {
            let mut random = Random::new(u64::from(bits));
            let original = signal(1 << bits, &[1], &mut random);
            let (mut transform, mut found) = (Transform::new(bits), original.clone());
            transform.forward(&mut found);
            let expected = defined(&original);
            assert!(found.iter().zip(&expected).all(|(a, b)| close(*a, *b)), "{bits}");
            transform.inverse(&mut found);
            assert!(found.iter().zip(&original).all(|(a, b)| close(*a, *b)), "{bits}");
        }
    }

    /// Parseval's theorem.
    #[test]
    fn power_is_kept() {
        let mut signal = signal(256, &[3, 40], &mut Random::new(4));
        let before = power(&signal);
        Transform::new(8).forward(&mut signal);
        assert!((power(&signal) / 256.0 / before - 1.0).abs() < 1e-12);
    }
}
