//! The chapter on reproduction.

texts! {
    heading: "Appendix: reproduction" | "Anhang: Wiederholung der Messung";
    intro:
        "The plan holds everything that influences the measurement, the seed of all randomness \
         included; its hash names the experiment: runs with the same hash had the same plan."
        | "Der Plan enthält alles, was die Messung beeinflusst, auch den Startwert allen Zufalls; \
           sein Hashwert benennt das Experiment: Läufe mit gleichem Hashwert hatten denselben \
           Plan.";
    label: "Label" | "Name";
    state: "State" | "Zustand";
    complete: "complete" | "vollständig";
    interrupted: "interrupted" | "unterbrochen";
    started: "Started" | "Begonnen";
    finished: "Finished" | "Beendet";
    seed: "Seed" | "Startwert des Zufalls";
    plan_hash: "Plan hash (SHA-256)" | "Hashwert des Plans (SHA-256)";
    version: "Version" | "Version";
    format: "Result format" | "Format des Ergebnisses";
    plan: "The plan" | "Der Plan";
}
