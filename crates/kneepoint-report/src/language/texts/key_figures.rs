//! The chapter of key figures.

use crate::language::Language::{self, English, German};
use crate::page::Text;

texts! {
    heading: "Key figures" | "Kennzahlen";
    none:
        "There are none: no series has a point."
        | "Es gibt keine: Keine Messreihe hat einen Messpunkt.";
    no_rule:
        "The run has no rule, so no throughput is called sustained."
        | "Der Lauf hat keine Regel, daher heißt kein Durchsatz dauerhaft.";
    caption:
        "Sustained throughput, saturation knee and peak"
        | "Dauerhafter Durchsatz, Sättigungspunkt und Spitze";
    sustained_at: "Sustained throughput at" | "Dauerhafter Durchsatz bei";
    saturation: "Saturation knee" | "Sättigungspunkt";
    peak: "Peak" | "Spitze";
    mean_response: "Mean response time" | "Mittlere Antwortzeit";
}

pub(crate) fn remark(language: Language) -> Text {
    match language {
        English => Text::new()
            .plain(
                "Sustained throughput is interpolated between two measured points on either side \
                 of the rule. With ≥ every load met the rule, with < none did, the lowest \
                 included. At the saturation knee throughput stops rising. What the words mean is \
                 told under ",
            )
            .link("Measurement tool and method", "method")
            .plain("."),
        German => Text::new()
            .plain(
                "Der dauerhafte Durchsatz ist zwischen zwei Messpunkten beiderseits der Regel \
                 interpoliert. Bei ≥ hielt jede Last die Regel ein, bei < keine, auch die kleinste \
                 nicht. Am Sättigungspunkt hört der Durchsatz auf zu steigen. Was die Wörter \
                 bedeuten, steht unter ",
            )
            .link("Messwerkzeug und Methode", "method")
            .plain("."),
    }
}
