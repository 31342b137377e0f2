import type { OrganisationSettings } from '../domain/metering/organisation-settings.ts';
import { failedDependency } from '../kernel/errors.ts';
import { type Id, idFromBytes } from '../kernel/ids.ts';
import { askOperators, type DeadLetter, type ObjectDeps, type OperatorsDeps } from '../organisation/api.ts';
import type { Database } from '../storage/postgres/client.ts';
import { listOrganisations } from '../storage/postgres/organisations.ts';
import type { BackgroundDeps } from './deps.ts';
import { pageOf } from './request-values.ts';

/** The organisation that operator keys belong to. Its id is fixed, so that a second bootstrap finds it again. */
export const OPERATORS_ID: Id<'org'> = idFromBytes('org', new Uint8Array(16));

export type OperationsDeps = ObjectDeps & OperatorsDeps;

const PAGE = 100;

/** Every organisation of the directory, page by page, newest first. */
export async function* allOrganisations(db: Database): AsyncGenerator<OrganisationSettings[]> {
  let before: Id<'org'> | null = null;
  for (;;) {
    const page: OrganisationSettings[] = await listOrganisations(db, PAGE, before);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    before = page.at(-1)?.id ?? null;
  }
}

export interface PageOfOrganisations {
  /** The page starts after it; null means with the newest. */
  readonly before: Id<'org'> | null;
  readonly limit: number;
}

interface KnownOrganisations {
  readonly ids: readonly Id<'org'>[];
  /** The next page starts after it; null for the last. */
  readonly cursor: string | null;
  /** False: Postgres is away, and these are the operators' object's. */
  readonly fromDirectory: boolean;
}

/** Directory and operators' object have one order: a cursor stays valid when Postgres goes or comes back. */
export async function knownOrganisations(
  db: Database,
  objects: OperationsDeps,
  { before, limit }: PageOfOrganisations,
): Promise<KnownOrganisations> {
  const page = (fromDirectory: boolean, listed: readonly Id<'org'>[]) => {
    const { shown, cursor } = pageOf(listed, limit, (id) => id);
    return { ids: shown, cursor, fromDirectory };
  };
  try {
    const ids = (await listOrganisations(db, limit + 1, before)).map(({ id }) => id);
    return page(true, ids);
  } catch (error) {
    if (failedDependency(error) !== 'postgres') throw error;
    const noted = await askOperators(objects).listOrganisations();
    return page(false, before === null ? noted : noted.filter((id) => id < before));
  }
}

/** Stores messages that a queue gave up on, for `status`. Idempotent. */
export const recordDeadLetters = ({ objects }: BackgroundDeps, letters: readonly DeadLetter[]): Promise<void> =>
  askOperators(objects).addDeadLetters(letters);
