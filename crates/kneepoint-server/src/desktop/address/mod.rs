//! Desktop servers as the command line names them.

mod rdp;

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

use kneepoint_core::words::fault::Fault;

use super::net::ScreenPlace;

/// What servers that run are called by, by their protocol, and those that are started for the run.
const RUNNING: &str = "vnc://";
const TEMPORARY: &str = "vnc:temp";
const RDP: &str = "rdp://";

/// Screens of sessions that are started for the run, if no one says.
const GEOMETRY: (u16, u16) = (1024, 768);

/// The port of the first screen, if no one says; that of RDP (IANA).
const PORT: u16 = 5901;
const RDP_PORT: u16 = 3389;

/// What stands for the number of a user, from 1, in the name of an account.
const NUMBER: &str = "%n";

/// What names who meters the machine of the server.
const METER: &str = "meter=";

/// `target` without the part that names who meters the server, and that name.
fn without_meter(target: &str) -> (String, Option<&str>) {
    let Some((place, query)) = target.split_once('?') else { return (target.to_owned(), None) };
    let (meters, rest): (Vec<&str>, Vec<&str>) =
        query.split('&').partition(|part| part.starts_with(METER));
    let bare = match rest.is_empty() {
        true => place.to_owned(),
        false => format!("{place}?{}", rest.join("&")),
    };
    (bare, meters.last().map(|part| &part[METER.len()..]))
}

/// A server whose machine is metered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metering {
    /// The host whose agent is on the machine.
    pub host: String,
    /// The server as it is called without naming that host.
    pub server: String,
}

impl Metering {
    /// What `target` asks for; `None` if it does not.
    pub fn of(target: &str) -> Option<Self> {
        let (server, host) = without_meter(target);
        let host = host.filter(|_| Address::is_named_by(target))?.to_owned();
        Some(Self { host, server })
    }

    /// What the server called `target` is called without naming who meters it.
    pub fn bare(target: &str) -> String {
        match Address::is_named_by(target) {
            true => without_meter(target).0,
            false => target.to_owned(),
        }
    }
}

/// A desktop server.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Address {
    /// As typed.
    pub(super) name: String,
    pub(super) place: Place,
}

/// Where its screens are.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Place {
    /// At a host: that of the first user at this port, that of the second at the next.
    Running { host: String, port: u16 },
    /// On this machine, in sessions that are started for the run.
    Temporary(SessionWishes),
    /// At a server that makes a session for each account.
    Accounts(RdpServer),
}

/// A server that makes a session for each account that logs on over RDP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RdpServer {
    /// The host.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// The accounts; `%n` stands for the number of the user.
    accounts: String,
    /// Width and height of the screens that are asked for.
    pub geometry: (u16, u16),
    /// SHA-256 digest of the certificate that is trusted; `None` for any.
    pub certificate: Option<[u8; 32]>,
    /// Keys that end a session there, as their symbols in X; none if the connection is just closed.
    pub log_off: Vec<u32>,
}

impl RdpServer {
    /// The account of the user of this number, from 0.
    ///
    /// # Errors
    /// When all users would have the same one.
    pub fn account(&self, user: usize) -> Result<String, Fault> {
        match user == 0 || self.accounts.contains(NUMBER) {
            true => Ok(self.accounts.replace(NUMBER, &(user + 1).to_string())),
            false => Err(Fault::new(format!("user {} has no account", user + 1))
                .because(format!(
                    "a second session of {} would be the first one again",
                    self.accounts
                ))
                .fix(format!(
                    "name accounts with {NUMBER} for the number: rdp://user{NUMBER}@HOST"
                ))),
        }
    }
}

/// How sessions are to be.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SessionWishes {
    /// The program that users start.
    pub(super) application: String,
    /// Processors that all sessions have together; `None` for all that there are.
    pub(super) cpu: Option<f64>,
    /// Width and height of the screens.
    pub(super) geometry: (u16, u16),
    /// Folder in which that of the sessions is made; `None` for the one of temporary files.
    pub(super) folder: Option<PathBuf>,
}

impl Address {
    /// Whether `target` names a desktop server.
    pub(super) fn is_named_by(target: &str) -> bool {
        target.starts_with(RUNNING)
            || target.starts_with(RDP)
            || target
                .strip_prefix(TEMPORARY)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('?'))
    }

    /// Reads `vnc://HOST:PORT`, `rdp://USER@HOST:PORT` or `vnc:temp?application=mousepad&cpu=0.2`.
    ///
    /// # Errors
    /// When it is neither.
    pub(super) fn parse(target: &str) -> Result<Self, Fault> {
        let (bare, meter) = without_meter(target);
        let place = if let Some(rest) = bare.strip_prefix(RUNNING) {
            running(target, rest)?
        } else if let Some(rest) = bare.strip_prefix(RDP) {
            Place::Accounts(rdp::server(target, rest)?)
        } else {
            let neither =
                || no_server(target, "it begins with neither vnc://, rdp:// nor vnc:temp");
            let rest = bare.strip_prefix(TEMPORARY).ok_or_else(neither)?;
            if meter.is_some() {
                return Err(Fault::new(format!("no one else meters {TEMPORARY}"))
                    .because("the run meters the sessions that it starts itself")
                    .fix("leave out meter="));
            }
            Place::Temporary(wishes(target, rest.trim_start_matches('?'))?)
        };
        Ok(Self { name: target.to_owned(), place })
    }
}

fn no_server(target: &str, why: &str) -> Fault {
    Fault::new(format!("'{}' is no desktop server", target.escape_debug())).because(why).fix(
        "write vnc://HOST:5901, or vnc:temp?application=mousepad for sessions of the run's own",
    )
}

/// A host with the port of its first screen.
fn running(target: &str, rest: &str) -> Result<Place, Fault> {
    let bad = |why: &str| no_server(target, why);
    if rest.contains(['/', '?', '@']) {
        return Err(bad(
            "it has more than a host, a port and ?meter=HOST; a password is in KNEEPOINT_VNC_PASSWORD",
        ));
    }
    let (host, port) = host_and_port(rest, PORT).map_err(bad)?;
    Ok(Place::Running { host, port })
}

/// A host, and its port or else `usual`.
fn host_and_port(text: &str, usual: u16) -> Result<(String, u16), &'static str> {
    let is_whole_v6 = text.starts_with('[') && text.ends_with(']');
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !is_whole_v6 => {
            let port = port.parse().ok().filter(|port| *port > 0);
            (host, port.ok_or("its port is no number from 1 to 65535")?)
        }
        _ => (text, usual),
    };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    match host.is_empty() {
        true => Err("it names no host"),
        false => Ok((host.to_owned(), port)),
    }
}

/// Width and height, as `1024x768`.
fn geometry(value: &str) -> Option<(u16, u16)> {
    let (width, height) = value.split_once('x')?;
    let size: (u16, u16) = (width.parse().ok()?, height.parse().ok()?);
    let is_screen = (200..=7680).contains(&size.0) && (200..=4320).contains(&size.1);
    is_screen.then_some(size)
}

/// Whether this can be the name of a program on the PATH, and is one word of a shell.
pub(super) fn is_program_name(value: &str) -> bool {
    let is_part = |char: char| char.is_ascii_alphanumeric() || "-_.".contains(char);
    !value.is_empty() && value.chars().all(is_part) && !value.starts_with(['-', '.'])
}

/// How the sessions of `vnc:temp` are to be.
fn wishes(target: &str, query: &str) -> Result<SessionWishes, Fault> {
    let mut wishes = SessionWishes {
        application: "mousepad".to_owned(),
        cpu: None,
        geometry: GEOMETRY,
        folder: None,
    };
    for part in query.split('&').filter(|part| !part.is_empty()) {
        let bad = |why: &str| {
            Fault::new(format!("'{}' is wrong in {}", part.escape_debug(), target.escape_debug()))
                .because(why)
                .fix("write vnc:temp?application=mousepad&cpu=0.2&geometry=1024x768&dir=FOLDER, or less")
        };
        let (key, value) = part.split_once('=').ok_or_else(|| bad("there is no '=' in it"))?;
        match key {
            "application" => {
                if !is_program_name(value) {
                    return Err(bad("it is no name of a program on the PATH"));
                }
                value.clone_into(&mut wishes.application);
            }
            "cpu" => {
                let cpu = value.parse().ok().filter(|cpu| (0.01..=1024.0).contains(cpu));
                wishes.cpu =
                    Some(cpu.ok_or_else(|| bad("it is no number of processors from 0.01 on"))?);
            }
            "geometry" => {
                wishes.geometry = geometry(value)
                    .ok_or_else(|| bad("it is no size from 200x200 to 7680x4320"))?;
            }
            "dir" if !value.is_empty() => wishes.folder = Some(value.into()),
            _ => return Err(bad("known are application, cpu, geometry and dir")),
        }
    }
    Ok(wishes)
}

/// The place of the screen of each of `count` users at `host`, from `port` on.
///
/// # Errors
/// When there is no such host, or there are too few ports.
pub(super) fn places((host, port): (&str, u16), count: usize) -> Result<Vec<ScreenPlace>, Fault> {
    let known = (host, port).to_socket_addrs().ok().and_then(|mut found| found.next());
    let first: SocketAddr = known.ok_or_else(|| {
        Fault::new(format!("the host {host} is not known"))
            .fix("name one that has an address: vnc://127.0.0.1:5901")
    })?;
    let place = |index: usize| {
        let port = u16::try_from(usize::from(port) + index).ok()?;
        Some(ScreenPlace::Tcp(SocketAddr::new(first.ip(), port)))
    };
    (0..count).map(place).collect::<Option<_>>().ok_or_else(|| {
        Fault::new(format!("there are no {count} ports from {port} on"))
            .because("each user has its own screen: the second at the next port")
            .fix("use fewer --users")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_read_as_they_are_typed() {
        let check = |text: &str, host: &str, port: u16| {
            let place = Place::Running { host: host.to_owned(), port };
            assert_eq!(Address::parse(text).unwrap().place, place, "{text}");
        };
        check("vnc://host:5903", "host", 5903);
        check("vnc://10.0.0.1", "10.0.0.1", 5901);
        check("vnc://[::1]:5902", "::1", 5902);
        check("vnc://[::1]", "::1", 5901);
        let temporary = "vnc:temp?application=xterm&cpu=0.2&geometry=800x600&dir=/x";
        let Place::Temporary(wishes) = Address::parse(temporary).unwrap().place else {
            panic!("it is temporary")
        };
        assert_eq!((wishes.application.as_str(), wishes.cpu), ("xterm", Some(0.2)));
        assert_eq!((wishes.geometry, wishes.folder), ((800, 600), Some("/x".into())));
        assert!(Address::is_named_by("vnc:temp") && !Address::is_named_by("vnc:temporary"));
    }

    #[test]
    fn who_meters_a_server_is_no_part_of_its_name() {
        let check = |text: &str, server: &str, host: Option<&str>| {
            let found = Metering::of(text);
            let expected = host.map(|host| (host.to_owned(), server.to_owned()));
            assert_eq!(found.map(|found| (found.host, found.server)), expected, "{text}");
            assert_eq!(Metering::bare(text), server, "{text}");
            assert_eq!(Address::parse(text).unwrap().name, text);
        };
        check("vnc://host:5903", "vnc://host:5903", None);
        check("vnc://host:5903?meter=s", "vnc://host:5903", Some("s"));
        check("rdp://u%n@localhost?meter=s", "rdp://u%n@localhost", Some("s"));
        let keys = "geometry=800x600&logoff=super+escape";
        let bare = format!("rdp://u%n@localhost?{keys}");
        check(&format!("rdp://u%n@localhost?meter=s&{keys}"), &bare, Some("s"));
        check(&bare, &bare, None);
        assert_eq!(Metering::of("/data/a?meter=s"), None, "a file may be called so");
        assert_eq!(Metering::bare("/data/a?meter=s"), "/data/a?meter=s");
    }

    #[test]
    fn what_is_no_server_is_refused_with_the_reason() {
        let check = |text: &str, why: &str| {
            let fault = Address::parse(text).unwrap_err();
            assert!(fault.to_string().contains(why), "{fault}");
        };
        check("vnc://", "names no host");
        check("vnc://host:0", "port");
        check("vnc:temp?meter=s", "no one else meters vnc:temp");
        check("vnc://host:5901?meters=s", "more than a host");
        check("vnc://user@host:5901", "KNEEPOINT_VNC_PASSWORD");
        check("vnc:temp?cpu=0", "no number of processors");
        check("vnc:temp?application=a;b", "no name of a program");
        check("vnc:temp?application=", "no name of a program");
        check("vnc:temp?geometry=10x10", "no size");
        check("vnc:temp?colour=red", "known are");
        check("vnc:temp?cpu", "no '='");
        assert!(places(("127.0.0.1", 65_535), 2).unwrap_err().to_string().contains("no 2 ports"));
    }
}
