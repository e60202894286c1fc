//! Servers of RDP as the command line names them: `rdp://user%n@host:3389?logoff=super+escape`.

use std::net::IpAddr;

use kneepoint_core::spec::profile::Chord;
use kneepoint_core::words::fault::Fault;

use super::{GEOMETRY, RDP_PORT, RdpServer, geometry, host_and_port};

/// Reads what stands behind `rdp://` in `target`.
///
/// # Errors
/// When it is no server.
pub(super) fn server(target: &str, rest: &str) -> Result<RdpServer, Fault> {
    let bad = |why: &str| {
        Fault::new(format!("'{}' is no desktop server", target.escape_debug())).because(why).fix(
            "write rdp://USER@HOST:3389, with USER such as user%n for user1, user2 ..., and behind it \
             ?geometry=1024x768&certificate=SHA256&logoff=KEYS, or less",
        )
    };
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (accounts, place) = place.rsplit_once('@').ok_or_else(|| bad("it names no user"))?;
    if accounts.is_empty() || accounts.contains([':', '/', '@']) {
        return Err(bad("its user is none; a password is in KNEEPOINT_RDP_PASSWORD"));
    }
    let (host, port) = host_and_port(place, RDP_PORT).map_err(bad)?;
    let mut server = RdpServer {
        accounts: accounts.to_owned(),
        host,
        port,
        geometry: GEOMETRY,
        certificate: None,
        log_off: Vec::new(),
    };
    let mut is_any_trusted = is_here(&server.host);
    for part in query.split('&').filter(|part| !part.is_empty()) {
        match part.split_once('=') {
            Some(("geometry", value)) => {
                server.geometry = geometry(value)
                    .ok_or_else(|| bad("its geometry is no size from 200x200 to 7680x4320"))?;
            }
            Some(("certificate", "any")) => is_any_trusted = true,
            Some(("certificate", value)) => {
                let known = digest(value).ok_or_else(|| {
                    bad("its certificate is neither 'any' nor 64 hexadecimal digits")
                })?;
                server.certificate = Some(known);
            }
            Some(("logoff", value)) => {
                let chord: Chord = value.parse()?;
                server.log_off = chord.symbols().to_vec();
            }
            _ => return Err(bad("known are geometry, certificate and logoff")),
        }
    }
    match server.certificate.is_some() || is_any_trusted {
        true => Ok(server),
        false => Err(untrusted(&server.host)),
    }
}

/// Whether a host is this machine, to which no one can listen.
fn is_here(host: &str) -> bool {
    host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

/// 64 hexadecimal digits, with or without colons between them.
fn digest(text: &str) -> Option<[u8; 32]> {
    let digits: Vec<u8> = text
        .chars()
        .filter(|char| *char != ':')
        .map(|char| Some(char.to_digit(16)? as u8))
        .collect::<Option<_>>()?;
    let (pairs, []) = digits.as_chunks::<2>() else { return None };
    let bytes: Vec<u8> = pairs.iter().map(|[high, low]| high << 4 | low).collect();
    bytes.try_into().ok()
}

fn untrusted(host: &str) -> Fault {
    Fault::new(format!("nothing tells which certificate of {host} is to be trusted"))
        .because("desktop servers sign theirs themselves, and whoever stands between would read the passwords")
        .fix(
            "name its SHA-256 digest, as `openssl x509 -noout -fingerprint -sha256 -in CERTIFICATE` prints it, \
             with certificate=DIGEST; or certificate=any in a network of your own",
        )
}

#[cfg(test)]
mod tests {
    use super::super::{Address, Place};
    use super::*;

    fn read(target: &str) -> Result<RdpServer, Fault> {
        match Address::parse(target)?.place {
            Place::Accounts(server) => Ok(server),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn servers_are_read_as_they_are_typed() {
        let server = read("rdp://kp%n@localhost").unwrap();
        assert_eq!(
            (server.host.as_str(), server.port, server.geometry),
            ("localhost", 3389, GEOMETRY)
        );
        assert_eq!(server.account(0).unwrap(), "kp1");
        assert_eq!(server.account(11).unwrap(), "kp12");
        let server = read("rdp://ann@[::1]:3390?geometry=800x600&logoff=super+escape").unwrap();
        assert_eq!((server.host.as_str(), server.port, server.geometry), ("::1", 3390, (800, 600)));
        assert_eq!(server.log_off, [0xffeb, 0xff1b]);
        assert_eq!(server.account(0).unwrap(), "ann");
        assert!(server.account(1).unwrap_err().to_string().contains("user 2 has no account"));
        let known = "0A:1b".to_owned() + &"00".repeat(30);
        let server = read(&format!("rdp://ann@server?certificate={known}")).unwrap();
        assert_eq!(server.certificate.unwrap()[..3], [0x0a, 0x1b, 0]);
        assert_eq!(read("rdp://ann@server?certificate=any").unwrap().certificate, None);
    }

    #[test]
    fn what_is_no_server_is_refused_with_the_reason() {
        let check = |text: &str, why: &str| {
            let fault = read(text).unwrap_err().to_string();
            assert!(fault.contains(why), "{fault}");
        };
        check("rdp://localhost", "names no user");
        check("rdp://ann:secret@localhost", "KNEEPOINT_RDP_PASSWORD");
        check("rdp://ann@", "names no host");
        check("rdp://ann@localhost:0", "port");
        check("rdp://ann@localhost?geometry=1x1", "no size");
        check("rdp://ann@localhost?certificate=0a", "64 hexadecimal digits");
        check("rdp://ann@localhost?colour=red", "known are");
        check("rdp://ann@localhost?logoff=nokey", "nokey");
    }

    #[test]
    fn a_certificate_that_no_one_can_know_is_trusted_on_this_machine_alone() {
        assert!(read("rdp://ann@127.0.0.1").is_ok());
        let refused = read("rdp://ann@server").unwrap_err().to_string();
        assert!(refused.contains("which certificate of server is to be trusted"), "{refused}");
    }
}
