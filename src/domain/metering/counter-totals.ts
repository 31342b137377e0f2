export interface CounterTotal {
  readonly count: number;
  readonly sum: number;
  readonly max: number;
}

/** By name, with its label after a colon. */
export type CounterTotals = Readonly<Record<string, CounterTotal>>;

export function addTotal(totals: Record<string, CounterTotal>, name: string, { count, sum, max }: CounterTotal): void {
  const known = totals[name] ?? { count: 0, sum: 0, max: 0 };
  totals[name] = { count: known.count + count, sum: known.sum + sum, max: Math.max(known.max, max) };
}

export function addTotals(a: CounterTotals, b: CounterTotals): Record<string, CounterTotal> {
  const sums = { ...a };
  for (const [name, total] of Object.entries(b)) addTotal(sums, name, total);
  return sums;
}

export interface ProviderReport {
  readonly provider: string;
  readonly calls: number;
  readonly failed: number;
  /** The mean time of answered calls. */
  readonly meanMs: number | null;
  readonly maxMs: number | null;
}

/** `provider_ms:<id>` counts answers, `provider_failed:<id>:<kind>` failures. */
export function reportProviders(counters: CounterTotals): ProviderReport[] {
  const answered = new Map<string, CounterTotals[string]>();
  const failed = new Map<string, number>();
  for (const [name, total] of Object.entries(counters)) {
    const [counter, provider = ''] = name.split(':');
    if (counter === 'provider_ms') answered.set(provider, total);
    if (counter === 'provider_failed') failed.set(provider, (failed.get(provider) ?? 0) + total.count);
  }
  return [...new Set([...answered.keys(), ...failed.keys()])].sort().map((provider) => {
    const { count, sum, max } = answered.get(provider) ?? { count: 0, sum: 0, max: 0 };
    const failures = failed.get(provider) ?? 0;
    const times =
      count === 0 ? { meanMs: null, maxMs: null } : { meanMs: Math.round(sum / count), maxMs: Math.round(max) };
    return { provider, calls: count + failures, failed: failures, ...times };
  });
}
