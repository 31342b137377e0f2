import { beforeEach, expect, it } from 'vitest';
import { flagLearned } from '../../../src/domain/answer/known.ts';
import { toldTo as told } from '../../../src/domain/belief/accepts-all.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { readAcceptsAll, writeAcceptsAll } from '../../../src/storage/accepts-all.ts';
import { createFlagMemory, withFlagMemory } from '../../../src/storage/flag-memory.ts';
import type { FactStore } from '../../../src/storage/kv.ts';

const DOMAIN = 'acme.test';
const toldTo = async (kv: FactStore, organisation: string, now: number) => {
  const flag = await readAcceptsAll(kv, DOMAIN, now);
  return flag && told(`seen-as-${organisation}`, flag, now);
};

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

it('a second address of a domain does not read again the flag that organisations share', async () => {
  const kv = withFlagMemory(store, createFlagMemory());
  await toldTo(kv, 'org_a', 0);
  expect(reads).toHaveLength(1);
  await toldTo(kv, 'org_b', 0);
  expect(reads).toHaveLength(1);
});

it('what the isolate writes of a flag it knows at once', async () => {
  const kv = withFlagMemory(store, createFlagMemory());
  const said = { provider: 'kickbox', verdict: 'catch_all', catch_all: true, at: 0 } as const;
  for (const organisation of ['org_a', 'org_b']) {
    const learned = flagLearned(await readAcceptsAll(kv, DOMAIN, 0), [said], `seen-as-${organisation}`, 0);
    if (learned !== null) await writeAcceptsAll(kv, DOMAIN, learned, 0);
  }
  // Others are told from the Monday after.
  expect(await toldTo(kv, 'org_c', 4 * DAY_MS)).toBe(true);
  expect(reads).toHaveLength(1);
});

it('a read that failed is not remembered', async () => {
  let isDown = true;
  const flaky: FactStore = { ...store, get: (key) => (isDown ? Promise.reject(new Error('KV')) : store.get(key)) };
  const kv = withFlagMemory(flaky, createFlagMemory());
  await toldTo(kv, 'org_a', 0);
  isDown = false;
  await toldTo(kv, 'org_a', 0);
  expect(reads).toHaveLength(1);
});
