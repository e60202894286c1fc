//! Words and numbers in what a paper calls things, and what the words mean.

/// A piece of a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// Letters, in lower case; a percent sign is its own word.
    Word(String),
    /// A number without sign: `30`, `2.5`.
    Number(f64),
}

impl Token {
    /// Whether this is one of `words`, which spaces part.
    pub(super) fn is(&self, words: &str) -> bool {
        matches!(self, Self::Word(word) if words.split(' ').any(|known| known == word))
    }

    /// The number, if it is one.
    pub(super) const fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Word(_) => None,
        }
    }
}

/// Whether one of `words` is among the tokens.
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
        match piece.parse() {
            Ok(number) if first.is_ascii_digit() => tokens.push(Token::Number(number)),
            _ if first.is_alphabetic() || first == '%' => {
                tokens.push(Token::Word(piece.to_lowercase()));
            }
            _ => {}
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

/// Whether a field says nothing: it is empty, or says so.
pub(super) fn is_unsaid(text: &str) -> bool {
    const UNSAID: &str = "na nan null unknown unspecified notstated notgiven notapplicable";
    let squashed = squash(text);
    squashed.is_empty() || UNSAID.split(' ').any(|unsaid| unsaid == squashed)
}

/// Settings by the phrases that mean them: squashed, parted by spaces.
pub(super) struct Spellings(pub(super) &'static [(&'static str, &'static str)]);

impl Spellings {
    fn pairs(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        let pair = |(setting, phrases): &(&'static str, &'static str)| {
            let setting = *setting;
            phrases.split(' ').map(move |phrase| (phrase, setting))
        };
        self.0.iter().flat_map(pair)
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

/// Spinning or flash.
pub(super) const DRIVE_KINDS: Spellings =
    Spellings(&[(SSD, "ssd flash slc mlc"), (HDD, "hdd rpm krpm disk")]);

/// A hard disk in a description.
pub(super) const HDD: &str = "hard disk";

/// A solid-state drive in a description.
pub(super) const SSD: &str = "solid-state drive";

/// What drives are attached by, as a description calls it.
pub(super) const INTERFACES: Spellings =
    Spellings(&[("SATA", "sata"), ("SAS", "sas"), ("Fibre Channel", "fc fibre fiber")]);

/// Classes of drives (Fujitsu, Single Disk Performance, 2011): economic, business critical,
/// extended performance.
pub(super) const CLASSES: Spellings = Spellings(&[
    ("eco", "eco economic economy"),
    ("bc", "bc business critical"),
    ("ep", "ep extended"),
]);

/// Words for a percent.
pub(super) const PERCENT: &str = "% pct percent prozent";

/// Words for numbers that are shares of others.
pub(super) const SHARE: &str =
    "multiplier multipliers relative scaling factor ratio share normalized normalised";
