import type { KeyIdentity } from '../domain/access/key-record.ts';
import type { OrganisationSettings } from '../domain/metering/organisation-settings.ts';
import { NO_RULES, type RuleMatch } from '../domain/rules/types.ts';
import type { Admitted as Answered, PolicyIdentity, PolicyInForce } from '../organisation/api.ts';

/** Only `admittedBy` has it, so that an admission can't be made by hand. */
declare const granted: unique symbol;

/** What the organisation's object has let in. */
export interface Admitted {
  readonly [granted]: true;
  readonly reached: true;
  readonly key: KeyIdentity;
  readonly organisation: Pick<OrganisationSettings, 'id' | 'accountId' | 'name'>;
  readonly rules: RuleMatch;
  /** The same operation came before: the id of its trace, and its answer once it was finished. */
  readonly earlier: Answered['earlier'];
  /** Of the policy asked for; null where none was. */
  readonly policy: PolicyInForce | null;
  /** The version of the account's fitted model; null where the seeded tables are in force. */
  readonly calibration: string | null;
}

/** The object gave no answer, and the key's own MAC had to do: no rules, no paid call, no key record. */
export interface Unreached {
  readonly [granted]: true;
  readonly reached: false;
  readonly rules: RuleMatch;
}

export type Admission = Admitted | Unreached;

/** What an admission is to see to beside letting the request in. */
export interface AdmissionWish {
  /** Service time after which the request pays nobody: so long its `Idempotency-Key` is its own. */
  readonly deadlineMs?: number;
  readonly policySlug?: string;
  /** The version of the policy that the caller has, null for none; its document comes along where another is in force. */
  readonly policyKnown?: PolicyIdentity | null;
}

/** The object's answer as an admission; null: there was none. The frame calls it, and a bulk range for its claim. */
export function admittedBy(answer: Omit<Admitted, typeof granted | 'reached'> | null): Admission {
  const admission =
    answer === null ? { reached: false as const, rules: NO_RULES } : { ...answer, reached: true as const };
  return admission as Admission;
}

/** The answer that the same operation was given before; null: it has none. */
export const earlierAnswer = (admission: Admission): string | null =>
  admission.reached ? (admission.earlier?.answer ?? null) : null;
