import type { Rule, RuleKind } from '../../domain/rules/types.ts';

/** One of the account's four lists. */
export interface ListName {
  readonly kind: RuleKind;
  readonly rule: Rule;
}
