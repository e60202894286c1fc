//! Running text with a little emphasis.

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

    /// The words alone.
    pub fn words(&self) -> String {
        let words = |inline: &Inline| match inline {
            Inline::Plain(words)
            | Inline::Strong(words)
            | Inline::Code(words)
            | Inline::English(words) => words.clone(),
            Inline::Link { text, .. } => text.clone(),
        };
        self.0.iter().map(words).collect()
    }

    /// Whether there is nothing to read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
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

/// A name as an id: lower-case letters, digits and hyphens.
pub(crate) fn slug(name: &str) -> String {
    let mut slug = String::new();
    for character in name.chars() {
        match character {
            c if c.is_ascii_alphanumeric() => slug.push(c.to_ascii_lowercase()),
            'ä' | 'Ä' => slug.push_str("ae"),
            'ö' | 'Ö' => slug.push_str("oe"),
            'ü' | 'Ü' => slug.push_str("ue"),
            'ß' => slug.push_str("ss"),
            _ if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            _ => {}
        }
    }
    slug.truncate(60);
    slug.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn names_become_ids() {
        assert_eq!(slug("database/8KiB"), "database-8kib");
        assert_eq!(slug("<script>"), "script");
        assert_eq!(slug("Durchsatz über Last"), "durchsatz-ueber-last");
        assert_eq!(slug("§"), "");
    }
}
