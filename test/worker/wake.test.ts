import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  getQueueResult,
  type MessageBatchMessage,
  runInDurableObject,
  waitOnExecutionContext,
} from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { and, eq, inArray } from 'drizzle-orm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import worker from '../../src/index.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { QueueMessage } from '../../src/services/queue-message.ts';
import { organisation } from '../../src/storage/postgres/directory-schema.ts';
import { nightlyStep } from '../../src/storage/postgres/nightly-schema.ts';
import { upsertOrganisations } from '../../src/storage/postgres/organisations.ts';
import { settingsRecord } from '../support/records.ts';
import { captureLog } from '../support/capture-log.ts';
import { createOrganisation, database, holdAlarms, passTime, tracesInDatabase, until } from '../support/worker.ts';

captureLog();
afterEach(() => vi.useRealTimers());

/** Delivers messages to the Worker as the queue does, and says what became of each. */
async function deliver(
  messages: readonly Pick<MessageBatchMessage, 'id' | 'attempts' | 'body'>[],
  bindings: Env = env,
) {
  const batch = createMessageBatch(
    'email-verification-wake',
    messages.map((message) => ({ timestamp: new Date(), ...message })),
  );
  // The local queue's result lacks the delays.
  const retries = batch.messages.map((message) => ({ id: message.id, retry: vi.spyOn(message, 'retry') }));
  const context = createExecutionContext();
  await worker.queue(batch, bindings, context);
  const { outcome, explicitAcks } = await getQueueResult(batch, context);
  const retried = retries.flatMap(({ id, retry }) => retry.mock.calls.map(([options]) => ({ id, ...options })));
  return { outcome, acked: explicitAcks, retried };
}

const wake = (organisationId: string): QueueMessage => ({
  v: 1,
  kind: 'timers',
  organisationId: organisationId as QueueMessage['organisationId'],
});

const operators = () => env.OPERATORS.getByName('operators');

/** An organisation whose outbox holds one trace that is due, and whose alarm was lost. */
async function organisationInNeed() {
  const mine = await createOrganisation();
  const id = newId('vr', Date.now());
  await mine.commit(id, id);
  await runInDurableObject(mine.object, (_, state) => state.storage.deleteAlarm());
  passTime(1_000);
  return { ...mine, traceId: id };
}

describe('a wake message', () => {
  it('lets the organisation’s object do what is due; delivered again, it changes nothing', async () => {
    holdAlarms();
    const mine = await organisationInNeed();
    for (const attempts of [1, 2]) {
      expect(await deliver([{ id: 'm', attempts, body: wake(mine.id) }])).toEqual({
        outcome: 'ok',
        acked: ['m'],
        retried: [],
      });
      expect(await tracesInDatabase(mine.id)).toEqual([mine.traceId]);
      expect(await mine.outboxRows()).toBe(0);
    }
  });

  it('is finished for a deleted or unknown organisation', async () => {
    const gone = await createOrganisation();
    await gone.object.destroy();
    const messages = [gone.id, newId('org', Date.now())].map((id) => ({ id, attempts: 1, body: wake(id) }));
    expect((await deliver(messages)).acked).toEqual(messages.map(({ id }) => id));
    expect(await gone.object.status()).toBe(null);
  });

  it.each([
    { body: null, why: 'nothing' },
    { body: 'org_1', why: 'not an object' },
    { body: { v: 0, organisationId: newId('org', 0) }, why: 'no version' },
    { body: { v: 1 }, why: 'no organisation' },
    { body: { v: 1, kind: 'timers', organisationId: 'org_not-an-id' }, why: 'no id of ours' },
  ])('that is malformed is dropped, and keeps no other back: $why', async ({ body }) => {
    const mine = await createOrganisation();
    const messages = [
      { id: 'bad', attempts: 1, body },
      { id: 'good', attempts: 1, body: wake(mine.id) },
    ];
    expect((await deliver(messages)).acked.toSorted()).toEqual(['bad', 'good']);
  });

  it.each([{ kind: 'other' }, { v: 2 }])(
    'that only a later release reads comes again, and keeps no other back: %j',
    async (later) => {
      const mine = await createOrganisation();
      const messages = [
        { id: 'newer', attempts: 1, body: { ...wake(newId('org', 0)), ...later } },
        { id: 'good', attempts: 1, body: wake(mine.id) },
      ];
      expect((await deliver(messages)).acked).toEqual(['good']);
    },
  );

  it('whose object can not be reached is delivered again, alone, later each time', async () => {
    const mine = await createOrganisation();
    const unreachable = newId('org', Date.now());
    const ORGANISATION = {
      getByName: (id: string) =>
        id === unreachable ? { tick: () => Promise.reject(new Error('out of reach')) } : env.ORGANISATION.getByName(id),
    };
    const messages = [
      { id: 'reached', attempts: 1, body: wake(mine.id) },
      ...[1, 2, 3, 20].map((attempts) => ({ id: `after ${attempts}`, attempts, body: wake(unreachable) })),
    ];
    const bindings = { ...env, ORGANISATION } as unknown as Env;
    expect(await deliver(messages, bindings)).toEqual({
      outcome: 'ok',
      acked: ['reached'],
      retried: [
        { id: 'after 1', delaySeconds: 5 },
        { id: 'after 2', delaySeconds: 10 },
        { id: 'after 3', delaySeconds: 20 },
        { id: 'after 20', delaySeconds: 300 },
      ],
    });
  });
});

/** Fires a cron; the queue is the local one unless another is given. */
async function fire(cron: string, bindings: Env = env): Promise<void> {
  const context = createExecutionContext();
  await worker.scheduled(createScheduledController({ cron }), bindings, context);
  await waitOnExecutionContext(context);
}

describe('the cron', () => {
  /** Swallows the missed nights of other tests' organisations. */
  const NIGHTLY_QUEUE = { sendBatch: async () => undefined };

  it('sends one message an organisation at work, however many there are, and lets the others sleep', async () => {
    const many = Array.from({ length: 230 }, () => settingsRecord({ name: 'one of many' }));
    await upsertOrganisations(database, many);
    const idle = await createOrganisation();
    await operators().dropOrganisation(idle.id);
    for (const { id } of many) await operators().noteWork(id);
    const batches: { body: QueueMessage }[][] = [];
    const WAKE_QUEUE = { sendBatch: async (batch: { body: QueueMessage }[]) => void batches.push(batch) };
    await fire('*/5 * * * *', { ...env, WAKE_QUEUE, NIGHTLY_QUEUE } as unknown as Env);

    const ids = many.map(({ id }) => id);
    const sent = batches.flat().map(({ body }) => body.organisationId);
    expect(sent).toEqual(expect.arrayContaining(ids));
    expect(sent).not.toContain(idle.id);
    expect(new Set(sent).size).toBe(sent.length);
    // The largest batch of a queue.
    expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(100);
    await database.delete(organisation).where(inArray(organisation.id, ids));
    for (const id of ids) await operators().dropOrganisation(id);
  });

  it('looks after an organisation until its timers were looked at after its last word', async () => {
    holdAlarms();
    const mine = await organisationInNeed();
    const isAtWork = async () => (await operators().listAtWork()).includes(mine.id);
    await until(isAtWork);
    const looked = () => deliver([{ id: 'm', attempts: 1, body: wake(mine.id) }]);
    await looked();
    expect(await isAtWork()).toBe(true);
    passTime(20 * 60_000);
    await looked();
    expect(await isAtWork()).toBe(false);
  });

  it('brings an organisation whose alarm was lost back to work, through the queue', async () => {
    holdAlarms();
    const mine = await organisationInNeed();
    await fire('*/5 * * * *', { ...env, NIGHTLY_QUEUE } as unknown as Env);
    await until(async () => (await tracesInDatabase(mine.id)).length === 1);
    expect(await tracesInDatabase(mine.id)).toEqual([mine.traceId]);
  });

  it('runs each organisation’s nightly steps, through its queue', async () => {
    const mine = await createOrganisation();
    await fire('17 3 * * *');
    const done = () =>
      database
        .select()
        .from(nightlyStep)
        .where(and(eq(nightlyStep.organisationId, mine.id), eq(nightlyStep.ok, true)));
    await until(async () => (await done()).length === 6);
    expect((await done()).map(({ step }) => step).toSorted()).toEqual([
      'back_ends',
      'calibration',
      'history',
      'retention',
      'rollups',
      'usage',
    ]);
  });

  it('without declared work is an error, not silence', async () => {
    await expect(fire('0 0 1 1 *')).rejects.toThrow('no work for cron 0 0 1 1 *');
  });
});
