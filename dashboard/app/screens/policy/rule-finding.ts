/** What became of a rule. `control`: it matched, and its experiment left the address to the next rules. */
export type RuleVerdict = 'decided' | 'control' | 'passed' | 'unreached';

export interface RuleFinding {
  readonly verdict: RuleVerdict;
  /** What its paths read. A path that the record does not keep is left out. */
  readonly found: readonly { readonly path: string; readonly value: unknown }[];
}
