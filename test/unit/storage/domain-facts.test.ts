import { beforeEach, describe, expect, it } from 'vitest';
import { flagLearned } from '../../../src/domain/answer/prepared.ts';
import { toldTo as toldFrom } from '../../../src/domain/belief/accepts-all.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { createDomainCache, DomainFacts, forgetDomain } from '../../../src/storage/domain-facts.ts';
import { type FactStore, InvocationStore } from '../../../src/storage/kv.ts';

const DOMAIN = 'acme.test';
const KEY = 'domain:v2:acme.test';
const HOSTS = { kind: 'found', hosts: ['mx.acme.test'], implicit: false } as const;
const FLAG = { weeks: [{ week: 0, accepts_all: true, seen_by: ['a'] }] };

const kept = new Map<string, string>();
let log: string[] = [];
let isDown = false;
let nowMs = 0;
const kv = {
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

/** One invocation, by default in an isolate of its own. */
async function invoke(
  work: (facts: DomainFacts, store: FactStore) => Promise<unknown> | void,
  cache = createDomainCache(),
): Promise<void> {
  const deferred: Promise<unknown>[] = [];
  const store = new InvocationStore(kv, (each) => void deferred.push(each));
  await work(new DomainFacts(store, cache, () => nowMs), store);
  store.end();
  await Promise.all(deferred);
}
const putHosts = (facts: DomainFacts) => facts.putMailHosts(DOMAIN, { mailHosts: HOSTS, ttlS: 300 });
const both = (facts: DomainFacts) => Promise.all([facts.mailHosts(DOMAIN), facts.acceptsAll(DOMAIN)]);

describe('what organisations share of a domain', () => {
  it('is read once and written once by an invocation that finds out all of it, and lasts as long as the fact that lasts longest', async () => {
    await invoke(async (facts) => {
      expect(await both(facts)).toEqual([null, null]);
      putHosts(facts);
      facts.putAcceptsAll(DOMAIN, FLAG);
      // This invocation knows it at once.
      expect(await both(facts)).toEqual([HOSTS, FLAG]);
    });
    expect(log).toEqual([`get ${KEY}`, `put ${KEY} ${(18 * DAY_MS) / SECOND_MS}`]);
    log = [];
    await invoke(async (facts) => expect(await both(facts)).toEqual([HOSTS, FLAG]));
    expect(log).toEqual([`get ${KEY}`]);
  });

  it('keeps one fact when the other is written, also where it was not read before', async () => {
    await invoke((facts) => facts.putAcceptsAll(DOMAIN, FLAG));
    await invoke(putHosts);
    await invoke(async (facts) => expect(await both(facts)).toEqual([HOSTS, FLAG]));
  });

  it('loses each fact at its own time', async () => {
    await invoke((facts) => {
      putHosts(facts);
      facts.putAcceptsAll(DOMAIN, FLAG);
    });
    nowMs = 300 * SECOND_MS;
    await invoke(async (facts) => expect(await both(facts)).toEqual([null, FLAG]));
    await invoke((facts) => facts.putAcceptsAll(DOMAIN, FLAG));
    expect(kept.get(KEY)).not.toContain('mx.acme.test');
  });

  it('is written at once when it comes after the answer', async () => {
    const writes: Promise<unknown>[] = [];
    const store = new InvocationStore(kv, (each) => void writes.push(each));
    store.end();
    putHosts(new DomainFacts(store, createDomainCache(), () => nowMs));
    await Promise.all(writes);
    await invoke(async (facts) => expect(await both(facts)).toEqual([HOSTS, null]));
  });

  it('is asked of a store that has failed again, and what is found meanwhile is written', async () => {
    isDown = true;
    await invoke(async (facts) => {
      expect(await both(facts)).toEqual([null, null]);
      putHosts(facts);
    });
    isDown = false;
    await invoke(async (facts) => expect(await both(facts)).toEqual([HOSTS, null]));
  });

  it.each(['no JSON', '{"mail_hosts":1}'])('is nothing where the store holds %s', async (text) => {
    kept.set(KEY, text);
    await invoke(async (facts) => expect(await both(facts)).toEqual([null, null]));
  });

  it('is forgotten as a whole', async () => {
    await invoke(putHosts);
    await forgetDomain(kv, DOMAIN);
    expect(kept.size).toBe(0);
  });
});

it('a fact of another kind has an entry of its own', async () => {
  await invoke(async (_, store) => {
    await store.put('company:acme.test', '{}', { expirationTtl: 60 });
    // This invocation knows it at once.
    expect(await store.get('company:acme.test')).toBe('{}');
  });
  expect(log).toEqual(['put company:acme.test 60']);
});

describe('the flag of an isolate', () => {
  const toldTo = (cache: ReturnType<typeof createDomainCache>, organisation: string) => {
    let told: boolean | null = null;
    const read = invoke(async (facts) => {
      const flag = await facts.acceptsAll(DOMAIN);
      told = flag && toldFrom(`seen-as-${organisation}`, flag, nowMs);
    }, cache);
    return read.then(() => told);
  };
  const reads = () => log.filter((each) => each.startsWith('get ')).length;

  it('a second address of a domain does not read again the flag that organisations share', async () => {
    const cache = createDomainCache();
    await toldTo(cache, 'org_a');
    expect(reads()).toBe(1);
    nowMs = MINUTE_MS - 1;
    await toldTo(cache, 'org_b');
    expect(reads()).toBe(1);
    nowMs = MINUTE_MS;
    await toldTo(cache, 'org_b');
    expect(reads()).toBe(2);
  });

  it('the isolate knows its own write of a flag at once', async () => {
    const cache = createDomainCache();
    const said = { provider: 'kickbox', verdict: 'catch_all', catch_all: true, at: 0 } as const;
    nowMs = 4 * DAY_MS - SECOND_MS;
    for (const organisation of ['org_a', 'org_b'])
      await invoke(async (facts) => {
        const flag = await facts.acceptsAll(DOMAIN);
        const learned = flagLearned(flag, [said], `seen-as-${organisation}`, nowMs);
        if (learned !== null) facts.putAcceptsAll(DOMAIN, learned);
      }, cache);
    // What KV shows comes later.
    kept.clear();
    log = [];
    // Others are told from the Monday after.
    nowMs = 4 * DAY_MS;
    expect(await toldTo(cache, 'org_c')).toBe(true);
    expect(reads()).toBe(0);
  });

  it('is not an older one that KV still shows, when mail hosts are read', async () => {
    const cache = createDomainCache();
    await invoke((facts) => facts.putAcceptsAll(DOMAIN, FLAG), cache);
    kept.clear();
    await invoke(async (facts) => expect(await both(facts)).toEqual([null, FLAG]), cache);
    await invoke(async (facts) => expect(await both(facts)).toEqual([null, FLAG]), cache);
  });

  it('is at most a minute old, however long an invocation that has read it runs', async () => {
    const cache = createDomainCache();
    await invoke(async (facts) => {
      await facts.acceptsAll(DOMAIN);
      nowMs = 5 * MINUTE_MS;
      await facts.acceptsAll(DOMAIN);
      expect(reads()).toBe(1);
    }, cache);
    kept.set(KEY, JSON.stringify({ accepts_all: { value: FLAG, until: DAY_MS } }));
    await invoke(async (facts) => expect(await facts.acceptsAll(DOMAIN)).toEqual(FLAG), cache);
  });

  it('a read that failed is not remembered', async () => {
    const cache = createDomainCache();
    isDown = true;
    await toldTo(cache, 'org_a');
    isDown = false;
    log = [];
    await toldTo(cache, 'org_a');
    expect(reads()).toBe(1);
  });
});
