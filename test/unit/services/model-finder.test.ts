import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { documentOf } from '../../../src/domain/calibration/model-document.ts';
import { SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import { createModelMemory, modelFinder } from '../../../src/services/calibration/model-finder.ts';
import { modelKey } from '../../../src/storage/fitted-models.ts';
import type { Database } from '../../../src/storage/postgres/client.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const DOCUMENT = documentOf({ ...SEEDED_MODEL, version: 'fit-1', calibration: 'fitted' });
const FOUND = { ...SEEDED_MODEL, version: 'fit-1', calibration: 'fitted' };
const KEY = modelKey('org_a', 'fit-1');
const FOREVER = Number.POSITIVE_INFINITY;

/** One isolate over a cache in memory and a database that answers `rows`, after `ms`. */
function createIsolate(stored: Record<string, string>, rows: () => unknown[], ms = 0) {
  const asked = { kv: 0, postgres: 0 };
  const kv = new Map(Object.entries(stored));
  const deferred: Promise<unknown>[] = [];
  const where = async () => {
    asked.postgres += 1;
    await new Promise((resolve) => setTimeout(resolve, ms));
    return rows();
  };
  const find = modelFinder({
    db: { select: () => ({ from: () => ({ where }) }) } as unknown as Database,
    kv: {
      get: async (key) => {
        asked.kv += 1;
        return kv.get(key) ?? null;
      },
      put: async (key, value) => void kv.set(key, value),
    },
    memory: createModelMemory(),
    now: () => Date.now(),
    defer: (work) => void deferred.push(work),
  });
  const findNow = async (deadlineMs = FOREVER, version = 'fit-1') => {
    const finding = find('org_a', version, deadlineMs);
    await vi.advanceTimersByTimeAsync(600);
    return finding;
  };
  return { asked, kv, find: findNow };
}

const cached = { [KEY]: JSON.stringify(DOCUMENT) };
const down = () => {
  throw new Error('down');
};

describe('a fitted model', () => {
  it('is read from KV once a version and isolate', async () => {
    const isolate = createIsolate(cached, down);
    for (let i = 0; i < 3; i += 1) expect(await isolate.find()).toEqual(FOUND);
    expect(isolate.asked).toEqual({ kv: 1, postgres: 0 });
    expect(await isolate.find(FOREVER, 'fit-2')).toBeNull();
  });

  it.each([
    ['nothing', {}],
    ['something other than a model', { [KEY]: '{"v":1}' }],
    ['something other than JSON', { [KEY]: '{' }],
  ])('is read from Postgres where KV holds %s, and put into KV', async (_, stored) => {
    const isolate = createIsolate(stored, () => [{ document: DOCUMENT }]);
    expect(await isolate.find()).toEqual(FOUND);
    expect(JSON.parse(isolate.kv.get(KEY) ?? '')).toEqual(DOCUMENT);
  });

  it.each([
    ['Postgres is away', down],
    ['the stores lack it', () => []],
    ['Postgres holds another shape', () => [{ document: { v: 9 } }]],
  ])('is done without when %s, and not looked for again for 30 s', async (_, rows) => {
    const isolate = createIsolate({}, rows);
    for (let i = 0; i < 3; i += 1) expect(await isolate.find()).toBeNull();
    expect(isolate.asked).toEqual({ kv: 1, postgres: 1 });
    await vi.advanceTimersByTimeAsync(30_000);
    await isolate.find();
    expect(isolate.asked.postgres).toBe(2);
  });

  it('that takes too long is there for the next request', async () => {
    const isolate = createIsolate({}, () => [{ document: DOCUMENT }], 2_000);
    expect(await isolate.find()).toBeNull();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await isolate.find()).toEqual(FOUND);
    expect(isolate.asked.postgres).toBe(1);
  });

  it('is waited for no longer than the answer may take', async () => {
    const isolate = createIsolate({}, () => [{ document: DOCUMENT }], 100);
    expect(await isolate.find(Date.now() + 50)).toBeNull();
    expect(await isolate.find()).toEqual(FOUND);
  });
});
