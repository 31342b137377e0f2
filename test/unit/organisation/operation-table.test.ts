import { describe, expect, it } from 'vitest';
import { reverse } from '../../../src/organisation/authorize.ts';
import { bringUpToDate } from '../../../src/organisation/schema.ts';
import { findOperation, type Operation, putOperation } from '../../../src/organisation/sql/operations.ts';
import { createObjectStorage } from '../../support/object-storage.ts';
import { START_MS } from '../../support/records.ts';

/** Every field has a value. */
const OPERATION: Required<Operation> = {
  state: 'charged',
  traceId: 'vr_1',
  meter: 'verify',
  month: '2026-11',
  bodyHash: 'body',
  answer: '{}',
  heldUntil: START_MS,
  addressHash: 'hash',
  expiresAt: START_MS + 1,
};

function operations() {
  const { sql, transactionSync } = createObjectStorage();
  bringUpToDate(sql, transactionSync);
  return sql;
}

describe('an operation', () => {
  it('is read with every field it was written with', () => {
    const sql = operations();
    putOperation(sql, 'op', START_MS, OPERATION);
    expect(findOperation(sql, 'op')).toEqual(OPERATION);
  });

  it('has only its own fields when it replaces another', () => {
    const sql = operations();
    putOperation(sql, 'op', START_MS, OPERATION);
    const next: Operation = { ...OPERATION, state: 'finished', meter: null, addressHash: 'other', expiresAt: null };
    putOperation(sql, 'op', START_MS + 1, next);
    expect(findOperation(sql, 'op')).toEqual(next);
  });

  it('keeps all but its state when it is reversed, its address too', () => {
    const sql = operations();
    putOperation(sql, 'op', START_MS, OPERATION);
    reverse(sql, 'op', START_MS, OPERATION.traceId);
    expect(findOperation(sql, 'op')).toEqual({ ...OPERATION, state: 'reversed' });
  });
});
