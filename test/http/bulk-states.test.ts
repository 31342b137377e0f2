import { describe, expect, it, vi } from 'vitest';
import type { BulkState } from '../../src/contract/bulk.ts';
import { RETENTION_MS } from '../../src/domain/bulk/job.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { startService } from '../support/service.ts';

const service = await startService();
// Hundreds of statements in sequence would take minutes with the simulated distance to Postgres.
service.faults.delayMs = 0;
vi.useFakeTimers({ toFake: ['Date'] });
const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

const FILE = 'email\nada@business.test\nbob@business.test\nwho@nxdomain.test\n';

/** Every call that could move a job or read what it holds, as a member makes it. */
const CALLS = {
  upload: ['PUT', '/upload', FILE],
  paste: ['POST', '/paste', { emails: ['ada@business.test'] }],
  change: ['PATCH', '', { name: 'another' }],
  estimate: ['GET', '/estimate', undefined],
  start: ['POST', '/start', {}],
  cancel: ['POST', '/cancel', undefined],
  resume: ['POST', '/resume', undefined],
  again: ['POST', '/again', undefined],
  results: ['GET', '/results.csv', undefined],
  block: ['POST', '/block', { segment: 'undeliverable' }],
  remove: ['DELETE', '', undefined],
} as const;
type Call = keyof typeof CALLS;
const NAMES = Object.keys(CALLS) as Call[];

/** An account with this quota, and calls of its jobs. */
async function openAccount(quota = 100) {
  const organisation = await service.createOrganisation({ verification_quota: quota });
  const key = organisation.keys.member;
  const send = async (id: string, name: Call) => {
    const [method, path, body] = CALLS[name];
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': name === 'upload' ? 'text/csv' : 'application/json',
    };
    const text = typeof body === 'string' ? body : body === undefined ? null : JSON.stringify(body);
    const init: RequestInit = { method, headers, body: text };
    const response = await service.request(`/v1/bulk/jobs/${id}${path}`, init);
    await response.text();
    return response.status;
  };
  const call = async (method: string, path: string, body?: object) =>
    (await service.call(method, `/v1/bulk/jobs${path}`, key, body)).body.job;
  const create = async (): Promise<string> => (await call('POST', '', {})).id;
  const ready = async (): Promise<string> => {
    const id = await create();
    expect(await send(id, 'upload')).toBe(200);
    return id;
  };
  const started = async (): Promise<string> => {
    const id = await ready();
    await call('POST', `/${id}/start`, { allow_partial: true });
    return id;
  };
  return {
    organisation,
    send,
    create,
    ready,
    started,
    state: async (id: string): Promise<BulkState> => (await call('GET', `/${id}`)).state,
    run: () => service.runJobs(organisation.id),
  };
}
type Account = Awaited<ReturnType<typeof openAccount>>;

async function done(account: Account): Promise<string> {
  const id = await account.started();
  await account.run();
  return id;
}

interface Standing {
  readonly state: BulkState;
  readonly quota?: number;
  bring(account: Account): Promise<string>;
  /** Allowed calls: the status of the answer, and the state afterwards. */
  readonly allows: Partial<Record<Call, readonly [status: number, next: BulkState]>>;
  /** Status of each refused call; 409 by default. */
  readonly refuses?: Partial<Record<Call, number>>;
}

const GONE = { again: 410, estimate: 410, results: 410, block: 410 } as const;

const STANDINGS: readonly (readonly [name: string, standing: Standing])[] = [
  [
    'uploading',
    {
      state: 'uploading',
      bring: (account) => account.create(),
      allows: { upload: [200, 'ready'], paste: [200, 'ready'], remove: [200, 'cancelled'] },
    },
  ],
  [
    'ready',
    {
      state: 'ready',
      bring: (account) => account.ready(),
      allows: { change: [200, 'ready'], estimate: [200, 'ready'], start: [202, 'running'], remove: [200, 'cancelled'] },
    },
  ],
  [
    'queued',
    {
      state: 'queued',
      async bring(account) {
        for (let i = 0; i < 2; i += 1) await account.started();
        return account.started();
      },
      allows: { estimate: [200, 'queued'], cancel: [200, 'cancelled'], remove: [200, 'cancelled'] },
    },
  ],
  [
    'running',
    {
      state: 'running',
      bring: (account) => account.started(),
      allows: { estimate: [200, 'running'], cancel: [200, 'cancelled'], remove: [200, 'cancelled'] },
    },
  ],
  [
    'paused without quota',
    {
      state: 'paused_quota',
      quota: 2,
      bring: done,
      allows: { estimate: [200, 'paused_quota'], cancel: [200, 'cancelled'], remove: [200, 'cancelled'] },
      refuses: { resume: 402 },
    },
  ],
  [
    'done',
    {
      state: 'done',
      bring: done,
      allows: {
        again: [201, 'done'],
        estimate: [200, 'done'],
        results: [200, 'done'],
        block: [200, 'done'],
        remove: [200, 'done'],
      },
    },
  ],
  [
    'failed',
    {
      state: 'failed',
      async bring(account) {
        const id = await account.create();
        const headers = { authorization: `Bearer ${account.organisation.keys.member}`, 'content-type': 'text/csv' };
        await service.request(`/v1/bulk/jobs/${id}/upload`, { method: 'PUT', headers, body: '' });
        return id;
      },
      allows: { remove: [200, 'failed'] },
    },
  ],
  [
    'cancelled',
    {
      state: 'cancelled',
      async bring(account) {
        const id = await account.started();
        await account.send(id, 'cancel');
        return id;
      },
      allows: {
        estimate: [200, 'cancelled'],
        again: [201, 'cancelled'],
        results: [200, 'cancelled'],
        block: [200, 'cancelled'],
        remove: [200, 'cancelled'],
      },
    },
  ],
  [
    'expired',
    {
      state: 'expired',
      async bring(account) {
        const id = await account.ready();
        pass(RETENTION_MS);
        await account.run();
        return id;
      },
      allows: { remove: [200, 'expired'] },
      refuses: GONE,
    },
  ],
  [
    'done 7 days ago',
    {
      state: 'done',
      async bring(account) {
        const id = await done(account);
        pass(RETENTION_MS);
        await account.run();
        return id;
      },
      allows: { remove: [200, 'done'] },
      refuses: GONE,
    },
  ],
  [
    'deleted before it began',
    {
      state: 'cancelled',
      async bring(account) {
        const id = await account.ready();
        await account.send(id, 'remove');
        return id;
      },
      allows: { remove: [200, 'cancelled'] },
      refuses: GONE,
    },
  ],
];

describe.each(STANDINGS)('a job that is %s', (_, { state, quota, bring, allows, refuses }) => {
  it('is left as it is by what it does not allow', async () => {
    const account = await openAccount(quota);
    const id = await bring(account);
    expect(await account.state(id)).toBe(state);
    const refused = NAMES.filter((name) => !(name in allows));
    const answers: Partial<Record<Call, number>> = {};
    for (const name of refused) answers[name] = await account.send(id, name);
    expect(answers).toEqual(Object.fromEntries(refused.map((name) => [name, refuses?.[name] ?? 409])));
    expect(await account.state(id)).toBe(state);
  });

  it.each(NAMES.filter((name) => name in allows))('allows %s', async (name) => {
    const account = await openAccount(quota);
    const id = await bring(account);
    const status = await account.send(id, name);
    expect([status, await account.state(id)]).toEqual(allows[name]);
  });
});

describe('a job whose 7 days are over, before any timer has seen it', () => {
  it.each(NAMES)('takes %s as one that has expired', async (name) => {
    const account = await openAccount();
    const id = await account.ready();
    pass(RETENTION_MS);
    const refused = name in GONE ? GONE[name as keyof typeof GONE] : 409;
    const answer = [await account.send(id, name), await account.state(id)];
    expect(answer).toEqual([name === 'remove' ? 200 : refused, 'expired']);
  });

  it('is listed as expired', async () => {
    const account = await openAccount();
    const id = await account.ready();
    const list = async (state: BulkState) => {
      const { keys } = account.organisation;
      const { body } = await service.call('GET', `/v1/bulk/jobs?state=${state}`, keys.viewer);
      return body.jobs.map((job: { id: string }) => job.id);
    };
    expect([await list('ready'), await list('expired')]).toEqual([[id], []]);
    pass(RETENTION_MS);
    expect([await list('ready'), await list('expired')]).toEqual([[], [id]]);
  });

  it('refuses the download of its results, though it was done', async () => {
    const account = await openAccount();
    const id = await done(account);
    pass(RETENTION_MS - 1);
    expect(await account.send(id, 'results')).toBe(200);
    pass(1);
    expect([await account.send(id, 'results'), await account.state(id)]).toEqual([410, 'done']);
  });
});

it('another organisation’s job is answered as a missing one, by every call', async () => {
  const id = await (await openAccount()).ready();
  const other = await openAccount();
  for (const name of NAMES) expect([name, await other.send(id, name)]).toEqual([name, 404]);
});

describe('a paused job', () => {
  it('waits for its turn when it is resumed while two run', async () => {
    const account = await openAccount(2);
    const paused = await done(account);
    const limits = { verification_quota: 8 };
    for (let i = 0; i < 2; i += 1) await account.started();
    expect(await account.state(paused)).toBe('paused_quota');
    // Raised quota resumes it by itself.
    const path = `/operator/v1/organisations/${account.organisation.id}`;
    await service.call('PATCH', path, service.operatorKey, limits);
    expect(await account.state(paused)).toBe('queued');
    expect(await account.send(paused, 'resume')).toBe(409);
    await account.run();
    expect(await account.state(paused)).toBe('paused_quota');
    await service.call('PATCH', path, service.operatorKey, { verification_quota: 9 });
    await account.run();
    expect(await account.state(paused)).toBe('done');
  });

  it('says in its 402 what the rest of it would take', async () => {
    const account = await openAccount(2);
    const id = await done(account);
    const { status, body } = await service.call(
      ...(['POST', `/v1/bulk/jobs/${id}/resume`, account.organisation.keys.member] as const),
    );
    expect(status).toBe(402);
    expect(body).toMatchObject({
      error: { code: 'quota_exceeded' },
      estimate: { rows_unique: 1, verifications: 1, cached_estimated: true, quota_remaining: 0, fits: false },
    });
  });
});

it('a wake-up for a job of a deleted organisation is not a failure, and leaves nothing', async () => {
  const account = await openAccount();
  const id = await account.started();
  await service.call('DELETE', `/operator/v1/organisations/${account.organisation.id}`, service.operatorKey);
  const answers: string[] = [];
  await service.wakeJob(account.organisation.id, id, (answer) => answers.push(answer));
  expect(answers).toEqual(['ack']);
  pass(MINUTE_MS);
  expect(service.files.keys(`orgs/${account.organisation.id}`)).toEqual([]);
});
