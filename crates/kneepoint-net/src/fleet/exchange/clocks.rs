//! Comparing the clocks of all hosts.

use std::collections::BTreeMap;
use std::ops::Range;

use kneepoint_core::measure::{Stop, Unwatched};
use kneepoint_core::words::units::Nanos;

use super::{Exchange, Lost};
use crate::fleet::clock::{Offset, Reading};
use crate::fleet::out_of_step;
use crate::wire::Answer;

/// Exchanges that a clock is compared by.
const READINGS: usize = 16;

/// Hosts whose clocks are compared side by side: the answers of more of them wait for each other, and say
/// less of when they were given.
const SIDE_BY_SIDE: usize = 64;

/// Clocks are compared again after so long: quartz drifts by some 50 µs in a second at the most.
const CLOCKS_HOLD: Nanos = Nanos::from_secs(5);

impl Exchange {
    /// Compares the clocks of all hosts, if that was not done lately.
    ///
    /// # Errors
    /// When an agent does not answer.
    pub(in crate::fleet) fn set_clocks(&mut self) -> Result<(), Stop> {
        if self.clocks_set.is_some_and(|at| self.now().since(at) < CLOCKS_HOLD) {
            return Ok(());
        }
        let count = self.members.len();
        for start in (0..count).step_by(SIDE_BY_SIDE) {
            self.set_clocks_of(start..count.min(start + SIDE_BY_SIDE))?;
        }
        self.clocks_set = Some(self.now());
        Ok(())
    }

    /// Compares the clocks of hosts side by side.
    fn set_clocks_of(&mut self, hosts: Range<usize>) -> Result<(), Stop> {
        let mut readings = vec![Vec::with_capacity(READINGS); hosts.len()];
        for round in 0..READINGS {
            // Another host is first in each round: whoever is asked late may wait in line here.
            let mut numbers: Vec<usize> = hosts.clone().collect();
            numbers.rotate_left(round * hosts.len() / READINGS);
            for (number, reading) in self.readings(&numbers)? {
                readings[number - hosts.start].push(reading);
            }
        }
        let now = self.now();
        for (member, readings) in self.members[hosts].iter_mut().zip(&readings) {
            member.clock.compare(Offset::of(readings).unwrap_or_default(), now);
        }
        Ok(())
    }

    /// A reading of the clocks of hosts, asked for in their order.
    fn readings(&mut self, numbers: &[usize]) -> Result<Vec<(usize, Reading)>, Stop> {
        let call = self.call();
        let mut sent = BTreeMap::new();
        for number in numbers {
            sent.insert(*number, self.now());
            self.send_greeting(*number, call)?;
        }
        let asked = sent.keys().copied().collect();
        let mut answers = self.answers((call, asked), Lost::Fails, &mut Unwatched)?;
        let reading = |(number, sent): (usize, Nanos)| match answers[number].take() {
            Some((Answer::Greeting(greeting), received)) => {
                Ok((number, Reading { sent, there: greeting.now, received }))
            }
            _ => Err(out_of_step(&self.members[number].name).into()),
        };
        sent.into_iter().map(reading).collect()
    }
}
