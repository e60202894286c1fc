//! A fleet on a NATS server of the user's own: here one that is started with an operator's configuration,
//! which lets each agent speak for its host alone.

use std::collections::HashSet;
use std::fs::File;
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use kneepoint_core::words::units::Nanos;
use kneepoint_net::wire::{
    Command as AgentCommand, Numbered, PROTOCOL, Request, command_subject, presence_subject,
    word_subject,
};
use kneepoint_net::{Bus, Knock, NatsBus, OwnServer, Sealed, SecretKey};
use nkeys::KeyPair;
use serde_json::{Value, json};

use crate::hosts::Lab;
use crate::interrupt::await_first_point;
use crate::program::{Said, signal};
use crate::result::check_schema;

/// A server of the user's own, and a fleet that talks over it.
struct OwnLab {
    lab: Lab,
    server: Child,
    /// What names the server, and who signed its certificate.
    way: Vec<String>,
    /// What signs the tokens of users.
    account: KeyPair,
    /// The key of the controller.
    controller: String,
}

/// Letters of base64 for URLs (RFC 4648, 5).
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn base64(bytes: &[u8]) -> String {
    let letters = bytes.chunks(3).flat_map(|chunk| {
        let bits = chunk.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (8 * (3 - chunk.len()));
        (0..=chunk.len()).map(move |place| LETTERS[(bits >> (18 - 6 * place) & 63) as usize])
    });
    String::from_utf8(letters.collect()).unwrap()
}

/// A token as NATS has them: `claims` about `subject`, signed by `issuer`.
fn token(subject: &KeyPair, issuer: &KeyPair, claims: &Value) -> String {
    let body = json!({
        "jti": "1", "iat": 1_700_000_000, "iss": issuer.public_key(), "sub": subject.public_key(),
        "name": "test", "nats": claims,
    });
    let header = json!({ "typ": "JWT", "alg": "ed25519-nkey" });
    let text = [header, body].map(|part| base64(part.to_string().as_bytes())).join(".");
    format!("{text}.{}", base64(&issuer.sign(text.as_bytes()).unwrap()))
}

impl OwnLab {
    /// A server, if there is the program for it, with which no host is yet.
    fn new() -> Option<Self> {
        let lab = Lab::new()?;
        let (operator, account) = (KeyPair::new_operator(), KeyPair::new_account());
        let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        lab.bench.write("server.pem", made.cert.pem());
        lab.bench.write("server.key", made.signing_key.serialize_pem());
        let operator_token =
            token(&operator, &operator, &json!({ "type": "operator", "version": 2 }));
        let limits = json!({
            "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true,
            "conn": -1, "leaf": -1,
        });
        let account_claims = json!({ "type": "account", "version": 2, "limits": limits });
        let account_token = token(&account, &operator, &account_claims);
        let place = |name: &str| lab.bench.path(name).to_string_lossy().into_owned();
        let config = format!(
            "listen: \"{}\"\noperator: \"{operator_token}\"\nresolver: MEMORY\n\
             resolver_preload: {{ {}: \"{account_token}\" }}\n\
             tls {{ cert_file: \"{}\", key_file: \"{}\" }}\n",
            lab.address,
            account.public_key(),
            place("server.pem"),
            place("server.key"),
        );
        lab.bench.write("own.conf", config);
        let way = vec![
            "--nats".to_owned(),
            format!("tls://{}", lab.address),
            "--nats-ca".to_owned(),
            place("server.pem"),
        ];
        let server = start(&lab);
        let mut own = Self { lab, server, way, account, controller: String::new() };
        await_listening(&own.lab);
        own.controller = own.as_controller(&["hosts", "join"]).stdout.trim().to_owned();
        Some(own)
    }

    /// Makes credentials of this name which permit what `join` said of `who`, and gives their file.
    fn credentials(&self, name: &str, rights: &[Vec<String>; 2]) -> String {
        let user = KeyPair::new_user();
        let [publish, subscribe] = rights;
        let claims = json!({
            "type": "user", "version": 2, "subs": -1, "data": -1, "payload": -1,
            "pub": { "allow": publish }, "sub": { "allow": subscribe },
        });
        let token = token(&user, &self.account, &claims);
        let file = format!("{name}.creds");
        self.lab.bench.write(
            &file,
            format!(
                "-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n\
                 -----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
                user.seed().unwrap()
            ),
        );
        self.lab.bench.path(&file).to_string_lossy().into_owned()
    }

    /// What `kneepoint hosts join` says that an agent called `host` or the controller must be let do.
    fn rights(&self, host: Option<&str>) -> [Vec<String>; 2] {
        let said = self.as_controller(&["hosts", "join"]).stderr;
        let who =
            if host.is_some() { "the agent of NAME publish" } else { "the controller publish" };
        let line = said.lines().find(|line| line.contains(who)).unwrap();
        let (_, list) = line.split_once(" publish ").unwrap();
        let (publish, subscribe) = list.split_once(", and subscribe to ").unwrap();
        [publish, subscribe].map(|list| {
            list.split(", ").map(|text| text.replace("NAME", host.unwrap_or("*"))).collect()
        })
    }

    /// A command of the controller with the server and what lets it in.
    fn controller(&self, arguments: &[&str]) -> Command {
        let way: Vec<&str> = self.way.iter().map(String::as_str).collect();
        self.lab.controller(&[arguments, &way].concat())
    }

    fn as_controller(&self, arguments: &[&str]) -> Said {
        self.lab.bench.said(self.controller(arguments).output().unwrap())
    }

    /// Starts the agent of `host` with credentials that name `permitted`.
    fn start(&mut self, host: &str, permitted: &str) {
        let file = self.credentials(host, &self.rights(Some(permitted)));
        let way = self.way.clone();
        let way: Vec<&str> = way.iter().map(String::as_str).collect();
        let key = self.controller.clone();
        let more = ["--creds", &file, "--controller", &key, "--name", host];
        self.lab.start(host, &[&way[..], &more].concat());
    }

    /// A connection to the server with these credentials.
    fn connect(&self, credentials: &str) -> NatsBus {
        let own = OwnServer {
            url: self.way[1].parse().unwrap(),
            credentials: Some(std::fs::read_to_string(credentials).unwrap().parse().unwrap()),
            authorities: Some(self.way[3].clone().into()),
        };
        let knock = Knock::For(Duration::from_secs(5));
        NatsBus::connect(own.door("listener"), knock, |_| {}).unwrap()
    }

    /// The arguments of a run on the file of `host`.
    fn run_on(&self, host: &str, creds: &str, levels: &str) -> Vec<String> {
        let target = format!("{host}:{}", self.lab.file(host));
        let run =
            ["run", "random-read", &target, "--hosts", host, "--creds", creds, "--label", host];
        let load = ["--size", "4MiB", "--outstanding", levels, "--ramp", "0s", "--time", "500ms"];
        [&run[..], &load].concat().into_iter().map(str::to_owned).collect()
    }
}

impl Drop for OwnLab {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Starts the server.
fn start(lab: &Lab) -> Child {
    let log = File::create(lab.bench.path("own.log")).unwrap();
    let mut server = Command::new("nats-server");
    server.arg("-c").arg(lab.bench.path("own.conf")).stdin(Stdio::null());
    server.stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap()
}

/// Waits until the server listens.
fn await_listening(lab: &Lab) {
    let listens = |_| {
        thread::sleep(Duration::from_millis(50));
        TcpStream::connect(&lab.address).is_ok()
    };
    assert!((0..100).any(listens), "the server does not listen: {}", lab.bench.read("own.log"));
}

fn borrowed(arguments: &[String]) -> Vec<&str> {
    arguments.iter().map(String::as_str).collect()
}

#[test]
fn a_server_of_the_users_own_carries_several_controllers_at_once() {
    let Some(mut own) = OwnLab::new() else { return };
    let creds = own.credentials("controller", &own.rights(None));
    own.start("a", "a");
    own.start("b", "b");
    let listed = own.as_controller(&["hosts", "list", "--creds", &creds]);
    assert_eq!(listed.stdout.matches(" free ").count(), 2, "{}{}", listed.stdout, listed.stderr);
    let (on_a, on_b) = (own.run_on("a", &creds, "1..200"), own.run_on("b", &creds, "1"));
    let mut first = own.controller(&borrowed(&on_a));
    let mut first = first.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    await_first_point(&mut first);
    let second = own.as_controller(&borrowed(&on_b));
    assert_eq!(second.code, Some(0), "{}", second.stderr);
    let taken = own.as_controller(&borrowed(&own.run_on("a", &creds, "1")));
    assert_eq!(taken.code, Some(2), "{}", taken.stderr);
    assert!(taken.stderr.contains("error: a: the agent serves another run"), "{}", taken.stderr);
    let listed = own.as_controller(&["hosts", "list", "--creds", &creds]);
    assert!(listed.stdout.contains("serves a run"), "{}{}", listed.stdout, listed.stderr);
    signal("INT", first.id());
    let first = own.lab.bench.said(first.wait_with_output().unwrap());
    assert_eq!(first.code, Some(1), "{}", first.stderr);
    for (host, state) in [("a", "interrupted"), ("b", "complete")] {
        let result: Value = own.lab.bench.json(&["export", host]);
        check_schema(&result);
        assert_eq!(result["run"]["state"], state);
        assert_eq!(result["environment"]["hosts"][0]["host"], host);
    }
}

#[test]
fn a_server_of_the_users_own_decides_who_speaks_for_a_host() {
    let Some(mut own) = OwnLab::new() else { return };
    let creds = own.credentials("controller", &own.rights(None));
    // Its credentials are those of another host.
    own.start("a", "b");
    let said = own.as_controller(&borrowed(&own.run_on("a", &creds, "1")));
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains("not there: a"), "{}", said.stderr);
    own.account = KeyPair::new_account();
    let forged = own.credentials("forged", &own.rights(None));
    let said = own.as_controller(&borrowed(&own.run_on("a", &forged, "1")));
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains("does not know the credentials"), "{}", said.stderr);
    // Whoever has signed its certificate is not named.
    let began = Instant::now();
    let listed = own.lab.run(&["hosts", "list", "--nats", &own.way[1], "--creds", &creds]);
    assert_eq!(listed.code, Some(2), "{}", listed.stderr);
    let text = "does not show a certificate that is trusted";
    assert!(listed.stderr.contains(text), "{}", listed.stderr);
    assert!(began.elapsed() < Duration::from_secs(4), "it is not tried again and again");
    let said = own.lab.run(&["run", "random-read", "null:", "--nats", "tls://127.0.0.1:1"]);
    assert!(said.stderr.contains("no hosts are named"), "{}", said.stderr);
}

/// Waits until the agent of a has this on record.
fn await_record(own: &OwnLab, words: &str) {
    let is_there = |_| {
        thread::sleep(Duration::from_millis(50));
        own.lab.record("a").contains(words)
    };
    assert!((0..200).any(is_there), "{words}: {}", own.lab.record("a"));
}

#[test]
fn a_command_that_is_played_again_is_done_once() {
    let Some(mut own) = OwnLab::new() else { return };
    let rights = own.rights(None);
    let creds = own.credentials("controller", &rights);
    own.start("a", "a");
    // Whoever controls the server hears every command, and can say it again.
    let [commands, _] = rights;
    let bus = own.connect(&own.credentials("listener", &[commands.clone(), commands.clone()]));
    let heard = bus.subscribe(&commands[0]).unwrap();
    let (said, known) = thread::scope(|scope| {
        let run = || own.as_controller(&borrowed(&own.run_on("a", &creds, "1,2")));
        let run = thread::Builder::new().spawn_scoped(scope, run).unwrap();
        let mut known: HashSet<Vec<u8>> = HashSet::new();
        while !run.is_finished() {
            let Ok(message) = heard.recv_timeout(Duration::from_millis(100)) else { continue };
            if known.insert(message.payload.clone()) {
                bus.publish(&message.subject, message.payload).unwrap();
            }
        }
        (run.join().unwrap(), known)
    });
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    await_record(&own, "it came in before");
    assert_eq!(own.lab.points("a").len(), 2, "each point was measured once");

    // The whole run once more, when it is over.
    let subject = commands[0].replace('*', "a");
    known.into_iter().for_each(|payload| bus.publish(&subject, payload).unwrap());
    await_record(&own, "it belongs to a run that this agent does not serve");
    let said = own.as_controller(&borrowed(&own.run_on("a", &creds, "1")));
    assert_eq!(said.code, Some(0), "the agent is free: {}", said.stderr);
    assert_eq!(own.lab.points("a").len(), 3);
}

/// What an agent refuses is told to no one who is not its controller, and is on record there.
#[test]
fn commands_that_no_controller_of_this_version_has_signed_are_refused() {
    let Some(mut own) = OwnLab::new() else { return };
    let rights = own.rights(None);
    let creds = own.credentials("controller", &rights);
    own.start("a", "a");
    let listed = own.as_controller(&["hosts", "list", "--creds", &creds]);
    assert!(listed.stdout.contains(" free "), "{}{}", listed.stdout, listed.stderr);
    let seed = own.lab.bench.read("controller/fleet/controller.seed");
    let key = SecretKey::from_seed(&seed).unwrap();
    let fleet = key.public().fleet().to_owned();
    // Sessions have numbers that rise with the time.
    let session = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
    let request = Request::Greet { protocol: PROTOCOL - 1, lease: Nanos::from_secs(10) };
    let mut sealed = Sealed {
        fleet: fleet.clone(),
        host: "a".to_owned(),
        run: "older".to_owned(),
        nonce: None,
        expires: None,
        plan: None,
        command: Numbered { session, number: 0, message: AgentCommand::Call { call: 1, request } },
    };
    let bus = own.connect(&creds);
    let subject = command_subject(&fleet, "a");
    let say = |bytes: Vec<u8>| bus.publish(&subject, bytes).unwrap();
    let answers = bus.subscribe(&word_subject((&fleet, "older"), "a")).unwrap();
    say(sealed.encode(&key));
    let why = format!("it speaks protocol {PROTOCOL}, the controller {}", PROTOCOL - 1);
    await_record(&own, &why);
    let answer = answers.recv_timeout(Duration::from_secs(5)).unwrap();
    assert!(String::from_utf8_lossy(&answer.payload).contains(&why), "the controller is told");
    assert!(!own.lab.record("a").contains("older"), "no run began: {}", own.lab.record("a"));
    // It is free for whoever speaks its version: its controller is not waited for until the lease is over.
    let began = Instant::now();
    let said = own.as_controller(&borrowed(&own.run_on("a", &creds, "1")));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(began.elapsed() < Duration::from_secs(9), "{:?}", began.elapsed());

    let request = Request::Greet { protocol: PROTOCOL, lease: Nanos::from_secs(10) };
    let session = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
    sealed.command =
        Numbered { session, number: 0, message: AgentCommand::Call { call: 1, request } };
    say(sealed.encode(&key));
    await_record(&own, "older");
    say(sealed.encode(&SecretKey::generate()));
    await_record(&own, "a command is not signed by the controller of this agent");
    "another".clone_into(&mut sealed.run);
    say(sealed.encode(&key));
    await_record(&own, "the agent serves another run");
}

/// What an agent of another version says of itself is understood as far as it must be.
#[test]
fn a_host_of_another_version_is_named_at_once() {
    let Some(mut own) = OwnLab::new() else { return };
    let creds = own.credentials("controller", &own.rights(None));
    own.start("a", "a");
    let bus = own.connect(&own.credentials("other", &own.rights(Some("b"))));
    let seed = own.lab.bench.read("controller/fleet/controller.seed");
    let fleet = SecretKey::from_seed(&seed).unwrap().public().fleet().to_owned();
    let said = json!({ "protocol": PROTOCOL + 1, "version": "9.1.0", "mood": "good" }).to_string();
    let is_over = AtomicBool::new(false);
    let targets = ["a", "b", "c"].map(|host| format!("{host}:{}", own.lab.file(host)));
    thread::scope(|scope| {
        let tell = || {
            while !is_over.load(Relaxed) {
                bus.publish(&presence_subject(&fleet, "b"), said.clone().into_bytes()).unwrap();
                thread::sleep(Duration::from_millis(200));
            }
        };
        thread::Builder::new().spawn_scoped(scope, tell).unwrap();
        let began = Instant::now();
        // c is not there, for which others would be waited for.
        let run = ["run", "random-read", "--hosts", "a,b,c", "--creds", &creds, "--size", "4MiB"];
        let run: Vec<&str> = run.into_iter().chain(targets.iter().map(String::as_str)).collect();
        let refused = own.as_controller(&run);
        let took = began.elapsed();
        let listed = own.as_controller(&["hosts", "list", "--creds", &creds]);
        is_over.store(true, Relaxed);
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        for text in [
            "error: b speaks another version of Kneepoint",
            &format!("why: its agent is of version 9.1.0 with protocol {}", PROTOCOL + 1),
            "fix: use the same version of Kneepoint on all hosts: replace the program on b",
        ] {
            let unfolded = refused.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(unfolded.contains(text), "{text}: {}", refused.stderr);
        }
        assert!(took < Duration::from_secs(9), "{took:?}");
        let lines = |host: &str| {
            let line = listed.stdout.lines().find(|line| line.starts_with(host));
            line.unwrap_or_default().split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(lines("b")[1..], ["other", "version", "9.1.0"], "{}", listed.stdout);
        assert_eq!(lines("a")[1], "free", "{}", listed.stdout);
    });
}
