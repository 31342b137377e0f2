import type { BulkEstimate } from '../../contract/bulk.ts';
import { NO_HISTORY } from '../../domain/answer/account.ts';
import { warningIn } from '../../domain/answer/answer-shown.ts';
import { NO_FACTS } from '../../domain/belief/facts.ts';
import { acceptsAllShown, initialState, baselineAt, type PredictionContext } from '../../domain/belief/groups.ts';
import { MODEL } from '../../domain/belief/model.ts';
import { sampledNumbers, type EstimateInput, estimate } from '../../domain/bulk/estimate.ts';
import { type CachedSample, type JobRecord, addressesKey, jobPrefix } from '../../domain/bulk/job-record.ts';
import {
  micros,
  enrichmentLeftMicros,
  type Limits,
  providerLeftMicros,
  type Usage,
  verificationQuota,
} from '../../domain/metering/usage.ts';
import { compiled } from '../../domain/policy/decision.ts';
import { highestCost } from '../../domain/policy/evaluate.ts';
import { type Stakes, lossesInForce, stakesOf } from '../../domain/router/losses.ts';
import { expectedSpend } from '../../domain/router/expected-spend.ts';
import { type RouteInput, type SettledBy, settledBy } from '../../domain/router/router.ts';
import { SECOND_MS, MINUTE_MS } from '../../kernel/clock.ts';
import { type LookupMatch, askObject } from '../../organisation/api.ts';
import type { DecideDeps } from '../policy/apply-policy.ts';
import type { Context } from '../verb.ts';
import { askable } from '../verification/ask-providers.ts';
import { findHost, type HostDeps } from '../verification/find-host.ts';
import { COST_DEFAULT_USD, LATENCY_DEFAULT_MS } from '../verification/judge.ts';
import { type Subject, subjectOf, rowLookup } from '../verification/observe.ts';
import { readAddresses } from './stored-files.ts';

type SpendDeps = HostDeps & Pick<DecideDeps, 'providers' | 'health' | 'now'>;

/** A sampled address, and the account's knowledge of it. */
interface Sampled {
  readonly subject: Extract<Subject, { ok: true }>;
  readonly match: LookupMatch;
}

/** Addresses whose mail hosts are looked up, one DNS question each. */
const LOOKED_UP = 24;
const LOOK_UP_MS = SECOND_MS;

/** A row of a file as the router would see it before any answer. */
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
  const context = baselineAt({ host, features, purpose: stakes.purpose, now }, groups);
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
 * What a sample shows: addresses that no provider is asked about, by reason, and the mean cost in micros of the others.
 * Mail hosts are looked up for a few.
 */
async function expectedAsking(
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

/** A younger sample is reused. */
const SAMPLE_LASTS_MS = 10 * MINUTE_MS;

/** The cost of the rest of the job; with `isAgain`, of all of it. */
export async function estimateJob(context: Context, record: JobRecord, isAgain = false): Promise<BulkEstimate> {
  const { deps, organisationId } = context;
  const { job, owner } = record;
  const begun = isAgain ? 0 : job.cursor;
  const { usage, limits } = await askObject(deps.objects, organisationId).usage();
  const isTest = owner.mode === 'test';
  const priceMicros = isTest ? [] : deps.providers.map((provider) => provider.priceMicros);
  const sample = await sampleOf(context, record);
  const left = isTest ? null : providerLeftMicros(usage, limits);
  return estimate({
    // Claimed chunks are already metered.
    unique: (job.file?.unique ?? 0) - begun,
    begun,
    skipped: job.file?.invalid ?? 0,
    quotaLeft: isTest ? null : verificationQuota(usage, limits).remaining,
    sample,
    priceMicros,
    ceilingMicros: micros(COST_DEFAULT_USD),
    providerLeftMicros: left,
    decision: isTest ? null : await decisionCost(context, record, usage, limits),
  });
}

/** Null without a policy. A file has no names, so the model is asked only about domains. */
async function decisionCost(
  { deps, organisationId }: Context,
  { job: { policySlug }, policyVersion }: JobRecord,
  usage: Usage,
  limits: Limits,
): Promise<EstimateInput['decision']> {
  if (policySlug === null || policyVersion === null) return null;
  const version = { slug: policySlug, version: policyVersion };
  const policy = await askObject(deps.objects, organisationId).readPolicy(version);
  if (policy === null) throw new Error('the job’s policy is not there');
  const highest = highestCost(compiled(policy).policy, deps.enrichmentVendors, deps.model.backend?.priceMicros ?? 0);
  return { ...highest, budgetLeftMicros: enrichmentLeftMicros(usage, limits) };
}

const NOTHING_SETTLED = { terminal: 0, rule: 0, recent: 0, catch_all: 0 };

async function sampleOf(context: Context, record: JobRecord): Promise<CachedSample> {
  const { deps, organisationId } = context;
  const { job, upload, sample, owner } = record;
  const now = deps.now();
  // The job itself has learned since the sample was taken.
  const isFresh = sample !== null && sample.at > (job.finishedAt ?? 0) && now - sample.at < SAMPLE_LASTS_MS;
  if (isFresh) return sample;
  const unique = job.file?.unique ?? 0;
  const numbers = sampledNumbers(unique);
  const counted = { addresses: numbers.length, cached: 0, expectedMicros: 0, settled: NOTHING_SETTLED, at: now };
  // Test keys and a service without providers store no evidence.
  if (upload === null || owner.mode === 'test' || deps.providers.length === 0) return counted;
  const key = addressesKey(jobPrefix(organisationId, job.id), upload.reading);
  const emails = await readAddresses(deps.blobs, key, unique, numbers);
  const object = askObject(deps.objects, organisationId);
  const losses = await object.readLosses({ version: null });
  const subjects = emails.map((email) => subjectOf(deps, context, email)).filter((subject) => subject.ok);
  const lookups = subjects.flatMap(
    (subject) => rowLookup(deps, { organisationId, mode: 'live' }, subject, job.id) ?? [],
  );
  const matches = await object.matchRules({ lookups });
  const sampled = subjects.flatMap((subject, at) => {
    const match = matches[at];
    return match === undefined ? [] : [{ subject, match }];
  });
  const asking = await expectedAsking(deps, stakesOf(lossesInForce(losses), job.purpose), sampled);
  const kept = { ...counted, ...asking, cached: asking.settled.recent };
  await object.noteSample({ id: job.id, sample: kept });
  return kept;
}
