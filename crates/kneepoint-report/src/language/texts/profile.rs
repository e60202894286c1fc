//! The chapter of load profiles.

texts! {
    heading: "Load profiles" | "Lastprofile";
    intro:
        "The load that each series of this run puts on the target."
        | "Die Last, die jede Messreihe dieses Laufs auf das Ziel gibt.";
    caption: "Load profiles of the series" | "Lastprofile der Messreihen";
    /// In place of the names of series that differ in their settings alone.
    several(base: &str, series: &str): "{base}: {series}" | "{base}: {series}";
    /// The points of each of them.
    each(points: &str): "{points} each" | "je {points}";
    profile: "Profile" | "Lastprofil";
    loads: "Loads" | "Lasten";
    share: "Share" | "Anteil";
    read: "Read" | "Lesen";
    random: "Random" | "Wahlfrei";
    mix(series: &str): "The mix of {series}" | "Die Mischung von {series}";
    operations(series: &str, pause: &str):
        "Operations of {series}; users pause {pause} on average before each"
        | "Vorgänge von {series}; vor jedem machen die Benutzer im Mittel {pause} Pause";
    processor_time: "Processor time" | "Prozessorzeit";
    blocks(size: &str): "blocks of {size}" | "Blöcke von {size}";
    blocks_on_average(size: &str): "blocks of {size} on average" | "Blöcke von im Mittel {size}";
    writes_only: "writes only" | "nur Schreiben";
    reads_only: "reads only" | "nur Lesen";
    reads(percent: &str):
        "{percent} reads and the rest writes"
        | "{percent} Lesen, der Rest Schreiben";
    sequential: "all sequential" | "alle sequenziell";
    all_random: "all at random positions" | "alle an zufälligen Stellen";
    partly_random(percent: &str):
        "{percent} at random positions and the rest sequential"
        | "{percent} an zufälligen Stellen, der Rest sequenziell";
    from_to(low: &str, high: &str): "from {low} to {high}" | "von {low} bis {high}";
    each_target: " per target" | " je Ziel";
    /// Behind the loads: the settings that were varied, at their levels.
    factors(factors: &str): ", with {factors}" | ", mit {factors}";
    part(start: &str, end: &str):
        " Only the part from {start} to {end} of each target is used."
        | " Nur der Teil von {start} bis {end} jedes Ziels wird benutzt.";
    /// A flush by this call.
    flushed(call: &str):
        " Each write is followed by a flush ({call}), which has its own response time and is no part of the throughput."
        | " Auf jedes Schreiben folgt ein Flush ({call}), der seine eigene Antwortzeit hat und nicht zum Durchsatz zählt.";
    /// The same after several writes.
    flushed_after(call: &str, writes: &str):
        " Every {writes} writes are followed by a flush ({call}), which has its own response time and is no part of the throughput."
        | " Auf je {writes} Schreibvorgänge folgt ein Flush ({call}), der seine eigene Antwortzeit hat und nicht zum Durchsatz zählt.";
    /// The files at the start of a point, and their sizes.
    tree(files: &str, directories: &str, size: &str):
        " Each point begins with {files} files in {directories} directories, each file of {size}."
        | " Jeder Messpunkt beginnt mit {files} Dateien in {directories} Verzeichnissen, jede Datei mit {size}.";
    /// Each with its share.
    tree_operations(shares: &str):
        " The operations, with their shares: {shares}." | " Die Vorgänge mit ihren Anteilen: {shares}.";
    appended(size: &str):
        " An append adds {size}." | " Ein Anhängen fügt {size} hinzu.";
    reserved:
        " Blocks are reserved (fallocate) before they are written."
        | " Blöcke werden reserviert (fallocate), bevor sie geschrieben werden.";
    synchronised(call: &str):
        " What was written is synchronised ({call}) before a file is closed."
        | " Was geschrieben wurde, wird synchronisiert ({call}), bevor eine Datei geschlossen wird.";
    /// Pauses of lines, each `10 ms after 8 I/Os`.
    bursts(pauses: &str):
        " When the last I/O of a burst is issued, a worker pauses on that target before it issues the next ({pauses})."
        | " Ist das letzte I/O eines Schubs abgesetzt, pausiert ein Worker bei diesem Ziel vor dem nächsten ({pauses}).";
    burst_of(delay: &str, ios: &str): "{delay} after each {ios}" | "{delay} nach je {ios}";
    think(time: &str):
        " Once an I/O has completed, {time} pass before the one that takes its place."
        | " Ist ein I/O fertig, vergehen {time} bis zu dem, das an seine Stelle tritt.";
    /// Behind either: the load is not reached at every moment.
    outstanding_less:
        " While it pauses, fewer I/Os are outstanding than the load says."
        | " In den Pausen sind weniger I/Os ausstehend, als die Last angibt.";
    /// Behind a flush that empties the page cache.
    written_back:
        " It writes what the page cache holds of the target to the device and waits for that; a loss of power may still take it."
        | " Er schreibt, was der Seitencache vom Ziel enthält, auf das Gerät und wartet darauf; ein Stromausfall kann es noch kosten.";
    /// Behind a flush that begins to empty the page cache.
    begun_to_be_written_back:
        " It only begins to write what the page cache holds of the target, and a loss of power may still take it."
        | " Er beginnt nur zu schreiben, was der Seitencache vom Ziel enthält; ein Stromausfall kann es noch kosten.";
    /// The flag with which each write is durable when it ends.
    synchronous(flag: &str):
        " Each write ends when it is on stable storage ({flag})."
        | " Jedes Schreiben endet, wenn es auf stabilem Speicher ist ({flag}).";
    /// Bytes that are left out in front of an I/O which continues where the one before ended.
    gap(gap: &str):
        " Between an I/O and the next sequential one, {gap} or more are left out where its line has a gap."
        | " Zwischen einer E/A und der nächsten sequenziellen werden {gap} oder mehr ausgelassen, wo ihre Zeile eine Lücke hat.";
    zipf(theta: &str):
        " Some random positions are more popular than others (Zipf, skew {theta})."
        | " Manche zufälligen Stellen sind beliebter als andere (Zipf, Schiefe {theta}).";
    pareto(h: &str, rest: &str):
        " {h} of the positions get {rest} of the random I/Os, and likewise among these (Pareto)."
        | " {h} der Stellen erhalten {rest} der zufälligen E/As, und ebenso unter diesen (Pareto).";
    bands(count: &str):
        " Random positions fall into {count} bands, each with its own share of the I/Os."
        | " Die zufälligen Stellen liegen in {count} Bändern, jedes mit seinem Anteil der E/As.";
    trims:
        " It gives blocks back (trims), for which no data is sent; MiB/s counts their bytes."
        | " Sie gibt Blöcke frei (Trim), für die keine Daten gesendet werden; MiB/s zählt ihre Bytes.";
    zeroes:
        " It sets blocks to zero without sending data; MiB/s counts their bytes."
        | " Sie setzt Blöcke auf null, ohne Daten zu senden; MiB/s zählt ihre Bytes.";
    /// The other series of the same moment with their loads.
    beside(others: &str):
        " It was measured at the same moment as {others}."
        | " Sie wurde im selben Augenblick gemessen wie {others}.";
    /// The rules that it has in place of those of the others.
    own_rules(rules: &str):
        " It is judged by rules of its own: {rules}."
        | " Für sie gelten eigene Regeln: {rules}.";
    not_measured:
        "No point of this series was measured."
        | "Kein Messpunkt dieser Messreihe wurde gemessen.";
}
