import type * as z from 'zod';
import type * as contract from '../../contract/policy.ts';
import { storedTextFault } from '../../contract/stored-text.ts';
import { compilePolicy } from '../../domain/policy/compile.ts';
import { isPolicySlug, type ParsedPolicy, parsePolicy } from '../../domain/policy/document.ts';
import { faultsMessage } from '../../domain/policy/faults.ts';
import {
  POLICIES_MAX,
  type PolicyChange,
  type PolicyRefused,
  type PolicyVersion,
} from '../../domain/policy/policy-records.ts';
import { openSimulation } from '../../domain/policy/simulate.ts';
import type { TraceRecord } from '../../domain/traces/record.ts';
import { DAY_MS, epochSeconds } from '../../kernel/clock.ts';
import { DomainError } from '../../kernel/errors.ts';
import { askObject, type OrganisationPort, PORT_VERSION } from '../../organisation/api.ts';
import { listDecidableTraces } from '../../storage/postgres/traces.ts';
import { admitReached, refuse } from '../access/account.ts';
import type { OpenOperation } from '../frame.ts';
import type { Operation } from '../operation.ts';
import { flush, type HistoryDeps, writtenBy } from '../traces/history.ts';

type PolicyListQuery = z.output<typeof contract.PolicyListQuery>;
type PolicyQuery = z.output<typeof contract.PolicyQuery>;
type PolicyList = z.output<typeof contract.PolicyList>;
type PolicyResponse = z.output<typeof contract.PolicyResponse>;

/** Documents have up to 256 KB: whoever asks for many of them waits longer than a signup. */
const TIMEOUT_MS = 10_000;

/** The account's policies, and drafts of them. */
export function policyServices(deps: HistoryDeps) {
  const ask = <T>(op: Operation, name: string, call: (stub: OrganisationPort) => Promise<T>): Promise<T> =>
    askObject(deps.objects, op.organisationId, name, call, TIMEOUT_MS);

  return {
    async list(op: OpenOperation, { limit, cursor }: PolicyListQuery): Promise<PolicyList> {
      await admitReached(op);
      const page = { v: PORT_VERSION, limit, before: cursor ?? null } as const;
      const listed = await ask(op, 'listPolicies', (stub) => stub.listPolicies(page));
      if (listed === null) throw new DomainError('invalid_request', '`cursor` is not valid.');
      const { policies, isLast } = listed;
      return { policies: policies.map(policyBody), cursor: isLast ? null : (policies.at(-1)?.slug ?? null) };
    },

    async read(op: Operation, slug: string, { version }: PolicyQuery): Promise<PolicyResponse> {
      await admitReached(op);
      const wanted = { v: PORT_VERSION, slug, version: version ?? null } as const;
      const found = await ask(op, 'readPolicy', (stub) => stub.readPolicy(wanted));
      if (found === null) throw new DomainError('not_found', 'There is no such policy, or no such version of it.');
      return { policy: policyBody(found) };
    },

    /** Saves `json`, any JSON, as the newest version: one of `expected` has to be in force until then. */
    async put(
      op: OpenOperation,
      slug: string,
      json: unknown,
      expected: PolicyChange['expected'],
    ): Promise<PolicyResponse> {
      if (!isPolicySlug(slug))
        return refuse(op, 'A policy’s name in the path is 1 to 64 of a-z, 0-9, `-`, `_`, the first a letter or digit.');
      const parsed = parsePolicy(json, storedTextFault);
      if (!parsed.ok) return refuse(op, faultsMessage(parsed.error));
      const { key } = await admitReached(op);
      const document = JSON.stringify(parsed.value);
      const change = {
        v: PORT_VERSION,
        ...{ operationId: op.traceId, slug, document, expected },
        createdBy: key.userId ?? key.id,
      } as const;
      const answer = await ask(op, 'putPolicy', (stub) => stub.putPolicy(change));
      if (!answer.ok) throw refusalError(answer);
      return { policy: policyBody({ ...answer.saved, document }) };
    },

    /** A draft, any JSON, against the stored traces that the key may read. Calls nobody and meters nothing. */
    async simulate(
      op: OpenOperation,
      slug: string,
      { policy: draft, window_days }: contract.SimulateRequest,
    ): Promise<contract.Simulation> {
      const parsed = parsePolicy(draft, storedTextFault);
      if (!parsed.ok) return refuse(op, faultsMessage(parsed.error, 'policy'));
      const { key } = await admitReached(op, null, slug);
      const keyId = writtenBy(key, undefined);
      const run = openSimulation(compilePolicy(parsed.value), slug);
      await flush(deps, op, null);
      const query = {
        filter: { mode: key.mode, keyId: keyId === 'nobody' ? key.id : keyId },
        fromMs: op.startedAt - window_days * DAY_MS,
        ...{ withDetail: run.readsDetail, limit: PAGE },
      };
      const until = deps.objects.now() + SIMULATED_MS_MAX;
      let before: TraceRecord['id'] | null = null;
      let complete = false;
      for (let left = SIMULATED_MAX; left > 0 && !complete && deps.objects.now() < until; left -= PAGE) {
        const page = await listDecidableTraces(deps.db, op.organisationId, { ...query, before });
        run.add(page);
        before = page.at(-1)?.id ?? null;
        complete = page.length < PAGE;
      }
      return { window_days, complete, ...run.result() };
    },
  };
}

/** Traces a statement, and how many a simulation looks at, the newest: ten seconds' work or so. */
const PAGE = 5_000;
const SIMULATED_MAX = 200_000;
/** A draft may make more work of them than a request has CPU for (30 s): no page is begun after this. */
const SIMULATED_MS_MAX = 15_000;

function refusalError(refused: PolicyRefused): DomainError {
  if (refused.refusal === 'full') {
    const limit = `An account has up to ${POLICIES_MAX} policies`;
    return new DomainError(
      'invalid_request',
      `${limit}, and none goes: save this one under a name that is no longer used.`,
    );
  }
  const { inForce } = refused;
  return new DomainError(
    'version_conflict',
    inForce === null
      ? 'There is no policy of this name: leave out `If-Match` to make it.'
      : `Version ${inForce} is in force: read it, then send \`If-Match: "${inForce}"\` to change that one.`,
  );
}

function policyBody({ slug, version, document, createdAt, createdBy }: PolicyVersion): contract.Policy {
  const { name, rules, default: otherwise, icp } = JSON.parse(document) as ParsedPolicy;
  return {
    ...{ slug, version, name, rules, default: otherwise, icp },
    created_at: epochSeconds(createdAt),
    created_by: createdBy,
  };
}
