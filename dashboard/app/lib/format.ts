const LOCALE = 'en';

/** Formats of numbers, times, money and lists. */

const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const plain = new Intl.NumberFormat(LOCALE);
const compact = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 0 });
const finePercent = new Intl.NumberFormat(LOCALE, {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const finestPercent = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 2 });
const exactPercent = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 6 });
const twoDigits = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumSignificantDigits: 2 });
const dollars = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
/** Two significant digits, at least two decimals. */
const fineDollars = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
  maximumSignificantDigits: 2,
  roundingPriority: 'lessPrecision',
});
const typedDollars = new Intl.NumberFormat(LOCALE, {
  useGrouping: false,
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});
const smallDollars = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 4,
  maximumFractionDigits: 4,
});
const local = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' });
const utc = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
const day = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto', style: 'short' });
const factor = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 2 });
const loss = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const distance = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const list = new Intl.ListFormat(LOCALE);
const row = new Intl.ListFormat(LOCALE, { type: 'unit', style: 'short' });

export const formatCount = (count: number): string => whole.format(count);

/** `#` becomes the count: `plural(3, '# row', '# rows')`. */
export const plural = (count: number, one: string, other: string): string =>
  (count === 1 ? one : other).replace('#', () => formatCount(count));

/** `a, b, and c`. */
export const formatList = (texts: readonly string[]): string => list.format(texts);

/** `a, b, c`. */
export const formatRow = (texts: readonly string[]): string => row.format(texts);

/** Joins sentences, leaving out empty and false ones. */
export const formatSentences = (...sentences: readonly (string | false)[]): string =>
  sentences.filter((sentence) => sentence !== false && sentence !== '').join(' ');

/** Any number with a few decimals. */
export const formatNumber = (number: number): string => plain.format(number);

export const formatCompact = (count: number): string => compact.format(count);

const isNearEdge = (share: number): boolean => (share > 0 && share < 0.01) || (share > 0.99 && share < 1);

/** A counted share: 0 and 100% are possible. */
export const formatShare = (share: number): string => (isNearEdge(share) ? finePercent : percent).format(share);

/** Compared shares: all get one more decimal if two would round alike. */
export function formatShares(shares: readonly number[]): readonly string[] {
  const texts = shares.map(formatShare);
  if (new Set(texts).size === new Set(shares).size) return texts;
  return shares.map((share) => (isNearEdge(share) ? finestPercent : finePercent).format(share));
}

/** A share without rounding: `12.5%`. */
export const formatExactShare = (share: number): string => exactPercent.format(share);

const signed = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });

/** Uses the minus sign, as wide as the plus. */
const withSign = (change: number): string => signed.format(change).replace('-', '−');

/** Change of a count: `+4%`. */
export const formatGrowth = (now: number, before: number): string =>
  `${withSign(Math.round((now / before - 1) * 100))}%`;

/** Change of a share in percentage points: `−0.4 points`. */
export function formatPoints(now: number, before: number): string {
  const change = Math.round((now - before) * 1_000) / 10;
  const points = withSign(change);
  return plural(Math.abs(change), `${points} point`, `${points} points`);
}

/** Distance of two shares: `0.4 points`. */
export const formatDistance = (apart: number): string => `${distance.format(apart * 100)} points`;

/** A ratio of odds: `2.3`. */
export const formatFactor = (by: number): string => factor.format(by);

/** A log loss with three decimals, as differences are small: `0.231`. */
export const formatLoss = (lost: number): string => loss.format(lost);

/** An estimate is never shown as 0 or 100%. */
export function formatEstimate(probability: number): string {
  if (probability < 0.001) return '<0.1%';
  if (probability > 0.999) return '>99.9%';
  return probability < 0.01 || probability > 0.99 ? finePercent.format(probability) : percent.format(probability);
}

/** A compared rate with two digits. Only exact 0 and 1 are shown as 0 and 100%. */
export const formatRate = (rate: number): string =>
  (rate > 0 && rate < 0.001) || (rate > 0.999 && rate < 1) ? formatEstimate(rate) : twoDigits.format(rate);

/** Ends that round alike are shown once. */
export function formatInterval([low, high]: readonly number[]): string {
  const [from, to] = [formatEstimate(low ?? 0), formatEstimate(high ?? 1)];
  return from === to ? from : `${from} to ${to}`;
}

export const formatDollars = (amount: number): string =>
  amount > 0 && amount < 0.1 ? fineDollars.format(amount) : dollars.format(amount);

/** Initial text of a field of dollars: `0.40`. */
export const dollarsAsTyped = (amount: number): string => typedDollars.format(amount);

/** Small amounts in hundredths of a cent. */
export const formatCents = (amount: number): string => smallDollars.format(amount);

export const formatLocalTime = (epochSeconds: number): string => local.format(epochSeconds * 1000);
export const formatUtcTime = (epochSeconds: number): string => `${utc.format(epochSeconds * 1000)} UTC`;

/** A day in UTC by its start: `Nov 3`. */
export const formatDay = (epochSeconds: number): string => day.format(epochSeconds * 1000);

const STEPS = [
  { unit: 'second', seconds: 1, below: 60 },
  { unit: 'minute', seconds: 60, below: 3_600 },
  { unit: 'hour', seconds: 3_600, below: 86_400 },
  { unit: 'day', seconds: 86_400, below: 30 * 86_400 },
  { unit: 'month', seconds: 30 * 86_400, below: 365 * 86_400 },
  { unit: 'year', seconds: 365 * 86_400, below: Number.POSITIVE_INFINITY },
] as const;

/** `3 min ago`, `in 2 days`. */
export function formatRelative(epochSeconds: number, nowMs = Date.now()): string {
  const difference = epochSeconds - nowMs / 1000;
  const step = STEPS.find(({ below }) => Math.abs(difference) < below) ?? STEPS[0];
  return relative.format(Math.round(difference / step.seconds), step.unit);
}

/** An age in seconds: `3 min. ago`. */
export const formatAgo = (ageS: number): string => formatRelative(-ageS, 0);
