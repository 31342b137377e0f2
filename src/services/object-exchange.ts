import { type KeyClaims, roleAllows } from '../domain/access/keys.ts';
import type { PersonClaims } from '../domain/access/member-records.ts';
import type { KeptVerification } from '../domain/answer/assess.ts';
import type { KeptDecision } from '../domain/policy/decision.ts';
import type { RateStatus } from '../domain/metering/rate.ts';
import { pause } from '../kernel/clock.ts';
import { sha256Hex } from '../kernel/crypto.ts';
import { DomainError, type RefusalCode, type Result } from '../kernel/errors.ts';
import {
  type AuthorizeAnswer,
  type AuthorizeRequest,
  CALL_TIMEOUT_MS,
  type Completion,
  callObject,
  type DecideRequest,
  type CommitRequest,
  type ObjectDeps,
  objectError,
  type Refused,
  type ObjectFailure,
  type PolicyInForce,
  type RuleLookup,
  type VerifyRequest,
} from '../organisation/api.ts';
import type { DomainFacts } from '../storage/domain-facts.ts';
import { type Authorization, type AuthorizationOptions, authorizedBy } from './authorization.ts';
import { type AuthorizedRequest, NEEDS_PERSON } from './caller.ts';
import { openReservation } from './reservation.ts';

/** A key with the right MAC. */
export type KeyCaller = KeyClaims & { readonly key: string; readonly keyHash: string };

/** What the frame knows before the object is asked. */
export interface ExchangeInput {
  readonly caller: KeyCaller | PersonClaims;
  readonly traceId: string;
  readonly startedAt: number;
  readonly needs: Pick<AuthorizeRequest, 'role' | 'operator' | 'live' | 'fresh' | 'rate' | 'meter'>;
  /** True for the verification family: the key's MAC suffices while the object is unreachable. Others fail then. */
  readonly servesUnreached: boolean;
  /** The caller's `Idempotency-Key` with the route and body it stands for. */
  readonly idempotency: { readonly key: string; readonly route: string; readonly body: string } | null;
  readonly defer: (work: Promise<unknown>) => void;
}

export interface ObjectExchange extends Omit<AuthorizedRequest, 'authorized'> {
  /** One trip of a verification: authorized, charged, judged and stored, unless somebody must be asked first. */
  verify(sent: Omit<VerifyRequest, 'authorize'>): Promise<Judgement<KeptVerification>>;
  /** The same for a decision. `policy` null means the object is unreachable. */
  decide(
    sent: Omit<DecideRequest, 'authorize'>,
  ): Promise<Judgement<KeptDecision> & { readonly policy: PolicyInForce | null }>;
  /** Asks the object once whether the request may run. Throws a refusal. */
  authorize(lookup: RuleLookup | null, options?: AuthorizationOptions): Promise<Authorization>;
  /** The caller's, for a request stored under it. */
  readonly idempotencyKey: string | null;
  /** Rate headers, once the object has answered. */
  rate(): RateStatus | null;
  /** The key's id, once the object has confirmed it. */
  keyId(): string | null;
  /** Refuses an invalid body or query: throws 401 or 403, charges nothing. */
  checkKeyAndRole(): Promise<void>;
  /** A request that reads many traces has ended: the organisation's next may start. */
  endAnalysis(): void;
  /** For a request without an answer: reverses a possible charge and frees the `Idempotency-Key`. */
  reverse(): Promise<void>;
}

/** `concluded` null: somebody may have to be asked, or the object is unreachable. */
export interface Judgement<T> {
  readonly concluded: T | null;
  readonly authorization: Authorization;
}

/** How long an overloaded or restarting object gets before the trace is sent again. */
const RESEND_AFTER_MS = 1_000;

/** A report has no deadline of its own. */
const REQUEST_MS = 5_000;
/** After its deadline a request pays no vendor, and has this long to hand over its answer: two tries. */
const HANDOVER_MS = 2 * CALL_TIMEOUT_MS + RESEND_AFTER_MS;

interface ExchangeDeps {
  readonly objects: ObjectDeps;
  readonly newDomains: Pick<DomainFacts, 'isNew' | 'drop'>;
  /** Remembers for some seconds that the object refuses the key. */
  refuseKey(key: string): void;
}

export function openExchange(deps: ExchangeDeps, input: ExchangeInput): ObjectExchange {
  const { objects, newDomains } = deps;
  const { caller, idempotency } = input;
  const { organisationId } = caller;
  const isKey = 'key' in caller;
  const keyHash = isKey ? caller.keyHash : '';
  const operationId =
    idempotency === null ? input.traceId : `ik_${sha256Hex(`${keyHash} ${idempotency.route} ${idempotency.key}`)}`;
  const holdUntil = (deadlineMs: number | undefined): number =>
    (deadlineMs === undefined ? REQUEST_MS : Math.max(0, deadlineMs - objects.now())) + HANDOVER_MS;
  const request = {
    operationId,
    traceId: input.traceId,
    keyHash,
    ...(!isKey && {
      person: { userId: caller.userId, signedInAt: caller.signedInAt, hasSecondFactor: caller.hasSecondFactor },
    }),
    ...input.needs,
    // The hash includes the key, which is stored nowhere: a plain hash of an address would reveal it.
    bodyHash: idempotency === null ? null : sha256Hex(`${isKey ? caller.key : ''} ${idempotency.body}`),
    faulty: false,
  } satisfies Omit<AuthorizeRequest, 'lookup' | 'holdMs'>;
  const asked = (deadlineMs?: number) => ({
    ...request,
    isNewDomain: newDomains.isNew(),
    holdMs: holdUntil(deadlineMs),
  });
  let rate: RateStatus | null = null;
  let keyId: string | null = null;
  let reached = true;
  let mayBeCharged = false;
  const { traceId } = input;
  const ofEnrichment = openReservation(objects, organisationId, 'enrichment', input.traceId);
  const ofProviders = openReservation(objects, organisationId, 'providers', input.traceId);

  /** The object's answer; null means it is unreachable, and the request continues without it. Throws a refusal. */
  const taken = <A extends { readonly ok: true } & Pick<AuthorizeAnswer, 'rate' | 'key'>>(
    answer: Result<A | Refused, ObjectFailure>,
  ): A | null => {
    if (!answer.ok) {
      if (answer.error === 'overloaded') mayBeCharged = false;
      // An overloaded or broken object has answered, so the request does not continue without it.
      if (!input.servesUnreached || answer.error !== 'unreachable') throw objectError(answer.error);
      if (isKey && !roleAllows(caller.role, input.needs.role))
        throw refusalError({ ok: false, refusal: 'forbidden', rate: null }, input.needs, isKey);
      reached = false;
      return null;
    }
    rate = answer.value.rate;
    if (!answer.value.ok) {
      mayBeCharged = false;
      newDomains.drop();
      if (isKey && answer.value.refusal === 'unauthorized') deps.refuseKey(caller.key);
      throw refusalError(answer.value, input.needs, isKey);
    }
    keyId = answer.value.key.id;
    return answer.value;
  };

  const ask = async (change: Partial<AuthorizeRequest>, deadlineMs?: number): Promise<AuthorizeAnswer | null> => {
    mayBeCharged ||= change.faulty !== true;
    return taken(
      await callObject(objects, organisationId).authorize({ ...asked(deadlineMs), lookup: null, ...change }),
    );
  };

  const send = (commit: CommitRequest) => callObject(objects, organisationId).commit(commit);

  return {
    organisationId,
    mode: isKey ? caller.mode : 'live',
    meter: input.needs.meter,
    startedAt: input.startedAt,
    traceId,
    defer: input.defer,
    idempotencyKey: idempotency?.key ?? null,
    rate: () => rate,
    keyId: () => keyId,

    async authorize(lookup, { deadlineMs, ...policy } = {}): Promise<Authorization> {
      return authorizedBy(await ask({ lookup, ...policy }, deadlineMs));
    },

    async verify(sent) {
      mayBeCharged = true;
      const authorize = asked(sent.request.deadlineMs);
      const answer = taken(await callObject(objects, organisationId).verify({ authorize, ...sent }));
      return { concluded: answer?.concluded ?? null, authorization: authorizedBy(answer) };
    },

    async decide(sent) {
      mayBeCharged = true;
      const authorize = { ...asked(sent.request.deadlineMs), policySlug: sent.decision.slug };
      const answer = taken(await callObject(objects, organisationId).decide({ authorize, ...sent }));
      return {
        concluded: answer?.concluded ?? null,
        authorization: authorizedBy(answer),
        policy: answer?.policy ?? null,
      };
    },

    reserveEnrichment: async (totalMicros) => (reached ? ofEnrichment.reserve(totalMicros) : 'failed'),
    reserveProviders: async (totalMicros) => (reached ? ofProviders.reserve(totalMicros) : 'failed'),

    async checkKeyAndRole(): Promise<void> {
      await ask({ faulty: true });
    },

    async commit({
      trace,
      more = [],
      spendMicros,
      providerMicros = 0,
      enrichmentMicros = 0,
      answer,
      observation = null,
    }: Completion): Promise<string | null> {
      const enrichment = ofEnrichment.settle(enrichmentMicros);
      const providers = ofProviders.settle(providerMicros);
      const commit = {
        operationId,
        requestId: input.traceId,
        trace,
        more,
        spendMicros,
        providerMicros,
        ...(providers && { providers }),
        ...(enrichment && { enrichment }),
        bodyHash: request.bodyHash,
        answer: idempotency === null ? null : answer(),
        observation,
      } as const;
      if (!reached) {
        // The charge is made after the answer, if the object is back by then. Refused or not, the trace is stored: the
        // answer has named it.
        const lateCharge = ask({}).catch(() => null);
        input.defer(lateCharge.then(() => send(commit)));
        return null;
      }
      const sent = await send(commit);
      if (sent.ok) return sent.value.answer;
      // A report that may be lost is not accepted.
      if (!input.servesUnreached) throw objectError(sent.error);
      input.defer(pause(RESEND_AFTER_MS).then(() => send(commit)));
      return null;
    },

    endAnalysis: () => void (mayBeCharged && input.defer(callObject(objects, organisationId).endAnalysis({ traceId }))),

    async reverse(): Promise<void> {
      if (!mayBeCharged || (input.needs.meter === null && idempotency === null)) return;
      await callObject(objects, organisationId).reverse(operationId, input.traceId);
    },
  };
}

/** The message of every 401, whether the key fails here or in the object. */
export const BAD_KEY = 'The API key is missing, malformed or revoked: send `Authorization: Bearer <API_KEY>`.';

const REFUSALS: Record<Refused['refusal'], { readonly code: RefusalCode; readonly message: string }> = {
  unauthorized: { code: 'unauthorized', message: BAD_KEY },
  forbidden: { code: 'forbidden', message: 'The API key’s role does not allow this' },
  not_fresh: { code: 'forbidden', message: NEEDS_PERSON },
  second_factor: {
    code: 'forbidden',
    message:
      'This organisation requires a second factor: sign in with a passkey, or set up an authenticator app in your account and enter its code.',
  },
  unknown_policy: { code: 'not_found', message: 'No policy has this name.' },
  sandboxed: {
    code: 'forbidden',
    message:
      'A test key can’t do this: send a live key, which an admin makes under Keys in the dashboard or by `POST /v1/keys`.',
  },
  conflict: { code: 'conflict', message: 'This Idempotency-Key was used with another body.' },
  in_progress: {
    code: 'request_in_progress',
    message: 'The first request with this Idempotency-Key is still being answered: repeat after `Retry-After`.',
  },
  rate_limited: {
    code: 'rate_limited',
    message: 'Too many requests in 60 seconds: wait as long as `Retry-After` says.',
  },
  analysis_running: {
    code: 'rate_limited',
    message: 'Another simulation or export of the organisation is running: repeat after `Retry-After`.',
  },
  new_domains: {
    code: 'rate_limited',
    message: 'Too many domains within 60 seconds that are new to the service: wait for `Retry-After`, or send a file.',
  },
  quota_exceeded: {
    code: 'quota_exceeded',
    message: 'The organisation’s verifications of this UTC month are spent: `GET /v1/usage` shows the quota.',
  },
  screening_quota_exceeded: {
    code: 'screening_quota_exceeded',
    message: 'The organisation’s screenings of this UTC month are spent: `GET /v1/usage` shows the allowance.',
  },
};

/** The same answer whether the organisation exists or not: a person learns nothing about other organisations' ids. */
const NO_MEMBER = new DomainError('not_found', 'This organisation does not exist, or you are not a member of it.');

function refusalError(
  refused: Refused,
  needs: Pick<AuthorizeRequest, 'role' | 'operator'>,
  isKey: boolean,
): DomainError {
  if (refused.refusal === 'unauthorized' && !isKey) return NO_MEMBER;
  const { code, message } = REFUSALS[refused.refusal];
  const role = needs.role === 'admin' ? 'admin' : `${needs.role} or above`;
  const needed = needs.operator ? 'an operator’s key' : `a key of role ${role}`;
  const tooLow = isKey
    ? `${message}: it needs ${needed}.`
    : `Your role does not allow this: it needs the role ${role}.`;
  const words = refused.refusal === 'forbidden' ? tooLow : message;
  return new DomainError(code, words, refused.retryAfterS === undefined ? {} : { retryAfterS: refused.retryAfterS });
}
