//! Passwords, as other clients of PostgreSQL find them: in `PGPASSWORD`, or in a password file.

use std::fmt;

use super::address::Login;

/// Folders of sockets that a password file calls `localhost`.
const SOCKETS: [&str; 3] = ["/run/postgresql", "/var/run/postgresql", "/tmp"];

/// A password. It is shown nowhere.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// This password.
    pub const fn new(password: String) -> Self {
        Self(password)
    }

    /// The one that a password file has for `login`: the first line that fits counts, as
    /// `host:port:database:user:password` with `*` for anything.
    pub fn in_file(text: &str, login: &Login) -> Option<Self> {
        let is_socket = SOCKETS.contains(&login.host.as_str());
        let port = login.port.to_string();
        let wanted = [&login.host, &port, &login.database, &login.user];
        text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
            let fields = fields(line);
            let [host, rest @ .., password] = fields.as_slice() else { return None };
            let fits_host =
                host == "*" || *host == login.host || (is_socket && host == "localhost");
            let fits = |(field, wanted): (&String, &&String)| field == "*" || field == *wanted;
            let fits_rest = rest.len() == 3 && rest.iter().zip(&wanted[1..]).all(fits);
            (fits_host && fits_rest).then(|| Self(password.clone()))
        })
    }

    /// The password itself, for the server alone.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password")
    }
}

/// The fields of a line: they are parted by colons that no backslash precedes.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            ':' => fields.push(String::new()),
            letter => {
                let letter = if letter == '\\' { letters.next() } else { Some(letter) };
                if let Some(field) = fields.last_mut() {
                    field.extend(letter);
                }
            }
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_fits_counts() {
        let file = "# a comment:*:*:*:no\n\
                    db1:5432:shop:ann:one\n\
                    db1:5432:*:ann:tw\\:o\\\\\n\
                    localhost:*:*:*:three\n\
                    *:5433:shop:b\\:b:four\n\
                    broken:line\n";
        let check = |(user, host, port, database): (&str, &str, u16, &str), found: Option<&str>| {
            let [user, host, database] = [user, host, database].map(str::to_owned);
            let login = Login { user, host, port, database };
            let password = Password::in_file(file, &login);
            assert_eq!(password.as_ref().map(Password::expose), found, "{login}");
        };
        check(("ann", "db1", 5432, "shop"), Some("one"));
        check(("ann", "db1", 5432, "stock"), Some("tw:o\\"));
        check(("bob", "db1", 5432, "shop"), None);
        check(("bob", "localhost", 1, "x"), Some("three"));
        check(("bob", "/run/postgresql", 5432, "x"), Some("three"));
        check(("bob", "/elsewhere", 5432, "x"), None);
        check(("b:b", "db9", 5433, "shop"), Some("four"));
    }

    #[test]
    fn a_password_does_not_show_itself() {
        assert_eq!(format!("{:?}", Password::new("s3cret".to_owned())), "Password");
    }
}
