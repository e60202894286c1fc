//! Numbered messages in their order, each of them once.

use std::collections::BTreeMap;

use kneepoint_core::words::units::Nanos;

/// More messages than this do not wait for one that is missing.
const HELD_MAX: usize = 4096;

/// The messages of one sender in one session, as they come in.
#[derive(Debug)]
pub(crate) struct Order<T> {
    /// The number of the message that is taken next.
    next: u64,
    /// Numbers below this one were sent.
    sent: u64,
    /// What waits to be taken.
    held: BTreeMap<u64, T>,
    /// Since when the next message is missing, although it was sent.
    missing_since: Option<Nanos>,
}

impl<T> Default for Order<T> {
    fn default() -> Self {
        Self { next: 0, sent: 0, held: BTreeMap::new(), missing_since: None }
    }
}

impl<T> Order<T> {
    /// Keeps a message that came in at `now` until it can be taken, unless it came in before.
    pub(crate) fn put(&mut self, number: u64, message: T, now: Nanos) {
        if number >= self.next && self.held.len() < HELD_MAX {
            self.held.entry(number).or_insert(message);
        }
        self.expect(number.saturating_add(1), now);
    }

    /// It is known at `now` that messages with numbers below `sent` were sent.
    pub(crate) fn expect(&mut self, sent: u64, now: Nanos) {
        self.sent = self.sent.max(sent);
        if self.next < self.sent && self.missing_since.is_none() {
            self.missing_since = Some(now);
        }
    }

    /// The next message, if it has come in by `now`.
    pub(crate) fn take(&mut self, now: Nanos) -> Option<T> {
        let message = self.held.remove(&self.next)?;
        self.next += 1;
        self.missing_since = (self.next < self.sent).then_some(now);
        Some(message)
    }

    /// For how long a message is missing at `now`; zero if none is.
    pub(crate) fn missing(&self, now: Nanos) -> Nanos {
        self.missing_since.map_or(Nanos::ZERO, |since| now.since(since))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// However often and in whatever order they come in.
        #[test]
        fn messages_are_taken_once_and_in_order(
            count in 1u64..40,
            twice in proptest::collection::vec(0u64..40, 0..40),
            seed: u64,
        ) {
            let mut sent: Vec<u64> = (0..count).chain(twice.into_iter().filter(|n| *n < count)).collect();
            sent.sort_by_key(|number| (number + 1).wrapping_mul(seed | 1).rotate_left(17));
            let mut order = Order::default();
            let mut taken = Vec::new();
            for number in sent {
                order.put(number, number, Nanos(1));
                while let Some(message) = order.take(Nanos(1)) {
                    taken.push(message);
                }
            }
            prop_assert_eq!(taken, (0..count).collect::<Vec<_>>());
            prop_assert_eq!(order.missing(Nanos(1000)), Nanos::ZERO);
        }
    }

    #[test]
    fn a_message_is_missing_until_it_comes_in() {
        let mut order = Order::default();
        order.put(0, 'a', Nanos(1));
        assert_eq!(order.take(Nanos(1)), Some('a'));
        assert_eq!(order.missing(Nanos(9)), Nanos::ZERO, "no more was sent");
        order.put(2, 'c', Nanos(10));
        assert_eq!((order.take(Nanos(12)), order.missing(Nanos(12))), (None, Nanos(2)));
        order.put(1, 'b', Nanos(13));
        assert_eq!(order.take(Nanos(13)), Some('b'));
        assert_eq!(order.take(Nanos(13)), Some('c'));
        assert_eq!(order.missing(Nanos(99)), Nanos::ZERO);
    }

    #[test]
    fn the_last_message_is_missed_as_well() {
        let mut order: Order<char> = Order::default();
        order.expect(1, Nanos(5));
        order.expect(1, Nanos(8));
        assert_eq!(order.missing(Nanos(9)), Nanos(4));
    }
}
