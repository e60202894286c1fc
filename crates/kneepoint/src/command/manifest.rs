//! `kneepoint hosts manifest`: agents on the nodes of a Kubernetes cluster.

use std::net::IpAddr;
use std::path::Path;

use kneepoint_core::words::fault::Fault;
use kneepoint_net::{JoinLine, OwnServer};

use crate::Outcome;
use crate::cli::ManifestArgs;
use crate::fleet::kept::Roster;
use crate::output::print::{print_raw, tell};
use crate::work::{TEXT_MAX, read_text};

/// Where the agent finds what it connects with.
const SECRET: &str = "/etc/kneepoint";

/// Where it keeps its key and its record.
const STATE: &str = "/var/lib/kneepoint";

/// Prints the manifest; changes nothing.
pub(crate) fn manifest(state: &Path, args: &ManifestArgs) -> anyhow::Result<Outcome> {
    let access = match (args.nats.server()?, &args.join_file) {
        (Some(server), _) => own_access(state, (&server, args))?,
        (None, Some(file)) => joined_access(&read_named(file)?)?,
        (None, None) => return Err(Fault::new("the manifest needs a way to the server").into()),
    };
    if let Some(target) = args.target.iter().find(|target| !target.path().is_absolute()) {
        return Err(Fault::new(format!("{target} names no folder of a node"))
            .fix("write the whole path of the folder, from / on")
            .into());
    }
    print_raw(&documents(args, &access))?;
    tell("the manifest holds a secret: kubectl apply takes it from standard input (-f -)");
    Ok(Outcome::Done)
}

/// What an agent connects with.
struct Access {
    /// Names and texts of the files of the secret.
    files: Vec<(&'static str, String)>,
    /// What the agent is called with.
    arguments: Vec<String>,
    /// Host and port of the server.
    host: String,
    port: u16,
}

/// By a line to join with.
fn joined_access(text: &str) -> Result<Access, Fault> {
    let line: JoinLine = text.parse()?;
    let (host, port) = line.address.rsplit_once(':').unwrap_or_default();
    let is_here = host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    if is_here || host == "[::1]" {
        return Err(Fault::new(format!("no pod reaches this machine at {}", line.address))
            .fix("let hosts join at an address that they reach: kneepoint hosts join --address HOST:PORT"));
    }
    Ok(Access {
        files: vec![("join", line.to_string())],
        arguments: vec!["--join-file".to_owned(), format!("{SECRET}/join")],
        host: host.to_owned(),
        port: port.parse().unwrap_or_default(),
    })
}

/// By credentials for a server of the user's own.
fn own_access(state: &Path, (server, args): (&OwnServer, &ManifestArgs)) -> Result<Access, Fault> {
    let controller = match &args.controller {
        Some(key) => key.clone(),
        None => Roster::open(state)?.key.public(),
    };
    let mut arguments = vec!["--nats".to_owned(), server.url.to_string()];
    arguments.extend(["--controller".to_owned(), controller.to_string()]);
    let mut files = Vec::new();
    let named =
        [("--creds", "creds", &args.nats.creds), ("--nats-ca", "ca.pem", &args.nats.nats_ca)];
    for (option, name, file) in named {
        if let Some(file) = file {
            files.push((name, read_named(file)?));
            arguments.extend([option.to_owned(), format!("{SECRET}/{name}")]);
        }
    }
    let (host, port) = server.url.host_and_port();
    Ok(Access { files, arguments, host: host.to_owned(), port })
}

fn read_named(file: &Path) -> Result<String, Fault> {
    read_text(file, TEXT_MAX)
        .map_err(|error| Fault::new(format!("cannot read {}", file.display())).because(error))
}

/// The manifest.
fn documents(args: &ManifestArgs, access: &Access) -> String {
    [secret(args, access), daemon_set(args, access), network_policy(args, access)].join("---\n")
}

/// A string of YAML: one of JSON is one (YAML 1.2, 1.3).
fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a text is plain data")
}

fn head(kind: (&str, &str), args: &ManifestArgs) -> String {
    let (version, kind) = kind;
    format!(
        "apiVersion: {version}\nkind: {kind}\nmetadata:\n  name: kneepoint-agent\n  namespace: {}\n  \
         labels: {{ app.kubernetes.io/name: kneepoint-agent }}\n",
        quoted(&args.namespace)
    )
}

fn secret(args: &ManifestArgs, access: &Access) -> String {
    let files =
        lines(access.files.iter(), |(name, content)| format!("  {name}: {}\n", quoted(content)));
    let data = if files.is_empty() {
        "stringData: {}\n".to_owned()
    } else {
        format!("stringData:\n{files}")
    };
    format!("{}type: Opaque\n{data}", head(("v1", "Secret"), args))
}

/// Lines of a list.
fn lines<T>(items: impl Iterator<Item = T>, line: impl Fn(T) -> String) -> String {
    items.map(line).collect()
}

fn daemon_set(args: &ManifestArgs, access: &Access) -> String {
    let own = ["agent", "--state", STATE, "--name", "$(NODE_NAME)"].map(str::to_owned);
    let targets = args.target.iter().flat_map(|target| ["--target".to_owned(), target.to_string()]);
    let arguments = own.into_iter().chain(access.arguments.iter().cloned()).chain(targets);
    let arguments = lines(arguments, |word| format!("            - {}\n", quoted(&word)));
    let folders = args.target.iter().map(|target| quoted(&target.path().to_string_lossy()));
    let folders: Vec<(usize, String)> = folders.enumerate().collect();
    let mounts = lines(folders.iter(), |(number, path)| {
        format!("            - {{ name: target-{number}, mountPath: {path} }}\n")
    });
    let volumes = lines(folders.iter(), |(number, path)| {
        format!(
            "        - name: target-{number}\n          hostPath: {{ path: {path}, type: Directory }}\n"
        )
    });
    let head = head(("apps/v1", "DaemonSet"), args);
    head + &pods(args, (&arguments, &mounts, &volumes))
}

/// The pods that it makes.
fn pods(args: &ManifestArgs, (arguments, mounts, volumes): (&str, &str, &str)) -> String {
    let (user, image) = (args.user, quoted(&args.image));
    format!(
        "spec:
  selector:
    matchLabels: {{ app.kubernetes.io/name: kneepoint-agent }}
  template:
    metadata:
      labels: {{ app.kubernetes.io/name: kneepoint-agent }}
    spec:
      automountServiceAccountToken: false
      securityContext:
        runAsNonRoot: true
        runAsUser: {user}
        runAsGroup: {user}
        fsGroup: {user}
        seccompProfile: {{ type: RuntimeDefault }}
      containers:
        - name: agent
          image: {image}
          args:
{arguments}          env:
            - name: NODE_NAME
              valueFrom: {{ fieldRef: {{ fieldPath: spec.nodeName }} }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: {{ drop: [\"ALL\"] }}
          volumeMounts:
            - {{ name: access, mountPath: {SECRET}, readOnly: true }}
            - {{ name: state, mountPath: {STATE} }}
{mounts}      volumes:
        - name: access
          secret: {{ secretName: kneepoint-agent, defaultMode: {SECRET_MODE} }}
        - name: state
          emptyDir: {{}}
{volumes}"
    )
}

/// Its user and group read the secret, and no one else does: YAML has no octal numbers that all readers
/// take for such.
const SECRET_MODE: u32 = 0o440;

/// Agents reach the server and whoever tells them its address, and no one reaches them.
fn network_policy(args: &ManifestArgs, access: &Access) -> String {
    let Access { host, port, .. } = access;
    let to = match host.trim_matches(['[', ']']).parse::<IpAddr>() {
        Ok(ip @ IpAddr::V4(_)) => format!("      to: [{{ ipBlock: {{ cidr: {ip}/32 }} }}]\n"),
        Ok(ip @ IpAddr::V6(_)) => format!("      to: [{{ ipBlock: {{ cidr: \"{ip}/128\" }} }}]\n"),
        Err(_) => String::new(),
    };
    format!(
        "{}spec:
  podSelector:
    matchLabels: {{ app.kubernetes.io/name: kneepoint-agent }}
  policyTypes: [Ingress, Egress]
  egress:
    - ports: [{{ protocol: TCP, port: {port} }}]
{to}    - ports:
        - {{ protocol: UDP, port: 53 }}
        - {{ protocol: TCP, port: 53 }}
",
        head(("networking.k8s.io/v1", "NetworkPolicy"), args)
    )
}
