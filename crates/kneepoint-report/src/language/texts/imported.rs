//! Runs that another tool measured.

use kneepoint_core::result::ImportNote;

use crate::language::Language;

texts! {
    /// Title of the note before anything else.
    title: "Imported" | "Importiert";
    note(tool: &str, format: &str, file: &str):
        "{tool} measured this run. It was read from {file} ({format}); what that file does not say is \
         left out here."
        | "Diesen Lauf hat {tool} gemessen. Er wurde aus {file} ({format}) gelesen; was diese Datei nicht \
           sagt, fehlt hier.";
    /// Behind the tool: who read its file.
    read_with(version: &str): "read with Kneepoint {version}" | "gelesen mit Kneepoint {version}";
    method(tool: &str):
        "{tool} made the measurements, by its own method and with its own clock, warm-up and histograms. \
         Kneepoint put its results in this form and read the key figures from them. Confidence intervals are \
         missing, because they cannot be told from totals."
        | "Die Messungen machte {tool}, nach eigener Methode und mit eigener Uhr, eigenem Vorlauf und eigenen \
           Histogrammen. Kneepoint hat die Ergebnisse in diese Form gebracht und die Kennzahlen daran \
           abgelesen. Vertrauensbereiche fehlen, denn aus Summen gehen sie nicht hervor.";
    reproduction(tool: &str):
        "Kneepoint has no plan of this run: to repeat it takes {tool} and its settings of then."
        | "Einen Plan dieses Laufs hat Kneepoint nicht: Um ihn zu wiederholen, braucht es {tool} und die \
           damaligen Einstellungen.";
    file: "File" | "Datei";
    format: "Format" | "Format";
    targets: "Targets" | "Ziele";
    hosts: "Hosts" | "Rechner";
    local_time:
        "the times of this run are local times of a zone that the file does not name"
        | "die Zeiten dieses Laufs sind Ortszeiten einer Zone, die die Datei nicht nennt";
    unknown_time:
        "the file does not say when this run was measured; its time is that of the import"
        | "die Datei sagt nicht, wann dieser Lauf gemessen wurde; seine Zeit ist die des Imports";
    completion_time:
        "response times are fio's completion latencies (clat), which leave out the time of the submission; \
         run fio with --lat_percentiles=1 for the whole"
        | "die Antwortzeiten sind die Completion-Latenzen von fio (clat), in denen die Zeit des Abschickens \
           fehlt; mit --lat_percentiles=1 misst fio das Ganze";
    completion_percentiles:
        "percentiles are those of fio's completion latencies (clat), which leave out the time of the \
         submission, unlike means and maxima; run fio with --lat_percentiles=1 for the whole"
        | "die Perzentile sind die der Completion-Latenzen von fio (clat), in denen anders als in Mittelwerten \
           und Höchstwerten die Zeit des Abschickens fehlt; mit --lat_percentiles=1 misst fio das Ganze";
    side_by_side:
        "jobs of this run ran at the same time and shared what they measured; each is a series of its own here"
        | "Jobs dieses Laufs liefen gleichzeitig und teilten sich, was sie maßen; jeder ist hier eine eigene \
           Messreihe";
    aborted:
        "the test was aborted before its end; later points may be missing, and its last one may be of a shorter \
         time than the others"
        | "der Test wurde vor seinem Ende abgebrochen; spätere Messpunkte können fehlen, und der letzte kann \
           kürzer sein als die anderen";
    left_out(what: &str):
        "'{what}' was left out, because it has no I/Os or no response times"
        | "„{what}“ wurde weggelassen, denn es hat keine I/Os oder keine Antwortzeiten";
}

/// A note of an import as a clause.
pub(crate) fn clause(language: Language, note: &ImportNote) -> String {
    match note {
        ImportNote::LocalTime => local_time(language).to_owned(),
        ImportNote::UnknownTime => unknown_time(language).to_owned(),
        ImportNote::CompletionTime => completion_time(language).to_owned(),
        ImportNote::CompletionPercentiles => completion_percentiles(language).to_owned(),
        ImportNote::SideBySide => side_by_side(language).to_owned(),
        ImportNote::Aborted => aborted(language).to_owned(),
        ImportNote::LeftOut { what } => left_out(language, what),
    }
}
