//! Running text with links and names.

/// Running text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text(pub Vec<Inline>);

/// A stretch of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inline {
    /// Ordinary words.
    Plain(String),
    /// Words that carry the sentence.
    Strong(String),
    /// A name or command as it was typed.
    Code(String),
    /// English words in a page of another language.
    English(String),
    /// Words that lead to a section of the page.
    Link {
        /// The words.
        text: String,
        /// Id of the section.
        to: String,
    },
    /// Explains a term of the text before it: a sentence of its own, set off by a space.
    Definition {
        /// The term.
        term: String,
        /// Its meaning, with the point at its end.
        meaning: String,
    },
}

impl Text {
    /// No text yet.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds ordinary words.
    #[must_use]
    pub fn plain(self, text: impl Into<String>) -> Self {
        self.with(Inline::Plain(text.into()))
    }

    /// Adds words that carry the sentence.
    #[must_use]
    pub fn strong(self, text: impl Into<String>) -> Self {
        self.with(Inline::Strong(text.into()))
    }

    /// Adds a name or command as it was typed.
    #[must_use]
    pub fn code(self, text: impl Into<String>) -> Self {
        self.with(Inline::Code(text.into()))
    }

    /// Adds English words to a text of another language.
    #[must_use]
    pub fn english(self, text: impl Into<String>) -> Self {
        self.with(Inline::English(text.into()))
    }

    /// Adds words that lead to the section with the id `to`.
    #[must_use]
    pub fn link(self, text: impl Into<String>, to: impl Into<String>) -> Self {
        self.with(Inline::Link { text: text.into(), to: to.into() })
    }

    /// Adds another text.
    #[must_use]
    pub fn join(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Puts `prefix` before the ids that links lead to.
    pub(crate) fn prefix(&mut self, prefix: &str) {
        for inline in &mut self.0 {
            if let Inline::Link { to, .. } = inline {
                to.insert_str(0, prefix);
            }
        }
    }

    /// Makes words of links that lead to none of `ids`.
    pub(super) fn unlink(&mut self, ids: &[String]) {
        for inline in &mut self.0 {
            if let Inline::Link { text, to } = inline
                && !ids.contains(to)
            {
                *inline = Inline::Plain(std::mem::take(text));
            }
        }
    }

    /// The words alone.
    pub fn words(&self) -> String {
        let words = |inline: &Inline| match inline {
            Inline::Plain(words)
            | Inline::Strong(words)
            | Inline::Code(words)
            | Inline::English(words) => words.clone(),
            Inline::Link { text, .. } => text.clone(),
            Inline::Definition { term, meaning } => format!(" {term}: {meaning}"),
        };
        self.0.iter().map(words).collect()
    }

    fn with(mut self, inline: Inline) -> Self {
        self.0.push(inline);
        self
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        if text.is_empty() { Self::new() } else { Self::new().plain(text) }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}
