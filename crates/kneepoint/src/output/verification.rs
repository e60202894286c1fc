//! What was found on a target whose data is verified.

use kneepoint_core::words::number::RoundedBytes;
use kneepoint_core::words::units::Bytes;
use kneepoint_device::verification::Examination;

/// What was looked at, and the places that are wrong or cannot be read.
pub(crate) fn examination_text(target: &str, examination: &Examination) -> String {
    let Examination { bytes, unreadable, in_doubt, places, more } = examination;
    let judgement = match (places.len(), in_doubt, unreadable.len()) {
        (0, Bytes(0), 0) => "all is as it was written".to_owned(),
        (0, _, _) => "no place is known to be wrong".to_owned(),
        (1, _, _) => "1 place is wrong".to_owned(),
        (count, _, _) => format!("{count} places are wrong"),
    };
    let missing = match unreadable.iter().map(|place| place.bytes.0).sum() {
        0 => String::new(),
        bytes => format!("; {} cannot be read", RoundedBytes(bytes)),
    };
    let doubt = match in_doubt {
        Bytes(0) => String::new(),
        Bytes(bytes) => format!(
            "; {} may be old or new: a write there met another, failed, was in flight at the end or was \
             not yet durable",
            RoundedBytes(*bytes)
        ),
    };
    let verified = RoundedBytes(bytes.0);
    let mut text = format!("{target}: {verified} verified, {judgement}{missing}{doubt}\n");
    for place in unreadable {
        text.push_str(&format!("  {place}\n"));
    }
    for place in places {
        text.push_str(&format!("  {place}\n"));
    }
    if *more > 0 {
        text.push_str(&format!("  and {more} more sectors\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use kneepoint_core::result::warning::DataFault;
    use kneepoint_device::verification::{Place, UnreadablePlace};

    use super::*;

    /// Of 1 MiB with nothing wrong.
    fn nothing_wrong() -> Examination {
        Examination {
            bytes: Bytes(1 << 20),
            unreadable: Vec::new(),
            in_doubt: Bytes(0),
            places: Vec::new(),
            more: 0,
        }
    }

    #[test]
    fn the_places_are_told_and_the_doubt() {
        let mut found = nothing_wrong();
        let text = examination_text("k.dat", &found);
        assert_eq!(text, "k.dat: 1.0 MiB verified, all is as it was written\n");
        found.places.push(Place {
            fault: DataFault::LostWrite,
            offset: Bytes(4096),
            bytes: Bytes(512),
            why: "it is of write 7, and write 9 was the last".to_owned(),
        });
        (found.in_doubt, found.more) = (Bytes(8192), 3);
        let text = examination_text("k.dat", &found);
        assert_eq!(
            text,
            "k.dat: 1.0 MiB verified, 1 place is wrong; 8.0 KiB may be old or new: a write there met \
             another, failed, was in flight at the end or was not yet durable\n  lost write at byte 4096 (512 \
             bytes): it is of write 7, and write 9 was the last\n  and 3 more sectors\n"
        );
    }

    #[test]
    fn what_is_in_doubt_is_not_said_to_be_as_it_was_written() {
        let doubt = Examination { in_doubt: Bytes(8192), ..nothing_wrong() };
        assert_eq!(
            examination_text("k.dat", &doubt),
            "k.dat: 1.0 MiB verified, no place is known to be wrong; 8.0 KiB may be old or new: a write \
             there met another, failed, was in flight at the end or was not yet durable\n"
        );
        assert!(!doubt.has_failed());
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        let why = "the target ends at byte 524288".to_owned();
        let (offset, bytes) = (Bytes(1 << 19), Bytes(1 << 19));
        let unreadable = vec![UnreadablePlace { offset, bytes, why }];
        let found = Examination { bytes, unreadable, ..nothing_wrong() };
        assert_eq!(
            examination_text("k.dat", &found),
            "k.dat: 512 KiB verified, no place is known to be wrong; 512 KiB cannot be read\n  unreadable \
             at byte 524288 (524288 bytes): the target ends at byte 524288\n"
        );
        assert!(found.has_failed());
    }
}
