//! The passwords of databases, where other clients have them: `PGPASSWORD`, or the password file that
//! `PGPASSFILE` names or that is in the user's home.

use std::env;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use kneepoint_server::postgres::{Keyring, Login, Password};

use crate::machine::ThisMachine;

/// Whether anyone but the owner can do anything with a file: then it is not read, as other clients do not.
const OTHERS: u32 = 0o077;

impl Keyring for ThisMachine {
    fn password(&self, login: &Login) -> Option<Password> {
        let named = env::var("PGPASSWORD").ok().filter(|password| !password.is_empty());
        named.map(Password::new).or_else(|| {
            let path = env::var_os("PGPASSFILE").map(PathBuf::from);
            let path = path.or_else(|| Some(Path::new(&env::var_os("HOME")?).join(".pgpass")))?;
            Password::in_file(&read_private(&path)?, login)
        })
    }
}

/// The text of a file that no one else can read.
fn read_private(path: &Path) -> Option<String> {
    let facts = fs::metadata(path).ok()?;
    (facts.is_file() && facts.mode() & OTHERS == 0).then(|| fs::read_to_string(path).ok())?
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_file_that_others_can_read_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pgpass");
        fs::write(&path, "*:*:*:*:s3cret").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        assert!(read_private(&path).is_some());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(read_private(&path).is_none());
        assert!(read_private(folder.path()).is_none());
        assert!(read_private(&folder.path().join("none")).is_none());
    }
}
