import type { BenchRow } from '../../scripts/bench/measure.ts';
import { usd } from '../../src/domain/metering/usage.ts';
import type { Run, ServedRequest } from './served-request.ts';

/** How far a request exceeded its limit; negative: the unused rest. */
const overCost = ({ billedMicros, maxCostUsd }: ServedRequest): number => usd(billedMicros) - maxCostUsd;
const overTime = ({ wallMs, maxLatencyMs }: ServedRequest): number => wallMs - maxLatencyMs;
const overOwnTime = ({ latencyMs, maxLatencyMs }: ServedRequest): number => latencyMs - maxLatencyMs;

/** What the latency limit may be passed by, in ms: the limit bounds what is waited for, not the way to the caller. */
const MARGIN_MS = 100;

const largest = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value));
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** A request that ends this close to its limit of time was ended by it. */
const IN_FULL_MS = 20;

/** Total spending, which shows that the limits were exercised. */
function spending({ served, calls }: Run): BenchRow[] {
  const billed = usd(sum(served.map(({ billedMicros }) => billedMicros)));
  const claimed = usd(sum(served.map(({ claimedMicros }) => claimedMicros)));
  const degraded = served.filter((request) => request.degraded).length;
  const note = `of ${served.length} requests ${degraded} degraded`;
  const inFull = served.filter((request) => request.maxLatencyMs > IN_FULL_MS && overTime(request) > -IN_FULL_MS);
  return [
    { name: 'requests that used their time in full', value: inFull.length, unit: '', note },
    { name: 'calls to vendors', value: calls, unit: '' },
    { name: 'billed by the vendors', value: billed, unit: '$' },
    {
      name: 'of it in cost_usd',
      value: claimed / billed,
      unit: '',
      note: 'the rest: calls that failed or were given up',
    },
  ];
}

/** Requests that cost more than their answer and their trace authorize. */
export const unaccounted = (served: readonly ServedRequest[]): ServedRequest[] =>
  served.filter(
    ({ billedMicros, claimedMicros, owedMicros }) => owedMicros !== null && billedMicros > claimedMicros + owedMicros,
  );

function costRows({ served }: Run): BenchRow[] {
  const over = served.map(overCost);
  const count = over.filter((value) => value > 0).length;
  return [
    { name: 'most billed over max_cost_usd', value: largest(over), unit: '$', target: { atMost: 0 } },
    { name: 'requests billed over max_cost_usd', value: count, unit: '', target: { atMost: 0 } },
  ];
}

/** The figures of a run in virtual time: bounds for every request. */
export const virtualRows = (run: Run): BenchRow[] => [
  ...costRows(run),
  {
    name: 'billed beyond cost_usd and may_cost_usd',
    value: unaccounted(run.served).length,
    unit: '',
    target: { atMost: 0 },
  },
  {
    name: 'longest over max_latency_ms',
    value: largest(run.served.map(overTime)),
    unit: 'ms',
    target: { atMost: MARGIN_MS },
    note: `by latency_ms ${largest(run.served.map(overOwnTime)).toFixed(1)} ms`,
  },
  ...spending(run),
];

/** The figures of a run by the wall clock: a busy machine may hold up any single request. */
export function wallClockRows(run: Run): BenchRow[] {
  const over = run.served.map(overTime);
  const own = run.served.map(overOwnTime);
  const row = (share: number, target?: BenchRow['target']): BenchRow => ({
    name: `over max_latency_ms, p${share * 100}`,
    value: quantile(over, share),
    unit: 'ms',
    ...(target === undefined ? {} : { target }),
    note: `by latency_ms ${quantile(own, share).toFixed(1)} ms`,
  });
  const late = over.filter((value) => value > MARGIN_MS).length;
  return [
    ...costRows(run),
    row(0.5),
    row(0.99),
    row(0.999, { atMost: MARGIN_MS }),
    {
      name: `requests over it by ${MARGIN_MS} ms`,
      value: late,
      unit: '',
      note: `longest ${largest(over).toFixed(1)} ms`,
    },
    {
      name: 'GET /health in between, p99.9',
      value: quantile(run.bareMs, 0.999),
      unit: 'ms',
      note: 'the machine’s own',
    },
    ...spending(run),
  ];
}

/** Several runs as one. */
export const together = (runs: readonly Run[]): Run => ({
  served: runs.flatMap(({ served }) => served),
  calls: sum(runs.map(({ calls }) => calls)),
  bareMs: runs.flatMap(({ bareMs }) => bareMs),
});
