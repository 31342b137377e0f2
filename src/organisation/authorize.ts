import { type KeyRecord, type ListedKey, roleAllows } from '../domain/access/keys.ts';
import { FRESH_MS } from '../domain/access/member-records.ts';
import type { OrganisationSettings } from '../domain/metering/organisation-settings.ts';
import {
  NEW_DOMAINS_PER_MINUTE,
  RATES_PER_MINUTE,
  type RateDecision,
  rateStatus,
  rollWindow,
  takeRequest,
  type WindowName,
  windowOf,
  withoutPast,
} from '../domain/metering/rate.ts';
import { chargedQuota, type Meter, providerLeftMicros } from '../domain/metering/usage.ts';
import { NO_RULES } from '../domain/rules/rules.ts';
import type { AuthorizeAnswer, AuthorizeRequest, FindKnown, Refused } from './authorization.ts';
import { findPolicyIdentity, ownLosses } from './policies.ts';
import { findKey, findLiveKey, noteUse } from './keys.ts';
import { findMember } from './sql/members.ts';
import { addCalls, readMeter, writeMeter } from './sql/metering.ts';
import {
  appendRecords,
  findOperation,
  finishedOperation,
  lifetimeMs,
  type Operation,
  putOperation,
} from './sql/operations.ts';
import { matchRules } from './rules.ts';
import type { Sql } from './sql/sql.ts';
import type { FlushedOperations } from './flushed.ts';

const FULL_RETRY_S = 60;
const IN_PROGRESS_RETRY_S = 1;
/** A request takes at most 60 s, and some time to deliver its answer. A longer hold means that a clock went back. */
const HOLD_MS_MAX = 70_000;

/** After this time an analysis whose Worker has died no longer blocks the next one. */
const ANALYSIS_MAX_MS = 60_000;

/** An answer without a provider's, with its trace. */
export interface Conclusion {
  readonly record: string;
  /** Makes the text that is stored for a repeat. */
  readonly answer: () => string;
  readonly addressHash: string | null;
}

/**
 * Decides, in the contract's order, whether a request may be served: key, role, rate, quota. Charges it once per
 * operation id and stores the result of `conclude`. Synchronous, so that nothing runs between reading and writing the
 * counts.
 */
export function authorize(
  sql: Sql,
  organisation: OrganisationSettings,
  request: AuthorizeRequest,
  now: number,
  isFull: boolean,
  flushed: Pick<FlushedOperations, 'has'>,
  known: FindKnown,
  conclude: (authorized: AuthorizeAnswer) => Conclusion | null = () => null,
): AuthorizeAnswer | Refused {
  const meter = readMeter(sql, now);
  const limit = RATES_PER_MINUTE[request.rate] ?? organisation.limits.ratePerMinute;
  const { person } = request;
  const key = person === undefined ? findLiveKey(sql, request.keyHash, now) : findDashboardKey(sql, person.userId);
  const of = key?.mode === 'test' ? 'test:' : '';

  /** Refused requests have their own limited rates, so that they don't use up the rate of served ones. */
  const countRefused = <T extends AuthorizeAnswer | Refused>(
    answer: T,
    reason: Refused['refusal'] | 'faulty',
  ): T | Refused => {
    const name: WindowName = `${of}refused:${request.rate}:${reason}`;
    const taken = takeRequest(windowOf(meter.windows, name), limit, now);
    if (!taken.allowed) return tooMany(taken);
    writeMeter(sql, { ...meter, windows: { ...withoutPast(meter.windows, now), [name]: taken.window } });
    return answer;
  };
  if (!key)
    return { ...countRefused<Refused>({ ok: false, refusal: 'unauthorized', rate: null }, 'unauthorized'), rate: null };

  const counted: WindowName = `${of}${request.rate}`;
  const window = rollWindow(windowOf(meter.windows, counted), now);
  const untouched = rateStatus(window, limit, now);
  const refused = (refusal: Refused['refusal'], retry: Pick<Refused, 'retryAfterS'> = {}): Refused =>
    countRefused({ ok: false, refusal, ...retry, rate: untouched }, refusal);

  // Before the role: a test key with a higher role is refused too.
  if (request.live === true && key.mode === 'test') return refused('sandboxed');
  if (!roleAllows(key.role, request.role) || (request.operator && !key.operator)) return refused('forbidden');
  const isFresh = person !== undefined && now - person.signedInAt <= FRESH_MS;
  if (organisation.secondFactor && person?.hasSecondFactor === false) return refused('second_factor');
  if (request.fresh === true && !isFresh) return refused('not_fresh');
  const { id, accountId, name } = organisation;
  const isVerification = request.lookup?.history !== undefined;
  const losses = isVerification ? ownLosses(sql) : null;
  const providerLeft = isVerification ? providerLeftMicros(meter.usage, organisation.limits) : null;
  const authorized: AuthorizeAnswer = {
    ok: true,
    key: {
      id: key.id,
      name: key.name,
      role: key.role,
      mode: key.mode,
      origin: key.origin,
      operator: key.operator,
      userId: key.userId,
    },
    organisation: { id, accountId, name },
    rate: untouched,
    rules: request.lookup === null ? NO_RULES : matchRules(sql, request.lookup),
    earlier: null,
    ...(isFresh ? { isFresh } : {}),
    ...(person?.hasSecondFactor === true ? { hasSecondFactor: true } : {}),
    ...(losses === null ? {} : { losses }),
    ...(providerLeft === null ? {} : { providerLeftMicros: providerLeft }),
    ...(organisation.privacy?.off.length ? { off: organisation.privacy.off } : {}),
  };
  if (request.faulty) return countRefused(authorized, 'faulty');
  // A long outage of Postgres has filled the object: it refuses requests until the outbox is written.
  if (isFull) return { ok: false, refusal: 'rate_limited', retryAfterS: FULL_RETRY_S, rate: untouched };

  const charge = key.mode === 'test' ? null : request.meter;
  const before = isOperation(charge, request) ? findEntry(sql, flushed, request, now) : null;
  if (before && before.bodyHash !== request.bodyHash) return refused('conflict');
  const standing = before !== null && before.state !== 'reversed' ? before : null;
  const earlier = standing?.state === 'finished' ? { answer: standing.answer } : null;

  // The transport sent the request again: already authorized, and not counted twice.
  if (standing?.traceId === request.traceId) return { ...authorized, ...known(request, authorized), earlier };

  // The first request is running, and a second would pay for the same answer. A request past its hold has died.
  if (standing?.state === 'charged' && isHeld(standing, now)) {
    // The caller polls for the answer after `retryAfterS`.
    return { ok: false, refusal: 'in_progress', retryAfterS: IN_PROGRESS_RETRY_S, rate: untouched };
  }

  const rate = takeRequest(window, limit, now);
  if (!rate.allowed) return tooMany(rate);
  const ofDomains: WindowName = `${of}domains`;
  const domains =
    request.isNewDomain === true ? takeRequest(windowOf(meter.windows, ofDomains), NEW_DOMAINS_PER_MINUTE, now) : null;
  if (domains?.allowed === false) return { ...tooMany(domains), refusal: 'new_domains', rate: untouched };
  const isAnalysis = request.rate === 'analysis';
  if (isAnalysis && meter.analysis !== undefined && meter.analysis.until > now)
    return { ok: false, refusal: 'analysis_running', retryAfterS: IN_PROGRESS_RETRY_S, rate: untouched };
  const { policySlug } = request;
  if (policySlug !== undefined && findPolicyIdentity(sql, policySlug) === null) return refused('unknown_policy');

  if (charge !== null && standing === null) {
    const quota = chargedQuota(charge, meter.usage, organisation.limits);
    if (quota?.remaining === 0) {
      return refused(charge === 'screen' ? 'screening_quota_exceeded' : 'quota_exceeded');
    }
  }
  const charged = charge !== null && standing === null ? addCalls(meter, charge, 1) : meter;
  noteUse(sql, key, person === undefined ? request.keyHash : key.hash, now);
  const analysis = isAnalysis ? { analysis: { traceId: request.traceId, until: now + ANALYSIS_MAX_MS } } : {};
  writeMeter(sql, {
    ...charged,
    ...analysis,
    windows: { ...meter.windows, [counted]: rate.window, ...(domains && { [ofDomains]: domains.window }) },
  });
  const answer = { ...authorized, ...known(request, authorized), rate: rate.status, earlier };
  const concluded = standing?.state === 'finished' ? null : conclude(answer);
  if (concluded !== null || (isOperation(charge, request) && standing?.state !== 'finished')) {
    const { bodyHash } = request;
    const isKept = bodyHash !== null;
    const heldUntil = isKept && concluded === null ? now + Math.min(request.holdMs, HOLD_MS_MAX) : null;
    // Its lifetime starts with the first request, extended while a second one takes it over.
    const expiresAt = Math.max(before?.expiresAt ?? now + lifetimeMs(bodyHash), heldUntil ?? now);
    const operation: Operation = {
      state: concluded === null ? 'charged' : 'finished',
      traceId: request.traceId,
      meter: charge,
      month: standing?.month ?? meter.usage.month,
      bodyHash,
      heldUntil,
      answer: isKept ? (concluded?.answer() ?? null) : null,
      addressHash: isKept ? (concluded?.addressHash ?? null) : null,
      expiresAt: isKept || concluded === null ? expiresAt : null,
    };
    const record = concluded?.record;
    if (isKept && record !== undefined) appendRecords(sql, 'trace', [[request.traceId, record]], now);
    const own = isKept || record === undefined ? null : ({ kind: 'trace', record } as const);
    putOperation(sql, request.operationId, now, operation, own);
  }
  return answer;
}

/** The key of a member's requests from the dashboard, in the member's role. */
function findDashboardKey(sql: Sql, userId: NonNullable<KeyRecord['userId']>): ListedKey | null {
  const member = findMember(sql, userId);
  const key = member === null ? null : findKey(sql, member.keyId);
  return member === null || key === null || key.revokedAt !== null ? null : { ...key, role: member.role };
}

const isHeld = ({ heldUntil }: Operation, now: number): boolean =>
  heldUntil !== null && heldUntil > now && heldUntil - now <= HOLD_MS_MAX;

const tooMany = ({ retryAfterS, status }: Extract<RateDecision, { allowed: false }>): Refused => ({
  ok: false,
  refusal: 'rate_limited',
  retryAfterS,
  rate: status,
});

/** The operation, including a flushed one. */
export function findEntry(
  sql: Sql,
  flushed: Pick<FlushedOperations, 'has'>,
  { operationId, bodyHash }: Pick<AuthorizeRequest, 'operationId' | 'bodyHash'>,
  now: number,
): Operation | null {
  const isFlushed = (): boolean => bodyHash === null && flushed.has(operationId, now);
  return findOperation(sql, operationId) ?? (isFlushed() ? finishedOperation(operationId, '', null) : null);
}

/** Reverses the charge of a request that ended without an answer. */
export function reverse(sql: Sql, operationId: string, now: number, traceId: string): void {
  const operation = findOperation(sql, operationId);
  if (operation?.state !== 'charged' || operation.traceId !== traceId) return;
  const meter = readMeter(sql, now);
  if (operation.meter !== null && meter.usage.month === operation.month)
    writeMeter(sql, addCalls(meter, operation.meter, -1));
  putOperation(sql, operationId, now, { ...operation, state: 'reversed' });
}

/** The analysis has ended: the next may start. */
export function endAnalysis(sql: Sql, now: number, traceId: string): void {
  const { analysis, ...meter } = readMeter(sql, now);
  if (analysis?.traceId === traceId) writeMeter(sql, meter);
}

/** Everything charged and everything under an `Idempotency-Key` is an operation; the free check only counts. */
const isOperation = (charge: Meter | null, request: AuthorizeRequest): boolean =>
  (charge !== null && charge !== 'check') || request.bodyHash !== null;
