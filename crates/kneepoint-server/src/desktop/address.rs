//! Desktop servers as the command line names them.

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

use kneepoint_core::words::fault::Fault;

use super::net::ScreenPlace;

/// What servers that run are called by, and those that are started for the run.
const RUNNING: &str = "vnc://";
const TEMPORARY: &str = "vnc:temp";

/// Screens of sessions that are started for the run, if no one says.
const GEOMETRY: (u16, u16) = (1024, 768);

/// The port of the first screen, if no one says.
const PORT: u16 = 5901;

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
            || target
                .strip_prefix(TEMPORARY)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('?'))
    }

    /// Reads `vnc://HOST:PORT` or `vnc:temp?application=mousepad&cpu=0.2`.
    ///
    /// # Errors
    /// When it is neither.
    pub(super) fn parse(target: &str) -> Result<Self, Fault> {
        let place = match target.strip_prefix(RUNNING) {
            Some(rest) => running(target, rest)?,
            None => {
                let neither = || no_server(target, "it begins with neither vnc:// nor vnc:temp");
                let rest = target.strip_prefix(TEMPORARY).ok_or_else(neither)?;
                Place::Temporary(wishes(target, rest.trim_start_matches('?'))?)
            }
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
            "it has more than a host and a port; a password is in KNEEPOINT_VNC_PASSWORD",
        ));
    }
    let is_whole_v6 = rest.starts_with('[') && rest.ends_with(']');
    let (host, port) = match rest.rsplit_once(':') {
        Some((host, port)) if !is_whole_v6 => {
            let port = port.parse().ok().filter(|port| *port > 0);
            (host, port.ok_or_else(|| bad("its port is no number from 1 to 65535"))?)
        }
        _ => (rest, PORT),
    };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    match host.is_empty() {
        true => Err(bad("it names no host")),
        false => Ok(Place::Running { host: host.to_owned(), port }),
    }
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
                let is_name = |char: char| char.is_ascii_alphanumeric() || "-_.".contains(char);
                if value.is_empty() || !value.chars().all(is_name) || value.starts_with(['-', '.'])
                {
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
                let size = value
                    .split_once('x')
                    .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
                let is_screen = |(width, height): &(u16, u16)| {
                    (200..=7680).contains(width) && (200..=4320).contains(height)
                };
                let size = size.filter(is_screen);
                wishes.geometry =
                    size.ok_or_else(|| bad("it is no size from 200x200 to 7680x4320"))?;
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
    fn what_is_no_server_is_refused_with_the_reason() {
        let check = |text: &str, why: &str| {
            let fault = Address::parse(text).unwrap_err();
            assert!(fault.to_string().contains(why), "{fault}");
        };
        check("vnc://", "names no host");
        check("vnc://host:0", "port");
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
