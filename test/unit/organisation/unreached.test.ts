import { beforeEach, describe, expect, it, vi } from 'vitest';
import { stubNeon } from '../../support/fake-neon.ts';
import type { TestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';
import { type CallEnd, createKnown, openUnreliable } from '../../support/unreliable-object.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
  stubNeon().answer = () => 'down';
});

const IDEMPOTENCY = { key: 'k', route: 'verify', body: '{}' };

/** One verification from authorization to its last deferred work; `failures`: what becomes of its first calls. */
async function serve(
  organisation: TestOrganisation,
  traceId: `vr_${string}`,
  failures: readonly CallEnd[] = [],
  idempotency: typeof IDEMPOTENCY | null = null,
) {
  const { exchange, deferred } = openUnreliable(organisation, traceId, failures, idempotency);
  const authorization = await exchange.authorize(null);
  const earlier = authorization.reached ? authorization.earlier : null;
  if (earlier?.answer) return { exchange, answer: earlier.answer };
  const trace = { id: traceId, record: `{"id":"${traceId}"}`, kind: 'trace', addressHash: null } as const;
  const settled = await exchange.commit({ trace, spendMicros: 0, answer: () => `answer of ${traceId}` });
  await Promise.all(deferred);
  return { exchange, answer: settled ?? `answer of ${traceId}` };
}

const held = async ({ object }: TestOrganisation, traceId: `vr_${string}`) => (await object.flush(traceId)).held;
const verified = async (organisation: TestOrganisation) => (await organisation.usage()).calls.verify;

describe('a verification served while its object gave no answer', () => {
  it('is charged and traced after the answer when the object is back', async () => {
    const organisation = await createKnown();
    await serve(organisation, 'vr_1', ['not sent']);
    expect(await verified(organisation)).toBe(1);
    expect(await held(organisation, 'vr_1')).toBe('{"id":"vr_1"}');
  });

  it('is charged once though the object had charged it and only the answer was lost', async () => {
    const organisation = await createKnown();
    await serve(organisation, 'vr_1', ['answer lost']);
    expect(await verified(organisation)).toBe(1);
  });

  it('is traced once though the answer to its commit was lost', async () => {
    const organisation = await createKnown();
    const before = (await organisation.object.status())?.outboxRows ?? 0;
    await serve(organisation, 'vr_1', ['answer lost', 'answer lost', 'answer lost']);
    await organisation.commit('vr_1');
    expect((await organisation.object.status())?.outboxRows).toBe(before + 1);
  });

  it('is traced though the late charge finds the quota spent', async () => {
    const organisation = await createKnown({ verificationQuota: 1 });
    await organisation.authorize();
    await serve(organisation, 'vr_1', ['not sent']);
    expect(await verified(organisation)).toBe(1);
    expect(await held(organisation, 'vr_1')).toBe('{"id":"vr_1"}');
  });

  it('is taken back when it fails on our side after an authorization whose answer was lost', async () => {
    const organisation = await createKnown();
    const { exchange } = await serve(organisation, 'vr_1', ['answer lost', 'not sent', 'not sent']);
    expect(await verified(organisation)).toBe(1);
    await exchange.reverse();
    expect(await verified(organisation)).toBe(0);
  });

  it('answers its repeat under the same Idempotency-Key the same, charged once', async () => {
    const organisation = await createKnown();
    await serve(organisation, 'vr_1', ['not sent'], IDEMPOTENCY);
    expect(await serve(organisation, 'vr_2', [], IDEMPOTENCY)).toMatchObject({ answer: 'answer of vr_1' });
    expect(await verified(organisation)).toBe(1);
  });

  // The late charge was refused, so the commit is all the object knows of the operation: it must carry the body's hash.
  it('answers its repeat the same also when it could not be charged', async () => {
    const organisation = await createKnown({ verificationQuota: 1 });
    await organisation.authorize();
    await serve(organisation, 'vr_1', ['not sent'], IDEMPOTENCY);
    expect(await serve(organisation, 'vr_2', [], IDEMPOTENCY)).toMatchObject({ answer: 'answer of vr_1' });
  });
});
