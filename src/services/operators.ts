import type { OrganisationSettings } from '../domain/metering/organisation-settings.ts';
import { failedDependency } from '../kernel/errors.ts';
import { type Id, idFromBytes } from '../kernel/ids.ts';
import {
  askObject,
  type DeadLetter,
  type ObjectDeps,
  type OperatorsPort,
  type OrganisationStub,
} from '../organisation/api.ts';
import type { Database } from '../storage/postgres/client.ts';
import { listOrganisations } from '../storage/postgres/organisations.ts';
import type { BackgroundDeps } from './deps.ts';

/**
 * The organisation that operator keys belong to. Its id is fixed, so that a second bootstrap finds it again. Its object keeps
 * what has to be known of the whole service without Postgres.
 */
export const OPERATORS_ID: Id<'org'> = idFromBytes('org', new Uint8Array(16));

export type OperationsDeps = ObjectDeps<OrganisationStub & OperatorsPort>;

/** Organisations a statement. */
const PAGE = 100;

/** Every organisation of the directory older than `after`, page by page, newest first. */
export async function* allOrganisations(
  db: Database,
  after: Id<'org'> | null = null,
): AsyncGenerator<OrganisationSettings[]> {
  let before = after;
  for (;;) {
    const page: OrganisationSettings[] = await listOrganisations(db, PAGE, before);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    before = page.at(-1)?.id ?? null;
  }
}

export interface PageOfOrganisations {
  /** The page begins behind it; null: with the newest. */
  readonly before: Id<'org'> | null;
  readonly limit: number;
}

interface KnownOrganisations {
  /** Newest first. */
  readonly ids: readonly Id<'org'>[];
  /** The next page begins behind it; null: this was the last. */
  readonly cursor: Id<'org'> | null;
  /** False: Postgres is away, and these are the ones that the operators' object has noted. */
  readonly fromDirectory: boolean;
}

/** Directory and operators' object have one order: a cursor stays good when Postgres goes or comes back. */
export async function knownOrganisations(
  db: Database,
  objects: OperationsDeps,
  { before, limit }: PageOfOrganisations,
): Promise<KnownOrganisations> {
  const page = (ids: readonly Id<'org'>[]) => ({
    ids: ids.slice(0, limit),
    cursor: ids.length > limit ? (ids[limit - 1] ?? null) : null,
  });
  try {
    const ids: Id<'org'>[] = [];
    for await (const listed of allOrganisations(db, before)) {
      ids.push(...listed.map(({ id }) => id));
      if (ids.length > limit) break;
    }
    return { ...page(ids), fromDirectory: true };
  } catch (error) {
    if (failedDependency(error) !== 'postgres') throw error;
    const noted = await askObject(objects, OPERATORS_ID).listOrganisations();
    return { ...page(noted.filter((id) => before === null || id < before)), fromDirectory: false };
  }
}

/** Keeps messages that a queue gave up on, for `status`. A letter recorded twice stays one. */
export const recordDeadLetters = ({ objects }: BackgroundDeps, letters: readonly DeadLetter[]): Promise<void> =>
  askObject(objects, OPERATORS_ID).addDeadLetters(letters);
