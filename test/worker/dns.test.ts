import { beforeAll, describe, expect, it, vi } from 'vitest';
import { captureLog } from '../support/capture-log.ts';
import { call, createOrganisation, holdAlarms, passTime, until } from '../support/worker.ts';

captureLog();
let mine: Awaited<ReturnType<typeof createOrganisation>>;
beforeAll(async () => {
  mine = await createOrganisation();
});

/** One invocation of its own: none may wait for what another has started. */
const verify = (domain: string, maxLatencyMs?: number) => {
  const context = maxLatencyMs === undefined ? {} : { max_latency_ms: maxLatencyMs };
  return call('POST', '/v1/verify', mine.key, { email: `ada@${domain}`, context });
};

describe('requests for one domain side by side', () => {
  it('each answer: the first at its own ceiling, the others with what DNS says a moment later', async () => {
    const order: string[] = [];
    const noted = (name: string, request: ReturnType<typeof verify>) => request.finally(() => order.push(name));
    const [a, b, c] = await Promise.all([
      noted('a', verify('slow.test', 200)),
      noted('b', verify('slow.test')),
      noted('c', verify('slow.test')),
    ]);
    expect(order[0]).toBe('a');
    expect(a.status).toBe(200);
    expect(a.body).toMatchObject({ signals: { mx: null }, reasons: ['mx_unresolved'] });
    for (const { status, body } of [b, c]) {
      expect(status).toBe(200);
      expect(body).toMatchObject({ signals: { mx: true }, reasons: [] });
    }
  });

  it('each answer, though no resolver ever does: every one at its own ceiling', async () => {
    const order: number[] = [];
    const answers = await Promise.all(
      [900, 300, 600].map(async (ms) => {
        const answer = await verify('timeout.test', ms);
        order.push(ms);
        return answer;
      }),
    );
    expect(order).toEqual([300, 600, 900]);
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body).toMatchObject({ signals: { mx: null }, reasons: ['mx_unresolved'] });
    }
  });

  it('leave their look-up to commit when they give up, and the next one finds the facts', async () => {
    holdAlarms();
    // What was learnt of the name before has expired.
    passTime(600_000);
    expect((await verify('slow.test', 0)).body.signals.mx).toBe(null);
    await until(async () => (await verify('slow.test', 0)).body.signals.mx === true);
    vi.useRealTimers();
  });
});
