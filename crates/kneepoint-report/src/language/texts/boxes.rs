//! Boxes: a title, and how to read the results.

use crate::language::Language::{self, English, German};

pub(crate) const fn sustained(language: Language) -> (&'static str, &'static str) {
    match language {
        English => (
            "How to read “sustained”",
            "The sustained throughput is what the target delivers while the response time still \
             meets the rule: the number to plan with. Throughput beyond it is bought with \
             waiting, and a system that runs there has nothing left for a busy hour.",
        ),
        German => (
            "Was „dauerhaft“ heißt",
            "Der dauerhafte Durchsatz ist das, was das Ziel leistet, solange die Antwortzeit die \
             Regel noch einhält: die Zahl, mit der man plant. Durchsatz darüber hinaus ist mit \
             Warten erkauft; ein System, das dort arbeitet, hat für eine volle Stunde nichts mehr \
             übrig.",
        ),
    }
}

pub(crate) const fn mean_limit(language: Language) -> (&'static str, &'static str) {
    match language {
        English => (
            "Why a limit on the mean response time",
            "Under rising load, throughput grows as long as the target finds more to do at the \
             same time; from there on only the queue grows. A limit on response time marks the \
             useful end of the curve in the same way for every target. Limits of 15 and \
             20\u{a0}ms are usual for disk storage; for flash, smaller limits and percentiles \
             tell more.",
        ),
        German => (
            "Warum eine Grenze der mittleren Antwortzeit",
            "Mit steigender Last wächst der Durchsatz, solange das Ziel mehr zugleich zu tun \
             findet; danach wächst nur noch die Warteschlange. Eine Grenze der Antwortzeit \
             bezeichnet das nützliche Ende der Kurve für jedes Ziel auf dieselbe Weise. Für \
             Plattenspeicher sind 15 und 20\u{a0}ms üblich; für Flash sagen kleinere Grenzen und \
             Perzentile mehr.",
        ),
    }
}

pub(crate) const fn confidence(language: Language) -> (&'static str, &'static str) {
    match language {
        English => (
            "Why confidence intervals",
            "A measurement is a sample. The interval says how far the mean could lie off by \
             chance: if the point were measured many times, 95 of 100 intervals would hold the \
             true mean. Two results whose intervals overlap widely are not different because one \
             number is larger.",
        ),
        German => (
            "Warum Konfidenzintervalle",
            "Eine Messung ist eine Stichprobe. Das Intervall sagt, wie weit der Mittelwert durch \
             Zufall danebenliegen kann: Würde der Messpunkt oft gemessen, enthielten 95 von 100 \
             Intervallen den wahren Mittelwert. Zwei Ergebnisse, deren Intervalle sich weit \
             überlappen, sind nicht schon verschieden, weil eine Zahl größer ist.",
        ),
    }
}

pub(crate) const fn judge(language: Language) -> (&'static str, &'static str) {
    match language {
        English => (
            "IO/s or MiB/s",
            "Series that are mostly random are judged by IO/s, because each access costs about \
             the same; series that are mostly sequential by MiB/s, because there the bytes \
             count.",
        ),
        German => (
            "IO/s oder MiB/s",
            "Messreihen mit überwiegend wahlfreiem Zugriff werden nach IO/s beurteilt, weil jeder \
             Zugriff etwa gleich viel kostet; überwiegend sequenzielle nach MiB/s, weil dort die \
             Bytes zählen.",
        ),
    }
}
