//! Names of response classes. Rules spell the identifiers, which are English words.

use kneepoint_core::result::{READ, WRITE};

use crate::language::Language::{self, English, German};

/// German names of the classes that Kneepoint records by itself, or that a shipped profile names.
const GERMAN_NAMES: [(&str, &str); 26] = [
    (READ, "Lesen"),
    (WRITE, "Schreiben"),
    ("trim", "Freigeben"),
    ("zeroes", "Nullen"),
    ("flush", "Leeren des Schreibcaches"),
    ("logon", "Anmeldung"),
    ("keystroke", "Tastenanschlag"),
    ("application-start", "Programmstart"),
    ("menu", "Menü"),
    ("open", "Öffnen"),
    ("save", "Speichern"),
    ("scroll", "Blättern"),
    ("dialog", "Dialogfeld"),
    ("picture", "Bild einfügen"),
    ("new-order", "Neue Bestellung"),
    ("payment", "Zahlung"),
    ("order-status", "Bestellstatus"),
    ("delivery", "Lieferung"),
    ("stock-level", "Lagerbestand"),
    ("customer-report", "Kundenbericht"),
    ("create", "Anlegen"),
    ("append", "Anhängen"),
    ("stat", "Nachschlagen"),
    ("rename", "Umbenennen"),
    ("delete", "Löschen"),
    ("list", "Auflisten"),
];

/// The name of a response class; the identifier where this language has no words for it.
pub(crate) fn name(language: Language, identifier: &str) -> &str {
    let known = GERMAN_NAMES.iter().find(|(known, _)| *known == identifier);
    match (language, known) {
        (German, Some((_, german))) => german,
        (English, _) | (German, None) => identifier,
    }
}

/// The name with the identifier that rules spell, where these differ: `Tastenanschlag (keystroke)`.
pub(crate) fn name_in_full(language: Language, identifier: &str) -> String {
    match name(language, identifier) {
        name if name == identifier => identifier.to_owned(),
        name => format!("{name} ({identifier})"),
    }
}

#[cfg(test)]
mod tests {
    use kneepoint_core::spec::catalog;
    use kneepoint_core::spec::profile::Transaction;

    use super::*;

    #[test]
    fn classes_have_german_names_and_keep_what_rules_spell() {
        assert_eq!(name(German, "keystroke"), "Tastenanschlag");
        assert_eq!(name_in_full(German, "keystroke"), "Tastenanschlag (keystroke)");
        for identifier in ["keystroke", "own-class"] {
            assert_eq!(name(English, identifier), identifier);
            assert_eq!(name_in_full(English, identifier), identifier);
        }
        assert_eq!(name_in_full(German, "own-class"), "own-class");
    }

    #[test]
    fn every_class_of_a_shipped_profile_has_a_german_name() {
        let of_profiles = catalog::PROFILES.iter().flat_map(|shipped| {
            let lines = shipped.text.lines();
            lines.filter_map(|line| Some(line.strip_prefix("class = \"")?.trim_matches('"')))
        });
        let of_business = Transaction::ALL.iter().map(|kind| kind.name());
        let mut count = 0;
        for class in of_profiles.chain(of_business) {
            assert_ne!(name(German, class), class);
            count += 1;
        }
        assert!(count > 12, "{count}");
    }
}
