//! The buckets of a response-time histogram: log-linear, three significant digits.
//!
//! The layout is that of HdrHistogram with a lowest value of 1 ns and 3 significant digits: below
//! 2,048 ns every nanosecond has a bucket, above that every octave has 1,024 buckets, so a bucket
//! is never wider than 0.1 % of its values. Values up to 2^42 ns (73 minutes) are told apart.

/// Buckets per octave.
const PER_OCTAVE: u32 = 1024;
/// log2 of [`PER_OCTAVE`].
const OCTAVE_BITS: u32 = 10;
/// Values from here on share the last bucket: 2^42 ns, more than an hour.
const VALUE_END: u64 = 1 << 42;

/// Number of buckets.
pub const BUCKETS: usize = ((42 - OCTAVE_BITS) * PER_OCTAVE) as usize + PER_OCTAVE as usize;

/// The bucket of a response time in nanoseconds.
#[inline]
pub fn bucket_of(nanos: u64) -> usize {
    let value = nanos.min(VALUE_END - 1);
    let octave = 63 - OCTAVE_BITS - (value | (2 * u64::from(PER_OCTAVE) - 1)).leading_zeros();
    (octave * PER_OCTAVE) as usize + (value >> octave) as usize
}

/// The largest response time in nanoseconds that falls into a bucket.
pub fn bucket_top(bucket: usize) -> u64 {
    let per_octave = PER_OCTAVE as usize;
    if bucket < 2 * per_octave {
        return bucket as u64;
    }
    let octave = bucket / per_octave - 1;
    let mantissa = (bucket - octave * per_octave) as u64;
    ((mantissa + 1) << octave) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bucket_tops_bound_their_values_within_a_tenth_of_a_percent() {
        let mut value = 1u64;
        while value < VALUE_END {
            let top = bucket_top(bucket_of(value));
            assert!(top >= value, "{value}");
            assert!((top - value) as f64 <= value as f64 / 1000.0, "{value} {top}");
            assert_eq!(bucket_of(top), bucket_of(value));
            value += 1 + value / 777;
        }
    }

    #[test]
    fn buckets_are_contiguous() {
        for bucket in 1..BUCKETS {
            assert_eq!(bucket_of(bucket_top(bucket - 1) + 1), bucket);
            assert_eq!(bucket_of(bucket_top(bucket)), bucket);
        }
        assert_eq!(bucket_of(u64::MAX), BUCKETS - 1);
        assert_eq!(bucket_of(0), 0);
    }
}
