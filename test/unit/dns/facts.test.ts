import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type MailHosts, NO_MAIL_REASONS, type ResolvedMailHosts } from '../../../src/domain/dns/resolve.ts';
import { createMailHostsFinder } from '../../../src/services/verification/find-mail-hosts.ts';
import { createDomainCache, DomainFacts } from '../../../src/storage/domain-facts.ts';
import { type FactStore, InvocationStore } from '../../../src/storage/kv.ts';

const D = 'acme.example';
const START_MS = 1_800_000_000_000;
const FOUND: MailHosts = { kind: 'found', hosts: ['mx1.acme.example', 'mx2.acme.example'], implicit: false };
const TIMED_OUT: MailHosts = { kind: 'unresolved', why: 'timeout' };

/** A KV, a clock, a resolver and isolates that share them; each isolate has its own cache, and each call is an invocation. */
function world(
  resolve: (domain: string) => Promise<ResolvedMailHosts> = async () => ({ mailHosts: FOUND, ttlS: 300 }),
) {
  const stored = new Map<string, string>();
  const log = { resolved: 0, reads: 0, writes: [] as { key: string; expirationTtl: number }[] };
  const deferred: Promise<unknown>[] = [];
  const clock = { nowMs: START_MS };
  const defer = (work: Promise<unknown>) => void deferred.push(work);
  const ownKv: FactStore = {
    get: async (key) => {
      log.reads += 1;
      return stored.get(key) ?? null;
    },
    put: async (key, value, { expirationTtl }) => {
      log.writes.push({ key, expirationTtl });
      stored.set(key, value);
    },
  };
  return {
    stored,
    log,
    clock,
    deferred,
    isolate: ({ kv = ownKv, now = () => clock.nowMs }: { kv?: FactStore; now?: () => number } = {}) => {
      const cache = createDomainCache();
      return async (domain: string, deadlineMs?: number) => {
        const store = new InvocationStore(kv, defer);
        const counted = (asked: string) => {
          log.resolved += 1;
          return resolve(asked);
        };
        const facts = new DomainFacts(store, cache, now);
        const found = await createMailHostsFinder({ resolve: counted, facts, now, defer })(domain, deadlineMs);
        store.end();
        return found;
      };
    },
    /** Deferred work, and the work that it defers in turn. */
    settle: async () => {
      for (let settled = -1; settled < deferred.length;) {
        settled = deferred.length;
        await Promise.all(deferred);
      }
    },
  };
}

describe('createMailHostsFinder', () => {
  it('asks DNS once, then memory, then from another isolate KV', async () => {
    const w = world();
    const find = w.isolate();
    expect(await find(D)).toEqual(FOUND);
    expect(await find(D)).toEqual(FOUND);
    expect(w.log).toMatchObject({ resolved: 1, reads: 1 });
    await w.settle();
    const elsewhere = w.isolate();
    expect(await elsewhere(D)).toEqual(FOUND);
    expect(await elsewhere(D)).toEqual(FOUND);
    expect(w.log).toMatchObject({ resolved: 1, reads: 2, writes: [{ expirationTtl: 300 }] });
  });

  it.each([
    ['found', { kind: 'found', hosts: [D], implicit: true } satisfies MailHosts] as const,
    ['found with addresses', { ...FOUND, addresses: ['192.0.2.1', '2001:db8::1'] } satisfies MailHosts] as const,
    ...NO_MAIL_REASONS.map((why) => [why, { kind: 'none', why } satisfies MailHosts] as const),
  ])('gives back from KV what was put there: %s', async (_, mailHosts) => {
    const w = world(async () => ({ mailHosts, ttlS: 300 }));
    await w.isolate()(D);
    await w.settle();
    expect(await w.isolate()(D)).toEqual(mailHosts);
    expect(w.log.resolved).toBe(1);
  });

  it('answers before KV has been written', async () => {
    const w = world();
    const put = vi.fn(() => new Promise<void>(() => undefined));
    expect(await w.isolate({ kv: { get: async () => null, put } })(D)).toEqual(FOUND);
    await vi.waitFor(() => expect(put).toHaveBeenCalledOnce());
    expect(w.deferred).toHaveLength(1);
  });

  it('asks again when the TTL has passed, in memory and in KV alike', async () => {
    const w = world();
    const find = w.isolate();
    await find(D);
    await w.settle();
    w.clock.nowMs += 299_999;
    await find(D);
    expect(w.log.resolved).toBe(1);
    w.clock.nowMs += 1;
    await find(D);
    await w.settle();
    expect(w.log).toMatchObject({ resolved: 2, writes: [{}, {}] });
  });

  it('lets a fact from KV live in memory only to its own end', async () => {
    const w = world();
    await w.isolate()(D);
    await w.settle();
    w.clock.nowMs += 200_000;
    const elsewhere = w.isolate();
    await elsewhere(D);
    w.clock.nowMs += 100_000;
    await elsewhere(D);
    expect(w.log.resolved).toBe(2);
  });

  it('takes a stored fact that is nearly expired for absent, and writes it again', async () => {
    const w = world();
    await w.isolate()(D);
    await w.settle();
    w.clock.nowMs += 296_000;
    await w.isolate()(D);
    await w.settle();
    expect(w.log).toMatchObject({ resolved: 2, writes: [{}, {}] });
  });

  it('keeps what lives under a minute in memory only', async () => {
    const w = world(async () => ({ mailHosts: FOUND, ttlS: 59 }));
    const find = w.isolate();
    await find(D);
    await find(D);
    await w.settle();
    expect(w.log).toMatchObject({ resolved: 1, writes: [] });
  });

  it('never writes a failure, and forgets it after its time', async () => {
    const w = world(async () => ({ mailHosts: { kind: 'unresolved', why: 'servfail' }, ttlS: 90 }));
    const find = w.isolate();
    await find(D);
    w.clock.nowMs += 89_999;
    await find(D);
    expect(w.log.resolved).toBe(1);
    w.clock.nowMs += 1;
    await find(D);
    await w.settle();
    expect(w.log).toMatchObject({ resolved: 2, writes: [] });
  });

  it('prefers what a luckier request found meanwhile to its own failure', async () => {
    const slow = Promise.withResolvers<ResolvedMailHosts>();
    const lookUps = [slow.promise, Promise.resolve({ mailHosts: FOUND, ttlS: 300 })];
    const w = world(() => lookUps.shift() ?? Promise.reject(new Error('unforeseen')));
    const find = w.isolate();
    const unlucky = find(D);
    await find(D);
    slow.resolve({ mailHosts: { kind: 'unresolved', why: 'servfail' }, ttlS: 5 });
    expect(await unlucky).toEqual(FOUND);
    expect(await find(D)).toEqual(FOUND);
    expect(w.log.resolved).toBe(2);
  });

  it.each([
    ['no JSON', 'not json'],
    ['another shape', '{"mail_hosts":{"until":9e15,"value":{"kind":"found"}}}'],
    ['a kind that is never stored', '{"mail_hosts":{"until":9e15,"value":{"kind":"unresolved","why":"timeout"}}}'],
    ['found without hosts', '{"mail_hosts":{"until":9e15,"value":{"kind":"found","hosts":[],"implicit":false}}}'],
    ['no expiry', '{"mail_hosts":{"value":{"kind":"none","why":"nxdomain"}}}'],
  ])('takes a stored value that does not parse for a miss: %s', async (_, value) => {
    const w = world();
    expect(await w.isolate({ kv: { get: async () => value, put: async () => undefined } })(D)).toEqual(FOUND);
    expect(w.log.resolved).toBe(1);
  });

  it('takes an unreachable KV for a miss, on reading and on writing', async () => {
    const w = world();
    const down = { get: () => Promise.reject(new Error('KV GET failed')), put: () => Promise.reject(new Error('429')) };
    expect(await w.isolate({ kv: down })(D)).toEqual(FOUND);
    await expect(w.settle()).resolves.toBeUndefined();
  });

  it('keeps domains apart', async () => {
    const w = world(async (domain) => ({ mailHosts: { kind: 'found', hosts: [domain], implicit: true }, ttlS: 300 }));
    const find = w.isolate();
    expect(await find('a.example')).toMatchObject({ hosts: ['a.example'] });
    expect(await find('b.example')).toMatchObject({ hosts: ['b.example'] });
  });

  describe('deadlines', () => {
    beforeEach(() => {
      vi.useFakeTimers({ now: START_MS });
    });
    const now = () => Date.now();

    it('A answers at its ceiling while B and C for the same domain still get their own answers', async () => {
      const lookups: PromiseWithResolvers<ResolvedMailHosts>[] = [];
      const w = world(() => {
        const lookup = Promise.withResolvers<ResolvedMailHosts>();
        lookups.push(lookup);
        return lookup.promise;
      });
      // One isolate: three requests share its memory.
      const find = w.isolate({ now });
      const a = find(D, START_MS + 100);
      const b = find(D, START_MS + 2_000);
      const c = find(D);
      await vi.advanceTimersByTimeAsync(100);
      expect(await a).toEqual(TIMED_OUT);
      // Each request asks by itself: A's I/O ends with A's answer, so its look-up never settles.
      expect(lookups).toHaveLength(3);
      lookups[1]?.resolve({ mailHosts: FOUND, ttlS: 300 });
      expect(await b).toEqual(FOUND);
      lookups[2]?.resolve({ mailHosts: { kind: 'none', why: 'null_mx' }, ttlS: 300 });
      expect(await c).toEqual({ kind: 'none', why: 'null_mx' });
    });

    it('answers at its deadline when KV hangs', async () => {
      const w = world();
      const hanging = { get: () => new Promise<null>(() => undefined), put: async () => undefined };
      const answer = w.isolate({ now, kv: hanging })(D, START_MS + 100);
      await vi.advanceTimersByTimeAsync(100);
      expect(await answer).toEqual(TIMED_OUT);
    });

    it('answers after its own limit when the caller names no deadline or a far one', async () => {
      for (const deadlineMs of [undefined, START_MS + 3_600_000]) {
        const answer = world(() => new Promise(() => undefined)).isolate({ now })(D, deadlineMs);
        await vi.advanceTimersByTimeAsync(4_000);
        expect(await answer).toEqual(TIMED_OUT);
      }
    });

    it('lets the look-up finish after the answer, for the next request', async () => {
      const lookup = Promise.withResolvers<ResolvedMailHosts>();
      const w = world(() => lookup.promise);
      const find = w.isolate({ now });
      const answer = find(D, START_MS + 100);
      await vi.advanceTimersByTimeAsync(100);
      expect(await answer).toEqual(TIMED_OUT);
      expect(w.deferred).toHaveLength(1);
      lookup.resolve({ mailHosts: FOUND, ttlS: 300 });
      await w.settle();
      expect(await find(D)).toEqual(FOUND);
      expect(w.log).toMatchObject({ resolved: 1, writes: [{}] });
    });

    it('answers from memory after the deadline too', async () => {
      const w = world();
      const find = w.isolate({ now });
      await find(D);
      expect(await find(D, START_MS - 1)).toEqual(FOUND);
    });

    it('leaves no timer behind', async () => {
      await world().isolate({ now })(D, START_MS + 100);
      expect(vi.getTimerCount()).toBe(0);
    });
  });
});
