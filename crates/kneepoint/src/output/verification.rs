//! What was found on a target whose data is verified.

use kneepoint_core::words::number::RoundedBytes;
use kneepoint_core::words::units::Bytes;
use kneepoint_device::verification::Examination;

/// What was looked at, and the places that are wrong.
pub(crate) fn examination_text(target: &str, examination: &Examination) -> String {
    let Examination { bytes, in_doubt, places, more } = examination;
    let judgement = match places.len() {
        0 => "all is as it was written".to_owned(),
        1 => "1 place is wrong".to_owned(),
        count => format!("{count} places are wrong"),
    };
    let doubt = match in_doubt {
        Bytes(0) => String::new(),
        Bytes(bytes) => format!(
            "; {} may be old or new: writes there met, failed or were in flight at the end",
            RoundedBytes(*bytes)
        ),
    };
    let mut text = format!("{target}: {} verified, {judgement}{doubt}\n", RoundedBytes(bytes.0));
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
    use kneepoint_device::verification::Place;

    use super::*;

    #[test]
    fn the_places_are_told_and_the_doubt() {
        let mut found =
            Examination { bytes: Bytes(1 << 20), in_doubt: Bytes(0), places: Vec::new(), more: 0 };
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
            "k.dat: 1.0 MiB verified, 1 place is wrong; 8.0 KiB may be old or new: writes there met, \
             failed or were in flight at the end\n  lost write at byte 4096 (512 bytes): it is of write \
             7, and write 9 was the last\n  and 3 more sectors\n"
        );
    }
}
