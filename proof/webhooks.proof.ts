import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FAKES } from '../scripts/mail-fakes/services.ts';
import { SECOND_MS } from '../src/kernel/clock.ts';
import { eventAt } from '../test/support/mail-services.ts';
import { startTestStack, type TestStack } from '../test/support/stack.ts';
import { writeFindings } from './document.ts';
import { countOr } from './support/settings.ts';

const SECONDS = countOr(3_600);
const WEBHOOKS_A_SECOND = 50;
const VERIFICATIONS_A_SECOND = 10;
/** A mail service reports this long after the verification at least. */
const MAIL_TAKES_MS = 2 * SECOND_MS;
/** Mail services send a webhook again that was not taken: after a minute and more; here sooner, to see it. */
const AGAIN_MS = 10 * SECOND_MS;
/** Embedded Postgres runs a statement at a time, on the CPU of the runtime; a server is nearer to Neon. */
const { TEST_DATABASE_URL: DATABASE_URL } = process.env;
/** What is acknowledged stands in Postgres this long after the last request. */
const WRITTEN_WITHIN_MS = 120_000;
const PARTS = 6;
const WARM_UP = 300;

let stack: TestStack;
let connection: string;
const service = FAKES.postmark(Date.now());

beforeAll(async () => {
  stack = await startTestStack({
    isLongLived: true,
    databaseDelayMs: 2,
    env: DATABASE_URL === undefined ? {} : { DATABASE_URL },
  });
  const limits = { rate_per_minute: 1_000_000, verification_quota: 0 };
  const changed = await fetch(`${stack.base_url}/operator/v1/organisations/${stack.org_id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${stack.keys.operator}`, 'content-type': 'application/json' },
    body: JSON.stringify(limits),
  });
  expect(changed.status).toBe(200);
  const made = await stack.request('/v1/connections', stack.keys.admin, { kind: 'postmark', secret: service.secret });
  connection = ((await made.json()) as { connection: { id: string } }).connection.id;
});
afterAll(() => stack.remove());

/** How one kind of request was answered in one part of the run. */
interface Tally {
  readonly ms: number[];
  readonly refused: Map<number, number>;
}
const tallies = (): Tally[] => Array.from({ length: PARTS }, () => ({ ms: [], refused: new Map() }));
const webhooks = tallies();
const verifications = tallies();
const memory: number[] = [];

const residentMb = (): number => {
  const runtime = stack.processes().find(({ name }) => name === 'workerd');
  const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${runtime?.pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kb) / 1_024);
};

/** Sends until it is taken, and notes how long each answer took. */
async function deliver(tally: Tally, send: () => Promise<Response>): Promise<void> {
  for (;;) {
    const begun = performance.now();
    const response = await send();
    await response.body?.cancel();
    tally.ms.push(performance.now() - begun);
    if (response.ok) return;
    tally.refused.set(response.status, (tally.refused.get(response.status) ?? 0) + 1);
    await sleep(AGAIN_MS);
  }
}

const percentile = (values: readonly number[], share: number): string =>
  (values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN).toFixed(0);

async function countOf(table: string): Promise<number> {
  const query = `select count(*) from ${table} where organisation_id = $1`;
  const { rows } = (await (await stack.database.query(query, [stack.org_id])).json()) as { rows: { count: string }[] };
  return Number(rows[0]?.count);
}

it(
  'an hour of 50 webhooks a second beside verifications loses none and falls behind in nothing',
  {
    timeout: SECONDS * SECOND_MS + 600_000,
  },
  async () => {
    const verified: { email: string; at: number }[] = [];
    let serial = 0;
    const webhook = (tally: Tally): Promise<void> => {
      serial += 1;
      const known = serial % 5 === 0 && (verified[0]?.at ?? Infinity) < Date.now() - MAIL_TAKES_MS;
      const email = known ? (verified.shift()?.email ?? '') : `sent${serial}@business.test`;
      const event = eventAt('postmark', serial % 10 === 0 ? 'hard bounce' : 'delivered', Date.now(), email);
      const { headers, body } = service.sign({ ...event, ID: serial, MessageID: crypto.randomUUID() }, Date.now());
      const url = `${stack.base_url}/integrations/postmark/${connection}`;
      return deliver(tally, () => fetch(url, { method: 'POST', headers, body }));
    };
    const verification = async (tally: Tally): Promise<void> => {
      serial += 1;
      const email = `person${serial}@business.test`;
      await deliver(tally, () => stack.request('/v1/verify', stack.keys.member, { email }));
      verified.push({ email, at: Date.now() });
    };

    // A runtime that has just started takes seconds to compile what it runs.
    const warming: Tally = { ms: [], refused: new Map() };
    for (let n = 0; n < WARM_UP; n += 1) await Promise.all([webhook(warming), verification(warming)]);

    const requests: Promise<void>[] = [];
    const startedAt = Date.now();
    for (let second = 0; second < SECONDS; second += 1) {
      const part = Math.floor((second * PARTS) / SECONDS);
      for (const [tally, work, count] of [
        [webhooks[part], webhook, WEBHOOKS_A_SECOND],
        [verifications[part], verification, VERIFICATIONS_A_SECOND],
      ] as const)
        for (let n = 0; n < count; n += 1) {
          const at = startedAt + second * SECOND_MS + (n * SECOND_MS) / count;
          if (tally !== undefined) requests.push(sleep(Math.max(0, at - Date.now())).then(() => work(tally)));
        }
      await sleep(Math.max(0, startedAt + (second + 1) * SECOND_MS - Date.now()));
      if (Math.floor(((second + 1) * PARTS) / SECONDS) > part) memory.push(residentMb());
    }
    await Promise.all(requests);

    const sent = [WEBHOOKS_A_SECOND, VERIFICATIONS_A_SECOND].map((rate) => SECONDS * rate + WARM_UP);
    const kept = () => Promise.all([countOf('mail_report'), countOf('trace')]);
    await expect.poll(kept, { timeout: WRITTEN_WITHIN_MS, interval: SECOND_MS }).toEqual(sent);
    const refused = [...webhooks, ...verifications].flatMap((tally) => [...tally.refused.keys()]);
    expect(new Set(refused)).toEqual(new Set());
  },
);

afterAll(() =>
  writeFindings('webhooks', {
    summary: `${SECONDS} seconds of ${WEBHOOKS_A_SECOND} webhooks and ${VERIFICATIONS_A_SECOND} verifications a second to one organisation on the whole local stack; a fifth of the events are about addresses that were verified before. All are acknowledged at the first attempt and stand in Postgres. Times are those of one machine, and stand here for how they change.`,
    tables: [
      {
        columns: ['part', 'webhooks', 'p50, p99 in ms', 'verifications', 'p50, p99 in ms', 'memory of the runtime, MB'],
        rows: webhooks.map(({ ms }, part) => {
          const { ms: ofVerifications = [] } = verifications[part] ?? {};
          const times = (values: readonly number[]) => `${percentile(values, 0.5)}, ${percentile(values, 0.99)}`;
          return [
            part + 1,
            ms.length,
            times(ms),
            ofVerifications.length,
            times(ofVerifications),
            memory[part] ?? Number.NaN,
          ];
        }),
      },
    ],
  }),
);
