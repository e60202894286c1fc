//! Limits of the trust in the results.

texts! {
    heading: "Trust" | "Aussagekraft";
    verdicts: "Verdicts on the points" | "Urteile über die Messpunkte";
    meaning: "Meaning" | "Bedeutung";
    reservations:
        "Some key figures rest on points with a reservation"
        | "Einige Kennzahlen beruhen auf Messpunkten mit Vorbehalt";
    reservation(series: &str, rule: &str, doubt: &str):
        "{series} {rule}: {doubt}"
        | "{series} {rule}: {doubt}";
    peak_reservation(series: &str, doubt: &str):
        "{series} at its peak: {doubt}"
        | "{series} an der Spitze: {doubt}";
    many_reservations(count: &str):
        "{count} of them do; each is marked where it is printed, with its point."
        | "Es sind {count}; jede ist dort gekennzeichnet, wo sie steht, mit ihrem Messpunkt.";
    /// Title of what must be known before any number, and its name among the facts.
    makes_the_numbers:
        "Something other than the storage makes these numbers"
        | "Etwas anderes als das Speichersystem bestimmt diese Zahlen";
    limit: "Limited by" | "Begrenzt durch";
    at_points(count: &str, all: &str): " (at {count} of {all})" | " (bei {count} von {all})";
    run_warnings: "Warnings on the whole run" | "Warnungen zum ganzen Lauf";
    point_warnings: "Warnings on points" | "Warnungen zu Messpunkten";
    warning: "Warning" | "Warnung";
    all_of(series: &str): "all {series}" | "alle {series}";
    io_errors: "I/O errors" | "I/O-Fehler";
    operation_errors: "Failed operations" | "Fehlgeschlagene Vorgänge";
    /// The meaning of the verdict on failed points if operations are no I/Os.
    failed_operations:
        "Too many operations failed, or none completed; in no figure and no key figure."
        | "Zu viele Vorgänge schlugen fehl, oder keiner wurde fertig; in keiner Abbildung und keiner \
           Kennzahl.";
    first_errors: "the first" | "die ersten";
    omissions: "Left out of the suite by the plan" | "Vom Plan aus der Suite weggelassen";
}
