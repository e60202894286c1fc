//! Texts of a report on several runs, each in its chapter.

use Language::{English, German};

use crate::language::Language;
use crate::page::Text;

texts! {
    processor: "Processor" | "Prozessor";
    business: "Business operations" | "Geschäftsvorgänge";
    users: "Users" | "Benutzer";
    files: "Files" | "Dateien";
    storage: "Storage" | "Massenspeicher";
    /// A chapter of which there are several.
    on(chapter: &str, target: &str): "{chapter} on {target}" | "{chapter} auf {target}";
    /// The details of a chapter.
    details(chapter: &str): "{chapter}: details" | "{chapter}: Einzelheiten";
    /// In front of what the chapters are about.
    title(chapters: &str): "Server: {chapters}" | "Server: {chapters}";
    processor_in_title: "processor" | "Prozessor";
    business_in_title: "business operations" | "Geschäftsvorgänge";
    users_in_title: "users" | "Benutzer";
    files_in_title: "files" | "Dateien";
    storage_in_title: "storage" | "Massenspeicher";
    caption:
        "What each part reaches; its chapter tells under which conditions, and its details how it was measured."
        | "Was jeder Teil erreicht; sein Kapitel nennt die Bedingungen, seine Einzelheiten, wie gemessen wurde.";
    part: "Part" | "Teil";
    what: "What" | "Was";
    result: "Result" | "Ergebnis";
    unit: "Unit" | "Einheit";
    /// A series at a rule: `database, within 20 ms`.
    series_within(series: &str, within: &str): "{series}, {within}" | "{series}, {within}";
    /// Users of a series under a rule, which is written out.
    users_within(series: &str, rule: &str): "{series}, {rule}" | "{series}, {rule}";
    series_peak(series: &str): "{series}, peak" | "{series}, Spitze";
    /// The score of a series of business operations.
    score(series: &str, range: &str): "{series}, mean of {range} warehouses" | "{series}, Mittel über {range} Lagerhäuser";
    /// Programs of a class with one set of flags, in a number of copies.
    members(class: &str, flags: &str, copies: &str):
        "{class}, {flags} flags, {copies}"
        | "{class}, {flags}, {copies}";
    /// The rest of the table is in the chapters.
    more(count: &str): "{count} more in its chapter" | "{count} weitere im Kapitel";
    /// Under the table: that the parts ran one after the other.
    one_by_one:
        "The parts were measured one after the other."
        | "Die Teile wurden nacheinander gemessen.";
    /// The same beside programs, which take their own time.
    short_besides_programs(seconds: &str):
        "Apart from programs, each load was measured for {seconds}\u{a0}s, for a first impression."
        | "Außer bei Programmen wurde jede Last {seconds}\u{a0}s lang gemessen, für einen ersten Eindruck.";
    /// Behind it, given for how many seconds loads were measured.
    short(seconds: &str):
        "Each load was measured for {seconds}\u{a0}s, for a first impression."
        | "Jede Last wurde {seconds}\u{a0}s lang gemessen, für einen ersten Eindruck.";
}

/// Behind the model of the processors: how many of them the system has.
pub(crate) fn of_processors(language: Language, count: &str) -> String {
    match (language, count) {
        (English, "1") => ", one logical processor".to_owned(),
        (English, _) => format!(", {count} logical processors"),
        (German, "1") => ", ein logischer Prozessor".to_owned(),
        (German, _) => format!(", {count} logische Prozessoren"),
    }
}

/// Behind the reservations of a chapter: where the rest is, by its id.
pub(crate) fn verdicts(language: Language, id: &str) -> Text {
    let [before, name] = match language {
        English => ["More on single points is in the ", "details"],
        German => ["Mehr zu einzelnen Messpunkten steht in den ", "Einzelheiten"],
    };
    Text::new().plain(before).link(name, id).plain(".")
}
