//! Video coding: motion search, integer transform and an adaptive range coder on generated frames.

mod codec;
mod coder;
mod scene;
mod transform;

use crate::member::{Class, Member, Scale};
use crate::output::Output;
use codec::Codec;
use coder::{Decoder, Encoder};
use scene::Scene;

pub(crate) const MEMBER: Member = Member {
    name: "video",
    class: Class::Integer,
    title: "Video coding",
    work: "codes generated frames of 352 x 288 pixels by full motion search, an integer cosine transform, \
           quantisation and an adaptive range coder, decodes them and compares the pictures",
    unit: "a frame coded and decoded",
    run,
};

fn run(scale: Scale) -> Output {
    let frames = scale.choose(1950, 66, 2);
    let mut output = Output::default();
    let scene = Scene::new();
    let (mut encoder, mut decoder) = (Codec::new(), Codec::new());
    let (mut equal, mut squares) = (0, 0);
    for number in 0..frames {
        let frame = scene.frame(number);
        let mut coder = Encoder::default();
        encoder.code(&mut coder, Some(&frame));
        let bytes = coder.finish();
        decoder.code(&mut Decoder::new(&bytes), None);
        equal += u64::from(encoder.picture() == decoder.picture());
        squares += squared_error(&frame, decoder.picture());
        if number % 20 == 0 || number + 1 == frames {
            output.content("coded", &bytes);
            output.content("picture", decoder.picture());
        }
    }
    output.count("equal pictures", equal);
    output.count("squared error", squares);
    output
}

fn squared_error(a: &[u8], b: &[u8]) -> u64 {
    a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::codec::{HEIGHT, WIDTH};
    use super::*;

    #[test]
    fn what_is_decoded_is_what_was_coded_and_resembles_the_frame() {
        let scene = Scene::new();
        let (mut encoder, mut decoder) = (Codec::new(), Codec::new());
        let mut sizes = Vec::new();
        for number in 0..3 {
            let frame = scene.frame(number);
            let mut coder = Encoder::default();
            encoder.code(&mut coder, Some(&frame));
            let bytes = coder.finish();
            decoder.code(&mut Decoder::new(&bytes), None);
            assert_eq!(encoder.picture(), decoder.picture());
            let mean = squared_error(&frame, decoder.picture()) as f64 / (WIDTH * HEIGHT) as f64;
            let ratio_db = 10.0 * libm::log10(255.0 * 255.0 / mean);
            assert!(ratio_db > 34.0, "{ratio_db} dB");
            sizes.push(bytes.len());
        }
        // A frame that follows another takes less.
        assert!(sizes[1] < sizes[0] && sizes[0] < WIDTH * HEIGHT / 3, "{sizes:?}");
    }
}
