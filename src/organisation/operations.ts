import { assess, type Concluded, keptOf } from '../domain/answer/assess.ts';
import { enrichmentLeftMicros } from '../domain/metering/usage.ts';
import { concludeDecision, decideUnasked } from '../domain/policy/decision.ts';
import { type TraceRecord, traceJson } from '../domain/traces/traces.ts';
import { HOUR_MS } from '../kernel/clock.ts';
import { log } from '../kernel/log.ts';
import { PolicyMemory } from '../storage/policy-memory.ts';
import {
  type AuthorizeAnswer,
  type AuthorizeRequest,
  accountOf,
  type DecideAnswer,
  type DecideRequest,
  type FindKnown,
  type Finished,
  type CommitRequest,
  type Refused,
  type RuleLookup,
  type VerifyAnswer,
  type VerifyRequest,
} from './authorization.ts';
import { authorize, type Conclusion, endAnalysis, reverse } from './authorize.ts';
import { commit, withoutDetail } from './commit.ts';
import type { ObjectCore } from './core.ts';
import type { FlushedOperations } from './flushed.ts';
import { findPolicy, findPolicyIdentity, type PolicyIdentity, type PolicyInForce, policyInForce } from './policies.ts';
import { readMeter } from './sql/metering.ts';
import { currentLookup } from './sql/rehash.ts';

/** Characters of documents, as an isolate may hold many objects. */
const POLICIES_SIZE_MAX = 2 ** 18;

/** A judged request: its answer as stored for a repeat, and its trace. */
interface Judged<T> {
  readonly kept: T;
  readonly record: TraceRecord;
}

/** The operations of requests: authorized and charged, committed with their traces, or reversed. */
export class Operations {
  private readonly core: ObjectCore;
  private readonly flushed: FlushedOperations;
  private readonly policies = new PolicyMemory(POLICIES_SIZE_MAX);

  constructor(core: ObjectCore, flushed: FlushedOperations) {
    this.core = core;
    this.flushed = flushed;
  }

  authorize(
    asked: AuthorizeRequest,
    conclude?: (authorized: AuthorizeAnswer) => Conclusion | null,
  ): AuthorizeAnswer | Refused {
    const { core, flushed } = this;
    const { live, sql } = core;
    if (core.settings === null) log('error', 'empty_object', { trace_id: asked.traceId });
    if (live === null) return { ok: false, refusal: 'unauthorized', rate: null };
    const request = { ...asked, lookup: asked.lookup && currentLookup(sql, asked.lookup) };
    const now = core.now();
    const known = findKnown(core, now);
    const answer = core.transact(() => authorize(sql, live, request, now, core.isFull, flushed, known, conclude));
    if (answer.ok && !request.faulty) core.timers.arm('expiry', now + HOUR_MS);
    return answer;
  }

  endAnalysis(traceId: string): void {
    const { core } = this;
    if (core.live !== null) core.transact(() => endAnalysis(core.sql, core.now(), traceId));
  }

  /** Authorizes a verification; if no provider is worth asking, judges and stores it in the same transaction. */
  verify(request: VerifyRequest): VerifyAnswer | Refused {
    return this.inOneTrip(request, (concluded) => ({ kept: keptOf(concluded), record: concluded.record }));
  }

  /** The same for a decision, which also waits for a screening or enrichment that a rule needs. */
  decide({ decision, policyKnown, ...sent }: DecideRequest): DecideAnswer | Refused {
    const { core } = this;
    const { context, startedAt } = sent.request;
    const answer = this.inOneTrip(sent, (concluded) => {
      const by = policyInForce(core.sql, decision.slug, this.policies);
      const result = by && decideUnasked(by, concluded, decision, context);
      return by && result && concludeDecision(by, result, concluded, decision, { startedAt, now: core.now() });
    });
    if (!answer.ok) return answer;
    return { ...answer, policy: policyFor(core, decision.slug, policyKnown) };
  }

  private inOneTrip<T>(
    { authorize: asked, observed, request, providers }: VerifyRequest,
    judged: (concluded: Concluded) => Judged<T> | null,
  ): (AuthorizeAnswer & { readonly concluded: T | null }) | Refused {
    const { core } = this;
    const judge = (authorized: AuthorizeAnswer, askable: VerifyRequest['providers']): Judged<T> | null => {
      const assessment = assess(observed, accountOf(authorized), request, askable, core.now());
      return assessment.kind === 'open' ? null : judged(assessment);
    };
    let found: Judged<T> | null = null;
    const answer = this.authorize({ ...asked, lookup: lookupOf(observed, request) }, (authorized) => {
      found = judge(authorized, providers);
      return found && conclusionOf(found, core.isLarge);
    });
    if (!answer.ok) return answer;
    const { earlier } = answer;
    if (earlier !== null && earlier.answer !== null) return { ...answer, concluded: JSON.parse(earlier.answer) as T };
    // The transport sent a finished request again: it gets the same answer, and asks nobody.
    if (earlier !== null) found = judge(answer, providers) ?? judge(answer, []);
    else if (found !== null) core.drainSoon();
    return { ...answer, concluded: found && found.kept };
  }

  commit(request: CommitRequest): Finished {
    const { core } = this;
    if (core.live === null) return { answer: request.answer };
    const kept = core.isLarge && request.trace.kind === 'trace' ? withoutDetail(request) : request;
    const finished = core.transact(() => {
      if (kept.observation !== null) core.learn([kept.observation]);
      return commit(core.sql, kept, core.now(), this.flushed);
    });
    core.drainSoon();
    return finished;
  }

  reverse(operationId: string, traceId: string): void {
    this.core.transact(() => reverse(this.core.sql, operationId, this.core.now(), traceId));
  }
}

/** Looks up the matching rules and, under a live key, the account's knowledge of the address. */
export const lookupOf = (
  { address, addressHash, domain, domainName }: VerifyRequest['observed'],
  { mode, context: { purpose } }: VerifyRequest['request'],
): RuleLookup | null => {
  if (address === null) return null;
  return {
    addressHash,
    domain,
    ...(mode === 'live' && domainName !== null && { history: { domain: domainName, purpose } }),
  };
};

/** The policy of an authorized request, which is refused if the account lacks it. */
function policyFor(core: ObjectCore, slug: string, known: PolicyIdentity | null): PolicyInForce {
  const inForce = findPolicyIdentity(core.sql, slug);
  if (inForce === null) throw new Error('the policy of an authorized request is not there');
  const isKnown = known?.version === inForce.version && known.createdAt === inForce.createdAt;
  const document = isKnown ? null : (findPolicy(core.sql, slug, inForce.version)?.document ?? null);
  const { usage } = readMeter(core.sql, core.now());
  return { ...inForce, document, enrichmentLeftMicros: enrichmentLeftMicros(usage, core.require().limits) };
}

/** The stored conclusion; without its detail while the outbox is very large. */
const conclusionOf = <T>({ kept, record }: Judged<T>, isLarge: boolean): Conclusion => ({
  record: traceJson(isLarge ? { ...record, detail: null } : record),
  answer: () => JSON.stringify(kept),
  addressHash: record.addressHash,
});

const findKnown =
  (core: ObjectCore, now: number): FindKnown =>
  ({ lookup }, { key }) =>
    lookup?.history === undefined || lookup.addressHash === null || key.mode === 'test'
      ? {}
      : { history: core.history.known(lookup.addressHash, lookup.history, key.id, now) };
