import type { AddressFacts, Observation } from '../../src/domain/belief/facts.ts';
import { PROVIDER_IDS } from '../../src/domain/belief/provider.ts';
import { newId } from '../../src/kernel/ids.ts';
import { type BenchRow, mean, takeTurns } from './measure.ts';
import { type BenchRuntime, keyOf, settingsOf, verificationBy, withRuntime } from './runtime.ts';
import type { HistoryObject, Kept } from './worker/history-object.ts';

const ADDRESSES = 100_000;
const MANY = 1_000_000;
/** Calls of each size in turns: many short ones, since other load on the machine comes in bursts. */
const CALLS = 200;
const TURNS = 61;
const FOLDED = 50_000;

const NOW = Date.now();
const KEY = keyOf(NOW, { hash: 'a'.repeat(64), last4: 'abcd', secretVersion: 'Q' });
const HASH = '0'.repeat(32);
/** What an address that was asked about and mailed to has: so many answers and reports. */
const historyOf = (answers: number, reports: number): AddressFacts => ({
  firstSeenAt: NOW,
  host: 'google_business',
  features: [],
  purpose: 'signup',
  domain: HASH,
  list: HASH,
  answers: PROVIDER_IDS.slice(0, answers).map((provider) => ({
    provider,
    verdict: 'deliverable',
    at: NOW,
  })),
  reports: Array.from({ length: reports }, () => ({
    class: 'delivered',
    at: NOW,
    of: ['00000000'],
    source: '00000000',
  })),
  proofs: reports > 0 ? [{ class: 'confirmed', at: NOW }] : [],
});
const USUAL = historyOf(3, 2);
const FULL = historyOf(7, 8);

/** Characters of a trace: without a provider; with seven asked in turn, and a policy's decision. */
const TRACE_CHARS = [1_600, 8_000] as const;
const TRACES = 10_000;
/** Beyond this size an object stores traces without detail, and later refuses requests. */
const LARGE_BYTES = 2 ** 30;
const FULL_BYTES = 5 * 2 ** 30;

type Named = (name: string) => HistoryObject;

/** The size and time of the history and of waiting traces, on workerd. */
export const run = (isQuick: boolean): Promise<BenchRow[]> =>
  withRuntime(async (runtime) => {
    const namespace = await runtime.miniflare.getDurableObjectNamespace('HISTORY', 'bare');
    const object: Named = (name) => namespace.getByName(name) as unknown as HistoryObject;
    const size = (full: number): number => (isQuick ? full / 10 : full);
    return [
      ...(await sizes(object, size(ADDRESSES))),
      ...(await authorizations(runtime, object, size(MANY), isQuick ? 11 : TURNS)),
      ...(await night(runtime, object, size(FOLDED))),
      ...(await waitingTraces(object, size(TRACES))),
    ];
  });

async function sizes(object: Named, addresses: number): Promise<BenchRow[]> {
  const usual = await object('usual').addAddresses(USUAL, addresses);
  const full = await object('full').addAddresses(FULL, addresses);
  const context = { ...USUAL, address: HASH, at: NOW };
  const nothing: Observation = { context, answers: [], report: null, proof: null };
  const asked: Observation = { ...nothing, answers: USUAL.answers };
  const report = { class: 'delivered', at: NOW, of: newId('vr', NOW), source: KEY.id } as const;
  const news = [asked, asked, { ...nothing, report }];
  const [answered = 0, again = 0, reported = 0] = await object('rows').rowsWritten(news);
  const pages = `pages included, after ${addresses}`;
  return [
    {
      name: 'an address in the object’s file',
      value: usual,
      unit: 'bytes',
      note: `${pages}; 3 answers, 2 reports, a proof; at the fullest ${full.toFixed(0)}`,
    },
    {
      name: 'rows written for an address’s answers',
      value: answered,
      unit: 'rows',
      note: `the address and its groups; the same answers again ${again}; a report ${reported}`,
    },
  ];
}

/** CPU time: other load moves it less. A tick of its clock is longer than a turn, so all turns count together. */
async function authorizations(runtime: BenchRuntime, object: Named, many: number, turns: number): Promise<BenchRow[]> {
  const settings = settingsOf(newId('org', NOW), NOW);
  const filled = async (name: string, count: number) => {
    await object(name).open(KEY);
    await object(name).fill(USUAL, count);
    return async (): Promise<number> => {
      const before = runtime.cpuMs();
      await object(name).authorize(settings, verificationBy(KEY.hash), CALLS);
      return ((runtime.cpuMs() - before) * 1_000) / CALLS;
    };
  };
  const calls = {
    none: await filled('none', 0),
    some: await filled('some', many / 100),
    many: await filled('many', many),
  };
  await takeTurns(calls, 1);
  const taken = await takeTurns(calls, turns);
  return (['some', 'many'] as const).map((name) => ({
    name: `authorise among ${name === 'some' ? many / 100 : many} addresses / none`,
    value: mean(taken[name]) / mean(taken.none),
    unit: '×',
    target: { atMost: 1.2 },
    note: `${mean(taken[name]).toFixed(0)} / ${mean(taken.none).toFixed(0)} µs CPU each; half of known addresses`,
  }));
}

async function night(runtime: BenchRuntime, object: Named, addresses: number): Promise<BenchRow[]> {
  await object('folded').addAddresses(USUAL, addresses, true);
  const before = runtime.cpuMs();
  const steps = await object('folded').recompute();
  return [
    {
      name: 'groups folded anew',
      value: ((runtime.cpuMs() - before) * 1_000) / addresses,
      unit: 'µs CPU an address',
      note: `${addresses} addresses in ${steps} steps, the rows' reading and writing with it`,
    },
  ];
}

/** While Postgres is away. */
async function waitingTraces(object: Named, count: number): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const chars of TRACE_CHARS) {
    const { bytes, inMs, outMs }: Kept = await object(`waiting ${chars}`).keepTraces(chars, count);
    const until = (size: number): string => `${(size / bytes / 1e6).toFixed(2)} million`;
    const aSecond = (ms: number): string => ((1_000 * count) / ms).toFixed(0);
    rows.push({
      name: `a trace of ${chars} characters that waits`,
      value: bytes,
      unit: 'bytes',
      note: `${until(LARGE_BYTES)} until detail is left out, ${until(FULL_BYTES)} until it is full; ${aSecond(inMs)} a second in, ${aSecond(outMs)} out`,
    });
  }
  return rows;
}
