//! The combinations of a design.

use super::{COMBINATIONS_MAX, Combination, Design, Factor, Factors};
use crate::words::fault::Fault;

impl Factors {
    /// The combinations that the design asks for, the last factor varying fastest; one empty
    /// combination where there are no factors.
    ///
    /// # Errors
    /// When there are more than [`COMBINATIONS_MAX`].
    pub fn combinations(&self) -> Result<Vec<Combination>, Fault> {
        let count = self.combination_count();
        if count > COMBINATIONS_MAX {
            return Err(Fault::new(format!("the factors have {count} combinations"))
                .because(format!("a run goes through at most {COMBINATIONS_MAX}"))
                .fix("use fewer levels, or design = \"one-at-a-time\""));
        }
        Ok(match self.design {
            Design::Full => self.full(),
            Design::OneAtATime => self.one_at_a_time(),
        })
    }

    fn combination_count(&self) -> usize {
        let counts = self.factors.iter().map(|factor| factor.levels.len());
        match self.design {
            Design::Full => counts.fold(1, usize::saturating_mul),
            Design::OneAtATime => 1 + counts.map(|count| count.saturating_sub(1)).sum::<usize>(),
        }
    }

    fn full(&self) -> Vec<Combination> {
        let mut combinations = vec![Combination::new()];
        for factor in &self.factors {
            combinations = combinations
                .iter()
                .flat_map(|done| factor.levels.iter().map(|level| with(done, factor, level)))
                .collect();
        }
        combinations
    }

    fn one_at_a_time(&self) -> Vec<Combination> {
        let first = |factor: &Factor| Some((factor.name.clone(), factor.levels.first()?.clone()));
        let base: Combination = self.factors.iter().filter_map(first).collect();
        let mut combinations = vec![base.clone()];
        for factor in &self.factors {
            let others = factor.levels.iter().skip(1);
            combinations.extend(others.map(|level| with(&base, factor, level)));
        }
        combinations
    }
}

fn with(combination: &Combination, factor: &Factor, level: &str) -> Combination {
    let mut combination = combination.clone();
    combination.insert(factor.name.clone(), level.to_owned());
    combination
}
