import { setTimeout as sleep } from 'node:timers/promises';
import { assessRequest } from '../../src/services/verification/judge.ts';
import { observe, subjectOf } from '../../src/services/verification/observe.ts';
import { type Load, type Loader, type LoadResult, openLoader } from './load.ts';
import { type BenchRow, figure, ratio, takeTurns } from './measure.ts';
import { type BenchRuntime, addKey, createOrganisation, verificationBy, withRuntime } from './runtime.ts';
import { useCaseDeps } from './use-case.ts';
import type { Calls } from './worker/caller/index.ts';

const ROUNDS = 5;
const CALLS = 2_000;
const TURN_S = 2;
/** Each step doubles the load. */
const CONNECTIONS = [1, 2, 4, 8, 16, 32] as const;

/** A hot organisation asks for twenty times its limit. */
const LIMIT_A_MINUTE = 300;
const ASKED_A_SECOND = 100;
/** Until it has used up its burst. */
const FILL_S = 5;
const BESIDE_S = 4;

/** Whoever has a revoked key sends as much as one isolate answers. */
const FLOOD_CONNECTIONS = 400;

const HASH = '68ac278c51a9382f5a8796a02f576fe6150e5a474f68b8ee1164a74fe7ea87b3';
const DOMAIN = 'd11.bulk.test';

/** One busy organisation: its object's throughput, and the effect on its neighbours. */
export const run = (isQuick: boolean): Promise<BenchRow[]> =>
  withRuntime(async (runtime) => {
    const [loader, hot] = [openLoader(), openLoader()];
    try {
      const organisation = await createOrganisation(runtime);
      return [
        ...(await ceilings(runtime, organisation, isQuick ? CALLS / 4 : CALLS)),
        ...(isQuick ? [] : [await doubled(runtime, loader, organisation.key)]),
        ...(await beside(runtime, loader, hot)),
        ...(await besideRefused(runtime, loader, hot)),
      ];
    } finally {
      loader.close();
      hot.close();
    }
  });

type Organisation = Awaited<ReturnType<typeof createOrganisation>>;

/** What the object receives about an unknown address. */
async function sentFor(organisationId: Organisation['id']): Promise<Calls['sent']> {
  const caller = { organisationId, mode: 'live', meter: 'verify', traceId: 'vr_1', startedAt: Date.now() } as const;
  const request = assessRequest({ ...caller, defer: () => undefined }, { purpose: 'signup', max_latency_ms: 60_000 });
  const deps = useCaseDeps(() => ['mx1.business.test'], Date.now);
  const email = `ada.lovelace1@${DOMAIN}`;
  const input = { email, subject: subjectOf(deps, caller, email), name: null, deadlineMs: request.deadlineMs };
  const { observed } = await observe(deps, caller, input);
  return { observed, request, providers: [] };
}

/** The object alone, called by one Worker without HTTP, beside a bare object that writes as many rows. */
async function ceilings(runtime: BenchRuntime, { id, keyHash, object }: Organisation, times: number) {
  const lookup = { addressHash: HASH, domain: DOMAIN, history: { domain: HASH.slice(32), purpose: 'signup' } } as const;
  const verified = { authorize: { ...verificationBy(keyHash), lookup }, sent: await sentFor(id) } as const;
  const checked = { authorize: { ...verified.authorize, meter: 'check' }, sent: null } as const;
  const turn = (calls: Pick<Calls, 'of' | 'authorize' | 'sent'>) => async () => {
    const [started, before] = [performance.now(), runtime.cpuMs()];
    const body = JSON.stringify({ organisationId: id, times, ...calls } satisfies Calls);
    const answer = await fetch(runtime.urls.caller, { method: 'POST', body });
    if (!answer.ok) throw new Error(`the caller answers ${answer.status}: ${await answer.text()}`);
    if (calls.of === 'ours') await object.flush(null);
    return { aSecond: (times * 1_000) / (performance.now() - started), cpuMs: (runtime.cpuMs() - before) / times };
  };
  const contestants = {
    check: turn({ of: 'ours', ...checked }),
    bareCheck: turn({ of: 'bare', ...checked }),
    verify: turn({ of: 'ours', ...verified }),
    bareVerify: turn({ of: 'bare', ...verified }),
  };
  await takeTurns(contestants, 1);
  const turns = await takeTurns(contestants, ROUNDS);
  const rows = (name: string, ours: keyof typeof contestants, theirs: keyof typeof contestants): BenchRow[] => {
    const values = (of: keyof typeof contestants, what: 'aSecond' | 'cpuMs') => turns[of].map((each) => each[what]);
    return [
      ratio(`one object, ${name}: rate`, values(ours, 'aSecond'), values(theirs, 'aSecond'), 'a second'),
      ratio(`one object, ${name}: CPU`, values(ours, 'cpuMs'), values(theirs, 'cpuMs'), 'ms each'),
    ];
  };
  return [...rows('check / bare', 'check', 'bareCheck'), ...rows('verify / bare', 'verify', 'bareVerify')];
}

/** The rate of one organisation at which the slowest hundredth waits at most twice as long as with one caller. */
async function doubled(runtime: BenchRuntime, loader: Loader, key: string): Promise<BenchRow> {
  const load = { url: `${runtime.urls.service}v1/verify`, key, seconds: TURN_S };
  await loader.apply({ ...load, connections: 1 });
  const steps: { readonly connections: number; readonly result: LoadResult }[] = [];
  for (const connections of CONNECTIONS)
    steps.push({ connections, result: await loader.apply({ ...load, connections }) });
  const base = steps[0]?.result.p99Ms ?? Number.NaN;
  const before = steps.filter(({ result }) => result.p99Ms <= 2 * base).at(-1) ?? steps[0];
  const shown = steps.map(({ connections, result: { requestsPerSecond, p99Ms } }) =>
    [connections, requestsPerSecond.toFixed(0), p99Ms.toFixed(1)].join(': '),
  );
  return {
    name: 'verifications a second until p99 doubles',
    value: before?.result.requestsPerSecond ?? Number.NaN,
    unit: '',
    note: `callers: a second: p99 ms: ${shown.join('; ')}`,
  };
}

/** A neighbour alone, and beside an organisation that asks for twenty times its limit. */
async function beside(runtime: BenchRuntime, loader: Loader, hot: Loader): Promise<BenchRow[]> {
  const [neighbour, greedy] = [await createOrganisation(runtime), await createOrganisation(runtime, LIMIT_A_MINUTE)];
  const url = `${runtime.urls.service}v1/verify`;
  const calm = { url, key: neighbour.key, connections: 1, seconds: BESIDE_S };
  await loader.apply({ ...calm, seconds: 1 });
  const alone = await loader.apply(calm);
  const asked: Load = {
    url,
    key: greedy.key,
    connections: 16,
    rate: ASKED_A_SECOND,
    refusal: 429,
    seconds: FILL_S + BESIDE_S + 1,
  };
  const [all, near] = await Promise.all([hot.apply(asked), sleep(FILL_S * 1_000).then(() => loader.apply(calm))]);
  const note = (what: keyof LoadResult): string =>
    `${[near, alone].map((result) => figure(result[what])).join(' / ')} ms`;
  return [
    {
      name: 'hot organisation: requests authorized in ten seconds',
      value: all.requests - all.refused - all.failed,
      unit: '',
      target: { atMost: LIMIT_A_MINUTE },
      note: `${all.refused} of ${all.requests} got 429`,
    },
    { name: 'its neighbour: p50 beside / alone', value: near.p50Ms / alone.p50Ms, unit: '×', note: note('p50Ms') },
    {
      name: 'its neighbour: p99 beside / alone',
      value: near.p99Ms / alone.p99Ms,
      unit: '×',
      target: { atMost: 2 },
      note: note('p99Ms'),
    },
  ];
}

/**
 * The organisation and a neighbour beside a flood of requests with a revoked key. A flood with a forged key, which no
 * object sees, shows the effect of one isolate's time alone.
 */
async function besideRefused(runtime: BenchRuntime, loader: Loader, hot: Loader): Promise<BenchRow[]> {
  const [flooded, neighbour] = [await createOrganisation(runtime), await createOrganisation(runtime)];
  const revoked = await addKey(flooded);
  await flooded.object.revokeKey(revoked.id);
  const url = `${runtime.urls.service}v1/verify`;
  const calm = ({ key }: Organisation): Load => ({ url, key, connections: 1, seconds: BESIDE_S });
  const p50Of = async (organisation: Organisation, key: string | null): Promise<number> => {
    const flood: Load = { url, key: key ?? '', connections: FLOOD_CONNECTIONS, seconds: BESIDE_S + 2, refusal: 401 };
    const [, { p50Ms }] = await Promise.all([
      key === null ? null : hot.apply(flood),
      sleep(1_000).then(() => loader.apply(calm(organisation))),
    ]);
    return p50Ms;
  };
  const forged = `${revoked.key.slice(0, -1)}${revoked.key.endsWith('0') ? '1' : '0'}`;
  const turns = await takeTurns(
    {
      alone: () => p50Of(neighbour, null),
      own: () => p50Of(flooded, revoked.key),
      neighbour: () => p50Of(neighbour, revoked.key),
      forged: () => p50Of(neighbour, forged),
    },
    3,
  );
  const row = (name: string, over: keyof typeof turns, under: keyof typeof turns): BenchRow =>
    ratio(`${FLOOD_CONNECTIONS} connections, revoked key: ${name}`, turns[over], turns[under], 'ms, p50');
  return [
    row('its organisation / alone', 'own', 'alone'),
    row('a neighbour / alone', 'neighbour', 'alone'),
    row('its organisation / beside a forged key', 'own', 'forged'),
    row('a neighbour / beside a forged key', 'neighbour', 'forged'),
  ];
}
