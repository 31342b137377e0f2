import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { OrganisationStub } from '../../src/organisation/api.ts';
import type { Load, LoadResult } from './load.ts';
import { createOrganisation, fillObject } from './organisation.ts';
import { ratios, spread, takeTurns } from './rounds.ts';
import { type BenchRow, figure } from './row.ts';
import { type BenchRuntime, startRuntime } from './runtime.ts';
import type { Route } from './worker/ladder/steps.ts';

const ROUNDS = 5;
const CALLS = 2_000;
const TURN_S = 2;
/** Each step asks twice as much. */
const CONNECTIONS = [1, 2, 4, 8, 16, 32] as const;

/** A hot organisation asks for so many times what it may. */
const LIMIT_A_MINUTE = 300;
const ASKED_A_SECOND = 100;
/** Until it has used up what it may at once. */
const FILL_S = 5;
const BESIDE_S = 4;

const EMAILS = Array.from({ length: 100 }, (_, i) => `ada.lovelace${i}@d${10 + (i % 10)}.bulk.test`);
const BODIES = EMAILS.map((email) => JSON.stringify({ email }));

const headersOf = ({ id, key }: { readonly id: string; readonly key: string }) => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
  'x-organisation': id,
});

const load = async (loader: ChildProcess, work: Load): Promise<LoadResult> => {
  loader.send(work);
  const [result] = (await once(loader, 'message')) as [LoadResult];
  return result;
};

/** One organisation that asks for much: what its object does in a second, and what its neighbours notice of it. */
export async function run(): Promise<BenchRow[]> {
  const runtime = await startRuntime({ hasLadder: true });
  const [loader, hot] = [fork(join(import.meta.dirname, 'load.ts')), fork(join(import.meta.dirname, 'load.ts'))];
  try {
    const organisation = await createOrganisation(runtime);
    const rows: BenchRow[] = [];
    const oneTrip = await fillObject(runtime, ['ONE_TRIP', 'ladder'], organisation);
    rows.push(...(await ceiling(runtime, 'check', organisation, { bare: null })));
    rows.push(...(await ceiling(runtime, 'verify', organisation, { bare: null, 'one-trip': oneTrip })));
    rows.push(await doubled(runtime, loader, organisation));
    rows.push(...(await beside(runtime, loader, hot)));
    return rows;
  } finally {
    loader.disconnect();
    hot.disconnect();
    await runtime.stop();
  }
}

type Organisation = Awaited<ReturnType<typeof createOrganisation>>;

/** What the object alone does, called by one Worker without HTTP. `others`: who is called in turns with it, and what writes to Postgres. */
async function ceiling(
  runtime: BenchRuntime,
  route: Route,
  organisation: Organisation,
  others: Readonly<Record<string, OrganisationStub | null>>,
): Promise<BenchRow[]> {
  const headers = headersOf(organisation);
  const post = async (path: string): Promise<void> => {
    const answer = await fetch(`${runtime.ladderUrl}${path}`, { method: 'POST', headers, body: BODIES[0] ?? '' });
    await answer.text();
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}`);
  };
  await post(`sample/v1/${route}`);
  const turn = (of: string, object: OrganisationStub | null) => async () => {
    const [started, before] = [performance.now(), runtime.cpuMs()];
    await post(`many/${of}/${route}?calls=${CALLS}`);
    await object?.flush(null);
    return { aSecond: (CALLS * 1_000) / (performance.now() - started), cpuMs: (runtime.cpuMs() - before) / CALLS };
  };
  const contestants = Object.fromEntries(
    Object.entries({ ours: organisation.object, ...others }).map(([of, object]) => [of, turn(of, object)]),
  );
  for (const warmUp of Object.values(contestants)) await warmUp();
  const turns = await takeTurns(contestants, ROUNDS);
  const row = (other: string, name: string, of: 'aSecond' | 'cpuMs', unit: string): BenchRow => {
    const [ours, theirs] = ['ours', other].map((each) => (turns[each] ?? []).map((figures) => figures[of]));
    const { median: value, range } = spread(ratios(ours ?? [], theirs ?? []));
    const medians = [ours, theirs].map((values) => figure(spread(values ?? []).median)).join(' / ');
    return {
      name: `one object, ${route}: ${name} / ${other}`,
      value,
      unit: '×',
      range,
      note: `${medians} ${unit}; ${shownLoad()}`,
    };
  };
  return Object.keys(others).flatMap((other) => [
    row(other, 'rate', 'aSecond', 'a second'),
    row(other, 'CPU', 'cpuMs', 'ms each'),
  ]);
}

/** The rate of one organisation where the slowest hundredth waits at most twice as long as with one caller. */
async function doubled(runtime: BenchRuntime, loader: ChildProcess, organisation: Organisation): Promise<BenchRow> {
  const work = { url: `${runtime.urls.service}v1/verify`, headers: headersOf(organisation), bodies: BODIES };
  await load(loader, { ...work, connections: 1, seconds: TURN_S });
  const steps: { readonly connections: number; readonly result: LoadResult }[] = [];
  for (const connections of CONNECTIONS) {
    const result = await load(loader, { ...work, connections, seconds: TURN_S });
    if (result.failed > 0) throw new Error(`${result.failed} verifications failed`);
    steps.push({ connections, result });
  }
  const base = steps[0]?.result.p99Ms ?? Number.NaN;
  const before = steps.filter(({ result }) => result.p99Ms <= 2 * base).at(-1) ?? steps[0];
  const shown = steps.map(({ connections, result: { requestsPerSecond, p99Ms } }) =>
    [connections, requestsPerSecond.toFixed(0), p99Ms.toFixed(1)].join(': '),
  );
  return {
    name: 'verifications a second until p99 doubles',
    value: before?.result.requestsPerSecond ?? Number.NaN,
    unit: '',
    note: `callers: a second: p99 ms: ${shown.join('; ')}; ${shownLoad()}`,
  };
}

/** A neighbour alone, and beside an organisation that asks for twenty times what it may. */
async function beside(runtime: BenchRuntime, loader: ChildProcess, hot: ChildProcess): Promise<BenchRow[]> {
  const [neighbour, greedy] = [await createOrganisation(runtime), await createOrganisation(runtime, LIMIT_A_MINUTE)];
  const url = `${runtime.urls.service}v1/verify`;
  const calm = { url, headers: headersOf(neighbour), bodies: BODIES, connections: 1, seconds: BESIDE_S };
  await load(loader, { ...calm, seconds: 1 });
  const alone = await load(loader, calm);
  const asked = { url, headers: headersOf(greedy), bodies: BODIES, connections: 16, rate: ASKED_A_SECOND };
  const [all, near] = await Promise.all([
    load(hot, { ...asked, seconds: FILL_S + BESIDE_S + 1 }),
    new Promise((resolve) => setTimeout(resolve, FILL_S * 1_000)).then(() => load(loader, calm)),
  ]);
  if (alone.failed + near.failed > 0) throw new Error('a neighbour within its rate was refused');
  const answer = await fetch(url, { method: 'POST', headers: headersOf(greedy), body: BODIES[0] ?? '' });
  await answer.text();
  const note = (what: keyof LoadResult): string =>
    `${[near, alone].map((result) => figure(result[what])).join(' / ')} ms; ${shownLoad()}`;
  return [
    {
      name: 'hot organisation: requests admitted in ten seconds',
      value: all.requests - all.refused,
      unit: '',
      target: { atMost: LIMIT_A_MINUTE },
      note: `${all.refused} of ${all.requests} got 429, Retry-After ${answer.headers.get('retry-after')} s; ${all.failed - all.refused} else`,
    },
    {
      name: 'its neighbour: p50 beside / alone',
      value: near.p50Ms / alone.p50Ms,
      unit: '×',
      note: note('p50Ms'),
    },
    {
      name: 'its neighbour: p99 beside / alone',
      value: near.p99Ms / alone.p99Ms,
      unit: '×',
      target: { atMost: 2 },
      note: note('p99Ms'),
    },
  ];
}

const shownLoad = (): string => `load ${loadavg()[0]?.toFixed(0)}`;
