//! Percentages and multiples in sentences, each worked out again from the numbers that the tables of the
//! page print. A sentence with a percentage of which no one said how it follows from a table is a fault.

mod arithmetic;
mod kinds;
mod members;
mod number;
mod sessions;
mod sheet;
mod times;

use kneepoint_report::Language;

pub(crate) use arithmetic::wrong_cells;
pub(crate) use number::plain;
use number::{Unit, numbers};
pub(crate) use sheet::{Grid, Sheet};
pub(crate) use times::told_times;

/// What is no claim about the run: the confidence that was asked for, and limits of the method.
const CONSTANTS: [&str; 19] = [
    "95 % confidence",
    "±, 95 %",
    "Intervals (95 %)",
    "99 % of the I/Os were at least as fast",
    "99 % of the operations were at least as fast",
    "difference of 5 % or more",
    "differ by 5 % or more",
    "a difference below 5 %",
    "less than 5 %",
    "at least 5 %",
    "are 5 % apart",
    "within 5 %",
    "within 10 % of linear",
    "by no more than 1 %",
    "a standard deviation of 1 %",
    "a standard deviation of 2 %",
    "or 20 % where there were none",
    "at least 80 % of what",
    "than 5 % apart",
];

/// The claims of a sheet and what is wrong with them.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    /// Percentages and multiples that were worked out again.
    pub(crate) count: usize,
    pub(crate) wrong: Vec<String>,
}

fn without_constants(sentence: &str) -> String {
    CONSTANTS.iter().fold(sentence.to_owned(), |said, constant| said.replace(constant, ""))
}

/// Works all claims of an English sheet out again.
pub(crate) fn claims(sheet: &Sheet) -> Claims {
    let mut all = Claims::default();
    for sentence in &sheet.sentences {
        let said =
            CONSTANTS.iter().fold(sentence.clone(), |said, constant| said.replace(constant, ""));
        let claimed: Vec<_> = numbers(&said)
            .into_iter()
            .filter(|number| matches!(number.unit, Unit::Percent | Unit::Times))
            .collect();
        match kinds::multiplied(sheet, &said) {
            Some(true) => all.count += 1,
            Some(false) => all.wrong.push(sentence.clone()),
            None => {}
        }
        for claim in claimed {
            match kinds::follows(sheet, &said, claim) {
                kinds::Verdict::NoClaim => {}
                kinds::Verdict::Holds => all.count += 1,
                kinds::Verdict::Wrong => {
                    all.wrong.push(format!("{} ({:?}): {sentence}", claim.value, claim.unit));
                }
            }
        }
    }
    all
}

/// Percentages, and multiples with decimals, of sentences of a language as they are printed, but for the
/// mark of decimals.
fn told<'s>(sentences: impl Iterator<Item = &'s String>, language: Language) -> Vec<String> {
    let number = |word: &str| match language {
        Language::English => word.replace(',', ""),
        Language::German => word.replace(',', "."),
    };
    let claims = sentences.flat_map(|sentence| {
        let sentence = sentence
            .replace("-mal", " times")
            .replace("-fach", " times")
            .replace("-Fache", " times");
        let words: Vec<&str> = sentence.split([' ', '(', ')', ';']).collect();
        let is_claim = |pair: &&[&str]| {
            let is_number = pair[0].ends_with(|last: char| last.is_ascii_digit());
            is_number
                && (pair[1].starts_with('%')
                    || (pair[1].starts_with("times") && number(pair[0]).contains('.')))
        };
        words.windows(2).filter(is_claim).map(|pair| number(pair[0])).collect::<Vec<_>>()
    });
    claims.collect()
}

/// What only one of the languages tells. What is constant may be told more often in one of them.
pub(crate) fn differences(english: &Sheet, german: &Sheet) -> Vec<String> {
    let all = told(english.sentences.iter(), Language::English);
    let varying: Vec<String> =
        english.sentences.iter().map(|sentence| without_constants(sentence)).collect();
    let mut claims = told(varying.iter(), Language::English);
    let mut told = told(german.sentences.iter(), Language::German);
    let only_german: Vec<String> = told.iter().filter(|one| !all.contains(one)).cloned().collect();
    told.retain(|one| match claims.iter().position(|claim| claim == one) {
        Some(index) => {
            claims.remove(index);
            false
        }
        None => true,
    });
    let german = only_german.into_iter().map(|one| format!("{one} is in German alone"));
    german.chain(claims.into_iter().map(|one| format!("{one} is not in German"))).collect()
}
