//! Where a series stands at a rule and at its peak.

texts! {
    /// The response time at the highest load, if that still meets the rule.
    still(response: &str): "still {response}" | "noch {response}";
    /// Throughput still rises at the highest load.
    rising: "still rising at the highest load" | "steigt bei der größten Last noch";
    /// A load.
    at(load: &str): "at {load}" | "bei {load}";
    /// A response time, and at which load.
    response_at(response: &str, load: &str): "{response} at {load}" | "{response} bei {load}";
    unknown: "unknown: no usable point" | "unbekannt: kein brauchbarer Messpunkt";
    /// Load and verdict of a point with a reservation.
    doubt(load: &str, verdict: &str):
        "the point at {load} is {verdict}"
        | "der Messpunkt bei {load} ist {verdict}";
    /// Throughput that falls beyond the peak: by how much, and at which load; follows the load of the
    /// peak.
    collapse(percent: &str, load: &str):
        " (falls by {percent} at {load})"
        | " (fällt um {percent} bei {load})";
}
