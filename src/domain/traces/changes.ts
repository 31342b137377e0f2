import type { Id } from '../../kernel/ids.ts';

const SAMPLES_MAX = 20;

/** What a simulation says of the traces whose word (a decision, a recommendation) would be another. */
export interface Changes<W extends string> {
  /** Takes one trace; the order of traces changes the samples alone. */
  note(id: Id<'vr' | 'dc'>, from: W, to: W): void;
  /** The most frequent pair first, and the first traces that came. */
  result(): {
    readonly changed: { from: W; to: W; count: number }[];
    readonly sample_trace_ids: Id<'vr' | 'dc'>[];
  };
}

export function countChanges<W extends string>(): Changes<W> {
  const changed = new Map<string, { from: W; to: W; count: number }>();
  const samples: Id<'vr' | 'dc'>[] = [];
  return {
    note: (id, from, to) => {
      if (from === to) return;
      const pair = changed.get(`${from} ${to}`) ?? { from, to, count: 0 };
      pair.count += 1;
      changed.set(`${from} ${to}`, pair);
      if (samples.length < SAMPLES_MAX) samples.push(id);
    },
    result: () => ({
      changed: [...changed.values()].map((pair) => ({ ...pair })).sort((a, b) => b.count - a.count),
      sample_trace_ids: [...samples],
    }),
  };
}
