import type * as contract from '../../contract/policy.ts';
import { ROUTES } from '../../contract/routes.ts';
import { storedTextFault } from '../../contract/stored-text.ts';
import { authorOf, writtenBy } from '../../domain/access/keys.ts';
import { compilePolicy } from '../../domain/policy/compile.ts';
import { faultsMessage } from '../../domain/policy/conditions.ts';
import {
  type ParsedPolicy,
  isPolicySlug,
  parsePolicy,
  type PolicyVersion,
  POLICIES_MAX,
  type PolicyRefused,
} from '../../domain/policy/document.ts';
import { openSimulation } from '../../domain/policy/simulate.ts';
import type { TraceRecord } from '../../domain/traces/traces.ts';
import { epochSeconds, DAY_MS } from '../../kernel/clock.ts';
import { DomainError } from '../../kernel/errors.ts';
import { askObject } from '../../organisation/api.ts';
import { countEventsOf } from '../../storage/postgres/feedback.ts';
import { listDecidableTraces } from '../../storage/postgres/trace-lists.ts';
import { flush } from '../traces.ts';
import { verb } from '../verb.ts';

function policyBody({ slug, version, document, createdAt, createdBy }: PolicyVersion): contract.Policy {
  const { name, rules, default: otherwise, icp } = JSON.parse(document) as ParsedPolicy;
  return {
    slug,
    version,
    name,
    rules,
    default: otherwise,
    icp,
    created_at: epochSeconds(createdAt),
    created_by: createdBy,
  };
}

/** Each policy in its newest version. */
export const listPolicies = verb({
  route: ROUTES.policies,
  run: async ({ deps, organisationId }, { query: { limit, cursor } }) => {
    const listed = await askObject(deps.objects, organisationId).listPolicies({ limit, before: cursor ?? null });
    if (listed === null) throw new DomainError('invalid_request', '`cursor` is not valid.');
    const { policies, isLast } = listed;
    return { policies: policies.map(policyBody), cursor: isLast ? null : (policies.at(-1)?.slug ?? null) };
  },
});

export const readPolicy = verb({
  route: ROUTES.policy,
  run: async ({ deps, organisationId }, { params: { slug }, query: { version } }) => {
    const wanted = { slug, version: version ?? null };
    const found = await askObject(deps.objects, organisationId).readPolicy(wanted);
    if (found === null) throw new DomainError('not_found', 'This policy, or this version of it, does not exist.');
    return { policy: policyBody(found) };
  },
});

/** Saves a document as the newest version, if the version in force is one of `expected`. */
export const putPolicy = verb({
  route: ROUTES.putPolicy,
  parse: ({ params: { slug }, body, expected }) => {
    if (!isPolicySlug(slug))
      throw new DomainError(
        'invalid_request',
        'A policy’s name in the path is 1 to 64 of a-z, 0-9, `-`, `_`, the first a letter or digit.',
      );
    const parsed = parsePolicy(body, storedTextFault);
    if (!parsed.ok) throw new DomainError('invalid_request', faultsMessage(parsed.error));
    return { slug, expected, document: JSON.stringify(parsed.value) };
  },
  run: async ({ deps, organisationId, traceId, authorized: { key } }, { slug, expected, document }) => {
    const change = { operationId: traceId, slug, document, expected, author: authorOf(key) };
    const answer = await askObject(deps.objects, organisationId).putPolicy(change);
    if (!answer.ok) throw refusalError(answer);
    return { policy: policyBody({ ...answer.saved, document }) };
  },
});

function refusalError(refused: PolicyRefused): DomainError {
  if (refused.refusal === 'full') {
    const limit = `An account has up to ${POLICIES_MAX} policies`;
    return new DomainError(
      'invalid_request',
      `${limit}, and policies can’t be deleted: save this one under the name of one that you have stopped using.`,
    );
  }
  const { inForce } = refused;
  return new DomainError(
    'version_conflict',
    inForce === null
      ? 'No policy has this name: leave out `If-Match` to make it.'
      : `Version ${inForce} is in force: read it, then send \`If-Match: "${inForce}"\` to change that one.`,
  );
}

/** Traces of one statement, and of one simulation, newest first: about ten seconds of work. */
const PAGE = 2_000;
const SIMULATED_MAX = 200_000;
/** A request has 30 s of CPU, which a costly draft may exceed: after this time the simulation reads no further page. */
const SIMULATED_MS_MAX = 15_000;

/** Runs a draft over the stored traces that the key may read. Asks no vendor, and is not metered. */
export const simulatePolicy = verb({
  route: ROUTES.simulatePolicy,
  parse: ({ params: { slug }, body: { policy: draft, window_days } }) => {
    const parsed = parsePolicy(draft, storedTextFault);
    if (!parsed.ok) throw new DomainError('invalid_request', faultsMessage(parsed.error, 'policy'));
    return { slug, window_days, draft: parsed.value };
  },
  // Refused if the account has no policy of this name.
  lookup: ({ slug }) => ({ policySlug: slug }),
  run: async (context, { slug, window_days, draft }) => {
    const { deps, organisationId, authorized } = context;
    const { key } = authorized;
    const keyId = writtenBy(key, undefined);
    const run = openSimulation(compilePolicy(draft), slug);
    await flush(deps, context, null);
    const query = {
      filter: { mode: key.mode, keyId: keyId === 'none' ? key.id : keyId },
      fromMs: context.startedAt - window_days * DAY_MS,
      withDetail: run.readsDetail,
      limit: PAGE,
    };
    const until = deps.now() + SIMULATED_MS_MAX;
    let before: TraceRecord['id'] | null = null;
    let complete = false;
    for (let left = SIMULATED_MAX; left > 0 && !complete && deps.now() < until; left -= PAGE) {
      const page = await listDecidableTraces(deps.db, organisationId, { ...query, before });
      run.add(page);
      before = page.at(-1)?.id ?? null;
      complete = page.length < PAGE;
    }
    const { withEvents, events } = await countEventsOf(deps.db, organisationId, key.mode, run.denied());
    const denied = { traces: run.denied().length, with_events: withEvents, events };
    return { window_days, complete, ...run.result(), denied };
  },
});
