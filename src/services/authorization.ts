import type { KeyIdentity } from '../domain/access/keys.ts';
import type { OrganisationSettings } from '../domain/metering/organisation-settings.ts';
import { NO_RULES, type RuleMatch } from '../domain/rules/rules.ts';
import type { Account } from '../domain/answer/account.ts';
import { accountOf, type AuthorizeAnswer } from '../organisation/api.ts';

/** Only `authorizedBy` adds it: a protected member keeps out what is made by hand, copies of a real authorization among it. */
declare class Granted {
  protected readonly granted: true;
}

/** The object's yes to a request. */
export interface Authorized extends Granted, Account {
  readonly reached: true;
  readonly key: KeyIdentity;
  readonly organisation: Pick<OrganisationSettings, 'id' | 'accountId' | 'name'>;
  /** A person asks who has just signed in. */
  readonly isFresh?: boolean;
  /** A person asks who has proved a second factor. */
  readonly hasSecondFactor?: boolean;
  /** The operation is finished, by the same request before. Its answer is null without an `Idempotency-Key`. */
  readonly earlier: AuthorizeAnswer['earlier'];
}

/** The object gave no answer, and the key's MAC has to do. Such a request has no rules and makes no paid call. */
export interface Unreached extends Granted {
  readonly reached: false;
  readonly rules: RuleMatch;
}

export type Authorization = Authorized | Unreached;

/** What a verb asks the object for beside permission. */
export interface AuthorizationOptions {
  /** Service time after which the request pays no vendor. Until then it holds its `Idempotency-Key`. */
  readonly deadlineMs?: number;
  /** Refused where the account has no policy of this name. */
  readonly policySlug?: string;
}

/**
 * Makes an authorization of the object's answer, null where it gave none. The import rules leave it to the request's exchange with
 * the object, and to a bulk chunk's claim.
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
