import { first, type Sql } from '../../platform/sql.ts';
import type { RuleMatch } from './types.ts';

/** The rules of the account that match an address: by index, one probe for the address and one a label of the domain. */
export function matchRules(
  sql: Sql,
  probe: { readonly addressHash: string | null; readonly domain: string },
): RuleMatch {
  return {
    address: probe.addressHash === null ? null : (findRule(sql, 'address_rule', 'hash', probe.addressHash) ?? null),
    domain: matchDomain(sql, probe.domain),
  };
}

/** The rule on the domain or its nearest parent. A top-level label alone is never a rule (public suffixes are refused). */
function matchDomain(sql: Sql, domain: string): RuleMatch['domain'] {
  for (let name = domain; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    const rule = findRule(sql, 'domain_rule', 'domain', name);
    if (rule !== undefined) return { rule, matchedDomain: name };
  }
  return null;
}

function findRule(
  sql: Sql,
  table: 'address_rule' | 'domain_rule',
  column: 'hash' | 'domain',
  value: string,
): 'block' | 'allow' | undefined {
  return first<{ rule: 'block' | 'allow' }>(sql, `select rule from ${table} where ${column} = ?`, value)?.rule;
}
