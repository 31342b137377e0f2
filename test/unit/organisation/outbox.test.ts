import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  drainBackoffMs,
  drainOutbox,
  OUTBOX_BATCH,
  OUTBOX_BATCH_CHARS,
  STATEMENT_CHARS,
} from '../../../src/organisation/outbox.ts';
import type { OutboxRow } from '../../../src/storage/postgres/projection.ts';
import { createOutbox } from '../../support/outbox.ts';

const KINDS = ['trace', 'organisation', 'api_key', 'usage', 'domain_rules', 'address_rules'] as const;

interface World {
  readonly rows: readonly OutboxRow[];
  /** Sequence numbers of rows Postgres refuses. */
  readonly bad?: ReadonlySet<number>;
  /** From this write on, counted from 0, Postgres is out of reach. */
  readonly downFrom?: number;
}

/** An outbox in memory before a Postgres that refuses a statement for one bad row, or is out of reach. */
function createWorld({ rows, bad = new Set(), downFrom = Number.POSITIVE_INFINITY }: World) {
  const { deps, buried, held } = createOutbox(rows);
  const written: number[] = [];
  const statements: (readonly OutboxRow[])[] = [];
  const drain = () =>
    drainOutbox({
      ...deps,
      write: async (kind, batch) => {
        if (statements.length >= downFrom) return { kind: 'unavailable', error: new Error('out of reach') };
        statements.push(batch);
        expect(batch.every((row) => row.kind === kind)).toBe(true);
        if (batch.some((row) => bad.has(row.seq))) return { kind: 'rejected', error: new Error('refused') };
        written.push(...batch.map((row) => row.seq));
        return null;
      },
    });
  return { drain, written, buried, statements, held };
}

const rowsOf = (kinds: readonly OutboxRow['kind'][]): OutboxRow[] =>
  kinds.map((kind, index) => ({ seq: index + 1, kind, id: `${kind}_${index}`, record: '{}', at: index }));
const traces = (count: number): OutboxRow[] => rowsOf(Array.from({ length: count }, () => 'trace' as const));
const seqs = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Row numbers in writing order: kind by kind, in order of first appearance. */
const inOrderOfKinds = (rows: readonly OutboxRow[]): number[] =>
  [...Map.groupBy(rows, ({ kind }) => kind).values()].flat().map(({ seq }) => seq);

const ROWS = fc.array(fc.constantFrom(...KINDS), { maxLength: 80 }).map(rowsOf);

describe('drainOutbox', () => {
  it('writes everything, each kind in order', async () => {
    await fc.assert(
      fc.asyncProperty(ROWS, async (rows) => {
        const { drain, written, held } = createWorld({ rows });
        expect(await drain()).toBe(true);
        expect(written).toEqual(inOrderOfKinds(rows));
        expect(held()).toEqual([]);
      }),
    );
  });

  it('puts what a batch has of one kind in one statement, and nothing else', async () => {
    const rows = rowsOf(['api_key', 'api_key', 'trace', 'trace', 'trace', 'api_key']);
    const { drain, statements } = createWorld({ rows });
    await drain();
    expect(statements.map((batch) => batch.map(({ seq }) => seq))).toEqual([
      [1, 2, 6],
      [3, 4, 5],
    ]);
  });

  it.each([
    [0, []],
    [1, [1]],
    [OUTBOX_BATCH, [OUTBOX_BATCH]],
    [OUTBOX_BATCH + 1, [OUTBOX_BATCH, 1]],
    [2 * OUTBOX_BATCH + 3, [OUTBOX_BATCH, OUTBOX_BATCH, 3]],
  ])('writes %i rows in batches of at most a thousand', async (count, batches) => {
    const { drain, statements } = createWorld({ rows: traces(count) });
    expect(await drain()).toBe(true);
    expect(statements.map((batch) => batch.length)).toEqual(batches);
  });

  it('buries exactly the rows Postgres refuses, and writes all others, each kind in order', async () => {
    await fc.assert(
      fc.asyncProperty(ROWS, fc.func(fc.boolean()), async (rows, isBad) => {
        const bad = new Set(rows.map((row) => row.seq).filter((seq) => isBad(seq)));
        const { drain, written, buried, held } = createWorld({ rows, bad });
        expect(await drain()).toBe(true);
        expect(buried).toEqual(inOrderOfKinds(rows).filter((seq) => bad.has(seq)));
        expect(written).toEqual(inOrderOfKinds(rows).filter((seq) => !bad.has(seq)));
        expect(held()).toEqual([]);
      }),
    );
  });

  it('finds the one bad row of a full batch in a few halvings', async () => {
    for (const position of [1, 250, 251, OUTBOX_BATCH]) {
      const { drain, buried, statements } = createWorld({ rows: traces(OUTBOX_BATCH), bad: new Set([position]) });
      await drain();
      expect(buried).toEqual([position]);
      expect(statements.length).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(OUTBOX_BATCH)));
    }
  });

  it('keeps what was not written when Postgres goes out of reach, and writes it later once', async () => {
    await fc.assert(
      fc.asyncProperty(ROWS, fc.func(fc.boolean()), fc.nat(20), async (rows, isBad, downFrom) => {
        const bad = new Set(rows.map((row) => row.seq).filter((seq) => isBad(seq)));
        const down = createWorld({ rows, bad, downFrom });
        const done = await down.drain();
        expect(done).toBe(down.held().length === 0);
        const all = [...down.written, ...down.buried, ...down.held()];
        expect(all.toSorted((a, b) => a - b)).toEqual(rows.map((row) => row.seq));
        const later = createWorld({ rows: rows.filter((row) => down.held().includes(row.seq)), bad });
        expect(await later.drain()).toBe(true);
        expect(new Set([...down.buried, ...later.buried])).toEqual(bad);
      }),
    );
  });

  it('makes no statement longer than the runtime allows, except of a single row', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: STATEMENT_CHARS / 2 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(sizes, async (lengths) => {
        const rows = traces(lengths.length).map((row, i) => ({ ...row, record: 'x'.repeat(lengths[i] ?? 0) }));
        const { drain, statements, written } = createWorld({
          rows: [...rows, { ...rows[0], seq: 99, record: 'x'.repeat(2 * STATEMENT_CHARS) } as OutboxRow],
        });
        expect(await drain()).toBe(true);
        expect(written).toEqual([...rows.map(({ seq }) => seq), 99]);
        const chars = statements.map((batch) => batch.reduce((sum, { record }) => sum + record.length, 0));
        expect(Math.max(...chars.slice(0, -1))).toBeLessThanOrEqual(STATEMENT_CHARS);
        // No statement had room for the first row of the next one.
        for (const [i, batch] of statements.slice(1).entries()) {
          expect((chars[i] ?? 0) + (batch[0]?.record.length ?? 0)).toBeGreaterThan(STATEMENT_CHARS);
        }
      }),
    );
  });

  it('holds and sends a few statements at once, where nothing comes of their order', async () => {
    const large = (row: OutboxRow): OutboxRow => ({ ...row, record: 'x'.repeat(STATEMENT_CHARS) });
    const kinds = (['trace', 'api_key'] as const).flatMap((kind) => Array.from({ length: 20 }, () => kind));
    const { deps } = createOutbox(rowsOf(kinds).map(large));
    const under: Record<string, number> = {};
    const most: Record<string, number> = {};
    let held = 0;
    await drainOutbox({
      ...deps,
      read: (numbers) => {
        const rows = deps.read(numbers);
        held += rows.length;
        expect(held).toBeLessThanOrEqual(4);
        return rows;
      },
      write: async (kind, rows) => {
        under[kind] = (under[kind] ?? 0) + 1;
        most[kind] = Math.max(most[kind] ?? 0, under[kind]);
        await Promise.resolve();
        under[kind] -= 1;
        held -= rows.length;
        return null;
      },
    });
    expect(most).toEqual({ trace: 4, api_key: 1 });
  });

  it.each(['read', 'write'] as const)(
    'that fails at a %s has ended all it began, and keeps what it wrote',
    async (at) => {
      const rows = traces(20).map((row) => ({ ...row, record: 'x'.repeat(STATEMENT_CHARS) }));
      const { deps, held } = createOutbox(rows);
      const written: number[] = [];
      let begun = 0;
      let under = 0;
      const fail = (): never => {
        throw new Error('broken');
      };
      const drained = drainOutbox({
        ...deps,
        read: (numbers) => (at === 'read' && numbers.includes(9) ? fail() : deps.read(numbers)),
        write: async (_, batch) => {
          begun += 1;
          under += 1;
          // Each write takes longer than the one before.
          for (let turn = 0; turn < 10 * begun; turn += 1) await Promise.resolve();
          under -= 1;
          if (at === 'write' && batch[0]?.seq === 3) fail();
          written.push(...batch.map(({ seq }) => seq));
          return null;
        },
      });
      await expect(drained).rejects.toThrow('broken');
      expect(under).toBe(0);
      expect(written.length).toBeGreaterThan(2);
      expect(written.length).toBeLessThan(15);
      expect([...written, ...held()].toSorted((a, b) => a - b)).toEqual(seqs(20));
    },
  );

  it('takes large rows out a few megabytes at a time', async () => {
    const large = OUTBOX_BATCH_CHARS / 10;
    const rows = rowsOf(Array.from({ length: 33 }, () => 'address_rules' as const));
    const { deps, held } = createOutbox(rows.map((row) => ({ ...row, record: 'x'.repeat(large) })));
    const removed: number[] = [];
    const remove = (some: readonly number[]): void => {
      removed.push(some.length);
      deps.remove(some);
    };
    expect(await drainOutbox({ ...deps, remove, write: async () => null })).toBe(true);
    expect(removed).toEqual([10, 10, 10, 3]);
    expect(held()).toEqual([]);
  });

  it('takes out a row that is larger than that by itself', async () => {
    const [row] = traces(1);
    const { deps, held } = createOutbox([{ ...row, record: 'x'.repeat(OUTBOX_BATCH_CHARS + 1) } as OutboxRow]);
    expect(await drainOutbox({ ...deps, write: async () => null })).toBe(true);
    expect(held()).toEqual([]);
  });

  it('asks once and stops while Postgres is out of reach', async () => {
    const { drain, held } = createWorld({ rows: traces(2 * OUTBOX_BATCH), downFrom: 0 });
    expect(await drain()).toBe(false);
    expect(held()).toEqual(seqs(2 * OUTBOX_BATCH));
  });
});

describe('drainBackoffMs', () => {
  it('doubles from a second up to five minutes', () => {
    const waits = [0, 1, 2, 3, 8, 9, 10, 1_000].map((failures) => drainBackoffMs(failures, () => 1));
    expect(waits).toEqual([1_000, 1_000, 2_000, 4_000, 128_000, 256_000, 300_000, 300_000]);
  });

  it('is spread after a failure: objects that failed together come again apart', () => {
    const waits = [0, 0.5, 1].map((random) => drainBackoffMs(4, () => random));
    expect(waits).toEqual([4_000, 6_000, 8_000]);
  });
});
