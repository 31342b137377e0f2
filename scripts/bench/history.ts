import { loadavg } from 'node:os';
import type { AddressFacts, Observation } from '../../src/domain/belief/facts.ts';
import { PROVIDER_IDS } from '../../src/domain/belief/provider.ts';
import { newId } from '../../src/kernel/ids.ts';
import { memberKey, memberSettings, verification } from './member.ts';
import { mean, takeTurns } from './rounds.ts';
import type { BenchRow } from './row.ts';
import { startRuntime } from './runtime.ts';
import type { HistoryObject } from './worker/history-object.ts';

const ADDRESSES = 100_000;
const SIZES = { empty: 0, ten_thousand: 10_000, million: 1_000_000 } as const;
/** Authorisations of one call, and such calls of each size in turns: many short ones, as what else the machine does comes in bursts. */
const CALLS = 200;
const TURNS = 61;
/** Addresses that are folded anew. */
const FOLDED = 50_000;

const NOW = Date.now();
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
    catch_all: null,
    at: NOW,
  })),
  reports: Array.from({ length: reports }, () => ({ class: 'delivered', at: NOW, of: '00000000', source: '00000000' })),
  proofs: reports > 0 ? [{ class: 'confirmed', at: NOW }] : [],
});
const USUAL = historyOf(3, 2);
const FULL = historyOf(7, 8);

/** What the history of addresses takes of the object's file, and of an authorisation's time, on workerd. */
export async function run(): Promise<BenchRow[]> {
  const runtime = await startRuntime();
  try {
    const namespace = await runtime.miniflare.getDurableObjectNamespace('HISTORY', 'bare');
    const object = (name: string) => namespace.getByName(name) as unknown as HistoryObject;
    const usual = await object('usual').addAddresses(USUAL, ADDRESSES);
    const full = await object('full').addAddresses(FULL, ADDRESSES);

    const context = { ...USUAL, address: HASH, at: NOW };
    const nothing: Observation = { context, answers: [], report: null, proof: null };
    const asked: Observation = { ...nothing, answers: USUAL.answers };
    const report = { class: 'delivered', at: NOW, of: newId('vr', NOW), source: memberKey.id } as const;
    const news = [asked, asked, { ...nothing, report }];
    const [answered = 0, again = 0, reported = 0] = await object('rows').rowsWritten(news);

    const filled = Object.entries(SIZES).map(([name, count]) => ({ name: name as keyof typeof SIZES, count }));
    for (const { name, count } of filled) {
      await object(name).open(memberKey);
      await object(name).fill(USUAL, count);
    }
    // CPU time: what else the machine does moves it less. A tick of its clock is longer than a turn, so all turns count together.
    const timed = (name: string) => async (): Promise<number> => {
      const before = runtime.cpuMs();
      await object(name).authorize(memberSettings, verification, CALLS);
      return ((runtime.cpuMs() - before) * 1_000) / CALLS;
    };
    const calls = { empty: timed('empty'), ten_thousand: timed('ten_thousand'), million: timed('million') };
    await takeTurns(calls, 1);
    const turns = await takeTurns(calls, TURNS);
    const over = (name: 'ten_thousand' | 'million'): number => mean(turns[name]) / mean(turns.empty);
    const beside = `CPU of ${TURNS} turns of ${CALLS}; among none ${mean(turns.empty).toFixed(0)} µs each, load ${loadavg()[0]?.toFixed(0)}`;

    await object('folded').addAddresses(USUAL, FOLDED, true);
    const before = runtime.cpuMs();
    const steps = await object('folded').recompute();
    const folded = ((runtime.cpuMs() - before) * 1_000) / FOLDED;
    const pages = `pages included, after ${ADDRESSES}`;
    return [
      {
        name: 'an address in the object’s file',
        value: usual,
        unit: 'bytes',
        note: `${pages}; 3 answers, 2 reports, a proof: facts of ${JSON.stringify(USUAL).length} characters`,
      },
      {
        name: 'an address, its row at the fullest but one proof',
        value: full,
        unit: 'bytes',
        note: `${pages}; 7 answers, 8 reports: facts of ${JSON.stringify(FULL).length} characters`,
      },
      {
        name: 'rows written for an address’s answers',
        value: answered,
        unit: 'rows',
        note: `the address and its groups; the same answers again ${again}; a report ${reported}`,
      },
      {
        name: 'authorise among 10,000 addresses over none',
        value: over('ten_thousand'),
        unit: '×',
        target: { atMost: 1.2 },
        note: beside,
      },
      {
        name: 'authorise among 1,000,000 addresses over none',
        value: over('million'),
        unit: '×',
        target: { atMost: 1.2 },
        note: 'half of them of known addresses',
      },
      {
        name: 'groups folded anew',
        value: folded,
        unit: 'µs CPU an address',
        note: `${FOLDED} addresses in ${steps} steps, the rows' reading and writing with it`,
      },
    ];
  } finally {
    await runtime.stop();
  }
}
