import type { BulkEstimate } from '../../contract/bulk.ts';
import { type EstimateInput, estimate, sampledNumbers } from '../../domain/bulk/estimate.ts';
import { type CachedSample, type JobRecord, addressesKey, jobPrefix } from '../../domain/bulk/job-record.ts';
import {
  enrichmentLeftMicros,
  type Limits,
  micros,
  providerLeftMicros,
  type Usage,
  verificationQuota,
} from '../../domain/metering/usage.ts';
import { compiled } from '../../domain/policy/decision.ts';
import { highestCost } from '../../domain/policy/evaluate.ts';
import { lossesInForce, stakesOf } from '../../domain/router/losses.ts';
import { MINUTE_MS } from '../../kernel/clock.ts';
import { askObject } from '../../organisation/api.ts';
import type { Context } from '../verb.ts';
import { COST_DEFAULT_USD } from '../verification/judge.ts';
import { rowLookup, subjectOf } from '../verification/observe.ts';
import { readAddresses } from './addresses.ts';
import { expectedAsking } from './expected-spend.ts';

/** A younger sample is used again. */
const SAMPLE_LASTS_MS = 10 * MINUTE_MS;

/** What the rest of the job would cost now. */
export async function estimateJob(context: Context, record: JobRecord): Promise<BulkEstimate> {
  const { deps, organisationId } = context;
  const { job, owner } = record;
  const { usage, limits } = await askObject(deps.objects, organisationId).usage();
  const isTest = owner.mode === 'test';
  const priceMicros = isTest ? [] : deps.providers.map((provider) => provider.priceMicros);
  const sample = await sampleOf(context, record);
  const left = isTest ? null : providerLeftMicros(usage, limits);
  return estimate({
    // Chunks that were claimed are metered already.
    unique: (job.file?.unique ?? 0) - job.cursor,
    begun: job.cursor,
    skipped: job.file?.invalid ?? 0,
    quotaLeft: isTest ? null : verificationQuota(usage, limits).remaining,
    sample,
    priceMicros,
    ceilingMicros: micros(COST_DEFAULT_USD),
    providerLeftMicros: left,
    decision: isTest ? null : await decisionCost(context, record, usage, limits),
  });
}

/** Null without a policy. A file has no names, so the model is asked about domains alone. */
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
  if (sample !== null && now - sample.at < SAMPLE_LASTS_MS) return sample;
  const unique = job.file?.unique ?? 0;
  const numbers = sampledNumbers(unique);
  const counted = { addresses: numbers.length, cached: 0, expectedMicros: 0, settled: NOTHING_SETTLED, at: now };
  // Test keys and a service without providers keep no evidence.
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
