//! The title, what must be known first, and the abstract.

use super::words::counted;
use crate::language::Language::German;
use crate::language::catalog::{AbstractTexts, FrontTexts};
use crate::page::Text;

pub(super) const FRONT: FrontTexts = FrontTexts {
    kind: "Bericht zur Speicherleistung",
    work: "Messprogramm",
    targets: "Ziele",
    date: "Datum",
    run: "Lauf",
    measured_by: "Gemessen mit",
    more: |count| format!(" und {} weitere", German.count(count)),
    nothing_measured: "Kein Messpunkt wurde gemessen",
    interrupted: "Dieser Lauf wurde unterbrochen",
    failed: "Dieser Lauf ist fehlgeschlagen",
    ended_before_a_point: "Der Lauf endete, bevor ein Punkt gemessen war. Es folgt, was von ihm \
                           bekannt ist.",
    interrupted_before_a_point: "Er endete, bevor ein Punkt gemessen war. Es folgt, was von ihm \
                                 bekannt ist.",
    failed_before_a_point: "Fehler beendeten ihn, bevor ein Punkt gemessen war. Es folgt, was von \
                            ihm bekannt ist.",
    interrupted_after: |points| {
        format!(
            "Er endete nach {points}. Die folgenden Zahlen stehen für das Gemessene, nicht für \
             alles Geplante."
        )
    },
    failed_after: |points| {
        format!(
            "Fehler beendeten ihn nach {points}. Die folgenden Zahlen stehen für das Gemessene, \
             nicht für alles Geplante."
        )
    },
    simulated: "Simulierter Speicher",
    simulated_text: "Die Zahlen stammen aus dem Modell eines Speichersystems in virtueller Zeit. \
                     Kein Gerät wurde gemessen.",
    null: "Kein Speicher hinter den Zahlen",
    null_text: "Das Nullziel beendet jedes I/O sofort: Die Zahlen zeigen, was der Lastgenerator \
                selbst leistet.",
};

pub(super) const ABSTRACT: AbstractTexts = AbstractTexts {
    heading: "Zusammenfassung",
    run_of: |work| Text::new().plain("Dieser Bericht beschreibt einen Lauf von ").code(work),
    against_one: |target, what| {
        Text::new().plain(" auf ").code(target).plain(format!(" ({what}). "))
    },
    against_many: |count, names| {
        Text::new()
            .plain(format!(" auf {} Zielen zugleich (", German.count(count)))
            .join(names)
            .plain("). ")
    },
    nothing_measured: "Kein Messpunkt wurde gemessen.",
    one_point: "Ein Messpunkt wurde gemessen.",
    measured: |points, series, duration| {
        let points = counted(points, "Messpunkt", "Messpunkte");
        let series = counted(series, "Messreihe", "Messreihen");
        format!("{points} in {series} wurden gemessen{duration}.")
    },
    duration: |span| format!(", Dauer mit Vorlauf {span}"),
    virtual_duration: |span| format!(", Dauer mit Vorlauf {span} virtueller Zeit"),
    interrupted_after: |points| format!(" Der Lauf wurde nach {points} unterbrochen."),
    failed_after: |points| format!(" Der Lauf schlug nach {points} fehl."),
    progress: |measured, planned| match planned {
        Some(planned) => format!(
            "{} von {} geplanten Messpunkten",
            German.count(measured),
            German.count(planned)
        ),
        None => counted(measured, "Messpunkt", "Messpunkten"),
    },
    sustained: |rule, load| format!(" dauerhaft bei {rule} mit {load}"),
    sustained_somewhere: |rule| format!(" dauerhaft bei {rule}"),
    missed: |rules, how| format!("bei {rules}: {how}"),
    peak: "Spitze ",
    at_peak: |load, response| {
        format!(" bei {load} mit einer mittleren Antwortzeit von {response}.")
    },
    many_series: |count, id| {
        Text::new()
            .plain(format!("Die Ergebnisse aller {} Messreihen stehen unter ", German.count(count)))
            .link("Kennzahlen", id)
            .plain(".")
    },
    suspect: |suspect, points| match suspect {
        0 if points == 0 => "Es gibt keinen Messpunkt zu beurteilen".to_owned(),
        0 => "Kein Messpunkt ist driftend, fehlgeschlagen oder gestört".to_owned(),
        1 => format!(
            "1 von {} Messpunkten ist driftend, fehlgeschlagen oder gestört",
            German.count(points)
        ),
        some => format!(
            "{} von {} Messpunkten sind driftend, fehlgeschlagen oder gestört",
            German.count(some),
            German.count(points)
        ),
    },
    errors: |errors| match errors {
        0 => "kein I/O schlug fehl".to_owned(),
        1 => "1 I/O schlug fehl".to_owned(),
        some => format!("{} I/Os schlugen fehl", German.count_u64(some)),
    },
    warnings: |warnings| match warnings {
        0 => "es gibt keine Warnung".to_owned(),
        1 => "es gibt 1 Warnung".to_owned(),
        some => format!("es gibt {} Warnungen", German.count(some)),
    },
    trust: |[suspect, errors, warnings], id| {
        Text::new()
            .plain(format!("{suspect}, {errors}, und {warnings}: siehe "))
            .link("Aussagekraft", id)
            .plain(".")
    },
    file: |size, system| match system {
        "" => format!("eine Datei von {size}"),
        system => format!("eine Datei von {size} auf {system}"),
    },
    block_device: |size| format!("ein Blockgerät von {size}"),
    simulated_system: |size| format!("ein simuliertes Speichersystem von {size}"),
    null_target: "überhaupt kein Gerät: I/Os sind sofort fertig",
};
