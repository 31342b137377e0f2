import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../src/kernel/clock.ts';
import { writeFindings } from './document.ts';
import { type Boundary, isAuthorized } from './exactness/boundary.ts';
import { JOBS } from './exactness/jobs.ts';
import { LIMITS } from './exactness/limits.ts';
import { MONEY } from './exactness/money.ts';
import { CONNECTIONS, IDEMPOTENCY } from './exactness/repeats.ts';
import { type Answer, CLIENTS, openWorld, type World } from './exactness/world.ts';

/** How much of a minute must be left before a case that has to fit into it. */
const LEFT_MS = 30 * SECOND_MS;
const TRIES = 3;
const BOUNDARIES = [...LIMITS, ...MONEY, ...JOBS, ...IDEMPOTENCY, ...CONNECTIONS];

let world: World;
const rows: (string | number)[][] = [];
let requests = 0;

beforeAll(async () => {
  world = await openWorld();
}, 600_000);

/** Sends all requests, with as many at a time as there are clients. */
async function sendAll(count: number, send: (at: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (next < count) {
        const at = next;
        next += 1;
        answers[at] = await send(at);
      }
    }),
  );
  return answers;
}

const minuteNow = (): number => Math.floor(Date.now() / MINUTE_MS);

async function tried(boundary: Boundary) {
  for (let tries = 1; ; tries += 1) {
    const staged = await boundary.stage(world);
    const left = MINUTE_MS - (Date.now() % MINUTE_MS);
    if (boundary.isOfOneMinute && left < LEFT_MS) await sleep(left);
    const minute = minuteNow();
    const beside = staged.beside?.();
    const answers = await sendAll(boundary.requests, (at) => world.ask(staged.send(at)));
    requests += answers.length;
    await beside;
    if (!boundary.isOfOneMinute || minuteNow() === minute) return { staged, answers };
    if (tries === TRIES) throw new Error('no minute held all of the requests');
  }
}

/** The table's text for an unauthorized answer. */
function refusalOf(boundary: Boundary, { status, body }: Answer): string {
  if (status < 300) return boundary.refused.find((each) => each.startsWith(`${status}, `)) ?? String(status);
  return `${status} ${body?.error?.code ?? body?.code ?? ''}`.trim();
}

describe(`${CLIENTS} clients at once`, () => {
  it.each(BOUNDARIES)('$what: exactly as many as fit', async (boundary) => {
    const { staged, answers } = await tried(boundary);
    const authorized = answers.filter((answer) => isAuthorized(boundary, answer));
    const others = answers.filter((answer) => !isAuthorized(boundary, answer));
    const refused = new Map<string, number>();
    for (const answer of others) {
      const refusal = refusalOf(boundary, answer);
      refused.set(refusal, (refused.get(refusal) ?? 0) + 1);
    }
    const counters = await staged.after(answers);
    const expected = Number.isNaN(boundary.authorized) ? 'any' : boundary.authorized;
    const counted = Object.entries(counters).map(([name, [is, should]]) =>
      is === should ? `${name} ${is}` : `**${name} ${is}, not ${should}**`,
    );
    rows.push([
      boundary.what,
      boundary.boundary,
      answers.length,
      expected === 'any' || expected === authorized.length
        ? authorized.length
        : `**${authorized.length}, not ${expected}**`,
      [...refused].map(([refusal, times]) => `${refusal} × ${times}`).join(', '),
      counted.join(', '),
    ]);
    for (const [name, [is, should]] of Object.entries(counters)) expect([name, is]).toEqual([name, should]);
    if (expected !== 'any') expect(authorized).toHaveLength(expected);
    else expect(authorized.length).toBeGreaterThan(0);
    for (const refusal of refused.keys()) expect(boundary.refused).toContain(refusal);
  });
});

afterAll(async () => {
  writeFindings('exactness', {
    summary: `${requests} requests of ${CLIENTS} clients at the same time to the whole local stack, its object in the real runtime; one provider, one vendor of enrichment and the senders of webhooks stand on the same machine and count for themselves. Each row has an organisation of its own. What is not as it should be is bold.`,
    tables: [
      { columns: ['what', 'boundary', 'sent', 'authorized', 'the others were answered', 'counted afterwards'], rows },
    ],
  });
  await world?.stop();
});
