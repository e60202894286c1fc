//! The hosts of a fleet beside each other, and their clocks.

texts! {
    heading: "Hosts" | "Rechner";
    /// What the figures show: the first rule, behind a preposition.
    key_points_within(within: &str):
        "Each host at the key point of each series: the highest measured load {within}, or the \
         peak where that load is not known."
        | "Jeder Rechner am maßgeblichen Messpunkt jeder Messreihe: der höchsten gemessenen Last \
           {within}, oder der Spitze, wo diese Last nicht bekannt ist.";
    key_points_at_peak:
        "Each host at the point of highest throughput of each series."
        | "Jeder Rechner am Messpunkt des höchsten Durchsatzes jeder Messreihe.";
    /// With more series than figures.
    widest(shown: &str, all: &str):
        " The figures show the {shown} of {all} series in which the slowest host is furthest \
         behind."
        | " Die Abbildungen zeigen die {shown} von {all} Messreihen, in denen der langsamste \
           Rechner am weitesten zurückliegt.";
    none_lags:
        "No host lags behind: at each key point, the targets of each host do at least 80\u{a0}% of \
         what those of the median host do."
        | "Kein Rechner liegt zurück: An jedem dieser Messpunkte leisten die Ziele jedes Rechners \
           mindestens 80\u{a0}% dessen, was die des mittleren leisten.";
    two_hosts:
        "Two hosts have no median, so neither is called a straggler."
        | "Zwei Rechner haben keinen mittleren, also gilt keiner als Nachzügler.";
    stragglers: "Stragglers" | "Nachzügler";
    straggler: "straggler" | "Nachzügler";
    other_hosts: "other hosts" | "übrige Rechner";
    /// The series with its load, what each target did, and how much of what those of the median host did.
    lags(place: &str, rate: &str, percent: &str):
        " in {place}: each of its targets did {rate} on average, {percent} of what those \
         of the median host did."
        | " in {place}: Jedes seiner Ziele leistete im Mittel {rate}, {percent} dessen, \
           was die des mittleren Rechners leisteten.";
    throughput_of(series: &str, load: &str):
        "Throughput of each host: {series} at {load}."
        | "Durchsatz jedes Rechners: {series} bei {load}.";
    /// Where hosts have different numbers of targets.
    target_throughput_of(series: &str, load: &str):
        "Throughput of each target of a host on average: {series} at {load}."
        | "Durchsatz jedes Ziels eines Rechners im Mittel: {series} bei {load}.";
    response_of(series: &str, load: &str):
        "Mean response time of each host: {series} at {load}."
        | "Mittlere Antwortzeit jedes Rechners: {series} bei {load}.";
    /// Before the table of users.
    of_users:
        "Users are spread over the hosts, each with its own; all of them work at the same server."
        | "Die Benutzer sind auf die Rechner verteilt, jeder mit seinen eigenen; alle arbeiten am selben Server.";
    users_of(series: &str, load: &str):
        "What the users of each host saw: {series} at {load}"
        | "Was die Benutzer jedes Rechners sahen: {series} bei {load}";
    users: "Users" | "Benutzer";
    responses: "Responses" | "Antworten";
    /// Processor time of what plays the users, in percent of one processor.
    generator: "Processor time for playing them" | "Prozessorzeit für ihr Spiel";
    line: " The line is the median host." | " Die Linie ist der mittlere Rechner.";
    lowest(shown: &str, all: &str):
        " Shown are the {shown} of {all} hosts whose targets do the least."
        | " Gezeigt sind die {shown} von {all} Rechnern, deren Ziele am wenigsten leisten.";
    share_of_median(value: &str, percent: &str):
        "{value} ({percent})"
        | "{value} ({percent})";
    clocks: "Clocks of the hosts, against the controller's" | "Uhren der Rechner, gegen die der Steuerung";
    ahead: "Ahead by" | "Voraus um";
    known_to: "Known to, at worst" | "Bekannt auf, höchstens";
    drift: "Too fast by" | "Zu schnell um";
    latest: "Latest start after the common one" | "Spätester Beginn nach dem gemeinsamen";
    late_points: "Points begun late" | "Zu spät begonnen";
    /// Before the table of clocks: the worst of all.
    starts(bound: &str, late: &str):
        "The hosts begin each point at one time, by clocks that are known to ±{bound} or better; \
         the latest began {late} after it."
        | "Die Rechner beginnen jeden Messpunkt zur selben Zeit, nach Uhren, die auf ±{bound} oder \
           besser bekannt sind; der späteste begann {late} danach.";
    /// Where there are more hosts than rows.
    worst_known(shown: &str, all: &str):
        "The table has the {shown} of {all} hosts whose clocks are known worst."
        | "Die Tabelle enthält die {shown} von {all} Rechnern, deren Uhren am schlechtesten bekannt \
           sind.";
}
