//! Users and recordings at servers behind real sockets of this machine, in real time.

use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use kneepoint_core::measure::{Observer, Stop};
use kneepoint_core::spec::profile::{Action, Profile, Script, ScriptWork, SeriesProfile};
use kneepoint_core::words::units::Nanos;

use super::address::places;
use super::client::{KeyWay, VncDoor};
use super::fake::{FakeModel, FakeRfb};
use super::floor::Floor;
use super::net::{Net, Sockets, What};
use super::playbook::Playbook;
use super::record::Recording;
use super::rehearsal::rehearse;
use super::rfb::Client;
use super::user::{Ending, Response};

/// An observer who lets everything go on.
struct Patient;

impl Observer for Patient {}

/// A fake server behind ports of this machine, the first of which is `port`; it ends when this is dropped.
struct Host {
    port: u16,
    is_ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Host {
    /// One with this number of ports.
    fn start(model: FakeModel, ports: usize) -> Self {
        let (port, listeners) =
            (0..100).find_map(|_| listeners(ports)).expect("ports that are free");
        let is_ended = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&is_ended);
        let thread =
            thread::Builder::new().spawn(move || serve(model, &listeners, &ended)).unwrap();
        Self { port, is_ended, thread: Some(thread) }
    }

    /// A net whose users find their screens here.
    fn net(&self, users: usize) -> Sockets {
        Sockets::new(places(("127.0.0.1", self.port), users).unwrap())
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.is_ended.store(true, Ordering::Relaxed);
        self.thread.take().map(JoinHandle::join);
    }
}

/// This number of ports in a row; `None` if one is taken.
fn listeners(count: usize) -> Option<(u16, Vec<TcpListener>)> {
    let first = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).ok()?;
    let port = first.local_addr().ok()?.port();
    let more = (1..count).map(|index| {
        TcpListener::bind((Ipv4Addr::LOCALHOST, port.checked_add(index as u16)?)).ok()
    });
    let all: Vec<TcpListener> = std::iter::once(Some(first)).chain(more).collect::<Option<_>>()?;
    all.iter().try_for_each(|listener| listener.set_nonblocking(true)).ok()?;
    Some((port, all))
}

/// Moves bytes between the sockets and the fake, whose clock follows that of this machine.
fn serve(model: FakeModel, listeners: &[TcpListener], is_ended: &AtomicBool) {
    let begun = Instant::now();
    let mut fake = FakeRfb::new(model, 1);
    let mut streams: Vec<Option<TcpStream>> = (0..listeners.len()).map(|_| None).collect();
    while !is_ended.load(Ordering::Relaxed) {
        for (user, listener) in listeners.iter().enumerate() {
            if let Ok((stream, _)) = listener.accept() {
                stream.set_nonblocking(true).unwrap();
                stream.set_nodelay(true).unwrap();
                streams[user] = Some(stream);
                fake.connect(user).unwrap();
            }
            let mut chunk = [0; 4096];
            let Some(stream) = &mut streams[user] else { continue };
            match stream.read(&mut chunk) {
                Ok(0) => {
                    streams[user] = None;
                    fake.close(user);
                }
                Ok(count) => fake.send(user, &chunk[..count]),
                Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
            }
        }
        let now = Nanos(begun.elapsed().as_nanos() as u64);
        while fake.now() < now {
            let mut arrivals = Vec::new();
            fake.wait(now, &mut arrivals);
            for arrival in arrivals {
                match (arrival.what, &mut streams[arrival.user]) {
                    (What::Bytes(bytes), Some(stream)) => {
                        stream.set_nonblocking(false).unwrap();
                        let _ = stream.write_all(&bytes);
                        let _ = stream.set_nonblocking(true);
                    }
                    (What::Closed(_), stream) => *stream = None,
                    (What::Bytes(_), None) => {}
                }
            }
        }
        thread::sleep(Duration::from_micros(300));
    }
}

const TYPING: &str = "name = \"typing\"\ntitle = \"Typing\"\nspread = 50\npace = 1200\n[[work]]\n\
    text = \"the quick brown fox\"\nregion = [0, 12.5, 100, 100]\n[[work]]\nkey = \"ctrl+a\"\n\
    [[work]]\nkey = \"delete\"\nregion = [0, 12.5, 100, 100]\n";

fn script(text: &str) -> Script {
    match Profile::parse(text, "a.toml").unwrap().resolve(None).unwrap() {
        SeriesProfile::Script(work) => work.script,
        other => panic!("{other:?}"),
    }
}

/// What `users` see of a script at `host` in this time, with the password that the fakes know.
fn played(
    host: &Host,
    script: &Script,
    (users, time): (usize, Nanos),
) -> Result<Vec<Response>, Stop> {
    let mut net = host.net(users);
    let mut book = Playbook::of(script);
    let door = VncDoor { password: Some(b"secret".to_vec()) };
    rehearse(&mut book, (&mut net, &door, 0), &Patient)?;
    let mut floor = Floor::new(net, Arc::new(door));
    floor.seat(users, (&Arc::new(book), 1));
    floor.settle(&Patient)?;
    Ok(floor.play_for(time)?)
}

fn said(stop: Result<Vec<Response>, Stop>) -> String {
    stop.unwrap_err().to_string()
}

const SECOND: Nanos = Nanos::from_secs(1);

#[test]
fn users_work_at_a_server_behind_real_ports() {
    let delay = Nanos::from_millis(40);
    let model = FakeModel { delay, password: Some(b"secret"), ..FakeModel::default() };
    let host = Host::start(model, 2);
    let responses = played(&host, &script(TYPING), (2, Nanos::from_secs(3))).unwrap();
    assert!(responses.len() > 20, "{}", responses.len());
    assert!(responses.iter().all(|response| response.end == Ending::Seen), "{responses:?}");
    // 1 ms of service, 40 of way; how late a machine at work lets both sides run is not bounded from above.
    let mut times: Vec<f64> = responses.iter().map(|one| one.latency.as_millis_f64()).collect();
    times.sort_by(f64::total_cmp);
    let median = times[times.len() / 2];
    assert!((40.0..400.0).contains(&median), "{times:?}");
}

#[test]
fn what_ends_a_point_is_said_over_real_ports_too() {
    let wrong = Host::start(FakeModel { password: Some(b"other"), ..FakeModel::default() }, 1);
    let typing = script(TYPING);
    let refused = said(played(&wrong, &typing, (1, SECOND)));
    assert!(refused.contains("the server refuses the password"), "{refused}");
    let full = Host::start(FakeModel { sessions_max: 1, ..FakeModel::default() }, 2);
    let refused = said(played(&full, &typing, (2, SECOND)));
    assert!(refused.contains("refuses the connection: it says: too many!"), "{refused}");
    let killed_at = Some(Nanos::from_secs(8));
    let killed = Host::start(FakeModel { killed_at, ..FakeModel::default() }, 1);
    let ended = said(played(&killed, &typing, (1, Nanos::from_secs(30))));
    assert!(ended.contains("closed the connection"), "{ended}");
    let gone = killed.port;
    drop(killed);
    let net = Sockets::new(places(("127.0.0.1", gone), 1).unwrap()).connect(0);
    assert!(net.unwrap_err().to_string().contains("user 1 cannot reach the screen"));
}

/// A viewer of our own: connects, waits for the screen, and presses keys at this pace.
fn press(address: std::net::SocketAddr, keys: &[u32], pause: Duration) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(10))).unwrap();
    let mut client = Client::new(None);
    let mut watch = |client: &mut Client, time: Duration| {
        let (begun, mut chunk) = (Instant::now(), vec![0; 1 << 20]);
        while begun.elapsed() < time {
            if let Ok(count) = stream.read(&mut chunk) {
                client.feed(&chunk[..count]).unwrap();
            }
            stream.write_all(&client.take_output()).unwrap();
        }
    };
    watch(&mut client, Duration::from_millis(800));
    let mut is_held = false;
    for key in keys {
        match *key {
            CTRL if is_held => client.key(CTRL, KeyWay::Up),
            CTRL => client.key(CTRL, KeyWay::Down),
            key => {
                client.key(key, KeyWay::Down);
                client.key(key, KeyWay::Up);
            }
        }
        is_held ^= *key == CTRL;
        watch(&mut client, pause);
    }
    assert!(client.screen().pixels().contains(&0x00ff_ffff), "the viewer has seen the screen");
}

const CTRL: u32 = 0xffe3;
const DELETE: u32 = 0xffff;

#[test]
fn what_a_viewer_does_is_recorded_and_can_be_played() {
    let host = Host::start(FakeModel { password: Some(b"secret"), ..FakeModel::default() }, 2);
    let target = format!("vnc://127.0.0.1:{}", host.port);
    let recording = Recording::open(&target, 0, Some("secret".to_owned())).unwrap();
    let address = recording.address().unwrap();
    let keys: Vec<u32> = "abcdefghijklmn".chars().map(u32::from).collect();
    // The clock of the fake is painted with the first key only.
    let clear = [CTRL, u32::from(b'a'), CTRL, DELETE];
    let keys = [&clear[..], &keys, &clear].concat();
    let viewer =
        thread::Builder::new().spawn(move || press(address, &keys, Duration::from_millis(120)));
    let viewer = viewer.unwrap();
    let recorded = recording.run(&|| false).unwrap().expect("a script");
    viewer.join().unwrap();
    assert!(recorded.is_round && recorded.left_out == 0, "{recorded:?}");
    let work = ScriptWork {
        name: "recorded".to_owned(),
        title: "Recorded".to_owned(),
        script: recorded.script,
    };
    let actions: Vec<&Action> = work.script.work.iter().map(|step| &step.action).collect();
    let key = |keys: &str| Action::Key(keys.parse().unwrap());
    // The first part that ends with the screen as it began.
    let text = Action::Text("abcdefghijklmn".to_owned());
    assert_eq!(actions, [&key("delete"), &text, &key("ctrl+a")]);
    assert_eq!((work.script.start.len(), work.script.end.len()), (1, 1));
    assert!(work.script.pace.abs_diff(480) < 120, "{}", work.script.pace);
    // As it is written, it is read and played.
    let again = script(&work.to_toml());
    assert_eq!(again, work.script);
    let responses = played(&host, &again, (1, Nanos::from_secs(3))).unwrap();
    assert!(responses.len() > 5, "{}", responses.len());
    assert!(responses.iter().all(|response| response.end == Ending::Seen), "{responses:?}");
}
