import type { Curve } from './curve.ts';

const READS = 2_000;
/** Puts on their way at once. */
const AT_ONCE = 100;

/** As an entry of a domain with two mail hosts and its flag. */
const ENTRY = JSON.stringify({
  'mail-hosts:v1': { text: JSON.stringify({ hosts: ['mx1.business.test', 'mx2.business.test'] }), until: 0 },
  'accepts-all:v1': { text: '{}', until: 0 },
});

/** The local store is files and a table of them in SQLite: it says what our keys ask of such a store, not how fast the platform's is. */
export const domains: Curve = {
  by: 'domains in KV',
  sizes: [100, 1_000, 10_000, 100_000, 1_000_000],
  quick: [100, 1_000],
  needsPostgres: false,
  costs: [
    {
      name: 'a read of a domain’s entry',
      why: 'each domain that is new to an isolate is read',
      unit: 'µs CPU',
      atMost: 0.2,
    },
  ],
  async measure({ runtime }, size) {
    const store = await runtime.miniflare.getKVNamespace('FACTS', 'service');
    const key = (number: number): string => `domain:v1:d${number}.of${size}.example`;
    for (let from = 0; from < size; from += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => store.put(key(from + i), ENTRY)));
    const read = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i += 1) await store.get(key((i * 7_919) % size));
    };
    await read(READS / 10);
    const before = runtime.cpuMs();
    await read(READS);
    return [((runtime.cpuMs() - before) * 1_000) / READS];
  },
};
