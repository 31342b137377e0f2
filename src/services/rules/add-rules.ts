import { ROUTES } from '../../contract/routes.ts';
import type { AddAddresses, AddDomains, RulesAdded } from '../../contract/rules.ts';
import type { Batch } from '../../domain/rules/entries.ts';
import { RULES_MAX, type Rule, type RuleKind, type RuleSubject, type RulesFull } from '../../domain/rules/types.ts';
import { DomainError } from '../../kernel/errors.ts';
import { PORT_VERSION } from '../../organisation/api.ts';
import { type Context, verb } from '../verb.ts';
import { askRules, type ListName } from './ask-rules.ts';
import { readAddresses, readDomains } from './rule-subjects.ts';

/** One use case at four routes: an entry that comes to one list leaves the other of its kind. */
export const blockDomains = verb({ route: ROUTES.blockDomains, run: addDomains('block') });
export const allowDomains = verb({ route: ROUTES.allowDomains, run: addDomains('allow') });
export const blockAddresses = verb({ route: ROUTES.blockAddresses, run: addAddresses('block') });
export const allowAddresses = verb({ route: ROUTES.allowAddresses, run: addAddresses('allow') });

function addDomains(rule: Rule) {
  return (context: Context, { body: { domains, note } }: { readonly body: AddDomains }) =>
    addRules(context, { kind: 'domain', rule }, readDomains(domains), note);
}

function addAddresses(rule: Rule) {
  return async (context: Context, { body }: { readonly body: AddAddresses }) =>
    addRules(context, { kind: 'address', rule }, await readAddresses(context, body), body.note);
}

/** Adds all entries or, over the cap, none. */
export async function addRules(
  context: Context,
  list: ListName,
  { found, rejected }: Batch<RuleSubject>,
  note: string | undefined,
): Promise<RulesAdded> {
  const { userId, id } = context.admitted.key;
  const change = {
    v: PORT_VERSION,
    operationId: context.traceId,
    ...list,
    subjects: [...found.values()],
    note: note?.trim() ?? null,
    createdBy: userId ?? id,
  } as const;
  const answer = await askRules(context, 'addRules', (stub) => stub.addRules(change));
  if (!answer.ok) throw fullError(list.kind, answer);
  const { added, moved, unchanged, total } = answer;
  return { rule: list.rule, added, moved, unchanged, total, rejected: [...rejected] };
}

const fullError = (kind: RuleKind, { held, added }: RulesFull): DomainError =>
  new DomainError(
    'invalid_request',
    `An account has up to ${RULES_MAX} ${kind} rules, both lists together. It has ${held}, and ${added} of these are new: none was added.`,
  );
