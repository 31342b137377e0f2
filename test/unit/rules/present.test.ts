import { expect, it } from 'vitest';
import { addressEntry, domainEntry, type RuleRecord } from '../../../src/domain/rules/rules.ts';

const RECORD = {
  id: 'rule_1',
  key: 'key-of-it',
  display: 'a***@example.com',
  note: 'Complaints in May',
  createdAt: 1_795_000_000_999,
  createdBy: 'u_1',
} as unknown as RuleRecord;
const MADE = { id: 'rule_1', note: 'Complaints in May', created_at: 1_795_000_000, created_by: 'u_1' };

it('a rule of a domain shows the domain, and when and by whom it was made, in seconds', () => {
  expect(domainEntry(RECORD)).toEqual({ domain: 'key-of-it', ...MADE });
});

it('a rule of an address shows the address masked, and never the key that it is found by', () => {
  expect(addressEntry(RECORD)).toEqual({ display: 'a***@example.com', ...MADE });
});
