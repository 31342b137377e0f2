import type { KeyMode } from '../domain/access/key-format.ts';
import type { KeyIdentity } from '../domain/access/key-record.ts';
import type { Meter } from '../domain/metering/usage.ts';
import type { RuleMatch } from '../domain/rules/types.ts';
import type { Id } from '../kernel/ids.ts';
import type { Admitted, Completion, PolicyIdentity, PolicyInForce, RuleProbe } from '../organisation/api.ts';

/**
 * What a use case may know once its request is admitted. `unreached`: the organisation's object gave no answer, and the
 * key's own MAC had to do: no rules, no paid call, no key record.
 */
export type Admission =
  | {
      readonly reached: true;
      readonly key: KeyIdentity;
      readonly organisation: Admitted['organisation'];
      readonly rules: RuleMatch;
      readonly earlier: Admitted['earlier'];
      /** Of the policy asked for; null where none was. */
      readonly policy: PolicyInForce | null;
      /** The version of the account's fitted model; null where the seeded tables are in force. */
      readonly calibration: string | null;
    }
  | { readonly reached: false; readonly rules: RuleMatch };

/** The answer that the same operation was given before; null: it has none. */
export const earlierAnswer = (admission: Admission): string | null =>
  admission.reached ? (admission.earlier?.answer ?? null) : null;

/** What an admission is to see to beside letting the request in. */
export interface AdmissionWish {
  /** Service time after which the request pays nobody: so long its `Idempotency-Key` is its own. */
  readonly deadlineMs?: number;
  readonly policySlug?: string;
  /** The version of the policy that the caller has, null for none; its document comes along where another is in force. */
  readonly policyKnown?: PolicyIdentity | null;
}

/** One request on its way through a use case, whichever door it came in by. */
export interface Operation {
  readonly organisationId: Id<'org'>;
  readonly mode: KeyMode;
  /** What the operation is charged to. */
  readonly meter: Meter | null;
  /** Service time at arrival, milliseconds. */
  readonly startedAt: number;
  /** The id of what this operation writes, or would write. */
  readonly traceId: string;
  /** Asks the organisation's object once. Throws a refusal; `required` operations throw when it can't be reached. */
  admit(probe: RuleProbe | null, wish?: AdmissionWish): Promise<Admission>;
  /**
   * Has the organisation's budget make room for enrichment of `totalMicros` in all. `failed`: it could not be asked. Never
   * rejects.
   */
  reserveEnrichment(totalMicros: number): Promise<'granted' | 'refused' | 'failed'>;
  /**
   * Hands over the trace and the spend. Returns an earlier answer of the same operation, which then stands. Rejects when it
   * is not certain to be kept, unless the operation is served without the object.
   */
  settle(completion: Completion): Promise<string | null>;
  /** Work that goes on behind the answer. */
  readonly defer: (work: Promise<unknown>) => void;
}
