import type { OutboxDeps } from '../../src/organisation/outbox.ts';
import type { OutboxRow } from '../../src/storage/postgres/projection.ts';

/** An outbox in memory. `held` and `buried`: sequence numbers. */
export function createOutbox(rows: readonly OutboxRow[]) {
  let living = [...rows];
  const buried: number[] = [];
  const remove = (seqs: readonly number[]): void => {
    living = living.filter(({ seq }) => !seqs.includes(seq));
  };
  const deps: Omit<OutboxDeps, 'write'> = {
    list: (limit) => living.slice(0, limit).map(({ seq, kind, record }) => ({ seq, kind, chars: record.length })),
    read: (seqs) => living.filter(({ seq }) => seqs.includes(seq)),
    remove,
    setAside: ({ seq }) => {
      buried.push(seq);
      remove([seq]);
    },
  };
  return { deps, buried, held: () => living.map(({ seq }) => seq) };
}
