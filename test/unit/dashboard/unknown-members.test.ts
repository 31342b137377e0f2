import { describe, expect, it } from 'vitest';
import type { Policy, PolicyCondition } from '../../../dashboard/app/api/schema.ts';
import { documentOf } from '../../../dashboard/app/screens/policy/queries.ts';
import { rowsOf } from '../../../dashboard/app/screens/policy/rule-rows.ts';

const WHEN = { path: 'verification.email_type', op: 'eq', value: 'free' } as const;

describe('what the release after this one adds to a policy', () => {
  it('stays in the document that is saved, which has nothing of its version', () => {
    const document = { name: 'Default', rules: [], default: 'allow' as const, icp: null, until: { day: 5 } };
    const read: Policy = { ...document, slug: 'default', version: 3, created_at: 1_790_000_000, created_by: null };
    expect(documentOf(read)).toEqual(document);
  });

  it.each(['all', 'any'] as const)('keeps a condition with it beside `%s` from the form', (join) => {
    const group = { [join]: [WHEN] } as unknown as PolicyCondition;
    expect(rowsOf(group)).toEqual({ join, rows: [WHEN] });
    expect(rowsOf({ ...group, at_least: 1 } as unknown as PolicyCondition)).toBeNull();
  });
});
