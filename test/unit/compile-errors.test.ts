import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** A change that is easily left half done. */
interface Change {
  readonly title: string;
  readonly file: string;
  /** The one place in the file that changes, and what it becomes. */
  readonly from: string;
  readonly to: string;
  /** Text in the compiler's messages: a word of the change, or what a switch lacks. */
  readonly names: string;
  /** Where the compiler must report the missing half. */
  readonly places: readonly string[];
}

const POSTGRES = 'src/storage/postgres';

/** A member that is put first in an interface or a union. */
const added = (
  title: string,
  file: string,
  from: string,
  member: string,
  names: string,
  places: readonly string[],
): Change => ({
  title,
  file,
  from,
  to: `${from} ${member}`,
  names,
  places,
});

/** An optional field: only a mapping of all fields notices it. */
const fieldOf = (record: string, file: string, places: readonly string[]): Change => {
  const names = `addedTo${record}`;
  const from = `export interface ${record} ${record === 'RuleRecord' ? 'extends RuleSubject ' : ''}{`;
  return added(`a field of ${record}`, file, from, `readonly ${names}?: string;`, names, places);
};

const field = (record: string, file: string, schema: string, ...alsoAt: readonly string[]): Change =>
  fieldOf(record, `src/domain/${file}`, [`${POSTGRES}/${schema}`, ...alsoAt]);

const OBJECT_SQL = 'src/organisation/sql';

const CHANGES: readonly Change[] = [
  added(
    'a field of an answer',
    'src/contract/verification.ts',
    'export const Verification = z.object({',
    'addedToAnswer: z.string(),',
    'addedToAnswer',
    ['src/domain/answer/answer-shown.ts'],
  ),
  added(
    'a route',
    'src/contract/routes.ts',
    'export const ROUTES = {',
    "addedRoute: { ...READ, method: 'get', path: '/v1/a', summary: '', response: { status: 200, schema: Identity } },",
    'addedRoute',
    ['src/entrypoints/verbs.ts'],
  ),
  added(
    'a provider',
    'src/domain/belief/provider.ts',
    'export const PROVIDER_IDS = [',
    "'addedProvider',",
    'addedProvider',
    [
      'src/domain/belief/provider-table.ts',
      'src/domain/router/provider-health.ts',
      'src/integrations/providers/providers.ts',
    ],
  ),
  added(
    'an enrichment vendor',
    'src/domain/policy/enrichment.ts',
    'export const ENRICHMENT_VENDOR_IDS = [',
    "'addedVendor',",
    'addedVendor',
    ['src/integrations/enrichment/vendors.ts'],
  ),
  field('TraceRecord', 'traces/traces.ts', 'record-schema.ts'),
  field('ScreeningRecord', 'screening/record.ts', 'record-schema.ts'),
  field('OutcomeRecord', 'feedback/outcomes.ts', 'record-schema.ts'),
  field('EventBatch', 'feedback/outcomes.ts', 'record-schema.ts'),
  field('EventRecord', 'feedback/outcomes.ts', 'record-schema.ts'),
  field('OrganisationSettings', 'metering/organisation-settings.ts', 'directory-schema.ts'),
  field('Limits', 'metering/usage.ts', 'directory-schema.ts'),
  field('ProjectedJob', 'bulk/job-record.ts', 'directory-schema.ts'),
  field('KeyRecord', 'access/keys.ts', 'directory-schema.ts', 'src/organisation/keys.ts'),
  field('PolicyVersion', 'policy/document.ts', 'directory-schema.ts', 'src/organisation/policies.ts'),
  field('RuleRecord', 'rules/rules.ts', 'directory-schema.ts', 'src/organisation/rules.ts'),
  fieldOf('DeadLetter', 'src/organisation/operators-object.ts', ['src/organisation/operators-object.ts']),
  fieldOf('Operation', `${OBJECT_SQL}/operations.ts`, [`${OBJECT_SQL}/operations.ts`]),
  fieldOf('HeldJob', `${OBJECT_SQL}/bulk.ts`, [`${OBJECT_SQL}/bulk.ts`]),
  fieldOf('ResultPart', 'src/domain/bulk/job-record.ts', [`${OBJECT_SQL}/bulk.ts`]),
  fieldOf('ProjectedRules', 'src/domain/rules/rules.ts', [
    'src/organisation/rules.ts',
    'src/storage/postgres/rules.ts',
  ]),
  fieldOf('OutboxRow', 'src/storage/postgres/projection.ts', [`${OBJECT_SQL}/organisation.ts`]),
  fieldOf('AcceptedSource', 'src/domain/lists/review-list.ts', ['src/storage/postgres/nightly-schema.ts']),
  added(
    'a field of KeptCompany',
    'src/storage/domain-facts.ts',
    'const KeptCompany = z.object({',
    'addedToKeptCompany: z.string().optional(),',
    'addedToKeptCompany',
    ['src/storage/domain-facts.ts'],
  ),
  added(
    'a queue message',
    'src/services/queue-message.ts',
    "z.discriminatedUnion('kind', [",
    "z.object({ ...SHARED, kind: z.literal('addedMessage') }),",
    'lacks ending return statement',
    ['src/entrypoints/queue/wake.ts'],
  ),
  added(
    'a kind of outbox row',
    'src/storage/postgres/projection.ts',
    "readonly kind:\n    | 'trace'",
    "| 'addedRow'",
    'addedRow',
    ['src/storage/postgres/projection.ts'],
  ),
];

/** Removes the role from a verb's route: a verb without a route, or with a public one, doesn't compile. */
const UNAUTHORISED: readonly Change[] = [
  {
    title: 'the route of a verb that is taken away',
    file: 'src/services/usage.ts',
    from: '  route: ROUTES.usage,\n',
    to: '',
    names: 'Download',
    places: ['src/services/usage.ts'],
  },
  {
    title: 'an open route in place of a verb’s own',
    file: 'src/services/keys.ts',
    from: 'route: ROUTES.me,',
    to: 'route: ROUTES.health,',
    names: '"public"',
    places: ['src/services/keys.ts'],
  },
  {
    title: 'the call that authorises each verb’s request',
    file: 'src/services/verb.ts',
    from: 'const authorized = await exchange.authorize(rules, options);',
    to: 'const authorized = null as Awaited<ReturnType<typeof exchange.authorize>> | null;',
    names: "'authorized' is possibly 'null'",
    places: ['src/services/verb.ts'],
  },
];

/** Lines of a file in `src/services/`. */
interface Written {
  readonly title: string;
  readonly lines: string;
  /** The compiler's only complaint; null if it compiles. */
  readonly says: string | null;
}

const lacks = (name: string): string => `Property '${name}' does not exist on type`;

/** A verb with one function that uses a part of the dependencies. */
const reaching = (at: string, name: string, says: string | null, route = 'usage'): Written => ({
  title: `${at} of ${route} takes ${name}`,
  lines: `export const made = ${at === 'answer' ? 'openVerb' : 'verb'}({
    route: ROUTES.${route},
    ${REACHES[at]?.(name) ?? ''}
    ${at === 'run' || at === 'answer' ? '' : 'run: async () => never(),'}
  });`,
  says,
});

const REACHES: Readonly<Record<string, (name: string) => string>> = {
  parse: (name) => `parse: (_input, _caller, deps) => deps.${name},`,
  lookup: (name) => `lookup: (_parsed, _caller, deps) => never(deps.${name}),`,
  begin: (name) => `begin: async (_parsed, _caller, deps) => deps.${name},`,
  run: (name) => `run: async ({ deps }) => never(deps.${name}),`,
  answer: (name) => `answer: async (deps) => never(deps.${name}),`,
};

/** What needs permission, or costs money: parse, lookup and begin come before both. */
const NEEDS_PERMISSION = ['db', 'objects', 'blobs', 'kv', 'domainFacts', 'providers', 'policies'];

const SECRETS = [
  'keySecrets',
  'serviceSecret',
  'sealKeys',
  'connectionIdKey',
  'connections',
  'hashReference',
  'readKey',
];

const REFUSED: readonly Written[] = [
  ...['parse', 'lookup'].flatMap((at) =>
    [...NEEDS_PERMISSION, ...SECRETS].map((name) => reaching(at, name, lacks(name))),
  ),
  ...SECRETS.map((name) => reaching('run', name, lacks(name))),
  reaching('run', 'sealKeys', lacks('sealKeys'), 'createKey'),
  reaching('run', 'keySecrets', lacks('keySecrets'), 'createConnection'),
  reaching('run', 'keySecrets', lacks('keySecrets'), 'listOrganisations'),
  ...['db', 'objects', 'serviceSecret'].map((name) => reaching('answer', name, lacks(name), 'health')),
  ...['blobs', 'keySecrets'].map((name) => reaching('answer', name, lacks(name), 'stripeWebhook')),
  ...['blobs', 'kv', 'sealKeys'].map((name) => reaching('answer', name, lacks(name), 'bootstrap')),
  {
    title: 'a route that takes a key is served without one',
    lines: 'export const made = openVerb({ route: ROUTES.usage, answer: async () => never() });',
    says: '"viewer"',
  },
  {
    title: 'an authorization is made by hand',
    lines: 'export const forged: Authorization = { reached: false, rules: NO_RULES };',
    says: "'granted' is missing",
  },
  {
    title: 'an authorization is changed',
    lines: 'export const raised = (of: Authorized): Authorized => ({ ...of, key: { ...of.key, operator: true } });',
    says: "'granted' is missing",
  },
  {
    title: 'a verb’s context is made of another',
    lines: "export const moved = (of: Context): Context => ({ ...of, organisationId: 'org_other' });",
    says: "'kind' is missing",
  },
  {
    title: 'a verb is run past the frame',
    lines: 'export const ran = (context: Context) => readUsage.run(context, never(), undefined);',
    says: lacks('run'),
  },
  {
    title: 'a verb is prepared with an exchange that authorizes by itself',
    lines: `export const ran = (exchange: Exchange, deps: ServiceDeps) =>
      readUsage.prepare(never(), { ...exchange, authorize: async () => ({ reached: false, rules: NO_RULES }) }, deps);`,
    says: "'granted' is missing",
  },
  {
    title: 'a verb is made by hand',
    lines: 'export const made: AnyVerb = { route: ROUTES.usage, prepare: () => async () => ({}) };',
    says: "'kind' is missing",
  },
  {
    title: 'a verb that is not metered takes a request that the object has not authorized',
    lines: `export const made = verb({ route: ROUTES.usage, run: onlyUnreached });
      async function onlyUnreached(_context: Context<Unreached>) { return never(); }`,
    says: "'false'",
  },
  {
    title: 'a metered verb takes the key of a request that the object may not have authorized',
    lines: `export const made = meteredVerb({ route: ROUTES.check, parse: () => null, serve });
      async function serve(request: Exchange) { return never((await request.authorize(null)).key); }`,
    says: lacks('key'),
  },
];

/** The same code with permitted dependencies: the errors above are about the dependency, not the form. */
const ACCEPTED: readonly Written[] = [
  reaching('parse', 'hashAddress', null),
  ...NEEDS_PERMISSION.map((name) => reaching('run', name, null)),
  reaching('run', 'keySecrets', null, 'createKey'),
  reaching('run', 'sealKeys', null, 'createConnection'),
  reaching('answer', 'readHealth', null, 'health'),
  reaching('answer', 'sealKeys', null, 'stripeWebhook'),
  reaching('answer', 'serviceSecret', null, 'bootstrap'),
];

const WRITTEN = [...REFUSED, ...ACCEPTED].map((each, number) => ({
  ...each,
  file: `src/services/written-${number}.ts`,
}));

/** Imports for the lines above. */
const HEAD = `
import { ROUTES } from '../../src/contract/routes.ts';
import { NO_RULES } from '../../src/domain/rules/rules.ts';
import type { Authorization, Authorized, Unreached } from '../../src/services/authorization.ts';
import type { ServiceDeps } from '../../src/services/deps.ts';
import { readUsage } from '../../src/services/usage.ts';
import { type AnyVerb, type Context, meteredVerb, openVerb, verb } from '../../src/services/verb.ts';
import { type Exchange } from './verb.ts';

export type Named = [Authorization, Authorized, Unreached, ServiceDeps, AnyVerb, Context, Exchange];
export const named = [ROUTES, NO_RULES, readUsage, meteredVerb, openVerb, verb];
export function never(..._seen: unknown[]): never {
  throw new Error('not run');
}
`;

const folders: string[] = [];

/** The errors of the source with all of these changes, by file. */
async function compile(changes: readonly Change[], files: typeof WRITTEN): Promise<(place: string) => string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'compile-errors-'));
  folders.push(folder);
  cpSync(join(ROOT, 'src'), join(folder, 'src'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const tsconfig = { extends: join(ROOT, 'tsconfig.json'), include: ['src'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  for (const { file, from, to } of changes) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    expect(text.split(from), `${from} in ${file}`).toHaveLength(2);
    writeFileSync(path, text.replace(from, to));
  }
  for (const { file, lines } of files) writeFileSync(join(folder, file), `${HEAD}${lines}\n`);
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const output = await promisify(execFile)(tsc, ['--noEmit', '--pretty', 'false'], { cwd: folder }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
  const errors = output.split(/\n(?=\S)/);
  return (place) => errors.filter((error) => error.startsWith(`${place}(`));
}

let ofChanges: Awaited<ReturnType<typeof compile>>;
let ofVerbs: typeof ofChanges;

/** Applies all changes at once; each is recognised by its word. Verbs are separate: a wrong verb hides a missing one. */
beforeAll(async () => {
  [ofChanges, ofVerbs] = await Promise.all([compile(CHANGES, []), compile(UNAUTHORISED, WRITTEN)]);
}, 240_000);

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

describe('half a change does not compile', () => {
  it.each(CHANGES)('$title: the compiler asks for the rest', ({ names, places }) => {
    for (const place of places) expect(ofChanges(place), place).toContainEqual(expect.stringContaining(names));
  });
});

describe('a use case', () => {
  it.each(UNAUTHORISED)('does not compile without its authorisation: $title', ({ names, places }) => {
    for (const place of places) expect(ofVerbs(place), place).toContainEqual(expect.stringContaining(names));
  });

  it.each(WRITTEN.filter(({ says }) => says !== null))('does not compile where $title', ({ file, says }) => {
    expect(ofVerbs(file)).toEqual([expect.stringContaining(says ?? '')]);
  });

  it.each(WRITTEN.filter(({ says }) => says === null))('compiles where $title', ({ file }) => {
    expect(ofVerbs(file)).toEqual([]);
  });
});
