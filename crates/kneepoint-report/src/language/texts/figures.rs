//! Captions, titles and labels of figures: of curves, of grids over several block sizes, and of
//! dots.

use crate::language::Language;

texts! {
    source(run: &str): "Kneepoint run {run}" | "Kneepoint, Lauf {run}";
    /// Several runs in place of their ids.
    sources(count: &str, first: &str):
        "{count} Kneepoint runs from {first} on"
        | "{count} Läufe von Kneepoint ab {first}";
    /// Series with random access, as a caption calls them.
    random_series: "the series with random access" | "Messreihen mit wahlfreiem Zugriff";
    other_series: "the series" | "Messreihen";
    sequential_series: "the series with sequential access" | "Messreihen mit sequenziellem Zugriff";
    series_between(count: &str, first: &str, last: &str):
        "{count} series from {first} to {last}"
        | "{count} Messreihen von {first} bis {last}";
    throughput_over_load(subject: &str):
        "Throughput of {subject} over load"
        | "Durchsatz über der Last: {subject}";
    response_over_throughput(response: &str, subject: &str):
        "{response} of {subject} over throughput"
        | "{response} über dem Durchsatz: {subject}";
    margins:
        " Error bars, where long enough to be seen, are 95\u{a0}% confidence intervals."
        | " Fehlerbalken, wo sie lang genug sind, zeigen 95-%-Konfidenzintervalle.";
    each_point:
        "; each point is one load, rising along the curve."
        | "; jeder Punkt ist eine Last, entlang der Kurve steigend.";
    /// The setting that decides on the colour, and on the dashes with it.
    coloured(setting: &str):
        " Colour, dashes and shape: {setting}."
        | " Farbe, Strichelung und Form: {setting}.";
    coloured_and_dashed(colour: &str, dashes: &str):
        " Colour: {colour}; dashes and shape: {dashes}."
        | " Farbe: {colour}; Strichelung und Form: {dashes}.";
    /// Where the axis of response times ends before the data do.
    beyond:
        " Arrows at the upper edge: points beyond the axis, with the longest response time of their \
         curve where there is room."
        | " Pfeile am oberen Rand: Punkte außerhalb der Achse, wo Platz ist, mit der längsten Antwortzeit \
           ihrer Kurve.";
    /// Where the axis of dots ends before the greatest of them.
    dots_beyond:
        " Arrows at the right edge: values beyond the axis."
        | " Pfeile am rechten Rand: Werte außerhalb der Achse.";
    /// Rules that no axis shows.
    outside(rules: &str): " Outside the figure: {rules}." | " Außerhalb der Abbildung: {rules}.";
    ring_and_star: " Ring: sustained; star: peak." | " Ring: nutzbar; Stern: Spitze.";
    ring: " Ring: sustained." | " Ring: nutzbar.";
    star: " Star: peak." | " Stern: Spitze.";
    hollow:
        " Hollow points are drifting or disturbed."
        | " Hohle Punkte sind driftend oder gestört.";
    repeated: " Points are means of repetitions." | " Die Punkte sind Mittel der Wiederholungen.";
    passed:
        " Throughput is the median of the passes."
        | " Der Durchsatz ist der Median der Durchgänge.";
    peak(throughput: &str): "peak {throughput}" | "Spitze {throughput}";
    mean(response: &str): "mean {response}" | "Mittel {response}";
    percentiles_over_load(series: &str):
        "Response-time percentiles of {series} over load"
        | "Perzentile der Antwortzeit über der Last: {series}";
    /// Small print of the percentiles over load.
    heat_percentiles:
        "The deeper the shade, the longer; each row is the time within which that share was \
         served. Empty: too few were measured to tell."
        | "Je kräftiger die Tönung, desto länger; jede Zeile ist die Zeit, in der dieser Anteil \
           bedient war. Leer: zu wenige gemessen.";
    percentile: "Percentile" | "Perzentil";
    distribution(series: &str):
        "Response-time distribution of {series}"
        | "Verteilung der Antwortzeit: {series}";
    distribution_at(load: &str): " at {load}" | " bei {load}";
    distribution_at_some: " at some of its loads" | " bei einigen ihrer Lasten";
    distribution_at_each: " at each of its loads" | " bei jeder ihrer Lasten";
    ten_times_rarer:
        ". From p90 on, each step to the right is ten times rarer."
        | ". Ab p90 ist jeder Schritt nach rechts zehnmal seltener.";
    key_strips:
        "Throughput over the measured time of the points that the key figures rest on: the highest \
         measured load within each rule, and the peak. The dashed line is the mean, the band its \
         95\u{a0}% confidence interval, where it is known."
        | "Durchsatz über die Messzeit für die Messpunkte, auf denen die Kennzahlen beruhen: die \
           höchste gemessene Last innerhalb jeder Regel und die Spitze. Die gestrichelte Linie ist \
           der Mittelwert, das Band sein 95-%-Konfidenzintervall, soweit es bekannt ist.";
    /// Of a series with one load.
    key_strips_of_one:
        "Throughput over the measured time of the first measurement. The dashed line is the mean, the \
         band its 95\u{a0}% confidence interval, where it is known."
        | "Durchsatz über die Messzeit der ersten Messung. Die gestrichelte Linie ist der \
           Mittelwert, das Band sein 95-%-Konfidenzintervall, soweit es bekannt ist.";
    strips_of_all:
        "Throughput over the measured time of the points of this series that are neither steady \
         nor at their time limit; the dashed line is the mean."
        | "Durchsatz über die Messzeit für die Messpunkte dieser Messreihe, die weder stabil sind \
           noch an der Zeitgrenze endeten; die gestrichelte Linie ist der Mittelwert.";
    strips_of_some(shown: &str, all: &str):
        "Throughput over the measured time of the first {shown} of {all} points of this series \
         that are neither steady nor at their time limit; the dashed line is the mean."
        | "Durchsatz über die Messzeit für die ersten {shown} von {all} Messpunkten dieser \
           Messreihe, die weder stabil sind noch an der Zeitgrenze endeten; die gestrichelte \
           Linie ist der Mittelwert.";
    strip(series: &str, load: &str):
        "Throughput over time of {series} at {load}"
        | "Durchsatz über der Zeit: {series}, {load}";
    strip_heading(load: &str, verdict: &str, mean: &str):
        "{load}: {verdict}, mean {mean}"
        | "{load}: {verdict}, Mittel {mean}";
    rounds:
        "IO/s of every round, from the first one on; the dashed line is the mean of the last \
         rounds, which are the ones measured. Range and slope are those of the test for steady \
         state, in percent of that mean."
        | "IO/s jeder Runde, von der ersten an; die gestrichelte Linie ist der Mittelwert der \
           letzten Runden, die allein als Messung zählen. Spannweite und Steigung sind die des \
           Tests auf eingeschwungenen Zustand, in Prozent dieses Mittelwerts.";
    rounds_strip(series: &str, load: &str):
        "Rounds of {series} at {load}"
        | "Runden von {series}, {load}";
    steady(range: &str, slope: &str):
        "range {range}, slope {slope}"
        | "Spannweite {range}, Steigung {slope}";
    few_rounds(rounds: &str): "{rounds}, too few to tell" | "{rounds}, zu wenige für ein Urteil";
    round(number: &str, iops: &str, response: &str):
        "round {number}: {iops}, mean {response}"
        | "Runde {number}: {iops}, Mittel {response}";
    throughput_in(unit: &str): "Throughput in {unit}" | "Durchsatz in {unit}";
    sustained_in(unit: &str):
        "Sustained and peak throughput in {unit}"
        | "Nutzbarer und höchster Durchsatz in {unit}";
    heat(profile: &str):
        "Throughput of {profile} by block size and load"
        | "Durchsatz von {profile} nach Blockgröße und Last";
    /// Small print of the heat map.
    heat_note:
        "The darker, the more; on dark screens the lighter."
        | "Je dunkler, desto mehr; auf dunklen Bildschirmen je heller.";
    /// Where cells are empty.
    heat_empty:
        "Empty: not measured, or failed." | "Leer: nicht gemessen oder fehlgeschlagen.";
    /// Where cells have a reservation.
    heat_reservation:
        "Dashed frames: drifting or disturbed."
        | "Gestrichelte Rahmen: driftend oder gestört.";
    over_block_size(profile: &str):
        "Throughput of {profile} over block size"
        | "Durchsatz von {profile} über der Blockgröße";
    /// Small print of throughput over block size.
    over_block_size_note: "Each curve is one load." | "Jede Kurve ist eine Last.";
    at(size: &str, load: &str): "{size}, {load}" | "{size}, {load}";
    load_outstanding(count: &str): "{count} outstanding" | "{count} ausstehend";
    load_offered(rate: &str): "{rate} offered IO/s" | "{rate} angebotene IO/s";
    dots_random:
        "Sustained and peak throughput of the series with random access"
        | "Nutzbarer und höchster Durchsatz der Messreihen mit wahlfreiem Zugriff";
    dots_other:
        "Sustained and peak throughput of the series"
        | "Nutzbarer und höchster Durchsatz der Messreihen";
    dots_sequential:
        "Sustained and peak throughput of the series with sequential access"
        | "Nutzbarer und höchster Durchsatz der Messreihen mit sequenziellem Zugriff";
    /// Small print of the dots.
    dots_note:
        "A rule without a dot could not be judged."
        | "Eine Regel ohne Punkt war nicht zu beurteilen.";
    /// If there are intervals.
    dots_margins:
        "Bars, where wide enough to be seen, are 95\u{a0}% confidence intervals."
        | "Striche, wo sie breit genug sind, zeigen 95-%-Konfidenzintervalle.";
    /// If there are bounds.
    dots_bounds:
        "Hollow dots with an arrow are bounds: with ≥ every load met the rule, with < none did."
        | "Hohle Punkte mit Pfeil sind Schranken: Bei ≥ hielt jede Last die Regel ein, bei < keine.";
    at_rule(within: &str): "sustained {within}" | "nutzbar {within}";
    peak_dot: "peak" | "Spitze";
}

texts! {
    /// The line that describes a figure to readers who cannot see it.
    highest_of(quantity: &str, values: &str):
        "{quantity}, highest values: {values}"
        | "{quantity}, höchste Werte: {values}";
    value_at(value: &str, place: &str): "{value} at {place}" | "{value} bei {place}";
    from_to(least: &str, most: &str): "from {least} to {most}" | "von {least} bis {most}";
    cell_at(value: &str, row: &str, column: &str):
        "{value} ({row}, {column})"
        | "{value} ({row}, {column})";
}

/// What a strip shows: its mean, and between what its bars lie.
pub(crate) fn strip_result(
    language: Language,
    quantity: &str,
    (mean, low, high): (&str, &str, &str),
) -> String {
    match language {
        Language::English => format!("{quantity}: mean {mean}, from {low} to {high}"),
        Language::German => format!("{quantity}: Mittel {mean}, von {low} bis {high}"),
    }
}

/// Some of the loads are not shown.
pub(crate) fn some_loads(language: Language, shown: usize, all: usize) -> String {
    let [shown, all] = [shown, all].map(|count| language.count(count));
    match language {
        Language::English => format!(" {shown} of {all} loads."),
        Language::German => format!(" {shown} von {all} Lasten."),
    }
}

/// Several curves as a caption calls them.
pub(crate) fn curves(language: Language, count: usize) -> String {
    let count = language.count(count);
    match language {
        Language::English => format!("{count} series"),
        Language::German => format!("{count} Messreihen"),
    }
}

/// How many facts are left out.
pub(crate) fn and_more(language: Language, count: usize) -> String {
    let count = language.count(count);
    match language {
        Language::English => format!("; and {count} more"),
        Language::German => format!("; und {count} weitere"),
    }
}
