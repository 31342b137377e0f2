import type { FlatProperties } from '../../contract/properties.ts';
import type { VerificationContext } from '../../contract/verification.ts';
import { type Concluded, keptOf } from '../../domain/answer/assess.ts';
import type { LocalFacts } from '../../domain/answer/observed.ts';
import type { CompiledPolicy } from '../../domain/policy/compile.ts';
import type { EnrichmentVendor } from '../../domain/policy/enrichment.ts';
import type { PolicyResult } from '../../domain/policy/decision.ts';
import { armOf, resolveDecision } from '../../domain/policy/evaluate.ts';
import { billedMicros } from '../../domain/router/provider-queries.ts';
import { costLeft } from '../../domain/router/router.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { FactStore } from '../../storage/kv.ts';
import type { Authorization } from '../authorization.ts';
import type { AuthorizedRequest } from '../caller.ts';
import type { Labelled } from '../../domain/screening/record.ts';
import { type LabelDeps, label } from '../screening/label.ts';
import { answerTo, type VerifyDeps } from '../verification/judge.ts';
import { type EnrichmentDeps, type EnrichmentSubject, openEnrichment } from './enrich.ts';
import type { PolicyMemory } from '../../storage/policy-memory.ts';

export interface ApplyPolicyDeps extends LabelDeps {
  readonly enrichmentVendors: readonly EnrichmentVendor[];
  readonly enrichmentHealth: EnrichmentDeps['enrichmentHealth'];
  readonly onEnrichment: EnrichmentDeps['onEnrichment'];
  readonly companies: FactStore;
  readonly now: Clock;
}

export interface DecideDeps extends VerifyDeps, ApplyPolicyDeps {
  readonly policies: PolicyMemory;
}

export type ApplyPolicyRequest = Pick<
  AuthorizedRequest<Authorization>,
  'organisationId' | 'mode' | 'authorized' | 'defer' | 'reserveEnrichment'
>;

/** A verified address on its way to a decision. */
export interface Case {
  readonly email: string;
  /** Null means none was sent. */
  readonly name: string | null;
  readonly attributes: FlatProperties;
  readonly context: VerificationContext;
  readonly concluded: Concluded;
  /** The deadline of the whole request, including the verification. */
  readonly deadlineMs: number;
  readonly maxCostUsd: number;
  /** The month's remaining enrichment budget, in micros; below 0 without one. */
  readonly budgetMicros: number;
}

/**
 * Decides about a verified address. Screening and enrichment run only if a rule needs them, within what the
 * verification has left of both ceilings. Never rejects: an unavailable value is missing.
 */
export async function applyPolicy(
  deps: ApplyPolicyDeps,
  request: ApplyPolicyRequest,
  policy: CompiledPolicy,
  { email, name, attributes, context, concluded, deadlineMs, maxCostUsd, budgetMicros }: Case,
): Promise<PolicyResult> {
  const { facts, queries } = concluded;
  const { authorized } = request;
  let labelled: Labelled | null = null;

  const leftBeside = (otherMicros: number): number =>
    costLeft(maxCostUsd, [
      ...queries.results.map(({ answer }) => paid(answer.costMicros)),
      ...queries.failures.map(({ owedMicros }) => paid(owedMicros)),
      paid(otherMicros),
    ]);

  const enrichment = openEnrichment(
    { ...deps, cache: deps.companies, defer: request.defer, reserve: (micros) => request.reserveEnrichment(micros) },
    request.mode === 'live' ? enrichmentSubject(deps, request, facts) : null,
    {
      get costMicros() {
        return leftBeside(labelled?.costMicros ?? 0);
      },
      budgetMicros,
      deadlineMs,
    },
  );

  /** Omits the model if its two requests may not fit the ceilings. */
  async function screening(): Promise<Labelled['labels']> {
    const { backend } = deps.model;
    const mostMicros = MODEL_REQUESTS * (backend?.priceMicros ?? 0);
    const fits = mostMicros <= leftBeside(enrichment.report().costMicros) && deps.now() < deadlineMs;
    const model = { ...deps.model, backend: fits ? backend : null, deadlineMs };
    const { organisationId, mode } = request;
    labelled = await label(
      { ...deps, model },
      { organisationId, email, name, mode, facts, isReached: authorized.reached },
    );
    return labelled.labels;
  }

  const resolution = await resolveDecision(
    policy,
    { verification: answerTo(email, keptOf(concluded)), attributes, context },
    (experiment) => armOf(experiment, facts.addressHash),
    { screening, enrichment: enrichment.settle },
  );
  return { ...resolution, labelled, enrichment: enrichment.report() };
}

/** The highest possible bill of providers and model for a decision, in micros. Enrichment has its own budget. */
export const decisionMicros = ({ labelled }: PolicyResult, { queries }: Pick<Concluded, 'queries'>): number =>
  billedMicros(queries) + (labelled?.costMicros ?? 0);

/** One about the name, one about the domain. */
const MODEL_REQUESTS = 2;

const paid = (costMicros: number) => ({ priceMicros: 0, costMicros });

/** Null without an address to ask about. */
function enrichmentSubject(
  { lists }: ApplyPolicyDeps,
  { organisationId }: ApplyPolicyRequest,
  { address, traits }: LocalFacts,
): EnrichmentSubject | null {
  if (address === null) return null;
  const { local, domain } = address;
  const hidesOwner = traits.relay || traits.agent || lists.disposableTier(domain) === 'block';
  return {
    organisationId,
    email: `${local}@${domain}`,
    domain,
    hasCompany: !hidesOwner && !traits.consumer,
    hasPerson: !hidesOwner && !traits.role && !traits.shared,
  };
}
