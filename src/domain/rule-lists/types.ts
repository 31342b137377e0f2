/** What the account's rules say about one address: at most one address rule and the most specific domain rule. */
export interface RuleMatch {
  readonly address: 'block' | 'allow' | null;
  readonly domain: { readonly rule: 'block' | 'allow'; readonly matchedDomain: string } | null;
}

export const NO_RULES: RuleMatch = { address: null, domain: null };
