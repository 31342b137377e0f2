import type { AddressList, DomainList } from '../../contract/rules.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import type { RuleRecord } from './types.ts';

const made = ({ note, createdAt, createdBy }: RuleRecord) => ({
  note,
  created_at: epochSeconds(createdAt),
  created_by: createdBy,
});

export const domainEntry = (record: RuleRecord): DomainList['entries'][number] => ({
  id: record.id,
  domain: record.key,
  ...made(record),
});

export const addressEntry = (record: RuleRecord): AddressList['entries'][number] => ({
  id: record.id,
  display: record.display,
  ...made(record),
});
