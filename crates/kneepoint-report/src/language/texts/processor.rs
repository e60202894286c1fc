//! Texts on the processor suite.

texts! {
    caption:
        "The processor suite: geometric means of the ratios to the reference machine (x ref), by class of the \
         members and copies that worked at the same time; one copy is the speed, more are a rate"
        | "Die Prozessorsuite: geometrische Mittel der Verhältnisse zur Bezugsmaschine (x ref), nach Klasse der \
           Programme und Zahl der Kopien, die zugleich arbeiteten; eine Kopie gibt die Geschwindigkeit an, \
           mehrere den Durchsatz";
    class: "Class" | "Klasse";
    copies: "Copies" | "Kopien";
    members: "Members" | "Programme";
    gain: "Peak against base" | "peak gegen base";
    all: "all" | "alle";
    integer: "integer" | "Ganzzahlen";
    floating: "floating point" | "Gleitkommazahlen";
    short:
        "Every copy had little work, for a first impression: the numbers are not those of the whole suite, and \
         refer to another machine."
        | "Jede Kopie hatte wenig Arbeit, für einen ersten Eindruck: Die Zahlen sind nicht die der ganzen Suite \
           und beziehen sich auf eine andere Maschine.";
    not_comparable:
        "Programs and reference are Kneepoint's own: the numbers cannot be compared with those of published \
         benchmarks."
        | "Programme und Bezug sind eigene von Kneepoint: Die Zahlen sind nicht mit denen veröffentlichter \
           Benchmarks vergleichbar.";
}
