import { getDomainWithoutSuffix } from 'tldts';
import { BOUNDARY, LABEL_SYMBOL_COUNT, STEPS_PER_NAT, symbolsOf } from '../../src/domain/screening/typo/typos.ts';
import { judgeDomain } from './domain-name.ts';

const N = LABEL_SYMBOL_COUNT;

/** Domains to learn spelling from, and the weight of each of their labels. */
export interface LabelSource {
  readonly domains: readonly string[];
  readonly weight: number;
}

/**
 * The registrable label of each domain, each spelling once, with its weight in the first source that has it. An IDN is left
 * out: its A-label is not how it is spelt.
 */
export function labelsOf(sources: readonly LabelSource[]): Map<string, number> {
  const labels = new Map<string, number>();
  for (const { domains, weight } of sources) {
    for (const name of domains) {
      const { domain } = judgeDomain(name);
      const label = domain === undefined ? null : getDomainWithoutSuffix(domain);
      if (label === null || label === '' || label.startsWith('xn--') || labels.has(label)) continue;
      labels.set(label, weight);
    }
  }
  return labels;
}

/**
 * Packs a trigram model of labels: for each pair of symbols the cost of the symbol after it, interpolated with the bigrams
 * and unigrams as Witten and Bell do (so that what never occurred costs most where much occurred). The same labels give the
 * same bytes, whatever their order.
 */
export function packLabelModel(labels: ReadonlyMap<string, number>): Uint8Array {
  const threes = new Float64Array(N ** 3);
  for (const [label, weight] of labels) {
    let [first, second] = [BOUNDARY, BOUNDARY];
    for (const symbol of [...symbolsOf(label), BOUNDARY]) {
      const at = (first * N + second) * N + symbol;
      threes[at] = (threes[at] ?? 0) + weight;
      [first, second] = [second, symbol];
    }
  }
  const twos = folded(threes, N ** 2);
  const ones = folded(twos, N);
  const uniform = new Float64Array(N).fill(1 / N);
  const probabilities = interpolated(threes, interpolated(twos, interpolated(ones, uniform)));
  return Uint8Array.from(probabilities, (p) => Math.min(255, Math.round(-Math.log(p) * STEPS_PER_NAT)));
}

/** Counts without the first symbol of each context. */
function folded(counts: Float64Array, size: number): Float64Array {
  const sums = new Float64Array(size);
  counts.forEach((count, i) => {
    sums[i % size] = (sums[i % size] ?? 0) + count;
  });
  return sums;
}

/** The share of each symbol in its context; `lower` is asked, without the context's first symbol, for what is left over. */
function interpolated(counts: Float64Array, lower: Float64Array): Float64Array {
  const result = new Float64Array(counts.length);
  for (let context = 0; context < counts.length; context += N) {
    const seen = counts.subarray(context, context + N);
    const total = seen.reduce((sum, count) => sum + count, 0);
    const kinds = Math.max(1, seen.filter((count) => count > 0).length);
    seen.forEach((count, symbol) => {
      const backoff = lower[(context + symbol) % lower.length] ?? 0;
      result[context + symbol] = (count + kinds * backoff) / (total + kinds);
    });
  }
  return result;
}
