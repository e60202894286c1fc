//! What the server of a fleet lets each of its keys do, and what it opens: asked of the real server.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use kneepoint_net::wire::{
    command_subject, disconnect_subject, enrol_subject, enrolled_subject, gone_subject,
    presence_subject, word_subject,
};
use kneepoint_net::{Bus as _, Door, Fingerprint, JoinLine, Knock, Lock, NatsBus, SecretKey};

use crate::hosts::{Lab, process_with};
use crate::program::signal;

/// Ports on which a process listens, by its open sockets (proc(5)).
fn listening(process: u32) -> BTreeSet<u16> {
    let folder = format!("/proc/{process}");
    let sockets: BTreeSet<String> = fs::read_dir(format!("{folder}/fd"))
        .unwrap()
        .filter_map(|open| {
            let target = fs::read_link(open.unwrap().path()).ok()?.into_os_string().into_string();
            Some(target.ok()?.strip_prefix("socket:[")?.trim_end_matches(']').to_owned())
        })
        .collect();
    let of_table = |table: &str| {
        let text = fs::read_to_string(format!("{folder}/net/{table}")).unwrap_or_default();
        let port = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let is_own = words.get(9).is_some_and(|socket| sockets.contains(*socket));
            // The state 0A is LISTEN; UDP has sockets in 07 that take whatever comes.
            let is_open = words.get(3).is_some_and(|state| ["0A", "07"].contains(state));
            let (_, port) = words.get(1)?.rsplit_once(':')?;
            u16::from_str_radix(port, 16).ok().filter(|_| is_own && is_open)
        };
        text.lines().skip(1).filter_map(port).collect::<Vec<_>>()
    };
    ["tcp", "tcp6", "udp", "udp6"].into_iter().flat_map(of_table).collect()
}

#[test]
fn the_server_of_a_fleet_has_one_listener_and_ends_with_the_run() {
    let Some(lab) = Lab::with(&["a"]) else { return };
    let run = lab.begin("a");
    let config = lab.bench.path("controller/fleet/nats-server.conf");
    let server = process_with(&config.to_string_lossy()).unwrap();
    let port = lab.address.rsplit(':').next().unwrap().parse().unwrap();
    assert_eq!(listening(server), BTreeSet::from([port]));
    let said = lab.bench.said(run.wait_with_output().unwrap());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert_eq!(process_with(&config.to_string_lossy()), None);
}

/// A client of the server with a key, and what it is told.
struct Client {
    bus: NatsBus,
    told: Arc<Mutex<Vec<String>>>,
}

impl Client {
    fn connect(line: &JoinLine, key: SecretKey) -> Self {
        let lock = Lock::Fleet { fingerprint: line.fingerprint, key: Box::new(key) };
        let door = Door {
            address: line.address.clone(),
            lock,
            name: "client".to_owned(),
            refusals: Duration::ZERO,
        };
        let told = Arc::new(Mutex::new(Vec::new()));
        let notes = Arc::clone(&told);
        let note = move |text: &str| notes.lock().unwrap().push(text.to_owned());
        let bus = NatsBus::connect(door, Knock::For(Duration::from_secs(5)), note).unwrap();
        Self { bus, told }
    }

    /// Checks that each of these is refused, with its subject.
    fn check_refused(&self, (publish, subscribe): (&[String], &[String])) {
        for subject in publish {
            self.bus.publish(subject, b"{}".to_vec()).unwrap();
            self.check_told("Publish", subject);
        }
        for subject in subscribe {
            // That it is refused is heard later.
            let _ = self.bus.subscribe(subject);
            self.check_told("Subscription", subject);
        }
    }

    fn check_told(&self, what: &str, subject: &str) {
        let words = format!("permissions violation for {what} to \"{subject}\"").to_lowercase();
        let is_told = |_| {
            thread::sleep(Duration::from_millis(20));
            self.told.lock().unwrap().iter().any(|text| text.to_lowercase().contains(&words))
        };
        assert!((0..250).any(is_told), "{words}: {:?}", self.told.lock().unwrap());
    }
}

#[test]
fn each_key_speaks_and_hears_for_itself_alone() {
    let Some(lab) = Lab::with(&["a", "b"]) else { return };
    let (line, mut controller) = lab.invite(&[]);
    let line: JoinLine = line.parse().unwrap();
    let fleet = line.fleet.as_str();
    let seed = fs::read_to_string(lab.state("a").join("agent/agent.seed")).unwrap();
    let everything = [">".to_owned(), disconnect_subject()];
    let token = line.token.public().to_string();

    let agent = Client::connect(&line, SecretKey::from_seed(&seed).unwrap());
    let publish = [
        command_subject(fleet, "a"),
        command_subject(fleet, "b"),
        word_subject((fleet, "run"), "b"),
        presence_subject(fleet, "b"),
        gone_subject(fleet, "b"),
        enrol_subject(fleet, (&token, "key")),
    ];
    let subscribe = [
        command_subject(fleet, "b"),
        word_subject((fleet, "*"), "*"),
        presence_subject(fleet, "*"),
    ];
    agent.check_refused((&publish, &[&subscribe[..], &everything].concat()));

    let token_key = SecretKey::from_seed(&line.token.seed()).unwrap();
    let newcomer = Client::connect(&line, token_key);
    let publish = [
        command_subject(fleet, "a"),
        word_subject((fleet, "run"), "a"),
        presence_subject(fleet, "c"),
        enrolled_subject(fleet, (&token, "key")),
    ];
    let subscribe = [command_subject(fleet, "a"), enrolled_subject(fleet, ("*", "*"))];
    newcomer.check_refused((&publish, &[&subscribe[..], &everything].concat()));
    signal("INT", controller.id());
    controller.wait().unwrap();
}

#[test]
fn a_line_that_has_expired_lets_no_one_in() {
    let Some(lab) = Lab::new() else { return };
    let said = lab.run(&["hosts", "join", "--address", &lab.address, "--valid", "1s"]);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("error: the line has expired"), "{}", said.stderr);
    assert!(said.stderr.contains("why: no host joined with it"), "{}", said.stderr);
    // The server is there again for another line: the first one is no longer on its list.
    let (_, mut controller) = lab.invite(&[]);
    let fault = said.stdout.trim().parse::<JoinLine>().unwrap();
    let fault = fault.enrol("a", &SecretKey::generate().public()).unwrap_err();
    assert!(fault.what().contains("does not let this host in"), "{fault}");
    signal("INT", controller.id());
    controller.wait().unwrap();
}

#[test]
fn the_server_of_a_fleet_is_known_by_its_certificate_and_speaks_tls_alone() {
    let Some(lab) = Lab::new() else { return };
    let (line, mut controller) = lab.invite(&[]);
    let mut line: JoinLine = line.parse().unwrap();

    let mut plain = TcpStream::connect(&lab.address).unwrap();
    plain.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let connect = format!(
        "CONNECT {{\"verbose\":true,\"tls_required\":false,\"nkey\":\"{}\"}}\r\nPING\r\n",
        line.token.public()
    );
    plain.write_all(connect.as_bytes()).unwrap();
    let mut answer = Vec::new();
    // The server ends the connection.
    let _ = plain.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.contains("\"tls_required\":true") && !answer.contains("PONG"), "{answer}");

    // As if someone else had answered at this address.
    line.fingerprint = Fingerprint::of(b"another certificate");
    let began = Instant::now();
    let fault = line.enrol("a", &SecretKey::generate().public()).unwrap_err();
    assert!(fault.what().contains("is not the server of this fleet"), "{fault}");
    assert!(began.elapsed() < Duration::from_secs(10), "it is not tried again and again");
    signal("INT", controller.id());
    controller.wait().unwrap();
}
