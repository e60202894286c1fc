//! What speaks for and against writing a target, read from one open descriptor: looked at when the
//! target is judged, and again on the descriptor that will write.

use std::fs::File;
use std::io;

use crate::layout::{Mark, Origin, origin};

use super::content::{Content, is_own_sector};
use super::signature::{self, Image, Signature};

/// What was found on a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Evidence {
    /// Whose the file is by its mark; absent for a device.
    pub(super) origin: Option<Origin>,
    /// What was recognised in it.
    pub(super) signatures: Vec<Signature>,
    /// What its samples hold.
    pub(super) content: Content,
}

impl Evidence {
    /// Looks at a device of that size.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn of_device(file: &File, size_bytes: u64) -> io::Result<Self> {
        let signatures = signatures(file, size_bytes)?;
        Ok(Self { origin: None, signatures, content: Content::of(file, size_bytes)? })
    }

    /// Looks at a file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn of_file(file: &File) -> io::Result<Self> {
        let origin = origin(file)?;
        let size_bytes = match origin {
            Origin::Own(mark, _) => mark.size.0,
            _ => file.metadata()?.len(),
        };
        let signatures = signatures(file, size_bytes)?;
        Ok(Self { origin: Some(origin), signatures, content: Content::of(file, size_bytes)? })
    }

    /// The mark of a file that Kneepoint made and that nothing else wrote to.
    pub(super) fn own_mark(&self) -> Option<Mark> {
        match self.origin {
            Some(Origin::Own(mark, _)) if self.is_without_content() => Some(mark),
            _ => None,
        }
    }

    /// Whether nothing that it shows needs anybody's word.
    fn is_free(&self) -> bool {
        match self.origin {
            Some(_) => self.own_mark().is_some(),
            None => self.is_without_content(),
        }
    }

    fn is_without_content(&self) -> bool {
        self.signatures.is_empty() && self.content.is_free()
    }

    /// What was found in a file beside its mark, as the object of a sentence.
    pub(super) fn strange_content(&self) -> Option<&'static str> {
        match self.signatures.first() {
            Some(signature) => Some(signature.format.name()),
            None if !self.content.is_free() => Some("data that Kneepoint did not write"),
            None => None,
        }
    }

    /// What is different since `judged`, as the end of a sentence; nothing where the judgement
    /// still stands.
    pub(super) fn difference(&self, judged: Option<&Self>) -> Option<&'static str> {
        let Some(judged) = judged else {
            let is_ours = self.is_without_content();
            return (!is_ours).then_some("something else wrote to it since it was made");
        };
        if self.is_free() {
            None
        } else if self.origin != judged.origin {
            Some("its mark is not the one that it had when it was judged")
        } else if self.signatures != judged.signatures {
            Some("what can be recognised on it is not what it was when it was judged")
        } else if self.content != judged.content {
            Some("its content is not what it was when it was judged")
        } else {
            None
        }
    }
}

/// What can be recognised, without magics of two bytes that stand by chance in what Kneepoint wrote.
fn signatures(file: &File, size_bytes: u64) -> io::Result<Vec<Signature>> {
    let mut kept = Vec::new();
    for signature in signature::probe(&Image::new(file, size_bytes))? {
        let may_be_chance = signature.format.has_short_magic();
        if !may_be_chance || !is_own_sector(file, signature.offset_bytes)? {
            kept.push(signature);
        }
    }
    Ok(kept)
}
