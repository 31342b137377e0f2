/** Beta distribution: cumulative probability and quantile, for shapes between 1e-3 and 1e6. */

const EPSILON = 1e-15;
/** Below this `Math.exp` is 0. */
const LN_SMALLEST = -745;
/** Five usually suffice; the rest serve roots between two doubles. */
const NEWTON_STEPS = 60;

/**
 * ln Γ(x) − [(x − ½) ln x − x + ½ ln 2π]. Working with this remainder (Loader 2000) rather than with ln Γ keeps the
 * digits that the difference of three values near 1e7 would cancel at shapes near 1e6.
 */
function stirlingRemainder(x: number): number {
  let carried = 0;
  let y = x;
  for (; y < 12; y += 1) carried += (y + 0.5) * Math.log1p(1 / y) - 1;
  const r = 1 / (y * y);
  return carried + (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - r / 1188)))) / y;
}

/** ln of the peak factor: x^a (1−x)^b / B(a, b) at its maximum x = a / (a + b). */
const lnPeak = (a: number, b: number): number =>
  0.5 * Math.log((a / (a + b)) * (b / (2 * Math.PI))) +
  stirlingRemainder(a + b) -
  stirlingRemainder(a) -
  stirlingRemainder(b);

/**
 * x^a (1−x)^b / B(a, b), from its peak factor. Near the peak both logarithms are taken of 1 + a small excess, computed
 * from xb − (1−x)a: x and the mean a / (a + b) themselves would share their leading digits.
 */
function power(x: number, a: number, b: number, peak: number): number {
  const y = 1 - x;
  const drift = x * b - y * a;
  const lnX = Math.abs(drift) < 0.5 * a ? Math.log1p(drift / a) : Math.log((x / a) * (a + b));
  const lnY = Math.abs(drift) < 0.5 * b ? Math.log1p(-drift / b) : Math.log((y / b) * (a + b));
  return Math.exp(peak + a * lnX + b * lnY);
}

/** Continued fraction of DiDonato and Morris (1992, eq. 9) by Lentz's method; for x below (a + 1) / (a + b). */
function fraction(x: number, a: number, b: number): number {
  let f = (a * (a * (1 - x) - b * x + 1)) / (a + 1);
  let c = f;
  let d = 0;
  for (let m = 1, ratio = 0; Math.abs(ratio - 1) > EPSILON; m += 1) {
    const odd = a + 2 * m - 1;
    const common = (m * (b - m) * x) / odd;
    const numerator = (common * x * (a + m - 1) * (a + b + m - 1)) / odd;
    const term = m + common + ((a + m) * (a * (1 - x) - b * x + 1 + m * (2 - x))) / (odd + 2);
    d = 1 / (term + numerator * d);
    c = term + numerator / c;
    ratio = c * d;
    f *= ratio;
  }
  return f;
}

/** P(X ≤ x) given x^a (1−x)^b / B(a, b); the fraction is taken from the end where it converges fast. */
const tail = (x: number, a: number, b: number, mass: number): number =>
  x <= (a + 1) / (a + b + 2) ? mass / fraction(x, a, b) : 1 - mass / fraction(1 - x, b, a);

/** Regularised incomplete beta I_x(a, b): the probability that a Beta(a, b) variable is at most x. */
export function betaCdf(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  return tail(x, a, b, power(x, a, b, lnPeak(a, b)));
}

/** Standard normal quantile to 3 decimals (Abramowitz and Stegun 26.2.22): a starting point only. */
function roughNormalQuantile(p: number): number {
  const t = Math.sqrt(-2 * Math.log(Math.min(p, 1 - p)));
  const z = t - (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t));
  return p < 0.5 ? -z : z;
}

/**
 * The x with I_x(a, b) = p: Newton on ln I over ln x, which is nearly straight in the lower tail whatever the shapes,
 * inside a bracket that halves when Newton would leave it.
 */
function solve(p: number, a: number, b: number, peak: number): number {
  const lnMean = Math.log(a / (a + b));
  // ln of x^a / (a B) solved for x: exact as x → 0, where (1 − x)^(b − 1) → 1.
  const lnSmall = (Math.log(p * a) - peak) / a + lnMean + (b / a) * Math.log(b / (a + b));
  if (lnSmall < -700) return Math.exp(lnSmall);
  const lnCentral = Math.log(a / b) + roughNormalQuantile(p) * Math.sqrt(1 / a + 1 / b);
  let u = a > 1 && b > 1 ? lnCentral - Math.log1p(Math.exp(lnCentral)) : Math.min(lnSmall, lnMean);
  let low = LN_SMALLEST;
  let high = 0;
  for (let left = NEWTON_STEPS; left > 0; left -= 1) {
    const x = Math.exp(u);
    const mass = power(x, a, b, peak);
    const reached = tail(x, a, b, mass);
    if (reached < p) low = u;
    else high = u;
    const newton = u - (Math.log(reached / p) * reached * (1 - x)) / mass;
    u = newton >= low && newton <= high ? newton : (low + high) / 2;
    // The step just taken has squared an error this small.
    if (Math.abs(reached - p) < 1e-7 * Math.min(p, 1 - p)) break;
  }
  return Math.exp(u);
}

/**
 * The x with I_x(a, b) = p. A root above ½ is sought as 1 − x from the other end, where it loses no digits, unless p is
 * so small that 1 − p would.
 */
export function betaQuantile(p: number, a: number, b: number): number {
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  const peak = lnPeak(a, b);
  return p > 1e-3 && tail(0.5, a, b, power(0.5, a, b, peak)) < p ? 1 - solve(1 - p, b, a, peak) : solve(p, a, b, peak);
}

/** Both ends in [0, 1], low ≤ high. */
export type Interval = readonly [low: number, high: number];

/** Probability mass of every interval the service reports, equal tails. */
const INTERVAL_MASS = 0.9;

/** Rounds a probability or log-odds to six decimals, the most that is ever known. */
export const decimals = (value: number): number => Math.round(value * 1e6) / 1e6;

export const oddsOf = (probability: number): number => probability / (1 - probability);
export const logOddsOf = (probability: number): number => Math.log(oddsOf(probability));

export const intervalWidth = ([low, high]: Interval): number => high - low;

/** A larger size changes no shown digit, and the quantile's work grows with its square root. */
const LARGEST_SIZE = 1e8;

/** Below it a shape's reciprocal overflows; such a mean shows as 0 or 1. */
const SMALLEST_SHAPE = 1e-300;

/**
 * Equal-tailed 90 % interval of the Beta distribution with this mean and size (pseudo-observations). It is widened to
 * hold the mean, which lies beyond the 95 % quantile in a strongly skewed Beta. A mean of 0 or 1 is certain: the point
 * itself.
 */
export function betaInterval(mean: number, size: number): Interval {
  const counted = Math.min(size, LARGEST_SIZE);
  const [successes, failures] = [mean * counted, (1 - mean) * counted];
  if (successes < SMALLEST_SHAPE || failures < SMALLEST_SHAPE) return [mean, mean];
  const outside = (1 - INTERVAL_MASS) / 2;
  return [
    Math.min(mean, betaQuantile(outside, successes, failures)),
    Math.max(mean, betaQuantile(1 - outside, successes, failures)),
  ];
}

/** From here on Stirling's series is good to eight decimals. */
const LARGE = 10;

/** ln Γ(x) for x above 0: Stirling's series, and the recurrence Γ(x + 1) = x Γ(x) below it. */
export function lnGamma(x: number): number {
  let [from, below] = [x, 0];
  for (; from < LARGE; from += 1) below += Math.log(from);
  return (
    (from - 0.5) * Math.log(from) - from + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * from) - 1 / (360 * from ** 3) - below
  );
}

const MOST = 64;
/** Doubles from the start: an array of integers is stored differently and copied at the first fraction. */
const ZEROS: readonly number[] = Array.from({ length: MOST }, () => 0.5).fill(0);

/**
 * Up to 64 zeros to sum into. V8 keeps typed arrays over 64 bytes off its heap, where making one takes 2 to 3 µs,
 * twenty times a plain array, and an answer makes dozens.
 */
export function zeros(length: number): number[] {
  if (length > MOST) throw new RangeError(`a short vector has at most ${MOST} numbers`);
  return ZEROS.slice(0, length);
}

/** Occurrences of each word. Absent words are left out. */
export type Tally<K extends string> = Readonly<Partial<Record<K, number>>>;

export function tally<K extends string>(words: readonly K[]): Tally<K> {
  const counts: Partial<Record<K, number>> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
