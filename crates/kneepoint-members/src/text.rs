//! Generated text: words of syllables, of which some are frequent.

use crate::random::Random;

const SYLLABLES: [&str; 32] = [
    "ba", "cor", "de", "el", "fi", "gan", "ho", "in", "ja", "ker", "lo", "men", "no", "or", "pa",
    "qui", "ra", "sto", "te", "un", "va", "wel", "xi", "yo", "za", "th", "ing", "er", "st", "an",
    "le", "tion",
];

/// Words to choose from.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    words: Vec<String>,
}

impl Vocabulary {
    pub(crate) fn new(size: usize, random: &mut Random) -> Self {
        let word = |_| {
            let syllables = 1 + random.index(4);
            (0..syllables).map(|_| SYLLABLES[random.index(SYLLABLES.len())]).collect()
        };
        Self { words: (0..size).map(word).collect() }
    }

    /// A word; those in front are chosen more often.
    pub(crate) fn word(&self, random: &mut Random) -> &str {
        let unit = random.unit();
        let index = (unit * unit * unit * self.words.len() as f64) as usize;
        &self.words[index]
    }
}
