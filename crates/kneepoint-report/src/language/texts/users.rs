//! Texts on users at a server.

texts! {
    heading: "Users at the server" | "Benutzer am Server";
    /// The answer under the rule that the run was asked for.
    carries(users: &str, rule: &str, sides: &str):
        "Up to {users} users work within the rule {rule}: {sides}."
        | "Bis zu {users} Benutzer arbeiten innerhalb der Regel {rule}: {sides}.";
    sides(low: &str, high: &str):
        "{low} keep it, {high} break it" | "{low} halten sie ein, {high} verletzen sie";
    at_least(users: &str, rule: &str):
        "At least {users} users work within the rule {rule}: no number that was measured breaks it."
        | "Mindestens {users} Benutzer arbeiten innerhalb der Regel {rule}: Keine gemessene Zahl verletzt sie.";
    fewer(users: &str, rule: &str):
        "Fewer than {users} users work within the rule {rule}: this many, the fewest that were measured, break it."
        | "Weniger als {users} Benutzer arbeiten innerhalb der Regel {rule}: So viele, die wenigsten gemessenen, \
           verletzen sie schon.";
    not_known(rule: &str):
        "How many users work within the rule {rule} is not known: its reference was not measured."
        | "Wie viele Benutzer innerhalb der Regel {rule} arbeiten, ist nicht bekannt: Ihr Bezugswert wurde nicht \
           gemessen.";
    caption(series: &str):
        "Users of {series} under every rule, read off the same points"
        | "Benutzer von {series} nach jeder Regel, an denselben Punkten abgelesen";
    rule: "Rule" | "Regel";
    users: "Users" | "Benutzer";
    between: "Kept and broken by" | "Eingehalten und verletzt bei";
    limit: "Limit" | "Grenze";
    responses: "Responses" | "Antworten";
    asked: "asked for" | "verlangt";
    /// Under the table.
    bounds:
        "The rule is part of the result. A bound (≥, <) stands where no measured number of users crosses the \
         rule; what rests on fewer than 30 responses is only an indication."
        | "Die Regel gehört zum Ergebnis. Eine Schranke (≥, <) steht, wo keine gemessene Zahl die Regel kreuzt; \
           was auf weniger als 30 Antworten beruht, ist nur ein Anhaltspunkt.";
    strokes(series: &str):
        "Response to a stroke of {series} over users"
        | "Antwortzeit eines Anschlags von {series} über der Zahl der Benutzer";
    others(series: &str):
        "Mean of the other responses of {series} over users"
        | "Mittel der übrigen Antworten von {series} über der Zahl der Benutzer";
    processors(series: &str):
        "Processors of the sessions of {series} over users, in percent of those that they may use"
        | "Prozessoren der Sitzungen von {series} über der Zahl der Benutzer, in Prozent der verfügbaren";
    used: "Used" | "Genutzt";
    stalled: "Time in which a process waited for one" | "Zeit, in der ein Prozess auf einen wartete";
    percent: "Percent" | "Prozent";
    memory(series: &str):
        "Memory of the sessions of {series} over their number"
        | "Arbeitsspeicher der Sitzungen von {series} über ihrer Zahl";
    /// The same where someone on the server's machine has metered it.
    machine_processors(series: &str):
        "Processors of the server's machine of {series} over users, in percent of those that it has"
        | "Prozessoren der Servermaschine von {series} über der Zahl der Benutzer, in Prozent der vorhandenen";
    server_memory(series: &str):
        "Memory on the server of {series} over the users that have come"
        | "Arbeitsspeicher auf dem Server von {series} über den Benutzern, die gekommen sind";
    network(series: &str):
        "Network of the server's machine of {series} over users"
        | "Netzwerk der Servermaschine von {series} über der Zahl der Benutzer";
    received: "Received" | "Empfangen";
    sent: "Sent" | "Gesendet";
    kib_per_s: "KiB/s" | "KiB/s";
    /// Who metered what.
    metered_processors(host: &str, what: &str):
        "Processors are those of {what}, metered on {host} while users worked."
        | "Die Prozessoren sind die von {what}, auf {host} gemessen, während Benutzer arbeiteten.";
    metered_memory(host: &str, what: &str):
        "Memory is that of {what}, read on {host} at the end of each point."
        | "Der Arbeitsspeicher ist der von {what}, auf {host} am Ende jedes Messpunkts gelesen.";
    not_metered(loads: &str):
        "The server was not metered at these numbers of users: {loads}. Their warnings say why."
        | "Bei diesen Benutzerzahlen wurde der Server nicht gemessen: {loads}. Ihre Warnungen nennen den Grund.";
    of_sessions: "all sessions that Kneepoint has started there" | "allen Sitzungen, die Kneepoint dort gestartet hat";
    of_accounts: "the processes of the users' accounts" | "den Prozessen der Benutzerkonten";
    of_machine: "the whole machine, with all that runs on it" | "der ganzen Maschine mit allem, was auf ihr läuft";
    mib: "MiB" | "MiB";
    measured: "Measured" | "Gemessen";
    line: "Formula" | "Formel";
    formula(base: &str, each: &str, error: &str):
        "Memory: {base} MiB + {each} MiB for each session, within {error} of what was measured."
        | "Arbeitsspeicher: {base} MiB + {each} MiB je Sitzung, auf {error} genau.";
    /// Sessions that are not given all of the machine.
    bounded(available: &str, all: &str):
        "The sessions may use only {available} of the {all} processors of this machine."
        | "Die Sitzungen dürfen nur {available} der {all} Prozessoren dieser Maschine nutzen.";
    server_formula(base: &str, each: &str, error: &str):
        "Memory: {base} MiB + {each} MiB for each user, within {error} of what was measured."
        | "Arbeitsspeicher: {base} MiB + {each} MiB je Benutzer, auf {error} genau.";
    /// What limits first.
    processors_first(users: &str, percent: &str, full: &str):
        "Processors limit first: {users} users use {percent} of those that they may use, and memory would be \
         full with {full}. More users need more processors."
        | "Zuerst begrenzen die Prozessoren: {users} Benutzer nutzen {percent} der verfügbaren, der \
           Arbeitsspeicher wäre mit {full} voll. Mehr Benutzer brauchen mehr Prozessoren.";
    memory_first(full: &str, bytes: &str):
        "Memory limits first: by the formula the {bytes} of the server's machine are full with {full} users. \
         More users need more memory."
        | "Zuerst begrenzt der Arbeitsspeicher: Nach der Formel sind die {bytes} der Servermaschine mit {full} \
           Benutzern voll. Mehr Benutzer brauchen mehr Arbeitsspeicher.";
    neither_first(users: &str, percent: &str, full: &str):
        "Neither processors nor memory limit yet: {users} users use {percent} of the processors that they \
         may use, and memory would be full with {full}."
        | "Weder Prozessoren noch Arbeitsspeicher begrenzen schon: {users} Benutzer nutzen {percent} der \
           verfügbaren Prozessoren, der Arbeitsspeicher wäre mit {full} voll.";
}
