//! Terms that a page explains where it uses them first.

terms! {
    series: "Series" | "Messreihe" =>
        "a load profile at one block size, with its settings."
        | "ein Lastprofil mit einer Blockgröße und seinen Einstellungen.";
    series_of_work: "Series" | "Messreihe" =>
        "a load profile with its settings."
        | "ein Lastprofil mit seinen Einstellungen.";
    rule: "Rule" | "Regel" =>
        "a limit on the response time."
        | "eine Grenze für die Antwortzeit.";
    sustained: "Sustained" | "Nutzbar" =>
        "as much as is done within the limit."
        | "so viel, wie innerhalb der Grenze geleistet wird.";
    peak: "Peak" | "Spitze" =>
        "the highest throughput, at any response time, read at the smallest load that all but reaches it."
        | "der höchste Durchsatz, ohne Grenze für die Antwortzeit, an der kleinsten Last, die ihn so gut wie erreicht.";
    plateau: "Plateau" | "Plateau" =>
        "more load adds no throughput."
        | "Mehr Last bringt keinen weiteren Durchsatz.";
    knee: "Saturation knee" | "Sättigungspunkt" =>
        "the load from which on throughput hardly rises."
        | "die Last, ab der der Durchsatz kaum noch steigt.";
    stroke: "Disk stroke" | "Hub" =>
        "the part of each drive that is used."
        | "der genutzte Teil jedes Laufwerks.";
    time_limit: "Time limit" | "Zeitgrenze" =>
        "not as accurate as was asked for within the time allowed."
        | "in der erlaubten Zeit nicht so genau wie verlangt.";
}

texts! {
    /// A percentile of the response times of I/Os: its share in percent.
    percentile(share: &str):
        "{share} of the I/Os were at least as fast."
        | "{share} der I/Os waren mindestens so schnell.";
    /// The same of other work.
    percentile_of_work(share: &str):
        "{share} of the operations were at least as fast."
        | "{share} der Vorgänge waren mindestens so schnell.";
}
