//! The abstract.

use super::common::counted_in;
use crate::language::Language;
use crate::page::Text;

texts! {
    of_planned(count: &str, planned: &str):
        "{count} of {planned} planned points"
        | "{count} von {planned} geplanten Messpunkten";
    no_point: "There is no point to judge" | "Es gibt keinen Messpunkt zu beurteilen";
    one_valid: "The one point is valid" | "Der eine Messpunkt ist gültig";
    all_valid(all: &str): "All {all} points are valid" | "Alle {all} Messpunkte sind gültig";
    some_suspect(some: &str, all: &str, verdicts: &str):
        "{some} of {all} points {verdicts}"
        | "{some} von {all} Messpunkten {verdicts}";
    file(size: &str): "a file of {size}" | "eine Datei von {size}";
    file_on(size: &str, system: &str): "a file of {size} on {system}" | "eine Datei von {size} auf {system}";
    block_device(size: &str): "a block device of {size}" | "ein Blockgerät von {size}";
    warehouses:
        "business operations in the memory of this machine"
        | "Geschäftsvorgänge im Speicher dieser Maschine";
    warehouses_in(server: &str):
        "business operations in {server}"
        | "Geschäftsvorgänge in {server}";
    copies_of_programs:
        "copies of programs on the processors of this machine"
        | "Kopien von Programmen auf den Prozessoren dieser Maschine";
    desktop_server: "the screens of a desktop server" | "die Bildschirme eines Desktop-Servers";
    directory: "files of a directory" | "Dateien eines Verzeichnisses";
    directory_on(system: &str):
        "files of a directory on {system}"
        | "Dateien eines Verzeichnisses auf {system}";
    simulated_server: "a simulated server" | "ein simulierter Server";
    simulated_system(size: &str):
        "a simulated storage system of {size}"
        | "ein simuliertes Speichersystem von {size}";
    null_target:
        "no device at all: I/Os complete at once"
        | "überhaupt kein Gerät: I/Os sind sofort fertig";
}

/// Points that were measured, of those that were planned.
pub(crate) fn progress(language: Language, measured: usize, planned: Option<usize>) -> String {
    let count = language.count(measured);
    match planned.map(|planned| language.count(planned)) {
        Some(planned) => of_planned(language, &count, &planned),
        None => counted_in(language, measured, [["point", "points"], ["Messpunkt", "Messpunkten"]]),
    }
}

/// Points with a reservation, of all points, and which reservations: `drifting or failed`.
pub(crate) fn suspect(language: Language, suspect: usize, points: usize, verdicts: &str) -> String {
    let [some, all] = [suspect, points].map(|count| language.count(count));
    match suspect {
        0 if points == 0 => no_point(language).to_owned(),
        0 if points == 1 => one_valid(language).to_owned(),
        0 => all_valid(language, &all),
        1 => {
            let is = language.choose(["is", "ist"]);
            some_suspect(language, &some, &all, &format!("{is} {verdicts}"))
        }
        _ => {
            let are = language.choose(["are", "sind"]);
            some_suspect(language, &some, &all, &format!("{are} {verdicts}"))
        }
    }
}

/// How many there are: none, one, or the number within a sentence.
fn stated(language: Language, count: u64, texts: [[&'static str; 3]; 2]) -> String {
    let [none, one, some] = language.choose(texts);
    match count {
        0 => none.to_owned(),
        1 => one.to_owned(),
        count => some.replace("{}", &language.count_u64(count)),
    }
}

pub(crate) fn errors(language: Language, errors: u64) -> String {
    let english = ["no I/O failed", "1 I/O failed", "{} I/Os failed"];
    let german = ["kein I/O schlug fehl", "1 I/O schlug fehl", "{} I/Os schlugen fehl"];
    stated(language, errors, [english, german])
}

/// The same of operations that are no I/Os.
pub(crate) fn operation_errors(language: Language, errors: u64) -> String {
    let english = ["no operation failed", "1 operation failed", "{} operations failed"];
    let german = ["kein Vorgang schlug fehl", "1 Vorgang schlug fehl", "{} Vorgänge schlugen fehl"];
    stated(language, errors, [english, german])
}

pub(crate) fn warnings(language: Language, warnings: usize) -> String {
    let english = ["there is no warning", "there is 1 warning", "there are {} warnings"];
    let german = ["es gibt keine Warnung", "es gibt 1 Warnung", "es gibt {} Warnungen"];
    stated(language, warnings as u64, [english, german])
}

/// The three before, and where more is said.
pub(crate) fn trust(language: Language, [suspect, errors, warnings]: [&str; 3], id: &str) -> Text {
    let [and, see] = language.choose([["and", "see"], ["und", "siehe"]]);
    Text::new()
        .plain(format!("{suspect}, {errors}, {and} {warnings}: {see} "))
        .link(super::trust::heading(language), id)
        .plain(".")
}
