import { expect, it } from 'vitest';
import { SECOND_MS } from '../../src/kernel/clock.ts';
import { startService } from '../support/service.ts';

const service = await startService();
service.faults.delayMs = 0;

/** `ERASURES=1000` for the whole promise; a few show the same. */
const ERASURES = Number(process.env.ERASURES ?? 40);
const AT_ONCE = 4;

type Organisation = Awaited<ReturnType<typeof service.createOrganisation>>;
const post = async ({ keys }: Organisation, path: string, body: object, key: keyof typeof keys = 'member') => {
  const answer = await service.call('POST', path, keys[key], body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};
const numberOf = async (of: Organisation, email: string): Promise<number> =>
  (await post(of, '/v1/verify', { email })).bounce_probability;
const usage = async ({ keys }: Organisation) => (await service.call('GET', '/v1/usage', keys.viewer)).body;
const nowS = (): number => Math.floor(Date.now() / SECOND_MS);

it('erasures beside live traffic change no counter, and no number of an address elsewhere by more than .001', async () => {
  const [mine, other] = [await service.createOrganisation(), await service.createOrganisation()];
  const gone = Array.from({ length: ERASURES }, (_, i) => `gone${i}@business.test`);
  // At another domain: what a domain shows is made of its addresses, so an erased one takes its part of that along.
  const stays = Array.from({ length: 10 }, (_, i) => `stays${i}@zoho.test`);
  const outcomes = gone.map((email, i) => ({
    email,
    outcome: i % 9 === 0 ? 'hard_bounce' : 'delivered',
    at: nowS() - 86_400,
  }));
  for (const of of [mine, other]) {
    for (let from = 0; from < outcomes.length; from += 500)
      await post(of, '/v1/outcomes/import', { outcomes: outcomes.slice(from, from + 500) });
    for (const email of stays) await numberOf(of, email);
  }
  const seen = async (of: Organisation) => Promise.all(stays.map((email) => numberOf(of, email)));
  const [before, ofOther] = [await seen(mine), await seen(other)];
  const used = await usage(mine);
  let calls = 0;
  const left = gone.values();
  const eraser = async (): Promise<void> => {
    for (const email of left) {
      await post(mine, '/v1/addresses/forget', { email }, 'admin');
      await numberOf(mine, `live${calls}@zoho.test`);
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, eraser));
  const after = await seen(mine);
  for (const [place, number] of after.entries()) expect(Math.abs(number - (before[place] ?? 0))).toBeLessThan(0.001);
  expect(await seen(other)).toEqual(ofOther);
  const usedNow = await usage(mine);
  expect(usedNow.calls).toEqual({ ...used.calls, verify: used.calls.verify + calls + stays.length });
  const rows = async (of: Organisation) =>
    (await service.database.query('select 1 from mail_report where organisation_id = $1', [of.id])).rows.length;
  expect([await rows(mine), await rows(other)]).toEqual([0, outcomes.length]);
}, 600_000);
