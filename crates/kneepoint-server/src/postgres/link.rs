//! Connections to a server, and what its errors say.

use std::error::Error as _;
use std::io;
use std::net::{TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use kneepoint_core::spec::factor::Combination;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::printable::printable;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Config, Error};

use super::address::{Isolation, Login};
use super::client::{Client, Socket};
use super::password::Password;
use super::setting;

/// A server that does not answer for this long is not there.
const CONNECT: Duration = Duration::from_secs(10);

/// What to do about a server that cannot be reached.
const LOOK: &str = "look whether the server runs, and into its log";

/// How a server is reached.
#[derive(Debug, Clone)]
pub(super) struct Link {
    pub(super) login: Login,
    pub(super) password: Option<Password>,
    pub(super) isolation: Isolation,
    /// What every session sets at its beginning, by name.
    pub(super) settings: Combination,
}

impl Link {
    /// A new connection.
    ///
    /// # Errors
    /// When there is no server, or it does not let us in.
    pub(super) fn connect(&self) -> Result<Client, Fault> {
        let mut config = Config::new();
        config.user(&self.login.user).dbname(&self.login.database);
        config.application_name("kneepoint");
        if let Some(password) = &self.password {
            config.password(password.expose());
        }
        let what = format!("cannot connect to {}", self.login);
        let unreachable = |error: io::Error| Fault::new(&what).because(error).fix(LOOK);
        let socket = socket(&self.login).map_err(unreachable)?;
        let client = Client::open(socket, &config, CONNECT);
        let mut client = client.map_err(|error| fault(&what, &error))?;
        let level = self.isolation.sql();
        let set = format!("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL {level}");
        client.batch_execute(&set).map_err(|error| fault(&what, &error))?;
        for (name, level) in &self.settings {
            let set = setting::set(name, level, "SET");
            let failed = |error| fault(&format!("cannot set {name} to {level}"), &error);
            client.batch_execute(&set).map_err(failed)?;
        }
        Ok(client)
    }
}

impl Socket for UnixStream {
    fn limit_reads(&self, longest: Option<Duration>) -> io::Result<()> {
        self.set_read_timeout(longest)
    }
}

impl Socket for TcpStream {
    fn limit_reads(&self, longest: Option<Duration>) -> io::Result<()> {
        self.set_read_timeout(longest)
    }
}

/// A socket to the server of `login`.
fn socket(Login { host, port, .. }: &Login) -> io::Result<Box<dyn Socket>> {
    if host.starts_with('/') {
        let socket = Path::new(host).join(format!(".s.PGSQL.{port}"));
        return Ok(Box::new(UnixStream::connect(socket)?));
    }
    let mut failed = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
    for address in (host.as_str(), *port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CONNECT) {
            Err(error) => failed = error,
            Ok(socket) => {
                // A statement is one small write, which waits for nothing.
                socket.set_nodelay(true)?;
                return Ok(Box::new(socket));
            }
        }
    }
    Err(failed)
}

/// Whether a transaction can begin again: another one has changed the same rows.
pub(super) fn is_conflict(error: &Error) -> bool {
    let code = error.code();
    code == Some(&SqlState::T_R_SERIALIZATION_FAILURE)
        || code == Some(&SqlState::T_R_DEADLOCK_DETECTED)
}

/// That `what` is so because of an error of the server or of the connection.
pub(super) fn fault(what: &str, error: &Error) -> Fault {
    let fault = Fault::new(what).because(reason(error));
    match error.code().and_then(advice) {
        Some(advice) => fault.fix(advice),
        None if error.code().is_none() => fault.fix(LOOK),
        None => fault,
    }
}

/// What a user can do about an error.
fn advice(code: &SqlState) -> Option<&'static str> {
    [
        (
            SqlState::INVALID_PASSWORD,
            "give the password in PGPASSWORD, or in ~/.pgpass, which no one else may read",
        ),
        (
            SqlState::INVALID_AUTHORIZATION_SPECIFICATION,
            "let the server's pg_hba.conf admit this user from here without TLS, which Kneepoint does not \
             speak",
        ),
        (SqlState::UNDEFINED_DATABASE, "make the database first: createdb"),
        (SqlState::INSUFFICIENT_PRIVILEGE, "GRANT CREATE ON DATABASE to this user"),
        (
            SqlState::TOO_MANY_CONNECTIONS,
            "use fewer --warehouses, or raise max_connections of the server",
        ),
        (SqlState::DISK_FULL, "make room for the server's data"),
    ]
    .into_iter()
    .find_map(|(known, advice)| (*code == known).then_some(advice))
}

/// An error in one line.
pub(super) fn reason(error: &Error) -> String {
    let said = match error.as_db_error() {
        Some(said) => {
            let detail = said.detail().map(|detail| format!(" ({detail})")).unwrap_or_default();
            format!("the server says: {}{detail} [{}]", said.message(), said.code().code())
        }
        None if error.is_closed() => "the connection was closed".to_owned(),
        None => match error.source() {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        },
    };
    printable(&said).into_owned()
}
