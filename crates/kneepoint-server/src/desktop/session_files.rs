//! The files of a session: how its window manager, its application and its screen are set.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::application::{self, Setting};

/// The window manager: super+e starts the application, and windows fill the screen.
const WINDOW_MANAGER: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew></focus>
  <desktops><number>1</number></desktops>
  <keyboard>
    <keybind key="W-e"><action name="Execute"><command>@APPLICATION@</command></action></keybind>@END@
  </keyboard>
  <applications>
    <application class="*" type="normal"><maximized>yes</maximized><focus>yes</focus></application>
  </applications>
</openbox_config>
"#;

/// Super+escape ends a session that the server would keep otherwise.
const END: &str = r#"
    <keybind key="W-Escape"><action name="Exit"><prompt>no</prompt></action></keybind>"#;

/// What begins a session of an account: its window manager, as sessions of the run have it.
const ACCOUNT_SESSION: &str = "#!/bin/sh\nexport DBUS_SESSION_BUS_ADDRESS=disabled: \
    GSETTINGS_BACKEND=memory NO_AT_BRIDGE=1\n\
    exec openbox --sm-disable --config-file \"@PLACE@/openbox.xml\"\n";

/// The name of a key by which clients are let in to a screen, and its length.
const COOKIE_NAME: &[u8] = b"MIT-MAGIC-COOKIE-1";
const COOKIE_BYTES: usize = 16;

/// Writes the files of a session with `application` in `folder`, which is new.
pub(super) fn write(folder: &Path, application: &str) -> io::Result<()> {
    let program = folder.join("application");
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o700).open(&program)?;
    file.write_all(application::starter(application).as_bytes())?;
    let program = program.to_string_lossy();
    fs::write(folder.join("openbox.xml"), window_manager(&program, ""))?;
    for setting in application::settings(application) {
        set(&folder.join("config"), setting)?;
    }
    fs::write(folder.join("authority"), authority()?)
}

/// Writes what all sessions of accounts have with `application` in `folder`, which they all may enter.
pub(super) fn write_for_accounts(folder: &Path, application: &str) -> io::Result<()> {
    let program = folder.join("application");
    executable(&program, &application::starter(application))?;
    let manager = folder.join("openbox.xml");
    fs::write(&manager, window_manager(&program.to_string_lossy(), END))?;
    fs::set_permissions(&manager, Permissions::from_mode(0o644))?;
    let session = ACCOUNT_SESSION.replace("@PLACE@", &folder.to_string_lossy());
    executable(&folder.join("session"), &session)
}

/// Writes a setting into the folder of settings of a user; gives where its file is.
pub(super) fn set(folder: &Path, setting: &Setting) -> io::Result<PathBuf> {
    let file = folder.join(setting.file);
    fs::create_dir_all(file.parent().unwrap_or(folder))?;
    fs::write(&file, setting.text)?;
    Ok(file)
}

/// Writes a program that everyone may run.
fn executable(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())?;
    fs::set_permissions(path, Permissions::from_mode(0o755))
}

/// How the window manager is set, with more keys at the end.
fn window_manager(application: &str, keys: &str) -> String {
    WINDOW_MANAGER.replace("@APPLICATION@", &escaped(application)).replace("@END@", keys)
}

/// A key for whoever may use the screen, for any address and number of it.
fn authority() -> io::Result<Vec<u8>> {
    let mut cookie = [0; COOKIE_BYTES];
    File::open("/dev/urandom")?.read_exact(&mut cookie)?;
    let mut entry = vec![0xff, 0xff, 0, 0, 0, 0, 0, COOKIE_NAME.len() as u8];
    entry.extend(COOKIE_NAME);
    entry.extend([0, COOKIE_BYTES as u8]);
    entry.extend(cookie);
    Ok(entry)
}

/// Text within XML, for a shell that finds no more than one word in it.
fn escaped(path: &str) -> String {
    path.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_written_where_programs_look_for_them() {
        let folder = tempfile::TempDir::new().unwrap();
        for setting in application::settings("soffice") {
            let written = set(folder.path(), setting).unwrap();
            assert_eq!(written, folder.path().join(setting.file));
            assert_eq!(fs::read_to_string(written).unwrap(), setting.text);
        }
        assert!(folder.path().join("libreoffice/4/user/registrymodifications.xcu").is_file());
    }
}
