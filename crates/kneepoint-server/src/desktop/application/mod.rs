//! How applications of sessions begin: with an empty page, without questions, and without what moves by itself.

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

fn is_office(name: &str) -> bool {
    OFFICE_NAMES.contains(&name)
}

/// What sets the application of this name as users have it.
pub(super) fn settings(name: &str) -> &'static [Setting] {
    if is_office(name) { &[TOOLKIT, OFFICE] } else { &[TOOLKIT] }
}

/// The program that starts the application of this name with a new page.
pub(super) fn starter(name: &str) -> String {
    let begin = "#!/bin/sh\ncd \"$HOME\" || exit\n";
    match is_office(name) {
        false => format!("{begin}: > draft.txt\nexec \"{name}\" draft.txt\n"),
        true => format!(
            "{begin}printf '%s' '{}' > 1\n: > draft.odt\n\
             exec \"{name}\" --norestore --nologo --nofirststartwizard draft.odt\n",
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
        assert_eq!(
            OFFICE.text.lines().count(),
            3 + OFFICE.text.matches("<value>false</value>").count()
        );
    }
}
