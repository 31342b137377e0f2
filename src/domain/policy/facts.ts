import type { Company, Person } from '../../contract/decision.ts';
import type { IcpFit } from '../../contract/policy.ts';
import type { FlatProperties } from '../../contract/properties.ts';
import type { ScreeningLabels } from '../../contract/screening.ts';
import type { Verification, VerificationContext } from '../../contract/verification.ts';
import type { AskedSource, FactSource } from './paths.ts';

export type Value = string | number | boolean | readonly string[];

/**
 * What an evaluation can see. A path without a value is missing when its source is known, else not asked for yet.
 * `unstored`: paths that can't be asked for any more although the rest of their source is known.
 */
export interface Facts {
  readonly values: ReadonlyMap<string, Value>;
  readonly known: ReadonlySet<FactSource>;
  readonly unstored?: ReadonlySet<string>;
  /** Paths whose value is kept masked: all that can be told of it is that it exists. */
  readonly masked?: ReadonlySet<string>;
}

/** The facts that a request has from the start. */
export interface GivenFacts {
  readonly verification: Verification;
  readonly attributes: FlatProperties;
  /** The context in force, with the default purpose of a decision where the caller names none. */
  readonly context: VerificationContext;
}

/** What was asked for so far. Absent: not asked; null: asked without an answer. */
export interface AskedFacts {
  readonly screening?: ScreeningLabels | null;
  readonly company?: Company | null;
  readonly person?: Person | null;
  readonly icp?: IcpFit;
}

/** Enters values by their path, at any depth of an object. Null and undefined count as missing. */
export function flatten(path: string, value: object, into: Map<string, Value>): void {
  for (const [name, member] of Object.entries(value)) {
    if (member === null || member === undefined) continue;
    if (typeof member === 'object' && !Array.isArray(member)) flatten(`${path}.${name}`, member, into);
    else into.set(`${path}.${name}`, member as Value);
  }
}

/** The facts of a request. Without `asked` only its own input and its verification are known. */
export function factsOf({ verification, attributes, context }: GivenFacts, asked: AskedFacts = {}): Facts {
  const values = new Map<string, Value>();
  const known = new Set<FactSource>(['verification', 'attributes', 'context']);
  // Paths can't read it, and its size is unbounded.
  const { providers: _, ...readable } = verification;
  flatten('verification', readable, values);
  flatten('attributes', attributes, values);
  flatten('context', context, values);
  const { icp, ...others } = asked;
  for (const [source, value] of Object.entries(others) as [AskedSource, object | null][]) {
    known.add(source);
    if (value !== null) flatten(source, value, values);
  }
  if (icp !== undefined) {
    known.add('icp');
    values.set('icp.fit', icp);
  }
  return { values, known };
}
