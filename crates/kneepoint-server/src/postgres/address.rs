//! The name of a database as a target: `postgres://USER@HOST:PORT/DATABASE`, or `postgres:temp`.

use std::fmt;
use std::path::PathBuf;

use kneepoint_core::words::fault::Fault;

/// What a target of a running server begins with.
const SERVER: [&str; 2] = ["postgres://", "postgresql://"];

/// The target for which a server is started.
const TEMP: &str = "postgres:temp";

/// Where a server listens unless it is told otherwise.
const PORT: u16 = 5432;

/// A database that was named as a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// The name as it was typed. It has no password in it.
    pub name: String,
    /// Where.
    pub place: Place,
    /// How transactions are kept apart.
    pub isolation: Isolation,
}

/// Where a database is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// On a server that runs.
    Running(Login),
    /// On a server that is started for the run, in a new folder within this one, or within that for temporary
    /// files.
    Temporary {
        /// The folder.
        folder: Option<PathBuf>,
    },
}

/// Where a running server is reached, and as whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Login {
    /// The user.
    pub user: String,
    /// A name, an address, or the folder of a Unix socket.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The database.
    pub database: String,
}

kneepoint_core::named! {
    /// How far transactions are kept apart that run at the same time.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Isolation {
        /// A statement sees what was committed before it.
        ReadCommitted = "read-committed",
        /// A transaction sees what was committed before it, and begins again if another one has changed
        /// what it changes.
        RepeatableRead = "repeatable-read",
        /// As if one came after the other.
        Serializable = "serializable",
    }
}

impl Isolation {
    /// The level in SQL.
    pub fn sql(self) -> &'static str {
        match self {
            Self::ReadCommitted => "READ COMMITTED",
            Self::RepeatableRead => "REPEATABLE READ",
            Self::Serializable => "SERIALIZABLE",
        }
    }
}

impl Address {
    /// Whether `target` names a database, well or badly.
    pub fn is_named_by(target: &str) -> bool {
        SERVER.iter().any(|start| target.starts_with(start)) || target.starts_with("postgres:")
    }

    /// The database that `target` names.
    ///
    /// # Errors
    /// When it names none, or has a password in it, which the fault does not repeat.
    pub fn parse(target: &str) -> Result<Self, Fault> {
        let (start, parameters) = target.split_once('?').unwrap_or((target, ""));
        let rest = SERVER.iter().find_map(|server| start.strip_prefix(server));
        if has_password(target) || parameters.split('&').any(is_password) {
            return Err(Fault::new("the name of a database target has a password in it")
                .because("a command line is seen by other users, and is kept with the result")
                .fix("leave it out, and give it in PGPASSWORD, or in ~/.pgpass as psql reads it"));
        }
        let misnamed = |why: &str| {
            Fault::new(format!("{target} names no database"))
                .because(why)
                .fix("name postgres://USER@HOST:PORT/DATABASE")
        };
        let mut isolation = Isolation::RepeatableRead;
        let (mut folder, mut socket) = (None, None);
        for parameter in parameters.split('&').filter(|parameter| !parameter.is_empty()) {
            let (key, value) =
                parameter.split_once('=').ok_or_else(|| misnamed("a parameter has no value"))?;
            let value = decoded(value).ok_or_else(|| misnamed("a % stands for nothing"))?;
            match (key, rest) {
                ("isolation", _) => {
                    let known = |level: &Isolation| level.name() == value;
                    let found = Isolation::ALL.into_iter().find(known);
                    isolation = found.ok_or_else(|| {
                        let levels = Isolation::ALL.map(Isolation::name).join(", ");
                        misnamed(&format!("{value} is no level of isolation: there are {levels}"))
                    })?;
                }
                ("dir", None) => folder = Some(PathBuf::from(value)),
                ("host", Some(_)) => socket = Some(value),
                _ => {
                    let known = if rest.is_none() { "dir" } else { "host" };
                    return Err(misnamed(&format!(
                        "there is no parameter {key} here, only isolation and {known}"
                    )));
                }
            }
        }
        let place = match rest {
            Some(rest) => Place::Running(login((rest, socket)).map_err(|why: &str| misnamed(why))?),
            None if start == TEMP => Place::Temporary { folder },
            None => return Err(misnamed("after postgres: comes // or temp")),
        };
        Ok(Self { name: target.to_owned(), place, isolation })
    }
}

impl Login {
    /// Whether the server is on this machine.
    pub fn is_local(&self) -> bool {
        self.host.starts_with('/')
            || self.host == "localhost"
            || self.host.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
    }
}

impl fmt::Display for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { user, host, port, database } = self;
        write!(f, "database {database} on {host}, port {port}, as {user}")
    }
}

/// Whether there is a password between the user and an @, whatever else is wrong with the name.
fn has_password(target: &str) -> bool {
    let user = target.rsplit_once('@').map_or("", |(before, _)| before);
    let user = user.split_once(':').map_or("", |(_, user)| user);
    user.contains(':')
}

/// Whether a parameter gives a password.
fn is_password(parameter: &str) -> bool {
    let key = parameter.split('=').next().unwrap_or_default();
    decoded(key).is_none_or(|key| key.to_ascii_lowercase().contains("pass"))
}

/// `USER@HOST:PORT/DATABASE`, and the folder of a socket if it was given apart.
fn login((rest, socket): (&str, Option<String>)) -> Result<Login, &'static str> {
    let unreadable = "a % stands for nothing";
    let (user, rest) = rest.rsplit_once('@').ok_or("it does not say as whom: USER@")?;
    let (place, database) = rest.split_once('/').ok_or("it does not say which database")?;
    let (host, port) = match place.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => {
            (host, port.parse().map_err(|_| "its port is no number up to 65535")?)
        }
        _ => (place, PORT),
    };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let host = match (decoded(host).ok_or(unreadable)?, socket) {
        (host, None) if host.is_empty() => return Err("it does not say on which host"),
        (host, None) => host,
        (host, Some(socket)) if host.is_empty() => socket,
        _ => return Err("it names two hosts"),
    };
    let user = decoded(user).ok_or(unreadable)?;
    let database = decoded(database).ok_or(unreadable)?;
    match (user.is_empty(), database.is_empty()) {
        (true, _) => Err("it does not say as whom: USER@"),
        (_, true) => Err("it does not say which database"),
        _ => Ok(Login { user, host, port, database }),
    }
}

/// Text with `%2F` and the like spelled out; `None` if a % is followed by something else.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                (16 * digit()? + digit()?) as u8
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running(name: &str) -> Login {
        match Address::parse(name).unwrap().place {
            Place::Running(login) => login,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn names_say_where_and_as_whom() {
        let check = |name: &str, (user, host, port, database): (&str, &str, u16, &str)| {
            let [user, host, database] = [user, host, database].map(str::to_owned);
            assert_eq!(running(name), Login { user, host, port, database }, "{name}");
        };
        check("postgres://ann@db1:5433/shop", ("ann", "db1", 5433, "shop"));
        check("postgresql://ann@db1/shop", ("ann", "db1", 5432, "shop"));
        check("postgres://ann@[::1]:5433/shop", ("ann", "::1", 5433, "shop"));
        check("postgres://ann@[::1]/shop", ("ann", "::1", 5432, "shop"));
        check("postgres://a%40b@%2Frun%2Fpg/s%20p", ("a@b", "/run/pg", 5432, "s p"));
        check("postgres://ann@/shop?host=/run/pg", ("ann", "/run/pg", 5432, "shop"));
        check("postgres://ann@:7/shop?host=%2Frun", ("ann", "/run", 7, "shop"));
    }

    #[test]
    fn isolation_is_said_or_else_that_of_snapshots() {
        let isolation = |name: &str| Address::parse(name).unwrap().isolation;
        assert_eq!(isolation("postgres://a@b/c"), Isolation::RepeatableRead);
        assert_eq!(isolation("postgres://a@b/c?isolation=serializable"), Isolation::Serializable);
        assert_eq!(isolation("postgres:temp?isolation=read-committed"), Isolation::ReadCommitted);
    }

    #[test]
    fn a_server_of_its_own_may_have_a_folder() {
        let folder = |name: &str| match Address::parse(name).unwrap().place {
            Place::Temporary { folder } => folder,
            other => panic!("{other:?}"),
        };
        assert_eq!(folder("postgres:temp"), None);
        assert_eq!(folder("postgres:temp?dir=/data/pg"), Some(PathBuf::from("/data/pg")));
    }

    #[test]
    fn a_password_is_refused_and_not_repeated() {
        for name in [
            "postgres://ann:s3cret@db1/shop",
            "postgres://ann:s3cret@db1",
            "postgres://ann:s3@cret@db1/shop",
            "postgres://ann@db1/shop?password=s3cret",
            "postgres://ann@db1/shop?isolation=serializable&PASSWORD=s3cret",
            "postgres://ann@db1/shop?pass%77ord=s3cret",
            "postgres://ann@db1/shop?sslpassword=s3cret",
            "postgres://:s3cret@db1/shop",
            "postgres:ann:s3cret@db1/shop",
            "postgres://ann:s3?cret@db1/shop",
        ] {
            let fault = Address::parse(name).unwrap_err();
            let said = format!("{fault} {:?}", fault.fix_hint());
            assert!(said.contains("PGPASSWORD") && !said.contains("cret"), "{said}");
        }
    }

    #[test]
    fn what_names_no_database_is_refused_with_the_reason() {
        let check = |name: &str, why: &str| {
            assert!(Address::is_named_by(name), "{name}");
            let fault = Address::parse(name).unwrap_err().to_string();
            assert!(fault.contains(why), "{name}: {fault}");
        };
        check("postgres:", "// or temp");
        check("postgres:tmp", "// or temp");
        check("postgres:temp?folder=/x", "no parameter folder");
        check("postgres:temp?host=/x", "no parameter host");
        check("postgres:temp?dir", "no value");
        check("postgres:temp?isolation=none", "none");
        check("postgres://db1/shop", "as whom");
        check("postgres://@db1/shop", "as whom");
        check("postgres://ann@db1", "which database");
        check("postgres://ann@db1/", "which database");
        check("postgres://ann@/shop", "which host");
        check("postgres://ann@db1/shop?host=/run", "two hosts");
        check("postgres://ann@db1:70000/shop", "port");
        check("postgres://ann@db1/shop?sslmode=require", "no parameter sslmode");
        check("postgres://a%zz@db1/shop", "stands for nothing");
        assert!(!Address::is_named_by("./postgres") && !Address::is_named_by("memory:"));
    }

    #[test]
    fn servers_of_this_machine_are_known() {
        for (host, is_local) in [
            ("%2Frun", true),
            ("localhost", true),
            ("127.0.0.1", true),
            ("[::1]", true),
            ("db1", false),
        ] {
            assert_eq!(running(&format!("postgres://a@{host}/b")).is_local(), is_local, "{host}");
        }
    }
}
