import type { ProjectedChange, RuleRecord } from '../../src/domain/rules/rules.ts';
import { type Id, newId } from '../../src/kernel/ids.ts';
import { START_MS } from './records.ts';

/** Changes of an organisation's rules as its object sends them to Postgres. */
export const domainRecord = (key: string, change: Partial<RuleRecord> = {}): RuleRecord => ({
  key,
  display: key,
  id: newId('dr', START_MS),
  rule: 'block',
  note: null,
  createdAt: START_MS,
  createdBy: 'u_1',
  ...change,
});
export const put = (organisationId: Id<'org'>, version: number, records: readonly RuleRecord[]): ProjectedChange => ({
  organisationId,
  version,
  rule: records[0]?.rule ?? 'block',
  note: records[0]?.note ?? null,
  put: records.map(({ rule: _, note: __, ...rest }) => rest),
  removed: [],
});
export const remove = (organisationId: Id<'org'>, version: number, removed: readonly string[]): ProjectedChange => ({
  organisationId,
  version,
  rule: null,
  note: null,
  put: [],
  removed,
});
