//! How applications of sessions begin: with an empty page, without questions, and without what moves by itself.

use std::path::Path;

/// The toolkit: nothing moves by itself.
const TOOLKIT: Setting = Setting {
    file: "gtk-3.0/settings.ini",
    text: "[Settings]\ngtk-cursor-blink=0\ngtk-enable-animations=0\ngtk-recent-files-enabled=0\n",
};

/// The office: no tip of the day, no bars that ask, no words that are completed or underlined.
const OFFICE: Setting = Setting {
    file: "libreoffice/4/user/registrymodifications.xcu",
    text: include_str!("office.xcu"),
};

/// A picture for pages, whose name takes one stroke.
const PICTURE: &str = include_str!("picture.svg");

/// Names of LibreOffice. Its writer opens an empty file as a new page.
const OFFICE_NAMES: [&str; 3] = ["soffice", "libreoffice", "lowriter"];

/// A file by which something is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Setting {
    /// Where it is in the folder of settings of a user (`XDG_CONFIG_HOME`).
    pub(super) file: &'static str,
    /// What is in it.
    pub(super) text: &'static str,
}

/// Whether an application, on the PATH or named with its path, is LibreOffice.
fn is_office(application: &str) -> bool {
    let name = Path::new(application).file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| OFFICE_NAMES.contains(&name))
}

/// What sets this application as users have it.
pub(super) fn settings(application: &str) -> &'static [Setting] {
    if is_office(application) { &[TOOLKIT, OFFICE] } else { &[TOOLKIT] }
}

/// The program that starts this application with a new page.
pub(super) fn starter(application: &str) -> String {
    let begin = "#!/bin/sh\ncd \"$HOME\" || exit\n";
    match is_office(application) {
        false => format!("{begin}: > draft.txt\nexec \"{application}\" draft.txt\n"),
        true => format!(
            "{begin}printf '%s' '{}' > 1\n: > draft.odt\n\
             exec \"{application}\" --norestore --nologo --nofirststartwizard draft.odt\n",
            PICTURE.trim()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_office_begins_without_questions_and_others_as_they_are() {
        let office = starter("soffice");
        assert!(office.ends_with(
            ": > draft.odt\nexec \"soffice\" --norestore --nologo --nofirststartwizard draft.odt\n"
        ));
        assert!(office.contains("</svg>' > 1\n") && PICTURE.matches('\'').count() == 0, "{office}");
        let editor = starter("mousepad");
        assert!(editor.ends_with(": > draft.txt\nexec \"mousepad\" draft.txt\n"), "{editor}");
        let files =
            |name: &str| settings(name).iter().map(|setting| setting.file).collect::<Vec<_>>();
        assert_eq!(files("mousepad"), ["gtk-3.0/settings.ini"]);
        assert_eq!(files("lowriter").len(), 2);
        assert_eq!(files("/opt/libreoffice/program/soffice").len(), 2);
        assert_eq!(files("/opt/soffice/notes").len(), 1);
        assert_eq!(
            OFFICE.text.lines().count(),
            3 + OFFICE.text.matches("<value>false</value>").count()
        );
    }
}
