import { newId, parseId } from '../../kernel/ids.ts';
import type { Deps } from '../deps.ts';
import type { JoiningPerson } from '../people/accept-invitation.ts';
import { waitForDirectory } from '../people/in-directory.ts';
import { insertOrganisation } from './organisations.ts';

/** An organisation that a person makes, who is its admin. Providers and enrichment cost nothing there until an operator grants a budget. */
export async function createOrganisationFor(
  deps: Pick<Deps, 'db' | 'objects' | 'now'>,
  { id: text, email, name }: JoiningPerson,
  organisationName: string,
): Promise<{ readonly id: string }> {
  const userId = parseId('u', text);
  if (userId === null) throw new Error('the person has no id');
  const named = organisationName.trim().slice(0, 200);
  const limits = { enrichment_budget_usd: 0, provider_budget_usd: 0 };
  const admin = { userId, email, name, role: 'admin', createdAt: deps.now(), createdBy: userId } as const;
  const body = { ...limits, ...(named !== '' && { name: named }) };
  const { id } = await insertOrganisation(deps, newId('org', deps.now()), body, admin);
  await waitForDirectory(deps.db, userId, id);
  return { id };
}
