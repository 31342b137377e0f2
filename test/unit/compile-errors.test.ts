import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** A change of which half is easily forgotten. */
interface Change {
  readonly title: string;
  readonly file: string;
  /** The one place in the file that changes, and what it becomes. */
  readonly from: string;
  readonly to: string;
  /** A word of the change that the compiler's messages name. */
  readonly names: string;
  /** Where the compiler has to ask for the other half. */
  readonly places: readonly string[];
}

const SCHEMA = 'src/storage/postgres/schema.ts';

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
const field = (record: string, file: string, ...alsoAt: readonly string[]): Change => {
  const names = `addedTo${record}`;
  const from = `export interface ${record} ${record === 'RuleRecord' ? 'extends RuleSubject ' : ''}{`;
  return added(`a field of ${record}`, `src/domain/${file}`, from, `readonly ${names}?: string;`, names, [
    SCHEMA,
    ...alsoAt,
  ]);
};

const OBJECT_SQL = 'src/organisation/sql';

const CHANGES: readonly Change[] = [
  added(
    'a field of an answer',
    'src/contract/verification.ts',
    'export const Verification = z.object({',
    'addedToAnswer: z.string(),',
    'addedToAnswer',
    ['src/services/verification/assess.ts'],
  ),
  added(
    'a route',
    'src/contract/routes.ts',
    'export const ROUTES = {',
    "addedRoute: { ...READ, method: 'get', path: '/v1/a', summary: '', response: { status: 200, schema: Health } },",
    'addedRoute',
    ['src/entrypoints/verbs.ts'],
  ),
  added(
    'a provider',
    'src/domain/verification/provider.ts',
    'export const PROVIDER_IDS = [',
    "'addedProvider',",
    'addedProvider',
    [
      'src/domain/verification/provider-table.ts',
      'src/domain/verification/provider-terms.ts',
      'src/integrations/providers/providers.ts',
    ],
  ),
  added(
    'an enrichment vendor',
    'src/domain/policy/enrichment/vendor.ts',
    'export const ENRICHMENT_VENDOR_IDS = [',
    "'addedVendor',",
    'addedVendor',
    ['src/integrations/enrichment/vendors.ts'],
  ),
  field('TraceRecord', 'traces/record.ts'),
  field('ScreeningRecord', 'screening/record.ts'),
  field('OutcomeRecord', 'feedback/outcomes.ts'),
  field('EventBatch', 'feedback/events.ts'),
  field('EventRecord', 'feedback/events.ts'),
  field('OrganisationSettings', 'metering/organisation-settings.ts'),
  field('Limits', 'metering/usage.ts'),
  field('ProjectedJob', 'bulk/job-record.ts'),
  field('KeyRecord', 'access/key-record.ts', `${OBJECT_SQL}/access.ts`),
  field('PolicyVersion', 'policy/policy-records.ts', `${OBJECT_SQL}/policy.ts`),
  field('RuleRecord', 'rules/types.ts', `${OBJECT_SQL}/rules.ts`),
  added(
    'a field of DeadLetter',
    'src/organisation/api.ts',
    'export interface DeadLetter {',
    'readonly addedToDeadLetter?: string;',
    'addedToDeadLetter',
    [`${OBJECT_SQL}/operators.ts`],
  ),
  added(
    'a queue message',
    'src/services/queue-message.ts',
    'export type QueueMessage =',
    "| { readonly kind: 'addedMessage'; readonly organisationId: Id<'org'> }",
    'addedMessage',
    ['src/services/queue-message.ts'],
  ),
  added(
    'a kind of outbox row',
    'src/storage/outbox-row.ts',
    "readonly kind:\n    | 'trace'",
    "| 'addedRow'",
    'addedRow',
    ['src/storage/postgres/projection.ts'],
  ),
  added(
    'a call of the object',
    'src/organisation/api.ts',
    'export interface OrganisationPort {',
    'addedCall(): Promise<void>;',
    'addedCall',
    ['src/organisation/object.ts'],
  ),
];

/** The verb's role, taken away: it stands in its route alone, and a verb without a route, or with an open one, does not compile. */
const UNAUTHORISED: readonly Change[] = [
  {
    title: 'the route of a verb that is taken away',
    file: 'src/services/metering/read-usage.ts',
    from: '  route: ROUTES.usage,\n',
    to: '',
    names: 'Download',
    places: ['src/services/metering/read-usage.ts'],
  },
  {
    title: 'an open route in place of a verb’s own',
    file: 'src/services/access/read-identity.ts',
    from: 'route: ROUTES.me,',
    to: 'route: ROUTES.health,',
    names: '"public"',
    places: ['src/services/access/read-identity.ts'],
  },
];

const folder = mkdtempSync(join(tmpdir(), 'compile-errors-'));
let errors: readonly string[] = [];

/** All changes at once: each is told by the word it adds. */
beforeAll(async () => {
  cpSync(join(ROOT, 'src'), join(folder, 'src'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const tsconfig = { extends: join(ROOT, 'tsconfig.json'), include: ['src'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  for (const { file, from, to } of [...CHANGES, ...UNAUTHORISED]) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    expect(text.split(from), `${from} in ${file}`).toHaveLength(2);
    writeFileSync(path, text.replace(from, to));
  }
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const output = await promisify(execFile)(tsc, ['--noEmit', '--pretty', 'false'], { cwd: folder }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
  errors = output.split(/\n(?=\S)/);
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true }));

const errorsAt = (place: string): string[] => errors.filter((error) => error.startsWith(`${place}(`));

describe('half a change does not compile', () => {
  it.each([...CHANGES, ...UNAUTHORISED])('$title: the compiler asks for the rest', ({ names, places }) => {
    for (const place of places) expect(errorsAt(place), place).toContainEqual(expect.stringContaining(names));
  });

  it('a queue message that the consumer does not handle', () => {
    expect(errorsAt('src/entrypoints/queue/wake.ts')).toEqual([
      expect.stringContaining('lacks ending return statement'),
    ]);
  });
});
