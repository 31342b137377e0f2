import { beforeEach, expect, it } from 'vitest';
import { knownFrom } from '../../../src/domain/verification/known-evidence.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { type EvidenceKeys, namesOf, readEvidence, writeEvidence } from '../../../src/storage/evidence.ts';
import { createFlagMemory, withFlagMemory } from '../../../src/storage/flag-memory.ts';
import type { FactStore } from '../../../src/storage/kv.ts';

const keysOf = (organisationId: EvidenceKeys['organisationId'], addressHash: string): EvidenceKeys => ({
  organisationId,
  addressHash,
  domain: 'acme.test',
  seenAs: () => `seen-as-${organisationId}`,
});

const knownOf = async (kv: FactStore, keys: EvidenceKeys, now: number) =>
  knownFrom({ answers: [], ...(await readEvidence(kv, keys, now)) }, namesOf(keys), now);

const kept = new Map<string, string>();
let reads: string[] = [];
const store: FactStore = {
  get: async (key) => {
    reads.push(key);
    return kept.get(key) ?? null;
  },
  put: async (key, value) => void kept.set(key, value),
};
beforeEach(() => {
  kept.clear();
  reads = [];
});

it('a second address of a domain costs its own reads, and does not read again the flag that organisations share', async () => {
  const kv = withFlagMemory(store, createFlagMemory());
  await readEvidence(kv, keysOf('org_a', 'ada'), 0);
  expect(reads.map((key) => key.split(':')[0])).toEqual(['domain-evidence', 'accepts-all']);
  reads = [];
  await readEvidence(kv, keysOf('org_b', 'bob'), 0);
  expect(reads.map((key) => key.split(':')[0])).toEqual(['domain-evidence']);
});

it('what the isolate writes of a flag it knows at once', async () => {
  const kv = withFlagMemory(store, createFlagMemory());
  const said = { provider: 'kickbox', verdict: 'catch_all', catch_all: true, at: 0 } as const;
  for (const organisation of ['org_a', 'org_b'] as const) {
    const keys = keysOf(organisation, 'ada');
    await writeEvidence(kv, keys, await knownOf(kv, keys, 0), [said], () => 0);
  }
  // Others are told from the Monday after.
  expect((await knownOf(kv, keysOf('org_c', 'eve'), 4 * DAY_MS)).told).toBe(true);
  expect(reads.filter((key) => key.startsWith('accepts-all'))).toHaveLength(1);
});

it('a read that failed is not remembered', async () => {
  let isDown = true;
  const flaky: FactStore = { ...store, get: (key) => (isDown ? Promise.reject(new Error('KV')) : store.get(key)) };
  const kv = withFlagMemory(flaky, createFlagMemory());
  await readEvidence(kv, keysOf('org_a', 'ada'), 0);
  isDown = false;
  await readEvidence(kv, keysOf('org_a', 'ada'), 0);
  expect(reads.filter((key) => key.startsWith('accepts-all'))).toHaveLength(1);
});

it('the organisation’s name for the flag is worked out only where there is one to compare it with', async () => {
  let hashed = 0;
  const keys: EvidenceKeys = { ...keysOf('org_a', 'ada'), seenAs: () => `seen-${(hashed += 1)}` };
  await knownOf(store, keys, 0);
  expect(hashed).toBe(0);
});
