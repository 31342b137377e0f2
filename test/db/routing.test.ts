import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TraceDetail } from '../../src/domain/traces/traces.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { newId } from '../../src/kernel/ids.ts';
import { sumRoutes } from '../../src/storage/postgres/calibration.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { START_MS, TRACE_DETAIL, traceRecord } from '../support/records.ts';
import { writeTraces } from '../support/write-traces.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

type Step = NonNullable<TraceDetail['route']>[number];

const candidate = (provider: string, price: number, value: number) => ({
  provider,
  price_usd: price,
  value_usd: value,
  cost_usd: price + 0.001,
  latency_ms: 900,
  failure_rate: 0,
});
const step = (choice: string, stop: number, candidates: Step['candidates'] = []): Step => ({
  choice,
  probability: 0.1,
  stop_value_usd: stop,
  candidates,
  excluded: [],
  missed: false,
  left: { cost_usd: 0.02, latency_ms: 3_500 },
});

const GOOD = candidate('bouncer', 0.005, 0.03);
const DEAR = candidate('hunter', 0.01, 0.05);

it('sums the cost of asking over live judgements with a provider to ask, beside never and always asking', async () => {
  const organisationId = newId('org', START_MS);
  const trace = (route: Step[], change: object = {}) =>
    traceRecord({
      organisationId,
      id: newId('vr', START_MS),
      detail: { ...TRACE_DETAIL, route },
      ...change,
    });
  const asked = [step('bouncer', 0.1, [DEAR, GOOD]), step('stop', 0.02, [DEAR])];
  const old = START_MS - 40 * DAY_MS;
  await writeTraces(database.db, [
    trace(asked),
    trace([step('stop', 0.01, [GOOD])]),
    trace([step('stop', 0.5)]),
    trace([]),
    trace(asked, { mode: 'test' }),
    trace(asked, { id: newId('vr', old), createdAt: old }),
    trace(asked, { organisationId: newId('org', START_MS) }),
    trace(asked, { detail: null }),
  ]);
  const sums = await sumRoutes(database.db, organisationId, START_MS - 30 * DAY_MS, 100);
  expect(sums.addresses).toBe(2);
  const near = (spend: number, loss: number) => ({
    spend_usd: expect.closeTo(spend, 9),
    loss_usd: expect.closeTo(loss, 9),
  });
  expect(sums.router).toEqual(near(0.005, 0.02 + 0.01));
  expect(sums.always).toEqual(near(0.005 + 0.005, 0.02 + (0.03 - 0.006)));
  expect(sums.never).toEqual(near(0, 0.1 + 0.01));
});

it('an account without judgements has no sums', async () => {
  const none = { spend_usd: 0, loss_usd: 0 };
  expect(await sumRoutes(database.db, newId('org', START_MS), 0, 100)).toEqual({
    addresses: 0,
    router: none,
    always: none,
    never: none,
  });
});
