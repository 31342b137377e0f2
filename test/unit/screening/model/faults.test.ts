import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ModelFault } from '../../../../src/domain/screening/model.ts';
import { completion, KEY, PRICE_MICROS, type Respond, world } from './world.ts';

const NAME = 'Ada Lovelace';
const TIMEOUT_MS = 1_500;

beforeEach(() => {
  vi.useFakeTimers();
});

/** A body in pieces for ever; `cancelled` once it is let go. */
function endless(piece: Uint8Array, pauseMs: number) {
  const seen = { cancelled: false };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (!seen.cancelled) controller.enqueue(piece);
    },
    cancel: () => {
      seen.cancelled = true;
    },
  });
  return { body, seen };
}

const page =
  (status: number, body: BodyInit | null, headers: Record<string, string> = {}): Respond =>
  () =>
    new Response(body, { status, headers });

/** The fault, its failure kind, and whether the model may have answered. */
const FAULTS: readonly (readonly [fault: string, respond: Respond, kind: ModelFault, paid: boolean])[] = [
  ['a refused connection', () => Promise.reject(new TypeError('fetch failed')), 'unreachable', true],
  ['a hang that ignores its signal', () => new Promise(() => undefined), 'timeout', true],
  ['a slow drip', () => new Response(endless(new Uint8Array([0x20]), 100).body), 'timeout', true],
  ['a body without end', () => new Response(endless(new Uint8Array(16_384).fill(0x20), 0).body), 'too_large', true],
  ['500', page(500, 'oops'), 'server_error', true],
  ['503 from a gateway', page(503, '<html>'), 'server_error', true],
  ['429', page(429, '{}', { 'retry-after': '60' }), 'rate_limited', false],
  ['401', page(401, '{}'), 'unauthorized', false],
  ['402', page(402, '{}'), 'unauthorized', false],
  ['400 of a content filter', page(400, '{"error":{"code":"content_filter"}}'), 'refused', false],
  ['404', page(404, 'not here'), 'unreachable', false],
  ['a redirect', page(307, null, { location: 'https://elsewhere.test/' }), 'unreachable', false],
  ['202', page(202, '{}'), 'malformed', true],
  ['garbage', page(200, '<html>Welcome</html>'), 'malformed', true],
  ['no body', page(200, null), 'malformed', true],
  ['bytes that are not UTF-8', page(200, new Uint8Array([0xff, 0xfe, 0x7b])), 'malformed', true],
  ['truncated JSON', page(200, '{"choices":[{"message":{"content":"{\\"fake_na'), 'malformed', true],
  ['another schema', page(200, '{"fake_name":"unlikely"}'), 'malformed', true],
  ['no choice', page(200, '{"choices":[]}'), 'malformed', true],
  ['a refusal', page(200, '{"choices":[{"message":{"content":null,"refusal":"no"}}]}'), 'malformed', true],
  [
    'content of another type',
    page(200, '{"choices":[{"message":{"content":{"fake_name":"likely"}}}]}'),
    'malformed',
    true,
  ],
  ['JSON nested to the cap', page(200, '['.repeat(65_000)), 'malformed', true],
];

describe('a back end that fails', () => {
  it.each(FAULTS)('by %s costs its label and no more', async (_, respond, kind, paid) => {
    const logs = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) => vi.spyOn(console, name));
    const { ask, failed, requests } = world(respond);
    const asked = ask(NAME, null);
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
    const answers = await asked;
    expect(answers).toEqual({
      fakeName: 'not_checked',
      domainCheck: 'not_checked',
      degraded: true,
      costMicros: paid ? PRICE_MICROS : 0,
    });
    expect(failed()).toEqual([`fake_name:${kind}`]);
    expect(JSON.stringify(answers)).not.toMatch(new RegExp(`${KEY}|ada|lovelace`, 'i'));
    for (const log of logs) expect(log).not.toHaveBeenCalled();
    // Never again elsewhere, never again at all.
    expect(requests).toHaveLength(1);
  });

  it('has its connection let go', async () => {
    const { body, seen } = endless(new Uint8Array(16_384), 0);
    await world(() => new Response(body)).ask(NAME, null);
    expect(seen.cancelled).toBe(true);
  });

  it('has its request ended with its time', async () => {
    const { ask, requests } = world(() => new Promise(() => undefined));
    const asked = ask(NAME, null);
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
    await asked;
    expect(requests[0]?.init.signal?.aborted).toBe(true);
  });
});

describe('the circuit', () => {
  const failing = (respond: Respond) => {
    const clock = { ms: 1_700_000_000_000 };
    return { clock, ...world(respond, { now: () => clock.ms }) };
  };

  it('opens after five failures in a row: not asked, not paid, degraded', async () => {
    const { ask, failed, requests } = failing(page(500, null));
    for (let i = 0; i < 5; i += 1) await ask(NAME, null);
    expect(await ask(NAME, null)).toEqual({
      fakeName: 'not_checked',
      domainCheck: 'not_checked',
      costMicros: 0,
      degraded: true,
    });
    expect(failed().at(-1)).toBe('fake_name:circuit_open');
    expect(requests).toHaveLength(5);
  });

  it('tries again after 30 seconds, and closes with an answer', async () => {
    let up = false;
    const { ask, clock, requests } = failing(() =>
      up ? completion('{"fake_name":"unlikely"}') : new Response(null, { status: 503 }),
    );
    for (let i = 0; i < 5; i += 1) await ask(NAME, null);
    clock.ms += 30_000;
    await ask(NAME, null);
    await ask(NAME, null);
    expect(requests).toHaveLength(6);
    up = true;
    clock.ms += 30_000;
    expect(await ask(NAME, null)).toMatchObject({ fakeName: 'unlikely', degraded: false });
    expect(await ask(NAME, null)).toMatchObject({ fakeName: 'unlikely', degraded: false });
  });

  it.each([
    ['an answer without a label', () => completion('Sure! Here is a poem.')],
    ['a refused request', page(400, '{}')],
  ] as const)('is not opened by %s: a stranger chose the name', async (_, respond) => {
    const { ask, requests } = failing(respond);
    for (let i = 0; i < 12; i += 1) await ask(NAME, null);
    expect(requests).toHaveLength(12);
  });
});
