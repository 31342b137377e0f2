import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Admission } from '../../../src/services/admission.ts';
import { AdmissionMemory } from '../../../src/services/admission-memory.ts';
import { type Attempt, AttemptEnded } from '../../../src/services/attempt.ts';
import { hashOf } from '../../support/addresses.ts';
import { stubNeon } from '../../support/fake-neon.ts';
import { START_MS } from '../../support/records.ts';
import { type CallEnd, createKnown, openUnreliable } from '../../support/unreliable-object.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  stubNeon().answer = () => 'down';
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const PROBE = {
  addressHash: 'a'.repeat(64),
  domain: 'acme.example',
  history: { domain: hashOf('acme.example'), purpose: 'signup' } as const,
};

/** An isolate in front of a real object, which has admitted one request with the key before. */
async function openIsolate(limits: object = {}) {
  const organisation = await createKnown(limits);
  const admissions = new AdmissionMemory();
  let operations = 0;

  /** One verification, from its attempt to its last deferred work. `failures`: what becomes of its first calls. */
  async function serve(failures: readonly CallEnd[] = []) {
    operations += 1;
    const { exchange, calls, deferred } = openUnreliable(organisation, `vr_${operations}`, failures, null, admissions);
    const answer = async ({ admitted, commit = exchange.commit }: { admitted: Admission } & Partial<Attempt>) => {
      const id = exchange.traceId;
      const record = JSON.stringify({ id, reached: admitted.reached });
      await commit({ trace: { kind: 'trace', id, record, addressHash: null }, spendMicros: 0, answer: () => '' });
      return { id, record };
    };
    const attempt = await exchange.attempt(PROBE);
    const answered =
      attempt === null
        ? await answer({ admitted: await exchange.authorize(PROBE) })
        : await answer(attempt).catch(async (ended: AttemptEnded) =>
            answer({ admitted: ended.admission ?? (await exchange.authorize(PROBE)) }),
          );
    await Promise.all(deferred);
    const { held } = await organisation.object.flush(answered.id as `vr_${string}`);
    return { ...answered, held, calls, attempt };
  }

  await serve();
  return { ...organisation, serve, verified: async () => (await organisation.usage()).calls.verify };
}
type Isolate = Awaited<ReturnType<typeof openIsolate>>;

const change = ({ object }: Isolate) => object.configure({ name: `Acme ${Math.random()}` });

describe('an attempt', () => {
  it('takes one call where nothing has changed', async () => {
    const isolate = await openIsolate();
    expect((await isolate.serve()).calls).toEqual(['admit']);
  });

  it('takes two where the account has changed, and one again afterwards', async () => {
    const isolate = await openIsolate();
    await change(isolate);
    expect((await isolate.serve()).calls).toEqual(['admit', 'finish']);
    expect((await isolate.serve()).calls).toEqual(['admit']);
  });

  it('is not made again for an organisation whose last request was refused', async () => {
    const isolate = await openIsolate({ verificationQuota: 1 });
    await expect(isolate.serve()).rejects.toMatchObject({ code: 'quota_exceeded' });
    await isolate.object.configure({ limits: { verificationQuota: 10 } });
    expect((await isolate.serve()).attempt).toBeNull();
  });

  it('reserves nothing: it ends where a vendor would be paid, and the next request is none', async () => {
    const isolate = await openIsolate();
    const { attempt } = await isolate.serve();
    expect(attempt?.admitted).toMatchObject({ providerLeftMicros: Number.POSITIVE_INFINITY, earlier: null });
    await expect(attempt?.reserveEnrichment(1)).rejects.toBeInstanceOf(AttemptEnded);
    await expect(attempt?.reserveProviders(1)).rejects.toBeInstanceOf(AttemptEnded);
    expect((await isolate.serve()).attempt).toBeNull();
  });

  it.each([
    ['money', { spendMicros: 1 }],
    ['something learnt', { learnt: {} as never }],
    ['another record', { more: [{ kind: 'trace', id: 'vr_more', record: '{}', addressHash: null } as const] }],
  ])('enters its trace alone: %s beside it is a fault', async (_, beside) => {
    const { attempt } = await (await openIsolate()).serve();
    const trace = { kind: 'trace', id: 'vr_9', record: '{}', addressHash: null } as const;
    await expect(attempt?.commit({ trace, spendMicros: 0, answer: () => '', ...beside })).rejects.toThrow(
      'more to enter',
    );
  });

  it('takes one place of the minute, and is charged, though it was the last and got no answer', async () => {
    const isolate = await openIsolate({ ratePerMinute: 2 });
    const before = await isolate.verified();
    await isolate.serve(['answer lost']);
    expect(await isolate.verified()).toBe(before + 1);
    await expect(isolate.serve()).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('is not made while the object is out of reach', async () => {
    const isolate = await openIsolate();
    expect((await isolate.serve(['not sent', 'not sent', 'not sent'])).attempt).not.toBeNull();
    expect((await isolate.serve()).attempt).toBeNull();
    expect((await isolate.serve()).attempt).not.toBeNull();
  });

  it.each<[string, readonly CallEnd[], readonly string[]]>([
    ['nothing fails', [], ['admit']],
    ['the object never got the question', ['not sent'], ['admit', 'admit', 'finish']],
    ['its answer was lost', ['answer lost'], ['admit', 'admit', 'finish']],
    [
      'its answer was lost, and that to the late question',
      ['answer lost', 'answer lost'],
      ['admit', 'admit', 'finish'],
    ],
  ])('is charged once, and its answer is the one in the trace it names: %s', async (_, failures, calls) => {
    const isolate = await openIsolate();
    const before = await isolate.verified();
    const { record, held, calls: made } = await isolate.serve(failures);
    expect(made).toEqual(calls);
    expect(held).toBe(record);
    expect(await isolate.verified()).toBe(before + 1);
  });

  it.each<[string, readonly CallEnd[]]>([
    ['the object never got the question', ['not sent']],
    ['its answer was lost', ['answer lost']],
    ['its answer was lost, and that to the late question', ['answer lost', 'answer lost']],
  ])('of an account that has changed is charged once where %s', async (_, failures) => {
    const isolate = await openIsolate();
    await change(isolate);
    const before = await isolate.verified();
    const { record, held } = await isolate.serve(failures);
    expect(held).toBe(record);
    expect(await isolate.verified()).toBe(before + 1);
  });
});
