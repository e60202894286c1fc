//! The randomness of a case: all of it comes from the seed and the number of the case.

use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Draws what a case is made of.
#[derive(Debug)]
pub(super) struct Dice(Xoshiro256PlusPlus);

impl Dice {
    /// Dice of one case; neighbours have nothing in common.
    pub(super) fn new(seed: u64, case: u64) -> Self {
        let mut outer = Xoshiro256PlusPlus::seed_from_u64(seed);
        Self(Xoshiro256PlusPlus::seed_from_u64(outer.next_u64().wrapping_add(case)))
    }

    /// Any number.
    pub(super) fn any(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `end`; 0 if `end` is 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.any() % end).unwrap_or(0)
    }

    /// True in `percent` of 100 cases.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the choices.
    ///
    /// # Panics
    /// If there is none.
    pub(super) fn pick<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_drawn_from_seed_and_number_alone() {
        let draw = |seed, case| {
            let mut dice = Dice::new(seed, case);
            [dice.any(), dice.any()]
        };
        assert_eq!(draw(1, 7), draw(1, 7));
        assert_ne!(draw(1, 7), draw(1, 8));
        assert_ne!(draw(1, 7), draw(2, 7));
        assert!((0..100).all(|case| Dice::new(1, case).below(3) < 3));
        assert_eq!(Dice::new(1, 1).below(0), 0);
    }
}
