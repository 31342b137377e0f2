import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbedded } from '../scripts/stack/embedded-database.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../src/kernel/clock.ts';
import { startAmazon } from '../test/support/amazon.ts';
import { newStateDir, startTestStack, type TestStack } from '../test/support/stack.ts';
import { startVendorStage } from '../test/support/vendor-stage.ts';
import { writeFindings } from './document.ts';
import { Drive, type Marks } from './leaks/drive.ts';
import { DIGESTS, digestForms, ENCODINGS } from './leaks/forms.ts';
import { heldInFiles, heldInPostgres } from './leaks/held.ts';
import { type Found, type Held, scan } from './leaks/scan.ts';

const START_MS = 600_000;
const NIGHT = '17 3 * * *';
const SWEEP = '*/5 * * * *';

/** Letters that no word has, so that a mark is found by chance nowhere. */
const random = (): string => Array.from({ length: 12 }, () => 'bcdfghjkmnpqrstvwxz'[randomInt(19)]).join('');
const core = random();
const MARKS: Marks = { address: core, wideAddress: `${core}ü`, name: random(), member: random() };

const stateDir = newStateDir();
const mails: string[] = [];
const tables: { when: string; rows: (string | number)[][] }[] = [];
let stack: TestStack;
let drive: Drive;
let stages: { stop(): Promise<void> | void }[] = [];
let env: Record<string, string> = {};
let output = '';
let hashes: string[] = [];
const totals = new Map<string, number>();

beforeAll(async () => {
  const vendors = await startVendorStage();
  const amazon = await startAmazon();
  const takeMail = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    mails.push(await text(request));
    response.end('{"id":"1"}');
  };
  const mail = createServer((request, response) => void takeMail(request, response));
  mail.listen(0, '127.0.0.1');
  await once(mail, 'listening');
  stages = [vendors, amazon, { stop: () => void mail.close() }];
  env = {
    ...vendors.settings,
    SNS_BASE_URL: amazon.url,
    MAIL_BACKEND: 'resend',
    RESEND_API_KEY: 're_1',
    MAIL_FROM: 'Verify <no-reply@acme.example>',
    RESEND_BASE_URL: `http://127.0.0.1:${(mail.address() as AddressInfo).port}`,
  };
  stack = await startTestStack({ stateDir, env, databaseDelayMs: 0 });
  drive = new Drive(stack, amazon, MARKS);
}, START_MS);

afterAll(async () => {
  await stack.remove();
  for (const stage of stages) await stage.stop();
});

/** Stops the stack, so that no work is pending, and reads every byte it left. */
async function held(dir = stateDir): Promise<Held[]> {
  const fromPostgres = await heldInPostgres(dir);
  return [
    ...heldInFiles(dir),
    ...fromPostgres,
    { store: 'console', place: 'stdout and stderr', bytes: Buffer.from(output) },
    ...mails.map((mail): Held => ({ store: 'mails', place: 'a mail', bytes: Buffer.from(mail) })),
  ];
}

async function stop(): Promise<void> {
  await stack.stop();
  output += stack.output();
}

async function restart(offsetMs: number): Promise<void> {
  const clock = { CLOCK_OFFSET_S: String(Math.round(offsetMs / SECOND_MS)) };
  const port = Number(new URL(stack.base_url).port);
  stack = await startTestStack({ stateDir, port, env: { ...env, ...clock }, databaseDelayMs: 0 });
  drive = Object.assign(Object.create(Drive.prototype) as Drive, drive, { stack });
}

const WANTED = {
  texts: [MARKS.address, MARKS.wideAddress, MARKS.name],
  addresses: [`ada.${MARKS.address}@business.test`, `imported.${MARKS.address}@business.test`],
};

/** Searches everywhere for marked addresses and names, and records their places. */
async function look(when: string): Promise<Found[]> {
  const { found, bytes } = await scan(await held(), WANTED);
  for (const [store, count] of bytes) totals.set(store, Math.max(totals.get(store) ?? 0, count));
  const places = Map.groupBy(found, ({ store, place }) => `${store}: ${place}`);
  tables.push({
    when,
    rows: [...places].map(([place, all]) => [place, [...new Set(all.map(({ encoding }) => encoding))].join(', ')]),
  });
  return found;
}

const beyondFiles = (found: readonly Found[]): Found[] => found.filter(({ store }) => store !== 'R2');

describe('marked addresses and names', () => {
  it('stand in no store, log or mail after everything was used, live bulk files aside', async () => {
    await drive.everything(await signIn());
    await drive.written();
    await stack.cron(NIGHT);
    await stack.cron(SWEEP);
    await drive.written();
    await stop();
    const found = await look('after everything was used');
    hashes = await addressHashes();
    expect(hashes.length).toBeGreaterThan(100);
    expect(beyondFiles(found)).toEqual([]);
    expect(found.length).toBeGreaterThan(0);
  });

  it('nor after forget, where no row has their keyed hashes any more', async () => {
    await restart(0);
    await drive.forget();
    await stack.cron(NIGHT);
    await drive.written();
    await stop();
    expect(beyondFiles(await look('after forget'))).toEqual([]);
    expect(await rowsWith(hashes)).toEqual([]);
  });

  it('nor after 7 days, in bulk files neither', async () => {
    await restart(7 * DAY_MS + HOUR_MS);
    for (let tries = 0; tries < 60 && hasFiles(); tries += 1) {
      await stack.cron(SWEEP);
      await new Promise((resolve) => setTimeout(resolve, 5_000));
    }
    await stack.cron(NIGHT);
    await stop();
    expect(await look('after 7 days')).toEqual([]);
  });

  it('are members’ own in the stores that sign-in and membership need, and nowhere else', async () => {
    const { found } = await scan(await held(), { texts: [MARKS.member], addresses: [] });
    const places = new Set(found.map(({ store, place }) => `${store}: ${place}`));
    tables.push({ when: 'members’ own addresses', rows: [...places].sort().map((place) => [place, 'as it is']) });
    const stores = new Set(found.map(({ store }) => store));
    expect([...stores].sort()).toEqual(['Postgres', 'mails', 'objects']);
  });
});

describe('the scanner', () => {
  it('finds a planted mark in every store and every encoding', async () => {
    // Its last letters are written otherwise in each encoding, in base64url too.
    const planted = `p.${random()}ÿÿÿ`;
    const address = `${planted}@plant.test`;
    const dir = mkdtempSync(join(tmpdir(), 'planted-'));
    cpSync(stateDir, dir, { recursive: true });
    try {
      const forms = [
        ...Object.entries(ENCODINGS).map(([name, { forms: all }]) => [name, all(planted)[0]] as const),
        ...DIGESTS.map((name) => [`${name} of the address`, digestForms(address, name)[0]] as const),
        ...[gzipSync, deflateSync, deflateRawSync].map(
          (pack) => [`as it is, compressed`, pack(Buffer.from(`x ${address}`))] as const,
        ),
      ];
      await plant(
        dir,
        forms.map(([, bytes]) => bytes ?? Buffer.alloc(0)),
      );
      const { found } = await scan(await held(dir), { texts: [planted], addresses: [address] });
      const seen = new Set(found.map(({ store, encoding }) => `${store} ${encoding}`));
      const expected = ['objects', 'KV', 'R2', 'cache', 'log'].flatMap((store) =>
        forms.map(([encoding]) => `${store} ${encoding}`),
      );
      expect(expected.filter((each) => !seen.has(each))).toEqual([]);
      expect(found.some(({ store, place }) => store === 'Postgres' && place === 'table planted')).toBe(true);
      tables.push({
        when: 'what was planted, to show that the scanner sees',
        rows: [
          [`${expected.length} plants in objects, KV, R2, cache and log, one in a table of Postgres`, 'all found'],
        ],
      });
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

/** Plants bytes into a copy of a stack's folder: a row of a new SQLite file each, files each, lines of the log. */
async function plant(dir: string, all: readonly Buffer[]): Promise<void> {
  for (const folder of ['kv', 'r2', 'cache', 'do'])
    mkdirSync(join(dir, 'worker', folder, 'planted'), { recursive: true });
  const database = new DatabaseSync(join(dir, 'worker/do/planted/object.sqlite'));
  database.exec('create table planted (id integer primary key, value blob)');
  for (const [at, bytes] of all.entries()) {
    database.prepare('insert into planted (value) values (?)').run(bytes);
    for (const folder of ['kv', 'r2', 'cache']) writeFileSync(join(dir, 'worker', folder, 'planted', `${at}`), bytes);
    writeFileSync(join(dir, `worker.log.${at}`), bytes);
  }
  database.close();
  const postgres = await openEmbedded(join(dir, 'postgres'));
  await postgres.query('create table planted (value bytea)', []);
  await postgres.query('insert into planted values ($1::bytea)', [`\\x${all[0]?.toString('hex')}`]);
  await postgres.close();
  appendFileSync(join(dir, 'worker.log'), '\n');
}

/** The cookie of the stack's own person. */
async function signIn(): Promise<string> {
  const { dashboard_url: origin, sign_in_url: url } = stack;
  const answer = await fetch(`${origin}/auth/link/use`, {
    method: 'POST',
    headers: { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: JSON.stringify({ token: url.split('#')[1] }),
  });
  expect(answer.status).toBe(200);
  return answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
}

/** The keyed hashes of the addresses that the one organisation has seen. */
async function addressHashes(): Promise<string[]> {
  const rows = (await heldInPostgres(stateDir)).map(({ bytes }) => Buffer.from(bytes).toString());
  const found = rows.flatMap((row) => [...row.matchAll(/"address_hash": ?"([0-9a-f]{64})"/g)].map(([, hash]) => hash));
  return [...new Set(found.filter((hash) => hash !== undefined))];
}

/** The tables whose rows hold one of these, as text or as a blob in hex. */
async function rowsWith(wanted: readonly string[]): Promise<string[]> {
  const rows = [...heldInFiles(stateDir), ...(await heldInPostgres(stateDir))].filter(({ place }) =>
    place.startsWith('table '),
  );
  const names = new Set(wanted.map((hash) => hash.slice(0, 32)));
  const isHeld = ({ bytes }: Held): boolean =>
    [
      ...Buffer.from(bytes)
        .toString()
        .matchAll(/[0-9a-f]{32,}/g),
    ].some(([run]) => {
      for (let at = 0; at + 32 <= run.length; at += 1) if (names.has(run.slice(at, at + 32))) return true;
      return false;
    });
  return [...new Set(rows.filter(isHeld).map(({ store, place }) => `${store}: ${place}`))];
}

/** Whether any file of a bulk job is left. */
const hasFiles = (): boolean =>
  readdirSync(join(stateDir, 'worker/r2'), { recursive: true }).some((name) => /[/\\]blobs[/\\]./.test(String(name)));

afterAll(() => {
  const calls = [...drive.done.values()].reduce((sum, each) => sum + each, 0);
  const sizes = [...totals].map(([store, bytes]) => `${store} ${(bytes / 2 ** 20).toFixed(1)} MB`).join(', ');
  writeFindings('leaks', {
    summary: `${calls} calls of ${drive.done.size} kinds with ${drive.addresses.size} marked addresses and a marked name, on the whole local stack with every verification vendor, every mail service and Stripe as fakes. Looked through after each step: ${sizes}. Looked for: the marks in ${Object.keys(ENCODINGS).length} encodings, without regard to case, and unsalted ${DIGESTS.join(', ')} of the address; in files as they lie there (freed pages and Postgres’s own log included), in each row, and in gzip and deflate members. Queues of the local runtime stand in memory alone and are empty when it has stopped.`,
    tables: tables.map(({ when, rows }) => ({
      title: when[0]?.toUpperCase() + when.slice(1),
      columns: ['place', 'found'],
      rows: rows.length === 0 ? [['everywhere', 'nothing']] : rows,
    })),
  });
});
