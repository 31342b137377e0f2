import type { RulesAdded } from '../../contract/rules.ts';
import type { Batch } from '../../domain/rules/entries.ts';
import { RULES_MAX, type RuleKind, type RuleSubject, type RulesFull } from '../../domain/rules/types.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { askObject } from '../../organisation/api.ts';
import type { Context } from '../verb.ts';
import type { ListName } from './list-name.ts';

/** Adds all entries or, over the cap, none. `jobId`: the job whose file they come from. */
export async function addEntries(
  context: Context,
  list: ListName,
  { found, rejected }: Batch<RuleSubject>,
  note: string | undefined,
  jobId?: Id<'bj'>,
): Promise<RulesAdded> {
  const { deps, organisationId, traceId, admitted } = context;
  const answer = await askObject(deps.objects, organisationId).addRules({
    operationId: traceId,
    ...list,
    subjects: [...found.values()],
    note: note?.trim() ?? null,
    createdBy: admitted.key.userId ?? admitted.key.id,
    ...(jobId && { jobId }),
  });
  if (!answer.ok) throw fullError(list.kind, answer);
  const { added, moved, unchanged, total } = answer;
  return { rule: list.rule, added, moved, unchanged, total, rejected: [...rejected] };
}

const fullError = (kind: RuleKind, { held, added }: RulesFull): DomainError =>
  new DomainError(
    'invalid_request',
    `An account has up to ${RULES_MAX} ${kind} rules, both lists together. It has ${held}, and ${added} of these are new: none was added.`,
  );
