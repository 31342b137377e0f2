import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { issueKey, type KeyClaims, type KeyRecord, keySecret, keyVersion } from '../../src/domain/access/index.ts';
import { DEFAULT_LIMITS } from '../../src/domain/metering/index.ts';
import type { OrganisationAdministration, OrganisationPort } from '../../src/domain/organisation/index.ts';
import { newId, systemRandom } from '../../src/kernel/ids.ts';
import { sha256Hex } from '../../src/kernel/keyed-hash.ts';
import type { Load, LoadResult } from './load.ts';
import { ratios, ROUNDS, spread, takeTurns } from './rounds.ts';
import type { BenchRow } from './row.ts';
import { type BenchRuntime, SERVICE_SECRET, startRuntime, type WorkerName } from './runtime.ts';
import { FACT } from './worker/answers.ts';

const WARM_UP_S = 3;
const THROUGHPUT = { connections: 16, seconds: 3 };
const LATENCY = { connections: 1, seconds: 2 };
const ROUTES = ['check', 'verify'] as const;

/** Of ten domains of the local test zone: their facts are in the isolate's memory after the first request for each. */
const EMAILS = Array.from({ length: 100 }, (_, i) => `ada.lovelace${i}@d${10 + (i % 10)}.bulk.test`);

/** An organisation without limits in an object of the Worker's own, and a member's key to it. */
async function createOrganisation({ miniflare }: BenchRuntime, worker: WorkerName) {
  const now = Date.now();
  const claims: KeyClaims = { organisationId: newId('org', now), mode: 'live', role: 'member', operator: false };
  const random = new Uint8Array(16);
  systemRandom(random);
  const key = issueKey(keySecret(SERVICE_SECRET), claims, random);
  const record: KeyRecord = {
    ...{ id: newId('key', now), hash: sha256Hex(key), last4: key.slice(-4), name: 'bench', role: 'member', mode: 'live' },
    ...{ origin: 'auto', operator: false, userId: null, secretVersion: keyVersion(key), createdAt: now, revokedAt: null },
  };
  const namespace = await miniflare.getDurableObjectNamespace('ORGANISATION', worker);
  const object = namespace.getByName(claims.organisationId) as unknown as OrganisationPort & OrganisationAdministration;
  const limits = { ...DEFAULT_LIMITS, verificationQuota: 0, ratePerMinute: 1e9 };
  const accountId = newId('acct', now);
  await object.create({ id: claims.organisationId, accountId, name: 'bench', limits, createdAt: now, version: 1 });
  await object.insertKey(record);
  return { organisation: claims.organisationId, key, keyHash: record.hash, object };
}

/** The same calls on the service and on the bare routes, from the same load, in turns. */
export async function run(): Promise<BenchRow[]> {
  const runtime = await startRuntime();
  const loader = fork(join(import.meta.dirname, 'load.ts'));
  try {
    const facts = await runtime.miniflare.getKVNamespace('FACTS', 'bare');
    await facts.put(FACT.key, FACT.value);
    const service = await createOrganisation(runtime, 'service');
    const bare = await createOrganisation(runtime, 'bare');
    const bodies: Record<WorkerName, readonly string[]> = {
      service: EMAILS.map((email) => JSON.stringify({ email })),
      bare: [JSON.stringify({ organisation: bare.organisation, keyHash: bare.keyHash })],
    };

    const apply = async (worker: WorkerName, route: string, load: Pick<Load, 'connections' | 'seconds'>): Promise<LoadResult> => {
      const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
      loader.send({ url: `${runtime.urls[worker]}v1/${route}`, headers, bodies: bodies[worker], ...load } satisfies Load);
      const [result] = (await once(loader, 'message')) as [LoadResult];
      if (result.failed > 0) throw new Error(`${result.failed} requests to ${worker} /v1/${route} failed`);
      // What one side leaves in its outbox must not run in the other's turn.
      await (worker === 'service' ? service : bare).object.flush(null);
      return result;
    };
    const inTurns = (route: string, load: Pick<Load, 'connections' | 'seconds'>) =>
      takeTurns({ service: () => apply('service', route, load), bare: () => apply('bare', route, load) });

    const rows: BenchRow[] = [];
    for (const route of ROUTES) {
      for (const worker of ['service', 'bare'] as const) await apply(worker, route, { ...THROUGHPUT, seconds: WARM_UP_S });
      rows.push(...throughputRows(route, await inTurns(route, THROUGHPUT)), latencyRow(route, await inTurns(route, LATENCY)));
    }
    return rows;
  } finally {
    loader.disconnect();
    await runtime.stop();
  }
}

type Turns = Record<WorkerName, readonly LoadResult[]>;
const all = (results: readonly LoadResult[], figure: keyof LoadResult): number[] => results.map((result) => result[figure]);
const median = (results: readonly LoadResult[], figure: keyof LoadResult): number => spread(all(results, figure)).median;

function throughputRows(route: string, { service, bare }: Turns): BenchRow[] {
  const { median: value, range } = spread(ratios(all(service, 'requestsPerSecond'), all(bare, 'requestsPerSecond')));
  const tail = spread(ratios(all(service, 'p99Ms'), all(bare, 'p99Ms')));
  const rates = [service, bare].map((results) => Math.round(median(results, 'requestsPerSecond')));
  const tails = [service, bare].map((results) => median(results, 'p99Ms').toFixed(1));
  const under = `${THROUGHPUT.connections} connections, ${ROUNDS} rounds`;
  return [
    { name: `/v1/${route}, requests per second over the bare route's`, value, range, unit: '×', target: { atLeast: 0.7 }, note: `${rates.join(' and ')} a second; ${under}` },
    { name: `/v1/${route}, p99 over the bare route's`, value: tail.median, range: tail.range, unit: '×', note: `${tails.join(' and ')} ms; ${under}` },
  ];
}

function latencyRow(route: string, { service, bare }: Turns): BenchRow {
  const { median: value, range } = spread(ratios(all(service, 'p50Ms'), all(bare, 'p50Ms')));
  const [p50, bareP50] = [service, bare].map((results) => median(results, 'p50Ms').toFixed(2));
  const [p99, bareP99] = [service, bare].map((results) => median(results, 'p99Ms').toFixed(2));
  const note = `${p50} and ${bareP50} ms (p99 ${p99} and ${bareP99}); one connection, ${ROUNDS} rounds`;
  return { name: `/v1/${route}, p50 over the bare route's`, value, range, unit: '×', target: { atMost: 1.5 }, note };
}
