import { describe, expect, it } from 'vitest';
import { reverse } from '../../../src/organisation/authorize.ts';
import { bringUpToDate } from '../../../src/organisation/schema.ts';
import { findLedgerEntry, type LedgerEntry, putLedgerEntry } from '../../../src/organisation/sql/metering.ts';
import { createObjectStorage } from '../../support/object-storage.ts';
import { START_MS } from '../../support/records.ts';

/** Every field has a value. */
const ENTRY: Required<LedgerEntry> = {
  state: 'charged',
  traceId: 'vr_1',
  meter: 'verify',
  month: '2026-11',
  bodyHash: 'body',
  answer: '{}',
  heldUntil: START_MS,
  addressHash: 'hash',
};

function ledger() {
  const { sql, transactionSync } = createObjectStorage();
  bringUpToDate(sql, transactionSync);
  return sql;
}

describe('a ledger entry', () => {
  it('is read with every field it was written with', () => {
    const sql = ledger();
    putLedgerEntry(sql, 'op', START_MS, ENTRY);
    expect(findLedgerEntry(sql, 'op')).toEqual(ENTRY);
  });

  it('that replaces another has its own fields, and the other’s expiry', () => {
    const sql = ledger();
    putLedgerEntry(sql, 'op', START_MS, ENTRY);
    const next = { ...ENTRY, state: 'finished', meter: null, addressHash: 'other', heldUntil: null } as const;
    const expiry = () => sql.exec<{ expires_at: number }>('select expires_at from operation').toArray();
    const before = expiry();
    putLedgerEntry(sql, 'op', START_MS + 1, next);
    expect(findLedgerEntry(sql, 'op')).toEqual(next);
    expect(expiry()).toEqual(before);
  });

  it('that is reversed keeps all but its state, the address that it is about too', () => {
    const sql = ledger();
    putLedgerEntry(sql, 'op', START_MS, ENTRY);
    reverse(sql, 'op', START_MS, ENTRY.traceId);
    expect(findLedgerEntry(sql, 'op')).toEqual({ ...ENTRY, state: 'reversed' });
  });
});
