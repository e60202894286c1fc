//! A mean with its confidence interval.

use super::student::two_sided_quantile;
use crate::load::record::histogram::{Histogram, bucket_of};
use crate::load::record::interval::IntervalRecord;
use crate::words::units::Nanos;

/// Confidence intervals miss the true mean with this probability.
const ALPHA: f64 = 0.05;

/// The mean of a sequence, and how far it can be trusted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanEstimate {
    /// Mean of all values.
    pub mean: f64,
    /// Standard error of the mean.
    pub standard_error: f64,
    /// Degrees of freedom of the standard error.
    pub dof: u32,
    /// Half-width of the 95 % confidence interval.
    pub half_width: f64,
}

impl MeanEstimate {
    /// The mean of `values`, which are in `batches`.
    ///
    /// The error is that of the batch means. A model of the sequence replaces it if it is larger,
    /// because batches that are in step with a swing do not see it, and if it is less than half as
    /// large, because batches shorter than a swing take it for chance: then as far as the swing is
    /// regular, only the places in it at which the sequence begins and ends count.
    pub fn of(values: &[f64], batches: &Batches) -> Self {
        Self::with_swing(values, batches).0
    }

    /// The same, and whether it is known better than by the batches because the values swing regularly.
    pub(super) fn with_swing(values: &[f64], batches: &Batches) -> (Self, bool) {
        let plain = Self::of_batches(values, batches);
        let Some(model) = ModelError::of(values) else { return (plain, false) };
        let error = if model.standard_error > plain.standard_error {
            model.standard_error
        } else if model.standard_error < plain.standard_error / 2.0 {
            model.standard_error.max(model.ends).min(plain.standard_error)
        } else {
            plain.standard_error
        };
        let swings = error < plain.standard_error && model.foreseen >= FORESEEN_MIN;
        let half_width = two_sided_quantile(ALPHA, plain.dof) * error;
        (Self { standard_error: error, half_width, ..plain }, swings)
    }

    /// The mean of `values` by their `batches` alone.
    pub(super) fn of_batches(values: &[f64], batches: &Batches) -> Self {
        let count = batches.count() as f64;
        let centre = mean(&batches.means);
        let squares = batches.means.iter().map(|value| (value - centre) * (value - centre));
        let scatter = match squares.sum::<f64>() {
            rounding if is_rounding(rounding, centre, count) => 0.0,
            scatter => scatter,
        };
        let inflation = Batches::inflation(&batches.means);
        let standard_error = libm::sqrt(scatter * inflation / (count * (count - 1.0)));
        let dof = batches.dof(inflation);
        let half_width = two_sided_quantile(ALPHA, dof) * standard_error;
        Self { mean: mean(values), standard_error, dof, half_width }
    }

    /// The mean of a quantity that is a constant over this one, with the same relative error.
    #[must_use]
    pub(super) fn reciprocal(self, mean: f64) -> Self {
        let factor = if self.mean == 0.0 { 0.0 } else { mean / self.mean };
        Self {
            mean,
            standard_error: self.standard_error * factor,
            half_width: self.half_width * factor,
            ..self
        }
    }

    /// The same of a sequence whose neighbours are not independent at any size of batch.
    #[must_use]
    pub(super) fn of_open(self) -> Self {
        Self {
            standard_error: OPEN_WIDENING * self.standard_error,
            half_width: OPEN_WIDENING * self.half_width,
            ..self
        }
    }

    /// Whether the interval is at most `accuracy` (a fraction) of the mean to either side.
    pub fn is_within(&self, accuracy: f64) -> bool {
        self.half_width <= accuracy * self.mean.abs()
    }

    /// Whether the interval will be wider than `accuracy` even after `time_left` (at least 1) times as
    /// long, with 95 % confidence: its error falls with the square root of the time, and is itself known from
    /// few batches (the scatter of normally distributed ones has a chi-square distribution). After that
    /// time the error may be as well known as it can be.
    pub(super) fn stays_wider(&self, accuracy: f64, time_left: f64) -> bool {
        let dof = f64::from(self.dof);
        let least = libm::sqrt(dof / chi_square_95(dof)) * self.standard_error;
        NORMAL_QUANTILE * least / libm::sqrt(time_left) > accuracy * self.mean.abs()
    }
}

/// Reaches around the mean as a 95 % interval does whose error is known exactly.
const NORMAL_QUANTILE: f64 = 1.96;

/// The 95 % quantile of the chi-square distribution, within 1 % from two degrees of freedom on (E. B. Wilson and
/// M. M. Hilferty, "The distribution of chi-square", PNAS 17, 1931).
fn chi_square_95(dof: f64) -> f64 {
    let ninth = 2.0 / (9.0 * dof);
    dof * libm::pow(1.0 - ninth + 1.644_854 * libm::sqrt(ninth), 3.0)
}

/// Where batches of no size pass for independent, the correlation that is corrected for is an estimate from 16
/// of them, and low more often than not at the moment at which a measurement ends: intervals are made wider by
/// this factor (docs/confidence.md has what they hold).
const OPEN_WIDENING: f64 = 1.5;

/// Fewest batches, as long as there are intervals for them; with fewer, quantiles of Student's t
/// distribution are large and the estimate of the correlation is worth little.
pub const BATCHES_MIN: usize = 16;

/// Most batches: more would make the interval no narrower (B. Schmeiser, "Batch size effects in
/// the analysis of simulation output", Operations Research 30, 1982).
const BATCHES_MAX: usize = 64;

/// The test of independence is made with at least this many batches; with fewer it sees nothing.
const TESTED_BATCHES_MIN: usize = 2 * BATCHES_MIN;

/// Independent means are joined by this many again: the test overlooks weak correlation, and what
/// it can overlook among short batches is gone among long ones (A. M. Law and J. S. Carson, "A
/// sequential procedure for determining the length of a steady-state simulation", Operations
/// Research 27, 1979, test 400 batches and use 40).
const SAFETY: usize = 4;

/// Correlation above this score counts as found: the upper 10 % of the normal distribution.
const SCORE_MAX: f64 = 1.2816;

/// Whether the test of independence was passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Independence {
    /// Batches of at most the size in use passed the test.
    Passed,
    /// No batch size that leaves enough batches passes; the correlation is corrected for, but the
    /// measurement is short against the time over which the system remembers.
    Open,
    /// The same, but because of a regular swing, which a model of the sequence knows.
    Swing,
}

/// A sequence in batches of equal size.
#[derive(Debug, Clone, PartialEq)]
pub struct Batches {
    /// Mean of each batch, oldest first.
    pub means: Vec<f64>,
    /// Values in each batch.
    pub size: usize,
    /// Whether neighbours were found to be independent.
    pub independence: Independence,
}

impl Batches {
    /// Batches of `values`, of a size chosen by the correlation of their means; `None` for fewer
    /// values than [`BATCHES_MIN`].
    pub fn choose(values: &[f64]) -> Option<Self> {
        let size_max = values.len() / BATCHES_MIN;
        if size_max == 0 {
            return None;
        }
        let (wanted, independence) = match independent_size(values) {
            Some(size) => (size * SAFETY, Independence::Passed),
            None => (size_max, Independence::Open),
        };
        let size = wanted.max(values.len() / BATCHES_MAX).min(size_max);
        Some(Self { means: batch_means(values, size), size, independence })
    }

    /// Number of batches.
    pub const fn count(&self) -> usize {
        self.means.len()
    }

    /// Degrees of freedom that are left of `count` batches after the variance was raised by
    /// `inflation`; at least 2.
    pub(super) fn dof(&self, inflation: f64) -> u32 {
        ((self.count() as f64 / inflation) as u32).saturating_sub(1).max(2)
    }

    /// By how much correlation among `values`, one per batch, raises the variance of their mean.
    pub(super) fn inflation(values: &[f64]) -> f64 {
        variance_inflation(values)
    }
}

/// The smallest tried size at which neighbouring batch means pass for independent.
fn independent_size(values: &[f64]) -> Option<usize> {
    let mut size = 1;
    while values.len() / size >= TESTED_BATCHES_MIN {
        if correlation(&batch_means(values, size)).score < SCORE_MAX {
            return Some(size);
        }
        size = (size * 3).div_ceil(2).max(size + 1);
    }
    None
}

/// Means of as many whole batches as there are; what is left over is left out at the front, where
/// a rest of the warm-up would be.
fn batch_means(values: &[f64], size: usize) -> Vec<f64> {
    values[values.len() % size..].chunks_exact(size).map(mean).collect()
}

/// Arithmetic mean; zero for nothing.
pub(super) fn mean(values: &[f64]) -> f64 {
    match values.len() {
        0 => 0.0,
        count => values.iter().sum::<f64>() / count as f64,
    }
}

/// What von Neumann's ratio says of a sequence.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Correlation {
    /// Estimate of the correlation of neighbours, -1 to 1; zero for a constant sequence.
    pub(super) neighbours: f64,
    /// The same in standard deviations under independence.
    pub(super) score: f64,
}

/// Compares the differences of neighbours with the scatter of all (J. von Neumann, "Distribution
/// of the ratio of the mean square successive difference to the variance", Annals of Mathematical
/// Statistics 12, 1941; for batch means G. S. Fishman, "Grouping observations in digital
/// simulation", Management Science 24, 1978).
///
/// One minus half the ratio has mean 0 and variance (n - 2) / (n^2 - 1) for n independent normal
/// values, and is close to the correlation of neighbours otherwise.
fn correlation(values: &[f64]) -> Correlation {
    let count = values.len() as f64;
    let centre = mean(values);
    let scatter: f64 = values.iter().map(|value| (value - centre) * (value - centre)).sum();
    let steps = values.windows(2).map(|pair| (pair[1] - pair[0]) * (pair[1] - pair[0]));
    if values.len() < 3 || is_rounding(scatter, centre, count) {
        return Correlation { neighbours: 0.0, score: 0.0 };
    }
    let neighbours = 1.0 - steps.sum::<f64>() / (2.0 * scatter);
    Correlation {
        neighbours,
        score: neighbours * libm::sqrt((count * count - 1.0) / (count - 2.0)),
    }
}

/// Whether the sum of `count` squared deviations from `centre` comes from rounding alone: neither
/// scatter nor correlation should be read into it.
fn is_rounding(scatter: f64, centre: f64, count: f64) -> bool {
    scatter <= count * (1e-12 * centre) * (1e-12 * centre)
}

/// By how much the variance of the mean of `values` exceeds that of independent ones, at least 1.
///
/// The sum over all lags of a sequence whose correlation falls off by the same factor at each lag
/// (autoregressive of first order), the form that batch means of a stationary process approach
/// (N. M. Steiger et al., "ASAP3: a batch means procedure for steady-state simulation analysis",
/// ACM TOMACS 15, 2005). A negative correlation is not made use of.
fn variance_inflation(values: &[f64]) -> f64 {
    let estimate = correlation(values);
    if estimate.score == 0.0 {
        return 1.0;
    }
    let factor = (estimate.neighbours + 1.0 / values.len() as f64).clamp(0.0, FACTOR_MAX);
    (1.0 + factor) / (1.0 - factor)
}

/// Estimates of the correlation from some dozen batches are not trusted above this.
const FACTOR_MAX: f64 = 0.8;

/// The sequence is joined to at most this many groups: swings shorter than a group do not matter to
/// the mean.
const GROUPS_MAX: usize = 256;

/// With fewer groups there is nothing to fit.
const GROUPS_MIN: usize = 16;

/// Most coefficients.
const ORDER_MAX: usize = 20;

/// Groups for every coefficient, at the least.
const GROUPS_PER_COEFFICIENT: usize = 8;

/// A model that explains all but this share of the scatter has met a regular swing; further
/// coefficients would fit rounding.
const INNOVATION_MIN: f64 = 1e-6;

/// A model whose error of the mean is at most this many times what an unfinished swing leaves of it, per group,
/// has all of a regular swing (both as squares). The mean of a sequence that ends within a swing is not that of the swing:
/// further coefficients would take the rest for a level that never returns.
const UNFINISHED: f64 = 4.0;

/// A sequence cannot be worth less than this many independent values, or it is no sequence whose mean
/// can be asked for; a model that says so was misled by its few values.
const INDEPENDENT_MIN: f64 = 8.0;

/// A swing is regular if a model foresees at least this share of the scatter; chance that alternates is foreseen
/// a little, too.
const FORESEEN_MIN: f64 = 0.5;

/// The error of a mean from a model of the sequence, where batches mislead.
///
/// Batch means take it for granted that what remains between long batches is chance. A target that
/// swings regularly, as a throttle that refills or a write cache that fills and drains, breaks that
/// both ways: batches that are shorter than a swing call the swing chance, and batches that fit it
/// by accident see no scatter at all. An autoregressive model has the swing as a swing.
#[derive(Debug, Clone, Copy, PartialEq)]
struct ModelError {
    /// Standard error of the mean: the root of the spectrum at frequency zero over the number of
    /// groups.
    pub(super) standard_error: f64,
    /// What a regular swing adds because the sequence begins and ends somewhere within it: standard
    /// deviation of the mean.
    pub(super) ends: f64,
    /// The share of the scatter that the model foresees.
    pub(super) foreseen: f64,
}

impl ModelError {
    /// The error of the mean of `values`; `None` if there are too few, or they do not scatter.
    ///
    /// The coefficients are those of J. P. Burg ("Maximum entropy spectral analysis", 1967), their
    /// number that of the smallest corrected information criterion (C. M. Hurvich and C.-L. Tsai,
    /// "Regression and time series model selection in small samples", Biometrika 76, 1989). The
    /// spectrum at zero as the variance of a mean is P. Heidelberger and P. D. Welch, "A spectral
    /// method for confidence interval generation and run length control in simulations",
    /// Communications of the ACM 24, 1981.
    pub(super) fn of(values: &[f64]) -> Option<Self> {
        let groups = groups(values);
        let count = groups.len() as f64;
        let scatter: f64 = groups.iter().map(|value| value * value).sum();
        if groups.len() < GROUPS_MIN || is_rounding(scatter, mean(values), count) {
            return None;
        }
        let sums = variance_of_sums(&groups);
        let (spectrum, foreseen) = spectrum_at_zero(&groups, 2.0 * sums / (count * count));
        let spectrum = spectrum.min(scatter / INDEPENDENT_MIN);
        // What independent steps of the same spectrum would add is taken away: a Brownian bridge has a
        // twelfth of its length around its mean.
        let swing = (sums - spectrum * count / 12.0).max(0.0);
        let ends = libm::sqrt(2.0 * swing) / count;
        Some(Self { standard_error: libm::sqrt(spectrum / count), ends, foreseen })
    }
}

/// Deviations from the mean, joined to groups; what is left over is left out at the front.
fn groups(values: &[f64]) -> Vec<f64> {
    let size = values.len().div_ceil(GROUPS_MAX).max(1);
    let whole = &values[values.len() % size..];
    let centre = mean(whole);
    whole.chunks_exact(size).map(|group| mean(group) - centre).collect()
}

/// A model of some order, as far as it matters to the mean.
#[derive(Debug, Clone, Copy)]
struct Fit {
    /// Scatter of what the model does not foresee, per group.
    innovation: f64,
    /// One plus the sum of the coefficients.
    gain: f64,
    /// The information criterion.
    criterion: f64,
}

impl Fit {
    /// The spectrum at frequency zero.
    fn spectrum(&self) -> f64 {
        self.innovation / (self.gain * self.gain)
    }
}

/// The spectrum at frequency zero by the best model, and the share of the scatter that it foresees.
/// `unfinished` is the square of what an unfinished swing leaves in the mean.
fn spectrum_at_zero(groups: &[f64], unfinished: f64) -> (f64, f64) {
    let order_max = ORDER_MAX.min(groups.len() / GROUPS_PER_COEFFICIENT);
    let count = groups.len() as f64;
    let power = groups.iter().map(|value| value * value).sum::<f64>() / count;
    let (mut forward, mut backward) = (groups.to_vec(), groups.to_vec());
    let mut coefficients: Vec<f64> = Vec::new();
    let mut best = fit(power, &coefficients, count);
    let mut innovation = power;
    for order in 1..=order_max {
        let pairs = || forward[order..].iter().zip(&backward[order - 1..groups.len() - 1]);
        let products: f64 = pairs().map(|(ahead, behind)| ahead * behind).sum();
        let squares: f64 = pairs().map(|(ahead, behind)| ahead * ahead + behind * behind).sum();
        if squares <= 0.0 {
            break;
        }
        let reflection = -2.0 * products / squares;
        let previous = coefficients.clone();
        for (own, mirrored) in coefficients.iter_mut().zip(previous.iter().rev()) {
            *own += reflection * mirrored;
        }
        coefficients.push(reflection);
        for index in (order..groups.len()).rev() {
            let (ahead, behind) = (forward[index], backward[index - 1]);
            forward[index] = ahead + reflection * behind;
            backward[index] = behind + reflection * ahead;
        }
        innovation *= 1.0 - reflection * reflection;
        let next = fit(innovation, &coefficients, count);
        if next.criterion < best.criterion {
            best = next;
        }
        if innovation <= INNOVATION_MIN * power || next.spectrum() <= UNFINISHED * unfinished {
            break;
        }
    }
    (best.spectrum(), 1.0 - best.innovation / power)
}

fn fit(innovation: f64, coefficients: &[f64], count: f64) -> Fit {
    let free = coefficients.len() as f64 + 1.0;
    let penalty = 2.0 * free * count / (count - free - 1.0);
    Fit {
        innovation,
        gain: 1.0 + coefficients.iter().sum::<f64>(),
        criterion: count * libm::log(innovation.max(f64::MIN_POSITIVE)) + penalty,
    }
}

/// The variance of the cumulative sums.
fn variance_of_sums(groups: &[f64]) -> f64 {
    let mut sum = 0.0;
    let sums: Vec<f64> = groups
        .iter()
        .map(|value| {
            sum += value;
            sum
        })
        .collect();
    let centre = mean(&sums);
    mean(&sums.iter().map(|sum| (sum - centre) * (sum - centre)).collect::<Vec<_>>())
}

/// Operations that must lie beyond a percentile for its interval to be known: with fewer, the share of
/// them is far from normally distributed.
const BEYOND_MIN: f64 = 20.0;

/// The 95 % confidence interval of a percentile of the response times of `classes` in `records`, which
/// `histogram` has all of; `None` if too few operations lie beyond it, or in too few intervals.
///
/// The true percentile lies between two of the response times that were measured: those whose ranks
/// are as far from that of the percentile as the share of operations beyond it can be off. For
/// independent response times that share is binomial (e.g. W. J. Conover, "Practical Nonparametric
/// Statistics", 1999, section 3.2); response times of neighbours are not, so its error comes from the
/// intervals of the point, by the same batch means as that of every other mean.
pub fn percentile_interval(
    percent: f64,
    (records, classes): (&[IntervalRecord], &[usize]),
    histogram: &Histogram,
) -> Option<[Nanos; 2]> {
    let share = percent / 100.0;
    let operations = histogram.total() as f64;
    if operations * share.min(1.0 - share) < BEYOND_MIN {
        return None;
    }
    let middle = bucket_of(histogram.percentile(percent)?.0);
    let values = shares_beyond(middle, (records, classes));
    let error = MeanEstimate::of(&values, &Batches::choose(&values)?).half_width;
    let ends = [share - error, share + error];
    if ends[0] <= 0.0 || ends[1] >= 1.0 {
        return None;
    }
    let [low, high] = ends.map(|share| histogram.percentile(100.0 * share));
    Some([low?, high?])
}

/// The share of operations beyond `middle`, interval by interval: each as far from the mean of all as
/// its operations move it.
fn shares_beyond(middle: usize, (records, classes): (&[IntervalRecord], &[usize])) -> Vec<f64> {
    let counts: Vec<(f64, f64)> = records
        .iter()
        .map(|record| {
            let of_classes = classes.iter().filter_map(|class| record.histograms.get(*class));
            let (mut beyond, mut all) = (0.0, 0.0);
            for (bucket, count) in of_classes.flatten() {
                all += f64::from(*count);
                if usize::from(*bucket) > middle {
                    beyond += f64::from(*count);
                }
            }
            (beyond, all)
        })
        .collect();
    let sum = |part: fn(&(f64, f64)) -> f64| counts.iter().map(part).sum::<f64>();
    let (beyond, all) = (sum(|(beyond, _)| *beyond), sum(|(_, all)| *all));
    let (share, mean) = (beyond / all, all / counts.len() as f64);
    counts.iter().map(|(beyond, all)| share + (beyond - share * all) / mean).collect()
}

/// One-sided bounds hold with 95 % confidence, and a little more because a point is looked at
/// several times: both tails together.
const BOUND_TAIL: f64 = 0.08;

/// A change as large as the observed one would come about by chance with at most this probability
/// where a trend is said to be there.
const FOUND_TAIL: f64 = 0.01;

/// The standard error of a change over a sequence is sqrt(12) times that of its mean if its values scatter
/// independently of each other, and this many times if they swing regularly and begin and end somewhere in the
/// swing: a swing of amplitude a and angular frequency w moves the mean of the time T by up to 2 a / (w T), and
/// the least-squares change by up to 12 a / (w T).
const SWING_OF_TREND: f64 = 6.0;

/// How much a sequence changes from its start to its end, by least squares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trend {
    /// Change over the whole sequence, as a fraction of its mean; negative where it falls.
    pub change: f64,
    /// Standard error of the change, from the scatter around the line.
    pub standard_error: f64,
    /// Degrees of freedom of the standard error.
    pub dof: u32,
}

impl Trend {
    /// The trend of a sequence in `batches`; no change where its mean is zero.
    pub fn of(batches: &Batches) -> Self {
        let means = &batches.means;
        let (count, centre) = (means.len() as f64, mean(means));
        let place = |index: usize| index as f64 - (count - 1.0) / 2.0;
        let spread = count * (count * count - 1.0) / 12.0;
        let indexed = means.iter().enumerate();
        let slope =
            indexed.clone().map(|(index, value)| place(index) * value).sum::<f64>() / spread;
        let line = |index: usize| centre + slope * place(index);
        let rest: Vec<f64> = indexed.map(|(index, value)| value - line(index)).collect();
        let scatter: f64 = rest.iter().map(|value| value * value).sum();
        let inflation = Batches::inflation(&rest);
        let slope_error = libm::sqrt(scatter / (count - 2.0) * inflation / spread);
        let relative = if centre == 0.0 { 0.0 } else { count / centre.abs() };
        Self {
            change: slope * relative,
            standard_error: slope_error * relative,
            dof: batches.dof(inflation) - 1,
        }
    }

    /// The same of a sequence whose mean is known so well: batches shorter than a regular swing take it for
    /// chance, in the trend as in the mean.
    #[must_use]
    pub(super) fn of_mean(self, mean: &MeanEstimate) -> Self {
        let relative = if mean.mean == 0.0 { 0.0 } else { 1.0 / mean.mean.abs() };
        let swing = SWING_OF_TREND * mean.standard_error * relative;
        Self { standard_error: self.standard_error.min(swing), ..self }
    }

    /// Whether the change is less than `limit` (a fraction) in either direction, with 95 %
    /// confidence: the observed change and the uncertainty about it together stay below.
    ///
    /// A test for the absence of a trend must put the burden of proof this way round: that no
    /// trend was found proves nothing where the scatter is large.
    pub fn is_surely_below(&self, limit: f64) -> bool {
        self.change.abs() + self.margin() <= limit
    }

    /// Whether the change exceeds `limit` with 95 % confidence.
    pub fn is_surely_above(&self, limit: f64) -> bool {
        self.change.abs() - self.margin() > limit
    }

    /// Whether there is a trend, beyond chance (1 %) and of more than `limit`.
    pub fn is_found_above(&self, limit: f64) -> bool {
        let chance = two_sided_quantile(FOUND_TAIL, self.dof) * self.standard_error;
        self.change.abs() > limit.max(chance)
    }

    fn margin(&self) -> f64 {
        two_sided_quantile(BOUND_TAIL, self.dof) * self.standard_error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rising_sequence_is_correlated_and_an_alternating_one_the_other_way() {
        let rising: Vec<f64> = (0..32).map(f64::from).collect();
        let alternating: Vec<f64> = (0..32).map(|index| f64::from(index % 2)).collect();
        assert!(correlation(&rising).score > 5.0);
        assert!(variance_inflation(&rising) > 5.0);
        assert!(correlation(&alternating).score < -5.0);
        assert_eq!(variance_inflation(&alternating), 1.0);
    }

    #[test]
    fn a_constant_sequence_is_not_correlated() {
        let check = |value: f64| assert_eq!(correlation(&[value; 20]).score, 0.0);
        check(0.0);
        check(0.1);
        check(1e9 / 3.0);
    }

    /// Numbers between -1 and 1 without a pattern.
    fn noise(index: u64) -> f64 {
        let mixed = (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    #[test]
    fn independent_values_have_the_error_of_the_textbook() {
        let values: Vec<f64> = (0..4096).map(|index| 100.0 + noise(index)).collect();
        let error = ModelError::of(&values).unwrap();
        let expected = libm::sqrt(1.0 / 3.0 / 4096.0);
        assert!((error.standard_error / expected - 1.0).abs() < 0.3, "{error:?} {expected}");
    }

    #[test]
    fn memory_widens_the_error() {
        let mut level = 0.0;
        let values: Vec<f64> = (0..4096)
            .map(|index| {
                level = 0.9 * level + noise(index);
                level
            })
            .collect();
        // The sum over all lags: ten times the innovation.
        let expected = 10.0 * libm::sqrt(1.0 / 3.0 / 4096.0);
        let error = ModelError::of(&values).unwrap();
        assert!((error.standard_error / expected - 1.0).abs() < 0.4, "{error:?} {expected}");
    }

    #[test]
    fn a_regular_swing_adds_little_but_its_ends() {
        let swing = |index: u32| 100.0 + libm::sin(f64::from(index) * 0.37);
        let values: Vec<f64> = (0..256).map(swing).collect();
        let error = ModelError::of(&values).unwrap();
        // Cumulative sums of the swing have a standard deviation of 1 / 0.37 / sqrt(2).
        let expected = libm::sqrt(2.0) / 0.37 / libm::sqrt(2.0) / 256.0;
        assert!(error.standard_error < 0.2 * expected, "{error:?} {expected}");
        assert!((error.ends / expected - 1.0).abs() < 0.2, "{error:?} {expected}");
    }

    /// As of a throttle that lets the same number of operations through at every tick.
    #[test]
    fn a_swing_without_chance_is_known_wherever_it_ends() {
        let check = |pattern: &[f64]| {
            for count in 50..256 {
                let values: Vec<f64> = pattern.iter().copied().cycle().take(count).collect();
                let error = ModelError::of(&values).unwrap();
                let (found, level) = (error.standard_error, mean(pattern));
                assert!(found < 0.01 * level, "{pattern:?}, {count}: {error:?}");
            }
        };
        check(&[0.0, 800.0]);
        check(&[0.0, 0.0, 800.0]);
        check(&[0.0, 0.0, 800.0, 0.0, 800.0]);
    }

    #[test]
    fn few_values_and_constant_ones_have_no_model() {
        assert_eq!(ModelError::of(&[1.0, 2.0, 3.0]), None);
        assert_eq!(ModelError::of(&[5.0; 100]), None);
    }

    /// 256 values around 100 that rise by `change` in all, with a scatter of `scatter`.
    fn trend_of(change: f64, scatter: f64) -> Trend {
        let value = |index: u32| {
            let line = change * (f64::from(index) / 256.0 - 0.5);
            100.0 + line + scatter * noise(u64::from(index))
        };
        let values: Vec<f64> = (0..256).map(value).collect();
        Trend::of(&Batches::choose(&values).unwrap())
    }

    #[test]
    fn a_clear_trend_is_measured_and_found() {
        let trend = trend_of(10.0, 1.0);
        assert!((trend.change - 0.1).abs() < 0.01, "{trend:?}");
        assert!(trend.is_found_above(0.05) && trend.is_surely_above(0.05));
        assert!(!trend.is_surely_below(0.095));
        assert!(trend.is_surely_below(0.15));
    }

    #[test]
    fn scatter_proves_neither_a_trend_nor_its_absence() {
        let trend = trend_of(0.0, 60.0);
        assert!(!trend.is_found_above(0.05));
        assert!(!trend.is_surely_below(0.1), "{trend:?}");
        assert!(trend_of(0.0, 1.0).is_surely_below(0.1));
    }

    #[test]
    fn what_never_changes_has_no_trend() {
        let trend = trend_of(0.0, 0.0);
        assert_eq!(trend.change, 0.0);
        assert!(trend.is_surely_below(0.01));
    }
}
