//! The title, what must be known first, and what renderers add to a page.

texts! {
    kind: "Storage performance report" | "Leistungsbericht Massenspeicher";
    kind_of_server: "Server performance report" | "Leistungsbericht Server";
    work: "Workload" | "Lastprogramm";
    targets: "Targets" | "Ziele";
    date: "Date" | "Datum";
    run: "Run" | "Lauf";
    /// Before the id of a run.
    run_id: "run " | "Lauf ";
    /// A word on the numbers behind the name of a figure or table.
    stamp_simulated: "simulated" | "simuliert";
    stamp_partly_simulated: "partly simulated" | "teils simuliert";
    measured_by: "Measured by" | "Gemessen mit";
    nothing_measured: "No point was measured" | "Kein Messpunkt wurde gemessen";
    interrupted: "This run was interrupted" | "Dieser Lauf wurde unterbrochen";
    failed: "This run failed" | "Dieser Lauf ist fehlgeschlagen";
    ended_before_a_point:
        "The run ended before a point was measured. What is known of the run follows."
        | "Der Lauf endete, bevor ein Punkt gemessen war. Es folgt, was von ihm bekannt ist.";
    interrupted_before_a_point:
        "It ended before a point was measured. What is known of the run follows."
        | "Er endete, bevor ein Punkt gemessen war. Es folgt, was von ihm bekannt ist.";
    failed_before_a_point:
        "It was ended by errors before a point was measured. What is known of the run follows."
        | "Fehler beendeten ihn, bevor ein Punkt gemessen war. Es folgt, was von ihm bekannt ist.";
    /// The progress of an interrupted run, given the points that were measured.
    interrupted_after(points: &str):
        "It ended after {points}. The numbers below stand for what was measured, not for all of \
         what was planned."
        | "Er endete nach {points}. Die folgenden Zahlen stehen für das Gemessene, nicht für \
           alles Geplante.";
    failed_after(points: &str):
        "It was ended by errors after {points}. The numbers below stand for what was measured, \
         not for all of what was planned."
        | "Fehler beendeten ihn nach {points}. Die folgenden Zahlen stehen für das Gemessene, \
           nicht für alles Geplante.";
    simulated_users_text:
        "The numbers come from a model of a server and its users in virtual time. No server was \
         measured."
        | "Die Zahlen stammen aus dem Modell eines Servers und seiner Benutzer in virtueller Zeit. \
           Kein Server wurde gemessen.";
    null_text:
        "The null target completes every I/O at once: the numbers show what the load generator \
         itself can do."
        | "Das Nullziel beendet jedes I/O sofort: Die Zahlen zeigen, was der Lastgenerator selbst \
           leistet.";
    /// Behind the names of some targets: this many more.
    more(count: &str): " and {count} more" | " und {count} weitere";
    contents: "Contents" | "Inhalt";
    /// Before the number of a figure.
    figure: "Figure" | "Abbildung";
    /// Before the number of a table.
    table: "Table" | "Tabelle";
    /// Before the number of a page.
    #[cfg_attr(not(feature = "pdf"), expect(dead_code, reason = "only paper has pages"))]
    page: "Page" | "Seite";
    /// Between the number of a page and that of all pages.
    #[cfg_attr(not(feature = "pdf"), expect(dead_code, reason = "only paper has pages"))]
    of_pages: "of" | "von";
}
