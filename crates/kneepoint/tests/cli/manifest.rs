//! `kneepoint hosts manifest`: what Kubernetes is given.

use std::path::PathBuf;
use std::process::Command;

use kneepoint_net::{Fingerprint, JoinLine, SecretKey};
use kneepoint_testkit::skipped;

use crate::program::{Bench, Said};

/// A folder with a line to join with, and what is printed for it.
fn printed(address: &str, more: &[&str]) -> (Bench, Said) {
    let bench = Bench::new();
    let controller = SecretKey::generate().public();
    let line = JoinLine {
        address: address.to_owned(),
        fingerprint: Fingerprint::of(b"certificate"),
        fleet: controller.fleet().to_owned(),
        controller,
        token: SecretKey::generate(),
    };
    bench.write("line", line.to_string());
    let manifest = ["hosts", "manifest", "--image", "registry.example/kneepoint:1"];
    let said = bench.run(&[&manifest[..], &["--target", "/data/\"fast\":read"], more].concat());
    (bench, said)
}

/// The program that knows the schemas of Kubernetes, if it is here.
fn validator() -> Option<PathBuf> {
    let found = kneepoint_testkit::find_tool("kubernetes-validate");
    if found.is_none() {
        skipped("not on the PATH: kubernetes-validate");
    }
    found
}

#[test]
fn agents_are_described_with_the_rights_that_they_need() {
    let (_bench, said) =
        printed("storage.example:4281", &["--join-file", "line", "--user", "1000"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    for text in [
        "kind: Secret",
        "kind: DaemonSet",
        "kind: NetworkPolicy",
        "runAsUser: 1000",
        "runAsNonRoot: true",
        "drop: [\"ALL\"]",
        "port: 4281",
        "\"/data/\\\"fast\\\":read\"",
        "image: \"registry.example/kneepoint:1\"",
    ] {
        assert!(said.stdout.contains(text), "{text}:\n{}", said.stdout);
    }
    assert!(said.stderr.contains("holds a secret"), "{}", said.stderr);
}

#[test]
fn what_no_pod_could_use_is_refused() {
    let (bench, said) = printed("127.0.0.1:4280", &["--join-file", "line"]);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("no pod reaches this machine"), "{}", said.stderr);
    let relative = ["hosts", "manifest", "--image", "i", "--nats", "tls://a", "--target", "data"];
    let mut command = bench.command(&relative);
    let command = command.env("KNEEPOINT_STATE", bench.path("state"));
    let said = bench.said(command.output().unwrap());
    assert!(said.stderr.contains("names no folder of a node"), "{}", said.stderr);
    let (_bench, said) = printed("a:1", &[]);
    assert_eq!(said.code, Some(2), "neither a line nor a server");
}

#[test]
fn manifests_follow_the_schemas_of_kubernetes() {
    let Some(validator) = validator() else { return };
    let seed = SecretKey::generate().seed();
    for (address, more) in [
        ("storage.example:4280", &["--join-file", "line", "--target", "/more"][..]),
        ("192.0.2.7:4280", &["--join-file", "line", "--namespace", "lab"]),
        ("[2001:db8::7]:4280", &["--join-file", "line"]),
    ] {
        let (bench, said) = printed(address, more);
        check(&validator, &bench, &said);
    }
    let bench = Bench::new();
    bench.write("own.creds", &seed);
    let manifest = ["hosts", "manifest", "--image", "i", "--target", "/data", "--nats"];
    let own = ["nats://192.0.2.7:4222", "--creds", "own.creds", "--nats-ca", "own.creds"];
    let mut command = bench.command(&[&manifest[..], &own].concat());
    let command = command.env("KNEEPOINT_STATE", bench.path("state"));
    let said = bench.said(command.output().unwrap());
    check(&validator, &bench, &said);
    assert!(said.stdout.contains(&seed) && said.stdout.contains("/etc/kneepoint/ca.pem"));
}

#[track_caller]
fn check(validator: &PathBuf, bench: &Bench, said: &Said) {
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    bench.write("manifest.yaml", &said.stdout);
    let validated =
        Command::new(validator).arg("--strict").arg(bench.path("manifest.yaml")).output().unwrap();
    let text = [validated.stdout, validated.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    assert!(validated.status.success(), "{text}\n{}", said.stdout);
    assert_eq!(text.matches(" passed for resource ").count(), 3, "{text}");
}
