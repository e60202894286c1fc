//! Rows as they stand in the file, the words and numbers in them, and what the words mean.

use std::collections::BTreeMap;

use kneepoint_core::spec::document::did_you_mean;
use kneepoint_core::words::fault::Fault;

/// Longest file of cells that is read, in bytes (16 MiB).
pub const CELL_BYTES_MAX: usize = 16 << 20;

/// Columns that say what a row describes; without any of them no row can be understood.
const REQUIRED: &str = "subsystem drives workload criterion";

/// Columns that a file may have, too.
const OPTIONAL: &str = "id source table drive_type raid os_tool cache access read_pct block_kib \
                        outstanding_ios iops mbps latency_ms confidence note stroke stroke_pct \
                        stroke_percent target relative_to";

/// The rows of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellTable {
    /// The rows in their order.
    pub rows: Vec<Row>,
    /// Oddities of the file that do no harm, a sentence each.
    pub remarks: Vec<String>,
}

/// One row: text by column, nothing understood yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Line of the file that it begins on, from 1.
    pub line: u64,
    fields: BTreeMap<String, String>,
}

impl Row {
    /// The text of a column, without white space around it; empty where there is none.
    pub fn get(&self, column: &str) -> &str {
        self.fields.get(column).map_or("", String::as_str)
    }

    /// The row's name; made from its line where it has none.
    pub fn id(&self) -> String {
        match self.get("id") {
            "" => format!("line-{}", self.line),
            id => id.to_owned(),
        }
    }

    /// The table that the row belongs to: source and table.
    pub fn table(&self) -> String {
        match (self.get("source"), self.get("table")) {
            ("", "") => "unnamed table".to_owned(),
            (source, "") => source.to_owned(),
            ("", table) => table.to_owned(),
            (source, table) => format!("{source}, {table}"),
        }
    }
}

/// Reads a file of cells; `file_name` is what faults call it.
///
/// # Errors
/// When the text is not CSV (RFC 4180), when a row has more or fewer fields than the header, when
/// a required column is missing or a column is there twice.
pub fn parse(text: &str, file_name: &str) -> Result<CellTable, Fault> {
    if text.len() > CELL_BYTES_MAX {
        return Err(Fault::new(format!("{file_name}: the file is longer than 16 MiB"))
            .fix("is it the right file?"));
    }
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let header = reader.headers().map_err(|error| not_csv(file_name, &error))?.clone();
    // However they are set: `Read pct`, `read-pct`.
    let column = |text: &str| text.to_lowercase().replace([' ', '-'], "_");
    let columns: Vec<String> = header.iter().map(column).collect();
    check_columns(&columns, file_name)?;
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| not_csv(file_name, &error))?;
        let line = record.position().map_or(0, csv::Position::line);
        let fields = columns.iter().cloned().zip(record.iter().map(str::to_owned));
        rows.push(Row { line, fields: fields.collect() });
    }
    let is_known = |name: &String| [REQUIRED, OPTIONAL].iter().any(|known| is_among(known, name));
    let unknown = columns.iter().filter(|name| !is_known(name));
    let unknown =
        unknown.map(|name| format!("the column '{name}' means nothing here and is not read"));
    // Rows of one name cannot be told apart in the result.
    let mut lines: BTreeMap<String, u64> = BTreeMap::new();
    let repeated = rows.iter().filter_map(|row| {
        let first = lines.insert(row.id(), row.line)?;
        Some(format!("'{}' names the rows on lines {first} and {}", row.id(), row.line))
    });
    let remarks = unknown.chain(repeated).collect();
    Ok(CellTable { rows, remarks })
}

fn not_csv(file_name: &str, error: &csv::Error) -> Fault {
    let line = error.position().map_or(1, csv::Position::line);
    let fix = "write one row per line with a comma between fields and quotes around text that has \
               commas; every row has as many fields as the header";
    Fault::new(format!("{file_name}:{line}: the row cannot be read")).because(error).fix(fix)
}

fn check_columns(columns: &[String], file_name: &str) -> Result<(), Fault> {
    let mut numbered = columns.iter().enumerate();
    if let Some((_, name)) = numbered.find(|(index, name)| columns[..*index].contains(name)) {
        return Err(Fault::new(format!("{file_name}:1: the column '{name}' is there twice"))
            .fix("leave one of them out"));
    }
    let mut required = REQUIRED.split(' ');
    if let Some(name) = required.find(|name| !columns.iter().any(|column| column == name)) {
        let near = did_you_mean(name, columns.iter().map(String::as_str));
        let listed = [REQUIRED, OPTIONAL].join(" ").replace(' ', ", ");
        let advice = near.map_or_else(String::new, |near| format!("{near} "));
        return Err(Fault::new(format!("{file_name}:1: there is no column '{name}'")).fix(
            format!("{advice}name the columns as in systems/data/calibration.csv: {listed}"),
        ));
    }
    if !columns.iter().any(|name| name == "iops" || name == "mbps") {
        return Err(Fault::new(format!("{file_name}:1: there is neither 'iops' nor 'mbps'"))
            .fix("give the published number in one of these columns"));
    }
    Ok(())
}

/// A piece of a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// Letters, in lower case; a percent sign is its own word.
    Word(String),
    /// A number without sign: `30`, `2.5`.
    Number(f64),
}

impl Token {
    /// True if this is one of `words`, which spaces separate.
    pub(super) fn is(&self, words: &str) -> bool {
        matches!(self, Self::Word(word) if is_among(words, word))
    }

    /// The number, if it is one.
    pub(super) const fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Word(_) => None,
        }
    }
}

/// True if `word` is one of `words`, which spaces separate.
pub(super) fn is_among(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

/// True if one of `words` is among the tokens.
pub(super) fn has(tokens: &[Token], words: &str) -> bool {
    tokens.iter().any(|token| token.is(words))
}

/// The first number before one of the words `units`.
pub(super) fn number_before(tokens: &[Token], units: &str) -> Option<f64> {
    tokens.windows(2).find_map(|pair| pair[0].number().filter(|_| pair[1].is(units)))
}

/// The words and numbers of `text` in their order. Letters and digits part without a separator:
/// `avg_rt_20ms` is `avg rt 20 ms`.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '0'..='9' => number_length(rest),
            letter if letter.is_alphabetic() => {
                rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())
            }
            other => other.len_utf8(),
        };
        let (piece, after) = rest.split_at(length);
        rest = after;
        if let Some(number) = piece.parse().ok().filter(|_| first.is_ascii_digit()) {
            tokens.push(Token::Number(number));
        } else if first.is_alphabetic() || first == '%' {
            tokens.push(Token::Word(piece.to_lowercase()));
        }
    }
    tokens
}

/// Bytes of the number that `text` begins with: digits, and a point with digits after it.
fn number_length(text: &str) -> usize {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let whole = digits(text);
    match text[whole..].strip_prefix('.').map(digits) {
        Some(decimals @ 1..) => whole + 1 + decimals,
        _ => whole,
    }
}

/// The letters and digits of `text`, in lower case, without anything between them.
pub(super) fn squash(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// True if a field gives no value: it is empty, or says so.
pub(super) fn is_unsaid(text: &str) -> bool {
    const UNSAID: &str = "na nan null unknown unspecified notstated notgiven notapplicable";
    let squashed = squash(text);
    squashed.is_empty() || is_among(UNSAID, &squashed)
}

/// Settings by the phrases that mean them: squashed, parted by spaces.
pub(super) struct Spellings(pub(super) &'static [(&'static str, &'static str)]);

impl Spellings {
    fn pairs(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        let Self(settings) = *self;
        settings.iter().flat_map(|(setting, words)| words.split(' ').map(|word| (word, *setting)))
    }

    /// The first setting one of whose phrases is a word of the text.
    pub(super) fn among(&self, tokens: &[Token]) -> Option<&'static str> {
        self.0.iter().find(|(_, words)| has(tokens, words)).map(|(setting, _)| *setting)
    }

    /// The first setting one of whose phrases stands anywhere in a squashed text.
    pub(super) fn within(&self, squashed: &str) -> Option<&'static str> {
        self.take(&mut squashed.to_owned())
    }

    /// The same, and the phrase is taken out of the text.
    pub(super) fn take(&self, squashed: &mut String) -> Option<&'static str> {
        let (start, phrase, setting) = self
            .pairs()
            .find_map(|(phrase, setting)| Some((squashed.find(phrase)?, phrase, setting)))?;
        squashed.replace_range(start..start + phrase.len(), "");
        Some(setting)
    }

    /// The setting of the longest phrase that a squashed text begins with.
    pub(super) fn beginning(&self, squashed: &str) -> Option<&'static str> {
        let fitting = self.pairs().filter(|(phrase, _)| squashed.starts_with(phrase));
        fitting.max_by_key(|(phrase, _)| phrase.len()).map(|(_, setting)| setting)
    }
}

/// Shipped profiles.
pub(super) const PROFILES: Spellings = Spellings(&[
    ("oltp", "onlinetransactionprocessing oltp transactionprocessing random6733 rand6733"),
    ("file-copy", "random5050 rand5050 filecopy copy"),
    ("single-stream-read", "singlestreamread singlesequentialread singlethreadedsequentialread"),
    ("single-stream-read", "singlethreadsequentialread singlethreadedread singleseqread"),
    (
        "single-stream-write",
        "singlestreamwrite singlesequentialwrite singlethreadedsequentialwrite",
    ),
    ("single-stream-write", "singlethreadsequentialwrite singlethreadedwrite singleseqwrite"),
    ("stream-read", "streamingread streamread sequentialread seqread"),
    ("stream-write", "streamingwrite streamwrite sequentialwrite seqwrite"),
    ("streaming", "streaming"),
    ("random-read", "randomread randread rndread"),
    ("random-write", "randomwrite randwrite rndwrite"),
    ("file-server", "fileserver fileserving"),
    ("web-server", "webserver webserving"),
    ("database", "database"),
    ("restore", "restore"),
    ("backup", "backup"),
    ("operating-system", "operatingsystem"),
    ("mail-server", "mail"),
    ("log", "databaselog dblog logfile log"),
    ("video", "video"),
]);

/// Operating systems that issued the load.
pub(super) const HOSTS: Spellings =
    Spellings(&[("linux", "linux fio sles rhel"), ("windows", "windows win iometer")]);

/// Mirrored write caches.
pub(super) const MIRROR: Spellings = Spellings(&[
    ("off", "nocachemirroring nomirroring nomirror withoutcachemirroring withoutmirroring"),
    ("off", "cachemirroringoff cachemirroringdisabled mirroringoff mirroringdisabled mirroroff"),
    ("off", "unmirrored"),
    ("on", "withcachemirroring withmirroring cachemirroringon cachemirroringenabled mirroringon"),
    ("on", "mirroringenabled mirroron cachemirroring mirroring mirrored"),
]);

/// The drives' own write caches.
pub(super) const DISK_CACHE: Spellings = Spellings(&[
    ("off", "diskcacheoff diskcachedisabled drivecacheoff withoutdiskcache nodiskcache dcoff"),
    ("on", "diskcacheon diskcacheenabled drivecacheon withdiskcache diskcache dcon"),
]);

/// Read-ahead of the controller.
pub(super) const READ_AHEAD: Spellings = Spellings(&[
    ("off", "noreadahead readaheadoff readaheaddisabled readcacheoff readcachedisabled"),
    ("on", "adaptivereadahead readaheadon readaheadenabled readahead readcacheon readcacheenabled"),
]);

/// The controller's write cache.
pub(super) const WRITE_CACHE: Spellings = Spellings(&[
    ("off", "writecacheoff writecachedisabled writecachesoff writecachesdisabled writethrough"),
    ("off", "nowritecache withoutwritecache wcoff wcdisabled wcd wt"),
    ("on", "writecacheon writecacheenabled writecacheson writecachesenabled writeback"),
    ("on", "withwritecache writecache wcon wcenabled wce wb"),
]);

/// Every cache at once.
pub(super) const CACHES: Spellings = Spellings(&[
    ("off", "allcachesdisabled allcachesoff allcacheoff allcachedisabled alloff alldisabled"),
    ("off", "cachesoff cachesdisabled cacheoff cachedisabled nocaches nocache disabled none off"),
    ("on", "allcachesenabled allcacheson allcacheon allcacheenabled allon allenabled"),
    ("on", "cacheson cachesenabled cacheon cacheenabled enabled on"),
]);

/// Words for a percent.
pub(super) const PERCENT: &str = "% pct percent prozent";

/// Words for numbers that are shares of others.
pub(super) const SHARE: &str =
    "multiplier multipliers relative scaling factor ratio share normalized normalised";
