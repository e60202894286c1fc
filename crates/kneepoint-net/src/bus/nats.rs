//! The bus over NATS. Nothing else in Kneepoint is asynchronous: a thread of its own talks to the server,
//! and hands over what comes in by channels.

use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use async_nats::{Client, ConnectError, ConnectErrorKind, Event, ServerError};
use futures_util::StreamExt;
use kneepoint_core::words::fault::Fault;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::{Bus, Door, Knock, Lock, Message};
use crate::priority::hurry;

/// Time between two attempts to connect, on average: each waits between half of it and three halves, or all
/// that were thrown out together would come again together.
const RETRY: Duration = Duration::from_millis(500);

/// An attempt may take so long where many come at once: one that is given up early has cost the server a
/// handshake, and comes again. Whoever waits for less in all waits for no attempt longer than that.
const ATTEMPT_MAX: Duration = Duration::from_secs(20);

/// How often client and server ask each other whether they are there. A connection ends after two questions
/// without an answer: on a busy host one can take seconds, and what is silent for the lease is lost anyway.
const PING: Duration = Duration::from_secs(5);

/// What was said last is out within this time, if the server is there.
const FLUSH: Duration = Duration::from_secs(2);

/// What is asked of the thread that talks to the server.
enum Order {
    Publish { subject: String, payload: Vec<u8> },
    Subscribe { subject: String, sender: Sender<Message>, done: Sender<Result<(), Fault>> },
    Close,
}

/// A connection to a NATS server. It comes back by itself when it was lost.
#[derive(Debug)]
pub struct NatsBus {
    orders: UnboundedSender<Order>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl NatsBus {
    /// Goes through `door`; `notes` hears in a sentence what befalls the connection.
    ///
    /// # Errors
    /// When the server is out of reach for as long as `knock` lasts, is another one, or does not
    /// let in.
    pub fn connect(
        door: Door,
        knock: Knock,
        notes: impl Fn(&str) + Send + Sync + 'static,
    ) -> Result<Self, Fault> {
        let (orders, inbox) = unbounded_channel();
        let (ready, is_ready) = channel();
        let thread = thread::Builder::new()
            .name("bus".to_owned())
            .spawn(move || talk(&door, knock, notes, (inbox, &ready)))
            .map_err(|error| Fault::new("cannot start a thread for the bus").because(error))?;
        match is_ready.recv() {
            Ok(Ok(())) => Ok(Self { orders, thread: Mutex::new(Some(thread)) }),
            Ok(Err(fault)) => Err(fault),
            Err(_) => Err(Fault::new("the thread of the bus has ended")),
        }
    }

    fn order(&self, order: Order) -> Result<(), Fault> {
        self.orders.send(order).map_err(|_| closed())
    }
}

impl Bus for NatsBus {
    fn publish(&self, subject: &str, payload: Vec<u8>) -> Result<(), Fault> {
        self.order(Order::Publish { subject: subject.to_owned(), payload })
    }

    fn subscribe(&self, subject: &str) -> Result<Receiver<Message>, Fault> {
        let ((sender, receiver), (done, is_done)) = (channel(), channel());
        self.order(Order::Subscribe { subject: subject.to_owned(), sender, done })?;
        is_done.recv().map_err(|_| closed())??;
        Ok(receiver)
    }

    fn close(&self) {
        let _ = self.orders.send(Order::Close);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }
}

impl Drop for NatsBus {
    fn drop(&mut self) {
        self.close();
    }
}

fn closed() -> Fault {
    Fault::new("the bus is closed")
}

/// Talks to the server until the bus is closed.
fn talk(
    door: &Door,
    knock: Knock,
    notes: impl Fn(&str) + Send + Sync + 'static,
    (orders, ready): (UnboundedReceiver<Order>, &Sender<Result<(), Fault>>),
) {
    hurry();
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            let _ = ready.send(Err(Fault::new("cannot start the bus").because(error)));
            return;
        }
    };
    let notes = Arc::new(notes);
    runtime.block_on(async {
        match enter(door, knock, &notes).await {
            Ok(client) => {
                let _ = ready.send(Ok(()));
                serve(&client, orders, &*notes).await;
            }
            Err(fault) => {
                let _ = ready.send(Err(fault));
            }
        }
    });
}

/// Carries out orders until the bus is closed.
async fn serve(client: &Client, mut orders: UnboundedReceiver<Order>, notes: &impl Fn(&str)) {
    while let Some(order) = orders.recv().await {
        match order {
            Order::Publish { subject, payload } => {
                let bytes = payload.len();
                // What cannot be published is missed, and the lease ends what waits for it.
                if let Err(error) = client.publish(subject, payload.into()).await {
                    notes(&format!("a message of {bytes} B was not sent: {error}"));
                }
            }
            Order::Subscribe { subject, sender, done } => {
                let _ = done.send(subscribe(client, subject, sender).await);
            }
            Order::Close => break,
        }
    }
    // What was said is out before the connection is closed, if the server is there.
    let _ = tokio::time::timeout(FLUSH, client.flush()).await;
}

async fn subscribe(client: &Client, subject: String, to: Sender<Message>) -> Result<(), Fault> {
    let refused = |error: &dyn std::fmt::Display| Fault::new("cannot subscribe").because(error);
    let mut subscriber = client.subscribe(subject).await.map_err(|error| refused(&error))?;
    // Whoever publishes from now on is heard.
    client.flush().await.map_err(|error| refused(&error))?;
    tokio::spawn(async move {
        while let Some(message) = subscriber.next().await {
            let (subject, payload) = (message.subject.to_string(), message.payload.to_vec());
            if to.send(Message { subject, payload }).is_err() {
                return;
            }
        }
    });
    Ok(())
}

/// Connects, again and again for as long as `knock` lasts.
async fn enter(
    door: &Door,
    knock: Knock,
    notes: &Arc<impl Fn(&str) + Send + Sync + 'static>,
) -> Result<Client, Fault> {
    let begun = Instant::now();
    loop {
        let notes = Arc::clone(notes);
        let options = door.options()?.ping_interval(PING).reconnect_delay_callback(pause_before);
        let options = options.connection_timeout(knock.attempt_max(ATTEMPT_MAX));
        let options = options.event_callback(move |event| {
            note(&*notes, &event);
            std::future::ready(())
        });
        let error = match options.connect(door.address.as_str()).await {
            Ok(client) => return Ok(client),
            Err(error) => error,
        };
        let kind = kind_of(&error);
        let is_new = is_refusal(kind) && begun.elapsed() < door.refusals;
        if knock.is_over(begun) || !(is_new || is_passing(kind)) {
            return Err(not_let_in(door, &error));
        }
        tokio::time::sleep(scattered(RETRY)).await;
    }
}

/// The pause before an attempt to connect: none before the first one.
fn pause_before(attempt: usize) -> Duration {
    if attempt <= 1 { Duration::ZERO } else { scattered(RETRY) }
}

/// Between half of `time` and three halves of it, by chance.
fn scattered(time: Duration) -> Duration {
    let chance = RandomState::new().hash_one(()) as f64 / u64::MAX as f64;
    time.mul_f64(0.5 + chance)
}

/// The kind of an error. A certificate that is refused is one of TLS; the client takes it for one of its input,
/// which might be better the next time.
fn kind_of(error: &ConnectError) -> ConnectErrorKind {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        let refused = inner.and_then(|inner| inner.downcast_ref::<rustls::Error>());
        if matches!(refused, Some(rustls::Error::InvalidCertificate(_))) {
            return ConnectErrorKind::Tls;
        }
        cause = error.source();
    }
    error.kind()
}

/// Whether the next attempt may succeed.
fn is_passing(kind: ConnectErrorKind) -> bool {
    matches!(kind, ConnectErrorKind::Io | ConnectErrorKind::TimedOut | ConnectErrorKind::Dns)
}

/// Whether the server does not know who comes.
fn is_refusal(kind: ConnectErrorKind) -> bool {
    matches!(kind, ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication)
}

fn not_let_in(door: &Door, error: &ConnectError) -> Fault {
    let address = &door.address;
    match (kind_of(error), &door.lock) {
        (kind, Lock::Fleet { .. }) if is_refusal(kind) => {
            Fault::new(format!("{address} does not let this host in"))
                .because("the key or token is not on its list: used, expired or removed")
                .fix("let `kneepoint hosts join` make a new line, and join with it")
        }
        (kind, Lock::Own(_)) if is_refusal(kind) => {
            Fault::new(format!("{address} does not let this host in"))
                .because("the server does not know the credentials, or they have expired")
                .fix("name those that its operator has made: --creds FILE")
        }
        (ConnectErrorKind::Tls, Lock::Fleet { .. }) => {
            Fault::new(format!("{address} is not the server of this fleet"))
                .because(error)
                .fix("join with the line that its own `kneepoint hosts join` prints")
        }
        (ConnectErrorKind::Tls, Lock::Own(_)) => {
            Fault::new(format!("{address} does not show a certificate that is trusted"))
                .because(error)
                .fix("name the authorities that have signed it: --nats-ca FILE")
        }
        (_, Lock::Own(_)) => Fault::new(format!("cannot reach {address}"))
            .because(error)
            .fix("look whether the server runs, and whether a firewall is in between"),
        (_, Lock::Fleet { .. }) => Fault::new(format!("cannot reach {address}"))
            .because(error)
            .fix("look whether the controller runs there, and whether a firewall is in between"),
    }
}

/// Tells what befell the connection.
fn note(notes: &impl Fn(&str), event: &Event) {
    match event {
        Event::Disconnected => notes("the server of the fleet has gone; waiting for it"),
        Event::ServerError(ServerError::AuthorizationViolation) => {
            notes("the server no longer lets this host in");
        }
        Event::ServerError(error) => notes(&format!("the server of the bus says: {error}")),
        Event::SlowConsumer(_) => notes("messages come in faster than they are worked on"),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_that_is_refused_is_an_error_of_tls() {
        let of_input = |error: io::Error| ConnectError::with_source(ConnectErrorKind::Io, error);
        let refused = rustls::CertificateError::ApplicationVerificationFailure;
        let refused = io::Error::new(io::ErrorKind::InvalidData, rustls::Error::from(refused));
        assert_eq!(kind_of(&of_input(refused)), ConnectErrorKind::Tls);
        for other in [
            io::ErrorKind::ConnectionRefused.into(),
            io::Error::new(io::ErrorKind::InvalidData, rustls::Error::DecryptError),
        ] {
            assert_eq!(kind_of(&of_input(other)), ConnectErrorKind::Io);
        }
    }

    #[test]
    fn pauses_are_scattered_around_what_they_should_be() {
        assert_eq!(pause_before(1), Duration::ZERO);
        let pauses: Vec<Duration> = (2..502).map(pause_before).collect();
        assert!(pauses.iter().all(|pause| *pause >= RETRY / 2 && *pause <= RETRY * 3 / 2));
        let mean = pauses.iter().sum::<Duration>() / 500;
        assert!(mean > RETRY * 9 / 10 && mean < RETRY * 11 / 10, "{mean:?}");
    }
}
