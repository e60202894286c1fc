//! Copies of files.

use kneepoint_core::result::CopyResult;
use kneepoint_core::spec::file_copy::CopyCache;

use crate::language::Language::{self, English, German};

texts! {
    heading: "File copy" | "Dateikopie";
    caches:
        "With the page cache, the source is in memory and a copy ends when memory has it. \
         Without it, the source was dropped from memory, and a copy ends when the storage has \
         every file; reading and writing (read-write) then goes past the page cache."
        | "Mit dem Page-Cache liegt die Quelle im Hauptspeicher, und eine Kopie ist fertig, wenn \
           sie im Hauptspeicher liegt. Ohne ihn wurde die Quelle von dort entfernt, und eine \
           Kopie ist fertig, wenn das Speichersystem jede Datei hat; Lesen und Schreiben \
           (read-write) geht dann am Page-Cache vorbei.";
    caption: "Copies of files" | "Kopien von Dateien";
    /// The target, where there are several.
    caption_of(target: &str):
        "Copies of files beside {target}"
        | "Kopien von Dateien neben {target}";
    method: "Function" | "Funktion";
    cache: "Page cache" | "Page-Cache";
    median: "Median" | "Median";
    files: "Files/s" | "Dateien/s";
    copies: "Copies" | "Kopien";
    duration: "Time of a copy in s" | "Dauer einer Kopie in s";
    reading:
        "MiB/s count each byte of the files once, although it is read and written. ± is half of \
         the 95\u{a0}% confidence interval of the mean (Student's t over the copies). Whether \
         something else used the machine meanwhile is not judged here; wide intervals tell of \
         it."
        | "MiB/s zählt jedes Byte der Dateien einmal, obwohl es gelesen und geschrieben wird. ± \
           ist die halbe Breite des 95-%-Konfidenzintervalls des Mittelwerts (Student-t über die \
           Kopien). Ob anderes die Maschine mitbenutzt hat, wird hier nicht beurteilt; weite \
           Intervalle sprechen dafür.";
    dots: "Throughput of copying files" | "Durchsatz beim Kopieren von Dateien";
    dots_note:
        "Error bars: 95\u{a0}% confidence interval of the mean, where more than one copy was made."
        | "Fehlerbalken: 95-%-Konfidenzintervall des Mittelwerts, wo mehr als eine Kopie gemacht \
           wurde.";
    failures: "Copies that failed" | "Kopien, die fehlschlugen";
    warnings: "Warnings about copies" | "Warnungen zu Kopien";
}

/// The file set, as a run recorded it.
pub(crate) fn introduction(language: Language, set: &CopyResult) -> String {
    let [files, directories, bytes] = [u64::from(set.files), u64::from(set.directories), set.bytes]
        .map(|count| language.count_u64(count));
    let size = language.bytes(set.bytes);
    match language {
        English => format!(
            "After the load profiles, a tree of {files} files in {directories} directories, {size} \
             ({bytes} bytes) together, was copied by functions of the operating system to another \
             directory of the same file system. That is no block load at a given depth: the file \
             system, its journal and the page cache have their part in it."
        ),
        German => format!(
            "Nach den Lastprofilen wurde ein Baum aus {files} Dateien in {directories} \
             Verzeichnissen, zusammen {size} ({bytes} Byte), mit Funktionen des Betriebssystems in \
             ein anderes Verzeichnis desselben Dateisystems kopiert. Das ist keine Blocklast von \
             gegebener Tiefe: Das Dateisystem, sein Journal und der Page-Cache haben ihren Anteil \
             daran."
        ),
    }
}

pub(crate) const fn cache_name(language: Language, cache: CopyCache) -> &'static str {
    language.choose(match cache {
        CopyCache::Cached => ["with", "mit"],
        CopyCache::Uncached => ["without", "ohne"],
    })
}
