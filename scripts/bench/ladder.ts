import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { Load, LoadResult } from './load.ts';
import { createOrganisation } from './organisation.ts';
import { ROUNDS, spread, takeTurns } from './rounds.ts';
import { type BenchRow, figure } from './row.ts';
import { type BenchRuntime, startRuntime } from './runtime.ts';
import { PLACES, type Route, STEPS, type Step } from './worker/ladder/steps.ts';

const CONNECTIONS = 16;
const TURN_S = 1;
const WARM_UP_S = 1.5;

const EMAILS = Array.from({ length: 100 }, (_, i) => `ada.lovelace${i}@d${10 + (i % 10)}.bulk.test`);

/**
 * Where CPU time goes between the bare route and ours: each step's over the bare route's, in turns of one run, with what the
 * step adds and that figure's standard error.
 */
export async function run(isQuick: boolean): Promise<BenchRow[]> {
  const runtime = await startRuntime({ hasLadder: true });
  const loader = fork(join(import.meta.dirname, 'load.ts'));
  try {
    const { id, key, object } = await createOrganisation(runtime);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-organisation': id };
    const bodies = EMAILS.map((email) => JSON.stringify({ email }));
    const apply = async (route: Route, step: Step, seconds: number): Promise<number> => {
      const url = `${placeOf(runtime, step)}v1/${route}`;
      const before = runtime.cpuMs();
      loader.send({ url, headers, bodies, connections: CONNECTIONS, seconds } satisfies Load);
      const [result] = (await once(loader, 'message')) as [LoadResult];
      if (result.failed > 0) throw new Error(`${result.failed} requests failed at ${url}`);
      // What ours leave in the outbox must not run in another's turn; writing it is theirs.
      await object.flush(null);
      return (runtime.cpuMs() - before) / result.requests;
    };
    const rows: BenchRow[] = [];
    for (const route of ['check', 'verify'] as const) {
      const sampled = await fetch(`${runtime.ladderUrl}sample/v1/${route}`, {
        method: 'POST',
        headers,
        body: bodies[0] ?? '',
      });
      if (sampled.status !== 200) throw new Error(`the sample answers ${sampled.status}: ${await sampled.text()}`);
      for (const { name } of STEPS) await apply(route, name, WARM_UP_S);
      const turns = Object.fromEntries(STEPS.map(({ name }) => [name, () => apply(route, name, TURN_S)]));
      const times = await takeTurns(turns as Record<Step, () => Promise<number>>, isQuick ? 3 : ROUNDS);
      rows.push(...rowsOf(route, times));
    }
    return rows;
  } finally {
    loader.disconnect();
    await runtime.stop();
  }
}

function placeOf(runtime: BenchRuntime, step: Step): string {
  const [worker, path] = PLACES[step];
  return `${worker === 'ladder' ? runtime.ladderUrl : runtime.urls[worker]}${path}`;
}

function rowsOf(route: Route, times: Readonly<Record<Step, readonly number[]>>): BenchRow[] {
  const over = (step: Step): number[] => times[step].map((ms, round) => ms / (times.bare[round] ?? Number.NaN));
  return STEPS.map(({ name, adds }, i) => {
    const { median: value, range } = spread(over(name));
    const below = STEPS[i - 1];
    const added = below === undefined ? [] : over(name).map((each, round) => each - (over(below.name)[round] ?? 0));
    const ms = `${figure(spread(times[name]).median)} ms`;
    const note = `${ms}; ${added.length === 0 ? '' : `adds ${withError(added)}; `}load ${loadavg()[0]?.toFixed(0)}`;
    return { name: `/v1/${route}, CPU / bare: ${adds}`, value, unit: '×', range, note };
  });
}

/** The mean with its standard error. */
function withError(values: readonly number[]): string {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return `${mean.toFixed(2)} ± ${Math.sqrt(variance / values.length).toFixed(2)}`;
}
