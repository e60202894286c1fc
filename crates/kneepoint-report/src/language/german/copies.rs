//! Copies of files.

use kneepoint_core::spec::file_copy::CopyCache;

use crate::language::catalog::CopyTexts;

pub(super) const TEXTS: CopyTexts = CopyTexts {
    heading: "Dateikopie",
    introduction: |set| {
        format!(
            "Nach den Lastprofilen wurde ein Baum aus {} Dateien in {} Verzeichnissen, zusammen {} \
             ({} Byte), mit Funktionen des Betriebssystems in ein anderes Verzeichnis desselben \
             Dateisystems kopiert. Das ist keine Blocklast von gegebener Tiefe: Das Dateisystem, \
             sein Journal und der Page-Cache haben ihren Anteil daran.",
            set.files, set.directories, set.size, set.bytes,
        )
    },
    caches: "Mit dem Page-Cache liegt die Quelle im Hauptspeicher, und eine Kopie ist fertig, wenn \
             sie im Hauptspeicher liegt. Ohne ihn wurde die Quelle von dort entfernt, und eine Kopie \
             ist fertig, wenn das Speichersystem jede Datei hat; Lesen und Schreiben (read-write) \
             geht dann am Page-Cache vorbei.",
    caption: "Kopien von Dateien",
    caption_of: |target| format!("Kopien von Dateien neben {target}"),
    method: "Funktion",
    cache: "Page-Cache",
    cache_name: |cache| match cache {
        CopyCache::Cached => "mit",
        CopyCache::Uncached => "ohne",
    },
    median: "Median",
    files: "Dateien/s",
    copies: "Kopien",
    duration: "Dauer einer Kopie in s",
    failed: "fehlgeschlagen",
    reading: "MiB/s zählt jedes Byte der Dateien einmal, obwohl es gelesen und geschrieben wird. ± \
              ist die halbe Breite des 95-%-Konfidenzintervalls des Mittelwerts (Student-t über die \
              Kopien). Ob anderes die Maschine mitbenutzt hat, wird hier nicht beurteilt; weite \
              Intervalle sprechen dafür.",
    bars: "Durchsatz beim Kopieren von Dateien",
    bars_note: "Fehlerbalken: 95-%-Konfidenzintervall des Mittelwerts, wo mehr als eine Kopie \
                gemacht wurde.",
    failures: "Kopien, die fehlschlugen",
    warnings: "Warnungen zu Kopien",
};
