import type { HostPrior, ServerAnswer } from '../verification/belief.ts';
import type { HostClass } from '../verification/host-class.ts';
import { type Model, rowsAt } from '../verification/model.ts';
import { PROVIDER_IDS, type ProviderId } from '../verification/provider.ts';
import { type AnswerRows, VERDICTS, type VerdictCounts } from '../verification/provider-table.ts';

/** The cells of a host class, in the order of the arrays here. */
export const CELLS = [
  { acceptsAll: false, answer: 'accepts' },
  { acceptsAll: false, answer: 'refuses' },
  { acceptsAll: false, answer: 'inconclusive' },
  { acceptsAll: true, answer: 'accepts_all' },
  { acceptsAll: true, answer: 'inconclusive' },
] as const satisfies readonly { readonly acceptsAll: boolean; readonly answer: ServerAnswer }[];

export const ANSWERS = ['accepts', 'refuses', 'accepts_all', 'inconclusive'] as const satisfies readonly ServerAnswer[];

/** The place of each cell's answer in `ANSWERS`. */
export const ANSWER_OF_CELL = Uint8Array.from(CELLS, ({ answer }) => ANSWERS.indexOf(answer));

const PER_PROVIDER = VERDICTS.length * ANSWERS.length;

/** The rows of all providers in one array: by provider, then verdict, with the four answers of a verdict side by side. */
const ROWS = PROVIDER_IDS.length * PER_PROVIDER;

/** Where the numbers of a provider's verdict begin in the rows. */
export const columnAt = (provider: number, verdict: number): number =>
  provider * PER_PROVIDER + verdict * ANSWERS.length;

/** The provider that a place in the rows belongs to. */
export const providerAt = (place: number): number => Math.floor(place / PER_PROVIDER);

/** A host class's tables as plain numbers: pseudo-observations or observations. */
export interface HostCounts {
  readonly shares: Float64Array;
  readonly bounced: Float64Array;
  readonly landed: Float64Array;
  readonly rows: Float64Array;
}

export const noCounts = (): HostCounts => ({
  shares: new Float64Array(CELLS.length),
  bounced: new Float64Array(CELLS.length),
  landed: new Float64Array(CELLS.length),
  rows: new Float64Array(ROWS),
});

function cellsOf(prior: HostPrior, of: 'alpha' | 'bounced' | 'landed'): Float64Array {
  const at = ({ acceptsAll, answer }: (typeof CELLS)[number]) =>
    prior.find((cell) => cell.acceptsAll === acceptsAll && cell.answer === answer)?.[of] ?? 0;
  return Float64Array.from(CELLS, at);
}

export function rowsFrom(rowsOf: (provider: ProviderId) => AnswerRows): Float64Array {
  const all = new Float64Array(ROWS);
  PROVIDER_IDS.forEach((id, provider) => {
    const rows = rowsOf(id);
    ANSWERS.forEach((answer, at) => {
      rows[answer].forEach((count, verdict) => {
        all[columnAt(provider, verdict) + at] = count;
      });
    });
  });
  return all;
}

export const countsAt = (model: Model, host: HostClass): HostCounts => ({
  shares: cellsOf(model.prior[host], 'alpha'),
  bounced: cellsOf(model.prior[host], 'bounced'),
  landed: cellsOf(model.prior[host], 'landed'),
  rows: rowsFrom((provider) => rowsAt(model, provider, host)),
});

/** For every place in the rows, the total over all verdicts of the same provider and answer. */
export function totalsOf(rows: Float64Array): Float64Array {
  const totals = new Float64Array(ROWS);
  for (let provider = 0; provider < ROWS; provider += PER_PROVIDER) {
    for (let answer = 0; answer < ANSWERS.length; answer += 1) {
      const first = provider + answer;
      let total = 0;
      for (let at = first; at < provider + PER_PROVIDER; at += ANSWERS.length) total += rows[at] ?? 0;
      for (let at = first; at < provider + PER_PROVIDER; at += ANSWERS.length) totals[at] = total;
    }
  }
  return totals;
}

/** Each verdict's probability given the answer. */
export function ratesOf(rows: Float64Array): Float64Array {
  const totals = totalsOf(rows);
  return rows.map((count, at) => count / (totals[at] ?? 0));
}

/** Four digits are enough and keep the stored document small. */
const rounded = (count: number): number => Number(count.toPrecision(4));

export const priorFrom = ({ shares, bounced, landed }: Omit<HostCounts, 'rows'>): HostPrior =>
  CELLS.map((cell, at) => ({
    ...cell,
    alpha: rounded(shares[at] ?? 0),
    bounced: rounded(bounced[at] ?? 0),
    landed: rounded(landed[at] ?? 0),
  }));

export function answerRowsFrom(rows: Float64Array, provider: number): AnswerRows {
  const row = (answer: number): VerdictCounts => {
    const count = (verdict: number): number => rounded(rows[columnAt(provider, verdict) + answer] ?? 0);
    return [count(0), count(1), count(2), count(3), count(4)];
  };
  return { accepts: row(0), refuses: row(1), accepts_all: row(2), inconclusive: row(3) };
}
