//! The chapter on the method: tool, words, and boxes with a title that say how to read the results.

use kneepoint_core::words::storage_class::StorageClass;

use crate::language::Language;

texts! {
    heading: "Measurement tool and method" | "Messwerkzeug und Methode";
    tool(version: &str):
        "The run was made with Kneepoint {version}. For every series it keeps a load on the \
         target, waits until the warm-up is over, measures, and goes on to the next load. Each \
         such measurement is a point; the points of a series form a curve of throughput and \
         response time, from which the key figures are read."
        | "Der Lauf entstand mit Kneepoint {version}. Für jede Messreihe hält es eine Last am Ziel, \
           wartet den Vorlauf ab, misst und geht zur nächsten Last über. Jede solche Messung ist \
           ein Messpunkt; die Messpunkte einer Messreihe bilden eine Kurve aus Durchsatz und \
           Antwortzeit, an der die Kennzahlen abgelesen werden.";
    sustained: "Sustained throughput" | "Nutzbarer Durchsatz";
    /// Begins the explanation of sustained throughput, given the rules of the run.
    sustained_text(rules: &str):
        "The throughput at which the response time of a series reaches a rule. {rules} "
        | "Der Durchsatz, bei dem die Antwortzeit einer Messreihe eine Regel erreicht. {rules} ";
    /// How it was found where each load was measured for itself.
    points_text:
        "Load rises from point to point; between the last point that meets the rule and the first that \
         breaks it, throughput and load are interpolated on a straight line. "
        | "Die Last steigt von Messpunkt zu Messpunkt; zwischen dem letzten, der die Regel einhält, \
           und dem ersten, der sie verletzt, werden Durchsatz und Last auf einer Geraden interpoliert. ";
    /// The same where loads were visited.
    visits_text(unseen: &str):
        "Loads of this run were visited several times for a short time each; numbers at a rule are read \
         off straight lines through all visits near it. Their intervals are made of the scatter between \
         visits, and of an allowance for what changes more slowly than a search takes: a standard \
         deviation of {unseen}. Where the queue was always full, the mean response time of a load is the number \
         of outstanding I/Os over its throughput: what was in flight at the ends of a short visit does not \
         change it. "
        | "Lasten dieses Laufs wurden mehrmals für kurze Zeit besucht; Zahlen an einer Regel sind an \
           Geraden durch alle Besuche in ihrer Nähe abgelesen. Ihre Intervalle stammen aus der Streuung \
           zwischen den Besuchen und aus einem Zuschlag für das, was sich langsamer ändert, als eine \
           Suche dauert: einer Standardabweichung von {unseen}. War die Warteschlange immer voll, so ist die \
           mittlere Antwortzeit einer Last die Zahl der ausstehenden I/Os geteilt durch ihren Durchsatz: Was an \
           den Enden eines kurzen Besuchs unterwegs war, ändert sie nicht. ";
    /// Ends the explanation.
    bound_text:
        "Where the peak of a series meets the rule and is clearly higher, it is what is sustained. If the lowest load already breaks the rule, or the highest still meets it, this report gives a \
         bound instead."
        | "Hält die Spitze einer Messreihe die Regel ein und ist sie deutlich höher, so ist sie der nutzbare Durchsatz. Verletzt schon \
           die kleinste Last die Regel oder hält sie noch die größte ein, so nennt der \
           Bericht stattdessen eine Schranke.";
    no_rule: "This run has no rule." | "Dieser Lauf hat keine Regel.";
    one_rule(rule: &str): "The rule of this run is {rule}." | "Die Regel dieses Laufs ist {rule}.";
    several_rules(rules: &str):
        "The rules of this run are {rules}."
        | "Die Regeln dieses Laufs sind {rules}.";
    /// Behind the rules.
    own_rules:
        "Not all of them hold for every series: some have rules of their own, in place of those of the others. "
        | "Nicht alle gelten für jede Messreihe: Einige haben eigene Regeln anstelle derer der anderen. ";
    /// Title of the paragraph on rules that no one named.
    class: "Rules by the class of the target" | "Regeln nach der Klasse des Ziels";
    /// Stands before the class that decides.
    class_decides_rest:
        "For series without rules of their own, no rule was named, so the class of the target decides: "
        | "Für Messreihen ohne eigene Regeln wurde keine genannt; also entscheidet die Klasse des Ziels: ";
    class_decides:
        "No rule was named for this run, so the class of the target decides: "
        | "Für diesen Lauf wurde keine Regel genannt; also entscheidet die Klasse des Ziels: ";
    timing: "Warm-up and measured time" | "Vorlauf und Messzeit";
    /// Explains the times, given those of the run.
    timing_text(times: &str):
        "Every point starts with a warm-up that counts for nothing. {times}The verdict tells how \
         the measured time ended, and whether the numbers of its intervals held still."
        | "Jeder Messpunkt beginnt mit einem Vorlauf, der nicht zählt. {times}Das Urteil sagt, \
           wie die Messzeit endete und ob die Zahlen ihrer Abschnitte gleich blieben.";
    times(ramp: &str, measured: &str):
        "In this run the warm-up took {ramp} and measuring {measured} per point. "
        | "In diesem Lauf dauerte der Vorlauf {ramp} und die Messung {measured} je Messpunkt. ";
}

terms! {
    outstanding: "Outstanding I/Os" | "Ausstehende I/Os" =>
        "The load is set by the number of requests that are in flight on each target at any moment. As \
         soon as one completes, the next is issued, so the number stays the same however fast or \
         slow the target answers. The achieved number is what the results themselves imply: \
         throughput times mean response time (Little's law). Where it is well below the number set, \
         the load generator or the kernel held requests back."
        | "Die Last ist die Zahl der Anfragen, die jedes Ziel zu jeder Zeit in Arbeit hat. Sobald \
           eine fertig ist, folgt die nächste; so bleibt die Zahl gleich, wie schnell oder langsam \
           das Ziel auch antwortet. Die erreichte Zahl folgt aus den Ergebnissen selbst: Durchsatz \
           mal mittlere Antwortzeit (Gesetz von Little). Liegt sie deutlich unter der gesetzten \
           Zahl, so hielten Lastgenerator oder Kernel Anfragen zurück.";
    outstanding_with_pauses: "Outstanding I/Os" | "Ausstehende I/Os" =>
        "The load is set by the number of requests that are in flight on each target. As soon as one completes, \
         the next is issued, unless the load profile pauses; then fewer are in flight. The achieved number is \
         what the results themselves imply: throughput times mean response time (Little's law)."
        | "Die Last ist die Zahl der Anfragen, die jedes Ziel in Arbeit hat. Sobald eine fertig ist, folgt die \
           nächste, wenn das Lastprofil keine Pause macht; dann sind weniger in Arbeit. Die erreichte Zahl folgt \
           aus den Ergebnissen selbst: Durchsatz mal mittlere Antwortzeit (Gesetz von Little).";
    offered: "Offered IO/s" | "Angebotene IO/s" =>
        "The load is set by the number of requests per second that arrive at each target, whatever \
         the target answers. The response time of a request counts from the moment at which it \
         should have been issued, so a target that falls behind cannot hide the wait. The number of \
         outstanding I/Os follows from the results: throughput times mean response time (Little's \
         law)."
        | "Die Last ist die Zahl der Anfragen, die je Sekunde bei jedem Ziel ankommen, was immer \
           das Ziel antwortet. Die Antwortzeit einer Anfrage zählt von dem Zeitpunkt an, zu dem sie \
           hätte gestellt werden sollen; so kann ein Ziel, das zurückfällt, das Warten nicht \
           verbergen. Die Zahl der ausstehenden I/Os folgt aus den Ergebnissen: Durchsatz mal \
           mittlere Antwortzeit (Gesetz von Little).";
    users: "Users" | "Benutzer" =>
        "The load is set by the number of users who work at the same time. Each of them pauses, \
         asks for an operation, and waits for its response before the next pause."
        | "Die Last ist die Zahl der Benutzer, die gleichzeitig arbeiten. Jeder macht eine Pause, \
           fordert einen Vorgang an und wartet auf dessen Antwort, bevor die nächste Pause \
           beginnt.";
    users_at_screens: "Users" | "Benutzer" =>
        "The load is set by the number of users who work at the same time, each at its own screen. They \
         type by a script and keep to its pace, however late the screen is. A response counts from the \
         moment at which the user was to act until the cells of the screen show what they showed after \
         the same action in a rehearsal; other changes of the screen do not count. Characters that leave \
         no mark, such as spaces, are typed but not timed."
        | "Die Last ist die Zahl der Benutzer, die gleichzeitig arbeiten, jeder an einem eigenen \
           Bildschirm. Sie tippen nach einem Skript und halten dessen Takt ein, wie spät der Bildschirm \
           auch ist. Eine Antwort zählt von dem Moment, in dem der Benutzer handeln sollte, bis die \
           Zellen des Bildschirms zeigen, was sie nach derselben Handlung in einer Probe zeigten; andere \
           Änderungen des Bildschirms zählen nicht. Zeichen, die keine Spur hinterlassen, etwa \
           Leerzeichen, werden getippt, aber nicht gemessen.";
    warehouses: "Warehouses" | "Lagerhäuser" =>
        "The load is set by the number of warehouses. Each has a thread that does one operation after \
         the other without a pause: it takes orders and payments, delivers, looks up orders and stock, \
         and writes accounts. Nothing is written to a disk. After each point all accounts have to agree."
        | "Die Last ist die Zahl der Lagerhäuser. Jedes hat einen Thread, der einen Vorgang nach dem \
           anderen ohne Pause erledigt: Er nimmt Bestellungen und Zahlungen an, liefert aus, schlägt \
           Bestellungen und Bestände nach und schreibt Kontoauszüge. Auf einen Datenträger wird nichts \
           geschrieben. Nach jedem Messpunkt müssen alle Konten übereinstimmen.";
    warehouses_in_database: "Warehouses" | "Lagerhäuser" =>
        "The load is set by the number of warehouses. Each has a connection to the database, on which a \
         thread does one operation after the other without a pause, each a transaction: it takes orders \
         and payments, delivers, looks up orders and stock, and writes accounts. A transaction that has to \
         begin again, since another one changed the same rows, is timed from its first beginning. The \
         tables are filled again for each point, and after it all accounts have to agree."
        | "Die Last ist die Zahl der Lagerhäuser. Jedes hat eine Verbindung zur Datenbank, auf der ein \
           Thread einen Vorgang nach dem anderen ohne Pause erledigt, jeden als Transaktion: Er nimmt \
           Bestellungen und Zahlungen an, liefert aus, schlägt Bestellungen und Bestände nach und schreibt \
           Kontoauszüge. Muss eine Transaktion neu beginnen, weil eine andere dieselben Zeilen geändert hat, \
           zählt ihre Zeit ab dem ersten Beginn. Die Tabellen werden für jeden Messpunkt neu gefüllt, und \
           nach ihm müssen alle Konten übereinstimmen.";
    outstanding_operations: "Outstanding operations" | "Ausstehende Operationen" =>
        "The load is set by the number of operations on files that are outstanding per target. Each has a \
         thread that does one after the other without a pause, on files that no other thread uses; the \
         directories are common to all. Files are reached through the page cache, as applications reach \
         them. They are made before each point and removed after it, and their number stays between one \
         half and one and a half times that of the start."
        | "Die Last ist die Zahl der Operationen auf Dateien, die je Ziel ausstehen. Jede hat einen Thread, \
           der eine nach der anderen ohne Pause ausführt, auf Dateien, die kein anderer Thread benutzt; die \
           Verzeichnisse sind allen gemeinsam. Die Dateien werden wie von Anwendungen über den Seitencache \
           erreicht. Sie werden vor jedem Messpunkt angelegt und nach ihm entfernt, und ihre Zahl bleibt \
           zwischen der Hälfte und dem Anderthalbfachen der anfänglichen.";
    copies: "Copies" | "Kopien" =>
        "The load is set by the number of copies of a program. Each is its own process and stays on one \
         processor; with more copies than processors, some share one. In each round all copies begin \
         together and do the same work once. What a copy has computed must have the digest that is known for it."
        | "Die Last ist die Zahl der Kopien eines Programms. Jede ist ein eigener Prozess und bleibt auf einem \
           Prozessor; sind es mehr Kopien als Prozessoren, teilen sich einige einen. In jeder Runde beginnen \
           alle Kopien zugleich und erledigen dieselbe Arbeit einmal. Was eine Kopie berechnet hat, muss die \
           bekannte Prüfsumme haben.";
    rounds: "Rounds" | "Runden" =>
        "The rounds with one number of copies of a program follow one another: at least three, and more until \
         their rate is known accurately enough."
        | "Die Runden mit einer Zahl von Kopien eines Programms folgen aufeinander: mindestens drei, und weitere, \
           bis ihre Rate genau genug bekannt ist.";
    passes: "Passes" | "Durchgänge" =>
        "In a pass every program has one round with each number of copies, in an order drawn from the seed. So a \
         machine that changes over minutes changes between the rounds of each program, and not between \
         programs. If no number of passes was asked for there are at least three, and more until the \
         geometric means are known accurately enough. The interval of a geometric mean comes from its values in \
         whole passes: what all programs of a pass share is part of it."
        | "In einem Durchgang hat jedes Programm eine Runde mit jeder Zahl von Kopien, in einer Reihenfolge, die aus \
           dem Startwert gezogen wird. So ändert sich eine Maschine, die sich über Minuten ändert, zwischen den Runden \
           jedes Programms und nicht zwischen Programmen. Wurde keine Zahl von Durchgängen verlangt, gibt es \
           mindestens drei, und weitere, bis die geometrischen Mittel genau genug bekannt sind. Das Intervall \
           eines geometrischen Mittels kommt aus seinen Werten in ganzen Durchgängen: Was alle Programme eines \
           Durchgangs gemeinsam haben, ist darin enthalten.";
    ratio: "Throughput" | "Durchsatz" =>
        "Throughput is a ratio to a reference machine (x ref): the copies, times the processor time that the \
         work takes there with base flags, over the time until the last copy is done. The round of the \
         median time counts."
        | "Der Durchsatz ist ein Verhältnis zu einer Bezugsmaschine (x ref): die Zahl der Kopien mal der \
           Prozessorzeit, die die Arbeit dort mit Basiseinstellungen (base) braucht, durch die Zeit, bis die letzte Kopie \
           fertig ist. Es zählt die Runde mit der mittleren Zeit (Median).";
    copies_of_file: "Copies" | "Kopien" =>
        "The load is set by the number of copies of a program that the suite's file names. Each stays on one \
         processor; with more copies than processors, some share one. In each round all copies are started \
         together, and run once until they end. What each copy has computed is judged as the file says: by the SHA-256 of its \
         output, or by a command."
        | "Die Last ist die Zahl der Kopien eines Programms, das die Datei der Suite nennt. Jede bleibt auf einem \
           Prozessor; sind es mehr Kopien als Prozessoren, teilen sich einige einen. In jeder Runde werden alle \
           Kopien zugleich gestartet und laufen einmal bis zu ihrem Ende. Was eine Kopie berechnet hat, wird beurteilt, wie die \
           Datei es vorsieht: nach der SHA-256 ihrer Ausgabe oder durch einen Befehl.";
    ratio_of_file: "Throughput" | "Durchsatz" =>
        "Throughput is a ratio to the machine that the suite's file names (x ref): the copies, times the seconds \
         of one copy there as the file has them, over the time until the last copy is done. The round of the \
         median time counts."
        | "Der Durchsatz ist ein Verhältnis zu der Maschine, die die Datei der Suite nennt (x ref): die Zahl der \
           Kopien mal der Sekunden einer Kopie dort, wie die Datei sie angibt, durch die Zeit, bis die letzte \
           Kopie fertig ist. Es zählt die Runde mit der mittleren Zeit (Median).";
    time_of_copies: "Mean response time" | "Mittlere Antwortzeit" =>
        "The time from the start of a round until a copy is done, averaged over all copies of all rounds."
        | "Die Zeit vom Beginn einer Runde, bis eine Kopie fertig ist, gemittelt über alle Kopien aller Runden.";
    operation_throughput: "Throughput" | "Durchsatz" =>
        "op/s counts operations that completed within the measured time, of all classes together."
        | "op/s zählt die Vorgänge aller Klassen, die in der Messzeit fertig wurden.";
    operation_response: "Mean response time" | "Mittlere Antwortzeit" =>
        "The time from asking for an operation until its response, averaged over every operation \
         that completed within the measured time. Each class of operations has its own. The mean \
         comes from exact sums, not from a histogram."
        | "Die Zeit vom Anfordern eines Vorgangs bis zu seiner Antwort, gemittelt über jeden \
           Vorgang, der in der Messzeit fertig wurde. Jede Klasse von Vorgängen hat ihre eigene. \
           Der Mittelwert kommt aus genauen Summen, nicht aus einem Histogramm.";
    operation_percentiles: "Percentiles" | "Perzentile" =>
        "A response time of p99 means that 99\u{a0}% of the operations were at least as fast. \
         Percentiles are read from histograms that keep three significant digits over the whole \
         range and into which every single operation is counted; percentiles of several intervals \
         are never averaged, their histograms are added."
        | "Eine Antwortzeit p99 bedeutet, dass 99\u{a0}% der Vorgänge mindestens so schnell waren. \
           Perzentile werden aus Histogrammen gelesen, die über den ganzen Bereich drei gültige \
           Stellen behalten und in denen jeder einzelne Vorgang gezählt ist; Perzentile mehrerer \
           Abschnitte werden nie gemittelt, ihre Histogramme werden addiert.";
    throughput: "Throughput" | "Durchsatz" =>
        "IO/s counts I/Os that completed within the measured time; MiB/s is 2^20 bytes per second. \
         With several targets the numbers are those of all targets together."
        | "IO/s zählt die I/Os, die in der Messzeit fertig wurden; MiB/s sind 2^20 Bytes je \
           Sekunde. Bei mehreren Zielen sind es die Zahlen aller Ziele zusammen.";
    response: "Mean response time" | "Mittlere Antwortzeit" =>
        "The time from issuing an I/O until its completion is seen, averaged over every I/O that \
         completed within the measured time. The mean comes from exact sums, not from a histogram."
        | "Die Zeit vom Stellen eines I/Os, bis sein Ende bemerkt wird, gemittelt über jedes I/O, \
           das in der Messzeit fertig wurde. Der Mittelwert kommt aus genauen Summen, nicht aus \
           einem Histogramm.";
    response_offered: "Mean response time" | "Mittlere Antwortzeit" =>
        "The time from the moment at which an I/O should have been issued until its completion is seen, \
         averaged over every I/O that completed within the measured time. The mean comes from exact \
         sums, not from a histogram."
        | "Die Zeit von dem Zeitpunkt, zu dem ein I/O hätte gestellt werden sollen, bis sein Ende \
           bemerkt wird, gemittelt über jedes I/O, das in der Messzeit fertig wurde. Der Mittelwert \
           kommt aus genauen Summen, nicht aus einem Histogramm.";
    response_both: "Mean response time" | "Mittlere Antwortzeit" =>
        "The time from issuing an I/O (or, with offered IO/s, from the moment at which it should have \
         been issued) until its completion is seen, averaged over every I/O that completed within the \
         measured time. The mean comes from exact sums, not from a histogram."
        | "Die Zeit vom Stellen eines I/Os (bei angebotenen IO/s von dem Zeitpunkt, zu dem es hätte \
           gestellt werden sollen), bis sein Ende bemerkt wird, gemittelt über jedes I/O, das in der \
           Messzeit fertig wurde. Der Mittelwert kommt aus genauen Summen, nicht aus einem \
           Histogramm.";
    percentiles: "Percentiles" | "Perzentile" =>
        "A response time of p99 means that 99\u{a0}% of the I/Os were at least as fast. Percentiles \
         are read from histograms that keep three significant digits over the whole range and into \
         which every single I/O is counted; percentiles of several intervals are never averaged, \
         their histograms are added."
        | "Eine Antwortzeit p99 bedeutet, dass 99\u{a0}% der I/Os mindestens so schnell waren. \
           Perzentile werden aus Histogrammen gelesen, die über den ganzen Bereich drei gültige \
           Stellen behalten und in denen jedes einzelne I/O gezählt ist; Perzentile mehrerer \
           Abschnitte werden nie gemittelt, ihre Histogramme werden addiert.";
    peak: "Peak throughput" | "Spitzendurchsatz" =>
        "The highest measured throughput of a series, whatever the response time, read at the smallest \
         load whose 95\u{a0}% confidence interval reaches it: what higher loads add cannot be told \
         from chance. It is not the throughput that one should plan for. A series that has not \
         stopped rising at its highest load may do more."
        | "Der höchste gemessene Durchsatz einer Messreihe, gleich bei welcher Antwortzeit, abgelesen bei \
           der kleinsten Last, deren 95-%-Konfidenzintervall ihn erreicht: Was höhere Lasten bringen, \
           ist vom Zufall nicht zu unterscheiden. Er ist nicht das, womit man plant. Wo der Durchsatz \
           bei der größten Last noch steigt, leistet das System womöglich mehr.";
    peak_of_visits: "Peak throughput" | "Spitzendurchsatz" =>
        "The highest measured throughput of a series, whatever the response time, read at the smallest \
         load whose throughput differs from it by no more than 1\u{a0}%: visits tell it no more closely. A \
         peak may rest on a single visit, and is not the throughput that one should plan for. A series that \
         has not stopped rising at its highest load may do more."
        | "Der höchste gemessene Durchsatz einer Messreihe, gleich bei welcher Antwortzeit, abgelesen bei \
           der kleinsten Last, deren Durchsatz sich um höchstens 1\u{a0}% von ihm unterscheidet: Genauer lässt es \
           kein Besuch erkennen. Er kann auf einem einzigen Besuch beruhen und ist nicht das, womit man plant. Wo \
           der Durchsatz bei der größten Last noch steigt, leistet das System womöglich mehr.";
    confidence: "Confidence intervals" | "Konfidenzintervalle" =>
        "The columns headed ± hold the half-width of the 95\u{a0}% confidence interval in percent \
         of the mean before them. It is given only where the measurement was long enough to tell."
        | "Die Spalten mit ± enthalten die halbe Breite des 95-%-Konfidenzintervalls in Prozent des \
           Mittelwerts davor. Es steht nur da, wo lange genug gemessen wurde.";
    cpu: "CPU" | "CPU" =>
        "CPU time that the load generator itself used, in percent of one processor."
        | "Prozessorzeit, die der Lastgenerator selbst verbrauchte, in Prozent eines Prozessors.";
    sustained_box: "How to read “sustained”" | "Was „nutzbar“ heißt" =>
        "The sustained throughput is what the target delivers while the response time still meets \
         the rule: the number to plan with. Throughput beyond it is bought with waiting, and a \
         system that runs there has nothing left for a busy hour."
        | "Der nutzbare Durchsatz ist das, was das Ziel leistet, solange die Antwortzeit die \
           Regel noch einhält: die Zahl, mit der man plant. Durchsatz darüber hinaus ist mit Warten \
           erkauft; ein System, das dort arbeitet, hat für die Spitzenzeit keine Reserve.";
    mean_limit_box: "Why a limit on the mean response time" | "Warum eine Grenze der mittleren Antwortzeit" =>
        "Under rising load, throughput grows as long as the target finds more to do at the same \
         time; from there on only the queue grows. A limit on response time marks the useful end of \
         the curve in the same way for every target. Limits of 15 and 20\u{a0}ms are usual for disk \
         storage; for flash, smaller limits and percentiles tell more."
        | "Mit steigender Last wächst der Durchsatz, solange das Ziel mehr zugleich zu tun findet; \
           danach wächst nur noch die Warteschlange. Eine Grenze der Antwortzeit bezeichnet das \
           nützliche Ende der Kurve für jedes Ziel auf dieselbe Weise. Für Plattenspeicher sind 15 \
           und 20\u{a0}ms üblich; für Flash sagen kleinere Grenzen und Perzentile mehr.";
    confidence_box: "Why confidence intervals" | "Warum Konfidenzintervalle" =>
        "A measurement is a sample. The interval says how far off the mean could be by chance: if \
         the point were measured many times, 95 of 100 intervals would hold the true mean. Two \
         results whose intervals overlap widely are not different because one number is larger."
        | "Eine Messung ist eine Stichprobe. Das Intervall sagt, wie weit der Mittelwert durch \
           Zufall danebenliegen kann: Würde der Messpunkt oft gemessen, enthielten 95 von 100 \
           Intervallen den wahren Mittelwert. Zwei Ergebnisse, deren Intervalle sich weit \
           überlappen, sind nicht schon deshalb verschieden, weil eine Zahl größer ist.";
    judge_box: "IO/s or MiB/s" | "IO/s oder MiB/s" =>
        "Series that are mostly random are judged by IO/s, because each access costs about the \
         same; series that are mostly sequential by MiB/s, because there the bytes count."
        | "Messreihen mit überwiegend wahlfreiem Zugriff werden nach IO/s beurteilt, weil jeder \
           Zugriff etwa gleich viel kostet; überwiegend sequenzielle nach MiB/s, weil dort die \
           Bytes zählen.";
}

/// Why a class has its rules.
pub(crate) const fn class_rules(language: Language, class: StorageClass) -> &'static str {
    language.choose(match class {
        StorageClass::Rotational => [
            "For disks these are the limits of published reports on disk storage.",
            "Für Platten sind es die Grenzen veröffentlichter Berichte über Plattenspeicher.",
        ],
        StorageClass::Flash => [
            "One expects of flash and memory that hardly any I/O waits, so a high percentile is \
             limited instead of the mean.",
            "Von Flash und Arbeitsspeicher erwartet man, dass kaum ein I/O wartet; daher ist statt \
             des Mittelwerts ein hohes Perzentil begrenzt.",
        ],
    })
}
