//! What differs from run to run, replaced by something of the same length.

/// Shapes and what they become: `d` is a digit, `h` a hexadecimal digit, the rest stands for
/// itself.
const SHAPES: [(&str, &str); 2] = [
    ("dddddddd-dddddd-hhhh", "YYYYMMDD-hhmmss-XXXX"),
    ("dddd-dd-ddTdd:dd:ddZ", "YYYY-MM-DDThh:mm:ssZ"),
];

/// The text with run ids and times replaced.
pub(crate) fn redact(text: &str) -> String {
    let mut redacted = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let shape = SHAPES.iter().find(|(shape, _)| fits(shape, rest));
        let (taken, written) = match shape {
            Some((shape, replacement)) => (shape.len(), *replacement),
            None => (first.len_utf8(), &rest[..first.len_utf8()]),
        };
        redacted.push_str(written);
        rest = &rest[taken..];
    }
    redacted
}

fn fits(shape: &str, text: &str) -> bool {
    text.len() >= shape.len()
        && shape.bytes().zip(text.bytes()).all(|(kind, byte)| match kind {
            b'd' => byte.is_ascii_digit(),
            b'h' => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
            other => byte == other,
        })
}

#[test]
fn ids_and_times_are_redacted() {
    assert_eq!(redact("run 20261121-054833-07a1, ≥"), "run YYYYMMDD-hhmmss-XXXX, ≥");
    assert_eq!(redact("at 2026-11-21T05:48:33Z"), "at YYYY-MM-DDThh:mm:ssZ");
    assert_eq!(redact("20261121 2026-11-21"), "20261121 2026-11-21");
}
