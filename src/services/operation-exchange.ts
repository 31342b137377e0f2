import type { KeyClaims } from '../domain/access/key-format.ts';
import { roleAllows } from '../domain/access/roles.ts';
import type { RateStatus } from '../domain/metering/rate.ts';
import { pause } from '../kernel/deadline.ts';
import { DomainError, type RefusalCode } from '../kernel/errors.ts';
import { sha256Hex } from '../kernel/keyed-hash.ts';
import {
  type AdmitRequest,
  type Admitted,
  CALL_TIMEOUT_MS,
  type Completion,
  callObject,
  type FinishRequest,
  type ObjectDeps,
  objectError,
  PORT_VERSION,
  type Refused,
  type RuleProbe,
} from '../organisation/api.ts';
import { type Admission, type AdmissionWish, admittedBy } from './admission.ts';
import type { Caller } from './caller.ts';

/** What a door knows of a request before anything is asked. */
export interface OperationInput {
  readonly claims: KeyClaims;
  readonly key: string;
  readonly traceId: string;
  readonly startedAt: number;
  readonly needs: Pick<AdmitRequest, 'role' | 'operator' | 'live' | 'rate' | 'meter'>;
  /** Answers on the key's MAC when the object can't be reached (the verification family); else that is a failure. */
  readonly servesUnreached: boolean;
  /** The caller's `Idempotency-Key` with the route and body it stands for. */
  readonly idempotency: { readonly key: string; readonly route: string; readonly body: string } | null;
  readonly defer: (work: Promise<unknown>) => void;
  /** What is waited for, too, before an admitted request goes on, until `deadlineMs` at most. Never rejects. */
  beside?(deadlineMs?: number): Promise<void>;
}

/** A request's exchange with the organisation's object. */
export interface OpenOperation extends Caller {
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
  /** Rate headers, once the object has answered. */
  rate(): RateStatus | null;
  /** The key's id, once the object has confirmed it. */
  keyId(): string | null;
  /** Settles key and role for a request whose body or query is bad: throws 401 or 403, charges nothing. */
  admitFaulty(): Promise<void>;
  /** Takes back a charge that was made, or may have been, and gives the `Idempotency-Key` free: there is no answer. */
  reverse(): Promise<void>;
}

/** An object that was overloaded or restarting gets this long before the trace is sent again. */
const RESEND_AFTER_MS = 1_000;

/** How long a request goes on that names no deadline: a report. */
const REQUEST_MS = 5_000;
/** After its deadline a request pays no vendor; to hand over its answer it has this long: sent, and sent again. */
const HANDOVER_MS = 2 * CALL_TIMEOUT_MS + RESEND_AFTER_MS;

export function openOperation(objects: ObjectDeps, input: OperationInput): OpenOperation {
  const { claims, idempotency } = input;
  const organisationId = claims.organisationId;
  const keyHash = sha256Hex(input.key);
  const operationId =
    idempotency === null ? input.traceId : `ik_${sha256Hex(`${keyHash} ${idempotency.route} ${idempotency.key}`)}`;
  const request: AdmitRequest = {
    v: PORT_VERSION,
    operationId,
    traceId: input.traceId,
    keyHash,
    ...input.needs,
    probe: null,
    // Under the key, which nobody keeps: a body is an address and little else, and its plain hash would tell it.
    bodyHash: idempotency === null ? null : sha256Hex(`${input.key} ${idempotency.body}`),
    faulty: false,
  };
  let rate: RateStatus | null = null;
  let keyId: string | null = null;
  let reached = true;
  let mayBeCharged = false;
  let hasReserved = false;

  const ask = async (change: Partial<AdmitRequest>): Promise<Admitted | null> => {
    mayBeCharged ||= change.faulty !== true;
    const answer = await callObject(objects, organisationId, 'admit', (stub) => stub.admit({ ...request, ...change }));
    if (!answer.ok) {
      if (answer.error === 'overloaded') mayBeCharged = false;
      // A bug in the object, or its being overloaded, is an answer, and no reason to go on without it.
      if (!input.servesUnreached || answer.error !== 'unreachable') throw objectError(answer.error);
      if (!roleAllows(claims.role, input.needs.role))
        throw refusalError({ ok: false, refusal: 'forbidden', rate: null }, input.needs);
      return null;
    }
    rate = answer.value.rate;
    if (!answer.value.ok) {
      mayBeCharged = false;
      throw refusalError(answer.value, input.needs);
    }
    keyId = answer.value.key.id;
    return answer.value;
  };

  const holdOf = (deadlineMs = objects.now() + REQUEST_MS): Pick<AdmitRequest, 'holdMs'> =>
    idempotency === null ? {} : { holdMs: Math.max(0, deadlineMs - objects.now()) + HANDOVER_MS };

  const send = (finish: FinishRequest) => callObject(objects, organisationId, 'finish', (stub) => stub.finish(finish));

  return {
    organisationId,
    mode: claims.mode,
    meter: input.needs.meter,
    startedAt: input.startedAt,
    traceId: input.traceId,
    defer: input.defer,
    rate: () => rate,
    keyId: () => keyId,

    async admit(probe: RuleProbe | null, { deadlineMs, ...policy }: AdmissionWish = {}): Promise<Admission> {
      const asking = ask({ probe, ...policy, ...holdOf(deadlineMs) });
      const [admitted] = await Promise.all([asking, input.beside?.(deadlineMs)]);
      reached = admitted !== null;
      if (admitted === null) return admittedBy(null);
      const { key, organisation, rules, earlier, policy: inForce = null, calibration = null } = admitted;
      return admittedBy({ key, organisation, rules, earlier, policy: inForce, calibration });
    },

    async reserveEnrichment(totalMicros: number): Promise<'granted' | 'refused' | 'failed'> {
      if (!reached) return 'failed';
      hasReserved = true;
      const hold = { v: PORT_VERSION, requestId: input.traceId, totalMicros } as const;
      const answer = await callObject(objects, organisationId, 'reserve', (stub) => stub.reserveEnrichment(hold));
      return answer.ok ? (answer.value ? 'granted' : 'refused') : 'failed';
    },

    async admitFaulty(): Promise<void> {
      await ask({ faulty: true });
    },

    async settle({ trace, spendMicros, enrichmentMicros = 0, answer }: Completion): Promise<string | null> {
      const finish = {
        v: PORT_VERSION,
        operationId,
        requestId: input.traceId,
        trace,
        spendMicros,
        ...(hasReserved ? { enrichment: { requestId: input.traceId, spentMicros: enrichmentMicros } } : {}),
        bodyHash: request.bodyHash,
        answer: idempotency === null ? null : answer,
      } as const;
      if (!reached) {
        // The charge is best effort then: entered behind the answer, if the object is back by that time. Refused or not, the
        // answer has named its trace.
        const lateCharge = ask({ probe: null, ...holdOf() }).catch(() => null);
        input.defer(lateCharge.then(() => send(finish)));
        return null;
      }
      const settled = await send(finish);
      if (settled.ok) return settled.value.answer;
      // A report is all there is to its request: not kept, it is not accepted.
      if (!input.servesUnreached) throw objectError(settled.error);
      input.defer(pause(RESEND_AFTER_MS).then(() => send(finish)));
      return null;
    },

    async reverse(): Promise<void> {
      if (!mayBeCharged || (input.needs.meter === null && idempotency === null)) return;
      await callObject(objects, organisationId, 'reverse', (stub) => stub.reverse(operationId, input.traceId));
    },
  };
}

const REFUSALS: Record<Refused['refusal'], { readonly code: RefusalCode; readonly message: string }> = {
  unauthorized: {
    code: 'unauthorized',
    message: 'The API key is missing, malformed or revoked: send `Authorization: Bearer <API_KEY>`.',
  },
  forbidden: { code: 'forbidden', message: 'The API key’s role does not allow this' },
  unknown_policy: { code: 'not_found', message: 'There is no policy of this name.' },
  sandboxed: { code: 'forbidden', message: 'A test key changes nothing here: use a live key.' },
  conflict: { code: 'conflict', message: 'This Idempotency-Key was used with another body.' },
  in_progress: {
    code: 'request_in_progress',
    message: 'The first request with this Idempotency-Key has no answer yet: repeat after `Retry-After`.',
  },
  rate_limited: {
    code: 'rate_limited',
    message: 'Too many requests in 60 seconds: wait as long as `Retry-After` says.',
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

function refusalError(refused: Refused, needs: Pick<AdmitRequest, 'role' | 'operator'>): DomainError {
  const { code, message } = REFUSALS[refused.refusal];
  const needed = needs.operator ? 'an operator’s key' : `a key of role ${needs.role} or above`;
  const words = refused.refusal === 'forbidden' ? `${message}: it needs ${needed}.` : message;
  return new DomainError(code, words, refused.retryAfterS === undefined ? {} : { retryAfterS: refused.retryAfterS });
}
