import type { Rule, RuleKind } from '../../domain/rules/types.ts';
import { askObject, type OrganisationPort } from '../../organisation/api.ts';
import type { Context } from '../verb.ts';

/** One of the account's four lists. */
export interface ListName {
  readonly kind: RuleKind;
  readonly rule: Rule;
}

/** A change has up to a thousand entries and may queue behind others of the account: its sender waits longer than a signup. */
const TIMEOUT_MS = 10_000;

export const askRules = <T>(
  { deps, organisationId }: Context,
  name: string,
  call: (stub: OrganisationPort) => Promise<T>,
): Promise<T> => askObject(deps.objects, organisationId, name, call, TIMEOUT_MS);
