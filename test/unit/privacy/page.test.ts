import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { DecisionResult } from '../../../src/contract/decision.ts';
import { Recommendations } from '../../../src/contract/insights.ts';
import { ROUTES } from '../../../src/contract/routes.ts';
import { ScreeningLabels } from '../../../src/contract/screening.ts';
import { AUDIT_LIFETIME_MS } from '../../../src/domain/access/keys.ts';
import { precheck } from '../../../src/domain/answer/precheck.ts';
import { MEMORY_MS, NO_FACTS, withObservation } from '../../../src/domain/belief/facts.ts';
import { EFFECT_NAMES, type Groups, NO_GROUPS } from '../../../src/domain/belief/groups.ts';
import { learn } from '../../../src/domain/belief/learning.ts';
import { MODEL } from '../../../src/domain/belief/model.ts';
import { TALLIES_KEPT_MS, TRUST_ALL } from '../../../src/domain/belief/trust.ts';
import { RETENTION_MS } from '../../../src/domain/bulk/job.ts';
import { DEFAULT_POLICY, parsePolicy } from '../../../src/domain/policy/document.ts';
import { FREE_AFTER, KEPT_DAYS, KEPT_LEAST_DAYS } from '../../../src/domain/privacy/data-handling.ts';
import { NO_RULES } from '../../../src/domain/rules/rules.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { deriveKey, hmacHex } from '../../../src/kernel/crypto.ts';
import { CONTENT_TABLES, OBJECT_MIGRATIONS } from '../../../src/organisation/schema.ts';
import * as dashboard from '../../../dashboard/worker/auth-schema.ts';
import { hasher } from '../../../src/runtime/hasher.ts';
import * as directory from '../../../src/storage/postgres/directory-schema.ts';
import * as nightly from '../../../src/storage/postgres/nightly-schema.ts';
import * as processors from '../../../src/storage/postgres/processor-schema.ts';
import * as records from '../../../src/storage/postgres/record-schema.ts';

/** Every column of Postgres. */
const COLUMNS = [directory, records, processors, nightly, dashboard]
  .flatMap((all) => Object.values(all).filter((each): each is PgTable => is(each, PgTable)))
  .map(getTableConfig)
  .flatMap(({ name: table, columns }) => columns.map(({ name: column }) => ({ table, column })));

const ASKING =
  '`{ "id": "ask", "when": { "path": "verification.email_type", "op": "eq", "value": "disposable" }, "decision": "challenge" }`.';

const page = readFileSync(join(import.meta.dirname, '../../../docs/privacy.md'), 'utf8');
const ROOT = join(import.meta.dirname, '../..');

/** Every title of a test. */
const TITLES = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n');

const prose = page
  .replaceAll(/```[^`]*```/g, '')
  .split(/\n\s*\n|\n(?=- )/)
  .map((text) => text.trim())
  .filter((text) => text !== '' && !text.startsWith('#') && !text.startsWith('|'));
const SENTENCES = prose.flatMap((text) =>
  text
    .replace(/^- /, '')
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=[.:?])\s+(?=[A-Z`])/),
);

/** The proof of a sentence: a test's title, a check of the code's constants, or `counsel` (advice that claims nothing). */
type Held = { readonly test: string } | { readonly check: () => void } | 'counsel';
const test = (title: string): Held => ({ test: title });
const check = (holds: () => void): Held => ({ check: holds });

const LEAK_SCAN = test('no store holds a byte about the person, a live bulk file aside');
const HASHES = check(() => {
  const hash = hasher(() => new Uint8Array(32), 'address');
  const [mine, other] = [hash('org_a', 'ada@example.com'), hash('org_b', 'ada@example.com')];
  expect(mine).toBe(hmacHex(deriveKey(new Uint8Array(32), 'address hash org_a'), 'ada@example.com'));
  expect(mine).toMatch(/^[\da-f]{64}$/);
  expect(other).not.toBe(mine);
});
const DENIES = check(() => {
  const denying = DEFAULT_POLICY.rules.filter(({ decision }) => decision === 'deny').map(({ id }) => id);
  expect(denying).toEqual(['blocked', 'disposable', 'undeliverable']);
  expect(new Set(DEFAULT_POLICY.rules.map(({ decision }) => decision))).toEqual(
    new Set(['challenge', 'deny', 'review', 'allow']),
  );
});
const REFUSED_AT = 1_700_000_000_000;
const REFUSED = withObservation(
  null,
  {
    context: {
      address: 'a'.repeat(32),
      domain: 'd'.repeat(32),
      list: 'e'.repeat(32),
      at: REFUSED_AT,
      host: 'google_business',
      features: [],
      purpose: 'outbound',
    },
    answers: [],
    report: { class: 'user_unknown', at: REFUSED_AT, of: 'vr_a', source: 'key_a' },
    proof: null,
  },
  REFUSED_AT,
);
const TAKES_ALONG = check(() => {
  const learnt = (name: string, before: Groups) => learn(MODEL, name, REFUSED, before, null, TRUST_ALL, REFUSED_AT);
  const others = learnt('b', NO_GROUPS).groups;
  const { groups, contribution } = learnt('a', others);
  const forgotten = { ...REFUSED, ...NO_FACTS };
  const left = learn(MODEL, 'a', forgotten, groups, contribution, TRUST_ALL, REFUSED_AT).groups;
  for (const name of EFFECT_NAMES) expect(left[name]?.mean ?? 0, name).toBeCloseTo(others[name]?.mean ?? 0, 9);
  expect(groups.domain?.mean).not.toBeCloseTo(others.domain?.mean ?? 0, 3);
});
const FORGETS = test('leaves no byte of the person in any store, tells what went, and changes nothing of others');
const SUPPRESSES = test('is kept out of imports by its hash alone, until the account lets it in again');
const LISTS_VENDORS = test('is made of the settings: who is on, what it is sent and where, and what its own page says');
const SENT_TO = test('names every vendor that was sent the address, for as long as it is kept');
const RETAINS = test('is enforced by the night in every store, for this account alone');

const HELD: Readonly<Record<string, Held>> = {
  'What the service stores about people, where, for how long, who else receives it, and what you can do about it.':
    'counsel',
  'A test checks each sentence of this page (`test/unit/privacy/page.test.ts`).': check(() => undefined),
  'You, the account, are the controller: you decide whose addresses are checked, and what follows.': 'counsel',
  'The service is your processor.': 'counsel',
  'The vendors of [who gets what](#who-gets-what) are its subprocessors.': LISTS_VENDORS,
  "Your own members' e-mail addresses are stored too, because they sign in.": check(() => {
    expect(COLUMNS.filter(({ column }) => column === 'email').map(({ table }) => table)).toContain('app_user');
  }),
  'An address is read, hashed and forgotten within its request.': LEAK_SCAN,
  'Traces, rules, reports and logs contain no raw address.': test(
    'leaves no address in Postgres, in the object, in a queue or in the log',
  ),
  'The file of a bulk job is the exception: it is stored as you sent it, with its results, for 7 days.': check(() =>
    expect(RETENTION_MS).toBe(7 * DAY_MS),
  ),
  'A name is never stored.': LEAK_SCAN,
  'It is HMAC-SHA-256 of the address under a key of your account, 64 hex digits.': HASHES,
  'The same address has another hash in another account, so two accounts can’t be compared.': HASHES,
  'Anyone with the service’s secret can test whether a given address is among the hashes.': HASHES,
  'So a keyed hash is pseudonymous personal data.': 'counsel',
  'It is not anonymous.': 'counsel',
  'Facts of a domain are shared between accounts: its mail hosts, whether it accepts every recipient, whether it hands out throwaway addresses.':
    'counsel',
  'So an answer or its `latency_ms` may tell that somebody, somewhere, asked about the domain before.': 'counsel',
  'Nothing about an address is shared, and nothing shows who asked.': test(
    'has what every store holds under its hash, and nothing of another account or address',
  ),
  'A person asks you, the account, and you ask the service.': 'counsel',
  'Both calls take an admin’s key and the address in the body.': check(() => {
    for (const route of [ROUTES.exportAddress, ROUTES.forgetAddress]) {
      expect(route.access).toBe('admin');
      expect(Object.keys(route.body.schema.shape)).toContain('email');
    }
  }),
  '`export` returns everything that the account has under the address’s hash: rules, history, traces with their outcomes, screenings, reports of mail services and imports, events, how segments count it, and answers stored for a repeat.':
    test('has what every store holds under its hash, and nothing of another account or address'),
  '`forget` erases it.': FORGETS,
  'The answer is a receipt: what was removed from which store, and when each store is free of it.': test(
    'says from when on each store is free of it',
  ),
  '`pending` means that rows in Postgres follow automatically.': test(
    'is finished by the object where Postgres is away, and where the Worker dies midway',
  ),
  'You may repeat the call at any time.': FORGETS,
  'A trace’s decision stays, as a number that identifies no one.': test(
    'waits with an organisation until they are there: what events say of the address goes with its traces',
  ),
  'Your own members stay, and so do facts about a domain that accounts share.': test(
    'leaves the account’s own users alone, whether it is done at once or later',
  ),
  '`kept` in the receipt names a member of yours, or an invitation.': test(
    'stays where they are a member here, and the receipt says so',
  ),
  'An unused sign-in account is deleted: no organisation has its address as a member’s or has invited it, and all its sessions have ended.':
    test('goes where they belong to no organisation'),
  'The address’s contribution to its domain, its list and your account is removed at once.': TAKES_ALONG,
  'Later contributions of other addresses depended on it: the next night recomputes them as if the address had never been there.':
    test('leaves nothing of it in any group once they are recomputed'),
  'Counts of reports by source, which identify no address, stay for 90 days.': check(() =>
    expect(TALLIES_KEPT_MS).toBe(90 * DAY_MS),
  ),
  'A bulk job with an older file asks no vendor about the address any more, and stores nothing under its hash.': test(
    'reaches what the job writes afterwards: no store gets anything under the address’s hash',
  ),
  'With `suppress: true` only the hash stays, and imports, mail services and the payment processor add nothing about the address any more.':
    SUPPRESSES,
  '`suppress: false` lifts that.': SUPPRESSES,
  'Both calls are in the audit log, without the address.': test('is in the audit log, without the address'),
  'While a job has an older file, its rows about the address are `error` and not charged.': test(
    'no longer sends the address to vendors; earlier decisions stay as numbers that identify no one',
  ),
  "A sign-in account is a contract with the person, so an organisation's erasure leaves that of a member, here or elsewhere.":
    test('stays where they are a member here, and the receipt says so'),
  "The receipt does not mention such an account, so it can't reveal whether an address has one.": test(
    'stays where they are a member elsewhere, and the receipt is silent',
  ),
  '`GET /v1/subprocessors` lists the companies in this deployment’s settings: what each receives, at which host, and its retention by its own page as of a day.':
    LISTS_VENDORS,
  'If no page says it, `source` is null: ask the company.': test(
    'says of every company but the operator’s own how long it keeps what it gets, with its page and the day, or that none says it',
  ),
  '`PATCH /v1/subprocessors/:id` with `{"enabled": false}` switches a verification vendor, an enrichment vendor or the model off for your account, from the next request on and in running jobs from their next chunk on.':
    test('is asked by no request of it, verification, decision, screening or file, and by those of others as before'),
  'A single trace has `sent_to`: every vendor that received the address, for as long as the trace is stored.': SENT_TO,
  'An enrichment vendor that was asked for a company received only the domain, and is not named.': SENT_TO,
  '`PUT /v1/retention` shortens how long records of your account are stored, to 30 days at least; `null` restores a kind’s default.':
    test('is the service’s until an admin keeps a kind for less time, and that again when it is put back'),
  'The nightly run deletes what is older.': RETAINS,
  'Beyond that, segments and calibration store only counts without a person’s key.': RETAINS,
  'Article 22 of the GDPR gives a person the right not to be subject to a decision based solely on automated processing that has legal or similarly significant effects.':
    'counsel',
  'The service answers; whether your form turns a person away is your decision.': 'counsel',
  'A `deny` without a way to object may be such a decision if the person loses something that matters.': 'counsel',
  'A refused newsletter is hardly one; a refused bank account is.': 'counsel',
  'The default policy denies in three places: an address that is broken, takes no mail or that you have blocked, one on the disposable lists, and the recommendation `drop`.':
    DENIES,
  'It allows everything else, asks for confirmation (`challenge`), or shows it to you (`review`).': DENIES,
  'A single list denies nothing: two independent ones must name the domain, else it is only suspected.': test(
    'blocks what one curated list or two independent reports confirm, and only suspects what one report names',
  ),
  'Screening never denies, and neither does a recommendation from segments.': check(() => {
    expect(ScreeningLabels.shape.recommendation.options).toEqual(['allow', 'review']);
    expect(Recommendations.shape.recommendations.element.shape.proposed_action.value).toBe('review');
  }),
  'A list may be wrong.': 'counsel',
  'An allow rule of yours (`POST /v1/addresses/allowlist`, `POST /v1/domains/allowlist`) overrides the disposable lists.':
    check(() => {
      const rules = { address: 'allow', domain: null } as const;
      const mail = { kind: 'found', hosts: ['mx.example'], implicit: false } as const;
      expect(precheck({ mail, disposableTier: 'block', rules: { ...NO_RULES, ...rules } }).disposable).toBe(false);
    }),
  'So offer the people you deny a way to write to you.': 'counsel',
  'To ask instead of denying, put a rule before the others:': 'counsel',
  [ASKING]: check(() => {
    const rule = JSON.parse(ASKING.slice(1, -2)) as object;
    const parsed = parsePolicy({ name: 'a', rules: [rule], default: 'allow' }, () => null);
    expect(parsed.ok).toBe(true);
  }),
  'Each decision has its `rule_id` and `reason`, and its trace shows what it rests on: explain these to the person.':
    check(() =>
      expect(Object.keys(DecisionResult.shape)).toEqual(expect.arrayContaining(['rule_id', 'reason', 'trace_id'])),
    ),
};

const plain = (text: string): string => text.replaceAll('’', "'");
const BY_SENTENCE = new Map(Object.entries(HELD).map(([sentence, held]) => [plain(sentence), held]));

describe('the page on privacy', () => {
  it('has no sentence that nothing holds, and nothing holds one that it lacks', () => {
    expect(SENTENCES.map(plain)).toEqual([...BY_SENTENCE.keys()]);
  });

  it.each(SENTENCES)('is right: %s', (sentence) => {
    const held = BY_SENTENCE.get(plain(sentence));
    expect(held).toBeDefined();
    if (held === undefined || held === 'counsel') return;
    if ('test' in held) expect(TITLES).toContain(`'${held.test}'`);
    else held.check();
  });

  /** The rows of the table whose first column is so named. */
  function rowsUnder(first: string): string[][] {
    const lines = page.split('\n');
    const from = lines.findIndex((line) => line.startsWith(`| ${first} |`)) + 2;
    const rows = lines.slice(
      from,
      lines.findIndex((line, place) => place >= from && !line.startsWith('|')),
    );
    return rows.map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  }
  const STORES = rowsUnder('store');
  const rowOf = (name: string): string[] => STORES.find(([store = '']) => store.includes(`\`${name}\``)) ?? [];

  /** Tables without a row about a person, each with what its rows are about. */
  const OF_NOBODY = new Map([
    ['api_key', 'a key, by its own hash'],
    ['auth_account', 'stays empty'],
    ['auth_rate', 'a keyed hash of who tried, for minutes'],
    ['back_end_domain', 'a domain'],
    ['bulk_job', 'a file’s counts'],
    ['calibration', 'counts'],
    ['cron_step', 'the service'],
    ['disposable_source', 'a list'],
    ['domain_rule', 'a domain'],
    ['losses', 'settings'],
    ['nightly_step', 'the service'],
    ['organisation', 'an account'],
    ['policy', 'settings'],
    ['processor_connection', 'a connection'],
    ['rollup', 'counts'],
    ['rollup_source', 'counts'],
    ['segment_cell', 'counts'],
    ['segment_day', 'counts'],
    ['segment_total', 'counts'],
    ['segment_value', 'counts'],
    ['usage_day', 'counts'],
    ['usage_month', 'counts'],
    ['webhook_token', 'a webhook’s token, by its hash'],
  ]);

  it('names every table of Postgres that has a row about a person, the dashboard’s too', () => {
    const tables = new Set(COLUMNS.map(({ table }) => table));
    for (const table of tables) expect(rowOf(table).length > 0 || OF_NOBODY.has(table), table).toBe(true);
    expect([...OF_NOBODY.keys()].filter((table) => !tables.has(table))).toEqual([]);
  });

  it('names every table of the object that has an address by its hash', () => {
    const steps = OBJECT_MIGRATIONS.map(({ sql }) => sql).join('\n');
    const ofObject = CONTENT_TABLES.filter((table) =>
      new RegExp(`table ${table}[ (][^;]*(?:address|\\bhash\\b)`).test(steps),
    );
    const named = STORES.filter(([store = '']) => store.startsWith('the object')).join();
    for (const table of ofObject.filter((each) => each !== 'api_key')) expect(named, table).toContain(`\`${table}\``);
  });

  it.each([
    ['trace', KEPT_DAYS.traces],
    ['trace_detail', KEPT_DAYS.details],
    ['screening', KEPT_DAYS.traces],
    ['outcome', KEPT_DAYS.outcomes],
    ['mail_report', KEPT_DAYS.outcomes],
    ['event', KEPT_DAYS.events],
    ['processor_reference', KEPT_DAYS.events],
    ['address_facts', MEMORY_MS.to / DAY_MS],
    ['audit', AUDIT_LIFETIME_MS / DAY_MS],
  ])('says how many days %s is kept: %i', (table, days) => {
    expect(rowOf(table)[3]).toBe(String(days));
  });

  it('says how long caches and files last', () => {
    const daysOf = (store: string): string | undefined => STORES.find(([name]) => name === store)?.[3];
    expect(daysOf('KV')).toBe(String(KEPT_LEAST_DAYS));
    expect(daysOf('R2')).toBe(String(RETENTION_MS / DAY_MS));
    expect(rowsUnder('what an erasure can’t reach at once'.replace('’', "'")).map(([, after]) => after)).toEqual([
      `${FREE_AFTER.cachesMs / MINUTE_MS} minute`,
      `${FREE_AFTER.bulkFilesMs / DAY_MS} days`,
      `${FREE_AFTER.restorePointsMs / DAY_MS} days`,
    ]);
  });

  it('gives the days of each kind that an account may shorten', () => {
    const days = Object.fromEntries(
      rowsUnder('kind').map(([kind = '', , count]) => [kind.replaceAll('`', ''), Number(count)]),
    );
    expect(days).toEqual(KEPT_DAYS);
  });
});
