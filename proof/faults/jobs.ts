import { runCron } from '../../src/entrypoints/cron/scheduled.ts';
import { consumeDeadLetters } from '../../src/entrypoints/queue/dead-letters.ts';
import { consumeWakes } from '../../src/entrypoints/queue/wake.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { openBackground } from '../../src/runtime/wiring.ts';
import { OPERATORS_ID } from '../../src/services/operators.ts';
import { queueMessage } from '../../src/services/queue-message.ts';
import type { Scope, World } from './world.ts';

/** `done`: nothing is left to do. `again`: the queue delivers it again, or the platform shows that the cron failed. */
export type JobOutcome = 'done' | 'again';

const backgroundOf = ({ env, deferred }: Scope) => openBackground(env, (work) => void deferred.push(work));

/** Delivers one message as a queue does. */
export async function deliver(scope: Scope, body: unknown): Promise<JobOutcome> {
  let outcome: JobOutcome | null = null;
  const answers = { ack: () => (outcome = 'done'), retry: () => (outcome = 'again') };
  const message = Object.assign({ id: 'm', body, attempts: 1, timestamp: new Date() }, answers);
  await consumeWakes({ messages: [message] }, backgroundOf(scope));
  if (outcome === null) throw new Error('the message was neither taken nor sent back');
  return outcome;
}

async function deliverDead(scope: Scope): Promise<JobOutcome> {
  let outcome: JobOutcome = 'done';
  const messages = [{ id: `m-${Date.now()}`, body: { v: 1 }, attempts: 1 }];
  const batch = {
    queue: 'email-verification-bulk-dead',
    messages,
    ackAll: () => undefined,
    retryAll: () => (outcome = 'again'),
  };
  await consumeDeadLetters(batch as never, backgroundOf(scope));
  return outcome;
}

/** A cron that fails is shown by the platform, and the next one does what is left. */
const cron =
  (expression: string): Job =>
  async (_, scope) =>
    runCron(expression, backgroundOf(scope)).then(
      () => 'done',
      () => 'again',
    );

/** A piece of work without a caller. */
type Job = (world: World, scope: Scope, stage: JobStage) => Promise<JobOutcome>;
export interface JobStage {
  readonly organisationId: Id<'org'>;
  /** A started job of the organisation with a chunk left. */
  readonly jobId: Id<'bj'>;
}

const MAIL = 'timers of an object: the mail of a finished job';
let serial = 0;

/** An organisation of its own: a third job at once would wait for the others. Its job has started; that of the mail has ended. */
export async function stageJob(world: World, name?: string): Promise<JobStage & { readonly key: string }> {
  const { service } = world;
  const organisation = await service.createOrganisation();
  const path = `/operator/v1/organisations/${organisation.id}/users`;
  const { user } = (await service.call('POST', path, service.operatorKey, { email: `owner${serial}@example.com` }))
    .body;
  const { key } = await organisation.createKey({ role: 'member', user_id: user.id });
  const post = (tail: string, body: object) => service.call('POST', `/v1/bulk/jobs${tail}`, key, body);
  const { id } = (await post('', {})).body.job;
  serial += 1;
  await post(`/${id}/paste`, { emails: [`person@j${serial}.bulk.test`, `person${serial}@nxdomain.test`] });
  await post(`/${id}/start`, { notify: true });
  const stage = { organisationId: organisation.id as Id<'org'>, jobId: id as Id<'bj'>, key };
  if (name === MAIL) {
    const scope = world.scope();
    await world.within(scope, () => deliver(scope, queueMessage({ kind: 'job', ...stage })));
  }
  return stage;
}

export const JOBS: Readonly<Record<string, Job>> = {
  'cron of every five minutes': cron('*/5 * * * *'),
  'cron of the night': cron('17 3 * * *'),
  'message: timers of an object': (_, scope, { organisationId }) =>
    deliver(scope, queueMessage({ kind: 'timers', organisationId })),
  'message: a chunk of a job': (_, scope, { organisationId, jobId }) =>
    deliver(scope, queueMessage({ kind: 'job', organisationId, jobId })),
  'message: an organisation’s night': (_, scope, { organisationId }) => {
    const runAt = Date.now();
    return deliver(scope, queueMessage({ kind: 'night', organisationId, runAt, since: runAt }));
  },
  'message: what a queue gave up on': (_, scope) => deliverDead(scope),
  'message: the night’s lists': (_, scope) => {
    const runAt = Date.now();
    const step = 'disposable_lists';
    return deliver(scope, queueMessage({ kind: 'step', organisationId: OPERATORS_ID, step, runAt, since: runAt }));
  },
  [MAIL]: async ({ service }, _, { organisationId }) => {
    await service.objectOf(organisationId).object.tick();
    return 'done';
  },
  'timers of an object': async ({ service }, _, { organisationId }) => {
    await service.objectOf(organisationId).object.tick();
    return 'done';
  },
};

/** Messages that no release sends, and their outcome. */
export const POISONED: Readonly<Record<string, { readonly body: unknown; readonly outcome: JobOutcome }>> = {
  nothing: { body: null, outcome: 'done' },
  'a text': { body: 'xyzzy', outcome: 'done' },
  'an empty object': { body: {}, outcome: 'done' },
  'a list': { body: [1, 2], outcome: 'done' },
  'ids of nothing': {
    body: { v: 1, kind: 'timers', organisationId: 'org_x' },
    outcome: 'done',
  },
  'an organisation that never was': {
    body: { v: 1, kind: 'timers', organisationId: 'org_01m8qef6k0e5197gnt039qpjnf' },
    outcome: 'done',
  },
  'a job that never was': {
    body: {
      v: 1,
      kind: 'job',
      organisationId: 'org_01m8qef6k0e5197gnt039qpjnf',
      jobId: 'bj_01m8qef6k0e5197gnt039qpjnf',
    },
    outcome: 'done',
  },
  'a later release’s version': { body: { v: 99, kind: 'timers' }, outcome: 'again' },
  'a later release’s kind': { body: { v: 1, kind: 'later' }, outcome: 'again' },
};
