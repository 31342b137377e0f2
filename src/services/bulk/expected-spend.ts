import { NO_HISTORY } from '../../domain/answer/account.ts';
import { warningIn } from '../../domain/answer/answer-shown.ts';
import { NO_FACTS } from '../../domain/belief/facts.ts';
import { acceptsAllShown, initialState, strangerAt, type PredictionContext } from '../../domain/belief/groups.ts';
import { MODEL } from '../../domain/belief/model.ts';
import { sampledNumbers } from '../../domain/bulk/estimate.ts';
import type { CachedSample } from '../../domain/bulk/job-record.ts';
import { micros } from '../../domain/metering/usage.ts';
import { expectedSpend } from '../../domain/router/expected-spend.ts';
import type { Stakes } from '../../domain/router/losses.ts';
import { type RouteInput, type SettledBy, settledBy } from '../../domain/router/router.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import type { LookupMatch } from '../../organisation/api.ts';
import type { DecideDeps } from '../policy/apply-policy.ts';
import { askable } from '../verification/ask-providers.ts';
import { COST_DEFAULT_USD, LATENCY_DEFAULT_MS } from '../verification/judge.ts';
import { findHost, type HostDeps } from '../verification/find-host.ts';
import type { Subject } from '../verification/observe.ts';

export type SpendDeps = HostDeps & Pick<DecideDeps, 'providers' | 'health' | 'now'>;

/** An address of the sample, and what the account's object knows of it. */
export interface Sampled {
  readonly subject: Extract<Subject, { ok: true }>;
  readonly match: LookupMatch;
}

/** Addresses whose mail hosts are looked up, each with a question to a resolver. */
const LOOKED_UP = 24;
const LOOK_UP_MS = SECOND_MS;

/** A row of a file as the router would see it before anybody is asked. */
function inputOf(
  deps: Pick<SpendDeps, 'providers' | 'health'>,
  stakes: Stakes,
  { match }: Sampled,
  host: PredictionContext['host'],
  now: number,
): RouteInput {
  const { address, groups, isTrusted, errors } = match.history ?? NO_HISTORY;
  const { answers, reports, proofs } = address ?? NO_FACTS;
  const features = address?.features ?? [];
  const context = strangerAt({ host, features, purpose: stakes.purpose, now }, groups);
  return {
    model: MODEL,
    host,
    features,
    purpose: stakes.purpose,
    initial: initialState(MODEL, context, { answers, reports, proofs }, { isTrusted, isFile: true }),
    answers,
    reports,
    proofs,
    errors,
    now,
    stakes,
    isFile: true,
    isCatchAll: acceptsAllShown(MODEL, host, groups.domain, now) === true,
    isRuled: match.address !== null || match.domain !== null,
    warning: warningIn({ answers, reports }, []),
    asked: new Set<never>(),
    providers: askable(deps, now),
    left: { costMicros: micros(COST_DEFAULT_USD), timeMs: LATENCY_DEFAULT_MS },
  };
}

/**
 * What a sample of a file tells: how many of its addresses no provider will be asked about, by why, and the mean cost in micros of
 * one of the others. Mail hosts are looked up for a few of them.
 */
export async function expectedAsking(
  deps: SpendDeps,
  stakes: Stakes,
  sample: readonly Sampled[],
): Promise<Pick<CachedSample, 'settled' | 'expectedMicros'>> {
  const now = deps.now();
  const settled = { terminal: 0, rule: 0, recent: 0, catch_all: 0 };
  const open: Sampled[] = [];
  for (const one of sample) {
    const host = one.match.history?.address?.host ?? 'unknown_business';
    const why: SettledBy | null = settledBy(inputOf(deps, stakes, one, host, now));
    if (why === null) open.push(one);
    else settled[why] += 1;
  }
  const looked = sampledNumbers(open.length, LOOKED_UP).flatMap((number) => open[number] ?? []);
  const spends = await Promise.all(
    looked.map(async (one) => {
      const found = await findHost(deps, one.subject.address, now + LOOK_UP_MS);
      if (found.precheck.terminal !== null) return null;
      return expectedSpend(inputOf(deps, stakes, one, found.host, now));
    }),
  );
  const asked = spends.filter((spend) => spend !== null);
  const terminalShare = looked.length === 0 ? 0 : 1 - asked.length / looked.length;
  settled.terminal = Math.round(terminalShare * open.length);
  return {
    settled,
    expectedMicros: asked.length === 0 ? 0 : asked.reduce((sum, spend) => sum + spend, 0) / asked.length,
  };
}
