import { expect, vi } from 'vitest';
import { SECOND_MS } from '../../src/kernel/clock.ts';
import type { startService } from './service.ts';

type Service = Awaited<ReturnType<typeof startService>>;
type Organisation = Awaited<ReturnType<Service['createOrganisation']>>;

/** Concurrent erasures, each followed by a verification. */
const AT_ONCE = 4;
/** Domains of erased and kept addresses: a neighbour's number depends on its domain and list. */
const DOMAINS = ['business.test', 'zoho.test'];

/**
 * Erases addresses with imported outcomes during live traffic, and checks the counts and another account. Returns how far
 * the numbers of the other addresses moved.
 */
export async function eraseBesideTraffic(service: Service, erasures: number): Promise<number[]> {
  const post = async ({ keys }: Organisation, path: string, body: object, key: keyof typeof keys = 'member') => {
    const answer = await service.call('POST', path, keys[key], body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const numberOf = async (of: Organisation, email: string): Promise<number> =>
    (await post(of, '/v1/verify', { email })).bounce_probability;
  const usage = async ({ keys }: Organisation) => (await service.call('GET', '/v1/usage', keys.viewer)).body;
  const at = Math.floor(Date.now() / SECOND_MS) - 86_400;
  const reported = (email: string, place: number) => ({
    email,
    outcome: place % 9 === 0 ? 'hard_bounce' : 'delivered',
    ...(place % 9 === 0 && { smtp_code: '550 5.1.1 user unknown' }),
    at,
  });

  // Time stands still, since evidence ages.
  vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
  const [mine, other] = [await service.createOrganisation(), await service.createOrganisation()];
  const gone = Array.from({ length: erasures }, (_, i) => `gone${i}@${DOMAINS[i % DOMAINS.length]}`);
  // Half of them are known by a report of their own, the others by their domain alone.
  const known = DOMAINS.flatMap((domain) => Array.from({ length: 3 }, (_, i) => `known${i}@${domain}`));
  const stays = [...known, ...DOMAINS.flatMap((domain) => [0, 1, 2].map((i) => `stranger${i}@${domain}`))];
  const outcomes = [...gone, ...known].map(reported);
  for (const of of [mine, other])
    for (let from = 0; from < outcomes.length; from += 500)
      await post(of, '/v1/outcomes/import', { outcomes: outcomes.slice(from, from + 500) });
  const seen = async (of: Organisation) => Promise.all(stays.map((email) => numberOf(of, email)));
  const [before, ofOther] = [await seen(mine), await seen(other)];
  const used = await usage(mine);

  let calls = 0;
  const left = gone.values();
  const eraser = async (): Promise<void> => {
    for (const email of left) {
      await post(mine, '/v1/addresses/forget', { email }, 'admin');
      calls += 1;
      await numberOf(mine, `live${calls}@${DOMAINS[calls % DOMAINS.length]}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, eraser));

  const after = await seen(mine);
  expect(await seen(other)).toEqual(ofOther);
  expect((await usage(mine)).calls).toEqual({ ...used.calls, verify: used.calls.verify + calls + stays.length });
  const rows = async (of: Organisation) =>
    (await service.database.query('select 1 from mail_report where organisation_id = $1', [of.id])).rows.length;
  expect([await rows(mine), await rows(other)]).toEqual([known.length, outcomes.length]);
  const { sql } = service.objectOf(mine.id).storage;
  expect(sql.exec('select name from address_facts').toArray()).toHaveLength(known.length);
  vi.useRealTimers();
  return after.map((number, place) => Math.abs(number - (before[place] ?? 0)));
}
