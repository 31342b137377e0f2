import { expect, it } from 'vitest';
import { traceRow } from '../../../src/domain/traces/traces.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { START_MS, traceRecord } from '../../support/records.ts';

it('a row says the time that lists are in the order of, also where it was tried again later', () => {
  const retried = traceRecord({ id: newId('vr', START_MS), createdAt: START_MS + 400_000 });
  const next = traceRecord({ id: newId('vr', START_MS + 60_000), createdAt: START_MS + 60_000 });
  expect([next, retried].map((record) => traceRow(record).created_at * 1000)).toEqual([START_MS + 60_000, START_MS]);
});
