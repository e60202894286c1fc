//! What `--overwrite` has to say of a device that holds data of others.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context;

/// The option, up to the device.
const OVERWRITE: &str = "--overwrite=";

/// Completes `--overwrite=DEVICE` by the identity that Kneepoint asks for. It is of the device's
/// content where there is no serial number, so it changes whenever a tool has written.
pub(super) fn complete(words: &mut [String], kneepoint: &Path) -> anyhow::Result<()> {
    for word in words {
        if let Some(device) = word.strip_prefix(OVERWRITE) {
            let judgement = judgement(kneepoint, device)?;
            *word = format!("{OVERWRITE}{}", named(device, &judgement));
        }
    }
    Ok(())
}

/// What Kneepoint says about a device.
fn judgement(kneepoint: &Path, device: &str) -> anyhow::Result<String> {
    let output = Command::new(kneepoint).args(["inspect", device]).stdin(Stdio::null()).output();
    let output = output.with_context(|| kneepoint.display().to_string())?;
    let errors = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "inspecting {device}: {errors}");
    Ok(String::from_utf8(output.stdout)?)
}

/// The device with the identity that the judgement wants; without one if it wants none.
fn named<'a>(device: &'a str, judgement: &'a str) -> &'a str {
    let is_wanted =
        |word: &&str| word.strip_prefix(device).is_some_and(|rest| rest.starts_with('='));
    judgement.split_whitespace().find(is_wanted).unwrap_or(device)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_named_as_it_is_asked_for() {
        let judgement = "name  zram1\n\
                         refused  it holds data that Kneepoint did not write\n\
                         to do    if all of it may be lost, add --overwrite /dev/zram1=content-26f1\n";
        assert_eq!(named("/dev/zram1", judgement), "/dev/zram1=content-26f1");
        assert_eq!(named("/dev/zram", judgement), "/dev/zram");
        assert_eq!(named("/dev/zram1", "to do  add --overwrite /dev/zram1\n"), "/dev/zram1");
    }

    #[test]
    fn other_words_stay() {
        let mut words = ["run", "/x/cached.dat", "--json=-"].map(str::to_owned);
        complete(&mut words, Path::new("/no/such/program")).unwrap();
        assert_eq!(words, ["run", "/x/cached.dat", "--json=-"]);
    }
}
