import type { KeyIdentity } from '../domain/access/keys.ts';
import type { OrganisationSettings } from '../domain/metering/organisation-settings.ts';
import { NO_RULES, type RuleMatch } from '../domain/rules/rules.ts';
import type { Account } from '../domain/answer/account.ts';
import { accountOf, type AuthorizeAnswer } from '../organisation/api.ts';

/** Brand: only `authorizedBy` can create one. */
declare class Granted {
  protected readonly granted: true;
}

/** The object's permission for a request. */
export interface Authorized extends Granted, Account {
  readonly reached: true;
  readonly key: KeyIdentity;
  readonly organisation: Pick<OrganisationSettings, 'id' | 'accountId' | 'name'>;
  readonly isFresh?: boolean;
  readonly hasSecondFactor?: boolean;
  /** The same request already finished the operation. Its answer is null without an `Idempotency-Key`. */
  readonly earlier: AuthorizeAnswer['earlier'];
}

/** The object gave no answer, and the key's MAC must suffice. Such a request has no rules and makes no paid call. */
export interface Unreached extends Granted {
  readonly reached: false;
  readonly rules: RuleMatch;
}

export type Authorization = Authorized | Unreached;

/** What a verb asks the object for beside permission. */
export interface AuthorizationOptions {
  /** Service time after which the request pays no vendor. Until then it holds its `Idempotency-Key`. */
  readonly deadlineMs?: number;
  /** Refused if the account has no policy of this name. */
  readonly policySlug?: string;
}

/**
 * Makes an authorization of the object's answer, null if there was none. Import rules restrict it to a request's
 * exchange with the object, and a bulk chunk's claim.
 */
export function authorizedBy(answer: Omit<AuthorizeAnswer, 'ok' | 'rate'> | null): Authorization {
  const authorization =
    answer === null
      ? { reached: false as const, rules: NO_RULES }
      : {
          ...accountOf(answer),
          organisation: answer.organisation,
          isFresh: answer.isFresh === true,
          hasSecondFactor: answer.hasSecondFactor === true,
          earlier: answer.earlier,
          reached: true as const,
        };
  return authorization as Authorization;
}
