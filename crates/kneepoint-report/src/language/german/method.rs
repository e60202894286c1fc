//! How it was measured, and boxes that explain how to read it.

use kneepoint_core::words::storage_class::StorageClass;

use crate::language::catalog::{BoxTexts, MethodTexts};

pub(super) const METHOD: MethodTexts = MethodTexts {
    heading: "Messwerkzeug und Methode",
    tool: |version| {
        format!(
            "Gemessen wurde mit Kneepoint {version}. Für jede Messreihe hält es eine Last am Ziel, \
             wartet den Vorlauf ab, misst und geht zur nächsten Last über. Jede solche Messung ist \
             ein Messpunkt; die Messpunkte einer Messreihe bilden eine Kurve aus Durchsatz und \
             Antwortzeit, an der die Kennzahlen abgelesen werden."
        )
    },
    outstanding: (
        "Ausstehende I/Os",
        "Die Last ist die Zahl der Anfragen, die jedes Ziel zu jeder Zeit in Arbeit hat. Sobald \
         eine fertig ist, folgt die nächste; so bleibt die Zahl gleich, wie schnell oder langsam \
         das Ziel auch antwortet. Die erreichte Zahl folgt aus den Ergebnissen selbst: Durchsatz \
         mal mittlere Antwortzeit (Gesetz von Little). Liegt sie deutlich unter der gesetzten \
         Zahl, so hielten Lastgenerator oder Kernel Anfragen zurück.",
    ),
    offered: (
        "Angebotene IO/s",
        "Die Last ist die Zahl der Anfragen, die je Sekunde bei jedem Ziel ankommen, was immer \
         das Ziel antwortet. Die Antwortzeit einer Anfrage zählt von dem Zeitpunkt an, zu dem sie \
         hätte gestellt werden sollen; so kann ein Ziel, das zurückfällt, das Warten nicht \
         verbergen.",
    ),
    throughput: (
        "Durchsatz",
        "IO/s zählt die I/Os, die in der Messzeit fertig wurden; MiB/s sind 2^20 Bytes je \
         Sekunde. Bei mehreren Zielen sind es die Zahlen aller Ziele zusammen.",
    ),
    response: (
        "Mittlere Antwortzeit",
        "Die Zeit vom Stellen eines I/Os, bis sein Ende bemerkt wird, gemittelt über jedes I/O, \
         das in der Messzeit fertig wurde. Der Mittelwert kommt aus genauen Summen, nicht aus \
         einem Histogramm.",
    ),
    percentiles: (
        "Perzentile",
        "Eine Antwortzeit p99 bedeutet, dass 99\u{a0}% der I/Os mindestens so schnell waren. \
         Perzentile werden aus Histogrammen gelesen, die über den ganzen Bereich drei gültige \
         Stellen behalten und in denen jedes einzelne I/O gezählt ist; Perzentile mehrerer \
         Abschnitte werden nie gemittelt, ihre Histogramme werden addiert.",
    ),
    sustained: "Dauerhafter Durchsatz",
    sustained_text: |rules| {
        format!(
            "Der Durchsatz, bei dem die Antwortzeit einer Messreihe eine Regel erreicht. {rules} \
             Die Last steigt von Messpunkt zu Messpunkt; zwischen dem letzten, der die Regel \
             einhält, und dem ersten, der sie verletzt, werden Durchsatz und Last auf einer \
             Geraden interpoliert. Verletzt schon die kleinste Last die Regel oder hält sie noch \
             die größte ein, so nennt der Bericht stattdessen eine Schranke."
        )
    },
    no_rule: "Dieser Lauf hat keine Regel.",
    one_rule: |rule| format!("Die Regel dieses Laufs ist {rule}."),
    several_rules: |rules| format!("Die Regeln dieses Laufs sind {rules}."),
    class: "Regeln nach der Klasse des Ziels",
    class_decides: "Für diesen Lauf wurde keine Regel genannt; also entscheidet die Klasse des Ziels: ",
    class_rules: |class| match class {
        StorageClass::Rotational => {
            "Für Platten sind es die Grenzen veröffentlichter Berichte über Plattenspeicher."
        }
        StorageClass::Flash => {
            "Von Flash und Arbeitsspeicher erwartet man, dass kaum ein I/O wartet; daher ist statt \
             des Mittelwerts ein hohes Perzentil begrenzt."
        }
    },
    peak: (
        "Spitzendurchsatz",
        "Der höchste Durchsatz einer Messreihe, gleich bei welcher Antwortzeit, abgelesen bei der \
         kleinsten Last, deren 95-%-Vertrauensbereich ihn erreicht: Was höhere Lasten bringen, ist \
         vom Zufall nicht zu unterscheiden. Er sagt, was sich herausholen lässt, nicht, womit sich \
         arbeiten lässt.",
    ),
    timing: "Vorlauf und Messzeit",
    timing_text: |times| {
        format!(
            "Jeder Messpunkt beginnt mit einem Vorlauf, der nicht zählt. {times}Das Urteil sagt, \
             wie die Messzeit endete und ob die Zahlen ihrer Abschnitte gleich blieben."
        )
    },
    times: |ramp, measured| {
        format!(
            "In diesem Lauf dauerte der Vorlauf {ramp} und die Messung {measured} je Messpunkt. "
        )
    },
    confidence: (
        "Konfidenzintervalle",
        "Die Spalten mit ± enthalten die halbe Breite des 95-%-Konfidenzintervalls in Prozent des \
         Mittelwerts davor. Es steht nur da, wo lange genug gemessen wurde.",
    ),
    cpu: (
        "CPU",
        "Prozessorzeit, die der Lastgenerator selbst verbrauchte, in Prozent eines Prozessors.",
    ),
};

pub(super) const BOXES: BoxTexts = BoxTexts {
    sustained: (
        "Was „dauerhaft“ heißt",
        "Der dauerhafte Durchsatz ist das, was das Ziel leistet, solange die Antwortzeit die Regel \
         noch einhält: die Zahl, mit der man plant. Durchsatz darüber hinaus ist mit Warten \
         erkauft; ein System, das dort arbeitet, hat für eine volle Stunde nichts mehr übrig.",
    ),
    mean_limit: (
        "Warum eine Grenze der mittleren Antwortzeit",
        "Mit steigender Last wächst der Durchsatz, solange das Ziel mehr zugleich zu tun findet; \
         danach wächst nur noch die Warteschlange. Eine Grenze der Antwortzeit bezeichnet das \
         nützliche Ende der Kurve für jedes Ziel auf dieselbe Weise. Für Plattenspeicher sind 15 \
         und 20\u{a0}ms üblich; für Flash sagen kleinere Grenzen und Perzentile mehr.",
    ),
    confidence: (
        "Warum Konfidenzintervalle",
        "Eine Messung ist eine Stichprobe. Das Intervall sagt, wie weit der Mittelwert durch \
         Zufall danebenliegen kann: Würde der Messpunkt oft gemessen, enthielten 95 von 100 \
         Intervallen den wahren Mittelwert. Zwei Ergebnisse, deren Intervalle sich weit \
         überlappen, sind nicht schon verschieden, weil eine Zahl größer ist.",
    ),
    judge: (
        "IO/s oder MiB/s",
        "Messreihen mit überwiegend wahlfreiem Zugriff werden nach IO/s beurteilt, weil jeder \
         Zugriff etwa gleich viel kostet; überwiegend sequenzielle nach MiB/s, weil dort die Bytes \
         zählen.",
    ),
};
