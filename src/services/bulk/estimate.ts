import type { BulkEstimate } from '../../contract/bulk.ts';
import { type EstimateInput, estimate, sampledNumbers } from '../../domain/bulk/estimate.ts';
import { addressesKey, jobPrefix } from '../../domain/bulk/files.ts';
import type { CachedSample, JobRecord } from '../../domain/bulk/job-record.ts';
import {
  enrichmentLeftMicros,
  type Limits,
  micros,
  providerLeftMicros,
  type Usage,
  verificationQuota,
} from '../../domain/metering/usage.ts';
import { highestCost } from '../../domain/policy/highest-cost.ts';
import { decodeAddress } from '../../domain/verification/history-codec.ts';
import { lossesInForce, stakesOf } from '../../domain/verification/losses.ts';
import { hasFreshEvidence } from '../../domain/verification/router.ts';
import { MINUTE_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { askObject } from '../../organisation/api.ts';
import type { Context } from '../verb.ts';
import { COST_DEFAULT_USD } from '../verification/assess.ts';
import { verificationProbe } from '../verification/history.ts';
import { type ParsedSubject, subjectOf } from '../verification/local-facts.ts';
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
  const isSpent = left !== null && priceMicros.every((price) => price > left);
  return estimate({
    // Ranges that were claimed are metered already.
    unique: (job.file?.unique ?? 0) - job.cursor,
    begun: job.cursor,
    skipped: job.file?.invalid ?? 0,
    quotaLeft: isTest ? null : verificationQuota(usage, limits).remaining,
    sample,
    priceMicros,
    ceilingMicros: micros(COST_DEFAULT_USD),
    expectedMicros: sample.expectedMicros,
    providerLeftMicros: left,
    unasked: isTest ? 'test_key' : priceMicros.length === 0 ? 'no_provider' : isSpent ? 'budget_spent' : sample.unasked,
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
  const { policy } = await deps.findPolicy(organisationId, policySlug, policyVersion);
  const highest = highestCost(policy, deps.enrichmentVendors, deps.model.backend?.priceMicros ?? 0);
  return { ...highest, budgetLeftMicros: enrichmentLeftMicros(usage, limits) };
}

async function sampleOf(context: Context, record: JobRecord): Promise<CachedSample> {
  const { deps, organisationId } = context;
  const { job, upload, sample, owner } = record;
  const now = deps.now();
  if (sample !== null && now - sample.at < SAMPLE_LASTS_MS) return sample;
  const unique = job.file?.unique ?? 0;
  const numbers = sampledNumbers(unique);
  const counted = { addresses: numbers.length, cached: 0, expectedMicros: 0, unasked: null, at: now };
  // Test keys and a service without providers keep no evidence.
  if (upload === null || owner.mode === 'test' || deps.providers.length === 0) return counted;
  const key = addressesKey(jobPrefix(organisationId, job.id), upload.reading);
  const emails = await readAddresses(deps.blobs, key, unique, numbers);
  const subjects = emails.map((email) => subjectOf(deps, context, email));
  const losses = await askObject(deps.objects, organisationId).readLosses({ version: null });
  const [cached, expected] = await Promise.all([
    countKnown(context, job.id, subjects, now),
    expectedAsking(deps, stakesOf(lossesInForce(losses), job.purpose), subjects, unique / Math.max(1, numbers.length)),
  ]);
  const kept = { ...counted, cached, expectedMicros: expected.micros, unasked: expected.unasked };
  await askObject(deps.objects, organisationId).noteSample({ id: job.id, sample: kept });
  return kept;
}

/** How many of the addresses have answers that still count. */
async function countKnown(
  { deps, organisationId }: Context,
  jobId: Id<'bj'>,
  subjects: readonly ParsedSubject[],
  now: number,
): Promise<number> {
  const probes = subjects.flatMap(
    (subject) => verificationProbe(deps, { organisationId, mode: 'live' }, subject, { jobId }) ?? [],
  );
  const matches = await askObject(deps.objects, organisationId).matchRules({ probes });
  const rows = matches.flatMap(({ history }) => history?.address ?? []);
  return rows.filter((row) => hasFreshEvidence(decodeAddress(row), now)).length;
}
