import type { KnownAnswer, Observation } from '../../domain/belief/facts.ts';
import { isProvider } from '../../domain/belief/provider.ts';
import { proofOf } from '../../domain/feedback/proofs.ts';
import type { Id } from '../../kernel/ids.ts';
import type { RememberedTrace } from '../../storage/postgres/history.ts';
import type { HashDeps } from '../verification/observe.ts';
import { contextOfTrace } from './traced-address.ts';

/** What a trace says of its address, and what was reported of it: each piece by itself, as it once came. */
export function learntOfTrace(deps: HashDeps, organisationId: Id<'org'>, trace: RememberedTrace): Observation[] {
  const traced = contextOfTrace(deps, organisationId, trace);
  if (traced === null) return [];
  const { context } = traced;
  const nothing: Observation = { context, answers: [], report: null, proof: null };
  const answers = (trace.learnt?.answers ?? []).filter((said): said is KnownAnswer => isProvider(said.provider));
  const proofs = trace.events.flatMap(({ event, at }) => {
    const kind = proofOf(event);
    return kind === null ? [] : [{ class: kind, at }];
  });
  return [
    ...(answers.length === 0 ? [] : [{ ...nothing, answers }]),
    ...trace.reports.map((report) => ({ ...nothing, report })),
    ...proofs.map((proof) => ({ ...nothing, proof })),
  ];
}
