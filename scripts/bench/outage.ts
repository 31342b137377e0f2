import type { BenchRow } from './row.ts';
import { withRuntime } from './runtime.ts';
import type { HistoryObject, Kept } from './worker/history-object.ts';

/** Characters of a trace: without a provider; with seven asked one after the other, and a policy's decision; at what one page holds. */
const SIZES = { usual: 1_600, large: 8_000, page: 3_900 } as const;
const TRACES = 10_000;
/** An object larger than that keeps further traces without their detail, and refuses requests beyond the other. */
const LARGE_BYTES = 2 ** 30;
const FULL_BYTES = 5 * 2 ** 30;

/** What traces take of an object's file while Postgres is away, and of its time once Postgres is back. */
export const run = (): Promise<BenchRow[]> =>
  withRuntime({}, async ({ miniflare }) => {
    const namespace = await miniflare.getDurableObjectNamespace('HISTORY', 'bare');
    const rows: BenchRow[] = [];
    for (const [name, chars] of Object.entries(SIZES)) {
      const object = namespace.getByName(`outage ${name}`) as unknown as HistoryObject;
      const { bytes, inMs, outMs }: Kept = await object.keepTraces(chars, TRACES);
      const until = (size: number): string => `${(size / bytes / 1e6).toFixed(2)} million`;
      rows.push(
        {
          name: `a trace of ${chars} characters in the file`,
          value: bytes,
          unit: 'bytes',
          note: `${(bytes / chars).toFixed(2)} × its text; ${until(LARGE_BYTES)} until detail is left out, ${until(FULL_BYTES)} until it is full`,
        },
        {
          name: `… kept, and read and removed again`,
          value: (1_000 * TRACES) / inMs,
          unit: 'a second',
          note: `${((1_000 * TRACES) / outMs).toFixed(0)} a second out, Postgres aside; ${TRACES} traces`,
        },
      );
    }
    return rows;
  });
