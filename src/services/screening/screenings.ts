import type { ScreeningList, ScreeningQuery } from '../../contract/screening.ts';
import { screeningRow } from '../../domain/screening/record.ts';
import { DomainError } from '../../kernel/errors.ts';
import { parseId } from '../../kernel/ids.ts';
import * as store from '../../storage/postgres/screening.ts';
import { admitReached } from '../access/account.ts';
import type { Operation } from '../operation.ts';
import { flush, type HistoryDeps, writtenBy } from '../traces/history.ts';

/** Newest first, with the visibility of traces. */
export async function listScreenings(
  deps: HistoryDeps,
  op: Operation,
  { cursor, limit, key_id }: ScreeningQuery,
): Promise<ScreeningList> {
  const { key } = await admitReached(op);
  const before = cursor === undefined ? null : parseId('sc', cursor);
  if (cursor !== undefined && before === null) throw new DomainError('invalid_request', '`cursor` is not valid.');
  const by = writtenBy(key, key_id);
  if (by === 'nobody') return { screenings: [], cursor: null };

  await flush(deps, op, null);
  const listed = await store.listScreenings(
    deps.db,
    op.organisationId,
    { mode: key.mode, keyId: by },
    limit + 1,
    before,
  );
  const page = listed.slice(0, limit);
  return {
    screenings: page.map(screeningRow),
    cursor: listed.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}
