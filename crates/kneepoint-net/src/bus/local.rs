//! The bus within one process.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kneepoint_core::words::fault::Fault;

use super::{Bus, Message};

/// A bus within this process.
#[derive(Debug, Default)]
pub struct LocalBus {
    /// Those who have subscribed; `None` once it is closed.
    subscribers: Mutex<Subscribers>,
}

#[derive(Debug, Default)]
struct Subscribers {
    is_closed: bool,
    all: Vec<(String, Sender<Message>)>,
}

impl LocalBus {
    fn subscribers(&self) -> Result<MutexGuard<'_, Subscribers>, Fault> {
        let subscribers = self.subscribers.lock().unwrap_or_else(PoisonError::into_inner);
        match subscribers.is_closed {
            true => Err(Fault::new("the bus is closed")),
            false => Ok(subscribers),
        }
    }
}

impl Bus for LocalBus {
    fn publish(&self, subject: &str, payload: Vec<u8>) -> Result<(), Fault> {
        let mut subscribers = self.subscribers()?;
        subscribers.all.retain(|(pattern, sender)| {
            if !matches(pattern, subject) {
                return true;
            }
            // Whoever is gone hears no more.
            let message = Message { subject: subject.to_owned(), payload: payload.clone() };
            sender.send(message).is_ok()
        });
        Ok(())
    }

    fn subscribe(&self, subject: &str) -> Result<Receiver<Message>, Fault> {
        let (sender, receiver) = channel();
        self.subscribers()?.all.push((subject.to_owned(), sender));
        Ok(receiver)
    }

    fn close(&self) {
        if let Ok(mut subscribers) = self.subscribers() {
            *subscribers = Subscribers { is_closed: true, all: Vec::new() };
        }
    }
}

/// Whether `subject` is what `pattern` stands for.
fn matches(pattern: &str, subject: &str) -> bool {
    let Some(open) = pattern.find('*') else { return pattern == subject };
    let (start, open) = pattern.split_at(open);
    subject.strip_prefix(start).is_some_and(|words| {
        words.split('.').count() == open.split('.').count()
            && words.split('.').all(|word| !word.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_reach_all_who_have_subscribed_and_no_one_else() {
        let bus = LocalBus::default();
        let (exact, any) = (bus.subscribe("a.b").unwrap(), bus.subscribe("a.*").unwrap());
        let two = bus.subscribe("a.*.*").unwrap();
        for (subject, payload) in [("a.b", 1), ("a.c", 2), ("a.b.c", 3), ("b.b", 4)] {
            bus.publish(subject, vec![payload]).unwrap();
        }
        let payloads = |receiver: &Receiver<Message>| -> Vec<u8> {
            receiver.try_iter().map(|message| message.payload[0]).collect()
        };
        assert_eq!(payloads(&exact), [1]);
        assert_eq!(payloads(&any), [1, 2]);
        assert_eq!(payloads(&two), [3]);
        drop(exact);
        bus.publish("a.b", vec![5]).unwrap();
        bus.close();
        assert_eq!(payloads(&any), [5]);
        assert!(any.recv().is_err() && bus.publish("a.b", Vec::new()).is_err());
    }
}
