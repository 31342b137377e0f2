import type { Word } from './bodies.ts';
import type { Mode } from './modes.ts';
import type { Dependency } from './world.ts';

/**
 * `healthy`: the status without a fault. `away`: 503 `dependency_unavailable` with `Retry-After`. `busy`: 429 with
 * `Retry-After`. `cut`: a file that breaks off. `refused`: 400, 401, 404 or 409, as the caller’s own fault.
 */
export type Outcome = 'healthy' | 'away' | 'busy' | 'cut' | 'refused';

/** The cases that a row covers. */
interface Fitting {
  readonly of: readonly Dependency[] | 'any';
  readonly modes: readonly Mode[] | 'any';
  /** By the ids of the entries. */
  readonly routes: readonly string[] | 'any';
}
interface Row extends Fitting {
  readonly outcomes: readonly Outcome[];
  readonly reason: string;
}

/** Calls made during a signup, by a key or an agent’s tool. */
const JUDGING = ['verify', 'tool verify_email: verify'];
const DECIDING = ['decide', 'tool decide_signup: decide'];
const SCREENING = ['screen', 'tool screen_contact: screen'];
const CHECKING = ['check', 'tool check_email: check'];
const FAMILY = [...JUDGING, ...DECIDING, ...SCREENING, ...CHECKING];

const SIGNED_IN = [
  'GET /auth/me',
  'GET /auth/operations',
  'GET /auth/sessions',
  'POST /auth/sessions/end',
  'GET /auth/passkey/list-user-passkeys',
  'POST /auth/organisations',
  'POST /auth/invitations/accept',
  'GET /api/:organisation/v1/me',
  'GET /api/:organisation/v1/usage',
  'GET /api/:organisation/v1/traces',
].map((call) => `dashboard ${call}`);

const SINGLE = ['zerobounce', 'neverbounce', 'kickbox', 'emailable', 'bouncer', 'hunter', 'reacher'] as const;
const STAND_INS = [...SINGLE, 'Workers AI', 'People Data Labs', 'second list source'] as const;

/** Allowed outcomes of a request; the first matching row counts. */
export const EXPECTED: readonly Row[] = [
  {
    of: ['object'],
    modes: ['overloaded'],
    routes: FAMILY,
    outcomes: ['healthy', 'busy'],
    reason: 'an object that turns calls away is the caller’s own rate',
  },
  {
    of: ['object'],
    modes: 'any',
    routes: FAMILY,
    outcomes: ['healthy'],
    reason: 'a key’s own MAC authorizes a signup while its object is out of reach',
  },
  {
    of: 'any',
    modes: 'any',
    routes: ['dashboard GET /', 'dashboard GET /health'],
    outcomes: ['healthy'],
    reason: 'a page is a file',
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
      ...STAND_INS,
    ],
    modes: 'any',
    routes: FAMILY,
    outcomes: ['healthy'],
    reason: 'a signup is answered, degraded at the worst',
  },
  {
    of: ['Postgres'],
    modes: ['of another question'],
    routes: SIGNED_IN,
    outcomes: ['healthy', 'away', 'refused'],
    reason: 'rows of another statement say of no session that it is one',
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
      ...STAND_INS,
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

interface WordRow extends Fitting {
  readonly words: readonly Word[];
  readonly reason: string;
}

/** Allowed bodies of an answer with the healthy status; the first matching row counts. */
export const WORDS_EXPECTED: readonly WordRow[] = [
  {
    of: ['KV', ...SINGLE],
    modes: ['slow', 'hanging'],
    routes: DECIDING,
    words: ['same', 'limited'],
    reason: 'within the ceiling of its time a decision does without a company, and says what limits it',
  },
  {
    of: ['object'],
    modes: ['overloaded', 'slow', 'reset'],
    routes: DECIDING,
    words: ['same', 'degraded', 'local', 'no company', 'limited'],
    reason: 'no paid call that the object has not let through',
  },
  {
    of: SINGLE,
    modes: 'any',
    routes: [...JUDGING, ...DECIDING],
    words: ['same'],
    reason: 'another provider is asked in its place, and what it says is evidence',
  },
  {
    of: ['providers'],
    modes: ['slow', 'of another question'],
    routes: [...JUDGING, ...DECIDING],
    words: ['same', 'degraded', 'limited'],
    reason: 'it may come in time, or leave none for a company; not every vendor repeats the address',
  },
  {
    of: ['providers'],
    modes: 'any',
    routes: [...JUDGING, ...DECIDING],
    words: ['degraded'],
    reason: 'every provider failed: the prior, `unknown`, `degraded`',
  },
  {
    of: ['DNS'],
    modes: ['slow'],
    routes: FAMILY,
    words: ['same', 'unresolved', 'limited'],
    reason: 'it may come in time, or leave none for a company',
  },
  {
    of: ['DNS'],
    modes: 'any',
    routes: FAMILY,
    words: ['unresolved'],
    reason: '`mx_unresolved`, which never makes an address worse than its prior',
  },
  {
    of: ['model', 'Workers AI'],
    modes: ['slow'],
    routes: SCREENING,
    words: ['same', 'degraded'],
    reason: 'it may come in time',
  },
  {
    of: ['model'],
    modes: ['of another question'],
    routes: SCREENING,
    words: ['same', 'degraded'],
    reason: 'labels name no question',
  },
  {
    of: ['model', 'Workers AI'],
    modes: 'any',
    routes: SCREENING,
    words: ['degraded'],
    reason: 'its labels are `not_checked`; the code checks still answer',
  },
  {
    of: ['enrichment', 'People Data Labs'],
    modes: ['slow', 'of another question'],
    routes: DECIDING,
    words: ['same', 'no company'],
    reason: 'it may come in time; one company’s answer names its own domain alone',
  },
  {
    of: ['enrichment', 'People Data Labs'],
    modes: 'any',
    routes: DECIDING,
    words: ['no company'],
    reason: 'a failure leaves the values missing and `enrichment.degraded` true; a missing value matches no rule',
  },
  {
    of: ['object'],
    modes: ['down', 'hanging'],
    routes: [...JUDGING, ...DECIDING],
    words: ['degraded'],
    reason: 'a call that could not be authorized counts as a failed provider call',
  },
  {
    of: ['object'],
    modes: ['down', 'hanging', 'overloaded', 'slow', 'reset'],
    routes: [...JUDGING, ...DECIDING, ...SCREENING],
    words: ['same', 'degraded', 'local'],
    reason: 'without a paid call where it is not authorized',
  },
  {
    of: ['list sources'],
    modes: ['truncated', 'of another question'],
    routes: ['acceptSource'],
    words: ['same', 'partly refused', 'all refused'],
    reason: 'half a list is a list; the review stands against it',
  },
  {
    of: ['list sources'],
    modes: ['slow'],
    routes: ['acceptSource'],
    words: ['same'],
    reason: 'an operator can wait',
  },
  {
    of: ['list sources'],
    modes: 'any',
    routes: ['acceptSource'],
    words: ['all refused'],
    reason: 'a source that can’t be read counts with its last domains',
  },
  {
    of: ['second list source'],
    modes: ['slow'],
    routes: ['acceptSource'],
    words: ['same'],
    reason: 'an operator can wait',
  },
  {
    of: ['second list source'],
    modes: ['truncated', 'of another question'],
    routes: ['acceptSource'],
    words: ['same', 'partly refused'],
    reason: 'half a list is a list; the review stands against it',
  },
  {
    of: ['second list source'],
    modes: 'any',
    routes: ['acceptSource'],
    words: ['partly refused'],
    reason: 'the other source is taken all the same',
  },
  {
    of: ['Postgres', 'KV', 'R2', 'object'],
    modes: 'any',
    routes: ['forget'],
    words: ['same', 'not everywhere'],
    reason: '`pending` and `incomplete` name the organisations whose data is still to go',
  },
  {
    of: ['Postgres', 'object'],
    modes: 'any',
    routes: ['status'],
    words: ['same', 'partly unread'],
    reason: '`unread` says what is missing below',
  },
  { of: 'any', modes: 'any', routes: 'any', words: ['same'], reason: 'nothing of it is in the answer' },
];

/** The longest answers, in ms: each wait that a request may meet has an end of its own. */
const LIMITS: readonly {
  readonly routes: readonly string[] | 'any';
  readonly ms: number;
  readonly reason: string;
}[] = [
  {
    routes: [...JUDGING, ...CHECKING],
    ms: 8_000,
    reason: '3.5 s to find out, and the object’s calls before and after, 2 s each',
  },
  {
    routes: ['deleteOrganisation', 'deleteOwnOrganisation'],
    ms: 90_000,
    reason: 'one table after the other: some forty statements, each of which may be slow',
  },
  {
    routes: SIGNED_IN.filter((route) => route.includes('/api/')),
    ms: 95_000,
    reason: 'the dashboard waits 90 s for the API, whose own waits end well before',
  },
  { routes: 'any', ms: 45_000, reason: 'operators wait 20 s for an object' },
];

function fitting<R extends Fitting>(rows: readonly R[], dependency: Dependency, mode: Mode, route: string): R {
  const fits = <T>(all: readonly T[] | 'any', one: T): boolean => all === 'any' || all.includes(one);
  const row = rows.find(({ of, modes, routes }) => fits(of, dependency) && fits(modes, mode) && fits(routes, route));
  if (row === undefined) throw new Error('the last row fits all');
  return row;
}
export const expectedOf = (dependency: Dependency, mode: Mode, route: string): readonly Outcome[] =>
  fitting(EXPECTED, dependency, mode, route).outcomes;
export const wordsOf = (dependency: Dependency, mode: Mode, route: string): readonly Word[] =>
  fitting(WORDS_EXPECTED, dependency, mode, route).words;
export const limitOf = (route: string): number =>
  LIMITS.find(({ routes }) => routes === 'any' || routes.includes(route))?.ms ?? 0;
