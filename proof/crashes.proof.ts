import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Usage } from '../src/contract/account.ts';
import { HOUR_MS, SECOND_MS } from '../src/kernel/clock.ts';
import { MortalStack } from '../test/support/mortal-stack.ts';
import { seededRandom } from '../test/support/seeded-random.ts';
import { ask, bringFile, type Caller, FILE, Load, nothingYet } from './crashes/load.ts';
import { writeFindings } from './document.ts';
import { countOr, rested, SEED } from './support/settings.ts';

/** How often the runtime is killed. */
const KILLS = countOr(100);
/** The least and the most time a run is up before it is killed, in ms. */
const LIFE_MS = [200, 2_500] as const;
/** By then everything delayed by Postgres's absence is written. */
const WRITTEN_WITHIN_MS = 300_000;
const HOURS = 3 * HOUR_MS;
/** Imported rows whose address is exported at the end. */
const EXPORTS = 60;

const draws = seededRandom(SEED);
let stack: MortalStack;
let load: Load;
let expectedFile: string;
let cookie: string;
let organisation: string;
let filesBefore: number;
let importingAdmin: Caller;
let sender: { readonly key: string };
const sessions: number[] = [];
const rows: (string | number)[][] = [];
const lives = { undisturbed: 0, 'Postgres away': 0 };

/** A request at the end, when no fault is left. */
async function read<T>(caller: Caller, path: string): Promise<T> {
  const answer = await ask(stack, caller, 'GET', path);
  expect([path, answer?.status]).toEqual([path, 200]);
  return JSON.parse(answer?.text ?? '') as T;
}

async function pages<T>(path: string, field: string): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Record<string, unknown> = await read('admin', `${path}?limit=100${cursor && `&cursor=${cursor}`}`);
    all.push(...(page[field] as T[]));
    cursor = page['cursor'] as string | null;
  }
  return all;
}

/** The dashboard's answer to a person who signed in before the first kill. */
async function asPerson(): Promise<number> {
  const { dashboard_url: url } = await stack.now();
  const response = await fetch(`${url}/api/${organisation}/v1/me`, { headers: { cookie } });
  await response.body?.cancel();
  return response.status;
}

function firstOffsetS(): number {
  const later = new Date(Date.now() + 4 * HOUR_MS);
  return later.getUTCMonth() === new Date().getUTCMonth() ? 0 : (4 * HOUR_MS) / SECOND_MS;
}

/** A further organisation, with the keys of a member and of an admin. */
async function openOrganisation(
  limits: object,
): Promise<Readonly<Record<'member' | 'admin', { readonly key: string }>>> {
  const made = async (path: string, body: object): Promise<Record<string, { id: string; key: string }>> => {
    const answer = await ask(stack, 'operator', 'POST', `/operator/v1/organisations${path}`, body);
    return JSON.parse(answer?.text ?? '{}') as Record<string, { id: string; key: string }>;
  };
  const id = (await made('', Object.assign({ name: 'Further' }, limits)))['organisation']?.id ?? '';
  const keyOf = async (role: string) => ({
    key: (await made(`/${id}/keys`, { name: role, role }))['key']?.key ?? '',
  });
  return { member: await keyOf('member'), admin: await keyOf('admin') };
}

beforeAll(async () => {
  stack = await MortalStack.start({}, firstOffsetS());
  const { dashboard_url: url, sign_in_url: link, org_id: id } = await stack.now();
  organisation = id;
  const limits = { rate_per_minute: 1_000_000, verification_quota: 0 };
  const changed = await ask(stack, 'operator', 'PATCH', `/operator/v1/organisations/${id}`, limits);
  expect(changed?.status).toBe(200);
  const signedIn = await fetch(`${url}/auth/link/use`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ token: new URL(link).hash.slice(1) }),
  });
  cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  expect(await asPerson()).toBe(200);
  sender = (await openOrganisation(limits)).member;
  expectedFile = await bringFile(stack, sender.key);
  filesBefore = (await read<Usage>(sender, '/v1/usage')).calls.bulk;
  expect(filesBefore).toBe(FILE.unique);
  const importing = await openOrganisation(limits);
  importingAdmin = importing.admin;
  load = new Load(stack, seededRandom(SEED + 1), importing.member, sender.key);
}, 600_000);

describe('a service whose runtime is killed at random moments', () => {
  it(
    `${KILLS} times under mixed load, every other time with Postgres away`,
    async () => {
      load.begin();
      for (let kill = 0; kill < KILLS; kill += 1) {
        await rested();
        const isAway = kill % 2 === 1;
        lives[isAway ? 'Postgres away' : 'undisturbed'] += 1;
        const ms = draws.between(...LIFE_MS);
        const awayAfterMs = draws.uniform() * ms;
        await sleep(awayAfterMs);
        if (isAway) await (await stack.now()).database.down();
        await sleep(ms - awayAfterMs);
        await stack.killAndRestart(draws.uniform() < 0.5);
        sessions.push(await asPerson());
        if ((kill + 1) % 5 === 0) {
          const { traces, rules, files, imports, again, faults } = load.acknowledged;
          process.stdout.write(
            `${kill + 1} kills: ${traces.size} traces, ${rules.length} rules, ${files.length} files, ${imports.length} imports, ${again} sent again, ${faults.length} faults\n`,
          );
        }
      }
      await load.stop();
      const until = Date.now() + WRITTEN_WITHIN_MS;
      for (let left = 1; left > 0;) {
        await (await stack.now()).cron('*/5 * * * *');
        await sleep(2_000);
        const { organisations } = await read<{ organisations: { id: string; outbox_rows: number }[] }>(
          'operator',
          '/operator/v1/status',
        );
        left = organisations.find(({ id }) => id === organisation)?.outbox_rows ?? 0;
        if (Date.now() > until) throw new Error(`${left} rows are not written`);
      }
      expect(load.acknowledged.faults).toEqual([]);
    },
    HOURS,
  );

  /** Adds a row to the table: how many acknowledged records are missing, with the first of them. */
  const gone = (what: string, acknowledged: number, lost: readonly unknown[]): readonly unknown[] => {
    rows.push([what, acknowledged, lost.length]);
    return acknowledged === 0 ? ['none was acknowledged'] : lost.slice(0, 5);
  };

  it('has every trace that was acknowledged, and each was charged once', async () => {
    const { traces, files } = load.acknowledged;
    const ids = new Set((await pages<{ trace_id: string }>('/v1/traces', 'traces')).map(({ trace_id: id }) => id));
    expect(
      gone(
        'traces',
        traces.size,
        [...traces.keys()].filter((id) => !ids.has(id)),
      ),
    ).toEqual([]);
    const { calls } = await read<Usage>('member', '/v1/usage');
    const { bulk } = (await read<Usage>(sender, '/v1/usage')).calls;
    rows.push(['verifications charged', traces.size, calls.verify - traces.size]);
    rows.push([
      'addresses of files charged',
      files.length * FILE.unique,
      bulk - filesBefore - files.length * FILE.unique,
    ]);
    expect(calls.verify).toBe(traces.size);
    expect(bulk - filesBefore).toBe(files.length * FILE.unique);
  });

  it('has every outcome', async () => {
    const reported = [...load.acknowledged.traces].filter(([, isReported]) => isReported).map(([id]) => id);
    const lost: string[] = [];
    for (const id of reported) {
      const { trace } = await read<{ trace: { outcome: unknown } }>('member', `/v1/traces/${id}`);
      if (trace.outcome === null) lost.push(id);
    }
    expect(gone('outcomes', reported.length, lost)).toEqual([]);
  });

  it('has every rule, key and policy', async () => {
    const { rules, keys, policies } = load.acknowledged;
    const listed = await pages<{ display: string }>('/v1/domains/blocklist', 'entries');
    const domains = new Set(listed.map((entry) => JSON.stringify(entry)));
    expect(
      gone(
        'rules',
        rules.length,
        rules.filter((rule) => ![...domains].some((entry) => entry.includes(`"${rule}"`))),
      ),
    ).toEqual([]);
    const dead: string[] = [];
    for (const [id, key] of keys) {
      const { base_url: url } = await stack.now();
      const { status } = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
      if (status !== 200) dead.push(id);
    }
    expect(gone('keys', keys.size, dead)).toEqual([]);
    const changed: string[] = [];
    for (const [slug, name] of policies) {
      const text = JSON.stringify(await read('admin', `/v1/policies/${slug}`));
      if (!text.includes(`"${name}"`)) changed.push(`${slug}: ${name}: ${text}`);
    }
    expect(gone('policies, as they were last', policies.size, changed)).toEqual([]);
  });

  it('has every row of an import', async () => {
    const all = load.acknowledged.imports.flatMap(({ caller, rows: imported }) =>
      imported.map((row) => ({ caller, row })),
    );
    const unheld: string[] = [];
    for (let place = 0; place < all.length; place += Math.ceil(all.length / EXPORTS)) {
      const imported = all[place];
      if (imported === undefined) break;
      const { email, outcome } = imported.row;
      const admin = typeof imported.caller === 'string' ? ('admin' as const) : importingAdmin;
      const held = await load.acknowledge(admin, 'POST', '/v1/addresses/export', { email });
      if (!JSON.stringify(held).includes(`"${outcome}"`)) unheld.push(email);
    }
    expect(gone('rows of imports, held under the address', Math.min(EXPORTS, all.length), unheld)).toEqual([]);
    const unknown: number[] = [];
    for (const { caller, rows: imported } of load.acknowledged.imports) {
      const again = await ask(stack, caller, 'POST', '/v1/outcomes/import', { outcomes: imported });
      const { duplicates = 0 } = JSON.parse(again?.text ?? '{}') as { duplicates?: number };
      for (let missing = duplicates; missing < imported.length; missing += 1) unknown.push(missing);
    }
    expect(gone('rows of imports, each known when it comes again', all.length, unknown)).toEqual([]);
  });

  it('has results of files as if undisturbed', () => {
    const { files } = load.acknowledged;
    expect(
      gone(
        'files, byte for byte but for the ids of traces',
        files.length,
        files.filter((text) => text !== expectedFile),
      ),
    ).toEqual([]);
  });

  it('knows who had signed in', () => {
    expect(
      gone(
        'requests of a session of before the first kill',
        sessions.length,
        sessions.filter((status) => status !== 200),
      ),
    ).toEqual([]);
  });
});

afterAll(async () => {
  const { again, faults } = load?.acknowledged ?? nothingYet();
  writeFindings('crashes', {
    summary: `${stack?.deaths.length ?? 0} kills (SIGKILL, seed ${SEED}) of the runtime of the whole local stack, each ${LIFE_MS[0]} to ${LIFE_MS[1]} ms after it was up: ${lives['Postgres away']} of them while Postgres was away. Ten clients went on all the time, and sent again what was cut or refused as an outage (${again} requests). KV was lost in about half of the kills. ${faults.length === 0 ? 'No answer was a failure of the service.' : `Failures of the service: ${faults.length}.`}`,
    tables: [{ columns: ['what', 'acknowledged', 'lost, or too many'], rows }],
  });
  await stack?.remove();
});
