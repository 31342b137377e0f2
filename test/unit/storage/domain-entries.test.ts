import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { readAcceptsAll, writeAcceptsAll } from '../../../src/storage/accepts-all.ts';
import { DomainEntries, forgetDomainEntry } from '../../../src/storage/domain-entries.ts';
import { readMailHosts, writeMailHosts } from '../../../src/storage/mail-hosts.ts';

const DOMAIN = 'acme.test';
const HOSTS = { kind: 'found', hosts: ['mx.acme.test'], implicit: false } as const;
const FLAG = { weeks: [{ week: 0, accepts_all: true, seen_by: ['a'] }] };

const kept = new Map<string, string>();
let log: string[] = [];
let isDown = false;
let nowMs = 0;
const store = {
  get: async (key: string) => {
    log.push(`get ${key}`);
    if (isDown) throw new Error('KV');
    return kept.get(key) ?? null;
  },
  put: async (key: string, value: string, { expirationTtl }: { expirationTtl: number }) => {
    log.push(`put ${key} ${expirationTtl}`);
    kept.set(key, value);
  },
  delete: async (key: string) => void kept.delete(key),
};
beforeEach(() => {
  kept.clear();
  log = [];
  isDown = false;
  nowMs = 0;
});

/** One invocation. */
async function invoke(work: (kv: DomainEntries) => Promise<unknown>): Promise<void> {
  const kv = new DomainEntries(store, () => nowMs);
  await work(kv);
  const deferred: Promise<unknown>[] = [];
  kv.end((each) => deferred.push(each));
  await Promise.all(deferred);
}
const putHosts = (kv: DomainEntries, ttlMs = 300 * SECOND_MS) =>
  writeMailHosts(kv, DOMAIN, { expiresAtMs: nowMs + ttlMs, mailHosts: HOSTS }, ttlMs);
const both = async (kv: DomainEntries) => [
  (await readMailHosts(kv, DOMAIN))?.mailHosts ?? null,
  await readAcceptsAll(kv, DOMAIN, nowMs),
];

describe('what organisations share of a domain', () => {
  it('is read once and written once by an invocation that finds out all of it, and lasts as long as the fact that lasts longest', async () => {
    await invoke(async (kv) => {
      expect(await both(kv)).toEqual([null, null]);
      await putHosts(kv);
      await writeAcceptsAll(kv, DOMAIN, FLAG, nowMs);
      // This invocation knows it at once.
      expect(await both(kv)).toEqual([HOSTS, FLAG]);
    });
    expect(log).toEqual(['get domain:v1:acme.test', `put domain:v1:acme.test ${(18 * DAY_MS) / SECOND_MS}`]);
    log = [];
    await invoke(async (kv) => expect(await both(kv)).toEqual([HOSTS, FLAG]));
    expect(log).toEqual(['get domain:v1:acme.test']);
  });

  it('keeps one fact when the other is written, also where it was not read before', async () => {
    await invoke((kv) => writeAcceptsAll(kv, DOMAIN, FLAG, nowMs));
    await invoke((kv) => putHosts(kv));
    await invoke(async (kv) => expect(await both(kv)).toEqual([HOSTS, FLAG]));
  });

  it('loses each fact at its own time', async () => {
    await invoke(async (kv) => {
      await putHosts(kv);
      await writeAcceptsAll(kv, DOMAIN, FLAG, nowMs);
    });
    nowMs = 300 * SECOND_MS;
    await invoke(async (kv) => expect(await both(kv)).toEqual([null, FLAG]));
    await invoke((kv) => writeAcceptsAll(kv, DOMAIN, FLAG, nowMs));
    expect(kept.get('domain:v1:acme.test')).not.toContain('mx.acme.test');
  });

  it('that comes behind the answer is written at once', async () => {
    const kv = new DomainEntries(store, () => nowMs);
    kv.end(() => undefined);
    await putHosts(kv);
    await invoke(async (later) => expect(await both(later)).toEqual([HOSTS, null]));
  });

  it('is asked of a store that has failed again, and what is found meanwhile is written', async () => {
    isDown = true;
    await invoke(async (kv) => {
      expect(await both(kv)).toEqual([null, null]);
      await putHosts(kv);
    });
    isDown = false;
    await invoke(async (kv) => expect(await both(kv)).toEqual([HOSTS, null]));
  });

  it.each(['no JSON', '{"mail-hosts:v1":1}'])('is nothing where the store holds %s', async (text) => {
    kept.set('domain:v1:acme.test', text);
    await invoke(async (kv) => expect(await both(kv)).toEqual([null, null]));
  });

  it('is forgotten as a whole', async () => {
    await invoke((kv) => putHosts(kv));
    await forgetDomainEntry(store, DOMAIN);
    expect(kept.size).toBe(0);
  });
});

it('a fact of another kind has an entry of its own', async () => {
  await invoke(async (kv) => {
    await kv.put('company:acme.test', '{}', { expirationTtl: 60 });
    expect(await kv.get('company:acme.test')).toBe('{}');
  });
  expect(log).toEqual(['put company:acme.test 60', 'get company:acme.test']);
});
