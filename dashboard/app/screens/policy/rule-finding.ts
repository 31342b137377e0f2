/** Result of a rule. `control`: it matched, but its experiment passed the address on. */
export type RuleVerdict = 'decided' | 'control' | 'passed' | 'unreached';

export interface RuleFinding {
  readonly verdict: RuleVerdict;
  /** Values of its paths, without those the record does not keep. */
  readonly found: readonly { readonly path: string; readonly value: unknown }[];
}
