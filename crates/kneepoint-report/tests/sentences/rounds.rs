//! Sentences on rounds over all series.

use super::cases::Case::Standard;
use super::registry::{Composed, Row};
use super::varied::{
    EARLY, IN_MINUTES, OF_LATENCY, PREPARED, SATURATION, SIMULATED, STEADY, UNSTEADY,
};

/// Texts, which are found in the sources by their names.
pub(crate) const OF_ROUNDS: &[Row] = &[
    ("rounds::others", STEADY, EARLY),
    ("rounds::reading", STEADY, EARLY),
    ("rounds::band", STEADY, EARLY),
    ("rounds::method", STEADY, Standard),
    ("rounds::not_purged", STEADY, SIMULATED),
    ("rounds::not_purged", STEADY, PREPARED),
    ("rounds::simulated", SIMULATED, STEADY),
];

/// Sentences that are put together.
pub(crate) const COMPOSED_OF_ROUNDS: &[Composed] = &[
    (
        "rounds::outcome",
        ["Steady after 7 rounds: the throughput of", "Stabil nach 7 Runden: der Durchsatz jeder"],
        STEADY,
        UNSTEADY,
    ),
    (
        "rounds::outcome",
        ["7 rounds: the mean response time of every", "7 Runden: die mittlere Antwortzeit jeder"],
        OF_LATENCY,
        STEADY,
    ),
    (
        "rounds::outcome",
        [
            "of at least one tracked series is beyond a limit",
            "mindestens einer beobachteten Messreihe",
        ],
        UNSTEADY,
        STEADY,
    ),
    (
        "rounds::outcome",
        ["Not steady: 3 rounds are too few for", "Nicht stabil: 3 Runden sind zu wenige"],
        EARLY,
        UNSTEADY,
    ),
    (
        "rounds::shortened",
        [
            "in a round, not a minute: the numbers are for",
            "je Runde statt einer Minute: Die Zahlen",
        ],
        STEADY,
        IN_MINUTES,
    ),
    (
        "rounds::set_before",
        ["Before anything was written, commands of the user set", "setzten Befehle des Anwenders"],
        PREPARED,
        STEADY,
    ),
    (
        "rounds::over_written",
        ["over what the rounds wrote", "über das von den Runden Geschriebene"],
        SATURATION,
        STEADY,
    ),
];
