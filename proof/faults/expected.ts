import type { Mode } from './modes.ts';
import type { Dependency } from './world.ts';

/**
 * `healthy`: the status of an answer without a fault. `away`: 503 `dependency_unavailable` with `Retry-After`. `busy`: 429 with
 * `Retry-After`. `cut`: a file that breaks off. `refused`: 400, 401
 * or 409, told as the caller’s own.
 */
export type Outcome = 'healthy' | 'away' | 'busy' | 'cut' | 'refused';

interface Row {
  readonly of: readonly Dependency[] | 'any';
  readonly modes: readonly Mode[] | 'any';
  /** By the names of the routes. */
  readonly routes: readonly string[] | 'any';
  readonly outcomes: readonly Outcome[];
  readonly reason: string;
}

/** What may become of a request; the first row that fits counts. */
export const EXPECTED: readonly Row[] = [
  {
    of: ['object'],
    modes: ['overloaded'],
    routes: ['verify', 'check', 'decide', 'screen'],
    outcomes: ['healthy', 'busy'],
    reason: 'an object that turns calls away is the caller’s own rate',
  },
  {
    of: [
      'DNS',
      'providers',
      'model',
      'enrichment',
      'KV',
      'Postgres',
      'mail',
      'queue of timers',
      'queue of jobs',
      'queue of nights',
    ],
    modes: 'any',
    routes: ['verify', 'check', 'decide', 'screen'],
    outcomes: ['healthy'],
    reason: 'a signup is answered, degraded at the worst',
  },
  {
    of: ['R2'],
    modes: ['garbage', 'of another question'],
    routes: ['changeBulkJob'],
    outcomes: ['healthy', 'away', 'refused'],
    reason: 'a file of other bytes is read as that file; the bucket’s own checksums stand against it',
  },
  {
    of: ['object'],
    modes: ['slow'],
    routes: ['cancelBulkJob'],
    outcomes: ['healthy', 'away', 'refused'],
    reason: 'the job may end meanwhile',
  },
  {
    of: ['Amazon'],
    modes: ['of another question'],
    routes: ['sesWebhook'],
    outcomes: ['healthy', 'away', 'refused'],
    reason: 'by another certificate the signature is wrong',
  },
  {
    of: ['R2'],
    modes: 'any',
    routes: ['bulkResults'],
    outcomes: ['healthy', 'away', 'cut'],
    reason: 'a file that has begun can only break off',
  },
  {
    of: [
      'KV',
      'queue of timers',
      'queue of jobs',
      'queue of nights',
      'mail',
      'model',
      'enrichment',
      'providers',
      'DNS',
    ],
    modes: 'any',
    routes: 'any',
    outcomes: ['healthy', 'away'],
    reason: 'what is only quicker or better with it goes on without it',
  },
  {
    of: ['object'],
    modes: ['overloaded'],
    routes: 'any',
    outcomes: ['healthy', 'busy', 'away'],
    reason: 'an object that turns calls away is the caller’s own rate',
  },
  { of: 'any', modes: 'any', routes: 'any', outcomes: ['healthy', 'away'], reason: 'an outage, told as one' },
];

/** The longest answers, in ms: each wait that a request may meet has an end of its own. */
const LIMITS: readonly {
  readonly routes: readonly string[] | 'any';
  readonly ms: number;
  readonly reason: string;
}[] = [
  {
    routes: ['verify', 'check'],
    ms: 8_000,
    reason: '3.5 s to find out, and the object’s calls before and after, 2 s each',
  },
  {
    routes: ['deleteOrganisation', 'deleteOwnOrganisation'],
    ms: 90_000,
    reason: 'one table after the other: some forty statements, each of which may be slow',
  },
  { routes: 'any', ms: 45_000, reason: 'operators wait 20 s for an object' },
];

export function expectedOf(dependency: Dependency, mode: Mode, route: string): readonly Outcome[] {
  const fits = <T>(all: readonly T[] | 'any', one: T): boolean => all === 'any' || all.includes(one);
  return (
    EXPECTED.find((row) => fits(row.of, dependency) && fits(row.modes, mode) && fits(row.routes, route))?.outcomes ?? []
  );
}
export const limitOf = (route: string): number =>
  LIMITS.find(({ routes }) => routes === 'any' || routes.includes(route))?.ms ?? 0;
