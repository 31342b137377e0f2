import type { AddressFacts } from '../../../src/domain/belief/facts.ts';
import { memberKey, memberSettings, verification } from '../member.ts';
import type { HistoryObject } from '../worker/history-object.ts';
import type { Curve } from './curve.ts';

const CALLS = 200;
const TURNS = 20;

const known = (): AddressFacts => ({
  firstSeenAt: 0,
  host: 'google_business',
  features: [],
  purpose: 'signup',
  domain: '0'.repeat(32),
  list: '0'.repeat(32),
  answers: [{ provider: 'zerobounce', verdict: 'deliverable', catch_all: null, at: 0 }],
  reports: [],
  proofs: [],
});

export const history: Curve = {
  by: 'addresses in the history',
  sizes: [1_000, 10_000, 100_000, 1_000_000],
  quick: [1_000, 10_000, 100_000],
  needsPostgres: false,
  costs: [
    {
      name: 'an authorisation',
      why: 'each verification reads the history of its address, its domain and its list',
      unit: 'µs CPU',
      atMost: 0.1,
    },
  ],
  async measure({ runtime }, size) {
    const namespace = await runtime.miniflare.getDurableObjectNamespace('HISTORY', 'bare');
    const object = namespace.getByName(`history ${size}`) as unknown as HistoryObject;
    await object.open(memberKey);
    await object.fill(known(), size);
    await object.authorize(memberSettings, verification, CALLS);
    const before = runtime.cpuMs();
    for (let turn = 0; turn < TURNS; turn += 1) await object.authorize(memberSettings, verification, CALLS);
    return [((runtime.cpuMs() - before) * 1_000) / (CALLS * TURNS)];
  },
};
