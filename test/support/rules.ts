import type { Author } from '../../src/domain/access/keys.ts';
import { vi } from 'vitest';
import { RULES_MAX, type Rule, type RuleKind, type RuleSubject } from '../../src/domain/rules/rules.ts';
import { newId } from '../../src/kernel/ids.ts';
import { createTestOrganisation, type TestOrganisation } from './organisation.ts';

const subject = (key: string): RuleSubject => ({ key, display: key });
export const subjects = (from: number, count: number): RuleSubject[] =>
  Array.from({ length: count }, (_, i) => subject(`d${from + i}.example`));

/** The rules of an organisation, changed and read as the use cases do; each call is a millisecond later. */
export function rulesOf(organisation: TestOrganisation) {
  const call = (rule: Rule, kind: RuleKind) => {
    vi.setSystemTime(Date.now() + 1);
    return { kind, rule, operationId: newId('rq', Date.now()) } as const;
  };
  const add = (rule: Rule, keys: readonly (string | RuleSubject)[], change: Partial<AddOptions> = {}) => {
    const { kind = 'domain', note = null, ...rest } = change;
    const all = keys.map((key) => (typeof key === 'string' ? subject(key) : key));
    return organisation.object.addRules({
      ...call(rule, kind),
      subjects: all,
      note,
      author: { actor: 'u_1' },
      ...rest,
    });
  };
  const remove = (rule: Rule, values: readonly string[], by: 'key' | 'id' = 'key', kind: RuleKind = 'domain') =>
    organisation.object.removeRules({ ...call(rule, kind), by, values, author: { actor: 'u_1' } });
  const page = (rule: Rule, limit: number, before: string | null = null, kind: RuleKind = 'domain') =>
    organisation.object.listRules({ kind, rule, limit, before, search: null });
  const keys = async (rule: Rule, kind: RuleKind = 'domain') =>
    (await page(rule, RULES_MAX, null, kind)).entries.map(({ key }) => key);
  return { add, remove, page, keys };
}
interface AddOptions {
  readonly kind: RuleKind;
  readonly note: string | null;
  readonly author: Author;
  readonly operationId: string;
}

/** An organisation without rules, and what changes and reads them. */
export async function createRules() {
  const organisation = await createTestOrganisation();
  return { organisation, ...rulesOf(organisation) };
}
