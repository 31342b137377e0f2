import { beforeEach, describe, expect, it, vi } from 'vitest';
import { OverlayDraft } from '../../../src/domain/lists/overlay.ts';
import { CurrentLists } from '../../../src/runtime/lists.ts';
import { isProviderTypo, lists } from '../../support/lists.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

/** KV that can be slow or away, and isolates that read it. */
function createWorld() {
  const stored = new Map<string, string | Uint8Array>();
  const fault = { ms: 0, down: false };
  const reads: string[] = [];
  const kv = {
    async get(key: string): Promise<never> {
      reads.push(key);
      if (fault.ms > 0) await new Promise((resolve) => setTimeout(resolve, fault.ms));
      if (fault.down) throw new Error('KV is away');
      return (stored.get(key) ?? null) as never;
    },
    async put(key: string, value: string | Uint8Array) {
      if (fault.down) throw new Error('KV is away');
      stored.set(key, value);
    },
  };
  const publish = (...domains: string[]) => {
    const draft = new OverlayDraft(lists);
    draft.enter(0, ['thrown-of-one.com', ...domains]);
    draft.enter(1, ['thrown-of-another.com', ...domains]);
    const overlay = draft.finish([]);
    return new CurrentLists(lists, isProviderTypo, kv, () => Date.now()).overlay.publish(overlay);
  };
  const isolate = () => {
    const current = new CurrentLists(lists, isProviderTypo, kv, () => Date.now());
    const deferred: Promise<unknown>[] = [];
    return {
      async blocks(domain: string) {
        await current.overlay.refresh((work) => void deferred.push(work));
        return current.lists.disposableTier(domain) === 'block';
      },
      behind: () => Promise.all(deferred),
    };
  };
  return { stored, fault, reads, publish, isolate };
}

describe('the lists of an isolate', () => {
  it('know from its first request what was added since the Worker was deployed', async () => {
    const { publish, isolate } = createWorld();
    await publish('thrown-1.com');
    expect(await isolate().blocks('thrown-1.com')).toBe(true);
  });

  it('follow a new overlay within two minutes, after the answers, and read each version once', async () => {
    const { publish, isolate, reads } = createWorld();
    await publish('thrown-1.com');
    const { blocks, behind } = isolate();
    await blocks('thrown-1.com');
    await publish('thrown-2.com');
    expect(await blocks('thrown-2.com')).toBe(false);
    vi.setSystemTime(Date.now() + 60_000);
    await blocks('thrown-2.com');
    await behind();
    expect(await blocks('thrown-2.com')).toBe(true);
    expect(await blocks('thrown-1.com')).toBe(false);
    for (let i = 0; i < 5; i += 1) {
      vi.setSystemTime(Date.now() + 60_000);
      await blocks('thrown-2.com');
      await behind();
    }
    expect(reads.filter((key) => key !== 'lists:v1:current')).toHaveLength(2);
    expect(reads.filter((key) => key === 'lists:v1:current')).toHaveLength(7);
  });

  it('stay as they are while KV is away, slow, or holds something else', async () => {
    const { stored, fault, publish, isolate } = createWorld();
    await publish('thrown-1.com');
    const { blocks, behind } = isolate();
    await blocks('thrown-1.com');
    await publish('thrown-2.com');
    const version = String(stored.get('lists:v1:current'));
    stored.set(`lists:v1:${version}`, new TextEncoder().encode('{"version":"x"}'));
    vi.setSystemTime(Date.now() + 60_000);
    for (const down of [false, true]) {
      fault.down = down;
      await blocks('thrown-1.com');
      await behind();
      expect(await blocks('thrown-1.com')).toBe(true);
      vi.setSystemTime(Date.now() + 60_000);
    }
  });

  it('keep no first request waiting longer than 300 ms', async () => {
    const { fault, publish, isolate } = createWorld();
    await publish('thrown-1.com');
    fault.ms = 200;
    const { blocks, behind } = isolate();
    const first = blocks('thrown-1.com');
    await vi.advanceTimersByTimeAsync(300);
    expect(await first).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    await behind();
    expect(await blocks('thrown-1.com')).toBe(true);
  });

  it('keep no request waiting beyond its deadline', async () => {
    const hanging = { get: () => new Promise<never>(() => undefined), put: async () => undefined };
    const current = new CurrentLists(lists, isProviderTypo, hanging, () => Date.now());
    const startedAt = Date.now();
    const waited = async (deadlineMs: number) => {
      await current.overlay.refresh(() => undefined, startedAt + deadlineMs);
      return Date.now() - startedAt;
    };
    const waits = Promise.all([-10, 0, 120, 900].map(waited));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await waits).toEqual([0, 0, 120, 300]);
  });

  it('a version that was published half is not in force', async () => {
    const { stored, publish, isolate } = createWorld();
    await publish('thrown-1.com');
    stored.delete(`lists:v1:${String(stored.get('lists:v1:current'))}`);
    expect(await isolate().blocks('thrown-1.com')).toBe(false);
  });
});
